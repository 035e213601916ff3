"""Questions to one recording: what went wrong first, when an element changed, what happened around a step."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.cli import main
from pagereel.errors import UsageError
from pagereel.reading import describe_step, find_element_changes, find_first_failure, open_recording

from ..comparison.runs import Made, purchase
from ..reel.sample import Json


def conflict(tmp_path: Path) -> Path:
    return purchase(tmp_path / "bad.reel", status=409, total="0", button=False)


def test_the_first_failure_is_told_with_what_came_of_it(tmp_path: Path) -> None:
    told = find_first_failure(open_recording(conflict(tmp_path)))
    assert told["outcome"] == "failed"
    assert (told["first"]["kind"], told["failure"]["kind"]) == ("request", "call")
    assert told["chain"] == [
        "POST /cart answered 409: “conflict”.",
        "470 ms later the call “Click Pay” in “Pay” fails: it gave up after 0.1 s; the page says “Total 0”.",
        "At once the step “Pay” fails: “the button cannot be clicked”.",
    ]
    assert told["page"] == [{"page": 1, "url": "http://127.0.0.1:8000/", "new": ["Your cart", "Total 0"]}]
    assert [each["kind"] for each in told["after"]] == ["answer", "call"]
    assert [sorted(link) for link in told["links"]] == [["request", "t"], ["call", "t"], ["step", "t"]]


def test_nothing_is_told_of_a_run_in_which_nothing_went_wrong(tmp_path: Path) -> None:
    told = find_first_failure(open_recording(purchase(tmp_path / "good.reel")))
    assert told == {"outcome": "passed", "first": None, "failure": None, "chain": []}


def test_what_was_done_again_with_success_is_no_failure(tmp_path: Path) -> None:
    told = find_first_failure(open_recording(purchase(tmp_path / "again.reel", retry=True)))
    assert told["outcome"] == "passed" and told["failure"] is None
    assert "and is done again with success" in told["chain"][0]


def test_what_lies_over_the_page_is_where_a_click_began_to_fail(tmp_path: Path) -> None:
    run = Made(tmp_path / "cover.reel")
    run.step("Look")
    run.open("/", "Shop", "[Pay]")
    document = run.script.model.documents[run.d]
    body = next(node for node in document.walk() if node.name == "body")
    veil: Json = ["div", {"class": "veil", "role": "dialog"}, ["p", {}, "Crumbs, not cookies"]]
    run.script.ops(run.t, run.d, ["add", body.id, document.last_id + 1, veil])
    came = run.t
    run.rest()
    error = (
        'TimeoutError: Timeout 3000ms exceeded.\nCall log:\n  - <div class="veil" role="dialog">…</div> from <div id="layers">…</div> subtree'
        " intercepts pointer events"
    )
    run.call("click", 'get_by_role("button", name="Pay")', error=error)
    run.end_step(False, error)
    told = find_first_failure(open_recording(run.end()))
    assert (told["first"]["kind"], told["first"]["t"]) == ("cover", came)
    assert told["chain"] == [
        "An element, div.veil, lies over the page: “Crumbs, not cookies”.",
        "450 ms later the call “Click Pay” in “Look” fails: div.veil lies over it.",
    ]


def test_what_comes_over_the_page_while_a_call_waits_is_told_as_such(tmp_path: Path) -> None:
    run = Made(tmp_path / "cover.reel")
    run.step("Pay")
    run.open("/", "Shop", "[Pay]")
    document = run.script.model.documents[run.d]
    body = next(node for node in document.walk() if node.name == "body")
    run.script.ops(run.t + 100, run.d, ["add", body.id, document.last_id + 1, ["div", {"id": "news"}, "News"]])
    run.call("click", 'get_by_role("button", name="Pay")', error='Timeout 3000ms exceeded.\n<div id="news">…</div> intercepts pointer events', took=3_000)  # fmt: skip
    run.end_step(False, "Timeout 3000ms exceeded.")
    told = find_first_failure(open_recording(run.end()))
    assert told["chain"][0] == "An element, div#news, comes to lie over the page: “News”."
    came, fails = told["links"]
    assert came["node"] == fails["node"] and came["is"] == fails["is"] == "cover"
    assert document.nodes[fails["covered"]["node"]].name == "button" and fails["covered"]["is"] == "wanted"


def test_ids_that_a_recording_chose_cost_no_work(tmp_path: Path) -> None:
    """Only the nodes that are there are looked at: a page may have few of them, with ids in the millions of millions."""
    run = Made(tmp_path / "ids.reel")
    run.step("Pay")
    run.open("/", "Shop", "Hello")
    document = run.script.model.documents[run.d]
    body = next(node for node in document.walk() if node.name == "body")
    run.script.ops(run.t + 100, run.d, ["add", body.id, 10**13, ["button", {}, "Book"]])
    run.call("click", 'get_by_role("button", name="Pay")', error="Timeout 3000ms exceeded.", took=3_000)
    run.end_step(False, "Timeout 3000ms exceeded.")
    recording = open_recording(run.end())
    assert "Click Pay" in find_first_failure(recording)["chain"][-1]
    assert [record["change"] for record in find_element_changes(recording, "button")] == ["appeared"]


def test_each_change_of_an_element_is_told_with_what_came_right_before_the_latest_first(tmp_path: Path) -> None:
    found = find_element_changes(open_recording(conflict(tmp_path)), "p.line")
    said = [
        (record["t"], record["change"], record.get("was", {}).get("text"), record.get("is", {}).get("text"))
        for record in found
    ]
    assert sorted(said[:2]) == [(1470, "changed", "In stock", "Total 0"), (1470, "changed", "Tern vase", "Your cart")]
    assert [(each["kind"], each["ago"]) for each in found[0]["after"]] == [
        ("answer", 10.0),
        ("call", 90.0),
        ("step", 90.0),
    ]
    assert found[0]["after"][0]["what"] == "POST http://127.0.0.1:8000/cart: 409"
    assert {record["loaded"] for record in found if record["t"] == 55} == {"http://127.0.0.1:8000/"}


def test_attributes_values_and_what_is_drawn_anew_alike(tmp_path: Path) -> None:
    run = Made(tmp_path / "ops.reel")
    run.open("/", "Shop", "[Pay]")
    document = run.script.model.documents[run.d]
    button = next(node for node in document.walk() if node.name == "button")
    body = button.parent
    assert body is not None
    run.script.ops(1000, run.d, ["attr", button.id, {"disabled": "", "id": "pay"}])
    run.script.ops(1100, run.d, ["text", next(button.children).id, "Wait"])
    run.script.ops(
        1200,
        run.d,
        ["del", button.id],
        ["add", body.id, document.last_id + 1, ["button", {"disabled": "", "id": "pay"}, "Wait"]],
    )
    run.script.ops(1300, run.d, ["add", body.id, document.last_id + 1, ["input", {"name": "who"}]])
    run.script.ops(1400, run.d, ["value", document.last_id, "Ada"])
    recording = open_recording(run.end())
    changes = [
        (record["t"], record["change"], record.get("was"), record.get("is"))
        for record in find_element_changes(recording, "button")
    ]
    assert changes == [
        (1100, "changed", {"text": "[button: Pay]"}, {"text": "[button: Wait]"}),
        (
            1000,
            "changed",
            {"attributes": {"disabled": None, "id": None}},
            {"attributes": {"disabled": "", "id": "pay"}},
        ),
        (55, "appeared", None, {"text": "[button: Pay]"}),
    ], "what is drawn anew and is the same has not changed"
    assert [record["change"] for record in find_element_changes(recording, "#pay")] == ["changed", "appeared"]
    assert find_element_changes(recording, "[name=who]")[0]["is"] == {"value": "Ada"}
    with pytest.raises(UsageError, match="not a selector of one element"):
        find_element_changes(recording, "main p")


def test_a_step_is_told_with_all_that_happened_in_it_and_how_the_page_reads_before_and_after(tmp_path: Path) -> None:
    recording = open_recording(conflict(tmp_path))
    told = describe_step(recording, "2")
    assert (told["step"]["title"], told["before"]["title"], told["next"]["title"]) == (
        "Put it in the cart",
        "Find it",
        "Pay",
    )
    assert [request["status"] for request in told["requests"]] == [409] and len(told["calls"]) == 1
    assert told["pages"][0]["gone"] == ["Tern vase", "In stock", "[button: Add to cart]"]
    assert told["pages"][0]["new"] == ["Your cart", "Total 0"]
    assert describe_step(recording, "1500ms")["step"] == told["step"] == describe_step(recording, "step 2")["step"]
    for where in ("9", "step 9", "no such mark"):
        with pytest.raises(LookupError):
            describe_step(recording, where)


def test_the_command_line_asks_the_same_masked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reel = str(purchase(tmp_path / "bad.reel", status=409, total="0 for ada.lovelace@posteo.example", button=False))
    assert main(["query", reel, "first-failure"]) == 0
    said = capsys.readouterr().out
    assert "answered 409" in said and "Total 0 for" in said and "lovelace" not in said
    assert main(["query", reel, "when-changed", "p", "--limit", "1", "--redaction", "off"]) == 0
    assert "10 ms after answer POST http://127.0.0.1:8000/cart: 409" in capsys.readouterr().out
    assert main(["query", reel, "around", "3", "--redaction", "off"]) == 0
    assert "step:      1880 [step 3] Pay FAILED" in capsys.readouterr().out
    assert main(["query", reel, "around"]) == 2 and main(["query", reel, "calls", "3"]) == 2
    assert main(["query", reel, "when-changed", "a b"]) == 2 and main(["query", reel, "around", "9"]) == 2
