"""Writes the table of figures in docs/redaction.md: which share of values is masked whole, and how precisely, by set and by language.

python -m bench.redaction.table                               # prints it; data from PAGEREEL_PII_DATA, else ../shared/data/
python -m bench.redaction.table --write docs/redaction.md     # between the marks that the page has for it
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.redaction import by_language, sets
from bench.redaction.__main__ import DEFAULT
from bench.redaction.score import find_with_pagereel, score_rows

BEGIN, END = "<!-- figures: python -m bench.redaction.table --write docs/redaction.md -->", "<!-- end of figures -->"
_KINDS = ("PERSON", "ORGANIZATION", "TITLE")
_HEAD = (
    "| lines | values | masked whole | in small letters | in capitals | precision | people | companies | positions |",
    "|---|---|---|---|---|---|---|---|---|",
)


def iter_rows(data: Path) -> Iterator[str]:
    """Yield the rows of the table, one for each set of lines and each language."""
    judges = {"held-out templates": sets.split_held_out(data)[1]}
    judges |= {f"strangers', {of} scripts" if of == "other" else f"strangers', {of}": rows for of, rows in sets.read_judging_rows().items()}  # fmt: skip
    judges |= {f"our own, {name}": by_language.read_sentences(code) for code, name in by_language.LANGUAGES.items()}
    for name, lines in judges.items():
        yield make_row(name, lines)


def make_row(name: str, lines: Sequence[sets.Row]) -> str:
    """Return one row of the table: figures of a set as it is, in lower case and in upper case."""
    figures = []
    for change in (str, str.lower, str.upper):
        same = [
            {**line, "text": change(line["text"])} for line in lines if len(change(line["text"])) == len(line["text"])
        ]
        figures.append(score_rows(same, find_with_pagereel([line["text"] for line in same])))
    full, small, capitals = (f"{figure['full']:.3f}" for figure in figures)
    kinds = (figures[0]["types"].get(kind) for kind in _KINDS)
    told = " | ".join(f"{kind['full']:.2f}" if kind else "" for kind in kinds)
    return (
        f"| {name} | {figures[0]['spans']:,} | {full} | {small} | {capitals} | {figures[0]['precision']:.3f} | {told} |"
    )


def main() -> None:
    """Print the table, or write it between the marks of a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=Path(os.environ.get("PAGEREEL_PII_DATA", DEFAULT)))
    parser.add_argument("--write", type=Path, help="a page with the marks")
    options = parser.parse_args()
    table = [*_HEAD]
    for line in iter_rows(options.data):
        print(line, flush=True)
        table.append(line)
    if options.write:
        before, _, rest = options.write.read_text("utf-8").partition(BEGIN)
        page = "\n".join([before + BEGIN, *table, END + rest.partition(END)[2]])
        options.write.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
