"""What a run came to, computed from its recording."""

from __future__ import annotations

from pathlib import Path

from pagereel.library import Library
from pagereel.reading import build_run_summary, find_prompt_version, open_recording, to_summary_paragraph
from tests.redaction.reels import Maker


def agent_run(path: Path, system: str = "You buy what Ana Lima asks for.") -> Path:
    """A run of an agent: two outermost steps, one of them with an inner one, retries, a failure, a gap."""
    maker = Maker(path, started=1_000.0, agent="checkout-bot", metadata={"retry": 1}, id="abcdef1")
    maker.body(["p", {}, "Shop"])
    maker.put("step", id=1, title="Buy *books*")
    maker.put("step", id=2, parent=1, title="Search", attributes={"attempt": 2})
    messages = [{"role": "system", "content": system}, {"role": "user", "content": "books"}]
    maker.put(
        "llm",
        id=3,
        step=2,
        model="m-1",
        input_tokens=100,
        output_tokens=20,
        cost_usd=0.01,
        duration=300,
        prompt=messages,
    )
    maker.put("tool_call", id=4, step=2, name="search", arguments={"q": "books"})
    maker.put("tool_result", id=5, call=4, error="busy", duration=40)
    maker.put("tool_call", id=6, step=2, name="search", arguments={"q": "books"})
    maker.put("tool_result", id=7, call=6, result="3", duration=60)
    maker.put(
        "llm",
        id=8,
        step=2,
        model="m-1",
        input_tokens=200,
        output_tokens=30,
        cost_usd=0.02,
        duration=400,
        prompt=messages,
    )
    maker.put("step_end", id=2, success=True)
    maker.put("step_end", id=1, success=True)
    maker.put("step", id=9, title="Pay")
    maker.put("llm", id=10, step=9, model="m-2", input_tokens=5, output_tokens=5, cost_usd=0.5)
    maker.put(
        "call", id=11, step=9, title="page.click", method="click", locator='page.get_by_role("button")', error="Timeout"
    )
    maker.put("gap", reason="late", page=1)
    maker.checkpoint()
    maker.put("step_end", id=9, success=False, error="card declined")
    return maker.done()


def test_the_figures_of_a_run(tmp_path: Path) -> None:
    told = build_run_summary(open_recording(agent_run(tmp_path / "a.reel")))
    assert told["goal"] == ["Buy *books*", "Pay"]
    assert told["outcome"] == "failed" and "card declined" in told["failure"][-1]
    assert told["operations"] == 6 and told["unique_tools"] == 1
    assert told["max_iteration"] == 2, "two model calls in one outermost step"
    assert told["retries"] == 3, "a tool called again after its failure, a second attempt of a step, the test's own"
    assert (told["tokens_in"], told["tokens_out"], told["tokens"], told["cost_usd"]) == (305, 55, 360, 0.53)
    assert told["tools"] == [{"name": "search", "count": 2, "ms": 100, "failed": 1}]
    assert [(each["name"], each["count"], each["cost_usd"]) for each in told["models"]] == [
        ("m-1", 2, 0.03),
        ("m-2", 1, 0.5),
    ]
    assert [(step["title"], step["tokens"], step["cost_usd"], step["calls"]) for step in told["steps"]] == [
        ("Buy *books*", 350, 0.03, 4), ("Search", 350, 0.03, 4), ("Pay", 10, 0.5, 2),
    ]  # fmt: skip
    assert told["gaps"] == {"late": 1} and told["fidelity"] == {"checkpoints": 1, "equal": 1}
    assert told["redaction"] is None and told["pages"] == ["https://shop.example/"]


def test_an_iteration_that_the_agent_tells_counts(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "a.reel")
    maker.put("step", id=1, title="Think", attributes={"iteration": 7})
    maker.put("llm", id=2, step=1, model="m")
    assert build_run_summary(open_recording(maker.done()))["max_iteration"] == 7


def test_one_paragraph_of_markdown_with_the_words_of_the_recording_escaped(tmp_path: Path) -> None:
    said = to_summary_paragraph(build_run_summary(open_recording(agent_run(tmp_path / "a.reel"))))
    assert "\n" not in said
    assert said.startswith("**Buy \\*books\\*, Pay** by checkout-bot failed after 0.2 s.")
    for part in (
        "3 steps (1 failed)",
        "6 operations (of tools: search × 2)",
        "360 tokens and $0.5300",
        "3 retries",
        "1 × late",
        "1 of 1 checkpoints",
    ):
        assert part in said, part
    empty = to_summary_paragraph(build_run_summary(open_recording(Maker(tmp_path / "b.reel").done())))
    assert empty.startswith("**A run without steps** ended")


def test_a_prompt_has_a_version_that_names_do_not_change() -> None:
    def version(prompt: object, **attributes: object) -> str | None:
        return find_prompt_version({"prompt": prompt, "attributes": attributes})

    of_ana = version([{"role": "system", "content": "Buy for Ana Lima, ana@lima.pt, up to 30 euro."}])
    assert of_ana is not None and of_ana.startswith("system-")
    assert of_ana == version({"system": [{"text": "Buy for Kobrin Vask, kv@example.com, up to 30 euro."}]})
    assert of_ana != version([{"role": "system", "content": "Buy for Ana Lima, up to 40 euro."}])
    assert version("Buy", prompt_version="7") == "7"
    assert version([{"role": "user", "content": "hello"}]) is None


def test_a_library_shows_the_masked_summary(tmp_path: Path) -> None:
    with Library(tmp_path / "runs") as library:
        library.add(agent_run(tmp_path / "a.reel"))
        told = library.show("abc")
    assert told["redaction"]["policy"] == "vendor"
    assert told["markdown"] == to_summary_paragraph(told) and "masked under vendor" in told["markdown"]
