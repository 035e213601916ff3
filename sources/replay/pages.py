"""Restores the recorded page events from those of a replay, by undoing what the build added to their ops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from pagereel.reel import (
    BUILT_OPS,
    PI,
    PLACEHOLDER,
    TEXT,
    DocumentModel,
    Event,
    Json,
    Node,
    PageModel,
    find_base_address,
    parse_srcset,
    to_absolute_address,
)

from . import sheet_restoring
from .resources import PackedResources

_SHORT: Final = "pagereel-"
"""Prefix of short addresses in a compact file: ``data:image/png,pagereel-5`` is resource 5."""


class ReplayPageRestorer:
    """Converts a replay's page events back to recorded ones. It must receive them in order of time."""

    def __init__(self, resources: PackedResources) -> None:
        self.resources = resources
        self.model = PageModel()
        self._known: dict[tuple[int, str], str] = {}
        """(page, address) → the resource that it last referred to."""
        self._bases: dict[int, tuple[str, bool]] = {}
        """Document → the base of its relative addresses, and whether a ``<base>`` sets it."""
        self._restored: set[int] = set()
        """Documents whose long addresses were restored."""

    def restore_event(self, event: Event) -> Iterator[Event]:
        """Yield the resources at the addresses in a replay's event, then the event in its recorded form."""
        kind = event["k"]
        if kind not in ("snapshot", "mutation"):
            self.model.apply(event)
            if kind == "location":
                self._bases.clear()
            yield self._restore_checkpoint(event) if kind == "checkpoint" else event
            return
        ops = cast("list[list[Any]]", event["ops"])
        document = self.model.documents.get(cast(int, event["d"]))
        out: list[Json] = []
        trees: list[list[Any]] = []
        for op in ops:
            plain = self._restore_op(op, document)
            if plain is not None:
                out.append(cast(Json, plain))
            if op[0] in BUILT_OPS or op[0] == "sheet":
                trees.append(op)
        done = {**event, "ops": out}
        self.model.apply(done)
        if any(self._may_change_base(op, document) for op in ops):
            self._bases.clear()
        if document is not None:
            found: dict[str, str] = {}
            for op in trees:
                found.update(self._iter_resource_addresses(document, op))
            for url, body in found.items():
                if self._known.get((document.page, url)) != body:
                    self._known[document.page, url] = body
                    yield {"k": "alias", "t": event["t"], "page": document.page, "url": url, "body": body}
            yield from self.resources.pop_pending_events(float(cast(float, event["t"])))
        yield done

    def _restore_checkpoint(self, event: Event) -> Event:
        """Return a checkpoint with the digest that the restored document has."""
        done = {name: value for name, value in event.items() if name != "cleaned"}
        document = self.model.documents.get(cast(int, event["d"]))
        if document is not None and document.d in self._restored:
            done["digest"], done["nodes"] = document.compute_digest()
        return done

    # -- ops --

    def _restore_op(self, op: list[Any], document: DocumentModel | None) -> list[Any] | None:
        """Return an op without the parts that the build added to it; None for an op that the build added."""
        name = op[0]
        if name == "shown":
            still = self._find_new_video_picture(op, document)
            return None if still is None else ["canvas", op[1], still, 0, 0]
        if name in BUILT_OPS:
            return None
        if name == "canvas" and str(op[2]).startswith(PLACEHOLDER):
            return [*op[:2], self.resources.get_sha256(op[2]) or "", *op[3:]]
        if name == "sheet" and len(op) > 4:
            options = {key: value for key, value in op[4].items() if key != "css"}
            return [*op[:4], options] if options else op[:4]
        if name in ("doc", "add", "attr", "src") and document is not None and self.resources.may_shorten_addresses:
            return self._restore_long_addresses(op, document)
        return op

    def _find_new_video_picture(self, op: list[Any], document: DocumentModel | None) -> str | None:
        """Return the SHA-256 of the picture of a video in a ``shown`` op; None if it is the picture that the video had
        before, or there is none.
        """
        node = document.nodes.get(op[1]) if document is not None and len(op) > 2 and type(op[1]) is int else None
        poster = op[2].get("poster") if node is not None and node.name == "video" and type(op[2]) is dict else None
        sha256 = self.resources.get_sha256(poster)
        known = (node.state or {}).get("canvas") if node is not None else None
        return None if isinstance(known, list) and known[0] == sha256 else sha256

    def _restore_long_addresses(self, op: list[Any], document: DocumentModel) -> list[Any]:
        """Return an op with its shortened addresses replaced by the original long ones."""

        def expand_address(value: Any) -> Any:
            if type(value) is not str or not value.startswith("data:") or f",{_SHORT}" not in value[:200]:
                return value
            address = self.resources.build_data_address(PLACEHOLDER + value.partition(f",{_SHORT}")[2])
            if address is None:
                return value
            self._restored.add(document.d)
            return address

        def expand_in_tree(value: Any) -> Any:
            if type(value) is list:
                return [expand_in_tree(item) for item in value]
            if type(value) is dict:
                return {name: expand_address(item) for name, item in value.items()}
            return value

        return (
            [op[0], op[1], expand_address(op[2])]
            if op[0] == "src" and len(op) > 2
            else [expand_in_tree(item) for item in op]
        )

    # -- the resources of addresses --

    def _get_base_address(self, document: DocumentModel) -> str:
        if document.url.startswith("about:"):
            return find_base_address(self.model, document)
        known = self._bases.get(document.d)
        if known is None:
            own = any(node.name == "base" for node in document.walk())
            known = self._bases[document.d] = find_base_address(self.model, document), own
        return known[0]

    def _may_change_base(self, op: list[Any], document: DocumentModel | None) -> bool:
        """Return whether an op may change the base of a document's relative addresses."""
        if op[0] == "add":
            return _contains_base_element(op[3:])
        known = self._bases.get(document.d) if document is not None else None
        return op[0] == "doc" or (known is not None and known[1] and op[0] in ("attr", "move", "del"))

    def _iter_resource_addresses(self, document: DocumentModel, op: list[Any]) -> Iterator[tuple[str, str]]:
        """Yield each full address to which an op assigns a resource, and the resource's SHA-256."""
        name, node = op[0], document.nodes.get(op[1]) if len(op) > 1 and type(op[1]) is int else None
        if name == "sheet":
            css = op[4].get("css") if len(op) > 4 else None
            if type(css) is str:
                yield from self._iter_sheet_addresses(op[3], css, self._get_base_of_sheet(document, op[2]))
        elif node is None or len(op) < 3:
            return
        elif name == "css" and node.kind == TEXT and type(op[2]) is str:
            yield from self._iter_sheet_addresses(node.data, op[2], self._get_base_address(document))
        elif name == "shown" and type(op[2]) is dict:
            for attribute, value in op[2].items():
                if type(value) is str and PLACEHOLDER in value:
                    yield from self._iter_attribute_addresses(document, node, attribute, value)

    def _iter_attribute_addresses(
        self, document: DocumentModel, node: Node, attribute: str, value: str
    ) -> Iterator[tuple[str, str]]:
        if node.kind == PI:
            yield from self._iter_address_hash_pair(str((node.state or {}).get("src") or ""), value, "")
            return
        recorded, base = node.attrs.get(attribute), self._get_base_address(document)
        if recorded is None:
            return
        if attribute == "style":
            yield from self._iter_sheet_addresses(recorded, value, base)
        elif attribute == "srcset":
            stands, _, descriptor = value.partition(" ")
            yield from self._iter_address_hash_pair(
                _find_srcset_address(node, recorded, descriptor, base), stands, base
            )
        elif attribute == "src" and node.name == "img" and "srcset" not in node.attrs:
            yield from self._iter_address_hash_pair(_get_chosen_address(node) or recorded, value, base)
        else:
            yield from self._iter_address_hash_pair(recorded, value, base)

    def _iter_address_hash_pair(self, address: str, placeholder: str, base: str) -> Iterator[tuple[str, str]]:
        sha256 = self.resources.get_sha256(placeholder)
        if sha256 is not None and address and address.strip()[:5].lower() != "data:":
            yield to_absolute_address(base, address).partition("#")[0], sha256

    def _iter_sheet_addresses(self, recorded: str, css: str, base: str) -> Iterator[tuple[str, str]]:
        for address, stands in sheet_restoring.pair_sheet_addresses(recorded, css):
            if stands.startswith(PLACEHOLDER):
                yield from self._iter_address_hash_pair(address, stands, base)
            else:
                yield (
                    to_absolute_address(base, address).partition("#")[0],
                    self.resources.add_inner_sheet(
                        sheet_restoring.restore_sheet(stands, self.resources.invent_resource_address)
                    ),
                )

    def _get_base_of_sheet(self, document: DocumentModel, owner: Json) -> str:
        node = document.nodes.get(owner) if isinstance(owner, int) else None
        base = self._get_base_address(document)
        if node is not None and node.kind == PI and node.state is not None:
            return str(node.state.get("src") or base)
        return (
            to_absolute_address(base, node.attrs["href"])
            if node is not None and node.name == "link" and "href" in node.attrs
            else base
        )


def _get_chosen_address(node: Node) -> str:
    """Return the address from which the browser loaded an image, chosen among those in its markup; "" if it is unknown."""
    value = node.state.get("src") if node.state is not None else None
    return value if isinstance(value, str) else ""


def _find_srcset_address(node: Node, srcset: str, descriptor: str, base: str) -> str:
    """Return the address in a ``srcset`` attribute from which the browser loaded the image."""
    image: Node | None = node
    if node.name == "source" and node.parent is not None:
        image = next((child for child in node.parent.children if child.name == "img"), None)
    chosen = _get_chosen_address(image) if image is not None else ""
    options = parse_srcset(srcset)
    for address, _ in options:
        if chosen and to_absolute_address(base, address) == chosen:
            return address
    return next((address for address, said in options if said == descriptor.strip()), "")


def _contains_base_element(trees: list[Any]) -> bool:
    stack = list(trees)
    while stack:
        item = stack.pop()
        if type(item) is list:
            if item[0] == "base":
                return True
            stack += item[2:]
    return False
