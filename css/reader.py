"""Reads a style sheet as rules and declarations, and finds the position of each token in its text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

import tinycss2  # type: ignore[import-untyped]

Token = Any
"""A component value of tinycss2, which has no types."""

CLOSERS: Final = {"() block": ")", "[] block": "]", "{} block": "}", "function": ")"}
_WORD: Final = "\ue000"
_KEPT: Final = 32
"""Sheets of which what was found is kept."""
_LEAST, _MOST = 4_000, 1_000_000
"""Characters of a sheet of which it is kept: shorter ones are quickly cut, longer ones take too much memory."""

_Found = TypeVar("_Found")


def cache_results(function: Callable[[str], _Found]) -> Callable[[str], _Found]:
    """Decorate a function that takes the text of a style sheet, so that its last results are cached.

    The recordings of a test suite contain the same sheets many times, and splitting a sheet into tokens takes most of a
    build's time.
    """
    remembered = lru_cache(_KEPT)(function)
    return lambda css: remembered(css) if _LEAST <= len(css) <= _MOST else function(css)


def preprocess_css(css: str) -> str:
    """Return a style sheet's text after the preprocessing of css-syntax-3 (line ends, NUL). All positions are positions
    in this text.
    """
    return css.replace("\0", "\ufffd").replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")


@cache_results
def close_constructs(css: str) -> str:
    """Return `css` with its open comment, string and brackets closed, so that another text may follow; "" where that is
    impossible.
    """
    for closer in ("", "*/", '"', "'", ")"):
        tokens = tinycss2.parse_component_value_list(f"{css}{closer} {_WORD}")
        brackets: list[str] = []
        while tokens and tokens[-1].type in CLOSERS:
            brackets.append(CLOSERS[tokens[-1].type])
            tokens = get_content(tokens[-1])
        if tokens and tokens[-1].type == "ident" and tokens[-1].value == _WORD:
            return css + closer + "".join(reversed(brackets))
    return ""


def split_rules(css: str) -> list[str]:
    """Return the outermost rules of a style sheet, each as text, without comments and errors."""
    found = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return [rule.serialize() for rule in found if rule.type != "error"]


def get_content(token: Token) -> Sequence[Token]:
    """Return the tokens in a block or function."""
    return token.arguments if token.type == "function" else token.content  # type: ignore[no-any-return]


class SheetReader:
    """Walks over the rules and declarations of a style sheet, and calls a method of a subclass for each prelude, value,
    body and comment.

    `css`: the sheet's text, as :func:`preprocess_css` returns it.
    """

    def __init__(self, css: str) -> None:
        self.css = css
        self.lines = [0]
        find = css.find("\n")
        while find >= 0:
            self.lines.append(find + 1)
            find = css.find("\n", find + 1)
        self._unclosed: set[int] | None = None

    def parse_tokens(self) -> Sequence[Token]:
        """Return the tokens of the whole text."""
        return tinycss2.parse_component_value_list(self.css)  # type: ignore[no-any-return]

    # -- hooks --

    def on_selectors(self, tokens: Sequence[Token], end: int) -> None:
        """Handle the prelude of a rule, or of ``@scope``. `end`: where it ends in the text."""

    def on_value(self, tokens: Sequence[Token], end: int) -> None:
        """Handle the tokens of a declaration, beginning with its property, or of any other text that is not a rule.
        `end`: the position in the text at which they end.
        """

    def on_at_rule(
        self, name: str, prelude: Sequence[Token], start: int, end: int, after: int, *, imports: bool
    ) -> None:
        """Handle an at-rule: its name in lower case, and its prelude, which begins with the keyword.

        `start` and `end`: where the prelude begins and ends; `after`: where a rule without a body ends. `imports`:
        whether an ``@import`` is valid here.
        """

    def on_body_start(self, name: str | None) -> None:
        """Handle the beginning of the body of the at-rule `name`, or of a rule (None)."""

    def on_body_end(self) -> None:
        """Handle the end of a body."""

    def on_comment(self, token: Token, start: int, end: int) -> None:
        """Handle a comment between rules or declarations, from `start` to `end`."""

    # -- places --

    def get_start(self, token: Token) -> int:
        """Return the position in the text, in characters, at which a token begins."""
        return int(self.lines[token.source_line - 1] + token.source_column - 1)

    def get_end(self, tokens: Sequence[Token], index: int, end: int) -> int:
        """Return the position at which the token `tokens[index]` ends: where the next one begins, or `end` for the last
        one.
        """
        following = index + 1
        # What the end of the file cut short is followed by an error that stands at the same place.
        while following < len(tokens) and tokens[following].type == "error":
            if tokens[following].kind not in ("eof-in-string", "eof-in-url"):
                break
            following += 1
        return self.get_start(tokens[following]) if following < len(tokens) else end

    def get_content_end(self, token: Token, end: int) -> int:
        """Return the position at which the content of a block or function ends: before its closing bracket, if it has
        one. `end`: where the block itself ends.
        """
        closed = end < len(self.css) or self.get_start(token) not in self.find_unclosed()
        return end - 1 if closed else end

    def find_unclosed(self) -> set[int]:
        """Return the positions at which the blocks and functions begin that the text does not close.

        tinycss2 does not report them. So the text is parsed once more with a word appended: each block that then
        contains the word is unclosed.
        """
        if self._unclosed is None:
            self._unclosed = set()
            tokens = tinycss2.parse_component_value_list(self.css + "\n" + _WORD)
            while tokens and tokens[-1].type in CLOSERS:
                self._unclosed.add(self.get_start(tokens[-1]))
                tokens = get_content(tokens[-1])
        return self._unclosed

    # -- structure --

    def read_block(self, tokens: Sequence[Token], end: int, *, top: bool = False) -> None:
        """Walk over rules and declarations in any mixture, up to the position `end`: css-syntax-3, "consume a block's
        contents". `top`: the tokens are a whole style sheet.
        """
        importing = top
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type in ("whitespace", "comment") or token == ";":
                if token.type == "comment":
                    self.on_comment(token, self.get_start(token), self.get_end(tokens, index, end))
                index += 1
                continue
            if token.type == "literal" and token.value in ("<!--", "-->"):
                index += 1
                continue
            custom = token.type == "ident" and token.value.startswith("--") and not top
            stop = index
            while stop < len(tokens):
                this = tokens[stop]
                if (this == ";" and not (top and token.type != "at-keyword")) or (
                    this.type == "{} block" and not custom
                ):
                    break
                stop += 1
            prelude = tokens[index:stop]
            body = tokens[stop] if stop < len(tokens) and tokens[stop].type == "{} block" else None
            prelude_end = self.get_start(tokens[stop]) if stop < len(tokens) else end
            name = token.lower_value if token.type == "at-keyword" else None
            if name is not None:
                after = min(self.get_end(tokens, stop, end), end) if stop < len(tokens) else end
                allowed = importing and body is None
                if name not in ("import", "charset", "layer") or (name != "import" and body is not None):
                    importing = False
                self.on_at_rule(name, prelude, self.get_start(token), prelude_end, after, imports=allowed)
            else:
                importing = False
                if body is not None and not custom:
                    self.on_selectors(prelude, prelude_end)
                else:
                    self.on_value(prelude, prelude_end)
            if body is not None:
                body_end = self.get_end(tokens, stop, end)
                self.on_body_start(name)
                self.read_block(body.content, self.get_content_end(body, body_end))
                self.on_body_end()
            index = stop + 1
