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

from ..content.css import rewrite_css
from ..content.form import SheetForm
from ..content.hosts import with_host_masked
from ..content.identifiers import LEAST_DIGITS, find_in_name, find_numbers, is_named
from ..content.markup import rewrite_data_url
from ..content.urls import rewrite_url
from ..contracts.policy import Policy
from ..contracts.sink import MASKED, Sink, Slot
from ..gate.own_text import is_keyword
from ..values.pseudonyms import Pseudonyms
from ..words.programs import known_called
from ..words.words import UI_WORDS, web_words

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
        self.form = SheetForm()
        """The attributes that the style sheets so far select by and show."""
        self._named = named
        self._pseudonyms = Pseudonyms()
        self._cache: dict[tuple[str, str], str] = {}

    # -- roles --------------------

    def text(self, text: str, slot: Slot) -> str:
        if slot.channel.startswith(_OF_THE_RUN):
            return self._once("said", text, lambda: _WORD.sub(lambda m: self._common_word(m[0]), text))
        return self._whole(text)

    def code(self, text: str, slot: Slot) -> str:
        return self._whole(text)

    def run(self, pieces: Sequence[str], slot: Slot) -> list[str]:
        return [self.text(piece, slot) for piece in pieces]

    def listing(self, pieces: Sequence[str], slot: Slot, written: bool) -> list[str]:
        return self.run(pieces, slot)

    def keep(self, text: str, slot: Slot) -> str:
        if is_keyword(slot.channel.removeprefix("dom.attribute.").lower(), text):
            return text
        if is_named(slot.channel, text) or slot.channel.startswith("dom.attribute.data-"):
            return self._once("names", text, lambda: re.sub(r"\S+", lambda m: self._name(m[0]), text))
        if slot.channel.startswith(("dom.", "resource.")):
            return self._once("kept", text, lambda: self._without_numbers(text))
        return self.program_name(text, slot)

    def program_name(self, text: str, slot: Slot) -> str:
        return self._once("called", text, lambda: self._name(text))

    def value(self, text: str, slot: Slot) -> str:
        return self._whole(text)

    def typed(self, text: str, slot: Slot, node: tuple[int, int]) -> str:
        """Return one constant while somebody types: the final value is unknown, and a stand-in for each prefix would
        show the number of letters.
        """
        return MASK if text else ""

    def leaf(self, text: str, slot: Slot) -> str:
        return self._whole(text)

    def secret(self, text: str, slot: Slot) -> str:
        return MASKED

    def url(self, text: str, slot: Slot) -> str:
        return self._once("url", text, lambda: self._address(text, slot))

    def css(self, text: str, slot: Slot) -> str:
        return self._once("css", text, lambda: self._sheet(text, slot))

    def resource(self, sha256: str, slot: Slot) -> str | None:
        return self._named(sha256, slot.channel)

    # -- helpers --------------------

    def _once(self, kind: str, text: str, make: Callable[[], str]) -> str:
        key = kind, text
        known = self._cache.get(key)
        if known is None:
            if len(self._cache) >= _KEPT:
                self._cache.clear()
                self._pseudonyms.forget()
            known = self._cache[key] = make()
        return known

    def _whole(self, text: str) -> str:
        core = text.strip()
        if not any(c.isalnum() for c in core):
            return text
        start = text.index(core)
        return (
            text[:start]
            + self._once("whole", core, lambda: self._pseudonyms.of(core, "VALUE"))
            + text[start + len(core) :]
        )

    def _common_word(self, word: str) -> str:
        return word if word.lower() in UI_WORDS or (len(word) == 1 and word.isalpha()) else self._whole(word)

    def _name(self, name: str) -> str:
        """Return an identifier in which only common words and harmless numbers stay."""
        if name.lower().lstrip("-") in web_words():
            return name
        said = known_called(self._without_numbers(name), lambda word: self._in_a_name(word, "VALUE"))
        # A number may be split into groups, with anything between them.
        every = sum(c.isdigit() for c in said) >= LEAST_DIGITS or not any(c.isalpha() for c in said)
        return _RUN.sub(lambda m: self._in_a_name(m[0], "ID") if every or len(m[0]) >= _LONG else m[0], said)

    def _without_numbers(self, name: str) -> str:
        """Return an identifier with secrets, card numbers, personal numbers, and names of people beside unknown words
        replaced.
        """
        spans = [(f.start, f.end, f.entity) for f in find_in_name(name)] + [
            (*span, "ID") for span in find_numbers(name)
        ]
        out, at = "", 0
        for start, end, entity in sorted(spans):
            if start >= at:
                out += name[at:start] + self._in_a_name(name[start:end], entity)
                at = end
        return out + name[at:]

    def _in_a_name(self, piece: str, entity: str) -> str:
        return re.sub(r"\s+", "-", self._pseudonyms.of(piece, entity))

    def _sheet(self, text: str, slot: Slot) -> str:
        return rewrite_css(
            text, lambda t: self.text(t, slot), lambda u: self.url(u, slot), lambda t: t, self._name, short=_SHORT
        )

    def _address(self, text: str, slot: Slot) -> str:
        def mask(piece: str, what: str) -> str:
            if what == "data":
                return rewrite_data_url(piece, self, slot, block=self._policy.images != "keep")
            if what == "userinfo":
                return ""
            if what in ("segment", "key"):
                return self._name(piece)
            if what == "fragment" and " " not in piece:
                return self._name(piece)
            return self._whole(piece)

        return with_host_masked(rewrite_url(text, mask), self._pseudonyms.of)


_RUN = re.compile(r"\d+")
_LONG = 3
"""Digits in a row from which on they are replaced in any identifier. ``h2`` and ``col-12`` stay."""
_SHORT = 3
"""Most letters of an identifier in a style sheet that is not masked."""
