"""`pagereel baseline`: lists, adds and removes the runs of a baseline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pagereel.cli.argument_requirements import parse_redaction_option, require_readable_file
from pagereel.cli.console import print_json, print_message, print_report_line, print_warning, show_progress
from pagereel.errors import PagereelError, UsageError


def change_baseline(
    folder: Path,
    runs: list[Path],
    *,
    remove: Sequence[str] = (),
    why: str = "",
    by: str | None = None,
    failed_too: bool = False,
    redaction: str = "vendor",
    json: bool,
) -> int:
    """Add `runs` to a baseline and remove the runs named in `remove`; if both are empty, print its runs.

    Return 1 if another program has changed the baseline's log.
    """
    from pagereel.comparison import ENOUGH_RUNS, accept_run, read_baseline_log, remove_run, runs_of

    if runs or remove:
        _require_reason(why)
    for run in runs:
        require_readable_file(run)
    policy = parse_redaction_option(redaction)
    with show_progress(f"Looking at {folder.name}"):
        changes = [("removed", remove_run(folder, name, why=why, by=by)) for name in remove]
        changes += [
            ("added", accept_run(folder, run, why=why, by=by, redaction=policy, failed_too=failed_too)) for run in runs
        ]
        done: list[dict[str, Any]] = [{"did": did, "run": c.run, "usual": list(c.usual)} for did, c in changes]
        lines, whole = read_baseline_log(folder)
        held = runs_of(folder)
    if json:
        shown = [{"run": each.path.name, "outcome": each.outcome} for each in held]
        print_json({"done": done, "runs": shown, "log": lines, "intact": whole})
        return 0 if whole else 1
    for each in done:
        print_report_line(f"{each['did']} {each['run']}")
        for sentence in each["usual"]:
            print_report_line(f"  usual from now on: {sentence}")
    if done and len(held) < ENOUGH_RUNS:
        print_report_line(f"runs: {len(held)}; {ENOUGH_RUNS} or more show what varies from run to run")
    if not done:
        added = {line.get("run"): line for line in lines if line.get("did") == "added"}
        for run_held in held:
            line = added.get(run_held.path.name, {})
            print(
                f"{run_held.path.name}  {run_held.outcome}  {line.get('when', '')} {line.get('who', 'not logged')}: {line.get('why', '')}"
            )
    if not whole:
        print("the log was changed: a line does not follow the one before it")
    return 0 if whole else 1


def _require_reason(why: str) -> None:
    if not why.strip():
        raise UsageError('Give a reason with --why "…"; it is written into the baseline\'s log.')


def accept_all_test_runs(
    folder: Path, results: Path, *, why: str, by: str | None, failed_too: bool, redaction: str, json: bool
) -> int:
    """Add the runs in `results` to the baselines in `folder`, each to the baseline of its test, and print the results.

    The pytest plugin wrote these runs (`run.reel`, `run-2.reel`, …) for tests that differ from their baseline or have
    none. Return 1 if a run could not be added.
    """
    from pagereel.comparison import accept_run

    _require_reason(why)
    if not results.is_dir():
        raise UsageError(f"{results} is not a folder; give the one that pytest wrote its results into.")
    policy = parse_redaction_option(redaction)
    done: list[dict[str, Any]] = []
    for run in sorted(path for path in results.glob("*/run*.reel") if re.fullmatch(r"run(-\d+)?", path.stem)):
        test = re.sub(r"-retry\d+$", "", run.parent.name)
        place = folder / f"{test}{run.stem.removeprefix('run')}"
        try:
            change = accept_run(place, run, why=why, by=by, redaction=policy, failed_too=failed_too)
        except PagereelError as error:
            done.append({"did": "left", "baseline": str(place), "run": str(run), "error": str(error)})
        else:
            done.append({"did": "added", "baseline": str(place), "run": change.run, "usual": list(change.usual)})
    left = [each for each in done if each["did"] == "left"]
    if json:
        print_json(done)
        return 1 if left else 0
    for each in done:
        print_report_line(
            f"{each['did']} {each['run']}" + (f" to {each['baseline']}" if each["did"] == "added" else "")
        )
        for sentence in each.get("usual", ()):
            print_report_line(f"  usual from now on: {sentence}")
    for each in left:
        print_warning(each["error"])
    print_message(
        f"{len(done) - len(left)} of {len(done)} runs accepted"
        if done
        else f"No test of {results} waits to be accepted."
    )
    return 1 if left else 0
