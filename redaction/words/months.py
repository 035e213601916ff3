"""List the names of months from January to December, in the languages in which dates are recognized: full, as they are inflected in a date, and abbreviated."""

from __future__ import annotations

from importlib import resources
from typing import Final

_LISTED: Final = resources.files("pagereel.redaction.words").joinpath("months.txt").read_text("utf-8").split("\n\n")

FULL, SHORT = (
    tuple(tuple(row.split()) for row in rows.splitlines() if row and not row.startswith("#")) for rows in _LISTED
)
"""Full and abbreviated names: a row for each language and grammatical case, English first. A name belongs to the first
row that has it.
"""
ALSO: Final = {"sept": "sep", "jänner": "januar", "setiembre": "septiembre"}
"""Other spelling → the name."""
