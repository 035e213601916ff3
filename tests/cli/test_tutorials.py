"""The tutorials do what they tell a reader to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.mark.slow
def test_every_command_of_the_tutorials_ends_as_they_say(tmp_path: Path) -> None:
    command = [sys.executable, SCRIPTS / "run_tutorials.py", tmp_path / "run"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    # What the site shows live.
    assert (tmp_path / "run" / "bad.html").exists() and (tmp_path / "run" / "compare.html").exists()
