"""The plugin beside pytest-playwright-asyncio: run by `matrix.py`, which installs it; elsewhere this is skipped.

(pytest-playwright and pytest-playwright-asyncio cannot be installed together.)
"""

from __future__ import annotations

import importlib.util

import pytest

from .test_pytest_plugin import STRICT, kept, run, suite

pytest_plugins = ["pytester"]
__all__ = ["suite"]

if importlib.util.find_spec("pytest_playwright_asyncio") is None:
    pytest.skip("needs pytest-playwright-asyncio", allow_module_level=True)

SUITE = """
import pytest
import pytest_asyncio

PAGE = "data:text/html,<h1>Hello</h1>"
pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_passes(page):
    await page.goto(PAGE)


async def test_fails(page):
    await page.goto(PAGE)
    assert await page.locator("h1").inner_text() == "Goodbye"


@pytest_asyncio.fixture(loop_scope="session")
async def breaks_early(page):
    await page.goto(PAGE)
    raise RuntimeError("set-up broke")


async def test_error_in_setup(breaks_early):
    pass


@pytest_asyncio.fixture(loop_scope="session")
async def breaks_late():
    yield
    raise RuntimeError("teardown broke")


async def test_error_in_teardown(page, breaks_late):
    await page.goto(PAGE)


async def test_skips(page):
    await page.goto(PAGE)
    pytest.skip("not today")


@pytest.mark.xfail
async def test_is_expected_to_fail(page):
    await page.goto(PAGE)
    assert False


async def test_two_contexts(new_context):
    for context in (await new_context(), await new_context()):
        await (await context.new_page()).goto(PAGE)
    assert False
"""


@pytest.mark.parametrize("workers", [(), ("-n", "2", "--reruns", "1")], ids=["one process", "xdist and reruns"])
def test_failing_async_tests_keep_the_same_files_as_tracing(suite: pytest.Pytester, workers: tuple[str, ...]) -> None:
    suite.makepyfile(test_suite=SUITE)
    options = ("--tracing", "retain-on-failure", "--replay", "retain-on-failure", "--replay-redaction", "off")
    outcomes = run(suite, *workers, *options, *STRICT).parseoutcomes()
    assert (outcomes["failed"], outcomes["errors"], outcomes["skipped"], outcomes["xfailed"]) == (2, 2, 1, 1), outcomes
    assert kept(suite, "replay*.html") == kept(suite, "trace*.zip")
    assert len(kept(suite, "replay*.html")) >= 5
