"""Mask the ops of documents: each string in an op as text, form data, a URL or a style.

An op names its node by an id alone. :mod:`.document_nodes` looks up the kind of the node, which decides how the string
is masked.
"""

from __future__ import annotations

import re
from typing import Any, cast

from pagereel.reel import MASK, OPS, Event, Json

from ..contracts.policy import Policy
from ..contracts.sink import Sink, Slot
from .attribute_masker import AttributeMasker
from .attribute_roles import FREE_VALUES, find_attribute_role
from .document_nodes import DocumentNodes, NodeInfo
from .form_controls import make_valid_control_value
from .text_masker import TextMasker
from .tree_masker import TreeMasker

_ANIMATION = frozenset({"type", "name", "pseudo", "time", "rate", "running", "from", "to", "keyframes", "timing"})
_DOTS = re.compile(r"[•●∙⚫⬤*✱]{1,64}")
_REASONS = frozenset({"password", "card", "otp", "selector"})
"""Reasons for which the recorder has masked a control."""
_CUE = frozenset({"line", "position", "size", "align", "vertical", "snapToLines"})
"""Settings of a caption's position."""
_PUT = frozenset({"", "auto", "start", "center", "end", "left", "right", "line-left", "line-right", "rl", "lr"})


class DocumentsMasker:
    """Masks the documents of a recording during one walk over it."""

    def __init__(self, sink: Sink, policy: Policy) -> None:
        self._sink = sink
        self._policy = policy
        self._books: dict[int, _DocumentMasker] = {}

    def mask_ops(self, event: Event) -> Json:
        """Return the masked ops of a ``snapshot`` or ``mutation`` event."""
        d = cast(int, event.get("d"))
        book = self._books.get(d)
        if book is None:
            book = self._books[d] = _DocumentMasker(d, self._sink, self._policy)
        out = []
        for op in cast(list[Any], event.get("ops") or []):
            if isinstance(op, list) and op and (masked := book.mask_op(op)) is not None:
                out.append(masked)  # noqa: PERF401
        return cast(Json, out)


class _DocumentMasker:
    """Masks the ops of one document. For each op that `reel/ops.py` marks as holding words there is a method
    ``_mask_<op>_op``.
    """

    def __init__(self, d: int, sink: Sink, policy: Policy) -> None:
        self._d = d
        self._sink = sink
        self._policy = policy
        self._nodes = DocumentNodes(policy)
        self._texts = TextMasker(d, self._nodes, sink, policy)
        self._attributes = AttributeMasker(self._nodes, self._texts, sink, policy)
        self._trees = TreeMasker(self._nodes, self._texts, self._attributes, sink)
        self._typed: dict[int, str] = {}
        self._values: dict[int, str] = {}
        """Control → its last value, masked."""
        self._dotted: set[int] = set()
        """Text nodes of dots, one for each typed letter."""

    def mask_op(self, op: list[Any]) -> list[Any] | None:
        """Return the masked op, or None to drop it. Unknown ops are dropped."""
        kind = OPS.get(op[0])
        if kind is None:
            return None
        if not kind.words:
            return op
        rewrite = getattr(self, f"_mask_{op[0]}_op", None)
        return rewrite(op) if rewrite is not None else None

    def _mask_doc_op(self, op: list[Any]) -> list[Any]:
        self._nodes.clear()
        self._values, self._typed = {}, {}
        self._trees.next = op[1]
        self._nodes.record_labels(op[2])
        tree = self._trees.mask_tree(op[2], 0)
        self._texts.end_text_run(is_last=True)
        return ["doc", op[1], tree]

    def _mask_add_op(self, op: list[Any]) -> list[Any]:
        at = op[1]
        parent = self._nodes.find_parent_id(at)
        self._trees.next = op[2]
        for tree in op[3:]:
            self._nodes.record_labels(tree)
        out: list[Any] = ["add", at, op[2]]
        for tree in op[3:]:
            self._trees.mask_child(tree, parent, out)
        self._texts.end_text_run(is_last=True)
        return out

    def _mask_move_op(self, op: list[Any]) -> list[Any]:
        at = op[1]
        parent = self._nodes.find_parent_id(at)
        for node in op[2:]:
            if node in self._nodes:
                self._nodes[node].parent = parent
        return op

    def _mask_text_op(self, op: list[Any]) -> list[Any] | None:
        info = self._nodes.get(op[1])
        out: list[Any] = ["text", op[1], ""]
        if info is None or info.tag != "#text":
            return out
        if self._policy.form_values == "mask" and _DOTS.fullmatch(op[2].strip()):
            if op[1] in self._dotted:
                return None  # it grows by one for each key of a secret
            self._dotted.add(op[1])
            return ["text", op[1], MASK]
        self._dotted.discard(op[1])
        self._texts.add_text_node(op[2], info.parent, out, 2, op[1], changed_in_place=True)
        self._texts.end_text_run(is_last=True)
        return out

    def _mask_attr_op(self, op: list[Any]) -> list[Any]:
        info = self._nodes.get(op[1])
        if info is None:
            return ["attr", op[1], {}]
        changes = {k: v for k, v in op[2].items() if v is not None}
        info.attrs.update(changes)
        masked: dict[str, Any] = dict(self._attributes.mask_attributes(info.tag, changes, info))
        for name, value in op[2].items():
            shown = self._attributes.mask_attribute_name(info.tag, name)
            if (
                value is None
                and shown is not None
                and find_attribute_role(info.tag, name, "", self._sink.form) != "drop"
            ):
                masked[shown] = None
        return ["attr", op[1], masked]

    def _mask_value_op(self, op: list[Any]) -> list[Any] | None:
        info = self._nodes.get(op[1])
        if info is not None and info.tag == "input" and info.attrs.get("type", "").lower() in FREE_VALUES:
            return ["value", op[1], self._sink.visit_text(op[2], Slot("dom.caption"))]
        masked = self._mask_typed_text(op[2], op[1], info)
        if self._values.get(op[1]) == masked and self._policy.form_values == "mask":
            return None  # neither when a key was pressed nor how many were
        self._values[op[1]] = masked
        return ["value", op[1], masked]

    def _mask_typed_op(self, op: list[Any]) -> list[Any] | None:
        shown = "".join(op[2])
        masked = self._mask_typed_text(shown, op[1], self._nodes.get(op[1])) if shown else ""
        if self._typed.get(op[1]) == masked and self._policy.form_values == "mask":
            return None  # not when a key was pressed
        self._typed[op[1]] = masked
        return ["typed", op[1], op[2] if masked == shown else [masked]]

    def _mask_sheet_op(self, op: list[Any]) -> list[Any]:
        options = {k: v for k, v in (op[4] if len(op) > 4 else {}).items() if k in ("media", "disabled")}
        return ["sheet", op[1], op[2], self._sink.visit_css(op[3], Slot("dom.sheet"))] + ([options] if options else [])

    def _mask_canvas_op(self, op: list[Any]) -> list[Any] | None:
        info = self._nodes.get(op[1])
        film = info is not None and info.tag == "video"
        sha = self._sink.visit_resource(op[2], Slot("dom.film" if film else "dom.canvas"))
        return None if sha is None else ["canvas", op[1], sha, *op[3:]]

    def _mask_src_op(self, op: list[Any]) -> list[Any]:
        return ["src", op[1], self._sink.visit_url(op[2], Slot("dom.src"))]

    def _mask_selection_op(self, op: list[Any]) -> list[Any]:
        # Offsets count characters of the unmasked text: the nodes stay, and the offsets become 0.
        return ["selection", op[1], 0, op[3], 0]

    def _mask_media_op(self, op: list[Any]) -> list[Any]:
        return ["media", op[1], {k: v for k, v in op[2].items() if k in ("paused", "time", "rate", "volume", "muted")}]

    def _mask_drawing_op(self, op: list[Any]) -> list[Any]:
        names = ("time", "paused", "x", "y", "scale", "begin", "end")
        return ["drawing", op[1], {k: v for k, v in op[2].items() if k in names and isinstance(v, int | float)}]

    def _mask_cues_op(self, op: list[Any]) -> list[Any]:
        rule, slot = self._nodes.find_selector_action(op[1]), Slot("dom.cue")
        cues = []
        for start, end, text, how in op[2]:
            put = {k: v for k, v in how.items() if k in _CUE and (v in _PUT or isinstance(v, int | float))}
            cues.append([start, end, self._texts.mask_by_user_rule(rule, text, slot), put])
        return ["cues", op[1], cues]

    def _mask_bubble_op(self, op: list[Any]) -> list[Any]:
        if len(op) < 4:
            return ["bubble", 0]
        node, speaks, slot = op[1], op[2], Slot("dom.text")
        rule = self._nodes.find_selector_action(node)
        if speaks and not rule and self._policy.form_values == "mask":  # it may quote the typed text
            return ["bubble", node, speaks, MASK, ""]
        return ["bubble", node, speaks, *(self._texts.mask_by_user_rule(rule, text, slot) for text in op[3:])]

    def _mask_exact_op(self, op: list[Any]) -> list[Any] | None:
        # It replaces the style attribute: if masking changes that attribute, the op is dropped.
        style = self._nodes[op[1]].attrs.get("style", "") if op[1] in self._nodes else ""
        if self._nodes.find_selector_action(op[1]) or self._sink.visit_css(style, Slot("dom.style")) != style:
            return None
        return ["exact", op[1], self._sink.visit_css(op[2], Slot("dom.style"))]

    def _mask_highlight_op(self, op: list[Any]) -> list[Any]:
        # Offsets into a masked text would tell where the masked value stood.
        ranges = []
        for start, offset, end, end_offset in zip(*[iter(op[3])] * 4, strict=False):
            if start not in self._texts.masked and end not in self._texts.masked:
                ranges += [start, offset, end, end_offset]
        return ["highlight", self._sink.visit_harmless(str(op[1]), Slot("dom.states")), op[2], ranges]

    def _mask_anim_op(self, op: list[Any]) -> list[Any]:
        return [*op[:3], self._mask_animation_state(op[3]) if isinstance(op[3], dict) else None]

    def _mask_anims_op(self, op: list[Any]) -> list[Any]:
        return ["anims", op[1], self._mask_animation_state(op[2]), *map(self._mask_style_strings, op[3:])]

    def _mask_animation_state(self, state: dict[str, Any]) -> dict[str, Any]:
        return {k: self._mask_style_strings(v) for k, v in state.items() if k in _ANIMATION}

    def _mask_style_strings(self, value: Any) -> Any:
        """Return keyframes or timing of an animation with every string in it masked as CSS."""
        if isinstance(value, str):
            return self._sink.visit_css(value, Slot("dom.animation"))
        if isinstance(value, list):
            return [self._mask_style_strings(v) for v in value]
        return {k: self._mask_style_strings(v) for k, v in value.items()} if isinstance(value, dict) else value

    def _mask_masked_op(self, op: list[Any]) -> list[Any]:
        return ["masked", op[1], op[2] if op[2] in _REASONS else "selector"]

    def _mask_states_op(self, op: list[Any]) -> list[Any]:
        return ["states", op[1], [self._sink.visit_harmless(str(name), Slot("dom.states")) for name in op[2]]]

    def _mask_typed_text(self, text: str, node: int, info: NodeInfo | None) -> str:
        if (action := self._nodes.find_selector_action(node)) is not None and action != "mask":
            return self._texts.mask_by_user_rule(action, text, Slot("dom.value"))
        if self._policy.form_values == "detect":
            return self._sink.visit_text(text, Slot("dom.value", self._nodes.build_control_label(info)))
        masked = self._sink.visit_typed_value(
            text, Slot("dom.value", self._nodes.build_control_label(info)), (self._d, node)
        )
        if info is None or info.tag != "input":
            return masked
        return make_valid_control_value(info.attrs.get("type", "").lower(), masked, info.attrs, text)
