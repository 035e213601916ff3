"""Find the parts of source code on a page that may hold personal data: strings, comments and names.

Keywords and the names of packages and functions belong to the language and the program, and stay. Strings, comments,
and words written like a name may be personal, and are searched as any text is. No lexer of one language is used: a
page rarely says which language its code is in, and code on a page may begin anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ..contracts.field_roles import INLINE
from .filters.name_like_words import iter_name_like_words

_LONGEST_LINE: Final = 500
_LONGEST: Final = 20_000
"""Characters of an element that are read to decide whether it holds code."""
_PROSE: Final = frozenset({"gfm", "latex", "markdown", "plain", "plaintext", "rst", "text", "txt"})
"""Values that editors and sites give for the language of text that is no code."""
_LANGUAGE: Final = re.compile(r"(?:^|\s)(?:lang|language|highlight-source)-([\w+#.-]+)")
"""The class that names an element's language, as HTML's standard recommends."""
_LINES: Final = re.compile(
    r"(?:^|[\s_-])(?:code|editor|highlight|hljs|lines|listing|prettyprint|source|text-layer)(?:$|[\s_-])", re.IGNORECASE
)
"""Classes of elements that may hold code."""

_TOKEN: Final = re.compile(
    r'''
      (?P<string>
          """(?:\\.|[^\\])*?(?:"""|\Z) | \'\'\'(?:\\.|[^\\])*?(?:\'\'\'|\Z)
        | "(?:\\.|[^"\\\n])*"? | (?<![^\W_])[A-Za-z]{0,2}'(?:\\.|[^'\\\n])*'? | `(?:\\.|[^`\\])*`?
      )
    | (?P<comment>
          /\*.*?(?:\*/|\Z) | <!--.*?(?:-->|\Z) | (?<![:\w/])//[^\n]* | (?<!\S)\#(?![0-9a-fA-F]{3,8}\b)[^\n]* | (?<!\S)--[ \t][^\n]*
      )
    ''',
    re.DOTALL | re.VERBOSE,
)
_MARKS: Final = re.compile(r"""[A-Za-z]{0,2}(\"{3}|'{3}|["'`])""")
_KEY: Final = re.compile(
    r"""(?P<quote>["'`]?)(?P<name>[^\W\d_][\w.-]{0,40})(?P=quote)\s{0,4}(?:=>|[:=])\s{0,4}[fFrRbBuU]{0,2}\Z"""
)
"""The key or variable right before a string."""
_WORDS: Final = re.compile(
    r"(?<![\w.$@%\\-])[^\W\d_][\w'’-]{0,60}(?:[ \t]{1,3}[^\W\d_][\w'’-]{0,60}){0,12}(?![\w(.\[])"
)
"""Adjacent words outside of strings and comments."""
_PROSE_WORD: Final = re.compile(r"[^\W\d_][\w'’-]*[,.;:!?]?")
_LEAST_WORDS: Final = 4
"""Least words of a line of words alone that is a sentence, from a comment or string that began in an earlier line."""
_IMPORTED: Final = re.compile(
    r"[ \t]{0,40}(?:from[ \t][\w.]{1,200}[ \t]import|import|package|using|use|#include)[ \t][\w.*:<>/]{1,200}(?:[ \t]as[ \t]\w{1,60})?(?:,[ \t]?[\w.*]{1,200}(?:[ \t]as[ \t]\w{1,60})?){0,40};?[ \t]{0,8}$",
    re.MULTILINE,
)
"""A line that only names packages."""
_CODE_LINE: Final = re.compile(r"""[\w\])]\([^\s)]|\w\(\)|[{};]\s{0,8}\Z|</?\w{1,40}(?:\s[^<>]{0,200})?>|[=-]>""")
"""Characters of a program anywhere in a line."""
_CODE_BEGINS: Final = re.compile(
    r"""[\w.$\[\]'"]{1,200}[ \t]{0,8}(?:[-+*/%|&:]?=(?!=)|:=|<-)[ \t]{0,8}\S|[\])}]{1,20},?\Z|["'][\w-]{1,60}["']:[ \t]|(?:return|raise|throw|yield)\b"""
    r"""|(?i:insert\s{1,8}into|delete\s{1,8}from|create\s{1,8}(?:table|view|index))\b"""
)
"""The beginning of a line of a program."""
_BLOCK: Final = re.compile(r"(?:def|class|function|func|fn|if|elif|for|while|try|with|switch)\b")
"""The beginning of a line of a program that ends in a colon or a bracket."""
_QUERY: Final = re.compile(
    r"\s{0,8}select\s{1,40}(?:distinct\s{1,40})?(?P<columns>[^;]{1,2000}?)\s{1,40}from\s{1,40}[\w.\"`\[]", re.IGNORECASE
)
_COLUMN: Final = re.compile(
    r"(?:[\w.*\"`\[\]]|\([^()]{0,200}\)){1,200}(?:\s{1,40}as\s{1,40}[\w\"`]{1,60})?", re.IGNORECASE
)
"""A column in a database query: between its first two keywords stand columns, and no sentence."""


class CodePassage(NamedTuple):
    """A part of source code that is searched as text. ``label`` is the name of the variable or key that the code
    assigns the part to, or the empty string.
    """

    start: int
    end: int
    label: str


def iter_code_passages(code: str) -> Iterator[CodePassage]:
    """Yield the parts of source code that may be personal, in order."""
    at = 0
    for token in _TOKEN.finditer(code):
        yield from _iter_passages_outside_strings(code, at, token.start())
        at = token.end()
        if token["comment"]:
            yield CodePassage(*token.span(), "")
        else:
            start, end = _find_string_content(token)
            key = _KEY.search(code, max(0, token.start() - 60), token.start())
            yield CodePassage(start, end, key["name"] if key else "")
    yield from _iter_passages_outside_strings(code, at, len(code))


def _find_string_content(string: re.Match[str]) -> tuple[int, int]:
    """Return the span of a string literal between its quotation marks. The closing one may be missing."""
    marks = _MARKS.match(string[0])
    begin = marks.end() if marks else 0
    closed = marks is not None and len(string[0]) >= begin + len(marks[1]) and string[0].endswith(marks[1])
    return string.start() + begin, string.end() - (len(marks[1]) if marks and closed else 0)


def _iter_passages_outside_strings(code: str, start: int, end: int) -> Iterator[CodePassage]:
    """Yield the words outside of strings and comments that may be personal."""
    part = code[start:end]
    if not any(map(str.isalpha, part)):
        return
    taken = [m.span() for m in _IMPORTED.finditer(part)]
    at = 0
    for line in part.splitlines(keepends=True):
        span = at, at + len(line)
        at += len(line)
        words = line.split()
        sentence = len(words) >= _LEAST_WORDS and all(map(_PROSE_WORD.fullmatch, words))
        if sentence and not _overlaps_any_span(span, taken):
            yield CodePassage(start + span[0], start + span[1], "")
            taken.append(span)
    for said in _WORDS.finditer(part):
        if not _overlaps_any_span(said.span(), taken) and (
            not said[0].isascii() or any(iter_name_like_words(said[0], in_camel_case=False))
        ):
            key = _KEY.search(code, max(0, start + said.start() - 60), start + said.start())
            yield CodePassage(start + said.start(), start + said.end(), key["name"] if key else "")


def _overlaps_any_span(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def contains_source_code(tag: str, attributes: dict[str, str], tree: list[Any]) -> bool:
    """Return whether an element holds source code: its tag allows it, and most of its lines read like code."""
    if not (
        tag in ("code", "pre")
        or attributes.get("contenteditable", "false").lower() != "false"
        or attributes.get("role") == "code"
        or _LINES.search(attributes.get("class", ""))
    ):
        return False
    return looks_like_source_code("".join(_iter_text_lines(tree)))


def names_code_language(attributes: dict[str, str]) -> bool | None:
    """Return whether the language that an element's attributes name is a programming language; None if they name
    none.
    """
    named = attributes.get("data-language") or attributes.get("data-lang")
    if not named and (match := _LANGUAGE.search(attributes.get("class", ""))):
        named = match[1]
    return named.lower() not in _PROSE if named else None


def looks_like_source_code(text: str) -> bool:
    """Return whether most lines of a text are source code or a program's data."""
    if is_database_query(text):
        return True
    lines = [line for line in text[:_LONGEST].splitlines() if any(map(str.isalnum, line))]
    told = [line for line in lines if not line.lstrip().startswith(("#", "//", "--", "*", "/*"))]
    return bool(told) and 2 * sum(map(_is_code_line, told)) > len(told)


def _is_code_line(line: str) -> bool:
    begun = line.strip()[:_LONGEST_LINE]
    return bool(
        _IMPORTED.match(line)
        or _CODE_LINE.search(begun)
        or _CODE_BEGINS.match(begun)
        or (begun[-1:] in ":({" and _BLOCK.match(begun))
    )


def is_database_query(text: str) -> bool:
    """Return whether a text is a query to a database."""
    match = _QUERY.match(text)
    return match is not None and all(_COLUMN.fullmatch(column.strip()) for column in match["columns"].split(","))


def _iter_text_lines(tree: list[Any]) -> Iterator[str]:
    """Yield an element's text, one line for each block in it, up to the length that is needed to judge it."""
    left = _LONGEST
    stack: list[Any] = list(reversed(tree[2:]))
    while stack and left > 0:
        node = stack.pop()
        if isinstance(node, str):
            left -= len(node)
            yield node
        elif isinstance(node, list) and len(node) > 1:
            if node[0] not in INLINE:
                yield "\n"
                stack.append("\n")
            stack.extend(reversed(node[2:]))
