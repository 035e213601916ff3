"""A library: adds, searches, shows and deletes recordings."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pagereel.errors import UsageError
from pagereel.reading import build_run_summary, open_recording, to_summary_paragraph
from pagereel.user_files import read_text_file_limited

from .additions import Added, LibraryIntake
from .audit_log import LOG
from .figures import EVERY, GROUPS, USUAL, Figures, compute_figures, parse_expected_keys, write_changed_days
from .intake import read_recording_identity
from .library_folder import CATALOGUE
from .query import parse_query
from .recording_store import MASKED, RECORDINGS, SERVED
from .retention import build_thinned_summary
from .run_retention import LibraryRetention
from .run_views import LibraryViews
from .searching import LIMIT, SearchResult, search_catalogue

__all__ = ["CATALOGUE", "LOG", "MASKED", "RECORDINGS", "SERVED", "Added", "Library", "read_recording_identity"]

_LARGEST = 64 << 20
"""Largest list of expected runs, in bytes."""


class Library(LibraryIntake, LibraryRetention, LibraryViews):
    """A folder of recordings with a log of all actions, and a catalogue that is derived from both.

    >>> library = Library("runs")  # doctest: +SKIP
    >>> library.add("run.reel")  # doctest: +SKIP
    >>> [run.id for run in library.search('outcome:failed seen:"card declined"').runs]  # doctest: +SKIP
    """

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def search(self, query: str = "", *, limit: int = LIMIT, cursor: str | None = None) -> SearchResult:
        """Return the runs that match a query, the newest first, with the matching lines. docs/library.md lists the
        operators.

        :param limit: the number of runs on a page, at most 200.
        :param cursor: ``next`` of the result for the page before.
        :raises QueryError: the query cannot be read; the message says where.
        """
        answer = search_catalogue(self.catalogue, parse_query(query), limit, cursor)
        if query:
            self.note({"did": "search", "query": query, "found": answer.total})
        return answer

    def show(self, id: str) -> dict[str, Any]:
        """Return a run's summary (``pagereel.reading.build_run_summary``), made from the indexed recording, usually the
        masked copy.

        Further fields: ``markdown``, the summary as one paragraph; `id` and `path` of the run; `tier`, how much of the
        run is kept.
        """
        entry = self.resolve(id)
        summary: dict[str, Any] | None = None
        if entry.indexed:
            with self.places.open_local_file(entry.indexed) as path:
                summary = build_run_summary(open_recording(path))
        if entry.tier != "full" or summary is None:
            summary = build_thinned_summary(self.folder, entry.id, summary)
        self.note({"did": "show", "run": entry.id})
        path_told = self.places.get_file_address(entry.place) if entry.place else None
        return {
            "id": entry.id,
            "path": path_told,
            "tier": entry.tier,
            **summary,
            "markdown": to_summary_paragraph(summary),
        }

    def stats(self, query: str = "", *, by: Iterable[str] = USUAL, every: str = "day") -> Figures:
        """Return figures over the runs that match a query: success, cost, duration, retries, gaps, fidelity, by agent,
        model and prompt version, and over time.

        :param by: words of the query to group by, such as ``tool`` or ``test``. :param every: ``hour``, ``day`` or
        ``week``.
        :raises QueryError: the query cannot be read. UsageError: there is no such group or time.
        """
        groups = tuple(by)
        if unknown := [group for group in groups if group not in GROUPS]:
            raise UsageError(f"Figures can be grouped by {', '.join(GROUPS)}, not by {unknown[0]!r}.")
        if every not in EVERY:
            raise UsageError(f"Figures can be given for each {', '.join(EVERY)}, not {every!r}.")
        return compute_figures(self.catalogue, parse_query(query), groups, every)

    def expect(self, path: str | os.PathLike[str], name: str | None = None) -> int:
        """Store a list of the runs that should be in the library: node ids of pytest, a CSV, or OTLP's JSON. A list of
        the same name is replaced. Return its length.

        :param name: of the list; None: the file's. :raises UsageError: the file cannot be read, or names no run.
        """
        source = Path(path)
        name = name or source.name
        try:
            keys = parse_expected_keys(read_text_file_limited(source, _LARGEST).removeprefix("\ufeff"), str(source))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{source} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
        if not name.strip() or len(name) > 200:
            raise UsageError("The name of a list has 1 to 200 characters.")
        with self.writer_lock():
            kept = self._write_expected_list(name, keys)
            self.note({"did": "expect", "list": name, "file": kept, "count": len(keys)})
            self.catalogue.write_expected_runs(name, keys)
        return len(keys)

    def _write_expected_list(self, name: str, keys: list[str]) -> str:
        folder = self.folder / "expected"
        folder.mkdir(mode=0o700, exist_ok=True)
        path = folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.txt"
        made = path.with_suffix(".new")
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.writelines(f"{key}\n" for key in keys)
        os.replace(made, path)
        return f"expected/{path.name}"

    def parquet(self, target: str | os.PathLike[str] | None = None) -> tuple[list[str], list[str]]:
        """Write the facts of the days that changed as Parquet. Return those days, and the days that have no runs any
        more.

        :param target: a folder, or an address that fsspec knows; None: ``parquet`` of ``library.toml``, which
        deletions update automatically.
        :raises SetupError: pyarrow is not installed. UsageError: no target is named.
        """
        to = os.fspath(target) if target is not None else self.settings.parquet
        if to is None:
            raise UsageError(
                'Give a folder, or write parquet = "…" into library.toml, so that deletions reach those files too.'
            )
        return write_changed_days(self.catalogue, to)
