"""Runs pytest once for each room's folder under tests/, in parallel, and prints `N passed, N failed, N skipped`.

Each room has its own process, because Playwright's sync API leaves an event loop running in the thread, in which other
tests cannot start Playwright or asyncio. A large room is split by files into several processes (parts). PYTHONSAFEPATH
keeps the checkout out of sys.path, also in subprocesses, so that all tests import the installed wheel.
PYTHONDONTWRITEBYTECODE is removed from the environment, because the tests start Python hundreds of times.

Two parts run at a time for each core (or PAGEREEL_TEST_LANES in total), because browser tests mostly wait. The output
of a part is printed when it has ended.

At most five failures are tried again at the end, one part after the other. A test that then passes is reported as
unsteady: it depends on how busy the machine is. PAGEREEL_TEST_AGAIN=0 turns this off.

Arguments are passed on to pytest. If they name tests or folders, only those run, in one process. PAGEREEL_TEST_RUN is
the prefix of the report files, so that `make test` and `make test-slow` keep separate reports.
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
    "reel": 1, "integrations": 2, "library": 2, "acceptance": 1, "redaction": 2, "player": 4, "recorder": 3, "cli": 1,
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
    """Run all parts and print their results. Return the exit status."""
    os.chdir(ROOT)
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    pytest = [sys.executable, "-m", "pytest", *UNUSED, *arguments]
    if any((ROOT / word.split("::")[0]).exists() for word in arguments):
        return subprocess.call(pytest, env=environment)
    REPORTS.mkdir(parents=True, exist_ok=True)
    for old in REPORTS.glob(f"{RUN}-*.xml"):
        old.unlink()
    parts = plan_parts()
    ended_badly: dict[str, int] = {}
    with ThreadPoolExecutor(get_parallel_part_count()) as pool:
        running = {
            pool.submit(run_part, [*pytest, *build_pytest_arguments(part, paths)], environment): part
            for part, paths in parts.items()
        }
        for future in as_completed(running):
            part = running[future]
            status, seconds, printed = future.result()
            print(f"\n--- tests/{part}\n{printed.rstrip()}\n--- tests/{part}: {seconds:.0f} s", flush=True)
            if status not in (0, NO_TESTS):
                ended_badly[part] = status
    unsteady = (
        rerun_failed_tests(pytest, parts, ended_badly, environment)
        if os.environ.get("PAGEREEL_TEST_AGAIN") != "0"
        else []
    )
    print()
    for test in unsteady:
        print(f"UNSTEADY: {test} failed, and passed when it ran again alone")
    if ended_badly:
        print(f"Failed in: {', '.join(f'tests/{part}' for part in sorted(ended_badly))}")
    return count_tests.main(len(ended_badly), sorted(REPORTS.glob(f"{RUN}-*.xml")))


def plan_parts() -> dict[str, list[str]]:
    """Return the parts of the test run in the order in which they start, each with its paths for pytest.

    The files of a large room are spread over its parts by size, the largest first, because a file's size roughly
    predicts its duration.
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


def build_pytest_arguments(part: str, paths: list[str]) -> list[str]:
    """Return pytest's arguments for one part.

    Each part has its own cache folder, because parallel parts would overwrite it.
    """
    return ["-q", f"--junitxml={get_report_path(part)}", "-o", f"cache_dir=out/pytest/{part}", *paths]


def get_report_path(part: str) -> Path:
    """Return the path of the JUnit report of a part."""
    return REPORTS / f"{RUN}-{part}.xml"


def rerun_failed_tests(
    pytest: list[str], parts: dict[str, list[str]], failed_parts: dict[str, int], environment: dict[str, str]
) -> list[str]:
    """Run the failed tests once more, one part after the other. Return the names of those that passed.

    A part is removed from `failed_parts` if all its failed tests passed, and its report then shows them as passed.
    Nothing is run if more than five causes failed, or if pytest itself broke.
    """
    if any(status != TESTS_FAILED for status in failed_parts.values()):
        return []
    if sum(count_tests.count_failure_causes(get_report_path(part)) for part in failed_parts) > MANY:
        return []
    unsteady = []
    for part in sorted(failed_parts):
        failed = count_tests.list_failed_tests(get_report_path(part))
        again = REPORTS / f"again-{part}.xml"
        # The later of two options with one name holds.
        status, seconds, printed = run_part(
            [
                *pytest,
                *build_pytest_arguments(part, parts[part]),
                "--last-failed",
                "--last-failed-no-failures=none",
                f"--junitxml={again}",
            ],
            environment,
        )
        print(
            f"\n--- tests/{part}, what failed, again\n{printed.rstrip()}\n--- tests/{part}: {seconds:.0f} s", flush=True
        )
        if status == 0:
            unsteady += count_tests.mark_retried_tests_passed(get_report_path(part), again, failed)
            del failed_parts[part]
        again.unlink(missing_ok=True)
    return unsteady


def get_parallel_part_count() -> int:
    """Return how many parts run at a time: two for each core and at most eight, because each needs a browser's memory."""
    return int(os.environ.get("PAGEREEL_TEST_LANES") or min(8, 2 * (os.cpu_count() or 1)))


def run_part(command: list[str], environment: dict[str, str]) -> tuple[int, float, str]:
    """Run the pytest command of one part. Return its exit status, its duration in seconds, and its output."""
    begin = time.monotonic()
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
    )  # fmt: skip
    return done.returncode, time.monotonic() - begin, done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
