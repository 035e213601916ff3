"""The pytest plugin, run as users run it: a suite of its own, real Chromium, and what lies in the folder afterwards."""

from __future__ import annotations

import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

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
"""


STRICT = ("-W", "error::pagereel.integrations.attempts.ReplayWarning")


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


def run(suite: pytest.Pytester, *options: str) -> pytest.RunResult:
    return suite.runpytest_subprocess("-p", "no:cacheprovider", *options, timeout=240)


def kept(suite: pytest.Pytester, pattern: str) -> set[str]:
    """Folders (and numbers) of the kept files: `test-x-py-test-fails-chromium`, `…two-contexts-chromium-1`."""
    names = set()
    for path in (suite.path / "test-results").rglob(pattern):
        number = re.search(r"-(\d+)\.\w+$", path.name)
        names.add(path.parent.name + (f"-{number[1]}" if number else ""))
    return names


def test_failing_tests_keep_the_same_files_as_tracing(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_suite=SUITE)
    options = ("--tracing", "retain-on-failure", "--replay", "retain-on-failure", "--replay-redaction", "off")
    result = run(suite, *options, "--junitxml=junit.xml")
    result.assert_outcomes(passed=2, failed=5, errors=2, skipped=1, xfailed=1)
    assert kept(suite, "replay*.html") == kept(suite, "trace*.zip")
    assert len(kept(suite, "replay*.html")) == 7

    # The summary and JUnit name each kept file.
    replays = sorted((suite.path / "test-results").rglob("replay*.html"))
    listed = [line for line in result.outlines if line.startswith("test-results/") and line.endswith(".html")]
    assert sorted(listed) == [os.path.relpath(path, suite.path) for path in replays]
    properties = ElementTree.parse(suite.path / "junit.xml").iter("property")
    assert sorted(p.get("value") or "" for p in properties if p.get("name") == "playwright_replay") == sorted(listed)


def test_on_keeps_every_replay_and_off_none(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_passes(page): page.goto('data:text/html,<h1>Hello</h1>')")
    run(suite, "--replay", "on", "--replay-redaction", "off").assert_outcomes(passed=1)
    assert len(kept(suite, "replay.html")) == 1
    run(suite).assert_outcomes(passed=1)
    assert kept(suite, "replay.html") == set()


def test_the_ini_file_has_the_same_options(suite: pytest.Pytester) -> None:
    suite.makeini("[pytest]\nreplay = on\nreplay_redaction = off\n")
    suite.makepyfile("def test_passes(page): page.goto('data:text/html,<h1>Hello</h1>')")
    run(suite).assert_outcomes(passed=1)
    assert len(kept(suite, "replay.html")) == 1
    suite.makeini("[pytest]\nreplay = sometimes\n")
    assert run(suite).ret == pytest.ExitCode.USAGE_ERROR


def test_contexts_of_a_tests_own_playwright_are_recorded(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_own=OWN)
    result = run(suite, "--replay", "retain-on-failure", "--replay-redaction", "off", *STRICT)
    result.assert_outcomes(failed=1)
    assert kept(suite, "replay*.html") == {"test-own-py-test-own-playwright-1", "test-own-py-test-own-playwright-2"}


def test_async_contexts_are_recorded(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_async=ASYNC)
    run(suite, "--replay", "retain-on-failure", "--replay-redaction", "off").assert_outcomes(failed=1)
    assert kept(suite, "replay.html") == {"test-async-py-test-async"}


def test_a_recorder_that_breaks_does_not_fail_a_test(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pagereel.recorder

        def broken(*args, **kwargs):
            raise RuntimeError("the recorder is broken")

        pagereel.recorder.record = broken

        def test_passes(page):
            page.goto("data:text/html,<h1>Hello</h1>")
        """
    )
    result = run(suite, "--replay", "on")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*ReplayWarning: pagereel: RuntimeError: the recorder is broken*"])
    run(suite, "--replay", "on", *STRICT).assert_outcomes(passed=1)


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
