"""A baseline as a folder: accepted runs, and a log of who added or removed which run, and why.

baseline/
    pay-3fa91c2b.reel baseline.log        one line of JSON for each change, with the hash of the line before it

A baseline defines what is usual, so an added run can hide a regression. Therefore adding is a command, needs a
reason, and reports what becomes usual.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from pagereel.errors import UsageError
from pagereel.options import Redaction
from pagereel.reel import Json

from .comparing import SUFFIXES, compare, list_recordings
from .runs.run_reader import read_run

LOG: Final = "baseline.log"
_TOLD: Final = 20
"""Largest number of differences in a line of the log."""


@dataclass(frozen=True)
class BaselineRun:
    """One recording in a baseline's folder, and how its run ended."""

    path: Path
    outcome: str


@dataclass(frozen=True)
class BaselineChange:
    """The result of adding a run to a baseline, or of removing one.

    `usual`: a sentence for each difference that no longer counts because the added run has it.
    """

    run: str
    usual: tuple[str, ...]


def runs_of(folder: str | os.PathLike[str]) -> list[BaselineRun]:
    """Return the runs of a baseline, in the order of their names. Raises UsageError where there is no such folder;
    ReelError.
    """
    return [BaselineRun(path, read_run(path).outcome) for path in _list_baseline_recordings(Path(folder))]


def accept_run(
    folder: str | os.PathLike[str],
    run: str | os.PathLike[str],
    *,
    why: str,
    by: str | None = None,
    redaction: Redaction = "vendor",
    failed_too: bool = False,
) -> BaselineChange:
    """Copy a recording into the baseline, and log it with the differences that no longer count because of it.

    :param why: the reason. `by`: the person; by default the user of this process.
    :param redaction: how the log's sentences about these differences are masked. The copy of the recording is not
    masked, and has mode 0600.
    :param failed_too: accept also a run that failed.
    :raises UsageError: there is no reason, the run failed, or it is in the baseline already. ReelError: the file is no
    recording.
    """
    place, source = Path(folder), Path(run)
    reason = _normalize_reason(why)
    outcome = read_run(source).outcome
    if outcome == "failed" and not failed_too:
        raise UsageError(
            f"{source} failed, and a baseline holds runs that passed; add --failed-too to add it all the same."
        )
    digest = _compute_file_hash(source)
    place.mkdir(parents=True, exist_ok=True)
    others = _list_baseline_recordings(place)
    for other in others:
        if _compute_file_hash(other) == digest:
            raise UsageError(f"{source} is in the baseline already, as {other.name}.")
    usual: tuple[str, ...] = ()
    if others:
        result = compare(others[0], source, baseline=others[1:], redaction=redaction)
        usual = tuple(f"{each.kind}: {each.said}" for each in result.differences)
        result.check("\n".join(usual))
    stem = re.sub(r"[^\w.-]+", "-", source.stem)[:60] or "run"
    suffix = source.suffix.lower()
    target = place / f"{stem}-{digest[:8]}{suffix if suffix in SUFFIXES else '.reel'}"
    _copy_recording(source, target)
    try:
        _append_log_line(place, {"did": "added", "run": target.name, "sha256": digest, "outcome": outcome, "why": reason,
                     "usual": list(usual[:_TOLD]), "usual_count": len(usual)}, by)  # fmt: skip
    except OSError as error:
        target.unlink(missing_ok=True)
        raise UsageError(
            f"{place / LOG} cannot be written ({error.strerror or error}), so nothing was added."
        ) from None
    return BaselineChange(target.name, usual)


def remove_run(folder: str | os.PathLike[str], run: str, *, why: str, by: str | None = None) -> BaselineChange:
    """Remove a run from the baseline and log it. Raises UsageError for a run that is not in it."""
    place = Path(folder)
    found = [path for path in _list_baseline_recordings(place) if path.name == run or path.stem == run]
    if len(found) != 1:
        raise UsageError(
            f"There is no run {run!r} in {place}; it has {', '.join(p.name for p in _list_baseline_recordings(place)) or 'none'}."
        )
    reason, digest = _normalize_reason(why), _compute_file_hash(found[0])
    try:
        _append_log_line(place, {"did": "removed", "run": found[0].name, "sha256": digest, "why": reason}, by)
    except OSError as error:
        raise UsageError(
            f"{place / LOG} cannot be written ({error.strerror or error}), so nothing was removed."
        ) from None
    found[0].unlink()
    return BaselineChange(found[0].name, ())


def read_baseline_log(folder: str | os.PathLike[str]) -> tuple[list[dict[str, Json]], bool]:
    """Return the lines of the baseline's log, and whether each contains the hash of the line before it. Raises
    UsageError where the log cannot be read.
    """
    from pagereel.redaction import is_chain_intact

    path = Path(folder) / LOG
    if not path.is_file():
        return [], True
    try:
        return [orjson.loads(line) for line in path.read_bytes().splitlines()], is_chain_intact(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"The log {path} cannot be read: {error}.") from None


def _list_baseline_recordings(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise UsageError(f"The folder {folder} does not exist; give a baseline's folder and a run to add.")
    return list_recordings(folder)


def _normalize_reason(why: str) -> str:
    reason = " ".join(why.split())
    if not reason:
        raise UsageError('Give a reason with --why "…"; it is written into the baseline\'s log.')
    return reason


def _compute_file_hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None


def _copy_recording(source: Path, target: Path) -> None:
    aside = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    try:
        fd = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(fd, "wb") as out, source.open("rb") as file:
            shutil.copyfileobj(file, out)
        os.replace(aside, target)
    except OSError as error:
        raise UsageError(f"{source} cannot be copied to {target}: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            aside.unlink()


def _append_log_line(folder: Path, line: Mapping[str, Json], by: str | None) -> None:
    from pagereel.redaction import append_chained_line, describe_user, format_current_time

    append_chained_line(folder / LOG, {"when": format_current_time(), "who": by or describe_user(), **line})
