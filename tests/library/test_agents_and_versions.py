"""A library finds runs by each agent that acts in them, and by the versions and the trace that they tell."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pagereel import record
from pagereel.library.run_facts import read_run_facts


def test_agents_versions_and_trace_are_found_by_their_operators(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    trace = "0af7651916cd43dd8448eb211c80319c"
    recording = record(None, path, agent="Kettle-Team", trace=trace, versions={"config": {"temperature": 0}})
    with recording as session, session.step("Plan", agent="planner"):
        session.version("prompt", "You plan.", name="Plan-v4")
        session.message("planner", "buyer", "Buy the blue one")
    facts = read_run_facts(path)
    used = {operator: {value for name, value in facts.used if name == operator} for operator, _ in facts.used}
    prompt = hashlib.sha256(b"You plan.").hexdigest()
    assert used["agent"] == {"kettle-team", "planner", "buyer"}
    assert used["trace"] == {trace}
    assert used["prompt"] == {"plan-v4", prompt}
    assert used["version"] == {"plan-v4", prompt, hashlib.sha256(b'{"temperature":0}').hexdigest()}
    assert "Buy the blue one" in [line.text for line in facts.lines]
