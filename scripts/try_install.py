"""Installs a release as a new user would, and measures each extra: seconds, megabytes, and whether it works.

    python scripts/try_install.py dist-release/*       # wheel and sdist without extras, with each Python found
    python scripts/try_install.py dist-release/* --extras all-of-them --write docs/installing.md

Each install has a new virtual environment, an empty cache and compilers that fail. Afterwards the script measures
`import pagereel` and `pagereel --help`, runs `pagereel doctor`, records a page, builds the replay and opens it in a
browser. Each extra is installed with the oldest Python, and all of them together with every other. Exit status 1:
something does not work, or a limit is exceeded: 60 s for a plain install including the download, 50 ms of CPU time for
the import, 0.4 s of CPU time for the help.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
COMPILERS = ("cc", "gcc", "x86_64-linux-gnu-gcc", "c++", "g++", "clang", "rustc", "cargo")
INSTALL, IMPORT, HELP = 60.0, 50.0, 0.4
"""Bounds of a plain install: seconds, milliseconds of `import pagereel`, seconds of `pagereel --help`."""
BUSY = 3
"""The load above which the clock tells of the machine."""
LOADS: list[float] = []
"""The machine's load before each install: jobs that ran or waited."""
BEGIN, END = "<!-- installs: written by scripts/try_install.py -->", "<!-- /installs -->"
TRY = """
import sys
from pathlib import Path
from playwright.sync_api import sync_playwright
from pagereel import build, record
from pagereel.browser import launch_options
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(**launch_options())
    context = browser.new_context()
    with record(context, "run.reel") as session:
        page = context.new_page()
        with session.step("Open a page"):
            page.set_content("<h1>Mail to ada@example.com</h1><button>Send</button>")
        page.get_by_role("button", name="Send").click()
    report = build("run.reel", "run.html", redaction="vendor" if sys.argv[1] == "masked" else None)
    shown = browser.new_context(offline=True).new_page()
    shown.goto(Path("run.html").resolve().as_uri())
    text = shown.evaluate("async () => { await pagereel.ready; await pagereel.seek(pagereel.duration); return pagereel.frame.contentDocument.body.innerText }")
    assert ("ada@" in text) == (sys.argv[1] != "masked"), text
    assert report.sealed and "Mail to" in text, text
    browser.close()
"""


@dataclass(frozen=True)
class InstallMeasurement:
    """The measurements of one install, and the result of trying the installed package."""

    python: str
    extra: str
    seconds: float
    megabytes: float
    processor: float
    """Seconds of the processor that the install took."""
    importing: float
    """Milliseconds of `import pagereel`, without the start of Python."""
    helping: float
    """Seconds of `pagereel --help`."""
    works: str

    @property
    def has_failed(self) -> bool:
        """Return whether a limit is exceeded, or the installed package does not work."""
        slow = self.extra == "none" and self.seconds > INSTALL
        return slow or self.importing > IMPORT or self.helping > HELP or self.works.startswith("no")


def iter_pythons() -> Iterator[str]:
    """Yield the path of an interpreter for each supported Python version that this machine has, the oldest first."""
    folder = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    for version in PYTHONS:
        here = sys.version_info[:2] == tuple(map(int, version.split(".")))
        there = sorted(folder.glob(f"{version}.*/bin/python"))
        found = sys.executable if here else str(there[-1]) if there else shutil.which(f"python{version}")
        if found:
            yield found


def list_extras() -> list[str]:
    """Return the names of all extras except `dev`, in the order of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [name for name in project["optional-dependencies"] if name != "dev"]


def iter_installs(packages: list[Path], pythons: list[str], chosen: list[str]) -> Iterator[tuple[str, Path, str]]:
    """Yield the installs to measure, each as interpreter, package file and extras (joined by commas)."""
    yield from ((python, package, "") for package in packages for python in pythons)
    yield from ((pythons[0], packages[0], extra) for extra in chosen)
    if len(chosen) > 1:
        yield from ((python, packages[0], ",".join(chosen)) for python in pythons[1:])


def measure_install(python: str, package: Path, extra: str) -> InstallMeasurement:
    """Install a package file with an extra into a new environment, try it, and return the measurements."""
    with tempfile.TemporaryDirectory(prefix="pagereel-install-") as temporary:
        folder = Path(temporary)
        environment = build_install_environment(folder)
        subprocess.run([python, "-m", "venv", folder / "env"], check=True, env=environment)
        inside = folder / "env" / "bin" / "python"
        (packages,) = (folder / "env").glob("lib/python3*/site-packages")
        before, begin, used = compute_folder_size(packages), time.monotonic(), read_child_cpu_seconds()
        wanted = f"{package.resolve()}[{extra}]" if extra else str(package.resolve())
        name = (
            "all that are above"
            if "," in extra
            else f"`{extra}`"
            if extra
            else "none, sdist"
            if package.suffix == ".gz"
            else "none"
        )
        command = [inside, "-m", "pip", "install", "--quiet", "--no-cache-dir", "--disable-pip-version-check", wanted]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        seconds, used, version = time.monotonic() - begin, read_child_cpu_seconds() - used, read_python_version(inside)
        if done.returncode:
            why = done.stderr.strip().splitlines()[-1][:120]
            return InstallMeasurement(version, name, seconds, 0, used, 0, 0, f"no: {why}")
        megabytes = (compute_folder_size(packages) - before) / 1e6
        importing = measure_cpu_seconds([inside, "-c", "import pagereel"], environment) - measure_cpu_seconds(
            [inside, "-c", "pass"], environment
        )
        helping = measure_cpu_seconds([folder / "env" / "bin" / "pagereel", "--help"], environment)
        tried = check_install(inside, folder, extra, environment)
        return InstallMeasurement(version, name, seconds, megabytes, used, importing * 1000, helping, tried)


def check_install(python: Path, folder: Path, extra: str, environment: dict[str, str]) -> str:
    """Try an installed package: run `doctor`, record a page, build its replay and open it. Return the result as text.

    The text is ``yes``, ``masked`` with the cost of `pagereel setup` for extras that mask, or ``no: `` and the reason.
    """
    wanted = set(extra.split(",")) - {""}
    masked = bool(wanted & {"redaction", "all"})
    if masked:
        begin, before = time.monotonic(), compute_folder_size(folder / "env")
        done = subprocess.run([folder / "env/bin/pagereel", "setup"], capture_output=True, text=True, env=environment)
        if done.returncode:
            return f"no: {done.stderr.strip().splitlines()[-1][:120]}"
        took = f"; `setup` {time.monotonic() - begin:.0f} s, {(compute_folder_size(folder / 'env') - before) / 1e6:.0f} MB more"
    doctor = [folder / "env/bin/pagereel", "doctor", "--json"]
    asked = subprocess.run(doctor, capture_output=True, text=True, env=environment).stdout
    missing = {f"extra {each}" for each in wanted - {"all"}}
    for check in json.loads(asked)["checks"]:
        missing -= {check["name"]} if check["found"] else set()
    if missing:
        return f"no: `doctor` finds no {', '.join(sorted(missing))}"
    command = [python, "-c", TRY, "masked" if masked else "raw"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    if done.returncode:
        return f"no: {(done.stderr.strip().splitlines() or ['?'])[-1][:120]}"
    return f"masked{took}" if masked else "yes"


def build_install_environment(folder: Path) -> dict[str, str]:
    """Return environment variables for an install with an empty cache, and with compilers in `folder` that always fail."""
    (folder / "bin").mkdir()
    for name in COMPILERS:
        (folder / "bin" / name).write_text("#!/bin/sh\nexit 1\n")
        (folder / "bin" / name).chmod(0o755)
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
    }
    return {
        **kept,
        "CC": "false",
        "CXX": "false",
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "XDG_CACHE_HOME": str(folder / "cache"),
    }


def measure_cpu_seconds(command: list[object], environment: dict[str, str], times: int = 7) -> float:
    """Run a command `times` times, after one run to warm up. Return its median CPU time in seconds."""
    took = []
    for _ in range(times + 1):
        begin = read_child_cpu_seconds()
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, env=environment)
        took.append(read_child_cpu_seconds() - begin)
    return statistics.median(took[1:])


def read_child_cpu_seconds() -> float:
    """Return the CPU time in seconds that all ended child processes have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compute_folder_size(folder: Path) -> int:
    """Return the size of a folder's files in bytes, without compiled Python files."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")


def read_python_version(python: Path) -> str:
    """Return the version of a Python interpreter, such as ``3.12.4``."""
    return subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout.split()[-1]


def render_table(measures: list[InstallMeasurement]) -> str:
    """Return the measurements as a Markdown table."""
    rows = [
        "| extra | Python | installed in (of it the processor) | on the disk | `import pagereel` | `pagereel --help` | records, builds, opens |",
        "|---|---|---|---|---|---|---|",
    ]
    rows += [
        f"| {each.extra} | {each.python} | {each.seconds:.0f} s ({each.processor:.0f} s) | {each.megabytes:.0f} MB "
        f"| {max(each.importing, 0):.0f} ms | {each.helping:.2f} s | {each.works} |"
        for each in measures
    ]
    return "\n".join(rows)


def write_table(page: Path, measures: list[InstallMeasurement]) -> None:
    """Replace the table of measurements in a documentation page, between its two HTML comments."""
    head, _, rest = page.read_text("utf-8").partition(BEGIN)
    load = f"{min(LOADS):.0f} to {max(LOADS):.0f}"
    busy = "; other jobs kept it busy, so go by the processor's seconds" if max(LOADS) > BUSY else ""
    said = f"Measured on {datetime.date.today()}, Linux on two x86-64 cores (load {load}{busy}), from an empty cache, without a compiler:"
    page.write_text(f"{head}{BEGIN}\n{said}\n\n{render_table(measures)}\n{END}{rest.partition(END)[2]}", "utf-8")


def main() -> int:
    """Measure all installs, print the table, and write it into a page if `--write` names one.

    Return the exit status.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", type=Path, nargs="+", help="the wheel, the sdist, or both")
    parser.add_argument("--extras", default="", help="names with a comma between, or all-of-them")
    parser.add_argument("--write", type=Path, help="the page that has the table")
    options = parser.parse_args()
    chosen = list_extras() if options.extras == "all-of-them" else [name for name in options.extras.split(",") if name]
    measures = []
    for python, package, extra in iter_installs(
        sorted(options.packages, key=lambda file: file.suffix != ".whl"), list(iter_pythons()), chosen
    ):
        LOADS.append(os.getloadavg()[0])
        measures.append(measure_install(python, package, extra))
        print(measures[-1], flush=True)
        if options.write:
            write_table(options.write, measures)
    print(render_table(measures))
    return int(any(each.bad for each in measures))


if __name__ == "__main__":
    sys.exit(main())
