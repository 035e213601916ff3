"""Reads the text and the trees of a run's pages during each action, in one pass over the events.

A page is read when it has not changed for a moment (a person can see only that), and right before the next action.
Whether it had settled by then decides how a difference is judged: content that is still loading in one run may have
loaded in the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, cast

from pagereel.reading import BlockTextCache, build_outline_lines
from pagereel.reel import Event, Json, Node, PageModel

from .element_sketches import TOLD, SketchMaker
from .normalization import normalize_line
from .run_items import ActionView, PageTextState, Piece
from .slots import SlotCache

STILL: Final = 40.0
"""Ms without a change after which a person could have seen a state."""
REST: Final = 100.0
"""Ms without a change, and without a request under way, after which a page counts as settled."""
GIVEN_UP: Final = 500.0
"""Ms after an aborted request in which a page does not count as settled."""
LONG: Final = 10_000.0
"""Ms after which a request counts as a permanent connection, which is not waited for."""
_POLLS: Final = 3
"""A page that sends a request more often than this after one action polls, and always waits for an answer."""
_LOOKS: Final = 24
"""Largest number of readings of a page during one action, without the one at its end."""
_LARGE: Final = 4_000
"""Number of nodes from which on a page is read less often, `_LOOKS_LARGE` times."""
_LOOKS_LARGE: Final = 3
_SILENT: Final = frozenset({"pointer", "mouse", "checkpoint"})
_SILENT_OPS: Final = frozenset({"scroll", "pointed", "focus"})
"""Ops that change no line of a page, so that it is not read again."""
_PAINTED: Final = frozenset(
    {"style", "transform", "d", "points", "x", "y", "cx", "cy", "x1", "x2", "y1", "y2", "viewBox", "opacity"}
)
"""Attributes for the position and appearance of a drawing."""
_AWAITED: Final = frozenset({"document", "xhr", "fetch", "script", "stylesheet"})

_Parts = list[tuple[tuple[int, int], str]]
"""Elements that contribute to a line, by document and id, and their texts."""


class ViewReader:
    """Reads the view of each action from a run's events. :meth:`apply_event` takes each event in the order of the timeline,
    :meth:`begin_action` the beginning of each action, and :meth:`finish_views` returns the views.
    """

    def __init__(self, skip: Callable[[Node], bool] | None = None) -> None:
        self._skip = skip
        self.model = PageModel()
        self.done: list[ActionView] = []
        self.versions: dict[int, int] = {}
        """Document → number of its changes."""
        self._said: dict[int, int] = {}
        """Document → number of changes that may have changed its text."""
        self.changed_attributes: set[tuple[int, int, str]] = set()
        """Document, node and name of each attribute in :data:`.element_sketches.TOLD` that a page changed."""
        self._view = ActionView()
        self._acted = 0.0
        """End of the last action that may change pages, in ms."""
        self._changed: dict[int, float] = {}
        """Page → its last change, in ms."""
        self._looked: dict[int, tuple[object, PageTextState]] = {}
        """Page → the state at the last reading, and what it showed."""
        self._slots = SlotCache()
        self._read: dict[int, dict[int, tuple[_Parts, tuple[Piece, ...]]]] = {}
        """Page → the last parts of its lines from the outline, by identity, and the pieces made of them."""
        self._sketches = SketchMaker() if skip is None else None
        self._blocks = BlockTextCache() if skip is None else None
        self._looks: dict[int, int] = {}
        self._given_up: dict[int, float] = {}
        """Page → when a request of it was last aborted, in ms, mostly because the page or the run went on."""
        self._asked: dict[object, tuple[int, float]] = {}
        """Requests under way → page, and time in ms."""
        self._sent: Counter[tuple[object, ...]] = Counter()
        """Page, method and path → number of requests since the last action."""
        self._polls: set[tuple[object, ...]] = set()

    def apply_event(self, event: Event) -> None:
        """Apply one event to the page model. If the page has not changed for :data:`STILL` ms before an event that
        changes it, read its text first.
        """
        kind, t = event["k"], cast(float, event.get("t") or 0.0)
        if kind == "request":
            if event.get("type") in _AWAITED and not self._is_poll(event):
                self._asked[event["id"]] = (cast(int, event.get("page") or 0), t)
        elif kind == "response":
            asked = self._asked.pop(event["id"], None)
            if asked is not None and event.get("error"):
                self._given_up[asked[0]] = t
        page = self._get_page_of_event(event)
        is_motion = page is not None and kind == "mutation" and self._is_paint_only_change(event)
        if page is not None and kind in ("mutation", "snapshot", "document", "location", "embed"):
            if t - self._changed.get(page, t) >= STILL:
                self._record_intermediate_state(page)
            if not is_motion:
                self._changed[page] = t
            d = cast(int, event["d"])
            self.versions[d] = self.versions.get(d, 0) + 1
        if page is not None and not _leaves_text_unchanged(event) and not is_motion:
            d = cast(int, event["d"])
            self._said[d] = self._said.get(d, 0) + 1
            self.changed_attributes.update(_iter_changed_attributes(event))
        self.model.apply(event)

    def _is_poll(self, request: Event) -> bool:
        """Return whether a page has sent this request more than :data:`_POLLS` times after one action: it always waits for one."""
        key = (request.get("page"), request["method"], str(request["url"]).partition("?")[0])
        self._sent[key] += 1
        if self._sent[key] > _POLLS:
            self._polls.add(key)
        return key in self._polls

    def begin_action(self, t: float, last_effect: float = 0.0) -> None:
        """End the view of the last action, and begin that of the next one at `t` (ms).

        `last_effect`: the time (ms) until which the action may change pages.
        """
        self._end_view(t)
        self._acted = max(self._acted, last_effect)
        self._sent.clear()
        self._view = ActionView()

    def finish_views(self, t: float) -> list[ActionView]:
        """End the last view at `t` (ms), and return the views of all actions."""
        self._end_view(t)
        return self.done[1:]

    def _end_view(self, t: float) -> None:
        view = self._view
        view.moment = t
        for page, state in self.model.pages.items():
            if not state.open or state.document is None:
                continue
            view.ends[page] = self._read_page_state(page)
            view.states[page] = (state.document, self.versions.get(state.document, 0))
            waiting = any(p == page and t - sent < LONG for p, sent in self._asked.values())
            waiting = waiting or t - self._given_up.get(page, -LONG) < GIVEN_UP
            view.rests[page] = not waiting and t - max(self._changed.get(page, 0.0), self._acted) >= REST
            self._store_sketch(view, page, state.document)
        self.done.append(view)
        self._looks.clear()

    def _store_sketch(self, view: ActionView, page: int, document_number: int) -> None:
        document = self.model.documents.get(document_number)
        if document is None or self._sketches is None or self._sketches.is_limit_exceeded:
            return
        sketch = self._sketches.sketch_document(document)
        if sketch is not None:
            view.trees[page] = sketch

    def _record_intermediate_state(self, page: int) -> None:
        state = self.model.pages.get(page)
        if state is None or state.document is None:
            return
        document = self.model.documents.get(state.document)
        large = document is not None and len(document.nodes) > _LARGE
        looks = self._looks.get(page, 0)
        if looks < (_LOOKS_LARGE if large else _LOOKS):
            self._looks[page] = looks + 1
            shown = self._read_page_state(page)
            between = self._view.between.setdefault(page, [])
            if not between or between[-1] is not shown:
                between.append(shown)

    def _read_page_state(self, page: int) -> PageTextState:
        number = self.model.pages[page].document
        document = self.model.documents.get(number or 0)
        if document is None:
            return PageTextState(0.0, "", (), ())
        state = tuple(
            (d.d, self._said.get(d.d, 0)) for d in self.model.documents.values() if d.page == page and not d.ended
        )
        looked = self._looked.get(page)
        if looked is not None and looked[0] == state:
            return looked[1]
        places: list[tuple[int, int]] = []
        pieces: dict[int, _Parts] = {}
        said = build_outline_lines(
            self.model, document, skip=self._skip, places=places, pieces=pieces, blocks=self._blocks
        )
        lines = tuple(said or ("",))
        stood = tuple(places)
        # The slots of the same elements do not change.
        slots = (
            looked[1].slots
            if looked is not None and looked[1].places == stood
            else self._slots.get_slots(self.model, places)
        )
        parts = self._build_line_parts(page, pieces)
        if looked is not None and (looked[1].url, looked[1].lines) == (document.url, lines):
            shown = looked[1]
        else:
            keys = tuple(map(normalize_line, lines))
            shown = PageTextState(self._changed.get(page, 0.0), document.url, lines, keys, stood, slots, parts)
        self._looked[page] = (state, shown)
        return shown

    def _build_line_parts(self, page: int, pieces: Mapping[int, _Parts]) -> dict[int, tuple[Piece, ...]]:
        """Return, for each line of the page's text by its index, the texts of the elements that it is made of. Elements that
        an earlier text of this page had too are read from a cache.
        """
        before, now = self._read.get(page, {}), {}
        fresh = [parts for parts in pieces.values() if id(parts) not in before]
        slots = iter(self._slots.get_slots(self.model, [place for parts in fresh for place, _ in parts]))
        for parts in fresh:
            now[id(parts)] = parts, _name_line_parts(islice(slots, len(parts)), parts)
        for parts in pieces.values():
            if id(parts) not in now:
                now[id(parts)] = before[id(parts)]
        self._read[page] = now
        return {number: now[id(parts)][1] for number, parts in pieces.items()}

    def _is_paint_only_change(self, event: Event) -> bool:
        """Return whether a mutation only moves or paints existing content. An animation makes such a change in each
        frame, and the page counts as settled all the same.
        """
        document = self.model.documents.get(cast(int, event["d"]))
        ops = cast("list[list[Json]]", event.get("ops") or [])
        for op in ops:
            if op[0] != "attr" or document is None:
                return False
            changes, node = cast("dict[str, str | None]", op[2]), document.nodes.get(cast(int, op[1]))
            before = node.attrs.get("style", "") if node is not None else ""
            if changes.keys() - _PAINTED or "display" in before or "display" in (changes.get("style") or ""):
                return False
        return bool(ops)

    def _get_page_of_event(self, event: Event) -> int | None:
        d = event.get("d")
        if type(d) is not int:
            return None
        if event["k"] == "document":
            return cast(int, event.get("page") or 0)
        document = self.model.documents.get(d)
        return document.page if document is not None else None


def _name_line_parts(slots: Iterable[str], parts: _Parts) -> tuple[Piece, ...]:
    """Return the pieces of one line, each named by its slot and its number among those with that slot."""
    often: dict[str, int] = {}
    said: list[Piece] = []
    for slot, (_, text) in zip(slots, parts, strict=True):
        number = often[slot] = often.get(slot, 0) + 1
        if text:
            said.append((f"{slot} {number}", text))
    return tuple(said)


def _leaves_text_unchanged(event: Event) -> bool:
    if event["k"] != "mutation":
        return event["k"] in _SILENT
    ops = cast("list[list[Json]]", event.get("ops") or [])
    return bool(ops) and all(op[0] in _SILENT_OPS for op in ops)


def _iter_changed_attributes(event: Event) -> Iterator[tuple[int, int, str]]:
    """Yield document, node and name of each attribute that matters to a person and that a mutation changes."""
    for op in cast("list[list[Any]]", event.get("ops") or ()):
        if op[0] == "attr":
            for name in op[2]:
                if name in TOLD:
                    yield cast(int, event["d"]), op[1], name
