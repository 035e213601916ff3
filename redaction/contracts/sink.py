"""The seam between walking a recording and what is done with each string in it.

A walk hands every string to a sink, with the slot where it stands, and puts back what the sink gives. The first pass walks
with a sink that collects, the second with one that rewrites: so both see exactly the same strings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

MASKED = "[masked]"
"""What stands in the place of a header."""


class Slot(NamedTuple):
    """Where a string stands. ``channel`` is its name in reports; ``label`` is what stands beside it, for the detector."""

    channel: str
    label: str = ""


class Form(Protocol):
    """What the style sheets of a recording ask of its pages. Names of attributes count without case."""

    def asks(self, name: str) -> bool:
        """Return whether a selector names the attribute."""

    def shows(self, name: str) -> bool:
        """Return whether a sheet puts the attribute's value on the page, by ``attr()``."""

    def names(self, name: str, value: str) -> bool:
        """Return whether a selector asks for this value of the attribute."""


class Sink(Protocol):
    """What is done with a string, by the role it plays. Each gives the string to put in its place."""

    @property
    def form(self) -> Form:
        """Return what the style sheets ask for, all of them: the walk asks it what an attribute is."""

    def text(self, text: str, slot: Slot) -> str:
        """Return what a person reads: personal data is detected in it."""

    def code(self, text: str, slot: Slot) -> str:
        """Stacks, selectors, source: searched by patterns, not by the language models."""

    def run(self, pieces: Sequence[str], slot: Slot) -> list[str]:
        """Neighbouring text nodes that are read as one text."""

    def listing(self, pieces: Sequence[str], slot: Slot, written: bool) -> list[str]:
        """Neighbouring text nodes that are source code together: its strings, comments and names are read. ``written``: somebody may be writing it, so that a
        text is a part of one that is not there yet.
        """

    def keep(self, text: str, slot: Slot) -> str:
        """Harmless by its place (class, id, colour): known values are replaced, nothing is detected."""

    def program_name(self, text: str, slot: Slot) -> str:
        """Return what a program calls itself or a part of it (a model, a tool, a function): words that nobody knows are replaced, and
        not looked for elsewhere.
        """

    def value(self, text: str, slot: Slot) -> str:
        """Private by its place (form value, URL parameter, string in a body): replaced as a whole."""

    def typed(self, text: str, slot: Slot, node: tuple[int, int]) -> str:
        """Return what stands in a control or an editor while somebody types: the values that a node had one after another are one value. ``node``: document and node."""

    def leaf(self, text: str, slot: Slot) -> str:
        """Return a string in a body: replaced as a whole, but for words of the interface; not looked for elsewhere unless
        detected.
        """

    def secret(self, text: str, slot: Slot) -> str:
        """Return a credential by its place (header, cookie): replaced by one constant and looked for everywhere."""

    def url(self, text: str, slot: Slot) -> str:
        """Return an address, absolute or relative."""

    def css(self, text: str, slot: Slot) -> str:
        """Return a style sheet or the declarations of a ``style`` attribute."""

    def drop(self, text: str, slot: Slot) -> str:
        """Not carried over: gives the empty string."""

    def resource(self, sha256: str, slot: Slot) -> str | None:
        """Return the hash of a resource: the hash of what stands in its place, or None when it was dropped."""

    def software(self, name: str) -> None:
        """Take what a page calls the program that it is or was made by: learned, and not shown."""

    def siblings(self, texts: Sequence[str]) -> None:
        """Take what stands side by side in one group, each as it was given to :meth:`text` or :meth:`run`: buttons, options, items of a menu. Learned."""

    def catalogue(self, strings: Sequence[str]) -> None:
        """Take the strings of a translation file: learned, and not shown."""

    def is_translation_string(self, text: str) -> bool:
        """Return whether a translation file of the program is known to have the text."""

    def rule(self, kind: str, name: str) -> str | None:
        """Return what the user's rules say about a name: ``allow``, ``mask``, ``drop``, or None."""
