"""Finds when elements of a page changed and what happened right before, like a data breakpoint on a finished run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pagereel.errors import UsageError
from pagereel.reel import DocumentModel, EventIds, Node, PageModel, get_field_value, get_selected_indexes, is_checked
from pagereel.text_truncation import truncate_text

from .outline import build_outline
from .preceding_events import PrecedingEvents
from .record_fields import Record
from .recorded_run import RecordedRun
from .selectors import build_selector_test

_LONGEST: Final = 300
"""Longest text or value in an answer, in characters."""
_FIELDS: Final = frozenset({"input", "textarea", "select"})
_ON_NODE: Final = frozenset({"text", "attr", "value", "checked", "selected", "open"})
_State = dict[str, Any]


def find_element_changes(reading: RecordedRun, selector: str) -> list[Record]:
    """Return each change of the elements that match a selector, the latest first.

    A change holds the state before and after it, and in ``after`` the actions and responses right before it.
    `selector`: a tag, ``#id``, ``.class``, ``[attribute=value]``, or several of them on one element. An element that
    looks the same after its page was reloaded has not changed. Raises UsageError for another selector.
    """
    try:
        watch = _ElementWatch(build_selector_test(selector))
    except ValueError as error:
        raise UsageError(f"{error}.") from None
    before = PrecedingEvents(reading)
    found = []
    with reading.open_reel() as reel:
        ids = EventIds(reel.header)
        for event in reel.timeline():
            name = ids.compute_next_id(event)
            for change in watch.apply(event):
                t = float(str(event.get("t") or 0))
                found.append(
                    {"kind": "change", "t": t, "event": name, **change, "after": before.describe_what_preceded(t)}
                )
    return found[::-1]


@dataclass
class _MatchingElements:
    """The matching elements of one document, as a map of node id to state."""

    states: dict[int, _State] = field(default_factory=dict)


class _ElementWatch:
    """Applies events to a page model, and yields the changes of the elements that match a selector."""

    def __init__(self, fits: Any) -> None:
        self._fits = fits
        self._model = PageModel()
        self._of: dict[int, _MatchingElements] = {}
        self._left: dict[tuple[int, bool, str], _MatchingElements] = {}
        """Page, whether it is the page's main document, a frame's address → the last states in the previous document
        there.
        """

    def apply(self, event: Any) -> Iterator[Record]:
        """Apply an event; yield the changes of matching elements."""
        d = event.get("d")
        kind = event["k"]
        if kind not in ("mutation", "snapshot") or type(d) is not int:
            self._model.apply(event)
            return
        document = self._model.documents.get(d)
        if document is None:
            return
        ops = event.get("ops") or []
        held = self._of.setdefault(d, _MatchingElements())
        whole = any(op[0] == "doc" for op in ops)
        touched = set() if whole else self._find_affected_elements(document, held, ops)
        last = document.last_id
        self._model.apply(event)
        if whole:
            yield from self._compare_after_reload(document, held)
            return
        touched |= self._find_affected_elements(document, held, ops)
        touched.update(node.id for node in document.list_nodes_added_since(last) if self._fits(node))
        yield from _iter_message_changes(
            document,
            [
                (held.states.get(number), self._update_element_state(document, held, number))
                for number in sorted(touched)
            ],
        )

    def _find_affected_elements(
        self, document: DocumentModel, matching_elements: _MatchingElements, ops: list[Any]
    ) -> set[int]:
        """Return the ids of elements that match, or matched before, and that these ops may have changed."""
        found: set[int] = set()
        for op in ops:
            if op[0] in _ON_NODE:
                targets = [op[1]]
            elif op[0] in ("add", "move"):
                node = document.nodes.get(abs(op[1]))
                place = node if op[1] > 0 or node is None else node.parent
                targets = [] if place is None else [place.id]
                targets += op[2:] if op[0] == "move" else []
            elif op[0] == "del":
                targets = op[1:]
                if matching_elements.states:
                    found |= {
                        number
                        for number in matching_elements.states
                        if _has_ancestor_among(document, number, set(targets))
                    }
            else:
                continue
            for target in targets:
                node = document.nodes.get(target)
                if node is not None and op[0] == "attr" and self._fits(node):
                    found.add(node.id)
                if node is not None:
                    found.update(above.id for above in node.iter_upwards() if above.id in matching_elements.states)
        return found

    def _update_element_state(
        self, document: DocumentModel, matching_elements: _MatchingElements, node_id: int
    ) -> _State | None:
        """Store and return an element's present state; None if it does not match any more."""
        node = document.nodes.get(node_id)
        now = _read_element_state(self._model, document, node) if node is not None and self._fits(node) else None
        if now is None:
            matching_elements.states.pop(node_id, None)
        else:
            matching_elements.states[node_id] = now
        return now

    def _compare_after_reload(self, document: DocumentModel, matching_elements: _MatchingElements) -> Iterator[Record]:
        """Yield the changes that a new snapshot brings: compare its matching elements with those of this document's
        last state, or of the document that it replaced.
        """
        place = (document.page, document.top, "" if document.top else document.url)
        before = list(
            (
                matching_elements if matching_elements.states else self._left.get(place, matching_elements)
            ).states.values()
        )
        matching_elements.states = {
            node.id: _read_element_state(self._model, document, node) for node in document.walk() if self._fits(node)
        }
        self._left[place] = matching_elements
        now = list(matching_elements.states.values())
        for number in range(max(len(before), len(now))):
            was = before[number] if number < len(before) else None
            yield from _iter_change_records(
                document, was, now[number] if number < len(now) else None, after_reload=True
            )


def _has_ancestor_among(document: DocumentModel, node_id: int, ids: set[int]) -> bool:
    """Return whether a node or one of its ancestors has one of these ids."""
    node = document.nodes.get(node_id)
    return node is not None and any(above.id in ids for above in node.iter_upwards())


def _iter_message_changes(
    document: DocumentModel, pairs: list[tuple[_State | None, _State | None]]
) -> Iterator[Record]:
    """Yield the changes that one event of the recording made to the matching elements.

    A removed element and an added one count as one changed element, because frameworks replace elements to redraw them.

    :param pairs: for each affected element its state before and after the event; None where it did not exist.
    """
    gone = [was for was, now in pairs if was is not None and now is None]
    came = [now for was, now in pairs if was is None and now is not None]
    same = [state for state in gone if state in came]
    for state in same:
        if state in came:
            gone.remove(state)
            came.remove(state)
    for was, now in pairs:
        if was is not None and now is not None:
            yield from _iter_change_records(document, was, now)
    for number in range(max(len(gone), len(came))):
        yield from _iter_change_records(
            document, gone[number] if number < len(gone) else None, came[number] if number < len(came) else None
        )


def _read_element_state(model: PageModel, document: DocumentModel, node: Node) -> _State:
    """Return an element's state: its text, the value of a field, its attributes."""
    text = " ".join(build_outline(model, document, root=node).split()) if node.name not in _FIELDS else ""
    told: _State = {"name": node.name, "text": text, "attributes": node.attrs}
    if node.name in _FIELDS:
        if node.attrs.get("type", "").lower() in ("checkbox", "radio"):
            told["checked"] = is_checked(node)
        elif node.name == "select":
            told["selected"] = get_selected_indexes(node)
        else:
            told["value"] = get_field_value(node)
    return told


def _iter_change_records(
    document: DocumentModel, was: _State | None, now: _State | None, *, after_reload: bool = False
) -> Iterator[Record]:
    """Yield the record of a change from the state `was` to the state `now`; nothing if the states are equal.

    :param after_reload: the page was loaded again between the two states.
    """
    if was == now:
        return
    one = now or was
    assert one is not None
    told: Record = {"page": document.page, "element": _build_short_selector(one)}
    told["change"] = "gone" if now is None else "appeared" if was is None else "changed"
    if after_reload:
        told["loaded"] = document.url
    if was is not None and now is not None:
        names = [name for name in now if now.get(name) != was.get(name) and name != "name"]
        told["was"] = {name: _pick_differing_fields(was.get(name), now.get(name)) for name in names}
        told["is"] = {name: _pick_differing_fields(now.get(name), was.get(name)) for name in names}
    else:
        told["was" if now is None else "is"] = {
            name: _shorten_if_text(value) for name, value in one.items() if name not in ("name", "attributes")
        }
    yield told


def _pick_differing_fields(value: Any, other: Any) -> Any:
    if not isinstance(value, dict) or not isinstance(other, dict):
        return _shorten_if_text(value)
    return {
        name: _shorten_if_text(value.get(name)) for name in {**value, **other} if value.get(name) != other.get(name)
    }


def _shorten_if_text(value: Any) -> Any:
    return truncate_text(value, _LONGEST) if isinstance(value, str) else value


def _build_short_selector(state: _State) -> str:
    attrs = state["attributes"]
    said = [state["name"]]
    said += [f"#{attrs['id']}"] if attrs.get("id") else []
    said += [f".{name}" for name in attrs.get("class", "").split()[:2]]
    return "".join(said)
