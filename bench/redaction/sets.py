"""Reads the sets of lines with marked personal data, and says which half of each set somebody has read for what fails.

Whoever reads what fails in a set tunes on it, so of most sets every second line is kept unread: the halves that nobody read judge the detector. Failures in
those are counted and never printed.

fourth, fifth
    Posts, invoices, chats, letters, news, dashboards, tables; written before the rules of their day. Not read.
sixth to eighth
    The first, third, fifth line and so on were read. The seventh is positions and companies above all, the eighth twenty languages.
ninth, tenth
    Other trades. All lines were read, of the tenth after it had judged once.
eleventh to thirteenth, fifteenth, seventeenth, eighteenth
    By strangers who saw neither rules nor lists nor other sets, in many languages; the second, fourth, sixth line and so on were read.
fourteenth, sixteenth
    By two more strangers, ten languages of other scripts than Latin. Not read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from bench.redaction.by_language import parse_marked_line

Row = dict[str, Any]
FOLDER = Path(__file__).with_name("sets")
NONE, ALL = -1, 2
READ = {
    "fourth": NONE, "fifth": NONE, "sixth": 0, "seventh": 0, "eighth": 0, "ninth": ALL, "tenth": ALL, "eleventh": 1, "twelfth": 1,
    "thirteenth": 1, "fourteenth": NONE, "fifteenth": 1, "sixteenth": NONE, "seventeenth": 1, "eighteenth": 1,
}  # fmt: skip
"""Of each set the half that was read: 0 begins with the first line, 1 with the second."""
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1cff\u3040-\ud7ff]")


@cache
def _read_lines(name: str) -> tuple[str, ...]:
    return tuple((FOLDER / f"{name}.txt").read_text("utf-8").splitlines())


def read_rows(name: str) -> list[Row]:
    """Return the sentences of a set as rows, as in `pii_sentences_dev.jsonl`."""
    return parse_rows(_read_lines(name))


def parse_rows(lines: Iterable[str]) -> list[Row]:
    r"""Return marked lines as rows, without those that begin with ``#``; ``\n`` and ``\t`` in a line stand for a line's end and a tab."""
    marked = [line for line in lines if line and not line.startswith("#")]
    return [
        parse_marked_line(line.replace("\\n", "\n").replace("\\t", "\t"), number) for number, line in enumerate(marked)
    ]


def split_read_half(name: str) -> tuple[list[Row], list[Row]]:
    """Return two lists of a set's rows: those that somebody read for what fails, and those that nobody read."""
    rows, read = read_rows(name), READ[name]
    if read in (NONE, ALL):
        return (rows, []) if read == ALL else ([], rows)
    return rows[read::2], rows[1 - read :: 2]


def split_held_out(data: Path) -> tuple[list[Row], list[Row]]:
    """Return two lists of the sentences in a file of JSON lines: those by which rules may be written, and the held-out ones."""
    rows = [json.loads(line) for line in data.read_text("utf-8").splitlines()]
    return [r for r in rows if r["template_id"] % 3], [r for r in rows if r["template_id"] % 3 == 0]


def is_in_other_script(text: str) -> bool:
    """Return whether most letters of a text belong to another script than Latin."""
    letters = [c for c in text if c.isalpha()]
    return sum(_OTHER_SCRIPT.match(c) is not None for c in letters) * 2 > len(letters)


def read_judging_rows() -> dict[str, list[Row]]:
    """Return the rows that nobody read, by script: *Latin* and *other*.

    The fourth and the fifth set are left out, as they are older than most rules.
    """
    out: dict[str, list[Row]] = {"Latin": [], "other": []}
    for name in READ:
        if name not in ("fourth", "fifth"):
            for row in split_read_half(name)[1]:
                out["other" if is_in_other_script(row["text"]) else "Latin"].append(row)
    return out
