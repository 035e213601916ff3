"""Finds the conditions of a skill: the lines that the pages showed before and after each stage in all runs."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any, Final

from pagereel.integrations.as_test.replay_inspector import ReplayInspector

from .procedure import Procedure, SharedCall, SkillRun

_NAME: Final = re.compile(r'^- (\w+) "((?:[^"\\]|\\.)*)"')
_MOST: Final = 12


@dataclass
class SkillStage:
    """A stage of a skill: the shared calls within one step of the first run.

    `first`, `last`: the numbers of its first and last call. `says`: the headings and alerts that the page showed after
    the stage in all runs, as lines of ARIA snapshots.
    """

    title: str
    first: int
    last: int
    page: int
    says: list[tuple[str, str]]
    """Each line, and the name in it."""


def find_stages(procedure: Procedure) -> tuple[list[SkillStage], str]:
    """Return the stages of a procedure, and a sentence on why the pages could not be read ("" if they could)."""
    base = procedure.runs[0]
    steps = {step["id"]: step for step in base.reading.steps()}
    stages: list[SkillStage] = []
    for number, shared in enumerate(procedure.shared):
        step = steps.get(shared.first_call.record.get("step"), {})
        title = str(step.get("title") or "")
        if not stages or stages[-1].title != title:
            stages.append(SkillStage(title, number, number, 1, []))
        stages[-1].last = number
        stages[-1].page = int(shared.first_call.record.get("page") or stages[-1].page)
    with ReplayInspector(base.path) as outlines:
        for stage in stages:
            moments = [_get_stage_end_time(procedure, number, stage) for number in range(len(procedure.runs))]
            lines = [str(ast.literal_eval(code)) for code in outlines.read_aria_lines(moments[0], stage.page)]
            others = [
                _read_page_text_at(run, moment) for run, moment in zip(procedure.runs[1:], moments[1:], strict=True)
            ]
            for line in lines:
                named = _NAME.match(line)
                if named and all(named[2] in text for text in others):
                    stage.says.append((line, named[2]))
        return stages, outlines.why


def find_end_lines(procedure: Procedure) -> list[str]:
    """Return the lines of text that the pages show at the end of every run."""
    return _find_common_lines([_read_page_lines_at(run, run.reading.duration) for run in procedure.runs])


def find_start_lines(procedure: Procedure) -> list[str]:
    """Return the lines of text that the pages show in every run before the second shared call: the skill's start
    condition.
    """
    if len(procedure.shared) < 2:
        return []
    return _find_common_lines([
        _read_page_lines_at(run, float(procedure.shared[1].calls[number].record["t"])) for number, run in enumerate(procedure.runs)
    ])  # fmt: skip


def _get_stage_end_time(procedure: Procedure, run: int, stage: SkillStage) -> float:
    """Return the time at which a stage ended in a run: just before the next shared call, or the end of the run."""
    after = stage.last + 1
    if after < len(procedure.shared):
        return max(0.0, float(_get_call_record(procedure.shared[after], run)["t"]) - 1)
    return procedure.runs[run].reading.duration


def _get_call_record(shared: SharedCall, run: int) -> dict[str, Any]:
    return shared.calls[run].record


def _read_page_text_at(run: SkillRun, t: float) -> str:
    return "\n".join(_read_page_lines_at(run, t))


def _read_page_lines_at(run: SkillRun, t: float) -> list[str]:
    return [line for page in run.reading.text(t) for line in page["text"].split("\n") if line]


def _find_common_lines(lines_of_runs: list[list[str]]) -> list[str]:
    others = [set(lines) for lines in lines_of_runs[1:]]
    return [line for line in dict.fromkeys(lines_of_runs[0]) if all(line in lines for lines in others)][:_MOST]
