"""Reads the library for the deck's screens. Every method may be called in another thread than the screens'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagereel.library import Figures, Library, SearchResult, list_outermost_titles

_ROWS = 2_000


@dataclass(frozen=True)
class RunDetails:
    """The summary of one run, and its steps, errors and calls.

    They are empty if the library keeps only figures of the run.
    """

    summary: Mapping[str, Any]
    steps: Sequence[Mapping[str, Any]]
    errors: Sequence[Mapping[str, Any]] = ()
    calls: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class DeckComparison:
    """The comparison of two runs, as the deck shows it.

    It has the chain of the divergence, all differences as (ms in A, ms in B, kind, text), and the file with both
    replays.
    """

    chain: Sequence[str]
    rows: Sequence[tuple[float | None, float | None, str, str]]
    page: Path


@dataclass(frozen=True)
class DeckLog:
    """The lines of the library's log, as the deck shows them.

    `whole`: whether the chain of hashes over the lines is intact; `left`: data of deleted runs that still exists.
    """

    lines: Sequence[Mapping[str, Any]]
    whole: bool
    left: Sequence[str]


class DeckLibrary:
    """The queries that the deck's screens make to a library.

    Each method opens the library again, because a connection of SQLite belongs to the thread that made it.
    """

    def __init__(self, folder: Path) -> None:
        """Raise UsageError where the folder is no library."""
        self.folder = folder
        with self._open_library() as library:
            library.catalogue  # noqa: B018 - made now, before there is a screen

    def search_runs(self, query: str, cursor: str | None = None) -> tuple[SearchResult, Mapping[str, tuple[str, ...]]]:
        """Return one page of the runs that match a query, and the titles of each run's outermost steps.

        Raises QueryError.
        """
        with self._open_library() as library:
            answer = library.search(query, cursor=cursor)
            return answer, list_outermost_titles(library.catalogue, [run.id for run in answer.runs])

    def load_run(self, id: str) -> RunDetails:
        """Return the summary of a run, and its steps, errors and calls."""
        with self._open_library() as library:
            summary = library.show(id)
            if summary["tier"] == "facts":
                return RunDetails(summary, summary["steps"])
            reading = library.reading(id)
        return RunDetails(summary, reading.steps()[:_ROWS], reading.errors()[:_ROWS], reading.calls()[:_ROWS])

    def load_figures(self, query: str) -> Figures:
        """Return figures over the runs that match a query."""
        with self._open_library() as library:
            return library.stats(query)

    def load_log(self) -> DeckLog:
        """Return the log, with the newest line first."""
        with self._open_library() as library:
            lines, whole = library.log()
            return DeckLog(lines[::-1][:_ROWS], whole, library.find_leftovers() if whole else [])

    def get_replay(self, id: str) -> Path:
        """Return the path of a run's replay, which is built if needed."""
        with self._open_library() as library:
            return library.replay(id)

    def compare_runs(self, a: str, b: str) -> DeckComparison:
        """Return the comparison of two runs."""
        with self._open_library() as library:
            beside = library.pair(a, b)
        result = beside.result
        chain = ["Nothing differs beyond noise."] if result.divergence is None else list(result.divergence.chain)
        rows = [(each.at["a"], each.at["b"], each.kind, each.said) for each in result.differences[:_ROWS]]
        result.check("\n".join([*chain, *(said for *_, said in rows)]))
        return DeckComparison(chain, rows, beside.page)

    def _open_library(self) -> Library:
        return Library(self.folder, create=False)
