"""Stand-ins: each in the script of its value, invented so that one sees it or names by choice, never a value of the recording; titles of
recordings in plain words, and a way back from all of them."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from pathlib import Path

import pytest

from pagereel.errors import PolicyError
from pagereel.redaction import open_vault, redact
from pagereel.redaction.contracts.policy import load_policy
from pagereel.redaction.values.known_values import KnownValues
from pagereel.redaction.values.pseudonyms import Pseudonyms
from pagereel.redaction.values.stand_in_names import NAMES
from pagereel.redaction.words.word_lists import given_names
from pagereel.reel import Key, open_reel
from tests.redaction.reels import Maker

PEOPLE = {
    "LATIN": "Tamsin Raghunathan",
    "CYRILLIC": "Наталья Кораблёва",
    "GREEK": "Γιώργος Παπαδόπουλος",
    "ARABIC": "محمد الهاشمي",
    "HEBREW": "יעל כהן",
    "CJK": "王小明",
    "HIRAGANA": "さくら",
    "KATAKANA": "タカハシ",
    "HANGUL": "김지영",
    "DEVANAGARI": "राहुल शर्मा",
    "THAI": "สมชาย ใจดี",
}
KEY = Key.passphrase("correct horse")


def _scripts(text: str) -> set[str]:
    return {unicodedata.name(c).split()[0] for c in text if c.isalpha() and c != "ー"}


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@pytest.mark.parametrize("names", [False, True])
def test_a_stand_in_has_the_script_the_direction_and_about_the_length_of_its_value(names: bool) -> None:
    for key in range(40):
        p = Pseudonyms(bytes([key]) * 32)
        p.names = names
        p.set_known_values(KnownValues.given((name, "PERSON") for name in PEOPLE.values()))
        for script, name in PEOPLE.items():
            shown = p.make_stand_in(name, "PERSON")
            assert shown != name
            assert _scripts(shown) == {script}, (name, shown)
            assert abs(_width(shown) - _width(name)) <= max(4, _width(name) // 3), (name, shown)
            assert {unicodedata.bidirectional(c) for c in shown if c.isalpha()} <= {
                unicodedata.bidirectional(c) for c in name if c.isalpha()
            }


def test_invented_words_are_nobodys_and_end_as_syllables_end() -> None:
    p = Pseudonyms()
    words = {
        w.lower()
        for i in range(300)
        for w in p.make_stand_in(f"Kesselerberg{'abcdefghij'[i % 10] * (i // 10 % 9)} Lindqvist", "PERSON").split()
    }
    assert not words & given_names()
    assert not any(re.search(r"[^aeiou]{3}\Z|[^aeiou]{2}\Z", w) for w in words), "as jarindm and rezendnig did"


def test_names_are_given_names_and_family_names_and_stay_one_person() -> None:
    p = Pseudonyms()
    p.names = True
    p.set_known_values(
        KnownValues.given([("Tamsin Raghunathan", "PERSON"), ("tamsin.raghunathan@shop.nl", "EMAIL_ADDRESS")])
    )
    given, family = p.make_stand_in("Tamsin Raghunathan", "PERSON").split()
    assert given in NAMES["latin"].given
    assert p.make_stand_in("RAGHUNATHAN", "PERSON") == family.upper()
    assert p.make_stand_in("tamsin.raghunathan@shop.nl", "EMAIL_ADDRESS") == f"{given}.{family}@example.com".lower()
    assert re.fullmatch(r"\d\d [A-Z][a-z]+ Street, \d{4}", p.make_stand_in("12 Ostenvik Street, 1011", "ADDRESS"))
    assert re.fullmatch(r"[A-Z][a-z]+ Ltd", p.make_stand_in("Ostenworth Ltd", "ORGANIZATION"))


def test_no_stand_in_is_a_value_of_the_recording_or_holds_one() -> None:
    """Even where nearly every name of the list is somebody's in the recording, or a word of it."""
    taken = [*NAMES["latin"].given[:60], *NAMES["han"].given[:12]]
    values = KnownValues.given([(f"{name} Ostenvik{'abcdefgh'[i % 8]}", "PERSON") for i, name in enumerate(taken)])
    for names in (False, True):
        p = Pseudonyms()
        p.names = names
        p.used = frozenset(n.lower() for n in NAMES["latin"].given[60:80])
        p.set_known_values(values)
        for value in list(values):
            shown = p.make_stand_in(value.text, value.entity).casefold()
            assert not [v.text for v in values if v.text.casefold() in shown]
            assert not p.used & set(shown.split())


def test_an_invented_word_is_none_of_the_recording() -> None:
    first, second = Pseudonyms(b"k" * 32), Pseudonyms(b"k" * 32)
    word = first.make_stand_in("Ostenvik", "PERSON").casefold()
    second.used = frozenset({word})
    assert second.make_stand_in("Ostenvik", "PERSON").casefold() != word


def test_the_same_key_gives_the_same_names_in_whatever_order_they_are_asked_for() -> None:
    values = KnownValues.given((f"{n} Ostenvik", "PERSON") for n in ("Priya", "Kenji", "Fatima", "Tamsin"))
    shown = []
    for step in (1, -1):
        p = Pseudonyms(b"k" * 32)
        p.names = True
        p.set_known_values(values)
        shown.append({v.text: p.make_stand_in(v.text, v.entity) for v in list(values)[::step]})
    assert shown[0] == shown[1]


def _recording(path: Path, agent: str) -> Path:
    m = Maker(path, agent=agent)
    m.body(["p", {}, "Customer: Tamsin Raghunathan"], ["p", {}, "Hello, my name is Tamsin Raghunathan."])
    m.put("step", id=1, parent=None, title="Open the ticket of Tamsin Raghunathan", attributes={})
    return m.done()


def test_a_title_of_a_recording_says_someone_and_the_vault_leads_back(tmp_path: Path) -> None:
    agent = "Refund for Tamsin Raghunathan"
    redact(_recording(tmp_path / "a.reel", agent), tmp_path / "b.reel", vault=tmp_path / "v", vault_key=KEY)
    with open_reel(tmp_path / "b.reel") as reel:
        assert reel.header["agent"] == "Refund for someone"
        step = next(e for e in reel.events() if e["k"] == "step")
    vault = open_vault(tmp_path / "v", KEY)
    assert vault.replace_stand_ins("Refund for someone") == agent
    assert vault.replace_stand_ins(str(step["title"])) == "Open the ticket of Tamsin Raghunathan"
    assert vault.replace_stand_ins("Ask someone else.") == "Ask someone else."


def test_a_policy_chooses_names_and_the_vault_leads_back_from_each(tmp_path: Path) -> None:
    policy = tmp_path / "p.toml"
    policy.write_text('stand_ins = "names"\n')
    redact(_recording(tmp_path / "a.reel", "x"), tmp_path / "b.reel", policy, vault=tmp_path / "v", vault_key=KEY)
    vault = open_vault(tmp_path / "v", KEY)
    entry = next(e for e in vault.list_stand_ins() if e.value == "Tamsin Raghunathan")
    given = entry.stand_in.split()[0]
    assert given in NAMES["latin"].given
    with open_reel(tmp_path / "b.reel") as reel:
        assert json.dumps(list(reel.events()), ensure_ascii=False).count(entry.stand_in) >= 3
    assert vault.replace_stand_ins(f"{entry.stand_in} called") == "Tamsin Raghunathan called"
    policy.write_text('stand_ins = "real"\n')
    with pytest.raises(PolicyError, match=r"p\.toml:1: `stand_ins` must be one of invented, names"):
        load_policy(policy)


def test_a_type_of_ones_own_may_have_any_name() -> None:
    """A type from a policy file was looked up among the methods: `key` was bytes that cannot be called, `number` took other arguments."""
    stand_ins = Pseudonyms()
    for entity in ("KEY", "NUMBER", "WORD", "DIGEST", "MAKE", "GIVEN", "ORDER"):
        made = stand_ins.make_stand_in("Ostenworth 4471", entity)
        assert made and "Ostenworth" not in made and "4471" not in made


ODD_NUMBERS = [chr(n) for n in range(sys.maxunicode) if chr(n).isnumeric() and not chr(n).isalpha()]
"""Raised and circled digits, fractions, numerals of all scripts: some are digits to Unicode, and no part of a decimal number."""


@pytest.mark.parametrize(
    "entity", ["ADDRESS", "DATE_TIME", "EMAIL_ADDRESS", "PHONE_NUMBER", "TITLE", "USERNAME", "VALUE"]
)
def test_a_number_that_no_decimal_one_holds_has_a_stand_in(entity: str) -> None:
    p = Pseudonyms(bytes(32))
    assert len(ODD_NUMBERS) > 1_500
    for odd in ODD_NUMBERS:
        for value in (odd, f"12{odd}", f"Quellhof {odd}", f"{odd} May 2024", f"{odd}:30"):
            assert p.make_stand_in(value, entity), value
    for raised in "²①":
        assert raised not in p.make_stand_in(raised, entity)


def test_an_address_and_a_telephone_in_what_was_typed_are_the_ones_that_stand_elsewhere() -> None:
    made = Pseudonyms(b"k" * 32)
    typed = made.make_stand_in("Thank you Richard: +1-492-217-4218x0967 or kana@yamamoto.example. Shaun", "VALUE")
    for value, entity in (("+1-492-217-4218x0967", "PHONE_NUMBER"), ("kana@yamamoto.example", "EMAIL_ADDRESS")):
        assert made.make_stand_in(value, entity) in typed
    assert "  " not in typed and "Shaun" not in typed and "Richard" not in typed
