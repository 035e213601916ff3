"""The launcher with which the tests start the browser adds to what Playwright switches off, and takes nothing away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import UNWANTED, launcher_of


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_the_launcher_adds_to_the_features_that_are_off(tmp_path: Path) -> None:
    browser = tmp_path / "a 'browser'"
    browser.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    browser.chmod(0o755)
    launcher = launcher_of(browser, tmp_path / "made" / "chromium")

    def given(*words: str) -> list[str]:
        return subprocess.run([launcher, *words], capture_output=True, text=True, check=True).stdout.splitlines()

    assert given("--a=b c", "--disable-features=One,Two", "--d", "$HOME") == [
        f"--disable-features=One,Two,{UNWANTED}", "--a=b c", "--d", "$HOME",
    ]  # fmt: skip
    assert given() == [f"--disable-features={UNWANTED}"]
