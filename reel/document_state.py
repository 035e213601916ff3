"""The state of a recorded document besides its tree: form controls, style sheets, focus, animations.

Here are its fields, what is computed from them, and how they change when nodes are removed; :mod:`.document` changes
the state by ops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from . import digest as canonical
from .document_tree import DocumentTree, JsonList, OpTooLargeError
from .events import Json
from .limits import LIVE_ENTRIES
from .nodes import ELEMENT, Node, iter_light_nodes, iter_nodes

_NO_SELECTION: Final = (0, 0, 0, 0, 0)


class ScriptedStyleSheet:
    """A style sheet object that a script created or changed. `owner`: the id of its ``<style>`` or ``<link>``, or 0 if
    a script constructed it.
    """

    __slots__ = ("disabled", "media", "number", "owner", "text")

    def __init__(self, number: int, owner: int, text: str, media: str, disabled: bool) -> None:
        self.number = number
        self.owner = owner
        self.text = text
        self.media = media
        self.disabled = disabled


class StatefulDocument(DocumentTree):
    """The tree and the rest of the state of one document; the subclass DocumentModel adds the ops that change them.

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
        self.sheets: dict[int, ScriptedStyleSheet] = {}
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

    def walk(self) -> Iterator[Node]:
        """Yield every node in document order; shadow roots and template contents come before the light children."""
        return iter_nodes(self.root) if self.root is not None else iter(())

    def find_element_by_id(self, value: str) -> Node | None:
        """Return the first element of the document's own tree with this ``id`` attribute, as ``getElementById`` does."""
        if self.root is not None and value:
            for node in iter_light_nodes(self.root):
                if node.kind == ELEMENT and node.attrs.get("id") == value:
                    return node
        return None

    def iter_canonical_lines(self) -> Iterator[str]:
        """Yield the canonical lines, each with its line end. :meth:`compute_digest` is their CRC-32."""
        if self.root is not None:
            yield from canonical.iter_tree_lines(self.root)
        yield from canonical.iter_sheet_lines({s.number: (s.owner, s.text) for s in self.sheets.values()}, self.adopted)

    def compute_digest(self) -> tuple[str, int]:
        """Return the document's digest (eight hex digits; docs/format.md, "Checkpoints") and its number of nodes."""
        return canonical.compute_digest(self.iter_canonical_lines()), len(self.nodes)

    def count_characters(self) -> int:
        """Return the number of characters in the document. Content that is not text is counted with its approximate
        size in bytes.
        """
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

    def describe_problems(self) -> list[str]:
        """Return descriptions of the first errors, with the document's number."""
        return [f"document {self.d}: {problem}" for problem in self.problems]

    def _require_room_for_entry(self, entries: Mapping[Any, object]) -> None:
        if len(entries) >= LIVE_ENTRIES:
            raise OpTooLargeError(f"the page has more than {LIVE_ENTRIES:,} style sheets, animations or highlights")

    def _set_node_state(self, node: Node, key: str, value: Json) -> None:
        self._mark_changed(node)
        if node.state is None:
            node.state = {}
            self.stateful[node.id] = node
        node.state[key] = value

    def _remove_animation(self, animation: int) -> None:
        self.animations.pop(animation, None)
        self.told.pop(("anim", animation), None)

    def _drop_state_of_nodes(self, removed_nodes: list[Node]) -> None:
        """Drop the state of nodes that were removed from the tree."""
        ids = {node.id for node in removed_nodes}
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
                self._remove_animation(key)
        if self.focus in ids:
            self.focus = 0
        if self.pointed:
            hover, active, target = (0 if item in ids else item for item in self.pointed)
            self.pointed = (hover, active, target)
        if self.selection[0] in ids or self.selection[2] in ids:
            self.selection = _NO_SELECTION
        if self.bubble and self.bubble[0] in ids:
            self.bubble = []

    def _drop_all_state(self) -> None:
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
