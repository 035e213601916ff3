"""Converts a recording to a Playwright test in Python: the calls of a script or agent, or the clicks and typing of a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagereel.errors import PagereelError
from pagereel.reading import RecordedRun
from pagereel.sources import open_any

from .call_lines import write_call_line
from .person_actions import iter_action_lines
from .replay_inspector import ReplayInspector
from .source import TestSource, make_test_name
from .unmasked_texts import UnmaskedTexts

__all__ = ["playwright_test"]


def playwright_test(path: Path, unmasked: Path | None = None) -> str:
    """Return the source of a Playwright test that repeats the actions in the recording at `path`.

    A masked typed text becomes a fixture, whose value an environment variable gives. At the end of each step the test
    compares the page with its recorded ARIA snapshot, if a browser is installed that can open the replay. A comment at
    the top of the file lists the actions that the test does not repeat.

    :param unmasked: the same recording before it was masked. It is used to find out which words in locators, addresses
    and
        headings are stand-ins, so that these become fixtures, too. The test contains no text of it.

    :raises LookupError: the recording holds neither a Playwright call nor an action of a person.
    """
    reading = RecordedRun(path)
    about = str(reading.header.get("agent") or reading.header.get("title") or path.stem)
    with open_any(path) as reel:
        masked = any(event["k"] == "redaction" for event in reel.events({"redaction"}))
        opened = [event for event in reel.timeline() if event["k"] == "page" and event.get("event") == "open"]
    original = UnmaskedTexts(unmasked) if masked and unmasked is not None else None
    source = TestSource(about, masked, original=original)
    with ReplayInspector(path) as outlines:
        if any(call["kind"] == "playwright" for call in reading.calls()):
            _write_calls(reading, opened, source, outlines)
        else:
            _write_person_actions(path, source, outlines)
    if not source.lines:
        raise LookupError("this recording holds neither Playwright calls nor clicks or typing of a person")
    if outlines.why:
        source.add_comment(outlines.why)
    return source.render_file(make_test_name(about))


def _write_calls(
    reading: RecordedRun, page_events: list[dict[str, Any]], source: TestSource, inspector: ReplayInspector
) -> None:
    pages = _TestPages(page_events, source)
    calls = [call for call in reading.calls() if call["kind"] == "playwright"]
    last = calls[-1]["id"]
    steps = reading.steps()
    moments: list[tuple[float, int, str, dict[str, Any]]] = [(float(call["t"]), 1, "call", call) for call in calls]
    for step in steps:
        moments.append((float(step["t"]), 0, "step", step))
        if step.get("duration") and step.get("success") is not False:
            moments.append((float(step["t"]) + float(step["duration"]), -1, "end", step))
    for t, _, kind, record in sorted(moments, key=lambda moment: moment[:2]):
        if kind == "step":
            if source.lines:
                source.add_line("")
            source.add_comment(f"{record['number']}. {record['title']}")
        elif kind == "end":
            for item in inspector.read_aria_lines(t, pages.latest, source.is_stand_in) if source.lines else ():
                source.add_line(
                    f'expect({pages.get_page_variable(pages.latest)}.locator("body")).to_match_aria_snapshot({item})'
                )
        elif record.get("error") and record["id"] != last:
            source.add_comment(
                f"failed when it was recorded: {record['title']} {record.get('locator') or ''} ({str(record['error']).splitlines()[0]})"
            )
        elif record.get("page") is not None or record.get("locator") is not None:
            _write_call(record, t, pages, source, inspector)


def _write_call(
    record: dict[str, Any], t: float, pages: _TestPages, source: TestSource, inspector: ReplayInspector
) -> None:
    number = int(record.get("page") or pages.latest)
    name = pages.get_page_variable(number)
    line = write_call_line(record, name, source, inspector)
    if line is None:
        return
    popup = pages.find_popup(number, t, t + float(record.get("duration") or 0)) if not line.startswith("#") else None
    if popup is None:
        source.add_line(line)
        return
    source.add_line(f"with {name}.expect_popup() as opened:")
    source.add_line(f"    {line}")
    source.add_line(f"{pages.assign_page_variable(popup)} = opened.value")


def _write_person_actions(path: Path, source: TestSource, inspector: ReplayInspector) -> None:
    try:
        actions = list(iter_action_lines(path, inspector, source))
    except PagereelError as error:
        source.lines.append(source.record_skipped_action(f"what was clicked ({error})", "cannot be told"))
        return
    for line in actions:
        source.add_line(line)


class _TestPages:
    """The pages (tabs) that the generated test has opened, each with the name of its variable in the test."""

    LATE = 2_000
    """Ms after a call in which a new page counts as opened by that call."""

    def __init__(self, opened: list[dict[str, Any]], source: TestSource) -> None:
        self._source = source
        self._openers = {int(event["page"]): (event.get("opener"), float(event["t"])) for event in opened}
        self._names: dict[int, str] = {}
        self.latest = min(self._openers, default=1)

    def get_page_variable(self, number: int) -> str:
        """Return the variable's name of a page.

        If the test has not opened the page yet, write the line that opens it.
        """
        self.latest = number
        if number not in self._names:
            first = not self._names
            name = self.assign_page_variable(number)
            if not first:
                self._source.add_line(f"{name} = page.context.new_page()")
        return self._names[number]

    def assign_page_variable(self, number: int) -> str:
        """Choose a variable's name for a page and return it."""
        self._names[number] = "page" if not self._names else f"page_{len(self._names) + 1}"
        return self._names[number]

    def find_popup(self, opener: int, start: float, end: float) -> int | None:
        """Return the number of the page that opened between `start` and `end` (ms); None if none did."""
        for number, (by, t) in self._openers.items():
            if by == opener and start <= t <= end + self.LATE and number not in self._names:
                return number
        return None
