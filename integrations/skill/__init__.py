"""Drafts a skill from several recordings of one task: the calls that all successful runs share, with the texts that differ as inputs.

    drafted = draft_skill(["a.reel", "b.reel", "c.reel"])
    drafted.write(Path("skills/order-a-vase"))

A skill is a folder for coding agents: ``SKILL.md`` with a name and a description in its front matter, and here
``skill.py``, a Playwright script. It is a draft until the script has run once without an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pagereel.integrations.replay_browser import call_in_thread
from pagereel.options import Redaction, normalize_redaction_option

from .conditions import find_end_lines, find_stages, find_start_lines
from .inputs import Masker, find_inputs, find_masking_role
from .markdown import write_skill_markdown
from .procedure import find_procedure
from .script import ScriptWriter
from .trial_run import TrialResult, run_skill_once

__all__ = ["DRAFT", "Skill", "TrialResult", "draft_skill", "run_skill_once"]

DRAFT = "Draft: this has not been run."
"""The status in both files of a skill that was not run."""


@dataclass
class Skill:
    """A drafted skill.

    `values`: the value of each input in the first run, to try the skill with; None if it is not recorded.
    """

    name: str
    title: str
    script: Callable[[str], str]
    """Returns the script's text for a status line."""
    page: Callable[[str], str]
    """Returns SKILL.md for a status line."""
    values: dict[str, str | None]
    check: Callable[[str], str]
    """Returns a finished text if it contains no known value; raises GateError."""

    def write(self, folder: Path, status: str = DRAFT) -> None:
        """Write SKILL.md and skill.py with the sentence `status` into a folder.

        :raises GateError: one of them contains a known value. OSError: the folder cannot be written.
        """
        made = {"SKILL.md": self.check(self.page(status)), "skill.py": self.check(self.script(status))}
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in made.items():
            (folder / name).write_text(text, "utf-8")


def draft_skill(
    recordings: Sequence[str | os.PathLike[str]], *, name: str = "", redaction: Redaction = "vendor"
) -> Skill:
    """Return a skill made of the calls that several recordings of one task share.

    A browser is needed, to read the texts that the pages showed.

    :param name: the skill's name; by default the name of the recordings' agent.
    :param redaction: the policy by which all recordings are masked jointly; a masked value becomes an input. None: no
        masking.

    :raises UsageError: fewer than two recordings, one that failed, or no calls that all of them share. ReelError: a
    file
        is no recording.
    """
    paths = [Path(path) for path in recordings]
    procedure = find_procedure(paths)
    stages, why = call_in_thread(lambda: find_stages(procedure))
    before, after = find_start_lines(procedure), find_end_lines(procedure)
    asked: dict[tuple[str, str], str] = {}

    def collect_text(value: str, role: str) -> str:
        asked.setdefault((value, role), value)
        return value

    title = name or str(procedure.runs[0].reading.header.get("agent") or "") or paths[0].stem
    collect_text(title, "text")
    for line in (*before, *after, *(said for stage in stages for _, said in stage.says)):
        collect_text(line, "outline")
    for stage in stages:
        collect_text(stage.title, "text")
    for shared in procedure.shared:
        for call in shared.calls:
            for slot, value in call.slots.items():
                collect_text(value, find_masking_role(slot))
            url = (call.record.get("params") or {}).get("url")
            if isinstance(url, str):
                collect_text("/".join(url.split("/")[:3]), "address")
    check = _mask_texts(paths, asked, redaction)

    def mask_text(value: str, role: str) -> str:
        return asked[value, role]

    inputs = find_inputs(procedure, mask_text)
    written = ScriptWriter(procedure, inputs, stages, mask_text)
    shown = mask_text(title, "text")
    page = {"before": _mask_lines(before, mask_text), "after": _mask_lines(after, mask_text)}
    return Skill(
        make_skill_name(shown), shown, lambda status: written.render_script(f"{shown}.", status),
        lambda status: write_skill_markdown(make_skill_name(shown), shown, status, procedure, inputs, written, page, why, mask_text),
        {each.name: None if each.is_secret else each.values[0] for each in inputs}, check,
    )  # fmt: skip


def make_skill_name(text: str) -> str:
    """Return a text as a skill's name: lower-case letters, digits and hyphens, at most 64 characters."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:64].strip("-") or "skill"


def _mask_lines(lines: Sequence[str], mask: Masker) -> list[str]:
    return [mask(line, "outline") for line in lines]


def _mask_texts(paths: Sequence[Path], texts: dict[tuple[str, str], str], redaction: Redaction) -> Callable[[str], str]:
    """Replace the texts in `texts` by their masked form.

    Return the function that checks a finished text for known values.
    """
    policy = normalize_redaction_option(redaction)
    if policy is None:
        return lambda text: text
    from pagereel.redaction import mask_excerpts_jointly

    masked = mask_excerpts_jointly(paths, list(texts), policy)  # type: ignore[arg-type]
    for key, value in zip(list(texts), masked.values, strict=True):
        texts[key] = str(value)
    gate = masked.gate

    def require_no_leak(text: str) -> str:
        if gate is not None:
            gate.raise_on_leak(text, "the skill")
        return text

    return require_no_leak
