"""Whether a built file shows what it holds: the real DOM in the player's frame against the recording's state.

Two links make the chain. The page model of :mod:`pagereel.reel`, fed with the events that stand in the file, must give
each checkpoint's digest; and the DOM that a headless Chromium has in the player's frame after seeking there, taken
through the debugger so that closed shadow roots are seen too, must be that model, node for node: names, attributes, text,
what form controls hold, frames within frames. How it is painted is looked at where the recording has pictures (`checkpoint_screenshots=True`). Where the builder took out what must not
be in a replay (an animation of a link's address, say), the checkpoint's digest is of what is left; these are counted apart.
"""

from __future__ import annotations

import itertools
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from pagereel.reel import (
    CDATA,
    COMMENT,
    CONTENT,
    DOCTYPE,
    DOCUMENT,
    ELEMENT,
    PI,
    SHADOW,
    TEXT,
    DocumentModel,
    Event,
    Node,
    PageModel,
    is_checked,
    is_indeterminate,
    selected_of,
    value_of,
    walk,
)

from .allow import SILENT, canonical_tag
from .chunks import unpack
from .headless import Player
from .resources import PLACEHOLDER

PIXELS: Final = 0.005
"""The share of pixels that may differ from a picture: a caret that blinks, the edge of a letter."""

Progress = Callable[[float], None]

FRAMES: Final = frozenset(("iframe", "frame"))


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """A checkpoint that the replay does not meet. `t` in ms; `path` leads to the first node that differs, "" when the
    digest itself does not hold.
    """

    t: float
    d: int
    url: str
    path: str
    wanted: str
    found: str

    def __str__(self) -> str:
        where = f"document {self.d} ({self.url}) at {self.t:.0f} ms"
        if not self.path:
            return f"{where}: the checkpoint has {self.wanted}, the file's events give {self.found}"
        return f"{where}, {self.path}: recorded {_cut(self.wanted)}, replayed {_cut(self.found)}"


@dataclass
class ReplayReport:
    """What :func:`verify_replay` found. :attr:`ok` is the verdict."""

    path: Path
    total: int = 0
    equal: int = 0
    pictures: list[float] = field(default_factory=list)
    """Of each picture that was taken at a checkpoint: the share of pixels in which the replay differs, 0 to 1."""
    cleaned: int = 0
    """Of all: checkpoints of documents from which the builder took out what must not be in a replay."""
    differences: list[ReplayDifference] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.equal == self.total and all(share <= PIXELS for share in self.pictures)

    def __str__(self) -> str:
        cleaned = f", {self.cleaned} of them without what a replay must not hold" if self.cleaned else ""
        pixels = ""
        if self.pictures:
            close = sum(share <= PIXELS for share in self.pictures)
            pixels = (
                f"; pixels: {close} of {len(self.pictures)} within {PIXELS:.1%}, the worst {max(self.pictures):.2%}"
            )
        return f"replay: {self.equal} of {self.total}{cleaned}{pixels}"


def verify_replay(
    path: str | os.PathLike[str], *, launch: Mapping[str, Any] | None = None, progress: Progress | None = None
) -> ReplayReport:
    """Opens a built file headless, seeks to each checkpoint and compares the DOM in its frame with the state there.

    A checkpoint of a document that no longer shows at its time is met when its digest holds. Raises BuildError for what is
    no built file or does not open as one, and Playwright's error when the browser does not start.

    `launch`: keyword arguments for Playwright's ``chromium.launch()``, as ``pagereel.browser.launch_options()`` gives them.
    """
    # In a thread of its own, because Playwright's sync API allows one driver a thread and none beside an asyncio loop.
    with ThreadPoolExecutor(1, "pagereel-verify") as thread:
        return thread.submit(_verify, Path(path), launch or {}, progress).result()


def _verify(path: Path, launch: Mapping[str, Any], progress: Progress | None) -> ReplayReport:
    unpacked = unpack(path.read_bytes())
    resources = [data for _, data in unpacked.resources()]
    events = [event for event in unpacked.events if isinstance(event.get("t"), int | float)]
    events.sort(key=lambda event: cast(float, event["t"]))
    report = ReplayReport(path, total=sum(event["k"] == "checkpoint" for event in events))
    report.cleaned = sum(event.get("cleaned") is True for event in events)
    if not report.total:
        return report
    with Player.open(path, launch) as player:
        for difference in _differences(events, player):
            if difference is None:
                report.equal += 1
            else:
                report.differences.append(difference)
            if progress:
                progress((report.equal + len(report.differences)) / report.total)
        for event in events:
            if event["k"] == "picture":
                picture = resources[int(str(event["body"]).removeprefix(PLACEHOLDER))]
                report.pictures.append(player.differing(cast(int, event["page"]), cast(float, event["t"]), picture))
    return report


def _differences(events: list[Event], player: Player) -> Iterator[ReplayDifference | None]:
    """One item a checkpoint: how it is not met, or None."""
    model = PageModel()
    embeds: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for event in events:
        if event["k"] == "embed":
            # A document is shown in its frame from its beginning on, whenever the recorder got to know it.
            embeds[cast(int, event["d"])].append((cast(int, event["parent"]), cast(int, event["node"])))
    modes: dict[int, str] = {}
    for t, group in itertools.groupby(events, key=lambda event: cast(float, event["t"])):
        wrong: dict[int, ReplayDifference | None] = {}
        for event in group:
            model.apply(event)
            for op in cast(list[Any], event.get("ops") or ()):
                if op[0] == "mode":  # The builder's word for what the doctype means, see pages.py.
                    modes[cast(int, event["d"])] = op[1]
            if event["k"] != "checkpoint":
                continue
            d = cast(int, event["d"])
            document = model.documents.get(d)
            have = document.digest() if document else ("nothing", 0)
            wrong[d] = None
            if have != (event["digest"], event["nodes"]):
                wanted, found = (
                    f"{digest} over {nodes} nodes" for digest, nodes in ((event["digest"], event["nodes"]), have)
                )
                wrong[d] = ReplayDifference(t, d, document.url if document else "", "", str(wanted), found)
        for page in {model.documents[d].page for d, found in wrong.items() if found is None}:
            shown = player.documents(page, t)
            for document, seen in _pairs(model, page, embeds, shown):
                if document.d in wrong and wrong[document.d] is None:
                    wrong[document.d] = _compare(document, modes.get(document.d, document.mode), seen, t, player)
        yield from wrong.values()


def _pairs(
    model: PageModel, page: int, embeds: dict[int, list[tuple[int, int]]], shown: list[dict[str, Any]]
) -> Iterator[tuple[DocumentModel, dict[str, Any] | None]]:
    """The documents that a page shows, each with what the player has in its place; None where it has nothing."""
    state = model.pages.get(page)
    top = model.documents.get(state.document) if state and state.document is not None else None
    stack = [(top, shown[0] if shown else None)] if top is not None else []
    children = {place: d for d, places in sorted(embeds.items()) if d in model.documents for place in places}
    while stack:
        document, seen = stack.pop()
        yield document, seen
        frames = [node for node in document.walk() if node.kind == ELEMENT and canonical_tag(node.name) in FRAMES]
        numbers = seen["frames"] if seen else []
        for index, node in enumerate(frames):
            child = model.documents.get(children.get((document.d, node.id), 0))
            if child is not None:
                number = numbers[index] if index < len(numbers) else -1
                stack.append((child, shown[number] if number >= 0 else None))


Item = tuple[int, int, str, dict[str, str], str]
"""Depth, kind, name, attributes, data or state."""


def _wanted(document: DocumentModel, mode: str) -> Iterator[Item]:
    """The document as the model has it, in the order of :data:`~.headless.LOOK`."""
    if document.root is None:
        return
    depths: dict[int, int] = {}
    for node in walk(document.root):
        depth = depths[node.id] = depths[node.parent.id] + 1 if node.parent else 0
        if node.kind == ELEMENT:
            yield depth, ELEMENT, canonical_tag(node.name), node.attrs, _state(node)
        elif node.kind == DOCTYPE:
            yield depth, DOCTYPE, node.name, {}, f"{node.attrs['public']}\x1f{node.attrs['system']}"
        elif node.kind == DOCUMENT:
            yield depth, DOCUMENT, "BackCompat" if mode == "BackCompat" else "CSS1Compat", {}, ""
        elif node.kind == PI:  # Painted as a comment: a real one could load.
            yield depth, COMMENT, "", {}, f"?{node.name} {node.data}?"
        elif node.kind in (SHADOW, CONTENT):
            yield depth, node.kind, node.name, {}, node.data
        else:
            yield depth, node.kind, "", {}, "" if _is_silent(node.parent) else node.data


def _state(node: Node) -> str:
    """What a form control holds, as :data:`~.headless.LOOK` writes it."""
    if node.name == "select":
        return "\x1es" + ",".join(map(str, selected_of(node)))
    if node.name == "textarea":
        return "\x1ev" + value_of(node)
    if node.name != "input":
        return ""
    checkable = node.attrs.get("type", "").lower() in ("checkbox", "radio")
    state = f"\x1ec{int(is_checked(node))}" if checkable else f"\x1ev{value_of(node)}"
    return state + ("\x1ei1" if is_indeterminate(node) else "")


def _is_silent(node: Node | None) -> bool:
    return node is not None and node.kind == ELEMENT and canonical_tag(node.name) in SILENT


def _compare(
    document: DocumentModel, mode: str, seen: dict[str, Any] | None, t: float, player: Player
) -> ReplayDifference | None:
    path: list[str] = []
    counts = [0]
    have = iter(seen["nodes"] if seen else ())
    for wanted in itertools.chain(_wanted(document, mode), (None,)):
        raw = next(have, None)
        found = (raw[0], raw[1], raw[2], dict(raw[3]), raw[4]) if raw is not None else None
        item = wanted or found
        if item is None:
            return None
        depth = item[0]
        del path[depth:]
        del counts[depth + 1 :]
        while len(counts) <= depth:
            counts.append(0)
        path.append(f"{_name(item)}[{counts[depth]}]")
        counts[depth] += 1
        problem = _problem(wanted, found, player)
        if problem:
            return ReplayDifference(t, document.d, document.url, "/".join(path), *problem)
    return None


def _problem(wanted: Item | None, found: Item | None, player: Player) -> tuple[str, str] | None:
    """Both sides in words where they differ."""
    if wanted is None or found is None or wanted[:3] != found[:3]:
        return _words(wanted), _words(found)
    _, kind, name, attributes, data = wanted
    if kind == ELEMENT and name.rpartition("|")[2].lower() != "script":
        theirs = _recorded(found[3], attributes)
        for key in sorted({*attributes, *theirs}):
            if attributes.get(key) != theirs.get(key):
                return _pair(key, attributes.get(key)), _pair(key, theirs.get(key))
    if data != found[4] and not _fits(wanted, found[4], player):
        return repr(data), repr(found[4])
    return None


def _recorded(real: dict[str, str], recorded: dict[str, str]) -> dict[str, str]:
    """The attributes of a real element as they were recorded: those that the player withheld stand beside it."""
    prefix = "data-pagereel-was-"
    were = {name.removeprefix(prefix): value for name, value in real.items() if name.startswith(prefix)}
    found = {name: value for name, value in real.items() if not name.startswith("data-pagereel")}
    for name in recorded:
        aside = name.lower().replace(":", "-")
        for key in (aside, name.replace(":", "-")):
            if key in were:
                found[name] = were.pop(key)
                break
    return {**found, **were}


def _fits(wanted: Item, found: str, player: Player) -> bool:
    """Whether a control holds as much of a recorded value as its type lets it."""
    _, kind, name, attributes, data = wanted
    if kind != ELEMENT or name != "input" or not data.startswith("\x1ev"):
        return False
    if attributes.get("type", "").lower() == "file":  # Only its user can fill it.
        return True
    value, sign, rest = data[2:].partition("\x1ei")
    return found == f"\x1ev{player.fit(attributes, value)}{sign}{rest}"


_NAMES: Final = {
    TEXT: "text",
    CDATA: "cdata",
    PI: "pi",
    COMMENT: "comment",
    DOCUMENT: "document",
    DOCTYPE: "doctype",
    SHADOW: "shadow root",
    CONTENT: "content",
}


def _name(item: Item) -> str:
    if item[1] != ELEMENT:
        return f"#{_NAMES[item[1]]}"
    identity = item[3].get("id")
    return f"{item[2]}#{identity}" if identity else item[2]


def _words(item: Item | None) -> str:
    if item is None:
        return "nothing"
    _, kind, name, _, data = item
    if kind == ELEMENT:
        return f"<{name}>"
    return " ".join(filter(None, (_NAMES[kind], name, repr(data) if data else "")))


def _pair(name: str, value: str | None) -> str:
    return f"no {name}" if value is None else f'{name}="{value}"'


def _cut(text: str, length: int = 120) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
