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

from pagereel.integrations.render import in_own_thread
from pagereel.options import Redaction, redaction_of

from .conditions import begin, lasting, stages_of
from .inputs import Masker, inputs_of, role_of
from .markdown import markdown
from .procedure import procedure_of
from .running import Verdict, try_once
from .script import ScriptWriter

__all__ = ["DRAFT", "Skill", "Verdict", "draft_skill", "try_once"]

DRAFT = "Draft: this has not been run."
"""The status in both files of a skill that was not run."""


@dataclass
class Skill:
    """A drafted skill.

    `values`: for each input the value in the first run, to try the skill with; None where the recording does not have
    it.
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
    """Return the skill that recordings of one task have in common. It needs a browser to read what the pages showed.

    :param name: the skill's name; by default the name of the recordings' agent.
    :param redaction: the policy by which all recordings are masked jointly; a masked value becomes an input. None: no masking.
    :raises UsageError: fewer than two recordings, one that failed, or no calls that all of them share. ReelError: a
    file is no recording.
    """
    paths = [Path(path) for path in recordings]
    procedure = procedure_of(paths)
    stages, why = in_own_thread(lambda: stages_of(procedure))
    before, after = begin(procedure), lasting(procedure)
    asked: dict[tuple[str, str], str] = {}

    def note(value: str, role: str) -> str:
        asked.setdefault((value, role), value)
        return value

    title = name or str(procedure.runs[0].reading.header.get("agent") or "") or paths[0].stem
    note(title, "text")
    for line in (*before, *after, *(said for stage in stages for _, said in stage.says)):
        note(line, "outline")
    for stage in stages:
        note(stage.title, "text")
    for shared in procedure.shared:
        for call in shared.calls:
            for slot, value in call.slots.items():
                note(value, role_of(slot))
            url = (call.record.get("params") or {}).get("url")
            if isinstance(url, str):
                note("/".join(url.split("/")[:3]), "address")
    check = _masked(paths, asked, redaction)

    def mask(value: str, role: str) -> str:
        return asked[value, role]

    inputs = inputs_of(procedure, mask)
    written = ScriptWriter(procedure, inputs, stages, mask)
    shown = mask(title, "text")
    page = {"before": _kept(before, mask), "after": _kept(after, mask)}
    return Skill(
        slug(shown), shown, lambda status: written.text(f"{shown}.", status),
        lambda status: markdown(slug(shown), shown, status, procedure, inputs, written, page, why, mask),
        {each.name: None if each.secret else each.values[0] for each in inputs}, check,
    )  # fmt: skip


def slug(text: str) -> str:
    """Return a text as a skill's name: lower-case letters, digits and hyphens, at most 64 characters."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:64].strip("-") or "skill"


def _kept(lines: Sequence[str], mask: Masker) -> list[str]:
    return [mask(line, "outline") for line in lines]


def _masked(paths: Sequence[Path], asked: dict[tuple[str, str], str], redaction: Redaction) -> Callable[[str], str]:
    """Replace the texts in `asked` by their masked form. Return the function that checks a finished text for known
    values.
    """
    policy = redaction_of(redaction)
    if policy is None:
        return lambda text: text
    from pagereel.redaction import mask_jointly

    masked = mask_jointly(paths, list(asked), policy)  # type: ignore[arg-type]
    for key, value in zip(list(asked), masked.values, strict=True):
        asked[key] = str(value)
    gate = masked.gate

    def check(text: str) -> str:
        if gate is not None:
            gate.check(text, "the skill")
        return text

    return check
