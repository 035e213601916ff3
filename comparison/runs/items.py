"""What a run is made of, for a comparison: its steps and what was done in them, its requests, its console, what its pages showed."""

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
"""What leads to an element that says a part of a line, with its number among those of the line that have it; and what it says there."""
ItemKind = Literal["step", "call", "model", "tool", "visit", "press"]
"""``visit`` and ``press`` are what stands for calls where none was recorded: a page that was loaded, an element that was clicked."""


@dataclass(slots=True, eq=False)
class Item:
    """A step, or something that was done: a call of Playwright's, of a model, of a tool. Times in ms on the run's clock."""

    kind: ItemKind
    key: str
    """What it is, whichever run it is in."""
    t: float
    end: float
    id: int | str | None = None
    title: str = ""
    error: str | None = None
    event: Record = field(default_factory=dict)
    """The recorded event; of a step with what ended it, of a tool's call with what it gave."""
    parent: Item | None = None
    items: list[Item] = field(default_factory=list)
    """What was done in a step, in order of time."""
    tries: list[Item] = field(default_factory=list)
    """Those that failed before it: they are one with it."""
    place: int = -1
    """Its number among all that was done; -1 for a step."""
    depth: int = 0
    """How many steps it is in."""
    pressed: float | None = None
    """When the page got the press that a call is for: what came before that, the call did not bring, however long it waited."""

    @property
    def felt(self) -> float:
        """When a page first had anything of it, in ms."""
        return self.t if self.pressed is None else self.pressed

    @property
    def duration(self) -> float:
        """Ms from its begin to its end."""
        return max(self.end - self.t, 0.0)

    @property
    def returned(self) -> bool:
        """Whether it came to an end: a tool without a result did not."""
        return self.kind != "tool" or "result" in self.event or self.error is not None

    @property
    def step(self) -> Item | None:
        """The innermost step that it is in; a step itself."""
        here: Item | None = self
        while here is not None and here.kind != "step":
            here = here.parent
        return here

    @property
    def outermost(self) -> Item:
        """The outermost step that it is in, or itself."""
        here = self
        while here.parent is not None:
            here = here.parent
        return here

    def leaves(self) -> Iterator[Item]:
        """Yield what was done in it, in order; itself, if it is no step."""
        if self.kind != "step":
            yield self
        for item in self.items:
            yield from item.leaves()


@dataclass(slots=True, eq=False)
class RunRequest:
    """A request with its answer."""

    key: str
    """Method and template of its address."""
    id: int | str
    t: float
    end: float
    method: str
    url: str
    type: str
    page: int
    status: int | None
    failed: str | None
    """The network's own error; an answer with a status is none."""
    sent: Any = None
    """JSON that was sent, and that came; :data:`NOTHING` where there is none."""
    answer: Any = None
    place: int = -1
    answered: bool = True


class Nothing:
    """Stands for a value that is not there; ``None`` is JSON's null."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING = Nothing()


@dataclass(slots=True, eq=False)
class NoticeLine:
    """What a console said, or an error that no script caught; what a dialog said, or what a file that was saved is called."""

    t: float
    level: str
    text: str
    key: str
    place: int = -1


@dataclass(frozen=True, slots=True)
class Stall:
    """A time in which the machine, or a page's thread, did not come to do what it was to do, in ms."""

    t: float
    end: float
    page: int | None = None
    """None: the machine."""
    share: float | None = None
    """For how much of it something waited for a processor; None: it stood still."""


@dataclass(frozen=True, eq=False)
class ShownPage:
    """What one page showed from a moment on, as a person reads it."""

    t: float
    url: str
    lines: tuple[str, ...]
    keys: tuple[str, ...] = ()
    """The lines without what is never twice the same."""
    places: tuple[tuple[int, int], ...] = ()
    """For each line the element that holds it: its document and its id."""
    slots: tuple[str, ...] = ()
    """For each line what leads to that element: the same for the items of a list, and in each run. See :mod:`.slots`."""
    pieces: Mapping[int, tuple[Piece, ...]] = field(default_factory=dict)
    """Number of a line that several elements say together → what each of them says."""

    @cached_property
    def key_set(self) -> frozenset[str]:
        """The keys, each once."""
        return frozenset(self.keys)

    @cached_property
    def often(self) -> Counter[str]:
        """How often each of the keys is said."""
        return Counter(self.keys)

    def says(self, line: str, times: int = 1) -> bool:
        """Return whether a line is said, so often at least."""
        return line in self.key_set and (times < 2 or self.often[line] >= times)


class Sketch(Struct, eq=False):
    """An element, or a document's root, as it was: never changed, and shared by all moments between which it was the same."""

    node: Node
    """The element itself, which may have changed since."""
    name: str
    attrs: dict[str, str]
    text: str
    """Its own text, without that of the elements in it."""
    inside: list[Sketch]
    """The elements in it: its shadow root's, then its own."""
    hash: int
    """Of what it says and of the elements in it: the same for two that mean the same, in each run."""


@dataclass(slots=True, eq=False)
class View:
    """What the pages showed while something was done and until the next thing was."""

    ends: dict[int, ShownPage] = field(default_factory=dict)
    """Page → what it showed when the next thing was about to be done."""
    rests: dict[int, bool] = field(default_factory=dict)
    """Page → whether it had come to rest by then: nothing changed, and nothing was asked for."""
    between: dict[int, list[ShownPage]] = field(default_factory=dict)
    """Page → what it showed meanwhile, for as long as a person could have seen it."""
    states: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Page → its document's number, and how many times that had changed."""
    trees: dict[int, Sketch] = field(default_factory=dict)
    """Page that had come to rest → what the elements of its document said, as far as that was kept."""
    moment: float = 0.0


@dataclass(slots=True, eq=False)
class ComparedRun:
    """One recording, as a comparison reads it."""

    path: str
    kind: str
    items: list[Item]
    """Outermost steps, and what was done outside of any."""
    done: list[Item]
    """All that was done, in order: item ``place`` of it."""
    views: list[View]
    """Of each of them."""
    requests: list[RunRequest]
    console: list[NoticeLine]
    duration: float
    outcome: str
    cost: float
    tokens: int
    model: PageModel
    """The pages at the end of the run."""
    versions: dict[int, int]
    """Document → how many times it changed."""
    windows: list[NoticeLine] = field(default_factory=list)
    """Dialogs by their type, and downloads."""
    masked: bool = False
    stalls: list[Stall] = field(default_factory=list)
    beats: bool = False
    """Whether its recorder looked at how busy the machine was: then it went on steadily where nothing says that it did not."""
    notes: list[str] = field(default_factory=list)
    """Why the recording says less than it might, a sentence each."""
    reel: Reel | None = None
    """The recording itself, open to be played again, until :meth:`close` or for as long as the run is there."""

    def close(self) -> None:
        """Close the recording."""
        if self.reel is not None:
            self.reel.close()
