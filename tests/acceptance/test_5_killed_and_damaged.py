"""Line 5: a recording that was killed plays up to the kill; a damaged one is told where, and plays up to there."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from pagereel.reel import open_reel

from .conftest import Errand
from .support import called, difference, opened, pagereel, read, seek, shown

TICKS = """
import sys
from playwright.sync_api import sync_playwright
from pagereel.browser import launch_options
from pagereel.recorder import record

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(**launch_options())
    context = browser.new_context()
    with record(context, sys.argv[1]):
        page = context.new_page()
        page.set_content("<h1>Clock</h1><p id=p></p>")
        page.evaluate("setInterval(() => { p.textContent = String(Date.now()) }, 10)")
        page.wait_for_function("p.textContent !== ''")
        print("going", flush=True)
        while True:
            page.wait_for_timeout(20)
"""
LIMIT = 1000
"""ms of the page that a kill may cost on a busy machine: a recorder that wrote at the end alone would lose the whole run."""


@dataclass
class Killed:
    """What `kill -9` left, at the real kill and at moments before it: whatever the file holds at a moment is what a kill
    at that moment leaves, for the recorder's writes are not buffered."""

    reel: Path
    copies: list[tuple[float, Path]] = field(default_factory=list)
    """(Unix ms of the kill, file)."""


def last_tick(path: Path) -> int:
    """The latest time that the page showed, in Unix ms."""
    events, _ = read(path)
    words = [word for event in events if event["k"] == "mutation" for op in event["ops"] for word in op]  # type: ignore[union-attr]
    return max((int(word) for word in words if isinstance(word, str) and word.isdecimal()), default=0)


def lost(killed: Killed) -> int:
    """Ms of the page that three kills in four cost at most: one moment in four may be one in which the machine was busy elsewhere."""
    losses = sorted(round(moment - last_tick(copy)) for moment, copy in killed.copies)
    return losses[len(losses) * 3 // 4]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    folder = tmp_path_factory.mktemp("killed")
    reel = folder / "run.reel"
    child = subprocess.Popen([sys.executable, "-c", TICKS, str(reel)], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None and child.stdout.readline() == "going\n"
        dice = random.Random(5)
        found: list[tuple[float, bytes]] = []
        time.sleep(0.6)
        for _ in range(15):
            time.sleep(dice.uniform(0.02, 0.16))
            found.append((time.time() * 1000, reel.read_bytes()))
        now = time.time() * 1000
        child.send_signal(signal.SIGKILL)
        assert child.wait(10) == -signal.SIGKILL
    finally:
        child.kill()
        child.wait(10)
    result = Killed(reel, [(now, reel)])
    for number, (moment, content) in enumerate(found):
        copy = folder / f"{number}.reel"
        copy.write_bytes(content)
        result.copies.append((moment, copy))
    return result


def test_what_a_page_shows_is_soon_in_the_file(killed: Killed) -> None:
    last, *before = [(moment, last_tick(copy)) for moment, copy in killed.copies]
    ticks = [tick for _, tick in (*before, last)]
    assert all(ticks) and ticks == sorted(ticks)
    assert len(set(ticks)) >= 4, "the file grows as the page goes on"
    assert lost(killed) <= LIMIT


@pytest.mark.slow
def test_on_a_quiet_machine_a_kill_costs_a_quarter_of_a_second_at_most(killed: Killed) -> None:
    assert lost(killed) <= 250


def test_a_killed_recording_is_unsealed_and_plays_to_its_last_tick(browser: Browser, killed: Killed) -> None:
    told = pagereel("info", killed.reel)
    assert told.status == 0 and "unsealed" in told.out
    checked = pagereel("verify", killed.reel)
    assert checked.status == 1 and "unsealed" in checked.out + checked.err
    html = killed.reel.with_suffix(".html")
    assert pagereel("build", killed.reel, html, "--redaction", "off").status == 0
    last = last_tick(killed.reel)
    with opened(browser, html) as replay:
        assert replay.page.evaluate("() => window.pagereel.info.sealed") is False
        seek(replay.page, replay.page.evaluate("() => window.pagereel.duration"))
        assert f'"{last}"' in shown(replay.page)
        started = replay.page.evaluate("() => window.pagereel.info.started")
        assert abs(started + replay.page.evaluate("() => window.pagereel.duration") - last) <= LIMIT


# -- damage ---------------------------------------------------------------------------------------------------------------


def flipped(data: bytes) -> tuple[bytes, int]:
    place = len(data) * 3 // 4
    return bytes([*data[:place], data[place] ^ 0x10, *data[place + 1 :]]), place


def cut(data: bytes) -> tuple[bytes, int]:
    place = len(data) * 5 // 6
    return data[:place], place


def tail_gone(data: bytes) -> tuple[bytes, int]:
    return data[:-1], len(data) - 1


@pytest.mark.parametrize("harm", [flipped, cut, tail_gone])
def test_damage_is_told_where_and_the_rest_plays(
    browser: Browser, errand: Errand, tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: Any
) -> None:
    reel, html = tmp_path / "hurt.reel", tmp_path / "hurt.html"
    data, place = harm(errand.reel.read_bytes())
    reel.write_bytes(data)
    with open_reel(reel) as opening:
        damage = opening.damage
    assert damage is not None and damage.offset <= place

    checked = called(capsys, "verify", reel)
    assert checked.status == 1
    assert f"frame {damage.frame} at byte {damage.offset}" in checked.out + checked.err
    told = called(capsys, "info", reel)
    assert told.status == 0
    assert f"damaged at frame {damage.frame} at byte {damage.offset}" in told.out
    assert "shop" in told.out or "127.0.0.1" in told.out
    assert called(capsys, "build", reel, html, "--redaction", "off").status == 0

    with opened(browser, html) as replay:
        assert f"byte {damage.offset}" in replay.page.evaluate("() => window.pagereel.info.damage")
        marks = replay.page.evaluate("() => window.pagereel.marks")
        assert marks, "something is left"
        seek(replay.page, {"mark": marks[-1]["name"]})
        after = shown(replay.page, plain=True)
    with opened(browser, errand.raw) as replay:
        seek(replay.page, {"mark": marks[-1]["name"]})
        assert difference(shown(replay.page, plain=True), after) == ""
