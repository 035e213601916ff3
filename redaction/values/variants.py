"""List the notations of a value that are searched for in addition to escapes, which are undone first: accents, separators, hexadecimal, base64.

The rewriter and the gate use the same variants, so the gate searches for exactly what the rewriter masks. Both ignore
case.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from ..normalise.escapes import list_value_readings

Encode = Callable[[str], str]


def _to_hex(text: str) -> str:
    return text.encode("utf-8", "replace").hex()


def _strip_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _build_space_replacer(separator: str) -> Encode:
    return lambda text: separator.join(text.split())


def _build_word_joint_replacer(separator: str) -> Encode:
    return lambda text: _JOINT.sub(separator, text) if _IN_ONE.fullmatch(text) else text


_IN_ONE = re.compile(r"(?=.*\w[._-]\w)\w+(?:[.-]\w+)*")
"""A user name or a customer number, whose parts may have other separators in a URL or an identifier."""
_JOINT = re.compile(r"(?<=[^\W_])[._-](?=[^\W_])")
_OF_WORDS: dict[str, Encode] = {
    "hyphen": _build_space_replacer("-"),
    "underscore": _build_space_replacer("_"),
    "dot": _build_space_replacer("."),
    "plus": _build_space_replacer("+"),
    "no_break": _build_space_replacer("\u00a0"),
    "joined": _build_space_replacer(""),
}
_OF_ACCENTS: dict[str, Encode] = {
    "composed": lambda text: unicodedata.normalize("NFC", text),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "unaccented": _strip_accents,
}
ENCODINGS: dict[str, Encode] = {
    "plain": str,
    **_OF_ACCENTS,
    **_OF_WORDS,
    "hyphens": _build_word_joint_replacer("-"),
    "underscores": _build_word_joint_replacer("_"),
    "dots": _build_word_joint_replacer("."),
    "blanks": _build_word_joint_replacer(" "),
    "hex": _to_hex,
}
"""Every encoding that keeps the order of the text; the stand-in is encoded in the same way. ``plain`` comes first."""
LEAST_JOINED = 9
"""Least characters of a value that is also searched for without its spaces, in hexadecimal and in base64."""
_LEAST_READ = 4
"""Least letters and digits of a value with its escapes undone that is searched for in that form as well."""


@lru_cache(maxsize=20_000)
def list_variants(value: str) -> Sequence[tuple[str, str]]:
    """Return (encoding, text) for each notation of a value, each text once. The result is cached: the gate asks for
    the same ones as the rewriter.
    """
    return tuple(_iter_variants(value))


def _iter_variants(value: str) -> Iterator[tuple[str, str]]:
    if value.isascii() and value.isalnum():  # equal in all encodings but one
        yield "plain", value
        if len(value) >= LEAST_JOINED:
            yield "hex", _to_hex(value)
        return
    seen: set[str] = set()
    for number, form in enumerate((value, *list_value_readings(value))):
        if number and sum(map(str.isalnum, form)) < _LEAST_READ:
            continue
        for name, encode in ENCODINGS.items():
            if (name in _OF_ACCENTS and form.isascii()) or (name in _OF_WORDS and " " not in form.strip()):
                continue  # as it is
            if name in ("joined", "hex") and len(form) < LEAST_JOINED:
                continue
            text = encode(form)
            key = text.lower()
            if text and key not in seen:
                seen.add(key)
                yield name, text


def iter_base64_inner_letters(value: str) -> Iterator[str]:
    """Yield the runs of base64 letters that every base64 text containing the value has, whatever stands before the
    value.

    There is one for each of the three alignments of its bytes to base64's groups, in both alphabets (standard and
    URL-safe), for the value in UTF-8 and in UTF-16. Nothing is yielded for a value so short that these letters would
    occur by chance.
    """
    for charset in ("utf-8", "utf-16-le", "utf-16-be"):
        yield from _iter_base64_of_bytes(value.encode(charset, "replace"))


_IN_BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
_PARTS_OF_BYTES = 2
"""Base64 characters on each side of a core that hold the rest of the value's first and last byte."""


def is_whole_value_in_base64(data: bytes, start: int, end: int, value: str) -> bool:
    """Return whether base64 in which a run of :func:`iter_base64_inner_letters` was found, from `start` to `end`, holds the
    whole value.

    The run lacks some bits of the value's first and last byte, so that of *component1* also matches *component=*. At
    either end of the base64 the missing bits cannot be checked, and the result is True.
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


def _iter_base64_of_bytes(data: bytes) -> Iterator[str]:
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + data).decode()
        first = (0, 2, 3)[shift]
        last = len(encoded.rstrip("=")) - (0 if (shift + len(data)) % 3 == 0 else 1)
        core = encoded[first:last]
        if len(core) >= 10:
            yield core
            if "+" in core or "/" in core:
                yield core.replace("+", "-").replace("/", "_")
