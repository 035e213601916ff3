"""What a suite of many recordings, or of files that are not as they should be, asks of the machine has a bound."""

from __future__ import annotations

import sys

import pytest

from pagereel.errors import UsageError
from pagereel.processes import files_open


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_many_files_are_open_together_only_as_long_as_they_are_read_and_where_they_may_not_be_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard))
        with files_open(150, "recordings"):
            assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, hard)
        with files_open(400, "recordings"):
            assert resource.getrlimit(resource.RLIMIT_NOFILE) == (500, hard)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, hard)

        def refused(*_: object) -> None:
            raise ValueError("not allowed to raise maximum limit")

        with monkeypatch.context() as patched:
            patched.setattr(resource, "setrlimit", refused)
            with (
                pytest.raises(UsageError, match=r"^400 recordings cannot be read .* 300 files; .*ulimit -n 500"),
                files_open(400, "recordings"),
            ):
                raise AssertionError("they were read")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
