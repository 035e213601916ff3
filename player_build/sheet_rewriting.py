"""Rewrites style sheets for the replay: pseudo-classes that depend on the reader become attributes, and addresses become resources.

A sheet is changed by edits of its own text (``css_edits.py`` finds them), so that everything else, broken CSS too,
stays byte for byte as in the page. A pseudo-class and an attribute selector have the same specificity (0,1,0), so the
cascade does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import tinycss2  # type: ignore[import-untyped]

from pagereel.css import close_constructs, preprocess_css

from .css_edits import AddressEdit, CaseSensitiveNameEdit, Edit, ImportEdit, find_declaration_edits, find_edits

Resolve = Callable[[str, str], str | None]
"""A function ``(address, base)`` → replacement, or ``None`` when nothing was captured."""


@dataclass(frozen=True)
class ImportedSheet:
    """A style sheet that another one imports."""

    text: str
    """Its text before rewriting."""
    url: str
    """Its absolute address."""


Load = Callable[[str, str], ImportedSheet | None]
"""A function ``(address, base)`` → the imported sheet, or ``None``."""

NOTHING: Final = "data:,"
"""The replacement for an address that was not captured: it loads nothing and makes no request."""

MAX_IMPORT_DEPTH: Final = 12

_TRIGGERS: Final = (":", "url(", "image-set(", "@import", "[", "attr(")


def rewrite_sheet(
    css: str,
    resolve: Resolve,
    load: Load | None = None,
    *,
    base: str = "",
    xml: bool = False,
    _stack: tuple[str, ...] = (),
) -> str:
    """Return a style sheet with pseudo-classes and addresses replaced, and imports inlined.

    `resolve`: returns what to write for an address; called with the address as written and with `base`, the sheet's own
    address. `load`: returns the sheet that an ``@import`` names; without it each ``@import`` is removed, because the
    player's constructed style sheets must not contain any. `xml`: the sheet belongs to an XML document, where elements'
    names are case-sensitive; they are not in the replay.
    """
    css = preprocess_css(css)
    if css.startswith("\ufeff"):
        css = css[1:]
    try:
        return _SheetContext(resolve, load, base, _stack, xml).apply_edits(css, find_edits(css))
    except RecursionError:  # nested hundreds deep: no real sheet is, and such a sheet cannot be shown safely
        return ""


def rewrite_declarations(style: str, resolve: Resolve, *, base: str = "") -> str:
    """Return the value of a ``style`` attribute with its addresses replaced."""
    style = preprocess_css(style)
    try:
        return _SheetContext(resolve, None, base, ()).apply_edits(style, find_declaration_edits(style))
    except RecursionError:
        return ""


def needs_rewriting(css: str) -> bool:
    """Return whether a style sheet may contain anything to rewrite, by a quick search for words."""
    lower = css.lower()
    return any(trigger in lower for trigger in _TRIGGERS)


@dataclass(frozen=True)
class _SheetContext:
    """The context of a style sheet: how its addresses are resolved and its imports are loaded."""

    resolve: Resolve
    load: Load | None
    base: str
    stack: tuple[str, ...]
    xml: bool = False

    def apply_edits(self, css: str, changes: Sequence[Edit]) -> str:
        """Return the text of a sheet with the replacements for these edits put in."""
        pieces: list[str] = []
        at = 0
        for start, end, what in changes:
            stands = self.get_replacement_text(what)
            if stands is not None:
                pieces += (css[at:start], stands)
                at = end
        pieces.append(css[at:])
        return "".join(pieces)

    def get_replacement_text(self, edit: str | AddressEdit | ImportEdit | CaseSensitiveNameEdit) -> str | None:
        """Return the text for an edit; None if the text stays as written, for example for a data: address."""
        if isinstance(edit, AddressEdit):
            itself = edit.address if edit.address[:5].lower() == "data:" else NOTHING
            found = self.resolve(edit.address, self.base) or itself
            return None if found == edit.address else f'url("{_escape_css_string(found)}")'
        if isinstance(edit, CaseSensitiveNameEdit):
            return _build_case_sensitive_selector(edit.name) if self.xml else None
        return self.inline_import(edit) if isinstance(edit, ImportEdit) else edit

    def inline_import(self, edit: ImportEdit) -> str:
        found = self.load(edit.address, self.base) if self.load and len(self.stack) < MAX_IMPORT_DEPTH else None
        if found is None or found.url in self.stack:
            return ""
        nested = rewrite_sheet(
            close_constructs(found.text),
            self.resolve,
            self.load,
            base=found.url,
            xml=self.xml,
            _stack=(*self.stack, found.url),
        )
        return _wrap_in_conditions(edit.conditions, nested)


def _build_case_sensitive_selector(name: str) -> str:
    """Return a selector for the elements with exactly this name.

    A type selector in an HTML document ignores case, so the player stores the name in an attribute. The specificity is
    that of a type selector.
    """
    return f':is({tinycss2.serializer.serialize_identifier(name)}:not(*),:where([data-pagereel-name="{_escape_css_string(name)}"]))'


def _escape_css_string(address: str) -> str:
    return address.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ")


def _wrap_in_conditions(tokens: Sequence[Any], text: str) -> str:
    """Return the text of an imported sheet, wrapped in the ``layer``, ``supports()`` and media query of its
    ``@import``.
    """
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
