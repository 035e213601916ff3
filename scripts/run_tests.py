"""Runs pytest once for each room's folder under tests/, and ends with `N passed, N failed, N skipped`.

A process for each room: Playwright's sync API leaves an event loop running in the thread for as long as a session-wide
browser is open, in which another room's own `sync_playwright()` or asyncio test cannot start. A long room is dealt out to
several such processes, by file: what a file's tests share is made once. PYTHONSAFEPATH keeps the
checkout out of sys.path, in sub-processes of the tests too, so that all of them import the installed wheel. What Python
compiles and pytest rewrites is kept, whatever the environment says of it: the tests begin some hundred Pythons.

Two parts run at a time for each core (PAGEREEL_TEST_LANES): a browser's tests spend half of their time waiting. What
a part prints appears when it has ended.

A handful of tests that failed run once more when nothing else runs. One that passes then is named at the end as
unsteady: it depends on how busy the machine is, which is a fault of the test or of what it tests, but not of the change
that happens to be tested. PAGEREEL_TEST_AGAIN=0 turns this off.

Arguments go to pytest. Naming tests or folders runs those alone, in one process. PAGEREEL_TEST_RUN names the reports, so that
`make test` and `make test-slow` keep each its own.
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
SHARES = {
    "reel": 1, "integrations": 2, "library": 2, "acceptance": 1, "redaction": 1, "player": 4, "recorder": 3, "cli": 1,
    "house": 1, "fixtures": 1, "comparison": 1, "injector": 1,
}  # fmt: skip
"""Rooms to begin with, the longest parts first, so that no long one is left for the end; and how many parts each has. The longest of
all is what is slow of reel's."""
UNUSED = [f"-pno:{name}" for name in ("playwright", "allure_pytest", "anyio", "hypothesispytest", "html", "metadata")]
"""Plugins of the development set that no room uses by itself: each part would import them."""
MANY = 5
"""More causes of failures than this are no accident: nothing is run again."""
REPORTS = ROOT / "out" / "junit"
RUN = os.environ.get("PAGEREEL_TEST_RUN") or "python"


def main(arguments: list[str]) -> int:
    os.chdir(ROOT)
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    pytest = [sys.executable, "-m", "pytest", *UNUSED, *arguments]
    if any((ROOT / word.split("::")[0]).exists() for word in arguments):
        return subprocess.call(pytest, env=environment)
    REPORTS.mkdir(parents=True, exist_ok=True)
    for old in REPORTS.glob(f"{RUN}-*.xml"):
        old.unlink()
    parts = deal()
    ended_badly: dict[str, int] = {}
    with ThreadPoolExecutor(lanes()) as pool:
        running = {pool.submit(run, [*pytest, *of(part, paths)], environment): part for part, paths in parts.items()}
        for future in as_completed(running):
            part = running[future]
            status, seconds, printed = future.result()
            print(f"\n--- tests/{part}\n{printed.rstrip()}\n--- tests/{part}: {seconds:.0f} s", flush=True)
            if status not in (0, NO_TESTS):
                ended_badly[part] = status
    unsteady = (
        run_again(pytest, parts, ended_badly, environment) if os.environ.get("PAGEREEL_TEST_AGAIN") != "0" else []
    )
    print()
    for test in unsteady:
        print(f"UNSTEADY: {test} failed, and passed when it ran again alone")
    if ended_badly:
        print(f"Failed in: {', '.join(f'tests/{part}' for part in sorted(ended_badly))}")
    return count_tests.main(len(ended_badly), sorted(REPORTS.glob(f"{RUN}-*.xml")))


def deal() -> dict[str, list[str]]:
    """Return the parts of the run and pytest's paths of each, in the order in which they begin.

    A room's files are dealt out by their size, the largest first: it goes well enough with the time that a file takes, and no
    table of times has to be kept.
    """
    rooms: dict[str, list[Path]] = {}
    for path in sorted(Path("tests").glob("*/**/test_*.py")):
        rooms.setdefault(path.parts[1], []).append(path)
    first = {room: place for place, room in enumerate(SHARES)}
    parts: dict[str, list[str]] = {}
    for room in sorted(rooms, key=lambda room: (first.get(room, len(first)), room)):
        shares: list[list[Path]] = [[] for _ in range(min(SHARES.get(room, 1), len(rooms[room])))]
        for path in sorted(rooms[room], key=lambda path: -path.stat().st_size):
            min(shares, key=lambda share: sum(each.stat().st_size for each in share)).append(path)
        if len(shares) == 1:
            parts[room] = [f"tests/{room}"]
        else:
            parts |= {f"{room}-{n}": [str(path) for path in sorted(share)] for n, share in enumerate(shares, 1)}
    return parts


def of(part: str, paths: list[str]) -> list[str]:
    """Pytest's arguments for one part. Each has a cache of its own, since two that end together would write over each other's."""
    return ["-q", f"--junitxml={report(part)}", "-o", f"cache_dir=out/pytest/{part}", *paths]


def report(part: str) -> Path:
    """Return the file with how each of a part's tests ended."""
    return REPORTS / f"{RUN}-{part}.xml"


def run_again(
    pytest: list[str], parts: dict[str, list[str]], ended_badly: dict[str, int], environment: dict[str, str]
) -> list[str]:
    """Run what failed once more, one part after the other; name the tests that passed then.

    A part whose tests all passed then is taken out of `ended_badly`, and its report says that they passed.
    """
    if any(status != TESTS_FAILED for status in ended_badly.values()):
        return []
    if sum(count_tests.causes(report(part)) for part in ended_badly) > MANY:
        return []
    unsteady = []
    for part in sorted(ended_badly):
        failed = count_tests.failures(report(part))
        again = REPORTS / f"again-{part}.xml"
        # The later of two options with one name holds.
        status, seconds, printed = run(
            [*pytest, *of(part, parts[part]), "--last-failed", "--last-failed-no-failures=none", f"--junitxml={again}"],
            environment,
        )
        print(
            f"\n--- tests/{part}, what failed, again\n{printed.rstrip()}\n--- tests/{part}: {seconds:.0f} s", flush=True
        )
        if status == 0:
            unsteady += count_tests.mark_passed(report(part), again, failed)
            del ended_badly[part]
        again.unlink(missing_ok=True)
    return unsteady


def lanes() -> int:
    """Return how many parts run at a time: two for each core, and no more than eight, since each has a browser's memory."""
    return int(os.environ.get("PAGEREEL_TEST_LANES") or min(8, 2 * (os.cpu_count() or 1)))


def run(command: list[str], environment: dict[str, str]) -> tuple[int, float, str]:
    """Return the exit status of a part's tests, the seconds they took, and what they printed."""
    begin = time.monotonic()
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
    )  # fmt: skip
    return done.returncode, time.monotonic() - begin, done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
