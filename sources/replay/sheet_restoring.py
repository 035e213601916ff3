"""Restores the style sheets of a replay's file: their pseudo-classes, and the addresses of their resources."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from pagereel.css import PSEUDO, find_text_pieces, preprocess_css
from pagereel.reel import PLACEHOLDER

_BEFORE: Final = {stands: f":{name}" for name, stands in reversed(PSEUDO.items()) if "data-pagereel-" in stands}
_STANDS: Final = re.compile("|".join(re.escape(each) for each in sorted(_BEFORE, key=len, reverse=True)))
_STATE: Final = re.compile(r'\[data-pagereel-states~="([^"]*)"\]')
_PICKER: Final = re.compile(r"\[data-pagereel-picker\](::picker\([^)]*\))")
_SELECTED: Final = r"""(?:[^\[\]"']|"[^"]*"|'[^']*')*"""
_ASIDE: Final = re.compile(rf":is\((\[{_SELECTED}\]),\[{_SELECTED}data-pagereel-was-{_SELECTED}\]\)")
_WAS: Final = re.compile(r"data-pagereel-was-([\w-]+)")
_SAMES: Final = {":link": ":any-link", ":-webkit-full-screen": ":fullscreen", ":-webkit-autofill": ":autofill"}
"""Pseudo-classes that are restored under a name that browsers treat as the same."""
_SAME: Final = re.compile(r"(?<![\w:-]):(?:link|-webkit-full-screen|-webkit-autofill)(?![\w-])", re.IGNORECASE)
_SETS: Final = ("image-set", "-webkit-image-set", "image", "cross-fade")
_PLAIN_RULES: Final = ("namespace", "charset", "supports", "media", "container", "layer", "scope")


class StyleSheetAddress(NamedTuple):
    """An address in a style sheet: its position and its text."""

    start: int
    end: int
    text: str
    imported: bool = False
    """It is the address of an ``@import``."""


def find_sheet_addresses(css: str) -> list[StyleSheetAddress]:
    """Return the addresses that a build replaces in a sheet or in declarations, in order. `css`: a text preprocessed by
    :func:`~pagereel.css.preprocess_css`.
    """
    found: list[StyleSheetAddress] = []
    before: tuple[str, int, int] = ("", 0, 0)
    importing = True
    for piece in find_text_pieces(css):
        where = piece.where
        if where.part == "prelude" and where.name == "import":
            first = piece.kind in ("string", "url") and not (
                found and found[-1].imported and ";" not in css[found[-1].end : piece.start]
            )
            if first and importing and not where.within:
                found.append(StyleSheetAddress(piece.start, piece.end, piece.text, imported=True))
        elif piece.kind == "comment":
            continue
        else:
            importing = importing and where.part == "prelude" and where.name in ("charset", "layer")
            inner = where.functions[-1] if where.functions else ""
            counts = where.part == "value" or (where.part == "prelude" and where.name not in _PLAIN_RULES)
            if counts and piece.kind == "url":
                found.append(StyleSheetAddress(piece.start, piece.end, piece.text.strip()))
            elif counts and piece.kind == "string" and inner in ("url", "src") and before[0] == "function":
                found.append(StyleSheetAddress(before[1], css.find(")", piece.end) + 1 or len(css), piece.text.strip()))
            elif (
                counts and piece.kind == "string" and inner != "type" and any(name in _SETS for name in where.functions)
            ):
                found.append(StyleSheetAddress(piece.start, piece.end, piece.text.strip()))
        before = (piece.kind, piece.start, piece.end)
    return [each for each in found if each.imported or (each.text and not each.text.startswith("#"))]


def restore_sheet(css: str, get_address: Callable[[str], str]) -> str:
    """Return a rewritten sheet with its pseudo-classes restored, and each placeholder replaced by
    ``address(placeholder)``.
    """
    css = preprocess_css(css)
    parts: list[str] = []
    at = 0
    for each in find_sheet_addresses(css) if PLACEHOLDER in css else ():
        if each.text.startswith(PLACEHOLDER):
            parts += (css[at : each.start], f'url("{get_address(each.text)}")')
            at = each.end
    css = "".join((*parts, css[at:]))
    if "data-pagereel-" not in css and ":any-link" not in css:
        return css
    css = _PICKER.sub(r"\1:popover-open", css)
    css = _STATE.sub(r":state(\1)", _STANDS.sub(lambda match: _BEFORE[match[0]], css))
    return _WAS.sub(r"\1", _ASIDE.sub(r"\1", css))


def pair_sheet_addresses(recorded: str, shown: str) -> list[tuple[str, str]]:
    """Return pairs (address in `recorded`, placeholder in `shown`), where `shown` is the style sheet that a build made
    from `recorded`.

    The build inserts imported sheets at the beginning, in place of their ``@import``, so addresses are matched from the
    end. For the first ``@import`` the pair is (address, text of all imported sheets); for the others it is (address,
    "").
    """
    recorded = _SAME.sub(lambda match: _SAMES[match[0].lower()], preprocess_css(recorded))
    if PLACEHOLDER not in shown and "@import" not in recorded.lower():
        return []
    shown = restore_sheet(shown, str)
    old, new = find_sheet_addresses(recorded), find_sheet_addresses(shown)
    imports = [each for each in old if each.imported]
    plain = old[len(imports) :]
    if len(new) < len(plain) or (not imports and len(new) != len(plain)):
        return []
    rest = new[len(new) - len(plain) :]
    found = [
        (each.text, stands.text)
        for each, stands in zip(plain, rest, strict=True)
        if stands.text.startswith(PLACEHOLDER)
    ]
    if imports:
        after = recorded.find(";", imports[-1].end) + 1 or len(recorded)
        whole, tail = _strip_addresses(shown, rest, 0), _strip_addresses(recorded, plain, after)
        head = shown[: len(whole) - len(tail)] if whole.endswith(tail) else ""
        found += [(each.text, head.removesuffix("\n") if each is imports[0] else "") for each in imports]
    return found


def _strip_addresses(css: str, found_addresses: list[StyleSheetAddress], start: int) -> str:
    """Return the text of a sheet from `start` on, without its addresses."""
    parts: list[str] = []
    for each in found_addresses:
        parts += (css[start : each.start], "\0")
        start = each.end
    return "".join((*parts, css[start:]))
