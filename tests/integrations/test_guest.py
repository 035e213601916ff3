"""The recorder as a guest in programs that end badly: their result is the one without it, the reel is closed or says
that it is not, and nothing is left behind.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser as AsyncBrowser
from playwright.async_api import async_playwright
from playwright.sync_api import Browser, BrowserContext, Error, sync_playwright

from pagereel.browser import launch_options
from pagereel.errors import UsageError
from pagereel.recorder import record
from pagereel.reel import open_reel

from .conftest import events_of

HEAD = """
import asyncio, os, signal, sys, time
from playwright.async_api import async_playwright
from playwright.sync_api import sync_playwright
from pagereel.browser import launch_options
from pagereel.recorder import record
reel = sys.argv[1]
"""

INTERRUPTED = """
with sync_playwright() as p:
    browser = p.chromium.launch(**launch_options())
    context = browser.new_context()
    with record(context, reel) as session:
        page = context.new_page()
        page.set_content("<!doctype html><p>working")
        with session.step("Wait for ever"):
            print("ready", flush=True)
            page.wait_for_timeout(60_000)
"""

FAILED = """
def agent():
    with sync_playwright() as p:
        browser = p.chromium.launch(**launch_options())
        context = browser.new_context()
        with record(context, reel):
            page = context.new_page()
            yield page
            page.set_content("<!doctype html><p>never")

run = agent()
page = next(run)
page.set_content("<!doctype html><p>half way")
print("ready", flush=True)
run.close()
raise SystemExit(7)
"""

LOOP_CLOSED = """
async def main():
    p = await async_playwright().start()
    browser = await p.chromium.launch(**launch_options())
    context = await browser.new_context()
    session = record(context, reel)
    await session.start()
    page = await context.new_page()
    await page.set_content("<!doctype html><p>and then the loop was closed")
    session.note("left")
    await browser.close()
    await p.stop()

asyncio.run(main())
print("ready", flush=True)
raise SystemExit(5)
"""

BROWSER_KILLED = """
with sync_playwright() as p:
    server = p.chromium.launch(**launch_options())
    context = server.new_context()
    with record(context, reel) as session:
        page = context.new_page()
        page.set_content("<!doctype html><p>alive")
        cdp = server.new_browser_cdp_session()
        try:
            cdp.send("Browser.crash")
        except Exception:
            pass
        time.sleep(0.3)
        try:
            page.title()
        except Exception as error:
            print("ready", type(error).__name__, flush=True)
raise SystemExit(3)
"""


CONTEXTS = int(os.environ.get("PAGEREEL_CONTEXTS", "20"))
"""The claim is made for 50; CI has two cores for everything."""


def session_processes(leader: int) -> list[str]:
    """Commands of the processes in the session of `leader`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) == leader and fields[0] != "Z":
                    found.append((entry / "cmdline").read_text().replace("\0", " ")[:120])
            except OSError:
                continue
    return found


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """For temporary files. Chromium makes a socket in there, whose path may not be long."""
    with tempfile.TemporaryDirectory(prefix="pr") as folder:
        yield Path(folder)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(
    ("script", "interrupt", "status"),
    [(INTERRUPTED, True, -signal.SIGINT), (FAILED, False, 7), (LOOP_CLOSED, False, 5), (BROWSER_KILLED, False, 3)],
    ids=["ctrl-c", "generator closed early", "loop closed", "browser crashed"],
)
def test_a_program_that_ends_badly_ends_as_without_us(
    tmp_path: Path, short_folder: Path, script: str, interrupt: bool, status: int
) -> None:
    reel, folder = tmp_path / "run.reel", short_folder
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", HEAD + script, str(reel)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        if interrupt:
            os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert said.startswith("ready"), errors
    # Ctrl-C goes to the browser too, and on a busy machine its end may be heard of first.
    browser_first = interrupt and process.returncode == 1 and "TargetClosedError" in errors
    assert browser_first or process.returncode in (status, 130 if interrupt else status), errors
    with open_reel(reel) as opened:
        assert opened.sealed and opened.damage is None
    deadline = time.monotonic() + 10
    while (left := session_processes(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []
    assert list(folder.glob("*pagereel*")) == []


def test_an_exception_in_the_block_is_the_callers_own(recorded_context: BrowserContext, tmp_path: Path) -> None:
    class Mine(Exception):
        pass

    with pytest.raises(Mine) as caught, record(recorded_context, tmp_path / "run.reel") as session:
        recorded_context.new_page()
        with session.step("Fail"):
            raise Mine("as it is")
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    (end,) = events_of(tmp_path / "run.reel", "step_end")
    assert end["success"] is False and end["error"] == "Mine: as it is"
    assert events_of(tmp_path / "run.reel", "end")[0]["reason"] == "error"


def test_code_that_sleeps_loses_nothing(recorded_context: BrowserContext, tmp_path: Path) -> None:
    with record(recorded_context, tmp_path / "run.reel"):
        page = recorded_context.new_page()
        page.set_content("<!doctype html><p id=p></p>")
        page.evaluate(
            "let i = 0; const timer = setInterval(() => { p.textContent = ++i; i < 20 || clearInterval(timer) }, 20)"
        )
        time.sleep(1)
        assert page.inner_text("p") == "20"
    texts = [op for e in events_of(tmp_path / "run.reel", "mutation") for op in e["ops"] if op[0] in ("text", "add")]
    assert len(texts) >= 15


def test_a_context_closed_behind_our_back_ends_quietly(chromium: Browser, tmp_path: Path) -> None:
    context = chromium.new_context()
    with record(context, tmp_path / "run.reel") as session:
        context.new_page().set_content("<!doctype html><p>short")
        type(context).close(context)  # not through the instance, which the recorder watches
        with session.step("Afterwards"), pytest.raises(Error, match="closed"):
            context.new_page()
    with open_reel(tmp_path / "run.reel") as opened:
        assert opened.sealed
    assert [e["title"] for e in events_of(tmp_path / "run.reel", "step")] == ["Afterwards"]


def test_the_second_recorder_says_so_and_a_shared_one_runs_beside(
    recorded_context: BrowserContext, tmp_path: Path
) -> None:
    with record(recorded_context, tmp_path / "one.reel"):
        with pytest.raises(UsageError, match="being recorded already"):
            record(recorded_context, tmp_path / "two.reel").start()
        with record(recorded_context, tmp_path / "three.reel", shared=True):
            recorded_context.new_page().set_content("<!doctype html><p>both")
    for name in ("one.reel", "three.reel"):
        checkpoints = events_of(tmp_path / name, "checkpoint")
        assert checkpoints and all(c["equal"] for c in checkpoints)
        assert [e["method"] for e in events_of(tmp_path / name, "call")] == ["new_page", "set_content"]


@pytest.fixture
def elsewhere() -> Iterator[list[BaseException]]:
    """Errors from threads: Playwright's loop belongs to the main one here."""
    errors: list[BaseException] = []
    yield errors
    assert errors == []


def in_thread(work: object, errors: list[BaseException]) -> None:
    def run() -> None:
        try:
            work()  # type: ignore[operator]
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(230)
    assert not thread.is_alive()


def test_a_playwright_of_another_thread_is_recorded_beside(tmp_path: Path, elsewhere: list[BaseException]) -> None:
    def work() -> None:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**launch_options())
            context = browser.new_context()
            with record(context, tmp_path / "thread.reel"):
                context.new_page().set_content("<!doctype html><p>in a thread")
            browser.close()

    in_thread(work, elsewhere)
    assert [e["method"] for e in events_of(tmp_path / "thread.reel", "call")] == ["new_page", "set_content"]


@pytest.mark.slow
def test_many_contexts_at_once(tmp_path: Path, elsewhere: list[BaseException]) -> None:
    async def one(browser: AsyncBrowser, number: int, few: asyncio.Semaphore, all_there: asyncio.Event) -> None:
        # All are recorded at the same time; a machine with few cores opens and closes them some at a time.
        async with few:
            context = await browser.new_context()
            context.set_default_timeout(120_000)
            session = record(context, tmp_path / f"{number}.reel")
            await session.start()
            page = await context.new_page()
        there.append(number)
        if len(there) == CONTEXTS:
            all_there.set()
        await all_there.wait()
        async with session.step(f"Step {number}"):
            await page.set_content(f"<!doctype html><p>page {number}")
            assert await page.inner_text("p") == f"page {number}"
        async with few:
            await session.stop()
            await context.close()

    there: list[int] = []

    async def main() -> None:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(**launch_options())
            few, all_there = asyncio.Semaphore(8), asyncio.Event()
            await asyncio.gather(*(one(browser, number, few, all_there) for number in range(CONTEXTS)))
            await browser.close()

    in_thread(lambda: asyncio.run(main()), elsewhere)
    for number in range(CONTEXTS):
        reel = tmp_path / f"{number}.reel"
        with open_reel(reel) as opened:
            assert opened.sealed
        (step,) = events_of(reel, "step")
        calls = events_of(reel, "call")
        assert step["title"] == f"Step {number}"
        assert [(c["method"], c["step"]) for c in calls] == [
            ("new_page", None), ("set_content", step["id"]), ("inner_text", step["id"])
        ]  # fmt: skip
