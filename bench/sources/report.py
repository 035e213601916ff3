"""Writes the table of compared traces into docs/sources.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def write_table(results: list[Any], page: Path) -> None:
    """Write the table of measured traces between the two marks of the page."""
    rows = ["| Playwright | traces | snapshots | lines | equal |", "|---|---|---|---|---|"]
    for version in dict.fromkeys(result.version for result in results):
        mine = [result for result in results if result.version == version]
        lines, equal = sum(result.lines for result in mine), sum(result.equal for result in mine)
        rows.append(
            f"| {version} | {len(mine)} | {sum(r.snapshots for r in mine)} | {lines:,} | {equal / max(lines, 1):.3%} |"
        )
    names = ", ".join(dict.fromkeys(result.name for result in results))
    text = page.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    page.write_text(f"{head}{BEGIN}\n" + "\n".join(rows) + f"\n\nPages: {names}.\n{END}{tail}", encoding="utf-8")
