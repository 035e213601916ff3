"""What a masked reel keeps true: one person is one person, late finds mask early, digests agree, layout holds."""

from __future__ import annotations

import itertools
import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from pagereel.errors import ReelError, UsageError
from pagereel.redaction import Policy, PolicyRule, redact
from pagereel.redaction.contracts.check_digits import is_luhn_valid
from pagereel.redaction.values.invented_words import choose_stand_in_length
from pagereel.redaction.values.pseudonyms import Pseudonyms
from pagereel.reel import PageModel, open_reel
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker

NAME = "Priya Raghunathan"


def events(path: Path, kind: str) -> list[dict[str, Any]]:
    with open_reel(path) as reel:
        return [dict(e) for e in reel.events() if e.get("k") == kind]


def test_one_person_is_one_person_in_every_channel(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["h1", {}, f"Welcome back, {NAME}"],
        ["input", {"autocomplete": "name", "value": NAME}],
        ["p", {}, "Hello PRIYA, it is good to see you"],
    )
    m.put(
        "request",
        id="1",
        page=1,
        method="GET",
        type="fetch",
        headers={},
        url="https://shop.example/find?name=Priya%20Raghunathan",
    )
    m.put("llm", id=1, step=None, prompt=f"The customer is {NAME}, mail priya.raghunathan@mail.example", attributes={})
    redact(m.done(), tmp_path / "b.reel")
    tree = events(tmp_path / "b.reel", "snapshot")[0]["ops"][0][2][2][3]
    assert "priya" not in text_of(tmp_path / "b.reel").lower()
    heading = tree[2][2]
    stand_in = heading.removeprefix("Welcome back, ")
    first, last = stand_in.split()
    body = json.dumps(tree)
    assert stand_in in body.split('"value": "')[1]
    assert f"Hello {first.upper()}," in body
    assert f"{first}%20{last}".lower() in events(tmp_path / "b.reel", "request")[0]["url"].lower()
    assert f"{first}.{last}@example.com".lower() in events(tmp_path / "b.reel", "llm")[0]["prompt"].lower()


def test_what_is_learned_at_the_end_masks_the_beginning(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {"class": "crm-Ombrellix"}, "cache Ombrellix ready"])
    m.put(
        "request",
        id="1",
        page=1,
        method="GET",
        type="fetch",
        url="https://shop.example/",
        headers={"cookie": "sid=Ombrellix"},
    )
    redact(m.done(), tmp_path / "b.reel")
    assert "ombrellix" in text_of(tmp_path / "a.reel").lower()
    assert "ombrellix" not in text_of(tmp_path / "b.reel").lower()


def test_a_name_that_a_script_writes_letter_by_letter_is_found(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}], ["input", {"autocomplete": "name", "value": "Zuberina"}])
    for i, letter in enumerate("Zuberina"):
        m.ops(["add", 5, 100 + 2 * i, ["span", {}, letter]])
    report = redact(m.done(), tmp_path / "b.reel")
    model = PageModel()
    with open_reel(tmp_path / "b.reel") as reel:
        for event in reel.timeline():
            model.apply(event)
    shown = "".join(n.data for n in model.documents[1].walk() if n.kind == 3)
    assert "zuberina" not in shown.lower()
    assert report.split == 8


def test_digests_of_the_masked_checkpoints_are_those_of_the_model(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {"data-x": "Priya"}, f"my name is {NAME}"], ["textarea", {}, "private words"], ["#comment", "x"])
    m.checkpoint()
    m.ops(["text", 6, "my name is Joris Vandermeulen"])
    m.checkpoint()
    report = redact(m.done(), tmp_path / "b.reel")
    model = PageModel()
    checked = 0
    with open_reel(tmp_path / "b.reel") as reel:
        assert reel.sealed
        assert reel.damage is None
        for event in reel.timeline():
            model.apply(event)
            if event["k"] == "checkpoint":
                assert (event["digest"], event["nodes"]) == model.documents[1].compute_digest()
                assert event["equal"] is True
                checked += 1
    assert model.error_count == 0
    assert checked == report.checkpoints == 2


def test_typing_shows_neither_letters_nor_their_number(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["input", {"autocomplete": "name"}])
    for end in range(1, len(NAME) + 1):
        m.ops(["value", 5, NAME[:end]])
    redact(m.done(), tmp_path / "b.reel")
    shown = [e["ops"][0][2] for e in events(tmp_path / "b.reel", "mutation")]
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(shown))
    assert len(set(shown)) <= 5
    assert not any(NAME[:4].lower() in s.lower() for s in shown)


def test_two_values_of_one_length_class_give_one_length() -> None:
    p = Pseudonyms(b"k" * 32)
    for a, b in (("Anna", "Pieter"), ("Jansen", "Visser"), ("Raghunathan", "Vandermeulen")):
        if choose_stand_in_length(len(a)) == choose_stand_in_length(len(b)):
            assert len(p.make_stand_in(a, "PERSON")) == len(p.make_stand_in(b, "PERSON"))
    assert len(p.make_stand_in("06 12345678", "PHONE_NUMBER")) == len(
        p.make_stand_in("+31 6 5555 1234 99", "PHONE_NUMBER")
    )


def test_stand_ins_are_of_reserved_ranges() -> None:
    p = Pseudonyms()
    for i in range(200):
        card = p.make_stand_in(str(4000000000000000 + i), "CREDIT_CARD")
        assert not is_luhn_valid(card.replace(" ", ""))
        assert p.make_stand_in(f"x{i}@shop.nl", "EMAIL_ADDRESS").endswith("@example.com")
        assert re.fullmatch(r"(?:\d{3} ?)?555-?01\d\d", p.make_stand_in(f"06{i:08d}", "PHONE_NUMBER"))
        assert p.make_stand_in(f"10.0.0.{i}", "IP_ADDRESS").startswith("192.0.2.")


def test_two_runs_have_nothing_in_common() -> None:
    assert Pseudonyms().make_stand_in(NAME, "PERSON") != Pseudonyms().make_stand_in(NAME, "PERSON")


def test_the_text_of_a_shop_stays_readable(tmp_path: Path) -> None:
    words = [
        "Add to cart",
        "Red kettle",
        "€ 34.00",
        "Sort by price",
        "Free delivery over € 50",
        "In stock",
        "Checkout",
        "Continue shopping",
    ]
    m = Maker(tmp_path / "a.reel")
    m.body(*(["p", {}, w] for w in words))
    redact(m.done(), tmp_path / "b.reel")
    shown = text_of(tmp_path / "b.reel")
    assert [w for w in words if w not in shown] == []


def test_an_address_and_its_resource_still_agree(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["link", {"rel": "stylesheet", "href": "/a/main.css?v=8f3a9c2b1d"}],
        ["img", {"src": "/i/photo-123456.png?u=anna"}],
    )
    css = m.resource("text/css", "body{background:url('/i/photo-123456.png?u=anna')}")
    m.put(
        "request",
        id="1",
        page=1,
        method="GET",
        type="stylesheet",
        url="https://shop.example/a/main.css?v=8f3a9c2b1d",
        headers={},
    )
    m.put(
        "response",
        id="1",
        status=200,
        end=m.t,
        size=1,
        body=css,
        mime="text/css",
        headers={},
        url="https://shop.example/a/main.css?v=8f3a9c2b1d",
    )
    m.put(
        "request",
        id="2",
        page=1,
        method="GET",
        type="image",
        url="https://shop.example/i/photo-123456.png?u=anna",
        headers={},
    )
    redact(m.done(), tmp_path / "b.reel")
    tree = json.dumps(events(tmp_path / "b.reel", "snapshot"))
    first, second = (e["url"].removeprefix("https://shop.example") for e in events(tmp_path / "b.reel", "request"))
    assert f'"{first}"' in tree
    assert f'"{second}"' in tree
    sheet = events(tmp_path / "b.reel", "resource")[0]
    assert second in sheet["text"]
    assert sheet["sha256"] == events(tmp_path / "b.reel", "response")[0]["body"]
    assert "anna" not in first + second


def test_a_picture_in_a_style_sheet_is_drawn_and_not_said(tmp_path: Path) -> None:
    """As Bootstrap has it: what a picture in a custom property is drawn of was taken for text, and its colours for numbers of persons."""
    icon = "data:image/svg+xml,%3csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 12 12'%3e%3cpath stroke='%23dc3545' d='M5.8 3.6h.4L6 6.5z'/%3e%3c/svg%3e"
    m = Maker(tmp_path / "a.reel")
    m.body(["link", {"rel": "stylesheet", "href": "/main.css"}], ["p", {"style": "color:#dc3545"}, "Wrong"])
    sheet = f'path{{fill:url(#shade)}}@font-face{{src:url(icons.eot?#iefix)}}:root{{--bs-red:#dc3545;--icon:url("{icon}")}}p{{background-image:url("{icon}")}}b::after{{content:"see url(x), {NAME}"}}'
    css = m.resource("text/css", sheet)
    m.put("request", id="1", page=1, method="GET", type="stylesheet", url="https://shop.example/main.css", headers={})
    m.put("response", id="1", status=200, end=m.t, size=1, body=css, mime="text/css", headers={}, url="https://shop.example/main.css")  # fmt: skip
    redact(m.done(), tmp_path / "b.reel")
    masked = events(tmp_path / "b.reel", "resource")[0]["text"]
    assert "--bs-red:#dc3545" in masked
    assert masked.count("http://www.w3.org/2000/svg") == masked.count("%23dc3545") == 2
    assert masked.startswith("path{fill:url(#shade)}@font-face{src:url(icons.eot?#iefix)}")
    assert "see url(x), " in masked
    assert "Priya" not in masked
    assert "color:#dc3545" in json.dumps(events(tmp_path / "b.reel", "snapshot"))


def test_a_number_that_is_masked_in_a_text_is_masked_in_addresses_and_fields(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel", metadata={"ticket": "T-1042"})
    m.body(["h1", {}, "Ticket T-1042"], ["a", {"href": "/tickets/T-1042"}, "Open"])
    m.put(
        "request", id="1", page=1, method="GET", type="document", url="https://desk.example/tickets/T-1042", headers={}
    )
    redact(m.done(), tmp_path / "b.reel")
    heading = json.dumps(events(tmp_path / "b.reel", "snapshot")).split("Ticket ")[1].split('"')[0]
    assert heading != "T-1042"
    assert events(tmp_path / "b.reel", "request")[0]["url"].endswith(f"/tickets/{heading}")
    with open_reel(tmp_path / "b.reel") as reel:
        assert reel.header["metadata"] == {"ticket": heading}
    assert "1042" not in text_of(tmp_path / "b.reel")


def test_a_title_is_masked_with_the_recording(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, f"The customer is {NAME}"])
    redact(m.done(), tmp_path / "b.reel", title=f"Refund of {NAME.title()}")
    with open_reel(tmp_path / "b.reel") as reel:
        title = str(reel.header["title"])
    assert title.startswith("Refund of ")
    assert title.removeprefix("Refund of ") in text_of(tmp_path / "b.reel")
    assert "Priya" not in title


def test_an_attribute_named_like_a_value_is_renamed_as_in_the_style_sheet(tmp_path: Path) -> None:
    """A false find ("Shiny" is a person) must not cost a replay: its name is in attributes of every page."""
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "Hello, my name is Ombrellix"], ["div", {"data-ombrellix-busy": "true"}],
           ["style", {}, "div[data-ombrellix-busy]{color:red}"])  # fmt: skip
    div = next(n.id for n in m.model.documents[1].walk() if n.name == "div")
    m.ops(["attr", div, {"data-ombrellix-busy": None, "data-ombrellix-done": ""}])
    redact(m.done(), tmp_path / "b.reel")
    assert "ombrellix" not in text_of(tmp_path / "b.reel").lower()
    tree = json.dumps(events(tmp_path / "b.reel", "snapshot"))
    name = tree.split("div[")[1].split("]")[0]
    assert f'"{name}": ""' in tree
    changes = events(tmp_path / "b.reel", "mutation")[0]["ops"][0][2]
    assert changes == {name: None, name.replace("busy", "done"): ""}


def test_what_opentelemetry_says_of_programs_is_kept(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    told = {"gen_ai.agent.name": "shopper", "gen_ai.usage.input_tokens": 25088, "agent_name": "Zuberina"}
    m.put("step", id=1, parent=None, title="invoke_agent shopper", attributes=told)
    redact(m.done(), tmp_path / "b.reel")
    (step,) = events(tmp_path / "b.reel", "step")
    assert step["title"] == "invoke_agent shopper"
    assert {k: v for k, v in step["attributes"].items() if k.startswith("gen_ai")} == dict(list(told.items())[:2])
    assert step["attributes"]["agent_name"] != "Zuberina"


def test_a_report_is_never_pickled(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "nothing"])
    report = redact(m.done(), tmp_path / "b.reel")
    with pytest.raises(TypeError):
        pickle.dumps(report)
    with pytest.raises(TypeError):
        pickle.dumps(report.known)


def test_wrong_use_says_what_to_do_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("no reel")
    with pytest.raises(ReelError):
        redact(tmp_path / "x.txt", tmp_path / "b.reel")
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "x"])
    with pytest.raises(UsageError, match="does not exist"):
        redact(m.done(), tmp_path / "nowhere" / "b.reel")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.reel", "x.txt"]


def test_words_of_a_closed_list_pass_and_others_are_read_as_text(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "x"])
    for op in ("write", f"remember that my name is {NAME}"):
        m.put("memory", id=1, step=None, op=op)
    for method in ("PATCH", "propfind", "RAGHUNATHAN"):
        m.put("request", id="1", page=1, method=method, type="fetch", url="https://shop.example/", headers={})
    redact(m.done(), tmp_path / "b.reel")
    assert [e["method"] for e in events(tmp_path / "b.reel", "request")] == ["PATCH", "propfind", "[masked]"]
    plain, free = (e["op"] for e in events(tmp_path / "b.reel", "memory"))
    assert plain == "write"
    assert free.startswith("remember that my name is ")
    assert "raghunathan" not in text_of(tmp_path / "b.reel").lower()


def test_preferences_age_and_id_pass_only_as_what_they_are(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel", id="0f" * 16)
    m.page("snapshot", why="late", age=12.5, ops=[["doc", 1, ["#document", {}, ["html", {}]]]])
    m.page("viewport", w=1, h=1, dpr=1, scheme="dark", motion="reduce", media=["print", "(x: Priya)"])
    m.page("viewport", w=1, h=1, dpr=1, scheme="of Priya", motion="no-preference")
    redact(m.done(), tmp_path / "b.reel")
    assert events(tmp_path / "b.reel", "reel")[0]["id"] == "0f" * 16
    assert events(tmp_path / "b.reel", "snapshot")[0]["age"] == 12.5
    first, second = (
        {k: e[k] for k in ("scheme", "motion", "media") if k in e} for e in events(tmp_path / "b.reel", "viewport")
    )
    assert first == {"scheme": "dark", "motion": "reduce", "media": ["print"]}
    assert second == {"motion": "no-preference"}
    other = Maker(tmp_path / "c.reel", id="Priya Raghunathan")
    other.body(["p", {}, "x"])
    redact(other.done(), tmp_path / "d.reel")
    assert "id" not in events(tmp_path / "d.reel", "reel")[0]


@pytest.mark.parametrize(
    "name", ["id", "data-state", "list", "rel", "aria-describedby", "pattern", "systemlanguage", "d"]
)
def test_a_kept_attribute_keeps_no_address_and_no_secret(name: str, tmp_path: Path) -> None:
    token = "ghp_" + "9Qw2Lr7Tz4Xn8Vb1Mk6Jp3Hs5Dg0Fa2YcUeB"
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["svg|path", {name: "row-zuberina@shop.example"}], ["svg|path", {name: f"x {token}"}], ["p", {"id": "main-row"}]
    )
    redact(m.done(), tmp_path / "b.reel")
    shown = text_of(tmp_path / "b.reel")
    assert "zuberina" not in shown
    assert token not in shown
    assert '"main-row"' in shown


def test_an_attribute_that_the_user_lets_pass_passes(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {"data-owner": "desk@shop.example"}, "x"])
    redact(m.done(), tmp_path / "b.reel", Policy("test", rules=(PolicyRule("attribute", "data-owner", "allow"),)))
    assert "desk@shop.example" in text_of(tmp_path / "b.reel")


def test_a_resource_that_nothing_kept_names_is_not_kept(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "x"])
    m.put("picture", d=1, page=1, body=m.resource("text/css", "p { color: red }"))
    redact(m.done(), tmp_path / "b.reel")
    assert events(tmp_path / "b.reel", "picture") == events(tmp_path / "b.reel", "resource") == []


def test_what_is_highlighted_in_a_text_that_is_masked_is_not_told(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "a plain word"], ["p", {}, f"hello {NAME}"])
    both = [6, 0, 6, 3, 8, 6, 8, 9]
    m.page("mutation", ops=[["highlight", "found", 0, both]])
    m.page("mutation", ops=[["text", 6, NAME], ["text", 8, "another word"], ["highlight", "found", 0, both]])
    redact(m.done(), tmp_path / "b.reel")
    told = [op for e in events(tmp_path / "b.reel", "mutation") for op in e["ops"] if op[0] == "highlight"]
    assert [op[3] for op in told] == [both[:4], both[4:]]


def test_captions_are_read_as_texts(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["video", {}], ["p", {}, f"hello {NAME}"])
    how = {"line": 3, "align": "start", "vertical": NAME, "id": NAME}
    m.page("mutation", ops=[["cues", 5, [[0, 2.5, f"<v {NAME}>I am {NAME}", how]]]])
    redact(m.done(), tmp_path / "b.reel")
    (op,) = events(tmp_path / "b.reel", "mutation")[-1]["ops"]
    ((start, end, text, how),) = op[2]
    assert (start, end, how) == (0, 2.5, {"line": 3, "align": "start"})
    assert "I am " in text and "Priya" not in text and "Raghunathan" not in text


def test_the_browsers_message_about_a_field_tells_nothing_of_what_was_typed(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["input", {}], ["p", {}, f"hello {NAME}"])
    quotes = "'x y' is missing an '@'. Lengthen this to 8 characters: you use 5"
    for op in ([1, quotes, ""], [0, f"{NAME} is taken", ""], [0, "Fill this out", f"As {NAME} did"], []):
        m.page("mutation", ops=[["bubble", 5 if op else 0, *op]])
    redact(m.done(), tmp_path / "b.reel")
    typed, taken, title, gone = (e["ops"][0] for e in events(tmp_path / "b.reel", "mutation")[-4:])
    assert typed == ["bubble", 5, 1, "•••••", ""]
    assert taken[3].endswith(" is taken") and "Priya" not in taken[3]
    assert title[3] == "Fill this out" and "Priya" not in title[4] and gone == ["bubble", 0]


def test_a_style_with_all_digits_is_masked_as_the_style_is(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["div", {"style": "height: 1.23457e+07px"}],
        ["div", {"style": f"--who: '{NAME}'; top: 1.23457e+07px"}],
        ["p", {}, f"hello {NAME}"],
    )
    m.page("mutation", ops=[["exact", 5, "height: 12345678px"], ["exact", 6, f"--who: '{NAME}'; top: 12345678px"]])
    redact(m.done(), tmp_path / "b.reel")
    ops = events(tmp_path / "b.reel", "mutation")[-1]["ops"]
    assert ops[0] == ["exact", 5, "height: 12345678px"] and "Priya" not in str(ops[1:])


def test_of_a_drawing_numbers_pass_and_nothing_else(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "x"])
    drawn = {"time": 1.5, "paused": True, "x": 3, "Priya": 7}
    m.page("mutation", ops=[["drawing", 4, drawn], ["assign", 4, [5]]])
    redact(m.done(), tmp_path / "b.reel")
    ops = events(tmp_path / "b.reel", "mutation")[-1]["ops"]
    assert ops == [["drawing", 4, {"time": 1.5, "paused": True, "x": 3}], ["assign", 4, [5]]]
