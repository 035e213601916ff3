"""The tests of calls and of the pytest plugin with other releases of Python, Playwright and pytest-playwright.

    python tests/integrations/matrix.py [--python PATH …] [--keep] [NAME …]

Makes an environment for each release and Python under out/matrix, with this checkout's wheel, and runs the tests in it;
prints a table. Not part of CI's default run: each environment is a download and a minute of tests. Without `--python`: this
Python and the newest one found (`python3.14` … `python3.12` on PATH, or below `~/.pyenv/versions`). The status is the number
of cells that fail.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CALLS = ("tests/recorder/test_calls.py", "tests/recorder/test_calls_async.py")
PLUGIN = ("tests/integrations/test_pytest_plugin.py",)
ASYNC = ("tests/integrations/test_pytest_plugin_async.py",)
TOOLS = (
    "pytest",
    "pytest-asyncio",
    "pytest-timeout",
    "pytest-xdist",
    "pytest-rerunfailures",
    "pytest-html",
    "allure-pytest",
)


@dataclass(frozen=True)
class Release:
    """What is installed beside the wheel, and which tests run: of the sync and the async API."""

    packages: tuple[str, ...]
    tests: tuple[str, ...]
    everywhere: bool = False
    """With each Python, not with this one alone."""


RELEASES = {
    "1.49": Release(("playwright==1.49.*", "pytest-playwright==0.6.*"), (*CALLS, *PLUGIN), everywhere=True),
    "1.54": Release(("playwright==1.54.*",), CALLS),
    "1.60": Release(("playwright==1.60.*",), CALLS),
    "1.62": Release(("playwright==1.62.*",), CALLS),
    "1.64": Release(("playwright==1.64.*", "pytest-playwright==0.7.*"), (*CALLS, *PLUGIN)),
    "newest": Release(("playwright", "pytest-playwright"), (*CALLS, *PLUGIN), everywhere=True),
    "newest, asyncio": Release(("playwright", "pytest-playwright-asyncio"), ASYNC, everywhere=True),
}


def run(*command: str | Path, quiet: bool = False) -> tuple[int, str]:
    """Status and output of a command, which is shown on the way."""
    print("$", *command, flush=True)
    process = subprocess.Popen(
        [str(word) for word in command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    said = []
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        if not quiet:
            print(line, end="", flush=True)
    status = process.wait()
    if status and quiet:
        print("".join(said[-20:]))
    return status, "".join(said)


def version(python: Path) -> str:
    """`3.13`"""
    words = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([python, "-c", words], capture_output=True, text=True, check=True).stdout.strip()


def pythons() -> list[Path]:
    """This Python and the newest one that is found beside it."""
    found = [Path(path) for minor in range(20, 11, -1) if (path := shutil.which(f"python3.{minor}"))]
    found += Path.home().glob(".pyenv/versions/3.*/bin/python3")
    versions: dict[tuple[int, ...], Path] = {}
    for path in found:
        try:
            versions.setdefault(tuple(map(int, version(path).split("."))), path)
        except (OSError, subprocess.CalledProcessError):
            continue  # pyenv's shims stand for versions that may not be chosen
    newest = max(versions, default=(3, 0))
    mine = Path(sys.executable)
    return [mine, versions[newest]] if newest > sys.version_info[:2] else [mine]


def check(name: str, python: Path) -> tuple[int, str]:
    """Whether the release's tests pass under this Python, and what stood in the last line."""
    release = RELEASES[name]
    folder = ROOT / "out" / "matrix" / re.sub(r"\W+", "-", f"{name}-python{version(python)}")
    inside = folder / "bin" / "python"
    if not inside.exists() and run(python, "-m", "venv", folder, quiet=True)[0]:
        return 1, "no environment"
    if run(inside, "-m", "pip", "install", "--quiet", *release.packages, *TOOLS, ROOT, quiet=True)[0]:
        return 1, "cannot be installed"
    # Its own process for each file: Playwright's sync API leaves a loop running in the thread.
    said = []
    worst = 0
    for path in release.tests:
        command = (inside, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "240", path)
        status, output = run(*command)
        worst = worst or status
        ends = re.findall(r"(?m)^=*\s*((?:\d+ \w+,? ?)+)in [\d.]+s", output)
        said.append(f"{Path(path).stem}: {ends[-1].strip() if ends else f'status {status}'}")
    versions = "import importlib.metadata as m; print(*(f'{n} {m.version(n)}' for n in ('playwright', %r)))"
    plugin = "pytest-playwright-asyncio" if "asyncio" in name else "pytest-playwright"
    shown, output = run(inside, "-c", versions % plugin, quiet=True)
    return worst, f"{output.strip() if not shown else name}; {'; '.join(said)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(RELEASES)}")
    parser.add_argument("--python", type=Path, action="append", help="a Python to use; may be repeated")
    parser.add_argument("--keep", action="store_true", help="keep the environments")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in RELEASES]:
        parser.error(f"no such release: {', '.join(unknown)}")
    wanted = given.python or pythons()
    rows = []
    for name in given.names or RELEASES:
        for number, python in enumerate(wanted):
            if number and not (RELEASES[name].everywhere or given.names):
                continue
            began = time.monotonic()
            status, said = check(name, python)
            rows.append((version(python), name, status, time.monotonic() - began, said))
    if not given.keep:
        shutil.rmtree(ROOT / "out" / "matrix", ignore_errors=True)
    print(f"\n{'Python':<7} {'Playwright':<16} {'':<7} {'seconds':>7}")
    for row in rows:
        print(f"{row[0]:<7} {row[1]:<16} {'ok' if row[2] == 0 else 'FAILED':<7} {row[3]:>7.0f}  {row[4]}")
    return sum(row[2] != 0 for row in rows)


if __name__ == "__main__":
    sys.exit(main())
