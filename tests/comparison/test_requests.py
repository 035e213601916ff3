"""Which request is which where one address is asked for many things, as GraphQL, JSON-RPC and the callbacks of some pages are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pagereel.comparison import compare
from pagereel.comparison.matching import request_matching
from pagereel.comparison.runs.run_items import RunRequest

from .runs import SHOP, Made

ASKED = ("rows", "plan", "add", "total")


def asks(path: Path, asked: Sequence[str] = ASKED, news: int = 0, took: float = 30) -> Path:
    """A page that asks one address for one thing after the other, and for its news before the one with the number `news`."""
    run = Made(path)
    run.step("Work")
    run.open("/", "Shop", "[Pay]")
    for number, what in enumerate(asked):
        run.call("click", f'get_by_role("button", name="{what}")')
        if number == news:
            run.fetch("GET", "/news", answer={"news": 3})
        sent = {"output": what, "state": [1, 2]}
        run.fetch("POST", "/rpc", answer={what: "ok"}, sent=sent, took=took if what == "plan" else 30)
        run.rest()
    run.end_step()
    return run.end()


def test_what_is_asked_for_meanwhile_does_not_make_requests_others_that_send_the_same(tmp_path: Path) -> None:
    assert compare(asks(tmp_path / "a.reel", news=0), asks(tmp_path / "b.reel", news=2), redaction=None).equal


def test_what_browsers_ask_for_by_themselves_is_no_request_of_the_run(tmp_path: Path) -> None:
    def run(path: Path, *addresses: str) -> Path:
        made = Made(path)
        made.step("Work")
        made.open("/", "Shop", "[Pay]")
        made.call("click", 'get_by_role("button", name="Pay")')
        for address in addresses:
            made.fetch("POST", address, answer={})
        made.rest()
        made.end_step()
        return made.end()

    by_itself = ("/favicon-32x32.png", "/shortcut.ico", "/.well-known/appspecific/com.chrome.devtools.json")
    a, b = run(tmp_path / "a.reel", "/orders"), run(tmp_path / "b.reel", "/orders", *by_itself)
    assert compare(a, b, redaction=None).equal and not compare(a, run(tmp_path / "c.reel"), redaction=None).equal


def test_the_request_that_is_missing_is_told_and_not_one_after_it(tmp_path: Path) -> None:
    a, b = asks(tmp_path / "a.reel"), asks(tmp_path / "b.reel", ("rows", "plan", "total"), news=1)
    said = [each.said for each in compare(a, b, redaction=None).differences if each.kind == "network"]
    assert said == ["POST /rpc was not sent."]


def test_a_request_that_sends_something_else_is_the_one_that_it_is_instead_of(tmp_path: Path) -> None:
    a, b = asks(tmp_path / "a.reel"), asks(tmp_path / "b.reel", ("rows", "plan", "remove", "total"))
    found = compare(a, b, redaction=None).divergence
    assert found is not None and found.summary == "The call “Click remove” was made instead of “Click add”."
    assert found.chain[1].endswith("POST /rpc sent output “remove” instead of “add”.")


def test_what_a_request_usually_takes_is_known_though_a_run_of_the_baseline_asked_for_something_less(
    tmp_path: Path,
) -> None:
    """Run by run the same request has the same number, whatever came before it in one of them only."""
    a = asks(tmp_path / "a.reel", news=0)
    slow = asks(tmp_path / "slow.reel", news=9, took=900)
    b = asks(tmp_path / "b.reel", news=0, took=920)
    assert not compare(a, b, redaction=None).equal
    assert compare(a, b, baseline=slow, redaction=None).failed("time") == []


RUN = "5db14678-0a1b-4c2d-8e3f-{:012d}"


def stages(path: Path, seed: int, steps: int = 4, swapped: bool = False, odd: int | None = None) -> Path:
    """A page that asks an address with a number in it after each press, twice; `swapped`: the two in another order."""
    run = Made(path)
    run.step("Work")
    run.open("/", "Runs", "[Next]")
    for number in range(1, steps + 1):
        run.call("click", f'get_by_role("button", name="Next {number}")')
        for part in (1, 0) if swapped and number == 2 else (0, 1):
            at = 10 * number + part
            run.fetch("POST", f"/api/x/{RUN.format(seed)}/step/{at}", answer={"at": at, "state": "odd" if at == odd else "well"})  # fmt: skip
        run.rest()
    run.end_step()
    return run.end()


def test_requests_of_one_address_are_matched_by_the_action_that_caused_them(tmp_path: Path) -> None:
    a = stages(tmp_path / "a.reel", 1)
    assert compare(a, stages(tmp_path / "swapped.reel", 2, swapped=True), redaction=None).equal
    early = compare(a, stages(tmp_path / "early.reel", 3, steps=3), redaction=None)
    assert early.failed() == ["action"]
    late = compare(stages(tmp_path / "short.reel", 4, steps=3), a, redaction=None)
    assert all(each.a is None for each in late.differences if each.kind == "network")
    odd = compare(a, stages(tmp_path / "odd.reel", 5, steps=3, swapped=True, odd=20), redaction=None).divergence
    assert odd is not None and "state “odd” instead of “well”" in odd.summary


def test_the_requests_of_two_runs_are_matched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matched: list[int] = []

    class Counted(request_matching._RequestMatching):
        def __init__(self, *sides: Sequence[RunRequest]) -> None:
            matched.append(len(sides[0]))
            super().__init__(*sides)

    monkeypatch.setattr(request_matching, "_RequestMatching", Counted)
    a, b, c = (asks(tmp_path / f"{name}.reel", news=number) for number, name in enumerate("abc"))
    assert compare(a, b, baseline=[c], redaction=None).differences == []
    assert len(matched) == 2, "with the second run, and with that of the baseline"


def test_addresses_that_differ_in_their_query_alone_are_told_apart(tmp_path: Path) -> None:
    def run(path: Path, address: str) -> Path:
        made = Made(path)
        made.step("Work")
        made.open(address, "Shop", "[Pay]")
        made.fetch("GET", f"/api{address}", answer={})
        made.rest()
        made.end_step()
        return made.end()

    found = compare(run(tmp_path / "a.reel", "/shop"), run(tmp_path / "b.reel", "/shop?full"), redaction=None)
    said = [each.said for each in found.differences]
    assert any(
        "/shop?full" in each and each.removesuffix(".").endswith("/shop")
        for each in said
        if each.lower().startswith("the page is")
    ), said
    assert not any("“?”" in each for each in said), said


def saved(path: Path, *after: int, status: int = 204, left: bool = False) -> Path:
    """A page that saves a draft after the presses with these numbers; `left`: it saves once more, and another page is opened before the answer."""
    run = Made(path)
    run.step("Write")
    run.open("/", "Draft", "[Next]")
    for number in range(3):
        run.call("click", f'get_by_role("button", name="Next {number}")')
        if number in after:
            run.fetch("PUT", "/draft", status, sent={"text": number})
        run.rest()
    if left:
        told = {
            "page": 1,
            "method": "PUT",
            "headers": {},
            "url": f"{SHOP.format(port=run.port)}/draft",
            "type": "fetch",
        }
        run.script.run("request", run.t, id="left", **told)
    run.call("goto", params={"url": f"{SHOP.format(port=run.port)}/sent"})
    told = {"page": 1, "method": "GET", "headers": {}, "url": f"{SHOP.format(port=run.port)}/sent", "type": "document"}
    run.script.run("request", run.t, id="sent", **told)
    run.script.run("response", run.t + 40, id="sent", status=200, headers={}, end=run.t + 40, size=2)
    run.document("/sent", "Sent")
    run.end_step()
    return run.end()


def test_what_is_saved_as_often_at_another_time_is_no_difference_and_what_is_saved_once_more_is(tmp_path: Path) -> None:
    a = saved(tmp_path / "a.reel", 0)
    assert compare(a, saved(tmp_path / "b.reel", 1), redaction=None).equal
    (more,) = compare(a, saved(tmp_path / "c.reel", 0, 1), redaction=None).differences
    assert more.said == "PUT /draft was sent again."
    failed = compare(a, saved(tmp_path / "d.reel", 1, status=500), redaction=None).differences
    assert [each.said for each in failed] == ["PUT /draft was sent again."]


def test_a_request_that_its_page_left_before_the_answer_is_no_difference(tmp_path: Path) -> None:
    assert compare(saved(tmp_path / "a.reel", 0), saved(tmp_path / "b.reel", 0, left=True), redaction=None).equal
