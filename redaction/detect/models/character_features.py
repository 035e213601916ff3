"""Compute the input of the character net: each character, its neighbours, and what lists and rules say of the character and its word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...contracts.findings import Finding
from ...words.names_by_script import read_name_lists
from ...words.word_lists import read_lists_by_kind

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

Known = Callable[[str], tuple[bool, ...]]
"""Returns what the lists say of a word in small letters: a given name, a given name that is also a word, a family name,
certainly a family name, no part of names.
"""
ONES, PAIRS, THREES = 2048, 4096, 4096
"""Number of hash buckets for a character, for it and the next one, and for it and both neighbours."""
_SCRIPTS = (
    (0x370, 0x400, 0),
    (0x400, 0x530, 1),
    (0x530, 0x590, 2),
    (0x590, 0x600, 3),
    (0x600, 0x780, 4),
    (0x900, 0x980, 5),
    (0x980, 0xE00, 6),
    (0xE00, 0xE80, 7),
    (0x10A0, 0x1100, 2),
    (0x1100, 0x1200, 8),
    (0x1F00, 0x2000, 0),
    (0x3040, 0x30A0, 9),
    (0x30A0, 0x3100, 10),
    (0x3131, 0x3190, 8),
    (0x3005, 0x3008, 11),
    (0x3400, 0xA000, 11),
    (0xAC00, 0xD7B0, 8),
    (0xF900, 0xFB00, 11),
    (0xFB50, 0xFE00, 4),
    (0xFE70, 0xFEFF, 4),
)
"""First and last code point of a range, and the number of its script."""
_LATIN, _DIGIT, _BLANK, _LINE, _SIGN = 12, 13, 14, 15, 16
_KINDS = 17
HEBREW, ARABIC, THAI, HANGUL, HIRAGANA, HAN = 3, 4, 7, 8, 9, 11
MARKS = "".join(chr(c) for c in range(0x300, 0x1200) if unicodedata.category(chr(c))[0] == "M") + "\u200c\u200d"
"""Characters that belong to the letter before them."""
_DENSE = r"\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
WORD = re.compile(
    r"[\u3005-\u3007\u3400-\u9fff\uf900-\ufaff]+|[\u3041-\u309f]+|[\u30a0-\u30ff]+|[\uac00-\ud7af]+|"
    rf"(?![{_DENSE}])[^\W\d_](?:(?![{_DENSE}])[^\W\d_]|[{MARKS}]|['’׳״\"](?=[^\W\d_])|-(?=[^\W\d_]))*"
)
"""A word of one script, or a run of letters of one kind where no spaces stand between words."""
OTHER = re.compile(r"[\u0370-\u0e7f\u10a0-\u11ff\u1f00-\u1fff\u3005-\u3007\u3041-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""A letter of another script than Latin."""
_BEGINS = ".!?:;|•-–—>*\"'(“«\n\t。！？：；「『（،؛؟।"
_LISTED, _NAMED = 6, 10
WIDTH = _KINDS + 20 + _LISTED + _NAMED + 4
"""Number of features of a character, besides its hash buckets."""
_RULED = {"PERSON": 0, "ORGANIZATION": 1, "ADDRESS": 2}
_FEW = 3


def classify_characters(codes: Array) -> Array:
    """Return for each code point the number of its script, or of another class (digit, blank, line, sign)."""
    import numpy as np

    out = np.full(len(codes), _SIGN, np.int64)
    latin = ((codes > 0x40) & (codes < 0x5B)) | ((codes > 0x60) & (codes < 0x7B)) | ((codes >= 0xC0) & (codes < 0x370))
    out[latin] = _LATIN
    for start, end, kind in _SCRIPTS:
        out[(codes >= start) & (codes < end)] = kind
    out[(codes >= 0x30) & (codes < 0x3A)] = _DIGIT
    out[(codes == 0x20) | (codes == 0xA0) | (codes == 0x3000)] = _BLANK
    out[(codes == 0x0A) | (codes == 0x09)] = _LINE
    return out


def to_code_points(text: str) -> Array:
    """Return the code points of a text."""
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)


def hash_to_buckets(text: str) -> Array:
    """Return for each character three hash buckets: of the character, of it and the next one, of it and both
    neighbours, all in lower case. Shape: (characters, 3).
    """
    import numpy as np

    small = text.lower()
    codes = to_code_points(small if len(small) == len(text) else text)
    codes = np.where(classify_characters(codes) == _DIGIT, 0x30, codes)
    after, before = np.append(codes[1:], 3), np.append(2, codes[:-1])
    pair = (codes * 0x9E3779B1 + after * 0x85EBCA77) & 0xFFFFFFFF
    three = (pair + before * 0xC2B2AE3D) & 0xFFFFFFFF
    own = (codes * 0x9E3779B1) & 0xFFFFFFFF
    return np.stack(
        [(own >> 8) % ONES, ONES + (pair ^ (pair >> 15)) % PAIRS, ONES + PAIRS + (three ^ (three >> 13)) % THREES],
        axis=1,
    )


def compute_features(
    text: str, words: Sequence[re.Match[str]], rule_findings: Iterable[Finding], look_up_word: Known
) -> Array:
    """Return the features of each character, without those of its hash buckets.

    :param rule_findings: the findings of the rules.
    :param look_up_word: returns what the lists say of a word.
    """
    import numpy as np

    kind = classify_characters(to_code_points(text))
    out = np.zeros((len(text), WIDTH), np.float32)
    out[np.arange(len(text)), kind] = 1
    at = _KINDS
    one_case = text.islower() or text.isupper()
    whole = (one_case, len(words) <= _FEW, len(words) == 1, len(text) > 24, len(text) > 60, "\n" in text)
    out[:, at : at + 6] = whole
    upper = np.fromiter((c.isupper() for c in text), bool, len(text))
    out[:, at + 6] = upper
    last = -1
    for word in words:
        start, end = word.span()
        size = end - start
        before = text[max(0, start - 3) : start]
        begins = start == 0 or before.strip()[-1:] in tuple(_BEGINS) or "\n" in before
        capital = bool(upper[start])
        marks = (
            *(begins, capital, capital and not begins and not one_case, size > 1 and bool(upper[start:end].all())),
            *(size == 1, size == 2, size == 3, 3 < size < 7, size > 6),
            *(end == len(text) or text[end] == "\n", start - last < 2),
        )
        out[start:end, at + 7 : at + 18] = marks
        out[start, at + 18] = out[end - 1, at + 19] = 1
        if spaced := _look_up_spaced_word(word[0].lower(), look_up_word):
            out[start:end, at + 20 : at + 20 + _LISTED] = spaced
        last = end
    at += 20 + _LISTED
    _set_unspaced_features(text, kind, out[:, at : at + _NAMED])
    at += _NAMED
    for f in rule_findings:
        out[f.start : f.end, at + _RULED.get(f.entity, 3)] = 1
    return out


@lru_cache(maxsize=50_000)
def _look_up_spaced_word(word: str, look_up_word: Known) -> tuple[bool, ...] | None:
    """Return what the lists say of a word in a script with spaces between words."""
    listed = look_up_word(word)
    return (*listed, word in _load_occupations()) if listed else None


@lru_cache(maxsize=1)
def _load_occupations() -> frozenset[str]:
    abroad = read_lists_by_kind("occupations_abroad.txt")
    return frozenset().union(*(abroad.get(code, frozenset()) for code in ("ru", "bg", "el", "ar", "he", "hi")))


@lru_cache(maxsize=1)
def _load_unspaced_word_lists() -> tuple[tuple[frozenset[str], tuple[int, ...], int], ...]:
    """Return the listed words in scripts without spaces between words, with their lengths and the script of their
    first letter.
    """
    lists, jobs = read_name_lists(), read_lists_by_kind("occupations_abroad.txt").get("dense", frozenset())
    every = (
        (lists["zh surnames"] | lists["zh compounds"], HAN),
        (lists["zh given"], HAN),
        (lists["zh not-names"], HAN),
        (lists["ja surnames"], HAN),
        (lists["ja given"], HAN),
        (lists["ko surnames"] | lists["ko compounds"], HANGUL),
        (lists["ko first"], HANGUL),
        (lists["ko second"], HANGUL),
        (frozenset(w for w in lists["th given"] if len(w) > _SHORT), THAI),
        (jobs, HAN),
        (jobs, HANGUL),
    )
    return tuple((words, tuple(sorted({len(w) for w in words if len(w) < _LONG})), of) for words, of in every)


_SHORT, _LONG = 3, 12


def _set_unspaced_features(text: str, kind: Array, out: Array) -> None:
    """Set the features of listed words in scripts without spaces between words."""
    import numpy as np

    for column, (words, sizes, of) in enumerate(_load_unspaced_word_lists()):
        for at in np.flatnonzero(kind == of).tolist():
            for size in sizes:
                if text[at : at + size] in words:
                    out[at : at + size, min(column, 9)] = 1
