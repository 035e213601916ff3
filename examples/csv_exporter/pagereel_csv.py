"""A recording's calls as CSV, for a spreadsheet: an exporter that lives in a package of its own.

pip install ./examples/csv_exporter
pagereel export run.reel run.csv
pagereel export run.reel run.csv --option delimiter=';'
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from pagereel.integrations import Exporter
from pagereel.reading import RecordedRun

COLUMNS = ("t", "duration", "kind", "title", "locator", "error")


def write_csv(reel: Path, delimiter: str = ",") -> str:
    """One row for each call of Playwright, model or tool; times in ms. The reel is masked already."""
    text = io.StringIO()
    rows = csv.DictWriter(text, COLUMNS, extrasaction="ignore", delimiter=delimiter)
    rows.writeheader()
    for call in RecordedRun(reel).calls():
        rows.writerow({"title": call.get("name") or call.get("model"), **call})
    return text.getvalue()


csv_exporter = Exporter(write_csv, endings=(".csv",), options={"delimiter": str})
