"""Pages that change by themselves: boards, polls and feeds, whose figures and order are others each time, and what counts on them all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.comparison import Comparison, compare
from pagereel.reel import Json

from .runs import Made

SITE = "http://127.0.0.1:{}"


def board(path: Path, *seen: tuple[str, str], failed: str = "0", state: str = "Open") -> Path:
    """A board whose row of letters shows `seen` so many waiting and done, one after the other; its row of the kiln stays."""
    run = Made(path)
    run.step("Look")
    rows = [("letters", *seen[0], "0", "Busy"), ("kiln", "0", "3", failed, state)]
    run.open("/", ["table", {}, *map(row, rows)])
    for waiting, done in seen[1:]:
        run.t += 600
        run.show(["table", {}, row(("letters", waiting, done, "0", "Busy")), row(rows[1])])
    run.end_step()
    return run.end()


def row(cells: tuple[str, ...]) -> Json:
    return ["tr", {}, *[["td", {}, cell] for cell in cells]]


@pytest.fixture
def boards(tmp_path: Path) -> list[Path]:
    shown = [[("0", "3"), ("1", "4")], [("0", "4"), ("0", "7")], [("0", "6")], [("2", "6"), ("0", "10")]]
    return [board(tmp_path / f"{number}.reel", *seen) for number, seen in enumerate(shown)]


def test_figures_of_a_live_row_vary_and_those_of_the_row_beside_it_do_not(tmp_path: Path, boards: list[Path]) -> None:
    def held(name: str, *seen: tuple[str, str], failed: str = "0", state: str = "Open") -> Comparison:
        made = board(tmp_path / f"{name}.reel", *seen, failed=failed, state=state)
        return compare(boards[0], made, baseline=boards[1:], redaction=None)

    assert held("again", ("3", "12")).equal
    for changed in (
        held("figure", ("3", "12"), failed="1"),
        held("state", ("3", "12"), state="Busy"),
        held("word", ("none", "12")),
    ):
        assert changed.failed("page") == ["page"]


def chat(path: Path, *answers: tuple[int, float, str], said: str = "I do, at noon.") -> Path:
    """A page that asks again and again what is new: from which message on, how long the answer takes, and who says what in it."""
    run = Made(path)
    run.step("Talk")
    run.open("/chat", "Chat", "[Send]")
    run.call("click", 'get_by_role("button", name="Send")')
    for since, took, who in answers:
        text = said if who == "keeper" else f"The kiln stands at {1000 + since} degrees."
        run.fetch("GET", f"/poll?since={since}", answer={"msgs": [{"from": who, "text": text}]}, took=took)
        run.t += 300
    run.rest()
    run.end_step()
    return run.end()


def test_what_a_poll_asks_and_which_answer_brings_what_and_when_is_chance(tmp_path: Path) -> None:
    good, *others = [
        chat(tmp_path / "a.reel", (5, 40, "keeper"), (6, 900, "meter")),
        chat(tmp_path / "b.reel", (4, 1100, "meter"), (5, 30, "keeper"), (6, 20, "meter")),
        chat(tmp_path / "c.reel", (7, 50, "keeper"), (8, 1200, "meter")),
    ]
    again = chat(tmp_path / "again.reel", (9, 2200, "meter"), (10, 40, "keeper"))
    assert compare(good, again, baseline=others, redaction=None).equal
    other = chat(
        tmp_path / "other.reel",
        (9, 40, "keeper"),
        (10, 40, "meter"),
        said="Not before next spring, or so it is said by all",
    )
    found = compare(good, other, baseline=others, redaction=None).divergence
    assert found is not None and "next spring" in found.summary


def feed(path: Path, *lines: str) -> Path:
    run = Made(path)
    run.step("Read")
    run.open("/feed", "Feed", *[["p", {"class": "message"}, line] for line in lines], "Imprint")
    run.end_step()
    return run.end()


def test_what_is_not_always_there_has_no_order_and_what_is_has_one(tmp_path: Path) -> None:
    good = feed(tmp_path / "a.reel", "Hello", "Kiln hot", "Rain", "Goodbye")
    others = [
        feed(tmp_path / "b.reel", "Hello", "Wind", "Goodbye"),
        feed(tmp_path / "c.reel", "Hello", "Snow", "Goodbye"),
    ]
    again = feed(tmp_path / "again.reel", "Rain", "Hello", "Kiln hot", "Goodbye")
    assert compare(good, again, baseline=others, redaction=None).equal
    moved = feed(tmp_path / "moved.reel", "Goodbye", "Hello", "Kiln hot", "Rain")
    found = compare(good, moved, baseline=others, redaction=None).divergence
    assert found is not None and "stands below" in found.summary


def told(path: Path, port: int, *orders: str) -> Path:
    """Errors whose stack has the site's address, and an answer with one in a text."""
    run = Made(path, port)
    run.step("Ask")
    run.open("/", "Shop")
    for name in orders:
        run.console(
            "error",
            f"Error: {name} failed\n    at ask ({SITE.format(port)}/assets/app.js:22:1091)\n    at {SITE.format(port)}/{name}?n=1",
        )
    run.fetch("GET", "/api/next", answer={"help": f"Go on at {SITE.format(port)}/pay, please"})
    run.end_step()
    return run.end()


def test_addresses_of_the_own_site_in_any_text_and_the_order_of_messages_are_no_difference(tmp_path: Path) -> None:
    good = told(tmp_path / "a.reel", 44259, "cart", "user", "stock")
    assert compare(good, told(tmp_path / "b.reel", 39071, "stock", "cart", "user"), redaction=None).equal
    assert compare(good, told(tmp_path / "c.reel", 39071, "stock", "cart", "users"), redaction=None).kinds == [
        "console"
    ]


def test_two_parts_of_a_line_that_changed_places_are_told_as_such(tmp_path: Path) -> None:
    def menu(name: str, *entries: str) -> Path:
        run = Made(tmp_path / name)
        run.step("Look")
        run.open("/", ["p", {}, *[["a", {"href": f"/{entry}"}, f"{entry} "] for entry in entries]])
        run.end_step()
        return run.end()

    found = compare(
        menu("a.reel", "Home", "Forum", "Chat"), menu("b.reel", "Home", "Chat", "Forum"), redaction=None
    ).divergence
    assert found is not None and found.summary == "“Chat” stands before “Forum” and not after it."


@pytest.mark.parametrize("address", ["#/stock/new/", "#new"])
def test_a_link_within_a_page_leads_where_its_fragment_says(tmp_path: Path, address: str) -> None:
    def linked(name: str, href: str) -> Path:
        run = Made(tmp_path / name)
        run.step("Look")
        run.open("/", f"(Add {href})")
        run.end_step()
        return run.end()

    found = compare(linked("a.reel", "#/stock/add/"), linked("b.reel", address), redaction=None).divergence
    assert found is not None and address in found.summary


def test_a_page_that_comes_with_the_next_call_is_late(tmp_path: Path) -> None:
    def sent(name: str, late: bool) -> Path:
        run = Made(tmp_path / name)
        run.step("Send")
        run.open("/edit/1f00ba9e", "Draft", "[Preview]")
        run.call("click", 'get_by_role("button", name="Preview")')
        if not late:
            run.document("/preview", "Draft", "[Send]")
        run.rest()
        run.call("wait_for_timeout")
        if late:
            run.document("/preview", "Draft", "[Send]")
        run.rest()
        run.end_step()
        return run.end()

    assert compare(sent("a.reel", False), sent("b.reel", True), redaction=None).failed("page") == []


def test_what_also_stands_to_the_end_in_some_run_has_no_time_of_its_own(tmp_path: Path) -> None:
    def worker(name: str, idle: float, goes: bool) -> Path:
        run = Made(tmp_path / name)
        run.step("Look")
        run.open("/", "Workers", "idle")
        run.t += idle
        if goes:
            run.show("Workers", "busy")
        run.end_step()
        return run.end()

    good = worker("a.reel", 300, True)
    again = worker("again.reel", 3000, True)
    assert compare(good, again, baseline=worker("b.reel", 300, True), redaction=None).failed("page") == ["page"]
    assert compare(good, again, baseline=worker("c.reel", 3000, False), redaction=None).failed("page") == []
