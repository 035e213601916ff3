"""Pages that are never twice the same: what varies, what comes late, what goes by itself, and what only one of two runs waited for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pagereel.comparison import Comparison, compare
from pagereel.reel import Json

from .runs import Made


def visits(path: Path, *pages: Sequence[str], seen: int = 2) -> Path:
    """A run that opens a page so many times; each time it says something else around what it is for."""
    run = Made(path)
    run.step("Look around")
    for number, lines in enumerate(pages):
        run.open(f"/{number % seen}", "Shop", *lines, "[Pay]", "Imprint")
    run.end_step()
    return run.end()


def test_a_place_that_varies_within_one_run_is_usual_only_where_other_runs_have_something_else_there(
    tmp_path: Path,
) -> None:
    a = visits(tmp_path / "a.reel", ["(Figs /f)"], ["(Boats /b)"], ["(Rye /r)"], ["(Soap /s)"])
    b = visits(tmp_path / "b.reel", ["(Lamps /l)"], ["(Rugs /u)"], ["(Tea /t)"], ["(Knives /k)"])
    other = visits(tmp_path / "o.reel", ["(Pears /p)"], ["(Oars /o)"], ["(Jam /j)"], ["(Wax /w)"])
    assert compare(a, b, redaction=None).failed("page") == ["page"]
    assert compare(a, b, baseline=other, redaction=None).failed("page,action,network") == []
    c = visits(tmp_path / "c.reel", ["(Lamps /l)", "Sold out"], ["(Rugs /u)"], ["(Tea /t)"], ["(Knives /k)"])
    found = compare(a, c, baseline=other, redaction=None).divergence
    assert found is not None and "Sold out" in found.summary


def test_a_button_that_all_runs_have_counts_though_what_stands_around_it_varies(tmp_path: Path) -> None:
    around = ("Ash", "Birch", "Cedar", "Elm")
    good, *others = [visits(tmp_path / f"{tree}.reel", [tree, "Total 48"]) for tree in around]
    bad = visits(tmp_path / "bad.reel", ["Larch", "Total 84"])
    again = visits(tmp_path / "again.reel", ["Fir", "Total 48"])
    assert compare(good, again, baseline=others, redaction=None).equal
    found = compare(good, bad, baseline=others, redaction=None).divergence
    assert found is not None and "Total 84" in found.summary


def late(path: Path, after: float, stays: float, *more: str) -> Path:
    """A page whose last lines come `after` so many ms, if it is there for so long: it is left after `stays`."""
    run = Made(path)
    run.step("Read")
    run.open("/", "Shop", "[Pay]")
    run.t += after - 400 if after < stays else stays - 400
    if after < stays:
        run.show("Shop", "[Pay]", *more)
        run.t += stays - after - 410
    run.call("click", 'get_by_role("button", name="Pay")')
    run.open("/paid", "Thank you")
    run.end_step()
    return run.end()


def test_what_comes_late_is_not_missed_where_the_page_was_left_before(tmp_path: Path) -> None:
    a, b = late(tmp_path / "a.reel", 900, 2000, "Imprint"), late(tmp_path / "b.reel", 9000, 1000, "Imprint")
    assert compare(a, b, redaction=None).failed("page") == []
    c = late(tmp_path / "c.reel", 9000, 4000, "Imprint")
    assert compare(a, c, redaction=None).failed("page") == ["page"]


def test_what_comes_with_something_that_is_there_is_missed(tmp_path: Path) -> None:
    a = late(tmp_path / "a.reel", 900, 1700, "Delivery in 3 days", "48 EUR")
    b = late(tmp_path / "b.reel", 900, 1400, "Delivery in 3 days")
    found = compare(a, b, redaction=None).divergence
    assert found is not None and "48 EUR" in found.summary


def pressed(path: Path, waits: float, *more: str) -> Path:
    """A click that waits so many ms until it may press; what the page says more comes at once."""
    run = Made(path)
    run.step("Pay")
    run.open("/", "Shop", "[Pay]")
    run.call("click", 'get_by_role("button", name="Pay")', took=waits + 30)
    run.script.page("mouse", run.t - 30, run.d, type="down", node=0, x=9, y=9, button=0)
    run.show("Shop", "[Pay]", *more)
    run.end_step()
    return run.end()


def test_what_a_press_brings_is_not_late_because_the_call_waited_for_it(tmp_path: Path) -> None:
    a, b = pressed(tmp_path / "a.reel", 10), pressed(tmp_path / "b.reel", 400, "Subscribe to our newsletter")
    found = compare(a, b, redaction=None).divergence
    assert found is not None and "newsletter" in found.summary


def drawer(path: Path, stays: float, total: str = "48 EUR") -> Path:
    """A drawer says again what stands on the page, and goes by itself, where the run goes on for so long."""
    run = Made(path)
    run.step("Pay")
    run.open("/", "Tern vase", total, "Basket", "Tern vase", total, "[Pay]")
    run.call("click", 'get_by_role("button", name="Pay")')
    run.t += min(stays, 700)
    if stays > 700:
        run.show("Tern vase", total, "[Pay]")
    run.end_step()
    return run.end()


def test_a_drawer_that_goes_by_itself_may_stand_where_the_run_ended_before_though_it_says_again_what_stays(
    tmp_path: Path,
) -> None:
    a, b = drawer(tmp_path / "a.reel", 300), drawer(tmp_path / "b.reel", 900)
    assert compare(a, b, redaction=None).equal
    found = compare(a, drawer(tmp_path / "c.reel", 900, "84 EUR"), redaction=None).divergence
    assert found is not None and "84 EUR" in found.summary


def loading(path: Path, goes_after: float | None, shown: bool = True, becomes: Json = None) -> Path:
    """A bar of progress is there when the page has been still for a while, and goes so many ms after the next call began, or stays. `becomes`: the element that
    is drawn in its place then.
    """
    run = Made(path)
    run.step("Find")
    hidden: dict[str, Json] = {} if shown else {"hidden": ""}
    run.open("/", "Vases", ["div", {"id": "progress", "role": "progressbar", **hidden}], "[Find]")
    run.call("hover", 'get_by_role("button", name="Find")', took=20)
    if shown and goes_after is not None:
        document = run.script.model.documents[run.d]
        bar = next(node for node in document.walk() if node.attrs.get("id") == "progress")
        assert bar.parent is not None
        drawn: list[list[Json]] = [["add", bar.parent.id, document.last_id + 1, becomes], ["del", bar.id]]
        run.script.ops(run.t + goes_after, run.d, *(drawn if becomes else [["attr", bar.id, {"hidden": ""}]]))
    run.t += 2_500
    run.call("hover", 'get_by_role("button", name="Find")', took=20)
    run.rest()
    run.end_step()
    return run.end()


def test_what_an_element_is_for_a_moment_is_no_difference_and_what_stays_is(tmp_path: Path) -> None:
    a, b = loading(tmp_path / "a.reel", None, shown=False), loading(tmp_path / "b.reel", 300)
    assert compare(a, b, redaction=None).equal and compare(b, a, redaction=None).equal
    for name, after in (("late", 2_000), ("never", None)):
        found = compare(a, loading(tmp_path / f"{name}.reel", after), redaction=None).divergence
        assert found is not None and "hidden" in found.summary


def test_an_element_that_is_drawn_anew_as_the_other_run_has_it_is_no_difference_and_one_that_goes_is(
    tmp_path: Path,
) -> None:
    a = loading(tmp_path / "a.reel", None, shown=False)
    anew: Json = ["div", {"id": "progress", "role": "progressbar", "hidden": ""}]
    for name, becomes, is_equal in (("anew", anew, True), ("other", ["hr", {}], False)):
        b = loading(tmp_path / f"{name}.reel", 300, becomes=becomes)
        assert compare(a, b, redaction=None).equal is is_equal, name


def waiting(path: Path, stands: float, still: float = 0.0) -> Path:
    """A line that stands so many ms and goes by itself; for `still` of them the page's thread comes to nothing."""
    run = Made(path)
    run.step("Wait")
    run.open("/", "Shop", "[Pay]")
    run.call("click", 'get_by_role("button", name="Pay")')
    run.show("Shop", "[Pay]", "Loading…")
    if still:
        run.script.run("stall", run.t - 300, late=still, page=1)
    run.t += stands - 400
    run.show("Shop", "[Pay]")
    run.t += 1000
    run.call("click", 'get_by_role("button", name="More")')
    run.end_step()
    return run.end()


def test_what_goes_away_by_itself_counts_where_it_stands_far_longer(tmp_path: Path) -> None:
    a = waiting(tmp_path / "a.reel", 500)
    assert compare(a, waiting(tmp_path / "b.reel", 1900), redaction=None).failed("page") == []
    found = compare(a, waiting(tmp_path / "c.reel", 8000), redaction=None).divergence
    assert found is not None
    assert found.summary == "The page says “Loading…” for 8.0 s instead of 0.5 s."


def test_what_goes_away_by_itself_may_stand_longer_while_the_page_came_to_nothing(tmp_path: Path) -> None:
    a = waiting(tmp_path / "a.reel", 500)
    assert compare(a, waiting(tmp_path / "b.reel", 2900, still=1500), redaction=None).equal
    assert not compare(a, waiting(tmp_path / "c.reel", 8000, still=1500), redaction=None).equal


def test_that_a_page_of_the_first_run_came_to_nothing_for_a_while_excuses_nothing(tmp_path: Path) -> None:
    a = waiting(tmp_path / "a.reel", 1500, still=1100)
    found = compare(a, waiting(tmp_path / "b.reel", 4000), redaction=None).divergence
    assert found is not None and "“Loading…” for 4.0 s" in found.summary


def asked(path: Path, *, quote: str = "5db14678", status: int | None = 200, error: str | None = None, kind: str = "fetch", times: int = 1) -> Path:  # fmt: skip
    run = Made(path)
    run.step("Ask")
    run.open("/", "Shop")
    run.call("click", 'get_by_role("button", name="Pay")')
    run.fetch("GET", "/offer", answer={"fee": 4.9, "quote": quote})
    for _ in range(times):
        run.number += 1
        url = "http://127.0.0.1:8000/seen"
        run.script.run("request", run.t, id=f"s{run.number}", page=1, method="POST", url=url, type=kind, headers={})
        told = {"status": 0, "error": error} if error else {"status": status or 0}
        if status is not None or error is not None:
            run.script.run(
                "response", run.t + 9, id=f"s{run.number}", headers={}, end=run.t + 9, size=0, mime="text/plain", **told
            )  # type: ignore[arg-type]
        run.rest()
    run.show("Shop", "Paid")
    run.end_step()
    return run.end()


@pytest.mark.parametrize(
    "changed",
    [{"quote": "86110196"}, {"status": None}, {"error": "net::ERR_ABORTED"}, {"error": "cancelled"}],
    ids=["an id of digits alone", "no answer", "given up", "cancelled"],
)
def test_what_says_nothing_of_the_site_is_no_difference(tmp_path: Path, changed: dict[str, str]) -> None:
    assert compare(asked(tmp_path / "a.reel"), asked(tmp_path / "b.reel", **changed), redaction=None).equal  # type: ignore[arg-type]


def test_a_beacon_more_or_less_is_no_difference_and_one_that_fails_is(tmp_path: Path) -> None:
    a = asked(tmp_path / "a.reel", kind="ping", times=2)
    assert compare(a, asked(tmp_path / "b.reel", kind="ping", times=3), redaction=None).equal
    assert compare(a, asked(tmp_path / "c.reel", kind="ping", times=2, status=500), redaction=None).failed() == [
        "network"
    ]


def ordered(path: Path, price_after: float) -> Path:
    """The price comes so many ms after the page; the order is made 600 ms after it, with the price that there is."""
    run = Made(path)
    run.step("Order")
    run.open("/", "Kiln orders", "[Order]")
    early = price_after < 600
    if early:
        run.t += price_after - 400
        run.show("Kiln orders", "48 EUR each", "[Order]")
        run.t += 600 - price_after - 410
    else:
        run.t += 200
    run.call("click", 'get_by_role("button", name="Order")')
    told = "2 for 96 EUR" if early else "2 for 0 EUR"
    run.show("Kiln orders", *(["48 EUR each"] if early else []), "[Order]", told)
    if not early:
        run.show("Kiln orders", "48 EUR each", "[Order]", told)
    run.call("expect", 'get_by_text("96 EUR")', **({} if early else {"error": "Expect failed"}))  # type: ignore[arg-type]
    run.end_step(early)
    return run.end()


def test_the_chain_says_what_was_not_there_yet(tmp_path: Path) -> None:
    result: Comparison = compare(ordered(tmp_path / "a.reel", 450), ordered(tmp_path / "b.reel", 1200), redaction=None)
    assert result.divergence is not None
    assert result.divergence.summary == "The page says “2 for 0 EUR” instead of “2 for 96 EUR”."
    assert result.divergence.chain[1].startswith("Before it, when “Click Order” was done, the page did not say “48 EUR each” yet; it came ")  # fmt: skip


def two_tools(path: Path, *rows: int) -> Path:
    run = Made(path)
    run.step("Choose")
    run.open("/", "Shop")
    for row in rows:
        run.tool("choose", {"row": row, "call_id": f"{row * 7919:x}"}, {"ok": True})
    run.end_step()
    return run.end()


def test_calls_of_one_tool_that_changed_places_are_told_as_that(tmp_path: Path) -> None:
    result = compare(two_tools(tmp_path / "a.reel", 1, 2, 3), two_tools(tmp_path / "b.reel", 1, 3, 2), redaction=None)
    assert result.divergence is not None and result.divergence.kind == "model"
    assert "came at another point" in result.divergence.summary and len(result.differences) == 1


def test_pages_of_one_kind_are_not_one_page_that_varies(tmp_path: Path) -> None:
    orders = [["(Glue /g)"], ["(Clay /c)"], ["(String /s)"], ["(Wax /w)"]]
    a = visits(tmp_path / "a.reel", *orders, seen=9)
    b = visits(tmp_path / "b.reel", orders[0], orders[1], ["(String /s)", "Broken"], orders[3], seen=9)
    found = compare(a, b, redaction=None).divergence
    assert found is not None and found.summary == "The page says “Broken”."


def left_at_once(path: Path, *, disabled: bool, enabled_late: bool = False) -> Path:
    """A page that is left 30 ms after it came; its field is disabled, and may be enabled in that time."""
    run = Made(path)
    run.step("Save")
    run.open(
        "/form", ["input", {"id": "public", "type": "checkbox", **({"disabled": ""} if disabled else {})}], "[Save]"
    )
    run.t -= 380
    if enabled_late:
        field = next(node for node in run.script.model.documents[run.d].walk() if node.name == "input")
        run.script.ops(run.t, run.d, ["attr", field.id, {"disabled": None}])
    run.call("click", 'get_by_role("button", name="Save")')
    run.open("/saved", "Saved")
    run.end_step()
    return run.end()


def test_an_attribute_that_no_run_changed_counts_on_a_page_that_is_left_at_once(tmp_path: Path) -> None:
    good = left_at_once(tmp_path / "good.reel", disabled=False)
    bad = left_at_once(tmp_path / "bad.reel", disabled=True)
    early = left_at_once(tmp_path / "early.reel", disabled=True, enabled_late=True)
    found = compare(good, bad, redaction=None).divergence
    assert found is not None and "disabled" in found.summary
    assert compare(early, bad, redaction=None).equal


def polling(path: Path, *lines: str) -> Path:
    """A page that asks for news again as soon as it has some."""
    run = Made(path)
    run.step("Look")
    run.open("/news", *lines)
    for number in range(6):
        run.fetch("GET", f"/poll?t={number}", answer={}, took=900)
    run.script.run("request", run.t, id="last", page=1, method="GET", url="http://127.0.0.1:8000/poll?t=6", type="fetch", headers={})  # fmt: skip
    run.t += 500
    run.call("click", 'get_by_role("button", name="Save")')
    run.rest()
    run.end_step()
    return run.end()


def test_the_order_of_lines_is_compared_on_a_page_that_always_waits_for_news(tmp_path: Path) -> None:
    good, bad = (
        polling(tmp_path / "a.reel", "Looks", "Alarms", "[Save]"),
        polling(tmp_path / "b.reel", "Alarms", "Looks", "[Save]"),
    )
    assert compare(good, bad, redaction=None).failed("page")
