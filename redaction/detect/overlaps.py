"""Turn the findings of several recognizers into the spans to mask: whole words, whole addresses, no overlaps.

A recognizer that finds half of a value still leaks the other half. Extending spans to whole words, and joining the
parts of an address, masks more values completely than another model would.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..contracts.entities import EXACT, RANK
from ..contracts.findings import Finding

_PLACE = frozenset({"ADDRESS", "ZIP_CODE", "LOCATION"})
_EDGE = " \t\r\n.,;:!?\"'`()[]{}<>|*…“”„«»‘’–—-"
_GAP = re.compile(
    r"(?:[\s,;|/()-]|\b(?:nan|and|of|at|apt|suite|unit|street|st|no|po|box)\b\.?|#|\.(?=\s))*\Z", re.IGNORECASE
)
_LONGEST_GAP = 16
_NAME_PARTS = re.compile(r"(?:[^\S\n\t]+|[^\S\n\t]*[-'’]\s*|[^\S\n\t]+[^\W\d_]\.?[^\S\n\t]+)\Z")
_LABEL_NEXT = re.compile(r"(?<![^\S\n])[^\S\n]*\n[^\n:\t]{1,24}[:\t](?=\s?\S)")
"""The label in the line after a name: *Ludmila Hronková*, and below it *Telefon: …*."""


def resolve_overlaps(text: str, findings: Iterable[Finding]) -> list[Finding]:
    """Return the spans to mask, in order and without overlap: extended to whole words, joined and merged."""
    grown = [g for f in findings if (g := _extend_finding_to_words(text, f)) is not None]
    merged = _merge_overlapping_findings(grown)
    merged = _join_adjacent_findings(text, merged)
    merged = _add_business_card_lines(text, merged)
    return [f for f in (_trim_finding_edges(text, m) for m in _merge_overlapping_findings(merged)) if f is not None]


def _trim_finding_edges(text: str, finding: Finding) -> Finding | None:
    start, end = finding.start, finding.end
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and text[end - 1] in _EDGE:
        end -= 1
    if 0 < start < end and text[start - 1] == "(" and text.count(")", start, end) > text.count("(", start, end):
        start -= 1  # "(0161) 496 0484": no single bracket stays beside the stand-in
    if finding.entity == "PERSON" and (labelled := _LABEL_NEXT.search(text, start, min(len(text), end + 24))):
        end = labelled.start() if start < labelled.start() < end else end
    return finding._replace(start=start, end=end) if end > start else None


def _extend_finding_to_words(text: str, finding: Finding) -> Finding | None:
    if finding.entity in ("SECRET", "CVV"):
        return finding
    trimmed = _trim_finding_edges(text, finding)
    if trimmed is None or trimmed.entity in EXACT:
        return trimmed
    start, end = trimmed.start, trimmed.end
    while start > 0 and _is_inside_word(text, start):
        start -= 1
    while end < len(text) and _is_inside_word(text, end):
        end += 1
    return trimmed._replace(start=start, end=end)


def _is_inside_word(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if _is_word_character(before) and _is_word_character(after):
        # A word of another script, or camelCase, is a word of its own: CJK has no spaces to grow to.
        return not (_is_unspaced_script(before) or _is_unspaced_script(after))
    if after in "'’-" and _is_word_character(before):
        rest = text[at + 1 : at + 3]
        return bool(rest) and rest[0].isalpha() and not re.match(r"s\b", rest) and not _is_unspaced_script(rest[0])
    if before in "'’-" and _is_word_character(after) and at >= 2:
        return _is_word_character(text[at - 2]) and not re.match(r"s\b", text[at : at + 2])
    return False


def _is_word_character(char: str) -> bool:
    return char.isalnum() or char == "_" or "\u0300" <= char <= "\u036f" or "\u0900" <= char <= "\u0963"


def _is_unspaced_script(char: str) -> bool:
    return char >= "\u2e80" or "\u0e00" <= char <= "\u0eff"


def _merge_overlapping_findings(findings: Sequence[Finding]) -> list[Finding]:
    merged: list[Finding] = []
    for f in sorted(findings, key=lambda f: (f.start, -f.end)):
        if merged and f.start < merged[-1].end:
            last = merged[-1]
            entity = min((last.entity, f.entity), key=lambda e: RANK[e])
            if (
                last.entity != f.entity
                and last.start <= f.start
                and f.end <= last.end
                and last.entity in ("PERSON", "ADDRESS", "ORGANIZATION")
            ):
                entity = last.entity
            merged[-1] = Finding(last.start, max(last.end, f.end), entity, max(last.score, f.score))
        else:
            merged.append(f)
    return merged


def _join_adjacent_findings(text: str, findings: Sequence[Finding]) -> list[Finding]:
    joined: list[Finding] = []
    for f in findings:
        last = joined[-1] if joined else None
        if last is not None:
            gap = text[last.end : f.start]
            if (
                last.entity in _PLACE
                and f.entity in _PLACE
                and "ADDRESS" in (last.entity, f.entity)
                and len(gap) <= _LONGEST_GAP
                and _GAP.match(gap)
            ):
                joined[-1] = Finding(last.start, f.end, "ADDRESS", max(last.score, f.score))
                continue
            if last.entity == f.entity == "PERSON" and len(gap) <= 5 and _NAME_PARTS.match(gap):
                joined[-1] = Finding(last.start, f.end, "PERSON", max(last.score, f.score))
                continue
        joined.append(f)
    return joined


_LINE = re.compile(r"[^\n]+")
_NUMBERED_LINE = re.compile(r"\d{1,6}[a-z]?\b,?[ ][^\W\d_].*|.*[^\W\d_],?[ ]\d{1,5}[a-z]?\Z", re.IGNORECASE)
_NAME_LINE = re.compile(r"[^\W\d_a-z][\w'’-]+(?:[ ][^\W\d_a-z][\w'’.-]*){1,3}\s*")
_PROSE = re.compile(
    r"\t|[.!?]\s+\w|[.!?]\Z|:\s*\Z|:\s|\b(?:is|are|was|were|the|you|your|my|please|to)\b", re.IGNORECASE
)


_MENU = re.compile(
    r"\A\W*[/|›»·•>]|[/|›»·•>]\W*\Z|\A\W*(?:view|log|sign|change|edit|show|my|open|add|go|help|settings)\b",
    re.IGNORECASE,
)
"""A line of a menu: its entries have separators between them, or it begins with a verb."""


def _add_business_card_lines(text: str, findings: list[Finding]) -> list[Finding]:
    """Return the findings together with new ones for unmasked lines of a business card or an address block.

    A short line below a name is a position or a company, and a line between two masked lines belongs to their block.
    """
    if "\n" not in text or not findings:
        return findings
    lines = [(m.start(), m.end()) for m in _LINE.finditer(text) if any(c.isalnum() for c in m.group())]
    kinds = [_classify_line(text, a, b, findings) for a, b in lines]
    extra = []
    for i, (a, b) in enumerate(lines):
        line = text[a:b].strip().lstrip("?!.*-•> ")
        if kinds[i] == "whole" or len(line) > 60 or _PROSE.search(line) or len(line.split()) > 7 or _MENU.search(line):
            continue
        before = kinds[i - 1] if i else ""
        after = kinds[i + 1] if i + 1 < len(lines) else ""
        if kinds[i] == "part" and _NUMBERED_LINE.match(line) and "whole" in (before, after):
            extra.append(Finding(a, b, "ADDRESS", 0.5))
            continue
        if not before and after == "whole" and kinds[i + 2 : i + 3] == ["whole"] and _NAME_LINE.fullmatch(line):
            extra.append(Finding(text.index(line, a), b, "PERSON", 0.5))
            continue
        named = i > 0 and any(f.entity == "PERSON" and lines[i - 1][0] <= f.start < lines[i - 1][1] for f in findings)
        if before == "whole" and (named or after == "whole"):
            extra.append(Finding(a, b, "TITLE" if named else "ORGANIZATION", 0.5))
    return _merge_overlapping_findings([*findings, *extra]) if extra else findings


def _classify_line(text: str, start: int, end: int, findings: Sequence[Finding]) -> str:
    letters = [i for i in range(start, end) if text[i].isalnum()]
    covered = sum(any(f.start <= i < f.end for f in findings) for i in letters)
    return "whole" if covered * 10 >= len(letters) * 9 else ("part" if covered else "")
