"""Converts nodes of a recorded document to rrweb's form, with style sheets and pictures inlined.

rrweb's types: https://github.com/rrweb-io/rrweb/blob/main/docs/recipes/dive-into-event.md. All documents of a page
share one set of ids, which is assigned here. Content that rrweb cannot express (the content of templates, the MathML
namespace, CDATA in HTML) is left out or replaced by the nearest equivalent.
"""

from __future__ import annotations

import base64
import re
from typing import Any

from pagereel.player_build import ResourceCatalogue, decode_css
from pagereel.reel import (
    CDATA,
    COMMENT,
    CONTENT,
    DOCTYPE,
    DOCUMENT,
    ELEMENT,
    PI,
    SHADOW,
    TEXT,
    DocumentModel,
    Node,
    PageModel,
    to_absolute_address,
)

Json = dict[str, Any]
INLINE_BYTES = 2 << 20
"""Larger pictures and fonts are not inlined, but keep their address."""
_URL = re.compile(r"""url\(\s*+(?:"([^"\n]*+)"|'([^'\n]*+)'|([^'"()\s]*+))\s*+\)""", re.IGNORECASE)
_IMPORT = re.compile(
    r"""@import\s++(?:url\(\s*+["']?([^"'()\s]++)["']?\s*+\)|"([^"\n]++)"|'([^'\n]++)')\s*+([^;@]*+);""", re.IGNORECASE
)
_ADDRESSES = {"src", "href", "poster", "data", "background"}
_NAME = re.compile(r"[A-Za-z][\w.:-]*\Z")


class RrwebSerializer:
    """Converts the nodes of one page's documents to rrweb's form, and assigns their ids."""

    def __init__(self, catalogue: ResourceCatalogue, model: PageModel) -> None:
        self.catalogue = catalogue
        self.model = model
        self._ids: dict[tuple[int, int], int] = {}
        self._last = 0

    # -- ids ----------------------------------------------------------------------------------------------------------

    def get_rrweb_id(self, document: DocumentModel, node_id: int) -> int:
        """Return rrweb's id of a node, assigning one if it is new; a shadow root has the id of its host."""
        node = document.nodes.get(node_id)
        if node is not None and node.kind == SHADOW and node.parent is not None:
            node_id = node.parent.id
        key = (document.d, node_id)
        if key not in self._ids:
            self._last += 1
            self._ids[key] = self._last
        return self._ids[key]

    def forget_ids(self, document: DocumentModel) -> None:
        """Forget the rrweb ids of a document's nodes, before the document is written again.

        rrweb would take a known id for the node that it already has.
        """
        for key in [key for key in self._ids if key[0] == document.d]:
            del self._ids[key]

    # -- nodes --------------------------------------------------------------------------------------------------------

    def serialize_document(self, document: DocumentModel, t: float) -> Json | None:
        """Return a document with all its nodes; None for an empty document."""
        if document.root is None:
            return None
        top: Json = {}
        stack: list[tuple[Node, list[Json] | None]] = [(document.root, None)]
        while stack:
            node, into = stack.pop()
            form = self.serialize_node(document, node, t)
            if form is None:
                continue
            if into is None:
                top = form
            else:
                into.append(form)
            if "childNodes" in form:
                stack += [(child, form["childNodes"]) for child in reversed(list_written_children(node))]
        return top

    def serialize_additions(
        self, document: DocumentModel, root: Node, next_sibling_id: int | None, t: float
    ) -> list[Json]:
        """Return the entries of rrweb's `adds` for a node and its descendants: parents first, siblings in order.

        `next_sibling_id`: rrweb's id of the next sibling, before which the node is inserted.
        """
        found: list[Json] = []
        stack = [root] if root.kind != SHADOW else list(reversed(list(root.children)))
        while stack:
            node = stack.pop()
            form = self.serialize_node(document, node, t)
            parent = node.parent
            if form is None or parent is None:
                continue
            found.append(
                {
                    "parentId": self.get_rrweb_id(document, parent.id),
                    "nextId": next_sibling_id if node is root else None,
                    "node": form,
                }
            )
            stack += reversed(list_written_children(node))
        return found

    def serialize_node(self, document: DocumentModel, node: Node, t: float) -> Json | None:
        """Return one node without its children; None for a kind of node that rrweb does not have."""
        form: Json = {"id": self.get_rrweb_id(document, node.id)}
        if document.parent is not None and document.root is not None:
            form["rootId"] = self.get_rrweb_id(document, document.root.id)
        parent = node.parent
        if parent is not None and parent.kind == SHADOW:
            form["isShadow"] = True
        if node.kind == DOCUMENT:
            form.pop("rootId", None)
            # rrweb stores the address only of a page; a frame's may differ from its `src`.
            address = {} if document.top else {"href": document.url}
            return form | {"type": 0, "childNodes": [], "compatMode": document.mode} | address
        if node.kind == DOCTYPE:
            return form | {
                "type": 1,
                "name": node.name,
                "publicId": node.attrs.get("public", ""),
                "systemId": node.attrs.get("system", ""),
            }
        if node.kind == ELEMENT:
            return form | self._serialize_element(document, node, t)
        if node.kind in (TEXT, CDATA):
            if parent is not None and parent.name in ("style", "svg|style"):
                return form | {
                    "type": 3,
                    "textContent": self.inline_style_text(document, node.data, t),
                    "isStyle": True,
                }
            return form | {"type": 3, "textContent": node.data}
        if node.kind in (COMMENT, PI):
            data = node.data if node.kind == COMMENT else f"?{node.name} {node.data}?"
            return form | {"type": 5, "textContent": data}
        return None

    def _serialize_element(self, document: DocumentModel, node: Node, t: float) -> Json:
        space, _, local = node.name.rpartition("|")
        form: Json = {
            "type": 2,
            "tagName": local if _NAME.match(local) else "div",
            "attributes": self.serialize_attributes(document, node, node.attrs, t)
            | self._build_rrweb_attributes(document, node, t),
            "childNodes": [],
        }
        if space == "svg":
            form["isSVG"] = True
        elif "-" in local and "undefined" not in ((node.state or {}).get("states") or ()):  # type: ignore[operator]
            form["isCustom"] = True
        if node.inner is not None and node.inner.kind == SHADOW:
            form["isShadowHost"] = True
        return form

    def serialize_attributes(
        self, document: DocumentModel, node: Node, attributes: dict[str, str | None] | dict[str, str], t: float
    ) -> Json:
        """Return attributes in rrweb's form: addresses are absolute, and the value of a removed attribute is null."""
        found: Json = {}
        for name, value in attributes.items():
            if node.name in ("iframe", "frame") and name in ("src", "sandbox"):
                # As rrweb writes them: the frame's content is a document of its own, which these attributes would
                # replace.
                found[f"rr_{name}"] = value
            elif not value:
                found[name] = value
            elif name == "srcset":
                # `src` has the picture that the page chose; another one would come from the network.
                found["rr_srcset"] = value
            elif name == "style":
                found[name] = self.inline_style_text(document, value, t)
            elif name in _ADDRESSES and not value.startswith(("#", "data:", "blob:")):
                found[name] = to_absolute_address(self.get_base_url(document), value)
            else:
                found[name] = value
        return found

    def _build_rrweb_attributes(self, document: DocumentModel, node: Node, t: float) -> Json:
        """Return the attributes that only rrweb has, such as `_cssText`."""
        state = node.state or {}
        found: Json = {}
        css = self.find_sheet_text(document, node, t)
        if css is not None:
            found["_cssText"] = css
        if node.name == "img":
            picture = self.find_data_url(document, str(state.get("src") or node.attrs.get("src") or ""), t)
            if picture is not None:
                found["src"] = picture
        elif node.name == "canvas" and isinstance(state.get("canvas"), list):
            picture = self.body_to_data_url(str(state["canvas"][0]))  # type: ignore[index]
            if picture is not None:
                found["rr_dataURL"] = picture
        elif node.name == "dialog" and state.get("open") in ("modal", "dialog"):
            found["rr_open_mode"] = "modal" if state["open"] == "modal" else "non-modal"
        return found

    # -- what is behind an address ------------------------------------------------------------------------------------

    def get_base_url(self, document: DocumentModel) -> str:
        """Return the base URL of a document."""
        url = document.url
        if url.startswith("about:") and document.parent is not None:
            parent = self.model.documents.get(document.parent[0])
            url = self.get_base_url(parent) if parent is not None else url
        return url

    def find_sheet_text(self, document: DocumentModel, node: Node, t: float) -> str | None:
        """Return the CSS text of a `<link>`'s style sheet, or of a `<style>` whose sheet a script changed; None for
        other nodes.
        """
        for sheet in document.sheets.values():
            if sheet.owner == node.id:
                return self.inline_style_text(document, sheet.text, t)
        if node.name != "link" or "stylesheet" not in node.attrs.get("rel", "").lower().split():
            return None
        return self._load_sheet(document, self.get_base_url(document), node.attrs.get("href", ""), t, 0)

    def _load_sheet(self, document: DocumentModel, start: str, address: str, t: float, depth: int) -> str | None:
        url = to_absolute_address(start, address)
        sha256 = self.catalogue.find_body(document.page, url, t, document.d) if address else None
        if sha256 is None or depth > 8:
            return None
        body = self.catalogue.bodies[sha256]
        return self.inline_style_text(document, decode_css(body.data, body.mime), t, url, depth)

    def inline_style_text(
        self, document: DocumentModel, text: str, t: float, start: str | None = None, depth: int = 0
    ) -> str:
        """Return CSS in which imports are inlined, and addresses are absolute or replaced by data: URLs."""
        first = start if start is not None else self.get_base_url(document)

        def inline_import(match: re.Match[str]) -> str:
            address = match[1] or match[2] or match[3]
            inner = self._load_sheet(document, first, address, t, depth + 1)
            if inner is None:
                return ""
            return f"@media {match[4]}{{{inner}}}" if match[4].strip() else inner

        def inline_address(match: re.Match[str]) -> str:
            address = match[1] or match[2] or match[3] or ""
            if not address or address.startswith(("#", "data:")):
                return match[0]
            stands = self.find_data_url(document, address, t, first) or to_absolute_address(first, address)
            return 'url("' + stands.replace("\\", "\\\\").replace('"', '\\"') + '")'

        if "@import" in text:
            text = _IMPORT.sub(inline_import, text)
        return _URL.sub(inline_address, text) if "url(" in text.lower() else text

    def find_data_url(self, document: DocumentModel, address: str, t: float, start: str | None = None) -> str | None:
        """Return the recorded response of an address as a data: URL; None if it was not recorded or is too large."""
        if not address or address.startswith("data:"):
            return None
        url = to_absolute_address(start if start is not None else self.get_base_url(document), address)
        sha256 = self.catalogue.find_body(document.page, url, t, document.d)
        return self.body_to_data_url(sha256) if sha256 is not None else None

    def body_to_data_url(self, sha256: str) -> str | None:
        """Return the resource with this hash as a data: URL; None if it is missing or too large."""
        body = self.catalogue.bodies.get(sha256)
        if body is None or len(body.data) > INLINE_BYTES:
            return None
        return f"data:{body.mime};base64,{base64.b64encode(body.data).decode()}"


def list_written_children(node: Node) -> list[Node]:
    """Return the children of a node that rrweb writes: those of its shadow root, then its own."""
    inner = list(node.inner.children) if node.inner is not None and node.inner.kind == SHADOW else []
    return [child for child in (*inner, *node.children) if child.kind != CONTENT]
