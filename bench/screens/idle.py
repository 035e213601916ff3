"""Measures the CPU time and the bytes of recording a desktop on which nothing happens: Xvfb, a window manager, and xterm with a blinking caret.

python -m bench.screens.idle [--seconds 60]
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from pagereel.reel import open_reel
from tests.desktop.desk import Desk

from ..process import PAGEREEL, read_cpu_seconds

LIMIT = 0.05
"""Share of a core that the recording may take."""


def main() -> int:
    """Return 0 when the recording takes no more of a core than the limit, 1 when it takes more."""
    parser = argparse.ArgumentParser(prog="python -m bench.screens.idle", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    with TemporaryDirectory() as folder, Desk() as desk:
        desk.run(["xterm", "-bc"])
        time.sleep(3)
        reel = Path(folder) / "idle.reel"
        running = subprocess.Popen(
            [*PAGEREEL, "record", "--desktop", str(reel)], env=desk.environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )  # fmt: skip
        time.sleep(10)
        before, size = read_cpu_seconds(running.pid), reel.stat().st_size
        time.sleep(given.seconds)
        share, grown = (read_cpu_seconds(running.pid) - before) / given.seconds, reel.stat().st_size - size
        running.send_signal(signal.SIGTERM)
        running.wait(60)
        with open_reel(reel) as opened:
            screens = sum(event["k"] == "screen" for event in opened.events())
    print(
        f"{given.seconds:g} s of nothing: {share:.1%} of a core, {grown} bytes written, {screens} screens in all; load {os.getloadavg()[0]:.1f}"
    )
    print("met" if share <= LIMIT else "not met")
    return 0 if share <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
