"""Style sheets for the replay: pseudo-classes that depend on a person become attributes, addresses become resources.

A sheet is changed by splicing into its own text (``css_edits.py`` finds where), so that whatever is not touched,
broken CSS too, reaches the browser byte for byte as the page had it. A pseudo-class and an attribute selector weigh
the same (0,1,0), so the cascade stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import tinycss2  # type: ignore[import-untyped]

from pagereel.css import as_read, close

from .css_edits import AddressEdit, Edit, Import, edits, edits_of_declarations

Resolve = Callable[[str, str], str | None]
"""``(address, base)`` → what stands for it, or ``None`` when nothing was captured."""


@dataclass(frozen=True)
class ImportedSheet:
    """A style sheet that another one imports."""

    text: str
    """Its text, not rewritten."""
    url: str
    """Its absolute address."""


Load = Callable[[str, str], ImportedSheet | None]
"""``(address, base)`` → the imported sheet, or ``None``."""

NOTHING: Final = "data:,"
"""Stands for what was not captured: an address that loads nothing and asks nobody."""

MAX_IMPORT_DEPTH: Final = 12

_TRIGGERS: Final = (":", "url(", "image-set(", "@import", "[", "attr(")


def rewrite(
    css: str, resolve: Resolve, load: Load | None = None, *, base: str = "", _stack: tuple[str, ...] = ()
) -> str:
    """`css` with pseudo-classes and addresses replaced and imports put in their place.

    `resolve` gets each address as written and the sheet's own, `base`; `load` fetches the sheet of an ``@import``
    (without it imports are dropped: a constructed style sheet, which is what the player uses, may not have them).
    """
    css = as_read(css)
    if css.startswith("\ufeff"):
        css = css[1:]
    try:
        return _SheetPlace(resolve, load, base, _stack).fill(css, edits(css))
    except RecursionError:  # nested some hundred deep: no sheet of a page, and none that could be shown safely as it is
        return ""


def rewrite_declarations(style: str, resolve: Resolve, *, base: str = "") -> str:
    """Return the ``style`` attribute `style` with its addresses replaced."""
    style = as_read(style)
    try:
        return _SheetPlace(resolve, None, base, ()).fill(style, edits_of_declarations(style))
    except RecursionError:
        return ""


def needs_rewriting(css: str) -> bool:
    """Return a quick no for text that holds nothing to rewrite."""
    lower = css.lower()
    return any(trigger in lower for trigger in _TRIGGERS)


@dataclass(frozen=True)
class _SheetPlace:
    """Where a sheet is used: what its addresses mean there."""

    resolve: Resolve
    load: Load | None
    base: str
    stack: tuple[str, ...]

    def fill(self, css: str, changes: Sequence[Edit]) -> str:
        """Return the text with its edits made."""
        pieces: list[str] = []
        at = 0
        for start, end, what in changes:
            stands = self.stands(what)
            if stands is not None:
                pieces += (css[at:start], stands)
                at = end
        pieces.append(css[at:])
        return "".join(pieces)

    def stands(self, what: str | AddressEdit | Import) -> str | None:
        """Return what comes in the place of an edit; None where it stays as it is written, as what holds its own bytes does: such a sheet is the likest to what it was."""
        if isinstance(what, AddressEdit):
            itself = what.address if what.address[:5].lower() == "data:" else NOTHING
            found = self.resolve(what.address, self.base) or itself
            return None if found == what.address else f'url("{_quote(found)}")'
        return self.imported(what) if isinstance(what, Import) else what

    def imported(self, what: Import) -> str:
        found = self.load(what.address, self.base) if self.load and len(self.stack) < MAX_IMPORT_DEPTH else None
        if found is None or found.url in self.stack:
            return ""
        nested = rewrite(close(found.text), self.resolve, self.load, base=found.url, _stack=(*self.stack, found.url))
        return _condition(what.conditions, nested)


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
