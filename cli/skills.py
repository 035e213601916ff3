"""`pagereel export … --format skill`: several recordings of one task as a draft for a coding agent."""

from __future__ import annotations

from pathlib import Path

from pagereel.cli.console import progress, say
from pagereel.cli.files import check_readable, policy_or_none
from pagereel.errors import UsageError


def export_skill(paths: list[Path], options: list[str], check: str | None, redaction: str) -> int:
    """Write SKILL.md and skill.py into a folder: the last path if it is no file, else one named after the skill.

    With `check` the script is run once against that site. Return 1 if it fails.
    """
    folder = paths.pop() if not paths[-1].is_file() and len(paths) > 1 else None
    if folder is not None and folder.suffix.lower() in (".reel", ".html", ".zip", ".json"):
        raise UsageError(f"There is no file {folder}.")
    for path in paths:
        check_readable(path)
    named = [option.removeprefix("name=") for option in options if option.startswith("name=")]
    if len(named) != len(options):
        raise UsageError("The format skill has the option name (-O name='Order a vase'), and no other.")
    from pagereel.integrations import draft_skill, try_once

    with progress("Comparing the recordings"):
        skill = draft_skill(paths, name=named[-1] if named else "", redaction=policy_or_none(redaction))
    folder = folder or Path(skill.name)
    try:
        skill.write(folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}.") from None
    verdict = None
    if check is not None:
        with progress(f"Running {folder / 'skill.py'}"):
            verdict = try_once(skill, folder, check)
    say(f"{folder / 'SKILL.md'}  {folder / 'skill.py'}")
    if verdict is None:
        say("A draft: read it, then run it with --check URL.")
        return 0
    say(verdict.status)
    if not verdict.ended_well:
        say(verdict.said)
    return 0 if verdict.ended_well else 1
