"""The page model once more, as simple as it can be: lists, recursion, no thought for speed. The tests hold the real
one to it.
"""

from __future__ import annotations

from typing import Any


class Skip(Exception):
    """The op names something that is not there or cannot be done."""


def tag(node: dict[str, Any]) -> str:
    """An element's tag, ``#…`` for other nodes, ``""`` for text."""
    return "" if isinstance(node["form"], str) else node["form"][0]


class Reference:
    """A tree of dicts: ``id``, ``form`` (the JSON without children), ``children``, ``inner``, ``parent``."""

    def __init__(self) -> None:
        self.root: dict[str, Any] | None = None
        self.errors = 0

    def find(self, node_id: int) -> dict[str, Any]:
        for node in self.all(self.root):
            if node["id"] == node_id:
                return node
        raise Skip

    def all(self, node: dict[str, Any] | None) -> list[dict[str, Any]]:
        if node is None:
            return []
        below = [*([node["inner"]] if node["inner"] else []), *node["children"]]
        return [node, *(deeper for child in below for deeper in self.all(child))]

    def apply(self, ops: list[Any]) -> None:
        for op in ops:
            try:
                getattr(self, "op_" + op[0])(*op[1:])
            except Skip:
                self.errors += 1

    def op_doc(self, first: int, tree: list[Any]) -> None:
        self.root = {"id": first, "form": ["#document", {}], "children": [], "inner": None, "parent": None}
        self.fill(self.root, tree[2:], first + 1)

    def make(self, form: Any, node_id: int) -> dict[str, Any]:
        leaf = isinstance(form, str) or form[0] in ("#comment",)
        own = form if leaf else [form[0], dict(form[1])]
        return {"id": node_id, "form": own, "children": [], "inner": None, "parent": None}

    def fill(self, parent: dict[str, Any], forms: list[Any], node_id: int) -> int:
        for form in forms:
            if isinstance(form, int):
                try:
                    self.place(self.find(form), parent, None)
                except Skip:
                    self.errors += 1
                continue
            node_id = self.plant(form, parent, None, node_id)[1]
        return node_id

    def plant(self, form: Any, parent: dict[str, Any], before: Any, node_id: int) -> tuple[dict[str, Any], int]:
        node = self.make(form, node_id)
        node["parent"] = parent
        if not isinstance(form, str) and form[0] in ("#shadow", "#content"):
            if parent["inner"] or isinstance(parent["form"], str) or parent["form"][0].startswith("#"):
                raise Skip
            parent["inner"] = node
        else:
            siblings = parent["children"]
            siblings.insert(siblings.index(before) if before else len(siblings), node)
        if isinstance(form, str) or form[0] == "#comment":
            return node, node_id + 1
        return node, self.fill(node, form[2:], node_id + 1)

    def place(self, node: dict[str, Any], parent: dict[str, Any], before: Any) -> None:
        if tag(node) in ("#shadow", "#content", "#document"):
            raise Skip
        above = parent
        while above:
            if above is node:
                raise Skip
            above = above["parent"]
        if before is node:
            before = self.after(node)
        node["parent"]["children"].remove(node)
        siblings = parent["children"]
        siblings.insert(siblings.index(before) if before else len(siblings), node)
        node["parent"] = parent

    def after(self, node: dict[str, Any]) -> Any:
        siblings = node["parent"]["children"]
        place = next(index for index, each in enumerate(siblings) if each is node)
        return siblings[place + 1] if place + 1 < len(siblings) else None

    def point(self, at: int) -> tuple[dict[str, Any], Any]:
        node = self.find(abs(at))
        if at > 0:
            parent, before = node, None
        else:
            if tag(node) in ("#shadow", "#content", "#document"):
                raise Skip
            parent, before = node["parent"], node
        if isinstance(parent["form"], str) or parent["form"][0] == "#comment":
            raise Skip
        return parent, before

    def op_add(self, at: int, first: int, *forms: Any) -> None:
        parent, before = self.point(at)
        for form in forms:
            if isinstance(form, int):
                node = self.find(form)
                self.place(node, parent, before)
            else:
                node, first = self.plant(form, parent, before, first)
            if node is not parent["inner"]:
                before = self.after(node)

    def op_move(self, at: int, *ids: int) -> None:
        parent, before = self.point(at)
        for node_id in ids:
            try:
                node = self.find(node_id)
                self.place(node, parent, before)
                before = self.after(node)
            except Skip:
                self.errors += 1

    def op_del(self, *ids: int) -> None:
        for node_id in ids:
            try:
                node = self.find(node_id)
                if node is self.root:
                    raise Skip
                if node["parent"]["inner"] is node:
                    node["parent"]["inner"] = None
                else:
                    node["parent"]["children"].remove(node)
            except Skip:
                self.errors += 1

    def op_text(self, node_id: int, data: str) -> None:
        node = self.find(node_id)
        if isinstance(node["form"], str):
            node["form"] = data
        elif node["form"][0] == "#comment":
            node["form"] = ["#comment", data]
        else:
            raise Skip

    def op_attr(self, node_id: int, changes: dict[str, Any]) -> None:
        node = self.find(node_id)
        if isinstance(node["form"], str) or node["form"][0].startswith("#"):
            raise Skip
        node["form"][1] = {name: value for name, value in {**node["form"][1], **changes}.items() if value is not None}

    def tree(self) -> tuple[Any, list[int]]:
        def form(node: dict[str, Any]) -> Any:
            if isinstance(node["form"], str) or node["form"][0] == "#comment":
                return node["form"]
            inner = [form(node["inner"])] if node["inner"] else []
            return [*node["form"], *inner, *map(form, node["children"])]

        return form(self.root) if self.root else None, [node["id"] for node in self.all(self.root)]
