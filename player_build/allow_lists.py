"""Decides which elements and attributes of a recorded page may be in the replay, by the lists of ``allow.json``.

This is the second of three safeguards (the injector is the first, the player the third), and the player reads the same
lists. An attribute is either **never** kept (``onclick``, ``srcdoc``, an address with a script scheme), or kept as
data. It is **painted**, that is set on the shown element, only if its name is listed, or if no browser knows it
(``data-x``, ``@click``). An attribute that is not painted is stored on the element as ``data-pagereel-was-…``, where
the page's selectors find it.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Final

_LISTS = json.loads(files(__package__).joinpath("allow.json").read_text(encoding="utf-8"))

SCHEMES: Final = frozenset[str](_LISTS["schemes"])
SCRIPT_SCHEMES: Final = frozenset[str](_LISTS["scriptSchemes"])
"""Schemes of addresses that are never kept. Addresses with a scheme in neither list are kept as data, but never
painted.
"""
NEVER: Final = frozenset[str](_LISTS["never"])
URL_ATTRIBUTES: Final = frozenset[str](_LISTS["url"])
ATTRIBUTES: Final = frozenset[str](_LISTS["attributes"].split())
"""Attributes that are painted. A name with characters other than letters and digits is not an HTML attribute, and is
painted too, except for those in `SIGNED`.
"""
SIGNED: Final = frozenset[str](_LISTS["signed"])
MAPPABLE: Final[dict[str, frozenset[str]]] = {tag: frozenset(names) for tag, names in _LISTS["mappable"].items()}
ANIMATIONS: Final = frozenset[str](_LISTS["animations"])
ANIMATED_NEVER: Final = frozenset[str](_LISTS["animatedNever"])
ANIMATED_VALUES: Final = frozenset[str](_LISTS["animatedValues"])
SILENT: Final = frozenset[str](_LISTS["silent"])
_SELECTABLE: Final = frozenset[str](_LISTS["selectable"])

_PREFIXES: Final = {
    "http://www.w3.org/1999/xhtml": "html",
    "http://www.w3.org/2000/svg": "svg",
    "http://www.w3.org/1998/Math/MathML": "math",
}


def canonical_tag(tag: str) -> str:
    """Return a tag in the spelling of the lists: HTML plain, ``svg|path``, ``math|mi``.

    A reel may spell these namespaces out, or write a redundant ``html|``; browsers create the same element for each
    spelling.
    """
    if "|" not in tag:
        return tag
    prefix, _, name = tag.partition("|")
    if prefix in ("svg", "math"):
        return tag
    if prefix != "html":
        space, _, name = tag.rpartition("|")
        if space not in _PREFIXES:
            return tag
        prefix = _PREFIXES[space]
    # A name that contains a bar needs the prefix, and no element may become a `#shadow`.
    return name if prefix == "html" and name and "|" not in name and name[0] != "#" else f"{prefix}|{name}"


_INVISIBLE = re.compile(r"[\x00-\x20\x7f-\xa0\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]+")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")


def parse_scheme(address: str) -> str:
    """Return the scheme of an address in lower case, as a browser parses it; ``""`` for a relative address.

    Leading space is ignored, and so are tabs and line ends inside.
    """
    match = _SCHEME.match(_INVISIBLE.sub("", address[:2048]))
    return match[1].lower() if match else ""


def may_keep_attribute(tag: str, name: str, value: str) -> bool:
    """Return whether the built file may contain this attribute, painted or only as data."""
    lower = name.lower()
    if lower.startswith(("on", "data-pagereel")) or lower in NEVER:
        return False
    if lower in URL_ATTRIBUTES or lower.endswith(":href"):
        if tag in ANIMATIONS and lower in ANIMATED_VALUES:
            return all(parse_scheme(part) in SCHEMES or not parse_scheme(part) for part in value.split(";"))
        return parse_scheme(value) not in SCRIPT_SCHEMES or lower in ANIMATED_VALUES
    return True


def may_keep_animation(tag: str, attributes: dict[str, str]) -> bool:
    """Return whether an SVG animation may keep its values: it must not animate an address, a style or an event
    handler.
    """
    target = next((value for name, value in attributes.items() if name.lower() == "attributename"), "").strip().lower()
    return tag not in ANIMATIONS or not (
        target in ANIMATED_NEVER or target.startswith("on") or target.endswith(":href")
    )


def may_be_stored_as_data(name: str) -> bool:
    """Return whether the player may store an attribute as ``data-pagereel-was-…`` if it does not paint it.

    The selectors in the page's style sheets are then changed to match that attribute too. `name` is in lower case.
    """
    return name in _SELECTABLE or name in SIGNED or (name.isascii() and name.isalnum() and name not in ATTRIBUTES)
