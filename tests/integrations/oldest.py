"""The tests of Playwright's calls, sync and async, with the oldest Playwright that pagereel supports.

    python -P tests/integrations/oldest.py

Puts `oldest.lock` into out/oldest, in front of what this environment has, and runs the tests there: the newest release is what
all the other tests use. Everything else of the matrix is in matrix.py, which takes minutes. Where the package cannot be had
(no network, no such wheel for this machine), that is said and the status is 0; a wrong hash or a failing test is a failure.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = Path(__file__).with_name("oldest.lock")
FOLDER = ROOT / "out" / "oldest"
TESTS = ("tests/recorder/test_calls.py", "tests/recorder/test_calls_async.py")
PATIENCE = 180
"""Seconds for the download, of some 45 MB."""
LONGEST = 300
"""Seconds for the tests of a file."""
_ABSENT = re.compile(
    r"No matching distribution|Could not find a version|[Cc]onnection|[Tt]imed? ?out|Temporary failure|HTTP error|5\d\d Server Error"
)


def install() -> str | None:
    """Puts the packages into their folder; gives the reason where they cannot be had."""
    stamp = FOLDER / ".locked"
    if stamp.exists() and stamp.read_bytes() == LOCK.read_bytes():
        return None
    shutil.rmtree(FOLDER, ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--no-input",
        "--timeout",
        "20",
        "--retries",
        "2",
    ]
    command += [
        "install",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--require-hashes",
        "-r",
        LOCK,
        "--target",
        FOLDER,
    ]
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return f"the download took longer than {PATIENCE} s"
    if done.returncode:
        if _ABSENT.search(done.stdout) and "do not match the hashes" not in done.stdout.lower():
            return done.stdout.strip().splitlines()[-1]
        raise SystemExit(done.stdout)
    shutil.copy(LOCK, stamp)
    return None


def run(path: str) -> tuple[int, str]:
    """A file's tests, in a process of their own: Playwright's sync API leaves a loop running in the thread."""
    environment = {**os.environ, "PYTHONPATH": str(FOLDER), "PYTHONSAFEPATH": "1"}
    report = ROOT / "out" / "junit" / f"oldest-{Path(path).stem}.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", path]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", timeout=LONGEST, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as slow:
        return 1, f"{slow.stdout or ''}\n{path} took longer than {LONGEST} s"
    return done.returncode, done.stdout


def main() -> int:
    wanted = re.findall(r"(?m)^(playwright)==([\d.]+)", LOCK.read_text())[0][1]
    if reason := install():
        print(f"skipped: Playwright {wanted} cannot be had here: {reason}")
        return 0
    told = "import importlib.metadata as m, playwright; print(m.version('playwright'), playwright.__file__)"
    seen = subprocess.run(
        [sys.executable, "-c", told], env={**os.environ, "PYTHONPATH": str(FOLDER), "PYTHONSAFEPATH": "1"},
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    print(seen, flush=True)
    if not seen.startswith(f"{wanted} {FOLDER}"):
        print(f"Playwright {wanted} was to be in front.")
        return 1
    worst = 0
    with ThreadPoolExecutor(len(TESTS)) as pool:
        for status, printed in pool.map(run, TESTS):
            print(printed.rstrip(), flush=True)
            worst = worst or status
    return worst


if __name__ == "__main__":
    sys.exit(main())
