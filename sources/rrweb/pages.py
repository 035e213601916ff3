"""Converts one window of an rrweb recording: its documents, and the inserted, moved and removed nodes.

rrweb has one space of ids for a page and all its frames, and describes changes node by node. In a reel each document
has its own ids, and the page model knows the kind of each node; changes of unknown nodes are left out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from pagereel.reel import ELEMENT, MASK, DocumentModel, Event, Node, find_base_address, to_absolute_address

from ..reader_interface import ReadReport
from .page_mirror import PageMirror, PageMirrorNode, to_dict_list, to_offset, to_size
from .rule_changes import merge_declarations, parse_style_changes
from .sheets import SheetEventReader
from .tree_building import (
    DOCUMENT,
    ConvertedTree,
    DataAddressStore,
    RrwebTreeBuilder,
    split_attributes,
    to_attribute_text,
)
from .user_events import UserEventReader

_DOCUMENTS = 10_000
_ADDRESS = 100_000
"""Longest address that is read, in characters."""


class RrwebPageConverter:
    """Converts the events of one window. It must receive them in order of time."""

    def __init__(self, number: int, numbers: Iterator[int], bodies: DataAddressStore, report: ReadReport) -> None:
        """Take the page's number, the counter of document numbers for all pages, and the report."""
        self.number = number
        self.mirror = PageMirror(number, numbers, bodies, report)
        self.trees = RrwebTreeBuilder(bodies)
        self.sheets = SheetEventReader(self.mirror)
        self.href = "about:blank"
        self.loaded = True
        """A document has begun to load since the last full snapshot."""
        self._opened = False
        self._takes = {0: self._apply_mutation, **UserEventReader(self.mirror).takes, **self.sheets.takes}

    @property
    def has_document(self) -> bool:
        """Return whether the page has a document."""
        return bool(self.mirror.top)

    def convert_event(self, event: dict[str, Any], t: float) -> list[Event]:
        """Return the reel's events for an rrweb event of the types 0 to 4; `t` in ms."""
        if t > self.mirror.t:
            self.sheets.emit_changed_sheets(t)
            self.mirror.flush_ops()
        self.mirror.t = max(self.mirror.t, t)
        kind, data = event["type"], event["data"]
        if kind in (0, 1):
            self.loaded = True
        elif kind == 4:
            self._read_meta_event(data)
        elif kind == 2:
            self._read_full_snapshot(data)
        elif kind == 3 and type(data.get("source")) is int:
            take = self._takes.get(data["source"])
            if take is not None and self.mirror.top:
                take(data)
        return self.mirror.pop_events()

    def add_non_page_event(self, event: Event) -> list[Event]:
        """Return all queued events, followed by this event, which does not change the page."""
        self.mirror.flush_ops()
        self.mirror.out.append(event)
        return self.mirror.pop_events()

    def convert_address_change(self, t: float, url: str, document: Any) -> list[Event]:
        """Return the events for a document's new address. `document`: rrweb's id of the document, None for the page's
        main document; an unknown document gives an empty list.
        """
        found = self.mirror.find_node(document)
        d = self.mirror.top if document is None else found.document.d if found is not None else 0
        if not d:
            return []
        self.mirror.t = max(self.mirror.t, t)
        self.mirror.flush_ops()
        self.mirror.emit_message(d, "location", url=url)
        return self.mirror.pop_events()

    def pop_last_events(self) -> list[Event]:
        """Return the events that are still queued when the recording ends."""
        self.sheets.emit_changed_sheets(float("inf"))
        self.mirror.flush_ops()
        return self.mirror.pop_events()

    # -- whole documents --

    def _read_meta_event(self, data: dict[str, Any]) -> None:
        href, width, height = data.get("href"), to_size(data.get("width")), to_size(data.get("height"))
        if isinstance(href, str):
            self.href = href[:_ADDRESS]
        if width and height:
            self.mirror.size = (width, height)

    def _read_full_snapshot(self, data: dict[str, Any]) -> None:
        node = data.get("node")
        if not isinstance(node, dict) or node.get("type") != DOCUMENT:
            return
        self.mirror.flush_ops()
        shown = self.mirror.model.documents.get(self.mirror.top)
        same = shown is not None and not self.loaded and _strip_fragment(shown.url) == _strip_fragment(self.href)
        if not self._opened:
            self._opened = True
            self.mirror.out.append(
                {"k": "page", "t": self.mirror.t, "page": self.mirror.number, "event": "open", "url": "about:blank"}
            )
        self.mirror.at.clear()
        if same:
            assert shown is not None
            if shown.url != self.href:
                self.mirror.emit_message(self.mirror.top, "location", url=self.href)
        else:
            self.mirror.top = self.mirror.begin_document(self.href, _get_compat_mode(node), top=True, frame="top").d
        self.loaded = False
        document = self.mirror.model.documents[self.mirror.top]
        if (document.viewport[0], document.viewport[1]) != self.mirror.size and self.mirror.size[0]:
            self.mirror.emit_message(self.mirror.top, "viewport", w=self.mirror.size[0], h=self.mirror.size[1], dpr=1)
        offset = data.get("initialOffset")
        self._replace_document_tree(
            document, node, "heal" if same else "start", offset if isinstance(offset, dict) else {}
        )

    def _replace_document_tree(
        self, document: DocumentModel, node: dict[str, Any], reason: str, scroll_offsets: dict[str, Any]
    ) -> None:
        first = document.last_id + 1
        made = self.trees.build_tree(node, first)
        if made is None:
            return
        self.mirror.pop_ops(document.d)
        self.sheets.drop_sheets_of_document(document.d)
        self.mirror.apply_op(document, "doc", first, made.tree)
        self._emit_ops_of_tree(document, made)
        left, top = to_offset(scroll_offsets.get("left")), to_offset(scroll_offsets.get("top"))
        if left or top:
            self.mirror.apply_op(document, "scroll", first, left, top)
        self.mirror.emit_message(document.d, "snapshot", ops=self.mirror.pop_ops(document.d), why=reason)
        self._begin_iframe_documents(document, made)

    def _emit_ops_of_tree(self, document: DocumentModel, converted_tree: ConvertedTree) -> None:
        """Emit the ops that belong to a tree that is now in the document."""
        for add in converted_tree.adds:
            self.mirror.apply_op(document, *add)
        for rid, node in converted_tree.ids:
            self.mirror.at[rid] = (document.d, node)
        for op in converted_tree.ops:
            self.mirror.apply_op(document, *op)
            if op[0] == "masked":
                self.mirror.masked.add((document.d, op[1]))
        self.mirror.written |= {(document.d, node) for node in converted_tree.written}
        for owner, text in converted_tree.sheets:
            self.sheets.emit_owned_sheet(document, owner, text)
        for node, address in converted_tree.bodies:
            self._emit_picture_alias(document, node, address)

    def _emit_picture_alias(self, document: DocumentModel, node: int, address: str) -> None:
        sha256, image = self.mirror.bodies.store_data_address(address), document.nodes.get(node)
        src = image.attrs.get("src") if image is not None else None
        if sha256 is not None and src:
            url = to_absolute_address(find_base_address(self.mirror.model, document), src)
            self.mirror.out.append(
                {"k": "alias", "t": self.mirror.t, "page": self.mirror.number, "url": url, "body": sha256}
            )

    def _begin_iframe_documents(self, document: DocumentModel, converted_tree: ConvertedTree) -> None:
        for frame, node in converted_tree.frames:
            self._begin_iframe_document(document, frame, node)

    def _begin_iframe_document(self, document: DocumentModel, iframe_element: int, node: dict[str, Any]) -> None:
        """Begin the document that a frame shows."""
        place = document.nodes.get(iframe_element)
        if (
            place is None
            or place.name not in ("iframe", "frame", "object", "embed")
            or len(self.mirror.model.documents) > _DOCUMENTS
        ):
            return
        self.mirror.flush_ops()
        d = self.mirror.begin_document(
            self._find_iframe_address(document, place, node),
            _get_compat_mode(node),
            top=False,
            frame=f"{document.d}-{iframe_element}",
        ).d
        event: Event = {"k": "embed", "t": self.mirror.t, "d": d, "parent": document.d, "node": iframe_element}
        self.mirror.model.apply(event)
        self.mirror.out.append(event)
        self._replace_document_tree(self.mirror.model.documents[d], node, "start", {})

    def _find_iframe_address(self, document: DocumentModel, iframe_element: Node, node: dict[str, Any]) -> str:
        """Return the address of a frame's document: the one that pagereel's export added, or else from the element's
        attributes.
        """
        href, src = node.get("href"), iframe_element.attrs.get("src")
        if isinstance(href, str):
            return href[:_ADDRESS]
        if (document.d, iframe_element.id) in self.mirror.written:
            return "about:srcdoc"
        return to_absolute_address(find_base_address(self.mirror.model, document), src) if src else "about:blank"

    # -- mutations --

    def _apply_mutation(self, data: dict[str, Any]) -> None:
        for removal in to_dict_list(data.get("removes")):
            found = self.mirror.find_node(removal.get("id"))
            if found is not None:
                self.mirror.apply_op(found.document, "del", found.node.id)
        self._insert_nodes(to_dict_list(data.get("adds")))
        for text in to_dict_list(data.get("texts")):
            self._change_text(text)
        for change in to_dict_list(data.get("attributes")):
            found, given = self.mirror.find_node(change.get("id")), change.get("attributes")
            if found is not None and isinstance(given, dict) and found.node.kind == ELEMENT:
                self._change_attributes(found, given)

    def _insert_nodes(self, additions: list[dict[str, Any]]) -> None:
        """Insert nodes, each after the siblings and parents that its position depends on."""
        waiting: dict[int, list[dict[str, Any]]] = {}
        ready = deque(additions)
        while ready:
            add = ready.popleft()
            missing = self._find_missing_neighbour(add)
            if missing is not None:
                waiting.setdefault(missing, []).append(add)
                continue
            for rid in self._insert_node(add):
                ready.extendleft(reversed(waiting.pop(rid, ())))
        for left in waiting.values():
            for add in left:
                self._insert_node(add)

    def _find_missing_neighbour(self, addition: dict[str, Any]) -> int | None:
        """Return rrweb's id of a node that must be inserted before `addition` can be, because `addition` stands beside or in it;
        None if there is none.
        """
        above, following = addition.get("parentId"), addition.get("nextId")
        parent = self.mirror.find_node(above)
        if parent is None:
            return above if type(above) is int else None
        beside = self.mirror.find_node(following)
        if type(following) is int and (beside is None or beside.node.parent is None):
            return following
        return None

    def _insert_node(self, addition: dict[str, Any]) -> list[int]:
        """Insert a node. Return rrweb's ids of all nodes that were inserted with it."""
        parent, node = self.mirror.find_node(addition.get("parentId")), addition.get("node")
        if parent is None or not isinstance(node, dict):
            return []
        document, above = parent
        if node.get("type") == DOCUMENT:
            self._begin_iframe_document(document, above.id, node)
            return []
        if node.get("isShadow") is True and above.kind == ELEMENT:
            root = self.mirror.get_shadow_root(document, above)
            if root is None:
                return []
            above = root
        following = self.mirror.find_node(addition.get("nextId"))
        at = above.id
        if following is not None and following.document is document and following.node.parent is above:
            at = -following.node.id
        known = self.mirror.find_node(node.get("id"))
        if known is not None and known.document is document:
            self.mirror.apply_op(document, "move", at, known.node.id)
            return [node["id"]]
        first = document.last_id + 1
        made = self.trees.build_tree(node, first, above.name or (above.parent.name if above.parent is not None else ""))
        if (
            made is None
            or above.name in ("script", "noscript")
            or not self.mirror.apply_op(document, "add", at, first, made.tree)
        ):
            return []
        self._emit_ops_of_tree(document, made)
        self._begin_iframe_documents(document, made)
        return [rid for rid, _ in made.ids]

    def _change_text(self, change: dict[str, Any]) -> None:
        found, value = self.mirror.find_node(change.get("id")), change.get("value")
        if found is None or not isinstance(value, str):
            return
        document, node = found
        if node.kind != ELEMENT:
            if node.parent is None or node.parent.name not in ("script", "noscript"):
                self.mirror.apply_op(document, "text", node.id, value)
            return
        children = [child.id for child in node.children]
        if children:
            self.mirror.apply_op(document, "del", *children)
        self.mirror.apply_op(document, "add", node.id, document.last_id + 1, value)

    def _change_attributes(self, mirror_node: PageMirrorNode, new_attributes: dict[str, Any]) -> None:
        document, node = mirror_node
        style = new_attributes.get("style")
        if isinstance(style, dict):
            new_attributes = {
                **new_attributes,
                "style": merge_declarations(node.attrs.get("style", ""), parse_style_changes(style)),
            }
        attrs, extra = split_attributes(node.name, new_attributes)
        changes: dict[str, str | None] = {name: value for name, value in attrs.items() if node.attrs.get(name) != value}
        for name, value in new_attributes.items():
            bare = name[3:] if name in ("rr_src", "rr_srcset", "rr_sandbox") else name
            if to_attribute_text(value) is None and bare in node.attrs and not isinstance(value, dict):
                changes[bare] = None
        if to_attribute_text(new_attributes.get("srcdoc", "")) is None:
            self.mirror.written.discard((document.d, node.id))
        made = ConvertedTree(None)
        after = {**node.attrs, **{name: value for name, value in changes.items() if value is not None}}
        if (document.d, node.id) in self.mirror.masked and "value" in changes:
            changes["value"] = MASK
        self.trees.convert_special_attributes(node.name, node.id, after if node.name == "input" else attrs, extra, made)
        if any(op[0] == "masked" for op in made.ops) and "value" in changes:
            changes["value"] = after.get("value")
        if changes:
            self.mirror.apply_op(document, "attr", node.id, changes)
        made.ops = [op for op in made.ops if op[0] != "masked" or (document.d, node.id) not in self.mirror.masked]
        self._emit_ops_of_tree(document, made)


def _get_compat_mode(node: dict[str, Any]) -> str:
    return "BackCompat" if node.get("compatMode") == "BackCompat" else "CSS1Compat"


def _strip_fragment(url: str) -> str:
    return url.partition("#")[0]
