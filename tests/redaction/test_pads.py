"""Neither the calls that pressed a password's keys nor the clicks on a PIN pad tell how long it is, its rhythm or its digits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagereel.redaction import redact
from pagereel.reel import PageModel, open_reel
from tests.redaction.reels import Maker

KEYS = [["button", {"class": "key"}, key] for key in "1234567890"]
GUARDS: dict[str, list[Any]] = {
    "a password field": [["input", {"type": "password"}]],
    "words": [["h2", {}, "Enter your PIN"]],
    "its bullets": [["p", {}, "●●●●"]],
    "a name of a field": [["input", {"id": "security-code"}]],
    "words in another language": [["label", {}, "Geheimzahl"]],
}


def masked(raw: Path) -> list[dict[str, Any]]:
    redact(raw, raw.with_suffix(".masked"))
    with open_reel(raw.with_suffix(".masked")) as reel:
        return [dict(e) for e in reel.events() if e["k"] not in ("redaction", "end")]


def pressed(path: Path, password: str) -> list[dict[str, Any]]:
    m = Maker(path)
    m.body(["input", {"type": "password"}])
    for at, key in enumerate(password):
        m.t += 37 * (at + ord(key)) % 400
        m.put("call", id=at, step=None, page=1, title=f'Press "{key}"', method="keyboard.press", params={"key": key}, duration=8.0 + at,
              source={"file": "tests/test_a.py", "line": 3, "code": [f"for key in '{password}': page.keyboard.press(key)"]})  # fmt: skip
    m.put(
        "call",
        id=90,
        step=None,
        page=1,
        title="Press Enter",
        method="keyboard.press",
        params={"key": "Enter"},
        duration=3.0,
    )
    m.put(
        "call",
        id=91,
        step=None,
        page=1,
        title="Copy",
        method="keyboard.press",
        params={"key": "Control+C"},
        duration=3.0,
    )
    m.put(
        "call",
        id=92,
        step=None,
        page=1,
        title="Type",
        method="press_sequentially",
        params={"text": "•••••"},
        duration=50.0 * len(password),
    )
    m.put("call", id=93, step=None, page=1, title="Click", method="click", params={}, duration=5.0)
    return [e for e in masked(m.done()) if e["k"] == "call"]


def test_calls_that_press_keys_tell_neither_how_many_nor_when(tmp_path: Path) -> None:
    short, long = pressed(tmp_path / "a.reel", "k9#x"), pressed(tmp_path / "b.reel", "correct horse battery")
    assert [c["method"] for c in short] == [c["method"] for c in long]
    assert [c["method"] for c in long] == ["keyboard.press"] * 3 + ["press_sequentially", "click"]
    assert [c.get("duration") for c in short] == [c.get("duration") for c in long]
    assert (
        long[1]["params"] == {"key": "Enter"}
        and long[2]["params"] == {"key": "Control+C"}
        and long[4]["duration"] == 5.0
    )
    assert short[0]["params"] == long[0]["params"] and "source" not in long[0] and long[0]["title"] == "keyboard.press"


def clicked(path: Path, pin: str, guard: list[Any], keys: list[Any] = KEYS) -> tuple[list[dict[str, Any]], list[str]]:
    m = Maker(path)
    m.body(*guard, ["div", {"id": "pad"}, *keys], ["button", {}, "Sign in"])
    buttons = {n.first.data: n for n in m.model.documents[1].walk() if n.name == "button" and n.first is not None}
    m.t = 10_000
    for key in (*pin, "Sign in"):
        m.t += 400 if key != "Sign in" else 9_000
        node, place = buttons[key].id, 100 * ord(key[0])
        m.page("pointer", points=[[0, place, place]], type="mouse")
        m.ops(["pointed", node, 0, 0])
        m.page("mouse", type="down", node=node, x=place, y=place, button=0)
        m.ops(["focus", node, 0], ["attr", node, {"class": "key pressed"}])
        m.page("mouse", type="click", node=node, x=place, y=place, button=0)
        m.put("call", id=m.n, step=None, page=1, title=f"Click {key}", method="click", params={"position": {"x": place, "y": 1}}, duration=5.0,
              locator=f'get_by_role("button", name="{key}")', source={"file": "tests/a.py", "line": 3, "code": [f'page.click("text={key}")']})  # fmt: skip
        m.ops(["attr", node, {"class": "key"}])
    m.checkpoint()
    events = masked(m.done())
    told = [str({k: v for k, v in e.items() if k not in ("t", "n", "id", "digest")}) for e in events]
    return events, told


@pytest.mark.parametrize("guard", GUARDS)
def test_clicks_on_a_pad_beside_a_secret_field_lose_target_and_place(guard: str, tmp_path: Path) -> None:
    events, one = clicked(tmp_path / "a.reel", "4711", GUARDS[guard])
    _, other = clicked(tmp_path / "b.reel", "906352", GUARDS[guard])
    assert one == other
    assert [e["type"] for e in events if e["k"] == "mouse"] == ["down", "click"], (
        "the click on the page's own button stays"
    )
    assert len([e for e in events if e["k"] == "call"]) == 2 and "Sign in" in one[-1] + "".join(one)


def test_a_masked_recording_of_a_pad_is_true_of_itself(tmp_path: Path) -> None:
    events, _ = clicked(tmp_path / "a.reel", "4711", GUARDS["words"])
    model = PageModel()
    for event in events:
        model.apply(event)
        if event["k"] == "checkpoint":
            assert model.documents[1].compute_digest() == (event["digest"], event["nodes"])
    assert model.error_count == 0


def test_keys_of_a_calculator_stay(tmp_path: Path) -> None:
    events, _ = clicked(tmp_path / "a.reel", "4711", [["h2", {}, "Calculator"]])
    assert len([e for e in events if e["k"] == "mouse"]) == 10 and len([e for e in events if e["k"] == "call"]) == 5


def test_letters_of_a_keyboard_on_the_screen_are_keys_too(tmp_path: Path) -> None:
    letters = [["button", {}, ["span", {}, key]] for key in "qwertzuiopasdfghjklyxcvbnm"]
    m = Maker(tmp_path / "a.reel")
    m.body(["input", {"type": "password"}], ["div", {}, *(["div", {}, *letters[i : i + 9]] for i in (0, 9, 18))])
    keys = [n for n in m.model.documents[1].walk() if n.name == "span"]
    m.t = 9_000
    for node in keys[:5]:
        m.page("mouse", type="down", node=node.id, x=3, y=4, button=0)
    assert [e for e in masked(m.done()) if e["k"] == "mouse"] == []


def test_dots_that_a_page_draws_for_each_key_tell_no_length(tmp_path: Path) -> None:
    said = []
    for length in (4, 13):
        m = Maker(tmp_path / f"{length}.reel")
        m.body(["p", {}, "-"], ["p", {}, "Home • Help"])
        dots = next(n for n in m.model.documents[1].walk() if n.data == "-").id
        for typed in range(1, length + 1):
            m.ops(["text", dots, "●" * typed])
        m.ops(["text", dots, "Welcome"])
        said.append([op for e in masked(m.done()) if e["k"] == "mutation" for op in e["ops"]])
    assert said[0] == said[1] and len(said[0]) == 2
