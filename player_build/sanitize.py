"""Removes everything from page events that could run, load or navigate: the second of three safeguards.

The injector left all of this out already. But a reel may come from anywhere, so the builder does not trust it.
``allow.json`` lists what may stay.
"""

from __future__ import annotations

from typing import Protocol, cast

from pagereel.reel import BUILT_OPS, Json

from .allow_lists import ANIMATED_VALUES, ANIMATIONS, SILENT, canonical_tag, may_keep_animation, may_keep_attribute

JsonList = list[Json]


class ElementLookup(Protocol):
    """A function that returns the tag and the attributes of the element with an id; ``("", {})`` if there is none.

    With ``parent=True`` it returns those of the element's parent.
    """

    def __call__(self, node: Json, *, parent: bool = False) -> tuple[str, dict[str, str]]: ...


class Sanitizer:
    """Removes forbidden content from trees and ops, and counts what it removed."""

    def __init__(self) -> None:
        self.removed = 0
        """Number of attributes and children that were removed."""

    def sanitize_tree(self, tree: Json) -> Json:
        """Return a sanitized copy of a tree. The number of nodes stays the same, and so do their ids."""
        if not isinstance(tree, list):
            return tree
        # No recursion, because trees may be deep.
        root: JsonList = []
        stack: list[tuple[JsonList, JsonList]] = [(tree, root)]
        while stack:
            source, target = stack.pop()
            tag = source[0] if source and isinstance(source[0], str) else "#comment"
            if tag.startswith("#") and tag not in ("#document", "#shadow", "#content"):
                target.extend(source)
                continue
            tag = canonical_tag(tag)  # Converted only here: all later checks of an element use this name.
            attributes = source[1] if len(source) > 1 and isinstance(source[1], dict) else {}
            clean = attributes if tag.startswith("#") else self.sanitize_attributes(tag, attributes)
            target += (tag, cast(Json, clean))
            silent = tag.lower() in SILENT
            for child in source[2:]:
                if isinstance(child, list):
                    copy: JsonList = []
                    target.append(copy)
                    stack.append((child, copy))
                elif silent and isinstance(child, str):
                    target.append("")  # The node keeps its id, but has no content.
                    self.removed += 1
                else:
                    target.append(child)
        return root

    def sanitize_attributes(self, tag: str, attributes: dict[str, Json]) -> dict[str, Json]:
        """Return those attributes of an element that may stay. A script keeps none."""
        lower = tag.lower()
        if lower in ("script", "svg|script"):
            self.removed += len(attributes)
            return {}
        strings = {name: value for name, value in attributes.items() if isinstance(value, str)}
        animates = may_keep_animation(tag, strings)
        clean: dict[str, Json] = {}
        for name, value in attributes.items():
            if value is None or (
                isinstance(value, str)
                and may_keep_attribute(tag, name, value)
                and (animates or name.lower() not in ANIMATED_VALUES)
            ):
                clean[name] = value
            else:
                self.removed += 1
        return clean

    def sanitize_ops(self, ops: list[Json], find_element: ElementLookup) -> list[Json]:
        """Return the sanitized ops of one message. `find_element` returns the elements that existed before the message."""
        clean: list[Json] = []
        for op in ops:
            if not isinstance(op, list) or not op:
                continue
            kind = op[0]
            if kind == "doc" and len(op) > 2:
                clean.append([kind, op[1], self.sanitize_tree(op[2])])
            elif kind == "add":
                clean.append([*op[:3], *(self.sanitize_tree(tree) for tree in op[3:])])
            elif kind == "attr" and len(op) > 2 and isinstance(op[2], dict):
                clean.append([kind, op[1], cast(Json, self.sanitize_attribute_changes(*find_element(op[1]), op[2]))])
            elif kind == "text" and len(op) > 2 and find_element(op[1], parent=True)[0].lower() in SILENT:
                self.removed += 1
            elif kind not in BUILT_OPS:
                clean.append(op)
        return clean

    def sanitize_attribute_changes(self, tag: str, before: dict[str, str], changes: dict[str, Json]) -> dict[str, Json]:
        """Return the sanitized changes of an ``attr`` op.

        A value that is not allowed removes the attribute, because the old value must not stay either.
        """
        allowed = self.sanitize_attributes(tag, changes)
        if tag in ANIMATIONS and not may_keep_animation(
            tag, {**before, **{n: v for n, v in allowed.items() if isinstance(v, str)}}
        ):
            # Checked in its final state, because the animation's target and its values may arrive in different
            # messages.
            allowed |= dict.fromkeys((name for name in (*before, *changes) if name.lower() in ANIMATED_VALUES), None)
        return {name: allowed.get(name) for name in {**changes, **allowed}}
