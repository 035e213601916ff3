"""`pagereel library keep`, `flag`, `delete`, `expire` and `audit`: keep and delete runs, and print the log."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pagereel.cli.console import print_json, print_warning, show_progress
from pagereel.errors import UsageError

if TYPE_CHECKING:
    from pagereel.library import Library


def keep_runs(opened: Library, runs: list[str], *, why: str, until: str | None, release: bool, json: bool) -> int:
    """Exempt runs from expiry; with `release`, let them expire again."""
    end = _parse_date_option(until, "--until")
    ids = [opened.release(run) if release else opened.keep(run, why, end) for run in runs]
    _print_changed_ids("released" if release else "kept", ids, json)
    return 0


def delete_runs(opened: Library, runs: list[str], *, why: str, json: bool) -> int:
    """Delete runs before they expire."""
    if not why.strip():
        raise UsageError('Give a reason with --why "…"; it is written into the log.')
    ids = [opened.resolve(run).id for run in runs]
    for id in ids:
        opened.delete(id, why)
    _print_changed_ids("deleted", ids, json)
    return 0


def flag_run(opened: Library, run: str, word: str, *, off: bool, json: bool) -> int:
    """Set a flag of a run, or remove it."""
    _print_changed_ids("unflagged" if off else "flagged", [opened.flag(run, word, on=not off)], json)
    return 0


def expire_runs(opened: Library, *, now: str | None, dry_run: bool, json: bool) -> int:
    """Apply the retention rules of library.toml, and print which runs were thinned or deleted; with `dry_run`, which
    would be.
    """
    if not opened.settings.retention and not opened.has_expiring_runs:
        raise UsageError(
            f"{opened.folder / 'library.toml'} has no [retention], so every run is kept; docs/library.md shows how to write it."
        )
    with show_progress("Looking at ages"):
        told = opened.expire(_parse_date_option(now, "--now"), dry_run=dry_run)
    for id, error in told.failed.items():
        print_warning(f"not thinned: {id}: {error}")
    if json:
        print_json({name: value for name, value in asdict(told).items() if name != "failed" or value})
        return 1 if told.failed else 0
    for id in told.thinned:
        print(f"thinned {id}")
    for id in told.deleted:
        print(f"deleted {id}")
    for id in told.held:
        print(f"held {id}")
    would = "would be " if dry_run else ""
    print(
        f"{would}thinned {len(told.thinned)}, deleted {len(told.deleted)}, held {len(told.held)}, kept {len(told.kept)}"
    )
    return 1 if told.failed else 0


def print_log(opened: Library, *, json: bool) -> int:
    """Print the log of a library. Return 1 if the log was changed, or if data of a deleted run still exists."""
    lines, whole = opened.log()
    left = opened.find_leftovers() if whole else []
    if json:
        print_json({"log": lines, "intact": whole, "left": left})
        return 0 if whole and not left else 1
    for line in lines:
        told = {
            name: value for name, value in line.items() if name not in ("when", "who", "did", "prev", "sha256", "keys")
        }
        print(f"{line['when']} {line['who']} {line['did']} {' '.join(str(value) for value in told.values())}")
    print("the log is whole" if whole else "the log was changed: a line does not follow the one before it")
    gone = sum(line.get("did") == "delete" for line in lines)
    if whole and gone:
        print(f"of {gone} deleted {'nothing is left' if not left else 'is left: ' + ', '.join(left)}")
    return 0 if whole and not left else 1


def _print_changed_ids(action: str, ids: list[str], json: bool) -> None:
    if json:
        print_json({action: ids})
        return
    for id in ids:
        print(f"{action} {id}")


def _parse_date_option(text: str | None, option: str) -> float | None:
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{option} takes a date or time in ISO 8601, for example 2027-11-24, not {text!r}.") from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1_000
