"""A baseline is changed by a command that wants a reason, says what becomes usual, and writes both down."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from pagereel.comparison import accept_run, compare, read_baseline_log, remove_run
from pagereel.errors import UsageError

from .runs import purchase


def test_what_is_taken_in_is_logged_with_what_becomes_usual(tmp_path: Path) -> None:
    folder = tmp_path / "baseline"
    first = accept_run(folder, purchase(tmp_path / "1.reel"), why="the first", redaction=None)
    assert first.usual == ()
    second = accept_run(
        folder, purchase(tmp_path / "2.reel", advert="Winter sale"), why="another advert", by="ada", redaction=None
    )
    assert len(second.usual) == 1 and "Winter sale" in second.usual[0]
    lines, whole = read_baseline_log(folder)
    assert whole and [line["why"] for line in lines] == ["the first", "another advert"]
    assert lines[1]["who"] == "ada" and lines[1]["usual_count"] == 1 and lines[1]["prev"]
    assert stat.S_IMODE((folder / second.run).stat().st_mode) == 0o600
    a, b = purchase(tmp_path / "a.reel"), purchase(tmp_path / "b.reel", advert="Winter sale")
    assert compare(a, b, baseline=folder, redaction=None).equal and not compare(a, b, redaction=None).equal
    remove_run(folder, second.run, why="wrong one")
    assert not compare(a, b, baseline=folder, redaction=None).equal


def test_a_changed_log_shows(tmp_path: Path) -> None:
    folder = tmp_path / "baseline"
    for number in range(3):
        accept_run(
            folder, purchase(tmp_path / f"{number}.reel", order=4711 + number), why=f"run {number}", redaction=None
        )
    log = folder / "baseline.log"
    log.write_text(log.read_text().replace("run 1", "run 7"))
    assert read_baseline_log(folder)[1] is False


def test_what_should_not_be_usual_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "baseline"
    good, bad = purchase(tmp_path / "good.reel"), purchase(tmp_path / "bad.reel", fails=True)
    with pytest.raises(UsageError, match="Give a reason"):
        accept_run(folder, good, why=" ")
    with pytest.raises(UsageError, match="failed"):
        accept_run(folder, bad, why="it is what it is")
    accept_run(folder, good, why="first")
    with pytest.raises(UsageError, match="already"):
        accept_run(folder, good, why="again")
    with pytest.raises(UsageError, match="no run"):
        remove_run(folder, "other.reel", why="x")
    assert len(json.loads(f"[{','.join((folder / 'baseline.log').read_text().splitlines())}]")) == 1


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only there a process's open files are listed")
def test_a_comparison_keeps_no_recording_open(tmp_path: Path) -> None:
    runs = [purchase(tmp_path / f"{number}.reel", order=4711 + number) for number in range(6)]
    open_now = Path("/proc/self/fd")
    before = len(list(open_now.iterdir()))
    result = compare(runs[0], runs[1], baseline=runs[2:], redaction=None)
    assert result.equal and len(list(open_now.iterdir())) == before
