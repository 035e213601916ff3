"""Texts that JSON holds letter by letter, or as the numbers of letters, are masked as texts; charts and choices stay."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pagereel.player_build import build
from pagereel.redaction import redact
from pagereel.redaction.detect.character_codes import decode_readable_codes
from pagereel.reel import open_reel
from tests.redaction.reels import Maker
from tests.redaction.strange_oracle import layers
from tests.redaction.strange_values import squashed, word

FORMS = {
    "letters": list,
    "codes": lambda text: [ord(c) for c in text],
    "a buffer": lambda text: {"type": "Buffer", "data": [*text.encode()]},
    "two letters each": lambda text: [text[i : i + 2] for i in range(0, len(text), 2)],
    "a letter a row": lambda text: [{"c": c, "x": at * 7} for at, c in enumerate(text)],
    "a code a row": lambda text: [{"k": ord(c)} for c in text],
    "codes by number": lambda text: {str(at): ord(c) for at, c in enumerate(text)},
    "letters by number": lambda text: {str(at): c for at, c in enumerate(text)},
}
CUTS = ([2, 8, 9, 13], [1, 3, 7, 9, 12], [3, 9, 16])
"""Where a model's answer is cut."""
HARMLESS = [
    [97, 104, 12, 33, 120, 88, 101, 99],
    [65, 70, 72, 80, 90, 84, 77, 69],
    [{"x": 101, "y": 7}, {"x": 110, "y": 30}, {"x": 97, "y": 1}, {"x": 99, "y": 8}, {"x": 120, "y": 9}],
]


def _spoken(value: Any) -> str:
    """What the letters and codes in a structure say, in order."""
    if isinstance(value, dict):
        return "".join(_spoken(v) for key, v in value.items() if key not in ("x", "type"))
    if isinstance(value, list):
        return "".join(map(_spoken, value))
    return chr(value) if isinstance(value, int) else str(value)


@pytest.mark.parametrize("policy", ["internal", "vendor", "strict"])
def test_a_text_in_pieces_is_masked_in_bodies_arguments_and_on_the_console(policy: str, tmp_path: Path) -> None:
    seed = Random().randrange(10**6)
    chance = Random(seed)
    reel = Maker(tmp_path / "raw.reel")
    reel.body(["p", {}, "Desk"])
    names = {form: [f"Maria {word(chance)}" for _ in range(3)] for form in FORMS}
    kept = {"charts": dict(zip("abc", HARMLESS, strict=True))}
    reel.put("console", page=1, level="log", text="", args=[{f: FORMS[f](n[0]) for f, n in names.items()}, kept])
    reel.put("tool_call", id=1, name="find", arguments={f: FORMS[f](n[1]) for f, n in names.items()} | kept)
    body = reel.resource("application/json", json.dumps({f: FORMS[f](n[2]) for f, n in names.items()} | kept))
    reel.put("request", id="1", page=1, method="POST", type="fetch", post=body, url="https://shop.example/", headers={})
    redact(reel.done(), tmp_path / "masked.reel", policy)
    told = []
    with open_reel(tmp_path / "masked.reel") as masked:
        for event in masked.events(("console", "tool_call", "resource")):
            said = (
                (event.get("args") or event.get("arguments"))
                if event["k"] != "resource"
                else json.loads(str(event["text"]))
            )
            structures = said if isinstance(said, list) else [said]
            for structure in structures:
                told += [form for form, all_ in names.items() if form in structure for name in all_ if squashed(name.split()[1]) in squashed(_spoken(structure[form]))]  # fmt: skip
                if "charts" in structure:
                    assert list(structure["charts"].values()) == HARMLESS
    assert told == [], f"seed {seed}"


@pytest.mark.parametrize(
    ("codes", "said"),
    [
        ([*b"Maria Ostenvik"], "Maria Ostenvik"),
        ([*b"m.ostenvik@shop.nl"], "m.ostenvik@shop.nl"),
        ([*b"4111 1111 1111 1111"], "4111 1111 1111 1111"),
        ([0x41C, 0x430, 0x440, 0x438, 0x44F], None),  # numbers of other scripts' letters are a chart's as often
        ([65, 70, 72, 80, 90], None),
        ([97, 300, 12], None),
        ([128, 129, 200, 201, 255, 254], None),
    ],
)
def test_numbers_are_letters_where_they_make_words(codes: list[int], said: str | None) -> None:
    assert decode_readable_codes(codes) == said


def _nested(levels: int, inner: Any) -> Any:
    for _ in range(levels):
        inner = {"a": [inner]}
    return inner


@pytest.mark.parametrize("policy", ["vendor", "strict"])
def test_json_that_is_nested_beyond_reason_ends_no_build_and_tells_nothing(policy: str, tmp_path: Path) -> None:
    surname = word(Random())
    text = '{"a":[' * 400 + f'{{"type": "type", "action": "type", "text": "Kwame {surname}"}}' + "]}" * 400
    packed = f"Kwame {surname}"
    for _ in range(6):
        packed = json.dumps(_nested(30, packed))
    reel = Maker(tmp_path / "raw.reel")
    reel.body(["p", {"data-state": text}, "Desk"])
    reel.put("console", page=1, level="log", text="", args=[text, _nested(110, surname)])
    reel.put("tool_call", id=1, name="find", arguments={"json": text, "packed": packed, "deep": _nested(110, surname)})
    bodies = {
        "application/json": text,
        "text/event-stream": f"data: {text}\n\n",
        "application/x-ndjson": f"{text}\n{text}\n",
    }
    for number, (mime, body) in enumerate(bodies.items()):
        reel.put("response", id=f"{number}", status=200, end=9, size=1, headers={}, mime=mime, body=reel.resource(mime, body))  # fmt: skip
    build(reel.done(), tmp_path / "masked.html", policy)
    redact(tmp_path / "raw.reel", tmp_path / "masked.reel", policy)
    said = b"".join(data for end in ("reel", "html") for _, data in layers(tmp_path / f"masked.{end}")).decode().lower()
    assert surname.lower() not in said


@pytest.mark.parametrize("policy", ["internal", "vendor", "strict"])
def test_an_answer_that_came_in_pieces_is_masked_as_one(policy: str, tmp_path: Path) -> None:
    reel = Maker(tmp_path / "raw.reel")
    texts = ["by Dariusz Ostenwierk today", "ask Ngozi Abernathwen, please", "for Priya Ramanujhara only"]
    for number, (text, cut) in enumerate(zip(texts, CUTS, strict=True)):
        pieces = [text[a:b] for a, b in zip([0, *cut], [*cut, len(text)], strict=True)]
        reel.put("llm", id=number + 1, model="m", response=pieces)
    redact(reel.done(), tmp_path / "masked.reel", policy)
    with open_reel(tmp_path / "masked.reel") as masked:
        said = ["".join(e["response"]) for e in masked.events({"llm"})]
    assert not any(name in text for text in said for name in ("Ostenwierk", "Abernathwen", "Ramanujhara")), said
    begin = ("by ", "ask ", "for ") if policy != "strict" else ("", "", "")
    assert all(text.startswith(word) for text, word in zip(said, begin, strict=True))
