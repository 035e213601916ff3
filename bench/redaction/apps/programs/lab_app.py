"""Serves JupyterLab with a long notebook about customers: `lab_app.py PORT [LOCALE]`; the people are read from people.json."""

import html
import json
import os
import sys
from pathlib import Path

TOLD = json.loads(Path("people.json").read_text("utf-8"))
BIN = Path(sys.executable).parent


def make_markdown_cell(*lines: str) -> dict[str, object]:
    """Return a Markdown cell of a notebook."""
    return {"cell_type": "markdown", "id": f"m{abs(hash(lines)) % 10**8}", "metadata": {}, "source": "\n".join(lines)}


def make_code_cell(number: int, source: str, **data: str) -> dict[str, object]:
    """Return a code cell of a notebook with its output."""
    given = {kind.replace("_", "/"): text for kind, text in data.items()}
    output = {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": given}
    return {"cell_type": "code", "id": f"c{number}", "metadata": {}, "execution_count": number, "source": source, "outputs": [output]}  # fmt: skip


def make_html_table(rows: list[list[str]], heads: list[str]) -> str:
    """Return a table as pandas writes it in HTML."""
    head = "".join(f"<th>{html.escape(one)}</th>" for one in heads)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<table border="1" class="dataframe"><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>'


rows = [[str(n), one["name"], one["city"], one["email"], f"{one['balance']:.2f}", one["joined"]] for n, one in enumerate(TOLD)]  # fmt: skip
most = sorted(TOLD, key=lambda one: -one["balance"])[:5]
by_city = "\n".join(f"{one['city']:<14}{one['balance']:>10.2f}" for one in TOLD[:8])
cells = [
    make_markdown_cell("# 顧客の請求書", "", f"担当: {TOLD[1]['name']}。質問は {TOLD[1]['email']} まで。"),
    make_code_cell(1, "import pandas as pd\ncustomers = pd.read_csv('customers.csv')\ncustomers.head()", text_html=make_html_table(rows[:5], ["name", "city", "email", "balance", "joined"]), text_plain="5 rows"),
    make_markdown_cell("## 残高の多い順", "", *[f"- **{one['name']}**: {one['balance']:.2f} ユーロ" for one in most]),
    make_code_cell(2, "customers", text_html=make_html_table(rows, ["name", "city", "email", "balance", "joined"]), text_plain="24 rows"),
    make_code_cell(3, f"customers[customers.name == '{TOLD[5]['name']}'].iloc[0].to_dict()", text_plain=repr({"name": TOLD[5]["name"], "email": TOLD[5]["email"], "phone": TOLD[5]["phone"]})),
    make_code_cell(4, "customers.groupby('city').balance.sum()", text_plain=f"city\n{by_city}\nName: balance, dtype: float64"),
    make_markdown_cell("## Next steps", "", "1. Send the reminders.", f"2. Call {TOLD[6]['name']} ({TOLD[6]['phone']}).", "3. Archive what is paid."),
]  # fmt: skip
book = {"cells": cells, "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}  # fmt: skip
Path("work").mkdir()
Path("work/customers.ipynb").write_text(json.dumps(book, ensure_ascii=False), encoding="utf-8")
if len(sys.argv) > 2:
    settings = Path.home() / ".jupyter/lab/user-settings/@jupyterlab/translation-extension"
    settings.mkdir(parents=True)
    (settings / "plugin.jupyterlab-settings").write_text(json.dumps({"locale": sys.argv[2]}), encoding="utf-8")
options = {"ip": "127.0.0.1", "port": sys.argv[1], "open_browser": "False", "token": "", "root_dir": "work", "allow_root": "True"}  # fmt: skip
os.execv(
    BIN / "jupyter-lab",
    ["jupyter-lab", *[f"--ServerApp.{name}={value}" for name, value in options.items()], "--IdentityProvider.token="],
)
