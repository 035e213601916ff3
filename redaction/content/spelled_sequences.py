"""Mask texts that JSON spells as an array of letters, of short pieces, or of character codes (``[77, 97, 114, …]``, a ``Buffer``'s data)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from pagereel.reel import Json

from ..contracts.sink import Sink, Slot
from ..detect.character_codes import decode_readable_codes
from ..normalise.spelled_text import may_be_name_or_number

_LEAST: Final = 5
_LONGEST_PIECE: Final = 3
_LEAST_CUT, _LONGEST_CUT = 3, 80
"""Least number of pieces of a cut text, and most letters of one."""
_LEAST_CODES: Final = 6
Write = Callable[[str], str]
"""Masks a text and returns the result."""


def mask_sequence(values: Sequence[Json], sink: Sink, slot: Slot, mask: Write) -> list[Json] | None:
    """Return a JSON array whose elements together spell one text, with that text masked; None if the elements do not
    spell a text.

    :param values: letters, pieces of up to three letters, pieces of a text that was cut anywhere, or character codes.
    :param mask: masks the joined text.
    :returns: an array of as many elements, of the same kind.
    """
    if _are_stream_pieces(values):
        return list(_mask_pieces([str(v) for v in values], sink, slot, mask))
    if len(values) < _LEAST:
        return None
    if all(isinstance(v, str) and len(v) <= _LONGEST_PIECE for v in values):
        pieces = [str(v) for v in values]
        return list(_mask_pieces(pieces, sink, slot, mask)) if len(set(map(len, pieces[:-1]))) == 1 else None
    if len(values) >= _LEAST_CODES and all(type(v) is int for v in values):
        return _mask_character_codes([v for v in values if isinstance(v, int)], sink, slot, mask)
    return None


def _are_stream_pieces(values: Sequence[Json]) -> bool:
    """Return whether strings are pieces of one text that was cut anywhere, as a model streams its answer (``["by ",
    "Mar", "ia", " Osten", "vik"]``).

    Such pieces begin or end with spaces; separate texts rarely do.
    """
    if len(values) < _LEAST_CUT or not all(isinstance(v, str) and 0 < len(v) <= _LONGEST_CUT for v in values):
        return False
    pieces = [str(v) for v in values]
    blanks = sum(one[-1].isspace() or other[0].isspace() for one, other in pairwise(pieces))
    return blanks > 0 and 5 * blanks >= len(pieces) - 1


def mask_letter_column(rows: Sequence[Json], rewrite: Callable[[list[Json]], list[Json] | None]) -> list[Json] | None:
    """Return JSON objects of which one field spells a text, one letter in each object (``[{"c": "M"}, {"c": "a"},
    …]``), with that text masked, or None.
    """
    if len(rows) < _LEAST or not all(isinstance(row, dict) for row in rows):
        return None
    out = [dict(row) for row in rows if isinstance(row, dict)]
    changed = False
    for key in out[0]:
        if all(key in row for row in out):
            column = [row[key] for row in out]
            masked = rewrite(column)
            if masked is not None and masked != column:
                changed = True
                # A masked text of another length is cut or padded: the number of rows stays.
                empty: Json = "" if isinstance(column[0], str) else 0
                for row, value in zip(out, [*masked[: len(out)], *[empty] * (len(out) - len(masked))], strict=True):
                    row[key] = value
    return list(out) if changed else None


def to_indexed_array(value: dict[str, Json]) -> list[Json] | None:
    """Return the values of an object whose keys count from 0 (``{"0": 77, "1": 97, …}``) as an array, or None."""
    if len(value) < _LEAST or any(key != str(at) for at, key in enumerate(value)):
        return None
    return list(value.values())


def _mask_pieces(pieces: list[str], sink: Sink, slot: Slot, mask: Write) -> Iterator[Json]:
    joined = "".join(pieces)
    letters = "".join(joined.split())
    if all(len(piece) <= 1 for piece in pieces) and may_be_name_or_number(letters):
        shown = sink.visit_private_value(joined, Slot(slot.channel))
        if shown != joined:
            yield from (shown[at * len(shown) // len(pieces) : (at + 1) * len(shown) // len(pieces)] for at in range(len(pieces)))  # fmt: skip
            return
    for piece, shown in zip(pieces, sink.visit_text_nodes(pieces, slot), strict=True):
        yield shown if shown != piece else mask(piece)


def _mask_character_codes(codes: list[int], sink: Sink, slot: Slot, mask: Write) -> list[Json] | None:
    text = decode_readable_codes(codes)
    if text is None:
        return None
    letters = "".join(text.split())
    masked = sink.visit_private_value(text, Slot(slot.channel)) if may_be_name_or_number(letters) else mask(text)
    # Bytes are replaced by bytes, code points by code points.
    return [*masked.encode()] if max(codes) < 256 else [ord(c) for c in masked]
