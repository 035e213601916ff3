"""Many recordings become many replays, wherever they lie and whatever runs the jobs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pagereel.errors import UsageError
from pagereel.integrations import JobOutcome, build_many
from pagereel.integrations.batch import Job, run_job
from pagereel.reel import ReelWriter


def reel(path: Path, text: str = "a note") -> Path:
    with ReelWriter(path, {"id": path.stem, "agent": "test"}) as writer:
        writer.write({"k": "mark", "t": 5, "name": text})
    return path


@pytest.fixture
def day(tmp_path: Path) -> Path:
    for name in ("one", "two", "three"):
        reel(tmp_path / f"{name}.reel", name)
    return tmp_path


def statuses(outcomes: Sequence[JobOutcome]) -> list[str]:
    return [outcome.status for outcome in outcomes]


def test_what_has_not_changed_is_not_built_again(day: Path) -> None:
    pattern = str(day / "*.reel")
    assert statuses(build_many([pattern], redaction=None)) == ["built"] * 3
    before = (day / "one.html").stat().st_mtime_ns
    assert statuses(build_many([pattern], redaction=None)) == ["unchanged"] * 3
    assert (day / "one.html").stat().st_mtime_ns == before
    reel(day / "two.reel", "another note")
    assert statuses(build_many([pattern], redaction=None)) == ["unchanged", "unchanged", "built"]  # one, three, two
    assert statuses(build_many([pattern], redaction=None, theme="dark")) == ["built"] * 3
    assert statuses(build_many([pattern], redaction=None, theme="dark", force=True)) == ["built"] * 3


def test_a_zip_knows_what_it_was_built_from(day: Path) -> None:
    assert statuses(build_many([str(day / "one.reel")], redaction=None, zip=True)) == ["built"]
    assert statuses(build_many([str(day / "one.reel")], redaction=None, zip=True)) == ["unchanged"]
    assert (day / "one.zip").is_file()


def test_a_recording_that_cannot_be_built_stops_no_other(day: Path) -> None:
    (day / "three.reel").write_bytes(b"no recording")
    outcomes = build_many([str(day / "*.reel")], str(day / "out"), None, jobs=2)
    assert {Path(o.source).stem: o.status for o in outcomes} == {"one": "built", "two": "built", "three": "failed"}
    (failed,) = (outcome for outcome in outcomes if outcome.error)
    assert failed.error is not None and "three.reel is not a recording" in failed.error
    assert failed.exit_status == 2
    assert sorted(path.name for path in (day / "out").iterdir()) == ["one.html", "two.html"]


def test_two_recordings_never_become_one_file(day: Path) -> None:
    for folder in ("a/b", "c"):
        (day / folder).mkdir(parents=True)
        reel(day / folder / "trace.reel")
    outcomes = build_many([str(day / "**" / "trace.reel")], str(day / "out"), None)
    assert [Path(o.destination).name for o in outcomes if o.status == "built"] == ["a-b-trace.html", "c-trace.html"]
    twin = (day / "a-b").mkdir() or reel(day / "a-b" / "trace.reel")
    with pytest.raises(UsageError, match="would both become"):
        build_many([str(twin), str(day / "a" / "b" / "trace.reel")], str(day / "out"))
    with pytest.raises(UsageError, match="Nothing matches"):
        build_many([str(day / "*.nothing")])


def test_recordings_in_a_store_become_replays_in_a_store(day: Path) -> None:
    import fsspec

    memory = fsspec.filesystem("memory")
    for path in day.glob("*.reel"):
        memory.put_file(str(path), f"/bucket/day/{path.name}")
    for expected in ("built", "unchanged"):
        outcomes = build_many(["memory://bucket/day/*.reel"], "memory://bucket/replays", None)
        assert statuses(outcomes) == [expected] * 3, [outcome.error for outcome in outcomes]
    assert [name.rpartition("/")[2] for name in sorted(memory.ls("/bucket/replays", detail=False))] == [
        "one.html",
        "three.html",
        "two.html",
    ]
    assert memory.cat_file("/bucket/replays/one.html").startswith(b"<!DOCTYPE html>")
    missing = run_job(Job("memory://bucket/day/gone.reel", "memory://bucket/gone.html", None))
    assert missing.error == "memory://bucket/day/gone.reel does not exist; check the address."
    unknown = run_job(Job("nowhere://bucket/a.reel", "b.html", None))
    assert unknown.status == "failed" and unknown.exit_status == 2


def test_dask_builds_whole_recordings_in_its_own_processes(day: Path) -> None:
    outcomes = build_many([str(day / "*.reel")], redaction=None, jobs=1, executor="dask")
    assert statuses(outcomes) == ["built"] * 3, [outcome.error for outcome in outcomes]


def _mortal(job: Job) -> JobOutcome:
    if "two" in job.source:
        os._exit(9)
    return job.run()


def test_a_process_that_dies_takes_one_recording_with_it(day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pagereel.reel import job_executors as executors

    # A spawned process has its parent's sys.path; behind the installed package, so that the checkout's rooms stay out.
    monkeypatch.setattr(sys, "path", [*sys.path, str(Path(__file__).parents[2])])
    pools = executors._run_in_pool

    def with_death(jobs: Sequence[Job], at_once: int) -> Iterator[tuple[Job, JobOutcome | None]]:
        monkeypatch.setattr(executors, "run_job", _mortal)
        yield from pools(jobs, at_once)

    monkeypatch.setattr(executors, "_run_in_pool", with_death)
    outcomes = build_many([str(day / "*.reel")], redaction=None, jobs=2)
    assert {Path(o.source).stem: o.status for o in outcomes} == {"one": "built", "two": "failed", "three": "built"}
    assert "died" in (next(outcome.error for outcome in outcomes if outcome.error) or "")
