"""Finds the places in a style sheet that the replay needs changed, independent of the page and time that it is built for.

Results for the last sheets are cached, because the replays of a test suite have the same ones repeatedly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import tinycss2  # type: ignore[import-untyped]

from pagereel.css import PSEUDO, SheetReader, Token, cache_results

from .allow_lists import may_be_stored_as_data


@dataclass(frozen=True)
class AddressEdit:
    """An edit that replaces an address by the address of a resource."""

    address: str


@dataclass(frozen=True)
class ImportEdit:
    """An edit that replaces an ``@import`` by the imported sheet."""

    address: str
    conditions: tuple[Token, ...]
    """The tokens after its address: ``layer``, ``supports()``, a media query."""


@dataclass(frozen=True)
class CaseSensitiveNameEdit:
    """An edit of an element's name with capital letters, which is case-sensitive in XML only."""

    name: str


Edit = tuple[int, int, str | AddressEdit | ImportEdit | CaseSensitiveNameEdit]
"""Begin and end in characters, and the replacement."""

SHOWN: Final = frozenset(("src", "srcset", "poster", "href", "rel", "style", "content", "background", "name", "id"))
"""Attributes that are painted on some elements and stored aside on others: ``attr()`` finds the painted ones."""

_OF_SELECTORS: Final = frozenset(("is", "where", "not", "has", "host", "host-context", "slotted", "-webkit-any"))
"""What has selectors in its brackets and nothing else."""


@cache_results
def find_edits(css: str) -> Sequence[Edit]:
    """Return the edits for a style sheet, in the order of the text."""
    return _SheetEditFinder(css).read_sheet()


def find_declaration_edits(style: str) -> Sequence[Edit]:
    """Return the edits for the value of a ``style`` attribute, in the order of the text."""
    return _SheetEditFinder(style).read_declarations()


class _SheetEditFinder(SheetReader):
    """Reads a style sheet, and collects the edits that the replay needs."""

    def __init__(self, css: str) -> None:
        super().__init__(css)
        self.edits: list[Edit] = []

    def read_sheet(self) -> Sequence[Edit]:
        self.read_block(self.parse_tokens(), len(self.css), top=True)
        return sorted(self.edits, key=lambda edit: edit[:2])

    def read_declarations(self) -> Sequence[Edit]:
        self.on_value(self.parse_tokens(), len(self.css))
        return sorted(self.edits, key=lambda edit: edit[:2])

    def on_at_rule(
        self, name: str, prelude: Sequence[Token], start: int, end: int, after: int, *, imports: bool
    ) -> None:
        if name == "import":
            self.add_import_edit(prelude, start, after, allowed=imports)
        elif name == "scope":
            self.on_selectors(prelude, end)
        elif name not in ("namespace", "charset", "supports", "media", "container", "layer"):
            self.on_value(prelude, end)

    def on_selectors(self, tokens: Sequence[Token], end: int, *, named: bool = True) -> None:
        """Add the edits for the selectors in `tokens`. `named`: an identifier in them is an element's name (and not,
        for example, a language in ``:lang(de)``).
        """
        past_element = False  # After ::before and similar no attribute selector is allowed.
        picker: int | None = None  # The position of ::picker().
        index = 0
        while index < len(tokens):
            token = tokens[index]
            kind = token.type
            if kind == "literal" and token.value == ":":
                following = tokens[index + 1] if index + 1 < len(tokens) else None
                if following is not None and following == ":":
                    past_element = True
                    part = tokens[index + 2] if index + 2 < len(tokens) else None
                    if part is not None and part.type == "function" and part.lower_name == "picker":
                        picker = self.get_start(token)
                    self.edit_selector_arguments(tokens, index + 2, end)
                    index += 3
                    continue
                if following is not None and following.type == "ident":
                    stands = PSEUDO.get(following.lower_value)
                    if picker is not None and following.lower_value == "popover-open":
                        self.edits.append((picker, picker, "[data-pagereel-picker]"))
                        self.edits.append((self.get_start(token), self.get_end(tokens, index + 1, end), ""))
                    if following.lower_value in ("before", "after", "first-line", "first-letter"):
                        past_element = True
                    elif stands is not None and not past_element:
                        self.edits.append((self.get_start(token), self.get_end(tokens, index + 1, end), stands))
                    index += 2
                    continue
                if following is not None and following.type == "function" and following.lower_name == "state":
                    name = tinycss2.serialize(following.arguments).strip()
                    edit = f'[data-pagereel-states~="{name}"]'
                    self.edits.append((self.get_start(token), self.get_end(tokens, index + 1, end), edit))
                    index += 2
                    continue
            elif kind == "[] block":
                if not past_element:
                    self.edit_attribute_selector(token, self.get_end(tokens, index, end))
            elif kind == "function" or kind == "() block":
                self.edit_selector_arguments(tokens, index, end)
            elif kind == "ident" and named and token.value != token.lower_value not in ("from", "to"):  # Keyframes.
                around = (*tokens[max(0, index - 1) : index], *tokens[index + 1 : index + 2])
                if "|" not in around and (index == 0 or tokens[index - 1] != "."):
                    self.edits.append(
                        (self.get_start(token), self.get_end(tokens, index, end), CaseSensitiveNameEdit(token.value))
                    )
            elif kind == "whitespace" or (kind == "literal" and token.value in (",", ">", "+", "~", "||")):
                past_element, picker = False, None
            index += 1

    def edit_selector_arguments(self, tokens: Sequence[Token], index: int, end: int) -> None:
        """Add the edits for the selectors in the brackets of ``:not()``, ``::slotted()`` and so on."""
        if index >= len(tokens):
            return
        token = tokens[index]
        if token.type in ("function", "() block"):
            content = token.arguments if token.type == "function" else token.content
            if token.type == "function" and token.lower_name == "is" and _is_already_edited(content):
                return
            named = token.type == "() block" or token.lower_name in _OF_SELECTORS
            self.on_selectors(content, self.get_content_end(token, self.get_end(tokens, index, end)), named=named)

    def edit_attribute_selector(self, block: Any, end: int) -> None:
        """Add the edit for an attribute selector. Example: ``[src$=".png"]`` must also match an image whose ``src`` the
        player has moved to ``data-pagereel-was-src``.
        """
        content = [token for token in block.content if token.type not in ("whitespace", "comment")]
        if not content or content[0].type != "ident" or not may_be_stored_as_data(content[0].lower_value):
            return
        if len(content) > 1 and content[1] == "|" and content[2:3] != ["="]:  # The prefix of a namespace.
            return
        start = self.get_start(block)
        text = self.css[start:end]
        moved = text.replace(content[0].value, f"data-pagereel-was-{content[0].lower_value}", 1)
        if moved != text and text.endswith("]"):
            self.edits.append((start, end, f":is({text},{moved})"))

    def on_value(self, tokens: Sequence[Token], end: int) -> None:
        self.edit_addresses(tokens, end)

    def edit_addresses(self, tokens: Sequence[Token], end: int, *, strings: bool = False) -> None:
        """Add the edits for the addresses in a declaration's value.

        `strings`: plain strings are addresses, too, as in ``image-set()``.
        """
        for index, token in enumerate(tokens):
            kind = token.type
            if kind == "url" or (kind == "string" and strings):
                self.add_address_edit(token.value, self.get_start(token), self.get_end(tokens, index, end))
            elif kind == "function":
                stop = self.get_end(tokens, index, end)
                if token.lower_name == "attr":
                    self.edit_attr_function(token)
                    continue
                if token.lower_name in ("url", "src"):
                    first = next((item for item in token.arguments if item.type not in ("whitespace", "comment")), None)
                    if first is not None and first.type == "string":
                        self.add_address_edit(first.value, self.get_start(token), stop)
                        continue
                # In image-set() any string is an address, also one inside of if() or var().
                within = token.lower_name in ("image-set", "-webkit-image-set", "image", "cross-fade") or (
                    strings and token.lower_name != "type"
                )
                self.edit_addresses(token.arguments, self.get_content_end(token, stop), strings=within)
            elif kind in ("() block", "[] block", "{} block"):
                self.edit_addresses(token.content, self.get_content_end(token, self.get_end(tokens, index, end)))

    def edit_attr_function(self, function: Any) -> None:
        """Add the edit for ``attr(label)`` where the player moves the attribute to ``data-pagereel-was-label``: the
        function then reads that attribute.
        """
        name = next((token for token in function.arguments if token.type not in ("whitespace", "comment")), None)
        if (
            name is None
            or name.type != "ident"
            or name.lower_value in SHOWN
            or not may_be_stored_as_data(name.lower_value)
        ):
            return
        start = self.get_start(name)
        if self.css[start : start + len(name.value)] == name.value:
            self.edits.append((start, start + len(name.value), f"data-pagereel-was-{name.lower_value}"))

    def add_address_edit(self, address: str, start: int, end: int) -> None:
        stripped = address.strip()
        if not stripped or stripped.startswith("#"):
            return
        self.edits.append((start, end, AddressEdit(stripped)))

    def add_import_edit(self, prelude: Sequence[Token], start: int, end: int, *, allowed: bool) -> None:
        """Add the edit that replaces an ``@import`` by the imported sheet, with its layer and conditions."""
        rest = [token for token in prelude[1:] if token.type not in ("whitespace", "comment")]
        address = ""
        if rest and rest[0].type in ("string", "url"):
            address = rest[0].value
        elif rest and rest[0].type == "function" and rest[0].lower_name == "url" and rest[0].arguments:
            address = getattr(rest[0].arguments[0], "value", "")
        self.edits.append((start, end, ImportEdit(address, tuple(rest[1:])) if allowed and address else ""))


def _is_already_edited(content: Sequence[Token]) -> bool:
    """Return whether a selector is the result of an earlier edit of an attribute selector, and must not be changed
    again.
    """
    names = [
        next((token.value for token in block.content if token.type not in ("whitespace", "comment")), None)
        for block in content
        if block.type == "[] block"
    ]
    return len(content) == 3 and len(names) == 2 and names[1] == f"data-pagereel-was-{str(names[0]).lower()}"
