"""Phones: a page's sheets see the layout viewport, however far it is zoomed out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from pagereel.recorder import record

from .support import Recorded, Site

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 700}, "is_mobile": True, "has_touch": True}
WIDE = "<body style='margin: 0'><h1>Wide</h1><table style='width: 780px'><tr><td>a</table>"


@pytest.mark.parametrize(
    ("options", "meta", "html", "width", "said"),
    [
        (PHONE, "width=device-width, initial-scale=1", WIDE, 390, set()),
        (PHONE, "width=device-width", WIDE, 390, {"zoom"}),
        (PHONE, "width=device-width, initial-scale=2", "<h1>Near</h1>", 390, {"zoom"}),
        (PHONE, "", WIDE, 980, set()),
        ({"viewport": {"width": 390, "height": 700}}, "", WIDE + "<p style='height: 2000px'>", 390, set()),
    ],
    ids=["wide", "zoomed out", "zoomed in", "no width of its own", "no phone"],
)
def test_the_width_is_the_one_that_style_sheets_see(
    browser: Browser, site: Site, reel: Path, options: dict[str, Any], meta: str, html: str, width: int, said: set[str]
) -> None:
    url = site.html("/phone", f"<meta name=viewport content='{meta}'>{html}")
    context = browser.new_context(**options)
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        assert page.evaluate(f"matchMedia('(width: {width}px)').matches")
        session.mark("there")
    context.close()
    told = Recorded(reel)
    sizes = [event["viewport"] for event in told.of("document")] + told.of("viewport")
    assert sizes[-1]["w"] == width
    assert told.of("checkpoint")[-1]["look"]["view"][0] == width
    assert {event["what"] for event in told.of("unsupported")} == said
