"""Define the interface between the walk over a recording and the code that collects or masks its strings.

The walk gives every string with its slot to a sink, and writes the sink's result in its place. The first pass walks
with a sink that collects values, the second with one that replaces them, so both see exactly the same strings.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from ..content.styled_attributes import SheetStyledAttributes
    from .policy import Policy

MASKED = "[masked]"
"""The text that replaces the value of a masked header."""


class Slot(NamedTuple):
    """The place of a string. ``channel`` names it in reports; ``label`` is the text that labels the string, for the
    detector.
    """

    channel: str
    label: str = ""
    said: frozenset[str] = frozenset()
    """In the body of a failed response: its error messages."""


class Sink(Protocol):
    """Receives each string of a recording by its role, and returns the string to put in its place."""

    _policy: Policy
    form: SheetStyledAttributes
    """The attributes that all style sheets of the recording select by and show. An attribute's role depends on it."""
    split: Set[tuple[int, int]] = frozenset()
    """Text nodes, as (document, node), that hold a part of a value that several mutations put together."""

    def visit_text(self, text: str, slot: Slot) -> str:
        """Handle a text that people read. Personal data is detected in it."""

    def visit_code(self, text: str, slot: Slot) -> str:
        """Handle a stack, a selector or source code. Patterns search it, and no language model."""

    def visit_text_nodes(self, pieces: Sequence[str], slot: Slot) -> list[str]:
        """Handle adjacent text nodes that are read as one text. Returns one masked text for each."""

    def visit_code_nodes(self, pieces: Sequence[str], slot: Slot, written: bool) -> list[str]:
        """Handle adjacent text nodes that together are source code: its strings, comments and names are searched.
        Returns one masked text for each.

        :param written: somebody may be editing it, so a name in it may be incomplete.
        """

    def visit_harmless(self, text: str, slot: Slot) -> str:
        """Handle a string that is harmless by its place (class, id, colour). Known values in it are replaced; nothing
        is detected.
        """

    def visit_program_name(self, text: str, slot: Slot) -> str:
        """Handle the name of a program or a part of one (a model, a tool, a function). Words that are in no list are
        replaced, and not searched for elsewhere.
        """

    def visit_private_value(self, text: str, slot: Slot) -> str:
        """Handle a string that is private by its place (form value, URL parameter, string in a body). It is replaced
        as a whole.
        """

    def visit_typed_value(self, text: str, slot: Slot, node: tuple[int, int]) -> str:
        """Handle the value of a control or an editor while somebody types. The successive values of one node count as
        one value.

        :param node: (document, node).
        """

    def visit_body_leaf(self, text: str, slot: Slot) -> str:
        """Handle a string in a body. It is replaced as a whole, unless it consists of words of the interface. It is
        searched for elsewhere only if it is detected.
        """

    def visit_error_message(self, text: str, slot: Slot) -> str:
        """Handle the error message in a failed response, in the same way as :meth:`visit_body_leaf`. A text that the
        page also shows stays, and so do everyday words without a finding.
        """
        return self.visit_body_leaf(text, slot)

    def visit_credential(self, text: str, slot: Slot) -> str:
        """Handle a credential, recognized by its place (header, cookie). One constant replaces it, and it is searched
        for everywhere.
        """

    def visit_url(self, text: str, slot: Slot) -> str:
        """Handle a URL, absolute or relative."""

    def visit_css(self, text: str, slot: Slot) -> str:
        """Handle a style sheet, or the declarations of a ``style`` attribute."""

    def visit_resource(self, sha256: str, slot: Slot) -> str | None:
        """Return the hash of a resource's replacement, or None if it is dropped."""

    def learn_program_name(self, name: str) -> None:
        """Learn the name of the program that made a page, from the page's metadata. The page does not show this name."""
        return

    def learn_siblings(self, texts: Sequence[str]) -> None:
        """Learn the texts of a group of siblings (buttons, options, items of a menu), each as :meth:`visit_text` or
        :meth:`visit_text_nodes` got it.
        """
        return

    def learn_translation_strings(self, strings: Sequence[str]) -> None:
        """Learn the strings of a translation file. The page need not show them."""
        return

    def is_translation_string(self, text: str) -> bool:
        """Return whether a translation file in the recording has this text."""
        return False

    def find_rule_action(self, kind: str, name: str) -> str | None:
        """Return the action that the user's rules give to a name: ``allow``, ``mask``, ``drop``, or None."""
        return self._policy.find_rule_action(kind, name)
