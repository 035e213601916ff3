"""Describes the state of a recording as text and as JSON: complete, cut off, damaged, or masked before."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pagereel.cli.console import warn


def state_text(sealed: bool, damage: Any) -> str:
    """Return a recording's state as text with what it means for the replay: `complete recording`, `unsealed: …` or
    `damaged …`.
    """
    if damage is not None:
        at = "at " if damage.frame >= 0 else ""
        return f"damaged {at}{'' if at else '('}{damage_text(damage)}{'' if at else ')'}; everything before that plays"
    return "complete recording" if sealed else "unsealed: the recording was cut off; everything before the cut plays"


def damage_text(damage: Any) -> str:
    """Return where and how a recording is damaged: `frame 12 at byte 40213: the hash of the frame before differs`."""
    return str(damage)


def damage_json(damage: Any) -> dict[str, Any] | None:
    """Return a damage as JSON: `frame`, `offset` in bytes, `reason`; None when there is none."""
    if damage is not None and damage.frame < 0:
        return {"reason": damage.reason}
    return damage and {"frame": damage.frame, "offset": damage.offset, "reason": damage.reason}


def as_plain(value: object) -> Any:
    """Return a report as plain JSON values, whatever its type."""
    import msgspec

    return msgspec.to_builtins(value, enc_hook=str)


def masked_before(source: Path) -> str | None:
    """Return the policy with which a recording was masked before; None for an unmasked one."""
    from pagereel.sources import open_any

    with open_any(source) as recording:
        return next((str(event.get("policy")) for event in recording.events(("redaction",))), None)


def say_cut(source: Path) -> list[str]:
    """Print a warning for each part of a recording that could not be read, or not reliably. Return these sentences;
    there are none for a complete recording.
    """
    from pagereel.sources import open_any

    with open_any(source) as recording:
        return say_unread(source, recording.warnings, recording.closed, recording.damage)


def say_unread(source: Path, warnings: Iterable[str], sealed: bool, damage: Any) -> list[str]:
    """Print the sentences of :func:`say_cut` for a recording that is already open, and return them."""
    told = [*warnings]
    if damage is not None or not sealed:
        told.append(f"{source} is {state_text(sealed, damage)}.")
    for sentence in told:
        warn(sentence)
    return told
