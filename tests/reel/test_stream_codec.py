"""A streamed answer is kept as where its text was cut, and is the same again to the character."""

from __future__ import annotations

import json
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from pagereel.fixtures.providers import FORMS, ScriptedTurn
from pagereel.reel import decode_stream, encode_stream
from pagereel.reel.stream_codec import list_answer_texts

LONG = 'The “Tern” vase \\ costs 64 €, \n\t\U0001f3fa and "ships" today. ' * 20


@pytest.mark.parametrize("name", FORMS)
def test_the_streams_of_every_provider(name: str) -> None:
    turn = ScriptedTurn(LONG, "I look at it first. " * 9, (("search", {"query": "vase"}),))
    stream = "".join(FORMS[name].stream(turn, 1))
    told = {
        "response": {"content": turn.text, "tool_calls": [{"arguments": turn.calls[0][1]}]},
        "reasoning": turn.reasoning,
    }
    kept = encode_stream(stream, told)
    assert decode_stream(json.loads(json.dumps(kept)), told) == stream
    assert len(json.dumps(kept)) < len(stream) / 2


@pytest.mark.parametrize("name", FORMS)
def test_of_fifty_alike_answers_hardly_more_than_one_is_kept(name: str) -> None:
    kept = []
    for number in range(50):
        turn = ScriptedTurn(
            f"{number} {LONG}", f"I look {number} times. " * 9, (("search", {"query": f"vase {number} " * 9}),)
        )
        told = {
            "response": {"content": turn.text, "tool_calls": [{"arguments": turn.calls[0][1]}]},
            "reasoning": turn.reasoning,
        }
        kept.append(json.dumps(encode_stream("".join(FORMS[name].stream(turn, 1)), told)))
    assert len(compress(kept)) < len(compress(kept[:1])) + 50 * 60
    whole = json.dumps(FORMS[name].whole(turn, 1))
    again = encode_stream(whole, told)
    assert decode_stream(json.loads(json.dumps(again)), told) == whole
    assert "vase 3" not in json.dumps(again), "the arguments of tools stand in the call alone"


def compress(kept: list[str]) -> bytes:
    return zstandard.ZstdCompressor(level=15).compress("\n".join(kept).encode())


@given(st.lists(st.text(max_size=6)), st.lists(st.text(max_size=4)), st.text(max_size=20))
def test_any_text_cut_anywhere(words: list[str], thoughts: list[str], noise: str) -> None:
    lines = [f"data: {json.dumps({'content': word, 'id': noise})}\n" for word in words]
    lines += [f"data: {json.dumps({'thinking': word}, ensure_ascii=False)}\n" for word in thoughts]
    stream = "\n".join([*lines, noise])
    told = {"response": "".join(words), "reasoning": "".join(thoughts)}
    kept = encode_stream(stream * 3, told)
    assert kept is None or decode_stream(kept, told) == stream * 3


def test_what_does_not_get_smaller_is_left_as_it_is() -> None:
    assert encode_stream("data: {}\n\n", {"response": "text"}) is None
    assert encode_stream("", {}) is None
    assert encode_stream("data: \ue000\n" * 100, {}) is None, "the sign for a number stands in it"


@pytest.mark.parametrize(
    "kept",
    [
        None,
        3,
        {},
        {"lines": [["a", 7, "compact", "b"]], "order": [0], "cuts": [1]},
        {"lines": [], "order": [4], "cuts": []},
    ],
)
def test_what_is_damaged_is_no_stream(kept: Any) -> None:
    assert decode_stream(kept, {"response": "text"}) is None


def test_which_texts_a_stream_has_said() -> None:
    assert list_answer_texts({"response": "yes", "reasoning": "why"}) == ["yes", "why"]
    assert list_answer_texts({"response": {"content": "yes", "tool_calls": []}}) == ["yes", ""]
    assert list_answer_texts({"response": {"content": ["a", "b"]}, "reasoning": None}) == ["", ""]
