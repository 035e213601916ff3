"""Several agents in one replay: a lane each, arrows between them, names that colour alone does not tell; in three engines, for the keyboard and for axe."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.player_build import build
from tests.reel.sample import Script

from .engines import Engine, opened
from .test_engines import AXE, wait_for

LANES = "[...document.querySelectorAll('.lanes > span')].map((lane) => lane.innerText.replace(/\\s+/g, ' ').trim())"
TITLES = "[...document.querySelectorAll('.step .title')].map((title) => title.innerText.replace(/\\s+/g, ' ').trim())"
DRAWN = """
const canvas = document.querySelector('.track canvas'), pen = canvas.getContext('2d');
const ink = getComputedStyle(canvas).getPropertyValue('--ink').trim();
const probe = new OffscreenCanvas(1, 1).getContext('2d');
probe.fillStyle = ink; probe.fillRect(0, 0, 1, 1);
const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
let count = 0;
for (let at = 0; at < data.length; at += 4) count += data[at] === r && data[at + 1] === g && data[at + 2] === b && data[at + 3] === 255;
return count;
"""
"""How many pixels of the timeline have the colour of arrows."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("agents") / "run.reel"
    script = Script(path)
    for number, agent in enumerate(
        ("planner", "shop buyer", "critic", "packer", "driver", "cook", "clerk", "guard", "ninth")
    ):
        t = 100 + number * 200
        script.run("step", t, id=number * 10 + 1, title=f"Work {number}", agent=agent, attributes={})
        script.run("llm", t + 50, id=number * 10 + 2, step=number * 10 + 1, agent=agent, model="m", duration=40, prompt="Go on", response="Yes", attributes={})  # fmt: skip
        script.run("agent_message", t + 60, id=number * 10 + 3, step=number * 10 + 1, agent=agent, to="planner", text=f"Done {number}", attributes={})  # fmt: skip
        script.run("step_end", t + 150, id=number * 10 + 1, success=number != 2)
    script.writer.close("done")
    return path


def test_each_agent_has_a_lane_and_its_name_and_the_keyboard_leaves_one_alone(
    engine: Engine, run: Path, tmp_path: Path
) -> None:
    build(run, tmp_path / "run.html", redaction=None)
    opened(engine, (tmp_path / "run.html").as_uri() + "#t=350")
    wait_for(engine, "document.querySelector('.step .title')")
    assert engine.run(f"return {LANES}")[:4] == ["PLplanner", "SBshop buyer", "CRcritic", "PApacker"]
    assert engine.run(f"return {TITLES}")[1] == "2 SBshop buyer Work 1"
    assert engine.run(DRAWN) > 50  # the arrows of eight messages
    turns = "[...document.querySelectorAll('.turn.message')].map((turn) => turn.innerText.replace(/\\s+/g, ' ').trim())"
    assert "SBshop buyer Message shop buyer \u2192 planner" in engine.run(f"return {turns}")[1]
    engine.run("document.querySelectorAll('.agents[role] button')[1].focus()")
    engine.press("Enter")
    wait_for(engine, "document.querySelectorAll('.step .title').length === 1")
    assert engine.run("return document.activeElement.getAttribute('aria-pressed')") == "true"
    engine.press("Enter")
    wait_for(engine, "document.querySelectorAll('.step .title').length === 9")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_among_several_agents(engine: Engine, run: Path, tmp_path: Path, theme: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed (npm ci)")
    build(run, tmp_path / "run.html", redaction=None, theme=theme)
    opened(engine, (tmp_path / "run.html").as_uri() + "#t=350")
    wait_for(engine, "document.querySelector('.step .title')")
    engine.run(AXE.read_text("utf-8") + ";window.axe = axe")
    found = engine.run(
        "const r = await axe.run(document, {iframes: false});"
        "return r.violations.map((v) => [v.id, v.nodes.map((n) => n.html)])"
    )
    assert found == []
