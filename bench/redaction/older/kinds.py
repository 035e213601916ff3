"""Which kind of the issue a place or a test belongs to: by what the sets themselves call it, and else by the set's own heading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from bench.redaction.older.trees import ROOT

KINDS: dict[str, tuple[str, ...]] = {
    "1 queries without =": ("places/query: *", "*: query-bare"),
    "2 custom elements, part, slot, is": (
        "places/name: custom element*", "places/name: part: *", "places/name: exportparts: *", "places/name: slot: *", "places/name: is: *",
        "more_places/kept attribute: custom element", "more_places/kept attribute: part: *", "more_places/kept attribute: is: *",
        "newer_places/newer attribute: exportparts", "*: tag-name", "*: part", "*: slot-name",
    ),
    "2 identifiers of style sheets": (
        "places/style sheet: *", "*: css-view-transition", "*: css-anchor-name", "*: css-keyframes", "*: css-highlight", "*: css-state", "*: css-layer",
        "*: css-escaped-class", "*: css-grid-area", "*: css-counter-style", "*: css-attribute-selector",
    ),
    "2 attributes and names that are kept": (
        "places/name: *", "places/said: *", "more_places/kept attribute: *", "*: usemap", "*: frame-name", "*: form-target", "*: svg-symbol-id",
        "*: class-*", "*: id-card", "*: attribute-name", "*: lang-private", "*: dirname", "*: popover-target", "*: details-name", "*: rel-token", "*: th-abbr",
    ),
    "3 bodies in UTF-16 and other charsets": (
        "places/charset: *", "*: utf-16", "*: utf-16-unsaid", "*: utf-32", "*: ebcdic", "*: latin-1-unsaid", "*: bad-utf-8",
    ),
    "4 a known part beside an unknown word": ("places/beside: *",),
    "4 letters in blocks, with spaces, one by one": (
        "places/letters: *", "*: letters-spaced", "*: letters-in-spans", "*: letters-in-lines", "*: letters-in-cells", "*: letters-placed",
        "*: letters-reordered", "*: mathml-letters", "*: svg-glyphs", "*: text-nodes",
    ),
    "6 status_text": ("places/*: status_text", "newer_places/*: status text", "*: status-text"),
    "6 llm.model": ("places/*: model*", "places/*: provider", "newer_places/told by the agent: model", "*: llm-model"),
    "6 tool_call.name": ("places/*: tool*", "*: tool-name"),
    "6 functions in stacks": ("places/*: function*", "places/*: method*", "newer_places/*: function of a stack", "*: error-in-function", "*: console-trace"),
    "6 source.file and paths": ("places/*: file of a call*", "places/*: path in a*", "newer_places/*: file of a stack"),
    "6 other words of programs": ("places/words of programs: *",),
}  # fmt: skip
"""A kind, and the places of it: `set/its kind: place`, of the visit `set/heading: place`. The first that fits counts."""


@dataclass(frozen=True)
class Claim:
    """Tests that say that a value is not told, and the statement by which they say so."""

    file: str
    tests: str
    """A pattern of their names; a parameter stands in brackets."""
    statement: str = ""
    """A part of the assertions that count; empty: each of them is about a told value."""


_SECRETS = r"azure .*|seed phrase.*|\w+ password.*"
"""Parameters of `test_numbers.py` that are secrets."""
TESTS: dict[str, tuple[Claim, ...]] = {
    "5 a password's length and rhythm": (
        Claim("test_pads.py", r"test_calls_that_press_keys_.*", "long"),
        Claim("test_pads.py", r"test_dots_that_a_page_draws_.*"),
    ),
    "5 PIN pads": (
        Claim("test_pads.py", r"test_clicks_on_a_pad_.*", "one == other"),
        Claim("test_pads.py", r"test_letters_of_a_keyboard_.*"),
    ),
    "6 letters that no box of a screenshot covers": (
        Claim("test_layout.py", r"test_no_letter_of_a_name_.*", "raw == masked"),
    ),
    "7 companies": (
        Claim("test_companies.py", r"test_they_are_masked_whole"),
        Claim("test_unlisted.py", r"test_companies_.*"),
    ),
    "7 titles and companies of other languages": (Claim("test_titles_abroad.py", r"test_(what_somebody_is|small_words)_.*"),),
    "7 titles": (Claim("test_unlisted.py", r"test_positions.*"),),
    "7 names of no list": (Claim("test_unlisted.py", r"test_a_word_of_no_list_.*"),),
    "7 ages, last digits of cards": (Claim("test_ages.py", r"test_(ages_are|the_last_digits)_.*"),),
    "7 secrets": (Claim("test_numbers.py", rf"test_a_number_or_secret_.*\[({_SECRETS})\]"),),
    "7 codes, cards, identities": (Claim("test_numbers.py", rf"test_a_number_or_secret_.*\[(?!({_SECRETS})\]).*"),),
    "7 secrets of 21 classes, a test of before": (Claim("test_secrets.py", r"test_a_secret_is_masked_whole.*"),),
    "7 other languages and scripts": (
        Claim("test_languages.py", r"test_people_and_addresses_.*"),
        Claim("test_languages.py", r"test_a_label_in_another_language_.*-True\]"),
        Claim("test_scripts.py", r"test_a_typed_name_.*", "not in text_of"),
    ),
}  # fmt: skip
"""Kinds of which the places have nothing, and the tests of today that hold them."""

FILES = sorted({claim.file for claims in TESTS.values() for claim in claims})


def kind_of(label: str) -> str:
    """Return a place's kind: of the issue, or else what its set calls it."""
    for kind, patterns in KINDS.items():
        if any(fnmatchcase(label, pattern) for pattern in patterns):
            return kind
    return label.partition(": ")[0]


def headings() -> dict[str, str]:
    """By place of the visit, its module's set and the comment above it there."""
    found: dict[str, str] = {}
    for module in ("strange_places", "strange_traffic", "strange_acts", "stranger_places"):
        heading = ""
        for line in Path(ROOT, "tests", "redaction", f"{module}.py").read_text("utf-8").splitlines():
            if line.startswith("# "):
                heading = f"{module.partition('_')[0]}/{line[2:].rstrip('.')}"
            elif heading:
                for name in re.findall(r'"([a-z0-9-]+)"', line):
                    found.setdefault(name, heading)
    return found


def claims_of(kind: str, ended: dict[str, list[str]]) -> dict[str, str]:
    """The kind's tests among those that ran: `passed`, `told` where the assertion about a value failed, else what else went wrong."""
    out: dict[str, str] = {}
    for claim in TESTS[kind]:
        for name, (how, statement) in ended.items():
            if re.search(rf"{re.escape(claim.file)}::{claim.tests}$", name):
                about = how == "asserted" and claim.statement in statement
                out[name] = "told" if about else "another assertion" if how == "asserted" else how
    return out
