"""What an agent is called is what a program does: no position of a person's, in the name or where the agent is told what it is. A person in it is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel import redact
from pagereel.reel import ReelWriter, open_reel


def masked(folder: Path, agent: str, prompt: str) -> tuple[str, str, str]:
    """Return the agent as the recording and its step have it, and the prompt, for others."""
    raw, shown = folder / "raw.reel", folder / "shown.reel"
    with ReelWriter(raw, {"started": 0, "agent": agent}) as writer:
        writer.write({"k": "step", "t": 1, "id": 1, "event": "start", "title": "Look", "agent": agent})
        writer.write({"k": "said", "t": 2, "id": 1, "role": "system", "content": prompt})
    redact(raw, shown)
    with open_reel(shown) as reel:
        (step,), (said,) = list(reel.events({"step"})), list(reel.events({"said"}))
        return str(reel.header["agent"]), str(step["agent"]), str(said["content"])


@pytest.mark.parametrize(("agent", "spoken"), [("coding-agent", "coding agent"), ("sales agent", "sales agent")])
def test_the_agents_name_is_nobodys_position(agent: str, spoken: str, tmp_path: Path) -> None:
    prompt = f"You are a {spoken}. Be brief."
    assert masked(tmp_path, agent, prompt) == (agent, agent, prompt)


def test_a_position_that_no_agent_is_called_after_is_masked(tmp_path: Path) -> None:
    assert "sales agent" not in masked(tmp_path, "shopper", "You are a sales agent. Be brief.")[2]


def test_a_person_in_an_agents_name_is_masked(tmp_path: Path) -> None:
    told = masked(tmp_path, "coding-agent of Ottilie Brandvold", "You help Ottilie Brandvold.")
    assert told[0].startswith("coding-agent of ") and not any("Ottilie" in each for each in told)
