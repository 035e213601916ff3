"""Lists the strings, addresses, names and comments of a style sheet, each with its position and its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from .reader import CLOSERS, SheetReader, Token, cache_results, get_content


class PiecePlace(NamedTuple):
    """Where in a style sheet a piece of text stands: in a value, a selector or a prelude, and within which property,
    at-rules and functions.
    """

    part: str
    """``value`` (of a declaration), ``selector``, ``prelude`` (of an at-rule) or ``between`` (rules)."""
    name: str = ""
    """The property in lower case (a custom one as it is written), or the at-rule."""
    within: tuple[str, ...] = ()
    """The at-rules around it, the outermost first."""
    functions: tuple[str, ...] = ()
    """The functions around it, the outermost first."""
    attribute: str | None = None
    """In ``[name="value"]``: the name, in lower case."""


class TextPiece(NamedTuple):
    """A string, an address, a name or a comment in a style sheet, with its position and its place."""

    start: int
    end: int
    kind: str
    """``string``, ``url`` (without quotes: the whole ``url(…)``), ``ident``, ``function`` (its name), ``hash``, ``unit`` (of a number),
    ``comment``, ``bad string`` and ``bad url`` (which browsers throw away)."""
    text: str
    """What it says, with its escapes resolved; of a comment or something bad all of it, as it is written."""
    where: PiecePlace


@cache_results
def find_text_pieces(css: str) -> Sequence[TextPiece]:
    """Return the pieces of a style sheet, of a list of declarations or of a single value, in order. Results are
    cached.
    """
    return _PieceReader(css).read_all()


_ERRORS: Final = {"bad-string": "bad string", "bad-url": "bad url"}
_OPERATORS: Final = ("=", "~=", "|=", "^=", "$=", "*=")


class _PieceReader(SheetReader):
    def __init__(self, css: str) -> None:
        super().__init__(css)
        self._found: list[TextPiece] = []
        self._within: tuple[str, ...] = ()

    def read_all(self) -> Sequence[TextPiece]:
        self.read_block(self.parse_tokens(), len(self.css))
        return self._found

    # -- hooks --

    def on_selectors(self, tokens: Sequence[Token], end: int) -> None:
        self._read_tokens(tokens, end, PiecePlace("selector", within=self._within))

    def on_value(self, tokens: Sequence[Token], end: int) -> None:
        name, at = _get_property(tokens)
        if at:
            self._read_tokens(tokens[:at], self.get_start(tokens[at]), PiecePlace("selector", within=self._within))
        self._read_tokens(tokens[at:], end, PiecePlace("value", name, self._within))

    def on_at_rule(
        self, name: str, prelude: Sequence[Token], start: int, end: int, after: int, *, imports: bool
    ) -> None:
        self._read_tokens(prelude[1:], end, PiecePlace("prelude", name, self._within))

    def on_body_start(self, name: str | None) -> None:
        self._within = (*self._within, name or "")

    def on_body_end(self) -> None:
        self._within = self._within[:-1]

    def on_comment(self, token: Token, start: int, end: int) -> None:
        self._add_piece(start, end, "comment", self.css[start:end], PiecePlace("between"))

    # -- tokens --

    def _add_piece(self, start: int, end: int, kind: str, text: str, where: PiecePlace) -> None:
        self._found.append(TextPiece(start, end, kind, text, where))

    def _read_tokens(self, tokens: Sequence[Token], end: int, where: PiecePlace) -> None:
        for index, token in enumerate(tokens):
            kind = token.type
            if kind in ("whitespace", "literal", "number", "percentage", "unicode-range"):
                continue
            start, stop = self.get_start(token), self.get_end(tokens, index, end)
            if kind in ("string", "url", "ident", "hash"):
                self._add_piece(start, stop, kind, token.value, where)
            elif kind == "comment":
                self._add_piece(start, stop, kind, self.css[start:stop], where)
            elif kind == "dimension":
                self._add_piece(start + len(token.representation), stop, "unit", token.unit, where)
            elif kind == "at-keyword":
                self._add_piece(start + 1, stop, "ident", token.value, where)
            elif kind == "error":
                if token.kind in _ERRORS:
                    self._add_piece(start, stop, _ERRORS[token.kind], self.css[start:stop], where)
            elif kind in CLOSERS:
                self._read_bracketed(token, start, stop, where)

    def _read_bracketed(self, token: Token, start: int, stop: int, where: PiecePlace) -> None:
        content = get_content(token)
        end = self.get_content_end(token, stop)
        if token.type == "function":
            begin = (self.get_start(content[0]) if content else end) - 1
            self._add_piece(start, begin, "function", token.name, where)
            where = where._replace(functions=(*where.functions, token.lower_name))
        elif token.type == "[] block" and where.part != "value":
            where = _get_attribute_place(content, where)
        self._read_tokens(content, end, where)


def _get_property(tokens: Sequence[Token]) -> tuple[str, int]:
    """Return the property of a declaration, and the index of the token after which its value begins; "" and 0 where the
    tokens are only a value.
    """
    if tokens and tokens[0].type == "ident":
        for index in range(1, len(tokens)):
            token = tokens[index]
            if token == ":":
                name = tokens[0].value
                return (name if name.startswith("--") else tokens[0].lower_value), index
            if token.type not in ("whitespace", "comment"):
                break
    return "", 0


def _get_attribute_place(content: Sequence[Token], where: PiecePlace) -> PiecePlace:
    """Return the place of pieces in an attribute selector, ``[name="value" i]``: `where` with the attribute's name."""
    tokens = [token for token in content if token.type not in ("whitespace", "comment")]
    name = ""
    for token in tokens:
        if token.type == "ident":
            name = token.lower_value
        elif token.type == "literal" and token.value in _OPERATORS:
            break
    return where._replace(attribute=name)
