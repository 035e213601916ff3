"""Several recordings that are masked together: the values of each are in none of the copies, and one person has one stand-in in all."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from pagereel.errors import GateError
from pagereel.reading import open_recording
from pagereel.redaction import mask_excerpts_jointly, redact, redact_many

from ..comparison.runs import Made


def written(path: Path, number: str, name: str, mail: str, beside: str = "") -> Path:
    run = Made(path)
    run.open("/account", f"Customer {name}", f"Write to {mail}", f"Ticket of {beside or name}")
    run.fetch("POST", "/api/mail", answer={"email": mail, "iban": number}, sent={"to": mail})
    run.console("error", f"no answer from {mail}")
    return run.end()


def fresh() -> tuple[str, str]:
    """An address and an account that no list of words knows."""
    word = "".join(secrets.choice("bcdfghjklmnpqrstvwxz") + secrets.choice("aeiou") for _ in range(4))
    return f"{word}@mail.example", f"DE{secrets.randbelow(90) + 10}370400440{secrets.randbelow(10**9):09d}"


def test_the_values_of_each_are_in_no_copy_of_either(tmp_path: Path) -> None:
    (mail_a, iban_a), (mail_b, iban_b) = fresh(), fresh()
    a = written(tmp_path / "a.reel", iban_a, "Priya Raghunathan", mail_a, beside="Tomasz Wojciechowski")
    b = written(tmp_path / "b.reel", iban_b, "Tomasz Wojciechowski", mail_b)
    made = redact_many([(a, tmp_path / "ma.reel"), (b, tmp_path / "mb.reel")], values=[(f"mail to {mail_a}", "text")])
    assert made.reels == [tmp_path / "ma.reel", tmp_path / "mb.reel"] and made.gate is not None
    for reel in made.reels:
        made.gate.raise_on_leak(reel.read_bytes(), "a masked copy")
    assert mail_a not in str(made.values[0])
    for raw in (a, b):
        with pytest.raises(GateError):
            made.gate.raise_on_leak(raw.read_bytes(), "a recording as it was")


def test_one_person_has_one_stand_in_in_both_and_in_what_is_said_of_them(tmp_path: Path) -> None:
    mail, iban = fresh()
    a = written(tmp_path / "a.reel", iban, "Priya Raghunathan", mail)
    b = written(tmp_path / "b.reel", iban, "Priya Raghunathan", mail)
    made = redact_many(
        [(a, tmp_path / "ma.reel"), (b, tmp_path / "mb.reel")], values=[("Customer Priya Raghunathan", "text")]
    )
    first, second = (shown(reel) for reel in made.reels)
    assert first == second
    assert str(made.values[0]) in first and "Raghunathan" not in first


def test_what_was_masked_before_is_taken_as_it_is(tmp_path: Path) -> None:
    mail, iban = fresh()
    a = written(tmp_path / "a.reel", iban, "Priya Raghunathan", mail)
    redact(a, tmp_path / "before.reel")
    made = redact_many([(tmp_path / "before.reel", tmp_path / "again.reel")])
    assert made.reels == [tmp_path / "before.reel"] and made.reports == [None] and made.gate is None
    assert not (tmp_path / "again.reel").exists()


def test_what_is_typed_in_one_is_no_beginning_of_what_is_typed_in_the_other(tmp_path: Path) -> None:
    """Both recordings number their documents and nodes from 1: a field of one is not a field of the other."""
    word = "Q" + "".join(secrets.choice("bcdfghjklmnpqrstvwxz") for _ in range(4))
    runs = []
    for name, typed in (("a", word), ("b", word + "qx")):
        run = Made(tmp_path / f"{name}.reel")
        run.open("/", "Your word")
        document = run.script.model.documents[run.d]
        body = next(node for node in document.walk() if node.name == "body")
        field = document.last_id + 1
        run.script.ops(run.t, run.d, ["add", body.id, field, ["input", {"type": "text"}]])
        run.script.ops(run.t + 5, run.d, ["value", field, typed])
        run.show(f"You wrote {typed}")
        runs.append(run.end())
    made = mask_excerpts_jointly(runs, [(f"it was {word}", "text")])
    assert word not in str(made.values[0])


def shown(reel: Path) -> str:
    return "\n".join(str(page["text"]) for page in open_recording(reel).text())
