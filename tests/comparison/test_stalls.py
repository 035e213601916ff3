"""A machine that stands still makes all slower at once: that is no difference between two runs, one slow answer beside others is."""

from __future__ import annotations

from pathlib import Path

from pagereel.comparison import Comparison, compare

from .runs import SHOP, Made


def loaded(path: Path, waits: float | None = None, still: float = 0.0, times: int = 1, **took: float) -> Path:
    """A page that asks for three things at once and goes on; ms that each takes. `waits`: for which share of the time something waited for a processor, where the recording
    says it; `still`: ms for which the machine stood still after the first half second, so many `times` 200 ms apart.
    """
    run = Made(path, options=None if waits is None else {"beat": "pressure"})
    if waits:
        run.script.run("stall", 0, late=9000 * waits, over=9000)
    for number in range(times if still else 0):
        run.script.run("stall", 500 + number * (still + 200), late=still)
    run.step("Open the shop")
    run.open("/", "Shop", "[Pay]")
    began = run.t
    asked = [("stock", "fetch"), ("news", "fetch"), ("logo.png", "image"), ("quick", "fetch"), ("stream", "fetch")]
    # A stream is open beside the others, and then nothing is quick: what came meanwhile says that nothing stood still.
    for number, (name, kind) in enumerate([*asked[:3], asked[-1]] if "stream" in took else asked[:-1]):
        at = began + (400 if name == "quick" else 0)
        told = {
            "id": f"q{number}",
            "page": 1,
            "method": "GET",
            "url": f"{SHOP.format(port=run.port)}/{name}",
            "type": kind,
        }
        end = at + took.get(name.partition(".")[0], 40)
        run.script.run("request", at, headers={}, **told)
        run.script.run("response", end, id=f"q{number}", status=200, headers={}, end=end, size=2)
    run.t = began + 3000
    for word in ("Ash", "Birch", "Cedar", "Elm", "Fir", "Gum", "Hazel", "Ivy"):
        run.call("hover", f'get_by_text("{word}")', took=took.get("hover", 50))
        run.rest()
    run.call("click", 'get_by_role("button", name="Pay")', took=took.get("click", 50))
    run.rest()
    run.end_step()
    return run.end()


def slower(folder: Path, waits: float | None = None, still: float = 0.0, times: int = 1, **took: float) -> Comparison:
    b = loaded(folder / "b.reel", waits, still, times, **took)
    return compare(loaded(folder / "a.reel"), b, redaction=None)


def test_what_is_slower_all_at_once_is_the_machines(tmp_path: Path) -> None:
    result = slower(tmp_path, stock=1240, news=1250, logo=1230, quick=840)
    assert result.equal
    assert any("the machine stood still" in note and "1.2 s" in note for note in result.notes)


def test_a_picture_that_was_late_as_well_says_so_too(tmp_path: Path) -> None:
    assert slower(tmp_path, stock=1240, logo=1230, quick=840).equal


def test_one_answer_that_is_slower_beside_others_is_a_difference(tmp_path: Path) -> None:
    result = slower(tmp_path, stock=1240)
    assert result.divergence is not None and "stock took 1.2 s instead of 40 ms" in result.divergence.summary
    assert not result.notes


def test_a_stream_that_was_open_for_longer_says_nothing_of_an_answer_that_came_before_its_end(tmp_path: Path) -> None:
    a = loaded(tmp_path / "a.reel", stream=2000)
    result = compare(a, loaded(tmp_path / "b.reel", stock=1240, stream=2500), redaction=None)
    assert result.divergence is not None and "stock took 1.2 s instead of 40 ms" in result.divergence.summary


def test_where_others_came_meanwhile_as_fast_as_ever_two_slow_answers_are_a_difference(tmp_path: Path) -> None:
    result = slower(tmp_path, stock=2040, news=2040)
    assert result.divergence is not None and "took 2.0 s instead of 40 ms" in result.divergence.summary


def test_a_request_that_was_left_with_its_page_took_no_time(tmp_path: Path) -> None:
    runs = []
    for name, answered in (("a", True), ("b", False)):
        run = Made(tmp_path / f"{name}.reel")
        run.step("Look")
        run.open("/", "Shop", "[Next]")
        told = {"page": 1, "method": "GET", "headers": {}}
        run.script.run("request", run.t, id="live", url=f"{SHOP.format(port=run.port)}/live", type="fetch", **told)
        end = run.t + 40 if answered else run.t + 6000
        run.script.run(
            "request", run.t + 50, id="next", url=f"{SHOP.format(port=run.port)}/next", type="document", **told
        )
        if answered:
            run.script.run("response", end, id="live", status=200, headers={}, end=end, size=2)
        run.script.run("response", run.t + 90, id="next", status=200, headers={}, end=run.t + 90, size=2)
        run.t += 100
        run.open("/next", "Next", "[Pay]")
        run.t += 5000
        if not answered:
            run.script.run("response", end, id="live", status=0, headers={}, end=end, size=0, why="unfinished")
        run.rest()
        run.end_step()
        runs.append(run.end())
    assert compare(*runs, redaction=None).equal


def waited(path: Path, took: float) -> Path:
    """A page that asks by itself for what is left, and says “…” meanwhile; ms that the answer takes."""
    run = Made(path)
    run.step("Look at the room")
    run.open("/", "Room Tide", "[Book]")
    for round_ in range(3):
        run.t += 900
        run.show("Room Tide", "…", "[Book]")
        run.fetch("GET", "/api/left", took=took if round_ == 2 else 150)
        run.show("Room Tide", "[Book]")
    run.t += 900
    run.call("click", 'get_by_role("button", name="Book")')
    run.rest()
    run.end_step()
    return run.end()


def test_what_a_page_says_while_it_waits_is_no_more_than_the_answer_that_it_waits_for(tmp_path: Path) -> None:
    result = compare(waited(tmp_path / "a.reel", 150), waited(tmp_path / "b.reel", 2300), redaction=None)
    assert {each.kind for each in result.differences} == {"time", "page"}
    assert result.divergence is not None and result.divergence.summary == "GET /api/left took 2.3 s instead of 150 ms."


def told(path: Path, took: float, looks: float = 0) -> Path:
    """A page that says what to ask for until what was asked for comes; ms that the answer takes, and for which the page is looked at before."""
    run = Made(path)
    run.step("Ask")
    run.open("/", "Room Tide", "Ask for the price", "[Ask]")
    run.t += looks
    run.call("click", 'get_by_role("button", name="Ask")')
    run.fetch("GET", "/api/price", took=took)
    run.show("Room Tide", "84 EUR", "[Ask]")
    run.end_step()
    return run.end()


def test_what_goes_when_a_slow_answer_comes_did_not_stand_too_long_by_itself(tmp_path: Path) -> None:
    result = compare(told(tmp_path / "a.reel", 500), told(tmp_path / "b.reel", 6000, 2000), redaction=None)
    assert [each.said for each in result.differences if each.kind == "page"] == [
        "the page says “Ask for the price” for 8.5 s instead of 1.0 s."
    ]
    assert result.divergence is not None and result.divergence.summary == "GET /api/price took 6.0 s instead of 500 ms."


def test_one_answer_that_was_held_up_by_a_machine_with_too_much_to_do_is_the_machines(tmp_path: Path) -> None:
    result = slower(tmp_path, waits=0.95, stock=1240)
    assert result.equal and any("1.2 s: the machine stood still" in note for note in result.notes)


def test_an_answer_that_was_late_while_nothing_went_on_is_the_machines(tmp_path: Path) -> None:
    assert slower(tmp_path, waits=0.0, still=900, stock=1640).equal


def test_a_machine_that_stood_still_often_for_a_little_while_holds_an_answer_up_no_longer_than_that_says(
    tmp_path: Path,
) -> None:
    """Once for 600 ms may have been three times as long for what was asked for; that six times for 100 ms were, all of them, may not."""
    assert slower(tmp_path, waits=0.9, still=600, stock=2240).equal
    result = slower(tmp_path, waits=0.9, still=100, times=6, stock=2240)
    assert result.divergence is not None and "stock took 2.2 s instead of 40 ms" in result.divergence.summary


def test_an_answer_that_is_far_slower_is_a_difference_on_a_machine_with_too_much_to_do_as_well(tmp_path: Path) -> None:
    result = slower(tmp_path, waits=0.95, stock=2640)
    assert result.divergence is not None and "stock took 2.6 s instead of 40 ms" in result.divergence.summary


def test_on_a_machine_that_went_on_steadily_slow_answers_are_the_servers_though_all_were_slow(tmp_path: Path) -> None:
    result = slower(tmp_path, waits=0.0, stock=1240, news=1250, logo=1230, quick=840)
    assert result.divergence is not None and "took 1.2 s instead of 40 ms" in result.divergence.summary
    assert not result.notes


def test_a_call_that_took_longer_on_a_machine_with_too_much_to_do_is_none_and_on_a_steady_one_it_is(
    tmp_path: Path,
) -> None:
    assert slower(tmp_path, waits=0.95, click=4000).equal
    (tmp_path / "steady").mkdir()
    assert slower(tmp_path / "steady", waits=0.0, click=4000).kinds == ["time"]


def test_that_calls_took_longer_on_a_busy_machine_does_not_excuse_an_answer_that_took_far_longer_than_all_others(
    tmp_path: Path,
) -> None:
    result = slower(tmp_path, waits=0.95, stock=2640, hover=1050)
    assert result.divergence is not None and "stock took 2.6 s instead of 40 ms" in result.divergence.summary


def signed_in(path: Path, slow: float, answer: float, waits: float) -> Path:
    """A form that is there until the answer comes; everything takes `slow` times as long on a machine in which something waited for a processor for a share of the time."""
    run = Made(path, options={"beat": "pressure"})
    run.script.run("stall", 0, late=40000 * waits, over=40000)
    run.step("Sign in")
    run.open("/", "Shop", "Your name", "[Sign in]")
    for word in ("Ash", "Birch", "Cedar", "Elm"):
        run.call("hover", f'get_by_text("{word}")', took=60 * slow)
    run.call("click", 'get_by_role("button", name="Sign in")', took=60)
    run.rest()
    run.fetch("POST", "/in", took=answer)
    run.show("Shop", "[Pay]")
    run.call("click", 'get_by_role("button", name="Pay")', took=60 * slow)
    run.rest()
    run.end_step()
    return run.end()


def test_a_page_that_stands_longer_where_all_was_as_much_slower_is_the_machines(tmp_path: Path) -> None:
    good = signed_in(tmp_path / "a.reel", 1, 500, 0.9)
    assert compare(good, signed_in(tmp_path / "b.reel", 8, 6000, 0.9), redaction=None).failed("page") == []
    assert compare(good, signed_in(tmp_path / "c.reel", 1, 6000, 0.9), redaction=None).failed("page") == ["page"]
    assert compare(good, signed_in(tmp_path / "d.reel", 8, 6000, 0.0), redaction=None).failed("page") == ["page"]
