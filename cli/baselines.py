"""`pagereel baseline`: the runs that say what is usual, who took them in, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagereel.cli.console import print_json, progress
from pagereel.cli.files import check_readable, policy_or_none
from pagereel.errors import UsageError


def change_baseline(
    folder: Path,
    runs: list[Path],
    *,
    remove: list[str],
    why: str,
    by: str | None,
    failed_too: bool,
    redaction: str,
    json: bool,
) -> int:
    """Take runs in or out, or print what the baseline holds. Gives 1 where its log was changed by somebody else."""
    from pagereel.comparison import accept_run, history, remove_run, runs_of

    if (runs or remove) and not why.strip():
        raise UsageError('Say why: --why "…" is written into the baseline\'s log.')
    for run in runs:
        check_readable(run)
    policy = policy_or_none(redaction)
    with progress(f"Looking at {folder.name}"):
        changes = [("removed", remove_run(folder, name, why=why, by=by)) for name in remove]
        changes += [
            ("added", accept_run(folder, run, why=why, by=by, redaction=policy, failed_too=failed_too)) for run in runs
        ]
        done: list[dict[str, Any]] = [{"did": did, "run": c.run, "usual": list(c.usual)} for did, c in changes]
        lines, whole = history(folder)
        held = runs_of(folder)
    if json:
        shown = [{"run": each.path.name, "outcome": each.outcome} for each in held]
        print_json({"done": done, "runs": shown, "log": lines, "intact": whole})
        return 0 if whole else 1
    for each in done:
        print(f"{each['did']} {each['run']}")
        for sentence in each["usual"]:
            print(f"  usual from now on: {sentence}")
    if not done:
        told = {line.get("run"): line for line in lines if line.get("did") == "added"}
        for run_held in held:
            line = told.get(run_held.path.name, {})
            print(
                f"{run_held.path.name}  {run_held.outcome}  {line.get('when', '')} {line.get('who', 'not logged')}: {line.get('why', '')}"
            )
    if not whole:
        print("the log was changed: a line does not follow the one before it")
    return 0 if whole else 1
