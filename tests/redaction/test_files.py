"""Files of a page: what a file is taken for, and what of it is passed on."""

from __future__ import annotations

import base64
import struct
from pathlib import Path

import pytest

from pagereel.player_build import build
from pagereel.redaction import Policy, redact
from pagereel.redaction.content.css import is_font_name
from pagereel.reel import open_reel
from tests.redaction.reels import Maker

VENDOR = {"bodies": "mask", "documents": "drop", "images": "keep"}


def passed_on(tmp_path: Path, mime: str, data: bytes | str, **options: str) -> tuple[str, bytes] | None:
    """Type and bytes of a response's body after the redaction; None where it was dropped."""
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "x"])
    sha = m.resource(mime, data)
    m.put("response", id="1", status=200, end=m.t, size=1, body=sha, mime=mime, headers={})
    redact(m.done(), tmp_path / "b.reel", Policy("test", **{**VENDOR, **options}))  # type: ignore[arg-type]
    with open_reel(tmp_path / "b.reel") as reel:
        for event in reel.events():
            if event["k"] == "resource":
                text = event.get("text")
                body = text.encode() if isinstance(text, str) else base64.b64decode(str(event["base64"]))
                return str(event["mime"]), body
    return None


@pytest.mark.parametrize(
    "mime", ["application/json", "text/html", "text/css", "text/plain", "application/octet-stream"]
)
def test_a_drawing_inside_a_body_makes_it_no_picture(mime: str, tmp_path: Path) -> None:
    body = '{"icon":"<svg viewBox=\'0 0 1 1\'></svg>","code":"blue harbour nine"}'
    done = passed_on(tmp_path, mime, body)
    assert done is None or (
        done[0] != "image/svg+xml" and (mime in ("text/plain", "text/css") or b"harbour" not in done[1])
    )


@pytest.mark.parametrize("mime", ["", "application/octet-stream", "text/xml", "image/svg+xml"])
def test_a_drawing_is_told_by_its_root(mime: str, tmp_path: Path) -> None:
    svg = '\ufeff<?xml version="1.0"?>\n<!-- drawn --><!DOCTYPE svg PUBLIC "a>b" "c" [<!ENTITY e "f">]>\n<svg><path d="M0 0h9"/></svg>'
    done = passed_on(tmp_path, mime, svg)
    assert done is not None
    assert done[0] == "image/svg+xml"
    assert b'd="M0 0h9"' in done[1]
    assert b"drawn" not in done[1]


def test_a_drawing_in_utf_16_is_read(tmp_path: Path) -> None:
    done = passed_on(tmp_path, "image/svg+xml", "<svg><text>mail priya@shop.nl</text></svg>".encode("utf-16"))
    assert done is not None
    assert b"<text>mail " in done[1]
    assert b"priya" not in done[1].replace(b"\0", b"")


BMP = struct.pack("<2sIIIIiiHHIIiiII", b"BM", 58, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + b"\1\2\3\0"
ICO = struct.pack("<HHHBBBBHHII", 0, 1, 1, 1, 1, 0, 0, 1, 24, 4, 22) + b"\1\2\3\4"


@pytest.mark.parametrize("picture", [BMP, ICO])
def test_a_picture_is_passed_on_without_what_follows_it(picture: bytes, tmp_path: Path) -> None:
    done = passed_on(tmp_path, "application/octet-stream", picture + b"Jane Roe")
    assert done is not None
    assert done[1] == picture


@pytest.mark.parametrize("mime", ["", "image/bmp", "application/octet-stream", "text/plain"])
@pytest.mark.parametrize("start", ["BM", "BM\0\0\0\0", "GIF89a", "\0\0\1\0"])
def test_text_that_begins_like_a_picture_is_masked_or_dropped(start: str, mime: str, tmp_path: Path) -> None:
    done = passed_on(tmp_path, mime, f"{start} and mail priya@shop.nl about the blue harbour")
    assert done is None or b"priya" not in done[1]


@pytest.mark.parametrize("mime", ["text/plain", "application/json", "text/html"])
def test_a_text_type_is_never_a_picture(mime: str, tmp_path: Path) -> None:
    done = passed_on(tmp_path, mime, BMP)
    assert done is None or done[0] == mime


def test_a_family_of_type_is_one_by_a_whole_word_of_its_name() -> None:
    assert is_font_name('"Segoe UI"') and is_font_name("FontAwesome") and is_font_name("OpenSans-Regular")
    assert not is_font_name('"Joaquin Sandmoor"'), 'there is a "ui" in it'


@pytest.mark.parametrize(
    "boundary", ["----WebKitFormBoundaryDJYebRA1SAMp3MVY", "Tamsin-Ostenorworth", "b8a1f2c49d03e77a5c6d1e0f9a2b3c4d"]
)
def test_what_stands_between_parts_of_a_form_is_nobodys_and_no_leak(boundary: str, tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "x"])
    kind = f"multipart/form-data; boundary={boundary}"
    part = '\r\nContent-Disposition: form-data; name="title"\r\n\r\nblue harbour nine\r\n'
    sha = m.resource(kind, f"--{boundary}{part}--{boundary}{part}--{boundary}--\r\n")
    m.put("request", id="1", page=1, method="POST", url="https://shop.example/a", type="fetch", headers={"Content-Type": kind}, post=sha)  # fmt: skip
    redact(m.done(), tmp_path / "b.reel")
    with open_reel(tmp_path / "b.reel") as reel:
        events = list(reel.events())
    body = str(next(e for e in events if e["k"] == "resource")["text"])
    assert body.count('name="title"') == 2
    assert body.startswith("--part\r\n")
    assert body.endswith("--part--\r\n")
    assert "harbour" not in body
    assert next(e for e in events if e["k"] == "request")["headers"] == {"Content-Type": "multipart/form-data; boundary=part"}  # fmt: skip
    assert boundary not in str(events)


def test_the_namespace_of_a_socket_tells_no_name_and_is_no_leak(tmp_path: Path) -> None:
    """Socket.IO writes it before the JSON of a message."""
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "Thank you, Rupert Ostenworth"])
    for number, text in enumerate(['42/child-ostenworth,0["status",null]', '42/log,["stdout",1]', '42["a",{"b":7}]']):
        m.put("message", id=str(number), sent=True, size=9, body=m.resource("text/plain", text))
    build(m.done(), tmp_path / "a.html")
    redact(tmp_path / "a.reel", tmp_path / "b.reel")
    with open_reel(tmp_path / "b.reel") as reel:
        child, *others = [e["text"] for e in reel.events() if e["k"] == "resource"]
    assert "ostenworth" not in child and child.startswith("42/") and '0["' in child
    assert [other.partition("[")[0] for other in others] == ["42/log,", "42"]
