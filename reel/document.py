"""One recorded document at one moment: its tree and the rest of its state, changed by ops.

Ops come from pages, so they are not trusted: an op that names a missing node, would put a node below itself, or has
the wrong shape is counted in :attr:`DocumentModel.errors` and skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

from . import digest as canonical
from .events import Json
from .forms import CONTROLS
from .limits import LIVE_ENTRIES, LIVE_TEXT
from .nodes import DOCUMENT, ELEMENT, PI, SHADOW, Node, light, walk
from .ops import OPS
from .tree import DocumentTree, JsonList, NoRoomError, OpError

_NO_SELECTION: Final = (0, 0, 0, 0, 0)
PLACED: Final = ("x", "y", "scale")
"""Fields of the op ``drawing`` for the place of a drawing."""


class Sheet:
    """A style sheet object that a script created or changed. `owner` is the id of its ``<style>`` or ``<link>``; 0:
    constructed.
    """

    __slots__ = ("disabled", "media", "number", "owner", "text")

    def __init__(self, number: int, owner: int, text: str, media: str, disabled: bool) -> None:
        self.number = number
        self.owner = owner
        self.text = text
        self.media = media
        self.disabled = disabled


class DocumentModel(DocumentTree):
    """The state of one document. :meth:`apply` changes it; everything else reads it.

    `nodes` maps ids to nodes and holds exactly the nodes of the tree under `root`. Offsets and sizes are CSS px.
    """

    __slots__ = (
        "adopted",
        "animations",
        "bubble",
        "clock",
        "counted",
        "d",
        "ended",
        "focus",
        "focus_visible",
        "frame",
        "highlights",
        "lost",
        "mode",
        "n",
        "over",
        "over_why",
        "page",
        "parent",
        "pointed",
        "pointer",
        "preferences",
        "referrer",
        "selection",
        "sheets",
        "title",
        "told",
        "top",
        "top_layer",
        "url",
        "viewport",
        "visibility",
    )

    def __init__(self, d: int) -> None:
        super().__init__()
        self.d = d
        self.page = 0
        self.frame = ""
        self.url = ""
        self.top = False
        self.mode = "CSS1Compat"
        self.title = ""
        self.referrer = ""
        self.viewport: tuple[float, float, float] = (0, 0, 1)
        """Width and height in CSS px, device pixel ratio."""
        self.preferences: dict[str, Json] = {}
        """Results of media queries for the person's preferences: ``scheme``, ``motion`` and ``media`` of
        docs/format.md.
        """
        self.parent: tuple[int, int] | None = None
        """The document and the node id of the iframe that shows this one, or ``None``."""
        self.visibility = "visible"
        self.pointer: tuple[float, float] | None = None
        self.ended = False
        self.counted = 0
        """Number of its nodes when the page model last counted them."""
        self.n = -1
        """The number of the last message that was applied."""
        self.lost = 0
        """Number of missing messages before :attr:`n`."""
        self.clock = 0.0
        """``t`` of the last message, in ms."""
        self.told: dict[tuple[str, int], float] = {}
        """When a state that changes by itself was last recorded, in ms: of ``anim`` by the animation's number, of
        ``media`` and ``drawing`` by their node; and when the content of a ``canvas`` was.
        """
        self.sheets: dict[int, Sheet] = {}
        self.adopted: dict[int, list[int]] = {}
        """Id of the document node or of a shadow root → the numbers of its adopted sheets."""
        self.focus = 0
        self.focus_visible: int | None = None
        """Whether the focused element matched ``:focus-visible`` (0, 1); ``None``: unknown."""
        self.pointed: tuple[int, int, int] | None = None
        """Ids of the innermost elements that match ``:hover`` and ``:active``, and of the ``:target``; 0 for none.
        ``None``: unknown.
        """
        self.selection: tuple[int, int, int, int, int] = _NO_SELECTION
        """Start and end of the selection; the last number is 1 or 2 while an input method is composing it."""
        self.bubble: JsonList = []
        """The browser's own message beside an invalid field: the field's id, whether it quotes its value, its lines;
        empty: none.
        """
        self.top_layer: dict[int, str] = {}
        """Id → ``modal``, ``dialog``, ``popover`` or ``fullscreen``, from the bottom to the top."""
        self.highlights: dict[str, tuple[float, list[int]]] = {}
        """Name → priority, and a flat list of ranges: start node, offset, end node, offset."""
        self.animations: dict[int, tuple[int, dict[str, Json]]] = {}
        """Number of a running animation → its element's id and its state, as in the op ``anim``."""
        self.over: list[Json] = []
        """Ops of the last message that were refused because they are too large, and the reason."""
        self.over_why = ""

    # -- reading --------------------

    def walk(self) -> Iterator[Node]:
        """Yield every node in document order; shadow roots and template contents come before the light children."""
        return walk(self.root) if self.root is not None else iter(())

    def element_by_id(self, value: str) -> Node | None:
        """Return the first element of the document's own tree whose ``id`` attribute is `value` (as ``getElementById``)."""
        if self.root is not None and value:
            for node in light(self.root):
                if node.kind == ELEMENT and node.attrs.get("id") == value:
                    return node
        return None

    def lines(self) -> Iterator[str]:
        """Yield the canonical lines, each with its line end. :meth:`digest` is their CRC-32."""
        if self.root is not None:
            yield from canonical.tree_lines(self.root)
        yield from canonical.sheet_lines({s.number: (s.owner, s.text) for s in self.sheets.values()}, self.adopted)

    def digest(self) -> tuple[str, int]:
        """Return the digest of docs/format.md, "Checkpoints" (eight hex digits), and the number of nodes."""
        return canonical.digest(self.lines()), len(self.nodes)

    # -- applying --------------------

    def apply(self, ops: JsonList, *, words: bool = True) -> None:
        """Apply the ops of one message in order. Invalid ones are counted and skipped. `words`: whether there is room
        for more text.
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

    def length(self) -> int:
        """Return the number of characters in the document; other content counts with about its bytes."""
        found = 500 * (len(self.sheets) + len(self.animations) + len(self.highlights) + len(self.stateful))
        for node in self.nodes.values():
            found += len(node.data)
            if node.attrs:
                found += sum(map(len, node.attrs)) + sum(map(len, node.attrs.values()))
        found += sum(len(sheet.text) + len(sheet.media) for sheet in self.sheets.values())
        held: list[Json] = [node.state for node in self.stateful.values()]
        held += [state for _, state in self.animations.values()]
        held += [cast(Json, [name, *ranges]) for name, (_, ranges) in self.highlights.items()]
        held += [cast(Json, self.adopted[key]) for key in self.adopted]
        while held:
            value = held.pop()
            if isinstance(value, dict):
                held += (*value, *value.values())
            elif isinstance(value, list):
                held += value
            found += len(value) if isinstance(value, str) else 8
        return found + len(self.url) + len(self.title) + len(self.referrer)

    def problem_texts(self) -> list[str]:
        """Return descriptions of the first errors, with the document's number."""
        return [f"document {self.d}: {problem}" for problem in self.problems]

    def _room_for(self, entries: Mapping[Any, object]) -> None:
        if len(entries) >= LIVE_ENTRIES:
            raise NoRoomError(f"the page has more than {LIVE_ENTRIES:,} style sheets, animations or highlights")

    def _set(self, node: Node, key: str, value: Json) -> None:
        self._touch(node)
        if node.state is None:
            node.state = {}
            self.stateful[node.id] = node
        node.state[key] = value

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

    def _end(self, animation: int) -> None:
        self.animations.pop(animation, None)
        self.told.pop(("anim", animation), None)

    def _forget(self, gone: list[Node]) -> None:
        """Drop the state of nodes that were removed."""
        ids = {node.id for node in gone}
        for node_id in self.stateful.keys() & ids if self.stateful else ():
            del self.stateful[node_id]
            self.top_layer.pop(node_id, None)
            for name in ("media", "drawing", "canvas") if self.told else ():
                self.told.pop((name, node_id), None)
        if self.sheets:
            for number in [number for number, sheet in self.sheets.items() if sheet.owner in ids]:
                del self.sheets[number]
        for node_id in self.adopted.keys() & ids if self.adopted else ():
            del self.adopted[node_id]
        if self.animations:
            for key in [key for key, (target, _) in self.animations.items() if target in ids]:
                self._end(key)
        if self.focus in ids:
            self.focus = 0
        if self.pointed:
            hover, active, target = (0 if item in ids else item for item in self.pointed)
            self.pointed = (hover, active, target)
        if self.selection[0] in ids or self.selection[2] in ids:
            self.selection = _NO_SELECTION
        if self.bubble and self.bubble[0] in ids:
            self.bubble = []

    def _forget_all(self) -> None:
        self.sheets = {}
        self.highlights = {}
        self.adopted = {}
        self.animations = {}
        self.told = {}
        self.top_layer = {}
        self.focus = 0
        self.pointed = None
        self.bubble = []
        self.selection = _NO_SELECTION


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
