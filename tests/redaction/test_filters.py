"""Each filter drops something that no other one drops: its example is found without it, and is not found with it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from pagereel.redaction.contracts.findings import Finding, TextContext
from pagereel.redaction.detect.cross_text import joint_filters
from pagereel.redaction.detect.filters import not_personal
from pagereel.redaction.detect.models import cascade, rampart_head
from tests.redaction.found import found_afresh

BY_RULE = """
PHONE_NUMBER see {ISO 9001:2015}
PHONE_NUMBER {512 MB}
PHONE_NUMBER {1 250 000 EUR}
ADDRESS {1920 x 1080}
ADDRESS {v2.14.3}
PHONE_NUMBER status {503} upstream
ID {3e-5}
ADDRESS {line 412, col 8}
LOCATION {Rechnung 58812}
LOCATION {1,204} followers
ADDRESS desde {1987}
ADDRESS kl {1830}
ADDRESS in {2500 secs}
ID sshd[{20411}]
DATE_TIME {20260102}
DATE_TIME {yesterday}
DATE_TIME {2026-01-02 10:12:44} [main] WARN
DATE_TIME {Jan  2 10:12:44} gate sshd[204]: closed
DATE_TIME time="{2026-01-02T10:12:44Z}" level=info
DATE_TIME [{02/Jan/2026:10:12:44 +0000}] "GET"
DATE_TIME © {2024–2026}
PERSON {NavigationError} again
DATE_TIME {March 2026}
PHONE_NUMBER {2026-01-02 10}
PHONE_NUMBER {764.88}
IP_ADDRESS {127.0.0.1}
EMAIL_ADDRESS {e-mails}
GOVERNMENT_ID {A12}
ADDRESS We meet in {room 12} of the house
ORGANIZATION {GT 3100}
PERSON {i18n}
LOCATION {Northeastern} wing
PERSON {beta 12}
PERSON {MM/DD/YYYY}
PERSON {America/New York}
ORGANIZATION a {@nimbus/core-ui} b
ORGANIZATION npm install {nimbus}
ORGANIZATION {Nimbus.woff2}
TITLE {style editor}
TITLE open {table editors}
TITLE {editor}
TITLE {Maintainer}: Ann
LOCATION {20 Stunden}
PERSON {Dunkelblau}
LOCATION {EPSG:4326}
ADDRESS {12 of}
PERSON {東京 Tower}
PERSON {Ben je} daar
PERSON {Passwort Manager} meldet
"""
"""An entity and a text, in which the marked piece is nobody's by one rule of `not_personal.txt`."""
COUNTRIES = ("Belgium", "Bulgaria", "Croatia", "Cyprus", "Denmark", "Estonia", "Finland", "France", "Germany", "Greece", "Hungary", "Ireland")  # fmt: skip
TOGETHER: dict[str, tuple[Sequence[str], str]] = {
    "drop_program_names": (("Tangram is open", "Quit Tangram"), "Tangram"),
    "drop_in_program_strings": (("Moved %d files to Ostenvik", "Close"), "Ostenvik"),
    "drop_list_entries": (COUNTRIES, "Denmark"),
}
"""Of each filter that weighs texts together the texts, and what is nobody's in the first that has it."""


def marked(line: str) -> tuple[str, Finding]:
    entity, _, text = line.partition(" ")
    start, end = text.index("{"), text.index("}")
    return text[:start] + text[start + 1 : end] + text[end + 1 :], Finding(start, end - 1, entity, 0.5)


EXAMPLES = [marked(line) for line in BY_RULE.strip().splitlines()]


def is_nobodys(text: str, f: Finding) -> bool:
    return not_personal.is_not_personal(text, f, TextContext())


@pytest.mark.parametrize(
    ("counted", "other"),
    [
        ("PHONE_NUMBER {0 1 2 3 4 5 6 7 8 9 10 11}", "PHONE_NUMBER {0 1 2 3 4 5 6 7 9 2 10 11}"),
        ("LOCATION {404 Not Found}", "LOCATION {404 Not Ostenvik}"),
        ("USERNAME @{columns}", "USERNAME @{ostenvik}"),
        ("ADDRESS Total: {1 250.50}", "ADDRESS Total: {1 250 50}"),
        ("ADDRESS Order: #{12 345 678}", "ADDRESS Order: {12 345 678}"),
        ("ADDRESS Room {12}", "ADDRESS Room {1234}"),
    ],
)
def test_counts_and_numbers_of_programs_are_nobodys(counted: str, other: str) -> None:
    assert not_personal._is_count_or_status(*marked(counted))
    assert not not_personal._is_count_or_status(*marked(other))


def test_each_rule_has_an_example_that_no_other_rule_drops(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = not_personal.load_rules()
    assert [text for text, f in EXAMPLES if not is_nobodys(text, f)] == []
    idle = []
    for rule in rules:
        monkeypatch.setattr(
            not_personal, "load_rules", lambda rule=rule: tuple(each for each in rules if each is not rule)
        )
        if all(is_nobodys(text, f) for text, f in EXAMPLES):
            idle.append(f"{sorted(rule.entities)} {rule.where} {rule.pattern.pattern}")
    assert idle == []


@pytest.mark.parametrize(
    ("filtering", "text", "value", "entity"),
    [
        ("_consists_of_interface_words", "Settings", "Settings", "PERSON"),
        ("_consists_of_interface_words", "Deutsch", "Deutsch", "LOCATION"),
    ],
)
def test_words_of_interfaces_are_nobodys(
    filtering: str, text: str, value: str, entity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = Finding(text.index(value), text.index(value) + len(value), entity, 0.5)
    assert is_nobodys(text, f)
    monkeypatch.setattr(not_personal, filtering, lambda *_: False)
    assert not is_nobodys(text, f)


@pytest.mark.parametrize("name", [weigh.__name__ for weigh in joint_filters.FILTERS])
def test_texts_together_say_what_one_does_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, value = TOGETHER[name]

    def kept() -> int:
        keys = [(text, TextContext()) for text in texts]
        found = [[Finding(t.index(w), t.index(w) + len(w), "LOCATION", 0.5)] if (w := value if value in t else t) else [] for t in texts]  # fmt: skip
        told = joint_filters.drop_findings_by_other_texts(keys, found)
        return sum(len(told[key]) for key in keys if value in key[0])

    assert kept() == 0
    others = tuple(weigh for weigh in joint_filters.FILTERS if weigh.__name__ != name)
    monkeypatch.setattr(joint_filters, "FILTERS", others)
    assert kept() > 0


@pytest.mark.parametrize(
    ("unread", "text", "value"),
    [
        ("consists_of_common_words", "Mark all as read", "Mark"),
        ("is_explained_by_rules", "Log in as harbour.admin with password Tr0ut-ladder9 and find the invoice of Leopold Szabo.", "harbour"),
    ],
)  # fmt: skip
def test_models_read_no_text_that_is_told_without_them(
    unread: str, text: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> set[str]:
        return {text[f.start : f.end] for f in found_afresh([text])[0] if f.entity in ("PERSON", "LOCATION")}

    assert value not in found()
    monkeypatch.setattr(cascade, unread, lambda *_: False)
    assert value in found()


def test_a_word_for_things_is_no_position_to_the_head(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "rain"
    words = list(rampart_head.WORD.finditer(text))
    odds = np.array([[0.01, 0.0, 0.0, 0.99, 0.0, 0.0]], np.float32)
    assert rampart_head.load_rampart_head().find_entities(text, words, odds) == []
    monkeypatch.setattr(rampart_head, "_names_only_objects", lambda *_: False)
    assert rampart_head.load_rampart_head().find_entities(text, words, odds) != []


@pytest.mark.parametrize(("word", "denied"), [("Zumbrant", True), ("Maria", False), ("Зумбрант", False)])
def test_the_head_denies_what_no_list_calls_a_name(word: str, denied: bool) -> None:
    f = Finding(0, len(word), "PERSON", 0.5)
    assert (
        rampart_head.RampartHeadOutput(word, [], {(0, len(word)): [0.99, 0.01, 0, 0, 0, 0]}).denies_finding(f) is denied
    )
