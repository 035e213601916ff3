"""Whoever has only the replay asks it: everything that `query` and MCP answer from the masked recording they answer from the file."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pagereel.fixtures.thirdparty import UnavailableError, install_python_packages
from pagereel.player_build import build
from pagereel.reading import QUERIES, open_recording
from pagereel.redaction import redact
from pagereel.reel import EventIds
from pagereel.sources import open_any
from tests.command import PAGEREEL

from .conftest import Errand

FORMS: dict[str, dict[str, Any]] = {"plain.html": {}, "compact.html": {"compact": True}, "packed.zip": {"zip": True}}
SDK = "mcp==2.3.0"


@pytest.fixture(scope="module")
def masked(errand: Errand) -> Path:
    path = errand.reel.with_name("masked.reel")
    redact(errand.reel, path)
    for name, options in FORMS.items():
        build(path, path.with_name(name), **options)
    return path


def ids(path: Path) -> dict[str, str]:
    with open_any(path) as recording:
        names = EventIds(recording.header)
        found = {names.compute_next_id(event): str(event["k"]) for event in recording.timeline()}
    return {name: kind for name, kind in found.items() if kind not in ("resource", "alias", "places")}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_a_replay_answers_every_query_as_the_masked_recording_does(masked: Path, form: str) -> None:
    ours, theirs = open_recording(masked), open_recording(masked.with_name(form))
    for name, query in QUERIES.items():
        assert query(theirs) == query(ours), name
        assert query(ours) or name == "messages", name  # The shop opens no connection that stays.
    assert theirs.summary() == ours.summary()
    moments = [float(step["t"]) for step in ours.steps()]
    for at in (*moments, *(str(mark["name"]) for mark in ours.notes() if mark["kind"] == "mark"), None):
        assert theirs.text(at) == ours.text(at)
    assert ids(masked.with_name(form)) == ids(masked)


def asked(folder: Path, recording: Path, tools: list[tuple[str, dict[str, Any]]]) -> list[list[str]]:
    """What the SDK's client gets of `pagereel mcp RECORDING`."""
    try:
        python = install_python_packages("mcp", SDK) / "python"
    except UnavailableError as reason:
        pytest.skip(str(reason))
    (folder / "tools.json").write_text(json.dumps(tools))
    server = [*PAGEREEL, "mcp", str(recording)]
    command = [str(python), str(Path(__file__).with_name("mcp_client.py")), str(folder / "tools.json"), *server]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    # Each answer stands within a fence of its own.
    return json.loads(re.sub(r"[0-9a-f]{16,}", "FENCE", done.stdout))  # type: ignore[no-any-return]


@pytest.mark.slow
def test_an_agent_asks_the_file_over_mcp(masked: Path, tmp_path: Path) -> None:
    tools: list[tuple[str, dict[str, Any]]] = [(f"replay_{name}", {"limit": 500}) for name in QUERIES]
    tools += [
        ("replay_overview", {}),
        ("replay_text", {"at": "step 4"}),
        ("replay_text", {}),
        ("replay_screenshot", {"at": "step 4"}),
    ]
    wanted = asked(tmp_path, masked, tools)
    assert len(wanted) == len(tools) and all(answer and answer[0] for answer in wanted) and "image" in wanted[-1]
    assert asked(tmp_path, masked.with_name("compact.html"), tools) == wanted
