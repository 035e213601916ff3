"""`record(…, replay="run.html")` leaves a replay, however the run ends, and gets in nobody's way."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
import traceback
import warnings
from pathlib import Path

import pytest
from playwright.async_api import async_playwright
from playwright.sync_api import BrowserContext, TimeoutError

from pagereel import open_recording, record
from pagereel.errors import UsageError
from pagereel.reading import build_run_summary
from pagereel.recorder import RecorderWarning, replay_build
from pagereel.reel import verify

from .support import LAUNCH


@pytest.fixture
def html(tmp_path: Path) -> Path:
    return tmp_path / "run.html"


def test_an_agent_that_fails_has_its_replay_and_its_own_exception(
    context: BrowserContext, reel: Path, html: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(TimeoutError) as caught, record(context, reel, replay=html) as session:
            page = context.new_page()
            page.set_content("<!doctype html><h1>Order of elena.marchetti@example.com</h1>")
            with session.step("Pay"):
                page.get_by_role("button", name="Pay").click(timeout=200)
    assert "replaying" not in "".join(traceback.format_exception(caught.value))
    first, why, where = capsys.readouterr().err.splitlines()
    assert first == f"pagereel: {html}"
    assert why.startswith("  The call “Click Pay” in “Pay” fails: nothing on the page fits; it says “Order of ")
    assert where.startswith('  get_by_role("button", name="Pay") at ') and "test_replay_at_end.py:" in where
    replay = open_recording(html)
    assert build_run_summary(replay)["outcome"] == "failed" and "Pay" in str(replay.errors())
    assert "Order of" in str(replay.text(at=replay.duration)) and "elena.marchetti" not in html.read_text("utf-8")
    assert verify(reel).sealed


def test_it_is_the_same_with_the_async_api_whose_loop_goes_on(
    no_sync_playwright: None, reel: Path, html: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run() -> int:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(**LAUNCH)
            context = await browser.new_context()
            with pytest.raises(ValueError, match="as it is"):
                async with record(context, reel, replay=html, redaction=None):
                    await (await context.new_page()).set_content("<!doctype html><p>async")
                    ticking = asyncio.create_task(tick())
                    raise ValueError("as it is")
            ticking.cancel()
            await browser.close()
        return ticks

    assert asyncio.run(run()) > 20
    assert capsys.readouterr().err.splitlines()[:2] == [f"pagereel: {html}", "  The run ended by ValueError: as it is."]
    assert open_recording(html).text(at=10**6)[0]["text"] == "async"


HEAD = """
import signal, sys
from playwright.sync_api import sync_playwright
from pagereel.browser import launch_options
from pagereel import record
p = sync_playwright().start()
context = p.chromium.launch(**launch_options()).new_context()
"""
WAITS = """
with record(context, "run.reel", replay="run.html", redaction="off") as session:
    page = context.new_page()
    page.set_content("<!doctype html><p>working")
    session.mark("there")
    print("ready", flush=True)
    page.wait_for_timeout(60_000)
"""
LEFT_OPEN = """
session = record(context, "run.reel", replay="run.html", redaction="off")
session.start()
context.new_page().set_content("<!doctype html><p>working")
session.mark("there")
print("ready", flush=True)
"""
TERMINATED = f"signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n{WAITS}"


@pytest.mark.parametrize(
    ("script", "number", "statuses"),
    [
        (WAITS, signal.SIGINT, (-signal.SIGINT, 130, 1)),
        pytest.param(TERMINATED, signal.SIGTERM, (143,), marks=pytest.mark.slow),
        (LEFT_OPEN, None, (0,)),
    ],
    ids=["ctrl-c", "sigterm that ends the script", "left open"],
)
def test_an_interrupted_program_has_its_replay(
    tmp_path: Path, script: str, number: signal.Signals | None, statuses: tuple[int, ...]
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", HEAD + script], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        if number is not None:
            os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode in statuses, errors
    assert "pagereel: run.html\n" in errors and "RecorderWarning" not in errors
    replay = open_recording(tmp_path / "run.html")
    assert replay.text(at=replay.moment("there"))[0]["text"] == "working"


def test_a_build_that_fails_is_one_warning_and_the_recording_stays(tmp_path: Path, reel: Path) -> None:
    folder = tmp_path / "replays"
    folder.mkdir()
    with (
        pytest.warns(RecorderWarning) as said,
        pytest.raises(ValueError, match="as it is"),
        record(None, reel, replay=folder / "run.html", redaction="off") as session,
    ):
        session.note("hello")
        folder.rmdir()
        raise ValueError("as it is")
    assert len(said) == 1 and said[0].filename == __file__, "it names the user's line, and none of pagereel's"
    assert (
        f"The recording is kept; with that put right, build it: pagereel build {reel} {folder / 'run.html'} --redaction off"
        in str(said[0].message)
    )
    assert verify(reel).sealed


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="interrupts itself")
@pytest.mark.parametrize("failed", [False, True])
def test_an_interrupted_build_is_given_up_and_hides_no_exception(
    reel: Path, html: Path, monkeypatch: pytest.MonkeyPatch, failed: bool
) -> None:
    monkeypatch.setattr(replay_build, "_BUILD", "import time; time.sleep(60)")
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    began = time.monotonic()
    try:
        with (
            pytest.raises(ValueError if failed else KeyboardInterrupt),
            pytest.warns(RecorderWarning, match="interrup"),
            record(None, reel, replay=html),
        ):
            signal.setitimer(signal.ITIMER_REAL, 1.0)
            if failed:
                raise ValueError("as it is")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < 20 and not html.exists()


def test_it_is_built_once_and_by_who_recorded(reel: Path, html: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = record(None, reel, replay=html, redaction="off")
    session.start()
    if hasattr(os, "fork"):
        child = os.fork()
        if child == 0:
            session.stop()
            os._exit(int(html.exists()))
        assert os.waitpid(child, 0)[1] == 0
    session.stop()
    session.stop()
    assert capsys.readouterr().err == f"pagereel: {html}\n"


def test_quiet_says_nothing(reel: Path, html: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with record(None, reel, replay=html, redaction="off", quiet=True) as session:
        session.note("hello")
    assert html.exists() and capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("replay", "more", "says"),
    [
        ("none/run.html", {}, "does not exist"),
        (".", {}, "is a folder"),
        ("run.reel", {}, "path of the recording"),
        ("there.html", {"overwrite": False}, "exists already"),
        ("run.html", {"redaction": "vendors"}, "'vendors' is not one of vendor, strict, internal, off"),
        (7, {}, "takes the path"),
    ],
)
def test_what_cannot_be_is_said_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replay: str, more: dict[str, object], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.html").write_text("")
    with pytest.raises(UsageError, match=says), record(None, "run.reel", replay=replay, **more):  # type: ignore[arg-type]
        pass
    assert not (tmp_path / "run.reel").exists()
