"""Collect every string of a recording with its role, ask the detector once about all of them, and learn the known values.

Nothing is changed here. The result is frozen: the known values, and the findings of each text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pagereel.errors import PolicyError

from ..content.controls import is_handle, is_language
from ..content.css import rewrite_css
from ..content.form import SheetForm
from ..content.hosts import find_in_host
from ..content.identifiers import find_in_name
from ..content.markup import rewrite_data_url
from ..content.sibling_groups import speak_of_people
from ..content.site_addresses import (
    host_of,
    is_address,
    is_xml_namespace,
    looks_like_address,
    of_the_site,
    segments,
    within_text,
)
from ..content.text_masker import USER_NAME
from ..content.urls import rewrite_url
from ..contracts.packages import demand_packages
from ..contracts.policy import Policy, plain
from ..contracts.sink import Slot
from ..contracts.types import Finding, TextContext
from ..detect import pool
from ..detect.cross_text.everyday import everyday_words
from ..detect.cross_text.siblings import SiblingGroups, weigh_by_siblings
from ..detect.cross_text.translation_files import TranslationStrings
from ..detect.cues.context import entity_of_label
from ..detect.cues.name_completion import adjacent_unknown_words
from ..detect.public_names import (
    PublicNames,
    captions,
    columns_of,
    counted_things,
    even_columns,
    even_numbers,
    is_public,
    site_names,
    software,
    thing_words,
)
from ..detect.recognizers import Recognizers
from ..detect.shapes.people import spaced
from ..detect.shapes.secrets import find_secrets
from ..detect.shapes.structured import find_structured
from ..detect.source_code import is_query, passages, reads_as_code
from ..normalise.spelled import squeeze
from ..values.known_values import SHORTEST, KnownValues
from ..words.english import english
from ..words.programs import is_file, nobodys_name
from ..words.words import UI_WORDS, common_words, given_names

_NAMED = frozenset({"PERSON", "ORGANIZATION", "LOCATION", "NRP", "ADDRESS"})
_MAY_BE_A_FILE = _NAMED | {"USERNAME"}
_CALLED_SO = _NAMED | {"TITLE"}
"""What a site may be called, or a part of its name be taken for."""
_TITLES = frozenset({"dom.title", "document.title"})
_AGENT = re.compile(r"\w+\.agent")
"""Where an agent's name stands. What it is called after, a coding agent or a buyer, is what a program does and nobody's position."""
Key = tuple[str, str]
"""A text and its label, and so what the detector was asked."""
_WORDS = re.compile(r"[^\W_]+")
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
"""Where what is kept is kept for styles and scripts, but for a secret or an e-mail address in it."""
_CAPTIONS = frozenset(
    {"dom.caption", *(f"dom.attribute.{name}" for name in ("alt", "aria-label", "placeholder", "title"))}
)
"""Where a control says what it is."""
_CALLED = (".id", ".name")
"""Attributes that a fragment may ask for."""
_NAME_OF_CODE = re.compile(r"[^\W\d]\w{5,}")
"""A name in a program that may hold somebody's."""
_SHAPE = re.compile(r"[MmLlHhVvCcSsQqTtAaZzEe\d\s,.;+-]*")
"""Paths, points and times of a drawing: long, and in no need of a search."""
_SHAPES = frozenset(["d", "points", "path", "values", "keytimes", "keysplines", "viewbox"])
_COLOUR = re.compile(r"#(?=[0-9]*[a-fA-F])(?:[0-9a-fA-F]{3,4}){1,2}")
"""A text that is a colour and nothing else; of digits alone it may be a number of somebody's."""
_LINES = 2
"""Ends of lines in a value from which on it may be a program: one line may be a password, a name, a note."""
_PLAIN = re.compile(r"[a-z]+(?: [a-z]+)?|\d{1,4}0")
"""A choice or a search: small words, a round number."""
_AMOUNT = re.compile(r"-?\d{1,3}[.,]\d|-?\d{1,2}[.,]\d\d|-?\d{1,3}")
"""A number of fewer digits than anybody's: it stands everywhere, as a version and a length too."""
_SUM = re.compile(r"\d{1,5}[.,]\d\d")
"""A sum of money: nobody's telephone has so few digits, and two behind a point."""
_PACKAGE = re.compile(r"(?<=/npm/)(?:@[a-z][\w.-]*/)?[a-z][\w.-]*|(?<=/node_modules/)(?:@[a-z][\w.-]*/)?[a-z][\w.-]*")
"""A package's name in an address, its scope with it."""
NO_BREAK = "\xa0"
"""What an editor puts at the end of a text for a space, until something stands behind it."""
_SHORT = 3
_TOKEN = 16
"""Characters of a segment of a path from which on it may be a token, whose shape the reading as words would lose."""
_CACHED = 9
"""Digits of a query without ``=`` below which it is no number of anybody's."""


def _everyday(text: str) -> bool:
    """Return whether a text is one or two common words in small letters."""
    return text.isascii() and _PLAIN.fullmatch(text) is not None and all(map(english, text.split()))


def _is_nobodys_language(text: str) -> bool:
    """Return whether a text is the name of a language that is no name of a person."""
    return is_language(text) and not any(word.lower() in given_names() for word in _WORDS.findall(text))


PROSE_URL = re.compile(r"[-_.+~]")
OF_THE_TEST = frozenset({"call.source"})
"""Where the program speaks that ran the browser: an address in it is looked for, and told there, but is no value of the page."""


@dataclass(slots=True)
class Knowledge:
    """The frozen result of the first pass."""

    values: KnownValues
    findings: dict[tuple[str, str, str], list[Finding]]
    typed: dict[tuple[int, int, int], list[str]]
    """Recording, document and node → what a person typed there, value after value."""
    usages: dict[str, set[str]]
    form: SheetForm
    hosts: frozenset[str] = frozenset()
    """Hosts of the recorded site: their addresses in a text are masked piece by piece."""
    segments: frozenset[str] = frozenset()
    """Segments of the paths of its addresses: a value that begins with one is an address too."""
    ids: frozenset[str] = frozenset()
    """What elements are called by: a fragment that names one is masked as its name is."""
    words: frozenset[str] = frozenset()
    """Words of all texts, in lower case, where the policy wants names as stand-ins: none of them becomes one."""
    shown: frozenset[str] = frozenset()
    """Words of what the pages say, and what they call themselves and their program, in lower case."""
    seen: Counter[str] = field(default_factory=Counter)
    """Findings by entity and channel, for the report: ``channel|entity`` → texts."""
    catalogue: TranslationStrings = field(default_factory=TranslationStrings)
    """Strings of the program's translation files."""
    unread: tuple[str, ...] = ()
    """Where the detector failed, for each text that it could not read and that is masked whole."""


class Collector:
    """The sink of the first pass: it remembers each string, and returns it unchanged."""

    def __init__(self, policy: Policy) -> None:
        demand_packages()
        self._policy = policy
        self.form = SheetForm()
        """What the style sheets of all recordings ask for; learned before any of them is read."""
        self._texts: dict[tuple[str, str, str], str] = {}
        self._values: dict[tuple[str, str], tuple[str, frozenset[str]]] = {}
        self._secrets: dict[str, str] = {}
        self._typed: dict[tuple[int, int, int], list[str]] = {}
        self.reel = 0
        """Number of the recording that is being read: those of documents and nodes are its own."""
        self._usages: dict[str, set[str]] = {}
        self._vocabulary: set[str] = set()
        self._hosts: set[str] = set()
        self._found: dict[tuple[str, str], str] = {}
        self._searched: set[tuple[str, str]] = set()
        self._packages: set[str] = set()
        """Words of packages' names in addresses, in lower case."""
        self._segments: set[str] = set()
        self._classes: set[str] = set()
        self._software: set[str] = set()
        self._ids: set[str] = set()
        self._groups = SiblingGroups()
        self._catalogue = TranslationStrings()
        self.hashes: set[str] = set()
        """Hashes of the recorded resources: the recording has them by itself, and a page may show the same one (``[]``, hashed)."""
        self._captions: set[str] = set()
        """Words of what controls are called in attributes, in lower case."""
        self._sheet_names: set[str] = set()
        """Identifiers of style sheets, in lower case."""
        self._fragments: dict[tuple[str, Slot], None] = {}
        """Fragments of addresses. Which of them name an element is known at the end."""
        self._addresses: dict[tuple[str, Slot], Callable[[], None]] = {}
        """Values that may be addresses of the site → how to take one in that is none. Which they are is known at the end."""

    def text(self, text: str, slot: Slot) -> str:
        if slot.channel in _CAPTIONS:
            self._captions.update(w.lower() for w in _WORDS.findall(text))
        self._note(text, slot, "text")
        return text

    def code(self, text: str, slot: Slot) -> str:
        self._note(text, slot, "code")
        return text

    def run(self, pieces: Sequence[str], slot: Slot) -> list[str]:
        found = groups(pieces)
        said = ["".join(group) for group in found]
        if (name := author(said)) is not None:
            self._note(name, slot._replace(label=USER_NAME), "text")
        for group, text in zip(found, said, strict=True):
            self._note(text, slot, "text")
            if len(group) > 1:
                for piece in group:
                    self._note(piece, slot, "text")
        self._vocabulary.update(w.lower() for w in _WORDS.findall(" ".join(pieces)))
        return list(pieces)

    def listing(self, pieces: Sequence[str], slot: Slot, written: bool) -> list[str]:
        code = "".join(pieces)
        self._note(code, slot, "code")
        for start, end, label in passages(code):
            self._note(code[start:end], slot._replace(label=label), "text")
        for name in _NAME_OF_CODE.findall(code):
            for f in find_in_name(name):
                self._found.setdefault((spaced(name[f.start : f.end]), f.entity), slot.channel)
        if not written:
            self._vocabulary.update(w.lower() for w in _WORDS.findall(code))
        return list(pieces)

    def keep(self, text: str, slot: Slot) -> str:
        if slot.channel == "dom.attribute.class":
            self._classes.update(text.split())
        if slot.channel.endswith(_CALLED) and text:
            self._ids.add(text)
        if (
            slot.channel.startswith(_SEARCHED)
            and len(text) > 5
            and (text, slot.channel) not in self._searched
            and not self._public_attribute(text, slot.channel)
        ):
            self._searched.add((text, slot.channel))
            for f in (*(identifying(text) if slot.channel != "css name" else ()), *find_in_name(text)):
                found = text[f.start : f.end]
                self._found.setdefault((spaced(found) if f.entity == "PERSON" else found, f.entity), slot.channel)
        return text

    def program_name(self, text: str, slot: Slot) -> str:
        return self.keep(text, slot._replace(channel="css name"))

    def _public_attribute(self, text: str, channel: str) -> bool:
        """Return whether an attribute's value is not personal: the user's rules allow it, or it is a shape."""
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
        return frozenset({w.lower() for w in _WORDS.findall(text)} - self._vocabulary - self._captions)

    def _add_value(self, text: str, slot: Slot, fresh: frozenset[str]) -> None:
        if is_colour(text):
            return
        if is_code(text, slot.label):
            self.listing([text], slot, written=True)
            return
        self._note(text, slot, "text")
        self._values.setdefault((text, slot.label), (slot.channel, fresh))

    def typed(self, text: str, slot: Slot, node: tuple[int, int]) -> str:
        """Remember a control's value. Of a series of prefixes, as somebody types, only the longest is a value of its own."""
        text = text.replace(NO_BREAK, " ")
        series = self._typed.setdefault((self.reel, *node), [])
        series.append(text)
        previous = series[-2] if len(series) > 1 else ""
        if previous and text.startswith(previous):
            self._values.pop((previous, slot.label), None)
            self._texts.pop((previous, slot.label, "text"), None)
        if text.strip() and not (previous and previous.startswith(text)):
            # Whatever it looks like: what a person typed is no address of the site.
            self._add_value(text, slot, self._words_not_shown(text))
        return text

    def leaf(self, text: str, slot: Slot) -> str:
        if is_address(text):
            return self.url(text, slot)
        of_program = slot.channel == "response.body" and self._catalogue.holds(text)
        self._note(text, Slot(slot.channel) if of_program else slot, "text" if len(text) < 20_000 else "code")
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
            )  # a search repeated for the next page, an amount; a credential is no such word
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
                self._secrets.setdefault(piece, slot.channel)

    def url(self, text: str, slot: Slot) -> str:
        def mask(piece: str, what: str) -> str:
            if what == "data":
                return rewrite_data_url(piece, self, slot, block=self._policy.images != "keep")
            here = Slot(f"{slot.channel} {what.partition(' ')[0]}", what.partition(" ")[2])
            if what in ("segment", "token"):
                self._segments.add(piece)
                for f in find_secrets(piece) if len(piece) >= _TOKEN else ():
                    self._found.setdefault((piece[f.start : f.end], f.entity), here.channel)
            if what == "userinfo":
                self._secrets.setdefault(piece, here.channel)
            elif what == "key":
                self._note(piece, here._replace(label=""), "code")
            elif what.startswith("parameter ") and self._policy.rule("parameter", here.label) == "allow":
                pass  # the user says that it is public
            elif what == "parameter " and piece.isdigit() and len(piece) < _CACHED:
                pass  # what keeps a file from being cached: masked in its place
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
            self._packages.update(w.lower() for w in _WORDS.findall(package[0]) if len(w) > _SHORT)
        if "://" in text:
            self._hosts.add(host := host_of(text))
            for f in find_in_host(host):
                self._found.setdefault((spaced(host[f.start : f.end]), f.entity), f"{slot.channel} host")
        return text

    def css(self, text: str, slot: Slot) -> str:
        rewrite_css(text, lambda t: self.text(t, slot), lambda u: self.url(u, slot), lambda t: t, self._css_name)
        return text

    def _css_name(self, name: str) -> str:
        self._sheet_names.add(name.lower())
        return self.keep(name, Slot("css name"))

    def drop(self, text: str, slot: Slot) -> str:
        return ""

    def software(self, name: str) -> None:
        self._software.add(name)

    def siblings(self, texts: Sequence[str]) -> None:
        self._groups.add([(text, "", "text") for text in texts])

    def catalogue(self, strings: Sequence[str]) -> None:
        self._catalogue.learn(strings)

    def is_translation_string(self, text: str) -> bool:
        return self._catalogue.holds(text)

    def rule(self, kind: str, name: str) -> str | None:
        return self._policy.rule(kind, name)

    def resource(self, sha256: str, slot: Slot) -> str | None:
        self._usages.setdefault(sha256, set()).add(slot.channel)
        return sha256

    def usages(self) -> dict[str, set[str]]:
        """Return for each resource, by its hash, the channels that name it."""
        return self._usages

    def _own(self, url: str) -> bool:
        return url.startswith("/") or host_of(url) in self._hosts

    def _is_own(self, found: str) -> bool:
        """Return whether a finding is an address of the site, whatever entity a model gave it. As a known value it would be searched for in every address."""
        return looks_like_address(found) and host_of(found) in self._hosts

    def _resolve_addresses(self) -> None:
        """Decide which values that look like addresses are the site's: these are masked piece by piece. A piece of no other address of the site is a value."""
        known = frozenset(self._segments)
        while self._addresses:  # a parameter of one may be one
            (text, slot), as_value = self._addresses.popitem()
            if not of_the_site(text, self._hosts, known) or (text, slot.label) in self._values:
                as_value()
                continue
            self.url(text, slot)
            for piece in segments(text):
                if piece not in known:
                    self.value(piece, slot)
        self._segments = set(known)

    def _resolve_fragments(self) -> None:
        for piece, here in self._fragments:
            if piece not in self._ids:
                self.value(piece, here)
        self._fragments.clear()

    def _note(self, text: str, slot: Slot, kind: str) -> None:
        if text and not text.isspace():
            key = (text, slot.label, kind)
            if key not in self._texts or self._texts[key] in OF_THE_TEST:
                self._texts[key] = slot.channel
                self._note_segments(text, slot)
            self._groups.note(key)

    def _note_segments(self, text: str, slot: Slot) -> None:
        """Note the segments of the site's addresses within a text, which are masked there as in the addresses themselves."""

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
        while self._fragments or self._addresses:  # one may hold the other
            self._resolve_fragments()
            self._resolve_addresses()
        keys = list(self._texts)
        failed: list[str] = []
        contexts = [
            TextContext(label, "code" if kind == "text" and self._catalogue.holds(text) else kind)
            for text, label, kind in keys
        ]
        results = pool.find([k[0] for k in keys], contexts, progress, Recognizers.of(self._policy), failed)
        if failed and pool.UNREAD in self._policy.allowed_entities():
            raise PolicyError(
                f"{pool.sentence(failed)} The policy leaves {pool.UNREAD} as it is: without that rule they can be masked."
            )
        findings = dict(zip(keys, results, strict=True))
        values = KnownValues(
            allowed=frozenset(self._policy.values("allow")), allowed_entities=self._policy.allowed_entities()
        )
        seen: Counter[str] = Counter()
        titles = [t for (t, _, _), channel in self._texts.items() if channel in _TITLES]
        hosts = self._hosts if self._policy.hosts == "keep" else ()
        own = site_names(titles) | software(self._software, self._classes, self._segments, hosts, titles)
        own |= {word for word in self._packages if word.isalpha() and word not in given_names()}
        public = PublicNames(own | thing_words(findings))
        for key, found in findings.items():
            findings[key] = [
                f._replace(entity="URL") if f.entity != "SECRET" and self._is_own(key[0][f.start : f.end]) else f
                for f in found
            ]
        agents = frozenset(
            _spelled(name) for (text, _, _), channel in self._texts.items() if _AGENT.fullmatch(channel) for name in (text, *text.split(", "))
        )  # fmt: skip
        for key, found in findings.items():
            kept = [
                f
                for f in found
                if not (f.entity == "TITLE" and _spelled(key[0][f.start : f.end]) in agents)
                and f.entity not in values.allowed_entities
                and plain(key[0][f.start : f.end]).casefold() not in values.allowed
                and (f.entity not in _CALLED_SO or not is_public(key[0][f.start : f.end], public))
                and not (f.entity in _MAY_BE_A_FILE and is_file(key[0][f.start : f.end]))
                and not (f.entity == "PHONE_NUMBER" and _SUM.fullmatch(key[0][f.start : f.end]))
                and not is_colour(key[0])
                and not self._catalogue.explains(key[0], f)
                and not (f.entity in _CALLED_SO and _is_nobodys_language(key[0]))
                and (f.entity != "USERNAME" or key[0][f.start : f.end].casefold() not in self._packages)
            ]
            if len(kept) < len(found):
                findings[key] = kept
        columns = columns_of(key for key in findings if key[:2] not in self._values)
        findings.update(
            weigh_by_siblings(
                [*self._groups.groups(), *(c for c in columns if not speak_of_people([c[0][1]], []))], findings
            )
        )
        for even in (captions, counted_things, even_numbers, even_columns):
            findings.update(even(findings))
        everyday = everyday_words(text for text, _, kind in findings if kind == "text")
        for key, found in findings.items():
            text, label, _ = key
            channel = self._texts[key]
            for f in found:
                if f.entity == "URL" and (
                    self._own(text[f.start : f.end])
                    or channel in OF_THE_TEST
                    or is_xml_namespace(text[f.start : f.end])
                ):
                    continue
                seen[f"{channel}|{f.entity}"] += 1
                if text[f.start : f.end] in self.hashes:
                    values.structural += 1  # masked where a page shows it
                    continue
                if key[2] == "slug" and f.entity not in ("SECRET", "EMAIL_ADDRESS"):
                    values.structural += 1  # "sedge-planter" may be a name or a plant pot: masked here, not everywhere
                    continue
                labelled = bool(label) and f.entity == "DATE_TIME" and entity_of_label(label) == "DATE_TIME"
                of_pages = everyday if f.entity == "PERSON" and not label_says(label) else frozenset()
                values.add(squeeze(text[f.start : f.end]), "ID" if labelled else f.entity, channel, of_pages)
        for (text, label), (channel, fresh) in self._values.items():
            seen[f"{channel}|VALUE"] += 1
            self._know_value(values, findings, text, label, channel, fresh, public)
        for (text, entity), channel in self._found.items():
            values.add(text, entity, channel)
        for text, channel in self._secrets.items():
            seen[f"{channel}|SECRET"] += 1
            values.add(text, "SECRET", channel)
        for text in self._policy.values("mask").values():
            values.insist(text, "VALUE", "policy")
        self._know_others(values, public)
        self._know_prefixes(values)
        return Knowledge(
            values.freeze(),
            findings,
            self._typed,
            self._usages,
            self.form,
            frozenset(self._hosts),
            frozenset(self._segments),
            frozenset(self._ids),
            self._words() if self._policy.stand_ins == "names" else frozenset(),
            frozenset(self._vocabulary | own),
            seen,
            self._catalogue,
            tuple(failed),
        )

    def _words(self) -> frozenset[str]:
        return frozenset(w.lower() for text, _, _ in self._texts for w in _WORDS.findall(text) if w.isalpha())

    def _know_value(
        self,
        values: KnownValues,
        findings: dict[tuple[str, str, str], list[Finding]],
        text: str,
        label: str,
        channel: str,
        fresh: frozenset[str],
        public: PublicNames,
    ) -> None:
        """Add a value that is private by its place to the values that are searched for elsewhere.

        Not added is a value of words that the page had shown before, or of one or two small words without a finding: a search for "red lamp" must
        not turn every lamp of the shop into a stand-in.
        """
        found = findings.get((text, label, "text"), [])
        entity = entity_of_label(label) if label else None
        if entity == "TITLE" or (entity == "AGE" and not any(map(str.isdigit, text))):
            entity = "VALUE"  # as one of those it would be looked for nowhere else, and here somebody wrote it
        elif entity in (None, "VALUE"):
            whole = next((f.entity for f in found if (f.end - f.start) * 10 >= len(text.strip()) * 9), None)
            entity = whole or "VALUE"
        if entity == "DATE_TIME":
            entity = "ID"
        if entity in _NAMED and not label_says(label) and is_public(text, public):
            entity = "VALUE"
        plain = entity == "VALUE" and (bool(_PLAIN.fullmatch(text.strip())) or self._is_of_interface(text))
        if entity != "VALUE" or (not plain and any(w not in UI_WORDS and len(w) > 2 for w in fresh)):
            values.add(text, entity, channel)
        else:
            values.structural += 1

    def _is_of_interface(self, text: str) -> bool:
        """Return whether a value is a string or a word of a translation file, or consists of names from style sheets that are common words."""
        small = text.strip().lower()
        return (
            self._catalogue.holds(text)
            or small in self._catalogue.words
            or (small in self._sheet_names and all(map(nobodys_name, _WORDS.findall(small))))
        )

    def _know_others(self, values: KnownValues, public: PublicNames) -> None:
        """Add the other half of names of which one part is known."""
        texts = [(text, kind == "slug") for text, _, kind in self._texts] + [(text, True) for text, _ in self._searched]
        named = {
            w.lower()
            for text, label in self._values
            if label and entity_of_label(label) == "PERSON"
            for w in _WORDS.findall(text)
            if len(w) >= SHORTEST and w.isalpha() and w.lower() not in common_words()
        }
        parts: set[str] = set()
        for _ in range(2):  # what stands beside a known part is known in the second round
            before = parts
            parts = named | {
                w.lower() for v in values if v.entity == "PERSON" and len(w := v.text) >= SHORTEST and w.isalpha()
            }
            if parts == before:
                break
            for first, last in adjacent_unknown_words(texts, parts):
                if not any(is_public(w, public) for w in (first, last)):
                    values.add(f"{first} {last}", "PERSON", "beside a known name")

    def _know_prefixes(self, values: KnownValues) -> None:
        """Add the beginnings of typed values: a page may echo them before the value is complete."""
        whole = {v.text.casefold(): v for v in values}
        for series in self._typed.values():
            for text in series:
                if len(text) < 6:
                    continue
                final = next((t for t in reversed(series) if t.startswith(text) and t != text), None)
                if final is not None and " ".join(final.split()).casefold() in whole:
                    known = whole[" ".join(final.split()).casefold()]
                    values.add_part(text, known)


def label_says(label: str) -> bool:
    """Return whether a label says what its value is."""
    return bool(label) and entity_of_label(label) not in (None, "VALUE")


def is_colour(text: str) -> bool:
    """Return whether a text is a colour and nothing else. A colour is form, and stays wherever it stands."""
    return _COLOUR.fullmatch(text.strip()) is not None


def is_code(value: str, label: str) -> bool:
    """Return whether a value is source code, by itself and by its label: a query that an address repeats, a program of several lines."""
    return not label_says(label) and (is_query(value) or (value.count("\n") >= _LINES and reads_as_code(value)))


def identifying(name: str) -> list[Finding]:
    """Return the secrets and e-mail addresses in an identifier."""
    return find_secrets(name) + [f for f in find_structured(name) if f.entity == "EMAIL_ADDRESS"]


def groups(pieces: Sequence[str]) -> list[list[str]]:
    """Split adjacent texts into groups that are each read as one text.

    ``Pri`` and ``ya`` are one group, and so are ``Hello `` and ``Anna``. ``Anna`` and ``Berlin`` without a space between them are two cells that a
    style sheet keeps apart.
    """
    out: list[list[str]] = []
    for piece in pieces:
        if out and not _apart(out[-1][-1], piece):
            out[-1].append(piece)
        else:
            out.append([piece])
    return out


def author(texts: Sequence[str]) -> str | None:
    """Return the user name before a date that only a style sheet keeps apart from it, or None. The word alone would not be found."""
    by_day = len(texts) == 2 and _DAY.match(texts[1].strip()) is not None
    return texts[0].strip() if by_day and is_handle(texts[0]) else None


_DAY = re.compile(r"(?:\d{1,2}(?:st|nd|rd|th|\.)?[ ][^\W\d_]{3,}|\d{4}-\d\d|\d{1,2}[./]\d{1,2}[./]\d).{0,40}\Z")
_TIME = re.compile(r"\d:\d\d\Z")
_LETTER = re.compile(r"[^\W\d_]")


def _apart(left: str, right: str) -> bool:
    if not left or not right:
        return False
    if len(left) == len(right) == 1:
        return False  # letters that a script sets one by one
    a, b = left[-1], right[0]
    if a.isdigit() and b.isdigit():  # 11:06 and 781 B are two columns, 4111 and 1111 one card
        return bool(_TIME.search(left)) or any(" " in each.strip() and _LETTER.search(each) for each in (left, right))
    if a.isupper() and b.isupper():  # 781 B and Clay
        return right[1:2].islower() and " " in left.strip()
    return (a.isalnum() and b.isalnum()) and (
        (not a.isupper() and b.isupper()) or (a.isdigit() != b.isdigit() and len(left) > 1)
    )


def _spelled(name: str) -> str:
    """Return a name with its words separated by spaces: `coding-agent` and `Coding agent` are equal."""
    return " ".join(_WORDS.findall(name)).casefold()


def spoken(segment: str) -> str:
    """Return a path segment as words, of equal length: ``priya-raghunathan`` becomes two words."""
    return PROSE_URL.sub(" ", segment)
