"""Why a run failed: by what it did not get over, said once, with what stood where the call looked for its element."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.reading import first_failure, open_recording

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
        ("click", 'get_by_role("button", name="Pay")', "- waiting for x", "the page has no such button; it has “Place order”", "button"),
        ("click", 'get_by_role("link", name="Place order")', "- waiting for x",
         "nothing on the page fits; the nearest is the button “Place order”", "button"),
        ("fill", 'get_by_label("Post code")', "- waiting for x", "nothing on the page fits; the nearest is the textbox “Postal code”", "input"),
        ("click", 'locator("button#by.main")', "- waiting for x", "nothing on the page fits; the nearest is button#buy.main", "button"),
        ("wait_for", 'get_by_text("Thank you")', "- waiting for x", "the page does not say so", None),
        ("click", 'get_by_role("button", name="Place order")', '- <div class="veil">…</div> intercepts pointer events',
         "div.veil “Crumbs, not cookies” lies over it", "div"),
        ("click", 'get_by_role("button", name="Place order")', "- locator resolved to <button>x</button>\n  - element is not enabled",
         "it was there, and not enabled", "button"),
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
