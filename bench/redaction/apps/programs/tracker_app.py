"""Serves Roundup's classic tracker with people and issues: `tracker_app.py PORT`; the people are read from people.json."""

import json
import os
import subprocess
import sys
from pathlib import Path

TOLD = json.loads(Path("people.json").read_text("utf-8"))
BIN = Path(sys.executable).parent
os.environ["SENDMAILDEBUG"] = "mail.txt"  # no server of mail is asked
port = sys.argv[1]
settings = f"tracker_web=http://127.0.0.1:{port}/studio/,mail_domain=studio.example,mail_host=localhost"
subprocess.run([BIN / "roundup-admin", "-i", "home", "install", "classic", "sqlite", settings], check=True)
subprocess.run([BIN / "roundup-admin", "-i", "home", "initialise", "clay-and-ash-19"], check=True)

from roundup import date, instance, password  # noqa: E402 - the tracker exists now

db = instance.open("home").open("admin")
users = [
    db.user.create(
        username=one["user"], realname=one["name"], address=one["email"], phone=one["phone"], organisation=one["company"],
        roles="User", password=password.Password("clay-and-ash-19", config=db.config),
    )
    for one in TOLD[:12]
]  # fmt: skip
TITLES = (
    "The door of kiln 2 does not close", "Invoice for {name} was sent twice", "Glaze order of {company} is late", "Wheel 4 makes a noise",
    "Change the address of {name}", "Shelves are warped", "Please call back: {phone}", "Opening hours in December",
)  # fmt: skip
for number, title in enumerate(TITLES):
    one, by = TOLD[13 + number], number % 8
    said = f"{one['first']} wrote from {one['email']} and asks for an answer this week.\n\nRegards\n{TOLD[by]['name']}"
    message = db.msg.create(author=users[by], content=said, date=date.Date(f"2026-11-2{number + 1}"), summary=said[:60])  # fmt: skip
    db.issue.create(title=title.format(**one), messages=[message], assignedto=users[(number + 3) % 8], priority=str(1 + number % 5), nosy=users[by : by + 2])  # fmt: skip
db.commit()
db.close()
from wsgiref.simple_server import make_server  # noqa: E402
from wsgiref.util import shift_path_info  # noqa: E402

from roundup.cgi.wsgi_handler import RequestDispatcher  # noqa: E402

tracker = RequestDispatcher("home")


def strip_studio_prefix(environ, start_response):  # type: ignore[no-untyped-def]
    """Answer a WSGI request whose path begins with the tracker's name, as Roundup's own server does not run as root."""
    shift_path_info(environ)
    return tracker(environ, start_response)


make_server("127.0.0.1", int(port), strip_studio_prefix).serve_forever()
