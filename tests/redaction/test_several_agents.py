"""Several agents in a masked recording: what they are called stays, unless it says who somebody is; what they say to each other is masked as all else."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from pagereel import build, record, redact
from pagereel.reel import WITH_AGENT, Event, ReelWriter, open_reel

NAME, MAIL = "Priya Raghunathan", "priya.r@zulip-quartz.example"


@pytest.mark.parametrize("policy", ["internal", "vendor", "strict"])
def test_names_of_agents_stay_and_people_in_them_do_not(policy: str, tmp_path: Path) -> None:
    raw, masked = tmp_path / "run.reel", tmp_path / "masked.reel"
    names = ["planner", "Billing Bot", "WebSurfer", "Senior Research Analyst", f"assistant of {NAME}", MAIL]
    with record(None, raw) as session:
        for name in names:
            with session.step("Work", agent=name):
                session.message(name, "planner", f"{NAME} wants a kettle, write to {MAIL}")
    redact(raw, masked, policy)
    with open_reel(masked) as reel:
        events = list(reel.timeline())
    whole = json.dumps(events, ensure_ascii=False)
    assert not [value for value in (NAME, MAIL, "Raghunathan", "zulip-quartz") if value in whole]
    agents = [event["agent"] for event in events if event["k"] == "step"]
    assert agents[:4] == names[:4]
    assert len(set(agents)) == len(names), "each is still another one"
    assert [event["agent"] for event in events if event["k"] == "agent_message"] == agents
    assert {event["to"] for event in events if event["k"] == "agent_message"} == {"planner"}
    build(raw, tmp_path / "run.html", policy)  # which the gate lets through


def recorded_by_an_agent(raw: Path, file: Path) -> list[Event]:
    """Return an event of each kind that names its agent: what a session writes, and what only a browser or a joined recording has."""
    picture = io.BytesIO()
    Image.new("RGB", (8, 8), "teal").save(picture, "PNG")
    file.write_text("the report")
    with record(None, raw) as session, session.agent(f"helper of {NAME}"):
        with session.step("Work"):
            call = session.tool_call("search")
            session.tool_result(call, "found")
        session.llm_call(model="m")
        session.message(None, "planner", "Done")
        session.memory_op("read", "key")
        session.note("noted")
        session.answer(session.ask("May I?"), "Yes")
        session.artifact(file)
        session.version("prompt", "Be brief.")
        session.screen(picture.getvalue())
        session.screenshot("seen", image=picture.getvalue())
        session.score("speed", 1)
        session.outcome(True)
        session.traceparent()
    with open_reel(raw) as reel:
        events = [event for event in reel.timeline() if event["k"] not in ("reel", "resource", "end")]
    agent = f"helper of {NAME}"
    assert {event["k"] for event in events if event.get("agent") == agent} == {
        event["k"] for event in events
    } & WITH_AGENT
    return [
        *(event for event in events if event["k"] in WITH_AGENT and event["k"] not in ("screen", "screenshot")),
        {"k": "call", "t": 1, "id": 900, "title": "Click", "method": "click", "agent": agent},
        {"k": "page", "t": 1, "page": 1, "event": "open", "agent": agent},
        {"k": "part", "t": 1, "part": 1, "id": "ab" * 8, "by": "clock", "end": 9, "agent": agent},
    ]


def test_each_kind_that_names_its_agent_names_it_masked(tmp_path: Path) -> None:
    written = recorded_by_an_agent(tmp_path / "run.reel", tmp_path / "report.txt")
    with ReelWriter(tmp_path / "all.reel", {"started": 0}) as writer:
        for event in written:
            writer.write(event)
    named: dict[str, set[object]] = {}
    for raw in ("run", "all"):
        redact(tmp_path / f"{raw}.reel", tmp_path / "masked.reel")
        with open_reel(tmp_path / "masked.reel") as reel:
            for event in reel.timeline():
                if event["k"] in WITH_AGENT:
                    named.setdefault(str(event["k"]), set()).add(event.get("agent"))
    assert named.keys() == WITH_AGENT
    agents = {str(agent).removeprefix("helper of ") for agents in named.values() for agent in agents}
    assert len(agents) == 2 and not agents & {NAME, "None"}, "one stand-in in each of two recordings"
