"""One document of a trace: its present tree, and the ops from one snapshot of its frame to the next.

No trees are compared. A snapshot contains references to unchanged nodes. An element that a snapshot contains in full is
matched with the present parent of its referenced children, else with the next element of the same kind between them. So
the changes are exactly the nodes that the snapshot contains in full.
"""

from __future__ import annotations

from typing import Final, cast

from pagereel.reel import Json

from ..secret_fields import filter_attribute, find_mask_reason
from .node_matching import match_new_nodes
from .page_nodes import TracePageNode, find_increasing_subsequence, get_present_id, is_same_or_ancestor, iter_subtree
from .snapshot_grammar import SHADOW, SHEET, TEXT, Key, SnapshotHistory, SnapshotNode
from .snapshot_state import SnapshotStateCollector

Op = list[Json]

ROOT: Final = 1
"""The id of the document node."""
_DEPTH: Final = 150
"""Largest depth of a tree in an op; deeper parts follow in ops of their own."""


class TraceDocument:
    """The tree of one document of a trace, which each snapshot updates."""

    def __init__(self, history: SnapshotHistory, *, quirks: bool) -> None:
        self._history = history
        self._live: dict[Key, TracePageNode] = {}
        self._next = ROOT + 1
        self._number = 0
        self._made: set[Key] = set()
        self._gone: list[TracePageNode] = []
        self._later: list[tuple[TracePageNode, TracePageNode]] = []
        self._state = SnapshotStateCollector(quirks=quirks)
        self.root: TracePageNode | None = None

    @property
    def iframe_ids(self) -> dict[str, int]:
        """Return the node id of each iframe in the last snapshot, by the name of its frame."""
        return self._state.frames

    @property
    def target_element(self) -> TracePageNode | None:
        """Return the element on which the call of the last snapshot acted; None if there is none."""
        return self._state.target

    @property
    def masked_values(self) -> set[str]:
        """Return the field values that were masked."""
        return self._state.secrets

    @property
    def unmasked_values(self) -> set[str]:
        """Return the field values that need no mask."""
        return self._state.shown

    def is_masked(self, node: TracePageNode) -> bool:
        """Return whether the value of a field is masked."""
        return self._state.is_masked(node.id)

    def shares_node_with(self, root: SnapshotNode | Key | None) -> bool:
        """Return whether a snapshot shares any node with the present page; if not, it belongs to another document."""
        if self.root is None or root is None:
            return False
        stack: list[SnapshotNode | Key] = [root]
        while stack:
            item = stack.pop()
            if isinstance(item, tuple):
                if item in self._live or item in self._state.sheets:
                    return True
                continue
            stack += item.children
            if item.inner is not None:
                stack.append(item.inner)
        return False

    def build_first_ops(self, root: SnapshotNode, doctype: str | None, sheets: dict[str, str]) -> list[Op]:
        """Return the ops of a document's first snapshot. `sheets`: the texts of linked sheets that a script changed, by
        URL.
        """
        self._number += 1
        self._state.begin_snapshot()
        self.root = self._build_snapshot_tree(root)
        if self.root is None:
            return []
        ops: list[Op] = []
        tree: list[Json] = ["#document", {}]
        if doctype:
            tree.append(["#doctype", doctype, "", ""])
            self._next += 1
        self._later = []
        deep: list[TracePageNode] = []
        tree.append(self._build_op_tree(self.root, None, 2, deep))
        ops.append(["doc", ROOT, cast(Json, tree)])
        self._insert_deep_children(deep, ops)
        return ops + self._state.finish_snapshot(self.root, sheets)

    def build_change_ops(self, root: SnapshotNode | Key, sheets: dict[str, str]) -> list[Op]:
        """Return the ops that change the present page to this snapshot."""
        self._number += 1
        self._state.begin_snapshot()
        assert self.root is not None
        old = self.root
        new = self._build_snapshot_tree(root)
        ops: list[Op] = []
        if new is not None and new is not old:
            self._gone = []
            self._later = []
            if new.id == 0 and new.tag == old.tag:
                new.twin = old
                old.taken = self._number
                match_new_nodes(new, old, self._number)
                self._later.append((new, old))
            else:
                ops += self._replace_root(old, new)
            while self._later:
                fresh, live = self._later.pop()
                self._update_page_node(fresh, live, ops)
            gone: list[Json] = [node.id for node in self._gone if node.taken != self._number]
            for node in self._gone:
                if node.taken != self._number:
                    self._drop_subtree(node)
            if gone:
                ops.append(["del", *gone])
        return ops + self._state.finish_snapshot(self.root, sheets)

    def _replace_root(self, old: TracePageNode, new: TracePageNode) -> list[Op]:
        """Replace the page's root element by a new one. Return the ops for that."""
        ops: list[Op] = []
        if new.id == 0:
            match_new_nodes(new, old, self._number)
            self._insert_nodes(-old.id, None, [new], ops)
        else:
            ops.append(["move", -old.id, new.id])
            self._detach_from_parent(new)
        new.parent = None
        self.root = new
        self._gone.append(old)
        return ops

    # -- reading -----------------------------------------------------------------------------------------------------

    def _build_snapshot_tree(self, root: SnapshotNode | Key) -> TracePageNode | None:
        """Return a snapshot's tree, with its references replaced by nodes of the page."""
        self._made.clear()
        made = self._resolve_reference(root)
        if made is None or made.id:
            return made
        stack: list[tuple[TracePageNode, SnapshotNode]] = [(made, self._get_snapshot_node(root))]
        while stack:
            node, written = stack.pop()
            parts = [*([written.inner] if written.inner is not None else []), *written.children]
            for part in parts:
                child = self._resolve_reference(part)
                if child is None:
                    continue
                if child.tag == SHEET:
                    self._state.add_adopted_sheet(child.key, child.raw)
                    node.sheets.append(child.key)
                elif child.tag == SHADOW:
                    if node.inner is None and node.tag not in (TEXT, SHADOW):
                        node.inner = child
                else:
                    node.children.append(child)
                if child.id == 0:
                    child.parent = node
                    if child.tag not in (TEXT, SHEET):
                        stack.append((child, self._get_snapshot_node(part)))
        return made

    def _get_snapshot_node(self, node_or_reference: SnapshotNode | Key) -> SnapshotNode:
        written = (
            self._history.get_node(node_or_reference) if isinstance(node_or_reference, tuple) else node_or_reference
        )
        assert written is not None
        return written

    def _resolve_reference(self, reference: SnapshotNode | Key) -> TracePageNode | None:
        """Return the node of the page to which a reference points, or a new node; None for a node that occurs a second
        time in the snapshot.
        """
        if isinstance(reference, tuple):
            live = self._live.get(reference)
            if live is not None:
                if live.taken == self._number:
                    return None
                live.taken = self._number
                return live
            found = self._history.get_node(reference)
            if found is None or reference in self._made:
                return None
            if found.tag != SHEET:
                self._made.add(reference)
            reference = found
        return TracePageNode(reference)

    # -- writing -----------------------------------------------------------------------------------------------------

    def _update_page_node(self, new_node: TracePageNode, page_node: TracePageNode, ops: list[Op]) -> None:
        """Update a node of the page to match its new version in the snapshot."""
        if self._live.get(page_node.key) is page_node:
            del self._live[page_node.key]
        page_node.key = new_node.key
        self._live[page_node.key] = page_node
        if page_node.tag == TEXT:
            if page_node.raw != new_node.raw:
                ops.append(["text", page_node.id, new_node.raw])
                page_node.raw = new_node.raw
            return
        before = page_node.attrs
        after = self._filter_attributes(new_node, page_node)
        if before != after:
            changed: dict[str, Json] = {name: value for name, value in after.items() if before.get(name) != value}
            changed |= {name: None for name in before if name not in after}
            ops.append(["attr", page_node.id, changed])
            page_node.attrs = after
        earlier = page_node.state
        page_node.state, page_node.frame = new_node.state, new_node.frame
        if new_node.sheets != page_node.sheets:
            page_node.sheets = new_node.sheets
            self._state.mark_adopted_sheets_changed(page_node)
        self._state.record_element_state(page_node, earlier)
        if new_node.inner is not None:
            if new_node.inner.twin is not None:
                self._later.append((new_node.inner, new_node.inner.twin))
            elif new_node.inner.id == 0 and page_node.inner is None:
                self._insert_nodes(page_node.id, page_node, [new_node.inner], ops)
                page_node.inner = new_node.inner
        self._arrange_children(page_node, new_node.children, ops)

    def _arrange_children(self, parent: TracePageNode, wanted_children: list[TracePageNode], ops: list[Op]) -> None:
        """Make `wanted_children` the children of a node of the page."""
        place = {child.id: index for index, child in enumerate(parent.children)}
        kept_here = find_increasing_subsequence([place.get(get_present_id(node), -1) for node in wanted_children])
        result: list[TracePageNode] = []
        run: list[TracePageNode] = []
        for index, node in enumerate(wanted_children):
            if index in kept_here:
                present = node.twin or node
                self._flush_insertions(parent, -present.id, run, result, ops)
                result.append(present)
            else:
                run.append(node)
            if node.twin is not None:
                self._later.append((node, node.twin))
        self._flush_insertions(parent, parent.id, run, result, ops)
        still = {node.id for node in result}
        self._gone += [child for child in parent.children if child.id not in still]
        parent.children = result

    def _flush_insertions(
        self,
        parent: TracePageNode,
        at: int,
        pending_nodes: list[TracePageNode],
        result: list[TracePageNode],
        ops: list[Op],
    ) -> None:
        if not pending_nodes:
            return
        allowed = [
            node
            for node in pending_nodes
            if (node.id == 0 and node.twin is None) or not is_same_or_ancestor(node.twin or node, parent)
        ]
        if all(node.id or node.twin for node in allowed):
            if allowed:
                ops.append(["move", at, *[get_present_id(node) for node in allowed]])
            for node in allowed:
                self._detach_from_parent(node.twin or node)
        else:
            self._insert_nodes(at, parent, allowed, ops)
        for node in allowed:
            present = node.twin or node
            present.parent = parent
            result.append(present)
        pending_nodes.clear()

    def _insert_nodes(self, at: int, parent: TracePageNode | None, nodes: list[TracePageNode], ops: list[Op]) -> None:
        """Insert nodes at one position; nodes that are already in the page are moved there."""
        first = self._next
        deep: list[TracePageNode] = []
        trees: list[Json] = []
        for node in nodes:
            present = node.twin or node
            if present.id:
                self._detach_from_parent(present)
                trees.append(present.id)
            else:
                trees.append(self._build_op_tree(node, parent, 0, deep))
        ops.append(["add", at, first, *trees])
        self._insert_deep_children(deep, ops)

    def _insert_deep_children(self, deep_parents: list[TracePageNode], ops: list[Op]) -> None:
        while deep_parents:
            parent = deep_parents.pop()
            children, parent.children = parent.children, []
            deeper: list[TracePageNode] = []
            if parent.inner is not None:
                ops.append(["add", parent.id, self._next, self._build_op_tree(parent.inner, parent, 0, deeper)])
            self._arrange_children(parent, children, ops)
            deep_parents += deeper

    def _build_op_tree(
        self, top: TracePageNode, parent_node: TracePageNode | None, depth: int, deep_parents: list[TracePageNode]
    ) -> Json:
        """Assign ids to a tree of new nodes, and return the tree in the form of an op. Parents of parts that are nested
        too deep are added to `deep_parents`.
        """
        made: list[Json] = []
        stack: list[tuple[TracePageNode, TracePageNode | None, list[Json], int]] = [(top, parent_node, made, depth)]
        while stack:
            node, parent, into, level = stack.pop()
            present = node.twin or node
            if present.id:
                self._detach_from_parent(present)
                present.parent = parent
                if node.twin is not None:
                    self._later.append((node, present))
                into.append(present.id)
                continue
            node.id = self._next
            self._next += 1
            node.parent = parent
            node.taken = self._number
            self._live[node.key] = node
            if node.tag == TEXT:
                into.append(node.raw)
                continue
            node.attrs = self._filter_attributes(node, node)
            tree: list[Json] = [SHADOW, {"mode": "open"}] if node.tag == SHADOW else [node.tag, cast(Json, node.attrs)]
            into.append(tree)
            if node.sheets:
                self._state.mark_adopted_sheets_changed(node)
            self._state.record_element_state(node, None)
            if level > _DEPTH:
                deep_parents.append(node)
                continue
            inside = [
                child
                for child in node.children
                if not (get_present_id(child) and is_same_or_ancestor(child.twin or child, node))
            ]
            node.children = [child.twin or child for child in inside]
            if node.inner is not None:
                inside.insert(0, node.inner)
            stack += [(child, node, tree, level + 1) for child in reversed(inside)]
        return made[0]

    def _filter_attributes(self, new_node: TracePageNode, page_node: TracePageNode) -> dict[str, str]:
        """Return the attributes that are imported, with a secret field's value masked."""
        attrs: dict[str, str] = {}
        for name, value in new_node.attrs.items():
            taken = filter_attribute(new_node.tag, name, value)
            if taken is not None:
                attrs[name] = taken
        if new_node.tag == "input":
            self._state.mask_secret_field(page_node.id, find_mask_reason(new_node.attrs), attrs)
        return attrs

    def _detach_from_parent(self, node: TracePageNode) -> None:
        """Remove a node of the page from its parent, before it is moved."""
        parent = node.parent
        if parent is not None and parent.id and parent.inner is not node:
            parent.children = [child for child in parent.children if child is not node]

    def _drop_subtree(self, top: TracePageNode) -> None:
        for node in iter_subtree(top):
            if node.taken == self._number and node is not top:
                continue
            if self._live.get(node.key) is node:
                del self._live[node.key]
            self._state.drop_node(node)
