"""Defines the pytest plugin's command-line options, and the ini options of the same names."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recording_modes import MODES

REDACTIONS = ("vendor", "strict", "internal", "off")


def add_options(parser: pytest.Parser) -> None:
    """Add the plugin's command-line options, and the ini options of the same names, to pytest's parser."""
    group = parser.getgroup("pagereel", "Replays (pagereel)")
    group.addoption(
        "--replay",
        choices=MODES,
        default=None,
        help="Record a replay for each test, and keep it: always (on), of runs that failed (retain-on-failure), of those and of retries "
        "(retain-on-failure-and-retries), of a first run that failed (retain-on-first-failure). Or record only when a failed test is run "
        "again (on-first-retry, on-all-retries).",
    )
    group.addoption(
        "--replay-redaction", metavar="POLICY", default=None,
        help="How replays are redacted: vendor, strict, internal, a policy file, or off, which keeps everything.",
    )  # fmt: skip
    group.addoption(
        "--replay-suite", metavar="FILE", default=None,
        help="Write the whole run as one HTML file: the list of all tests, and the recordings that --replay keeps (by default of those that fail) in it.",
    )  # fmt: skip
    group.addoption(
        "--replay-film", choices=("gif", "webp", "mp4", "webm"), default=None,
        help="Make a film of each test that failed, beside its replay.",
    )  # fmt: skip
    group.addoption(
        "--replay-compare", choices=("off", "retries"), default=None,
        help="Compare the failed attempt of a test with the one that then passed; what differs stands beside the replay.",
    )  # fmt: skip
    group.addoption(
        "--replay-baseline", metavar="DIR", default=None,
        help="Compare each test with its runs in DIR (see `pagereel baseline`): one that parts from them fails.",
    )  # fmt: skip
    group.addoption(
        "--replay-fail-on", metavar="KINDS", default=None,
        help="What fails a test that parts from its baseline: the words of `pagereel compare --fail-on`.",
    )  # fmt: skip
    parser.addini("replay", f"Record a replay for each test: {', '.join(MODES)}.", default="off")
    parser.addini(
        "replay_redaction",
        "How replays are redacted: vendor, strict, internal, a policy file, or off.",
        default="vendor",
    )
    parser.addini(
        "replay_require_models",
        "Refuse to record where a model of the redaction is missing.",
        type="bool",
        default=False,
    )
    parser.addini(
        "replay_compare", "Compare the failed attempt of a test with the one that passed: off, retries.", default="off"
    )
    parser.addini("replay_baseline", "Folder with each test's baseline, from the ini file's own.", default="")
    parser.addini("replay_suite", "File with the whole run, from the ini file's folder.", default="")
    parser.addini("replay_fail_on", "What fails a test that parts from its baseline.", default="")


def read_suite_file(config: pytest.Config) -> Path | None:
    """Return the path of the suite's file from the command line or the ini file; None if no suite is to be written."""
    if given := config.getoption("replay_suite"):
        return config.invocation_params.dir / str(given)
    named = str(config.getini("replay_suite"))
    return config.rootpath / named if named else None


def require_models() -> None:
    """Raise pytest's UsageError if a language model that the redaction needs is missing."""
    from pagereel.errors import SetupError
    from pagereel.redaction import require_all_models

    try:
        require_all_models()
    except SetupError as error:
        raise pytest.UsageError(str(error)) from None


def read_choice_option(
    config: pytest.Config, name: str, choices: tuple[str, ...], *, allows_files: bool = False
) -> str:
    """Return an option's value from the command line or the ini file: one of `choices`, or with `allows_files` the path of a
    file.

    :raises pytest.UsageError: it is neither.
    """
    value = str(config.getoption(name) or config.getini(name) or choices[0])
    if value in choices:
        return value
    path = config.invocation_params.dir / value
    if allows_files and path.is_file():  # A test may change the working folder before its replay is built.
        return str(path)
    raise pytest.UsageError(
        f"{name} = {value!r} is not one of {', '.join(choices)}" + (", and no file" if allows_files else "")
    )
