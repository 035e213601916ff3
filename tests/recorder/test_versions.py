"""Whose run it is, what it is a part of, and which versions of things it has."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from pagereel import build, open_recording, record, redact
from pagereel.errors import UsageError
from pagereel.reading import build_run_summary
from pagereel.reel import find_event_problem, open_reel
from pagereel.sources import join_recordings

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def opened(reel: Path, *kinds: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    with open_reel(reel) as read:
        events = list(read.timeline())
        header = dict(read.header)
    assert [wrong for event in events if (wrong := find_event_problem(event))] == []
    return header, [event for event in events if event["k"] in kinds]


def test_owners_and_trace_stand_in_the_header(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    uuid = "6f1c2a4e-9c1d-4a57-8f0e-3c2b1a09f8e7"
    with record(None, path, tenant="acme", user="u-4711", trace=uuid.upper(), parent=PARENT) as session:
        assert session.trace == uuid.replace("-", "")
    header, _ = opened(path)
    assert (header["tenant"], header["user"], header["trace"], header["parent"]) == (
        "acme", "u-4711", uuid.replace("-", ""), PARENT,
    )  # fmt: skip
    told = open_recording(path).summary()
    assert (told["tenant"], told["user"], told["trace"]) == ("acme", "u-4711", uuid.replace("-", ""))


@pytest.mark.parametrize("wrong", [{"trace": "no id"}, {"parent": "12"}, {"tenant": 7}, {"versions": "v1"}])
def test_what_is_no_id_and_no_name_is_refused(wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        record(None, tmp_path / "run.reel", **wrong)


@pytest.mark.parametrize(
    ("given", "trace", "parent"),
    [
        (f"00-{TRACE}-{PARENT}-01", TRACE, PARENT),
        (f"cc-{TRACE}-{PARENT}-01-and-what-comes-later", TRACE, PARENT),
        (f"ff-{TRACE}-{PARENT}-01", None, None),
        (f"00-{'0' * 32}-{PARENT}-01", None, None),
        ("garbage", None, None),
        ("", None, None),
    ],
)
def test_the_trace_of_the_environment_is_taken_over(
    given: str, trace: str | None, parent: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACEPARENT", given)
    with record(None, tmp_path / "run.reel") as session:
        assert session.trace == (trace or session.id)
    header, _ = opened(tmp_path / "run.reel")
    assert (header.get("trace"), header.get("parent")) == (trace, parent)


def test_what_is_handed_on_joins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with record(None, tmp_path / "a.reel", agent="planner") as above:
        with above.step("Hand over"):
            given = above.traceparent()
        monkeypatch.setenv("TRACEPARENT", given)
        with record(None, tmp_path / "b.reel", agent="buyer") as below, below.step("Buy"):
            pass
    assert given.split("-")[1] == above.trace == below.trace
    joined = join_recordings([tmp_path / "a.reel", tmp_path / "b.reel"], tmp_path / "joined.reel")
    assert [(part.agent, part.by) for part in joined.parts] == [("planner", "clock"), ("buyer", "trace")]
    header, steps = opened(joined.path, "step")
    assert header["trace"] == above.trace or "trace" not in header
    assert steps[1]["parent"] == steps[0]["id"]


def test_versions_have_the_hash_of_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    config = {"temperature": 0, "max_tokens": 500}
    with record(None, path, versions={"prompt": "You shop.", "config": config}) as session:
        session.version("config", {"max_tokens": 500, "temperature": 0})
        with session.step("Plan", agent="planner"):
            session.version("prompt", "You plan.", name="v4")
        session.version("tools", object())
    _, versions = opened(path, "version")
    prompt, first, same, named, _ = versions
    assert prompt["sha256"] == hashlib.sha256(b"You shop.").hexdigest() and prompt["value"] == "You shop."
    assert first["sha256"] == same["sha256"] == hashlib.sha256(b'{"max_tokens":500,"temperature":0}').hexdigest()
    assert (named["what"], named["name"], named["agent"]) == ("prompt", "v4", "planner")
    told = build_run_summary(open_recording(path))["versions"]
    assert [version["what"] for version in told] == ["prompt", "config", "prompt", "tools"]
    assert all("value" not in version for version in told)


@pytest.mark.parametrize(("policy", "shown"), [("vendor", False), ("strict", False), ("internal", True)])
def test_a_redaction_replaces_tenant_and_user_as_its_policy_says(policy: str, shown: bool, tmp_path: Path) -> None:
    raw, masked = tmp_path / "run.reel", tmp_path / "masked.reel"
    with record(None, raw, tenant="vorplex", user="quillby7", trace=TRACE, parent=PARENT) as session:
        session.note("vorplex: quillby7 ordered")
        session.version("prompt", "Write to priya.r@zulip-quartz.example")
    redact(raw, masked, policy)
    header, events = opened(masked, "note", "version")
    whole = json.dumps([header, events])
    assert ("vorplex" in whole, shown or "quillby7" in whole) == (shown, shown)
    assert "zulip-quartz" not in whole and len(events[1]["sha256"]) == 64
    assert (header["trace"], header["parent"]) == (TRACE, PARENT) and header["tenant"] and header["user"]
    build(raw, tmp_path / "run.html", policy)
