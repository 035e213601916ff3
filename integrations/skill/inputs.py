"""Finds the inputs of a skill: the texts that differ between its runs, and those that the redaction masks."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from pagereel.integrations.as_test.literals import list_locator_texts, to_safe_locator

from .procedure import Procedure, RepeatableCall, SharedCall, Slot

MASK: Final = "•"
Role = Literal["text", "outline", "value", "address", "code"]
Masker = Callable[[str, Role], str]
_TAKEN: Final = frozenset(
    {"page", "expect", "re", "os", "sys", "argparse", "run", "main", "site", "headed", "given", "true", "false"}
)


@dataclass
class SkillInput:
    """One input of a skill, with its value in each run and the slots of the calls that use it."""

    name: str
    about: str
    """The field that it was typed into, or its meaning."""
    values: tuple[str, ...]
    """The recorded value of each run; masked values are unknown."""
    examples: tuple[str, ...] = ()
    """The same values, masked so that they may be shown."""
    uses: list[tuple[int, Slot]] = field(default_factory=list)

    @property
    def is_secret(self) -> bool:
        """Return whether the value is masked in the recordings, so that a user must give it."""
        return any(MASK in value for value in self.values)


def find_masking_role(slot: Slot) -> Role:
    """Return how the text in a slot of a call is masked: as an ``address``, as a ``text`` of the page, or as a typed
    ``value``.
    """
    return "address" if slot == ("param", "url") else "text" if slot[0] == "locator" else "value"


def find_inputs(procedure: Procedure, mask: Masker) -> list[SkillInput]:
    """Return the inputs of a procedure, each with the slots of the calls that use it.

    Slots whose texts are equal within each run are one input.
    """
    found: dict[tuple[str, ...], SkillInput] = {}
    for number, shared in enumerate(procedure.shared):
        for slot in shared.first_call.slots:
            values = shared.list_texts_at(slot)
            shown = tuple(mask(value, find_masking_role(slot)) for value in values)
            if len(set(values)) == 1 and MASK not in values[0] and shown == values:
                continue
            key = (f"secret {number} {slot}",) if MASK in "".join(values) else values
            known = found.get(key)
            if known is None:
                known = found[key] = SkillInput("", "", values, tuple(dict.fromkeys(s for s in shown if MASK not in s)))
            known.uses.append((number, slot))
    taken: set[str] = set()
    for each in found.values():
        each.name, each.about = _choose_input_name(procedure, each, taken)
        taken.add(each.name)
    return list(found.values())


def _choose_input_name(procedure: Procedure, skill_input: SkillInput, used_names: set[str]) -> tuple[str, str]:
    """Return a name and a description for an input.

    They come from the field into which the input is typed, otherwise from the element that the input identifies.
    """
    uses = sorted(skill_input.uses, key=lambda use: use[1][0] == "locator")
    number, slot = uses[0]
    shared = procedure.shared[number]
    name = next((name for name in map(to_parameter_name, _list_name_candidates(shared, slot)) if name), "value")
    count, free = 1, name
    while free in used_names:
        count += 1
        free = f"{name}_{count}"
    return free, _describe_use(shared.first_call, slot)


def _list_name_candidates(shared: SharedCall, slot: Slot) -> list[str]:
    code = to_safe_locator(shared.first_call.record.get("locator"))
    if slot == ("param", "url"):
        return ["path"]
    if slot[0] == "locator" and code is not None:
        role = re.search(r'get_by_role\("(\w+)"', code)
        return [role[1] if role else "text"]
    return list_locator_texts(code) if code is not None else []


def _describe_use(call: RepeatableCall, slot: Slot) -> str:
    code = to_safe_locator(call.record.get("locator")) or ""
    if slot == ("param", "url"):
        return "an address, without its site"
    return "what the element is called" if slot[0] == "locator" else f"what goes into {code or 'the page'}"


def to_parameter_name(text: str) -> str:
    """Return a text as the name of a Python parameter; "" if no letter or digit of it can be used."""
    name = "_".join(re.findall(r"[a-z0-9]+", text.lower()))[:40].strip("_")
    return "" if not name or name[0].isdigit() or keyword.iskeyword(name) or name in _TAKEN else name
