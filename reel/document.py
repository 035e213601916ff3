"""The model of one recorded document at one time: its tree and the rest of its state, changed by ops.

Ops come from pages, so they are not trusted: an op that names a missing node, would put a node below itself, or has the
wrong shape is counted in :attr:`DocumentModel.errors` and skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from .document_state import ScriptedStyleSheet, StatefulDocument
from .document_tree import InvalidOpError, JsonList, OpTooLargeError
from .events import Json
from .form_controls import CONTROLS
from .limits import LIVE_TEXT
from .nodes import DOCUMENT, ELEMENT, PI, SHADOW
from .ops import OPS

PLACED: Final = ("x", "y", "scale")
"""Fields of the op ``drawing`` for the place of a drawing."""


class DocumentModel(StatefulDocument):
    """The state of one document. :meth:`apply` changes it; everything else reads it.

    `nodes` maps ids to nodes and holds exactly the nodes of the tree under `root`. Offsets and sizes are CSS px.
    """

    __slots__ = ()

    def apply(self, ops: JsonList, *, allow_text: bool = True) -> None:
        """Apply the ops of one message in order. Count and skip the invalid ones.

        :param allow_text: False if the model has no room for more text; then ops that add text are skipped.
        """
        self.over = []
        for op in ops:
            try:
                name = op[0]  # type: ignore[index, call-overload, unused-ignore]
                apply = _APPLY.get(name)  # type: ignore[arg-type, unused-ignore]
                if apply is None:
                    continue
                if not allow_text and OPS[cast(str, name)].words:
                    raise OpTooLargeError(f"the pages hold more than {LIVE_TEXT:,} characters")
                apply(self, cast(JsonList, op))
            except InvalidOpError as error:
                if isinstance(error, OpTooLargeError):
                    self.over.append(op)
                    self.over_why = str(error)
                self.count_error(str(error))
            except (TypeError, ValueError, KeyError, IndexError, AttributeError):
                self.count_error(f"malformed op {str(op)[:80]}")

    def _apply_state_text(self, op: JsonList) -> None:
        key, value = cast(str, op[0]), op[2]
        node = self._get_node(op[1])
        kinds = (ELEMENT, PI) if key == "src" else (ELEMENT,)
        if type(value) is not str or node.kind not in kinds or (key == "value" and node.name not in CONTROLS):
            raise InvalidOpError(f"node {node.id} takes no {key}")
        self._set_node_state(node, key, value)

    def _apply_partly_filled_input(self, op: JsonList) -> None:
        node = self._get_node(op[1])
        if node.name != "input":
            raise InvalidOpError(f"node {node.id} is no field")
        self._set_node_state(node, "typed", list(cast("list[Json]", op[2])))

    def _apply_state_flag(self, op: JsonList) -> None:
        node = self._get_node(op[1])
        if node.name != "input" or op[2] not in (0, 1):
            raise InvalidOpError(f"node {node.id} is not a checkbox or radio button")
        self._set_node_state(node, cast(str, op[0]), int(cast(int, op[2])))

    def _apply_selected_options(self, op: JsonList) -> None:
        node = self._get_node(op[1])
        if node.name != "select":
            raise InvalidOpError(f"node {node.id} is not a select")
        self._set_node_state(node, "selected", [index for index in cast(JsonList, op[2]) if type(index) is int])

    def _apply_scroll_offsets(self, op: JsonList) -> None:
        offset: list[Json] = [float(cast(float, op[2])), float(cast(float, op[3]))]
        anchor: list[Json] = [int(cast(int, op[4])), float(cast(float, op[5]))] if len(op) > 5 else []
        self._set_node_state(self._get_node(op[1]), "scroll", offset + anchor)

    def _apply_focus(self, op: JsonList) -> None:
        self.focus = self._get_node(op[1]).id if op[1] else 0
        self.focus_visible = cast(int, op[2]) if len(op) > 2 else None

    def _apply_pointer_targets(self, op: JsonList) -> None:
        hover, active, target = (self._get_node(item).id if item else 0 for item in op[1:4])
        self.pointed = (hover, active, target)

    def _apply_selection(self, op: JsonList) -> None:
        numbers = [int(cast(int, item)) for item in op[1:6]]
        anchor, anchor_offset, focus, focus_offset, composed = (*numbers, 0)[:5]
        if anchor or focus:
            self._get_node(anchor)
            self._get_node(focus)
        self.selection = (anchor, anchor_offset, focus, focus_offset, composed)

    def _apply_validation_bubble(self, op: JsonList) -> None:
        self.bubble = [self._get_node(op[1]).id, *op[2:]] if op[1] else []

    def _apply_sheet(self, op: JsonList) -> None:
        number, owner, text = op[1], op[2], op[3]
        if type(number) is not int or type(owner) is not int or type(text) is not str:
            raise InvalidOpError("a sheet has a number, an owner and a text")
        if owner:
            self._get_node(owner)
        if number not in self.sheets:
            self._require_room_for_entry(self.sheets)
        options = cast("dict[str, Json]", op[4]) if len(op) > 4 else {}
        self.sheets[number] = ScriptedStyleSheet(
            number, owner, text, str(options.get("media") or ""), bool(options.get("disabled"))
        )

    def _apply_sheet_removal(self, op: JsonList) -> None:
        for number in op[1:]:
            if number not in self.sheets:
                self.count_error(f"there is no sheet {number!r}"[:120])
            else:
                del self.sheets[cast(int, number)]

    def _apply_adopted_sheets(self, op: JsonList) -> None:
        node = self._get_node(op[1])
        if node.kind not in (DOCUMENT, SHADOW):
            raise InvalidOpError(f"node {node.id} adopts no sheets")
        numbers: list[int] = []
        for number in cast(JsonList, op[2]):
            if number in self.sheets:
                numbers.append(cast(int, number))
            else:
                self.count_error(f"there is no sheet {number!r}"[:120])
        if numbers:
            self.adopted[node.id] = numbers
        else:
            self.adopted.pop(node.id, None)

    def _apply_open_state(self, op: JsonList) -> None:
        node, how = self._get_node(op[1]), op[2]
        self.top_layer.pop(node.id, None)
        self._set_node_state(node, "open", how)
        if how:
            self.top_layer[node.id] = str(how)

    def _apply_custom_states(self, op: JsonList) -> None:
        self._set_node_state(self._get_node(op[1]), "states", list(cast("list[Json]", op[2])))

    def _apply_canvas_picture(self, op: JsonList) -> None:
        sha256, width, height = op[2:5]
        node = self._get_node(op[1])
        self._set_node_state(node, "canvas", [sha256, width, height])
        self.told["canvas", node.id] = self.clock

    def _apply_media_state(self, op: JsonList) -> None:
        node = self._get_node(op[1])
        self._set_node_state(node, "media", dict(cast("dict[str, Json]", op[2])))
        self.told["media", node.id] = self.clock

    def _apply_svg_drawing(self, op: JsonList) -> None:
        node, told = self._get_node(op[1]), cast("dict[str, Json]", op[2])
        before = cast("dict[str, Json]", (node.state or {}).get("drawing") or {})
        # Place and clock are recorded separately: each stays valid while the other changes.
        kept = before if any(name in told for name in PLACED) else {k: v for k, v in before.items() if k in PLACED}
        self._set_node_state(node, "drawing", {**kept, **told})
        if "time" in told:
            self.told["drawing", node.id] = self.clock

    def _apply_slot_assignment(self, op: JsonList) -> None:
        node = self._get_node(op[1])
        self._set_node_state(node, "assign", [cast(int, item) for item in cast(JsonList, op[2])])

    def _apply_caption_cues(self, op: JsonList) -> None:
        self._set_node_state(self._get_node(op[1]), "cues", list(cast("list[Json]", op[2])))

    def _apply_text_highlight(self, op: JsonList) -> None:
        name, priority, ranges = cast(str, op[1]), cast(float, op[2]), cast("list[int]", op[3])
        if ranges:
            self._require_room_for_entry(self.highlights)
            self.highlights[name] = (priority, ranges)
        else:
            self.highlights.pop(name, None)

    def _apply_animation_group(self, op: JsonList) -> None:
        state = {"rate": 1, "running": True, **cast("dict[str, Json]", op[2])}
        key, name = cast(int, op[1]), ""
        for item in op[3:]:
            if type(item) is str:
                name = item
                continue
            if item in self.nodes:
                earlier = self.animations.get(key)
                if earlier is None:
                    self._require_room_for_entry(self.animations)
                told = {**state, "name": name} if name else state
                self.animations[key] = (cast(int, item), {**earlier[1], **told} if earlier else told)
                self.told["anim", key] = self.clock
            else:
                self.count_error(f"there is no node {item!r}"[:120])
            key += 1

    def _apply_animation_removal(self, op: JsonList) -> None:
        for key in op[1:]:
            self._remove_animation(cast(int, key))

    def _apply_animation(self, op: JsonList) -> None:
        node, key = self._get_node(op[1]), cast(int, op[2])
        if op[3] is None:
            self._remove_animation(key)
        else:
            earlier = self.animations.get(key)
            if earlier is None:
                self._require_room_for_entry(self.animations)
            state = dict(cast("dict[str, Json]", op[3]))
            self.animations[key] = (node.id, {**earlier[1], **state} if earlier else state)
            self.told["anim", key] = self.clock


_APPLY: Final[dict[str, Callable[[DocumentModel, JsonList], None]]] = {
    "doc": DocumentModel._apply_document,
    "add": DocumentModel._apply_add,
    "move": DocumentModel._apply_move,
    "del": DocumentModel._apply_removal,
    "text": DocumentModel._apply_text,
    "attr": DocumentModel._apply_attributes,
    "value": DocumentModel._apply_state_text,
    "src": DocumentModel._apply_state_text,
    "masked": DocumentModel._apply_state_text,
    "exact": DocumentModel._apply_state_text,
    "checked": DocumentModel._apply_state_flag,
    "indeterminate": DocumentModel._apply_state_flag,
    "selected": DocumentModel._apply_selected_options,
    "scroll": DocumentModel._apply_scroll_offsets,
    "focus": DocumentModel._apply_focus,
    "pointed": DocumentModel._apply_pointer_targets,
    "selection": DocumentModel._apply_selection,
    "bubble": DocumentModel._apply_validation_bubble,
    "sheet": DocumentModel._apply_sheet,
    "unsheet": DocumentModel._apply_sheet_removal,
    "adopt": DocumentModel._apply_adopted_sheets,
    "open": DocumentModel._apply_open_state,
    "states": DocumentModel._apply_custom_states,
    "typed": DocumentModel._apply_partly_filled_input,
    "canvas": DocumentModel._apply_canvas_picture,
    "media": DocumentModel._apply_media_state,
    "drawing": DocumentModel._apply_svg_drawing,
    "assign": DocumentModel._apply_slot_assignment,
    "highlight": DocumentModel._apply_text_highlight,
    "cues": DocumentModel._apply_caption_cues,
    "anims": DocumentModel._apply_animation_group,
    "anim": DocumentModel._apply_animation,
    "unanim": DocumentModel._apply_animation_removal,
}
