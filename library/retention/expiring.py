"""Applies the retention rules of ``library.toml``: thins runs, and deletes runs that have expired.

Each action is logged. An action that was interrupted is completed later.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from pagereel.errors import ReelError
from pagereel.reading import TimedTextLine, build_run_summary, iter_lines_of_value, open_recording

from ..catalogue import TIERS, Catalogue, CatalogueEntry
from ..query import parse_query
from ..run_facts import (
    IndexedRunFacts,
    build_facts_without_lines,
    drop_facts_texts,
    facts_from_dictionary,
    facts_to_dictionary,
    read_run_facts,
)
from ..searching import build_where_condition
from .thinning import is_thinned, thin_recording
from .tiers import RetentionSettings, format_iso_time

if TYPE_CHECKING:
    from ..library_folder import LibraryFolder
    from ..run_retention import LibraryRetention

_TEXTS: Final = ("failure", "failed_at", "pages")
"""Fields of a summary that quote pages."""
_AHEAD_MS: Final = 366 * 86_400_000.0
"""Largest time that a run's start may be after its addition. A later start comes from a wrong clock, and would make
the run never expire; then its age counts from the addition.
"""
_FIELDS: Final = ("tenant", "test", "ci", "version", "retry", "outcome")
"""Fields about the run's owner and test that are kept of a thinned run."""


@dataclass(slots=True)
class Expired:
    """The results of applying the retention rules, each with the ids of its runs.

    ``held``: runs that have expired but are on hold; ``kept``: runs that have not expired.
    """

    thinned: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """Run → why it could not be thinned: its file could not be read. It is tried again the next time, and is deleted
    when due in any case.
    """


def compute_due_tiers(
    catalogue: Catalogue, retention: RetentionSettings, now: float, ids: Iterable[str] | None = None
) -> dict[str, tuple[str, float | None]]:
    """Map each run's id to the tier that it should have at `now`, and to the time at which it is to be deleted (None:
    never).

    Times are in ms since 1970. `ids`: only these runs; None: all runs.
    """
    matching = {}
    for rule in retention.rules:
        where, values, _ = build_where_condition(catalogue, parse_query(rule.query, now / 1_000))
        matching[rule] = {id for (id,) in catalogue.execute(f"SELECT id FROM run WHERE {where}", values).fetchall()}
    found = {}
    wanted = None if ids is None else set(ids)
    for id, started, added, told in catalogue.execute(
        "SELECT id, started, added, expires FROM run ORDER BY started, id"
    ).fetchall():
        if wanted is not None and id not in wanted:
            continue
        times = retention.times
        for rule, fitting in matching.items():
            if id in fitting:
                times = times.keep_longer_times(rule.times)
        since = started if started and (not added or started < added + _AHEAD_MS) else added
        ends = None if times.deletion_age is None else since + times.deletion_age
        if told is not None:
            ends = told if ends is None else min(told, ends)
        found[id] = ("gone" if ends is not None and now >= ends else times.get_due_tier(now - since)), ends
    return found


def find_overdue_runs(library: LibraryFolder, now: float) -> dict[str, str]:
    """Find the runs of which the library still keeps more than their retention tier allows at `now` (ms since 1970).

    Return a dictionary from a run's id to the tier that it is due for. Runs that a hold protects are included.
    """
    have = dict(library.catalogue.execute("SELECT id, tier FROM run").fetchall())
    due = compute_due_tiers(library.catalogue, library.settings.retention, now)
    return {id: tier for id, (tier, _) in due.items() if TIERS.index(tier) > TIERS.index(have[id])}


def expire_runs(library: LibraryRetention, now: float, *, dry_run: bool = False) -> Expired:
    """Thin and delete the overdue runs at `now` (ms since 1970). See ``Library.expire``."""
    told = Expired()
    late = find_overdue_runs(library, now)
    holds = {hold.id for hold in library.catalogue.list_holds() if hold.until is None or hold.until > now}
    for id in library.catalogue.list_ids():
        if id not in late:
            told.kept.append(id)
        elif id in holds:
            told.held.append(id)
        elif late[id] == "gone":
            told.deleted.append(id)
            if not dry_run:
                library.delete(id, f"its time was over at {format_iso_time(now)}", settle=False)
        else:
            try:
                if not dry_run:
                    thin_run(library, id, late[id], now)
                told.thinned.append(id)
            except (ReelError, OSError) as error:
                told.failed[id] = str(error)
    return told


def thin_run(library: LibraryFolder, id: str, target_tier: str, now: float) -> None:
    """Thin one run to a tier below its own."""
    with library.writer_lock():
        entry = library.catalogue.get_entry(id)
        if entry is None or TIERS.index(entry.tier) >= TIERS.index(target_tier):
            return
        _, ends = compute_due_tiers(library.catalogue, library.settings.retention, now, [id])[id]
        kept = read_saved_figures(library.folder, id)
        if kept is None:
            kept = _build_saved_figures(library, entry)
        kept |= {
            "tier": target_tier,
            "done": False,
            "when": format_iso_time(now),
            "expires": None if ends is None else format_iso_time(ends),
        }
        _write_saved_figures(library.folder, id, kept)
        _thin_run_files(library, entry, kept)


def finish_thinning(library: LibraryFolder) -> None:
    """Complete the thinning that a killed process began."""
    for path in (library.folder / "facts").glob("*.json"):
        kept = read_saved_figures(library.folder, path.stem)
        entry = library.get_logged_entry(path.stem) if kept is not None and not kept["done"] else None
        if kept is not None and entry is not None:
            _thin_run_files(library, entry, kept)


def read_saved_figures(folder: Path, id: str) -> dict[str, Any] | None:
    """Return the figures that were saved when a run was thinned; None for a run that was not thinned."""
    with suppress(FileNotFoundError, orjson.JSONDecodeError):
        kept: dict[str, Any] = orjson.loads((folder / "facts" / f"{id}.json").read_bytes())
        return kept
    return None


def build_thinned_facts(folder: Path, entry: CatalogueEntry, path: Path | None) -> IndexedRunFacts:
    """Return the facts of a thinned run: its saved figures, and the lines that remain in its recording."""
    kept = read_saved_figures(folder, entry.id)
    assert kept is not None
    facts = facts_from_dictionary(kept["facts"])
    if path is None:
        facts.lines = [
            line for step in facts.each for line in _build_title_lines(step.title, step.began, step.duration)
        ]
    else:
        left = read_run_facts(path)
        facts.lines = left.lines
        facts.used |= {key: used for key, used in left.used.items() if key[0] == "path"}
    return facts


def _build_title_lines(title: str, began: float, duration: float | None) -> Iterable[TimedTextLine]:
    return iter_lines_of_value("step", title, began, began + (duration or 0))


def _build_saved_figures(library: LibraryFolder, entry: CatalogueEntry) -> dict[str, Any]:
    """Return the figures of a complete run, without fields that quote its pages."""
    with library.places.open_local_file(entry.indexed) as path:
        reading = open_recording(path)
        summary = build_run_summary(reading)
        facts = build_facts_without_lines(reading, summary)
    told = summary["metadata"] if isinstance(summary["metadata"], dict) else {}
    summary = {name: value for name, value in summary.items() if name not in _TEXTS}
    summary["metadata"] = {name: told[name] for name in _FIELDS if name in told} or None
    return {"facts": facts_to_dictionary(drop_facts_texts(facts)), "summary": summary}


def build_thinned_summary(folder: Path, id: str, remaining_summary: dict[str, Any] | None) -> dict[str, Any]:
    """Return a thinned run's summary.

    Its figures are those that were saved when it was thinned. Its fields on pages and failures come from `remaining_summary`, the
    summary of the recording that remains; None: no recording remains.
    """
    kept = read_saved_figures(folder, id)
    assert kept is not None
    return {
        "failure": [],
        "failed_at": None,
        "pages": [],
        **(remaining_summary or {}),
        **kept["summary"],
        "tier": kept["tier"],
    }


def _thin_run_files(library: LibraryFolder, entry: CatalogueEntry, saved_figures: dict[str, Any]) -> None:
    """Thin the files of a run to the tier in `saved_figures`, and write the thinning into the log and the catalogue."""
    id, tier = entry.id, saved_figures["tier"]
    thinned = replace(entry, tier=tier)
    sha256: dict[str, str] = {}
    if tier == "steps":
        with library.temporary_folder() as scratch:
            names = dict.fromkeys((entry.place, entry.indexed))
            for number, name in enumerate(names):
                outside = library.places.is_linked_file_name(name)
                if outside and name != entry.indexed:
                    continue
                made = scratch / f"{number}.reel"
                with library.places.open_local_file(name) as path:
                    if is_thinned(path):
                        continue
                    thin_recording(path, made, thinned_at=saved_figures["when"], expires=saved_figures["expires"])
                stands = library.places.get_masked_name(id) if outside else str(Path(name).with_suffix(".reel"))
                sha256[stands] = library.places.move_into_place(made, stands)
                if stands != name:
                    library.places.remove_file(name)
                place = stands if thinned.place == name and not outside else thinned.place
                thinned = replace(thinned, place=place, indexed=stands if thinned.indexed == name else thinned.indexed)
    else:
        for name in {entry.place, entry.indexed} - {""}:
            library.places.remove_file(name)
        thinned = replace(thinned, place="", indexed="")
    library.delete_derived_files(id)
    thinned = replace(thinned, bytes=library.places.measure_run_size(thinned))
    library.note(
        {"did": "thin", "run": id, "tier": tier, "place": thinned.place, "indexed": thinned.indexed, "sha256": sha256}
    )
    if thinned.indexed:
        with library.places.open_local_file(thinned.indexed) as path:
            facts = build_thinned_facts(library.folder, thinned, path)
    else:
        facts = build_thinned_facts(library.folder, thinned, None)
    library.catalogue.write_run(thinned, facts)
    _write_saved_figures(library.folder, id, saved_figures | {"done": True})


def _write_saved_figures(folder: Path, id: str, figures: dict[str, Any]) -> None:
    (folder / "facts").mkdir(mode=0o700, exist_ok=True)
    path = folder / "facts" / f"{id}.json"
    made = path.with_name(f".{path.name}")
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(orjson.dumps(figures))
        file.flush()
        os.fsync(file.fileno())
    os.replace(made, path)
