"""`pagereel record --desktop` on a desktop of its own with a real program: what happens is on the timeline, no letter of what was typed, and hardly any work while nothing happens."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pagereel import record
from pagereel.errors import UsageError
from pagereel.integrations import describe_desktop_limits, record_desktop
from pagereel.reel import open_reel, verify
from tests.command import PAGEREEL

from .desk import Desk


class Running:
    """A recording of a desktop on a thread; ``told`` is what it told so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.told: list[dict[str, Any]] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        with record(None, self.path) as session:
            tell = session.screen

            def told(image: Any = None, **said: Any) -> int:
                self.told.append({"picture": image is not None, **said})
                return tell(image, **said)

            session.screen = told  # type: ignore[method-assign]
            record_desktop(session, self._stop.is_set)

    def __enter__(self) -> Running:
        self._thread.start()
        self.wait(lambda: bool(self.told))
        return self

    def __exit__(self, *raised: object) -> None:
        self._stop.set()
        self._thread.join(30)

    def wait(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + 30
        while not holds():
            assert time.monotonic() < end, self.told
            time.sleep(0.05)

    def saw(self, **wanted: Any) -> bool:
        return any(all(each.get(name) == value for name, value in wanted.items()) for each in self.told)

    @property
    def work(self) -> float:
        """Seconds of CPU that the thread took."""
        return time.clock_gettime(time.pthread_getcpuclockid(self._thread.ident or 0))


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    pytest.importorskip("mss")
    with Desk() as desk:
        monkeypatch.setenv("DISPLAY", desk.display)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        yield desk


def test_what_happens_is_told_and_nothing_that_was_typed(desk: Desk, tmp_path: Path) -> None:
    desk.notes()
    desk.still()
    with Running(tmp_path / "run.reel") as running:
        begun = len(running.told)
        desk.click(300, 200)
        running.wait(lambda: running.saw(action={"action": "left_click", "coordinate": [300, 200]}))
        desk.type("zebra quince")
        running.wait(lambda: running.saw(action={"action": "type"}))
        running.wait(lambda: any(each["picture"] for each in running.told[begun:]))
        desk.key("\n")
        running.wait(lambda: running.saw(action={"action": "key", "text": "Return"}))
        desk.move(200, 480)
        desk.press(5)
        running.wait(lambda: running.saw(action={"action": "scroll", "scroll_direction": "down"}))
        running.wait(lambda: running.saw(cursor=(200, 480)))
        time.sleep(6)
        work, began = running.work, time.monotonic()
        time.sleep(3)
        assert running.work - work < 0.05 * (time.monotonic() - began), "a caret blinks, and nothing happens"
    assert sum(each.get("action") == {"action": "type"} for each in running.told) == 1, "nor how many keys it were"
    with open_reel(tmp_path / "run.reel") as reel:
        events = list(reel.timeline())
    said = json.dumps([event for event in events if event["k"] != "resource"])
    assert "zebra" not in said and "quince" not in said
    # Without a window manager no window has the focus.
    assert not desk.has_manager or any(event.get("window") == "Notes of Ada Miller" for event in events)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("xterm") is None, reason="wants xterm")
def test_a_caret_that_fills_a_letters_place_and_blinks_is_no_news_and_what_is_typed_then_is(
    desk: Desk, tmp_path: Path
) -> None:
    desk.run(["xterm", "-bc", "-geometry", "80x24+100+100"])
    time.sleep(2)
    with Running(tmp_path / "run.reel") as running:
        desk.move(300, 200)
        time.sleep(6)
        begun = sum(each["picture"] for each in running.told)
        time.sleep(4)
        assert sum(each["picture"] for each in running.told) <= begun + 1, "it blinks three times in two seconds"
        desk.type("i")
        running.wait(lambda: running.saw(action={"action": "type"}))
        typed = next(n for n, each in enumerate(running.told) if each.get("action") == {"action": "type"})
        running.wait(lambda: any(each["picture"] for each in running.told[typed:]))


@pytest.mark.parametrize(
    ("options", "how"),
    [([], "Ctrl-C is pressed or SIGTERM comes"), (["--time-limit=2"], "2 seconds have passed or Ctrl-C is pressed or SIGTERM comes")],
)  # fmt: skip
def test_without_a_terminal_a_kill_or_the_time_ends_it(
    desk: Desk, tmp_path: Path, options: list[str], how: str
) -> None:
    reel = tmp_path / "run.reel"
    command = [*PAGEREEL, "record", "--desktop"]
    running = subprocess.Popen(
        [*command, *options, str(reel)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )  # fmt: skip
    assert running.stderr is not None
    told = running.stderr.readline()
    if not options:
        time.sleep(1)
        running.terminate()
    _, rest = running.communicate(timeout=60)
    assert running.returncode == 0, rest
    assert f"until {how};" in told and verify(reel).ok


def test_what_cannot_be_recorded_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert describe_desktop_limits({"DISPLAY": ":0"}, "linux") == ""
    assert "XWayland" not in describe_desktop_limits({"DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, "linux") != ""
    assert "macOS" in describe_desktop_limits({}, "darwin")
    with pytest.raises(UsageError, match="Wayland session without XWayland"):
        describe_desktop_limits({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
    pytest.importorskip("mss")
    monkeypatch.setenv("DISPLAY", ":4711")
    with pytest.raises(UsageError, match="cannot be opened"):
        record_desktop(None, lambda: True)  # type: ignore[arg-type]
