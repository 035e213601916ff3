"""Model traffic in a masked recording: what is personal is masked wherever it stands, and the wire's own bytes are gone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagereel import build, record, redact
from pagereel.recorder import ModelAnswer, ModelCall, ModelHttpExchange, ModelRequest, ToolCallResult, ToolUse
from pagereel.reel import ModelMessageStore, open_reel

NAME, MAIL, CARD, PHONE = "Priya Raghunathan", "priya.r@zulip-quartz.example", "4012888888881881", "+31 20 555 7391"
CANARIES = (NAME, MAIL, CARD, PHONE, "Raghunathan", "zulip-quartz")


@pytest.fixture
def reel(tmp_path: Path) -> Path:
    path = tmp_path / "run.reel"
    messages = [
        {"role": "system", "content": f"You help {NAME}."},
        {"role": "user", "content": [{"type": "text", "text": f"My card is {CARD}, call {PHONE}."}]},
        {
            "role": "assistant",
            "tool_calls": [{"id": "c1", "function": {"name": "mail", "arguments": json.dumps({"to": MAIL})}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": f"sent to {MAIL}"},
    ]
    body = json.dumps({"model": "m", "messages": messages}).encode()
    stream = f'data: {{"choices": [{{"delta": {{"content": "Dear {NAME}"}}}}]}}\n\n'.encode()
    with record(None, path) as session:
        for turn in range(2):
            answered = ModelAnswer(
                "m-1", [f"Dear {NAME}, I wrote to {MAIL}."], f"{NAME} wants a mail.", calls=[ToolUse("mail", {"to": MAIL, "card": CARD}, f"c{turn}")],
                error=f"400: no such customer {NAME}",
            )  # fmt: skip
            asked = ModelRequest(
                "m",
                [],
                messages,
                [{"name": "mail", "description": f"Mails {NAME}"}],
                {"user": MAIL},
                [ToolCallResult(f"sent to {MAIL}", "c0")],
            )
            wire = ModelHttpExchange(
                "POST",
                f"https://api.example/v1/chat/completions?user={MAIL}",
                body,
                "application/json",
                200,
                {"x-request-id": MAIL},
                stream,
                "text/event-stream",
            )
            session.record_model_call(ModelCall(session.now, session.now, "openai", "chat", asked, answered, wire=wire))
        report = tmp_path / "report.csv"
        report.write_text(f"customer,mail,card\n{NAME},{MAIL},{CARD}\n")
        session.artifact(report, name=f"report for {NAME}")
        session.answer(session.ask(f"May I mail {NAME}?", to=MAIL), f"Yes, {NAME} agreed", by=NAME)
        session.score(f"{NAME} is content", 1, comment=f"says {MAIL}")
    return path


def test_no_canary_is_in_a_replay_for_a_vendor(reel: Path, tmp_path: Path) -> None:
    build(reel, tmp_path / "run.html")
    redact(reel, tmp_path / "masked.reel")
    with open_reel(tmp_path / "masked.reel") as masked:
        events = list(masked.timeline())
    text = json.dumps(events, ensure_ascii=False)
    assert [canary for canary in CANARIES if canary.lower() in text.lower()] == []
    page = (tmp_path / "run.html").read_text("utf-8").lower()
    assert [canary for canary in CANARIES if canary.lower() in page] == []
    assert "wire" not in {event["k"] for event in events}
    assert {"said", "llm", "tool_call", "tool_result"} <= {event["k"] for event in events}


def test_one_person_is_one_stand_in_in_prompt_answer_and_arguments(reel: Path, tmp_path: Path) -> None:
    redact(reel, tmp_path / "masked.reel")
    said = ModelMessageStore()
    with open_reel(tmp_path / "masked.reel") as masked:
        events = list(masked.timeline())
    for event in events:
        said.store_message(event)
    llm = said.fill_in_messages(next(event for event in events if event["k"] == "llm"))
    prompt, response = llm["prompt"], llm["response"]
    assert isinstance(prompt, list) and isinstance(response, dict)
    name = str(prompt[0]["content"]).removeprefix("You help ").rstrip(".")  # type: ignore[index,call-overload]
    assert name in str(response["content"]) and name in str(llm["reasoning"])
    mail = json.loads(prompt[2]["tool_calls"][0]["function"]["arguments"])["to"]  # type: ignore[index,call-overload]
    assert mail.endswith("@example.com") and mail in str(response["content"])
