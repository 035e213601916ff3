"""Runs pytest once for each room's folder under tests/, and ends with `N passed, N failed, N skipped`.

A process for each room: Playwright's sync API leaves an event loop running in the thread for as long as a session-wide
browser is open, in which another room's own `sync_playwright()` or asyncio test cannot start. PYTHONSAFEPATH keeps the
checkout out of sys.path, in sub-processes of the tests too, so that all of them import the installed wheel.

Arguments go to pytest. Naming tests or folders runs those alone, in one process.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import count_tests

ROOT = Path(__file__).resolve().parent.parent
NO_TESTS = 5
"""pytest's exit status when it collected nothing, as for a room whose tests are filtered out."""


def main(arguments: list[str]) -> int:
    os.chdir(ROOT)
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    pytest = [sys.executable, "-m", "pytest", *arguments]
    if any((ROOT / word.split("::")[0]).exists() for word in arguments):
        return subprocess.call(pytest, env=environment)
    rooms = sorted({path.relative_to(ROOT / "tests").parts[0] for path in ROOT.glob("tests/*/**/test_*.py")})
    reports = ROOT / "out" / "junit"
    reports.mkdir(parents=True, exist_ok=True)
    for old in reports.glob("python-*.xml"):
        old.unlink()
    ended_badly = []
    for room in rooms:
        begin = time.monotonic()
        print(f"\n--- tests/{room}", flush=True)
        command = [*pytest, "-q", f"--junitxml={reports / f'python-{room}.xml'}", f"tests/{room}"]
        status = subprocess.call(command, env=environment)
        print(f"--- tests/{room}: {time.monotonic() - begin:.0f} s", flush=True)
        if status not in (0, NO_TESTS):
            ended_badly.append(room)
    print()
    if ended_badly:
        print(f"Failed in: {', '.join(f'tests/{room}' for room in ended_badly)}")
    return count_tests.main(len(ended_badly), sorted(reports.glob("python-*.xml")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
