"""Compares the size of a hundred screens of a desktop as PNGs, as WebP and in a recording.

python -m bench.screens [--actions 100] [--json out.json]      # needs Xvfb, python-xlib, tkinter; uses xterm and a window manager where they are installed

Real programs run under Xvfb: the bench types, scrolls a list, drags a window, opens and closes another, works in a terminal. The peer is what agents'
frameworks keep: one PNG for each turn, as Pillow writes them by default (`PNG`), and the same once more as lossless WebP (`WebP`). All are made of the
same pictures, in one run.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import shutil
import sys
import time
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pagereel import record
from pagereel.reel import ScreenComposer, open_reel
from tests.desktop.desk import Desk
from tests.desktop.notes import WORDS

FLOOR = 10.0


def take_pictures(desk: Desk, actions: int) -> list[Any]:
    """Do that many actions on a desktop, and return a picture of it before each one."""
    random.seed(7)
    desk.notes()
    terminal = shutil.which("xterm") is not None
    if terminal:
        desk.run(["xterm", "-geometry", "80x20+420+420", "-bg", "white", "-fg", "black"])
        time.sleep(2)
    pictures = []
    for number in range(actions):
        pictures.append(desk.still(2))
        kind = number % 10
        if kind in (0, 4):
            desk.click(300, 180)
            desk.type(" ".join(random.choices(WORDS, k=6)) + "\n")
        elif kind in (1, 2, 5):
            desk.move(200, 480)
            desk.press(5 if number % 40 < 30 else 4, 3)
        elif kind == 3:
            desk.click(145, 96)
        elif kind == 6:
            desk.drag((400, 69), (420 + number % 50, 79 + number % 30))
            desk.drag((420 + number % 50, 79 + number % 30), (400, 69))
        elif kind in (7, 8) and terminal:
            desk.click(700, 600)
            desk.type(random.choice(["ls -la /usr/lib", "ls /etc", "date", "cat /etc/services", "clear"]) + "\n")
        else:
            desk.click(90, 96)
        time.sleep(0.15)
    return pictures


def encode_picture(picture: Any, form: str, **options: Any) -> bytes:
    """Return a picture as the bytes of a file in this format."""
    out = io.BytesIO()
    picture.save(out, form, **options)
    return out.getvalue()


def main(arguments: list[str]) -> int:
    """Print the sizes; return 0 when the PNGs are at least ten times as large as the recording, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m bench.screens", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--actions", type=int, default=100)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    with Desk() as desk:
        pictures = take_pictures(desk, options.actions)
    distinct = len({sha256(each.tobytes()).digest() for each in pictures})
    files = [encode_picture(each, "PNG") for each in pictures]
    png = sum(map(len, files))
    webp = sum(len(encode_picture(each, "WEBP", lossless=True)) for each in pictures)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.reel"
        work = time.process_time()
        with record(None, path) as running:
            for number, each in enumerate(files):
                running.screen(each, action={"action": "step", "number": number}, window="Notes of Ada Miller")
                while running.stats.bytes_queued:  # an agent has seconds between two
                    time.sleep(0.002)
        work = time.process_time() - work
        ours = path.stat().st_size
        with open_reel(path) as reel:
            composer = ScreenComposer(reel.resource)
            told = list(reel.events({"screen"}))
            for event in told:
                composer.add_event(event)
            exact = sum(
                (again := composer.compose_picture(int(str(event["id"])))) is not None
                and again.tobytes() == each.tobytes()
                for event, each in zip(told, pictures, strict=True)
            )
    found = {
        "actions": len(pictures), "distinct": distinct, "exact": exact, "png": png, "webp": webp, "reel": ours, "png_ratio": png / ours,
        "webp_ratio": webp / ours, "cpu_ms_each": 1000 * work / len(pictures), "load": os.getloadavg()[0],
    }  # fmt: skip
    print(
        f"{len(pictures)} screens of {desk.size[0]} x {desk.size[1]}, {distinct} of them distinct; {exact} come back pixel by pixel"
    )
    print(f"PNGs {png:>12,} bytes   {png / ours:5.1f} x the recording")
    print(f"WebP {webp:>12,} bytes   {webp / ours:5.1f} x")
    print(
        f"reel {ours:>12,} bytes   with all that it tells; {found['cpu_ms_each']:.0f} ms of CPU a screen (load {found['load']:.0f})"
    )
    if options.json:
        options.json.write_text(json.dumps(found))
    return 0 if png >= FLOOR * ours else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
