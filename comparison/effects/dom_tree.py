"""Finds differences in the pages' trees that are not in their text: a disabled button, another link, a missing picture.

All attributes are compared if both pages had settled; otherwise only attributes that the pages did not change. At
first the sketches that were made when the recordings were read are compared. Only if these differ, the recordings are
replayed side by side for the details.

A difference that disappears shortly afterwards is ignored, because a page may pause for a moment before a response
removes its progress bar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pagereel.reading import to_text_key, to_url_key
from pagereel.reel import DocumentModel, Event, Node, PageModel, get_text_content

from ..matching.item_pairing import ItemPair
from ..matching.tree_matching import STABLE, TreeChange, TreeMatcher, get_stable_key
from ..runs.element_sketches import SketchMaker
from ..runs.normalization import normalize_line
from ..runs.run_items import ActionView, ComparedRun, ElementSketch, RunItem
from ..runs.slots import compute_slot
from .difference import FoundDifference, mark_plain_value, mark_quoted_value, select_synchronous_pairs, shorten_value

_VISUAL: Final = frozenset({"img", "iframe", "video", "audio", "canvas", "embed", "object", "svg|svg", "dialog"})
"""Elements that show something without text."""
_WORK: Final = 8_000_000
"""Largest number of nodes that are compared: about a minute and a half. If there are more, a note says so."""
_TOO_MUCH: Final = "The pages are so large and change so often that the later ones were compared by their text alone."
_MOST: Final = 25
_SOON: Final = 1_500.0
"""Ms within which a transient difference disappears."""

Skip = Callable[[Node], bool]


def find_tree_differences(
    pairs: Sequence[ItemPair], a: ComparedRun, b: ComparedRun, is_ignored_element: Skip | None = None
) -> tuple[list[FoundDifference], str | None]:
    """Return differences in attributes, pictures and iframes, and a note if the pages were too large to compare all;
    else None.

    A difference is returned once for each page address. `is_ignored_element`: returns True for elements to leave out.
    """
    found: list[FoundDifference] = []
    done: set[tuple[object, ...]] = set()
    seen: set[tuple[object, ...]] = set()
    work = 0
    ours, theirs, trees, sketches = _RunPlayback(a), _RunPlayback(b), TreeMatcher(), SketchMaker(is_ignored_element)
    for pair in select_synchronous_pairs(pairs):
        assert pair.a is not None and pair.b is not None
        view_a, view_b = a.views[pair.a.place], b.views[pair.b.place]
        for page in view_a.ends:
            if page not in view_b.ends:
                continue
            settled = view_a.rests[page] and view_b.rests[page]
            state = (view_a.states[page], view_b.states[page], settled)
            if state in seen or to_url_key(view_a.ends[page].url) != to_url_key(view_b.ends[page].url):
                continue
            seen.add(state)
            if not _may_have_differences(trees, view_a.trees.get(page), view_b.trees.get(page)):
                continue
            one, other = ours.get_document_at_end(view_a, page), theirs.get_document_at_end(view_b, page)
            if one is None or other is None:
                continue
            work += len(one.nodes) + len(other.nodes)
            if work > _WORK:
                return found, _TOO_MUCH
            root_a, root_b = sketches.sketch_document(one), sketches.sketch_document(other)
            if root_a is None or root_b is None:
                continue
            for change in trees.iter_changes(root_a, root_b):
                each = _build_tree_difference(change, page, one, pair.a, pair.b, view_a.moment, view_b.moment)
                if each is None:
                    continue
                if change.a is not None:
                    each.at_a = one.d, change.a.node.id
                if change.b is not None:
                    each.at_b = other.d, change.b.node.id
                each.slots, each.lines = _get_element_slots_and_texts(change)
                if not (settled or _is_attribute_unchanged(change, each.lines, (a, one.d), (b, other.d))):
                    continue
                if each.identity not in done and len(found) < _MOST * len(a.views):
                    done.add(each.identity)
                    found.append(each)
                    ours.watch_element(each, one.d, change.a, change.name, change.now, view_a)
                    theirs.watch_element(each, other.d, change.b, change.name, change.was, view_b)
    passed = {id(each) for each in (*ours.find_transient_differences(), *theirs.find_transient_differences())}
    return [each for each in found if id(each) not in passed], None


@dataclass(slots=True, eq=False)
class _WatchedElement:
    """An element that differs, observed for a short time in which it may become equal to the other run's element."""

    found: FoundDifference
    d: int
    node: Node
    slot: str
    name: str
    value: str | None
    since: float
    until: float

    def has_disappeared(self, document: DocumentModel) -> bool:
        """Return whether the difference is gone: the attribute has the other run's value, or the extra element was
        removed.

        If the element was replaced by a new one, the new element with the same slot is judged.
        """
        if not self.is_in_document(document):
            here = (node for node in document.nodes.values() if node.name == self.node.name) if self.name else ()
            return not self.name or any(
                self._has_other_runs_value(node) and compute_slot(node) == self.slot for node in here
            )
        return bool(self.name) and self._has_other_runs_value(document.nodes[self.node.id])

    def is_in_document(self, document: DocumentModel) -> bool:
        """Return whether the element is still in its document."""
        return self.node.id in document.nodes

    def _has_other_runs_value(self, node: Node) -> bool:
        return node.attrs.get(self.name) == self.value


class _RunPlayback:
    """A replay of one recording in the page model, up to later and later times. It returns the documents at each time.

    A document that does not change any more is taken from the run's end.
    """

    def __init__(self, run: ComparedRun) -> None:
        self._run = run
        self._model = PageModel()
        self._events: Iterator[Event] | None = None
        self._next: Event | None = None
        self._looked: set[int] = set()
        """Documents that were compared in their replayed state."""
        self._watched: list[_WatchedElement] = []
        self._passed: list[FoundDifference] = []

    def get_document_at_end(self, view: ActionView, page: int) -> DocumentModel | None:
        """Return the document that a page showed at the end of an action."""
        d, version = view.states[page]
        is_last = self._run.versions.get(d, 0) == version
        last = self._run.model.documents.get(d)
        if is_last and (last is None or d not in self._looked):
            return last
        if self._events is None:
            self._events = self._run.reel.timeline() if self._run.reel is not None else iter(())
            self._next = next(self._events, None)
        self._apply_events_until(view.moment)
        document = self._model.documents.get(d)
        while is_last and document is not None and last is not None and document.n < last.n and self._next is not None:
            self._apply_next_event()
        self._looked.add(d)
        return document

    def watch_element(
        self,
        difference: FoundDifference,
        document_number: int,
        sketch: ElementSketch | None,
        name: str,
        value: str | None,
        view: ActionView,
    ) -> None:
        """Watch for a while after an action whether an element becomes equal to the other run's."""
        if sketch is not None and self._model.documents.get(document_number) is not None:
            moment, slot = view.moment, compute_slot(sketch.node)
            self._watched.append(
                _WatchedElement(difference, document_number, sketch.node, slot, name, value, moment, moment + _SOON)
            )

    def find_transient_differences(self) -> list[FoundDifference]:
        """Replay until all observed times are over, and return the differences that had disappeared by then."""
        if self._watched:
            self._apply_events_until(max(each.until for each in self._watched))
        return self._passed

    def _apply_events_until(self, until: float) -> None:
        while self._next is not None and float(str(self._next.get("t") or 0)) < until:
            self._apply_next_event()

    def _apply_next_event(self) -> None:
        assert self._next is not None and self._events is not None
        event, self._next = self._next, next(self._events, None)
        if event["k"] == "resource":
            return
        self._model.apply(event)
        if self._watched and (document := self._model.documents.get(event.get("d"))) is not None:  # type: ignore[arg-type]
            self._check_watched_elements(document, float(str(event.get("t") or 0)))

    def _check_watched_elements(self, document: DocumentModel, t: float) -> None:
        left: list[_WatchedElement] = []
        for each in self._watched:
            if each.d != document.d or each.since > t:
                left.append(each)
            elif each.until >= t and each.has_disappeared(document):
                self._passed.append(each.found)
            elif each.until >= t and each.is_in_document(document):
                left.append(each)
        self._watched = left


def _build_tree_difference(
    change: TreeChange, page: int, document: DocumentModel, item_a: RunItem, item_b: RunItem, t_a: float, t_b: float
) -> FoundDifference | None:
    """Return the difference for a change of a tree; None if the change is reported otherwise, or not at all."""
    sketch = change.a or change.b
    assert sketch is not None
    node = sketch.node
    if change.kind == "moved" or (
        change.kind != "attribute" and not (_is_visual_element(sketch) and _has_no_text(node))
    ):
        return None
    key = to_url_key(document.url)
    where = f"page {page}, {mark_plain_value(key.partition('?')[0], 'address')}, {mark_plain_value(_describe_element(node))}"
    place = ("tree", key, to_text_key(_describe_element(node)))
    if change.kind == "attribute":
        sentence = f"{mark_plain_value(_describe_element(node))} {_describe_attribute_change(change)}"
        return FoundDifference(
            "page", f"{where}, {change.name}", shorten_value(change.was), shorten_value(change.now), sentence, t_a, t_b, item_a, item_b,
            (*place, change.name), change.now,
        )  # fmt: skip
    came = change.kind == "added"
    sentence = f"{mark_plain_value(_describe_element(node))} {'came' if came else 'is gone'}"
    return FoundDifference(
        "page", where, None if came else _describe_element(node), _describe_element(node) if came else None, sentence, None if came else t_a, t_b if came else None,
        item_a, item_b, (*place, came), came, role="code",
    )  # fmt: skip


def _get_element_slots_and_texts(
    change: TreeChange,
) -> tuple[tuple[str | None, str | None], tuple[str | None, str | None]]:
    """Return an element's slot and text in each run."""
    nodes = [sketch.node if sketch is not None else None for sketch in (change.a, change.b)]
    slots = [compute_slot(node) if node is not None else None for node in nodes]
    lines = [normalize_line(" ".join(get_text_content(node).split())) if node is not None else None for node in nodes]
    return (slots[0], slots[1]), (lines[0], lines[1])


def _describe_attribute_change(change: TreeChange) -> str:
    if change.was is None:
        return (
            f"is {change.name}" if change.now in ("", "true") else f"has {change.name} {mark_quoted_value(change.now)}"
        )
    if change.now is None:
        return f"is not {change.name}" if change.was in ("", "true") else f"has no {change.name}"
    return f"has {change.name} {mark_quoted_value(change.now)} instead of {mark_quoted_value(change.was)}"


def _is_attribute_unchanged(
    change: TreeChange, texts: tuple[str | None, str | None], a: tuple[ComparedRun, int], b: tuple[ComparedRun, int]
) -> bool:
    """Return whether one element has an attribute that neither run ever changed: so it differs though a page that is
    still at work is compared.

    It is one element if it has the same text in both runs, or without a text the same stable attribute.

    :param texts: the element's text in each run.
    :param a: the first run, and the element's document in it. `b`: those of the second run.
    """
    if change.kind != "attribute" or change.a is None or change.b is None or texts[0] != texts[1]:
        return False
    if not texts[0] and not ((key := get_stable_key(change.a)) and key == get_stable_key(change.b)):
        return False
    return all(
        (document, sketch.node.id, change.name) not in run.changed_attributes
        for (run, document), sketch in ((a, change.a), (b, change.b))
    )


def _may_have_differences(trees: TreeMatcher, a: ElementSketch | None, b: ElementSketch | None) -> bool:
    """Return whether two pages may have a difference to report, judged by their sketches; True without sketches."""
    if a is None or b is None:
        return True
    for change in trees.iter_changes(a, b):
        sketch = change.a or change.b
        if change.kind == "attribute" or (change.kind != "moved" and sketch is not None and _is_visual_element(sketch)):
            return True
    return False


def _is_visual_element(sketch: ElementSketch) -> bool:
    """Return whether an element shows something besides its text."""
    return sketch.name in _VISUAL or sketch.attrs.get("role") in ("dialog", "alertdialog")


def _has_no_text(node: Node) -> bool:
    """Return whether an element has no text, so that no line shows that it was added or removed."""
    return not get_text_content(node).strip()


def _describe_element(node: Node) -> str:
    """Return an element's tag with its text, or else its label: ``<button> Pay``, ``<img> Logo``."""
    named = next((node.attrs[name] for name in ("alt", *STABLE) if node.attrs.get(name)), "")
    text = " ".join(get_text_content(node).split())[:60] or named[:60]
    return f"<{node.name}> {text}".strip()
