"""The pytest plugin, run as users run it: a suite of its own, real Chromium, and what lies in the folder afterwards."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pagereel.browser import find_chromium
from pagereel.integrations.testing.recording_modes import MODES, is_attempt_recorded, is_replay_kept
from pagereel.reading import describe_failure_location, find_first_failure, open_recording
from pagereel.reel import open_reel

pytest_plugins = ["pytester"]

SUITE = """
import pytest

PAGE = "data:text/html,<h1>Hello</h1>"


def test_passes(page):
    page.goto(PAGE)


def test_fails(page):
    page.goto(PAGE)
    wanted = "Goodbye"
    assert page.locator("h1").inner_text() == wanted


@pytest.fixture
def breaks_early(page):
    page.goto(PAGE)
    raise RuntimeError("set-up broke")


def test_error_in_setup(breaks_early):
    pass


@pytest.fixture
def breaks_late():
    yield
    raise RuntimeError("teardown broke")


def test_error_in_teardown(page, breaks_late):
    page.goto(PAGE)


def test_skips(page):
    page.goto(PAGE)
    pytest.skip("not today")


@pytest.mark.xfail
def test_is_expected_to_fail(page):
    page.goto(PAGE)
    assert False


@pytest.mark.parametrize("word", ["naïve", "日本"])
def test_parametrised(page, word):
    page.goto(PAGE)
    assert False


def test_two_contexts(new_context):
    for context in (new_context(), new_context()):
        context.new_page().goto(PAGE)
    assert False


def test_without_a_browser():
    assert False
"""

OWN = """
from playwright.sync_api import sync_playwright
from pagereel.browser import launch_options


def test_own_playwright():
    with sync_playwright() as p:
        browser = p.chromium.launch(**launch_options())
        browser.new_context().new_page().goto("data:text/html,<h1>One</h1>")
        browser.new_page().goto("data:text/html,<h1>Two</h1>")
        assert False
"""

ASYNC = """
import pytest
from playwright.async_api import async_playwright
from pagereel.browser import launch_options


@pytest.mark.asyncio
async def test_async():
    async with async_playwright() as p:
        browser = await p.chromium.launch(**launch_options())
        context = await browser.new_context()
        page = await context.new_page()
        await page.goto("data:text/html,<h1>Hello</h1>")
        await context.close()
        assert False


@pytest.mark.asyncio
async def test_left_open():
    playwright = await async_playwright().start()
    browser = await playwright.chromium.launch(**launch_options())
    page = await (await browser.new_context()).new_page()
    await page.set_content("<h1>Left open</h1>")
    assert False
"""


EARLIER = (
    tuple(map(int, importlib.metadata.version("pytest-playwright").split(".")[:2])) < (0, 10)
    if (importlib.util.find_spec("pytest_playwright"))
    else False
)
"""pytest-playwright before 0.10 decides before later fixtures are torn down, and 0.6 names no folder after a retry."""
STRICT = ("-W", "error::pagereel.integrations.testing.attempts.ReplayWarning")


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """An empty suite whose pytest-playwright starts the Chromium of this machine."""
    pytester.makeconftest(
        """
        import pytest
        from pagereel.browser import launch_options

        @pytest.fixture(scope="session")
        def browser_type_launch_args(browser_type_launch_args):
            return {**browser_type_launch_args, **launch_options()}
        """
    )
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return pytester


OTHERS = tuple(f"-pno:{name}" for name in ("cacheprovider", "langsmith_plugin", "hypothesispytest", "anyio"))
"""Plugins of the development set that have no part in these tests: two of them import for seconds each time."""
ASKED_FOR = {
    "--alluredir": ("allure_pytest",), "--html": ("html", "html_fixtures", "metadata"), "-n": ("xdist", "xdist.looponfail"),
    "--reruns": ("rerunfailures",),
}  # fmt: skip
"""Plugins that a session imports only where their option is among its own."""


def run(suite: pytest.Pytester, *options: str) -> pytest.RunResult:
    given = {option.partition("=")[0] for option in options}
    left_out = [f"-pno:{name}" for option in ASKED_FOR.keys() - given for name in ASKED_FOR[option]]
    return suite.runpytest_subprocess(*OTHERS, *left_out, *options, timeout=240)


def kept(suite: pytest.Pytester, pattern: str) -> set[str]:
    """Folders (and numbers) of the kept files: `test-x-py-test-fails-chromium`, `…two-contexts-chromium-1`."""
    names = set()
    for path in (suite.path / "test-results").rglob(pattern):
        number = re.search(r"-(\d+)\.\w+$", path.name)
        names.add(path.parent.name + (f"-{number[1]}" if number else ""))
    return names


def compare_with_tracing(suite: pytest.Pytester) -> None:
    replays, traces = kept(suite, "replay*.html"), kept(suite, "trace*.zip")
    if EARLIER:
        assert traces < replays and len(replays - traces) == 1, "one teardown that failed late"
    else:
        assert replays == traces


def test_failing_tests_keep_the_same_files_as_tracing(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_suite=SUITE)
    options = ("--tracing", "retain-on-failure", "--replay", "retain-on-failure", "--replay-redaction", "off")
    result = run(suite, *options, "--junitxml=junit.xml")
    result.assert_outcomes(passed=2, failed=5, errors=2, skipped=1, xfailed=1)
    compare_with_tracing(suite)
    assert len(kept(suite, "replay*.html")) == 7

    # The summary and JUnit name each kept file.
    replays = sorted((suite.path / "test-results").rglob("replay*.html"))
    listed = [line for line in result.outlines if line.startswith("test-results/") and line.endswith(".html")]
    assert sorted(listed) == [os.path.relpath(path, suite.path) for path in replays]
    properties = ElementTree.parse(suite.path / "junit.xml").iter("property")
    assert sorted(p.get("value") or "" for p in properties if p.get("name") == "playwright_replay") == sorted(listed)


RERUN = """
import os
import pytest

PAGE = "data:text/html,<h1>Hello</h1>"


def test_passes_at_last(page, tmp_path_factory):
    page.goto(PAGE)
    mark = tmp_path_factory.getbasetemp().parent / "tried"
    first = not mark.exists()
    mark.touch()
    assert not first


def test_fails_always(page):
    page.goto(PAGE)
    assert False


@pytest.mark.parametrize("number", range(2))
def test_passes(page, number):
    page.goto(PAGE)


def test_fails_in_teardown_of_a_wider_fixture(page, wide):
    page.goto(PAGE)


@pytest.fixture(scope="module")
def wide():
    yield
    raise RuntimeError("late")
"""


@pytest.mark.slow
def test_reruns_on_two_workers_keep_what_tracing_keeps_and_every_report_links_it(
    suite: pytest.Pytester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    suite.makepyfile(test_rerun=RERUN)
    options = ("--tracing", "retain-on-failure", "--replay", "retain-on-failure", "--replay-redaction", "off")
    reports = ("--junitxml=junit.xml", "--html=reports/all.html", "--alluredir=allure")
    result = run(suite, "-n", "2", "--reruns", "1", "--only-rerun", "AssertionError", *options, *reports)
    outcomes = result.parseoutcomes()
    assert (outcomes["passed"], outcomes["failed"], outcomes["rerun"], outcomes["errors"]) == (4, 1, 2, 1), outcomes
    compare_with_tracing(suite)
    if not EARLIER:
        assert {name.rpartition("chromium")[2] for name in kept(suite, "replay*.html")} == {"", "-retry1"}

    replays = sorted((suite.path / "test-results").rglob("replay*.html"))
    listed = [line for line in result.outlines if line.startswith("test-results/") and line.endswith(".html")]
    assert set(listed) == {os.path.relpath(path, suite.path) for path in replays}
    page = (suite.path / "reports" / "all.html").read_text()
    # pytest-html shows the last attempt of a test, and a page as JSON inside an attribute.
    assert f"../test-results/test-rerun-py-test-fails-always-chromium{'' if EARLIER else '-retry1'}/replay.html" in page
    attached = list((suite.path / "allure").glob("*-attachment.html"))
    assert len(attached) == len(replays) or EARLIER  # there, a retry writes over the attempt before
    assert list(tmp_path.glob("pagereel-*")) == []


def test_the_failure_is_pinned_and_the_outcome_told(suite: pytest.Pytester) -> None:
    keep_reels(suite)
    suite.makepyfile(
        test_pin="""
        import pytest

        class Angry:
            def __repr__(self):
                raise RuntimeError("no repr")

        @pytest.mark.slow
        @pytest.mark.parametrize("basket", [Angry()], ids=["angry"])
        def test_pinned(page, basket):
            page.set_content("<h1>Hello</h1>")
            wanted = "Goodbye"
            page.context.close()
            assert "Hello" == wanted
        """
    )
    told = run(suite, "--replay-film", "gif", "--replay-redaction", "off", "--junitxml=report.xml", *STRICT)
    told.assert_outcomes(failed=1)
    (path,) = (suite.path / "test-results").rglob("*.reel")
    assert path.with_suffix(".gif").read_bytes().startswith(b"GIF89a")
    assert 'name="pagereel_film" value="test-results' in (suite.path / "report.xml").read_text("utf-8")
    with open_reel(path) as reel:
        events = list(reel.events())
        metadata = reel.header["metadata"]
        assert reel.sealed
    assert isinstance(metadata, dict)
    assert "test_pin.py::test_pinned[" in str(metadata["test"])
    assert "slow" in str(metadata["markers"]) and "basket" in str(metadata["parameters"])
    assert metadata["outcome"] == "failed" and metadata["failed in"] == "call"
    assert str(metadata["error"]).startswith("AssertionError: assert 'Hello' == 'Goodbye'")
    mark = next(e for e in events if e["k"] == "mark")
    note = next(e for e in events if e["k"] == "note")
    assert mark["name"] == "Test failed" and mark["t"] == note["t"]
    assert note["attributes"]["locals"]["wanted"] == "'Goodbye'"  # type: ignore[index, call-overload]
    assert "- Goodbye" in note["attributes"]["message"]  # type: ignore[index, call-overload]
    assert note["text"] == "Test failed"
    assert note["attributes"]["message"].startswith("AssertionError: assert 'Hello' == 'Goodbye'")
    assert "test_pin.py:" in note["attributes"]["source"]  # type: ignore[index, call-overload]
    titles = {e["id"]: e["title"] for e in events if e["k"] == "step"}
    assert [title.partition("[")[0] for title in titles.values()] == ["Set-up", "test_pinned"]
    ends = {titles[e["id"]].partition("[")[0]: e for e in events if e["k"] == "step_end"}
    assert ends["Set-up"]["success"] is True and ends["test_pinned"]["success"] is False
    assert ends["test_pinned"]["error"] == metadata["error"]
    (call,) = (e for e in events if e["k"] == "call" and e["method"] == "set_content")
    assert titles[call["step"]].startswith("test_pinned") and titles[note["step"]].startswith("test_pinned")


def keep_reels(suite: pytest.Pytester) -> None:
    """Has the plugin leave each kept recording beside its replay."""
    suite.makeconftest(
        (suite.path / "conftest.py").read_text()
        + """
import shutil
from pagereel.integrations.testing.background_builds import BackgroundBuilds

_add = BackgroundBuilds.add_job

def add(self, reel, html, **options):
    shutil.copy(reel, html.with_suffix(".reel"))
    return _add(self, reel, html, **options)

BackgroundBuilds.add_job = add
"""
    )


@pytest.mark.slow
def test_a_test_that_records_itself_gets_both(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        from pagereel.recorder import record
        from pagereel.reel import verify

        def test_records(page, tmp_path):
            with record(page.context, tmp_path / "own.reel") as session:
                with session.step("Look"):
                    page.set_content("<!doctype html><h1>Hello</h1>")
                assert page.locator("h1").inner_text() == "Hello"
            assert verify(tmp_path / "own.reel").sealed
            page.click("h1")
            assert False
        """
    )
    keep_reels(suite)
    run(suite, "--replay", "retain-on-failure", "--replay-redaction", "off", *STRICT).assert_outcomes(failed=1)
    (path,) = (suite.path / "test-results").rglob("*.reel")
    with open_reel(path) as reel:
        methods = [e["method"] for e in reel.timeline() if e["k"] == "call"]
    # pytest-playwright itself stops its tracing when the test is over.
    assert methods[:4] == ["new_page", "set_content", "inner_text", "click"]


@pytest.mark.slow
def test_an_interrupted_test_keeps_its_replay(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        def test_interrupted(page):
            page.goto("data:text/html,<h1>Hello</h1>")
            raise KeyboardInterrupt
        """
    )
    options = ("--tracing", "retain-on-failure", "--replay", "retain-on-failure", "--replay-redaction", "off")
    result = run(suite, *options)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert (
        kept(suite, "replay.html")
        == kept(suite, "trace.zip")
        == {"test-an-interrupted-test-keeps-its-replay-py-test-interrupted-chromium"}
    )


@pytest.mark.slow
def test_the_first_retry_alone_is_recorded_when_asked(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_fails(page):\n    page.goto('data:text/html,<h1>Hello</h1>')\n    assert False")
    run(suite, "--reruns", "2", "--replay", "on-first-retry", "--replay-redaction", "off")
    assert {name.rpartition("-")[2] for name in kept(suite, "replay.html")} == {"chromium" if EARLIER else "retry1"}


FLAKY = """
import pytest
tries = []

def test_flaky(page):
    page.goto('data:text/html,<h1>Hello</h1>')
    tries.append(1)
    assert len(tries) > 1

def test_passes(page):
    page.goto('data:text/html,<h1>Hello</h1>')
"""


@pytest.mark.skipif(EARLIER, reason="pytest-playwright names no folder for a retry there")
@pytest.mark.parametrize(
    ("mode", "names"),
    [
        pytest.param(
            "retain-on-failure-and-retries",
            {"test-flaky-chromium", "test-flaky-chromium-retry1"},
            marks=pytest.mark.slow,
        ),
        pytest.param("retain-all-failures", {"test-flaky-chromium"}, marks=pytest.mark.slow),
        pytest.param("on-all-retries", {"test-flaky-chromium-retry1"}, marks=pytest.mark.slow),
    ],
)
def test_the_modes_of_playwrights_newer_releases(suite: pytest.Pytester, mode: str, names: set[str]) -> None:
    suite.makepyfile(test_it=FLAKY)
    run(suite, "--reruns", "1", "--replay", mode, "--replay-redaction", "off").assert_outcomes(passed=2)
    assert {name.removeprefix("test-it-py-") for name in kept(suite, "replay.html")} == names


def test_what_each_mode_keeps_of_a_test_that_fails_twice_and_then_passes() -> None:
    attempts = [(0, True), (1, True), (2, False)]
    wanted = {
        "on": [0, 1, 2], "retain-on-failure": [0, 1], "retain-all-failures": [0, 1], "retain-on-first-failure": [0],
        "retain-on-failure-and-retries": [0, 1, 2], "on-first-retry": [1], "on-all-retries": [1, 2],
    }  # fmt: skip
    assert wanted.keys() == set(MODES) - {"off"}
    for mode, retries in wanted.items():
        kept = [n for n, failed in attempts if is_attempt_recorded(mode, n) and is_replay_kept(mode, n, failed)]
        assert kept == retries, mode
        assert is_replay_kept(mode, 0, failed=False) == mode.startswith("on"), "one that passes at once"


def test_without_playwrights_browsers_the_one_that_was_found_is_handed_on(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(pytester.path / "none"))
    if find_chromium() is None:
        pytest.skip("the only Chromium here is Playwright's own")
    pytester.makepyfile("def test_passes(page):\n    page.goto('data:text/html,<h1>Hello</h1>')")
    result = run(pytester, "--replay", "on", "--replay-redaction", "off")
    result.assert_outcomes(passed=1)
    assert sum("own Chromium is not installed" in line for line in result.outlines) == 1
    assert len(kept(pytester, "replay.html")) == 1
    asked = run(pytester, "--replay", "on", "--browser", "firefox", "--collect-only")
    assert not any("is not installed" in line for line in asked.outlines)


def test_on_keeps_every_replay_with_the_tests_own_steps_and_off_none(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        def test_passes(replay, page):
            with replay.step("Look", reasoning="it greets") as step:
                page.goto("data:text/html,<h1>Hello</h1>")
                step.outcome(success=True)
            assert replay.mark("looked") == 0.0 or replay.session.stats.events
            assert replay.note("seen", colour="red") > 0
        """
    )
    keep_reels(suite)
    run(suite, "--replay", "on", "--replay-redaction", "off", *STRICT).assert_outcomes(passed=1)
    assert len(kept(suite, "replay.html")) == 1
    (path,) = (suite.path / "test-results").rglob("*.reel")
    with open_reel(path) as reel:
        told = [e for e in reel.timeline() if e["k"] in ("step", "call", "mark", "note")]
    step = next(e for e in told if e["k"] == "step" and e["title"] == "Look")
    assert [e["step"] for e in told if e["k"] == "call" and e["method"] == "goto"] == [step["id"]]
    assert [e["name"] for e in told if e["k"] == "mark"] == ["looked"]
    assert "seen" in [e["text"] for e in told if e["k"] == "note"]
    run(suite).assert_outcomes(passed=1)
    assert kept(suite, "replay.html") == set()


def test_a_redaction_that_is_neither_name_nor_file_is_wrong_use(suite: pytest.Pytester) -> None:
    result = run(suite, "--replay", "on", "--replay-redaction", "ours.toml", "--collect-only")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*'ours.toml' is not one of vendor, strict, internal, off, and no file*"])


@pytest.mark.slow
def test_the_ini_file_has_the_same_options(suite: pytest.Pytester) -> None:
    suite.makeini("[pytest]\nreplay = on\nreplay_redaction = off\n")
    suite.makepyfile("def test_passes(page): page.goto('data:text/html,<h1>Hello</h1>')")
    run(suite).assert_outcomes(passed=1)
    assert len(kept(suite, "replay.html")) == 1
    suite.makeini("[pytest]\nreplay = sometimes\n")
    assert run(suite).ret == pytest.ExitCode.USAGE_ERROR


def test_contexts_of_a_tests_own_playwright_are_recorded(suite: pytest.Pytester) -> None:
    """Of its sync API, and of its async API, where a test leaves one open, too."""
    suite.makepyfile(test_own=OWN, test_async=ASYNC)
    result = run(suite, "--replay", "retain-on-failure", "--replay-redaction", "off", *STRICT)
    result.assert_outcomes(failed=3)
    assert kept(suite, "replay*.html") == {
        *("test-own-py-test-own-playwright-1", "test-own-py-test-own-playwright-2"),
        *("test-async-py-test-async", "test-async-py-test-left-open"),
    }


def test_a_recorder_that_breaks_does_not_fail_a_test(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pytest
        import pagereel.recorder

        def broken(*args, **kwargs):
            raise RuntimeError("the recorder is broken")

        pagereel.recorder.record = broken

        def test_passes(page):
            page.goto("data:text/html,<h1>Hello</h1>")

        @pytest.mark.filterwarnings("error::pagereel.integrations.testing.attempts.ReplayWarning")
        def test_passes_where_a_warning_is_an_error(page):
            page.goto("data:text/html,<h1>Hello</h1>")
        """
    )
    result = run(suite, "--replay", "on", "--replay-redaction", "off")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*ReplayWarning: pagereel: RuntimeError: the recorder is broken*"])


def test_nothing_is_left_behind(suite: pytest.Pytester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    suite.makepyfile("def test_passes(page): page.goto('data:text/html,<h1>Hello</h1>')")
    run(suite, "--replay", "retain-on-failure").assert_outcomes(passed=1)
    assert list(tmp_path.glob("pagereel-*")) == []
    assert kept(suite, "replay*.html") == set()


def test_off_imports_no_browser_library(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import sys

        def test_modules():
            assert "playwright" not in sys.modules and "pagereel.recorder" not in sys.modules
        """
    )
    suite.makeconftest("")
    run(suite, "-p", "no:playwright").assert_outcomes(passed=1)


@pytest.mark.slow
def test_the_next_test_does_not_wait_for_a_replay_that_is_kept(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        from pathlib import Path

        def test_fails(page):
            page.goto("data:text/html,<h1>Hello</h1>")
            assert False

        def test_begins_at_once():
            # Loading the language models alone takes more than a second.
            assert not list(Path("test-results").rglob("replay.html"))
        """
    )
    result = run(suite, "--replay", "retain-on-failure")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["pagereel: 1 replay to build", "*- replays -*", "test-results/*/replay.html", "  The step “test_fails*” fails: “*assert False”.", "  *test_*.py:*"])  # fmt: skip
    assert len(list((suite.path / "test-results").rglob("replay.html"))) == 1


def test_a_replay_that_cannot_be_built_is_told_at_the_end_and_not_listed(suite: pytest.Pytester) -> None:
    suite.makeconftest(
        (suite.path / "conftest.py").read_text()
        + """
from pagereel.integrations.testing.background_builds import BackgroundBuilds

_add = BackgroundBuilds.add_job

def add(self, reel, html, **options):
    reel.write_bytes(b"no recording")
    return _add(self, reel, html, **options)

BackgroundBuilds.add_job = add
"""
    )
    suite.makepyfile("def test_fails(page):\n    page.goto('data:text/html,<h1>Hello</h1>')\n    assert False")
    result = run(suite, "--replay", "retain-on-failure", "--replay-redaction", "off")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ReplayWarning: pagereel: */replay.html: * is not a recording*"])
    result.stdout.no_fnmatch_line("*- replays -*")


@pytest.mark.slow
def test_of_nested_fixtures_one_that_fails_as_it_is_torn_down_is_told_and_hides_no_failure_of_the_test(
    suite: pytest.Pytester,
) -> None:
    suite.makepyfile(
        """
        import pytest

        @pytest.fixture
        def shop(page):
            page.goto("data:text/html,<h1>Shop</h1><button>Buy</button>")
            yield page
            page.get_by_role("button", name="Buy").click()

        @pytest.fixture
        def account(shop):
            yield shop
            shop.get_by_role("button", name="Sign out").click(timeout=300)

        @pytest.fixture
        def cart(account):
            account.locator("h1").click()
            yield account

        def test_passes(cart):
            cart.get_by_role("button", name="Buy").click()

        def test_fails(cart):
            assert cart.locator("h1").inner_text() == "Basket"
        """
    )
    run(suite, "--replay", "retain-on-failure", "--replay-redaction", "off")
    replays = (suite.path / "test-results").rglob("replay.html")
    told = {path.parent.name: open_recording(path) for path in replays}
    chains = {}
    for name, reading in told.items():
        found = find_first_failure(reading)
        chains["passes" if "passes" in name else "fails"] = found["chain"], describe_failure_location(found["failure"])
        titles = [(step["title"].partition("[")[0], step["attributes"]["kind"]) for step in reading.steps()]
        assert [title for title, kind in titles if kind == "hook"] == ["Set-up", "Tear-down"]
        assert reading.outcome.outcome == "failed"
    (said,), place = chains["passes"]
    assert said.startswith("The call “Click Sign out” in “Tear-down” fails: the page has no such button; it has “Buy”")
    assert place[0] == 'get_by_role("button", name="Sign out")' and place[1].endswith(".py:12")
    (said, later), place = chains["fails"]
    assert "AssertionError: assert 'Shop' == 'Basket'" in said and "“Tear-down” fails, too: “TimeoutError" in later
    assert place[0] == 'assert cart.locator("h1").inner_text() == "Basket"'
