"""Runs pytest once for each room's folder under tests/, and ends with `N passed, N failed, N skipped`.

A process for each room: Playwright's sync API leaves an event loop running in the thread for as long as a session-wide
browser is open, in which another room's own `sync_playwright()` or asyncio test cannot start. PYTHONSAFEPATH keeps the
checkout out of sys.path, in sub-processes of the tests too, so that all of them import the installed wheel.

Two rooms run at a time (PAGEREEL_TEST_LANES): a browser's tests wait, too, but on two cores a third would make all of them late. What
a room prints appears when it has ended.

A handful of tests that failed run once more when nothing else runs. One that passes then is named at the end as
unsteady: it depends on how busy the machine is, which is a fault of the test or of what it tests, but not of the change
that happens to be tested. PAGEREEL_TEST_AGAIN=0 turns this off.

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
TESTS_FAILED = 1
"""pytest's exit status when tests failed; any other says that the run itself broke."""
LONGEST_FIRST = ("player", "recorder", "acceptance", "integrations", "fixtures", "cli", "redaction", "reel", "injector")
"""Rooms to begin with, so that no long one is left for the end."""
MANY = 5
"""More failures than this are no accident: they are not run again."""
REPORTS = ROOT / "out" / "junit"


def main(arguments: list[str]) -> int:
    os.chdir(ROOT)
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    pytest = [sys.executable, "-m", "pytest", *arguments]
    if any((ROOT / word.split("::")[0]).exists() for word in arguments):
        return subprocess.call(pytest, env=environment)
    rooms = {path.relative_to(ROOT / "tests").parts[0] for path in ROOT.glob("tests/*/**/test_*.py")}
    REPORTS.mkdir(parents=True, exist_ok=True)
    for old in REPORTS.glob("python-*.xml"):
        old.unlink()
    ended_badly: dict[str, int] = {}
    first = {room: place for place, room in enumerate(LONGEST_FIRST)}
    with ThreadPoolExecutor(lanes()) as pool:
        running = {
            pool.submit(run, [*pytest, *of(room)], environment): room
            for room in sorted(rooms, key=lambda room: (first.get(room, len(first)), room))
        }  # fmt: skip
        for future in as_completed(running):
            room = running[future]
            status, seconds, printed = future.result()
            print(f"\n--- tests/{room}\n{printed.rstrip()}\n--- tests/{room}: {seconds:.0f} s", flush=True)
            if status not in (0, NO_TESTS):
                ended_badly[room] = status
    unsteady = run_again(pytest, ended_badly, environment) if os.environ.get("PAGEREEL_TEST_AGAIN") != "0" else []
    print()
    for test in unsteady:
        print(f"UNSTEADY: {test} failed, and passed when it ran again alone")
    if ended_badly:
        print(f"Failed in: {', '.join(f'tests/{room}' for room in sorted(ended_badly))}")
    return count_tests.main(len(ended_badly), sorted(REPORTS.glob("python-*.xml")))


def of(room: str) -> list[str]:
    """Pytest's arguments for one room. Each has a cache of its own, since two that end together would write over each other's."""
    return ["-q", f"--junitxml={report(room)}", "-o", f"cache_dir=out/pytest/{room}", f"tests/{room}"]


def report(room: str) -> Path:
    """Return the file with how each of a room's tests ended."""
    return REPORTS / f"python-{room}.xml"


def run_again(pytest: list[str], ended_badly: dict[str, int], environment: dict[str, str]) -> list[str]:
    """Run what failed once more, one room after the other; name the tests that passed then.

    A room whose tests all passed then is taken out of `ended_badly`, and its report says that they passed.
    """
    if any(status != TESTS_FAILED for status in ended_badly.values()):
        return []
    if sum(len(count_tests.failures(report(room))) for room in ended_badly) > MANY:
        return []
    unsteady = []
    for room in sorted(ended_badly):
        failed = count_tests.failures(report(room))
        again = REPORTS / f"again-{room}.xml"
        # The later of two options with one name holds.
        status, seconds, printed = run(
            [*pytest, *of(room), "--last-failed", "--last-failed-no-failures=none", f"--junitxml={again}"], environment
        )
        print(
            f"\n--- tests/{room}, what failed, again\n{printed.rstrip()}\n--- tests/{room}: {seconds:.0f} s", flush=True
        )
        if status == 0:
            unsteady += count_tests.settle(report(room), again, failed)
            del ended_badly[room]
        again.unlink(missing_ok=True)
    return unsteady


def lanes() -> int:
    """Return how many rooms run at a time."""
    return int(os.environ.get("PAGEREEL_TEST_LANES") or min(2, os.cpu_count() or 1))


def run(command: list[str], environment: dict[str, str]) -> tuple[int, float, str]:
    """Return the exit status of a room's tests, the seconds they took, and what they printed."""
    begin = time.monotonic()
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
    )  # fmt: skip
    return done.returncode, time.monotonic() - begin, done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
