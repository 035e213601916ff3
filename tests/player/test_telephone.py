"""On a telephone nothing of a run is wider than the window, and axe finds nothing: a conversation alone, several agents, screens; in three engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from pagereel import record
from pagereel.player_build import build

from .engines import Engine, opened
from .test_engines import AXE, wait_for

WIDE = """
const room = document.documentElement;
const shown = [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility?.() ?? each.offsetWidth);
const cut = (each) => each.closest('svg') || [...parents(each)].some((one) => getComputedStyle(one).overflowX !== 'visible');
function* parents(each) { for (let one = each.parentElement; one && one !== document.body; one = one.parentElement) yield one; }
return [innerWidth, room.scrollWidth, ...shown.filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && !cut(each)).map((each) => each.className || each.tagName)];
"""
"""The window's width, the page's, and what reaches out of the window and is not cut off or scrolled."""
SHOWS = {"talk": ".talk .turn", "agents": ".talk .turn", "screens": ".screens .fit canvas"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("telephone")
    asked = [{"role": "user", "content": "Find a vase for under 60 euros, " + "and-do-not-break-this-word" * 6}]
    with record(None, folder / "talk.reel") as session, session.step("Look"):
        session.llm_call(model="m", prompt=asked, response="Here it is", reasoning="I search first.")
        session.tool_result(session.tool_call("search", {"query": "vase" * 30}), error="503: try again")
    with record(None, folder / "agents.reel", agent="errands") as session:
        for agent in ("planner", "agent 2 (inferred)", "a buyer whose name is much longer than a lane has room for"):
            with session.step("Work on the order of vases", agent=agent):
                session.llm_call(model="m", prompt=asked, response="Done")
                session.message(agent, "planner", "It is bought")
    with record(None, folder / "screens.reel") as session, session.step("Order"):
        for number in range(3):
            picture = Image.new("RGB", (1280, 800), (30, 80 + number, 110))
            session.screen(picture, action={"action": "left_click", "coordinate": [900, 60]}, window=f"Orders {number}")
    for name in SHOWS:
        for theme in ("light", "dark"):
            build(folder / f"{name}.reel", folder / f"{name}-{theme}.html", redaction=None, theme=theme)
    return folder


@pytest.fixture(scope="module")
def telephone(engine: Engine) -> Iterator[Engine]:
    engine.open("about:blank")
    engine.resize(390, 844)
    yield engine
    engine.resize(1280, 800)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SHOWS)
def test_nothing_is_wider_than_the_window(telephone: Engine, runs: Path, name: str, theme: str) -> None:
    opened(telephone, (runs / f"{name}-{theme}.html").as_uri())
    wait_for(telephone, f"document.querySelector({SHOWS[name]!r})")
    assert telephone.run(WIDE) == [390, 390]
    if AXE.exists():
        telephone.run(AXE.read_text("utf-8") + ";window.axe = axe")
        found = "const r = await axe.run(document, {iframes: false}); return r.violations.map((v) => [v.id, v.nodes.map((n) => n.html)])"
        assert telephone.run(found) == []
