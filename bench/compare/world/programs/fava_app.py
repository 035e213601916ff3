"""Serves Fava over a small ledger."""

import os
import sys
from pathlib import Path

lines = ['option "title" "Kiln and Sons"', 'option "operating_currency" "EUR"']
lines += [
    f"2026-01-01 open {account}"
    for account in (
        "Assets:Bank",
        "Assets:Stock",
        "Expenses:Clay",
        "Expenses:Rent",
        "Expenses:Gas",
        "Income:Pots",
        "Equity:Opening",
    )
]
lines += ['2026-01-01 * "Opening"', "  Assets:Bank  2400.00 EUR", "  Equity:Opening"]
for month in range(1, 11):
    lines += [f'2026-{month:02}-03 * "Landlord" "Rent of month {month}"', "  Expenses:Rent  640.00 EUR", "  Assets:Bank",
              f'2026-{month:02}-09 * "Clay works" "Twelve bags"', f"  Expenses:Clay  {80 + 5 * month}.00 EUR", "  Assets:Bank",
              f'2026-{month:02}-19 * "Market" "Pots sold"', f"  Assets:Bank  {900 + 40 * month}.00 EUR", "  Income:Pots"]  # fmt: skip
Path("kiln.beancount").write_text("\n".join(lines) + "\n")
os.execvp("fava", ["fava", "kiln.beancount", "--host", "127.0.0.1", "-p", sys.argv[1]])
