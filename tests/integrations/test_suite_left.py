"""The recordings of a session that could not be bundled are left, and the one warning says where."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pagereel.errors import GateError
from pagereel.integrations.pytest_plugin import ReplayPlugin
from pagereel.integrations.testing.attempts import ReplayWarning
from pagereel.integrations.testing.suite_collection import SuiteCollection


@pytest.mark.parametrize("there", [True, False])
def test_what_could_not_be_bundled_is_left_and_the_one_warning_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    config: Any = SimpleNamespace(pluginmanager=SimpleNamespace(get_plugin=lambda name: None))
    suite = SuiteCollection.create_for_process(config, tmp_path / "suite.html", "vendor")
    monkeypatch.setattr(
        suite, "bundle_recordings", lambda: (_ for _ in ()).throw(GateError("The file contains a known value."))
    )
    reel = tmp_path / "a.reel"
    reel.write_bytes(b"recorded")
    suite.move_recordings([reel] if there else [])
    with pytest.warns(ReplayWarning) as warned:
        ReplayPlugin._write_suite(cast(Any, SimpleNamespace(config=config)), suite)
    (said,) = [str(each.message) for each in warned]
    assert "contains a known value" in said and (str(suite.folder) in said) == there
    assert suite.folder.exists() == there
    if there:
        assert suite.folder.stat().st_mode & 0o077 == 0 and [each.read_bytes() for each in suite.folder.iterdir()]
    suite.delete_folder()
    assert not suite.folder.exists()
