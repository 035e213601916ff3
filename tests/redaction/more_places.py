"""Places that a stranger thought of, who had not read the first ones (:mod:`tests.redaction.places`): each with a value of its own."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.redaction.places import Values
from tests.redaction.reels import Maker

KEPT, RAW, SHOWN, BOXES, LABELS, UNSEEN, NUMBERS, FILES, KEYS, URLS = (
    "kept attribute", "raw in a style sheet", "escaped", "number in boxes", "label beside it", "unseen characters", "known number",
    "file", "key", "address",
)  # fmt: skip
_KEPT_ATTRIBUTES = [
    "accept",
    "align",
    "axis",
    "char",
    "charset",
    "color",
    "cols",
    "coords",
    "dir",
    "face",
    "headers",
    "height",
    "is",
    "kind",
    "low",
    "max",
    "media",
    "method",
    "min",
    "part",
    "pattern",
    "rel",
    "rev",
    "role",
    "rules",
    "scope",
    "shape",
    "size",
    "span",
    "start",
    "step",
    "tabindex",
    "target",
    "translate",
    "type",
    "valign",
    "width",
    "wrap",
    "aria-owns",
    "aria-sort",
    "data-mode",
    "class",
    "id",
    "for",
]
_HINDI = ("मृत्युंजय", "वसुंधरा", "अपराजिता")


class Strange(Values):
    """Values of kinds that the first places do not have."""

    def _digits(self, count: int) -> str:
        return self._random.choice("23456789") + "".join(self._random.choices("0123456789", k=count - 1))

    def amex(self, kind: str, place: str, joint: str = " ") -> str:
        body = "37" + "".join(self._random.choices("0123456789", k=12))
        total = sum(sum(divmod(int(c) * (2 - i % 2), 10)) for i, c in enumerate(body, 1))
        number = body + str(-total % 10)
        return self._put(kind, place, joint.join((number[:4], number[4:10], number[10:])))

    def grouped(self, kind: str, place: str, joint: str = " ") -> str:
        card = self.card(kind, place)
        self.planted[kind, place] = shown = joint.join(card[i : i + 4] for i in range(0, 16, 4))
        return shown

    def abroad(self, kind: str, place: str) -> str:
        d = self._digits
        ways = (f"+44 20 7{d(3)} {d(4)}", f"+33 6 {d(2)} {d(2)} {d(2)} {d(2)}", f"+91 98{d(3)} {d(5)}")
        return self._put(kind, place, self._random.choice(ways))

    def insurance(self, kind: str, place: str) -> str:
        d = self._digits
        return self._put(kind, place, f"JA {d(2)} {d(2)} {d(2)} B")

    def iban(self, kind: str, place: str, joint: str = " ") -> str:
        account = self._random.choice(("WEST", "INGB")) + self._digits(14)
        check = 98 - int("".join(str(int(c, 36)) for c in account + "GB00")) % 97
        whole = f"GB{check:02d}{account}"
        return self._put(kind, place, joint.join(whole[i : i + 4] for i in range(0, len(whole), 4)))

    def number(self, kind: str, place: str) -> str:
        return self._put(kind, place, f"MB-{self._digits(4)}-{self._digits(4)}")

    def user(self, kind: str, place: str) -> str:
        return self._put(kind, place, f"{self.word().lower()}{self._random.randrange(10, 99)}")

    def named(self, kind: str, place: str) -> str:
        """A first name that no list has, too."""
        return self._put(kind, place, f"{self.word(2)} {self.word(3)}")

    def hindi(self, kind: str, place: str) -> str:
        ends = "".join(self._random.choices(("चट्टो", "मुखो", "गंगो", "भट्टा", "वर्धि", "नृसिं"), k=3))
        return self._put(kind, place, f"{self._random.choice(_HINDI)} {ends}ध्याय")


def write(path: Path, v: Strange) -> Path:
    """A reel with a value in every place."""
    m = Maker(path)
    m.body(
        *_attributes(v), *_styles(v), *_escaped(v), *_boxes(v), *_labels(v), *_known(v), *_links(v),
        ["#pi", f"r{v.amex(KEPT, 'target of an instruction', '-')}", "x"],
    )  # fmt: skip
    m.ops(
        [
            "anim",
            4,
            1,
            {
                "type": "script",
                "name": "",
                "time": 0,
                "rate": 1,
                "running": True,
                "keyframes": [{"--z": v.amex(RAW, "keyframe")}],
            },
        ]
    )
    m.ops(
        [
            "anim",
            4,
            2,
            {
                "type": "script",
                "name": "",
                "time": 0,
                "rate": 1,
                "running": True,
                "keyframes": [{"--z": v.email(RAW, "keyframe: e-mail")}],
            },
        ]
    )
    m.ops(["sheet", 1, 0, f".a{{--b: {v.email(RAW, 'adopted sheet')}}}", {}])
    _later(m, v)
    _bodies(m, v)
    _files(m, v)
    return m.done()


def _later(m: Maker, v: Strange) -> None:
    """What comes after the first page: labels that come before what they name, and what an agent says."""
    m.ops(
        ["add", 4, 20_000, ["p", {"id": "later"}, "Username"]],
        [
            "add",
            4,
            20_100,
            [
                "section",
                {},
                ["div", {"aria-labelledby": "later"}, v.user(LABELS, "aria-labelledby of an earlier tree")],
            ],
        ],
    )
    names = [v.user(NUMBERS, place) for place in ("user name, dots", "user name, in an id", "user name, in markup")]
    joined = [f"{name[:4]}.{name[4:]}" for name in names]
    for at, name in enumerate(joined):
        m.ops(["add", 4, 21_000 + 10 * at, ["p", {}, ["label", {}, "Username ", ["input", {"value": name}]]]])
    m.put(
        "tool_call",
        id=1,
        step=None,
        name="x",
        arguments={"id": f"call_{joined[0].replace('.', '-')}", f"k_{v.ssn(KEYS, 'argument').replace('-', '_')}": 1},
    )
    m.ops(["add", 4, 22_000, ["div", {"id": joined[1].replace(".", "_")}]])
    m.put("tool_result", id=2, call=1, result=f"<b>{joined[2][:3]}</b>{joined[2][3:]}")
    pattern = v.email(SHOWN, "regular expression").replace(".", "\\.")
    v.planted[SHOWN, "regular expression"] = pattern.replace("\\", "")
    m.put(
        "call",
        id=3,
        step=None,
        page=1,
        title="click",
        method="click",
        params={},
        locator=f'page.get_by_text(re.compile(r"{pattern}"))',
    )
    token = "glpat-" + "".join(v._random.choices("abcdefghkmnpqrstuvwxyzABCDEFGHKMNPQRSTUVWXYZ", k=20))
    v.planted[URLS, "token in a path"] = token
    m.ops(["add", 4, 23_000, ["a", {"href": f"/api/u/{token}"}]])
    film = b"\0" * 40 + v.email(SHOWN, "film in base64").encode() + b"\0" * 40
    m.put("tool_result", id=4, call=1, result=f"<video src='data:video/mp4;base64,{base64.b64encode(film).decode()}'>")


def _attributes(v: Strange) -> list[Any]:
    makers: tuple[Callable[[str, str], str], ...] = (v.abroad, v.insurance, v.iban, v.amex, v.grouped)
    out: list[Any] = []
    for at, name in enumerate(_KEPT_ATTRIBUTES):
        tag = "x-a" if at % 2 else "th"
        out += [
            [tag, {name: make(KEPT, f"{name}: {make.__name__}")}] for make in (makers[at % 5], makers[(at + 2) % 5])
        ]
    out += [
        ["i", {"class": f"row-{v.abroad(KEPT, 'class, joined')}".replace(" ", "-").replace("+", "")}],
        ["i", {"id": f"u_{v.ssn(KEPT, 'id, underscores')}".replace("-", "_")}],
        [f"x-{v.amex(KEPT, 'custom element', '-')}", {}],
        ["svg|rect", {"x": v.card(KEPT, "coordinate")}],
    ]
    return out


def _styles(v: Strange) -> list[Any]:
    c = RAW
    sheet = f"""
    .a {{ --a: {v.amex(c, "custom property: amex")}; --b: {v.grouped(c, "custom property: card")}; --c: {v.abroad(c, "custom property: phone")};
      --d: {v.email(c, "custom property: e-mail")}; --e: {v.iban(c, "custom property: IBAN")}; --f: {v.ssn(c, "custom property: SSN")};
      --g: {v.ssn(c, "custom property: SSN in one").replace("-", "")}; order: {v.card(c, "order")}; width: {v.card(c, "width")}px;
      color: var(--x, {v.email(c, "fallback: e-mail")}); top: var(--x, {v.abroad(c, "fallback: phone")});
      fill: url("#r-{v.ssn(c, "fragment of an address")}"); filter: url(#r-{v.grouped(c, "fragment, bare", "-")}) }}
    @property --p {{ syntax: "*"; inherits: false; initial-value: {v.amex(c, "initial value")} }}
    @keyframes r-{v.amex(c, "@keyframes", "-")} {{ to {{ opacity: 0 }} }}
    """
    return [
        ["style", {}, sheet],
        ["p", {"style": f"--u:{v.amex(c, 'style attribute: amex')}"}],
        ["p", {"style": f"--u:{v.email(c, 'style attribute: e-mail')}"}],
        ["p", {"style": f"{v.email(c, 'style attribute that is none')};color:red;}}x{{y:z"}],
    ]


def _escaped(v: Strange) -> list[Any]:
    mail = lambda place: v.email(SHOWN, place)  # noqa: E731
    known = v.named(SHOWN, "known name behind escapes of a style sheet")
    css = lambda text: "".join(f"\\{ord(c):x} " for c in text)  # noqa: E731
    at_dot = mail("at and dot").replace("@", " at ").replace(".", " dot ")
    v.planted[SHOWN, "at and dot"] = at_dot
    bracket = mail("[at]").replace("@", "[at]")
    v.planted[SHOWN, "[at]"] = bracket
    packed = base64.b64encode(gzip.compress(json.dumps({"who": mail("packed")}).encode(), mtime=0)).decode()
    v.planted[SHOWN, "packed"] = packed
    coded = base64.b64encode(mail("base64 behind a name").encode()).decode()
    return [
        ["label", {}, "Full name ", ["input", {"name": "full_name", "value": known}]],
        ["pre", {}, css(known)], ["pre", {}, css(mail("style sheet's escapes"))],
        ["pre", {}, "".join(f"\\u{{{ord(c):x}}}" for c in mail("braces"))],
        ["pre", {}, f"t={coded}"], ["pre", {}, packed], ["p", {}, f"Write to {at_dot}"], ["p", {}, f"Write to {bracket}"],
        ["pre", {}, v.grouped(SHOWN, "card, tabs", "\t")], ["pre", {}, v.grouped(SHOWN, "card, lines", "\n")],
        ["pre", {}, v.iban(SHOWN, "IBAN, lines", "\n")],
        ["p", {}, " ".join(v.grouped(SHOWN, "card, spelled"))], ["p", {}, " ".join(v.ssn(SHOWN, "SSN, spelled"))],
    ]  # fmt: skip


def _boxes(v: Strange) -> list[Any]:
    def row(value: str, tag: str = "div", joint: str = " ") -> list[Any]:
        return ["section", {}, *([tag, {}, group] for group in value.split(joint))]

    return [
        row(v.grouped(BOXES, "card, blocks")), row(v.grouped(BOXES, "card, cells"), "td"), row(v.amex(BOXES, "amex, blocks")),
        row(v.abroad(BOXES, "telephone, blocks")), row(v.iban(BOXES, "IBAN, blocks")), row(v.grouped(BOXES, "card, custom"), "x-cell"),
        ["svg|g", {}, *(["svg|text", {}, group] for group in v.grouped(BOXES, "card, drawing").split())],
        ["div", {}, *(["div", {}, c] for c in v.iban(BOXES, "IBAN, letter by letter", ""))],
        ["div", {}, *(["div", {}, c] for c in v.ssn(BOXES, "SSN, letter by letter"))],
        ["ol", {}, *(["li", {}, c] for c in v.ssn(BOXES, "SSN, digit by digit").replace("-", ""))],
    ]  # fmt: skip


def _labels(v: Strange) -> list[Any]:
    n = lambda place: v.number(LABELS, place)  # noqa: E731
    u = lambda place: v.user(LABELS, place)  # noqa: E731
    return [
        ["div", {}, ["div", {"class": "k"}, "Customer no."], ["div", {"class": "v"}, n("block before")]],
        ["div", {}, ["span", {"class": "k"}, "Username"], ["span", {"class": "v"}, u("span before")]],
        ["div", {}, ["div", {}, "Recipient"], ["div", {}, v.named(LABELS, "block before: name")]],
        ["table", {}, ["tr", {}, ["th", {}, "Account number"], ["td", {}, n("header of a row")]]],
        ["div", {"role": "table"},
         ["div", {"role": "row"}, ["span", {"role": "columnheader"}, "#"], ["span", {"role": "columnheader"}, "Username"]],
         ["div", {"role": "row"}, ["span", {"role": "cell"}, "7"], ["span", {"role": "cell"}, u("header of an ARIA table")]]],
        ["p", {"id": "lb"}, "Username"], ["p", {}, "x"], ["div", {"aria-labelledby": "lb"}, u("aria-labelledby")],
        ["label", {"for": "out"}, "Customer no."], ["p", {}, "x"], ["output", {"id": "out"}, n("label of an output")],
        ["li", {}, "Username", ["br", {}], u("line before")],
        ["p", {}, f"Recipient: {v.named(LABELS, 'word before')}"],
    ]  # fmt: skip


def _known(v: Strange) -> list[Any]:
    name = lambda place: v.named(UNSEEN, place)  # noqa: E731
    told = {place: name(place) for place in ("byte order marks", "tags", "fillers", "joiners")}
    numbers = {place: v.number(NUMBERS, place) for place in ("text", "title", "fragment", "console")}
    hindi = v.hindi(NUMBERS, "name in Devanagari")
    signs = {"byte order marks": "\ufeff", "tags": "\U000e0041", "fillers": "\u3164", "joiners": "\u2060"}
    field = lambda label, value: ["p", {}, ["label", {}, f"{label} ", ["input", {"value": value}]]]  # noqa: E731
    return [
        *(field("Full name", value) for value in told.values()), *(field("Account number", value) for value in numbers.values()),
        field("Full name", hindi),
        *(["p", {}, signs[place].join(value)] for place, value in told.items()),
        ["p", {}, numbers["text"]], ["p", {"title": numbers["title"]}], ["a", {"href": f"ftp:{numbers['fragment']}"}, "x"],
        ["button", {}, hindi],
    ]  # fmt: skip


def _links(v: Strange) -> list[Any]:
    return [
        ["a", {"href": f"?a&{quote(v.abroad(URLS, 'query without a name'))}&b"}],
        ["a", {"href": f"data:{v.abroad(URLS, 'type of data')},x"}],
        ["object", {"data": f"data:application/x-{v.grouped(URLS, 'subtype of data', '-')};base64,eA=="}],
        ["img", {"src": f"data:font/x;name={v.email(URLS, 'parameter of data')};base64,eA=="}],
        ["img", {"src": f"data:font/woff2,{v.email(URLS, 'font that is none')}"}],
    ]


def _bodies(m: Maker, v: Strange) -> None:
    def put(number: str, mime: str, text: str, headers: dict[str, str] | None = None) -> None:
        m.put(
            "response",
            id=number,
            status=200,
            end=m.t,
            size=1,
            body=m.resource(mime, text),
            mime=mime,
            headers=headers or {},
        )

    posts = {
        "form": (
            "application/x-www-form-urlencoded",
            f"{quote(v.email(KEYS, 'form'))}=1&c[{quote(v.iban(KEYS, 'form, brackets'))}]=2",
        ),
        "multipart": (
            "multipart/form-data; boundary=q",
            f'--q\r\nContent-Disposition: form-data; name="{v.email(KEYS, "multipart")}"\r\n\r\nx\r\n--q--',
        ),
    }
    for name, (mime, text) in posts.items():
        headers = {"content-type": mime, f"x-{v.ssn(KEYS, f'header of {name}')}": "1"}
        m.put(
            "request",
            id=name,
            page=1,
            method="POST",
            type="fetch",
            url="https://shop.example/p",
            headers=headers,
            post=m.resource(mime, text),
        )
    put(
        "sse",
        "text/event-stream",
        f"id: {v.email(KEYS, 'id of an event')}\nevent: {v.email(KEYS, 'event')}\n: {v.email(KEYS, 'comment')}\ndata: x\n\n",
    )
    put("csv", "text/csv", f"id,customer name\n1,{v.named(KEYS, 'column of CSV')}\n")
    put("tsv", "text/tab-separated-values", f"id\tusername\n1\t{v.user(KEYS, 'column of TSV')}\n")


def _files(m: Maker, v: Strange) -> None:
    def put(name: str, mime: str, data: bytes) -> None:
        m.put(
            "response",
            id=name,
            status=200,
            end=m.t,
            size=1,
            body=m.resource(mime, data),
            mime=mime,
            headers={},
            url=f"https://shop.example/{name}",
        )

    mail = lambda place: v.email(FILES, place).encode()  # noqa: E731
    put("a.ttf", "font/ttf", _font(mail("licence of a font")))
    put("a.bin", "application/octet-stream", _font(mail("licence of a font of any bytes")))
    put("a.woff", "font/woff", _woff(mail("licence of a packed font"), mail("metadata of a packed font")))
    tag = b"TPE1" + struct.pack(">I", len(said := b"\0" + mail("artist"))) + b"\0\0" + said
    put(
        "a.mp3",
        "audio/mpeg",
        b"ID3\x03\0\0\0\0\0"
        + bytes([len(tag)])
        + tag
        + b"\xff\xfb\x90\0"
        + bytes(40)
        + b"TAG"
        + mail("old tag").ljust(125, b"\0"),
    )
    info = b"INFOIART" + struct.pack("<I", len(said := mail("artist of a wave"))) + said + b"\0" * (len(said) % 2)
    wave = b"WAVE" + b"LIST" + struct.pack("<I", len(info)) + info + b"data" + struct.pack("<I", 4) + b"\x80" * 4
    put("a.wav", "audio/wav", b"RIFF" + struct.pack("<I", len(wave)) + wave)
    udta = _box(b"udta", _box(b"meta", bytes(4) + _box(b"ilst", mail("artist of a film"))))
    put(
        "a.mp4",
        "video/mp4",
        _box(b"ftyp", b"isom\0\0\0\0isom") + _box(b"moov", _box(b"mvhd", bytes(100)) + udta) + _box(b"mdat", bytes(8)),
    )
    said = mail("tag of WebM")
    tags = b"\x12\x54\xc3\x67" + bytes([0x80 | len(said) + 3]) + b"\x44\x87" + bytes([0x80 | len(said)]) + said
    put("a.webm", "video/webm", b"\x1aE\xdf\xa3\x84\x42\x82\x81w" + tags)
    said = b"ARTIST=" + mail("comment of Ogg")
    packet = b"\x03vorbis" + struct.pack("<I", 4) + b"test" + struct.pack("<II", 1, len(said)) + said + b"\1"
    put("a.ogg", "audio/ogg", b"OggS\0\2" + bytes(20) + bytes([1, len(packet)]) + packet)
    put("a.flac", "audio/flac", b"fLaC\x84" + len(said := mail("comment of FLAC")).to_bytes(3, "big") + said)
    put("none.mp3", "audio/mpeg", mail("sound that is none"))
    png = _png(mail("picture in an icon"))
    put("a.ico", "image/x-icon", struct.pack("<HHHBBHHHII", 0, 1, 1, 2, 1, 0, 1, 32, len(png), 22) + png)
    block = b"NOTE" + struct.pack("<I", len(said := mail("block of WebP"))) + said + b"\0" * (len(said) % 2)
    webp = b"WEBPVP8L" + struct.pack("<I", 6) + b"/\0\0\0\0\0" + block
    put("a.webp", "image/webp", b"RIFF" + struct.pack("<I", len(webp)) + webp)
    jpeg = b"\xff\xd8\xff\xda\0\x02ab\xff\xd9" + mail("behind a JPEG") + b"\xff\xd9"
    put("a.jpg", "image/jpeg", jpeg)


def _box(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", 8 + len(content)) + name + content


def _names(said: bytes) -> bytes:
    """A font's table of names: its family, and to whom it is licensed."""
    return (
        struct.pack(">HHH", 0, 2, 30)
        + struct.pack(">12H", 3, 1, 1033, 1, 5, 0, 3, 1, 1033, 13, len(said), 5)
        + b"Fancy"
        + said
    )


def _font(said: bytes) -> bytes:
    table = _names(said)
    return b"\0\1\0\0" + struct.pack(">HHHH", 1, 16, 0, 0) + struct.pack(">4sIII", b"name", 0, 28, len(table)) + table


def _woff(said: bytes, beside: bytes) -> bytes:
    table = _names(said)
    end = 64 + len(table)
    head = struct.pack(
        ">4sIIHHIHHIIIII",
        b"wOFF",
        0x10000,
        end + len(beside),
        1,
        0,
        28 + len(table),
        1,
        0,
        end,
        len(beside),
        len(beside),
        0,
        0,
    )
    return head + struct.pack(">4sIIII", b"name", 64, len(table), len(table), 0) + table + beside


def _png(said: bytes) -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 2, 0, 0, 0))
    return (
        b"\x89PNG\r\n\x1a\n"
        + head
        + chunk(b"tEXt", b"Author\0" + said)
        + chunk(b"IDAT", zlib.compress(b"\0abcdef"))
        + chunk(b"IEND", b"")
    )
