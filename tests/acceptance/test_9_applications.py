"""Three applications of bench/world that are not ours, ten interactions each: at each mark, opened by its own link, the replay is the page.

They are among the development set of package-lock.json, so that CI has them without another download. Where npm could not install them they are
left out. All others: `python -m bench.world`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The checkout comes last: `pagereel` is what is installed, and only `bench` is found here.
BENCH = (
    f"import sys; sys.path.append({str(ROOT)!r}); from bench.world.__main__ import main; sys.exit(main(sys.argv[1:]))"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "package"), [("jointjs", "@joint/core"), ("xterm", "@xterm/xterm"), ("jspreadsheet", "jspreadsheet-ce")]
)
def test_an_application_that_is_not_ours_is_replayed_as_it_was(tmp_path: Path, name: str, package: str) -> None:
    if not (ROOT / "node_modules" / package).exists():
        pytest.skip(f"npm has not installed {package}")
    command = [sys.executable, "-P", "-c", BENCH, f"--app={name}", "--no-verify", f"--out={tmp_path}"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "PAGEREEL_OFFLINE": "1"},
    )
    result = json.loads((tmp_path / name / "result.json").read_text(encoding="utf-8"))
    assert result["error"] == "" and len(result["marks"]) == 10, done.stdout + done.stderr
    assert {mark["name"]: mark["difference"] for mark in result["marks"] if mark["difference"]} == {}
    assert {mark["name"]: mark["pixels"] for mark in result["marks"] if mark["pixels"] > mark["noise"] + 0.001} == {}
