"""Decide for each attribute of an element how its value is masked: as text, URL, style or identifier, or dropped.

An attribute is dropped if neither the lists in this file nor a style sheet of the recording (:mod:`.styled_attributes`)
names it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..contracts.check_digits import is_luhn_valid
from ..words.phrase_lists import PhraseLists
from ..words.word_lists import is_known_word, web_words

if TYPE_CHECKING:
    from .styled_attributes import SheetStyledAttributes

LISTS = PhraseLists("attributes")

KEEP = LISTS.to_word_set("KEEP")

TEXT = LISTS.to_word_set("TEXT")
URL = LISTS.to_word_set("URL")
SRCSET = frozenset({"srcset", "imagesrcset"})
CSS = frozenset({"style"})
VALUE = frozenset({"value", "aria-valuenow", "datetime"})
_OF_NAMED = LISTS.to_word_set("OF_NAMED")
NAME = frozenset({"name"})
"""The name of a control: kept on controls and frames, where scripts and styles use it; dropped on ``<meta>`` and others."""

FREE_VALUES = frozenset({"submit", "button", "reset"})
"""Input types whose ``value`` is a caption and is read as text."""
MARKUP_VALUES = frozenset({"li", "progress", "meter"})
"""Elements whose ``value`` is a number for layout."""

NAMES = LISTS.to_word_set("NAMES")
"""Attributes whose value is an identifier, or refers to one."""
_ONE_NAME = LISTS.to_word_set("ONE_NAME")
"""Those of :data:`NAMES` that hold a single identifier: a value with a space in it is none."""
ENUMERATED = LISTS.to_word_set("ENUMERATED")
"""Attributes that have a few keywords as values: any other word in them was made up by an author."""
ANIMATED = frozenset({"by", "from", "to", "values"})
"""Attributes that hold the value to which an animation sets another attribute, perhaps an address."""
_LANGUAGES = frozenset({"lang", "xml:lang", "hreflang", "systemlanguage"})
_TARGETS = frozenset({"_blank", "_self", "_parent", "_top", "_unfencedtop"})
_NUMBERS = LISTS.to_word_set("NUMBERS")
"""Attributes in which long numbers are coordinates."""
KEYWORDS = LISTS.to_word_set("KEYWORDS")
"""Words of attributes in lower case that no other list has."""
_GEOMETRY = _NUMBERS - frozenset("bgcolor color fill flood-color lighting-color stop-color stroke".split())  # noqa: SIM905
HEXADECIMAL = re.compile(r"#(?:[0-9a-fA-F]{3,4}){1,2}")
"""The form of a colour in hexadecimal. Of digits alone it may be a personal number."""
_NUMBER_OF_SOMEBODY = re.compile(
    r"(?<!\.)\d{7}|\+\d|\d{4}[ ,-]\d{4}[ ,-]\d{4}|\d{4}[ ,-]\d{6}[ ,-]\d{5}|\d{3}[-,]\d\d[-,]\d{4}|\d{3}[-., ]\d{3}[-., ]\d{4}"
)
"""Digits in the form of a telephone, card or insurance number. Geometry that matches is searched for known values."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_DRAWN = re.compile(r"[MmLlHhVvCcSsQqTtAaZzEe\d\s,.;+-]*|#[0-9a-fA-F]{3,8}")
"""Paths, points, times and colours of a drawing."""
_CARD = re.compile(r"(?<![\d.])[2-6]\d{12,18}(?![\d.])")
_LANGUAGE = re.compile(
    r"[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?(?:-\d[A-Za-z0-9]{3})?(?![A-Za-z0-9])"
)
_MARKUP_SPACE = re.compile(r"http://www\.w3\.org/[\w/.#-]*\Z")
_SYNTAX = re.compile(r"\\.|\[(?:\\.|[^\[\]\\])*+\]|\{[\d,]*\}")
"""Syntax of a regular expression, as opposed to the words that it matches."""


def find_attribute_role(tag: str, name: str, value: str, form: SheetStyledAttributes) -> str:
    """Return an attribute's role: one of the constants at the top of this file, or ``drop``.

    :param form: which attributes the recording's style sheets select by and show.
    """
    role, lower = _find_listed_role(tag, name, value), name.lower()
    if role in ("drop", "empty") and not _is_always_dropped(tag, lower):
        return "text" if form.shows_attribute(lower) else _find_selector_role(lower, value, form) or role
    if role != "keep" or tag == "meta":
        return role
    if lower in _LANGUAGES:
        return "language"
    if lower == "target":
        return "keep" if value.lower() in _TARGETS or _is_impersonal_value(value) else "value"
    if lower == "pattern":
        return "keep" if _is_impersonal_value(_SYNTAX.sub(" ", value)) else "drop"
    if is_drawing_value(lower, value):
        return "keep"
    if lower in NAMES and not (lower in ANIMATED and "?" in value):
        return "text" if lower in _ONE_NAME and " " in value.strip() else "name"
    if lower.startswith("xmlns"):
        return "keep" if _MARKUP_SPACE.match(value) else "url"
    if lower in ANIMATED and ("?" in value or "/" in value):
        return "url"
    if _is_impersonal_value(value):
        return "keep"
    return "face" if lower == "font-family" else "value" if lower in ENUMERATED else "text"


def _is_always_dropped(tag: str, name: str) -> bool:
    """Return whether an attribute is dropped even if a style sheet names it: event handlers, and the content of ``<meta>``."""
    return tag == "meta" or name.startswith("on")


def _find_selector_role(name: str, value: str, form: SheetStyledAttributes) -> str | None:
    """Return the role of an attribute that a style sheet selects by, or None if no style sheet selects by it."""
    if not form.selects_attribute(name):
        return None
    return "asked" if form.selects_value(name, value) else "empty"


def is_drawing_value(name: str, value: str) -> bool:
    """Return whether an attribute of an SVG drawing holds coordinates, times or a colour."""
    return (
        name in _NUMBERS and _DRAWN.fullmatch(value) is not None and not any(map(is_luhn_valid, _CARD.findall(value)))
    )


def is_colour_or_geometry(name: str, value: str) -> bool:
    """Return whether an attribute holds a colour or the geometry of a drawing, without a number as long as a telephone or card number."""
    if name not in _NUMBERS or _NUMBER_OF_SOMEBODY.search(value):
        return False
    return HEXADECIMAL.fullmatch(value) is not None or (name in _GEOMETRY and is_drawing_value(name, value))


def clean_language_tag(value: str) -> str:
    """Return a language tag reduced to language, script, region and year; subtags that an author made up are removed."""
    return ",".join(m[0] for part in value.split(",") if (m := _LANGUAGE.match(part.strip())))


def _is_impersonal_value(value: str) -> bool:
    """Return whether a value consists of keywords and common words, and holds no number that may be personal."""
    digits = sum(map(str.isdigit, value))
    if _LONG.search(value) or (digits >= _LEAST_CODED and _CODED.search(value)):
        return False
    if digits >= _LEAST_IN_A_ROW and _ROW.search(_DATE.sub(" ", value)):
        return False
    return all(w.lower() in KEYWORDS or w.lower() in web_words() or is_known_word(w) for w in _WORD.findall(value))


_LONG = re.compile(r"(?<![\d.])\d{7,}(?![\d.])|\d{3}-\d{2}-\d{4}")
_CODED = re.compile(r"\+\d|[A-Z]\d|[A-Z]{2,4}[ -]\d{2}")
"""Beginnings of telephone, account and insurance numbers."""
_LEAST_CODED = 6
_ROW = re.compile(r"\(?\d{2,5}\)?(?:[ -]\d{2,7}){2,}")
_LEAST_IN_A_ROW = 9
_DATE = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


def _find_listed_role(tag: str, name: str, value: str) -> str:
    lower = name.lower()
    if lower.startswith("on") or tag == "meta":
        return "keep" if tag == "meta" and lower in ("charset", "http-equiv") else "drop"
    if lower == "value":
        return "keep" if tag in MARKUP_VALUES else "value"
    for role, names in _ROLES:
        if lower in names:
            return role
    if lower in NAME:
        return "keep" if tag in _OF_NAMED else "drop"
    if lower.startswith("aria-"):
        return "text"
    return "empty" if lower.startswith("data-") or "-" in tag else "drop"


_ROLES: tuple[tuple[str, frozenset[str]], ...] = (
    ("keep", KEEP),
    ("text", TEXT),
    ("url", URL),
    ("srcset", SRCSET),
    ("css", CSS),
    ("value", VALUE),
)
