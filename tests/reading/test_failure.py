"""Why a run failed: by what it did not get over, said once, with what stood where the call looked for its element."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.hyperlinks import link_source_location
from pagereel.reading import RecordedRun, describe_failure_location, find_first_failure, open_recording, recorded_run
from pagereel.reading.locator_targets import read_first_words

from ..comparison.runs import Made
from ..reel.sample import Json

GAVE_UP = "TimeoutError: Locator.click: Timeout 3000ms exceeded.\nCall log:\n"
BUTTON: Json = ["button", {"id": "buy", "class": "main"}, "Place order"]
FIELD: Json = ["label", {}, "Postal code ", ["input", {"id": "zip", "placeholder": "9999 XX"}]]
COUNTRY: Json = ["select", {"aria-label": "Country"}, ["option", {}, "Norway"], ["option", {}, "Peru"]]
STATUS: Json = ["p", {"role": "status"}, "Paying…"]
VEIL: Json = ["div", {"class": "veil"}, "Crumbs, not cookies"]


def failed(path: Path, method: str, locator: str | None, error: str, **call: Json) -> dict[str, object]:
    """What is told of a run whose last step fails by this call, on a page with a button, a field and a status."""
    run = Made(path)
    run.step("Look")
    run.open("/", BUTTON, FIELD, COUNTRY, STATUS, VEIL, "In stock", "Free of postage")
    run.end_step(True)
    run.step("Pay")
    run.call(method, locator, error=error, **call)  # type: ignore[arg-type]
    run.end_step(False, error)
    return find_first_failure(open_recording(run.end()))


@pytest.mark.parametrize(
    ("method", "locator", "log", "said", "node"),
    [
        ("click", 'get_by_role("button", name="Place an order")', "- waiting for x",
         "nothing on the page fits; the nearest is the button “Place order”", "button"),
        ("click", 'get_by_role("button", name="Pay")', "- waiting for x", "the page has no such button yet; it says “Paying…”", None),
        ("click", 'get_by_role("link", name="Place order")', "- waiting for x",
         "nothing on the page fits; the nearest is the button “Place order”", "button"),
        ("fill", 'get_by_label("Post code")', "- waiting for x", "nothing on the page fits; the nearest is the textbox “Postal code”", "input"),
        ("click", 'locator("button#by.main")', "- waiting for x", "nothing on the page fits; the nearest is button#buy.main", "button"),
        ("wait_for", 'get_by_text("Thank you")', "- waiting for x", "the page does not show this text yet; it says “Paying…”", None),
        ("click", 'get_by_role("button", name="Place order")', '- <div class="veil">…</div> intercepts pointer events',
         "div.veil lies over it", "div"),
        ("click", 'get_by_role("button", name="Place order")', "- locator resolved to <button>x</button>\n  - element is not enabled",
         "it was disabled", "button"),
        ("click", 'get_by_role("button", name="Place order")', "- locator resolved to <button>x</button>\n  - element is not stable",
         "it kept moving", "button"),
        ("click", 'get_by_role("button", name="Place order")', 'Error: strict mode violation: x resolved to 3 elements:\n    1) x',
         "3 elements of the page fit, and it takes exactly one", "button"),
        ("select_option", 'get_by_label("Country")', "- locator resolved to <select>x</select>\n  - did not find some options",
         "it has no such option, but “Norway”, “Peru”", "select"),
        ("fill", 'get_by_label("Postal code")', "- locator resolved to <input>x</input>\n  - element is not editable", "it was read-only", "input"),
        ("to_have_value", 'get_by_label("Postal code")', '- unexpected value ""', "it was empty", "input"),
        ("not_to_be_visible", 'get_by_role("status")', '- unexpected value "visible"', "it was visible", "p"),
        ("to_have_title", None, '- unexpected value "Cart"', "it was “Cart”", None),
        ("to_have_url", None, '- unexpected value "http://127.0.0.1:8000/done?no"', "it was /done?no", None),
        ("to_have_text", 'get_by_role("status")', '9 × locator resolved to <p>x</p>\n  - unexpected value "Paying…"', "it was “Paying…”", "p"),
    ],
)  # fmt: skip
def test_what_stood_there_instead_is_said_and_led_to(
    tmp_path: Path, method: str, locator: str | None, log: str, said: str, node: str | None
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
    told = find_first_failure(open_recording(run.end()))
    assert told["failure"]["title"] == 'Click "Order now"' and len(told["chain"]) == 1


def test_an_exception_of_the_program_is_told_with_its_line_and_a_call_long_before_it_is_not_it(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.step("Pay")
    run.open("/", BUTTON)
    run.call("click", 'get_by_text("Order now")', error=GAVE_UP + "- waiting for x")
    run.rest()
    run.script.run("step_end", run.t, id=1, success=False, error="ValueError: no total", source={"file": "agent.py", "line": 12, "function": "buy"})  # fmt: skip
    told = find_first_failure(open_recording(run.end()))
    assert (told["failure"]["kind"], told["failure"]["line"]) == ("step", "agent.py:12")
    assert "“Click \"Order now\"” fails" in told["chain"][0] and told["chain"][1].endswith("the step “Pay” fails: “ValueError: no total”.")  # fmt: skip


def test_an_exception_that_no_step_tells_of_is_told_by_the_note_of_it(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.open("/", BUTTON)
    run.script.run("note", run.t, id=9, step=None, text="The run ended by ValueError: no luck", attributes={"ended_by": "ValueError", "source": "/x/agent.py:3"})  # fmt: skip
    run.script.writer.close("error")
    told = find_first_failure(open_recording(run.path))
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
    told = find_first_failure(open_recording(run.end()))
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
    told = find_first_failure(open_recording(run.end()))
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
    (said,) = find_first_failure(open_recording(run.end()))["chain"]
    assert said.endswith("fails: the page has no such button yet; it says “Searching…”.")


def test_what_was_there_and_went_away_is_told_with_when_it_went(tmp_path: Path) -> None:
    run = searching(tmp_path / "run.reel")
    run.show("Flights", "[Search]", TIMETABLE)
    run.show("Flights", "[Search]", "Sold out")
    went = run.t - 400
    book(run)
    told = find_first_failure(open_recording(run.end()))
    assert told["chain"][0] == "The button “Book” goes away." and told["links"][0]["t"] == went
    assert told["chain"][1].endswith(" fails: the page has no such button any more; it says “Sold out”.")


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
    assert find_first_failure(open_recording(run.end()))["chain"][-1].endswith(" the button “Book” appears, too late.")


def test_what_fits_as_the_call_gives_up_is_no_race(tmp_path: Path) -> None:
    run = searching(tmp_path / "run.reel")
    run.show("Flights", TIMETABLE)
    book(run)
    run.show("Flights", TIMETABLE)
    assert len(find_first_failure(open_recording(run.end()))["chain"]) == 1


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
    told = find_first_failure(open_recording(run.end()))
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
    (said,) = find_first_failure(open_recording(run.end()))["chain"]
    assert said.endswith("fails: the page does not show this text.")


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
    chain = find_first_failure(open_recording(run.end()))["chain"]
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
    told = find_first_failure(open_recording(run.end()))
    assert told["chain"] == [
        "GET /slow is sent, and has no answer.",
        "3.0 s later the call “Go to /slow” in “Read” fails: it gave up after 3.0 s.",
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
    chain = find_first_failure(open_recording(run.end()))["chain"]
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
    (said,) = find_first_failure(open_recording(run.path))["chain"]
    assert said.startswith("The call “Expect ") and said.endswith("fails: the page does not show this text.")


def one_call(path: Path, method: str, error: str, before: str = "", **call: Json) -> list[str]:
    """The chain of a run that ends by this call, after an event of its page or a request."""
    run = Made(path)
    run.open("/", ["h1", {}, "Sign in"], BUTTON)
    if before == "request":
        run.script.run(
            "request", run.t, id="1.1", page=1, method="GET", url="http://127.0.0.1:9/", type="document", headers={}
        )
        run.script.run(
            "response", run.t + 5, id="1.1", status=0, headers={}, end=run.t + 5, size=0, error="net::ERR_UNSAFE_PORT"
        )
    if before == "asked":
        run.call("close", took=20)
    if before in ("asked", "close", "crash"):
        run.script.run("page", run.t, page=1, event="crash" if before == "crash" else "close")
        run.t += 30
    run.call(method, error=error, **call)  # type: ignore[arg-type]
    run.script.writer.close("error")
    return list(find_first_failure(open_recording(run.path))["chain"])


CLOSED = "TargetClosedError: Locator.click: Target page, context or browser has been closed"
GAVE_UP_ON = "Timeout 900ms exceeded while waiting for event"


@pytest.mark.parametrize(
    ("method", "error", "before", "call", "chain"),
    [
        ("click", CLOSED, "asked", {}, ["The script closes the page.", "80 ms later the call “Click” fails."]),
        ("click", CLOSED, "close", {}, ["The page closes.", "80 ms later the call “Click” fails."]),
        ("goto", "Error: Page.goto: net::ERR_ABORTED at /x", "crash", {}, ["The page crashes.", "80 ms later the call “Go” fails."]),
        ("goto", "Error: Page.goto: net::ERR_UNSAFE_PORT at http://127.0.0.1:9/", "request", {"params": {"url": "http://127.0.0.1:9/"}},
         ["GET / failed: net::ERR_UNSAFE_PORT.", "45 ms later the call “Go to /” fails."]),
        ("expect_download", f'{GAVE_UP_ON} "download"', "", {"params": {"event": "download"}, "took": 900},
         ["The call “Expect download” fails: no download came within 0.9 s."]),
        ("expect_response", f'{GAVE_UP_ON} "response"', "", {"params": {"event": "response"}, "took": 900},
         ["The call “Expect response” fails: no such response came within 0.9 s."]),
        ("click", f"{GAVE_UP}- waiting for x", "", {"locator": 'locator("#nothing")'},
         ["The call “Click #nothing” fails: nothing on the page fits; it says “Sign in”."]),
        ("select_option", f"{GAVE_UP}- locator resolved to hidden <b>", "", {"locator": 'locator("#buy")'}, ["The call “Select in #buy” fails: it was hidden."]),
    ],
)  # fmt: skip
def test_the_cause_is_said_before_and_nothing_twice(
    tmp_path: Path, method: str, error: str, before: str, call: dict[str, Json], chain: list[str]
) -> None:
    assert one_call(tmp_path / "run.reel", method, error, before, **call) == chain


def test_a_step_that_went_on_after_a_failed_call_failed_by_what_came_then(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.step("Pay")
    run.open("/", BUTTON)
    run.call("click", 'get_by_text("Order now")', error=GAVE_UP)
    run.call("click", 'get_by_role("button", name="Place order")')
    source: Json = {
        "file": "agent.py",
        "line": 12,
        "function": "buy",
        "code": ["    11  x", ">   12      row['total']"],
    }
    run.script.run("step_end", run.t, id=1, success=False, error="KeyError: 'total'", source=source)
    told = find_first_failure(open_recording(run.end()))
    assert told["chain"][-1] == "50 ms later the step “Pay” fails: “KeyError: 'total'”."
    assert describe_failure_location(told["failure"]) == ["row['total']", "agent.py:12"]


def test_of_a_tests_phases_the_first_that_failed_is_told_and_that_others_failed_too(tmp_path: Path) -> None:
    """A tear-down runs whatever the test did, and a fixture of it goes on where another one failed."""
    lost = "playwright._impl._errors.TimeoutError: Locator.click: Timeout 3000ms exceeded."
    for name, of_test in (("both", "AssertionError: assert 48 == 50"), ("one", None)):
        run = Made(tmp_path / f"{name}.reel")
        run.open("/", BUTTON)
        for title, error in (("test_pay", of_test), ("Tear-down", lost)):
            run.number += 1
            kind = "test" if title == "test_pay" else "hook"
            run.script.run("step", run.t, id=run.number, parent=None, title=title, attributes={"kind": kind})
            run.step_id = run.number
            if kind == "hook":
                run.call("click", 'get_by_text("Sign out")', error=GAVE_UP + "- waiting for x")
                run.call("click", 'get_by_role("button", name="Place order")')
            run.end_step(error is None, error)
        source: Json = {"file": "test_pay.py", "line": 7, "code": [">    7      assert total == 50"]}
        run.script.run(
            "note", run.t, id=98, step=2, text="Test failed", attributes={"outcome": "failed"}, source=source
        )
        run.script.run(
            "note",
            run.t,
            id=99,
            step=4,
            text="Tear-down failed",
            attributes={"outcome": "failed", "source": "/x/conftest.py:3"},
        )
        told = find_first_failure(open_recording(run.end()))
        if of_test:
            assert told["chain"] == [
                "The step “test_pay” fails: “AssertionError: assert 48 == 50”.",
                "110 ms later the step “Tear-down” fails, too: “TimeoutError: Locator.click: Timeout 3000ms exceeded”.",
            ]
            assert describe_failure_location(told["failure"]) == ["assert total == 50", "test_pay.py:7"]
        else:
            (said,) = told["chain"]
            assert said.startswith('The call “Click "Sign out"” in “Tear-down” fails: the page does not show this text')


def test_a_chain_is_told_of_one_reading_of_the_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Path] = []
    opened = recorded_run.open_any
    monkeypatch.setattr(recorded_run, "open_any", lambda path: told.append(path) or opened(path))
    failed(tmp_path / "run.reel", "click", 'get_by_role("button", name="Pay")', GAVE_UP + "- waiting for x")
    assert len(told) == 2, "what happened, and what the pages showed, however many questions there are"
    run = tmp_path / "run.reel"
    with opened(run) as reel:
        assert find_first_failure(RecordedRun(run, reel))["chain"]
    assert len(told) == 2, "a reel that is open already is read as it is"


def test_a_place_is_a_link_where_the_file_lies_below_this_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("agent.py").touch()
    assert (
        link_source_location("  x at agent.py:3")
        == f"  x at \x1b]8;;{(tmp_path / 'agent.py').as_uri()}\x1b\\agent.py:3\x1b]8;;\x1b\\"
    )
    for other in ("x at other.py:3", "x at ../agent.py:3", "x at /etc/passwd:1", "  1.2 s later it fails."):
        assert link_source_location(other) == other


def test_an_element_that_holds_a_whole_page_is_read_at_its_beginning_alone(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    words: list[Json] = [["b", {}, f"word{number} "] for number in range(2_000)]
    run.open("/", ["div", {}, *words])
    div = next(node for node in run.script.model.documents[run.d].walk() if node.name == "div")
    assert read_first_words(div).startswith("word0 word1 ") and len(read_first_words(div)) == 320
