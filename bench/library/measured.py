"""Measures a library: times to search, list and take in, the size of its index, and the memory of its server."""

from __future__ import annotations

import http.client
import os
import resource
import statistics
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from pagereel.library import Library
from pagereel.library.catalogue import SqliteCatalogue

from ..process import PAGEREEL, spent
from .generated import Words, queries, write

_LISTED = 40
_JOBS, _FEW = 2, 20
"""How many recordings are taken in at a time, where there are not few: each process loads the models."""


def answered(folder: Path, runs: int, address: str | None = None) -> dict[str, float]:
    """Return the times in ms in which a library of generated runs is searched, listed and summed up in figures.

    `address`: of a Postgres server; None: the catalogue is in SQLite.
    """
    folder.mkdir()
    if address is not None:
        (folder / "library.toml").write_text(f'catalogue = "{address}"\nschema = "bench"\n')
    words = Words()
    with Library(folder) as library:
        begun, before = time.perf_counter(), time.process_time()
        write(library.catalogue, runs, words)
        written, spent = time.perf_counter() - begun, time.process_time() - before
        (lines,) = library.catalogue.execute("SELECT sum(lines) FROM shown").fetchone()
        (distinct,) = library.catalogue.execute("SELECT count(*) FROM line").fetchone()
        asked = list(queries(words))
        library.close()
        taken, taken_cpu = timed(lambda: (library.search(query) for query in asked))
        asked_one, _ = timed(lambda: (library.catalogue.execute("SELECT 1").fetchone() for _ in range(200)))
        listed, listed_cpu = timed(lambda: (library.search("") for _ in range(_LISTED)))
        figures, figures_cpu = timed(lambda: (library.stats() for _ in range(3)))
        size = library.catalogue.measure_size()
    return {
        "runs": runs, "lines": lines, "lines, distinct": distinct, "catalogue MB": size / 1e6, "written wall s": written, "written CPU s": spent,
        "search p50": statistics.median(taken), "search p95": late(taken), "search p95, CPU": late(taken_cpu), "search most": taken[-1], "SELECT 1 p95": late(asked_one), "list p95": late(listed),
        "list p95, CPU": late(listed_cpu), "figures ms": statistics.median(figures), "figures ms, CPU": statistics.median(figures_cpu), "load": os.getloadavg()[0],
    }  # fmt: skip


def served(folder: Path) -> dict[str, float]:
    """Return in ms how long the server takes for its list and figures pages, and in MB its memory before and after them."""
    process = subprocess.Popen([*PAGEREEL, "serve", str(folder), "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = urlsplit(process.stdout.readline().strip())
        idle = memory(process.pid)
        connection = http.client.HTTPConnection(address.netloc, timeout=60)
        connection.request("GET", f"{address.path}?{address.query}")
        entered = connection.getresponse()
        entered.read()
        cookie = (entered.getheader("set-cookie") or "").partition(";")[0]

        def page(path: str) -> None:
            """Ask the server for a page. Raises AssertionError unless it answers 200."""
            connection.request("GET", path, headers={"Cookie": cookie})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, (path, answer.status)

        page("/")
        before = spent(process.pid)
        lists, _ = timed(lambda: (page("/") for _ in range(_LISTED)))
        each = (spent(process.pid) - before) / _LISTED * 1_000
        listing = memory(process.pid)
        figures, _ = timed(lambda: (page("/figures") for _ in range(3)))
        return {
            "list page p95": late(lists), "list page mean, CPU": each, "figures page ms": statistics.median(figures), "serve idle MB": idle, "serve after lists MB": listing,
            "serve after figures MB": memory(process.pid),
        }  # fmt: skip
    finally:
        process.terminate()
        process.wait(60)


def taken_in(folder: Path, recordings: Sequence[Path]) -> dict[str, float]:
    """Return the CPU time of taking in real recordings, masked, and the size of the index beside them."""
    with Library(folder) as library:
        library.add(recordings[0])  # loads the models
        begun, before = time.perf_counter(), cpu()
        for number, (name, _, error) in enumerate(
            library.add_many(recordings[1:], jobs=_JOBS if len(recordings) > _FEW else 1), 1
        ):
            if error is not None:
                print(f"left out: {name}: {error}")
            if number % 50 == 0:
                print(f"{number} of {len(recordings)} taken in", flush=True)
        spent, wall = cpu() - before, time.perf_counter() - begun
        catalogue = library.catalogue
        catalogue.compact_storage(deleted=True)
        catalogue.execute("VACUUM")
        catalogue.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        kept, masked = (
            sum(path.stat().st_size for path in (folder / name).iterdir()) for name in ("recordings", "masked")
        )
        index = library.catalogue.measure_size()
        empty = SqliteCatalogue(folder.with_name("empty.sqlite"))
        index -= empty.measure_size()
        empty.close()
        numbers = [n for (n,) in catalogue.execute("SELECT n FROM line ORDER BY n").fetchall()]
        lines = "\n".join(catalogue.get_texts(numbers).values()).encode()
    rest = len(recordings) - 1
    rates = {"runs an hour and core": 3_600 * rest / spent, "wall s a run": wall / rest} if rest else {}
    return {
        "recordings": float(len(recordings)), "recordings MB": kept / 1e6, "masked copies MB": masked / 1e6, "index MB": index / 1e6, "index share": index / kept,
        "of recordings and copies": index / (kept + masked), "lines alone, zlib": len(zlib.compress(lines, 9)) / kept, **rates,
    }  # fmt: skip


def timed(calls: Callable[[], Iterator[object]]) -> tuple[list[float], list[float]]:
    """Return the wall time of each call and this process's CPU time in it, in ms, each list sorted.

    On a busy machine the first items of both lists are those that other processes disturbed least.
    """
    wall, spent = [], []
    made = iter(calls())
    while True:
        begun, before = time.perf_counter(), time.process_time()
        try:
            next(made)
        except StopIteration:
            return sorted(wall), sorted(spent)
        wall.append((time.perf_counter() - begun) * 1_000)
        spent.append((time.process_time() - before) * 1_000)


def late(values: list[float]) -> float:
    """Return the 95th percentile of sorted values."""
    return values[min(len(values) - 1, int(0.95 * len(values)))]


def cpu() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def memory(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
