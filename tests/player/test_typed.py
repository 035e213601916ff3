"""What is half typed into numbers and dates shows as it was typed, and is a form's value to everything that masks values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from pagereel.recorder import record
from pagereel.redaction import redact

from ..recorder.support import Recorded, Site
from .pictures import Mark, off, pairs

FIELDS = """<!doctype html><style>input { display: block; margin: 6px; width: 280px; font-size: 18px } input:invalid { background: #fdd }
form:invalid { border: 3px solid red } #day:valid { outline: 2px solid lime }</style><form>
<input type=number id=amount placeholder=many><input type=number id=steps value=5><input type=date id=day>
<input type=month id=month style="padding: 8px; height: 50px"><input type=week id=week><input type=datetime-local id=local></form><p>out</p>"""


def typed(page: Page, field: str, text: str) -> None:
    """Types into a field from its first part on, and leaves it: the part that is typed into has a colour of the browser's."""
    page.focus(f"#{field}")
    page.keyboard.press("Control+A")
    page.keyboard.type(text)
    page.click("p")


def test_what_is_half_typed_shows_as_it_was(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        mark("empty")
        for field, text in {
            "amount": "12e",
            "steps": "-",
            "day": "0215",
            "month": "Ma",
            "week": "3",
            "local": "0101",
        }.items():
            typed(page, field, text)
            mark(field)
        typed(page, "amount", "3.")
        typed(page, "day", "02152025")
        mark("whole")
        page.fill("#amount", "12")
        page.click("p")
        page.evaluate("steps.value = ''; document.forms[0].month.value = ''")
        mark("by script")
        page.evaluate("document.forms[0].reset()")
        mark("reset")

    assert off(pairs(browser, tmp_path, FIELDS, drive)) == {}


def ops(reel: Path) -> list[Any]:
    return [op for event in Recorded(reel).of("mutation") for op in event["ops"] if op[0] == "typed"]


def test_a_masked_field_is_not_read_and_what_others_show_is_a_value(browser: Browser, tmp_path: Path) -> None:
    reel, masked = tmp_path / "typed.reel", tmp_path / "masked.reel"
    context = browser.new_context()
    fields = "<!doctype html><input type=number id=otp><input type=number id=cardnumber><input type=number id=debt><input type=date id=born><p>out</p>"
    with Site() as site, record(context, reel) as session:
        page = context.new_page()
        page.goto(site.html("/", fields))
        for field, text in {"otp": "4711-", "cardnumber": "4111-", "debt": "-73519e", "born": "0229"}.items():
            typed(page, field, text)
            session.mark(field)
    context.close()
    assert [op[2] for op in ops(reel) if op[2]][-2:] == [["-73519e"], ["", "02", "/", "29", "/", "yyyy"]]
    assert not {"4711-", "4111-"} & {part for op in ops(reel) for part in op[2]}
    redact(reel, masked)
    assert not any("73519" in json.dumps(event) or '"29"' in json.dumps(event) for event in Recorded(masked).events)
    assert ops(masked)


def test_without_the_browsers_own_protocol_it_is_said_to_be_missing(browser: Browser, tmp_path: Path) -> None:
    reel = tmp_path / "typed.reel"
    context = browser.new_context()
    with Site() as site, record(context, reel, transport="binding") as session:
        page = context.new_page()
        page.goto(site.html("/", FIELDS))
        typed(page, "amount", "12e")
        session.mark("typed")
    context.close()
    assert [event["what"] for event in Recorded(reel).of("unsupported")] == ["typed"]
    assert not ops(reel)
