"""A few kilobytes that stand for gigabytes: a reel from elsewhere cannot fill the memory or the afternoon of who opens it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.redaction.reels import Maker

MEGABYTES = 512
SECONDS = 10.0
"""Of the processor, for one command on what one moment holds. What is without end takes as long as an honest run of its length: nothing
tells the two apart, and neither fills the memory.
"""
LONG = 60.0


def one_large_text(m: Maker) -> None:
    m.body(["p", {"title": "x" * 60_000_000}, "y"])


def many_nodes(m: Maker) -> None:
    m.body(*[["p", {}, "y"]] * 900_000)


def large_sheets(m: Maker) -> None:
    m.body(["style", {}, "a{" * 200_000], ["style", {}, "a:hover{color:red}" * 1_500_000])


def a_large_body(m: Maker) -> None:
    m.resource("text/html", "<p>" * 20_000_000)


def points_without_end(m: Maker) -> None:
    m.body(["p", {}, "x"])
    for _ in range(200):
        m.page("pointer", points=[[0, 1, 1]] * 100_000, type="mouse")


def moves_without_end(m: Maker) -> None:
    m.body(["p", {}, "x"])
    for _ in range(40):
        m.writer.write({"k": "mutation", "t": 20, "d": 1, "n": 1, "ops": [["move", 4, *[5] * 2_000_000]]})


def large_texts_without_end(m: Maker) -> None:
    m.body(["p", {}, "x"])
    for _ in range(40):
        m.put("console", page=1, level="log", text="x" * 15_000_000)


def large_bodies_without_end(m: Maker) -> None:
    m.body(["p", {}, "x"])
    for letter in "abcdefgh":
        m.resource("text/plain", letter * 150_000_000)


def tabs_without_end(m: Maker) -> None:
    m.body(["p", {}, "x"])
    for d in range(2, 25_000):
        m.writer.write(
            {"k": "document", "t": d, "d": d, "page": d, "frame": "F", "url": "https://a.example/", "top": True,
             "viewport": {"w": 1, "h": 1, "dpr": 1}, "mode": "CSS1Compat"}
        )  # fmt: skip


BOMBS: tuple[Callable[[Maker], None], ...] = (
    large_sheets, one_large_text, many_nodes, a_large_body, points_without_end, moves_without_end, large_texts_without_end, large_bodies_without_end, tabs_without_end,
)  # fmt: skip
RUN = """
import resource, sys
from pagereel.cli import main
status = main(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF)
most = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))  # rusage has the parent's as well
print("used", used.ru_utime + used.ru_stime, int(most) // 1024, status)
"""


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(make, id=make.__name__, marks=[pytest.mark.slow] if place > 1 else [])
        for place, make in enumerate(BOMBS)
    ],
)
def test_a_bomb_is_opened_within_bounds(make: Callable[[Maker], None], tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    make(m)
    m.writer.close("closed")
    assert (tmp_path / "a.reel").stat().st_size < 70_000
    for words in (["verify", "a.reel"], ["build", "a.reel", "a.html", "--redaction", "off"]):
        done = subprocess.run(
            [sys.executable, "-c", RUN, *words], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True
        )
        _, seconds, megabytes, status = done.stdout.split("\n")[-2].split()
        most = LONG if make.__name__.endswith("without_end") else SECONDS
        assert float(seconds) < most and int(megabytes) < MEGABYTES, (words, seconds, megabytes, done.stdout[-300:])
        assert status in "01" and "Traceback" not in done.stderr
