"""Applies the retention rules of ``library.toml``: thins runs, and deletes those that have expired.

Each action is logged, and one that is interrupted is completed later.
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
from pagereel.reading import RunLine, open_recording, run_summary, texts_in

from ..catalogue import TIERS, Catalogue, Entry
from ..facts import Facts, facts_of, figures_of, from_plain, to_plain, without_texts
from ..query import parse
from ..searching import where_of
from .thinning import thin, thinned_already
from .tiers import Retention, iso_of

if TYPE_CHECKING:
    from ..folder import LibraryFolder
    from ..holds import LibraryRetention

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
    """The results for all runs, by id. ``held``: expired, but held; ``kept``: not expired."""

    thinned: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """Run → why it could not be thinned: its file could not be read. It is tried again the next time, and is deleted
    when due in any case.
    """


def due_of(
    catalogue: Catalogue, retention: Retention, now: float, ids: Iterable[str] | None = None
) -> dict[str, tuple[str, float | None]]:
    """Map each run's id to the tier that it should have at `now`, and to when it is to be deleted (None: never). Times
    are in ms since 1970.
    """
    matching = {}
    for rule in retention.rules:
        where, values, _ = where_of(catalogue, parse(rule.query, now / 1_000))
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
                times = times.longest(rule.times)
        since = started if started and (not added or started < added + _AHEAD_MS) else added
        ends = None if times.last is None else since + times.last
        if told is not None:
            ends = told if ends is None else min(told, ends)
        found[id] = ("gone" if ends is not None and now >= ends else times.due(now - since)), ends
    return found


def overdue(library: LibraryFolder, now: float) -> dict[str, str]:
    """Map the id of each run that has more than its due tier at `now` (ms since 1970) to that tier, also of runs that
    are kept by a hold.
    """
    have = dict(library.catalogue.execute("SELECT id, tier FROM run").fetchall())
    due = due_of(library.catalogue, library.settings.retention, now)
    return {id: tier for id, (tier, _) in due.items() if TIERS.index(tier) > TIERS.index(have[id])}


def expire(library: LibraryRetention, now: float, *, dry_run: bool = False) -> Expired:
    """Thin and delete the overdue runs at `now` (ms since 1970). See ``Library.expire``."""
    told = Expired()
    late = overdue(library, now)
    holds = {hold.id for hold in library.catalogue.holds() if hold.until is None or hold.until > now}
    for id in library.catalogue.ids():
        if id not in late:
            told.kept.append(id)
        elif id in holds:
            told.held.append(id)
        elif late[id] == "gone":
            told.deleted.append(id)
            if not dry_run:
                library.delete(id, f"its time was over at {iso_of(now)}", settle=False)
        else:
            try:
                if not dry_run:
                    thin_run(library, id, late[id], now)
                told.thinned.append(id)
            except (ReelError, OSError) as error:
                told.failed[id] = str(error)
    return told


def thin_run(library: LibraryFolder, id: str, tier: str, now: float) -> None:
    """Thin one run to a tier below its own."""
    with library.locked():
        entry = library.catalogue.entry(id)
        if entry is None or TIERS.index(entry.tier) >= TIERS.index(tier):
            return
        _, ends = due_of(library.catalogue, library.settings.retention, now, [id])[id]
        kept = kept_of(library.folder, id)
        if kept is None:
            kept = _kept(library, entry)
        kept |= {"tier": tier, "done": False, "when": iso_of(now), "expires": None if ends is None else iso_of(ends)}
        _write(library.folder, id, kept)
        _apply_thinning(library, entry, kept)


def finish(library: LibraryFolder) -> None:
    """Complete the thinning that a killed process began."""
    for path in (library.folder / "facts").glob("*.json"):
        kept = kept_of(library.folder, path.stem)
        entry = library.entry_of(path.stem) if kept is not None and not kept["done"] else None
        if kept is not None and entry is not None:
            _apply_thinning(library, entry, kept)


def kept_of(folder: Path, id: str) -> dict[str, Any] | None:
    """Return the figures that were saved when a run was thinned; None for a run that was not thinned."""
    with suppress(FileNotFoundError, orjson.JSONDecodeError):
        kept: dict[str, Any] = orjson.loads((folder / "facts" / f"{id}.json").read_bytes())
        return kept
    return None


def facts_kept(folder: Path, entry: Entry, path: Path | None) -> Facts:
    """Return the facts of a thinned run: its saved figures, and the lines that remain in its recording."""
    kept = kept_of(folder, entry.id)
    assert kept is not None
    facts = from_plain(kept["facts"])
    if path is None:
        facts.lines = [line for step in facts.each for line in _title(step.title, step.began, step.duration)]
    else:
        left = facts_of(path)
        facts.lines = left.lines
        facts.used |= {key: used for key, used in left.used.items() if key[0] == "path"}
    return facts


def _title(title: str, began: float, duration: float | None) -> Iterable[RunLine]:
    return texts_in("step", title, began, began + (duration or 0))


def _kept(library: LibraryFolder, entry: Entry) -> dict[str, Any]:
    """Return the figures of a complete run, without fields that quote its pages."""
    with library.places.local(entry.indexed) as path:
        reading = open_recording(path)
        summary = run_summary(reading)
        facts = figures_of(reading, summary)
    told = summary["metadata"] if isinstance(summary["metadata"], dict) else {}
    summary = {name: value for name, value in summary.items() if name not in _TEXTS}
    summary["metadata"] = {name: told[name] for name in _FIELDS if name in told} or None
    return {"facts": to_plain(without_texts(facts)), "summary": summary}


def summary_kept(folder: Path, id: str, left: dict[str, Any] | None) -> dict[str, Any]:
    """Return a thinned run's summary: its saved figures, and the fields on pages and failures from `left`, the summary
    of the remaining recording.
    """
    kept = kept_of(folder, id)
    assert kept is not None
    return {"failure": [], "failed_at": None, "pages": [], **(left or {}), **kept["summary"], "tier": kept["tier"]}


def _apply_thinning(library: LibraryFolder, entry: Entry, kept: dict[str, Any]) -> None:
    """Thin the files of a run to the tier in `kept`, and write the thinning into the log and the catalogue."""
    id, tier = entry.id, kept["tier"]
    thinned = replace(entry, tier=tier)
    sha256: dict[str, str] = {}
    if tier == "steps":
        with library.scratch() as scratch:
            names = dict.fromkeys((entry.place, entry.indexed))
            for number, name in enumerate(names):
                outside = library.places.outside(name)
                if outside and name != entry.indexed:
                    continue
                made = scratch / f"{number}.reel"
                with library.places.local(name) as path:
                    if thinned_already(path):
                        continue
                    thin(path, made, when=kept["when"], expires=kept["expires"])
                stands = library.places.masked(id) if outside else str(Path(name).with_suffix(".reel"))
                sha256[stands] = library.places.put(made, stands)
                if stands != name:
                    library.places.remove(name)
                place = stands if thinned.place == name and not outside else thinned.place
                thinned = replace(thinned, place=place, indexed=stands if thinned.indexed == name else thinned.indexed)
    else:
        for name in {entry.place, entry.indexed} - {""}:
            library.places.remove(name)
        thinned = replace(thinned, place="", indexed="")
    library.forget_made(id)
    thinned = replace(thinned, bytes=library.places.sizes(thinned))
    library.note(
        {"did": "thin", "run": id, "tier": tier, "place": thinned.place, "indexed": thinned.indexed, "sha256": sha256}
    )
    if thinned.indexed:
        with library.places.local(thinned.indexed) as path:
            facts = facts_kept(library.folder, thinned, path)
    else:
        facts = facts_kept(library.folder, thinned, None)
    library.catalogue.put(thinned, facts)
    _write(library.folder, id, kept | {"done": True})


def _write(folder: Path, id: str, kept: dict[str, Any]) -> None:
    (folder / "facts").mkdir(mode=0o700, exist_ok=True)
    path = folder / "facts" / f"{id}.json"
    made = path.with_name(f".{path.name}")
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(orjson.dumps(kept))
        file.flush()
        os.fsync(file.fileno())
    os.replace(made, path)
