"""Describes the state of a recording as text and as JSON: complete, cut off, damaged, or masked before."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pagereel.cli.console import print_warning


def describe_recording_state(sealed: bool, damage: Any) -> str:
    """Return the state of a recording as text: `complete recording`, `unsealed: …` or `damaged …`.

    The text says what this state means for the replay.
    """
    if damage is not None:
        at = "at " if damage.frame >= 0 else ""
        return (
            f"damaged {at}{'' if at else '('}{describe_damage(damage)}{'' if at else ')'}; everything before that plays"
        )
    return "complete recording" if sealed else "unsealed: the recording was cut off; everything before the cut plays"


def describe_damage(damage: Any) -> str:
    """Return the place and the kind of a damage: `frame 12 at byte 40213: the hash of the frame before differs`."""
    return str(damage)


def damage_to_json(damage: Any) -> dict[str, Any] | None:
    """Return a damage as JSON: `frame`, `offset` in bytes, `reason`; None when there is none."""
    if damage is not None and damage.frame < 0:
        return {"reason": damage.reason}
    return damage and {"frame": damage.frame, "offset": damage.offset, "reason": damage.reason}


def to_plain_json(value: object) -> Any:
    """Return a report as plain JSON values, whatever its type."""
    import msgspec

    return msgspec.to_builtins(value, enc_hook=str)


def read_masking_policy(source: Path) -> str | None:
    """Return the policy with which a recording was masked before; None for an unmasked one."""
    from pagereel.sources import open_any

    with open_any(source) as recording:
        return next((str(event.get("policy")) for event in recording.events(("redaction",))), None)


def print_unread_parts(source: Path) -> list[str]:
    """Print a warning for each part of a recording that could not be read completely, and return these sentences.

    There are none for a complete recording.
    """
    from pagereel.sources import open_any

    with open_any(source) as recording:
        return print_recording_warnings(source, recording.warnings, recording.closed, recording.damage)


def print_recording_warnings(source: Path, warnings: Iterable[str], sealed: bool, damage: Any) -> list[str]:
    """Print and return the warnings about an open recording: what could not be read, and whether it is damaged or cut off."""
    told = [*warnings]
    if damage is not None or not sealed:
        told.append(f"{source} is {describe_recording_state(sealed, damage)}.")
    for sentence in told:
        print_warning(sentence)
    return told
