"""Find the known values among the collected strings: ask the detector, compare findings with each other, and add the values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from pagereel.errors import PolicyError

from ..content.controls import is_language
from ..content.sibling_groups import speak_of_people
from ..content.site_addresses import host_of, is_xml_namespace, looks_like_address
from ..contracts.entities import PLACED
from ..contracts.policy import Policy, plain
from ..contracts.types import Finding, TextContext
from ..detect import pool
from ..detect.cross_text.everyday import everyday_words
from ..detect.cross_text.siblings import weigh_by_siblings
from ..detect.cues.context import entity_of_label
from ..detect.cues.name_completion import adjacent_unknown_words
from ..detect.public_names import (
    PublicNames,
    columns_of,
    even_numbers,
    is_public,
    program_names,
    site_names,
    thing_words,
)
from ..detect.recognizers import Recognizers
from ..normalise.spelled import squeeze
from ..values.known_values import SHORTEST, KnownValues
from ..words.programs import is_file, is_impersonal_word
from ..words.words import UI_WORDS, common_words, given_names
from .failed_answers import readable_messages
from .knowledge import OF_THE_TEST, WORDS, CollectedStrings, Findings, Knowledge
from .text_forms import PLAIN, is_colour, label_says

_MAY_BE_A_FILE = PLACED | {"USERNAME"}
_CALLED_SO = PLACED | {"TITLE"}
"""Entities for which the detector may take the name of a site or a part of it."""
_TITLES = frozenset({"dom.title", "document.title"})
_AGENT = re.compile(r"\w+\.agent")
"""Channels of an agent's name. Agents are named after their task (*buyer*), which is no person's occupation."""
_SUM = re.compile(r"\d{1,5}[.,]\d\d")
"""A sum of money: no telephone number has so few digits with two after a point."""


class KnowledgeBuilder:
    """Builds the :class:`Knowledge` for the second pass from the collected strings."""

    def __init__(self, collected: CollectedStrings, policy: Policy) -> None:
        self._c = collected
        self._policy = policy
        self._values = KnownValues(
            allowed=frozenset(policy.values("allow")), allowed_entities=policy.allowed_entities()
        )
        self._seen: Counter[str] = Counter()

    def build(self, progress: Callable[[int, int], None] | None) -> Knowledge:
        """Ask the detector about every text, and return the known values and findings.

        :raises PolicyError: the detector failed at a text, and the policy leaves such texts as they are.
        :raises SetupError: a language model is missing.
        """
        findings, failed = self._detect(progress)
        own = self._own_names()
        public = PublicNames(own | thing_words(findings))
        self._name_own_addresses(findings)
        self._drop_public(findings, public)
        self._weigh_together(findings)
        self._add_findings(findings)
        for (text, label), (channel, fresh) in self._c.values.items():
            self._seen[f"{channel}|VALUE"] += 1
            self._add_value(findings.get((text, label, "text"), []), text, label, channel, fresh, public)
        for (text, entity), channel in self._c.found.items():
            self._values.add(text, entity, channel)
        for text, channel in self._c.secrets.items():
            self._seen[f"{channel}|SECRET"] += 1
            self._values.add(text, "SECRET", channel)
        for text in self._policy.values("mask").values():
            self._values.insist(text, "VALUE", "policy")
        self._add_other_halves(public)
        self._add_prefixes()
        return Knowledge(
            self._c,
            self._values.freeze(),
            findings,
            self._words() if self._policy.stand_ins == "names" else frozenset(),
            frozenset(self._c.vocabulary | own),
            readable_messages(self._c.messages, self._c.texts, findings),
            self._seen,
            tuple(failed),
        )

    # -- findings --------------------

    def _detect(self, progress: Callable[[int, int], None] | None) -> tuple[Findings, list[str]]:
        """Return the findings of each text, and where the detector failed."""
        keys = list(self._c.texts)
        failed: list[str] = []
        contexts = [
            TextContext(label, "code" if kind == "text" and self._c.translations.holds(text) else kind)
            for text, label, kind in keys
        ]
        results = pool.find([k[0] for k in keys], contexts, progress, Recognizers.of(self._policy), failed)
        if failed and pool.UNREAD in self._policy.allowed_entities():
            raise PolicyError(
                f"{pool.failure_sentence(failed)} The policy leaves {pool.UNREAD} unmasked, so they would be visible; remove that rule."
            )
        return dict(zip(keys, results, strict=True)), failed

    def _name_own_addresses(self, findings: Findings) -> None:
        """Change the type of each finding that is a URL of the site to ``URL``. As a value of another type it would
        be searched for in every URL.
        """

        def is_own(value: str) -> bool:
            return looks_like_address(value) and host_of(value) in self._c.hosts

        for key, found in findings.items():
            findings[key] = [
                f._replace(entity="URL") if f.entity != "SECRET" and is_own(key[0][f.start : f.end]) else f
                for f in found
            ]

    def _own_names(self) -> frozenset[str]:
        """Return the names of the site, its programs and the packages that it loads, in lower case."""
        titles = [text for (text, _, _), channel in self._c.texts.items() if channel in _TITLES]
        hosts = self._c.hosts if self._policy.hosts == "keep" else ()
        own = site_names(titles) | program_names(self._c.software, self._c.classes, self._c.segments, hosts, titles)
        return own | {word for word in self._c.packages if word.isalpha() and word not in given_names()}

    def _drop_public(self, findings: Findings, public: PublicNames) -> None:
        """Drop findings that are public names, that the policy allows, or that are not personal in this recording."""
        agents = frozenset(
            _spelled(name)
            for (text, _, _), channel in self._c.texts.items()
            if _AGENT.fullmatch(channel)
            for name in (text, *text.split(", "))
        )
        for key, found in findings.items():
            kept = [f for f in found if not self._is_public(key[0], f, public, agents)]
            if len(kept) < len(found):
                findings[key] = kept

    def _is_public(self, text: str, f: Finding, public: PublicNames, agents: frozenset[str]) -> bool:
        value = text[f.start : f.end]
        return (
            (f.entity == "TITLE" and _spelled(value) in agents)
            or f.entity in self._values.allowed_entities
            or plain(value).casefold() in self._values.allowed
            or (f.entity in _CALLED_SO and is_public(value, public))
            or (f.entity in _MAY_BE_A_FILE and is_file(value))
            or (f.entity == "PHONE_NUMBER" and _SUM.fullmatch(value) is not None)
            or is_colour(text)
            or self._c.translations.explains(text, f)
            or (f.entity in _CALLED_SO and _is_language_alone(text))
            or (f.entity == "USERNAME" and value.casefold() in self._c.packages)
        )

    def _weigh_together(self, findings: Findings) -> None:
        """Change findings by the other cells of their column, and by the other members of their group."""
        columns = columns_of(key for key in findings if key[:2] not in self._c.values)
        members = [*self._c.groups.groups(), *(c for c in columns if not speak_of_people([c[0][1]], []))]
        findings.update(weigh_by_siblings(members, findings))
        findings.update(even_numbers(findings))

    # -- known values --------------------

    def _add_findings(self, findings: Findings) -> None:
        """Add the values that the detector found in texts."""
        everyday = everyday_words(text for text, _, kind in findings if kind == "text")
        for (text, label, kind), found in findings.items():
            channel = self._c.texts[text, label, kind]
            for f in found:
                value = text[f.start : f.end]
                if f.entity == "URL" and (
                    value.startswith("/")
                    or host_of(value) in self._c.hosts
                    or channel in OF_THE_TEST
                    or is_xml_namespace(value)
                ):
                    continue
                self._seen[f"{channel}|{f.entity}"] += 1
                if value in self._c.hashes:
                    self._values.structural += 1  # masked in its place only
                    continue
                if kind == "slug" and f.entity not in ("SECRET", "EMAIL_ADDRESS"):
                    # "sedge-planter" may be a name or a plant pot: masked here, not everywhere
                    self._values.structural += 1
                    continue
                labelled = bool(label) and f.entity == "DATE_TIME" and entity_of_label(label) == "DATE_TIME"
                of_pages = everyday if f.entity == "PERSON" and not label_says(label) else frozenset()
                self._values.add(squeeze(value), "ID" if labelled else f.entity, channel, of_pages)

    def _add_value(
        self, found: list[Finding], text: str, label: str, channel: str, fresh: frozenset[str], public: PublicNames
    ) -> None:
        """Add a value that is private by its place to the values that are searched for elsewhere.

        Values of words that the page had shown before are not added, nor values of one or two small words without a
        finding: a search for "red lamp" would turn every lamp of the shop into a stand-in.
        """
        entity = entity_of_label(label) if label else None
        if entity == "TITLE" or (entity == "AGE" and not any(map(str.isdigit, text))):
            entity = "VALUE"  # values of these two entities are not searched for elsewhere, but this one was typed
        elif entity in (None, "VALUE"):
            whole = next((f.entity for f in found if (f.end - f.start) * 10 >= len(text.strip()) * 9), None)
            entity = whole or "VALUE"
        if entity == "DATE_TIME":
            entity = "ID"
        if entity in PLACED and not label_says(label) and is_public(text, public):
            entity = "VALUE"
        ordinary = entity == "VALUE" and (bool(PLAIN.fullmatch(text.strip())) or self._is_of_interface(text))
        if entity != "VALUE" or (not ordinary and any(w not in UI_WORDS and len(w) > 2 for w in fresh)):
            self._values.add(text, entity, channel)
        else:
            self._values.structural += 1

    def _is_of_interface(self, text: str) -> bool:
        """Return whether a value is a string or a word of a translation file, or consists of common words that style
        sheets use as names.
        """
        small = text.strip().lower()
        return (
            self._c.translations.holds(text)
            or small in self._c.translations.words
            or (small in self._c.sheet_names and all(map(is_impersonal_word, WORDS.findall(small))))
        )

    def _add_other_halves(self, public: PublicNames) -> None:
        """Add the unknown half of names of which the other half is known."""
        texts = [(text, kind == "slug") for text, _, kind in self._c.texts]
        texts += [(text, True) for text, _ in self._c.searched]
        named = {
            w.lower()
            for text, label in self._c.values
            if label and entity_of_label(label) == "PERSON"
            for w in WORDS.findall(text)
            if len(w) >= SHORTEST and w.isalpha() and w.lower() not in common_words()
        }
        parts: set[str] = set()
        for _ in range(2):  # words beside a known part are known in the second round
            before = parts
            parts = named | {
                w.lower() for v in self._values if v.entity == "PERSON" and len(w := v.text) >= SHORTEST and w.isalpha()
            }
            if parts == before:
                break
            for first, last in adjacent_unknown_words(texts, parts):
                if not any(is_public(w, public) for w in (first, last)):
                    self._values.add(f"{first} {last}", "PERSON", "beside a known name")

    def _add_prefixes(self) -> None:
        """Add the prefixes of typed values: a page may show them before the value is complete."""
        whole = {v.text.casefold(): v for v in self._values}
        for series in self._c.typed.values():
            for text in series:
                if len(text) < 6:
                    continue
                final = next((t for t in reversed(series) if t.startswith(text) and t != text), None)
                if final is not None and (known := whole.get(" ".join(final.split()).casefold())):
                    self._values.add_part(text, known)

    def _words(self) -> frozenset[str]:
        return frozenset(w.lower() for text, _, _ in self._c.texts for w in WORDS.findall(text) if w.isalpha())


def _is_language_alone(text: str) -> bool:
    """Return whether a text is the name of a language, and not also the name of a person."""
    return is_language(text) and not any(word.lower() in given_names() for word in WORDS.findall(text))


def _spelled(name: str) -> str:
    """Return a name in lower case with its words separated by spaces: `coding-agent` and `Coding agent` become equal."""
    return " ".join(WORDS.findall(name)).casefold()
