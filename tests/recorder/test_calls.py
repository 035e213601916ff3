"""Playwright's calls on the timeline, sync API: each way of listening, and what the run does not notice."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from pagereel.recorder import record
from pagereel.recorder.hooks import hook_choice as calls_finding
from pagereel.recorder.hooks.call_text import read_parameters
from pagereel.recorder.hooks.typed_text import TypedTextMasker
from pagereel.recorder.playwright_calls import PlaywrightCallRecorder
from pagereel.recorder.runtime.runner import run_without_suspending as run_through
from pagereel.reel import Event, to_python_locator

from . import calls_script
from .support import Recorded, Site


@pytest.fixture(params=["client", "classes"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The client's own hook of this release, and the floor that needs none."""
    if request.param == "classes":
        monkeypatch.setattr(calls_finding, "_choose_hook", lambda connection: None)
    yield request.param
    assert not calls_finding._hooks, "a hook was left behind"


def test_calls_are_on_the_timeline(context: BrowserContext, site: Site, reel: Path, way: str) -> None:
    url = site.html("/calls", calls_script.PAGE)
    with record(context, reel) as session:
        page = context.new_page()
        run_through(calls_script.drive(session, page, url, expect, calls_script.done))
    recorded = Recorded(reel)
    recorded.whole("tree")
    calls_script.check(recorded, url)


def test_the_client_is_as_it_was_afterwards(context: BrowserContext, reel: Path, way: str) -> None:
    connection = context._impl_obj._connection
    before, click, fill = set(vars(connection)), Page.click, Page.fill
    with record(context, reel):
        assert (Page.click is click) == (way == "client")
    assert set(vars(connection)) == before and Page.click is click and Page.fill is fill


def test_a_popup_is_waited_for_until_it_comes(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/popup", calls_script.PAGE)
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        with page.expect_popup() as popup:
            page.get_by_role("button", name="Pay").click()
        popup.value.close()
        with pytest.raises(Exception, match="Timeout"), page.expect_download(timeout=100):
            pass
    recorded = Recorded(reel)
    wait, click = recorded.one("call", method="expect_popup"), recorded.one("call", method="click")
    assert wait["params"] == {"event": "popup"} and "error" not in wait
    assert wait["t"] <= click["t"] and wait["t"] + wait["duration"] >= click["t"] + 20
    assert "Timeout" in recorded.one("call", method="expect_download")["error"]


def test_only_the_calls_of_the_recorded_context_are_written(
    browser: Browser, context: BrowserContext, tmp_path: Path
) -> None:
    other = browser.new_context()
    with record(context, tmp_path / "one.reel"), record(other, tmp_path / "two.reel"):
        for number, each in enumerate((context, other)):
            each.new_page().evaluate(f"{number}")
            each.new_cdp_session(each.pages[0]).send("Runtime.evaluate", {"expression": f"{number}"})
    other.close()
    for number, name in enumerate(("one.reel", "two.reel")):
        recorded = Recorded(tmp_path / name)
        methods = [c["method"] for c in sorted(recorded.of("call"), key=lambda c: float(c["t"]))]
        assert methods == ["new_page", "evaluate", "new_cdp_session", "cdp.send"]
        assert recorded.one("call", method="evaluate")["params"]["expression"] == str(number)


def test_what_is_under_way_at_the_end_is_written_as_unfinished(context: BrowserContext, reel: Path) -> None:
    session = record(context, reel)
    session.start()
    page = context.new_page()
    page.on("console", lambda _: session.stop())
    page.evaluate("() => new Promise(done => { console.log('now'); setTimeout(done, 300) })")
    call = Recorded(reel).one("call", method="evaluate")
    assert "ended before" in call["error"] and "duration" not in call


def test_text_typed_before_a_long_thought_is_told_once_the_page_has_shown_it(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    url = site.html("/think", calls_script.PAGE)
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        page.fill("#e", "ada")
        time.sleep(2)  # nothing is delivered meanwhile
        session.note("thought")
        page.title()
    assert Recorded(reel).one("call", method="fill")["params"] == {"value": "ada"}


def test_an_error_in_the_scripts_own_handler_reaches_the_script(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    def handle(route: Route) -> None:
        route.continue_()
        raise ValueError("raised in a handler")

    with record(context, reel) as session:
        page = context.new_page()
        page.route("**/*", handle)
        page.goto(site.html("/handled", "<p>x</p>"))
        with pytest.raises(ValueError, match="raised in a handler"):
            for _ in range(100):
                session.mark("a call of ours")
                page.evaluate("1")
    Recorded(reel).whole()


def test_calls_can_be_left_out(context: BrowserContext, reel: Path) -> None:
    with record(context, reel, calls=False):
        context.new_page()
    assert Recorded(reel).of("call") == []


@pytest.mark.parametrize("name", ["on_call_began", "on_call_ended", "_write_call", "_find_page_of_call"])
def test_a_fault_in_it_reaches_nobody(
    context: BrowserContext, reel: Path, monkeypatch: pytest.MonkeyPatch, name: str, way: str
) -> None:
    def fail(*_: object) -> Any:
        raise RuntimeError("injected fault")

    monkeypatch.setattr(PlaywrightCallRecorder, name, fail)
    with pytest.warns(UserWarning, match="injected fault"), record(context, reel):
        assert context.new_page().evaluate("1 + 1") == 2
    assert "error" in Recorded(reel).gaps


def test_the_users_own_tracing_tells_the_same(browser: Browser, site: Site, tmp_path: Path) -> None:
    import json
    import zipfile

    url = site.html("/traced", calls_script.PAGE)

    def titles(recorded: bool) -> list[tuple[str, str, str]]:
        context = browser.new_context()
        context.tracing.start(snapshots=True, sources=True)
        page = context.new_page()
        session = record(page, tmp_path / "traced.reel") if recorded else None
        if session is not None:
            session.start()
        page.locator("#e").or_(page.locator("body")).first.wait_for()
        page.set_content("<input id=e>")
        page.fill("#e", "x")
        if session is not None:
            session.stop()
        context.tracing.stop(path=tmp_path / "trace.zip")
        context.close()
        with zipfile.ZipFile(tmp_path / "trace.zip") as archive:
            events = [json.loads(line) for line in archive.read("trace.trace").splitlines()]
            stacks = json.loads(archive.read("trace.stacks"))
        mine = [e for e in events if e["type"] == "before" and e["class"] == "Frame"]
        ids = {part for e in mine for part in (e["callId"], e["callId"].partition("@")[2])}
        places = [f"{stacks['files'][frames[0][0]]}:{frames[0][3]}" for n, frames in stacks["stacks"] if str(n) in ids]
        assert len(places) == len(mine) and {place.partition(":")[0] for place in places} == {__file__}, places
        return [(e["class"], e["method"], str(e.get("title"))) for e in mine]

    assert titles(recorded=True) == titles(recorded=False)
    assert url


@pytest.mark.parametrize(
    ("selector", "python"),
    [
        ("#a > b", 'locator("#a > b")'),
        ('internal:role=button[name="Pay"i]', 'get_by_role("button", name="Pay")'),
        ('internal:role=heading[level=2][name="A \\"b\\""s]', 'get_by_role("heading", level=2, name="A \\"b\\"", exact=True)'),
        ("internal:role=option[selected=true]", 'get_by_role("option", selected=True)'),
        ('internal:text="Sold"s', 'get_by_text("Sold", exact=True)'),
        ('internal:testid=[data-testid="cart"s]', 'get_by_test_id("cart")'),
        ('internal:attr=[placeholder="Search"i]', 'get_by_placeholder("Search")'),
        ("ul >> li >> nth=2", 'locator("ul").locator("li").nth(2)'),
        ('li >> internal:has-text="a >> b"i >> nth=0', 'locator("li").filter(has_text="a >> b").first'),
        ("iframe >> internal:control=enter-frame >> body", 'locator("iframe").content_frame.locator("body")'),
        ('[title="x"]', 'locator("[title=\\"x\\"]")'),
        ('internal:role=link[name=/all (\\d+)/i]', 'get_by_role("link", name=re.compile("all (\\\\d+)", re.IGNORECASE))'),
        ("internal:text=/a|b/", 'get_by_text(re.compile("a|b"))'),
        ('li >> internal:has-not-text="x"i', 'locator("li").filter(has_not_text="x")'),
        ('li >> internal:describe="The save button"', 'locator("li").describe("The save button")'),
        ("a >> internal:or=5", 'locator("a").locator("internal:or=5")'),
        ("", 'locator("")'),
    ],
)  # fmt: skip
def test_locators_read_as_python(selector: str, python: str) -> None:
    assert to_python_locator(selector) == python


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({"waitUntil": "load", "selector": "x", "timeout": 1, "url": "u"}, {"wait_until": "load", "url": "u"}),
        ({"httpCredentials": {"username": "u", "password": "p"}}, {"http_credentials": "•••••"}),
        ({"headers": [{"name": "X-Key", "value": "v"}]}, {"headers": [{"name": "X-Key", "value": "•••••"}]}),
        ({"jsonData": '{"user": "u", "password": "p"}'}, {"json_data": {"user": "u", "password": "•••••"}}),
        ({"formData": [{"name": "token", "value": "v"}]}, {"form_data": [{"name": "token", "value": "•••••"}]}),
        ({"payloads": [{"name": "a.txt", "buffer": "QUJD"}]}, {"payloads": [{"name": "a.txt", "buffer": "<3 bytes>"}]}),
        ({"expression": "x" * 5000}, {"expression": "x" * 2000 + "… [cut: 5,000 characters]"}),
        ({"handler": print, "none": None}, {}),
    ],
)
def test_parameters_hold_no_secret_and_no_file(given: dict[str, Any], written: dict[str, Any]) -> None:
    assert read_parameters(given) == written


def test_an_ended_recording_holds_no_page(browser: Browser, tmp_path: Path) -> None:
    def logs() -> list[PlaywrightCallRecorder]:
        gc.collect()
        # isinstance() would ask odd objects of other tests for their class.
        return [o for o in gc.get_objects() if type(o) is PlaywrightCallRecorder]

    others = logs()  # pytest keeps the frames of a test that failed, and so its recording
    context = browser.new_context()
    with record(context, tmp_path / "run.reel"):
        context.new_page().set_content("<!doctype html><input><p>words")
        own = [log for log in logs() if log not in others]
    assert len(own) == 1
    own.clear()
    context.close()
    assert [log for log in logs() if log not in others] == []


@pytest.mark.parametrize(
    ("value", "at", "written"),
    [("ada@example.com", 1010.0, "ada@example.com"), ("ada@example.com", 500.0, "•••••"), ("else", 1010.0, "•••••")],
)
def test_typed_text_counts_as_shown_when_the_page_was_quicker_than_the_call(
    value: str, at: float, written: str
) -> None:
    calls: list[Event] = []
    typed = TypedTextMasker(calls.append)
    typed.search_event_for_typed_text({"k": "mutation", "t": at, "d": 1, "n": 2, "ops": [["value", 7, value]]})
    typed.write_or_hold_call(
        {"k": "call", "t": 1000.0, "duration": 300.0, "params": {"value": "ada@example.com"}}, "fill"
    )
    typed.write_remaining_calls()
    assert [call["params"] for call in calls] == [{"value": written}]


def test_a_letter_that_was_typed_is_masked_by_itself_and_in_no_other_word() -> None:
    calls: list[Event] = []
    typed = TypedTextMasker(calls.append)
    said = {
        "locator": 'get_by_label("Beatrix")',
        "error": 'Timeout 60ms exceeded: fill("x")',
        "source": {"code": ["box.fill('x')"]},
    }
    typed.write_or_hold_call({"k": "call", "t": 1000.0, "duration": 5.0, "params": {"value": "x"}, **said}, "fill")
    typed.write_or_hold_call(
        {"k": "call", "t": 1010.0, "duration": 5.0, "params": {"value": "hunter"}, "error": "at hunter2"}, "fill"
    )
    typed.write_remaining_calls()
    short, long = calls
    assert short["locator"] == said["locator"] and short["error"] == 'Timeout 60ms exceeded: fill("•••••")'
    assert short["params"] == {"value": "•••••"} and short["source"] == {"code": ["box.fill('•••••')"]}
    assert long["error"] == "at •••••2"


def test_of_a_command_of_the_protocol_only_the_name_is_kept() -> None:
    sent = {"method": "Runtime.evaluate", "params": {"expression": "secretToken()"}}
    assert read_parameters(sent) == {"method": "Runtime.evaluate"}
