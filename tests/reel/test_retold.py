"""A streamed answer is kept as where its text was cut, and is the same again to the character."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagereel.fixtures.providers import FORMS, Turn
from pagereel.reel import retold, texts_of, told_again

LONG = 'The “Tern” vase \\ costs 64 €, \n\t\U0001f3fa and "ships" today. ' * 20


@pytest.mark.parametrize("name", FORMS)
def test_the_streams_of_every_provider(name: str) -> None:
    turn = Turn(LONG, "I look at it first. " * 9, (("search", {"query": "vase"}),))
    stream = "".join(FORMS[name].stream(turn, 1))
    texts = [turn.text, turn.reasoning]
    kept = retold(stream, texts)
    assert told_again(json.loads(json.dumps(kept)), texts) == stream
    assert len(json.dumps(kept)) < len(stream) / 2


@given(st.lists(st.text(max_size=6)), st.lists(st.text(max_size=4)), st.text(max_size=20))
def test_any_text_cut_anywhere(words: list[str], thoughts: list[str], noise: str) -> None:
    lines = [f"data: {json.dumps({'content': word, 'id': noise})}\n" for word in words]
    lines += [f"data: {json.dumps({'thinking': word}, ensure_ascii=False)}\n" for word in thoughts]
    stream = "\n".join([*lines, noise])
    texts = ["".join(words), "".join(thoughts)]
    kept = retold(stream * 3, texts)
    assert kept is None or told_again(kept, texts) == stream * 3


def test_what_does_not_get_smaller_is_left_as_it_is() -> None:
    assert retold("data: {}\n\n", ["text"]) is None
    assert retold("", []) is None
    assert retold("data: \ue000\n" * 100, []) is None, "the sign for a number stands in it"


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
    assert told_again(kept, ["text"]) is None


def test_which_texts_a_stream_has_said() -> None:
    assert texts_of({"response": "yes", "reasoning": "why"}) == ["yes", "why"]
    assert texts_of({"response": {"content": "yes", "tool_calls": []}}) == ["yes", ""]
    assert texts_of({"response": {"content": ["a", "b"]}, "reasoning": None}) == ["", ""]
