"""What is measured of a library: how long it takes to answer, to list, to take in, to tell figures; how large it is; what a server of it needs."""

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
    """Return how long generated runs take to be searched, listed and told in figures, in ms. `address`: of Postgres; None: SQLite."""
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
    """Return how long a served page of the list takes, in ms, and the memory of the server, at rest and after that, in MB."""
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
    """Return how much CPU real recordings take, masked, and how large what is kept for the search is beside them."""
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
    """Return the ms of each call, and the ms of this process's CPU in it, the shortest first: where others work beside it, the first say how busy they are."""
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
    """Return what 95 of 100 stay below."""
    return values[min(len(values) - 1, int(0.95 * len(values)))]


def cpu() -> float:
    """Return the CPU s of this process and of those that it waited for."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def memory(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
