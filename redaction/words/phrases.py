"""Lists that rules read: the words of a kind, and the alternatives of a pattern. They are data, in `phrases/`, a file for each room of the detector.

A line is ``NAME: one|another|a third``, with what goes on in lines that begin with two blanks. Between the bars stands what a regular expression takes, so that a list can be put into a
pattern as it is: ``rf"\\b(?:{LISTS.ORDERS})\\b"``, or ``{ORDERS}`` in a line of the same file that is a rule.
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
"""How rules say the flags of their pattern."""


def flags_of(text: str) -> re.RegexFlag:
    """Return the flags of a rule: ``im``, or ``-`` for none."""
    return functools.reduce(operator.or_, (FLAGS[letter] for letter in text))


class Phrases:
    """The lists of one file, each an attribute: its alternatives, separated by bars, for a pattern."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._lists = lists_in(_text(file))[0]

    def __getattr__(self, name: str) -> str:
        try:
            return self._lists[name]
        except KeyError:
            raise AttributeError(name) from None

    def rules(self) -> list[str]:
        """Return the lines that are rules, with the names of lists replaced by the lists."""
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
    """Return the lists of a file's text by name, and its other lines, which are rules."""
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
    """Return the lists of a file's text, with the names of other lists in them replaced."""
    lists = {**lists_in(_text("shared"))[0], **lists_in(text)[0]}
    return {name: _whole(said, lists) for name, said in lists.items()}


def expanded(text: str) -> list[str]:
    """Return the rules of a file's text, with the names of its own and of the shared lists replaced."""
    lists = lists_of_rules(text)
    return [_whole(rule, lists) for rule in lists_in(text)[1]]


def _whole(text: str, lists: Mapping[str, str]) -> str:
    return _NAMED.sub(lambda m: _whole(lists[m[1]], lists), text)
