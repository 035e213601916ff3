"""Compares a test's failed attempt with a later one that passed, and each test with its baseline.

The option `--replay-compare retries` of the pytest plugin writes compare.html and compare.md beside the failed
attempt's replay. The option `--replay-baseline DIR` writes baseline.html and baseline.md beside the test's replay; a
test that differs from its baseline fails.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.comparison import write_comparison
from pagereel.integrations.testing.attempts import (
    Attempt,
    build_numbered_name,
    call_and_warn_of_errors,
    get_output_folder,
    warn_of_error,
)

if TYPE_CHECKING:
    from pagereel.comparison import Comparison
    from pagereel.options import Redaction

GATES = "outcome,action,network,page,model,console"
"""Default kinds of differences that fail a test with a baseline. Time and cost are left out, because they often depend
on the machine.
"""
_SENTENCES = 5


@dataclass(frozen=True)
class AttemptComparison:
    """A comparison of two attempts that was written to files. `said`: its result in a sentence."""

    path: Path
    said: str


@dataclass(frozen=True)
class BaselineResult:
    """The result of comparing a test with its baseline.

    `compared`: the written comparisons of runs that differ. `failure`: a message that says why the test fails and how
    to accept the change; "" if it does not fail. `missing`: the commands that create a missing baseline.
    """

    compared: tuple[AttemptComparison, ...] = ()
    failure: str = ""
    missing: tuple[str, ...] = ()


class RetryComparisons:
    """Compares a test's last failed attempt with a later attempt that passes."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._failed: tuple[Attempt, Path] | None = None

    def add_attempt(self, attempt: Attempt, folder: Path) -> list[AttemptComparison]:
        """Keep an ended attempt that failed; compare one that passed with the kept one. Return the written comparisons.

        `folder`: the folder of the attempt's replays.
        """
        held, self._failed = self._failed, None
        made: list[AttemptComparison] = []
        if held is not None:
            failed, beside = held
            if failed.nodeid == attempt.nodeid and attempt.outcome.get("outcome") == "passed" and not attempt.failed:
                made = call_and_warn_of_errors(self._compare_attempts, attempt, failed, beside) or []
            failed.delete_recordings()
        if attempt.failed:
            self._failed = attempt, folder
        else:
            attempt.delete_recordings()
        return made

    def delete_kept_attempt(self) -> None:
        """Delete the recordings of the failed attempt that was kept for a comparison, if any."""
        held, self._failed = self._failed, None
        if held is not None:
            held[0].delete_recordings()

    def _compare_attempts(self, passed: Attempt, failed: Attempt, folder: Path) -> list[AttemptComparison]:
        from pagereel.comparison import compare

        good, bad = passed.list_annotated_reels(), failed.list_annotated_reels()
        made = []
        for number, (a, b) in enumerate(zip(good, bad, strict=False), 1):
            result = compare(a, b, redaction=self._redaction)
            page = folder / build_numbered_name("compare", ".html", number, len(bad))
            page.parent.mkdir(parents=True, exist_ok=True)
            # The page comes first, so that the text has the same stand-ins.
            write_comparison(result, page, "passed.reel", "failed.reel")
            told = write_attempt_comparison(result, page.with_suffix(".md"), "passed.reel", "failed.reel")
            made.append(AttemptComparison(page, told.said))
        return made


class BaselineComparisons:
    """Compares tests with their baselines, which `pagereel baseline` made.

    The baseline of a test is a folder below `root` that has the name of the test's output folder.
    """

    def __init__(self, root: Path, start: Path, redaction: Redaction, fail_on: str = GATES) -> None:
        """`start`: the folder to which paths in messages are relative."""
        self._root = root
        self._start = start
        self._redaction = redaction
        self._fail_on = fail_on

    def compare_attempt(self, attempt: Attempt, folder: Path) -> BaselineResult:
        """Compare an ended attempt with its test's baseline, and return the result.

        The comparisons are written into `folder`, and also a recording that the user may add to the baseline.
        """
        reels = attempt.list_annotated_reels()
        compared: list[AttemptComparison] = []
        failures: list[str] = []
        missing: list[str] = []
        for number, reel in enumerate(reels, 1):
            place = self._get_baseline_folder(attempt.nodeid, number, len(reels))
            accept = self._format_accept_command(
                place, folder / build_numbered_name("run", ".reel", number, len(reels))
            )
            runs = _list_baseline_runs(place)
            if not runs:
                if not attempt.failed:
                    _copy_recording(reel, folder / build_numbered_name("run", ".reel", number, len(reels)))
                    missing.append(accept)
                continue
            target = folder / build_numbered_name("baseline", ".md", number, len(reels))
            try:
                told, failure = self._compare_with_baseline(runs, reel, target)
            except Exception as error:  # If the comparison fails, the test fails too.
                warn_of_error(error)
                failures.append(
                    f"It could not be compared with its baseline {self._format_relative_path(place)}: {error}"
                )
                continue
            compared += [told] if told is not None else []
            if failure and not attempt.failed:
                _copy_recording(reel, folder / build_numbered_name("run", ".reel", number, len(reels)))
                failures.append(f"{failure}\nIf that is as it should be now: {accept}")
        return BaselineResult(tuple(compared), "\n".join(failures), tuple(missing))

    def _compare_with_baseline(
        self, runs: Sequence[Path], reel: Path, target: Path
    ) -> tuple[AttemptComparison | None, str]:
        from pagereel.comparison import compare

        result = compare(runs[0], reel, baseline=runs[1:], redaction=self._redaction)
        failed = result.failed(self._fail_on)
        divergence = result.divergence
        if divergence is None:
            return None, ""
        page = target.with_suffix(".html")
        if failed:
            page.parent.mkdir(parents=True, exist_ok=True)
            # The page comes first, so that the text has the same stand-ins. If the page fails, the text is still
            # written.
            call_and_warn_of_errors(write_comparison, result, page, "baseline.reel", "run.reel")
        told = write_attempt_comparison(result, target, "baseline", "this run")
        if not failed:
            return told, ""
        if page.is_file():
            told = AttemptComparison(page, told.said)
        divergence = result.divergence or divergence
        chain = "\n".join(f"  {sentence}" for sentence in divergence.chain[:_SENTENCES])
        count = f"{len(runs)} run{'s' if len(runs) > 1 else ''}"
        return told, result.check(
            f"The test parts from its baseline ({self._format_relative_path(runs[0].parent)}, {count}) at {divergence.b.t:.0f} ms, in {', '.join(failed)}:\n{chain}\nAll of it: {self._format_relative_path(told.path)}"
        )

    def _get_baseline_folder(self, nodeid: str, number: int, count: int) -> Path:
        folder = get_output_folder(self._root, nodeid, 0)
        return folder.with_name(build_numbered_name(folder.name, "", number, count))

    def _format_accept_command(self, baseline: Path, reel: Path) -> str:
        return f"pagereel baseline {shlex.quote(self._format_relative_path(baseline))} {shlex.quote(self._format_relative_path(reel))} --why TEXT"

    def _format_relative_path(self, path: Path) -> str:
        return str(path.relative_to(self._start)) if path.is_relative_to(self._start) else str(path)


def write_attempt_comparison(result: Comparison, target: Path, a: str, b: str) -> AttemptComparison:
    """Write the differences of two runs to `target` as Markdown; `a` and `b` are the runs' names."""
    from pagereel.comparison import format_as_markdown

    said = result.divergence.reason if result.divergence is not None else "Nothing differs beyond noise."
    text = result.check(format_as_markdown(result, Path(a), Path(b)))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, "utf-8")
    return AttemptComparison(target, result.check(said))


def _list_baseline_runs(folder: Path) -> list[Path]:
    from pagereel.comparison import resolve_baseline_files

    return resolve_baseline_files(folder) if folder.is_dir() and any(folder.iterdir()) else []


def _copy_recording(reel: Path, target: Path) -> None:
    """Copy a recording to `target` unchanged, readable by its owner alone (mode 0600)."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(reel, target)
