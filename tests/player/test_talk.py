"""A run without any page: its conversation stands where the page would be; in three engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.player_build import build
from tests.reel.sample import Script

from .engines import Engine, opened
from .test_engines import AXE, wait_for

LONG = "I need it by Friday. " * 60
TURNS = "[...document.querySelectorAll('.turn')].map((turn) => turn.innerText.replace(/\\s+/g, ' ').trim())"
CURRENT = "document.querySelector('.turn[aria-current]')"


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("talk") / "talk.reel"
    script = Script(path)
    asked = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "<b>Find</b> a vase"}]
    script.run("step", 100, id=1, title="Look", attributes={})
    script.run(
        "llm", 500, id=2, step=1, model="m", duration=200, prompt=asked, response=None, attributes={},
        reasoning="I search first.",
    )  # fmt: skip
    script.run("tool_call", 510, id=3, step=1, name="search", arguments={"query": "vase"})
    script.run("tool_result", 600, id=4, call=3, error="503: try again")
    script.run("llm", 900, id=5, step=1, model="m", duration=100, prompt=[*asked, {"role": "user", "content": LONG}],
        response="Here it is", attributes={})  # fmt: skip
    script.run("step_end", 950, id=1, success=True)
    script.run("mark", 2000, name="end")
    script.writer.close("done")
    return path


def test_it_follows_the_time_and_a_press_goes_to_a_moment(engine: Engine, talk: Path, tmp_path: Path) -> None:
    build(talk, tmp_path / "talk.html", redaction=None)
    opened(engine, (tmp_path / "talk.html").as_uri() + "#t=550")
    turns = engine.run(f"return {TURNS}")
    assert [turn.partition(" 0:")[0] for turn in turns] == [
        "Step Look", "System", "User", "Thought m", "Tool search", "Error search", "User", "Model m",
    ]  # fmt: skip
    assert "<b>Find</b> a vase" in turns[2]
    assert engine.run(f"return {CURRENT}.innerText.trim()").startswith("Tool")
    assert engine.run("return document.querySelectorAll('.turn.later').length") == 3
    engine.run("[...document.querySelectorAll('.turn > button')].at(-1).click()")
    wait_for(engine, "pagereel.time === 900")
    wait_for(engine, f"{CURRENT}.innerText.trim().startsWith('Model')")
    seen = "const a = document.querySelector('.talk').getBoundingClientRect(), b = {}.getBoundingClientRect();"
    assert engine.run(seen.format(CURRENT) + "return b.bottom <= a.bottom && b.bottom > a.top")
    engine.run("document.querySelector('.turn .more').click()")
    wait_for(engine, "document.querySelector('.turn .more[aria-expanded=true]')")
    assert LONG.strip() in engine.run(f"return {TURNS}")[6]
    opened(engine, (tmp_path / "talk.html").as_uri() + "#bare&t=0")
    assert engine.run("return document.querySelectorAll('.turn').length") == 8
    assert not engine.run("return Boolean(document.querySelector('.side'))")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_it(engine: Engine, talk: Path, tmp_path: Path, theme: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed (npm ci)")
    build(talk, tmp_path / "talk.html", redaction=None, theme=theme)
    opened(engine, (tmp_path / "talk.html").as_uri() + "#t=900")
    engine.run(AXE.read_text("utf-8") + ";window.axe = axe")
    for time in (900, 0):
        found = engine.run(
            f"await pagereel.seek({time}); const r = await axe.run(document, {{iframes: false}});"
            "return r.violations.map((v) => [v.id, v.nodes.map((n) => n.html)])"
        )
        assert found == [], time
