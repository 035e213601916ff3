"""Layout holds and tells nothing: two values of one class of length leave recordings that are equal but for the letters."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pagereel.redaction import redact
from pagereel.reel import TEXT, PageModel, open_reel
from tests.redaction.reels import Maker

ONE = (
    "Joaquin Raghunathan",
    "joaquin.raghunathan@mail.example.com",
    "+31 6 5555 0101 22",
    "4111 1111 1111 1111",
    "Zk9!short",
)
OTHER = ("Amirah Vandermeulens", "amirah.vandermeulens@po.example.org", "+31 6 5555 019", "5500 0055 5555 5559", "Qw7?and-longer-still")  # fmt: skip


def _recording(path: Path, values: tuple[str, ...]) -> Path:
    name, mail, phone, card, password = values
    m = Maker(path)
    m.body(
        ["h1", {}, f"Welcome back, {name}"],
        ["p", {}, "Hello ", ["b", {}, name], ", we write to ", ["a", {"href": f"mailto:{mail}"}, mail]],
        ["p", {"title": name}, f"Call {phone} or pay with {card}"],
        ["select", {}, ["option", {"value": name}, name], ["option", {}, mail]],
        ["input", {"autocomplete": "name"}],
        ["textarea", {}, name],
    )
    field = next(n.id for n in m.model.documents[1].walk() if n.name == "input")
    m.ops(["value", field, name[: len(name) // 2]])
    m.ops(["value", field, name])
    url = f"https://shop.example/find?name={name.replace(' ', '%20')}&mail={mail}"
    m.put(
        "request", id="1", page=1, method="GET", type="fetch", url=url, headers={"authorization": f"Bearer {password}"}
    )
    body = m.resource("application/json", json.dumps({"customer": name, "password": password, "card": card}))
    m.put("response", id="1", status=200, end=m.t, size=1, body=body, mime="application/json", headers={})
    m.put("llm", id=1, step=None, prompt=f"The customer is {name}, mail {mail}", attributes={})
    m.checkpoint()
    return m.done()


def _shape(path: Path) -> list[str]:
    """Every event with its letters and digits made equal, without what is a hash of them."""
    with open_reel(path) as reel:
        events = [e for e in reel.events() if e["k"] not in ("redaction", "reel")]
    for event in events:
        for name in ("sha256", "body", "digest"):
            event.pop(name, None)
    return [re.sub(r"[a-z0-9]", "x", re.sub(r"[A-Z]", "X", json.dumps(e))) for e in events]


def test_two_values_of_one_class_leave_equal_recordings(tmp_path: Path) -> None:
    for name, values in (("a", ONE), ("b", OTHER)):
        redact(_recording(tmp_path / f"{name}.reel", values), tmp_path / f"{name}.masked.reel")
    assert _shape(tmp_path / "a.reel") != _shape(tmp_path / "b.reel")
    assert _shape(tmp_path / "a.masked.reel") == _shape(tmp_path / "b.masked.reel")


def test_no_letter_of_a_name_that_is_set_letter_by_letter_stays_by_chance(tmp_path: Path) -> None:
    """A letter that is the same gets no box in a screenshot."""
    names = [
        f"{first} {last}"
        for first in ("Priya", "Maria", "Kenji", "Fatima")
        for last in ("Ostenvik", "Raghunathan", "Kesselerberg")
    ]
    m = Maker(tmp_path / "a.reel")
    m.body(
        *(["p", {}, "Hello, my name is ", *(["span", {}, c] for c in name), "."] for name in names),
        *(["div", {}, *(["div", {}, c] for c in name.split()[1])] for name in names),
    )
    redact(m.done(), tmp_path / "b.reel")
    letters = []
    for file in ("a.reel", "b.reel"):
        model = PageModel()
        with open_reel(tmp_path / file) as reel:
            for event in reel.events():
                model.apply(event)
        letters.append(
            [
                (n.id, n.data)
                for n in model.documents[1].walk()
                if n.kind == TEXT and n.parent and n.parent.name in ("span", "div")
            ]
        )
    pairs = list(zip(*letters, strict=True))
    assert len(pairs) > 250
    assert [raw for raw, masked in pairs if raw == masked and raw[1].isalpha()] == []


def test_drawings_keep_their_numbers_and_colours_under_every_policy(tmp_path: Path) -> None:
    drawn = {
        "d": "M23.5594 14.7228a.5269.5269 0 0 0-.0563-.1191C1642.6666666666667 483.46 16 1642V1234567z",
        "points": "1239667 1476602 65.69,97.927", "stop-color": "#ACDA55", "fill": "currentColor", "preserveAspectRatio": "xMidYMid meet",
        "gradientUnits": "userSpaceOnUse", "gradientTransform": "matrix(2.30025e-15,-37.566,37.566,2.30025e-15,416.455,540.99)",
        "transform": "translate(12345678.5,3) rotate(45)", "keyTimes": "0;0.3333333;1", "stroke": "url(#paint0)", "values": "0;12345678;0.33333333", "from": "1234567", "flood-color": "#12345678", "viewBox": "0 0 1200000 1200000",
    }  # fmt: skip
    m = Maker(tmp_path / "a.reel")
    m.body(["svg|svg", {}, ["svg|path", drawn]])
    raw = m.done()
    for policy in ("vendor", "internal", "strict"):
        redact(raw, tmp_path / f"{policy}.reel", policy)
        with open_reel(tmp_path / f"{policy}.reel") as reel:
            snapshot = next(e for e in reel.events() if e["k"] == "snapshot")
        assert json.loads(json.dumps(snapshot))["ops"][0][2][2][3][2][2][1] == drawn, policy
