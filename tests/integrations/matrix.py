"""The tests of calls and of the pytest plugin with other releases of Playwright and pytest-playwright.

    python tests/integrations/matrix.py [NAME …]

Makes an environment for each under out/matrix, with this checkout's wheel, and runs the tests in it. Not part of CI's
default run: each environment is a download. The status is the number of releases that fail.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CALLS = ("tests/recorder/test_calls.py", "tests/recorder/test_calls_async.py")
PLUGIN = ("tests/integrations/test_pytest_plugin.py",)
TOOLS = (
    "pytest",
    "pytest-asyncio",
    "pytest-timeout",
    "pytest-xdist",
    "pytest-rerunfailures",
    "pytest-html",
    "allure-pytest",
)
RELEASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "1.49": (("playwright==1.49.*", "pytest-playwright==0.10.*"), (*CALLS, *PLUGIN)),
    "1.54": (("playwright==1.54.*",), CALLS),
    "1.60": (("playwright==1.60.*",), CALLS),
    "1.62": (("playwright==1.62.*",), CALLS),
    "1.64": (("playwright==1.64.*", "pytest-playwright==0.7.*"), CALLS),
    "newest": (("playwright", "pytest-playwright"), (*CALLS, *PLUGIN)),
}
"""Name → what is installed, which tests."""


def run(*command: str | Path) -> int:
    print("$", *command, flush=True)
    return subprocess.run([str(word) for word in command], cwd=ROOT, check=False, timeout=1800).returncode


def check(name: str) -> int:
    packages, tests = RELEASES[name]
    folder = ROOT / "out" / "matrix" / name
    python = folder / "bin" / "python"
    if not python.exists() and run(sys.executable, "-m", "venv", folder):
        return 1
    if run(python, "-m", "pip", "install", "--quiet", *packages, *TOOLS, ROOT):
        return 1
    return run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "240", *tests)


def main(names: list[str]) -> int:
    if unknown := [name for name in names if name not in RELEASES]:
        print(f"no such release: {', '.join(unknown)}; there are {', '.join(RELEASES)}", file=sys.stderr)
        return 2
    results = {name: check(name) for name in names or RELEASES}
    for name, status in results.items():
        print(f"{name:<8} {'ok' if status == 0 else 'FAILED'}")
    return sum(status != 0 for status in results.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
