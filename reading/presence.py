"""Finds the times at which the element that a locator looks for appeared in a page and disappeared from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from pagereel.reel import ELEMENT, DocumentModel, Node, PageModel

from .locator_targets import (
    ELEMENTS,
    CandidateElement,
    DocumentLabels,
    LocatorTarget,
    is_visible,
    iter_visible_elements,
    list_shown_documents,
)
from .recorded_run import RecordedRun

_TESTS: Final = 400_000
"""Elements that are looked at altogether; then nothing is said."""
_ABOVE: Final = 20
"""Elements around a change whose name may be another by it."""


@dataclass(frozen=True, slots=True)
class ElementPresence:
    """When an element appeared after a call had failed, and when it had disappeared before, in ms; 0 means never."""

    came: float = 0.0
    gone: float = 0.0
    moved_on: bool = False
    """It was on another document than the one that the page showed in the end."""
    element: CandidateElement | None = None
    """What came."""
    name: str = ""
    """What went or came, as a sentence names it."""


def find_element_presence(
    reading: RecordedRun, wanted: LocatorTarget, page: object, failure_time: float
) -> ElementPresence | None:
    """Return when the element that a locator looks for was on a page, before and after a call failed at `failure_time` (ms).
    Return None if it was there at that time, or if nothing is known.
    """
    watch = _PresenceWatch(wanted, page)
    gone, name, moved_on = 0.0, "", False
    with reading.open_reel() as reel:
        for event in reel.timeline():
            t = float(str(event.get("t") or 0))
            if t > failure_time and watch.fitting:
                return None
            before = watch.fitting
            watch.apply(event)
            if watch.tests > _TESTS:
                return None
            now = watch.fitting
            if now and t > failure_time:
                came = next(iter(now.values()))
                return ElementPresence(t, gone, moved_on, came, wanted.describe(came))
            if before and not now:
                gone, name = t, wanted.describe(next(iter(before.values())))
                moved_on = event["k"] not in ("mutation", "snapshot")
    return ElementPresence(gone=gone, moved_on=moved_on, name=name) if gone and not watch.fitting else None


class _PresenceWatch:
    """Applies events to a page model, and records the elements that match a locator. After each event only the changed
    elements are compared with the locator.
    """

    def __init__(self, wanted: LocatorTarget, page: object) -> None:
        self.fitting: dict[tuple[int, int], CandidateElement] = {}
        """What fits now, by document and node."""
        self.tests = 0
        self._wanted = wanted
        self._page = page
        self._model = PageModel()

    def apply(self, event: Any) -> None:
        """Apply an event, and check the elements that it changed."""
        d = event.get("d")
        document = self._model.documents.get(d) if event["k"] in ("mutation", "snapshot") else None
        if document is None:
            self._model.apply(event)
            if self.fitting and event["k"] in ("document", "page", "embed"):
                shown = {each.d for each in list_shown_documents(self._model, self._page)}
                self.fitting = {at: each for at, each in self.fitting.items() if at[0] in shown}
            return
        last = document.last_id
        self._model.apply(event)
        if isinstance(self._page, int) and document.page != self._page:
            return
        ops = event.get("ops") or []
        if any(op[0] == "doc" for op in ops):
            self.fitting = {at: each for at, each in self.fitting.items() if at[0] != d}
            self._update_matching_nodes(document, iter_visible_elements(document))
            return
        known = [document.nodes.get(id) for at, id in self.fitting if at == d]
        self.fitting = {at: each for at, each in self.fitting.items() if at[0] != d}
        self._update_matching_nodes(document, [*filter(None, known), *_iter_changed_elements(document, ops, last)])

    def _update_matching_nodes(self, document: DocumentModel, nodes: Iterable[Node]) -> None:
        """Record those of the nodes that match the locator and are visible."""
        labels = DocumentLabels(document)
        for number, node in enumerate(nodes):
            if number >= ELEMENTS:
                return
            self.tests += 1
            each = self._wanted.to_candidate(document, node, labels) if node.kind == ELEMENT else None
            if each is not None and self._wanted.is_match(each) and is_visible(node):
                self.fitting[document.d, node.id] = each
        self.tests += len(document.nodes) >> 5 if labels.is_loaded else 0


def _iter_changed_elements(document: DocumentModel, ops: list[Any], last: int) -> Iterator[Node]:
    """Yield the elements that ops added or changed, and their ancestors."""
    yield from document.list_nodes_added_since(last)
    for op in ops:
        if op[0] not in ("text", "attr", "value", "add", "move") or len(op) < 2 or type(op[1]) is not int:
            continue
        node = document.nodes.get(abs(op[1]))
        if node is not None and op[0] == "attr" and {"hidden", "style"} & set(op[2] if len(op) > 2 else ()):
            yield from iter_visible_elements(document, node)
        if node is not None:
            yield from islice(node.iter_upwards(), _ABOVE)
