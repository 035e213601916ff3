"""A recording that is masked while it is made: no planted value passes, though nothing is known of what comes, and the page keeps its look."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagereel.redaction import LiveMasker
from pagereel.reel import MASK, Event, PageModel, ReelWriter, get_text_content, open_reel, pick_header_fields

from .places import Values
from .reels import Maker
from .test_places import raw, readings, told

__all__ = ["raw"]

CANARIES = (
    "Priya", "Raghunathan", "priya.raghunathan@lima-books.pt", "4111 1111 1111 1111", "4111111111111111", "SW1A 2AA", "diagnosis", "Ostenvik",
    "+44 20 7946 0958", "sk-live-51HvYq2eZ", "Müllerstraße", "田中花子", "DE89370400440532013000", "T-99120-XY",
)  # fmt: skip
"""Values, as they are planted; each is looked for in every case of letters, and without its spaces and signs."""


def masked(path: Path) -> list[Event]:
    mask = LiveMasker()
    with open_reel(path) as reel:
        return [
            mask.mask_header(reel.header),
            *(out for event in reel.read_new_events() for out in mask.mask_event(event)),
        ]


def leaks(events: list[Event]) -> list[str]:
    said = json.dumps(events, ensure_ascii=False).casefold()
    bare = "".join(c for c in said if c.isalnum())
    return [
        canary
        for canary in CANARIES
        if canary.casefold() in said
        or (len(canary) > 6 and "".join(c for c in canary.casefold() if c.isalnum()) in bare)
    ]


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """Each canary in each channel."""
    maker = Maker(
        tmp_path / "run.reel", agent="bot of Priya Raghunathan", title="Ostenvik", metadata={"Priya": {"mail": CANARIES[2]}}, id="abcdef12"
    )  # fmt: skip
    every = ", ".join(CANARIES)
    slug = "priya-raghunathan"
    sheet = maker.resource(
        "text/css",
        f".{slug} {{ color: red; --who: Priya Raghunathan; content: '{every}' }} /* {every} */ @media (x) {{}}",
    )
    svg = maker.resource(
        "image/svg+xml", f'<svg xmlns="http://www.w3.org/2000/svg"><title>{every}</title><text>{every}</text></svg>'
    )
    body = maker.resource("application/json", json.dumps({"Priya": every}))
    head = {
        "cookie": every,
        "x-customer": "Ostenvik",
        "content-type": "text/css",
        "referer": f"https://{slug}.example/{slug}?q={slug}",
    }
    maker.put(
        "request",
        id="r1",
        page=1,
        method="GET",
        url=f"https://{slug}.shop.example/{slug}.css?mail={CANARIES[2]}#{slug}",
        type="stylesheet",
        headers=head,
        post=body,
    )
    maker.put(
        "response",
        id="r1",
        status=200,
        headers=head,
        end=1,
        size=3,
        mime="text/css",
        body=sheet,
        status_text="Ostenvik",
    )
    maker.put(
        "request", id="r2", page=1, method="GET", url=f"https://shop.example/{slug}.svg", type="image", headers={}
    )
    maker.put("response", id="r2", status=200, headers={}, end=1, size=3, mime="image/svg+xml", body=svg)
    maker.put("request", id="r3", page=1, method="PRIYA", url=f"wss://shop.example/{slug}", type="xhr", headers={})
    maker.put(
        "response", id="r3", status=200, headers={}, end=1, size=3, mime="application/json", body=body, error=every
    )
    maker.put("message", id="r3", sent=True, size=3, name="Ostenvik", body=body)
    attrs: dict[str, Any] = {
        "class": f"card {slug} id-4111111111111111", "id": slug, "title": every, "aria-label": every, "data-customer": "Ostenvik", "alt": every,
        "href": f"/people/{slug}?who=Priya", "style": "background: url(/priya-raghunathan.png); --who: Ostenvik", "onclick": every, "srcset": f"/{slug}.png 1x",
    }  # fmt: skip
    maker.body(
        ["p", {}, every], ["a", attrs, every], ["x-ostenvik", {"priya": "Priya"}, every], ["input", {"value": every, "placeholder": every, "type": "text"}],
        ["select", {}, ["option", {"value": "Priya"}, "Priya"]], ["style", {}, f"#{slug}::before {{ content: 'Priya' }}"], ["#comment", every],
        ["textarea", {}, every], ["script", {}, every], ["img", {"src": f"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><text>{every}</text></svg>"}],
    )  # fmt: skip
    maker.ops(
        ["text", 6, f"later {every}"],
        ["attr", 7, {"title": every, "data-theme": "Ostenvik"}],
        ["value", 11, "Priya"],
        ["value", 11, "Priya R"],
    )
    maker.ops(
        ["sheet", 1, 0, f".{slug} {{ content: '{every}' }}", {}],
        ["states", 7, ["Ostenvik"]],
        ["bubble", 11, 1, every, every],
    )
    maker.page("location", url=f"https://shop.example/{slug}#{slug}")
    maker.page("key", type="down", node=11, key="P", mods="")
    maker.put(
        "step",
        id=1,
        title="Write to Priya Raghunathan of Ostenvik about T-99120-XY",
        reasoning=every,
        attributes={"Ostenvik": every},
    )
    maker.put(
        "llm",
        id=2,
        step=1,
        model="ft:ostenvik",
        prompt=[{"role": "user", "content": every}],
        response=every,
        attributes={"who": every},
    )
    maker.put("tool_call", id=3, step=1, name="notifyOstenvik", arguments={"Ostenvik": every, "card": 4111111111111111})
    maker.put("tool_result", id=4, call=3, result=every, error=every)
    maker.put("memory", id=5, op="remember", key="Priya", value=every)
    maker.put("note", id=6, text=every, attributes={"outcome": every})
    maker.put("mark", name="before Ostenvik")
    maker.put("console", page=1, level="log", text=every, args=[every], url=f"https://shop.example/{slug}")
    maker.put(
        "error",
        page=1,
        message=every,
        stack=f"Error: {every}\n    at notifyOstenvik (https://shop.example/{slug}.js:1:1)",
    )
    maker.put("dialog", page=1, type="alert", message=every, default="Priya")
    maker.put("download", page=1, url=f"https://shop.example/{slug}", filename="Priya.pdf")
    maker.put("call", id=7, step=1, title="Click Priya", method="click", page=1, params={"name": "Priya", "text": every}, locator="get_by_text('Priya')",
              error=every, log=every, source={"file": "/home/priya/run.py", "line": 3, "function": "pay_ostenvik", "code": [every]})  # fmt: skip
    maker.put("gap", reason="lost", page=1, detail=every)
    maker.put("step_end", id=1, success=False, message=every, error=every, attributes={"Priya": every})
    return maker.done()


def test_no_planted_value_passes_though_nothing_is_known_of_what_comes(planted: Path) -> None:
    events = masked(planted)
    assert leaks(events) == []
    kinds = {event["k"] for event in events}
    assert {"snapshot", "mutation", "step", "llm", "tool_call", "console", "request", "response", "call"} <= kinds


def test_what_everybody_says_stays_in_titles_of_steps(planted: Path) -> None:
    (title,) = [str(event["title"]) for event in masked(planted) if event["k"] == "step"]
    assert title.startswith("Write ") and " about " in title


def test_a_class_and_its_rule_a_link_and_its_request_still_fit(planted: Path) -> None:
    events = masked(planted)
    model = PageModel()
    for event in events:
        model.apply(event)
    document = model.documents[1]
    link = document.nodes[7].attrs
    (sheet,) = [str(event["text"]) for event in events if event["k"] == "resource" and event["mime"] == "text/css"]
    token = link["class"].split()[1]
    assert token != "priya-raghunathan" and f".{token} {{" in sheet
    (style,) = [node for node in document.nodes.values() if node.name == "style"]
    assert f"#{link['id']}::before" in get_text_content(style)
    asked = next(
        str(event["url"]) for event in events if event["k"] == "request" and str(event["url"]).endswith(".svg")
    )
    assert asked.removesuffix(".svg") + ".png 1x" == f"https://shop.example{link['srcset']}"
    assert model.error_count == 0


def test_what_is_typed_shows_neither_its_letters_nor_their_number(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "run.reel")
    maker.body(["input", {"type": "text"}])
    for until in range(1, 9):
        maker.ops(["value", 5, "Ostenvik"[:until]])
    ops = [op for event in masked(maker.done()) if event["k"] == "mutation" for op in event["ops"]]  # type: ignore[union-attr]
    assert ops == [["value", 5, MASK]]


def test_where_a_page_asks_for_a_pin_the_pointer_the_keys_and_the_pad_say_nothing(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "run.reel")
    maker.body(
        ["p", {}, "Your PIN"], ["div", {}, *(["button", {}, str(digit)] for digit in range(10))], ["p", {}, "Help"]
    )
    maker.page("pointer", points=[[0, 1, 1]], type="mouse")
    maker.page("mouse", type="down", node=10, x=1, y=1, button=0)
    maker.ops(["attr", 10, {"class": "pressed"}])
    maker.ops(["text", 29, "one more"])
    maker.put("call", id=1, title="Click 3", method="click", page=1, params={"x": 3}, locator="get_by_text('3')")
    maker.put("mark", name="open")
    events = masked(maker.done())
    assert {event["k"] for event in events} == {"reel", "document", "snapshot", "mutation", "call", "mark", "end"}
    (mutation,) = [event for event in events if event["k"] == "mutation"]
    assert mutation["n"] == 1, "what is left out leaves no hole"
    (call,) = [event for event in events if event["k"] == "call"]
    assert not {"locator", "params"} & set(call)


def test_the_same_string_is_the_same_stand_in_however_long_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pagereel.redaction.passes.structural_masker._KEPT", 20)
    maker = Maker(tmp_path / "run.reel")
    maker.body(["p", {}, "nothing"])
    for said in ("Ostenvik", *(f"line {number} of many words" for number in range(60)), "Ostenvik"):
        maker.ops(["text", 6, said])
    texts = [op[2] for event in masked(maker.done()) if event["k"] == "mutation" for op in event["ops"]]  # type: ignore[union-attr,index]
    assert texts[0] == texts[-1] != "Ostenvik"


def test_none_of_the_places_beyond_the_channels_tells_its_value_while_it_is_made(
    raw: tuple[Path, Values, int], tmp_path: Path
) -> None:
    path, values, seed = raw
    head, *events = masked(path)
    with ReelWriter(tmp_path / "masked.reel", pick_header_fields(head)) as writer:
        for event in events:
            if event["k"] != "end":
                writer.write(event)
    assert told(readings(tmp_path / "masked.reel"), values) == [], f"seed {seed}"
