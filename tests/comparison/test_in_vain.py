"""What was tried in vain: a person says what was not there, not that a call gave up."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.comparison import Comparison, compare

from .runs import SHOP, Made

MISSED = "The page does not say “[button: Keep it]”."
GAVE_UP = "TimeoutError: Locator.click: Timeout 12000ms exceeded."


def kept(path: Path, *lines: str, late: float = 400, gone: float | None = None, waits: float = 0) -> Path:
    """A page says something more `late` ms after a click, then is clicked on; a run without the button tries it for twelve seconds.

    `gone`: ms after which the button goes by itself. `waits`: ms that the last click waits until it may press.
    """
    run = Made(path)
    run.step("Ask")
    run.open("/", "Harbour", "[Ask]")
    run.call("click", 'get_by_role("button", name="Ask")')
    run.show("Harbour", "[Ask]", "Table 7")
    run.t += late - 400
    run.show("Harbour", "[Ask]", "Table 7", *lines)
    if gone is not None:
        run.t += gone - 400
        run.show("Harbour", "[Ask]", "Table 7")
    there = "[Keep it]" in lines and gone is None
    run.call(
        "click", 'get_by_role("button", name="Keep it")', took=waits + 50 if there else 12_000,
        error=None if there else GAVE_UP,
    )  # fmt: skip
    if there:
        run.script.page("mouse", run.t - 30, run.d, type="down", node=0, x=9, y=9, button=0)
        run.show("Harbour", "Kept")
    run.end_step(there, None if there else GAVE_UP)
    return run.end()


def missed(folder: Path, b: Path, *others: Path, late: float = 400) -> Comparison:
    a = kept(folder / "a.reel", "[Keep it]", late=late)
    return compare(a, b, baseline=others, redaction=None)


@pytest.mark.parametrize("late", [400, 900, 2000])
def test_a_button_that_did_not_come_while_it_was_waited_for_is_missing_however_late_it_is(
    tmp_path: Path, late: float
) -> None:
    result = missed(tmp_path, kept(tmp_path / "b.reel", late=500), late=late)
    assert result.divergence is not None and result.divergence.summary == MISSED
    assert "fails" in result.divergence.chain[1]


def test_another_button_in_its_place_is_told_as_that(tmp_path: Path) -> None:
    result = missed(tmp_path, kept(tmp_path / "b.reel", "[Hold it]", late=500), late=2000)
    assert result.divergence is not None
    assert result.divergence.summary == "The page says “[button: Hold it]” instead of “[button: Keep it]”."


def test_a_button_that_was_there_for_a_moment_is_missing_all_the_same(tmp_path: Path) -> None:
    result = missed(tmp_path, kept(tmp_path / "b.reel", "[Keep it]", gone=450))
    assert result.divergence is not None and result.divergence.summary == MISSED


def test_what_goes_by_a_click_that_waited_before_it_pressed_does_not_go_by_itself(tmp_path: Path) -> None:
    slow = kept(tmp_path / "slow.reel", "[Keep it]", waits=900)
    result = missed(tmp_path, kept(tmp_path / "b.reel", late=500), slow, late=900)
    assert result.divergence is not None and result.divergence.summary == MISSED


def test_a_button_that_only_flashes_is_missing_where_it_stands_in_the_other_run_though_nobody_needs_it(
    tmp_path: Path,
) -> None:
    runs = []
    for name, goes in (("a", False), ("b", True)):
        run = Made(tmp_path / f"{name}.reel")
        run.step("Look")
        run.open("/", "Harbour", "[Ask]", "[Keep it]")
        run.t += 200
        run.show("Harbour", "[Ask]", *([] if goes else ["[Keep it]"]))
        for word in ("Ash", "Birch", "Cedar", "Elm", "Fir", "Gum"):
            run.call("hover", f'get_by_text("{word}")')
            run.rest()
        run.end_step()
        runs.append(run.end())
    found = compare(*runs, redaction=None).divergence
    assert found is not None and found.summary == MISSED


def roadmap(path: Path, answered: bool) -> Path:
    """A page asks for what the next call looks for in vain while there is no answer."""
    run = Made(path)
    run.step("Look")
    run.open("/", "Kiln", "[Roadmap]")
    run.call("click", 'get_by_role("link", name="Roadmap")')
    url = SHOP.format(port=run.port) + "/roadmap"
    run.script.run("request", run.t, id="late", page=1, method="GET", url=url, type="fetch", headers={})
    if answered:
        run.script.run("response", run.t + 80, id="late", status=200, headers={}, end=run.t + 80, size=0)
    took, error = (300, None) if answered else (6000, "Error: Expect failed")
    run.call("expect", 'get_by_role("heading", name="Roadmap")', took=took, error=error)
    run.end_step(answered, error)
    return run.end()


def test_the_answer_that_a_failed_call_waited_for_is_why(tmp_path: Path) -> None:
    result = compare(roadmap(tmp_path / "a.reel", True), roadmap(tmp_path / "b.reel", False), redaction=None)
    assert result.divergence is not None
    assert result.divergence.kind == "action"
    assert result.divergence.reason.endswith("failed, GET /roadmap had not been answered yet.")


def settled(path: Path, *banner: str) -> Path:
    """A page is left as soon as it is there; with a banner over it that cannot be done."""
    run = Made(path)
    run.step("Settle")
    run.open("/", "Bills", "[Settle]", *banner)
    run.t -= 390
    run.call(
        "click", 'get_by_role("button", name="Settle")', took=6000 if banner else 50, error=GAVE_UP if banner else None
    )
    if not banner:
        run.document("/settle", "To whom?")
    run.end_step(not banner, GAVE_UP if banner else None)
    return run.end()


def test_what_stands_at_a_pages_end_is_told_though_the_other_run_left_it_at_once(tmp_path: Path) -> None:
    result = compare(settled(tmp_path / "a.reel"), settled(tmp_path / "b.reel", "We use cookies"), redaction=None)
    assert result.divergence is not None
    assert result.divergence.summary == "The page says “We use cookies”."


def ordered(path: Path, price: float | None, waits: bool = False) -> Path:
    """An order takes the price that the page says `price` ms after the click began; None: before, and long before unless the click `waits`. Another line comes at once with the
    click.
    """
    run, clicked = Made(path), 'get_by_role("button", name="Order")'
    run.step("Order")
    run.open("/", "Orders", "[Order]")
    if price is not None:
        run.call("click", clicked, took=5)
        run.show("Orders", "[Order]", "Stock")
        run.t += price - 415
    elif waits:
        run.call("click", clicked, took=700)
        run.t -= 400
    run.show("Orders", "[Order]", "48 EUR each", "Stock")
    if waits:
        run.script.page("mouse", run.t - 20, run.d, type="down", node=0, x=9, y=9, button=0)
    elif price is None:
        run.call("click", clicked, took=5)
    run.show("Orders", "[Order]", "48 EUR each", "Stock", f"Thanks for {96 if price is None else 0} EUR")
    took, error = (50, None) if price is None else (2500, GAVE_UP)
    run.call("expect", 'get_by_text("Thanks for 96 EUR")', took=took, error=error)
    run.end_step(price is None, error)
    return run.end()


@pytest.mark.parametrize("waits", [False, True])
def test_what_was_missing_when_the_page_felt_the_click_is_why_and_nothing_that_came_with_it(
    tmp_path: Path, waits: bool
) -> None:
    a, b = ordered(tmp_path / "a.reel", None, waits), ordered(tmp_path / "b.reel", 2200)
    found = compare(a, b, redaction=None).divergence
    assert found is not None
    assert "did not say “48 EUR each” yet; it came 2.2 s later" in found.reason
    assert "Stock" not in found.reason
