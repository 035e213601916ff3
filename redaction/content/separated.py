"""Tables in text: CSV and its like, read where their first row names their columns."""

from __future__ import annotations

import csv
import re
from typing import Final

_NAME: Final = re.compile(r"[^\W\d_][\w .:/#()-]{0,60}")
_MOST_CELLS: Final = 2_000_000
_LARGEST: Final = 1 << 17


def table_of(text: str, separators: str) -> list[list[str]] | None:
    """Return the rows of a table, or None: its first row has no names of columns, or the rows do not fit it.

    :param separators: signs that may stand between cells; the one that the first row has most of counts.
    """
    first = text.lstrip("\ufeff\r\n").partition("\n")[0]
    between = max(separators, key=first.count)
    if len(first) > _LARGEST or text.count(between) > _MOST_CELLS:
        return None
    try:
        rows = list(csv.reader(text.lstrip("\ufeff\r\n").splitlines(keepends=True), delimiter=between))
    except csv.Error:
        return None
    rows = [row for row in rows if row]
    if len(rows) < 2 or not all(_NAME.fullmatch(name.strip()) for name in rows[0]):
        return None
    fitting = sum(len(row) == len(rows[0]) for row in rows)
    return rows if fitting * 10 >= len(rows) * 9 else None
