"""Judge a finding by its siblings: the buttons of one group, the options of one list, the cells of one column.

*Jasmine* alone may be a person. Between *Chamomile* and *Peppermint* it is a tea. A word names an object if its
siblings name objects of the same kind, none of the siblings is a person, and their words are no names of people. If
most members of a group are people, a word that may name an object is a person as well.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ...contracts.entities import PLACED
from ...contracts.findings import Finding
from ...words.english import is_no_name
from ...words.word_lists import NAMES_TOO, given_names, read_lists_by_kind
from ..filters.foreign_words import is_unknown_word

Key = tuple[str, str, str]
"""A text, its label, and its kind."""
_NAMED = " named"
"""The ending of kinds of things that people are also named after."""
_WHOLE = frozenset({"PERSON", "LOCATION", "ORGANIZATION"})
_OF_PEOPLE = frozenset({"PERSON", "NRP", "USERNAME", "EMAIL_ADDRESS", "TITLE", "PHONE_NUMBER", "AGE"})
LEAST = 3
"""Least number of different members of a group."""
_EVIDENCE = 2
LONGEST = 40
"""Most characters of a member of a group."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class SiblingGroups:
    """The groups of siblings on a recording's pages, and how often each text occurs in a group and in total."""

    def __init__(self) -> None:
        self._seen: Counter[Key] = Counter()
        self._grouped: Counter[Key] = Counter()
        self._groups: dict[tuple[Key, ...], None] = {}

    def count_text(self, key: Key) -> None:
        self._seen[key] += 1

    def add_group(self, group: Sequence[Key]) -> None:
        self._grouped.update(group)
        self._groups.setdefault(tuple(group))

    def list_groups(self) -> list[Sequence[Key]]:
        """Return the groups. A text that also occurs outside of a group is added as a group of its own, because there
        no sibling shows that it names an object.
        """
        alone = {key for key, times in self._grouped.items() if self._seen[key] > times}
        return [*self._groups, *([key] for key in alone)]


def adjust_by_siblings(
    groups: Iterable[Sequence[Key]], findings: Mapping[Key, Sequence[Finding]]
) -> dict[Key, list[Finding]]:
    """Return the findings that change because of a text's siblings.

    Members of a group of objects lose their findings; members of a group of people get one. A text in several groups
    names an object only if it does so in each of them.
    """
    freed: dict[Key, list[Finding]] = {}
    told: dict[Key, list[Finding]] = {}
    kept: set[Key] = set()
    for group in groups:
        members = {
            key: _GroupMember(key[0], findings[key]) for key in group if key in findings and len(key[0]) <= LONGEST
        }
        things = _find_object_members(members) if len(members) >= LEAST else set()
        kept.update(members.keys() - things)
        freed.update({key: _drop_name_findings(findings[key]) for key in things if findings[key]})
        told.update({key: [name] for key, name in _iter_members_as_names(members)})
    return {key: found for key, found in freed.items() if key not in kept} | told


class _GroupMember:
    """One text of a group, with the kinds of objects that it may name, and its findings."""

    def __init__(self, text: str, found: Sequence[Finding]) -> None:
        self.text = text
        said = " ".join(_WORD.findall(text)).lower()
        self.kinds = _find_object_kinds(said)
        """Kinds of things that the whole text may name."""
        self.sure = _find_certain_object_kinds(said)
        """Kinds of things that a word of the text names and that is no name of people."""
        self.found = any(f.entity in PLACED for f in found)
        self.tells = any(f.entity in _OF_PEOPLE for f in found)
        """Whether its findings say that it is about people."""
        self.whole = next(
            (f.entity for f in found if f.entity in _WHOLE and (f.end - f.start) * 10 >= len(text.strip()) * 9), ""
        )
        """The entity that the whole text is a name of, or the empty string."""


def _find_object_members(members: Mapping[Key, _GroupMember]) -> set[Key]:
    """Return the members that name objects of one kind, such as teas; empty if the group does not consist of such
    objects.

    The group does if at least two of its members are no names of people, and at most half of the members are also names
    of people.
    """
    for kind in sorted({kind for member in members.values() for kind in member.kinds}):
        if any(m.tells and kind not in m.kinds for m in members.values()):
            continue
        things = {key for key, m in members.items() if kind in m.kinds}
        sure = [key for key in members if kind in members[key].sure]
        doubtful = things.difference(sure)
        if len(sure) >= _EVIDENCE and 2 * len(doubtful) <= len(members):
            return things
    return set()


def _iter_members_as_names(members: Mapping[Key, _GroupMember]) -> Iterable[tuple[Key, Finding]]:
    """Yield the members that become names, each with its new finding, if at least half of their group are names.

    The group must have two names at least. In a group of towns, words without a finding that programs do not use become
    names. In a group of people, words that may also name objects do so, too.
    """
    named = Counter(m.whole for m in members.values() if m.whole and not m.kinds)
    if named.total() < _EVIDENCE or 2 * named.total() < len(members):
        return
    entity = named.most_common(1)[0][0]
    people = 2 * named["PERSON"] >= len(members)
    for key, member in members.items():
        text = key[0].strip()
        if (
            not member.found
            and not member.tells
            and (_is_unknown_name(text) or (people and _may_be_name_of_person(text)))
        ):
            start = key[0].index(text)
            yield key, Finding(start, start + len(text), entity, 0.6)


def _is_unknown_name(text: str) -> bool:
    """Return whether a text consists of capitalized words that are in no list of programs or of the language."""
    words = _WORD.findall(text)
    return " ".join(words) == text and all(
        w[0].isupper() and is_unknown_word(w) and not is_no_name(w.lower()) for w in words
    )


def _drop_name_findings(found: Sequence[Finding]) -> list[Finding]:
    return [f for f in found if f.entity not in PLACED]


def _may_be_name_of_person(text: str) -> bool:
    small = text.lower()
    return text[:1].isupper() and text.isalpha() and _is_name_of_person(small)


@lru_cache(maxsize=1)
def _list_object_words_used_as_names() -> frozenset[str]:
    return frozenset(
        word for kind, words in read_lists_by_kind("things.txt", ";").items() if kind.endswith(_NAMED) for word in words
    )


def _is_name_of_person(word: str) -> bool:
    return word in given_names() or word in NAMES_TOO or word in _list_object_words_used_as_names()


@lru_cache(maxsize=1)
def _index_object_kinds() -> Mapping[str, frozenset[str]]:
    """Return word for an object → the kinds of objects that it names. Kinds whose words are also names of people are
    marked.
    """
    kinds: dict[str, set[str]] = defaultdict(set)
    for kind, words in read_lists_by_kind("things.txt", ";").items():
        for word in words:
            kinds[word].add(kind)
    return {word: frozenset(of) for word, of in kinds.items()}


def _find_object_kinds(text: str) -> frozenset[str]:
    """Return the kinds of objects (drinks, colours …) that a whole text may name, as one phrase or word for word."""
    table = _index_object_kinds()
    every = table.get(text, frozenset())
    each = [frozenset(k.removesuffix(_NAMED) for k in table.get(word, ())) for word in text.split()]
    shared = frozenset.intersection(*each) if each else frozenset()
    return frozenset(k.removesuffix(_NAMED) for k in every) | shared


def _find_certain_object_kinds(text: str) -> frozenset[str]:
    """Return the kinds of objects (drinks, colours …) that words of a text certainly name. Words that are also names of
    people do not count.
    """
    table = _index_object_kinds()
    every = {k for k in table.get(text, ()) if " " in text or not _is_name_of_person(text)}
    every.update(k for word in text.split() if word in table and not _is_name_of_person(word) for k in table[word])
    return frozenset(k for k in every if not k.endswith(_NAMED))
