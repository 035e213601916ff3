"""Defines the types of options that several public functions have."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from pagereel.redaction import Policy

Redaction: TypeAlias = "Policy | str | os.PathLike[str] | None"
"""How a recording is masked: a policy's name (``vendor``, ``strict``, ``internal``), the path of a policy file, a
:class:`pagereel.redaction.Policy`, or None or ``off``: as it was recorded.
"""
OnLeak = Literal["fail", "drop"]
"""What happens when the gate finds a known value: nothing is written, or what holds the value is left out."""
Theme = Literal["auto", "light", "dark"]
"""The player's colours; ``auto`` takes the reader's."""


def normalize_redaction_option(redaction: Redaction) -> Redaction:
    """Return the value of the option `redaction`, with ``off`` replaced by None."""
    return None if redaction == "off" else redaction
