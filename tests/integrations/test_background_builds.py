"""Replays that are built beside the tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from pagereel.errors import GateError
from pagereel.integrations.testing.background_builds import BackgroundBuilds
from pagereel.player_build import read_redaction_policy, subprocess_build
from tests.reel.sample import Script


def reel(path: Path, text: str = "Hello") -> Path:
    script = Script(path)
    script.run("page", 0, page=1, event="open")
    script.run("console", 1, page=1, level="log", text=text)
    script.writer.close("done")
    return path


@pytest.fixture
def builds(tmp_path: Path) -> BackgroundBuilds:
    (tmp_path / "waiting").mkdir()
    return BackgroundBuilds(tmp_path / "waiting", tmp_path)


def test_they_are_built_as_they_are_asked_for_and_their_recordings_may_go_at_once(
    builds: BackgroundBuilds, tmp_path: Path
) -> None:
    for name, policy in (("a", "strict"), ("b", None), ("c", "strict")):
        source = reel(tmp_path / f"{name}.reel")
        assert (
            builds.add_job(source, tmp_path / f"{name}.html", redaction=policy, title=name) == tmp_path / f"{name}.html"
        )
        source.unlink()
    assert builds.remaining_count > 0
    assert builds.wait_for_all() == []
    assert builds.remaining_count == 0
    policies = [read_redaction_policy((tmp_path / f"{name}.html").read_bytes()) for name in "abc"]
    assert policies == ["strict", None, "strict"]
    assert list((tmp_path / "waiting").iterdir()) == []
    assert builds.wait_for_all() == []


def test_one_that_cannot_be_built_is_told_and_the_others_are_built(builds: BackgroundBuilds, tmp_path: Path) -> None:
    (tmp_path / "broken.reel").write_bytes(b"no recording")
    builds.add_job(tmp_path / "broken.reel", tmp_path / "broken.html", redaction=None)
    builds.add_job(reel(tmp_path / "good.reel"), tmp_path / "good.html", redaction=None)
    (error,) = builds.wait_for_all()
    assert error.startswith(f"{tmp_path / 'broken.html'}: ") and " is not a recording that" in error
    assert (tmp_path / "good.html").is_file() and not (tmp_path / "broken.html").exists()


def test_a_process_that_is_killed_costs_what_it_was_building(builds: BackgroundBuilds, tmp_path: Path) -> None:
    builds.add_job(reel(tmp_path / "a.reel"), tmp_path / "a.html", redaction=None)
    assert builds.wait_for_all() == []
    process = builds._start_process()
    builds._process = process
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    builds.add_job(reel(tmp_path / "b.reel"), tmp_path / "b.html", redaction=None)
    assert builds.wait_for_all() == []
    assert (tmp_path / "b.html").is_file()


def test_where_no_process_can_be_begun_each_is_told(
    builds: BackgroundBuilds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "nothing"))
    builds.add_job(reel(tmp_path / "a.reel"), tmp_path / "a.html", redaction=None)
    (error,) = builds.wait_for_all()
    assert "the process that builds replays ended before this one was built" in error


def test_a_refusal_of_the_gate_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: object, **options: object) -> None:
        raise GateError("a PERSON stands in chunk-1")

    monkeypatch.setattr(subprocess_build, "build", refused)
    assert subprocess_build.build_and_return_error({"reel": "a", "html": "b"}) == "a PERSON stands in chunk-1"
