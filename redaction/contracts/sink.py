"""Define the interface between the walk over a recording and what is done with each string.

The walk gives every string to a sink, with its slot, and writes the sink's result in its place. The first pass walks with a sink that collects, the second
with one that rewrites, so both see exactly the same strings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

MASKED = "[masked]"
"""What stands in the place of a header."""


class Slot(NamedTuple):
    """The place of a string. ``channel`` is its name in reports; ``label`` is the text beside it, for the detector."""

    channel: str
    label: str = ""
    said: frozenset[str] = frozenset()
    """In the body of a failed answer: the texts that say what went wrong."""


class Form(Protocol):
    """What the style sheets of a recording select by and show. Names of attributes are compared without case."""

    def asks(self, name: str) -> bool:
        """Return whether a selector names the attribute."""

    def shows(self, name: str) -> bool:
        """Return whether a sheet shows the attribute's value on the page by ``attr()``."""

    def names(self, name: str, value: str) -> bool:
        """Return whether a selector asks for this value of the attribute."""


class Sink(Protocol):
    """Receives each string of a recording by its role, and returns the string to put in its place."""

    @property
    def form(self) -> Form:
        """What all style sheets of the recording select by and show; the walk needs it to find an attribute's role."""

    def text(self, text: str, slot: Slot) -> str:
        """Handle a text that people read: personal data is detected in it."""

    def code(self, text: str, slot: Slot) -> str:
        """Handle a stack, a selector or source code: searched by patterns, not by the language models."""

    def run(self, pieces: Sequence[str], slot: Slot) -> list[str]:
        """Handle adjacent text nodes that are read as one text. Returns as many pieces."""

    def listing(self, pieces: Sequence[str], slot: Slot, written: bool) -> list[str]:
        """Handle adjacent text nodes that together are source code: its strings, comments and names are read. Returns as many pieces.

        :param written: somebody may be editing it, so a name in it may be half typed.
        """

    def keep(self, text: str, slot: Slot) -> str:
        """Handle a string that is harmless by its place (class, id, colour): known values in it are replaced, nothing is detected."""

    def program_name(self, text: str, slot: Slot) -> str:
        """Handle the name of a program or a part of one (a model, a tool, a function): words that no list has are replaced, and not searched for elsewhere."""

    def value(self, text: str, slot: Slot) -> str:
        """Handle a string that is private by its place (form value, URL parameter, string in a body): it is replaced as a whole."""

    def typed(self, text: str, slot: Slot, node: tuple[int, int]) -> str:
        """Handle the value of a control or an editor while somebody types. The successive values of one node count as one value.

        :param node: (document, node).
        """

    def leaf(self, text: str, slot: Slot) -> str:
        """Handle a string in a body: replaced as a whole, except for words of the interface. It is searched for elsewhere only if it is detected."""

    def message(self, text: str, slot: Slot) -> str:
        """Handle the message in a failed answer: as a leaf, except that text which the page also shows, and everyday
        words without a finding, stay.
        """

    def secret(self, text: str, slot: Slot) -> str:
        """Handle a credential by its place (header, cookie): replaced by one constant, and searched for everywhere."""

    def url(self, text: str, slot: Slot) -> str:
        """Handle an address, absolute or relative."""

    def css(self, text: str, slot: Slot) -> str:
        """Handle a style sheet, or the declarations of a ``style`` attribute."""

    def drop(self, text: str, slot: Slot) -> str:
        """Handle a string that is dropped. Returns the empty string."""

    def resource(self, sha256: str, slot: Slot) -> str | None:
        """Return the hash of a resource's replacement, or None if it is dropped."""

    def learn_software(self, name: str) -> None:
        """Learn the name of the program that a page says it is or was made by. The name is not shown."""

    def learn_siblings(self, texts: Sequence[str]) -> None:
        """Learn the texts of a group of siblings (buttons, options, items of a menu), each as it was given to :meth:`text` or :meth:`run`."""

    def learn_catalogue(self, strings: Sequence[str]) -> None:
        """Learn the strings of a translation file. They are not shown."""

    def is_translation_string(self, text: str) -> bool:
        """Return whether a translation file of the program has this text."""

    def rule(self, kind: str, name: str) -> str | None:
        """Return the action of the user's rules for a name: ``allow``, ``mask``, ``drop``, or None."""
