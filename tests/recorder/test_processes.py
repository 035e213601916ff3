"""Frames of other processes: found, told from a neighbour's, and never kept from loading."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from pagereel import record

from .support import Recorded, Site


def _nested(site: Site) -> tuple[str, str, str]:
    """Addresses of a page, of a frame of another process in it, and of a frame of the page's own site in that."""
    inner = site.html("/inner", "<p>innermost</p>")
    middle = site.html("/middle", f"<p>between</p><iframe src='{inner}'></iframe>").replace("127.0.0.1", "localhost")
    return site.html("/outer", f"<p>outside</p><iframe src='{middle}'></iframe>"), middle, inner


@pytest.mark.parametrize("loads", [8, pytest.param(25, marks=pytest.mark.slow)])
def test_frames_in_frames_of_other_processes_always_load(
    context: BrowserContext, site: Site, reel: Path, loads: int
) -> None:
    """Two clients that both attach by ``Target.setAutoAttach`` take each other's frames: one load in twelve did not end."""
    outer, middle, inner = _nested(site)
    with record(context, reel):
        page = context.new_page()
        for _ in range(loads):
            page.goto(outer, timeout=10_000)
        innermost = page.frame_locator("iframe").frame_locator("iframe").get_by_text("innermost")
        innermost.wait_for()
        page.wait_for_timeout(200)
    recorded = Recorded(reel)
    recorded.whole("late")
    last = {url: recorded.of("document", url=url)[-1]["d"] for url in (outer, middle, inner)}
    parents = {embed["d"]: embed["parent"] for embed in recorded.of("embed")}
    assert parents[last[inner]] == last[middle] and parents[last[middle]] == last[outer]
    assert "innermost" in recorded.lines(inner)


def test_a_recording_that_begins_late_takes_in_all_frames_and_only_its_own(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    near = site.html("/near", f"<iframe src='{site.html('/far', '<p>far</p>')}'></iframe>").replace(
        "127.0.0.1", "localhost"
    )
    # In a frame of another process one of that same process, and in this one of another again.
    deep = site.html("/deep", f"<iframe src='{near}'></iframe>").replace("127.0.0.1", "localhost")
    url = site.html("/top", f"<iframe src='{deep}'></iframe>")
    foreign = site.html("/foreign", "<p>a neighbour's</p>").replace("127.0.0.1", "localhost")
    page, neighbour = context.new_page(), context.new_page()
    page.goto(url)
    neighbour.goto(site.html("/neighbour", f"<iframe src='{foreign}'></iframe>"))
    with record(page, reel):
        neighbour.reload()
        page.wait_for_timeout(500)
    recorded = Recorded(reel)
    assert {str(e["url"]).rpartition("/")[2] for e in recorded.of("document")} == {"top", "deep", "near", "far"}
    assert len(recorded.of("embed")) == 3
