"""A recording that somebody deletes or replaces while it is made is told at once, and its end says that there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

AGENT = """
import os, pathlib, shutil, sys, time
from pagereel.recorder import record
path, how = pathlib.Path(sys.argv[1]), sys.argv[2]
with record(None, path) as session:
    session.note("before")
    if how == "delete": path.unlink()
    if how == "folder": shutil.rmtree(path.parent)
    if how == "replace":
        other = path.with_name("other"); other.write_text("somebody's"); os.replace(other, path)
    until = time.monotonic() + 20
    while how != "leave" and not session._recording.kit.writer.missing and time.monotonic() < until:
        time.sleep(0.02)
    print("the run goes on", file=sys.stderr, flush=True)
    session.note("after")
print("the run has ended", file=sys.stderr)
"""


@pytest.mark.parametrize("how", ["delete", "folder", "replace"])
def test_a_recording_that_is_gone_is_told_at_once_and_at_the_end(tmp_path: Path, how: str) -> None:
    reel = tmp_path / "runs" / "run.reel"
    reel.parent.mkdir()
    done = subprocess.run([sys.executable, "-c", AGENT, str(reel), how], capture_output=True, text=True, timeout=60)
    at_once, _, rest = done.stderr.partition("the run goes on")
    assert done.returncode == 0 and "the run has ended" in rest, "the agent's run is not touched"
    assert "was deleted or replaced while it is being recorded" in at_once
    assert "there is no recording of this run" in rest and "run.reel" in rest
    if how == "replace":
        assert reel.read_text() == "somebody's", "what stands there is somebody else's"


def test_of_one_that_is_still_there_nothing_is_said(tmp_path: Path) -> None:
    words = [sys.executable, "-c", AGENT, str(tmp_path / "run.reel"), "leave"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "deleted" not in done.stderr and "no recording" not in done.stderr
