"""Style sheets for the replay: pseudo-classes that depend on a person become attributes, addresses become resources.

A sheet is cut into tokens by tinycss2 and changed by splicing into its own text, so that whatever is not touched,
broken CSS too, reaches the browser byte for byte as the page had it. A pseudo-class and an attribute selector weigh
the same (0,1,0), so the cascade stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import tinycss2  # type: ignore[import-untyped]

from .allow import may_stand_aside

PSEUDO: Final[dict[str, str]] = {
    "hover": "[data-pagereel-hover]",
    "active": "[data-pagereel-active]",
    "focus": "[data-pagereel-focus]",
    "focus-visible": "[data-pagereel-focus-visible]",
    "focus-within": "[data-pagereel-focus-within]",
    "target": "[data-pagereel-target]",
    "visited": "[data-pagereel-visited]",
    "user-invalid": "[data-pagereel-user-invalid]",
    "user-valid": "[data-pagereel-user-valid]",
    "fullscreen": "[data-pagereel-fullscreen]",
    "-webkit-full-screen": "[data-pagereel-fullscreen]",
    "autofill": "[data-pagereel-autofill]",
    "-webkit-autofill": "[data-pagereel-autofill]",
    # Custom elements are never defined in the replay; all count as defined but for those that the recording names.
    "defined": ":not([data-pagereel-undefined])",
    # Whoever watches has a history of their own, which must not show.
    "link": ":any-link",
}
"""Pseudo-classes whose truth depends on a person, a pointer or a script, and what stands for them."""

Token = Any
"""A component value of tinycss2, which has no types."""

Resolve = Callable[[str, str], str | None]
"""``(address, base)`` → what stands for it, or ``None`` when nothing was captured."""


@dataclass(frozen=True)
class Imported:
    """A style sheet that another one imports."""

    text: str
    """Its text, not rewritten."""
    url: str
    """Its absolute address."""


Load = Callable[[str, str], Imported | None]
"""``(address, base)`` → the imported sheet, or ``None``."""

NOTHING: Final = "data:,"
"""Stands for what was not captured: an address that loads nothing and asks nobody."""

MAX_IMPORT_DEPTH: Final = 12

_TRIGGERS: Final = (":", "url(", "image-set(", "@import", "[", "attr(")

SHOWN: Final = frozenset(("src", "srcset", "poster", "href", "rel", "style", "content", "background", "name", "id"))
"""Attributes that are painted on some elements and stand beside others: ``attr()`` finds the painted ones."""
_WORD: Final = "\ue000"


def rewrite(
    css: str, resolve: Resolve, load: Load | None = None, *, base: str = "", _stack: tuple[str, ...] = ()
) -> str:
    """`css` with pseudo-classes and addresses replaced and imports put in their place.

    `resolve` gets each address as written and the sheet's own, `base`; `load` fetches the sheet of an ``@import``
    (without it imports are dropped: a constructed style sheet, which is what the player uses, may not have them).
    """
    css = css.replace("\0", "\ufffd").replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    if css.startswith("\ufeff"):
        css = css[1:]
    return _Rewriter(css, resolve, load, base, _stack).run()


def rewrite_declarations(style: str, resolve: Resolve, *, base: str = "") -> str:
    """The ``style`` attribute `style` with its addresses replaced."""
    style = style.replace("\0", "\ufffd").replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    return _Rewriter(style, resolve, None, base, ()).run(declarations=True)


def needs_rewriting(css: str) -> bool:
    """A quick no for text that holds nothing to rewrite."""
    lower = css.lower()
    return any(trigger in lower for trigger in _TRIGGERS)


_CLOSERS: Final = {"() block": ")", "[] block": "]", "{} block": "}", "function": ")"}


def close(css: str) -> str:
    """`css` with everything closed that its end cuts off, so that another text may follow."""
    for closer in ("", "*/", '"', "'", ")"):
        tokens = tinycss2.parse_component_value_list(f"{css}{closer} {_WORD}")
        brackets: list[str] = []
        while tokens and tokens[-1].type in _CLOSERS:
            brackets.append(_CLOSERS[tokens[-1].type])
            tokens = tokens[-1].arguments if tokens[-1].type == "function" else tokens[-1].content
        if tokens and tokens[-1].type == "ident" and tokens[-1].value == _WORD:
            return css + closer + "".join(reversed(brackets))
    return ""


class _Rewriter:
    def __init__(self, css: str, resolve: Resolve, load: Load | None, base: str, stack: tuple[str, ...]) -> None:
        self.css = css
        self.resolve = resolve
        self.load = load
        self.base = base
        self.stack = stack
        self.lines = [0]
        find = css.find("\n")
        while find >= 0:
            self.lines.append(find + 1)
            find = css.find("\n", find + 1)
        self.edits: list[tuple[int, int, str]] = []
        self._unclosed: set[int] | None = None

    def run(self, *, declarations: bool = False) -> str:
        tokens = tinycss2.parse_component_value_list(self.css)
        if declarations:
            self.value(tokens, len(self.css))
        else:
            self.block(tokens, len(self.css), top=True)
        pieces: list[str] = []
        at = 0
        for start, end, text in sorted(self.edits, key=lambda edit: edit[:2]):
            pieces += (self.css[at:start], text)
            at = end
        pieces.append(self.css[at:])
        return "".join(pieces)

    # -- places --

    def start(self, token: Token) -> int:
        return int(self.lines[token.source_line - 1] + token.source_column - 1)

    def end(self, tokens: Sequence[Token], index: int, end: int) -> int:
        """Where a token ends: where the next one begins, or its parent's content ends."""
        following = index + 1
        # What the end of the file cut short is followed by an error that stands at the same place.
        while following < len(tokens) and tokens[following].type == "error":
            following += 1
        return self.start(tokens[following]) if following < len(tokens) else end

    def inside(self, token: Token, end: int) -> int:
        """Where the content of a block or function that ends at `end` ends: before its bracket, if it has one."""
        closed = end < len(self.css) or self.start(token) not in self.unclosed()
        return end - 1 if closed else end

    def unclosed(self) -> set[int]:
        """Where blocks and functions begin that the end of the text cuts off.

        The tokens do not say it. A word put after the text falls into them, or into a string or comment that is cut
        off as well.
        """
        if self._unclosed is None:
            self._unclosed = set()
            tokens = tinycss2.parse_component_value_list(self.css + "\n" + _WORD)
            while tokens and tokens[-1].type in _CLOSERS:
                self._unclosed.add(self.start(tokens[-1]))
                tokens = tokens[-1].arguments if tokens[-1].type == "function" else tokens[-1].content
        return self._unclosed

    # -- structure --

    def block(self, tokens: Sequence[Token], end: int, *, top: bool = False) -> None:
        """Rules and declarations in any mixture: css-syntax-3, "consume a block's contents", which also fits a style
        sheet.
        """
        importing = top
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type in ("whitespace", "comment") or token == ";":
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
            prelude_end = self.start(tokens[stop]) if stop < len(tokens) else end
            if token.type == "at-keyword":
                name = token.lower_value
                if name == "import":
                    after = min(self.end(tokens, stop, end), end) if stop < len(tokens) else end
                    self.at_import(prelude, self.start(token), after, allowed=importing and body is None)
                elif name not in ("charset", "layer") or body is not None:
                    importing = False
                if name == "scope":
                    self.selectors(prelude, prelude_end)
                elif name not in ("import", "namespace", "charset", "supports", "media", "container", "layer"):
                    self.value(prelude, prelude_end)
            else:
                importing = False
                if body is not None and not custom:
                    self.selectors(prelude, prelude_end)
                else:
                    self.value(prelude, prelude_end)
            if body is not None:
                body_end = self.end(tokens, stop, end)
                self.block(body.content, self.inside(body, body_end))
            index = stop + 1

    def selectors(self, tokens: Sequence[Token], end: int) -> None:
        past_element = False  # After ::before and its like no attribute may stand.
        index = 0
        while index < len(tokens):
            token = tokens[index]
            kind = token.type
            if kind == "literal" and token.value == ":":
                following = tokens[index + 1] if index + 1 < len(tokens) else None
                if following is not None and following == ":":
                    past_element = True
                    self.arguments(tokens, index + 2, end)
                    index += 3
                    continue
                if following is not None and following.type == "ident":
                    stands = PSEUDO.get(following.lower_value)
                    if following.lower_value in ("before", "after", "first-line", "first-letter"):
                        past_element = True
                    elif stands is not None and not past_element:
                        self.edits.append((self.start(token), self.end(tokens, index + 1, end), stands))
                    index += 2
                    continue
                if following is not None and following.type == "function" and following.lower_name == "state":
                    name = tinycss2.serialize(following.arguments).strip()
                    edit = f'[data-pagereel-states~="{name}"]'
                    self.edits.append((self.start(token), self.end(tokens, index + 1, end), edit))
                    index += 2
                    continue
            elif kind == "[] block":
                if not past_element:
                    self.attribute(token, self.end(tokens, index, end))
            elif kind == "function" or kind == "() block":
                self.arguments(tokens, index, end)
            elif kind == "whitespace" or (kind == "literal" and token.value in (",", ">", "+", "~", "||")):
                past_element = False
            index += 1

    def arguments(self, tokens: Sequence[Token], index: int, end: int) -> None:
        """Selectors within the brackets of ``:not()``, ``::slotted()`` and so on."""
        if index >= len(tokens):
            return
        token = tokens[index]
        if token.type in ("function", "() block"):
            content = token.arguments if token.type == "function" else token.content
            self.selectors(content, self.inside(token, self.end(tokens, index, end)))

    def attribute(self, block: Any, end: int) -> None:
        """``[src$=".png"]`` must find an image whose ``src`` the player has moved aside."""
        content = [token for token in block.content if token.type not in ("whitespace", "comment")]
        if not content or content[0].type != "ident" or not may_stand_aside(content[0].lower_value):
            return
        if len(content) > 1 and content[1] == "|" and content[2:3] != ["="]:  # A namespace's prefix.
            return
        start = self.start(block)
        text = self.css[start:end]
        moved = text.replace(content[0].value, f"data-pagereel-was-{content[0].lower_value}", 1)
        if moved != text and text.endswith("]"):
            self.edits.append((start, end, f":is({text},{moved})"))

    def value(self, tokens: Sequence[Token], end: int, *, strings: bool = False) -> None:
        """Addresses in the value of a declaration; `strings`: bare strings are addresses too, as in ``image-set()``."""
        for index, token in enumerate(tokens):
            kind = token.type
            if kind == "url" or (kind == "string" and strings):
                self.address(token.value, self.start(token), self.end(tokens, index, end))
            elif kind == "function":
                stop = self.end(tokens, index, end)
                if token.lower_name == "attr":
                    self.attr(token)
                    continue
                if token.lower_name in ("url", "src"):
                    first = next((item for item in token.arguments if item.type not in ("whitespace", "comment")), None)
                    if first is not None and first.type == "string":
                        self.address(first.value, self.start(token), stop)
                        continue
                within = token.lower_name in ("image-set", "-webkit-image-set", "image", "cross-fade")
                self.value(token.arguments, self.inside(token, stop), strings=within)
            elif kind in ("() block", "[] block", "{} block"):
                self.value(token.content, self.inside(token, self.end(tokens, index, end)))

    def attr(self, function: Any) -> None:
        """``attr(label)`` of an attribute that is never painted: what stands beside the element has its value."""
        name = next((token for token in function.arguments if token.type not in ("whitespace", "comment")), None)
        if name is None or name.type != "ident" or name.lower_value in SHOWN or not may_stand_aside(name.lower_value):
            return
        start = self.start(name)
        if self.css[start : start + len(name.value)] == name.value:
            self.edits.append((start, start + len(name.value), f"data-pagereel-was-{name.lower_value}"))

    def address(self, address: str, start: int, end: int) -> None:
        stripped = address.strip()
        if not stripped or stripped.startswith("#"):
            return
        stands = stripped if stripped[:5].lower() == "data:" else (self.resolve(stripped, self.base) or NOTHING)
        self.edits.append((start, end, f'url("{_quote(stands)}")'))

    def at_import(self, prelude: Sequence[Token], start: int, end: int, *, allowed: bool) -> None:
        """Puts the imported sheet in the place of its ``@import``, under the layer and conditions that it names."""
        rest = [token for token in prelude[1:] if token.type not in ("whitespace", "comment")]
        address = ""
        if rest and rest[0].type in ("string", "url"):
            address = rest[0].value
        elif rest and rest[0].type == "function" and rest[0].lower_name == "url" and rest[0].arguments:
            address = getattr(rest[0].arguments[0], "value", "")
        imported = None
        if allowed and address and self.load and len(self.stack) < MAX_IMPORT_DEPTH:
            imported = self.load(address, self.base)
        if imported is None or imported.url in self.stack:
            self.edits.append((start, end, ""))
            return
        inner = close(imported.text)
        nested = rewrite(inner, self.resolve, self.load, base=imported.url, _stack=(*self.stack, imported.url))
        self.edits.append((start, end, _condition(rest[1:], nested)))


def _quote(address: str) -> str:
    return address.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ")


def _condition(tokens: Sequence[Any], text: str) -> str:
    """`text` under the ``layer``, ``supports()`` and media query of an ``@import``."""
    layer: str | None = None
    supports = ""
    rest = list(tokens)
    if rest and rest[0].type == "ident" and rest[0].lower_value == "layer":
        layer, rest = "", rest[1:]
    elif rest and rest[0].type == "function" and rest[0].lower_name == "layer":
        layer, rest = tinycss2.serialize(rest[0].arguments), rest[1:]
    if rest and rest[0].type == "function" and rest[0].lower_name == "supports":
        supports, rest = tinycss2.serialize(rest[0].arguments), rest[1:]
    media = " ".join(tinycss2.serialize([token]) for token in rest)
    if layer is not None:
        text = f"@layer {layer}{{{text}\n}}"
    if supports:
        bare = not supports.lstrip().startswith(("(", "not", "selector"))
        text = f"@supports {f'({supports})' if bare else supports}{{{text}\n}}"
    if media:
        text = f"@media {media}{{{text}\n}}"
    return text + "\n"
