"""Serves a jspreadsheet of customers and what they owe: `sheet_app.py PORT`; its packages are in $MODULES."""

import http.server
import json
import os
import sys
from pathlib import Path

ROWS = [
    [one["name"], one["company"], one["email"], one["phone"], one["joined"], ("Tern bottle vase", "Reed bowl", "Salt jug")[n % 3], one["balance"], f"=G{n + 1}*0.2", "paid" if n % 4 else "overdue"]
    for n, one in enumerate(json.loads(Path("people.json").read_text("utf-8")))
]  # fmt: skip
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invoices - Kiln</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/npm/jsuites/dist/jsuites.css"><link rel="stylesheet" href="/npm/jspreadsheet-ce/dist/jspreadsheet.css"></head>
<body style="margin:8px;font-family:sans-serif"><h1>Invoices</h1><div id="sheet"></div><script src="/npm/jsuites/dist/jsuites.js"></script><script src="/npm/@jspreadsheet/formula/dist/index.js"></script>
<script src="/npm/jspreadsheet-ce/dist/index.js"></script><script>
jspreadsheet(document.getElementById("sheet"), { tabs: true, toolbar: true, worksheets: [{ data: ROWS, minDimensions: [9, 24], search: true, worksheetName: "Invoices",
  columns: [{ type: "text", title: "Customer", width: 140 }, { type: "text", title: "Company", width: 160 }, { type: "text", title: "E-mail", width: 190 }, { type: "text", title: "Phone", width: 120 },
  { type: "calendar", title: "Due", width: 90 }, { type: "text", title: "Product", width: 120 }, { type: "numeric", title: "Amount", width: 80 }, { type: "numeric", title: "Tax", width: 80 },
  { type: "dropdown", title: "State", width: 80, source: ["paid", "overdue", "written off"] }] }] });
</script></body></html>"""  # fmt: skip


class SheetHandler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/":
            body = PAGE.replace("ROWS", json.dumps(ROWS)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        else:
            super().do_GET()

    def translate_path(self, path: str) -> str:
        return str(Path(os.environ["MODULES"]) / path.removeprefix("/npm/"))


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), SheetHandler).serve_forever()
