"""The recorder is a guest: whatever fails in it or in a page, the agent's run is the one without it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from pagereel.errors import PagereelError, UsageError
from pagereel.recorder import RecorderWarning, record
from pagereel.recorder.cdp import cdp_connection
from pagereel.recorder.cdp.cdp_connection import CdpPageConnection, CdpTarget
from pagereel.recorder.cdp.cdp_sessions import PageCdpSession, Params
from pagereel.recorder.cdp.frames import InjectorWorld
from pagereel.recorder.ingest.documents import RecordedDocuments
from pagereel.recorder.ingest.resources import ResourceStore
from pagereel.reel import ReelWriter, limits

from .support import LAUNCH, Recorded, Site

HOSTILE = """<!doctype html><script>
const seen = Object.getOwnPropertyNames(window).filter(n => !/^(on|webkit)/.test(n));
JSON.stringify = () => 'garbage'; JSON.parse = () => { throw 1 };
window.MutationObserver = class { observe() { throw 2 } };
for (const name of ['push', 'map', 'forEach', 'slice', 'splice', 'join', 'filter', 'indexOf'])
  Array.prototype[name] = function () { throw new Error(name) };
Object.defineProperty(Node.prototype, 'childNodes', { get() { throw 3 } });
Element.prototype.getAttribute = () => 'forged'; Map.prototype.get = () => null; Promise.prototype.then = () => 4;
setTimeout = () => 0; performance.now = () => NaN; Date.now = () => -1;
const spared = /^(alert|confirm|prompt|print|open|close|stop|find|Location|location|eval|Function)$/;
for (const name of seen) { try {
  if (typeof window[name] === 'function' && !spared.test(name)) window[name]('garbage');
} catch {} }
document.title = seen.length;
</script><p>hostile</p><button onclick="document.body.append('still here')">go</button>"""


def test_a_hostile_page_is_recorded_whole_and_sees_nothing(browser: Browser, site: Site, reel: Path) -> None:
    url = site.put("/hostile", "text/html", HOSTILE)

    def run(context: BrowserContext) -> tuple[object, ...]:
        page = context.new_page()
        page.goto(url)
        page.click("button")
        return page.title(), page.inner_text("body"), page.content()

    plain, recorded_context = browser.new_context(), browser.new_context()
    expected = run(plain)
    with record(recorded_context, reel):
        assert run(recorded_context) == expected
    plain.close()
    recorded_context.close()
    recorded = Recorded(reel)
    recorded.whole()
    assert "still here" in recorded.lines(url)


VIEW = """() => {
  const natives = ['JSON.stringify', 'MutationObserver', 'Element.prototype.attachShadow', 'fetch', 'setTimeout',
    'CSSStyleSheet.prototype.insertRule', 'EventTarget.prototype.addEventListener',
    'HTMLCanvasElement.prototype.getContext'];
  const source = name => Function.prototype.toString.call(name.split('.').reduce((o, k) => o[k], window));
  return [Object.getOwnPropertyNames(window).sort(), Object.getOwnPropertyNames(document).sort(),
    natives.map(source), document.documentElement.outerHTML, Object.getOwnPropertyNames(Element.prototype).sort()];
}"""


def test_the_page_sees_no_trace_of_the_recorder(browser: Browser, site: Site, reel: Path) -> None:
    url = site.html("/look", "<p id=p>look</p><input value=a>")

    def look(context: BrowserContext) -> object:
        page = context.new_page()
        page.goto(url)
        page.fill("input", "b")
        return page.evaluate(VIEW)

    plain, watched = browser.new_context(), browser.new_context()
    expected = look(plain)
    with record(watched, reel):
        assert look(watched) == expected
    plain.close()
    watched.close()


def fail(*_: object, **__: object) -> Any:
    raise RuntimeError("injected fault")


async def fail_later(*_: object, **__: object) -> Any:
    raise RuntimeError("injected fault")


@pytest.mark.parametrize(
    ("owner", "name", "fault"),
    [
        (RecordedDocuments, "handle_batch", fail),
        (ResourceStore, "store_content", fail),
        (CdpTarget, "handle_event", fail),
        (CdpTarget, "set_up_target", fail_later),
        (CdpPageConnection, "attach", fail_later),
        (CdpPageConnection, "send_script_command", fail_later),
        (CdpPageConnection, "wait_for_bodies", fail_later),
        (CdpPageConnection, "detach", fail_later),
        (CdpPageConnection, "call_script_method", fail),
        (CdpPageConnection, "handle_page_end", fail),
        (ReelWriter, "write", fail),
        (ReelWriter, "flush_if_due", fail),
        (ReelWriter, "close", fail),
    ],
)
def test_no_fault_of_ours_reaches_the_agent(
    browser: Browser,
    site: Site,
    reel: Path,
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    fault: Callable[..., Any],
) -> None:
    url = site.html("/fault", "<button onclick=\"this.textContent='done'\">go</button>")
    context = browser.new_context()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # as under pytest -W error: even the warning must not raise
        with record(context, reel) as session:
            monkeypatch.setattr(owner, name, fault)
            page = context.new_page()
            with session.step("Go"):
                page.goto(url)
                page.click("button")
            session.mark("done")
            assert page.inner_text("button") == "done"
            page.close()
    monkeypatch.undo()
    assert not vars(context).keys() & {"new_page", "close"}
    context.close()


def test_a_fault_is_a_gap_and_one_warning(
    browser: Browser, site: Site, reel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = site.html("/fault", "<p>x</p>")
    context = browser.new_context()
    monkeypatch.setattr(RecordedDocuments, "handle_batch", fail)
    with pytest.warns(RecorderWarning, match="injected fault") as caught, record(context, reel):
        for _ in range(3):
            context.new_page().goto(url)
    assert len(caught) == 1
    recorded = Recorded(reel)
    assert recorded.sealed and recorded.gaps.count("error") >= 3
    assert "injected fault" in recorded.of("gap", reason="error")[0]["detail"]
    context.close()


@pytest.mark.parametrize(
    "last",
    ["Page.getFrameTree", "Network.enable", "Page.getResourceTree", "Page.captureSnapshot", "Page.captureScreenshot"],
)
def test_a_page_that_has_closed_by_the_time_something_is_asked_of_it_is_no_fault(
    browser: Browser, site: Site, reel: Path, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    site.put("/closing.css", "text/css", "p { color: teal }")
    url = site.html("/closing", "<link rel=stylesheet href=/closing.css><p>x</p>")
    context = browser.new_context()
    page = context.new_page()
    page.goto(url)
    send, asked = PageCdpSession.send, []

    async def closed(link: PageCdpSession, method: str, params: Params | None = None) -> Params:
        if method == last and not asked:
            asked.append(method)
            await link.detach()
        return await send(link, method, params)

    monkeypatch.setattr(PageCdpSession, "send", closed)
    if hasattr(type(page), "requests"):
        monkeypatch.delattr(type(page), "requests")  # Playwright before 1.56: the page itself is asked.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with record(context, reel) as session:
            page.wait_for_timeout(300)
            if last == "Page.captureScreenshot":
                page.evaluate(
                    "() => { const canvas = document.createElement('canvas'); document.body.append(canvas);"
                    "canvas.getContext('webgl').clear(0x4000) }"
                )
                session.mark("a canvas")
    assert asked == [last]
    recorded = Recorded(reel)
    assert recorded.sealed and "error" not in recorded.gaps
    context.close()


def test_a_page_that_hangs_holds_the_end_up_for_so_long_at_most_and_what_it_did_not_tell_is_said(
    browser: Browser, site: Site, reel: Path
) -> None:
    url = site.html("/hang", "<p>hang</p>")
    hang = "setTimeout(() => { document.body.append('never told'); const end = Date.now() + 4000; while (Date.now() < end); }, 0)"

    def seconds_of_the_end(script: str) -> float:
        context = browser.new_context()
        session = record(context, reel, overwrite=True, end_timeout=1)
        session.start()
        page = context.new_page()
        page.goto(url)
        page.evaluate(script)
        began = time.monotonic()
        session.stop()
        seconds = time.monotonic() - began
        assert Recorded(reel).sealed
        assert page.inner_text("p") == "hang"
        context.close()
        return seconds

    # What the rest of the end takes is the machine's: it is taken off.
    usual = seconds_of_the_end("0")
    Recorded(reel).whole()
    assert seconds_of_the_end(hang) - usual < 1.8
    recorded = Recorded(reel)
    gap = recorded.one("gap")
    assert "never told" not in recorded.lines(url)
    assert (gap["reason"], gap["page"]) == ("late", 1) and "did not tell what it showed last" in gap["detail"]


def test_the_end_waits_for_what_a_busy_page_shows_last(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/busy", "<p>busy</p>")
    busy = "setTimeout(() => { document.body.append('told'); const end = Date.now() + 1600; while (Date.now() < end); }, 0)"
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        page.evaluate(busy)
    recorded = Recorded(reel)
    recorded.whole()
    assert "told" in recorded.lines(url)


def test_what_a_page_shows_as_it_is_closed_is_told_or_said(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/closed", "<p>closed</p>")
    busy = "setTimeout(() => { document.body.append('never told'); const end = Date.now() + 2500; while (Date.now() < end); }, 0)"
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        page.evaluate(busy)
        page.close()
    recorded = Recorded(reel)
    told = "never told" in recorded.lines(url)
    assert recorded.gaps == ([] if told else ["late"])


def test_a_page_that_told_all_is_not_said_to_be_late_though_it_was_not_looked_through_before_it_closed(
    context: BrowserContext, site: Site, reel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = site.html("/loaded", "<p>loaded</p>")

    async def never(*_: Any) -> None:  # as on a machine that has much else to do
        await session._recording.runner.wait([], 20)

    monkeypatch.setattr(cdp_connection, "pass_all_closed_roots_to_injector", never)
    with record(context, reel, end_timeout=1) as session:
        page = context.new_page()
        page.goto(url)
        page.evaluate("document.body.append('told')")
        page.close()
    recorded = Recorded(reel)
    assert "told" in recorded.lines(url) and recorded.gaps == []


def test_a_document_that_says_that_it_goes_has_told_all(
    context: BrowserContext, site: Site, reel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answer to the last question may get lost with it."""
    url = site.html("/gone", "<p>gone</p>")
    answered = InjectorWorld.evaluate

    async def lost(self: InjectorWorld, expression: str, *, await_promise: bool = False) -> Any:
        answer = await answered(self, expression, await_promise=await_promise)
        if "flush()" in expression:
            await session._recording.runner.wait([], 20)
        return answer

    monkeypatch.setattr(InjectorWorld, "evaluate", lost)
    with record(context, reel, end_timeout=1) as session:
        page = context.new_page()
        page.goto(url)
        page.evaluate("document.body.append('told')")
        page.close()
    recorded = Recorded(reel)
    assert "told" in recorded.lines(url) and recorded.gaps == []


def test_of_a_text_that_no_line_holds_no_more_is_sent_than_has_it_cut_and_said(
    context: BrowserContext, site: Site, reel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = site.html("/long", "<p>long</p>")
    sent: list[int] = []
    batch = RecordedDocuments.handle_batch
    monkeypatch.setattr(
        RecordedDocuments, "handle_batch", lambda *given: (sent.append(len(given[2])), batch(*given))[1]
    )
    with record(context, reel, end_timeout=60), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page = context.new_page()
        page.goto(url)
        page.evaluate("document.head.append(new Comment('x'.repeat(40_000_000)))")
    recorded = Recorded(reel)
    assert max(sent) < limits.LINE_BYTES + 1_000 and "x" * limits.TEXT_LENGTH in recorded.lines(url)
    assert "oversize" in recorded.gaps


def test_dialogs_are_dismissed_as_without_us_and_recorded(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/dialog", "<button onclick=\"this.textContent = String(prompt('Name?', 'Ada'))\">ask</button>")
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        page.click("button")
        assert page.inner_text("button") == "null"
    recorded = Recorded(reel)
    recorded.whole()
    dialog = recorded.one("dialog")
    assert (dialog["type"], dialog["message"], dialog["default"], dialog["page"]) == ("prompt", "Name?", "Ada", 1)


def test_the_callers_dialog_listener_decides(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/dialog2", "<button onclick=\"this.textContent = String(confirm('Sure?'))\">ask</button>")
    with record(context, reel):
        page = context.new_page()
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(url)
        page.click("button")
        assert page.inner_text("button") == "true"
    assert Recorded(reel).one("dialog")["type"] == "confirm"


KILLED = """
import os, signal, sys, time
from playwright.sync_api import sync_playwright
from pagereel.browser import launch_options
from pagereel.recorder import record
with sync_playwright() as p:
    browser = p.chromium.launch(**launch_options())
    context = browser.new_context()
    with record(context, sys.argv[1]) as session:
        page = context.new_page()
        page.set_content("<p id=p></p>")
        page.evaluate("window.i = 0; setInterval(() => { p.textContent = String(++i) }, 20)")
        began = time.monotonic()
        while time.monotonic() - began < 2:
            page.wait_for_timeout(50)
        now = page.evaluate("i")
        print(now, browser.contexts and "up", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_kill_9_loses_at_most_a_quarter_of_a_second(tmp_path: Path) -> None:
    reel = tmp_path / "killed.reel"
    done = subprocess.run([sys.executable, "-c", KILLED, str(reel)], capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr
    last = int(done.stdout.split()[0])
    recorded = Recorded(reel)
    assert not recorded.sealed
    texts = [op[2] for e in recorded.of("mutation") for op in e["ops"] if op[0] == "text"]
    counts = [int(t) for t in texts if t.isdecimal()]
    adds = [
        int(w) for e in recorded.of("mutation") for op in e["ops"] if op[0] == "add" for w in op if str(w).isdecimal()
    ]
    # 20 ms a count: 250 ms of the writer, 50 of the page, and what the machine was busy with.
    assert last - max(counts + adds) <= 25


EXITED = """
import sys
from playwright.sync_api import sync_playwright
from pagereel.browser import launch_options
from pagereel.recorder import record
p = sync_playwright().start()
browser = p.chromium.launch(**launch_options())
session = record(browser, sys.argv[1])
session.start()
session.note("left open")
"""


def test_a_session_left_open_is_sealed_at_exit(tmp_path: Path) -> None:
    reel = tmp_path / "left.reel"
    subprocess.run([sys.executable, "-c", EXITED, str(reel)], capture_output=True, timeout=60, check=False)
    recorded = Recorded(reel)
    assert recorded.sealed and recorded.one("end")["reason"] == "exit"
    assert recorded.one("note")["text"] == "left open"


def test_a_forked_child_does_not_touch_the_reel(context: BrowserContext, reel: Path) -> None:
    with record(context, reel) as session:
        session.note("parent")
        child = os.fork()
        if child == 0:
            session.note("child")
            session.stop()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        session.note("parent again")
    recorded = Recorded(reel)
    assert recorded.sealed
    assert [n["text"] for n in recorded.of("note")] == ["parent", "parent again"]


@pytest.mark.parametrize(
    ("target", "options", "says"),
    [
        ("nothing", {}, "BrowserContext, Page or Browser"),
        ("context", {"agnet": "x"}, "no option 'agnet'.*agent"),
        ("context", {"transport": "smoke"}, "not one of auto, cdp, binding"),
        ("context", {"mask": ".secret"}, "list of CSS selectors"),
        ("closed", {}, "closed"),
        ("closed page", {}, "closed"),
    ],
)
def test_wrong_use_is_said_at_once(
    browser: Browser, reel: Path, target: str, options: dict[str, Any], says: str
) -> None:
    context = browser.new_context()
    page: Page = context.new_page()
    if target == "closed page":
        page.close()
    if target == "closed":
        context.close()
    subject = {"nothing": object(), "closed page": page}.get(target, context)
    with pytest.raises(UsageError, match=says):
        record(subject, reel, **options)
    assert not reel.exists()
    context.close()


@pytest.mark.parametrize("path", [".", "no/such/folder/run.reel"])
def test_a_path_that_cannot_be_written_is_said_at_once(context: BrowserContext, tmp_path: Path, path: str) -> None:
    with pytest.raises(PagereelError), record(context, tmp_path / path):
        pass
    with record(context, tmp_path / "then.reel"):
        context.new_page()
    assert Recorded(tmp_path / "then.reel").sealed


def test_a_second_recorder_is_refused(tmp_path: Path, browser: Browser) -> None:
    own = browser.browser_type.launch(**LAUNCH)
    context = own.new_context()
    targets = (own, context, context.new_page())
    for number, first in enumerate(targets):
        with record(first, tmp_path / f"{number}.reel"):
            for second in targets:
                with (
                    pytest.raises(UsageError, match="being recorded already"),
                    record(second, tmp_path / "second.reel"),
                ):
                    pass
        assert not (tmp_path / "second.reel").exists()
        assert Recorded(tmp_path / f"{number}.reel").sealed
    own.close()


@pytest.mark.parametrize("transport", ["cdp", "binding"])
def test_a_page_that_outruns_the_writer_is_sampled_less_often_and_says_so(
    context: BrowserContext, site: Site, reel: Path, monkeypatch: pytest.MonkeyPatch, transport: str
) -> None:
    """A ticker changes every 10 ms while the writer stands still, as on a disk that hangs; then it goes on."""
    ticker = "setInterval(() => { document.body.textContent = ++window.n + ' '.padEnd(3000, 'x'); }, 10); n = 0"
    url = site.html("/ticker", f"<body><script>{ticker}</script>")
    disk, whole = Event(), RecordedDocuments.handle_batch
    disk.set()

    def batch(*arguments: Any) -> None:
        disk.wait(20)
        whole(*arguments)

    monkeypatch.setattr(RecordedDocuments, "handle_batch", batch)
    with record(context, reel, transport=transport, queue_limit=400_000) as session:
        page = context.new_page()
        page.goto(url)
        disk.clear()
        for _ in range(200):
            page.wait_for_timeout(50)
            if (pace := session._recording.kit.writer.pace) > 1:
                break
        assert pace > 1
        page.wait_for_timeout(2500)
        disk.set()
        page.wait_for_timeout(1000)
    recorded = Recorded(reel)
    assert recorded.gaps == ["overload"]
    recorded.whole("overload")
    times = [event["t"] for event in recorded.of("mutation")]
    apart = [later - earlier for earlier, later in pairwise(times)]
    assert sum(ms > 180 for ms in apart) >= 4, apart
    assert min(apart[-10:]) < 180, apart
