"""Hold the strings that the first pass collects, and the knowledge that it draws from them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from ..content.styled_attributes import SheetStyledAttributes
from ..contracts.findings import Finding
from ..detect.cross_text.siblings import SiblingGroups
from ..detect.cross_text.translation_files import TranslationStrings
from ..values.known_values import KnownValues

WORDS = re.compile(r"[^\W_]+")
OF_THE_TEST = frozenset({"call.source"})
"""Channels of the program that drives the browser. URLs in them are masked and counted, but are no values of the page.
"""
TextKey = tuple[str, str, str]
"""A text, its label, and how it is read: ``text``, ``code`` or ``slug``."""
Findings = dict[TextKey, list[Finding]]


@dataclass(slots=True)
class CollectedStrings:
    """The strings of one or several recordings, grouped by role. :class:`.collector.FirstPassCollector` fills it."""

    form: SheetStyledAttributes = field(default_factory=SheetStyledAttributes)
    texts: dict[TextKey, str] = field(default_factory=dict)
    """Each text for the detector → the channel in which it was first seen."""
    values: dict[tuple[str, str], tuple[str, frozenset[str]]] = field(default_factory=dict)
    """(Value, label) of each value that is private by its place → its channel, and its words that the page had not shown before."""
    secrets: dict[str, str] = field(default_factory=dict)
    """Credential → channel."""
    typed: dict[tuple[int, int, int], list[str]] = field(default_factory=dict)
    """(Recording, document, node) → the values that it had while somebody typed."""
    usages: dict[str, set[str]] = field(default_factory=dict)
    """Hash of a resource → the channels that name it."""
    vocabulary: set[str] = field(default_factory=set)
    """Words that the pages show, in lower case."""
    hosts: set[str] = field(default_factory=set)
    """Hosts of the recorded site: their addresses in a text are masked piece by piece."""
    found: dict[tuple[str, str], str] = field(default_factory=dict)
    """(Value, entity) of each finding in an identifier, a host or a path → channel."""
    searched: set[tuple[str, str]] = field(default_factory=set)
    """(Identifier, channel) of each identifier that was searched."""
    packages: set[str] = field(default_factory=set)
    """Words of packages' names in addresses, in lower case."""
    segments: set[str] = field(default_factory=set)
    """Segments of the paths of its addresses: a value that begins with one is an address as well."""
    classes: set[str] = field(default_factory=set)
    software: set[str] = field(default_factory=set)
    """Names of programs in the ``<meta>`` elements of pages."""
    ids: set[str] = field(default_factory=set)
    """Ids and names of elements: a fragment of an address that equals one is masked as it is."""
    groups: SiblingGroups = field(default_factory=SiblingGroups)
    messages: dict[str, None] = field(default_factory=dict)
    """What failed answers say of their failures."""
    translations: TranslationStrings = field(default_factory=TranslationStrings)
    """Strings of the program's translation files."""
    hashes: set[str] = field(default_factory=set)
    """Hashes of the recorded resources. A page may show the same hash (that of ``[]``), which is then no personal number."""
    sheet_names: set[str] = field(default_factory=set)
    """Identifiers in style sheets, in lower case."""


@dataclass(slots=True)
class FirstPassKnowledge:
    """The frozen result of the first pass: known values, findings, and facts about the site."""

    values: KnownValues
    findings: Findings
    form: SheetStyledAttributes
    typed: Mapping[tuple[int, int, int], list[str]]
    hosts: Set[str]
    segments: Set[str]
    ids: Set[str]
    translations: TranslationStrings
    """These six as in :class:`CollectedStrings`; the rest of what was collected is not needed any more."""
    words: frozenset[str] = frozenset()
    """Words of all texts in lower case, if the policy wants names as stand-ins: none of them becomes a stand-in."""
    shown: frozenset[str] = frozenset()
    """Words that the pages show, and the names of the site and its programs, in lower case."""
    messages: frozenset[str] = frozenset()
    """What failed answers say that is read as a text of the page is."""
    seen: Counter[str] = field(default_factory=Counter)
    """``channel|entity`` → the number of findings, for the report."""
    unread: tuple[str, ...] = ()
    """Where in the code the detector failed, for each text that is masked whole because of that."""
