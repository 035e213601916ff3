"""Each difference is told where it is: a cost where it was spent, a step that the agent calls failed as an outcome, fields after the same actions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pagereel.comparison import compare

from .runs import Made


def thinks(path: Path, costs: Sequence[float], success: bool = True) -> Path:
    run = Made(path)
    for number, cost in enumerate(costs, 1):
        run.step(f"Part {'abc'[number - 1]}")
        run.model("What now?", cost=cost)
        run.call("click", f'get_by_role("button", name="{number}")')
        last = number == len(costs)
        run.end_step(success if last else True, None if success or not last else "the goal was not reached")
    return run.end()


def test_a_cost_is_told_at_the_call_in_which_it_was_spent(tmp_path: Path) -> None:
    a, b = thinks(tmp_path / "a.reel", (0.01, 0.01, 0.01)), thinks(tmp_path / "b.reel", (0.01, 0.09, 0.01))
    found = compare(a, b, redaction=None).divergence
    assert found is not None and (found.kind, found.b.title) == ("cost", "Part b")
    assert found.summary == "The run cost 0.11 USD instead of 0.03 USD, 0.08 USD more in one call of the step “Part b”."


def test_a_step_that_the_agent_calls_failed_is_an_outcome(tmp_path: Path) -> None:
    a, b = thinks(tmp_path / "a.reel", (0.01,)), thinks(tmp_path / "b.reel", (0.01,), success=False)
    result = compare(a, b, redaction=None)
    assert result.failed() == ["outcome"] and result.divergence is not None
    assert result.divergence.chain == ("The step “Part a” fails: “the goal was not reached”.", "The run ends failed instead of passed.")  # fmt: skip


def form(path: Path, *order: str, words: Sequence[str] = ("vase", "blue")) -> Path:
    """Two fields that are filled in this order, and what the page says of them."""
    run, said = Made(path), {"Name": "", "Glaze": ""}
    run.step("Fill")
    run.open("/", *[["input", {"aria-label": name, "value": ""}] for name in said], "[Send]")
    for name in order:
        run.call("fill", f'get_by_label("{name}")', params={"value": dict(zip(said, words, strict=True))[name]})
        said[name] = dict(zip(said, words, strict=True))[name]
        run.show(*[["input", {"aria-label": name, "value": value}] for name, value in said.items()], *said.values(), "[Send]")  # fmt: skip
    run.call("click", 'get_by_role("button", name="Send")')
    run.show("Sent")
    run.end_step()
    return run.end()


def test_fields_are_not_compared_where_only_one_run_has_filled_them(tmp_path: Path) -> None:
    a, b = form(tmp_path / "a.reel", "Name", "Glaze"), form(tmp_path / "b.reel", "Glaze", "Name")
    result = compare(a, b, redaction=None)
    assert [each.kind for each in result.differences] == ["action"] and "another point" in result.differences[0].said


def test_fields_are_filled_by_the_call_of_their_own_number(tmp_path: Path) -> None:
    def fills(path: Path, *numbers: int) -> Path:
        run = Made(path)
        run.step("Fill")
        run.open("/", "Form")
        for number in numbers:
            run.call("fill", f'get_by_label("Field {number}")', params={"value": "clay"})
            run.show("Form", f"Field {number} is there")
        run.end_step()
        return run.end()

    result = compare(fills(tmp_path / "a.reel", 1, 2, 3, 4, 5), fills(tmp_path / "b.reel", 1, 2, 4, 5), redaction=None)
    assert [each.said for each in result.differences] == ["the call “Fill Field 3” was left out."]


def priced(path: Path, price: str, rows: Sequence[str], last: str = "Vase") -> Path:
    run = Made(path)
    run.step("Look")
    run.open("/", "Shop", "Total 48", "[Buy]")
    run.call("click", 'get_by_role("button", name="Buy")')
    run.show("Shop", *rows, f"Total {price}", last)
    run.end_step()
    return run.end()


def test_a_price_of_the_last_step_and_a_row_that_moved_are_seen(tmp_path: Path) -> None:
    rows = ("Moon jar", "Heron jug", "Tide bowl")
    a = priced(tmp_path / "a.reel", "48", rows)
    dear = compare(a, priced(tmp_path / "b.reel", "84", rows), redaction=None)
    assert dear.failed() == ["page"] and "84" in dear.differences[0].said
    moved = compare(a, priced(tmp_path / "c.reel", "48", (rows[1], rows[0], rows[2]), "Jug"), redaction=None)
    assert any("stands below" in each.said for each in moved.differences)
