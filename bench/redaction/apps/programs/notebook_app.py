"""Serves TiddlyWiki on its own server: `notebook_app.py PORT`; the people are read from people.json, its package is in $MODULES."""

import json
import os
import subprocess
import sys
from pathlib import Path

TOLD = json.loads(Path("people.json").read_text("utf-8"))
command = ["node", os.environ["MODULES"] + "/tiddlywiki/tiddlywiki.js", "notes"]
subprocess.run([*command, "--init", "server"], check=True)
tiddlers = Path("notes/tiddlers")
tiddlers.mkdir(exist_ok=True)


def write_note(title: str, tags: str, text: str) -> None:
    """Write one note into a file."""
    name = "".join(c if c.isalnum() else "_" for c in title)
    (tiddlers / f"{name}.tid").write_text(f"created: 20261120101500000\nmodified: 20261121101500000\nmodifier: {TOLD[0]['user']}\ntags: {tags}\ntitle: {title}\ntype: text/vnd.tiddlywiki\n\n{text}\n", "utf-8")  # fmt: skip


for one in TOLD[1:7]:
    write_note(one["name"], "people", f"{one['job']} at {one['company']}.\n\n|Telephone|{one['phone']}|\n|E-mail|{one['email']}|\n|Home|{one['street']}, {one['city']}|\n|Born|{one['born']}|")  # fmt: skip
write_note("Glaze meeting", "meetings", f"! Who came\n* [[{TOLD[1]['name']}]]\n* [[{TOLD[2]['name']}]]\n* {TOLD[8]['name']} by telephone\n\n! Decided\nLess iron. {TOLD[2]['first']} fires the tests on Friday.")  # fmt: skip
write_note("Recipe Celadon", "recipes", "* 40 Feldspar\n* 30 Silica\n* 20 Whiting\n* 10 Kaolin\n* 1 Iron oxide")
(tiddlers / "site.tid").write_text("title: $:/SiteTitle\n\nStudio notebook\n", "utf-8")
(tiddlers / "default.tid").write_text('title: $:/DefaultTiddlers\n\n[[Glaze meeting]] [[Recipe Celadon]]\n', "utf-8")  # fmt: skip
os.execvp("node", [*command, "--listen", f"port={sys.argv[1]}", "host=127.0.0.1"])
