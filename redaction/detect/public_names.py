"""Recognize public names in a recording: the name of the site, and words that name objects.

From one text alone, the detector takes "Saltmarsh" and "Tern" for people. The whole recording shows that the first ends
every title of the site, and that the second stands before "bottle vase" in a caption.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from ..contracts.findings import Finding
from ..words.phrase_lists import PhraseLists
from ..words.word_lists import common_words, given_names
from .cues.label_entities import find_label_entity
from .filters.model_gating import is_running_text

LISTS = PhraseLists("public_names")

_PARTS = re.compile(r"\s{1,16}[·|–—•:-]\s{1,16}|\s{0,16}[·|]\s{0,16}")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
MOST_WORDS = 4


def find_site_names(titles: Iterable[str]) -> PublicNames:
    """Return the name of the site, in lower case, and its uncommon words. It is the last or first part that two
    different page titles share.
    """
    ends: dict[str, set[str]] = {}
    before: dict[str, dict[str, int]] = {}
    for title in {" ".join(title.split()) for title in titles}:
        parts = [p.strip() for p in _PARTS.split(title) if p and p.strip()]
        if len(parts) > 1:
            for end in (parts[0], parts[-1]):
                ends.setdefault(end.casefold(), set()).add(title)
        if len(parts) > 2:
            told = before.setdefault(parts[-1].casefold(), {})
            told[parts[-2].casefold()] = told.get(parts[-2].casefold(), 0) + 1
    names = {end for end, shown in ends.items() if len(shown) > 1 and len(end.split()) <= MOST_WORDS}
    # "Basket | Kiln - Pots by post": also the part before the last one, if it is equal in all titles that have one, three or more.
    names |= {
        next(iter(told)) for end, told in before.items() if end in names and len(told) == 1 and sum(told.values()) > 2
    }
    names = {n for n in names if not any(w in given_names() for w in n.split())}
    # A finding may be only a part of the name: "Kiln - Pots by" of "Kiln - Pots by post".
    return PublicNames(
        names | {w for n in names if " " in n for w in _WORD.findall(n) if len(w) > 1 and w not in common_words()}
    )


_CLASS = re.compile(r"(?:[^\W\d_A-Z]+|[A-Z][^\W\d_A-Z]*)(?=[-_A-Z])")
_FILE = re.compile(
    r"([^\W\d_]+)(?:[-.](?:v?\d[\w.]*|min|bundle|umd|esm|prod|global|iife|all))+(?:\.(?:m?js|css))?", re.IGNORECASE
)
_LEAST = 3
"""Least letters of a word, and least number of classes that begin with it, if it is the name of a library."""


def find_program_names(
    meta_names: Iterable[str], classes: Iterable[str], files: Iterable[str], hosts: Iterable[str], titles: Iterable[str]
) -> set[str]:
    """Return the names of programs that a recording's pages use, in lower case, without given names.

    :param meta_names: names from ``<meta>``.
    :param classes: class names, whose common prefix may name a program (``gradio-container``).
    :param files: file names of libraries (``echarts.min.js``).
    :param hosts: hosts, which count if a title has them.
    """
    found = {w for text in meta_names if len(text.split()) <= MOST_WORDS for w in _split_lower_case_words(text)}
    begun: dict[str, set[str]] = defaultdict(set)
    for name in classes:
        if match := _CLASS.match(name):
            begun[match[0].lower()].add(name)
    found |= {word for word, names in begun.items() if len(names) >= _LEAST}
    found |= {m[1].lower() for file in files if (m := _FILE.fullmatch(file.rpartition("/")[2]))}
    named = {label for host in hosts for label in host.partition(":")[0].split(".")[:-1]}
    found |= {w for title in titles for w in _split_lower_case_words(title)} & named
    return {w for w in found if len(w) >= _LEAST and w.isalpha() and w not in given_names()}


def _split_lower_case_words(text: str) -> list[str]:
    return [w.lower() for w in _WORD.findall(text)]


def find_changes_in_number_columns(
    findings: Mapping[tuple[str, str, str], Sequence[Finding]],
) -> dict[tuple[str, str, str], list[Finding]]:
    """Return the findings that change because a number stands in a column of bare numbers of one length.

    Telephone numbers in such a column are dropped if the header names no entity and at most a third of the cells have a
    finding: an order number among twenty is no telephone number, even if it begins with an area code. A finding of the
    same number in another text is dropped as well, unless there is more evidence for it than the number's shape.
    """
    columns: dict[tuple[str, int], list[tuple[str, str, str]]] = defaultdict(list)
    for key in findings:
        text, label, kind = key
        if kind == "text" and label and (plain := text.strip()).isdecimal() and find_label_entity(label) is None:
            columns[label, len(plain)].append(key)
    freed = {
        key: [f for f in findings[key] if f.entity != "PHONE_NUMBER"]
        for keys in columns.values()
        if len(keys) >= _COLUMN and 3 * sum(bool(findings[key]) for key in keys) <= len(keys)
        for key in keys
        if any(f.entity == "PHONE_NUMBER" for f in findings[key])
    }
    numbers = {text.strip() for text, _, _ in freed}
    for key, found in findings.items() if numbers else ():
        kept = [f for f in found if not (_is_found_by_shape(f) and key[0][f.start : f.end] in numbers)]
        if key not in freed and len(kept) < len(found):
            freed[key] = kept
    return freed


_SHAPE = 0.4
"""Score of a telephone number that only its digits suggest."""


def _is_found_by_shape(finding: Finding) -> bool:
    return finding.entity == "PHONE_NUMBER" and finding.score <= _SHAPE


def group_texts_by_column(labelled_texts: Iterable[tuple[str, str, str]]) -> list[list[tuple[str, str, str]]]:
    """Return the texts of each column as (text, header, kind), for columns whose header announces no entity and whose
    cells may be names.
    """
    columns: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for key in labelled_texts:
        text, label, kind = key
        if kind == "text" and label and _CELL.fullmatch(text.strip()) and find_label_entity(label) is None:
            columns[label].append(key)
    return list(columns.values())


_CELL = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:['’. -]{1,2}[^\W\d_]+){0,3}\.?")
_COLUMN = 4
"""Least number of different cells of a column that is judged as a whole."""


def find_object_words(findings: Mapping[tuple[str, str, str], Sequence[Finding]]) -> set[str]:
    """Return words that name objects, without given names.

    These are words that two texts without findings write in small letters (``celadon glaze``), and first words of
    captions whose other words are common and small (``Tern bottle vase``).
    """
    found = _find_lower_case_words(findings)
    for text, label, kind in findings:
        words = _WORD.findall(text)
        if kind != "text" or label or not 2 <= len(words) <= 5 or is_running_text(text):
            continue
        first, rest = words[0], words[1:]
        if first[0].isupper() and first.lower() not in given_names() and all(_is_object_word(w) for w in rest):
            found.add(first.casefold())
    return found


def _find_lower_case_words(findings: Mapping[tuple[str, str, str], Sequence[Finding]]) -> set[str]:
    """Return the small words of texts with capitals in which no model found a name."""
    seen: dict[str, int] = {}
    for (text, _, kind), found in findings.items():
        if kind != "text" or len(text) > 2_000 or text.islower() or text.isupper():
            continue
        taken = [(f.start, f.end) for f in found]
        for match in _WORD.finditer(text):
            word = match.group()
            if word.islower() and len(word) > 3 and all(b <= match.start() or match.end() <= a for a, b in taken):
                seen[word] = seen.get(word, 0) + 1
    return {w for w, n in seen.items() if n > 1 and w not in given_names()}


def _is_object_word(word: str) -> bool:
    return word.islower() and len(word) > 2 and (word in _NOUNS or word in common_words())


_NOUNS = LISTS.to_word_set("NOUNS")
"""Nouns for goods of shops."""


class PublicNames(frozenset[str]):
    """A set of public names, in lower case."""

    @cached_property
    def joined_text(self) -> str:
        """All names as one text, one name a line, to search for a phrase in all of them at once."""
        return "\n".join(f" {name} " for name in sorted(self))


def is_public_name(value: str, public: PublicNames) -> bool:
    """Return whether a value is a public name and nothing else, also in the genitive."""
    plain = " ".join(value.split()).casefold()
    if any(c.isdigit() for c in plain):
        return False
    if plain not in public:  # As in a URL: "heron-jug".
        plain = " ".join(re.split(r"[\s_-]+", plain)).strip()
    words = [re.sub(r"['’]s\Z", "", w) for w in _WORD.findall(plain)]
    named = [w for w in words if w not in _NOUNS and w not in common_words()]
    whole = " " in plain or plain.removesuffix("s") in _NOUNS
    within = whole and f" {plain} " in public.joined_text
    return plain in public or within or (bool(named) and all(w in public for w in named))
