"""Recordings that no recorder wrote: values in fields for words of the format, in kinds and fields that nobody knows, and in events that masking leaves incomplete."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec.inspect as inspect
import pytest

from pagereel.player_build import build
from pagereel.redaction import redact
from pagereel.redaction.content.format_words import is_format_word
from pagereel.redaction.contracts.field_roles import CHANNELS
from pagereel.reel import KINDS, find_event_problem, open_reel
from tests.redaction.reels import Maker
from tests.redaction.strange_oracle import layers
from tests.redaction.strange_values import word

HASH = "0" * 64


def _sample(kind: Any) -> Any:
    """The least value that a type takes."""
    match kind:
        case inspect.Metadata():
            return _sample(kind.type)
        case inspect.UnionType():
            return _sample(kind.types[0])
        case inspect.IntType() | inspect.FloatType():
            return max(1, int(kind.ge or 0))
        case inspect.StrType():
            return HASH if kind.pattern else "x"
        case inspect.ListType():
            return []
        case inspect.DictType():
            return {}
        case _:
            return None


def _words(kind: Any) -> bool:
    """Whether a type takes any short text."""
    match kind:
        case inspect.Metadata():
            return _words(kind.type)
        case inspect.UnionType():
            return any(map(_words, kind.types))
        case inspect.StrType():
            return kind.pattern is None
        case _:
            return False


def _events() -> list[tuple[str, str, dict[str, Any]]]:
    """Kind and name of each field for a word of the format, and what else such an event must have."""
    found = []
    for name, kind in KINDS.items():
        channels = CHANNELS.get(name, {})
        if name in ("reel", "frame", "end", "resource", "document"):
            continue
        fields = inspect.type_info(kind.type).fields  # type: ignore[attr-defined]
        needed = {f.encode_name: _sample(f.type) for f in fields if f.required}
        found += [
            (name, f.encode_name, needed)
            for f in fields
            if f.encode_name != "k" and channels.get(f.encode_name) == "plain" and _words(f.type)
        ]
    return found


@pytest.mark.parametrize("policy", ["internal", "vendor", "strict"])
def test_a_field_for_a_word_of_the_format_tells_nothing_else(policy: str, tmp_path: Path) -> None:
    chance = Random(seed := Random().randrange(10**6))
    planted: dict[str, str] = {}
    reel = Maker(tmp_path / "raw.reel")
    reel.body(["p", {}, "Desk"])
    for number, (kind, field, needed) in enumerate(_events()):
        for form in ("Kwame {}", "{}@mail.example", "{}"):
            surname = word(chance)
            event = {**needed, "k": kind, "t": reel.t + 1 + number, field: form.format(surname)}
            if find_event_problem(event) is None:  # else no reader takes it
                planted[f"{kind}.{field} {form}"] = surname
                reel.writer.write(event)
    planted["a kind"], planted["a field"] = word(chance), word(chance)
    reel.writer.write({"k": planted["a kind"], "t": 9_000})
    reel.writer.write({"k": "mark", "t": 9_000, "id": 900, "name": "x", "unheard": f"Kwame {planted['a field']}"})
    with open_reel(reel.done()) as raw:
        list(raw.events())
        assert raw.invalid_count == 0
    assert len(planted) > 70
    redact(tmp_path / "raw.reel", tmp_path / "masked.reel", policy)
    build(tmp_path / "raw.reel", tmp_path / "masked.html", policy)
    said = [
        b"".join(data for _, data in layers(tmp_path / f"masked.{end}")).decode().lower() for end in ("reel", "html")
    ]
    assert [place for place, value in planted.items() if any(value.lower() in text for text in said)] == [], (
        f"seed {seed}"
    )


@pytest.mark.parametrize("policy", ["internal", "vendor", "strict"])
def test_a_name_of_a_field_within_a_field_tells_nothing(policy: str, tmp_path: Path) -> None:
    reel = Maker(tmp_path / "raw.reel", recorder={"name": "pagereel", "version": "0", "Kwame Bratvesen": "1"})
    reel.body(["p", {}, "Desk"])
    surnames = [word(Random()) for _ in range(3)]
    place, *timed = (f"Kwame {surname}" for surname in surnames)
    reel.put(
        "call",
        id=1,
        step=None,
        page=1,
        title="click",
        method="click",
        params={},
        source={"file": "a.py", "line": 3, place: 1},
    )
    reel.put("request", id="r", page=1, method="GET", type="fetch", url="https://shop.example/", headers={})
    reel.put("response", id="r", status=200, end=9, size=1, headers={}, timing={"dns": 1, "wait": 2, timed[0]: 1, "ssl": {timed[1]: 1}})  # fmt: skip
    build(reel.done(), tmp_path / "masked.html", policy)
    redact(tmp_path / "raw.reel", tmp_path / "masked.reel", policy)
    said = b"".join(data for end in ("reel", "html") for _, data in layers(tmp_path / f"masked.{end}")).decode().lower()
    assert [surname for surname in (*surnames, "Bratvesen") if surname.lower() in said] == []
    with open_reel(tmp_path / "masked.reel") as masked:
        (call,), (response,) = (list(masked.events((kind,))) for kind in ("call", "response"))
    assert call["source"].items() >= {"file": "a.py", "line": 3}.items()
    assert response["timing"].items() >= {"dns": 1, "wait": 2}.items()


@pytest.mark.parametrize("policy", ["internal", "vendor", "strict"])
def test_what_masking_leaves_incomplete_goes_and_texts_among_boxes_end_no_build(policy: str, tmp_path: Path) -> None:
    reel = Maker(tmp_path / "raw.reel")
    reel.body(["p", {}, "Desk"])
    reel.writer.write({"k": "version", "t": 100, "what": "prompt", "sha256": "none"})
    reel.writer.write({"k": "handed_on", "t": 100, "id": 1, "span": "Kwame Ostenvik"})
    reel.writer.write(
        {"k": "screen", "t": 100, "id": 2, "w": 10, "h": 10, "visible": [["Kwame Ostenvik", 1, 2, 3], [1]]}
    )
    redact(reel.done(), tmp_path / "masked.reel", policy)
    with open_reel(tmp_path / "masked.reel") as masked:
        kinds = {str(event["k"]) for event in masked.events()}
        assert masked.invalid_count == 0
    assert kinds.isdisjoint({"version", "handed_on"})


@pytest.mark.parametrize(
    "text",
    ["beforeunload", "dblclick", "CSS1Compat", "waitForSelector", "new_page", "other", "startGroupCollapsed", "9F3A0C77B1D2E4F59F3A0C77B1D2E4F5",
     "17263.482", "interceptor-job-12.0", "request@3fa91c", "", "cs", "not told", "0b51b7a2-43cc-4f10-9a56-2a3c7e0f1b11"],
)  # fmt: skip
def test_words_and_ids_that_recorders_write_stay(text: str) -> None:
    assert is_format_word(text)


@pytest.mark.parametrize(
    "text", ["Ostenvik", "a@shop.nl", "click by Ostenvik", "4111111111111111", "123-45-6789", "+44 20 7946 0958"]
)
def test_what_may_be_somebodys_is_no_word_of_the_format(text: str) -> None:
    assert not is_format_word(text)
