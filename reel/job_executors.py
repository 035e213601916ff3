"""Runs many independent jobs in parallel: in processes of this machine, or on a running Dask or Ray cluster.

    for outcome in choose_executor("dask")(jobs, 4): ...

A job is any object with a `source`, a `run()` that never raises, and a `failed()` for the case that its process dies.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, Protocol, TypeVar

from ..errors import SetupError, UsageError

Made = TypeVar("Made")
Told = TypeVar("Told", covariant=True)


class ParallelJob(Protocol[Told]):
    """A job to be run in parallel. It holds only plain values, so that it can be sent to another process or machine."""

    @property
    def source(self) -> str:
        """Return the name of the job's input, for messages."""

    def run(self) -> Told:
        """Run the job, on any machine. Never raises: the outcome contains the error."""

    def failed(self, error: str) -> Told:
        """Return the outcome for a job whose process died. `error`: a sentence."""


Executor = Callable[[Sequence[ParallelJob[Any]], int], Iterator[Any]]
"""A function that runs the jobs, a given number at a time, and yields the outcomes in order of completion."""


def choose_executor(name: str | Executor) -> Executor:
    """Return the executor with this name; a function is returned unchanged. Raises UsageError for an unknown name."""
    if callable(name):
        return name
    if name not in EXECUTORS:
        raise UsageError(f"executor={name!r} is not one of {', '.join(EXECUTORS)}.")
    return EXECUTORS[name]


def run_job(job: ParallelJob[Made]) -> Made:
    """Run one job, in this process."""
    return job.run()


def run_in_processes(jobs: Sequence[ParallelJob[Made]], max_parallel: int) -> Iterator[Made]:
    """Run jobs in processes of this machine, `max_parallel` at a time. A single job, or jobs one at a time, run in this
    process.
    """
    if max_parallel == 1 or len(jobs) == 1:
        yield from map(run_job, jobs)
        return
    died = []
    for job, result in _run_in_pool(jobs, max_parallel):
        if result is None:
            died.append(job)
        else:
            yield result
    # The death of one process ends all jobs of its pool. Each of these jobs now gets its own process, so that only the
    # job that kills its process is lost.
    for job in died:
        for _, result in _run_in_pool([job], 1):
            yield result or job.failed(f"{job.source}: the process that built it died; its memory may be too small.")


def _run_in_pool(
    jobs: Sequence[ParallelJob[Made]], max_parallel: int
) -> Iterator[tuple[ParallelJob[Made], Made | None]]:
    """Yield each job with its outcome, which is None if its process died."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        min(max_parallel, len(jobs)), mp_context=context, initializer=forbid_redaction_workers
    ) as pool:
        futures: dict[Future[Made], ParallelJob[Made]] = {pool.submit(run_job, job): job for job in jobs}
        try:
            for future in as_completed(futures):
                try:
                    yield futures[future], future.result()
                except BrokenProcessPool:
                    yield futures[future], None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def forbid_redaction_workers() -> None:
    """Make the redaction use only its own process, because other jobs use the other cores."""
    os.environ["PAGEREEL_REDACTION_WORKERS"] = "1"


def _run_without_subprocesses(job: ParallelJob[Made]) -> Made:
    forbid_redaction_workers()
    return job.run()


def run_on_dask(jobs: Sequence[ParallelJob[Made]], max_parallel: int) -> Iterator[Made]:
    """Run jobs on the Dask cluster that Dask's settings name (``DASK_SCHEDULER_ADDRESS``), or else in processes of this
    machine.
    """
    try:
        import dask
        import distributed
    except ImportError:
        raise SetupError("Dask is not installed; install it with: pip install 'pagereel[dask]'.") from None
    engine: Any = distributed  # it is only partly typed
    with contextlib.ExitStack() as stack:
        address = dask.config.get("scheduler-address", None)
        if address is None:
            address = stack.enter_context(
                engine.LocalCluster(
                    n_workers=max_parallel,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    silence_logs=logging.ERROR,
                )
            )
        client = stack.enter_context(engine.Client(address))
        futures = {client.submit(_run_without_subprocesses, job, pure=False, retries=1): job for job in jobs}
        for future in engine.as_completed(futures):
            job, error = futures[future], future.exception()
            if error is None:
                yield future.result()
            else:
                yield job.failed(f"{job.source}: Dask gave it up ({error}).")


def run_on_ray(jobs: Sequence[ParallelJob[Made]], max_parallel: int) -> Iterator[Made]:
    """Run jobs on the Ray cluster that Ray's settings name (``RAY_ADDRESS``), or else in processes of this machine."""
    try:
        import ray
    except ImportError:
        raise SetupError("Ray is not installed; install it with: pip install ray.") from None
    if not ray.is_initialized():
        local = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": max_parallel, "include_dashboard": False}
        ray.init(log_to_driver=False, **local)
    remote = ray.remote(num_cpus=1)(_run_without_subprocesses)
    waiting = {remote.remote(job): job for job in jobs}
    while waiting:
        (ready, *_), _rest = ray.wait(list(waiting))
        job = waiting.pop(ready)
        try:
            yield ray.get(ready)
        except Exception as error:  # Ray's own error when a worker died
            yield job.failed(f"{job.source}: Ray gave it up ({type(error).__name__}).")


EXECUTORS: Final[dict[str, Executor]] = {"processes": run_in_processes, "dask": run_on_dask, "ray": run_on_ray}
