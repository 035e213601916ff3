"""Match a pattern only in texts that hold a word which each of its matches needs.

Each text is matched against some two hundred patterns, of which a handful can match: the text must hold *street* or *avenue*, ``@``, or the name of a
month. These hints are computed from the pattern itself, and one scan (Aho-Corasick) looks for the hints of all patterns. They never change what a
pattern finds. The idea is that of RE2's ``FilteredRE2``.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..contracts.cached_file import CachedFile
from .lazy_pattern import LazyPattern

if TYPE_CHECKING:
    import ahocorasick_rs

_MOST = 3_000
"""Hints of one pattern."""
_FAR, _DIGIT = "\ufffe", "\uffff"
"""What stands among hints for any letter of another script than Latin, and for any digit."""
_FAR_RANGES = (("\u0370", "\u1fff"), ("\u2e80", "\ud7ff"), ("\uf900", "\ufffd"), ("\U00010000", "\U0010ffff"))
_MAY_BE_FAR = re.compile("[\u00b5\u00df\u0250-\u1fff\u2100-\u218f\u2c00-\U0010ffff]")
"""The same, and what a pattern without regard to case takes for one."""
_IS_DIGIT = re.compile(r"\d")
_OTHERWISE = (("İ", "i"), ("ı", "i"), ("ſ", "s"))
"""Letters that a pattern without regard to case takes for others, and whose lower case is none of theirs. (Of the Kelvin sign it is.)"""

_all: list[PrefilteredPattern] = []


class PrefilteredPattern(LazyPattern):
    """A pattern with the methods of a compiled one. It is compiled when the first text arrives that may match it."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        super().__init__(pattern, flags)
        self.bit = 1 << len(_all)
        _all.append(self)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches in a text."""
        return self.now.finditer(text) if self.bit & may_match(text) else iter(())

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in a text, or None."""
        return self.now.search(text) if self.bit & may_match(text) else None

    @property
    def name(self) -> str:
        """A hash of the pattern and its flags."""
        return hashlib.sha256(f"{int(self.flags)} {self.pattern}".encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def hints(self) -> frozenset[str] | None:
        """Return texts in lower case of which each match holds at least one, or None if there are no such texts."""
        return _hints(self.pattern, self.flags)


def may_match(text: str) -> int:
    """Return the bits of all patterns that may match a text."""
    return _may_match(text, len(_all))


@lru_cache(maxsize=4)
def _may_match(text: str, patterns: int) -> int:
    """Return the bits of the patterns of which a text holds a hint, and of those without hints. Cached, because all patterns ask about one text in turn."""
    scan, opened, bits, far, digit = _scan(patterns)
    if _IS_DIGIT.search(text):
        bits |= digit
    if not text.isascii():
        if _MAY_BE_FAR.search(text):
            bits |= far
        for letter, other in _OTHERWISE:
            text = text.replace(letter, other)
    found = scan.find_matches_as_indexes(text.lower().encode("utf-8", "replace"), overlapping=True)
    for index in {index for index, *_ in found}:
        bits |= opened[index]
    return bits


@lru_cache(maxsize=1)
def _scan(patterns: int) -> tuple[ahocorasick_rs.BytesAhoCorasick, list[int], int, int, int]:
    """Return the automaton for the hints of the first `patterns` patterns, and the bits of patterns that it leads to.

    These are, in this order: for each hint the patterns that have it; the patterns without hints; those that need a letter of another script; those
    that need a digit.
    """
    import ahocorasick_rs

    opened: dict[str, int] = {}
    always = 0
    for one, hints in _with_hints(_all[:patterns]):
        if hints is None:
            always |= one.bit
        for hint in hints or ():
            opened[hint] = opened.get(hint, 0) | one.bit
    far, digit = opened.pop(_FAR, 0), opened.pop(_DIGIT, 0)
    scan = ahocorasick_rs.BytesAhoCorasick([hint.encode() for hint in opened])
    return scan, list(opened.values()), always, far, digit


def _with_hints(patterns: Sequence[PrefilteredPattern]) -> list[tuple[PrefilteredPattern, Iterable[str] | None]]:
    """Return (pattern, hints) for each pattern. Hints are cached on disk, because computing all of them takes longer than compiling the patterns that
    a page needs.
    """
    kept = CachedFile("hints", f"{sys.version} {Path(__file__).read_text('utf-8')}")
    known: dict[str, list[str] | None] = json.loads(kept.read() or b"{}")
    named = [(one, one.name) for one in patterns]
    missing = {name: one.hints() for one, name in named if name not in known}
    if missing:
        known |= {name: None if hints is None else sorted(hints) for name, hints in missing.items()}
        kept.write(json.dumps(known).encode())
    return [(one, known[name]) for one, name in named]


# -- what a pattern needs --------------------


def _hints(pattern: str, flags: int) -> frozenset[str] | None:
    try:
        from re import _parser  # type: ignore[attr-defined]

        hints = _HintFinder(_parser).of(_parser.parse(pattern, flags))
    except (ImportError, AttributeError, RecursionError):  # another Python: without hints all is as it was, and slower
        return None
    if hints is None or any(len(hint) == 1 and hint.isascii() and (hint.isalnum() or hint == " ") for hint in hints):
        return None  # every text holds one
    kept: list[str] = []
    for hint in sorted(hints):
        if not kept or not hint.startswith(kept[-1]):
            kept.append(hint)
    return frozenset(kept)


class _HintFinder:
    """Computes hints from a pattern as :mod:`re` has parsed it."""

    def __init__(self, parser: Any) -> None:
        self._parser = parser

    def of(self, parsed: Iterable[Any]) -> frozenset[str] | None:
        """Return the best set of hints, of which each match holds one, or None."""
        best: frozenset[str] | None = None
        run = {""}
        """What may stand here so far, if it is known to the letter."""

        def offer(hints: Iterable[str] | None) -> None:
            nonlocal best
            found = frozenset(hints) if hints is not None else None
            if found and "" not in found and (best is None or _often(found) < _often(best)):
                best = found

        for item in parsed:
            if str(item[0]) == "ASSERT":  # what stands around a match stands in the text
                offer(self.of(item[1][1]))
            exact = self._exact(item)
            if exact is not None and len(run) * len(exact) <= _MOST:
                run = {a + b for a in run for b in exact}
                continue
            offer(run)
            run = {""} if exact is None else exact
            if exact is None:
                offer(self._inside(item))
        offer(run)
        return best

    def _exact(self, item: Any) -> set[str] | None:
        """Return all texts that a part of a pattern may match, in lower case, or None if there are too many."""
        code, value = item
        name = str(code)
        if name == "LITERAL":
            return {small} if (small := _small(chr(value))) else None
        if name in ("AT", "ASSERT_NOT", "ASSERT"):
            return {""}
        if name == "IN":
            if not all(str(kind) == "LITERAL" for kind, _ in value):
                return None
            letters = [_small(chr(code)) for _, code in value]
            return {a for a in letters if a} if all(letters) else None
        if name == "BRANCH":
            ways = [self._whole(way) for way in value[1]]
            return _union(ways)
        if name in ("SUBPATTERN", "ATOMIC_GROUP"):
            return self._whole(value[-1] if name == "SUBPATTERN" else value)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and value[1] == 1:
            inner = self._whole(value[2])
            return inner if inner is None or value[0] else inner | {""}
        return None

    def _whole(self, parsed: Iterable[Any]) -> set[str] | None:
        run = {""}
        for item in parsed:
            exact = self._exact(item)
            if exact is None or len(run) * len(exact) > _MOST:
                return None
            run = {a + b for a in run for b in exact}
        return run

    def _inside(self, item: Any) -> frozenset[str] | None:
        """Return the hints of a part that may match too many texts."""
        code, value = item
        name = str(code)
        if name == "LITERAL":
            return _of_class([item])
        if name == "IN":
            return _of_class(value)
        if name == "BRANCH":
            ways = [self.of(way) for way in value[1]]
            found = _union([set(way) if way is not None else None for way in ways])
            return frozenset(found) if found is not None else None
        if name in ("SUBPATTERN", "ATOMIC_GROUP"):
            return self.of(value[-1] if name == "SUBPATTERN" else value)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and value[0]:
            return self.of(value[2])
        return None


def _of_class(members: Iterable[Any]) -> frozenset[str] | None:
    """Return the hint for a class of characters: a letter of another script, or a digit."""
    kinds = set()
    for code, value in members:
        name = str(code)
        if name == "CATEGORY":
            kinds.add(_DIGIT if str(value) == "CATEGORY_DIGIT" else "")
        elif name in ("LITERAL", "RANGE"):
            first, last = map(chr, (value, value) if name == "LITERAL" else value)
            digits = "0" <= first <= last <= "9"
            kinds.add(_DIGIT if digits else _FAR if _is_far(first, last) else "")
        else:
            return None
    return frozenset(kinds) if kinds and "" not in kinds else None


def _is_far(first: str, last: str) -> bool:
    """Return whether a range consists of letters of other scripts than Latin."""
    return any(low <= first and last <= high for low, high in _FAR_RANGES)


def _union(sets: list[set[str] | None]) -> set[str] | None:
    out: set[str] = set()
    for each in sets:
        if each is None or len(out) + len(each) > _MOST:
            return None
        out |= each
    return out


_OF_TWO_CASES = frozenset("µςϐϵϑϰϖϱϕẛṡιθβεκπρσφвдостъѣꙋ\u0345\u1fbeΐΰιμſıİ")
"""Letters of which a pattern takes others for the same, beyond their upper case: no hint holds one."""


def _small(letter: str) -> str:
    """Return a letter in lower case, or the empty string if its lower case in a text is not certain."""
    small = letter.lower()
    return small if len(small) == 1 and small not in _OF_TWO_CASES and (small.isascii() or small.isalnum()) else ""


@lru_cache(maxsize=10_000)
def _often(hints: frozenset[str]) -> float:
    """Estimate how often a text contains one of these hints, assuming eight equally frequent letters."""
    return sum(8.0 ** -(4 if hint == _FAR else min(len(hint), 6)) for hint in hints)
