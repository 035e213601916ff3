"""Read from a page's style sheets which attributes and values they select by, and which values they show.

Frameworks style by attributes that are on no allow-list: ``design="Emphasized"``, ``_ngcontent-ng-c225``. An attribute
or a value in a selector stays in the masked page. All style sheets of a recording are read before anything is masked,
because a later sheet may select elements that were there before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, cast

from pagereel.reel import Event, decode_body

from ..contracts.sink import Sink, Slot
from ..words.word_lists import web_words
from .attribute_roles import clean_language_tag
from .charsets import decode_with_replacement, parse_charset

_SELECTOR: Final = re.compile(
    r"""\[\s*(?:[\w-]*\|)?(?P<name>(?:[^\W\d]|[-_]|\\.)(?:[\w-]|\\.)*)\s*"""
    r"""(?:(?P<operator>[~|^$*]?=)\s*(?:"(?P<double>(?:[^"\\\n]|\\.)*)"|'(?P<single>(?:[^'\\\n]|\\.)*)'|(?P<bare>(?:[\w-]|\\.)+))\s*(?:[is]\s*)?)?\]""",
    re.IGNORECASE | re.DOTALL,
)
"""An attribute selector. Other text in brackets (a grid line, a string) is taken for one too, and names an attribute
that hardly any page has.
"""
_SHOWN: Final = re.compile(r"\battr\(\s*(?:[\w-]*\|)?([\w-]+)", re.IGNORECASE)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE | re.DOTALL)
_STYLE: Final = re.compile(r"<(?:\w+:)?style\b[^>]*>(.*?)</(?:\w+:)?style\b", re.IGNORECASE | re.DOTALL)
_LONGEST: Final = 200
"""Most characters of a selected value that is remembered."""
_MOST: Final = 200_000
"""Most selected values that are remembered for one recording."""
_MOST_PARTS: Final = 1_000
"""Most values for one attribute that are compared by substring (``^=``, ``*=`` …)."""


class SheetStyledAttributes:
    """The attributes and values that the style sheets of a recording select by or show. Names of attributes are
    compared without case.
    """

    def __init__(self) -> None:
        self._shown: set[str] = set()
        self._exact: dict[str, set[str]] = {}
        self._parts: dict[str, set[tuple[str, str]]] = {}
        self._left = _MOST

    def read_sheet(self, css: str) -> None:
        """Add the selectors and ``attr()`` functions of a style sheet."""
        if "[" in css:
            for match in _SELECTOR.finditer(css):
                self._record_selector(match)
        if "attr(" in css:
            self._shown.update(name.lower() for name in _SHOWN.findall(css))

    def _record_selector(self, match: re.Match[str]) -> None:
        name = _resolve_escapes(match["name"]).lower()
        exact = self._exact.setdefault(name, set())
        value = _resolve_escapes(
            next((v for v in match.group("double", "single", "bare") if v is not None), "")
        ).lower()
        if not value or len(value) > _LONGEST or self._left <= 0:
            return
        self._left -= 1
        if match["operator"] == "=":
            exact.add(value)
        elif len(parts := self._parts.setdefault(name, set())) < _MOST_PARTS:
            parts.add((match["operator"], value))

    def selects_attribute(self, name: str) -> bool:
        """Return whether a selector of a style sheet names the attribute."""
        return name.lower() in self._exact

    def shows_attribute(self, name: str) -> bool:
        """Return whether a sheet shows the attribute's value on the page by ``attr()``."""
        return name.lower() in self._shown

    def selects_value(self, name: str, value: str) -> bool:
        """Return whether a selector of a style sheet names this value of the attribute."""
        name, value = name.lower(), value.lower()
        return value in self._exact.get(name, ()) or any(
            _MATCHES[operator](value, part) for operator, part in self._parts.get(name, ())
        )


_MATCHES: Final[dict[str, Callable[[str, str], bool]]] = {
    "~=": lambda value, part: part in value.split(),
    "|=": lambda value, part: value == part or value.startswith(f"{part}-"),
    "^=": lambda value, part: value.startswith(part),
    "$=": lambda value, part: value.endswith(part),
    "*=": lambda value, part: part in value,
}


def _resolve_escapes(text: str) -> str:
    """Return a string or an identifier with its escapes resolved."""
    return _ESCAPE.sub(_resolve_escape, text) if "\\" in text else text


def _resolve_escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "" if match[2] == "\n" else match[2]
    code = int(match[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def read_event_sheets(form: SheetStyledAttributes, event: Event) -> None:
    """Read all style sheets that an event holds into `form`: style elements, adopted sheets, changed texts, files."""
    kind = event.get("k")
    if kind == "resource":
        _read_resource_sheets(form, event)
    elif kind in ("snapshot", "mutation"):
        for op in cast(list[Any], event.get("ops") or []):
            if isinstance(op, list) and op:
                _read_op_sheets(form, op)


SHEETS: Final = frozenset({"resource", "snapshot", "mutation"})
"""Kinds of events that may hold style sheets."""


def _read_op_sheets(form: SheetStyledAttributes, op: list[Any]) -> None:
    if op[0] == "sheet" and len(op) > 3 and isinstance(op[3], str):
        form.read_sheet(op[3])
    elif op[0] == "text" and len(op) > 2 and isinstance(op[2], str):
        form.read_sheet(op[2])  # perhaps the text of a style element: an op only has its node's id
    elif op[0] in ("doc", "add"):
        for css in _iter_style_texts(op[2:]):
            form.read_sheet(css)


def _iter_style_texts(trees: Iterable[Any]) -> Iterable[str]:
    """Yield the texts of the style elements in trees, however deep they are."""
    stack = list(trees)
    while stack:
        tree = stack.pop()
        if isinstance(tree, list) and tree and isinstance(tree[0], str):
            if tree[0].rpartition("|")[2].lower() == "style":
                yield "".join(part for part in tree[2:] if isinstance(part, str))
            else:
                stack += tree[2:]


def _read_resource_sheets(form: SheetStyledAttributes, event: Event) -> None:
    mime = str(event.get("mime") or "").lower()
    if mime.startswith("text/css"):
        form.read_sheet(decode_with_replacement(decode_body(event) or b"", parse_charset(mime)))
    elif "svg" in mime or "html" in mime or "xml" in mime:
        for style in _STYLE.finditer(decode_with_replacement(decode_body(event) or b"", parse_charset(mime))):
            form.read_sheet(style[1])


_ASKED = Slot("dom.attribute")
"""The slot of an attribute value that a style sheet selects by. It is masked like an attribute's name."""
_PARTS = re.compile(r"\S+")
_FAMILY = "font-family:"
"""The property before the value of an attribute `font-family` of SVG: with it, the value is masked like a declaration
of CSS.
"""


def mask_selected_value(value: str, sink: Sink) -> str:
    """Return a masked attribute value that a style sheet selects by. Its words are masked one by one, as the words in
    the selector are.
    """
    return _PARTS.sub(
        lambda m: m[0] if m[0].lower().lstrip("-") in web_words() else sink.visit_harmless(m[0], _ASKED), value
    )


def mask_attribute_by_role(role: str, value: str, sink: Sink, slot: Slot) -> str:
    """Return the value of an attribute, masked by the attribute's role alone
    (:func:`.attribute_roles.find_attribute_role`).
    """
    match role:
        case "asked":
            return mask_selected_value(value, sink)
        case "language":
            return clean_language_tag(value)
        case "face":
            return sink.visit_css(_FAMILY + value, slot).removeprefix(_FAMILY)
        case "srcset":
            candidates = (candidate.strip().partition(" ") for candidate in value.split(", "))
            return ", ".join(
                f"{sink.visit_url(address, slot)} {sink.visit_harmless(size, slot)}".strip()
                for address, _, size in candidates
            )
        case "text" | "url" | "css" | "value":
            return {
                "text": sink.visit_text,
                "url": sink.visit_url,
                "css": sink.visit_css,
                "value": sink.visit_private_value,
            }[role](value, slot)
    return sink.visit_harmless(value, slot)
