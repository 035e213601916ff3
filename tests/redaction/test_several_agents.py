"""Several agents in a masked recording: what they are called stays, unless it says who somebody is; what they say to each other is masked as all else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagereel import build, record, redact
from pagereel.reel import open_reel

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
