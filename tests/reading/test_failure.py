"""Why a run failed: by what it did not get over, said once, with what stood where the call looked for its element."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.reading import first_failure, open_recording
from pagereel.reading.locating import words_in

from ..comparison.runs import Made
from ..reel.sample import Json

GAVE_UP = "TimeoutError: Locator.click: Timeout 3000ms exceeded.\nCall log:\n"
BUTTON: Json = ["button", {"id": "buy", "class": "main"}, "Place order"]
FIELD: Json = ["label", {}, "Postal code ", ["input", {"id": "zip", "placeholder": "9999 XX"}]]
STATUS: Json = ["p", {"role": "status"}, "Paying…"]
VEIL: Json = ["div", {"class": "veil"}, "Crumbs, not cookies"]


def failed(path: Path, method: str, locator: str, error: str, **call: Json) -> dict[str, object]:
    """What is told of a run whose last step fails by this call, on a page with a button, a field and a status."""
    run = Made(path)
    run.step("Look")
    run.open("/", BUTTON, FIELD, STATUS, VEIL, "In stock", "Free of postage")
    run.end_step(True)
    run.step("Pay")
    run.call(method, locator, error=error, **call)  # type: ignore[arg-type]
    run.end_step(False, error)
    return first_failure(open_recording(run.end()))


@pytest.mark.parametrize(
    ("method", "locator", "log", "said", "node"),
    [
        ("click", 'get_by_role("button", name="Place an order")', "- waiting for x",
         "nothing on the page fits; the nearest is the button “Place order”", "button"),
        ("click", 'get_by_role("button", name="Pay")', "- waiting for x", "the page has no such button yet; it says “Paying…”; it has “Place order”", None),
        ("click", 'get_by_role("link", name="Place order")', "- waiting for x",
         "nothing on the page fits; the nearest is the button “Place order”", "button"),
        ("fill", 'get_by_label("Post code")', "- waiting for x", "nothing on the page fits; the nearest is the textbox “Postal code”", "input"),
        ("click", 'locator("button#by.main")', "- waiting for x", "nothing on the page fits; the nearest is button#buy.main", "button"),
        ("wait_for", 'get_by_text("Thank you")', "- waiting for x", "the page does not say so yet; it says “Paying…”", None),
        ("click", 'get_by_role("button", name="Place order")', '- <div class="veil">…</div> intercepts pointer events',
         "div.veil lies over it", "div"),
        ("click", 'get_by_role("button", name="Place order")', "- locator resolved to <button>x</button>\n  - element is not enabled",
         "it was there, and disabled", "button"),
        ("click", 'get_by_role("button", name="Place order")', "- locator resolved to <button>x</button>\n  - element is not stable",
         "it was there, and kept moving", "button"),
        ("to_have_text", 'get_by_role("status")', '9 × locator resolved to <p>x</p>\n  - unexpected value "Paying…"', "it was “Paying…”", "p"),
    ],
)  # fmt: skip
def test_what_stood_there_instead_is_said_and_led_to(
    tmp_path: Path, method: str, locator: str, log: str, said: str, node: str | None
) -> None:
    told = failed(tmp_path / "run.reel", method, locator, GAVE_UP + log)
    *_, last = told["chain"]  # type: ignore[misc]
    assert last.endswith(f" in “Pay” fails: {said}.") and "Timeout" not in last
    *_, link = told["links"]  # type: ignore[misc]
    model = open_recording(tmp_path / "run.reel").model(2_000)
    assert (model.documents[link["d"]].nodes[link["node"]].name if "node" in link else None) == node


def test_a_failure_is_said_once_with_its_locator_and_not_again_for_the_steps_around_it(tmp_path: Path) -> None:
    told = failed(tmp_path / "run.reel", "click", 'get_by_text("Nope")', GAVE_UP + "- waiting for x")
    assert len(told["chain"]) == 1 and told["failure"]["locator"] == 'get_by_text("Nope")'  # type: ignore[arg-type, index]


def test_what_a_run_went_on_without_is_not_what_it_failed_by(tmp_path: Path) -> None:
    """A banner that was looked for in vain, in a step that succeeded."""
    run = Made(tmp_path / "run.reel")
    run.step("Look")
    run.open("/", BUTTON)
    run.call("click", 'get_by_text("Accept")', error=GAVE_UP + "- waiting for x")
    run.end_step(True)
    run.step("Pay")
    run.call("click", 'get_by_text("Order now")', error="Error: Locator.click: it went\nCall log:\n")
    run.end_step(False, "Error: Locator.click: it went")
    told = first_failure(open_recording(run.end()))
    assert told["failure"]["title"] == 'Click "Order now"' and len(told["chain"]) == 1


def test_an_exception_of_the_program_is_told_with_its_line_and_a_call_long_before_it_is_not_it(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.step("Pay")
    run.open("/", BUTTON)
    run.call("click", 'get_by_text("Order now")', error=GAVE_UP + "- waiting for x")
    run.rest()
    run.script.run("step_end", run.t, id=1, success=False, error="ValueError: no total", source={"file": "agent.py", "line": 12, "function": "buy"})  # fmt: skip
    told = first_failure(open_recording(run.end()))
    assert (told["failure"]["kind"], told["failure"]["line"]) == ("step", "agent.py:12")
    assert "“Click \"Order now\"” fails" in told["chain"][0] and told["chain"][1].endswith("the step “Pay” fails: “ValueError: no total”.")  # fmt: skip


def test_an_exception_that_no_step_tells_of_is_told_by_the_note_of_it(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.open("/", BUTTON)
    run.script.run("note", run.t, id=9, step=None, text="The run ended by ValueError: no luck", attributes={"ended_by": "ValueError", "source": "/x/agent.py:3"})  # fmt: skip
    run.script.writer.close("error")
    told = first_failure(open_recording(run.path))
    assert told["chain"] == ["The run ended by ValueError: no luck."] and told["failure"]["line"] == "agent.py:3"


def test_what_a_run_got_over_is_said_once_as_well(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.step("Pay")
    run.open("/", BUTTON)
    run.call("click", 'get_by_text("Order now")', error=GAVE_UP)
    run.end_step(False, GAVE_UP)
    run.step("Pay")
    run.call("click", 'get_by_role("button", name="Place order")')
    run.end_step(True)
    told = first_failure(open_recording(run.end()))
    assert told["failure"] is None and len(told["chain"]) == 1


TIMETABLE: Json = ["ul", {}, ["li", {}, "08:10 ", ["button", {}, "Book"]]]


def searching(path: Path) -> Made:
    """A run that has asked for flights; the page says that it looks for them."""
    run = Made(path)
    run.open("/", "Flights", "[Search]")
    run.call("click", 'get_by_role("button", name="Search")')
    run.show("Flights", "[Search]", "Searching…")
    run.step("Book")
    return run


def book(run: Made) -> None:
    error = GAVE_UP + '- waiting for get_by_role("button", name="Book").first'
    run.call("click", 'get_by_role("button", name="Book").first', error=error, took=2_000)
    run.end_step(False, error)


def test_what_came_too_late_is_a_race_and_leads_to_its_moment(tmp_path: Path) -> None:
    run = searching(tmp_path / "run.reel")
    book(run)
    gave_up = run.t - 10
    run.t += 1_490
    run.show("Flights", "[Search]", TIMETABLE)
    told = first_failure(open_recording(run.end()))
    assert told["chain"] == [
        "The call “Click Book (first)” in “Book” fails: the page has no such button yet; it says “Searching…”.",
        "1.5 s later the button “Book” appears, too late.",
    ]
    last, came = told["links"]
    assert (last["t"], came["t"]) == (gave_up, gave_up + 1_510) and "node" not in last
    node = open_recording(run.path).model(came["t"]).documents[came["d"]].nodes[came["node"]]
    assert node.name == "button"


def test_what_the_page_said_while_it_was_at_work_is_told_where_the_recording_ended_before_the_target_came(
    tmp_path: Path,
) -> None:
    run = searching(tmp_path / "run.reel")
    book(run)
    (said,) = first_failure(open_recording(run.end()))["chain"]
    assert said.endswith("fails: the page has no such button yet; it says “Searching…”; it has “Search”.")


def test_what_was_there_and_went_away_is_told_with_when_it_went(tmp_path: Path) -> None:
    run = searching(tmp_path / "run.reel")
    run.show("Flights", "[Search]", TIMETABLE)
    run.show("Flights", "[Search]", "Sold out")
    went = run.t - 400
    book(run)
    told = first_failure(open_recording(run.end()))
    assert told["chain"][0] == "The button “Book” goes away." and told["links"][0]["t"] == went
    assert told["chain"][1].endswith(" fails: the page has no such button any more; it came to say “Sold out”.")


@pytest.mark.parametrize("style", [{"hidden": ""}, {"style": "display: none"}])
def test_what_was_hidden_as_the_call_gave_up_and_shown_after_it_came_too_late(
    tmp_path: Path, style: dict[str, str]
) -> None:
    run = Made(tmp_path / "run.reel")
    run.open("/", "Flights", ["div", style, ["button", {}, "Book"]])
    run.step("Book")
    book(run)
    box = next(node for node in run.script.model.documents[run.d].walk() if node.name == "div")
    run.script.ops(run.t, run.d, ["attr", box.id, dict.fromkeys(style)])
    assert first_failure(open_recording(run.end()))["chain"][-1].endswith(" the button “Book” appears, too late.")


def test_what_fits_as_the_call_gives_up_is_no_race(tmp_path: Path) -> None:
    run = searching(tmp_path / "run.reel")
    run.show("Flights", TIMETABLE)
    book(run)
    run.show("Flights", TIMETABLE)
    assert len(first_failure(open_recording(run.end()))["chain"]) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"error": {"code": "card_declined", "message": "Your card has insufficient funds."}}, "Your card has insufficient funds"),
        ({"error": "card declined"}, "card declined"),
        ({"errors": [{"title": "No", "detail": "Card declined"}]}, "Card declined"),
        ({"id": 7}, ""),
    ],
)  # fmt: skip
def test_a_failed_answer_is_quoted(tmp_path: Path, answer: Json, said: str) -> None:
    run = Made(tmp_path / "run.reel")
    run.step("Pay")
    run.open("/", BUTTON)
    run.call("click", 'get_by_role("button", name="Place order")')
    run.fetch("POST", "/api/pay", 402, answer)
    run.call("wait_for_url", error="Timeout 3000ms exceeded.", took=3_000)
    run.end_step(
        False,
        'TimeoutError: Page.wait_for_url: Timeout 3000ms exceeded.\n=== logs ===\nwaiting for navigation to "**/thanks" until "load"',
    )
    told = first_failure(open_recording(run.end()))
    assert told["chain"] == [
        f"POST /api/pay answered 402: “{said}”." if said else "POST /api/pay answered 402.",
        "3.0 s later the call “Wait for the address” in “Pay” fails: it waits for **/thanks, and the page stays at /.",
    ], "and the timeout is said by the call alone"
    assert told["failure"]["t"] == told["links"][-1]["t"] == told["failure"]["began"] + 3_000


def test_a_request_that_a_page_repeats_by_itself_is_not_the_cause(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.step("Pay")
    run.open("/", BUTTON)
    for _ in range(4):
        run.fetch("POST", "/api/presence", 500, {"error": "presence is down"})
    run.call("click", 'get_by_role("button", name="Place order")')
    run.fetch("POST", "/api/presence", 500)
    run.call("wait_for", 'get_by_text("Thank you")', error=GAVE_UP + "- waiting for x")
    run.end_step(False, GAVE_UP)
    (said,) = first_failure(open_recording(run.end()))["chain"]
    assert said.endswith("fails: the page does not say so.")


@pytest.mark.parametrize("shows", [False, True])
def test_a_failed_request_is_no_cause_of_what_is_explained_without_it_unless_the_page_showed_it(
    tmp_path: Path, shows: bool
) -> None:
    run = Made(tmp_path / "run.reel")
    run.step("Pay")
    run.open("/", BUTTON)
    run.fetch("GET", "/api/recommendations", 500)
    if shows:
        run.show(BUTTON, "No recommendations today")
    run.rest()
    run.call("click", 'get_by_role("button", name="Place an order")', error=GAVE_UP + "- waiting for x")
    run.end_step(False, GAVE_UP)
    chain = first_failure(open_recording(run.end()))["chain"]
    assert [said.startswith("GET /api/recommendations answered 500") for said in chain] == [True, False][not shows :]


def test_a_page_that_never_comes_is_told_by_the_request_that_has_no_answer(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.step("Read")
    began = run.t
    run.script.run(
        "request",
        began + 10,
        id="r1",
        page=1,
        method="GET",
        url="http://127.0.0.1:8000/slow",
        type="document",
        headers={},
    )
    run.call("goto", params={"url": "http://127.0.0.1:8000/slow"}, error=GAVE_UP, took=3_000)
    run.end_step(False, GAVE_UP)
    told = first_failure(open_recording(run.end()))
    assert told["chain"] == [
        "GET /slow is sent, and has no answer.",
        "3.0 s later the call “Go to /slow” in “Read” fails: it waits 3.0 s in vain.",
    ]
    assert told["links"][0]["request"] == "r1"


def test_a_dialog_that_nobody_answers_is_what_holds_a_click(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.step("Pay")
    run.open("/", BUTTON)
    run.script.run("dialog", run.t + 100, page=1, type="confirm", message="Really?")
    error = GAVE_UP + "- performing click action\n"
    run.call("click", 'get_by_role("button", name="Place order")', error=error, took=3_000)
    run.end_step(False, error)
    chain = first_failure(open_recording(run.end()))["chain"]
    assert chain == [
        "The page opens a dialog: “Really?”.",
        "2.9 s later the call “Click Place order” in “Pay” fails: the dialog is still open.",
    ]


def test_an_expectation_outside_of_steps_is_told_by_its_call_and_not_by_the_exception(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.open("/", BUTTON)
    run.call("to_be_visible", 'get_by_text("Thank you")', error="Error: Expect failed\nCall log:\n  - waiting for x")
    run.script.run("note", run.t, id=9, step=None, text="The run ended by AssertionError: Locator expected to be visible", attributes={"ended_by": "AssertionError"})  # fmt: skip
    run.script.writer.close("error")
    (said,) = first_failure(open_recording(run.path))["chain"]
    assert said.startswith("The call “Expect ") and said.endswith("fails: the page does not say so.")


def test_an_element_that_holds_a_whole_page_is_read_at_its_beginning_alone(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    words: list[Json] = [["b", {}, f"word{number} "] for number in range(2_000)]
    run.open("/", ["div", {}, *words])
    div = next(node for node in run.script.model.documents[run.d].walk() if node.name == "div")
    assert words_in(div).startswith("word0 word1 ") and len(words_in(div)) == 320
