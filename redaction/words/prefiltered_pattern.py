"""Match a pattern only in texts that hold a substring which every match of the pattern needs.

Some two hundred patterns are matched against each text, of which a handful can match: the text must hold *street* or
*avenue*, ``@``, or the name of a month. These substrings, called hints, are computed from the pattern itself, and one
scan (Aho-Corasick) looks for the hints of all patterns. Hints never change the matches of a pattern. The idea is that
of RE2's ``FilteredRE2``.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..contracts.cached_file import CachedFile

if TYPE_CHECKING:
    import ahocorasick_rs

_MOST = 3_000
"""Most hints of one pattern."""
_FAR, _DIGIT = "\ufffe", "\uffff"
"""Hints for any letter of another script than Latin, and for any digit."""
_FAR_RANGES = (("\u0370", "\u1fff"), ("\u2e80", "\ud7ff"), ("\uf900", "\ufffd"), ("\U00010000", "\U0010ffff"))
_MAY_BE_FAR = re.compile("[\u00b5\u00df\u0250-\u1fff\u2100-\u218f\u2c00-\U0010ffff]")
"""Letters of other scripts, and those that a pattern which ignores case takes for one."""
_IS_DIGIT = re.compile(r"\d")
_OTHERWISE = (("İ", "i"), ("ı", "i"), ("ſ", "s"))
"""Letters that a pattern which ignores case takes for another letter, although their lower case is not that letter."""

_all: list[PrefilteredPattern] = []


class LazyPattern:
    """A pattern that is compiled on the first use of :attr:`compiled_pattern`. Compiling all patterns on import took half of
    the import's time.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def compiled_pattern(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)


class PrefilteredPattern(LazyPattern):
    """A pattern with the methods of a compiled one. It is compiled when the first text arrives that may match."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        super().__init__(pattern, flags)
        self.bit = 1 << len(_all)
        _all.append(self)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches in a text."""
        return self.compiled_pattern.finditer(text) if self.bit & find_candidate_patterns(text) else iter(())

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in a text, or None."""
        return self.compiled_pattern.search(text) if self.bit & find_candidate_patterns(text) else None

    @property
    def pattern_hash(self) -> str:
        """A hash of the pattern and its flags."""
        return hashlib.sha256(f"{int(self.flags)} {self.pattern}".encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def compute_hints(self) -> frozenset[str] | None:
        """Return substrings in lower case of which each match holds at least one, or None if there are none."""
        return _compute_hints(self.pattern, self.flags)


def find_candidate_patterns(text: str) -> int:
    """Return a bit set of all patterns that may match a text."""
    return _find_candidate_bits(text, len(_all))


@lru_cache(maxsize=4)
def _find_candidate_bits(text: str, patterns: int) -> int:
    """Return a bit set of the first `patterns` patterns that may match a text: those with a hint in it, and those that
    have no hints.

    The result is cached, because all patterns are matched against one text before the next.
    """
    scan, opened, bits, far, digit = _build_hint_automaton(patterns)
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
def _build_hint_automaton(patterns: int) -> tuple[ahocorasick_rs.BytesAhoCorasick, list[int], int, int, int]:
    """Return the automaton for the hints of the first `patterns` patterns, and for each of its results a bit set of
    patterns.

    The bit sets are, in this order: for each hint the patterns that have it; the patterns without hints; the patterns
    that need a letter of another script than Latin; the patterns that need a digit.
    """
    import ahocorasick_rs

    opened: dict[str, int] = {}
    always = 0
    for one, hints in _load_hints(_all[:patterns]):
        if hints is None:
            always |= one.bit
        for hint in hints or ():
            opened[hint] = opened.get(hint, 0) | one.bit
    far, digit = opened.pop(_FAR, 0), opened.pop(_DIGIT, 0)
    scan = ahocorasick_rs.BytesAhoCorasick([hint.encode() for hint in opened])
    return scan, list(opened.values()), always, far, digit


def _load_hints(patterns: Sequence[PrefilteredPattern]) -> list[tuple[PrefilteredPattern, Iterable[str] | None]]:
    """Return (pattern, hints) for each pattern. Hints are cached on disk: computing all of them takes longer than
    compiling the patterns that a page needs.
    """
    kept = CachedFile("hints", f"{sys.version} {Path(__file__).read_text('utf-8')}")
    known: dict[str, list[str] | None] = json.loads(kept.read() or b"{}")
    named = [(one, one.pattern_hash) for one in patterns]
    missing = {name: one.compute_hints() for one, name in named if name not in known}
    if missing:
        known |= {name: None if hints is None else sorted(hints) for name, hints in missing.items()}
        kept.write(json.dumps(known).encode())
    return [(one, known[name]) for one, name in named]


# -- hints of a pattern --------------------


def _compute_hints(pattern: str, flags: int) -> frozenset[str] | None:
    try:
        from re import _parser  # type: ignore[attr-defined]

        hints = _analyse_sequence(_parser.parse(pattern, flags))[1]
    except (ImportError, AttributeError, RecursionError):  # another Python version: without hints it is only slower
        return None
    if hints is None or any(len(hint) == 1 and hint.isascii() and (hint.isalnum() or hint == " ") for hint in hints):
        return None  # every text contains the empty hint
    kept: list[str] = []
    for hint in sorted(hints):
        if not kept or not hint.startswith(kept[-1]):
            kept.append(hint)
    return frozenset(kept)


_Exact = set[str] | None
"""All texts that a part of a pattern may match, in lower case; None if there are too many."""
_Hints = frozenset[str] | None
"""Texts of which each match of a part holds one; None if there are no such texts."""


def _analyse_sequence(parsed: Iterable[Any]) -> tuple[_Exact, _Hints]:
    """Return for a parsed sequence of :mod:`re` the texts that it matches, if these are few, and its best hints."""
    best: _Hints = None
    whole: _Exact = {""}
    run = {""}
    """The exact texts that may stand directly before the current part."""

    def offer_hints(hints: Iterable[str] | None) -> None:
        nonlocal best
        found = frozenset(hints) if hints is not None else None
        if found and "" not in found and (best is None or _estimate_frequency(found) < _estimate_frequency(best)):
            best = found

    for item in parsed:
        exact, hints = _analyse_part(item)
        if str(item[0]) == "ASSERT":  # text around a match is part of the text, too
            offer_hints(hints)
        whole = _concatenate_pairs(whole, exact)
        if (longer := _concatenate_pairs(run, exact)) is not None:
            run = longer
            continue
        offer_hints(run)
        run = {""} if exact is None else exact
        if exact is None:
            offer_hints(hints)
    offer_hints(run)
    return whole, best


def _analyse_part(item: Any) -> tuple[_Exact, _Hints]:
    code, value = item
    name = str(code)
    if name in ("AT", "ASSERT_NOT"):
        return {""}, None
    if name == "ASSERT":
        return {""}, _analyse_sequence(value[1])[1]
    if name in ("LITERAL", "IN"):
        members = [item] if name == "LITERAL" else value
        plain = all(str(kind) == "LITERAL" for kind, _ in members)
        letters = {_lower_if_certain(chr(letter)) for _, letter in members} if plain else {""}
        return None if "" in letters else letters, _find_class_hint(members)
    if name == "BRANCH":
        ways = [_analyse_sequence(way) for way in value[1]]
        hints = _unite_sets([None if hints is None else set(hints) for _, hints in ways])
        return _unite_sets([exact for exact, _ in ways]), None if hints is None else frozenset(hints)
    if name in ("SUBPATTERN", "ATOMIC_GROUP"):
        return _analyse_sequence(value[-1] if name == "SUBPATTERN" else value)
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        exact, inside = _analyse_sequence(value[2])
        once = None if exact is None or value[1] != 1 else exact if value[0] else exact | {""}
        return once, inside if value[0] else None
    return None, None


def _concatenate_pairs(left: _Exact, right: _Exact) -> _Exact:
    """Return each text of one set followed by each text of the other, or None if there are too many."""
    if left is None or right is None or len(left) * len(right) > _MOST:
        return None
    return {a + b for a in left for b in right}


def _find_class_hint(members: Iterable[Any]) -> frozenset[str] | None:
    """Return the hint for a character class: a letter of another script, or a digit; None for any other class."""
    kinds = set()
    for code, value in members:
        name = str(code)
        if name == "CATEGORY":
            kinds.add(_DIGIT if str(value) == "CATEGORY_DIGIT" else "")
        elif name in ("LITERAL", "RANGE"):
            first, last = map(chr, (value, value) if name == "LITERAL" else value)
            digits = "0" <= first <= last <= "9"
            kinds.add(_DIGIT if digits else _FAR if _is_other_script(first, last) else "")
        else:
            return None
    return frozenset(kinds) if kinds and "" not in kinds else None


def _is_other_script(first: str, last: str) -> bool:
    """Return whether a range of characters consists of letters of other scripts than Latin."""
    return any(low <= first and last <= high for low, high in _FAR_RANGES)


def _unite_sets(sets: list[set[str] | None]) -> set[str] | None:
    out: set[str] = set()
    for each in sets:
        if each is None or len(out) + len(each) > _MOST:
            return None
        out |= each
    return out


_OF_TWO_CASES = frozenset("µςϐϵϑϰϖϱϕẛṡιθβεκπρσφвдостъѣꙋ\u0345\u1fbeΐΰιμſıİ")
"""Letters for which a pattern that ignores case accepts more letters than their upper case. No hint holds one."""


def _lower_if_certain(letter: str) -> str:
    """Return a letter in lower case, or the empty string if a pattern that ignores case takes other letters for the
    same one.
    """
    small = letter.lower()
    return small if len(small) == 1 and small not in _OF_TWO_CASES and (small.isascii() or small.isalnum()) else ""


@lru_cache(maxsize=10_000)
def _estimate_frequency(hints: frozenset[str]) -> float:
    """Return an estimate of how often a text contains one of these hints, as if there were eight equally frequent
    letters.
    """
    return sum(8.0 ** -(4 if hint == _FAR else min(len(hint), 6)) for hint in hints)
