"""Which of several agents asks a model, where nobody says it: each has its lane, and one agent is not told for two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagereel import open_recording, record
from pagereel.recorder import ModelAnswer, ModelCall, ModelRequest, SyncSession, ToolCallResult, ToolUse

from .test_inferred_steps import events_of

SHOPPER = "You buy what the customer asks for. Look at the shop first, compare prices, and never pay twice."
PLANNER = "You plan errands. Split what is wanted into small orders, and hand each of them to a colleague."
SECOND, THIRD = "agent 2 (inferred)", "agent 3 (inferred)"


def tool(name: str) -> Any:
    return {"type": "function", "function": {"name": name}}


class Wire:
    """Model calls as a proxy sees them: each conversation grows by what was answered, and tells what its tools gave."""

    def __init__(self, session: SyncSession) -> None:
        self.session = session
        self.t = 0.0
        self.calls = 0

    def ask(
        self,
        talk: list[Any],
        system: str = SHOPPER,
        tools: tuple[str, ...] = ("search", "pay"),
        use: str | None = "search",
        waited: tuple[str, ...] = (),
        agent: str | None = None,
    ) -> str:
        """One call after all before it; the id of the tool call that it asks for."""
        self.calls += 1
        number = f"call-{self.calls}"
        asked = ModelRequest("m", [system] if system else [], list(talk), [tool(name) for name in tools])
        asked.results = [ToolCallResult("ok", each) for each in waited]
        answered = ModelAnswer(texts=["I go on."], calls=[ToolUse(use, {"n": self.calls}, number)] if use else [])
        call = ModelCall(self.t, self.t + 10, "openai", "chat", asked, answered, agent=agent)
        self.session.record_model_call(call)
        self.t += 20
        return number


class Talk:
    """One conversation of a `Wire`."""

    def __init__(self, wire: Wire, opening: str, **given: Any) -> None:
        self.wire = wire
        self.given = given
        self.said: list[Any] = [{"role": "user", "content": opening}]
        self.waited: tuple[str, ...] = ()

    def turn(self, **given: Any) -> None:
        number = self.wire.ask(self.said, waited=self.waited, **{**self.given, **given})
        self.said = [*self.said, {"role": "assistant", "content": number}, {"role": "tool", "content": "ok"}]
        self.waited = (*self.waited, number)


def agents_of(path: Path, kind: str = "llm") -> list[str | None]:
    return [event.get("agent") for event in events_of(path, kind)]


def test_another_prompt_with_other_tools_is_another_agent(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path, agent="errands") as session:
        wire = Wire(session)
        planner = Talk(wire, "I need a vase and a bowl.", system=PLANNER, tools=("delegate",), use="delegate")
        shopper = Talk(wire, "Buy a vase.")
        planner.turn()
        shopper.turn()
        shopper.turn()
        planner.turn()
    assert agents_of(path) == [None, SECOND, SECOND, None]
    assert agents_of(path, "tool_call") == [None, SECOND, SECOND, None]
    steps = events_of(path, "step")
    assert [(step.get("agent"), step["attributes"]) for step in steps] == [
        (None, {"inferred": True, "iteration": 1}),
        (SECOND, {"inferred": True, "iteration": 1}),
        (SECOND, {"inferred": True, "iteration": 2}),
        (None, {"inferred": True, "iteration": 2}),
    ]
    assert open_recording(path).summary()["steps"] == 4


def test_one_that_takes_over_a_conversation_is_another_agent(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        talk = Talk(Wire(session), "I need a vase.", system=PLANNER, tools=("hand_over",), use="hand_over")
        talk.turn()
        talk.turn(system=SHOPPER, tools=("search", "pay"), use="search")
        talk.turn(system=SHOPPER, tools=("search", "pay"), use="search")
    assert agents_of(path) == [None, SECOND, SECOND]


@pytest.mark.parametrize(
    "changes",
    [
        [{"system": f"{SHOPPER} It is 2026-11-{day} 12:0{day}:17. You have {day} vases."} for day in (3, 4, 5)],
        [{"system": f"{SHOPPER} You remember: {memory}"} for memory in ("nothing yet", "the Tern vase", "the cart is full")],
        [{"tools": tools} for tools in (("search",), ("search", "pay"), ("pay", "ship", "thank"))],
        [{"tools": ("search",)}, {"tools": ("search",)}, {"tools": (), "use": None}],
        [{"system": SHOPPER}, {"system": ""}, {"system": ""}],
    ],
    ids=["the date", "a memory", "other tools", "no tools at the end", "a prompt said once"],
)  # fmt: skip
def test_an_agent_whose_prompt_or_tools_change_on_the_way_is_one(tmp_path: Path, changes: list[dict[str, Any]]) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        talk = Talk(Wire(session), "Buy a vase.")
        for change in changes:
            talk.turn(**change)
    assert agents_of(path) == [None] * 3


def test_a_title_a_verdict_and_a_new_conversation_make_no_agent(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        wire = Wire(session)
        for opening in ("Buy a vase.", "Buy a bowl."):
            Talk(wire, opening, system="Say in four words what this talk is about.", tools=(), use=None).turn()
            talk = Talk(wire, opening)
            talk.turn()
            Talk(wire, opening, system="Is that allowed? Say yes or no.", tools=(), use=None).turn()
            talk.turn()
            talk.turn(use=None)
    assert set(agents_of(path)) == {None}


def test_the_same_asked_of_many_things_at_once_is_one_agent(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        wire = Wire(session)
        for number in range(5):
            wire.t = 0.0  # all at once
            Talk(wire, f"Letter {number}", system="Sort letters.", tools=("sorted",), use="sorted").turn()
    assert set(agents_of(path)) == {None}


def test_two_conversations_under_one_prompt_that_go_on_in_turns_are_two_agents(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        wire = Wire(session)
        for opening in ("a vase", "a bowl"):
            one, two = Talk(wire, f"Buy {opening} here."), Talk(wire, f"Buy {opening} there.")
            one.turn()
            two.turn()  # not known yet: it could be the same one's, who left the first
            one.turn()
            for _ in range(2):
                two.turn()
                one.turn()
    assert agents_of(path) == [None, None, None, SECOND, None, SECOND, None] * 2


def test_after_a_hundred_agents_the_others_share_a_name(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        wire = Wire(session)
        errands = [
            Talk(wire, "Go.", system=" ".join(f"{letter}{word}" for word in "abcdefgh"), tools=(letter,))
            for letter in map(chr, range(0x4E00, 0x4E00 + 103))
        ]
        for _ in range(2):
            for errand in errands:
                errand.turn()
        beside = [
            Talk(wire, opening, system=errands[0].given["system"], tools=errands[0].given["tools"]) for opening in "xy"
        ]
        for _ in range(3):
            for talk in beside:
                talk.turn()
    names = [f"agent {number} (inferred)" for number in range(2, 101)]
    told = agents_of(path)
    assert told[:206] == [None, *names, *["further agents (inferred)"] * 3] * 2
    assert set(told[206:]) == {None}, "nobody is new any more, in one prompt's conversations either"


def test_without_a_prompt_the_tools_tell(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        wire = Wire(session)
        one = Talk(wire, "Buy a vase.", system="")
        two = Talk(wire, "Paint a vase.", system="", tools=("brush", "colour"))
        for _ in range(2):
            one.turn()
            two.turn()
    assert agents_of(path) == [None, SECOND] * 2


def test_who_names_agents_is_believed(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        wire = Wire(session)
        Talk(wire, "Plan.", system=PLANNER, tools=("delegate",), agent="planner").turn()
        Talk(wire, "Buy a vase.").turn()
    assert agents_of(path) == ["planner", None]
    told = tmp_path / "told.reel"
    with record(None, told) as session, session.step("Shop"):
        wire = Wire(session)
        Talk(wire, "Plan.", system=PLANNER, tools=("delegate",)).turn()
        Talk(wire, "Buy a vase.").turn()
    assert agents_of(told) == [None, None]
