"""Each way of writing that is undone, with values that contain what it undoes: found as they stand and otherwise, in each channel, by search and gate alike."""

from __future__ import annotations

import base64
import html
import itertools
import json
import random
import re
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from pagereel.redaction import KnownValues, gate_html, redact
from pagereel.redaction.normalise.decoded_text import MOST
from pagereel.redaction.normalise.escapes import WAYS, list_text_readings, to_plain_text
from pagereel.redaction.values.known_value_matcher import KnownValueMatcher
from pagereel.redaction.values.pseudonyms import Pseudonyms
from pagereel.reel import open_reel
from tests.redaction.reels import Maker

Write = Callable[[str], str]


def _each(write: Write) -> Write:
    return lambda text: "".join(map(write, text))


def _bytes(form: str) -> Write:
    return lambda text: "".join(form.format(byte) for byte in text.encode())


WRITES: dict[str, Write] = {
    "percent": lambda t: quote(t, safe=""),
    "every byte percent": _bytes("%{:02x}"),
    "percent three times": lambda t: quote(quote(quote(t, safe=""), safe=""), safe=""),
    "form": lambda t: quote(t, safe="").replace("%20", "+"),
    "entities": html.escape,
    "decimal entities": _each(lambda c: f"&#{ord(c)};"),
    "entities without a semicolon": lambda t: "".join(f"&#{ord(c)}" for c in t),
    "hexadecimal entities": _each(lambda c: f"&#x{ord(c):x};"),
    "entities of entities": lambda t: html.escape(html.escape(_each(lambda c: f"&#{ord(c)};")(t))),
    "entities with leading zeros": _each(lambda c: f"&#{ord(c):010};"),
    "json": lambda t: json.dumps(t)[1:-1],
    "json in json": lambda t: json.dumps(json.dumps(t))[1:-1],
    "escapes of UTF-16": lambda t: "".join(f"\\u{u:04x}" for u in _units(t)),
    "escapes of UTF-16, twice": lambda t: "".join(f"\\\\u{u:04x}" for u in _units(t)),
    "escapes in braces": _each(lambda c: f"\\u{{{ord(c):x}}}"),
    "long escapes": _each(lambda c: f"\\U{ord(c):08x}"),
    "escapes of bytes": _bytes("\\x{:02x}"),
    "octal": _bytes("\\{:03o}"),
    "style sheets": _each(lambda c: f"\\{ord(c):06x}"),
    "style sheets, short": _each(lambda c: f"\\{ord(c):x} "),
    "quoted-printable": _bytes("={:02X}"),
    "tags within": lambda t: "<wbr>".join(t),
    "a comment within": lambda t: f"{t[:3]}<!-- x -->{t[3:]}",
    "a section within": lambda t: f"{t[:2]}<![CDATA[{t[2:5]}]]>{t[5:]}",
    "a terminal's colours": lambda t: f"{t[:3]}\x1b[31m{t[3:5]}\x1b[0m{t[5:]}",
    "a zero byte": lambda t: f"{t[:4]}\0{t[4:]}",
    "unseen": lambda t: "\u200b".join(t),
    "variations": lambda t: "\ufe0e".join(t),
    "selectors from beyond": lambda t: "\U000e0101".join(t),
    "from right to left": lambda t: f"\u202e{t[::-1]}\u202c",
    "strings put together": lambda t: " + ".join(json.dumps(t[at : at + 4], ensure_ascii=False) for at in range(0, len(t), 4)),
    "strings side by side": lambda t: " ".join(json.dumps(c, ensure_ascii=False) for c in t),
}  # fmt: skip
"""What a browser, a terminal or a common program undoes by itself."""
PACKS: dict[str, Write] = {
    "base64": lambda t: base64.b64encode(f"says {t} there".encode()).decode(),
    "base64 in groups": lambda t: re.sub("(.{4})", r"\1 ", base64.b64encode(f"says {t} there".encode()).decode()).strip(),
    "base64 in lines": lambda t: re.sub("(.{64})", r"\1\n", base64.b64encode(f"says {t} there, and more of it there is to say of it".encode()).decode()),
    "base64 in short lines": lambda t: re.sub("(.{12})", r"\1\n", base64.b64encode(f"says {t} there".encode()).decode()),
    "deflate in base64": lambda t: base64.b64encode(_deflated(f"says {t} there {t}")).decode(),
    "zlib in base64": lambda t: base64.b64encode(zlib.compress(f"says {t} there".encode())).decode(),
    "a control of C1 between": "\x81".join,
    "a character a line": "\n".join,
    "bullets between": " • ".join,
    "a list of letters": lambda t: json.dumps(list(t.replace("\\", "").replace('"', ""))),
    "bytes": lambda t: ", ".join(f"0x{b:02x}" for b in t.encode()),
    "codes": lambda t: f"String.fromCharCode({', '.join(str(ord(c)) for c in t)})",
}  # fmt: skip
"""Of these no letter can be pointed at: the search masks them whole."""
DRAWN: dict[str, Write] = {
    "circles": _each(lambda c: chr(0x24D0 + ord(c) - 97) if c.islower() else c),
    "white in black circles": _each(lambda c: chr(0x1F150 + ord(c) - 97) if c.islower() else c),
    "white in black squares": _each(lambda c: chr(0x1F170 + ord(c) - 97) if c.islower() else c),
    "letters of flags": _each(lambda c: chr(0x1F1E6 + ord(c) - 97) if c.islower() else c),
    "wide": _each(lambda c: chr(ord(c) + 0xFEE0) if c.isalnum() else c),
    "bold": _each(lambda c: chr(0x1D41A + ord(c) - 97) if c.islower() else c),
}
AWKWARD = ("P%41ssw0rd!", "a&amp;bC9xQ2", r"AB\x41CDq91", r"k\u0041wQ12x!", "m&#65;kL20!x", r"\41 bcQ92x!z", "Zx=41=42q99!", r"w\101vQ31xk", "q<b>w9Zx</b>K7", "t+%20e9Zq1!", 'y"q\\nQ92x', "&lt;7xKq92b")  # fmt: skip
"""Values that contain what is undone."""
PLAIN = ("olga.nordin@elvenhall.example", "Tjorven Ostenmark", "Zoë Väisälä-Ruiz")


def _units(text: str) -> list[int]:
    data = text.encode("utf-16-be")
    return [data[at] << 8 | data[at + 1] for at in range(0, len(data), 2)]


def _deflated(text: str) -> bytes:
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    return engine.compress(text.encode()) + engine.flush()


def _matcher(value: str) -> KnownValueMatcher:
    return KnownValueMatcher(KnownValues.given([(value, "SECRET")]), Pseudonyms())


@pytest.mark.parametrize("way", [*WRITES, *PACKS])
def test_a_value_is_found_however_it_is_written(way: str) -> None:
    """And what is masked is all of it: nothing of what stood there is left."""
    write = {**WRITES, **PACKS}[way]
    for value in (*PLAIN, *AWKWARD):
        if way == "a list of letters" and value not in PLAIN:
            continue  # which of its letters are escapes nobody knows
        text = f"see {write(value)} there"
        matches = _matcher(value).find_matches(text)
        assert matches, value
        left = "".join(text[a.end : b.start] for a, b in itertools.pairwise([type(matches[0])(0, 0, "", ""), *matches, type(matches[0])(len(text), len(text), "", "")]))  # fmt: skip
        assert write(value)[-5:-1] not in left.removesuffix("there"), (value, left)


@pytest.mark.parametrize("way", DRAWN)
def test_a_name_is_found_however_its_letters_are_drawn(way: str) -> None:
    value = "tjorven ostenmark"
    assert _matcher(value).find_matches(f"see {DRAWN[way](value)} there")
    assert not gate_html(
        f"see {DRAWN[way](value)} there".encode(), KnownValues.given([(value, "PERSON")]), check=False
    ).clean


@pytest.mark.parametrize("way", WRITES)
@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
def test_the_gate_finds_it_too(way: str, long: bool) -> None:
    words = "plain words of a page, one line after the other\n" * (2_000 if long else 1)
    for value in (*PLAIN, *AWKWARD):
        known = KnownValues.given([(value, "SECRET")])
        file = f"<!doctype html><p>{words}see {WRITES[way](value)} there{words}".encode()
        assert not gate_html(file, known, check=False).clean, value
        assert not gate_html(json.dumps({"a": file.decode()}).encode(), known, check=False).clean, f"{value} in JSON"
        assert gate_html(f"<!doctype html><p>{words}see {WRITES[way]('Ombrellix-77')} there".encode(), known).clean


@pytest.mark.parametrize("way", PACKS)
def test_the_gate_reads_lists_and_lines_as_the_search_does(way: str) -> None:
    for value in PLAIN:
        known = KnownValues.given([(value, "SECRET")])
        assert not gate_html(f"<p>see {PACKS[way](value)} there".encode(), known, check=False).clean, value
        assert not gate_html(json.dumps({"a": PACKS[way](value)}).encode(), known, check=False).clean, (
            f"{value} in JSON"
        )
    assert gate_html(f"<p>see {PACKS[way]('Ombrellix-77')} there".encode(), known).clean


CHANNELS: dict[str, Callable[[Maker, str], None]] = {
    "text": lambda m, v: m.ops(["add", 4, 900 + 10 * len(m.model.documents[1].nodes), ["p", {}, f"you entered {v}"]]),
    "attribute": lambda m, v: m.ops(["add", 4, 900 + 10 * len(m.model.documents[1].nodes), ["p", {"title": v, "data-note": f"x {v}", "aria-label": v}, "hello"]]),
    "style sheet": lambda m, v: m.ops(["add", 4, 900 + 10 * len(m.model.documents[1].nodes), ["style", {}, f"p::after {{ content: {json.dumps(v)} }}"]]),
    "address": lambda m, v: m.ops(["add", 4, 900 + 10 * len(m.model.documents[1].nodes), ["a", {"href": f"/find/{quote(v, safe='')}?q={quote(v)}#{quote(v)}"}, "hello"]]),
    "console": lambda m, v: m.put("console", page=1, level="log", text=f"got {v} and {quote(v)} and {json.dumps(v)}", source="javascript"),
    "call": lambda m, v: m.put("call", id=9, step=None, page=1, title=f"Type {v}", method="type", duration=1, params={"text": v, "arg": {"q": [v]}}, locator=f"get_by_text({v!r})", source={"file": "t.py", "line": 1, "code": [f"> 1 page.fill({v!r})", f"  2 # {quote(v)}"]}),
    "headers": lambda m, v: m.put("request", id="1", page=1, d=1, method="GET", type="fetch", url=f"https://shop.example/a?q={quote(v)}", headers={"x-note": v, "referer": f"https://shop.example/?q={quote(v)}"}),
    "body": lambda m, v: m.put("request", id="2", page=1, d=1, method="POST", type="fetch", url="https://shop.example/a", headers={}, post=m.resource("application/json", json.dumps({"said": v, "again": json.dumps({"a": v})}))),
    "note": lambda m, v: m.put("note", id=3, text=f"typed {v}, {html.escape(v)}", attributes={"typed": v}),
}  # fmt: skip


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_typed_value_that_looks_like_an_escape_is_in_no_channel(channel: str, tmp_path: Path) -> None:
    """It was typed by a call, so that it is known; the channel says it again."""
    maker = Maker(tmp_path / "a.reel")
    maker.body(["p", {}, "hello"])
    for number, value in enumerate(AWKWARD):
        params = {"value": value}
        maker.put("call", id=100 + number, step=None, page=1, title="Fill", method="fill", duration=1, params=params)
        CHANNELS[channel](maker, value)
    redact(maker.done(), tmp_path / "b.reel")
    with open_reel(tmp_path / "b.reel") as reel:
        strings = list(_strings([dict(event) for event in reel.events()]))
    for text, value in itertools.product(strings, AWKWARD):
        assert not any(value in each for each in (text, html.unescape(text), text.replace("\\\\", "\\"))), text


def _strings(value: Any) -> Any:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def test_every_letter_of_a_reading_leads_back_to_where_it_stands() -> None:
    dice = random.Random(7)
    writes = [*WRITES.values(), str, str, str]
    for _ in range(200):
        words = [dice.choice(("olga", "nordin", "42", "ÿ", "käse")) for _ in range(6)]
        written = [dice.choice(writes)(word) for word in words]
        text = " ".join(written)
        for reading in list_text_readings(text):
            for match in re.finditer("nordin", reading.text):
                start, end = reading.to_original_span(*match.span())
                inner = to_plain_text(text[start:end].strip()).text.replace(" ", "")
                assert 0 <= start < end <= len(text)
                assert text[start:end] in text
                assert "nordin" in inner or any(
                    "nordin" in each.text for each in list_text_readings(text[start:end])
                ), (text, reading.text)


@pytest.mark.parametrize("text", ["%25" * 20_000, "\\" * 50_000 + "u0041", "&amp;" * 20_000, "=41" * 20_000, "<b>" * 20_000, "\\41 " * 20_000, "<!--" * 20_000, "a\\u00" * 20_000, "\x1b]" * 20_000])  # fmt: skip
def test_what_repeats_itself_is_read_in_a_moment_and_no_more_often_than_is_allowed(text: str) -> None:
    begin = time.process_time()
    found = list_text_readings(text)
    assert len(found) <= MOST
    assert time.process_time() - begin < 3


def test_a_plain_text_is_read_once() -> None:
    for text in ("Add to cart", "Order 7264 of somebody", "a/b, c:d (e)", "https://shop.example/a?b=c"):
        assert len(list_text_readings(text)) == 1
    assert len(WAYS) < 10


def test_a_mail_with_tags_between_its_letters_is_masked_in_the_bodies_of_documents(tmp_path: Path) -> None:
    """The page's text is read as one, and so is the file that it came from."""
    mail = "olga.nordin@elvenhall.example"
    maker = Maker(tmp_path / "a.reel")
    maker.body(["p", {}, *itertools.chain.from_iterable((c, ["wbr", {}]) for c in mail)], ["p", {}, f"to {mail}"])
    page = f"<!doctype html><p>{'<wbr>'.join(mail)}</p><p><b>{mail[:4]}</b>{mail[4:]}<!-- x --></p><p>Kettles</p>"
    body = maker.resource("text/html", page)
    maker.put("request", id="1", page=1, d=1, method="GET", type="document", url="https://shop.example/", headers={})
    maker.put("response", id="1", status=200, end=maker.t, size=1, mime="text/html", headers={}, body=body)
    redact(maker.done(), tmp_path / "b.reel", "internal")
    with open_reel(tmp_path / "b.reel") as reel:
        bodies = [str(event.get("text")) for event in reel.events() if event["k"] == "resource"]
    assert bodies
    assert "Kettles" in bodies[0]
    plain = re.sub("<[^>]*>", "", bodies[0])
    assert not any(part in plain for part in ("olga", "nordin", "elvenhall"))


def test_all_text_is_masked_under_strict_whatever_it_is_written_in(tmp_path: Path) -> None:
    texts = ["⠕⠇⠛⠁", "\ue001\ue002\ue003", "🅞🅛🅖🅐", "🇴🇱🇬🇦", "❖✦❖✦", "\U00013080\U00013081"]
    maker = Maker(tmp_path / "a.reel")
    maker.body(*(["p", {}, text] for text in [*texts, "— · …", "1 + 1 = 2"]))
    redact(maker.done(), tmp_path / "b.reel", "strict")
    with open_reel(tmp_path / "b.reel") as reel:
        said = str([dict(event) for event in reel.events() if event["k"] == "snapshot"])
    assert not any(char in said for text in texts for char in text)
    assert "— · …" in said
