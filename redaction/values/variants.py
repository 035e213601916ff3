"""The ways in which one value can stand in a recording: case, percent, entity, JSON, base64, hex, composed or decomposed.

The rewrite and the gate use the same variants, so that what the one masks the other looks for. Case is not a variant:
both search without regard to it.
"""

from __future__ import annotations

import base64
import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from urllib.parse import quote, quote_plus

Encode = Callable[[str], str]


def _percent_all(text: str) -> str:
    return "".join(
        c if c.isascii() and c.isalnum() else "".join(f"%{b:02X}" for b in c.encode("utf-8", "replace")) for c in text
    )


def _percent_unicode(text: str) -> str:
    return quote(text, safe="@:/,;+$&=!'()*~")


def _double(text: str) -> str:
    return quote(quote(text, safe=""), safe="")


def _entities_decimal(text: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c == " ") else f"&#{ord(c)};" for c in text)


def _entities_hex(text: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c == " ") else f"&#x{ord(c):x};" for c in text)


def _json(text: str) -> str:
    return json.dumps(text)[1:-1]


def _json_slash(text: str) -> str:
    return _json(text).replace("/", "\\/")


def _json_twice(text: str) -> str:
    return _json(_json(text))


def _json_readable(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _json_markup(text: str) -> str:
    return "".join(f"\\u{ord(c):04x}" if c in "<>&'@+" else c for c in text)


def _hex(text: str) -> str:
    return text.encode("utf-8", "replace").hex()


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def _unaccented(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _spaces(joint: str) -> Encode:
    return lambda text: joint.join(text.split())


def _swapped(joint: str) -> Encode:
    return lambda text: _JOINT.sub(joint, text) if _IN_ONE.fullmatch(text) else text


_IN_ONE = re.compile(r"(?=.*\w[._-]\w)\w+(?:[.-]\w+)*")
"""A user name, a number of a customer: its parts may be joined otherwise in an address or a name of a thing."""
_JOINT = re.compile(r"(?<=[^\W_])[._-](?=[^\W_])")

ENCODINGS: dict[str, Encode] = {
    "plain": str,
    "composed": _composed,
    "decomposed": _decomposed,
    "unaccented": _unaccented,
    "percent": lambda t: quote(t, safe=""),
    "percent_path": _percent_unicode,
    "percent_all": _percent_all,
    "plus": quote_plus,
    "percent_twice": _double,
    "entity": html.escape,
    "entity_decimal": _entities_decimal,
    "entity_hex": _entities_hex,
    "json": _json,
    "json_slash": _json_slash,
    "json_twice": _json_twice,
    "json_readable": _json_readable,
    "json_markup": _json_markup,
    "hyphen": _spaces("-"),
    "underscore": _spaces("_"),
    "dot": _spaces("."),
    "no_break": _spaces("\u00a0"),
    "joined": _spaces(""),
    "hyphens": _swapped("-"),
    "underscores": _swapped("_"),
    "dots": _swapped("."),
    "blanks": _swapped(" "),
    "hex": _hex,
}
"""Every encoding whose result keeps the text's order; the surrogate is encoded in the same way. ``plain`` comes first."""

_OF_ACCENTS = frozenset({"composed", "decomposed", "unaccented"})
LEAST_JOINED = 9
"""Shortest value that is also searched without its spaces, and in hexadecimal and base64."""


@lru_cache(maxsize=20_000)
def variants(value: str) -> Sequence[tuple[str, str]]:
    """Pairs of encoding and text, each text once. They are kept, for the gate asks for what the rewrite asked for."""
    return tuple(_variants(value))


def _variants(value: str) -> Iterator[tuple[str, str]]:
    if value.isascii() and value.isalnum():  # written alike in all but one
        yield "plain", value
        if len(value) >= LEAST_JOINED:
            yield "hex", _hex(value)
        return
    seen: set[str] = set()
    ascii_alone = value.isascii()
    for name, encode in ENCODINGS.items():
        if ascii_alone and name in _OF_ACCENTS:
            continue  # as it is
        if name in ("hyphen", "underscore", "dot", "no_break", "joined") and " " not in value.strip():
            continue
        if name in ("joined", "hex") and len(value) < LEAST_JOINED:
            continue
        try:
            text = encode(value)
        except (UnicodeError, ValueError):
            continue
        key = text.lower()
        if text and key not in seen:
            seen.add(key)
            yield name, text


def base64_cores(value: str) -> Iterator[str]:
    """Yield what stands in any base64 text around the value whatever comes before it: one core for each of three alignments,
    in both alphabets. Empty for values too short to be told from chance.
    """
    for charset in ("utf-8", "utf-16-le", "utf-16-be"):
        yield from _cores(value.encode(charset, "replace"))


_IN_BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
_PARTS_OF_BYTES = 2
"""Characters of base64 around a core in which the rest of the value's first and last byte stands."""


def may_be_in_base64(data: bytes, start: int, end: int, value: str) -> bool:
    """Return whether a core of a value stands there for it. A core has some bits alone of the value's first and last byte: that of *component1* begins *component=*
    as well. Where base64 ends beside it, nothing can be told, and it counts.
    """
    before, after = data[max(0, start - _PARTS_OF_BYTES) : start], data[end : end + _PARTS_OF_BYTES]
    if not (before and after and before[-1] in _IN_BASE64 and after[0] in _IN_BASE64):
        return True
    before = before if before[0] in _IN_BASE64 else before[1:]
    after = after if after[-1] in _IN_BASE64 else after[:-1]
    written = (before + data[start:end] + after).translate(bytes.maketrans(b"-_", b"+/"))
    forms = [value.encode(charset, "replace") for charset in ("utf-8", "utf-16-le", "utf-16-be")]
    for shift in range(4):
        run = b"A" * shift + written
        said = base64.b64decode(run + b"A" * (-len(run) % 4))
        if any(form in said for form in forms):
            return True
    return False


def _cores(data: bytes) -> Iterator[str]:
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + data).decode()
        first = (0, 2, 3)[shift]
        last = len(encoded.rstrip("=")) - (0 if (shift + len(data)) % 3 == 0 else 1)
        core = encoded[first:last]
        if len(core) >= 10:
            yield core
            if "+" in core or "/" in core:
                yield core.replace("+", "-").replace("/", "_")
