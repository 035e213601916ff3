"""Prepares page events for the player: sanitized, and with the resource of each address.

Attributes and texts stay as they were recorded, so that the tree, its selectors and its digest are those of the
page. The builder appends its own ops to a message:

* ``["shown", id, {attribute: value}]``: the value to paint instead; ``pagereel:<number>`` is a resource, ``null``
is "not painted". An ``attr`` op cancels earlier values for its attributes;
* ``["mode", mode]``: see ``modes.py``;
* ``["canvas", id, "pagereel:<number>", 0, 0]`` of an ``<object>``: the picture that it shows;
* ``["css", id, text]``: the rewritten text of a text node within a ``<style>``. A ``sheet`` op has its own as
``{"css": text}``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Final, cast

from pagereel.reel import (
    ELEMENT,
    PI,
    PLACEHOLDER,
    TEXT,
    DocumentModel,
    Event,
    Json,
    Node,
    PageModel,
    absolute,
    base_of,
    candidates,
    kinds,
)

from . import css, placeholder
from .allow import ATTRIBUTES, MAPPABLE
from .inline import LEAST, STYLES, body_of, mime_of, sheet_of, shorten
from .limit import OmittedCount
from .modes import Modes, is_xml
from .resources import Packer, ResourceCatalogue, moving
from .sanitize import Sanitizer

PAGE_KINDS: Final = kinds(built="page")

_HAS_ADDRESS: Final = re.compile(r"url\(|image-set\(|src\(", re.IGNORECASE)
_NAMES_FILES: Final = re.compile(rf"{_HAS_ADDRESS.pattern}|@import", re.IGNORECASE)
_BROKEN: Final = "data:,x"
"""A picture that cannot be shown. It does not end in a comma, which a ``srcset`` would lose."""
_TRANSPARENT: Final = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


SHEETS_LIMIT: Final = 4 << 20
SHEETS_PER_BYTE: Final = 64
"""Limit on the characters of style sheets that are rewritten: `SHEETS_LIMIT`, plus `SHEETS_PER_BYTE` for each byte of
the recording. A few kilobytes of zstd can unpack to tens of megabytes of CSS, which would take a build minutes; a
sheet past the limit is left out and reported as missing.
"""
_MOST_MADE: Final = 8
"""Number of cached results of one sheet, by the files of its addresses: a run loads the same page repeatedly."""


class PageEventBuilder:
    """The converter of page events, given in the order of time; it also applies them to the page model."""

    def __init__(self, catalogue: ResourceCatalogue, packer: Packer, *, short: bool = False, start: float = 0) -> None:
        """`start`: the time of the recording at which the events' clock begins. `short`: long ``data:`` addresses are
        replaced in the pages' attributes, and stored only as resources.
        """
        self.catalogue = catalogue
        self.packer = packer
        self.short = short
        self.inline: dict[str, str] = {}
        """Long ``data:`` addresses, or their short forms → their placeholders."""
        self.shortened = OmittedCount()
        self.model = PageModel()
        self.sanitizer = Sanitizer()
        self.missing: set[str] = set()
        """Addresses that the page showed and whose bytes are missing."""
        self.unknown: set[str] = set()
        """Addresses in the page of which the recording has nothing, whether or not they were requested."""
        self._cleaned: set[int] = set()
        """Documents from which the sanitizer removed something."""
        self._modes = Modes()
        self._bases: dict[int, str] = {}
        self._base_elements: set[tuple[int, int]] = set()
        self._encodings: dict[int, str] = {}
        self._sheets: dict[tuple[int, str, str, float], str] = {}
        """Rewritten style sheets: by document, address, text and, if it refers to others, time."""
        self.start = start
        self.user = 0
        """The node whose addresses are resolved now; 0: a style sheet's."""
        self.pictured: set[tuple[int, int]] = set()
        """Objects that showed a picture, by document and node."""
        self._moving: dict[str, str] = {}
        self._films: dict[tuple[int, str], tuple[float, set[int]]] = {}
        """(document, picture) → when an animated picture began, and the nodes that show it."""
        self._made: dict[tuple[str, str, bool], list[tuple[dict[tuple[str, str], str | None], str]]] = {}
        self._to_rewrite = SHEETS_LIMIT + SHEETS_PER_BYTE * catalogue.size

    def ready(self, event: Event) -> Event:
        """Return the event in the form of the built file."""
        kind = event["k"]
        if kind == "checkpoint":
            return self._checkpoint(event)
        if kind not in ("snapshot", "mutation"):
            self.model.apply(event)
            if kind == "location":
                self._bases.pop(cast(int, event.get("d")), None)
            return event
        d = event.get("d")
        document = self.model.documents.get(d) if isinstance(d, int) else None
        ops = event.get("ops")
        if document is None or not isinstance(ops, list):
            return {**event, "ops": []}

        def look(node: Json, *, parent: bool = False) -> tuple[str, dict[str, str]]:
            found = document.nodes.get(node) if isinstance(node, int) else None
            found = found.parent if found is not None and parent else found
            return (found.name, found.attrs) if found is not None and found.kind == ELEMENT else ("", {})

        removed = self.sanitizer.removed
        clean = self.sanitizer.ops(ops, look)
        before = self.shortened.count
        if self.short:
            clean = shorten(clean, self._short, lambda node: look(node, parent=True)[0] in STYLES)
        if self.sanitizer.removed > removed or self.shortened.count > before:
            self._cleaned.add(document.d)
        known = document.last_id
        self.model.apply({**event, "ops": clean})
        if document.over:  # Ops that the page model refuses would fill the player's memory as well.
            refused = {id(op) for op in document.over}
            clean = [op for op in clean if id(op) not in refused]
        t = float(cast(float, event["t"]))
        dressing = Dressing(self, document, t)
        out = [self._dressed(dressing, op) for op in clean]
        touched = dressing.touched(clean, known)
        out += self._additions(dressing, touched)
        out += self._modes.after(document, clean, lambda: self._mime(document, t))
        return {**event, "ops": out}

    def _dressed(self, dressing: Dressing, op: Json) -> Json:
        return dressing.op(op)

    def _additions(self, dressing: Dressing, nodes: list[Node]) -> list[Json]:
        return dressing.additions(nodes)

    def _checkpoint(self, event: Event) -> Event:
        """Compute the digest anew if something was removed from the document; ``cleaned`` says so."""
        document = self.model.documents.get(cast(int, event.get("d")))
        if document is None or document.d not in self._cleaned or event.get("equal") is not True:
            return event
        digest, nodes = document.digest()
        if (digest, nodes) == (event.get("digest"), event.get("nodes")):
            return event
        return {**event, "digest": digest, "nodes": nodes, "cleaned": True}

    def _mime(self, document: DocumentModel, t: float) -> str:
        """Return the MIME type of a document's response, if known."""
        sha256 = self.catalogue.find(document.page, absolute("", document.url.partition("#")[0]), t)
        return self.catalogue.bodies[sha256].mime if sha256 in self.catalogue.bodies else ""

    # -- addresses --

    def base(self, document: DocumentModel) -> str:
        """Return the base of relative addresses in this document."""
        known = self._bases.get(document.d)
        if known is None:
            known = self._bases[document.d] = base_of(self.model, document)
        return known

    def follow_bases(self, document: DocumentModel, touched: Iterable[Node]) -> None:
        """Note where a ``<base>`` came, changed or went: what loads from now on starts from another address. What has loaded stays as it is, and
        frames without an address of their own keep to the one that they began with.
        """
        came = {(document.d, node.id) for node in touched if node.name == "base"}
        gone = {(d, id) for d, id in self._base_elements if d == document.d and id not in document.nodes}
        if came or gone:
            self._bases.pop(document.d, None)
            self._base_elements = (self._base_elements | came) - gone

    def resource(self, document: DocumentModel, address: str, base: str, t: float) -> str | None:
        """Return the placeholder of the resource at `address`, with its fragment, or ``None``."""
        if address.strip()[:5].lower() == "data:":
            held = self._inline(address.strip())
            moves = self._moving.get(address.strip())
            return f"{held}@{self._began(document, held, -math.inf, t):.0f}" if moves else held
        url = absolute(base, address)
        whole, hash_sign, fragment = url.partition("#")
        if hash_sign and whole == document.url.partition("#")[0]:
            return f"#{fragment}"  # A place in the document itself.
        sha256 = self.catalogue.find(document.page, url, t, document.d)
        if sha256 is None:
            self._miss(url)
            return None
        body = self.catalogue.bodies[sha256]
        moves = self._moving.get(sha256)
        if moves is None:
            moves = self._moving[sha256] = moving(body.data)
        if not moves:
            return f"{PLACEHOLDER}{self.packer.number(sha256, body.mime, body.data)}{hash_sign}{fragment}"
        since = self._began(document, sha256, self.catalogue.came(document.d, url) - self.start, t)
        return f"{PLACEHOLDER}{self.packer.number(sha256, moves, body.data)}@{since:.0f}{hash_sign}{fragment}"

    def _began(self, document: DocumentModel, picture: str, came: float, t: float) -> float:
        """Return when an animated picture began: when it had arrived, or with the first of the nodes that show it now."""
        began, users = self._films.get((document.d, picture), (0.0, set()))
        users = {user for user in users if not user or user in document.nodes}
        if not users:
            began = came if t <= 0 and came > -math.inf else max(t, came)
        self._films[document.d, picture] = began, users | {self.user}
        return began

    def _miss(self, url: str) -> None:
        """Note that an address has no bytes: it counts as missing where the page did get something for it."""
        self.unknown.add(url)
        if self.catalogue.lost(url):
            self.missing.add(url)

    def _inline(self, address: str) -> str:
        """Return the placeholder of a ``data:`` address that is long or an animated picture, or the address itself."""
        known = self.inline.get(address)
        if known is None and (body := body_of(address, 0)) is not None:
            moves = self._moving[address] = moving(body.data)
            if moves or len(address) >= LEAST:
                number = self.packer.number((body.mime, body.data), moves or body.mime, body.data)
                known = f"{PLACEHOLDER}{number}"
            self.inline[address] = known = known or address
        return known or address

    def _short(self, value: str) -> str:
        """Return an attribute's value in the form of the tree."""
        address = value.strip()
        if len(address) < LEAST or address[:5].lower() != "data:" or mime_of(address) == "text/css":
            return value
        placeholder = self._inline(address)
        short = f"data:{mime_of(address)},"
        if placeholder != address:
            short += placeholder.replace(":", "-")
            self.inline[short] = placeholder
        self.shortened.count += 1
        self.shortened.bytes += len(address)
        return short

    def sheet(self, document: DocumentModel, address: str, base: str, t: float, charset: str = "") -> str | None:
        """Return the placeholder of a style sheet, rewritten with all its imports."""
        loaded = self._load(document, address, base, t, charset)
        if loaded is None:
            url = absolute(base, address)
            self._miss(url)
            if self.catalogue.unmet(
                url
            ):  # It was loaded before the recording, or in a process that the recorder attached to late.
                self.missing.add(url)
            return None
        text = self.rewrite(document, loaded.text, loaded.url, t)
        return f"{PLACEHOLDER}{self.packer.number((text, 'css'), 'text/css', text.encode('utf-8', 'replace'))}"

    def rewrite(self, document: DocumentModel, text: str, base: str, t: float) -> str:
        """Return a style sheet's text for the replay."""
        if not css.needs_rewriting(text):
            return text
        key = (document.d, base, text, t if _NAMES_FILES.search(text) else 0)
        known = self._sheets.get(key)
        if known is None:
            known = self._sheets[key] = self._rewritten_before(document, text, base, t)
        return known

    def _rewritten_before(self, document: DocumentModel, text: str, base: str, t: float) -> str:
        """Return the result of rewriting the sheet in another document or at another time, if its addresses lead to
        the same files; else rewrite it.
        """
        xml = is_xml(document, self._mime(document, t))
        made = self._made.setdefault((base, text, xml), [])
        for files, shown in made:
            if all(self.resource(document, address, of, t) == file for (address, of), file in files.items()):
                return shown
        if len(text) > self._to_rewrite:
            self.missing.add(base or "a style sheet")
            return ""
        self._to_rewrite -= len(text)
        met: dict[tuple[str, str], str | None] = {}
        imports = False

        def resource(address: str, of: str) -> str | None:
            met[address, of] = found = self.resource(document, address, of, t)
            return found

        def load(address: str, of: str) -> css.ImportedSheet | None:
            nonlocal imports
            imports = True
            return self._load(document, address, of, t)

        shown = css.rewrite(text, resource, load, base=base, xml=xml)
        if not imports and len(made) < _MOST_MADE:
            made.append((met, shown))
        return shown

    @property
    def rewritten(self) -> dict[str, str]:
        """Return the results of rewriting style sheets → their originals."""
        return {shown: text for (_, _, text, _), shown in self._sheets.items() if shown != text}

    def _load(
        self, document: DocumentModel, address: str, base: str, t: float, charset: str = ""
    ) -> css.ImportedSheet | None:
        around = charset or self._encoding(document, t)
        if address.strip()[:5].lower() == "data:":
            held = sheet_of(address)
            if held is None:
                return None
            return css.ImportedSheet(decode_css(held.data, held.mime, around=around), address.strip())
        url = absolute(base, address)
        sha256 = self.catalogue.find(document.page, url, t, document.d)
        if sha256 is None:
            return None
        body = self.catalogue.bodies[sha256]
        text = decode_css(body.data, body.mime, self.catalogue.charsets.get(sha256, ""), around)
        return css.ImportedSheet(text, url.partition("#")[0])

    def _encoding(self, document: DocumentModel, t: float) -> str:
        """Return the encoding of a document, which style sheets without their own inherit; "" where it is unknown."""
        known = self._encodings.get(document.d)
        if known is None:
            sha256 = self.catalogue.find(document.page, absolute("", document.url.partition("#")[0]), t, document.d)
            metas = (node.attrs for node in document.walk() if node.name == "meta")
            said = (attrs.get("charset") or _charset_of(attrs.get("content", "")) for attrs in metas)
            known = self.catalogue.charsets.get(sha256 or "") or next(filter(None, said), "")
            self._encodings[document.d] = known
        return known


class Dressing:
    """The additional ops for one message of one document."""

    def __init__(self, events: PageEventBuilder, document: DocumentModel, t: float) -> None:
        self.events = events
        self.document = document
        self.t = t

    def op(self, op: Json) -> Json:
        """Return an op with its own fields converted, if they refer to a resource or hold a style sheet."""
        assert isinstance(op, list)
        if op[0] == "canvas" and len(op) > 2:
            node = self.document.nodes.get(op[1]) if isinstance(op[1], int) else None
            if node is not None and node.name == "video":
                return ["shown", node.id, cast(Json, self.shown(node))]
            body = self.events.catalogue.bodies.get(str(op[2]))
            if body is None:
                return [*op[:2], "", *op[3:]]
            return [*op[:2], f"{PLACEHOLDER}{self.events.packer.number(op[2], body.mime, body.data)}", *op[3:]]
        if op[0] == "sheet" and len(op) > 3 and isinstance(op[3], str):
            options = op[4] if len(op) > 4 and isinstance(op[4], dict) else {}
            base = self.owner_base(op[2])
            text = self.events.rewrite(self.document, op[3], base, self.t)
            clean = {name: options[name] for name in ("media", "disabled") if name in options}
            return [*op[:4], cast(Json, clean | {"css": text} if text != op[3] else clean)]
        return op

    def owner_base(self, owner: Json) -> str:
        base = self.events.base(self.document)
        node = self.document.nodes.get(owner) if isinstance(owner, int) else None
        if node is not None and node.kind == PI and node.state is not None:
            return str(node.state.get("src") or base)
        return (
            absolute(base, node.attrs["href"])
            if node is not None and node.name == "link" and "href" in node.attrs
            else base
        )

    def touched(self, ops: list[Json], known: int) -> list[Node]:
        """Return the new and changed nodes whose appearance may depend on addresses or on the text of a style sheet."""
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
                if (video := nodes.get(op[1])) is not None and video.name == "video" and self.lost_film(video):
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
        self.events.follow_bases(self.document, found.values())
        return list(found.values())

    def additions(self, nodes: list[Node]) -> list[Json]:
        """Return the builder's own ops for these nodes."""
        ops: list[Json] = []
        for node in nodes:
            if node.kind == TEXT:
                if node.parent is not None and node.parent.name in STYLES:
                    text = self.events.rewrite(self.document, node.data, self.events.base(self.document), self.t)
                    if text != node.data:
                        ops.append(["css", node.id, text])
            elif node.kind == PI and node.state is not None and "src" in node.state:
                href = str(node.state["src"])
                sheet = self.events.sheet(self.document, href, href, self.t) if href else None
                ops.append(["shown", node.id, {"href": sheet}])
            elif node.kind == ELEMENT:
                self.events.user = node.id
                if shown := self.shown(node):
                    ops.append(["shown", node.id, cast(Json, shown)])
                if node.name == "object":
                    ops += self.embedded(node)
                self.events.user = 0
        return ops

    def shown(self, node: Node) -> dict[str, str | None]:
        shown: dict[str, str | None] = {}
        attrs = node.attrs
        style = attrs.get("style")
        base = self.events.base(self.document)
        if style is not None and _HAS_ADDRESS.search(style):
            shown["style"] = css.rewrite_declarations(style, self.find, base=base)
        if node.name.startswith("svg|"):  # A paint, a mask, a marker: CSS values.
            for name, value in attrs.items():
                if (name in ATTRIBUTES or "-" in name) and _HAS_ADDRESS.search(value):
                    shown[name] = css.rewrite_declarations(value, self.find, base=base)
        for name in MAPPABLE.get(node.name, ()):
            if name not in attrs:
                continue
            value = attrs[name]
            if node.name == "link":
                shown[name] = self.link(attrs.get("rel", ""), value, attrs.get("charset", ""))
            elif name == "srcset":
                shown[name] = self.srcset(node, value)
                if node.name == "source" and self.chosen(node) is not None and "media" in attrs:
                    shown["media"] = None  # It was decided then; the result is which source has an address.
            elif node.name.startswith("svg|") and value.strip().startswith("#"):
                continue
            elif name == "src" and node.name == "img" and "srcset" not in attrs:
                shown[name] = _BROKEN if self.broken(node) else self.picture(self.picked(node) or value, base)
            elif node.name in ("img", "input"):
                shown[name] = self.picture(value, base)
            else:
                found = self.find(value, base)
                if found is None and node.name == "svg|image" and self.events.catalogue.failed(absolute(base, value)):
                    found = _BROKEN
                shown[name] = found
        if node.name == "video" and self.lost_film(node) and (still := self.still(node, shown)) is not None:
            shown["poster"] = still
        return shown

    def embedded(self, element: Node) -> list[Json]:
        """Return the op for the picture that an ``<object>`` shows in place of its content, or for its removal."""
        picture, key = self.pictured(element), (self.document.d, element.id)
        if picture is None and key not in self.events.pictured:
            return []
        self.events.pictured.add(key)
        return [["canvas", element.id, picture or "", 0, 0]]

    def pictured(self, element: Node) -> str | None:
        states, address = (element.state or {}).get("states"), element.attrs.get("data")
        if not isinstance(states, list) or "embedded" not in states or address is None:
            return None
        if any(each.parent == (self.document.d, element.id) for each in self.events.model.documents.values()):
            return None  # The object shows a document, or something else.
        if (held := body_of(address.strip(), 0)) is not None:
            return f"{PLACEHOLDER}{self.events.packer.number((held.mime, held.data), held.mime, held.data)}"
        found = re.match(rf"{PLACEHOLDER}(\d+)", self.find(address, self.events.base(self.document)) or "")
        mime = self.events.packer.resources[int(found[1])].mime if found else ""
        return found[0] if found and mime.startswith("image/") and "svg" not in mime else None

    def lost_film(self, video: Node) -> bool:
        """Return whether a video showed content whose bytes are missing."""
        state = video.state or {}
        if "canvas" not in state and "media" not in state:
            return False
        base = self.events.base(self.document)
        sources = [video, *(child for child in video.children if child.name == "source")]
        return not any("src" in each.attrs and self.find(each.attrs["src"], base) for each in sources)

    def still(self, video: Node, shown: dict[str, str | None]) -> str | None:
        """Return the last recorded picture of a video, as a poster in its natural size; else a drawing that says that
        it is missing.
        """
        picture = (video.state or {}).get("canvas")
        body = self.events.catalogue.bodies.get(str(picture[0])) if isinstance(picture, list) else None
        if body is not None:
            return f"{PLACEHOLDER}{self.events.packer.number(cast(list[Json], picture)[0], body.mime, body.data)}"
        if shown.get("poster"):
            return None
        return f"{PLACEHOLDER}{self.events.packer.number('film', placeholder.MIME, placeholder.FILM)}"

    def find(self, address: str, base: str) -> str | None:
        return self.events.resource(self.document, address, base, self.t)

    def picture(self, address: str, base: str) -> str:
        """Return the replacement for a picture: a broken one if the page had none either; an invisible one if only the
        recording lacks it.
        """
        failed = self.events.catalogue.failed(absolute(base, address))
        return self.find(address, base) or (_BROKEN if failed else _TRANSPARENT)

    def link(self, rel: str, href: str, charset: str) -> str | None:
        words = rel.lower().split()
        base = self.events.base(self.document)
        if "stylesheet" in words:
            return self.events.sheet(self.document, href, base, self.t, charset)
        return self.find(href, base) if "icon" in words else None

    def picked(self, image: Node) -> str | None:
        """Return the address that an image chose among those in its markup."""
        value = image.state.get("src") if image.state is not None else None
        return value if isinstance(value, str) and value else None

    def broken(self, image: Node) -> bool:
        """Return whether the page's image was broken as well, as reported by the browser."""
        return image.state is not None and image.state.get("src") == ""

    def chosen(self, node: Node) -> str | None:
        """Return the address chosen by an image, given the image or one of its sources."""
        if node.name != "source" or node.parent is None:
            return self.picked(node)
        return next((self.picked(child) for child in node.parent.children if child.name == "img"), None)

    def srcset(self, node: Node, value: str) -> str | None:
        """Return the candidate that was chosen (or, if unknown, that was captured), with its descriptor, which decides
        the image's density.
        """
        base = self.events.base(self.document)
        options = candidates(value)
        if node.name == "img" and self.broken(node):
            return f"{_BROKEN} 1x"
        picked = self.chosen(node)
        if node.name == "source" and picked and all(absolute(base, option[0]) != picked for option in options):
            return None
        chosen = [option for option in options if picked is not None and absolute(base, option[0]) == picked]
        if chosen and self.events.catalogue.failed(picked or ""):
            options = chosen
        for address, descriptor in chosen or options:
            missing = set(self.events.missing)
            found = self.find(address, base)
            self.events.missing = missing if found is None else self.events.missing
            if found is not None:
                return f"{found} {descriptor}".strip()
        return (
            f"{_BROKEN} 1x" if any(self.events.catalogue.failed(absolute(base, each)) for each, _ in options) else None
        )


def count_nodes(tree: Json) -> int:
    """Return the number of ids that a tree uses."""
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


_CHARSET = re.compile(rb'^@charset "([^"]{1,40})";')


def decode_css(data: bytes, mime: str, told: str = "", around: str = "") -> str:
    """Return the text of a style sheet, decoded by byte order mark, the header's charset, ``@charset``, that of the
    document around it (`around`), or UTF-8.

    `told`: the charset in the header, if `data` may already have been decoded by it.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", "replace")
    if told:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            around = told
    declared = _CHARSET.match(data)
    name = _charset_of(mime) or (declared[1].decode("ascii", "replace") if declared and not told else around) or "utf-8"
    try:
        return data.decode(name, "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")


def _charset_of(content_type: str) -> str:
    match = re.search(r"charset=\"?([\w\-]+)", content_type, re.IGNORECASE)
    return match[1] if match else ""
