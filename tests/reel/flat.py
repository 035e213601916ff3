"""What holds of every flattened moment of every recording."""

from __future__ import annotations

import json
from typing import Any

from pagereel.reel import KINDS, OPS, DocumentModel, Event, PageModel, build_state_events, find_event_problem

_WORD = 8
"""Letters from which on a string is not in another by chance."""


def check_moment(events: list[Event], moment: int) -> PageModel:
    """The state after so many events (and all others of that moment): made anew by few, it is the same, holds nothing else, and goes on as the recording does."""
    while moment < len(events) and events[moment]["t"] == events[moment - 1]["t"]:
        moment += 1
    model, again = PageModel(), PageModel()
    for event in events[:moment]:
        model.apply(event)
    flat = build_state_events(model, model.time)
    for event in flat:
        assert find_event_problem(event) is None, find_event_problem(event)
        again.apply(event)
    assert again.problem_texts == []
    for d, document in again.documents.items():
        assert document.lost == 0 and document.n == model.documents[d].n
        assert not (wrong := _differing(document, model.documents[d])), wrong
    _holds_only_what_is(events[:moment], flat, [model.documents[d] for d in again.documents], again)
    before, shown = set(model.documents), set(again.documents)
    for event in events[moment:]:
        model.apply(event)
        if event.get("d") not in before - shown and event.get("parent") not in before - shown:
            again.apply(event)
    for d, document in again.documents.items():
        assert not (wrong := _differing(document, model.documents[d])), wrong
    return again


def state(document: DocumentModel) -> dict[str, Any]:
    """All that a document is."""
    return {
        "digest": document.compute_digest(), "url": document.url, "parent": document.parent, "viewport": document.viewport,
        "preferences": document.preferences, "focus": (document.focus, document.focus_visible), "pointed": document.pointed,
        "selection": document.selection, "bubble": document.bubble, "layer": list(document.top_layer.items()),
        "sheets": [(s.number, s.owner, s.text, s.media, s.disabled) for s in sorted(document.sheets.values(), key=lambda s: s.number)],
        "adopted": document.adopted, "animations": {k: (n, _still(a)) for k, (n, a) in document.animations.items()},
        "states": {n: {k: _still(v) for k, v in (node.state or {}).items() if v} for n, node in document.stateful.items()},
    }  # fmt: skip


def _differing(one: DocumentModel, other: DocumentModel) -> dict[str, Any]:
    here, there = state(one), state(other)
    return {name: (here[name], there[name]) for name in here if here[name] != there[name]}


def _still(value: Any) -> Any:
    """A state but for its time, which is said at another moment."""
    return {k: v for k, v in value.items() if k not in ("time", "name") or (v and k == "name")} if isinstance(value, dict) else value  # fmt: skip


def _strings(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value} if len(value) >= _WORD else set()
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return {text for part in parts for text in _strings(part)}


def _holds_only_what_is(past: list[Event], flat: list[Event], documents: list[DocumentModel], again: PageModel) -> None:
    now = "".join(line for document in documents for line in document.iter_canonical_lines())
    now += json.dumps([state(document) for document in documents], ensure_ascii=False, default=str)
    now += json.dumps([(d.frame, d.mode) for d in documents]) + json.dumps([p.url for p in again.pages.values()])
    now += json.dumps(
        [
            "#document",
            "#comment",
            "#content",
            "#doctype",
            "delegatesFocus",
            "slotAssignment",
            "serializable",
            *KINDS,
            *OPS,
        ]
    )
    gone = {text for event in past for text in _strings(event) if text not in now}
    said = _strings(flat)
    titles = {str(event.get("title")) for event in flat}
    assert {text for text in gone if any(text in each for each in said - titles)} == set()
