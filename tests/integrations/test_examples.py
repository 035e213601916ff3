"""The examples run as their first lines say, and their recordings tell the whole story."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pagereel.reel import verify

from .conftest import events_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(name: str, reel: Path) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, reel], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    report = verify(reel)
    assert report.ok, report.problems


def test_the_opentelemetry_example(tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    run("otel_agent.py", reel)
    story = [(e["k"], e.get("title") or e.get("name") or e.get("model")) for e in
             events_of(reel, "step", "llm", "tool_call")]  # fmt: skip
    assert story == [("step", "invoke_agent shopper"), ("llm", "scripted"), ("tool_call", "click"), ("llm", "scripted")]
    (result,) = events_of(reel, "tool_result")
    assert result["result"] == "Sold: blue"


def test_the_openai_example(tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    run("openai_agent.py", reel)
    story = [(e["k"], e.get("title") or e.get("name") or e.get("model")) for e in
             events_of(reel, "step", "llm", "tool_call", "call") if e.get("method") != "set_content"]  # fmt: skip
    kinds = [kind for kind, _ in story]
    assert kinds.count("llm") == 2 and kinds.count("tool_call") == 1
    assert kinds.index("step") < kinds.index("llm") < kinds.index("tool_call") < len(kinds) - 1
    (step,) = events_of(reel, "step")
    assert {event["step"] for event in events_of(reel, "llm", "tool_call")} == {step["id"]}
    (result,) = events_of(reel, "tool_result")
    assert "Sold: blue" in result["result"]
    assert "Sold: blue" in str(events_of(reel, "mutation"))


@pytest.mark.skipif(
    importlib.util.find_spec("selenium") is None or shutil.which("chromedriver") is None,
    reason="selenium and chromedriver are not part of the development set",
)
def test_the_selenium_example(tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    run("selenium_attach.py", reel)
    assert [e["title"] for e in events_of(reel, "step")] == ["Open the shop", "Buy a kettle"]
    assert [e["type"] for e in events_of(reel, "mouse")] == ["down", "up", "click"]


@pytest.mark.skipif(
    importlib.util.find_spec("cua_agent") is None, reason="cua-agent is not installed; it pins some sixty"
)
def test_the_cua_example(tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    run("cua_computer.py", reel)
    assert [e["title"] for e in events_of(reel, "step")] == [
        "screenshot", "click 312, 180, left", "type", "price_of: tern vase", "The tern vase costs 64 euros.",
    ]  # fmt: skip
    assert len([e for e in events_of(reel, "screen") if "sheets" in e]) == 3
    assert "never-recorded" not in str(events_of(reel, "step", "llm", "tool_call", "screen"))


@pytest.mark.skipif(
    importlib.util.find_spec("browser_use") is None,
    reason="browser-use (90 packages) is not part of the development set",
)
def test_the_browser_use_example(tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    run("browser_use_agent.py", reel)
    assert [e["title"] for e in events_of(reel, "step")] == ["Open the shop", "Type what is wanted", "Buy it", "Say so"]
    assert [e["success"] for e in events_of(reel, "step_end")] == [True] * 4
    assert [e["name"] for e in events_of(reel, "tool_call")] == ["navigate", "input", "click", "done"]
    assert len(events_of(reel, "screenshot")) == 4 and len(events_of(reel, "llm")) == 4
    assert "Sold: blue kettle" in str(events_of(reel, "mutation"))


def test_the_example_of_two_agents(tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    run("two_agents.py", reel)
    assert [(e["agent"], e["title"]) for e in events_of(reel, "step")] == [
        ("planner", "Decide what to buy"),
        ("buyer", "Look at the offers"),
        ("planner", "Choose"),
        ("buyer", "Buy it"),
    ]
    assert [(e["agent"], e["to"]) for e in events_of(reel, "agent_message")] == [
        ("planner", "buyer"),
        ("buyer", "planner"),
        ("planner", "buyer"),
        ("buyer", "planner"),
    ]
    assert sorted(e["agent"] for e in events_of(reel, "llm")) == ["buyer", "buyer", "planner", "planner"]
    assert {e["agent"] for e in events_of(reel, "call") if e["method"] == "click"} == {"buyer"}
    assert "Sold: blue" in str(events_of(reel, "mutation"))


@pytest.mark.slow
def test_the_example_of_a_coding_agent(tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    run("coding_agent.py", reel)
    steps = events_of(reel, "step")
    assert [(step["title"].partition(":")[0], step["attributes"].get("attempt")) for step in steps[1:4]] == [
        ("run_python", None),
        ("No answer", None),
        ("edit_file", 2),
    ]
    assert all(step["attributes"]["inferred"] for step in steps)
    assert [e["error"] for e in events_of(reel, "llm") if "error" in e] == ["529: scripted_error: The model is busy."]
    errors = [e["error"] for e in events_of(reel, "tool_result") if "error" in e]
    assert len(errors) == 2 and "AssertionError" in errors[0] and "does not stand there once" in errors[1]
    assert events_of(reel, "tool_result")[-1]["result"] == "2 passed\n"


@pytest.mark.slow
def test_the_computer_use_example(tmp_path: Path) -> None:
    for needed in ("tkinter", "mss", "Xlib", "anthropic"):
        pytest.importorskip(needed)
    from tests.desktop.desk import Desk

    reel = tmp_path / "run.reel"
    with Desk((640, 400), managed=False) as desk:
        command = [sys.executable, EXAMPLES / "computer_use.py", reel]
        done = subprocess.run(command, env=desk.environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and "The note is in the list." in done.stdout, done.stderr
    screens = events_of(reel, "screen")
    assert [e["action"] for e in screens if "action" in e] == [
        {"action": "left_click", "coordinate": [200, 40]},
        {"action": "type", "text": "Call the garden shop at noon"},
        {"action": "left_click", "coordinate": [550, 40]},
    ]
    assert sum("digest" in e for e in screens) >= 3, "what it saw, each picture once"


@pytest.mark.slow
def test_the_computer_use_example_says_in_a_sentence_that_there_is_no_display(tmp_path: Path) -> None:
    for needed in ("mss", "Xlib", "anthropic"):
        pytest.importorskip(needed)
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    for display in ({}, {"DISPLAY": ":9871"}):
        command = [sys.executable, EXAMPLES / "computer_use.py", tmp_path / "run.reel"]
        done = subprocess.run(
            command, env=environment | display, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1 and "xvfb-run" in done.stderr
