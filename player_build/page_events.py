"""Converts page events for the player: sanitizes them, and replaces addresses by resources.

Attributes and texts stay as they were recorded, so that the tree, its selectors and its digest are those of the page.
The builder appends its own ops to a message:

* ``["shown", id, {attribute: value}]``: the value to paint instead; ``pagereel:<number>`` is a resource, ``null``
  is "not painted". An ``attr`` op cancels earlier values for its attributes;
* ``["mode", mode]``: the document's layout mode, see ``layout_modes.py``;
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
    PLACEHOLDER,
    DocumentModel,
    Event,
    Json,
    Node,
    PageModel,
    find_base_address,
    find_event_kinds,
    to_absolute_address,
)

from . import sheet_rewriting
from .charset import decode_css, parse_charset
from .data_urls import LEAST, STYLES, decode_data_url, decode_sheet_data_url, parse_data_url_mime, shorten_data_urls
from .layout_modes import DocumentModes, is_xml_document
from .painted_values import HAS_ADDRESS, PaintedValues
from .resources import ResourceCatalogue, ResourcePacker, find_animated_picture_type
from .sanitize import Sanitizer
from .size_limit import OmittedCount

PAGE_KINDS: Final = find_event_kinds(built="page")

_NAMES_FILES: Final = re.compile(rf"{HAS_ADDRESS.pattern}|@import", re.IGNORECASE)

SHEETS_LIMIT: Final = 4 << 20
SHEETS_PER_BYTE: Final = 64
"""Limit on the characters of style sheets that are rewritten: `SHEETS_LIMIT`, plus `SHEETS_PER_BYTE` for each byte of
the recording. A few kilobytes of zstd can unpack to tens of megabytes of CSS, which would take a build minutes; a
sheet past the limit is left out and reported as missing.
"""
_MOST_MADE: Final = 8
"""Number of cached results of one sheet, by the files of its addresses: a run loads the same page repeatedly."""


class PageEventBuilder:
    """Converts page events, given in the order of time, to the form of the built file, and applies them to the page
    model.
    """

    def __init__(
        self, catalogue: ResourceCatalogue, packer: ResourcePacker, *, short: bool = False, start: float = 0
    ) -> None:
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
        self._modes = DocumentModes()
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

    def convert_event(self, event: Event) -> Event:
        """Return a page event in the form of the built file."""
        kind = event["k"]
        if kind == "checkpoint":
            return self._convert_checkpoint(event)
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

        def find_element(node: Json, *, parent: bool = False) -> tuple[str, dict[str, str]]:
            found = document.nodes.get(node) if isinstance(node, int) else None
            found = found.parent if found is not None and parent else found
            return (found.name, found.attrs) if found is not None and found.kind == ELEMENT else ("", {})

        removed = self.sanitizer.removed
        clean = self.sanitizer.sanitize_ops(ops, find_element)
        before = self.shortened.count
        if self.short:
            clean = shorten_data_urls(
                clean, self._shorten_attribute_value, lambda node: find_element(node, parent=True)[0] in STYLES
            )
        if self.sanitizer.removed > removed or self.shortened.count > before:
            self._cleaned.add(document.d)
        known = document.last_id
        self.model.apply({**event, "ops": clean})
        if document.over:  # Ops that the page model refuses would fill the player's memory as well.
            refused = {id(op) for op in document.over}
            clean = [op for op in clean if id(op) not in refused]
        t = float(cast(float, event["t"]))
        painted = PaintedValues(self, document, t)
        out = [self._convert_op(painted, op) for op in clean]
        touched = painted.list_changed_nodes(clean, known)
        out += self._build_added_ops(painted, touched)
        out += self._modes.build_mode_op(document, clean, lambda: self._find_document_mime(document, t))
        return {**event, "ops": out}

    def _convert_op(self, painted: PaintedValues, op: Json) -> Json:
        return painted.convert_op(op)

    def _build_added_ops(self, painted: PaintedValues, nodes: list[Node]) -> list[Json]:
        return painted.build_added_ops(nodes)

    def _convert_checkpoint(self, event: Event) -> Event:
        """Return a checkpoint. If forbidden content was removed from its document, it has a new digest, and a field
        ``cleaned``.
        """
        document = self.model.documents.get(cast(int, event.get("d")))
        if document is None or document.d not in self._cleaned or event.get("equal") is not True:
            return event
        digest, nodes = document.compute_digest()
        if (digest, nodes) == (event.get("digest"), event.get("nodes")):
            return event
        return {**event, "digest": digest, "nodes": nodes, "cleaned": True}

    def _find_document_mime(self, document: DocumentModel, t: float) -> str:
        """Return the MIME type of the response that a document was loaded from; "" if it is unknown."""
        sha256 = self.catalogue.find_body(document.page, to_absolute_address("", document.url.partition("#")[0]), t)
        return self.catalogue.bodies[sha256].mime if sha256 in self.catalogue.bodies else ""

    # -- addresses --

    def get_base_url(self, document: DocumentModel) -> str:
        """Return the base URL of a document."""
        known = self._bases.get(document.d)
        if known is None:
            known = self._bases[document.d] = find_base_address(self.model, document)
        return known

    def track_base_elements(self, document: DocumentModel, touched: Iterable[Node]) -> None:
        """Note which ``<base>`` elements were added, changed or removed, because they change the base URL of later
        loads.

        Resources that have already loaded do not change, and iframes without an address of their own keep their first
        base URL.
        """
        came = {(document.d, node.id) for node in touched if node.name == "base"}
        gone = {(d, id) for d, id in self._base_elements if d == document.d and id not in document.nodes}
        if came or gone:
            self._bases.pop(document.d, None)
            self._base_elements = (self._base_elements | came) - gone

    def find_resource(self, document: DocumentModel, address: str, base: str, t: float) -> str | None:
        """Return the placeholder of the resource at `address`, with its fragment; ``None`` if it was not recorded."""
        if address.strip()[:5].lower() == "data:":
            held = self._get_data_url_placeholder(address.strip())
            moves = self._moving.get(address.strip())
            return f"{held}@{self._find_animation_start(document, held, -math.inf, t):.0f}" if moves else held
        url = to_absolute_address(base, address)
        whole, hash_sign, fragment = url.partition("#")
        if hash_sign and whole == document.url.partition("#")[0]:
            return f"#{fragment}"  # A place in the document itself.
        sha256 = self.catalogue.find_body(document.page, url, t, document.d)
        if sha256 is None:
            self._note_missing_address(url)
            return None
        body = self.catalogue.bodies[sha256]
        moves = self._moving.get(sha256)
        if moves is None:
            moves = self._moving[sha256] = find_animated_picture_type(body.data)
        if not moves:
            return f"{PLACEHOLDER}{self.packer.number_resource(sha256, body.mime, body.data)}{hash_sign}{fragment}"
        since = self._find_animation_start(
            document, sha256, self.catalogue.find_answer_time(document.d, url) - self.start, t
        )
        return f"{PLACEHOLDER}{self.packer.number_resource(sha256, moves, body.data)}@{since:.0f}{hash_sign}{fragment}"

    def _find_animation_start(self, document: DocumentModel, picture: str, arrived: float, t: float) -> float:
        """Return the time in ms at which an animated picture began to play.

        This is the time at which its bytes had arrived, or at which the first of the nodes that now show it was added,
        if that was later. `arrived`: when the bytes arrived; `t`: the time of the present event.
        """
        began, users = self._films.get((document.d, picture), (0.0, set()))
        users = {user for user in users if not user or user in document.nodes}
        if not users:
            began = arrived if t <= 0 and arrived > -math.inf else max(t, arrived)
        self._films[document.d, picture] = began, users | {self.user}
        return began

    def _note_missing_address(self, url: str) -> None:
        """Note an address without bytes. It counts as missing if the page did get a response for it."""
        self.unknown.add(url)
        if self.catalogue.has_lost_body(url):
            self.missing.add(url)

    def _get_data_url_placeholder(self, address: str) -> str:
        """Return the placeholder for a ``data:`` URL that is long or an animated picture; any other URL unchanged."""
        known = self.inline.get(address)
        if known is None and (body := decode_data_url(address, 0)) is not None:
            moves = self._moving[address] = find_animated_picture_type(body.data)
            if moves or len(address) >= LEAST:
                number = self.packer.number_resource((body.mime, body.data), moves or body.mime, body.data)
                known = f"{PLACEHOLDER}{number}"
            self.inline[address] = known = known or address
        return known or address

    def _shorten_attribute_value(self, value: str) -> str:
        """Return an attribute's value with a long ``data:`` URL in its short form."""
        address = value.strip()
        if len(address) < LEAST or address[:5].lower() != "data:" or parse_data_url_mime(address) == "text/css":
            return value
        placeholder = self._get_data_url_placeholder(address)
        short = f"data:{parse_data_url_mime(address)},"
        if placeholder != address:
            short += placeholder.replace(":", "-")
            self.inline[short] = placeholder
        self.shortened.count += 1
        self.shortened.bytes += len(address)
        return short

    def find_sheet(self, document: DocumentModel, address: str, base: str, t: float, charset: str = "") -> str | None:
        """Return the placeholder of a style sheet, rewritten with all its imports; None if it was not recorded."""
        loaded = self._load_sheet(document, address, base, t, charset)
        if loaded is None:
            url = to_absolute_address(base, address)
            self._note_missing_address(url)
            if self.catalogue.was_never_requested(
                url
            ):  # It was loaded before the recording, or in a process that the recorder attached to late.
                self.missing.add(url)
            return None
        text = self.rewrite_sheet(document, loaded.text, loaded.url, t)
        return f"{PLACEHOLDER}{self.packer.number_resource((text, 'css'), 'text/css', text.encode('utf-8', 'replace'))}"

    def rewrite_sheet(self, document: DocumentModel, text: str, base: str, t: float) -> str:
        """Return the text of a style sheet, rewritten for the replay."""
        if not sheet_rewriting.needs_rewriting(text):
            return text
        key = (document.d, base, text, t if _NAMES_FILES.search(text) else 0)
        known = self._sheets.get(key)
        if known is None:
            known = self._sheets[key] = self._reuse_rewritten_sheet(document, text, base, t)
        return known

    def _reuse_rewritten_sheet(self, document: DocumentModel, text: str, base: str, t: float) -> str:
        """Return a rewritten style sheet, from the cache if its addresses lead to the same files as in another document
        or at another time.
        """
        xml = is_xml_document(document, self._find_document_mime(document, t))
        made = self._made.setdefault((base, text, xml), [])
        for files, shown in made:
            if all(self.find_resource(document, address, of, t) == file for (address, of), file in files.items()):
                return shown
        if len(text) > self._to_rewrite:
            self.missing.add(base or "a style sheet")
            return ""
        self._to_rewrite -= len(text)
        met: dict[tuple[str, str], str | None] = {}
        imports = False

        def find_resource(address: str, sheet_base: str) -> str | None:
            met[address, sheet_base] = found = self.find_resource(document, address, sheet_base, t)
            return found

        def load_import(address: str, sheet_base: str) -> sheet_rewriting.ImportedSheet | None:
            nonlocal imports
            imports = True
            return self._load_sheet(document, address, sheet_base, t)

        shown = sheet_rewriting.rewrite_sheet(text, find_resource, load_import, base=base, xml=xml)
        if not imports and len(made) < _MOST_MADE:
            made.append((met, shown))
        return shown

    @property
    def rewritten_sheet_originals(self) -> dict[str, str]:
        """Return for each rewritten style sheet its original text."""
        return {shown: text for (_, _, text, _), shown in self._sheets.items() if shown != text}

    def _load_sheet(
        self, document: DocumentModel, address: str, base: str, t: float, charset: str = ""
    ) -> sheet_rewriting.ImportedSheet | None:
        around = charset or self._find_encoding(document, t)
        if address.strip()[:5].lower() == "data:":
            held = decode_sheet_data_url(address)
            if held is None:
                return None
            return sheet_rewriting.ImportedSheet(
                decode_css(held.data, held.mime, document_charset=around), address.strip()
            )
        url = to_absolute_address(base, address)
        sha256 = self.catalogue.find_body(document.page, url, t, document.d)
        if sha256 is None:
            return None
        body = self.catalogue.bodies[sha256]
        text = decode_css(body.data, body.mime, self.catalogue.charsets.get(sha256, ""), around)
        return sheet_rewriting.ImportedSheet(text, url.partition("#")[0])

    def _find_encoding(self, document: DocumentModel, t: float) -> str:
        """Return the encoding of a document, which style sheets without their own inherit; "" if it is unknown."""
        known = self._encodings.get(document.d)
        if known is None:
            sha256 = self.catalogue.find_body(
                document.page, to_absolute_address("", document.url.partition("#")[0]), t, document.d
            )
            metas = (node.attrs for node in document.walk() if node.name == "meta")
            charsets = (attrs.get("charset") or parse_charset(attrs.get("content", "")) for attrs in metas)
            known = self.catalogue.charsets.get(sha256 or "") or next(filter(None, charsets), "")
            self._encodings[document.d] = known
        return known
