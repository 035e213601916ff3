"""Find groups of siblings in a page: elements of one kind with one short text each, such as buttons, options and menu items."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ..detect.cross_text.siblings import LEAST, LONGEST
from ..detect.cues.label_entities import find_label_entity
from ..words.phrase_lists import PhraseLists
from ..words.word_lists import HUMP, read_lists_by_kind
from .form_controls import find_option_elements, is_select_about_person

LISTS = PhraseLists("sibling_groups")

_DEEPEST = 5
_WORD = re.compile(r"[^\W\d_]+")
_OF_PEOPLE = LISTS.to_word_set("OF_PEOPLE")
"""Words that are about people, above a group or as a member of it."""
_TOWARDS = re.compile(r"\b(?:by|cc|for|from|of|to|via|with)\W*\Z", re.IGNORECASE)
"""The end of a text after which a person's name follows: *Send to*, *Baked by*."""


def iter_sibling_groups(tree: list[Any]) -> Iterator[list[str]]:
    """Yield the texts of each group of siblings among an element's children.

    Children of one tag are a group if each has one short text. A text counts once more for each attribute that repeats
    it, such as an ``aria-label``.
    """
    if tree[0] == "select":
        children = find_option_elements(tree)
    elif len(tree) < LEAST + 2:
        return
    else:
        children = [c for c in tree[2:] if isinstance(c, list) and len(c) > 2 and isinstance(c[1], dict)]
    if len(children) < LEAST:
        return
    groups: dict[str, list[str]] = {}
    for child in children:
        if (said := _read_only_text(child)) is not None:
            groups.setdefault(child[0], []).extend([said] * (1 + _count_repeating_attributes(child, said)))
    yield from (group for group in groups.values() if len(set(group)) >= LEAST)


def is_about_people(texts_above: list[str], group: list[str]) -> bool:
    """Return whether a text above a group, or a member of the group, is about people: *Assigned to*, *Everyone*,
    *Host*.
    """
    return any(map(_announces_people, texts_above)) or any(map(_is_member_about_people, group))


@lru_cache(maxsize=4_096)
def _announces_people(text_above: str) -> bool:
    words = (hump.lower() for part in _WORD.findall(text_above) for hump in HUMP.findall(part))
    return (
        is_select_about_person(text_above, [])
        or _TOWARDS.search(text_above) is not None
        or any(map(_is_word_for_people, words))
    )


@lru_cache(maxsize=4_096)
def _is_member_about_people(member: str) -> bool:
    return is_select_about_person(member, []) or _is_word_for_people(member.strip().lower())


def _is_word_for_people(word: str) -> bool:
    jobs = read_lists_by_kind("occupations.txt").values()
    return word in _OF_PEOPLE or any(word in listed for listed in jobs) or find_label_entity(word) is not None


def _read_only_text(tree: list[Any]) -> str | None:
    """Return an element's text unchanged if the element holds exactly one short text, else None."""
    found: list[str] = []
    stack: list[tuple[list[Any], int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        for child in node[2:]:
            if isinstance(child, str):
                if child.strip():
                    found.append(child)
            elif isinstance(child, list) and len(child) > 2:
                if depth >= _DEEPEST:
                    return None
                stack.append((child, depth + 1))
        if len(found) > 1:
            return None
    return found[0] if found and len(found[0].strip()) <= LONGEST else None


def _count_repeating_attributes(tree: list[Any], text: str) -> int:
    """Return how many attributes within an element repeat its text, as an ``aria-label`` does."""
    own = list(tree[1].values()).count(text) if isinstance(tree[1], dict) else 0
    return own + sum(
        _count_repeating_attributes(child, text) for child in tree[2:] if isinstance(child, list) and len(child) > 1
    )
