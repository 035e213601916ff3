"""Serves a wiki: An Otter Wiki over a git repository of a few pages, which everybody may change."""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path.cwd()
STORE = HERE / "pages"
PAGES = {
    "Home": "# Kiln\n\nWhat we know about **firing**, one page at a time.\n\n- [[Glazes]]\n- [[Firing log]]\n- [[People]]\n\n> Clay remembers.\n",
    "Glazes": "# Glazes\n\n| glaze | cone | atmosphere |\n|---|---|---|\n| Celadon | 10 | reduction |\n| Tenmoku | 9 | reduction |\n| Cobalt | 6 | oxidation |\n\n## Celadon\n\nIron, one to two per cent. See also [[Firing log]].\n\n```python\ndef cone(degrees):\n    return (degrees - 1000) // 24\n```\n\n## Tenmoku\n\nIron again, eight to ten per cent.\n\n- [x] test tile\n- [ ] mug\n",
    "Firing log": "# Firing log\n\n"
    + "\n".join(
        f"## Firing {n}\n\nUp to {1200 + n * 7} °C in {9 + n % 4} hours; {n % 3} pots cracked.\n" for n in range(1, 16)
    ),
    "People": "# People\n\n- Ines Halloran, glazes, ines.halloran@kiln.example\n- Teodor Vasile, kilns, +353 1 555 0142\n- Maren Oduya, shop\n",
}

if (HERE / "people.json").exists():
    TOLD = json.loads((HERE / "people.json").read_text("utf-8"))
    PAGES["People"] = "# People\n\n| who | what | where | mail | telephone |\n|---|---|---|---|---|\n" + "".join(
        f"| {one['name']} | {one['job']} | {one['city']} | {one['email']} | {one['phone']} |\n" for one in TOLD
    )
    PAGES["Firing log"] += f"\nBroken shelf: ask {TOLD[3]['name']} of {TOLD[3]['company']}, {TOLD[3]['phone']}.\n"
STORE.mkdir()
WHO = {"GIT_AUTHOR_NAME": "Ines Halloran", "GIT_AUTHOR_EMAIL": "ines.halloran@kiln.example", "GIT_COMMITTER_NAME": "Kiln", "GIT_COMMITTER_EMAIL": "wiki@kiln.example"}  # fmt: skip
subprocess.run(["git", "init", "-q", str(STORE)], check=True)
for name, words in PAGES.items():
    (STORE / f"{name.lower()}.md").write_text(words, encoding="utf-8")
    subprocess.run(["git", "-C", str(STORE), "add", "."], check=True)
    subprocess.run(
        ["git", "-C", str(STORE), "commit", "-q", "-m", f"{name} begun"], check=True, env={**os.environ, **WHO}
    )

os.environ.update(
    REPOSITORY=str(STORE), SECRET_KEY="not a secret but long enough", SQLALCHEMY_DATABASE_URI=f"sqlite:///{HERE / 'db.sqlite'}", SITE_NAME="Kiln", SITE_DESCRIPTION="A wiki about firing",
    READ_ACCESS="ANONYMOUS", WRITE_ACCESS="ANONYMOUS", ATTACHMENT_ACCESS="ANONYMOUS", DISABLE_REGISTRATION="True",
)  # fmt: skip

from otterwiki.server import app  # noqa: E402

app.run(host="127.0.0.1", port=int(sys.argv[1]))
