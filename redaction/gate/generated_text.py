"""Separate the page's own content from the text of pagereel and of the web's languages: numbers and names of the format, tags, attributes, keywords of CSS.

Such text says nothing about a page, but may equal a known value by chance: an event at 48,213 ms, a person called Mark
or Violet, a company called Meta.
"""

from __future__ import annotations

import re

import orjson

from pagereel.reel import Json

from ..content.attribute_roles import KEEP, is_colour_or_geometry
from ..contracts.field_roles import CHANNELS
from ..words.word_lists import web_words

_WRITTEN = re.compile(
    r"(?:script#pagereel-| > )(?:(?:chunk|test|words)-\d+|index) > deflate-raw\Z| > event \d+ \([^)]*\)\Z"
)
_OWN = frozenset({"plain", "number", "digest", "look", "boxes", "hex", "preference", "queries", "operation", "method"})
"""Roles of fields whose numbers and words pagereel itself wrote. Fields of any other role may hold text of a page or a
program.
"""
_IDENTIFIERS = frozenset({"id", "class", "name", "for", "part", "slot", "headers", "list", "form", "usemap", "target"})
"""Attributes whose values are identifiers that a page's author made up."""
_WORD = re.compile(r"[\w-]+")
_LETTERS = re.compile(r"[\w-]")


def is_generated_layer(layer: str) -> bool:
    """Return whether a layer, judged by its name, is JSON that pagereel wrote: events, or the index of a replay."""
    return _WRITTEN.search(layer) is not None


def extract_page_data(content: bytes) -> bytes | None:
    """Return the JSON of a layer that pagereel wrote (:func:`is_generated_layer`) without everything that pagereel
    itself put into it: keys, times, kinds and other words of the format. Return None if the layer is no JSON.
    """
    try:
        data = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    if isinstance(data, list):
        return orjson.dumps([_extract_event_data(event) if isinstance(event, dict) else event for event in data])
    if isinstance(data, dict):
        return orjson.dumps(_extract_event_data(data) if "k" in data else _collect_strings(data))
    return None


def _extract_event_data(event: dict[str, Json]) -> list[Json]:
    fields = CHANNELS.get(str(event.get("k")), {})
    css = event.get("k") == "resource" and event.get("mime") == "text/css"
    out: list[Json] = []
    for name, value in event.items():
        role = fields.get(name)
        if css and name == "text" and isinstance(value, str):
            value = _strip_css_grammar(value)
        if name in ("k", "t") or role in _OWN:
            texts = map(str, _collect_strings(value))
            out.append([text for text in texts if text.lower() not in web_words() and not _is_format_word(text)])
        elif role == "ops":
            out.append([_extract_op_data(op) for op in value] if isinstance(value, list) else value)
        else:
            out.append(value)
    return out


def _is_format_word(word: str) -> bool:
    """Return whether a word looks like a name of the file format: of an event kind, a field, a reason."""
    return len(word) < 24 and re.fullmatch(r"[a-z][a-z_-]*", word) is not None


def _collect_strings(value: Json) -> list[Json]:
    """Return the strings of an index, of an op or of a field, without its keys and numbers."""
    if isinstance(value, str):
        return [value]
    children = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    return [text for child in children for text in _collect_strings(child)]


def _extract_op_data(op: Json) -> Json:
    if not isinstance(op, list) or not op:
        return op
    if op[0] in ("doc", "add"):
        return [_extract_tree_data(part) for part in op[2:]]
    if op[0] == "sheet":
        return [_strip_css_grammar(part) if isinstance(part, str) else _collect_strings(part) for part in op[1:]]
    if op[0] == "attr" and len(op) > 2 and isinstance(op[2], dict):
        return _extract_attribute_data(op[2])
    return _collect_strings(op[1:])


def _extract_tree_data(tree: Json, sheet: bool = False) -> Json:
    if isinstance(tree, str):
        return _strip_css_grammar(tree) if sheet else tree
    if not isinstance(tree, list) or not tree:
        return None
    tag = str(tree[0]).rpartition("|")[2].lower()
    out: list[Json] = [] if tag in web_words() or tag.startswith("#") else [tree[0]]
    out.extend(
        _extract_attribute_data(part) if isinstance(part, dict) else _extract_tree_data(part, tag == "style")
        for part in tree[1:]
    )
    return out


def _extract_attribute_data(attributes: dict[str, Json]) -> Json:
    out: list[Json] = []
    for name, value in attributes.items():
        plain = name.lower()
        if plain not in web_words():
            out.append(name)
        if not (isinstance(value, str) and is_keyword_or_geometry(plain, value)):
            out.append(_strip_css_grammar(value) if plain == "style" and isinstance(value, str) else value)
    return out


def _strip_css_grammar(text: str) -> str:
    """Return a style sheet without its grammar."""
    return _WORD.sub(lambda match: "" if is_css_grammar(text, *match.span()) else match.group(), text)


def is_keyword_or_geometry(attribute: str, value: str) -> bool:
    """Return whether an attribute's value is a keyword of HTML or SVG, a colour or geometry: ``type="text"``,
    ``fill="violet"``, ``fill="#000000"``.
    """
    if attribute in _IDENTIFIERS or attribute not in KEEP:
        return False
    return value in web_words() or is_colour_or_geometry(attribute, value)


def is_css_grammar(text: str, start: int, end: int) -> bool:
    """Return whether a span of a style sheet is grammar: ``mark {``, ``will-change``, ``color: violet``, ``#000000``,
    ``48213px``.

    Classes, ids, custom properties, numbers in these, and quoted texts are not grammar.
    """
    start += text[start] == "#"  # as in a colour
    begin, stop = start, end
    while begin and _LETTERS.match(text[begin - 1]):
        begin -= 1
    while stop < len(text) and _LETTERS.match(text[stop]):
        stop += 1
    before = text[begin - 1] if begin else ""
    if before == "#":
        return _COLOUR.fullmatch(text[begin:stop]) is not None and _find_property_at(text, begin) is not None
    if _NUMBER.fullmatch(text, begin, stop):
        return (declared := _find_property_at(text, begin)) is not None and not declared.startswith("--")
    if before and before in ".\"'\\%&":
        return False
    word = (
        text[begin:stop] if (begin, stop) == (start, end) else text[begin:stop].lower()
    )  # Mark is also a name, clipPath is none
    return word in web_words() or word.lstrip("-") in web_words()


_COLOUR = re.compile(r"(?:[0-9a-fA-F]{3,4}){1,2}")
_NUMBER = re.compile(r"-?\d+(?:[eE][+-]?\d+)?[a-zA-Z]{0,5}")
"""A number with its unit, or the digits on one side of its decimal point."""
_QUOTES = ";{}\"'"
_AFTER = re.compile(r"[^;{}\"']*(?:[;}]|\Z)")
_NEAR = 2_000
"""Characters of a declaration that are examined before and after a match."""


def _find_property_at(text: str, at: int) -> str | None:
    """Return the CSS property whose value contains an offset, outside of quotes; None if there is none."""
    far = max(0, at - _NEAR)
    begin = max(far, *(text.rfind(sign, far, at) + 1 for sign in _QUOTES))
    colon = text.find(":", begin, at)
    return text[begin:colon].strip() if colon >= 0 and _AFTER.match(text, at, at + _NEAR) else None
