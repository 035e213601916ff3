"""The recorder tells where the machine or a page stood still, and nothing of those that went on steadily."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from pagereel.reading import open_recording
from pagereel.recorder import record
from pagereel.recorder.runtime import stall_monitor
from pagereel.recorder.runtime.clock import Clock
from pagereel.recorder.runtime.stall_monitor import StallMonitor
from pagereel.reel import Event

from .support import Recorded, Site

BUSY = "const until = performance.now() + %d; while (performance.now() < until);"


class Pressed:
    """A beat whose machine's pressure, and whose time, a test sets."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.waited = 100.0, 5.0
        monkeypatch.setattr(stall_monitor.time, "perf_counter", lambda: self.now)
        self.file = folder / "cpu"
        self._set()
        self.told: list[Event] = []
        self.beat = StallMonitor(Clock(), self.told.append, str(self.file))
        self.beat.read_pressure_if_due()

    def goes_on(self, seconds: float, share: float) -> None:
        """Let time go by, in which something waits for a share of it."""
        for _ in range(round(seconds / 0.5)):
            self.now += 0.5
            self.waited += 0.5 * share
            self._set()
            self.beat.read_pressure_if_due()

    def _set(self) -> None:
        self.file.write_text(
            f"some avg10=1.00 avg60=1.00 avg300=1.00 total={self.waited * 1e6:.0f}\nfull avg10=0.00 total=0\n"
        )


def test_a_steady_machine_is_not_spoken_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Pressed(tmp_path, monkeypatch)
    machine.goes_on(60, 0.1)
    machine.beat.write_stall_if_late(machine.now - 0.02)
    machine.beat.stop()
    assert machine.told == []


def test_a_stretch_in_which_something_waited_is_one_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Pressed(tmp_path, monkeypatch)
    machine.goes_on(2, 0.0)
    machine.goes_on(3, 0.9)
    machine.goes_on(2, 0.0)
    assert machine.told == [{"k": "stall", "t": 2000.0, "late": 2700.0, "over": 3000.0}]
    machine.goes_on(11, 1.0)
    machine.beat.stop()
    assert [event["over"] for event in machine.told] == [3000.0, 5000.0, 5000.0, 1000.0]


def test_a_thread_that_goes_on_late_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Pressed(tmp_path, monkeypatch)
    machine.now += 3
    machine.beat.write_stall_if_late(machine.now - 0.8)
    assert machine.told == [{"k": "stall", "t": 2200.0, "late": 800.0}]


def test_where_the_system_tells_of_no_pressure_nothing_is_asked(tmp_path: Path) -> None:
    told: list[Event] = []
    quiet = StallMonitor(Clock(), told.append, str(tmp_path / "none"))
    quiet.read_pressure_if_due()
    quiet.stop()
    assert told == []


def test_a_page_that_stood_still_is_told_of_and_one_that_asked_a_person_is_not(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    url = site.html("/busy", "<p>A page</p>")
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(300)
        page.evaluate(BUSY % 1200)
        page.wait_for_timeout(400)
        page.once("dialog", lambda dialog: (time.sleep(1.5), dialog.dismiss()))
        page.evaluate("alert('Well?')")
        page.wait_for_timeout(400)
    recorded = Recorded(reel)
    recorded.whole_events()
    asked = recorded.one("dialog")["t"]
    stalls = [event for event in recorded.of("stall") if "page" in event]
    # A busy machine stops a page as well: it may have stood still more often, but hardly from the dialog's begin to its end.
    assert {event["page"] for event in stalls if event["late"] > 800 and event["t"] < asked} == {1}
    assert not any(event["t"] < asked + 700 and event["t"] + event["late"] > asked + 1400 for event in stalls)
    assert {"late", "of", "page", "t"} in [each.keys() for each in open_recording(reel).stalls()]
