"""The gate finds a known value however deep it lies, and catches maskers that are broken on purpose."""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
import zstandard

from pagereel.errors import GateError, UsageError
from pagereel.player_build import build
from pagereel.redaction import Gate, KnownValues, gate_html, redact
from pagereel.redaction.passes.rewriter import StandInRewriter
from pagereel.reel import PageModel, open_reel
from tests.redaction.reels import Maker

NAME = "Priya Raghunathan"
KNOWN = KnownValues.of([NAME, "priya@shop.nl", "4111 1111 1111 1111", "tökén/with+signs"], "PERSON", "test")


def raw_deflate(data: bytes) -> bytes:
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    return engine.compress(data) + engine.flush()


LAYERS = {
    "plain": lambda t: t.encode(),
    "upper case": lambda t: t.upper().encode(),
    "deflate-raw": lambda t: base64.b64encode(raw_deflate(f"before {t} after".encode() * 3)),
    "gzip": lambda t: base64.b64encode(gzip.compress(f"before {t} after".encode())),
    "zlib": lambda t: base64.b64encode(zlib.compress(f"before {t} after".encode())),
    "zstd": lambda t: base64.b64encode(zstandard.compress(f"before {t} after".encode())),
    "deflate in deflate": lambda t: base64.b64encode(
        raw_deflate(base64.b64encode(raw_deflate(f"before {t} after".encode())))
    ),
    "data URL": lambda t: (
        b'<a href="data:text/plain;base64,' + base64.b64encode(f"a line of text, {t}".encode()) + b'">'
    ),
    "percent": lambda t: quote(t, safe="").encode(),
    "every byte percent": lambda t: "".join(f"%{b:02x}" for b in t.encode()).encode(),
    "entities": lambda t: "".join(f"&#{ord(c)};" for c in t).encode(),
    "json": lambda t: json.dumps(json.dumps({"a": t})).encode(),
    "unicode escapes": lambda t: "".join(f"\\u{ord(c):04x}" for c in t).encode(),
    "hex": lambda t: t.encode().hex().encode(),
    "utf-16": lambda t: t.encode("utf-16-le"),
}


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("value", [NAME, "priya@shop.nl", "tökén/with+signs"])
def test_a_value_is_found_in_every_layer(layer: str, value: str) -> None:
    html = b'<!doctype html><script id="events" type="x">' + LAYERS[layer](value) + b"</script>"
    result = gate_html(html, KNOWN, check=False)
    assert not result.clean
    assert {leak.entity for leak in result.leaks} == {"PERSON"}


def test_a_card_with_other_separators_is_found() -> None:
    assert not gate_html(b"<p>4111-1111-1111-1111</p>", KNOWN, check=False).clean


def test_a_clean_file_passes() -> None:
    html = b"<!doctype html><p>Nothing here but a kettle</p>" + base64.b64encode(raw_deflate(b"kettle " * 500))
    result = gate_html(html, KNOWN)
    assert result.clean
    assert result.layers >= 2


def test_the_error_names_type_and_place_and_not_the_value() -> None:
    with pytest.raises(GateError) as caught:
        gate_html(b'<script id="chunk-3">' + base64.b64encode(raw_deflate(NAME.encode() * 9)) + b"</script>", KNOWN)
    message = str(caught.value)
    assert "PERSON" in message
    assert "chunk-3" in message
    assert "priya" not in message.lower()
    assert caught.value.exit_status == 1


def test_a_bomb_is_no_proof_of_cleanness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagereel.redaction.gate.decode.LARGEST", 1 << 16)
    with pytest.raises(GateError, match="too large"):
        gate_html(base64.b64encode(raw_deflate(b"\0" * (1 << 20))), KNOWN)


def test_words_of_the_player_itself_are_told_apart() -> None:
    shell = b"const Chromatics = 1"
    known = KnownValues.of(["Chromatics"], "ORGANIZATION", "test")
    assert gate_html(b"<script>const Chromatics = 1</script>", known, shell=shell).clean
    assert not gate_html(b"<script>const Chromatics = 1</script>", known, check=False).clean


def test_a_value_that_only_another_writing_makes_of_the_player_is_told_apart() -> None:
    shell = b".row.action.error{background:none}.big-blue{}"
    page = b"<style>.row.action.error{background:none}.big-blue{}</style>"
    for value in ("on error", "big blue"):
        known = KnownValues.of([value], "SECRET", "test")
        assert not gate_html(page, known, check=False).clean, value
        assert gate_html(page, known, shell=shell).clean, value
        assert not gate_html(page + f"<b>{value}</b>".encode(), known, shell=shell, check=False).clean, value


def test_the_letter_of_an_escape_is_no_letter_of_a_name(tmp_path: Path) -> None:
    def leaks(text: str) -> bool:
        m = Maker(tmp_path / "a.reel")
        m.body(["p", {}, text])
        m.done()
        build(tmp_path / "a.reel", tmp_path / "a.html", redaction=None)
        gate = Gate(KnownValues.of(["nsmallest", "Tabitha"], "PERSON", "test"))
        found = {not gate.search((tmp_path / file).read_bytes()).clean for file in ("a.reel", "a.html")}
        assert len(found) == 1, "the recording and the replay agree"
        return found.pop()

    assert not leaks("one of its\nsmallest parts, a\tabitha")
    for text in ("nsmallest", "one of its\nnsmallest", "C:\\Users\\nsmallest", "its\n\\nsmallest", "\tTabitha"):
        assert leaks(text), text


BROKEN = {
    "visit_text": lambda self, text, slot: text,
    "visit_text_nodes": lambda self, pieces, slot: list(pieces),
    "visit_private_value": lambda self, text, slot: text,
    "visit_typed_value": lambda self, text, slot, node: text,
    "visit_body_leaf": lambda self, text, slot: text,
    "visit_url": lambda self, text, slot: text,
    "visit_css": lambda self, text, slot: text,
    "visit_harmless": lambda self, text, slot: text,
    "visit_code": lambda self, text, slot: text,
    "visit_resource": lambda self, sha256, slot: sha256,
}
"""Ten maskers, each with one role that passes everything on."""


def _recording(path: Path) -> Path:
    m = Maker(path)
    m.body(
        ["p", {}, f"Hello, my name is {NAME}, as you know."],
        ["p", {}, "and ", ["b", {}, "Pri"], "ya Raghunathan again"],
        ["p", {"class": "u-Raghunathan", "title": f"Card of {NAME}"}, "x"],
        ["input", {"autocomplete": "name", "value": NAME}],
        ["style", {}, f'.a::after{{content:"{NAME}"}}'],
        ["a", {"href": "/find?name=Priya%20Raghunathan"}, "x"],
    )
    field = next(n.id for n in m.model.documents[1].walk() if n.name == "input")
    m.ops(["value", field, NAME])
    m.put("error", page=1, message="no", stack=f"Error: {NAME}\n    at x (app.js:1)")
    body = m.resource("application/json", json.dumps({"who": NAME}))
    m.put("response", id="1", status=200, end=m.t, size=1, body=body, mime="application/json", headers={})
    return m.done()


def _as_html(path: Path) -> bytes:
    with open_reel(path) as reel:
        lines = "\n".join(json.dumps(e) for e in reel.events())
    return b"<!doctype html><script id=data>" + base64.b64encode(raw_deflate(lines.encode())) + b"</script>"


def test_a_sound_masker_passes_the_gate(tmp_path: Path) -> None:
    report = redact(_recording(tmp_path / "a.reel"), tmp_path / "b.reel")
    assert gate_html(_as_html(tmp_path / "b.reel"), report).clean


@pytest.mark.parametrize("role", [r for r in BROKEN if r != "visit_resource"])
def test_a_masker_with_one_broken_role_is_caught(role: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StandInRewriter, role, BROKEN[role])
    with pytest.raises(GateError):
        redact(_recording(tmp_path / "a.reel"), tmp_path / "b.reel")
    assert not (tmp_path / "b.reel").exists()
    report = redact(tmp_path / "a.reel", tmp_path / "b.reel", gate=False)
    with pytest.raises(GateError):
        gate_html(_as_html(tmp_path / "b.reel"), report)


@pytest.mark.parametrize("role", [r for r in BROKEN if r != "visit_resource"])
def test_what_leaks_can_be_left_out_instead_of_the_file(
    role: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StandInRewriter, role, BROKEN[role])
    report = redact(_recording(tmp_path / "a.reel"), tmp_path / "b.reel", on_leak="drop")
    assert gate_html(_as_html(tmp_path / "b.reel"), report).clean
    left = {what: count for what, count in report.dropped.items() if what.startswith("leak ")}
    assert set(left) <= {"leak snapshot", "leak mutation", "leak error", "leak resource application/json"} and left
    with open_reel(tmp_path / "b.reel") as reel:
        model = PageModel()
        for event in reel.timeline():
            model.apply(event)
    assert model.error_count == 0
    assert [n.name for n in model.documents[1].walk() if n.name in ("p", "b", "input", "style", "a")] == [
        "p", "p", "b", "p", "input", "style", "a",
    ]  # fmt: skip


def test_a_refusal_says_what_can_be_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StandInRewriter, "visit_code", BROKEN["visit_code"])
    with pytest.raises(
        GateError, match=r"PERSON from .*\(error\).* pagereel review, .* rule, .* policy, .* --on-leak drop"
    ):
        redact(_recording(tmp_path / "a.reel"), tmp_path / "b.reel")
    with pytest.raises(UsageError, match="fail, drop"):
        redact(tmp_path / "a.reel", tmp_path / "b.reel", on_leak="ask")


def test_a_masker_that_passes_resources_on_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pagereel.redaction.content.resources import ResourceMasker

    monkeypatch.setattr(ResourceMasker, "_mask_body", lambda self, data, mime, *_: (data, mime))
    with pytest.raises(GateError):
        redact(_recording(tmp_path / "a.reel"), tmp_path / "b.reel")
    assert not (tmp_path / "b.reel").exists()
    report = redact(tmp_path / "a.reel", tmp_path / "b.reel", gate=False)
    with pytest.raises(GateError):
        gate_html(_as_html(tmp_path / "b.reel"), report)


@pytest.mark.parametrize(
    ("name", "after", "said"),
    [
        ("黒木", "は来た", "きのう黒木さんが来ました。"),
        ("은채", "는 어제 왔다", "안녕하세요 은채 님, 나은채님"),
        ("Tamsin", "s Tisch", "Dear Tamsin Ostwald, we wait for you."),
    ],
)
def test_a_known_name_in_an_element_of_its_own_is_masked_though_a_letter_follows_it(
    tmp_path: Path, name: str, after: str, said: str
) -> None:
    """The masker reads the element's neighbours with it, the gate does not: both see a name of two syllables there."""
    maker = Maker(tmp_path / "raw.reel")
    maker.body(["p", {}, ["b", {}, name], after], ["p", {}, said])
    masked = tmp_path / "masked.reel"
    redact(maker.done(), masked)  # the gate raises where a value is left
    assert name not in json.dumps([dict(e) for e in open_reel(masked).events()], ensure_ascii=False)


def test_a_type_of_media_is_no_value_of_anybodys() -> None:
    known = KnownValues.of(["font/ttf", "image/svg+xml", "ttf/8f3a91c2"], "SECRET", "call.params")
    assert gate_html(b'{"mime":"font/ttf"} image/svg+xml', known).clean
    assert not gate_html(b"<p>ttf/8f3a91c2</p>", known, check=False).clean


@pytest.mark.parametrize("begins", [b"wOF2\0\0", b"\x89PNG\r\n\x1a\n\0", b"\xff\xd8\xff", b"ID3"])
def test_letters_of_base64_that_say_a_name_by_chance_are_no_leak(begins: bytes) -> None:
    known = KnownValues.of(["Shaw", NAME], "PERSON", "test")
    noise = base64.b64decode("kNr3/shAw/RGHl23" * 9)
    lines = [json.dumps({"src": base64.b64encode(begins + what).decode()}).encode() for what in (noise, f"{NAME} made it".encode() + noise)]  # fmt: skip
    assert b"/shAw/" in lines[0]
    assert gate_html(lines[0], known, check=False).clean
    assert not gate_html(lines[1], known, check=False).clean


def test_letters_of_what_only_looks_like_base64_are_looked_at() -> None:
    known = KnownValues.of(["Shaw"], "PERSON", "test")
    assert not gate_html(b'{"a":"' + b"kNr3/shAw/RGHl23" * 9 + b'"}', known, check=False).clean


@pytest.mark.parametrize("packed", [gzip.compress, zstandard.compress, lambda data: b"\x89PNG\r\n\x1a\n" + data])
def test_what_a_file_in_an_event_says_is_the_pages(packed: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """That an event itself does not say the value is no sign that pagereel wrote it."""
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "x"])
    m.resource("application/octet-stream", packed(f"made by {NAME}, ".encode() + bytes(range(256)) * 9))
    assert not gate_html(m.done().read_bytes(), KNOWN, check=False).clean


@pytest.mark.parametrize("before", range(4))
def test_another_word_whose_base64_has_the_same_core_is_no_leak(before: int) -> None:
    known = KnownValues.of(["component1"])
    here = b"x" * before
    assert Gate(known).search(base64.b64encode(here + b"&field_component=dwabrekur&")).clean
    for said in (b"&component1&more", b"&field_component1", b"component1"):
        for written in (base64.b64encode(here + said), base64.b64encode(here + said).rstrip(b"=")):
            assert not Gate(known).search(written).clean
