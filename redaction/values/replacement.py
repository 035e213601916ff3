"""Replace the matches in a text, and distribute the result over the pieces that the text was joined from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .invented_words import choose_other_letter
from .known_value_matcher import ValueMatch


def merge_matches(matches: Sequence[ValueMatch]) -> list[ValueMatch]:
    """Return matches without overlap that cover the same characters. Where two overlap, the longer one gives the
    replacement.
    """
    out: list[ValueMatch] = []
    for match in sorted(matches, key=lambda m: (m.start, -m.end)):
        if out and match.start < out[-1].end:
            last = out[-1]
            longer = last if last.end - last.start >= match.end - match.start else match
            out[-1] = longer._replace(start=last.start, end=max(last.end, match.end))
        else:
            out.append(match)
    return out


def replace_matches(text: str, matches: Sequence[ValueMatch]) -> str:
    """Return a text with its matches replaced. The matches must be in order and without overlap."""
    if not matches:
        return text
    out, at = [], 0
    for match in matches:
        out.append(text[at : match.start])
        out.append(match.replacement)
        at = match.end
    out.append(text[at:])
    return "".join(out)


def _change_if_unmasked(stand_in_piece: str, original_piece: str) -> str:
    """Return a piece of a stand-in, changed if it equals the original piece by chance: text that looks unmasked would
    get no box in a screenshot.
    """
    if stand_in_piece != original_piece or not any(c.isalnum() for c in original_piece):
        return stand_in_piece
    return "".join(choose_other_letter(c) if c.isalnum() else c for c in stand_in_piece)


_RUN = re.compile(r"[^\W\d_]+|\d+|[\W_]")


def _find_cut_offset(value: str, stand_in: str, at: int) -> int:
    """Return the offset at which a stand-in is cut if its value is cut at the offset `at`.

    If both have the same separators, the cut is after as many words; else it is in proportion to the lengths.
    """
    before = value[:at]
    within = at < len(value) and value[at - 1].isalnum() and value[at].isalnum()
    if at < len(value) and not within:
        like = (
            r"[^\W\d_]+" if run[0].isalpha() else r"\d+" if run[0].isdigit() else re.escape(run)
            for run in _RUN.findall(before)
        )
        if match := re.match("".join(like), stand_in):
            return match.end()
    return at * len(stand_in) // len(value)


def replace_across_pieces(pieces: Sequence[str], matches: Sequence[ValueMatch]) -> list[str]:
    """Return the pieces of a joined text after its matches were replaced.

    A stand-in is distributed over the pieces that its value lay in, word for word or else in proportion: if the
    middle of a name was bold, the middle of the stand-in is.
    """
    out = ["" for _ in pieces]
    whole = "".join(pieces)
    offset = 0
    shared: dict[ValueMatch, int] = {}
    for number, piece in enumerate(pieces):
        begin, end = offset, offset + len(piece)
        offset = end
        at = begin
        for match in matches:
            if match.end <= begin or match.start >= end:
                continue
            low, high = max(match.start, begin), min(match.end, end)
            out[number] += piece[at - begin : low - begin]
            value = whole[match.start : match.end]
            cut = shared.get(match, 0)
            shared[match] = max(cut, _find_cut_offset(value, match.replacement, high - match.start))
            shown = match.replacement[cut : shared[match]]
            kept = match.replacement == value  # allowed by a rule
            out[number] += shown if kept else _change_if_unmasked(shown, piece[low - begin : high - begin])
            at = high
        out[number] += piece[max(at, begin) - begin :]
    return out
