"""Read word lists and patterns from the text files in `phrases/`, one file for each module that uses them.

A line is ``NAME: one|another|a third``; lines that begin with two blanks continue it. The text between the bars may
be a regular expression, so a list can be put into a pattern as it is: ``rf"\\b(?:{LISTS.ORDERS})\\b"``, or as
``{ORDERS}`` in a line of the same file that is a rule.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

_LIST = re.compile(r"(?P<name>[A-Z][A-Z0-9_]*): (?P<said>.*)")
_NAMED = re.compile(r"\{([A-Z][A-Z0-9_]*)\}")


FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "a": re.ASCII, "-": re.RegexFlag(0)}
"""Letter in a rule → flag of the regular expression."""


def parse_flags(text: str) -> re.RegexFlag:
    """Return the regular-expression flags that the letters of a rule name: ``im``, or ``-`` for none."""
    return functools.reduce(operator.or_, (FLAGS[letter] for letter in text))


class PhraseLists:
    """The word lists of one file. Each is an attribute: its alternatives, separated by bars, to be put into a
    pattern.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._lists = parse_lists(_read_file(file))[0]

    def __getattr__(self, name: str) -> str:
        try:
            return self._lists[name]
        except KeyError:
            raise AttributeError(name) from None

    def read_rules(self) -> list[str]:
        """Return the lines of the file that are rules, with each ``{NAME}`` replaced by the list of that name."""
        return expand_rules(_read_file(self._file))

    @property
    def list_names(self) -> list[str]:
        """The names of the lists."""
        return list(self._lists)

    def to_word_set(self, name: str) -> frozenset[str]:
        """Return a list as a set of words."""
        return frozenset(self._lists[name].split("|"))


@cache
def _read_file(file: str) -> str:
    return resources.files("pagereel.redaction.words").joinpath(f"phrases/{file}.txt").read_text("utf-8")


@cache
def parse_lists(text: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the lists in a file's text by name, and its other lines, which are rules."""
    lists: dict[str, str] = {}
    rules: list[str] = []
    name = ""
    for line in text.split("\n"):
        if line.startswith("  "):
            lists[name] += line[2:]
        elif found := _LIST.fullmatch(line):
            name = found["name"]
            lists[name] = found["said"]
        elif line and not line.startswith("#"):
            rules.append(line)
    return lists, tuple(rules)


def expand_lists(text: str) -> dict[str, str]:
    """Return the lists in a file's text by name, with each ``{NAME}`` in them replaced by the list of that name."""
    lists = {**parse_lists(_read_file("shared"))[0], **parse_lists(text)[0]}
    return {name: _insert_lists(said, lists) for name, said in lists.items()}


def expand_rules(text: str) -> list[str]:
    """Return the rules in a file's text, with each ``{NAME}`` replaced by the file's own or a shared list."""
    lists = expand_lists(text)
    return [_insert_lists(rule, lists) for rule in parse_lists(text)[1]]


def _insert_lists(text: str, lists: Mapping[str, str]) -> str:
    return _NAMED.sub(lambda m: _insert_lists(lists[m[1]], lists), text)
