"""The parts of a run for a comparison: its steps and actions, its requests, its console, and the text of its pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct

from pagereel.reel import Node, PageModel, Reel

Record = dict[str, Any]
Piece = tuple[str, str]
"""A part of a line: the slot of its element, with the element's number among those with that slot; and its text."""
ItemKind = Literal["step", "call", "model", "tool", "visit", "press"]
"""``visit`` and ``press`` replace calls where none was recorded: a page was loaded, an element was clicked."""


@dataclass(slots=True, eq=False)
class RunItem:
    """A step or an action: a call of Playwright's, of a model, or of a tool. Times in ms on the run's clock."""

    kind: ItemKind
    key: str
    """Identifies the item in any run."""
    t: float
    end: float
    id: int | str | None = None
    title: str = ""
    error: str | None = None
    event: Record = field(default_factory=dict)
    """The recorded event; for a step with the fields of its end, for a tool call with those of its result."""
    parent: RunItem | None = None
    items: list[RunItem] = field(default_factory=list)
    """The actions in a step, in order of time."""
    tries: list[RunItem] = field(default_factory=list)
    """Failed attempts before it, which count as the same item."""
    place: int = -1
    """Its number among all actions; -1 for a step."""
    depth: int = 0
    """Number of steps around it."""
    pressed: float | None = None
    """When the page received the click of a call: changes before it were not caused by the call, however long the call
    waited.
    """

    @property
    def earliest_effect_time(self) -> float:
        """Return the earliest time, in ms, at which a page could react to this action."""
        return self.t if self.pressed is None else self.pressed

    @property
    def duration(self) -> float:
        """Return the time from the item's beginning to its end, in ms."""
        return max(self.end - self.t, 0.0)

    @property
    def has_returned(self) -> bool:
        """Return whether the item ended; False only for a tool call without a result or an error."""
        return self.kind != "tool" or "result" in self.event or self.error is not None

    @property
    def enclosing_step(self) -> RunItem | None:
        """Return the innermost step around it, or the step itself."""
        here: RunItem | None = self
        while here is not None and here.kind != "step":
            here = here.parent
        return here

    @property
    def outermost_item(self) -> RunItem:
        """Return the outermost step around it, or the item itself."""
        here = self
        while here.parent is not None:
            here = here.parent
        return here

    def iter_actions(self) -> Iterator[RunItem]:
        """Yield the actions in a step, in order; an action yields itself."""
        if self.kind != "step":
            yield self
        for item in self.items:
            yield from item.iter_actions()


@dataclass(slots=True, eq=False)
class RunRequest:
    """A request with its response."""

    key: str
    """Method and normalized address."""
    id: int | str
    t: float
    end: float
    method: str
    url: str
    type: str
    page: int
    status: int | None
    failed: str | None
    """The network's own error; None for a response with any status."""
    sent: Any = None
    """JSON of the request and of the response; :data:`NOTHING` where there is none."""
    answer: Any = None
    place: int = -1
    answered: bool = True
    document: int = 0
    """The document that sent it; 0: none, or a request for a document."""


class MissingValue:
    """A missing value; ``None`` is JSON's null."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING = MissingValue()


@dataclass(slots=True, eq=False)
class BrowserMessage:
    """A line of a console, an uncaught exception, the text of a dialog, or the name of a downloaded file."""

    t: float
    level: str
    text: str
    key: str
    place: int = -1


@dataclass(frozen=True, slots=True)
class MachineStall:
    """A period in which the machine, or a page's thread, was stalled or busy, in ms."""

    t: float
    end: float
    page: int | None = None
    """None: the machine."""
    share: float | None = None
    """Share of the period in which something waited for a processor; None: nothing ran at all."""


@dataclass(frozen=True, eq=False)
class PageTextState:
    """The readable text of one page from a time on."""

    t: float
    url: str
    lines: tuple[str, ...]
    keys: tuple[str, ...] = ()
    """The normalized lines."""
    places: tuple[tuple[int, int], ...] = ()
    """For each line the element around it: its document and its id."""
    slots: tuple[str, ...] = ()
    """For each line the slot of that element, which is the same for the items of a list, and in each run. See
    :mod:`.slots`.
    """
    pieces: Mapping[int, tuple[Piece, ...]] = field(default_factory=dict)
    """Index of a line that comes from several elements → their parts."""

    @cached_property
    def line_key_set(self) -> frozenset[str]:
        """Return the keys of all lines: their texts, with what varies from run to run left out."""
        return frozenset(self.keys)

    @cached_property
    def line_counts(self) -> Counter[str]:
        """Return how often each line occurs on the page, by its key: its text with what varies from run to run left
        out.
        """
        return Counter(self.keys)

    def has_line(self, line: str, times: int = 1) -> bool:
        """Return whether a line occurs at least `times` times."""
        return line in self.line_key_set and (times < 2 or self.line_counts[line] >= times)


class ElementSketch(Struct, eq=False):
    """The state of an element, or of a document's root, at one time. A sketch is never changed; all times at which the
    element was the same share one.
    """

    node: Node
    """The element itself, which may have changed since."""
    name: str
    attrs: dict[str, str]
    text: str
    """Its own text, without that of the elements in it."""
    inside: list[ElementSketch]
    """The elements in it: its shadow root's, then its own."""
    hash: int
    """A hash of its content and of the elements in it, equal for two elements that mean the same, in any run."""


@dataclass(slots=True, eq=False)
class ActionView:
    """The states of a run's pages from the beginning of one action to that of the next."""

    ends: dict[int, PageTextState] = field(default_factory=dict)
    """Page → its state right before the next action."""
    rests: dict[int, bool] = field(default_factory=dict)
    """Page → whether it had settled by then: no changes, and no requests under way."""
    between: dict[int, list[PageTextState]] = field(default_factory=dict)
    """Page → its states in between, as far as a person could have seen them."""
    states: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Page → its document's number, and how many times that had changed."""
    trees: dict[int, ElementSketch] = field(default_factory=dict)
    """Page → the sketch of its document, as far as it was kept."""
    moment: float = 0.0


@dataclass(slots=True, eq=False)
class ComparedRun:
    """The data of one recording that a comparison needs: its actions, requests and console messages, and the text of
    its pages.
    """

    path: str
    kind: str
    items: list[RunItem]
    """Outermost steps, and actions outside of steps."""
    done: list[RunItem]
    """All actions, in order of their ``place``."""
    views: list[ActionView]
    """The view of each action."""
    requests: list[RunRequest]
    console: list[BrowserMessage]
    duration: float
    outcome: str
    cost: float
    tokens: int
    model: PageModel
    """The pages at the end of the run."""
    versions: dict[int, int]
    """Document → number of its changes."""
    changed_attributes: set[tuple[int, int, str]] = field(default_factory=set)
    """Document, node and name of each attribute that a page changed, of those that matter to a person."""
    documents: dict[int, str] = field(default_factory=dict)
    """Each document, in order → the key of its address."""
    windows: list[BrowserMessage] = field(default_factory=list)
    """Dialogs by their type, and downloads."""
    masked: bool = False
    stalls: list[MachineStall] = field(default_factory=list)
    beats: bool = False
    """Whether its recorder measured the machine's load: then the machine was steady wherever no event says otherwise."""
    notes: list[str] = field(default_factory=list)
    """Why the recording is less complete than it could be, a sentence each."""
    polls: frozenset[str] = frozenset()
    """Keys of the requests that poll: the pages sent them several times after one action."""
    reel: Reel | None = None
    """The open recording, to be replayed, until :meth:`close` or the end of this object."""

    def close(self) -> None:
        """Close the recording."""
        if self.reel is not None:
            self.reel.close()
