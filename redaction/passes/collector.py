"""Collect every string of a recording by its role, and change nothing.

:mod:`.knowledge_builder` finds the known values among the collected strings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..content.css import rewrite_css
from ..content.hosts import find_in_host
from ..content.identifiers import find_in_name
from ..content.markup import rewrite_data_url
from ..content.site_addresses import (
    host_of,
    is_address,
    looks_like_address,
    of_the_site,
    segments,
    within_text,
)
from ..content.text_masker import USER_NAME
from ..content.urls import rewrite_url
from ..contracts.packages import demand_packages
from ..contracts.policy import Policy
from ..contracts.sink import Sink, Slot
from ..contracts.types import Finding
from ..detect.cues.context import entity_of_label
from ..detect.shapes.people import spaced
from ..detect.shapes.secrets import find_secrets
from ..detect.shapes.structured import find_structured
from ..detect.source_code import passages
from ..words.english import english
from .knowledge import OF_THE_TEST, WORDS, CollectedStrings, Knowledge
from .knowledge_builder import KnowledgeBuilder
from .text_forms import NO_BREAK, PLAIN, groups, is_code, is_colour, name_before_date, spoken

_SEARCHED = (
    "dom.attribute",
    "dom.tag",
    "dom.states",
    "dom.masked",
    "resource.svg",
    "resource.document",
    "css name",
    "headers.header name",
    "dom.pi",
    "key name",
)
"""Channels of identifiers for styles and scripts that are searched for secrets and e-mail addresses only."""
_CAPTIONS = frozenset(
    {"dom.caption", *(f"dom.attribute.{name}" for name in ("alt", "aria-label", "placeholder", "title"))}
)
"""Channels of captions of controls."""
_CALLED = (".id", ".name")
"""Attributes that the fragment of a URL may refer to."""
_NAME_OF_CODE = re.compile(r"[^\W\d]\w{5,}")
"""An identifier in source code that may hold a person's name."""
_SHAPE = re.compile(r"[MmLlHhVvCcSsQqTtAaZzEe\d\s,.;+-]*")
"""Paths, points and times of a drawing. They are long, and need no search."""
_SHAPES = frozenset(["d", "points", "path", "values", "keytimes", "keysplines", "viewbox"])
_AMOUNT = re.compile(r"-?\d{1,3}[.,]\d|-?\d{1,2}[.,]\d\d|-?\d{1,3}")
"""A number with too few digits to be personal, such as a version or a length."""
_PACKAGE = re.compile(r"(?<=/npm/)(?:@[a-z][\w.-]*/)?[a-z][\w.-]*|(?<=/node_modules/)(?:@[a-z][\w.-]*/)?[a-z][\w.-]*")
"""The name of a package in a URL, with its scope."""
_SHORT = 3
_TOKEN = 16
"""Least characters of a path segment that may be a token, whose shape is lost if it is split into words."""
_CACHED = 9
"""Least digits of a query without ``=`` that may be a personal number."""


_JOINED = re.compile(r"[\s,.:+@_-]+")
"""Characters before or between the words of a column's name, an order or a command."""


def _everyday(text: str) -> bool:
    """Return whether a text is one or two common words in small letters, perhaps joined as programs join them
    (``-activity``, ``id,title``).
    """
    words = _JOINED.sub(" ", text).strip()
    return words.isascii() and PLAIN.fullmatch(words) is not None and all(map(english, words.split()))


def identifying(name: str) -> list[Finding]:
    """Return the secrets and e-mail addresses in an identifier."""
    return find_secrets(name) + [f for f in find_structured(name) if f.entity == "EMAIL_ADDRESS"]


class Collector(Sink):
    """The sink of the first pass: it records each string, and returns it unchanged."""

    def __init__(self, policy: Policy) -> None:
        demand_packages()
        self._policy = policy
        self.collected = CollectedStrings()
        self.form = self.collected.form
        """The attributes that the style sheets of all recordings select by and show. All are read before any other
        event.
        """
        self.reel = 0
        """The number of the current recording: ids of documents and nodes are unique within one recording."""
        self._captions: set[str] = set()
        """Words in the captions of controls, in lower case."""
        self._fragments: dict[tuple[str, Slot], None] = {}
        """Fragments of URLs. Which of them name an element is known at the end."""
        self._addresses: dict[tuple[str, Slot], Callable[[], None]] = {}
        """Values that may be URLs of the site → the function that adds one as a value. Which are URLs of the site is
        known at the end.
        """

    def text(self, text: str, slot: Slot) -> str:
        if slot.channel in _CAPTIONS:
            self._captions.update(w.lower() for w in WORDS.findall(text))
        self._note(text, slot, "text")
        return text

    def code(self, text: str, slot: Slot) -> str:
        self._note(text, slot, "code")
        return text

    def run(self, pieces: Sequence[str], slot: Slot) -> list[str]:
        found = groups(pieces)
        said = ["".join(group) for group in found]
        if (name := name_before_date(said)) is not None:
            self._note(name, slot._replace(label=USER_NAME), "text")
        for group, text in zip(found, said, strict=True):
            self._note(text, slot, "text")
            if len(group) > 1:
                for piece in group:
                    self._note(piece, slot, "text")
        self.collected.vocabulary.update(w.lower() for w in WORDS.findall(" ".join(pieces)))
        return list(pieces)

    def listing(self, pieces: Sequence[str], slot: Slot, written: bool) -> list[str]:
        code = "".join(pieces)
        self._note(code, slot, "code")
        for start, end, label in passages(code):
            self._note(code[start:end], slot._replace(label=label), "text")
        for name in _NAME_OF_CODE.findall(code):
            for f in find_in_name(name):
                self.collected.found.setdefault((spaced(name[f.start : f.end]), f.entity), slot.channel)
        if not written:
            self.collected.vocabulary.update(w.lower() for w in WORDS.findall(code))
        return list(pieces)

    def keep(self, text: str, slot: Slot) -> str:
        if slot.channel == "dom.attribute.class":
            self.collected.classes.update(text.split())
        if slot.channel.endswith(_CALLED) and text:
            self.collected.ids.add(text)
        if (
            slot.channel.startswith(_SEARCHED)
            and len(text) > 5
            and (text, slot.channel) not in self.collected.searched
            and not self._public_attribute(text, slot.channel)
        ):
            self.collected.searched.add((text, slot.channel))
            for f in (*(identifying(text) if slot.channel != "css name" else ()), *find_in_name(text)):
                found = text[f.start : f.end]
                self.collected.found.setdefault(
                    (spaced(found) if f.entity == "PERSON" else found, f.entity), slot.channel
                )
        return text

    def program_name(self, text: str, slot: Slot) -> str:
        return self.keep(text, slot._replace(channel="css name"))

    def _public_attribute(self, text: str, channel: str) -> bool:
        """Return whether an attribute's value is not personal: a rule of the user's allows it, or it is the geometry
        of a drawing.
        """
        name = channel.removeprefix("dom.attribute.").lower()
        return self._policy.rule("attribute", name) == "allow" or bool(
            (name in _SHAPES or channel.startswith("resource.")) and _SHAPE.fullmatch(text)
        )

    def value(self, text: str, slot: Slot) -> str:
        if not text.strip():
            return text
        fresh = self._words_not_shown(text)
        if looks_like_address(text):
            self._addresses.setdefault((text, slot), lambda: self._add_value(text, slot, fresh))
        else:
            self._add_value(text, slot, fresh)
        return text

    def _words_not_shown(self, text: str) -> frozenset[str]:
        """Return the words of a text, in lower case, that the page had not shown before."""
        return frozenset({w.lower() for w in WORDS.findall(text)} - self.collected.vocabulary - self._captions)

    def _add_value(self, text: str, slot: Slot, fresh: frozenset[str]) -> None:
        if is_colour(text):
            return
        if is_code(text, slot.label):
            self.listing([text], slot, written=True)
            return
        self._note(text, slot, "text")
        self.collected.values.setdefault((text, slot.label), (slot.channel, fresh))

    def typed(self, text: str, slot: Slot, node: tuple[int, int]) -> str:
        """Record a control's value. Of a series of prefixes, which typing produces, only the longest is a value of
        its own.
        """
        text = text.replace(NO_BREAK, " ")
        series = self.collected.typed.setdefault((self.reel, *node), [])
        series.append(text)
        previous = series[-2] if len(series) > 1 else ""
        if previous and text.startswith(previous):
            self.collected.values.pop((previous, slot.label), None)
            self.collected.texts.pop((previous, slot.label, "text"), None)
        if text.strip() and not (previous and previous.startswith(text)):
            # Typed text is no URL of the site, whatever it looks like.
            self._add_value(text, slot, self._words_not_shown(text))
        return text

    def leaf(self, text: str, slot: Slot) -> str:
        if is_address(text):
            return self.url(text, slot)
        of_program = slot.channel == "response.body" and self.collected.translations.holds(text)
        self._note(text, Slot(slot.channel) if of_program else slot, "text" if len(text) < 20_000 else "code")
        return text

    def message(self, text: str, slot: Slot) -> str:
        if is_address(text):
            return self.leaf(text, slot)
        self.collected.messages.setdefault(text)
        self._note(text, Slot(slot.channel), "text")
        return text

    def secret(self, text: str, slot: Slot) -> str:
        if slot.channel == "dom.hidden" and looks_like_address(text):
            self._addresses.setdefault((text, slot), lambda: self._hide(text, slot))
        elif (
            slot.channel == "dom.hidden"
            and (_everyday(text) or _AMOUNT.fullmatch(text.strip()))
            and entity_of_label(slot.label) in (None, "VALUE", "TITLE")
        ):
            self._add_value(
                text, slot, self._words_not_shown(text)
            )  # a repeated search or an amount: credentials are no such words
        else:
            self._hide(text, slot)
        return text

    def _hide(self, text: str, slot: Slot) -> None:
        pieces = [text]
        if slot.label in ("cookie", "set-cookie"):
            pairs = re.split(r";\s*|,\s*(?=[^;,\s]+=)", text) if slot.label == "cookie" else [text.partition(";")[0]]
            pieces = [p.partition("=")[2] for p in pairs]
        elif " " in text:
            pieces = [text.partition(" ")[2]]
        for piece in pieces:
            piece = piece.strip().strip('"')
            if len(piece) >= 4:
                self.collected.secrets.setdefault(piece, slot.channel)

    def url(self, text: str, slot: Slot) -> str:
        def mask(piece: str, what: str) -> str:
            if what == "data":
                return rewrite_data_url(piece, self, slot, block=self._policy.images != "keep")
            here = Slot(f"{slot.channel} {what.partition(' ')[0]}", what.partition(" ")[2])
            if what in ("segment", "token"):
                self.collected.segments.add(piece)
                for f in find_secrets(piece) if len(piece) >= _TOKEN else ():
                    self.collected.found.setdefault((piece[f.start : f.end], f.entity), here.channel)
            if what == "userinfo":
                self.collected.secrets.setdefault(piece, here.channel)
            elif what == "key":
                self._note(piece, here._replace(label=""), "code")
            elif what.startswith("parameter ") and self._policy.rule("parameter", here.label) == "allow":
                pass  # a rule of the user's allows it
            elif what == "parameter " and piece.isdigit() and len(piece) < _CACHED:
                pass  # a number against caching: masked in its place
            elif what == "fragment":
                self._fragments.setdefault((piece, here))
            elif what in ("token", "mailto", "tel", "sms") or what.startswith("parameter "):
                label = {"mailto": "email", "tel": "phone", "sms": "phone"}.get(what, here.label)
                self.value(piece, here._replace(label=label))
            else:
                self._note(spoken(piece), here, "slug")
            return piece

        rewrite_url(text, mask)
        for package in _PACKAGE.finditer(text):
            self.collected.packages.update(w.lower() for w in WORDS.findall(package[0]) if len(w) > _SHORT)
        if "://" in text:
            self.collected.hosts.add(host := host_of(text))
            for f in find_in_host(host):
                self.collected.found.setdefault((spaced(host[f.start : f.end]), f.entity), f"{slot.channel} host")
        return text

    def css(self, text: str, slot: Slot) -> str:
        rewrite_css(text, lambda t: self.text(t, slot), lambda u: self.url(u, slot), lambda t: t, self._css_name)
        return text

    def _css_name(self, name: str) -> str:
        self.collected.sheet_names.add(name.lower())
        return self.keep(name, Slot("css name"))

    def learn_software(self, name: str) -> None:
        self.collected.software.add(name)

    def learn_siblings(self, texts: Sequence[str]) -> None:
        self.collected.groups.add([(text, "", "text") for text in texts])

    def learn_catalogue(self, strings: Sequence[str]) -> None:
        self.collected.translations.learn(strings)

    def is_translation_string(self, text: str) -> bool:
        return self.collected.translations.holds(text)

    def resource(self, sha256: str, slot: Slot) -> str | None:
        self.collected.usages.setdefault(sha256, set()).add(slot.channel)
        return sha256

    def _resolve_addresses(self) -> None:
        """Decide which collected values that look like URLs are URLs of the site. These are masked piece by piece,
        and a piece that no other URL of the site has becomes a value.
        """
        known = frozenset(self.collected.segments)
        while self._addresses:  # a parameter of a URL may be a URL
            (text, slot), as_value = self._addresses.popitem()
            if not of_the_site(text, self.collected.hosts, known) or (text, slot.label) in self.collected.values:
                as_value()
                continue
            self.url(text, slot)
            for piece in segments(text):
                if piece not in known:
                    self.value(piece, slot)
        self.collected.segments = set(known)

    def _resolve_fragments(self) -> None:
        for piece, here in self._fragments:
            if piece not in self.collected.ids:
                self.value(piece, here)
        self._fragments.clear()

    def _note(self, text: str, slot: Slot, kind: str) -> None:
        if text and not text.isspace():
            key = (text, slot.label, kind)
            if key not in self.collected.texts or self.collected.texts[key] in OF_THE_TEST:
                self.collected.texts[key] = slot.channel
                self._note_segments(text, slot)
            self.collected.groups.note(key)

    def _note_segments(self, text: str, slot: Slot) -> None:
        """Record the path segments of the site's URLs within a text, which are masked there in the same way as in the
        URLs themselves.
        """

        def note(piece: str, what: str) -> str:
            if what == "segment":
                self._note(spoken(piece), Slot(slot.channel), "slug")
            return piece

        for start, end in within_text(text) if "://" in text else ():
            rewrite_url(text[start:end], note)

    def freeze(self, progress: Callable[[int, int], None] | None = None) -> Knowledge:
        """Ask the detector about every text, and return the known values and findings.

        :raises SetupError: a language model is missing.
        """
        while self._fragments or self._addresses:  # either may add to the other
            self._resolve_fragments()
            self._resolve_addresses()
        return KnowledgeBuilder(self.collected, self._policy).build(progress)
