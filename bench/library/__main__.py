"""Searches in a library of generated runs, and takes real recordings into another.

python -m bench.library                          # 10,000 runs, 1 million lines; the recordings of the demo
python -m bench.library --runs 1000 a.reel …     # fewer; other recordings for the figures of taking in
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pagereel.library import Library
from pagereel.library.catalogue import Catalogue, Entry
from pagereel.library.facts import Facts, Line

LINES = 100
"""Of a run; forty of them stand in no other."""
FLOORS = {"search p95": 50.0, "list p95": 100.0, "index share": 0.15, "runs an hour and core": 1_200.0}
AGENTS = ("checkout-bot", "search-bot", "ada", "bob")
IDLE = "import sys, resource; from pagereel.library import Library; l = Library(sys.argv[1]); l.search('outcome:failed'); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"


def main(arguments: list[str]) -> int:
    """0 when each figure meets its floor."""
    parser = argparse.ArgumentParser(prog="python -m bench.library", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("recordings", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        figures |= answered(Path(folder), options.runs)
    recordings = options.recordings or [path for path in [Path("out/demo/demo.reel")] if path.is_file()]
    if recordings:
        with tempfile.TemporaryDirectory() as folder:
            figures |= taken_in(Path(folder), recordings)
    missed = 0
    for name, figure in figures.items():
        floor = FLOORS.get(name)
        met = floor is None or (figure >= floor if name.startswith("runs an hour") else figure <= floor)
        missed += not met
        print(f"{name:<28} {figure:>12,.3f}" + (f"   floor {floor:g}{'' if met else '   MISSED'}" if floor else ""))
    if options.json:
        options.json.write_text(json.dumps(figures))
    return 1 if missed else 0


def answered(folder: Path, runs: int) -> dict[str, float]:
    """Return how long generated runs take to be searched and listed, in ms."""
    dice = random.Random(17)
    words = ["".join(dice.choices("abcdefghijklmnoprstuvwy", k=dice.randrange(3, 10))) for _ in range(20_000)]
    weights = [1 / (place + 10) for place in range(len(words))]
    usual = [" ".join(dice.choices(words, weights, k=dice.randrange(2, 9))) for _ in range(3_000)]
    with Library(folder / "runs") as library:
        begun = time.process_time()
        catalogue = library.catalogue
        for number in range(runs):
            catalogue.put(
                Entry(f"run{number:08}", f"{number:064x}", "x", "x"), facts(dice, number, words, weights, usual)
            )
        catalogue.db.execute("INSERT INTO words (words) VALUES ('optimize')")
        written = time.process_time() - begun
        (lines,) = catalogue.db.execute("SELECT count(*) FROM seen").fetchone()
        (distinct,) = catalogue.db.execute("SELECT count(*) FROM line").fetchone()
        asked = list(queries(dice, words, weights, usual))
        library.close()
        taken = sorted(timed(library, query) for query in asked)
        listed = sorted(timed(library, "") for _ in range(50))
        library.close()
        size = sum(path.stat().st_size for path in (folder / "runs").glob("catalogue*"))
        idle = subprocess.run(
            [sys.executable, "-P", "-c", IDLE, str(folder / "runs")], capture_output=True, text=True, check=True
        ).stdout
    return {
        "runs": runs, "lines": lines, "lines, distinct": distinct, "catalogue MB": size / 1e6, "written CPU s": written,
        "search p50": statistics.median(taken), "search p95": taken[int(0.95 * len(taken))], "search most": taken[-1],
        "list p95": listed[int(0.95 * len(listed))], "memory of a search MB": int(idle) / 1e3,
    }  # fmt: skip


def facts(dice: random.Random, number: int, words: list[str], weights: list[float], usual: list[str]) -> Facts:
    """Make up a run."""
    outcome = dice.choices(["passed", "failed", "unknown"], [8, 1, 1])[0]
    agent = dice.choice(AGENTS)
    made = Facts(
        started=1_760_000_000_000 + number * 60_000, duration=dice.random() * 60_000, agent=agent, outcome=outcome, sealed=True, kind="reel",
        steps=dice.randrange(1, 9), calls=20, model_calls=3, tokens=dice.randrange(9_000), cost=dice.random(), errors=0, gaps=0,
    )  # fmt: skip
    made.uses = {("agent", agent): 1, ("outcome", outcome): 1, ("tool", dice.choice(words[:50])): 2, ("host", "shop.example"): 9,
                 ("path", f"/orders/{dice.randrange(5_000)}"): 1}  # fmt: skip
    texts = dice.sample(usual, 60) + [
        " ".join([*dice.choices(words, weights, k=5), f"n{number}x{n}"]) for n in range(40)
    ]
    made.lines = [
        Line(dice.choice(["page", "page", "page", "reasoning", "console"]), text, n * 100.0, n * 100.0 + 500, 1)
        for n, text in enumerate(texts[:LINES])
    ]
    return made


def queries(dice: random.Random, words: list[str], weights: list[float], usual: list[str]) -> Iterator[str]:
    """Yield two hundred queries, of words as common as those of pages."""
    for _ in range(50):
        yield dice.choices(words, weights)[0]
        yield f'seen:"{" ".join(dice.choice(usual).split()[:2])}" outcome:failed'
        yield f"agent:{dice.choice(AGENTS)} cost:>{dice.random():.2f} -outcome:passed path:/orders/{dice.randrange(500)}"
        yield f"said:{dice.choices(words, weights)[0]} after:2025-10-10 duration:>30s"


def timed(library: Library, query: str) -> float:
    """Return the ms of an answer, its line in the log with it."""
    begun = time.perf_counter()
    library.search(query)
    return (time.perf_counter() - begun) * 1_000


def taken_in(folder: Path, recordings: list[Path]) -> dict[str, float]:
    """Return how much CPU real recordings take, masked, and how large what is kept for the search is beside them."""
    with Library(folder / "runs") as library:
        library.add(recordings[0])  # loads the models
        begun, before = time.perf_counter(), cpu()
        for path in recordings[1:] or recordings:
            library.add(path)
        spent = cpu() - before if len(recordings) > 1 else float("nan")
        wall = time.perf_counter() - begun
        library.catalogue.db.execute("VACUUM")
        library.close()
        index = sum(path.stat().st_size for path in (folder / "runs").glob("catalogue*"))
        kept = sum(path.stat().st_size for path in (folder / "runs" / "recordings").iterdir())
        empty = Catalogue(folder / "empty.sqlite")
        empty.close()
        index -= sum(path.stat().st_size for path in folder.glob("empty*"))
    figures = {"recordings": float(len(recordings)), "recordings MB": kept / 1e6, "index share": index / kept}
    if len(recordings) > 1:
        figures |= {
            "runs an hour and core": 3_600 * (len(recordings) - 1) / spent,
            "wall s a run": wall / (len(recordings) - 1),
        }
    return figures


def cpu() -> float:
    """Return the CPU s of this process and of those that it waited for."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
