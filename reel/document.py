"""The model of one recorded document at one time: its tree and the rest of its state, changed by ops.

Ops come from pages, so they are not trusted: an op that names a missing node, would put a node below itself, or has the
wrong shape is counted in :attr:`DocumentModel.errors` and skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from .document_state import Sheet, StatefulDocument
from .events import Json
from .forms import CONTROLS
from .limits import LIVE_TEXT
from .nodes import DOCUMENT, ELEMENT, PI, SHADOW
from .ops import OPS
from .tree import JsonList, NoRoomError, OpError

PLACED: Final = ("x", "y", "scale")
"""Fields of the op ``drawing`` for the place of a drawing."""


class DocumentModel(StatefulDocument):
    """The state of one document. :meth:`apply` changes it; everything else reads it.

    `nodes` maps ids to nodes and holds exactly the nodes of the tree under `root`. Offsets and sizes are CSS px.
    """

    __slots__ = ()

    def apply(self, ops: JsonList, *, words: bool = True) -> None:
        """Apply the ops of one message in order. Invalid ones are counted and skipped. `words`: whether the model has
        room for more text.
        """
        self.over = []
        for op in ops:
            try:
                name = op[0]  # type: ignore[index, call-overload, unused-ignore]
                apply = _APPLY.get(name)  # type: ignore[arg-type, unused-ignore]
                if apply is None:
                    continue
                if not words and OPS[cast(str, name)].words:
                    raise NoRoomError(f"the pages hold more than {LIVE_TEXT:,} characters")
                apply(self, cast(JsonList, op))
            except OpError as error:
                if isinstance(error, NoRoomError):
                    self.over.append(op)
                    self.over_why = str(error)
                self.fail(str(error))
            except (TypeError, ValueError, KeyError, IndexError, AttributeError):
                self.fail(f"malformed op {str(op)[:80]}")

    def _state_text(self, op: JsonList) -> None:
        key, value = cast(str, op[0]), op[2]
        node = self._node(op[1])
        kinds = (ELEMENT, PI) if key == "src" else (ELEMENT,)
        if type(value) is not str or node.kind not in kinds or (key == "value" and node.name not in CONTROLS):
            raise OpError(f"node {node.id} takes no {key}")
        self._set(node, key, value)

    def _typed(self, op: JsonList) -> None:
        node = self._node(op[1])
        if node.name != "input":
            raise OpError(f"node {node.id} is no field")
        self._set(node, "typed", list(cast("list[Json]", op[2])))

    def _state_flag(self, op: JsonList) -> None:
        node = self._node(op[1])
        if node.name != "input" or op[2] not in (0, 1):
            raise OpError(f"node {node.id} is not a checkbox or radio button")
        self._set(node, cast(str, op[0]), int(cast(int, op[2])))

    def _selected(self, op: JsonList) -> None:
        node = self._node(op[1])
        if node.name != "select":
            raise OpError(f"node {node.id} is not a select")
        self._set(node, "selected", [index for index in cast(JsonList, op[2]) if type(index) is int])

    def _scroll(self, op: JsonList) -> None:
        offset: list[Json] = [float(cast(float, op[2])), float(cast(float, op[3]))]
        anchor: list[Json] = [int(cast(int, op[4])), float(cast(float, op[5]))] if len(op) > 5 else []
        self._set(self._node(op[1]), "scroll", offset + anchor)

    def _focus(self, op: JsonList) -> None:
        self.focus = self._node(op[1]).id if op[1] else 0
        self.focus_visible = cast(int, op[2]) if len(op) > 2 else None

    def _pointed(self, op: JsonList) -> None:
        hover, active, target = (self._node(item).id if item else 0 for item in op[1:4])
        self.pointed = (hover, active, target)

    def _selection(self, op: JsonList) -> None:
        numbers = [int(cast(int, item)) for item in op[1:6]]
        anchor, anchor_offset, focus, focus_offset, composed = (*numbers, 0)[:5]
        if anchor or focus:
            self._node(anchor)
            self._node(focus)
        self.selection = (anchor, anchor_offset, focus, focus_offset, composed)

    def _bubble(self, op: JsonList) -> None:
        self.bubble = [self._node(op[1]).id, *op[2:]] if op[1] else []

    def _sheet(self, op: JsonList) -> None:
        number, owner, text = op[1], op[2], op[3]
        if type(number) is not int or type(owner) is not int or type(text) is not str:
            raise OpError("a sheet has a number, an owner and a text")
        if owner:
            self._node(owner)
        if number not in self.sheets:
            self._room_for(self.sheets)
        options = cast("dict[str, Json]", op[4]) if len(op) > 4 else {}
        self.sheets[number] = Sheet(number, owner, text, str(options.get("media") or ""), bool(options.get("disabled")))

    def _unsheet(self, op: JsonList) -> None:
        for number in op[1:]:
            if number not in self.sheets:
                self.fail(f"there is no sheet {number!r}"[:120])
            else:
                del self.sheets[cast(int, number)]

    def _adopt(self, op: JsonList) -> None:
        node = self._node(op[1])
        if node.kind not in (DOCUMENT, SHADOW):
            raise OpError(f"node {node.id} adopts no sheets")
        numbers: list[int] = []
        for number in cast(JsonList, op[2]):
            if number in self.sheets:
                numbers.append(cast(int, number))
            else:
                self.fail(f"there is no sheet {number!r}"[:120])
        if numbers:
            self.adopted[node.id] = numbers
        else:
            self.adopted.pop(node.id, None)

    def _open(self, op: JsonList) -> None:
        node, how = self._node(op[1]), op[2]
        self.top_layer.pop(node.id, None)
        self._set(node, "open", how)
        if how:
            self.top_layer[node.id] = str(how)

    def _states(self, op: JsonList) -> None:
        self._set(self._node(op[1]), "states", list(cast("list[Json]", op[2])))

    def _canvas(self, op: JsonList) -> None:
        sha256, width, height = op[2:5]
        node = self._node(op[1])
        self._set(node, "canvas", [sha256, width, height])
        self.told["canvas", node.id] = self.clock

    def _media(self, op: JsonList) -> None:
        node = self._node(op[1])
        self._set(node, "media", dict(cast("dict[str, Json]", op[2])))
        self.told["media", node.id] = self.clock

    def _drawing(self, op: JsonList) -> None:
        node, told = self._node(op[1]), cast("dict[str, Json]", op[2])
        before = cast("dict[str, Json]", (node.state or {}).get("drawing") or {})
        # Place and clock are recorded separately: each stays valid while the other changes.
        kept = before if any(name in told for name in PLACED) else {k: v for k, v in before.items() if k in PLACED}
        self._set(node, "drawing", {**kept, **told})
        if "time" in told:
            self.told["drawing", node.id] = self.clock

    def _assign(self, op: JsonList) -> None:
        node = self._node(op[1])
        self._set(node, "assign", [cast(int, item) for item in cast(JsonList, op[2])])

    def _cues(self, op: JsonList) -> None:
        self._set(self._node(op[1]), "cues", list(cast("list[Json]", op[2])))

    def _highlight(self, op: JsonList) -> None:
        name, priority, ranges = cast(str, op[1]), cast(float, op[2]), cast("list[int]", op[3])
        if ranges:
            self._room_for(self.highlights)
            self.highlights[name] = (priority, ranges)
        else:
            self.highlights.pop(name, None)

    def _anims(self, op: JsonList) -> None:
        state = {"rate": 1, "running": True, **cast("dict[str, Json]", op[2])}
        key, name = cast(int, op[1]), ""
        for item in op[3:]:
            if type(item) is str:
                name = item
                continue
            if item in self.nodes:
                earlier = self.animations.get(key)
                if earlier is None:
                    self._room_for(self.animations)
                told = {**state, "name": name} if name else state
                self.animations[key] = (cast(int, item), {**earlier[1], **told} if earlier else told)
                self.told["anim", key] = self.clock
            else:
                self.fail(f"there is no node {item!r}"[:120])
            key += 1

    def _unanim(self, op: JsonList) -> None:
        for key in op[1:]:
            self._end(cast(int, key))

    def _anim(self, op: JsonList) -> None:
        node, key = self._node(op[1]), cast(int, op[2])
        if op[3] is None:
            self._end(key)
        else:
            earlier = self.animations.get(key)
            if earlier is None:
                self._room_for(self.animations)
            state = dict(cast("dict[str, Json]", op[3]))
            self.animations[key] = (node.id, {**earlier[1], **state} if earlier else state)
            self.told["anim", key] = self.clock


_APPLY: Final[dict[str, Callable[[DocumentModel, JsonList], None]]] = {
    "doc": DocumentModel._doc,
    "add": DocumentModel._add,
    "move": DocumentModel._move,
    "del": DocumentModel._del,
    "text": DocumentModel._text,
    "attr": DocumentModel._attr,
    "value": DocumentModel._state_text,
    "src": DocumentModel._state_text,
    "masked": DocumentModel._state_text,
    "exact": DocumentModel._state_text,
    "checked": DocumentModel._state_flag,
    "indeterminate": DocumentModel._state_flag,
    "selected": DocumentModel._selected,
    "scroll": DocumentModel._scroll,
    "focus": DocumentModel._focus,
    "pointed": DocumentModel._pointed,
    "selection": DocumentModel._selection,
    "bubble": DocumentModel._bubble,
    "sheet": DocumentModel._sheet,
    "unsheet": DocumentModel._unsheet,
    "adopt": DocumentModel._adopt,
    "open": DocumentModel._open,
    "states": DocumentModel._states,
    "typed": DocumentModel._typed,
    "canvas": DocumentModel._canvas,
    "media": DocumentModel._media,
    "drawing": DocumentModel._drawing,
    "assign": DocumentModel._assign,
    "highlight": DocumentModel._highlight,
    "cues": DocumentModel._cues,
    "anims": DocumentModel._anims,
    "anim": DocumentModel._anim,
    "unanim": DocumentModel._unanim,
}
