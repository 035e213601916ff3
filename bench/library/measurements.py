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

from ..process import PAGEREEL, read_cpu_seconds
from .generated_runs import WordGenerator, iter_queries, write_runs

_LISTED = 40
_JOBS, _FEW = 2, 20
"""How many recordings are taken in at a time, where there are not few: each process loads the models."""


def measure_queries(folder: Path, runs: int, address: str | None = None) -> dict[str, float]:
    """Return the times in ms in which a library of generated runs is searched, listed and summed up in figures.

    `address`: of a Postgres server; None: the catalogue is in SQLite.
    """
    folder.mkdir()
    if address is not None:
        (folder / "library.toml").write_text(f'catalogue = "{address}"\nschema = "bench"\n')
    words = WordGenerator()
    with Library(folder) as library:
        begun, before = time.perf_counter(), time.process_time()
        write_runs(library.catalogue, runs, words)
        written, spent = time.perf_counter() - begun, time.process_time() - before
        (lines,) = library.catalogue.execute("SELECT sum(lines) FROM shown").fetchone()
        (distinct,) = library.catalogue.execute("SELECT count(*) FROM line").fetchone()
        asked = list(iter_queries(words))
        library.close()
        taken, taken_cpu = time_calls(lambda: (library.search(query) for query in asked))
        asked_one, _ = time_calls(lambda: (library.catalogue.execute("SELECT 1").fetchone() for _ in range(200)))
        listed, listed_cpu = time_calls(lambda: (library.search("") for _ in range(_LISTED)))
        figures, figures_cpu = time_calls(lambda: (library.stats() for _ in range(3)))
        size = library.catalogue.measure_size()
    return {
        "runs": runs, "lines": lines, "lines, distinct": distinct, "catalogue MB": size / 1e6, "written wall s": written, "written CPU s": spent,
        "search p50": statistics.median(taken), "search p95": compute_p95(taken), "search p95, CPU": compute_p95(taken_cpu), "search most": taken[-1], "SELECT 1 p95": compute_p95(asked_one), "list p95": compute_p95(listed),
        "list p95, CPU": compute_p95(listed_cpu), "figures ms": statistics.median(figures), "figures ms, CPU": statistics.median(figures_cpu), "load": os.getloadavg()[0],
    }  # fmt: skip


def measure_server(folder: Path) -> dict[str, float]:
    """Return in ms how long the server takes for its list and figures pages, and in MB its memory before and after them."""
    process = subprocess.Popen([*PAGEREEL, "serve", str(folder), "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = urlsplit(process.stdout.readline().strip())
        idle = measure_memory_mb(process.pid)
        connection = http.client.HTTPConnection(address.netloc, timeout=60)
        connection.request("GET", f"{address.path}?{address.query}")
        entered = connection.getresponse()
        entered.read()
        cookie = (entered.getheader("set-cookie") or "").partition(";")[0]

        def get_page(path: str) -> None:
            """Ask the server for a page. Raises AssertionError unless it answers 200."""
            connection.request("GET", path, headers={"Cookie": cookie})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, (path, answer.status)

        get_page("/")
        before = read_cpu_seconds(process.pid)
        lists, _ = time_calls(lambda: (get_page("/") for _ in range(_LISTED)))
        each = (read_cpu_seconds(process.pid) - before) / _LISTED * 1_000
        listing = measure_memory_mb(process.pid)
        figures, _ = time_calls(lambda: (get_page("/figures") for _ in range(3)))
        return {
            "list page p95": compute_p95(lists), "list page mean, CPU": each, "figures page ms": statistics.median(figures), "serve idle MB": idle, "serve after lists MB": listing,
            "serve after figures MB": measure_memory_mb(process.pid),
        }  # fmt: skip
    finally:
        process.terminate()
        process.wait(60)


def measure_intake(folder: Path, recordings: Sequence[Path]) -> dict[str, float]:
    """Return the CPU time of taking in real recordings, masked, and the size of the index beside them."""
    with Library(folder) as library:
        library.add(recordings[0])  # loads the models
        begun, before = time.perf_counter(), measure_cpu_seconds()
        for number, (name, _, error) in enumerate(
            library.add_many(recordings[1:], jobs=_JOBS if len(recordings) > _FEW else 1), 1
        ):
            if error is not None:
                print(f"left out: {name}: {error}")
            if number % 50 == 0:
                print(f"{number} of {len(recordings)} taken in", flush=True)
        spent, wall = measure_cpu_seconds() - before, time.perf_counter() - begun
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


def time_calls(calls: Callable[[], Iterator[object]]) -> tuple[list[float], list[float]]:
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


def compute_p95(values: list[float]) -> float:
    """Return the 95th percentile of sorted values."""
    return values[min(len(values) - 1, int(0.95 * len(values)))]


def measure_cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def measure_memory_mb(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
