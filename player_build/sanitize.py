"""The second wall: page events with everything taken out that could run, load or navigate.

The injector left all of this out already. But a reel is a file that may come from anywhere, so the builder does not
believe it. What may stay is listed in ``allow.json``.
"""

from __future__ import annotations

from typing import Protocol, cast

from pagereel.reel import BUILT_OPS, Json

from .allow import ANIMATED_VALUES, ANIMATIONS, SILENT, canonical_tag, keeps_animation, keeps_attribute

JsonList = list[Json]


class ElementLookup(Protocol):
    """``look(id)`` → tag and attributes of the element, ``("", {})`` when there is none; ``parent=True``: of its
    parent.
    """

    def __call__(self, node: Json, *, parent: bool = False) -> tuple[str, dict[str, str]]: ...


class Sanitizer:
    """Cleans trees and ops. Stateless but for its count."""

    def __init__(self) -> None:
        self.removed = 0
        """Attributes and children that were taken out."""

    def tree(self, tree: Json) -> Json:
        """Return a clean copy of a tree. The number of its nodes, and so their ids, stays the same."""
        if not isinstance(tree, list):
            return tree
        # Deep trees: no recursion.
        root: JsonList = []
        stack: list[tuple[JsonList, JsonList]] = [(tree, root)]
        while stack:
            source, target = stack.pop()
            tag = source[0] if source and isinstance(source[0], str) else "#comment"
            if tag.startswith("#") and tag not in ("#document", "#shadow", "#content"):
                target.extend(source)
                continue
            tag = canonical_tag(tag)  # Here once: all that is asked of an element later, is asked of this name.
            attributes = source[1] if len(source) > 1 and isinstance(source[1], dict) else {}
            clean = attributes if tag.startswith("#") else self.attributes(tag, attributes)
            target += (tag, cast(Json, clean))
            silent = tag.lower() in SILENT
            for child in source[2:]:
                if isinstance(child, list):
                    copy: JsonList = []
                    target.append(copy)
                    stack.append((child, copy))
                elif silent and isinstance(child, str):
                    target.append("")  # Keeps its id, says nothing.
                    self.removed += 1
                else:
                    target.append(child)
        return root

    def attributes(self, tag: str, attributes: dict[str, Json]) -> dict[str, Json]:
        """Return the attributes that may stay. A script keeps none."""
        lower = tag.lower()
        if lower in ("script", "svg|script"):
            self.removed += len(attributes)
            return {}
        strings = {name: value for name, value in attributes.items() if isinstance(value, str)}
        animates = keeps_animation(tag, strings)
        clean: dict[str, Json] = {}
        for name, value in attributes.items():
            if value is None or (
                isinstance(value, str)
                and keeps_attribute(tag, name, value)
                and (animates or name.lower() not in ANIMATED_VALUES)
            ):
                clean[name] = value
            else:
                self.removed += 1
        return clean

    def ops(self, ops: list[Json], look: ElementLookup) -> list[Json]:
        """Return the ops of one message, cleaned. `look` finds the nodes that are known before the message."""
        clean: list[Json] = []
        for op in ops:
            if not isinstance(op, list) or not op:
                continue
            kind = op[0]
            if kind == "doc" and len(op) > 2:
                clean.append([kind, op[1], self.tree(op[2])])
            elif kind == "add":
                clean.append([*op[:3], *(self.tree(tree) for tree in op[3:])])
            elif kind == "attr" and len(op) > 2 and isinstance(op[2], dict):
                clean.append([kind, op[1], cast(Json, self.changes(*look(op[1]), op[2]))])
            elif kind == "text" and len(op) > 2 and look(op[1], parent=True)[0].lower() in SILENT:
                self.removed += 1
            elif kind not in BUILT_OPS:
                clean.append(op)
        return clean

    def changes(self, tag: str, before: dict[str, str], changes: dict[str, Json]) -> dict[str, Json]:
        """Return the changes of an ``attr`` op. What may not be set is removed instead: it must not stay as it was."""
        allowed = self.attributes(tag, changes)
        if tag in ANIMATIONS and not keeps_animation(
            tag, {**before, **{n: v for n, v in allowed.items() if isinstance(v, str)}}
        ):
            # Judged as it will be: what it animates and what it writes may arrive in different messages.
            allowed |= dict.fromkeys((name for name in (*before, *changes) if name.lower() in ANIMATED_VALUES), None)
        return {name: allowed.get(name) for name in {**changes, **allowed}}
