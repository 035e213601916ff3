"""Mask the strings, addresses and names in style sheets. The layout stays.

Every string is masked, except those whose place shows that they are an address, the name of a typeface or of a grid
area, or a feature of a font. A list of the properties that hold texts would be incomplete as soon as CSS got a new
one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from pagereel.css import TextPiece, find_text_pieces, preprocess_css

from ..words.phrase_lists import PhraseLists
from ..words.word_lists import web_words
from .attribute_roles import TEXT, URL, is_drawing_value
from .untokenized_css import NUMBER, RAW, add_numbers_and_emails

LISTS = PhraseLists("sheets")

_NAME = re.compile(r"[A-Za-z_][\w-]*")
_BARE = re.compile(r"""[^"'()\s\\]+""")
FONTS = re.compile(
    r"sans|serif|mono|system|ui|arial|helvetica|verdana|georgia|times|courier|trebuchet|tahoma|segoe|roboto|inter|lato|ubuntu|"
    r"cantarell|noto|open|source|fira|montserrat|poppins|raleway|oswald|nunito|merriweather|playfair|menlo|monaco|consolas|"
    r"liberation|dejavu|awesome|icons?|material|symbols?|emoji|font|text|display|code|pro|neue|gothic|grotesk|condensed|narrow|black|"
    r"garamond|palatino|bodoni|futura|gill|optima|calibri|cambria|candara|century|impact|comic|lucida|droid|oxygen|plex",
    re.IGNORECASE,
)
"""Words in the names of typefaces. A font family with one of them is not a person's name, and stays: other browsers
know the font by this name only.
"""
_OF_SYSTEMS: Final = LISTS.to_word_set("OF_SYSTEMS")
"""Font families of operating systems without such a word, and generic families; with hyphens for spaces."""
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_COLON = re.compile(r":\s*\Z")
_END = re.compile(r"\s*(?:[;}]|\Z)")
_ENDS = re.compile(r"[;}]")
_COMMA = re.compile(r"[^,\s][^,]*")
_SPACES = re.compile(r"(\s+)")
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//\S|[/.?]*/\S+|\S*\?\S", re.IGNORECASE)
_ONE_NAME = re.compile(r"[\w@.:+-]+")
_ICON = re.compile(r"[^\w]*\Z|[\ue000-\uf8ff\U000f0000-\U0010ffff]+\Z")
_COLOUR = re.compile(r"(?:[0-9a-fA-F]{3,4}){1,2}\Z")
_SHORT = 5
_LEAST = 4
"""Letters of the shortest words in `web_words.txt`."""

_OF_ADDRESSES: Final = frozenset(
    {"url", "src", "image-set", "-webkit-image-set", "image", "cross-fade", "-webkit-cross-fade"}
)
_OF_NAMES: Final = frozenset({"format", "tech", "type", "symbols"})
"""CSS functions whose strings are keywords."""
_FACES: Final = frozenset({"font-family", "font"})
_OF_A_FACE: Final = re.compile(r"\A--.*(?:font|family|typeface)")
"""Custom properties whose value becomes a ``font-family``: ``--fa-family``, ``--ck-font-face``."""
_STACK = re.compile(r"(?:\A|,)\s*(?:(?:ui-)?(?:sans-serif|serif|monospace|rounded)|cursive|system-ui)\s*(?:,|\Z)")
"""A generic font family in a list: the value is then a list of typefaces, whatever the property is called."""
_NAMED: Final = re.compile(r"grid(?:-template|-area|-row|-column|-template-areas)?\Z|syntax\Z")
_FEATURES: Final = re.compile(r"font-(?:feature-settings|variation-settings|language-override)\Z")
_FEATURE = re.compile(r"[A-Za-z0-9 ]{1,4}\Z")
_OF_SHAPES: Final = "path"
"""The CSS function whose string is an SVG path: its numbers are coordinates."""
_UPPERMOST: Final = re.compile(r"9+|[1-9]\d{0,2}0+|21474\d{5}")
"""A number that is chosen to be greater than all others (``--layer-top: 2147480000``): round, all nines, or near the
greatest that browsers accept.
"""
_CHARSET = re.compile(r"[A-Za-z0-9_.:-]{1,30}\Z")


def is_font_name(family: str) -> bool:
    """Return whether a word of a font's name is one that typefaces have, such as *sans*. Only whole words count:
    *Joaquin* holds "ui". CamelCase separates words.
    """
    return (
        any(FONTS.fullmatch(word) for word in _WORDS.findall(family)) or "-".join(family.lower().split()) in _OF_SYSTEMS
    )


def mask_css(
    text: str,
    mask_words: Callable[[str], str],
    mask_address: Callable[[str], str],
    replace_known_values: Callable[[str], str],
    mask_name: Callable[[str], str],
    *,
    longest_unmasked: int = _SHORT,
) -> str:
    """Return a style sheet, a list of declarations or a single value, masked.

    :param mask_words: a function that masks a shown text (a quoted string).
    :param mask_address: a function that masks a URL.
    :param replace_known_values: a function that replaces the known values in the text that results.
    :param mask_name: a function that masks an identifier of more than `longest_unmasked` letters.
    """
    css = preprocess_css(text)
    mask = _SheetMasker(css, mask_words, mask_address, mask_name, longest_unmasked)
    out: list[str] = []
    at = 0
    try:
        found = add_numbers_and_emails(css, _join_words_of_one_text(css, find_text_pieces(css)))
    except RecursionError:
        return ""  # too deeply nested to be parsed
    for piece in found:
        masked = mask.mask_piece(piece)
        if masked is None:
            continue
        out += (css[at : piece.start], masked)
        at = piece.end
    out.append(css[at:])
    return replace_known_values("".join(out) if at else text)


_OF_FACES: Final = "local"
"""The CSS function whose argument is the name of a typeface."""
_SENTENCE: Final = "sentence"
_FACE: Final = "face"
"""Kinds of joined pieces: the sentence in a custom property, and the typeface in ``local(…)``."""


def _join_words_of_one_text(css: str, found: Sequence[TextPiece]) -> list[TextPiece]:
    """Return the pieces of a style sheet, with the words of one text joined into one piece.

    Joined are the words in the value of a custom property, which may hold a sentence that a script put there, and the
    words of a font's name in ``local(…)``.
    """
    out: list[TextPiece] = []
    index = 0
    while index < len(found):
        piece = found[index]
        last = index
        of_a_face = piece.where.functions[-1:] == (_OF_FACES,)
        family = piece.where.part == "value" and not piece.where.functions and _holds_font_names(piece.where.name)
        custom = piece.where.part == "value" and piece.where.name.startswith("--")
        if piece.kind == "ident" and (of_a_face or family or custom):
            while last + 1 < len(found) and _are_words_of_one_value(
                css, found[last], found[last + 1], "," if family else ""
            ):
                last += 1
            end = found[last].end
            said = css[piece.start : end]
            alone = _COLON.search(css, max(0, piece.start - 9), piece.start) and _END.match(css, end)
            whole = of_a_face or family or (alone and not re.search(r"[#\d]|^[a-z-]+$", said.strip()))
            if whole and len(said.strip()) >= 3:
                out.append(TextPiece(piece.start, end, _FACE if of_a_face or family else _SENTENCE, said, piece.where))
                index = last + 1
                continue
        out += found[index : last + 1]
        index = last + 1
    return out


def _holds_font_names(property_name: str) -> bool:
    """Return whether the values of a property are names of typefaces."""
    return property_name in _FACES or _OF_A_FACE.search(property_name) is not None


def _are_words_of_one_value(css: str, word: TextPiece, next_word: TextPiece, end_characters: str) -> bool:
    """Return whether two words belong to one value: neither the end of the declaration nor one of the characters
    `end_characters` stands between them.
    """
    between = css[word.end : next_word.start]
    return (
        next_word.kind == "ident"
        and next_word.where == word.where
        and not _ENDS.search(between)
        and not any(sign in between for sign in end_characters)
    )


class _SheetMasker:
    """Masks the pieces of one style sheet. A method that returns None leaves its piece as it is."""

    def __init__(
        self,
        css: str,
        words: Callable[[str], str],
        address: Callable[[str], str],
        name: Callable[[str], str],
        short: int,
    ) -> None:
        self._css = css
        self._words = words
        self._address = address
        self._name = name
        self._short = short

    def mask_piece(self, piece: TextPiece) -> str | None:
        match piece.kind:
            case "comment":
                return self._drop_comment(piece)
            case "string":
                return self._mask_string(piece)
            case "url":
                return self._mask_url(piece)
            case "bad string":
                return '"\n' if piece.text.strip("\"'\n") else None
            case "bad url":
                return "url(')"
            case "face" if piece.where.name == "font" and all(w in web_words() for w in piece.text.lower().split()):
                return None  # ``italic bold``
            case "face":
                return _write_if_changed(self._mask_font_name(piece.text), piece.text, quote_string)
            case "sentence":
                if _STACK.search(piece.text):
                    return _write_if_changed(
                        _COMMA.sub(lambda face: self._mask_font_name(face[0]), piece.text), piece.text
                    )
                if all(word in web_words() or len(word) < _LEAST for word in re.split(r"[\s,]+", piece.text)):
                    return None  # a keyword of CSS: ``in oklab``
                masked = self._words(piece.text)
                if masked == piece.text:  # a list, perhaps of typefaces: each is masked as if it stood alone
                    masked = _COMMA.sub(lambda part: self._words(part[0]), masked)
                return _write_if_changed(masked, piece.text)
            case _ if piece.kind == RAW:
                return _write_if_changed(self._words(piece.text), piece.text, quote_string)
            case _ if piece.kind == NUMBER and _UPPERMOST.fullmatch(piece.text):
                return None
            case _ if piece.kind == NUMBER:
                return _write_if_changed(self._name(piece.text), piece.text)
            case "hash" if piece.where.part == "value" and _COLOUR.match(piece.text):
                return None
            case "hash":
                return self._mask_identifier(piece, "#")
            case "unit":
                return self._mask_identifier(piece) if len(piece.text) > self._short else None
        return self._mask_identifier(piece)

    def _drop_comment(self, piece: TextPiece) -> str:
        """Return an empty comment if a separator is needed between the words before and after it, else the empty
        string.
        """
        before, after = self._css[piece.start - 1 : piece.start], self._css[piece.end : piece.end + 1]
        return "/**/" if re.match(r"[\w\\-]", before) and re.match(r"[\w\\(-]", after) else ""

    def _mask_identifier(self, piece: TextPiece, prefix: str = "") -> str | None:
        if len(piece.text) <= self._short:
            return None
        return _write_if_changed(self._name(piece.text), piece.text, lambda masked: prefix + escape_identifier(masked))

    def _mask_url(self, piece: TextPiece) -> str | None:
        masked = self._mask_address(piece.text)
        if masked is None:
            return None
        # Unquoted, as it was: it may stand within a string, which a quote would end.
        return f"url({masked if _BARE.fullmatch(masked) else quote_string(masked)})"

    def _mask_address(self, text: str) -> str | None:
        """Return a masked address, or None if nothing in it changes. The fragment ``#arrow`` names an element, and is
        masked in the same way as an id.
        """
        place, sign, name = text.partition("#")
        if not _NAME.fullmatch(name) or place[:5].lower() == "data:":
            place, sign, name = text, "", ""
        shown = self._name(name) if len(name) > _SHORT else name
        return _write_if_changed((self._address(place) if place else "") + sign + shown, text)

    def _mask_string(self, piece: TextPiece) -> str | None:
        text, where = piece.text, piece.where
        function = where.functions[-1] if where.functions else ""
        if not text or _ICON.match(text) or (function == _OF_SHAPES and is_drawing_value("d", text)):
            return None
        if where.attribute is not None and where.part != "value":
            masked = self._mask_attribute_value(text, where.attribute)
        elif function == _OF_FACES:
            masked = self._mask_font_name(text)
        elif function in _OF_NAMES:
            masked = self._mask_identifier_list(text)
        elif any(name in _OF_ADDRESSES for name in where.functions) or where.name in ("import", "namespace"):
            masked = self._mask_address(text) or text
        elif where.part == "value" and _holds_font_names(where.name):
            masked = self._mask_font_name(text)
        elif where.part == "value" and _NAMED.match(where.name):
            masked = self._mask_identifier_list(text)
        elif (_FEATURES.match(where.name) and _FEATURE.match(text)) or (
            where.part == "prelude" and where.name == "charset" and _CHARSET.match(text)
        ):
            return None
        else:
            masked = self._words(text)
        return _write_if_changed(masked, text, quote_string)

    def _mask_attribute_value(self, text: str, attribute: str) -> str:
        """Return the masked value of ``[attribute="…"]``, equal to the masked attribute in the page."""
        if attribute in URL and _ADDRESS.match(text):
            return self._address(text)
        return self._words(text) if attribute in TEXT else self._mask_identifier_list(text)

    def _mask_font_name(self, text: str) -> str:
        return text if is_font_name(text) else self._words(text)

    def _mask_identifier_list(self, text: str) -> str:
        """Mask identifiers that stand in a list separated by spaces."""
        if _ONE_NAME.fullmatch(text):
            return self._name(text) if len(text) > self._short else text
        parts = _SPACES.split(text)
        return "".join(self._name(part) if len(part) > self._short and not part.isspace() else part for part in parts)


def _write_if_changed(masked: str, text: str, write_css: Callable[[str], str] = str) -> str | None:
    """Return the result of `write_css` for a masked text, or None if the masked text equals the original `text`."""
    return None if masked == text else write_css(masked)


def escape_identifier(name: str) -> str:
    """Return an identifier with its special characters escaped for a style sheet."""
    out = re.sub(r"[^\w-]", lambda m: "\\" + m[0] if not m[0].isspace() else "\\20 ", name)
    return re.sub(r"\A-?\d", lambda m: m[0][:-1] + f"\\3{m[0][-1]} ", out)


def quote_string(text: str) -> str:
    """Return a text as a quoted CSS string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ") + '"'
