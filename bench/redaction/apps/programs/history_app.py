"""Serves Mercurial's own pages over a repository of letters and recipes: `history_app.py PORT`."""

import json
import os
import subprocess
import sys
from pathlib import Path

TOLD = json.loads(Path("people.json").read_text("utf-8"))
HG = str(Path(sys.executable).with_name("hg"))
Path("kiln").mkdir()


def run_hg(*words: str) -> None:
    """Run Mercurial in the repository."""
    subprocess.run([HG, "--cwd", "kiln", *words], check=True, capture_output=True)


run_hg("init")
CHANGES = (("recipes/celadon.txt", "First celadon"), ("recipes/tenmoku.txt", "Add tenmoku"), ("firing.py", "Count the cones"), ("recipes/celadon.txt", "Less iron in the celadon"), ("letters/offer.txt", "Offer for the teapots"))  # fmt: skip
for number in range(15):
    one, (name, title) = TOLD[number], CHANGES[number % 5]
    path = Path("kiln", name)
    path.parent.mkdir(exist_ok=True)
    if name.endswith(".py"):
        text = (
            f"def cones(degrees: int) -> int:\n    # asked for by {one['name']}\n    return degrees // 120 + {number}\n"
        )
    else:
        text = f"Feldspar {30 + number}\nSilica 28\nWhiting 18\n\nTested with {one['name']}, {one['city']}, {one['phone']}.\n"
    path.write_text(text, encoding="utf-8")
    why = ("", f"\n\nReported by {TOLD[number + 1]['name']} <{TOLD[number + 1]['email']}>.")[number % 2]
    run_hg("commit", "-A", "-u", f"{one['name']} <{one['email']}>", "-d", f"{one['joined']} 10:3{number % 10}", "-m", title + why)  # fmt: skip
words = [HG, "serve", "-R", "kiln", "-a", "127.0.0.1", "-p", sys.argv[1], "-n", "kiln"]
os.execv(HG, words)
