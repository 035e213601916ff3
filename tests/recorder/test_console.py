"""What the browser itself writes to a page's console: failed loads, policies, interventions."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from pagereel.recorder import record
from pagereel.redaction import redact

from .support import Recorded, Site

POLICY = "<meta http-equiv=Content-Security-Policy content=\"font-src 'none'; img-src 'self'\">"


def test_the_browsers_own_messages_are_recorded_once_beside_the_scripts(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    before = site.html("/before", "<img src=/gone-before.png>")
    url = site.html(
        "/console",
        POLICY + "<img src=/gone.png><img src='https://elsewhere.example/blocked.png'><script>console.error('mine');"
        "setTimeout(() => { throw new Error('thrown') }); navigator.vibrate(10);"
        "fetch('http://localhost:1/refused').catch(() => {})</script>",
    )
    page = context.new_page()
    page.goto(before)
    page.wait_for_timeout(100)
    with record(context, reel):
        page.goto(url)
        page.wait_for_timeout(300)
    recorded = Recorded(reel)
    recorded.whole_events()
    written = recorded.of("console")
    own = [event for event in written if "source" in event]
    (lost,) = [event for event in own if event.get("url") == site.url("/gone.png")]
    assert (lost["source"], lost["level"]) == ("network", "error") and "404" in lost["text"]
    (blocked,) = [event for event in own if event["source"] == "security"]
    assert "elsewhere.example/blocked.png" in blocked["text"] and blocked["level"] == "error"
    assert any(event["source"] == "intervention" and "navigator.vibrate" in event["text"] for event in own)
    # What scripts write is told once, as before, and so is what they throw.
    assert [event["text"] for event in written if "source" not in event] == ["mine"]
    assert not any("thrown" in event["text"] or event["text"] == "mine" for event in own)
    assert recorded.one("error")["message"] == "Error: thrown"
    # What was there before the recording is not told again; that there is no icon is no error.
    assert not any("gone-before" in str(event.get("url")) for event in written)
    assert {event["level"] for event in own if str(event.get("url")).endswith(".ico")} <= {"info"}


def test_frames_of_other_processes_write_to_the_same_console(context: BrowserContext, site: Site, reel: Path) -> None:
    site.html("/inner", "<img src=/gone-inside.png>")
    url = site.html("/outer", f"<iframe src='{site.url('/inner', 'localhost')}'></iframe>")
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(500)
    (lost,) = [e for e in Recorded(reel).of("console") if "gone-inside" in str(e.get("url"))]
    assert (lost["source"], lost["page"]) == ("network", 1)


@pytest.mark.slow
def test_their_texts_and_addresses_are_redacted_as_those_of_scripts(
    context: BrowserContext, site: Site, reel: Path, tmp_path: Path
) -> None:
    url = site.html(
        "/private",
        POLICY
        + "<img src='https://elsewhere.example/of?email=ada.byron@mail.example'><img src='/gone?who=ada.byron@mail.example'>",
    )
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(300)
    texts = str(Recorded(reel).of("console"))
    assert texts.count("ada.byron") >= 2
    masked = tmp_path / "masked.reel"
    redact(reel, masked)
    shown = Recorded(masked).of("console")
    assert "ada.byron" not in str(shown)
    assert {"network", "security"} <= {event.get("source") for event in shown}


@pytest.mark.parametrize("transport", ["cdp", "binding"])
def test_a_call_with_a_format_is_written_as_the_console_shows_it(
    context: BrowserContext, site: Site, reel: Path, transport: str
) -> None:
    script = (
        "console.log('%s%s', 'Ann Kvim', 'elost', 'and more'); console.log('%c%d of %f, 100%%', 'color:red', 7.9, '2.5 m', true);"
        "console.log('100%', 'sure'); console.log('%d', 'none'); console.log('%s'); console.log(1, '%s')"
    )
    url = site.html("/formats", f"<script>{script}</script>")
    with record(context, reel, transport=transport):
        page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(300)
    assert [
        event["text"] for event in Recorded(reel).of("console") if "source" not in event and event["level"] == "log"
    ] == [
        "Ann Kvimelost and more",
        "7 of 2.5, 100% true",
        "100% sure",
        "NaN",
        "%s",
        "1 %s",
    ]
