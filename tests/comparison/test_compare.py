"""Two runs of one thing: what differs is named first and told as a chain, what is another one each time is no difference."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest

from pagereel.comparison import Comparison, compare
from pagereel.garbage_collection import pausing_garbage_collection

from .runs import Made, purchase


def beside(folder: Path, **changed: Any) -> Comparison:
    return compare(purchase(folder / "a.reel"), purchase(folder / "b.reel", **changed), redaction=None)


def test_a_run_again_is_equal_though_ports_orders_and_ids_differ(tmp_path: Path) -> None:
    result = beside(tmp_path, port=9123, order=5822)
    assert result.equal and result.divergence is None and result.differences == []
    assert result.failed() == [] and {pair.kind for pair in result.pairs} == {"paired"}


@pytest.mark.parametrize(
    ("changed", "kind", "words"),
    [
        ({"status": 409}, "network", "POST /cart answered 409 instead of 201"),
        ({"total": "0"}, "page", "the page says “Total 0” instead of “Total 48”"),
        ({"label": "Buy"}, "page", "the page says “[button: Buy]” instead of “[button: Pay]”"),
        ({"label": "Pay!"}, "page", "<button> Pay is disabled"),
        ({"link": "/login"}, "page", "<a> Docs has href “/login” instead of “/docs”"),
        ({"button": False}, "page", "the page does not say “[button: Pay]”"),
        ({"rating": 3.1}, "network", "GET /api/vase/{n} answered rating 3.1 instead of 4.8"),
        ({"console": "cart is undefined"}, "console", "the console has the error “cart is undefined”"),
        ({"took": 2400}, "time", "POST /cart took 2.4 s instead of 30 ms"),
        ({"model": "m-2"}, "model", "the model “m-2” was asked instead of “m-1”"),
        (
            {"tool": {"name": "Tern vase", "amount": 10}},
            "model",
            "the tool “choose” was called with amount 10 instead of 1",
        ),
        (
            {"tool": {"name": "Tern vase", "amount": "1"}},
            "model",
            "the tool “choose” was called with amount “1” instead of 1",
        ),
        ({"fails": True}, "action", "fails: “TimeoutError: Timeout 3000ms exceeded”"),
        ({"extra_click": True}, "action", "was added"),
        ({"retry": True}, "action", "needed 2 tries instead of 1"),
        ({"cost": 0.9}, "cost", "the run cost 0.9 USD instead of 0.01"),
    ],
)
def test_one_change_is_where_they_part(tmp_path: Path, changed: dict[str, Any], kind: str, words: str) -> None:
    result = beside(tmp_path, **changed)
    assert result.divergence is not None
    assert result.divergence.kind == kind
    assert words.casefold() in result.divergence.summary.casefold()
    assert kind in result.failed()


def test_the_chain_goes_from_the_cause_to_the_end(tmp_path: Path) -> None:
    result = beside(tmp_path, status=409, total="0", button=False)
    assert result.divergence is not None
    said = " ".join(result.divergence.chain)
    order = [
        "answered 409",
        "“Total 0”",
        "“[button: Pay]”",
        "fails",
        "the step “Pay” fails",
        "ends failed instead of passed",
    ]
    places = [said.casefold().find(words.casefold()) for words in order]
    assert -1 not in places and places == sorted(places), said
    assert result.outcome == {"a": "passed", "b": "failed"}
    assert result.divergence.b.title == "Put it in the cart"


def test_what_varies_in_the_baseline_is_no_difference_and_what_does_not_is(tmp_path: Path) -> None:
    others = [
        purchase(tmp_path / f"{n}.reel", advert=f"Buy {word} now") for n, word in enumerate(("shoes", "hats", "bags"))
    ]
    a, b = purchase(tmp_path / "a.reel"), purchase(tmp_path / "b.reel", advert="Buy socks now")
    worse = purchase(tmp_path / "c.reel", advert="Buy socks now", status=409)
    assert not compare(a, b, redaction=None).equal
    learnt = compare(a, b, baseline=[tmp_path / "[012].reel"], redaction=None)
    assert learnt.equal and learnt.ignored == 1
    assert compare(a, worse, baseline=others, redaction=None).failed() == ["network"]


def test_a_line_of_the_next_page_says_nothing_of_this_one(tmp_path: Path) -> None:
    def adverts(path: Path, first: str, second: str) -> Path:
        run = Made(path)
        run.open("/", first, "Rooms")
        run.open("/room", second, "Room 1")
        return run.end()

    a = adverts(tmp_path / "a.reel", "Buy shoes", "Buy hats")
    b = adverts(tmp_path / "b.reel", "Buy hats", "Buy hats")
    assert [(d.a, d.b) for d in compare(a, b, redaction=None).differences] == [("Buy shoes", "Buy hats")]


def test_what_was_slow_and_ended_in_time_is_not_where_they_part(tmp_path: Path) -> None:
    a = purchase(tmp_path / "a.reel")
    b = purchase(tmp_path / "b.reel", took=2400, fails=True)
    result = compare(a, b, redaction=None)
    assert result.divergence is not None and result.divergence.kind == "action" and "time" in result.kinds


def test_two_values_that_come_again_are_all_that_are_usual(tmp_path: Path) -> None:
    for number in range(5):
        purchase(tmp_path / f"{number}.reel", total="48" if number % 2 else "52")
    a, b = purchase(tmp_path / "a.reel"), purchase(tmp_path / "b.reel", total="52")
    result = compare(a, b, baseline=tmp_path / "[0-9].reel", redaction=None)
    assert result.equal and result.ignored == 1
    assert compare(
        a, purchase(tmp_path / "c.reel", total="0"), baseline=tmp_path / "[0-9].reel", redaction=None
    ).failed() == ["page"]


def test_a_baseline_knows_what_time_something_takes(tmp_path: Path) -> None:
    for n, took in enumerate((900, 1500, 1200)):
        purchase(tmp_path / f"{n}.reel", took=took)
    a = purchase(tmp_path / "a.reel", took=400)
    assert "time" in compare(a, purchase(tmp_path / "b.reel", took=1400), redaction=None).failed()
    assert compare(a, tmp_path / "b.reel", baseline=str(tmp_path / "[012].reel"), redaction=None).equal
    slow = compare(a, purchase(tmp_path / "c.reel", took=9000), baseline=str(tmp_path / "[012].reel"), redaction=None)
    assert slow.failed("time") == ["time"] and slow.failed("time=+50%") == ["time"] and slow.failed("time=+900%") == []


def test_rules_leave_out_what_they_name(tmp_path: Path) -> None:
    a, b = purchase(tmp_path / "a.reel"), purchase(tmp_path / "b.reel", advert="Winter sale", rating=3.0, took=3000)
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[[ignore]]\ntext = "* sale"\n[[ignore]]\njson = "rat*"\n[[ignore]]\nrequest = "POST /cart"\nkind = "time"\n'
    )
    assert set(compare(a, b, redaction=None).failed()) == {"page", "network", "time"}
    result = compare(a, b, ignore=rules, redaction=None)
    assert result.equal and result.ignored == 3
    rules.write_text('[[ignore]]\nselector = "p.line"\n')
    assert "page" not in compare(a, b, ignore=rules, redaction=None).failed()


def test_what_it_says_is_masked_alike_in_both(tmp_path: Path) -> None:
    a = purchase(tmp_path / "a.reel", advert="Welcome Priya Raghunathan")
    b = purchase(tmp_path / "b.reel", advert="Goodbye Priya Raghunathan")
    result = compare(a, b)
    [difference] = result.differences
    assert isinstance(difference.a, str) and isinstance(difference.b, str)
    assert "Priya" not in f"{difference} {result.divergence}" and difference.a.split()[1:] == difference.b.split()[1:]
    raw = compare(a, b, redaction=None).differences[0]
    assert raw.a == "Welcome Priya Raghunathan"


def with_notice(path: Path, stays: bool, button: str = "[Next]") -> Path:
    """A run in which a notice comes after a click; it goes by itself before the next one, or not yet."""
    run = Made(path)
    run.open("/", "Letter", "[Send]")
    run.call("click", 'get_by_role("button", name="Send")')
    run.show("Letter", "Sent", button)
    run.rest()
    if not stays:
        run.show("Letter", button)
        run.rest()
    run.call("click", 'get_by_role("button", name="Next")')
    run.show("Next letter")
    return run.end()


def test_a_notice_that_goes_at_its_own_time_is_no_difference(tmp_path: Path) -> None:
    a, b = with_notice(tmp_path / "a.reel", False), with_notice(tmp_path / "b.reel", True)
    assert compare(a, b, redaction=None).equal and compare(b, a, redaction=None).equal
    other = with_notice(tmp_path / "c.reel", True, "[Back]")
    assert compare(a, other, redaction=None).failed() == ["page"]


def test_what_an_action_should_have_taken_away_is_a_difference(tmp_path: Path) -> None:
    def removal(path: Path, works: bool) -> Path:
        run = Made(path)
        run.open("/", "Cart", "Tern vase", "[Remove]")
        run.call("click", 'get_by_role("button", name="Remove")')
        run.show("Cart", *([] if works else ["Tern vase"]), "[Remove]")
        run.call("click", 'get_by_text("Shop")')
        return run.end()

    result = compare(removal(tmp_path / "a.reel", True), removal(tmp_path / "b.reel", False), redaction=None)
    assert [(d.kind, d.a, d.b) for d in result.differences] == [("page", None, "Tern vase")]


def answered(path: Path, *, goes: bool, hurried: bool, notice: str = "Sent") -> Path:
    """A notice goes right with the next click, or stays; whoever hurries does the next thing before the page rests."""
    run = Made(path)
    run.open("/", "Inbox", "[Send]")
    run.call("click", 'get_by_role("button", name="Send")')
    run.show("Inbox", notice, "[Open]")
    run.call("click", 'get_by_role("button", name="Open")')
    run.show("Inbox", *([] if goes else [notice]), "The letter", "[Close]")
    run.t -= 360 if hurried else 0
    run.call("click", 'get_by_role("button", name="Close")')
    run.rest()
    return run.end()


def test_what_a_run_of_the_baseline_shows_is_usual_though_it_did_not_wait_for_its_page(tmp_path: Path) -> None:
    a = answered(tmp_path / "a.reel", goes=True, hurried=False)
    b = answered(tmp_path / "b.reel", goes=False, hurried=False)
    assert [each.said for each in compare(a, b, redaction=None).differences] == ["the page says “Sent”."]
    hurried = answered(tmp_path / "0.reel", goes=False, hurried=True)
    assert compare(a, hurried, redaction=None).equal, "it says nothing against a page that it did not wait for"
    assert compare(a, b, baseline=hurried, redaction=None).equal


def test_what_is_said_where_notices_are_goes_at_its_own_time_also_right_after_the_next_thing(tmp_path: Path) -> None:
    a = answered(tmp_path / "a.reel", goes=True, hurried=False, notice="~Sent")
    b = answered(tmp_path / "b.reel", goes=False, hurried=False, notice="~Sent")
    assert compare(a, b, redaction=None).equal and compare(b, a, redaction=None).equal
    other = answered(tmp_path / "c.reel", goes=False, hurried=False, notice="~Not sent")
    assert compare(a, other, redaction=None).failed() == ["page"], "another notice is no less a difference"


def test_a_dialog_and_a_saved_file_that_only_one_run_has_are_told(tmp_path: Path) -> None:
    runs = []
    for name, message, file in (("a", "Saved as 2026-11-02", "bill.pdf"), ("b", "Saved as 2026-11-24", "error.html")):
        made = Made(tmp_path / f"{name}.reel")
        made.open("/", "Shop", "[Save]")
        made.call("click", 'get_by_role("button")')
        made.script.run("dialog", made.t, page=1, type="alert", message=message)
        if name == "b":
            made.script.run("dialog", made.t, page=1, type="confirm", message="Sold out, go on?")
        made.script.run("download", made.t, page=1, url="http://127.0.0.1:8000/file", filename=file)
        made.rest()
        runs.append(made.end())
    result = compare(*runs, redaction=None)
    assert sorted(each.said for each in result.differences) == [
        "the confirm dialog “Sold out, go on?” opens.", "the file “bill.pdf” is not saved.", "the file “error.html” is saved.",
    ]  # fmt: skip
    assert result.failed("page") == ["page"]


def test_no_garbage_is_looked_for_while_two_runs_are_compared_nor_among_all_that_was_made_when_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = purchase(tmp_path / "a.reel"), purchase(tmp_path / "b.reel")
    looked: list[object] = []
    told = lambda phase, _: looked.append(phase)  # noqa: E731
    monkeypatch.setattr("pagereel.garbage_collection._exempt", False)
    gc.unfreeze()  # Where an earlier test had models loaded, they are kept out of the search, and one look comes at the end.
    gc.collect()
    gc.callbacks.append(told)
    try:
        result = compare(a, b, redaction=None)
        assert not looked
    finally:
        gc.callbacks.remove(told)
    assert result.equal and gc.isenabled()


def test_what_is_kept_out_of_the_search_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting looks at each: a trace is read line by line, and each line would count loaded models."""
    counts = iter([3])
    monkeypatch.setattr("pagereel.garbage_collection._exempt", False)
    monkeypatch.setattr(gc, "get_freeze_count", lambda: next(counts))
    for _ in range(3):
        with pausing_garbage_collection():
            pass
    assert gc.isenabled()


def tickets(path: Path, *states: str) -> Path:
    """A run that presses a button beside a list of states."""
    run = Made(path)
    run.step("Look")
    run.open("/", "Tickets", "[Close]", *(["li", {}, state] for state in states))
    run.call("click", 'get_by_role("button", name="Close")')
    run.end_step()
    return run.end()


def test_of_several_lines_that_say_the_same_the_one_that_became_another_is_shown(tmp_path: Path) -> None:
    a = tickets(tmp_path / "a.reel", "Open", "Open", "Open", "Open")
    b = tickets(tmp_path / "b.reel", "Open", "Open", "Closed", "Open")
    (difference,) = compare(a, b, redaction=None).differences
    assert difference.said == "the page says “- Closed” instead of “- Open”."
    assert difference.nodes["a"] == difference.nodes["b"] is not None


def test_a_text_that_stands_elsewhere_as_well_is_told_where_it_stands_instead_of_another(tmp_path: Path) -> None:
    """Both runs soon show more of it, so that it alone would be no difference."""

    def run(path: Path, first: str) -> Path:
        made = Made(path)
        made.step("Look")
        made.open("/", "Notes", f"[{first}]", "[-]", "Welcome")
        made.call("click", 'get_by_role("button", name="New")')
        made.show("Notes", *["[-]"] * 5)
        made.end_step()
        return made.end()

    (difference,) = compare(run(tmp_path / "a.reel", "Close all"), run(tmp_path / "b.reel", "-"), redaction=None).differences  # fmt: skip
    assert difference.said == "the page says “[button: -]” instead of “[button: Close all]”."


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [(4, 3, "3 times instead of 4"), (1, 2, "twice instead of once"), (2, 1, "once instead of twice")],
)
def test_a_line_that_is_said_more_often_is_a_difference(tmp_path: Path, ours: int, theirs: int, said: str) -> None:
    a, b, like_b = (tickets(tmp_path / f"{at}.reel", *["Open"] * n) for at, n in enumerate((ours, theirs, theirs)))
    (difference,) = compare(a, b, redaction=None).differences
    assert difference.said == f"the page says “- Open” {said}."
    assert not compare(a, b, baseline=[like_b], redaction=None).differences
