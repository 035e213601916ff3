"""Mask each string by its place alone, without a model, in a recording that is still being made.

The rewriter knows every value of a recording before it masks the first string; while a recording is being made
nothing is known. So a string stays only if it consists of common words: words of interfaces in titles of steps and
the like, words of programs in identifiers and URLs. Every other string becomes a stand-in. Equal strings get equal
stand-ins, so that a page still fits its style sheets and requests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pagereel.reel import MASK

from ..content.css import mask_css
from ..content.hosts import mask_host_of_url
from ..content.identifiers import (
    LEAST_DIGITS,
    find_personal_data_in_identifier,
    find_personal_number_spans,
    is_identifier_channel,
)
from ..content.markup import mask_data_url
from ..content.styled_attributes import SheetStyledAttributes
from ..content.urls import mask_url
from ..contracts.policy import Policy
from ..contracts.sink import MASKED, Sink, Slot
from ..gate.generated_text import is_keyword_or_geometry
from ..values.pseudonyms import Pseudonyms
from ..words.program_names import replace_unknown_words
from ..words.word_lists import UI_WORDS, web_words

_OF_THE_RUN = ("step.title", "mark.", "screenshot.label", "call.title")
"""Channels of texts by the program that drives the browser. Words of interfaces stay in them."""
_WORD = re.compile(r"[^\W_]+")
_KEPT = 50_000
"""Most strings whose masked form is cached, so that a recording of many hours does not fill the memory. A string that
is masked again gets the same result.
"""


class StructuralMasker(Sink):
    """The sink for a recording that is still being made: it masks each string by its place alone.

    :param named: is called with each resource's hash and its channel, and returns the hash of its masked content.
    """

    def __init__(self, policy: Policy, named: Callable[[str, str], str | None]) -> None:
        self._policy = policy
        self.form = SheetStyledAttributes()
        """The attributes that the style sheets so far select by and show."""
        self._named = named
        self._pseudonyms = Pseudonyms()
        self._cache: dict[tuple[str, str], str] = {}

    # -- roles --------------------

    def visit_text(self, text: str, slot: Slot) -> str:
        if slot.channel.startswith(_OF_THE_RUN):
            return self._mask_with_cache(
                "said", text, lambda: _WORD.sub(lambda m: self._mask_unless_common(m[0]), text)
            )
        return self._replace_whole(text)

    def visit_code(self, text: str, slot: Slot) -> str:
        return self._replace_whole(text)

    def visit_text_nodes(self, pieces: Sequence[str], slot: Slot) -> list[str]:
        return [self.visit_text(piece, slot) for piece in pieces]

    def visit_code_nodes(self, pieces: Sequence[str], slot: Slot, written: bool) -> list[str]:
        return self.visit_text_nodes(pieces, slot)

    def visit_harmless(self, text: str, slot: Slot) -> str:
        if is_keyword_or_geometry(slot.channel.removeprefix("dom.attribute.").lower(), text):
            return text
        if is_identifier_channel(slot.channel, text) or slot.channel.startswith("dom.attribute.data-"):
            return self._mask_with_cache(
                "names", text, lambda: re.sub(r"\S+", lambda m: self._mask_identifier(m[0]), text)
            )
        if slot.channel.startswith(("dom.", "resource.")):
            return self._mask_with_cache("kept", text, lambda: self._mask_numbers_and_names(text))
        return self.visit_program_name(text, slot)

    def visit_program_name(self, text: str, slot: Slot) -> str:
        return self._mask_with_cache("called", text, lambda: self._mask_identifier(text))

    def visit_private_value(self, text: str, slot: Slot) -> str:
        return self._replace_whole(text)

    def visit_typed_value(self, text: str, slot: Slot, node: tuple[int, int]) -> str:
        """Return one constant while somebody types: the final value is unknown, and a stand-in for each prefix would
        show the number of letters.
        """
        return MASK if text else ""

    def visit_body_leaf(self, text: str, slot: Slot) -> str:
        return self._replace_whole(text)

    def visit_credential(self, text: str, slot: Slot) -> str:
        return MASKED

    def visit_url(self, text: str, slot: Slot) -> str:
        return self._mask_with_cache("url", text, lambda: self._mask_url(text, slot))

    def visit_css(self, text: str, slot: Slot) -> str:
        return self._mask_with_cache("css", text, lambda: self._mask_sheet(text, slot))

    def visit_resource(self, sha256: str, slot: Slot) -> str | None:
        return self._named(sha256, slot.channel)

    # -- helpers --------------------

    def _mask_with_cache(self, kind: str, text: str, mask: Callable[[], str]) -> str:
        key = kind, text
        known = self._cache.get(key)
        if known is None:
            if len(self._cache) >= _KEPT:
                self._cache.clear()
                self._pseudonyms.forget_stand_ins()
            known = self._cache[key] = mask()
        return known

    def _replace_whole(self, text: str) -> str:
        core = text.strip()
        if not any(c.isalnum() for c in core):
            return text
        start = text.index(core)
        return (
            text[:start]
            + self._mask_with_cache("whole", core, lambda: self._pseudonyms.make_stand_in(core, "VALUE"))
            + text[start + len(core) :]
        )

    def _mask_unless_common(self, word: str) -> str:
        return word if word.lower() in UI_WORDS or (len(word) == 1 and word.isalpha()) else self._replace_whole(word)

    def _mask_identifier(self, name: str) -> str:
        """Return an identifier in which only common words and harmless numbers stay."""
        if name.lower().lstrip("-") in web_words():
            return name
        said = replace_unknown_words(
            self._mask_numbers_and_names(name), lambda word: self._make_identifier_stand_in(word, "VALUE")
        )
        # A number may be split into groups, with anything between them.
        every = sum(c.isdigit() for c in said) >= LEAST_DIGITS or not any(c.isalpha() for c in said)
        return _RUN.sub(
            lambda m: self._make_identifier_stand_in(m[0], "ID") if every or len(m[0]) >= _LONG else m[0], said
        )

    def _mask_numbers_and_names(self, name: str) -> str:
        """Return an identifier with secrets, card numbers, personal numbers, and names of people beside unknown words
        replaced.
        """
        spans = [(f.start, f.end, f.entity) for f in find_personal_data_in_identifier(name)] + [
            (*span, "ID") for span in find_personal_number_spans(name)
        ]
        out, at = "", 0
        for start, end, entity in sorted(spans):
            if start >= at:
                out += name[at:start] + self._make_identifier_stand_in(name[start:end], entity)
                at = end
        return out + name[at:]

    def _make_identifier_stand_in(self, piece: str, entity: str) -> str:
        return re.sub(r"\s+", "-", self._pseudonyms.make_stand_in(piece, entity))

    def _mask_sheet(self, text: str, slot: Slot) -> str:
        return mask_css(
            text,
            lambda t: self.visit_text(t, slot),
            lambda u: self.visit_url(u, slot),
            lambda t: t,
            self._mask_identifier,
            longest_unmasked=_SHORT,
        )

    def _mask_url(self, text: str, slot: Slot) -> str:
        def mask_piece(piece: str, piece_kind: str) -> str:
            if piece_kind == "data":
                return mask_data_url(piece, self, slot, block=self._policy.images != "keep")
            if piece_kind == "userinfo":
                return ""
            if piece_kind in ("segment", "key"):
                return self._mask_identifier(piece)
            if piece_kind == "fragment" and " " not in piece:
                return self._mask_identifier(piece)
            return self._replace_whole(piece)

        return mask_host_of_url(mask_url(text, mask_piece), self._pseudonyms.make_stand_in)


_RUN = re.compile(r"\d+")
_LONG = 3
"""Digits in a row from which on they are replaced in any identifier. ``h2`` and ``col-12`` stay."""
_SHORT = 3
"""Most letters of an identifier in a style sheet that is not masked."""
