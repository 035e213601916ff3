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


def flags_of(text: str) -> re.RegexFlag:
    """Return the regular-expression flags that the letters of a rule name: ``im``, or ``-`` for none."""
    return functools.reduce(operator.or_, (FLAGS[letter] for letter in text))


class Phrases:
    """The word lists of one file. Each is an attribute: its alternatives, separated by bars, to be put into a
    pattern.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._lists = lists_in(_text(file))[0]

    def __getattr__(self, name: str) -> str:
        try:
            return self._lists[name]
        except KeyError:
            raise AttributeError(name) from None

    def rules(self) -> list[str]:
        """Return the lines of the file that are rules, with each ``{NAME}`` replaced by the list of that name."""
        return expanded(_text(self._file))

    @property
    def names(self) -> list[str]:
        """The names of the lists."""
        return list(self._lists)

    def words(self, name: str) -> frozenset[str]:
        """Return a list as a set of words."""
        return frozenset(self._lists[name].split("|"))


@cache
def _text(file: str) -> str:
    return resources.files("pagereel.redaction.words").joinpath(f"phrases/{file}.txt").read_text("utf-8")


@cache
def lists_in(text: str) -> tuple[dict[str, str], tuple[str, ...]]:
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


def lists_of_rules(text: str) -> dict[str, str]:
    """Return the lists in a file's text by name, with each ``{NAME}`` in them replaced by the list of that name."""
    lists = {**lists_in(_text("shared"))[0], **lists_in(text)[0]}
    return {name: _whole(said, lists) for name, said in lists.items()}


def expanded(text: str) -> list[str]:
    """Return the rules in a file's text, with each ``{NAME}`` replaced by the file's own or a shared list."""
    lists = lists_of_rules(text)
    return [_whole(rule, lists) for rule in lists_in(text)[1]]


def _whole(text: str, lists: Mapping[str, str]) -> str:
    return _NAMED.sub(lambda m: _whole(lists[m[1]], lists), text)
