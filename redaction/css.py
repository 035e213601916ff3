"""Mask style sheets: what ``content`` and comments say, and the addresses in ``url()``. Layout stays."""

from __future__ import annotations

import re
from collections.abc import Callable

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_URL = re.compile(r"""url\(\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|([^"'()\s]+))\s*\)""", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_BARE = re.compile(r"""[^"'()\s\\]+""")
_STRING = re.compile(r""""((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'""")
_TOKEN = re.compile(f"{_URL.pattern}|{_STRING.pattern}", re.IGNORECASE)
"""An address (groups 1 to 3) or a string (4, 5), whichever begins first: what a picture in an address is drawn of is not said."""
_ADDRESS_GROUPS = 3
_SPOKEN = re.compile(r"(?:\bcontent|(?<![\w-])--[\w-]+|\bquotes)\s*:[^;{}]*", re.IGNORECASE)
_FAMILY = re.compile(r"(?<![\w-])font(?:-family)?\s*:\s*[^;{}]*", re.IGNORECASE)
FONTS = re.compile(
    r"sans|serif|mono|system|ui|arial|helvetica|verdana|georgia|times|courier|trebuchet|tahoma|segoe|roboto|inter|lato|ubuntu|"
    r"cantarell|noto|open|source|fira|montserrat|poppins|raleway|oswald|nunito|merriweather|playfair|menlo|monaco|consolas|"
    r"liberation|dejavu|awesome|icons?|material|symbols?|emoji|font|text|display|code|pro|neue|gothic|grotesk|condensed|narrow|black|"
    r"garamond|palatino|bodoni|futura|gill|optima|calibri|cambria|candara|century|impact|comic|lucida|droid|oxygen|plex",
    re.IGNORECASE,
)
"""Words in the names of type faces: a family named so is no person, and other browsers know it by that name alone."""
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ESCAPED = r"\\(?:[0-9a-fA-F]{1,6}[ \t\n]?|[^\n0-9a-fA-F])"
_IDENTIFIER = re.compile(rf"(?<![\w\\-])(?:[^\W\d]|-|{_ESCAPED})(?:[\w-]|{_ESCAPED})*")
_REST = re.compile(f"{_URL.pattern}|{_STRING.pattern}|{_IDENTIFIER.pattern}", re.IGNORECASE)
_LOCAL = re.compile(
    r"""\blocal\(\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|([^"'();{}]+))\s*\)""", re.IGNORECASE
)
_ADDRESS_BEFORE = re.compile(r"@import\s*\Z|(?:image-set|src)\([^;{}]*\Z", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//\S|[/.?]*/\S+|\S*\?\S", re.IGNORECASE)
_EQUALS = re.compile(r"[~|^$*]?=\s*\Z")
_ONE_NAME = re.compile(r"[\w@.:+-]+")
_SHORT = 5


def names_a_font(family: str) -> bool:
    """Whether a word of the name is one of type faces: a whole word, for there is a "ui" in Joaquin. CamelCase counts as words."""
    return any(FONTS.fullmatch(word) for word in _WORDS.findall(family))


_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\([^\n0-9a-fA-F])")
_ICON = re.compile(r"[^\w]*\Z|[\ue000-\uf8ff\U000f0000-\U0010ffff]+\Z")
_CUSTOM = re.compile(r"(?<![\w-])(--[\w-]+)\s*:\s*([^;{}\"'()]{3,})(?=[;}])")


def rewrite_css(
    text: str,
    words: Callable[[str], str],
    address: Callable[[str], str],
    known: Callable[[str], str],
    name: Callable[[str], str],
) -> str:
    """The masked sheet. ``words`` masks what is shown, ``address`` a URL, ``name`` an identifier, ``known`` replaces known
    values in the rest."""
    text = _COMMENT.sub("", text)

    def spoken(match: re.Match[str]) -> str:
        return _TOKEN.sub(string, match.group())

    def string(match: re.Match[str]) -> str:
        group = match.lastindex or 0
        if group <= _ADDRESS_GROUPS:
            return match.group()
        inner = unescape(match.group(group))
        if not inner or _ICON.match(inner):
            return match.group()
        masked = words(inner)
        return match.group() if masked == inner else quoted(masked)

    def custom(match: re.Match[str]) -> str:
        value = match.group(2).strip()
        return match.group() if re.search(r"[#\d]|^[a-z-]+$", value) else f"{match.group(1)}: {words(value)}"

    def url(match: re.Match[str]) -> str:
        inner = unescape(next(g for g in match.groups() if g is not None))
        place, sign, name = inner.partition("#")
        if not _NAME.fullmatch(name) or place[:5].lower() == "data:":
            place, sign, name = inner, "", ""
        # "#arrow" names an element of this page or of a picture, and is kept as its id is.
        masked = (address(place) if place else "") + sign + name
        if masked == inner:
            return match.group()
        # Without quotes as it was: this may stand in a string, which a quote would end.
        return f"url({masked if match.group(3) and _BARE.fullmatch(masked) else quoted(masked)})"

    def family(match: re.Match[str]) -> str:
        return _TOKEN.sub(lambda m: m.group() if names_a_font(m.group()) else string(m), match.group())

    def identifier(match: re.Match[str]) -> str:
        raw = match.group()
        plain = unescape(raw) if "\\" in raw else raw
        masked = name(plain) if len(plain) > _SHORT else plain
        return raw if masked == plain else escaped(masked)

    def rest(match: re.Match[str]) -> str:
        group = match.lastindex or 0
        if group <= _ADDRESS_GROUPS:
            return url(match) if group else identifier(match)
        raw = match.group(group)
        inner = unescape(raw)
        before = text[max(match.start() - 40, 0) : match.start()]
        asked = _EQUALS.search(before)
        if _ADDRESS_BEFORE.search(before) or (asked and _ADDRESS.match(inner)):
            masked = address(inner)
        elif asked and " " in inner.strip():
            masked = words(inner)
        else:
            masked = (
                name(inner) if _ONE_NAME.fullmatch(inner) and len(inner) > _SHORT else _IDENTIFIER.sub(identifier, raw)
            )
            inner = inner if _ONE_NAME.fullmatch(inner) else raw
            return match.group() if masked == inner else f'"{masked}"'
        return match.group() if masked == inner else quoted(masked)

    def local(match: re.Match[str]) -> str:
        inner = unescape(next(g for g in match.groups() if g is not None)).strip()
        masked = inner if names_a_font(inner) else words(inner)
        return match.group() if masked == inner else f"local({quoted(masked)})"

    text = _FAMILY.sub(family, text)
    text = _SPOKEN.sub(spoken, text)
    text = _CUSTOM.sub(custom, text)
    text = _LOCAL.sub(local, text)
    return known(_REST.sub(rest, text))


def escaped(name: str) -> str:
    """An identifier as a sheet writes it."""
    out = re.sub(r"[^\w-]", lambda m: "\\" + m[0] if not m[0].isspace() else "\\20 ", name)
    return re.sub(r"\A-?\d", lambda m: m[0][:-1] + f"\\3{m[0][-1]} ", out)


def unescape(text: str) -> str:
    r"""What a CSS string says: ``\50 riya`` is "Priya"."""
    return _ESCAPE.sub(lambda m: _char(int(m.group(1), 16)) if m.group(1) else m.group(2), text).replace("\\\n", "")


def _char(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def quoted(text: str) -> str:
    """A CSS string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ") + '"'
