"""What still waits to be written when a recording ends is said to, and written before the process ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pagereel.reel import open_reel

AGENT = """
import sys, time
from pagereel.recorder import record
with record(None, sys.argv[1]) as session:
    inner = session._recording.kit.writer
    whole = inner.close
    inner.close = lambda reason, timeout=0.2: whole(reason, timeout)
    for _ in range(4):
        inner.enqueue_call(time.sleep, 0.3)  # a slow disk
    session.note("the last word")
"""


def test_an_end_that_does_not_wait_says_so_and_nothing_is_lost(tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    done = subprocess.run([sys.executable, "-c", AGENT, str(reel)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "is still writing" in done.stderr and "run.reel" in done.stderr
    with open_reel(reel) as opened:
        assert [event["text"] for event in opened.timeline() if event["k"] == "note"] == ["the last word"]
        assert opened.sealed
