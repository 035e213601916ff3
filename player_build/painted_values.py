"""Computes the attribute values that the player paints in place of recorded ones: resources for addresses, and rewritten style sheets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, cast

from pagereel.reel import ELEMENT, PI, PLACEHOLDER, TEXT, DocumentModel, Json, Node, parse_srcset, to_absolute_address

from . import placeholder, sheet_rewriting
from .allow_lists import ATTRIBUTES, MAPPABLE
from .data_urls import STYLES, decode_data_url

if TYPE_CHECKING:
    from .page_events import PageEventBuilder

HAS_ADDRESS: Final = re.compile(r"url\(|image-set\(|src\(", re.IGNORECASE)
_BROKEN: Final = "data:,x"
"""A picture that cannot be shown. It does not end in a comma, which a ``srcset`` would lose."""
_TRANSPARENT: Final = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


class PaintedValues:
    """Computes the values to paint for one message of one document, as additional ops."""

    def __init__(self, events: PageEventBuilder, document: DocumentModel, t: float) -> None:
        self.events = events
        self.document = document
        self.t = t

    def convert_op(self, op: Json) -> Json:
        """Return an op with its references to resources and its style sheet converted."""
        assert isinstance(op, list)
        if op[0] == "canvas" and len(op) > 2:
            node = self.document.nodes.get(op[1]) if isinstance(op[1], int) else None
            if node is not None and node.name == "video":
                return ["shown", node.id, cast(Json, self.find_shown_values(node))]
            body = self.events.catalogue.bodies.get(str(op[2]))
            if body is None:
                return [*op[:2], "", *op[3:]]
            return [*op[:2], f"{PLACEHOLDER}{self.events.packer.number_resource(op[2], body.mime, body.data)}", *op[3:]]
        if op[0] == "sheet" and len(op) > 3 and isinstance(op[3], str):
            options = op[4] if len(op) > 4 and isinstance(op[4], dict) else {}
            base = self.get_sheet_base_url(op[2])
            text = self.events.rewrite_sheet(self.document, op[3], base, self.t)
            clean = {name: options[name] for name in ("media", "disabled") if name in options}
            return [*op[:4], cast(Json, clean | {"css": text} if text != op[3] else clean)]
        return op

    def get_sheet_base_url(self, owner: Json) -> str:
        base = self.events.get_base_url(self.document)
        node = self.document.nodes.get(owner) if isinstance(owner, int) else None
        if node is not None and node.kind == PI and node.state is not None:
            return str(node.state.get("src") or base)
        return (
            to_absolute_address(base, node.attrs["href"])
            if node is not None and node.name == "link" and "href" in node.attrs
            else base
        )

    def list_changed_nodes(self, ops: list[Json], last_known_id: int) -> list[Node]:
        """Return the nodes that ops added or changed, and whose painted values must therefore be computed again."""
        found: dict[int, Node] = {}
        nodes = self.document.nodes
        for op in ops:
            assert isinstance(op, list)
            if op[0] == "doc":
                found.update((node.id, node) for node in self.document.walk())
            elif op[0] == "add":
                first = op[2]
                if isinstance(first, int):
                    for tree in op[3:]:
                        count = count_nodes(tree)
                        found.update((i, nodes[i]) for i in range(first, first + count) if i in nodes)
                        first += count
            elif op[0] == "media" and isinstance(op[1], int):
                if (video := nodes.get(op[1])) is not None and video.name == "video" and self.has_lost_video(video):
                    found[video.id] = video
            elif op[0] in ("attr", "src", "states", "text", "move"):
                for item in op[1:] if op[0] == "move" else op[1:2]:
                    node = nodes.get(item) if isinstance(item, int) else None
                    if node is not None:
                        found[node.id] = node
                        if node.name in ("picture", "source", "img"):
                            picture = node if node.name == "picture" else node.parent
                            if picture is not None and picture.name == "picture":
                                found.update(
                                    (each.id, each) for each in picture.children if each.name in ("img", "source")
                                )
        self.events.track_base_elements(self.document, found.values())
        return list(found.values())

    def build_added_ops(self, nodes: list[Node]) -> list[Json]:
        """Return the ops that the builder adds to a message for these nodes: values to paint, rewritten style sheets,
        and pictures of ``<object>`` elements.
        """
        ops: list[Json] = []
        for node in nodes:
            if node.kind == TEXT:
                if node.parent is not None and node.parent.name in STYLES:
                    text = self.events.rewrite_sheet(
                        self.document, node.data, self.events.get_base_url(self.document), self.t
                    )
                    if text != node.data:
                        ops.append(["css", node.id, text])
            elif node.kind == PI and node.state is not None and "src" in node.state:
                href = str(node.state["src"])
                sheet = self.events.find_sheet(self.document, href, href, self.t) if href else None
                ops.append(["shown", node.id, {"href": sheet}])
            elif node.kind == ELEMENT:
                self.events.user = node.id
                if shown := self.find_shown_values(node):
                    ops.append(["shown", node.id, cast(Json, shown)])
                if node.name == "object":
                    ops += self.build_object_ops(node)
                self.events.user = 0
        return ops

    def find_shown_values(self, node: Node) -> dict[str, str | None]:
        shown: dict[str, str | None] = {}
        attrs = node.attrs
        style = attrs.get("style")
        base = self.events.get_base_url(self.document)
        if style is not None and HAS_ADDRESS.search(style):
            shown["style"] = sheet_rewriting.rewrite_declarations(style, self.find_resource, base=base)
        if node.name.startswith("svg|"):  # A paint, a mask, a marker: CSS values.
            for name, value in attrs.items():
                if (name in ATTRIBUTES or "-" in name) and HAS_ADDRESS.search(value):
                    shown[name] = sheet_rewriting.rewrite_declarations(value, self.find_resource, base=base)
        for name in MAPPABLE.get(node.name, ()):
            if name not in attrs:
                continue
            value = attrs[name]
            if node.name == "link":
                shown[name] = self.find_linked_resource(attrs.get("rel", ""), value, attrs.get("charset", ""))
            elif name == "srcset":
                shown[name] = self.choose_srcset_candidate(node, value)
                if node.name == "source" and self.find_chosen_address(node) is not None and "media" in attrs:
                    shown["media"] = None  # It was decided then; the result is which source has an address.
            elif node.name.startswith("svg|") and value.strip().startswith("#"):
                continue
            elif name == "src" and node.name == "img" and "srcset" not in attrs:
                shown[name] = (
                    _BROKEN
                    if self.is_broken_image(node)
                    else self.find_picture(self.read_chosen_address(node) or value, base)
                )
            elif node.name in ("img", "input"):
                shown[name] = self.find_picture(value, base)
            else:
                found = self.find_resource(value, base)
                if (
                    found is None
                    and node.name == "svg|image"
                    and self.events.catalogue.has_failed_request(to_absolute_address(base, value))
                ):
                    found = _BROKEN
                shown[name] = found
        if (
            node.name == "video"
            and self.has_lost_video(node)
            and (still := self.find_still_picture(node, shown)) is not None
        ):
            shown["poster"] = still
        return shown

    def build_object_ops(self, element: Node) -> list[Json]:
        """Return the op that sets or removes the picture that an ``<object>`` shows in place of its content."""
        picture, key = self.find_object_picture(element), (self.document.d, element.id)
        if picture is None and key not in self.events.pictured:
            return []
        self.events.pictured.add(key)
        return [["canvas", element.id, picture or "", 0, 0]]

    def find_object_picture(self, element: Node) -> str | None:
        states, address = (element.state or {}).get("states"), element.attrs.get("data")
        if not isinstance(states, list) or "embedded" not in states or address is None:
            return None
        if any(each.parent == (self.document.d, element.id) for each in self.events.model.documents.values()):
            return None  # The object shows a document, or something else.
        if (held := decode_data_url(address.strip(), 0)) is not None:
            return f"{PLACEHOLDER}{self.events.packer.number_resource((held.mime, held.data), held.mime, held.data)}"
        found = re.match(
            rf"{PLACEHOLDER}(\d+)", self.find_resource(address, self.events.get_base_url(self.document)) or ""
        )
        mime = self.events.packer.resources[int(found[1])].mime if found else ""
        return found[0] if found and mime.startswith("image/") and "svg" not in mime else None

    def has_lost_video(self, video: Node) -> bool:
        """Return whether a video showed something of which the recording has no bytes."""
        state = video.state or {}
        if "canvas" not in state and "media" not in state:
            return False
        base = self.events.get_base_url(self.document)
        sources = [video, *(child for child in video.children if child.name == "source")]
        return not any("src" in each.attrs and self.find_resource(each.attrs["src"], base) for each in sources)

    def find_still_picture(self, video: Node, shown: dict[str, str | None]) -> str | None:
        """Return a poster for a video without bytes: its last recorded picture, or a drawing that says that the video
        is missing; None if the video has a poster of its own.
        """
        picture = (video.state or {}).get("canvas")
        body = self.events.catalogue.bodies.get(str(picture[0])) if isinstance(picture, list) else None
        if body is not None:
            return (
                f"{PLACEHOLDER}{self.events.packer.number_resource(cast(list[Json], picture)[0], body.mime, body.data)}"
            )
        if shown.get("poster"):
            return None
        return f"{PLACEHOLDER}{self.events.packer.number_resource('film', placeholder.MIME, placeholder.FILM)}"

    def find_resource(self, address: str, base: str) -> str | None:
        return self.events.find_resource(self.document, address, base, self.t)

    def find_picture(self, address: str, base: str) -> str:
        """Return the resource for a picture's address.

        If the page could not load it either, it is a broken picture; if only the recording lacks it, a transparent
        one.
        """
        failed = self.events.catalogue.has_failed_request(to_absolute_address(base, address))
        return self.find_resource(address, base) or (_BROKEN if failed else _TRANSPARENT)

    def find_linked_resource(self, rel: str, href: str, charset: str) -> str | None:
        words = rel.lower().split()
        base = self.events.get_base_url(self.document)
        if "stylesheet" in words:
            return self.events.find_sheet(self.document, href, base, self.t, charset)
        return self.find_resource(href, base) if "icon" in words else None

    def read_chosen_address(self, image: Node) -> str | None:
        """Return the address that an image chose among those in its markup; None if it is unknown."""
        value = image.state.get("src") if image.state is not None else None
        return value if isinstance(value, str) and value else None

    def is_broken_image(self, image: Node) -> bool:
        """Return whether the image was broken in the recorded page, too."""
        return image.state is not None and image.state.get("src") == ""

    def find_chosen_address(self, node: Node) -> str | None:
        """Return the address that an image chose. `node` is the image, or one of the ``<source>`` elements beside
        it.
        """
        if node.name != "source" or node.parent is None:
            return self.read_chosen_address(node)
        return next((self.read_chosen_address(child) for child in node.parent.children if child.name == "img"), None)

    def choose_srcset_candidate(self, node: Node, value: str) -> str | None:
        """Return a ``srcset`` with the one candidate that was chosen (or, if unknown, that was captured).

        Its descriptor is kept, because it decides the image's density.
        """
        base = self.events.get_base_url(self.document)
        options = parse_srcset(value)
        if node.name == "img" and self.is_broken_image(node):
            return f"{_BROKEN} 1x"
        picked = self.find_chosen_address(node)
        if (
            node.name == "source"
            and picked
            and all(to_absolute_address(base, option[0]) != picked for option in options)
        ):
            return None
        chosen = [option for option in options if picked is not None and to_absolute_address(base, option[0]) == picked]
        if chosen and self.events.catalogue.has_failed_request(picked or ""):
            options = chosen
        for address, descriptor in chosen or options:
            missing = set(self.events.missing)
            found = self.find_resource(address, base)
            self.events.missing = missing if found is None else self.events.missing
            if found is not None:
                return f"{found} {descriptor}".strip()
        return (
            f"{_BROKEN} 1x"
            if any(self.events.catalogue.has_failed_request(to_absolute_address(base, each)) for each, _ in options)
            else None
        )


def count_nodes(tree: Json) -> int:
    """Return the number of node ids that a tree assigns."""
    count = 0
    stack = [tree]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            count += 1
        elif isinstance(item, list) and item:
            count += 1
            name = item[0]
            if not (isinstance(name, str) and name.startswith("#")) or name in ("#document", "#shadow", "#content"):
                stack.extend(item[2:])
    return count
