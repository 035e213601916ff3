"""Serves Fava over a ledger that names the people who paid: `ledger_app.py PORT`."""

import json
import os
import sys
from pathlib import Path

lines = ['option "title" "Kiln and Sons"', 'option "operating_currency" "EUR"']
lines += [f"2026-01-01 open {account}" for account in ("Assets:Bank", "Assets:Stock", "Expenses:Clay", "Expenses:Rent", "Income:Pots", "Equity:Opening")]  # fmt: skip
lines += ['2026-01-01 * "Opening"', "  Assets:Bank  2400.00 EUR", "  Equity:Opening"]
for number, one in enumerate(json.loads(Path("people.json").read_text("utf-8"))):
    day = f"2026-{1 + number % 11:02}-{1 + number:02}"
    lines += [f'{day} * "{one["name"]}" "Invoice {one["number"]}, {("Tern bottle vase", "Reed bowl", "Salt jug")[number % 3]}"', f"  Assets:Bank  {40 + number * 7}.50 EUR", "  Income:Pots",
              f'{day} * "{one["company"]}" "Clay, twelve bags"', f"  Expenses:Clay  {30 + number}.00 EUR", "  Assets:Bank"]  # fmt: skip
Path("kiln.beancount").write_text("\n".join(lines) + "\n", encoding="utf-8")
os.execvp("fava", ["fava", "kiln.beancount", "--host", "127.0.0.1", "-p", sys.argv[1]])
