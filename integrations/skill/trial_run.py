"""Runs a skill's script once, and writes the result into the skill's files."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pagereel.errors import UsageError

if TYPE_CHECKING:
    from . import Skill

PATIENCE: Final = 300
"""Seconds that the script may take."""


@dataclass(frozen=True)
class TrialResult:
    """The result of running a skill's script.

    `status`: the sentence on the result for SKILL.md and skill.py; `said`: the last lines of the script's output,
    unmasked.
    """

    ended_well: bool
    status: str
    said: str = ""


def run_skill_once(skill: Skill, folder: Path, site: str) -> TrialResult:
    """Run the skill's script in `folder` against a site, and write the result into SKILL.md and skill.py.

    The value of an input comes from the environment variable with its name in capitals, otherwise from the first
    recording.

    :raises UsageError: an input has no value.
    """
    given = {name.upper(): os.environ.get(name.upper(), value) for name, value in skill.values.items()}
    missing = [name for name, value in given.items() if value is None]
    if missing:
        raise UsageError(
            f"No recording holds {', '.join(missing)}: set {'them' if len(missing) > 1 else 'it'} in the environment to run the skill."
        )
    environment = {
        **os.environ,
        **{name: value for name, value in given.items() if value is not None},
        "SITE": site.rstrip("/"),
    }
    began = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, "-P", "skill.py"], cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        code, said = done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        code, said = -1, f"It took longer than {PATIENCE} s."
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    where = f"{day} against {site}"
    if code == 0:
        status = f"Run once, on {where}, with the inputs of the first recording: it came to its end in {time.monotonic() - began:.0f} s."
    else:
        status = f"Draft: it was run on {where} and did not come to its end."
    skill.write(folder, status)
    return TrialResult(code == 0, status, "\n".join(said.strip().splitlines()[-12:]))
