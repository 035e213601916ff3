"""Runs pytest once for each room's folder under tests/, and ends with `N passed, N failed, N skipped`.

A process for each room: Playwright's sync API leaves an event loop running in the thread for as long as a session-wide
browser is open, in which another room's own `sync_playwright()` or asyncio test cannot start. PYTHONSAFEPATH keeps the
checkout out of sys.path, in sub-processes of the tests too, so that all of them import the installed wheel.

Two rooms run at a time (PAGEREEL_TEST_LANES): a browser's tests wait, too, but on two cores a third would make all of them late. What
a room prints appears when it has ended.

Arguments go to pytest. Naming tests or folders runs those alone, in one process.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import count_tests

ROOT = Path(__file__).resolve().parent.parent
NO_TESTS = 5
"""pytest's exit status when it collected nothing, as for a room whose tests are filtered out."""
LONGEST_FIRST = ("player", "recorder", "acceptance", "integrations", "fixtures", "cli", "redaction", "reel", "injector")
"""Rooms to begin with, so that no long one is left for the end."""


def main(arguments: list[str]) -> int:
    os.chdir(ROOT)
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    pytest = [sys.executable, "-m", "pytest", *arguments]
    if any((ROOT / word.split("::")[0]).exists() for word in arguments):
        return subprocess.call(pytest, env=environment)
    rooms = {path.relative_to(ROOT / "tests").parts[0] for path in ROOT.glob("tests/*/**/test_*.py")}
    reports = ROOT / "out" / "junit"
    reports.mkdir(parents=True, exist_ok=True)
    for old in reports.glob("python-*.xml"):
        old.unlink()
    ended_badly = []
    first = {room: place for place, room in enumerate(LONGEST_FIRST)}
    with ThreadPoolExecutor(lanes()) as pool:
        running = {
            pool.submit(run, [*pytest, "-q", f"--junitxml={reports / f'python-{room}.xml'}", f"tests/{room}"], environment): room
            for room in sorted(rooms, key=lambda room: (first.get(room, len(first)), room))
        }  # fmt: skip
        for future in as_completed(running):
            room = running[future]
            status, seconds, printed = future.result()
            print(f"\n--- tests/{room}\n{printed.rstrip()}\n--- tests/{room}: {seconds:.0f} s", flush=True)
            if status not in (0, NO_TESTS):
                ended_badly.append(room)
    print()
    if ended_badly:
        print(f"Failed in: {', '.join(f'tests/{room}' for room in sorted(ended_badly))}")
    return count_tests.main(len(ended_badly), sorted(reports.glob("python-*.xml")))


def lanes() -> int:
    """How many rooms run at a time."""
    return int(os.environ.get("PAGEREEL_TEST_LANES") or min(2, os.cpu_count() or 1))


def run(command: list[str], environment: dict[str, str]) -> tuple[int, float, str]:
    """The exit status of a room's tests, the seconds they took, and what they printed."""
    begin = time.monotonic()
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
    )  # fmt: skip
    return done.returncode, time.monotonic() - begin, done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
