"""What a suite of many recordings, or of files that are not as they should be, asks of the machine has a bound."""

from __future__ import annotations

import sys
from pathlib import Path

import orjson
import pytest

from pagereel.errors import UsageError
from pagereel.integrations.suite.bundling import _get_recording_name
from pagereel.integrations.suite.earlier_suite import read_earlier_outcomes
from pagereel.integrations.suite.reports import read_report
from pagereel.player_build import chunks
from pagereel.processes import raise_open_files_limit
from pagereel.reel import Json, build_base64_element


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_many_files_are_open_together_only_as_long_as_they_are_read_and_where_they_may_not_be_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard))
        with raise_open_files_limit(150, "recordings"):
            assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, hard)
        with raise_open_files_limit(400, "recordings"):
            assert resource.getrlimit(resource.RLIMIT_NOFILE) == (500, hard)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, hard)

        def refused(*_: object) -> None:
            raise ValueError("not allowed to raise maximum limit")

        with monkeypatch.context() as patched:
            patched.setattr(resource, "setrlimit", refused)
            with (
                pytest.raises(UsageError, match=r"^400 recordings cannot be read .* 300 files; .*ulimit -n 500"),
                raise_open_files_limit(400, "recordings"),
            ):
                raise AssertionError("they were read")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("length", ["nan", "inf", "-inf", "-1", "1e999"])
def test_a_length_of_time_that_is_none_is_none_in_the_suite(tmp_path: Path, length: str) -> None:
    report = tmp_path / "report"
    report.write_text(f'<testsuite><testcase classname="a" name="b" time="{length}"/></testsuite>')
    assert [test.duration for test in read_report(report)] == [0]
    test = {"title": "b", "tests": [{"status": "expected", "results": [{"duration": length}]}]}
    report.write_bytes(orjson.dumps({"suites": [{"title": "a", "specs": [test]}]}))
    assert [test.duration for test in read_report(report)] == [0]


def earlier(path: Path, **said: Json) -> Path:
    index = orjson.dumps({"tests": [{"id": "a", "outcome": "passed", **said}]})
    path.write_bytes(b"<html>" + build_base64_element("index", chunks.compress_raw_deflate(index)))
    return path


@pytest.mark.parametrize("before", [5, "failed", None, {"a": 1}, [5, None]])
def test_an_earlier_suite_that_says_nothing_sensible_of_those_before_it_is_read_without_them(
    tmp_path: Path, before: Json
) -> None:
    assert read_earlier_outcomes(earlier(tmp_path / "suite.html", before=before)) == {"a": ["passed"]}


def test_an_earlier_suite_that_inflates_without_end_or_is_too_large_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = earlier(tmp_path / "suite.html", name="x" * 100_000)
    assert read_earlier_outcomes(suite)
    with monkeypatch.context() as patched:
        patched.setattr(chunks, "_LARGEST_INDEX", 50_000)
        with pytest.raises(UsageError, match="is not a suite"):
            read_earlier_outcomes(suite)
    monkeypatch.setattr(chunks, "_LARGEST", 100)
    with pytest.raises(UsageError, match="cannot be read: it has more than 100 bytes"):
        read_earlier_outcomes(suite)


def test_the_name_of_a_file_that_is_not_utf_8_can_be_written() -> None:
    assert _get_recording_name(Path("caf\udce9.reel")) == "caf?"
