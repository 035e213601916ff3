"""What a comparison says holds nothing that either run's redaction would mask, in whichever channel it stood."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pagereel.comparison import compare, format_as_markdown, write_comparison
from pagereel.errors import GateError
from pagereel.player_build import unpack_replay

from .runs import Made

PEOPLE = (
    ("Priya Raghunathan", "priya.r@mail.example", "DE89 3704 0044 0532 0130 00", "+44 1632 960417"),
    ("Tomasz Wojciechowski", "tomasz.w@post.example", "GB82 WEST 1234 5698 7654 32", "+44 1632 960238"),
)


def told_everywhere(path: Path, person: tuple[str, str, str, str], wrong: bool) -> Path:
    """A run that says a person's name, address and account in each channel."""
    name, mail, account, phone = person
    run = Made(path)
    run.step(f"Write to {name}")
    run.open(
        f"/customers?email={mail}&name={name.replace(' ', '+')}",
        f"Customer {name}",
        f"Account {account}",
        f"[Call {phone}]",
        f"(Mail mailto:{mail})",
    )
    run.model(f"The customer is {name}, {mail}. What now?")
    run.tool("send", {"to": mail, "body": f"Dear {name}"}, {"sent_to": mail})
    run.call("fill", 'get_by_label("Name")', params={"value": name})
    run.call("click", f'get_by_text("{name}")')
    run.fetch(
        "POST",
        f"/api/mail?to={mail}",
        status=500 if wrong else 200,
        answer={"customer": name, "account": account, mail: 1},
        sent={"iban": account},
    )
    run.console("error", f"could not write to {mail}")
    told_beside_the_page(run, person)
    run.show(f"Written to {name}", f"Phone {phone}")
    run.call("click", 'get_by_text("Done")', **({"error": f"Error: {name} <{mail}> is no button"} if wrong else {}))  # type: ignore[arg-type]
    run.end_step(not wrong, f"{name} was not reached" if wrong else None)
    return run.end()


def told_beside_the_page(run: Made, person: tuple[str, str, str, str]) -> None:
    """What a run has besides its pages: messages, dialogs, downloads, console objects, headers, notes, memory."""
    name, mail, account, phone = person
    put, t = run.script.run, run.t
    for number, (kind, url) in enumerate((("websocket", f"ws://127.0.0.1/chat?as={mail}"), ("eventsource", "/feed"))):
        put("request", t, id=f"s{number}", page=1, method="GET", url=url, type=kind, headers={"x-user": mail})
        put("response", t, id=f"s{number}", status=200, headers={"x-account": account}, end=t, size=0)
        body = run.script.resource(t, "text/plain", json.dumps({"from": name, mail: phone}).encode())
        put("message", t, id=f"s{number}", sent=False, size=60, name=f"for {name}", body=body)
    put("dialog", t, page=1, type="prompt", message=f"Write to {name}?", default=mail)
    put("download", t, page=1, url=f"/files?of={mail}", filename=f"{name} {account}.pdf")
    put("console", t, page=1, level="log", text="{…}", args=[{"customer": name, mail: [phone, {"iban": account}]}])
    put("error", t, page=1, message=f"{name} has no account {account}", stack=f"at send ({mail})")
    put("note", t, id=900, text=f"{name} prefers {phone}", attributes={"customer.mail": mail})
    put("mark", t, name=f"{name} is written to")
    put("memory", t, id=901, op="write", key=f"mail of {name}", value={mail: account})


@pytest.mark.parametrize("policy", ["vendor", "strict"])
def test_no_value_of_either_run_is_in_what_is_said(tmp_path: Path, policy: str) -> None:
    a = told_everywhere(tmp_path / "a.reel", PEOPLE[0], wrong=False)
    b = told_everywhere(tmp_path / "b.reel", PEOPLE[1], wrong=True)
    result = compare(a, b, redaction=policy)
    said = json.dumps(result.to_json(), ensure_ascii=False) + format_as_markdown(result, a, b)
    assert {"page", "network", "model", "action", "console", "outcome"} <= set(result.kinds)
    for person in PEOPLE:
        for value in (*person, *person[0].split(), person[1].partition("@")[0]):
            assert value.casefold() not in said.casefold(), value
    assert result.check(said) == said
    raw = json.dumps(compare(a, b, redaction=None).to_json(), ensure_ascii=False)
    assert all(value in raw for person in PEOPLE for value in person[:3])


def test_who_is_in_both_runs_has_one_stand_in(tmp_path: Path) -> None:
    a = told_everywhere(tmp_path / "a.reel", PEOPLE[0], wrong=False)
    b = told_everywhere(tmp_path / "b.reel", PEOPLE[0], wrong=True)
    result = compare(a, b)
    assert set(result.kinds) == {"network", "action", "outcome"}
    both = [
        each
        for each in result.differences
        if each.kind == "network" and isinstance(each.a, str) and isinstance(each.b, str)
    ]
    assert all(each.a == each.b for each in both)
    assert result.divergence is not None and result.divergence.a.title == result.divergence.b.title


@pytest.mark.parametrize("policy", ["vendor", "strict"])
def test_no_value_of_either_run_is_in_any_layer_of_the_page(tmp_path: Path, policy: str) -> None:
    a = told_everywhere(tmp_path / "a.reel", PEOPLE[0], wrong=False)
    b = told_everywhere(tmp_path / "b.reel", PEOPLE[1], wrong=True)
    html = tmp_path / "compare.html"
    write_comparison(compare(a, b, redaction=policy), html, f"{PEOPLE[0][0]}.reel", "b.reel")
    layers = opened(html)
    assert (policy == "strict" or "Account" in layers) and len(layers) > 20_000
    for person in PEOPLE:
        for value in (*person, *person[0].split(), person[1].partition("@")[0]):
            assert value.casefold() not in layers.casefold(), value
    assert "A.reel" not in layers and unpack_replay(html.read_bytes()).index["title"] == "b.reel beside A"


def test_who_is_in_both_runs_has_one_stand_in_in_both_halves_of_the_page_and_in_what_is_said_of_them(
    tmp_path: Path,
) -> None:
    runs = []
    for name, city in (("a", "Leeds"), ("b", "York")):
        made = Made(tmp_path / f"{name}.reel")
        made.open("/customers", f"Customer {PEOPLE[0][0]}", f"Ships to {PEOPLE[0][0]} in {city} tomorrow")
        made.call("click", 'get_by_text("Done")')
        runs.append(made.end())
    html = tmp_path / "compare.html"
    result = compare(*runs, redaction="vendor")
    write_comparison(result, html, "a.reel", "b.reel")
    built = unpack_replay(html.read_bytes())
    names = set(re.findall(r"Ships to (\w+ \w+) in", json.dumps(built.events)))
    assert len(names) == 1 and PEOPLE[0][0] not in names
    said = json.dumps(built.index["told"])
    assert f"Ships to {names.pop()} in" in said


def test_a_value_that_was_not_masked_keeps_the_page_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [told_everywhere(tmp_path / f"{n}.reel", PEOPLE[n], wrong=bool(n)) for n in (0, 1)]
    result = compare(*runs, redaction="vendor")
    monkeypatch.setattr(
        "pagereel.comparison.comparison_page.build_page_payload", lambda result: {"said": f"by {PEOPLE[1][1]}"}
    )
    with pytest.raises(GateError, match="known value"):
        write_comparison(result, tmp_path / "compare.html", "a.reel", "b.reel")
    assert not list(tmp_path.glob("*compare.html*"))


def opened(html: Path) -> str:
    """All that stands in a built file, its pieces inflated, as text."""
    page = html.read_bytes()
    built = unpack_replay(page)
    parts = [page.decode(), json.dumps(built.index, ensure_ascii=False), json.dumps(built.events, ensure_ascii=False)]
    return "\n".join([*parts, *(pack.decode("utf-8", "replace") for pack in built.packs)])


def test_a_gate_stands_before_what_is_written(tmp_path: Path) -> None:
    from pagereel.errors import GateError

    a = told_everywhere(tmp_path / "a.reel", PEOPLE[0], wrong=False)
    b = told_everywhere(tmp_path / "b.reel", PEOPLE[0], wrong=True)
    with pytest.raises(GateError):
        compare(a, b).check(f"it was {PEOPLE[0][0]}")
