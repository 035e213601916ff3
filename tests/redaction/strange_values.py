"""A person's particulars, invented anew for each place of each run, and the ways in which a place may write them."""

from __future__ import annotations

import base64
import html
import json
import random
import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import quote

GIVEN = [
    "Marisol",
    "Tobias",
    "Ines",
    "Kwame",
    "Priya",
    "Henrik",
    "Aaliyah",
    "Dmitri",
    "Beatrix",
    "Rafael",
    "Noor",
    "Saoirse",
    "Giulia",
    "Emeka",
    "Linnea",
    "Joaquin",
    "Margaret",
    "Ottilie",
    "Samuel",
    "Yasmin",
    "Gregory",
    "Katarzyna",
    "Desmond",
    "Fiona",
    "Ibrahim",
    "Leonora",
    "Mateo",
    "Nadia",
    "Oliver",
    "Penelope",
    "Ramon",
    "Sylvia",
    "Thomas",
    "Ursula",
    "Victor",
    "Wendy",
]
ONSETS = ["br", "kv", "st", "tr", "gl", "v", "m", "d", "r", "th", "w", "p", "l", "h", "dr", "kr"]
VOWELS = ["a", "e", "i", "o", "u", "ei", "au"]
CODAS = ["l", "n", "r", "s", "ld", "nd", "rm", "st", "ng", "lk"]
ENDINGS = ["sen", "ova", "wick", "strom", "ez", "idis", "mann", "ley", "ski", "eiro", "ukwe", "akis", "berg", "thorpe"]
WAYS = ["Lane", "Street", "Road", "Avenue", "Crescent", "Terrace"]
TOWNS = ("Bristol BS1 4QT", "Leeds LS2 9JT", "Portland, OR 97205", "Austin, TX 78701")

KINDS = ("name", "mail", "phone", "card", "ssn", "iban", "street", "token")


def word(chance: random.Random) -> str:
    """A word of eight letters or more that nobody has."""
    while True:
        made = "".join(chance.choice(part) for part in (ONSETS, VOWELS, CODAS, ONSETS, VOWELS, CODAS, ENDINGS))
        if 9 <= len(made) <= 16:
            return made.capitalize()


def with_check_digit(digits: str) -> str:
    """A card number: `digits` and the digit that Luhn asks for."""
    doubled = [int(d) * (2 - i % 2) for i, d in enumerate(reversed(digits))]
    return digits + str(-sum(n - 9 * (n > 9) for n in doubled) % 10)


@dataclass(frozen=True)
class Value:
    """What is planted in one place, and the piece of it that tells whose it is."""

    kind: str
    text: str
    trace: str
    first: str
    last: str

    def write(self, template: str) -> str:
        """Fill `«v»` and its like in: see :data:`SPELLINGS`."""
        return re.sub("«([a-z_0-9]+)»", lambda found: SPELLINGS[found[1]](self), template)


def value_of(kind: str, chance: random.Random) -> Value:
    """Invent one."""
    first, last = chance.choice(GIVEN), word(chance)
    number = "".join(chance.choice("23456789") for _ in range(24))
    text, trace = f"{first} {last}", last
    if kind == "mail":
        text = f"{first}.{last}@{word(chance)}.{chance.choice(['net', 'org', 'co.uk', 'de'])}".lower()
    elif kind == "phone":
        text = chance.choice(["+49 30 {} {}", "+1 (312) {}-{}", "+44 20 {} {}"]).format(
            number[:4] if chance.random() < 0.5 else number[:3], number[4:8]
        )
        trace = digits(text)[-8:]
    elif kind == "card":
        trace = with_check_digit("4" + number[:14])
        text = " ".join(trace[i : i + 4] for i in range(0, 16, 4))
    elif kind == "ssn":
        text = f"{chance.randint(200, 660)}-{number[:2]}-{number[2:6]}"
        trace = digits(text)
    elif kind == "iban":
        trace = number[:18]
        text = f"DE{98 - int(trace + '131400') % 97:02d}{trace}"
    elif kind == "street":
        text = f"{chance.randint(11, 240)} {last} {chance.choice(WAYS)}, {chance.choice(TOWNS)}"
    elif kind == "token":
        letters = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
        trace = "".join(chance.choice(letters) for _ in range(36))
        text = chance.choice(["ghp_{}", "sk_live_{}", "npm_{}"]).format(trace)
        trace = trace[4:30]
    return Value(kind, text, trace, first, last)


def digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _each(text: str, form: str, between: str = "") -> str:
    return between.join(form.format(letter, ord(letter)) for letter in text)


def _double_struck(text: str) -> str:
    """The same letters from the mathematical alphabets, which look like bold ones."""
    return "".join(
        chr(0x1D400 + ord(c) - 65) if "A" <= c <= "Z" else chr(0x1D41A + ord(c) - 97) if "a" <= c <= "z" else c
        for c in text
    )


def _percent(text: str) -> str:
    return quote(text, safe="")


SPELLINGS = {
    "v": lambda v: v.text,
    "first": lambda v: v.first,
    "last": lambda v: v.last,
    "head": lambda v: v.last[:4],
    "tail": lambda v: v.last[4:],
    "trace": lambda v: v.trace,
    "slug": lambda v: f"{v.first}-{v.last}".lower(),
    "snake": lambda v: f"{v.first}_{v.last}",
    "camel": lambda v: v.first + v.last,
    "dotted": lambda v: f"{v.first}.{v.last}".lower(),
    "upper": lambda v: v.text.upper(),
    "lower": lambda v: v.text.lower(),
    "digits": lambda v: digits(v.text),
    "u": lambda v: _percent(v.text),
    "uu": lambda v: _percent(_percent(v.text)),
    "plus": lambda v: _percent(v.text).replace("%20", "+"),
    "b": lambda v: base64.b64encode(v.text.encode()).decode(),
    "w": lambda v: base64.urlsafe_b64encode(v.text.encode()).decode().rstrip("="),
    "claims": lambda v: (
        base64.urlsafe_b64encode(json.dumps({"sub": "8842", "name": v.text}).encode()).decode().rstrip("=")
    ),
    "x": lambda v: v.text.encode().hex(),
    "entities": lambda v: _each(v.text, "&#x{1:x};"),
    "attribute": lambda v: html.escape(json.dumps({"customer": {"contact": v.text}})),
    "json": lambda v: json.dumps(json.dumps({"contact": v.text}))[1:-1],
    "unicode": lambda v: _each(v.text, "\\u{1:04x}"),
    "json_js": lambda v: json.dumps(json.dumps({"contact": v.text}))[1:-1].replace("\\", "\\\\"),
    "unicode_js": lambda v: _each(v.text, "\\\\u{1:04x}"),
    "css": lambda v: _each(v.text, "\\{1:x} "),
    "printable": lambda v: _each(v.text, "={1:02X}"),
    "joined": lambda v: "\u200d".join(v.text),
    "shy": lambda v: "\u00ad".join(v.text),
    "grapheme": lambda v: "\u034f".join(v.text),
    "spaced": lambda v: " ".join(v.text.replace(" ", "\u2003")),
    "reversed": lambda v: v.text[::-1],
    "wide": lambda v: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in v.text),
    "arabic": lambda v: "".join(chr(0x660 + int(c)) if c.isdigit() else c for c in v.text),
    "devanagari": lambda v: "".join(chr(0x966 + int(c)) if c.isdigit() else c for c in v.text),
    "bold": lambda v: _double_struck(v.text),
    "circled": lambda v: "".join(chr(0x24B6 + ord(c) - 65) if "A" <= c <= "Z" else c for c in v.text.upper()),
    "spans": lambda v: _each(v.text.replace(" ", "\u00a0"), "<i>{0}</i>"),
    "lines": lambda v: "<br>".join(v.text.replace(" ", "")),
    "cells": lambda v: _each(v.text.replace(" ", ""), "<td>{0}</td>"),
    "boxes": lambda v: "".join(f"<b style='position:absolute;left:{9 * i}px'>{c}</b>" for i, c in enumerate(v.text)),
    "glyphs": lambda v: "".join(f"<tspan x='{9 * i}'>{c}</tspan>" for i, c in enumerate(v.text)),
    "mi": lambda v: _each(v.text.replace(" ", ""), "<mi>{0}</mi>"),
    "backwards": lambda v: "".join(
        f"<span style='order:{-i}'>{c}</span>" for i, c in enumerate(v.text.replace(" ", ""))
    ),
    "letters": lambda v: json.dumps(list(v.text)),
    "codes": lambda v: json.dumps([ord(c) for c in v.text]),
    "g1": lambda v: digits(v.text)[:4],
    "g2": lambda v: digits(v.text)[4:8],
    "g3": lambda v: digits(v.text)[8:12],
    "g4": lambda v: digits(v.text)[12:],
    "grouped": lambda v: " ".join(re.findall(".{1,4}", v.text)),
    "svg_b": lambda v: base64.b64encode(
        f"<svg xmlns='http://www.w3.org/2000/svg' width='300' height='20'><text y='12'>{v.text}</text></svg>".encode()
    ).decode(),
    "umlaut": lambda v: f"{v.last}ä-{v.first}".lower(),
    "puny": lambda v: f"{v.last}ä-{v.first}".lower().encode("idna").decode(),
}
"""How a template writes a value: `«v»` as it is, `«u»` percent-encoded, `«slug»` as names of things are made, and so on."""


def squashed(text: str) -> str:
    """Letters and digits alone, of any width, script of digits, and case: what is left of a text however it is dressed."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if not folded.isascii():
        folded = "".join(str(unicodedata.digit(c, c)) for c in folded if c.isalnum())
    return re.sub(r"[\W_]+", "", folded)
