"""Checks whether a built file shows what was recorded: compares the player's frame with the recording, layer by layer.

*Tree*: two comparisons. First, the page model of :mod:`pagereel.reel`, applied to the events in the file, must give
each checkpoint's digest. Second, the DOM in the player's frame in a headless Chromium must equal that model, node for
node: names, attributes, text, state of form controls, iframes within iframes. It is read through the debugger, so that
closed shadow roots are included. Where the builder removed forbidden content (an animation of a link's address, for
example), the checkpoint's digest is of the remaining tree; such checkpoints are counted separately.

*Layout*: the sample of the viewport at the checkpoint: scroll offsets, boxes, computed values, loaded fonts, natural
sizes of pictures.

*Picture*: the pixels, where the recording has pictures.

Each checkpoint is compared three times, and counts as equal only if it is equal each time: after the file was opened by
a link to the checkpoint's time, as a reader opens it; after a seek forwards to that time; and after a seek backwards.
"""

from __future__ import annotations

import itertools
import os
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import orjson

from pagereel.reel import ELEMENT, PLACEHOLDER, DocumentModel, Event, Json, PageModel, find_event_problem, iter_nodes

from .allow_lists import canonical_tag
from .chunks import unpack_replay
from .fidelity import Fidelity, FidelityLayer
from .headless import DEFAULT, HeadlessPlayer, HeadlessReplay, PageNotShownError, Size
from .layout_comparison import (
    add_canvas_ages,
    has_element_boxes,
    iter_layout_differences,
    list_sampled_indexes,
    list_sampled_pseudo_elements,
    select_comparable_sample,
)
from .tree_comparison import (
    find_revisit_difference,
    find_tree_difference,
    format_node_path,
    iter_expected_nodes,
    shorten_text,
)

PIXELS: Final = 0.005
"""The share of pixels that may differ: a blinking caret, the edge of a letter."""

Progress = Callable[[float], None]

FRAMES: Final = frozenset(("iframe", "frame"))

LINK, FORTH, BACK = "opened by its link", "sought to", "sought back to"


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """A difference between replay and recording at a checkpoint.

    `t`: the checkpoint's time in ms. `path`: the path to the first node that differs, "" if it is not one node.
    `layer`: ``tree``, ``layout`` or ``picture``. `way`: how the player reached the checkpoint, by its link or by
    seeking.
    """

    t: float
    d: int
    url: str
    path: str
    wanted: str
    found: str
    layer: str = "tree"
    way: str = ""

    def to_json(self) -> dict[str, Json]:
        return {"t": self.t, "d": self.d, "layer": self.layer, "detail": str(self)}

    def __str__(self) -> str:
        where = f"{self.layer} of document {self.d} ({self.url}) at {self.t:.0f} ms"
        if not self.way:
            return f"{where}: the checkpoint has {self.wanted}, the file's events give {self.found}"
        path = f", {self.path}" if self.path else ""
        return f"{where}, {self.way}{path}: recorded {shorten_text(self.wanted)}, replayed {shorten_text(self.found)}"


@dataclass
class ReplayReport:
    """The result of :func:`verify_replay`. :attr:`ok` is True if the replay has no difference."""

    path: Path
    fidelity: Fidelity = field(default_factory=lambda: Fidelity(layout=FidelityLayer(), picture=FidelityLayer()))
    """For each layer, the number of equal checkpoints and of all."""
    pictures: list[float] = field(default_factory=list)
    """For each picture of a checkpoint, the largest share of pixels in which the replay differs, 0 to 1."""
    cleaned: int = 0
    """Number of checkpoints of documents from which the builder removed forbidden content."""
    boxless: int = 0
    """Number of checkpoints whose boxes were not compared, because masking changes the lengths of texts."""
    differences: list[ReplayDifference] = field(default_factory=list)
    """The first difference for each checkpoint and layer."""
    missing: list[str] = field(default_factory=list)
    """Addresses that the page showed and that have no bytes in the file."""

    @property
    def ok(self) -> bool:
        """Return whether no layer has a difference. Missing bytes are reported separately, and count only if the lack
        is visible.
        """
        layers = (self.fidelity.tree, self.fidelity.layout, self.fidelity.picture)
        return all(layer is None or layer.all_equal for layer in layers)

    def __str__(self) -> str:
        cleaned = f"; {self.cleaned} of them without what a replay must not hold" if self.cleaned else ""
        pixels = f"; the worst picture differs in {max(self.pictures):.2%}" if self.pictures else ""
        boxless = f"; the layout of {self.boxless} without boxes, which masked texts change" if self.boxless else ""
        return f"{self.fidelity.checks_summary}\nfidelity: {self.fidelity}{cleaned}{boxless}{pixels}"


def verify_replay(
    path: str | os.PathLike[str], *, launch: Mapping[str, Any] | None = None, progress: Progress | None = None
) -> ReplayReport:
    """Open a built file headless at each checkpoint, by link and by seeking, and compare the shown page with the
    recorded one.

    A checkpoint of a document that is not shown at that time counts as equal if its digest is.

    `launch`: keyword arguments for Playwright's ``chromium.launch()``, as ``pagereel.browser.launch_options()`` gives
    them.

    :raises BuildError: the file was not built by pagereel or does not open. Playwright's error: the browser does not
        start.
    """
    # In a separate thread, because Playwright's sync API allows one driver in a thread, and none beside an asyncio
    # loop.
    with ThreadPoolExecutor(1, "pagereel-verify") as thread:
        return thread.submit(_verify_file, Path(path), launch or {}, progress).result()


@dataclass
class _Checkpoint:
    """A checkpoint, and the first difference found in each layer."""

    t: float
    d: int
    url: str
    look: Mapping[str, Any] | None = None
    wrong: dict[str, ReplayDifference] = field(default_factory=dict)

    def note_difference(self, layer: str, path: str, wanted: str, found: str, reached_by: str = "") -> None:
        self.wrong.setdefault(layer, ReplayDifference(self.t, self.d, self.url, path, wanted, found, layer, reached_by))


@dataclass
class _CheckpointPicture:
    """The recorded picture at a checkpoint, and the share of its pixels (0 to 1) in which the replay differs."""

    checkpoint: _Checkpoint
    data: bytes
    share: float = 0.0


@dataclass
class _CheckedMoment:
    """A page (tab) at a time at which checkpoints are compared."""

    page: int
    t: float
    size: Size
    checkpoints: dict[int, _Checkpoint] = field(default_factory=dict)
    """Document → checkpoint, for those whose digest is equal."""
    picture: _CheckpointPicture | None = None
    shown: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    """Document → its number among those shown at the first visit, and its nodes, compressed."""
    places: dict[int, dict[int, int]] = field(default_factory=dict)
    """Document → the indexes of nodes in its layout sample, by id."""


def _verify_file(path: Path, launch: Mapping[str, Any], progress: Progress | None) -> ReplayReport:
    unpacked = unpack_replay(path.read_bytes())
    resources = [data for _, data in unpacked.iter_resources()]
    events = [event for event in unpacked.events if isinstance(event.get("t"), int | float)]
    events.sort(key=lambda event: cast(float, event["t"]))
    report = ReplayReport(path, missing=_read_missing_addresses(unpacked.index))
    report.fidelity.missing = len(report.missing)
    report.cleaned = sum(event.get("cleaned") is True for event in events)
    total = sum(event["k"] == "checkpoint" for event in events)
    if not total:
        return report
    checkpoints: list[_Checkpoint] = []
    moments: list[_CheckedMoment] = []
    with HeadlessReplay.start(path, launch) as browser, browser.open_player() as player:
        for model, modes, embeds, group in _iter_moment_groups(events, checkpoints, resources):
            for moment in group:
                _compare_opened_and_sought(browser, player, moment, model, modes, embeds)
                if progress:
                    progress(0.8 * len(checkpoints) / total)
            moments += group
        for number, moment in enumerate(reversed(moments)):
            _compare_after_seeking_back(browser, player, moment)
            if progress:
                progress(0.8 + 0.2 * number / len(moments))
    layout, picture = cast(FidelityLayer, report.fidelity.layout), cast(FidelityLayer, report.fidelity.picture)
    for moment in moments:
        if moment.picture is not None:
            report.pictures.append(moment.picture.share)
            picture.count_check("picture" not in moment.picture.checkpoint.wrong)
    for checkpoint in checkpoints:
        report.fidelity.tree.count_check("tree" not in checkpoint.wrong)
        if checkpoint.look is not None:
            layout.count_check("tree" not in checkpoint.wrong and "layout" not in checkpoint.wrong)
            report.boxless += not has_element_boxes(checkpoint.look)
        report.differences += checkpoint.wrong.values()
    return report


def _read_missing_addresses(index: Mapping[str, Any]) -> list[str]:
    info = index.get("info")
    found = info.get("missing") if isinstance(info, dict) else None
    return [str(url) for url in found] if isinstance(found, list) else []


Embeds = dict[int, list[tuple[int, int]]]


def _iter_moment_groups(
    events: list[Event], checkpoints: list[_Checkpoint], resources: list[bytes]
) -> Iterator[tuple[PageModel, dict[int, str], Embeds, list[_CheckedMoment]]]:
    """Yield for each time at which checkpoints were recorded: the page model at that time, and the pages and
    checkpoints to compare.

    Append each checkpoint also to the list `checkpoints`.
    """
    model = PageModel()
    embeds: Embeds = defaultdict(list)
    for event in events:
        if event["k"] == "embed":
            # A document is shown in its frame from its beginning, whenever the recorder learnt of it.
            embeds[cast(int, event["d"])].append((cast(int, event["parent"]), cast(int, event["node"])))
    modes: dict[int, str] = {}
    for t, group in itertools.groupby(events, key=lambda event: cast(float, event["t"])):
        met: dict[int, _Checkpoint] = {}
        pictures: dict[int, Event] = {}
        for event in group:
            model.apply(event)
            d = cast(int, event.get("d"))
            for op in cast(list[Any], event.get("ops") or ()):
                if op[0] == "mode":  # The builder's op for the doctype's mode, see pages.py.
                    modes[d] = op[1]
            if event["k"] == "picture":
                pictures[d] = event
            if event["k"] != "checkpoint":
                continue
            document = model.documents.get(d)
            have = document.compute_digest() if document else ("nothing", 0)
            look = cast(Mapping[str, Any] | None, event.get("look"))
            if look is not None and (document is None or find_event_problem(event)):
                look = None
            elif look is not None and document is not None:
                look = select_comparable_sample(look, document)
            checkpoint = _Checkpoint(t, d, document.url if document else "", look)
            checkpoints.append(checkpoint)
            if have != (event["digest"], event["nodes"]):
                wanted, found = (
                    f"{digest} over {nodes} nodes" for digest, nodes in ((event["digest"], event["nodes"]), have)
                )
                checkpoint.note_difference("tree", "", str(wanted), found)
            met[d] = checkpoint
        moments: dict[int, _CheckedMoment] = {}
        for d, checkpoint in met.items():
            document = model.documents.get(d)
            if document is None:
                continue
            if checkpoint.look is not None:
                checkpoint.look = add_canvas_ages(checkpoint.look, document, t)
            moment = moments.setdefault(
                document.page, _CheckedMoment(document.page, t, _get_page_size(model, document.page))
            )
            if not checkpoint.wrong:
                moment.checkpoints[d] = checkpoint
            if d in pictures:
                body = resources[int(str(pictures[d]["body"]).removeprefix(PLACEHOLDER))]
                moment.picture = _CheckpointPicture(checkpoint, body)
        yield model, modes, embeds, list(moments.values())


def _get_page_size(model: PageModel, page: int) -> Size:
    state = model.pages.get(page)
    top = model.documents.get(state.document) if state and state.document is not None else None
    return top.viewport if top is not None and top.viewport[0] > 0 else DEFAULT


def _compare_opened_and_sought(
    browser: HeadlessReplay,
    player: HeadlessPlayer,
    moment: _CheckedMoment,
    model: PageModel,
    modes: dict[int, str],
    embeds: Embeds,
) -> None:
    """Compare a page twice with its checkpoints: after opening the file by a link to the time, and after seeking there."""
    with browser.open_player(moment.size, f"t={moment.t!r}&page={moment.page}") as fresh:
        for way, at in ((LINK, fresh), (FORTH, player)):
            try:
                if way == FORTH:
                    at.seek(moment.page, moment.t, moment.size)
                shown = at.read_documents()
            except PageNotShownError as error:
                _note_player_error(moment, way, error)
                continue
            for document, number in _iter_shown_documents(model, moment.page, embeds, shown):
                checkpoint = moment.checkpoints.get(document.d)
                if checkpoint is None:
                    continue
                nodes = shown[number]["nodes"] if number >= 0 else []
                wanted = iter_expected_nodes(document, modes.get(document.d, document.mode))
                difference = find_tree_difference(wanted, nodes, at.sanitize_input_value)
                if difference is not None:
                    checkpoint.note_difference("tree", *difference, way)
                    continue
                if way == FORTH:
                    moment.shown[document.d] = number, zlib.compress(orjson.dumps(nodes), 1)
                if document.d not in moment.places:
                    moment.places[document.d] = _map_sampled_node_indexes(document, checkpoint.look)
                _compare_layout(at, checkpoint, moment.places[document.d], number, nodes, way)
            _compare_picture(browser, at, moment, way)


def _compare_after_seeking_back(browser: HeadlessReplay, player: HeadlessPlayer, moment: _CheckedMoment) -> None:
    """Seek back to an earlier time, and compare again the checkpoints that were equal the first time."""
    try:
        player.seek(moment.page, moment.t, moment.size)
        shown = player.read_documents()
    except PageNotShownError as error:
        _note_player_error(moment, BACK, error)
        return
    for d, (number, packed) in moment.shown.items():
        nodes = shown[number]["nodes"] if 0 <= number < len(shown) else []
        difference = find_revisit_difference(orjson.loads(zlib.decompress(packed)), nodes)
        if difference is not None:
            moment.checkpoints[d].note_difference("tree", *difference, BACK)
        else:
            _compare_layout(player, moment.checkpoints[d], moment.places[d], number, nodes, BACK)
    _compare_picture(browser, player, moment, BACK)


def _map_sampled_node_indexes(document: DocumentModel, sample: Mapping[str, Any] | None) -> dict[int, int]:
    if sample is None or document.root is None:
        return {}
    ids = {item[0] for name in ("boxes", "scroll", "media") for item in sample.get(name) or ()}
    return {node.id: index for index, node in enumerate(iter_nodes(document.root)) if node.id in ids}


def _compare_layout(
    player: HeadlessPlayer,
    checkpoint: _Checkpoint,
    node_indexes: Mapping[int, int],
    number: int,
    nodes: list[Any],
    reached_by: str,
) -> None:
    """Compare the layout of the shown document with a checkpoint's sample, and note the first difference."""
    look = checkpoint.look
    if look is None or "layout" in checkpoint.wrong:
        return
    indexes = list_sampled_indexes(look, node_indexes)
    seen = player.read_drawn_nodes(number, indexes, list_sampled_pseudo_elements(look, node_indexes))
    for index, wanted, found in iter_layout_differences(look, node_indexes, indexes, seen):
        checkpoint.note_difference("layout", format_node_path(nodes, index), wanted, found, reached_by)
        return


def _note_player_error(moment: _CheckedMoment, reached_by: str, error: PageNotShownError) -> None:
    for checkpoint in moment.checkpoints.values():
        checkpoint.note_difference("tree", "", "a page", f"the player's error: {error}", reached_by)
    if moment.picture is not None:
        moment.picture.checkpoint.note_difference("picture", "", "a page", f"the player's error: {error}", reached_by)


def _compare_picture(browser: HeadlessReplay, player: HeadlessPlayer, moment: _CheckedMoment, reached_by: str) -> None:
    picture = moment.picture
    if picture is None:
        return
    share = browser.measure_pixel_difference(player.take_screenshot(), picture.data)
    picture.share = max(picture.share, share)
    if share > PIXELS:
        picture.checkpoint.note_difference(
            "picture", "", "its picture", f"one that differs in {share:.2%} of the pixels", reached_by
        )


def _iter_shown_documents(
    model: PageModel, page: int, embeds: Embeds, shown: list[dict[str, Any]]
) -> Iterator[tuple[DocumentModel, int]]:
    """Yield the documents of a page in the model, each with the number of the document that the player shows in its
    place; -1 if there is none.
    """
    state = model.pages.get(page)
    top = model.documents.get(state.document) if state and state.document is not None else None
    stack = [(top, 0 if shown else -1)] if top is not None else []
    children = {place: d for d, places in sorted(embeds.items()) if d in model.documents for place in places}
    while stack:
        document, seen = stack.pop()
        yield document, seen
        frames = [node for node in document.walk() if node.kind == ELEMENT and canonical_tag(node.name) in FRAMES]
        numbers = shown[seen]["frames"] if seen >= 0 else []
        for index, node in enumerate(frames):
            child = model.documents.get(children.get((document.d, node.id), 0))
            if child is not None:
                stack.append((child, numbers[index] if index < len(numbers) else -1))
