"""What every test's browser is: the Chromium that is found here, without the pages of its own interface.

Chromium (156) loads two pages for the list under the address bar with each window, headless or not. Playwright opens a window for each
context, and these two pages take more of the processor than what a test does there: of 2.5 s for a recording, 1.3. Beside each page it
starts a spare process for the next one, which no context of a test lives long enough to use. No page can see whether these are there.
"""

from __future__ import annotations

import contextlib
import gc
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pagereel.browser import CHROMIUM_VARIABLE, find_chromium, launch_options
from pagereel.errors import SetupError

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from .chromium import Shared

LAUNCHER = Path(__file__).resolve().parent.parent / "out" / "test-browser" / "chromium"
UNWANTED = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess"
# Of two such switches Chromium takes the last: Playwright's own is added to, so that nothing is lost of it.
SCRIPT = """#!/bin/sh
features={features}
for word do
  shift
  case $word in --disable-features=*) features="${{word#*=}},$features" ;; *) set -- "$@" "$word" ;; esac
done
exec {executable} --disable-features="$features" "$@"
"""


def launcher_of(browser: Path, launcher: Path) -> Path:
    """Writes a launcher of this browser, whoever else does so at the time."""
    launcher.parent.mkdir(parents=True, exist_ok=True)
    made = launcher.with_name(f"{launcher.name}.{os.getpid()}")
    made.write_text(SCRIPT.format(features=UNWANTED, executable=shlex.quote(str(browser))), "utf-8")
    made.chmod(0o755)
    return made.replace(launcher)


if sys.platform != "win32":
    with contextlib.suppress(
        SetupError
    ):  # What was asked for is not there: the first test that wants a browser says so.
        found = find_chromium()
        # A test's own pytest has the variable of the one that started it: no launcher starts another.
        if found and found != LAUNCHER:
            os.environ[CHROMIUM_VARIABLE] = str(launcher_of(found, LAUNCHER))  # Sub-processes of tests find it so.


# Tests mask anew, and leave nothing in the user's cache; those of the kept copies say where.
os.environ["PAGEREEL_COPIES"] = "off"


def pytest_collection_finish() -> None:
    """Look for garbage seldom: it took a tenth of a room's processor time."""
    gc.set_threshold(50_000, 20, 50)


# -- a Chromium that is shared by the tests that ask for it


@pytest.fixture(scope="session")
def launch() -> dict[str, Any]:
    """What it is started with. A room that starts it otherwise has a fixture of this name of its own."""
    return launch_options()


@pytest.fixture(scope="session")
def shared() -> Iterator[Shared]:
    from .chromium import Shared

    shared = Shared()
    yield shared
    shared.close()


@pytest.fixture
def no_sync_playwright(shared: Shared) -> None:
    """Playwright's sync API keeps its loop set in its thread; neither asyncio.run nor another sync_playwright would begin in it."""
    shared.close()


@pytest.fixture(scope="module")
def browser(shared: Shared, launch: dict[str, Any]) -> Browser:
    return shared.get(launch)
