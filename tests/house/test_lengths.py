"""No file of code is longer than a reader follows: 450 lines. Tests, style sheets and tables of data are not held to it."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST = 450
CODE = (".py", ".ts", ".tsx", ".js", ".mjs", ".sh")
BUILT = ("dist/", "dist-test/", "tests/")


def lengths() -> dict[str, int]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    code = [name for name in listed if name.endswith(CODE) and not name.startswith(BUILT) and ".test." not in name]
    return {name: (ROOT / name).read_bytes().count(b"\n") for name in code if (ROOT / name).is_file()}


def test_no_file_of_code_is_too_long() -> None:
    found = lengths()
    assert len(found) > 500
    assert {name: lines for name, lines in found.items() if lines > MOST} == {}
