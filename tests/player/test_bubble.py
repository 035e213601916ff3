"""The browser's own message beside an invalid field: recorded while it stands, and drawn as the browser draws it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from pagereel.recorder import record
from pagereel.reel import open_reel

from ..recorder.support import Site
from .pictures import Mark, off, pairs

FORM = b"""<!doctype html><style>form { margin: 30px 200px } * { caret-color: transparent }</style>
<form id=f><input id=mail type=email required value=x><input id=code pattern="[0-9]{4}" title="Four digits, as on the card" value=12></form>
<form id=no oninvalid="return false"><input id=own required></form><form id=g><input id=secret type=password required></form>
<div id=host></div><iframe src=/inner width=500 height=90 style="position: absolute; top: 490px; left: 300px"></iframe>
<script>
no.addEventListener("invalid", (event) => event.preventDefault(), true)
const root = host.attachShadow({ mode: "closed" })
root.innerHTML = "<form style='margin-left: 600px'><textarea required></textarea></form>"
window.inShadow = () => root.firstChild.reportValidity()
</script>"""
SITE = {
    "/": ("text/html", FORM),
    "/inner": (
        "text/html",
        b"<!doctype html><style>* { caret-color: transparent }</style><form><input required></form>",
    ),
}


def told(reel: Path) -> list[list[Any]]:
    """What was said of the message, without the fields' numbers."""
    with open_reel(reel) as read:
        return [op[2:] for e in read.events() if e["k"] == "mutation" for op in e["ops"] if op[0] == "bubble"]


def test_the_message_beside_an_invalid_field_is_recorded_while_it_stands(browser: Browser, tmp_path: Path) -> None:
    """An `invalid` event alone says nothing: `checkValidity()` fires it too, and a page may refuse the message."""
    context = browser.new_context()
    with Site() as site, record(context, tmp_path / "a.reel") as session:
        site.pages.update(SITE)
        page = context.new_page()
        page.goto(site.url("/"))
        for script in (
            "mail.focus(), f.checkValidity()",
            "own.focus(), no.reportValidity()",
            "f.requestSubmit()",
            "mail.setCustomValidity('Taken')",
            "mail.setCustomValidity(''), mail.value = 'a@b', f.reportValidity()",
            "document.activeElement.blur()",
            "inShadow()",
            "frames[0].document.forms[0].reportValidity()",
            "g.reportValidity()",
        ):
            page.evaluate(script)
            session.mark(script)
    context.close()
    missing = "Please fill out this field."
    assert told(tmp_path / "a.reel") == [
        [1, "Please include an '@' in the email address. 'x' is missing an '@'.", ""],
        [0, "Taken", ""],
        [],
        [0, "Please match the requested format.", "Four digits, as on the card"],
        [],
        [0, missing, ""],
        [],
        [0, missing, ""],
        [],
        [0, "•••••"],
    ]


def calm(page: Page) -> None:
    """Comes back when the page has looked the same for a while: the message grows for a second, in jumps where the machine is busy."""
    same, last, grown = 0, b"", time.monotonic() + 1.3
    while same < 3 or time.monotonic() < grown:
        picture = page.screenshot()
        same, last = same + 1 if picture == last else 0, picture


def test_the_message_beside_an_invalid_field_looks_as_it_did(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        for name, script in {
            "two": "mail.value = 'a@b', f.reportValidity()",
            "in a frame, above": "frames[0].document.forms[0].reportValidity()",
        }.items():
            page.evaluate(script)
            calm(page)
            mark(name)

    seen = pairs(browser, tmp_path, SITE, drive)
    assert [lines for lines in told(tmp_path / "pictures.reel") if lines]
    for left, top, right, bottom in off(seen).values():
        assert max(right - left, bottom - top) <= 12, "but for the sign's dot"
