"""Counts the frequent words of programs' interfaces in a language, for the list ``foreign_words.txt``.

    python -m bench.redaction.counted cs hu --packages *.deb --names names.txt

The interfaces are read from packages as registries serve them. Printed are words that ``--catalogues`` programs or more have and that two of them write in
lower case. Names of people, families and towns are left out: those in the product's lists, and those in a file with one a line. Strings that hold an
address, and credits, are not counted.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections import Counter
from pathlib import Path

from bench.redaction.translations import read_translations
from pagereel.redaction.words.word_lists import given_names, read_lists_by_kind

_WORD = re.compile(r"[^\W\d_]{2,22}")
_LEFT_OUT = re.compile(r"@|://|\bwww\.|launchpad|translator|https?", re.IGNORECASE)
_MARK = re.compile(r"[_&](?=\w)|%\(\w+\)\w|%[-+ #0-9.$]*[a-z]|\{[^}]*\}|<[^>]*>|\\[a-z]")


def count_words(packages: list[Path], code: str, catalogues: int, names: frozenset[str]) -> list[str]:
    """Return the frequent words of interfaces in one language that are no names, the most frequent first."""
    programs: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for package in packages:
        words: set[str] = set()
        for text in read_translations(package, code):
            if not _LEFT_OUT.search(text):
                words.update(_WORD.findall(_MARK.sub("", text)))
        programs.update({word.lower() for word in words})
        small.update(word for word in words if word.islower())
    return [word for word, n in programs.most_common() if n >= catalogues and small[word] > 1 and word not in names]


def main() -> None:
    """Print the lines of ``foreign_words.txt`` for each language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="+")
    parser.add_argument("--packages", nargs="+", type=Path, required=True)
    parser.add_argument("--names", type=Path, nargs="*", default=[])
    parser.add_argument("--catalogues", type=int, default=3)
    parser.add_argument("--most", type=int, default=4_000)
    options = parser.parse_args()
    given = (path.read_text("utf-8").lower().split("\n") for path in options.names)
    names = given_names().union(*read_lists_by_kind("names_latin.txt").values(), *given)
    for code in options.languages:
        found = count_words(options.packages, code, options.catalogues, names)[: options.most]
        print(f"[{code}]")
        for line in textwrap.wrap(" ".join(sorted(found)), 155, break_long_words=False, break_on_hyphens=False):
            print(f"*: {line}")


if __name__ == "__main__":
    main()
