"""Find the known values among the collected strings: ask the detector, compare findings with each other, and add the values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence

from pagereel.errors import PolicyError

from ..content.form_controls import is_colour, is_language_name
from ..content.sibling_groups import is_about_people
from ..content.site_addresses import is_xml_namespace, looks_like_address, read_host
from ..contracts.entities import PLACED
from ..contracts.findings import Finding, TextContext
from ..contracts.policy import Policy, normalize_spaces
from ..detect import detection_pool
from ..detect.cross_text.repeated_words import find_everyday_words
from ..detect.cross_text.siblings import adjust_by_siblings
from ..detect.cues.label_entities import find_label_entity
from ..detect.cues.name_completion import find_adjacent_unknown_words
from ..detect.public_names import (
    PublicNames,
    find_changes_in_number_columns,
    find_object_words,
    find_program_names,
    find_site_names,
    group_texts_by_column,
    is_public_name,
)
from ..detect.user_recognizers import UserRecognizers
from ..normalise.spelled_text import join_spelled_words
from ..values.known_values import SHORTEST, KnownValues
from ..words.program_names import is_impersonal_file_name, is_impersonal_word
from ..words.word_lists import UI_WORDS, common_words, given_names
from .first_pass_knowledge import OF_THE_TEST, WORDS, CollectedStrings, Findings, FirstPassKnowledge
from .impersonal_error_messages import find_readable_messages
from .text_forms import PLAIN, label_names_entity

_MAY_BE_A_FILE = PLACED | {"USERNAME"}
_CALLED_SO = PLACED | {"TITLE"}
"""Entities for which the detector may take the name of a site or a part of it."""
_TITLES = frozenset({"dom.title", "document.title"})
_AGENT = re.compile(r"\w+\.agent")
"""Channels of an agent's name. Agents are named after their task (*buyer*), which is no person's occupation."""
_SPACED = re.compile(r"\S+")
_SUM = re.compile(r"\d{1,5}[.,]\d\d")
"""A sum of money: no telephone number has so few digits with two after a point."""

_QUOTED_WORD = re.compile(r"""(["'`])([^\W\d_][\w’-]{1,60})\1""")
"""A word alone in quotation marks, in code."""


class KnowledgeBuilder:
    """Builds the :class:`FirstPassKnowledge` for the second pass from the collected strings."""

    def __init__(self, collected: CollectedStrings, policy: Policy) -> None:
        self._c = collected
        self._policy = policy
        self._values = KnownValues(
            allowed=frozenset(policy.find_values_with_action("allow")), allowed_entities=policy.allowed_entities()
        )
        self._seen: Counter[str] = Counter()

    def build(self, progress: Callable[[int, int], None] | None) -> FirstPassKnowledge:
        """Ask the detector about every text, and return the known values and findings.

        :raises PolicyError: the detector failed at a text, and the policy leaves such texts as they are.
        :raises SetupError: a language model is missing.
        """
        findings, failed = self._detect_in_all_texts(progress)
        titles = [text for (text, _, _), channel in self._c.texts.items() if channel in _TITLES]
        site = find_site_names(titles)
        own = site | self._find_program_names(titles)
        public = PublicNames(own | find_object_words(findings))
        self._correct_types(findings)
        self._drop_public_findings(findings, public, site)
        self._adjust_by_columns_and_siblings(findings)
        self._add_findings(findings)
        for (text, label), (channel, fresh) in self._c.values.items():
            self._seen[f"{channel}|VALUE"] += 1
            self._add_private_value(findings.get((text, label, "text"), []), text, label, channel, fresh, public)
        for (text, entity), channel in self._c.found.items():
            self._values.add(text, entity, channel)
        for text, channel in self._c.secrets.items():
            self._seen[f"{channel}|SECRET"] += 1
            self._values.add(text, "SECRET", channel)
        for text in self._policy.find_values_with_action("mask").values():
            self._values.add_always(text, "VALUE", "policy")
        self._add_other_name_halves(public)
        self._add_typed_prefixes()
        return FirstPassKnowledge(
            self._values.freeze(),
            {key: found for key, found in findings.items() if found},
            self._c.form,
            self._c.typed,
            self._c.hosts,
            self._c.segments,
            self._c.ids,
            self._c.translations,
            words=self._collect_all_words() if self._policy.stand_ins == "names" else frozenset(),
            shown=frozenset(self._c.vocabulary | own),
            messages=find_readable_messages(self._c.messages, self._c.texts, findings),
            seen=self._seen,
            unread=tuple(failed),
        )

    # -- findings --------------------

    def _detect_in_all_texts(self, progress: Callable[[int, int], None] | None) -> tuple[Findings, list[str]]:
        """Return the findings of each text, and where the detector failed."""
        keys = list(self._c.texts)
        failed: list[str] = []
        contexts = [
            TextContext(label, "code" if kind == "text" and self._c.translations.contains_string(text) else kind)
            for text, label, kind in keys
        ]
        results = detection_pool.find_personal_data_in_processes(
            [k[0] for k in keys], contexts, progress, UserRecognizers.from_policy(self._policy), failed
        )
        if failed and detection_pool.UNREAD in self._policy.allowed_entities():
            raise PolicyError(
                f"{detection_pool.describe_failures(failed)} The policy leaves {detection_pool.UNREAD} unmasked, so they would be visible; remove that rule."
            )
        return dict(zip(keys, results, strict=True)), failed

    def _correct_types(self, findings: Findings) -> None:
        """Change the type of each finding that is a URL of the site to ``URL``: as a value of another type it would be
        searched for in every URL. Change that of an official number without a digit to ``ORGANIZATION``: a model took a
        name for it, which may be that of the site.
        """

        def correct_type(value: str, entity: str) -> str:
            if entity != "SECRET" and looks_like_address(value) and read_host(value) in self._c.hosts:
                return "URL"
            return "ORGANIZATION" if entity == "GOVERNMENT_ID" and not any(map(str.isdigit, value)) else entity

        for key, found in findings.items():
            findings[key] = [f._replace(entity=correct_type(key[0][f.start : f.end], f.entity)) for f in found]

    def _find_program_names(self, titles: Sequence[str]) -> set[str]:
        """Return the names of the site's programs and of the packages that it loads, in lower case."""
        hosts = self._c.hosts if self._policy.hosts == "keep" else ()
        programs = find_program_names(self._c.software, self._c.classes, self._c.segments, hosts, titles)
        return programs | {word for word in self._c.packages if word.isalpha() and word not in given_names()}

    def _drop_public_findings(self, findings: Findings, public: PublicNames, site: Collection[str]) -> None:
        """Drop findings that are public names, that the policy allows, or that are not personal in this recording, and
        what findings hold of the names of the `site`.
        """
        agents = frozenset(
            _normalize_name(name)
            for (text, _, _), channel in self._c.texts.items()
            if _AGENT.fullmatch(channel)
            for name in (text, *text.split(", "))
        )
        for key, found in findings.items():
            trimmed = [trim_site_name(key[0], f, site) for f in found]
            kept = [f for f in trimmed if not self._is_public_finding(key[0], f, public, agents)]
            if kept != found:
                findings[key] = kept

    def _is_public_finding(self, text: str, finding: Finding, public: PublicNames, agents: frozenset[str]) -> bool:
        value = text[finding.start : finding.end]
        return (
            (finding.entity == "TITLE" and _normalize_name(value) in agents)
            or finding.entity in self._values.allowed_entities
            or normalize_spaces(value).casefold() in self._values.allowed
            or (finding.entity in _CALLED_SO and is_public_name(value, public))
            or (finding.entity in _MAY_BE_A_FILE and is_impersonal_file_name(value))
            or (finding.entity == "PHONE_NUMBER" and _SUM.fullmatch(value) is not None)
            or is_colour(text)
            or self._c.translations.explains_finding(text, finding)
            or (finding.entity in _CALLED_SO and _is_language_not_person(text))
            or (finding.entity == "USERNAME" and value.casefold() in self._c.packages)
        )

    def _adjust_by_columns_and_siblings(self, findings: Findings) -> None:
        """Change findings by the other cells of their column, and by the other members of their group."""
        columns = group_texts_by_column(key for key in findings if key[:2] not in self._c.values)
        members = [*self._c.groups.list_groups(), *(c for c in columns if not is_about_people([c[0][1]], []))]
        findings.update(adjust_by_siblings(members, findings))
        findings.update(find_changes_in_number_columns(findings))

    # -- known values --------------------

    def _add_findings(self, findings: Findings) -> None:
        """Add the values that the detector found in texts."""
        everyday = find_everyday_words(text for text, _, kind in findings if kind == "text")
        for (text, label, kind), found in findings.items():
            channel = self._c.texts[text, label, kind]
            for f in found:
                value = text[f.start : f.end]
                if f.entity == "URL" and (
                    value.startswith("/")
                    or read_host(value) in self._c.hosts
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
                labelled = bool(label) and f.entity == "DATE_TIME" and find_label_entity(label) == "DATE_TIME"
                of_pages = everyday if f.entity == "PERSON" and not label_names_entity(label) else frozenset()
                self._values.add(join_spelled_words(value), "ID" if labelled else f.entity, channel, of_pages)

    def _add_private_value(
        self,
        found: list[Finding],
        text: str,
        label: str,
        channel: str,
        unshown_words: frozenset[str],
        public: PublicNames,
    ) -> None:
        """Add a value that is private by its place to the values that are searched for elsewhere.

        Values of words that the page had shown before are not added, nor values of one or two small words without a
        finding: a search for "red lamp" would turn every lamp of the shop into a stand-in.
        """
        entity = find_label_entity(label) if label else None
        if entity == "TITLE" or (entity == "AGE" and not any(map(str.isdigit, text))):
            entity = "VALUE"  # values of these two entities are not searched for elsewhere, but this one was typed
        elif entity in (None, "VALUE"):
            whole = next((f.entity for f in found if (f.end - f.start) * 10 >= len(text.strip()) * 9), None)
            entity = whole or "VALUE"
        if entity == "DATE_TIME":
            entity = "ID"
        if entity in PLACED and not label_names_entity(label) and is_public_name(text, public):
            entity = "VALUE"
        ordinary = entity == "VALUE" and (bool(PLAIN.fullmatch(text.strip())) or self._is_interface_text(text))
        if entity != "VALUE" or (not ordinary and any(w not in UI_WORDS and len(w) > 2 for w in unshown_words)):
            self._values.add(text, entity, channel)
        else:
            self._values.structural += 1

    def _is_interface_text(self, text: str) -> bool:
        """Return whether a value is a string or a word of a translation file, or consists of common words that style
        sheets use as names.
        """
        small = text.strip().lower()
        return (
            self._c.translations.contains_string(text)
            or small in self._c.translations.words
            or (small in self._c.sheet_names and all(map(is_impersonal_word, WORDS.findall(small))))
        )

    def _add_other_name_halves(self, public: PublicNames) -> None:
        """Add the unknown half of names of which the other half is known."""
        texts = [(text, kind == "slug") for text, _, kind in self._c.texts]
        texts += [(text, True) for text, _ in self._c.searched]
        # Of code the words in quotation marks stand beside each other: `contains('Ann') and contains('Kvimelost')`.
        texts += [
            (" ".join(word for _, word in _QUOTED_WORD.findall(text)), False)
            for text, _, kind in self._c.texts
            if kind == "code"
        ]
        named = {
            w.lower()
            for text, label in self._c.values
            if label and find_label_entity(label) == "PERSON"
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
            for first, last in find_adjacent_unknown_words(texts, parts):
                if not any(is_public_name(w, public) for w in (first, last)):
                    self._values.add(f"{first} {last}", "PERSON", "beside a known name")

    def _add_typed_prefixes(self) -> None:
        """Add the prefixes of typed values: a page may show them before the value is complete."""
        whole = {v.text.casefold(): v for v in self._values}
        for series in self._c.typed.values():
            for text in series:
                if len(text) < 6:
                    continue
                final = next((t for t in reversed(series) if t.startswith(text) and t != text), None)
                if final is not None and (known := whole.get(" ".join(final.split()).casefold())):
                    self._values.add_typed_prefix(text, known)

    def _collect_all_words(self) -> frozenset[str]:
        return frozenset(w.lower() for text, _, _ in self._c.texts for w in WORDS.findall(text) if w.isalpha())


def _is_language_not_person(text: str) -> bool:
    """Return whether a text is the name of a language, and not also the name of a person."""
    return is_language_name(text) and not any(word.lower() in given_names() for word in WORDS.findall(text))


def _normalize_name(name: str) -> str:
    """Return a name in lower case with its words separated by spaces: `coding-agent` and `Coding agent` become equal."""
    return " ".join(WORDS.findall(name)).casefold()


def trim_site_name(text: str, finding: Finding, site: Collection[str]) -> Finding:
    """Return a finding of several words without the site's name before or behind the others: of *MLflow GenAI* on a
    site called MLflow the second word.
    """
    words = [word.span() for word in _SPACED.finditer(text, finding.start, finding.end)]
    if finding.entity not in _CALLED_SO or len(words) < 2:
        return finding
    while len(words) > 1 and text[slice(*words[0])].casefold() in site:
        del words[0]
    while len(words) > 1 and text[slice(*words[-1])].casefold() in site:
        del words[-1]
    return finding._replace(start=words[0][0], end=words[-1][1])
