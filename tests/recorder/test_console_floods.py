"""A page that floods its console slows the agent little, and nothing else of it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from pagereel.recorder import record

from .support import Recorded, Site, until, watched

FLOOD = "(part) => { for (let n = 0; n < 2000; n++) console.log('line', part, n) }"


def flood(page: Page, parts: int = 5) -> None:
    """Write until the browser is asked for no more lines, and much more then."""
    for part in range(parts):
        page.evaluate(FLOOD, part)
        page.wait_for_timeout(20)


def numbers(recorded: Recorded) -> list[tuple[int, int]]:
    """The lines of floods that were recorded, in the order of their time."""
    lines = sorted(recorded.of("console"), key=lambda event: float(event["t"]))
    return [(int(w[1]), int(w[2])) for event in lines if (w := event["text"].split())[0] == "line"]


def test_of_a_flood_its_beginning_and_end_are_recorded_and_what_is_left_out_is_said(context: BrowserContext, site: Site, reel: Path) -> None:  # fmt: skip
    url = site.html("/flood", "<button>Go on</button>")
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        flood(page)
        page.evaluate("() => { setTimeout(() => { throw new Error('at the end') }); console.log('last words') }")
        page.wait_for_timeout(50)
    recorded = Recorded(reel)
    recorded.whole("overload")
    kept = numbers(recorded)
    assert len(kept) == len(set(kept)), "no line is there twice"
    assert kept[:500] == [(0, n) for n in range(500)] and kept[-500:] == [(4, n) for n in range(1500, 2000)]
    assert 1500 < len(kept) < 4000
    assert [event["text"] for event in recorded.of("console")].count("last words") == 1
    assert recorded.one("error")["message"] == "Error: at the end"
    (gap,) = recorded.of("gap", reason="overload")
    assert "lines" in gap["detail"] and "left out" in gap["detail"] and gap["page"] == 1


def test_of_lines_that_came_all_the_number_that_is_left_out_is_exact(context: BrowserContext, site: Site, reel: Path) -> None:  # fmt: skip
    url = site.html("/flood-at-once", "<button>Go on</button>")
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        page.evaluate("() => { for (let n = 0; n < 6000; n++) console.log('line', 0, n) }")
    recorded = Recorded(reel)
    (gap,) = recorded.of("gap", reason="overload")
    assert gap["count"] == 6000 - len(numbers(recorded)) and 3000 <= gap["count"] <= 4500
    assert f"{gap['count']:,} lines" in gap["detail"]


def test_pages_and_frames_that_come_during_a_flood_are_recorded_whole(context: BrowserContext, site: Site, reel: Path) -> None:  # fmt: skip
    inner = site.html("/flood-inner", "<p id=inner>inner</p>")
    site.html("/flood-other", "<p id=other>other</p>")
    other = site.url("/flood-other", "localhost")
    url = site.html("/flood-outer", "<p id=p>outer</p>")
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        flood(page, 2)
        page.evaluate("() => { p.textContent = 'changed in the flood' }")
        page.evaluate("address => { const f = document.createElement('iframe'); f.src = address; document.body.append(f) }", inner)  # fmt: skip
        page.frame_locator("iframe").locator("#inner").evaluate("p => { p.textContent = 'changed inside' }")
        flood(page, 2)
        page.goto(url + "?again")
        page.evaluate("() => { p.textContent = 'changed again' }")
        flood(page, 2)
        page.goto(other)
        page.evaluate("() => { other.textContent = 'changed there' }")
    recorded = Recorded(reel)
    recorded.whole("overload", "late")
    changes = str(recorded.of("mutation") + recorded.of("snapshot"))
    for said in ("changed in the flood", "changed inside", "changed again", "changed there"):
        assert said in changes
    assert [e["url"] for e in recorded.of("document")][-4:] == [url, inner, url + "?again", other] and recorded.of(
        "embed"
    )


def test_an_ordinary_console_loses_nothing(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/no-flood", "")
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        page.evaluate("() => { for (let n = 0; n < 900; n++) console.log('line', 0, n) }")
    recorded = Recorded(reel)
    recorded.whole()
    assert numbers(recorded) == [(0, n) for n in range(900)]


@pytest.mark.slow
def test_after_a_flood_the_console_is_heard_again(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/flood-over", "")
    with record(context, reel) as session:
        told = watched(session)
        page = context.new_page()
        page.goto(url)
        flood(page)
        page.evaluate("() => console.log('meanwhile')")
        until(page, lambda: any(event.get("text") == "meanwhile" for event in told))
        page.evaluate("() => console.log('afterwards')")
        until(page, lambda: any(event.get("text") == "afterwards" for event in told))
