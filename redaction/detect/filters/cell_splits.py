"""Split a number that a finding joined from several cells of a table, if one of the cells is an amount or a date."""

from __future__ import annotations

import re
from itertools import groupby

from ...contracts.entities import OF_DIGITS
from ...contracts.findings import Finding

_CELLS = re.compile(r"(?<!\s)\s*[\n\t]\s*")
_CELL = re.compile(r"[^\s](?:[^\n\t]*[^\s])?")
_AMOUNT_OR_DAY = re.compile(r"\d{1,7}[.,]\d\d|(?:19|20)\d\d-\d\d-\d\d")
_ROW = 3
"""Most digits of a row's number and other counts in cells."""


def split_number_at_cells(text: str, finding: Finding) -> list[Finding]:
    """Return the findings into which a number over several cells is split, if one of the cells is an amount or a date;
    else the given finding.

    ``764.88`` and ``2026-01-02`` side by side are no telephone number. The cells between amounts and dates stay
    together, because a page may show one number over several cells.
    """
    if (
        finding.entity not in OF_DIGITS
        or not _CELLS.search(text, finding.start, finding.end)
        or any(map(str.isalpha, text[finding.start : finding.end]))
    ):
        return [finding]
    cells = [finding._replace(start=m.start(), end=m.end()) for m in _CELL.finditer(text, finding.start, finding.end)]
    apart = [_AMOUNT_OR_DAY.fullmatch(text, cell.start, cell.end) is not None for cell in cells]
    if not any(apart):
        return [finding]
    runs = [list(run) for _, run in groupby(range(len(cells)), key=lambda at: -1 if not apart[at] else at)]
    wholes = [finding._replace(start=cells[run[0]].start, end=cells[run[-1]].end) for run in runs]
    return [g for g in wholes if sum(map(str.isdigit, text[g.start : g.end])) > _ROW]
