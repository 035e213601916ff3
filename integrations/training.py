"""Makes training pairs from a recording: for each successful action its page state, reasoning and outcome.

A pair is made of each Playwright call that changes a page, and of each tool call, if the call succeeded. One of the
steps around the call must have ``success=True``, and none may have failed. The state is the text of the pages just
before the call, as `pagereel query … text` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pagereel.reading import Record, RecordedRun, build_outline
from pagereel.reel import PageModel
from pagereel.sources import open_any

ACTIONS = frozenset(
    [
        "check",
        "clear",
        "click",
        "dblclick",
        "dispatch_event",
        "drag_and_drop",
        "drag_to",
        "fill",
        "focus",
        "go_back",
        "go_forward",
        "goto",
        "hover",
        "press",
        "press_sequentially",
        "reload",
        "select_option",
        "select_text",
        "set_checked",
        "set_content",
        "set_input_files",
        "tap",
        "type",
        "uncheck",
        "keyboard.down",
        "keyboard.insert_text",
        "keyboard.press",
        "keyboard.type",
        "keyboard.up",
        "mouse.click",
        "mouse.dblclick",
        "mouse.down",
        "mouse.move",
        "mouse.up",
        "mouse.wheel",
        "touchscreen.tap",
        "new_page",
        "close",
    ]
)
"""Public names of the calls that act on the page; other calls only read it."""
LONGEST = 100_000
"""Longest text of a state, in characters."""


def iter_training_pairs(path: Path) -> Iterator[Record]:
    """Yield the training pairs of the reel at `path`, in order of time, as dictionaries.

    Their fields: `goal` (the titles of the steps around the action, the outermost first), `reasoning`, `state` (the
    open `pages` with number, url, title and text, at the time `t`), `action`, `outcome`.
    """
    reading = RecordedRun(path)
    steps = {step["id"]: step for step in reading.steps()}
    wanted = [
        call
        for call in reading.calls()
        if _is_successful_action(call) and _is_in_successful_step(call.get("step"), steps)
    ]
    moments = sorted({float(call["t"]) for call in wanted})
    states = _read_page_states(path, moments)
    for call in wanted:
        around = list(_iter_enclosing_steps(call.get("step"), steps))
        step = around[-1]
        yield {
            "recording": reading.header.get("id"),
            "agent": reading.header.get("agent"),
            "step": step["id"],
            "goal": [each["title"] for each in around],
            "reasoning": next((each["reasoning"] for each in reversed(around) if each.get("reasoning")), None),
            "state": {"t": call["t"], "pages": states[float(call["t"])]},
            "action": _describe_action(call),
            "outcome": next(
                {name: each[name] for name in ("success", "message") if name in each}
                for each in reversed(around)
                if "success" in each
            ),
        }


def _is_successful_action(call: Record) -> bool:
    if call.get("error"):
        return False
    return call["kind"] == "tool" or (call["kind"] == "playwright" and call["method"] in ACTIONS)


def _iter_enclosing_steps(step: Any, steps: dict[Any, Record]) -> Iterator[Record]:
    """Yield the steps around a call, the outermost first."""
    chain: list[Record] = []
    while step in steps and steps[step] not in chain:
        chain.append(steps[step])
        step = steps[step].get("parent")
    yield from reversed(chain)


def _is_in_successful_step(step: Any, steps: dict[Any, Record]) -> bool:
    """Return whether one of the steps around a call has ``success=True``, and none has failed."""
    verdicts = [each.get("success") for each in _iter_enclosing_steps(step, steps)]
    return True in verdicts and False not in verdicts


def _describe_action(call: Record) -> Record:
    tool = ("kind", "name", "arguments", "result")
    names = tool if call["kind"] == "tool" else ("kind", "method", "locator", "params", "page")
    return {name: call[name] for name in names if call.get(name) is not None}


def _read_page_states(path: Path, times: list[float]) -> dict[float, list[Record]]:
    """Return for each of the times `times` the text of the open pages, reading the recording once."""
    found: dict[float, list[Record]] = {}
    waiting = list(reversed(times))
    model = PageModel()
    with open_any(path) as reel:
        for event in reel.timeline():
            while waiting and float(str(event.get("t") or 0)) > waiting[-1]:
                found[waiting.pop()] = _read_open_pages(model)
            model.apply(event)
    while waiting:
        found[waiting.pop()] = _read_open_pages(model)
    return found


def _read_open_pages(model: PageModel) -> list[Record]:
    pages = []
    for state in model.pages.values():
        document = model.documents.get(state.document or 0)
        if document is not None and state.open:
            text = build_outline(model, document)
            text = text if len(text) <= LONGEST else f"{text[:LONGEST]}… [cut: {len(text):,} characters]"
            pages.append({"page": state.number, "url": document.url, "title": document.title, "text": text})
    return pages
