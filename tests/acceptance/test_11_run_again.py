"""The demo's errand, done again with the shop, the payment provider and the desk switched off."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pagereel import compare, open_recording, record, route_from_reel
from pagereel.fixtures.agent import run_agent
from pagereel.fixtures.shop import Shop


@pytest.mark.slow
def test_the_demos_errand_is_done_again_without_its_servers(browser: Browser, tmp_path: Path) -> None:
    first, second = tmp_path / "first.reel", tmp_path / "second.reel"
    shop = Shop(pace=0.1)
    context = browser.new_context()
    with shop, record(context, first, world=True) as session:
        order = run_agent(session, context.new_page(), shop, fast=True)
    context.close()
    context = browser.new_context()
    served = route_from_reel(context, first)
    with record(context, second) as session:
        again = run_agent(session, context.new_page(), shop, fast=True)
    context.close()
    assert again == order
    assert [f"{miss.method} {miss.url}: {miss.why}" for miss in served.unmatched] == []
    was, now = open_recording(first), open_recording(second)
    assert [step["title"] for step in now.steps()] == [step["title"] for step in was.steps()]
    desk_then, desk_now = (
        was.text()[0],
        now.text()[0],
    )  # In the shop a notice may stand still that had gone, as pauses are not kept.
    assert desk_now["text"] == desk_then["text"] and order in desk_now["text"]
    compared = compare(first, second, redaction=None)
    assert compared.failed("outcome,action,network,model,console") == [], compared.differences
