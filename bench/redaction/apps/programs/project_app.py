"""Serves Trac with pages and tickets: `project_app.py PORT`; the people are read from people.json."""

import json
import os
import subprocess
import sys
from pathlib import Path

TOLD = json.loads(Path("people.json").read_text("utf-8"))
BIN = Path(sys.executable).parent
subprocess.run([BIN / "trac-admin", "studio", "initenv", "Studio", "sqlite:db/trac.db"], check=True)
subprocess.run([BIN / "trac-admin", "studio", "permission", "add", "anonymous", "TRAC_ADMIN"], check=True)

from trac.env import open_environment  # noqa: E402 - the environment exists now
from trac.ticket.model import Ticket  # noqa: E402
from trac.wiki.model import WikiPage  # noqa: E402

env = open_environment("studio")
people = "\n".join(f"||{one['name']}||{one['job']}||{one['phone']}||{one['email']}||" for one in TOLD[:8])
page = WikiPage(env, "WikiStart")
page.text = f"= Studio =\nFirings, glazes and who to ask.\n\n== People ==\n||= Who =||= Does =||= Telephone =||= E-mail =||\n{people}\n\n * FiringPlan\n * [query:status!=closed Open tickets]\n"  # fmt: skip
page.save(TOLD[1]["user"], "People of this year")
page = WikiPage(env, "FiringPlan")
page.text = f"= Firing plan =\nBisque on Monday ({TOLD[2]['name']}), glaze on Thursday ({TOLD[3]['first']}).\n{{{{{{\n100 °C/h to 600 °C, then full to 1240 °C\n}}}}}}\n"  # fmt: skip
page.save(TOLD[2]["user"], "")
for number, (summary, kind) in enumerate((("Kiln 2 trips the fuse", "defect"), ("Order cobalt from {company}", "task"), ("{name} wants her money back", "task"), ("Label the buckets", "enhancement"))):  # fmt: skip
    one = TOLD[10 + number]
    ticket = Ticket(env)
    ticket["summary"], ticket["type"], ticket["reporter"], ticket["owner"] = summary.format(**one), kind, one["user"], TOLD[number]["user"]  # fmt: skip
    ticket["description"] = f"{one['name']} lives at {one['street']}, {one['city']}. See FiringPlan."
    ticket["status"] = "new"
    ticket.insert()
    ticket.save_changes(TOLD[number]["user"], f"I called {one['first']} at {one['phone']}.")
words = [str(BIN / "tracd"), "--port", sys.argv[1], "--hostname", "127.0.0.1", "-s", "studio"]
os.execv(words[0], words)
