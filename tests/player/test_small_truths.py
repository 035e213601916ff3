"""What the player says of things that are not there, of steps, and of what is no failure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Hand, Replay

Open = Callable[..., Replay]


@pytest.mark.parametrize(
    ("fragment", "says"),
    [
        ("#mark=nope", 'There is no mark "nope". This is the beginning.'),
        ("#step=99", "There is no step with the id 99. This is the beginning."),
        ("#step=2", "There is no step with the id 2: step 2 has the id 5. This is the beginning."),
        ("#step=two", "There is no step with the id two. This is the beginning."),
        ("#t=soon", "NaN is no time. This is the beginning."),
    ],
)
def test_a_moment_that_there_is_not_is_said_and_the_replay_opens_at_its_beginning(
    sample: Path, open_replay: Open, fragment: str, says: str
) -> None:
    replay = open_replay(sample, fragment)
    page = replay.page
    alert = page.get_by_role("alert")
    assert alert.inner_text() == says and alert.is_visible()
    assert page.evaluate("pagereel.time") == 0
    page.evaluate("pagereel.seek({ step: 5 })")
    assert alert.count() == 0
    assert replay.problems == []


def test_an_address_that_changes_to_a_moment_that_there_is_not_leaves_the_replay_where_it_is(
    sample: Path, open_replay: Open
) -> None:
    replay = open_replay(sample, "#t=920")
    page = replay.page
    page.evaluate("location.hash = '#mark=gone'")
    assert page.get_by_role("alert").inner_text() == 'There is no mark "gone".'
    assert page.evaluate("pagereel.time") == 920
    page.evaluate("location.hash = '#mark=catalogue%20loaded'")
    replay.until("pagereel.time === 410")
    assert page.get_by_role("alert").count() == 0


def test_a_page_that_there_is_not_is_said(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample, "#page=99&t=920")
    alert = replay.page.get_by_role("alert")
    alert.wait_for()
    assert alert.inner_text() == "There is no page 99."
    assert replay.page.evaluate("[pagereel.time, pagereel.page]") == [920, 1]
    replay.page.evaluate("location.hash = '#page=1&t=920'")
    alert.wait_for(state="detached")
    replay.page.evaluate("location.hash = '#page=77'")
    alert.wait_for()
    assert alert.inner_text() == "There is no page 77."
    for page in ("-1", "77", "1.5", "NaN", "'1'"):
        refused = replay.page.evaluate(f"pagereel.show({page}).then(() => 'shown', (error) => error.message)")
        assert refused.startswith("There is no page"), (page, refused)
    assert replay.page.evaluate("pagereel.show(1).then(() => pagereel.page)") == 1


def test_an_embedded_replay_says_it_to_the_console_alone(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample)
    said: list[str] = []
    replay.page.on("console", lambda message: said.append(message.text))
    replay.page.goto("about:blank")
    replay.page.goto(replay.path.as_uri() + "#bare&mark=nope")
    replay.page.evaluate("pagereel.ready")
    assert said == ['There is no mark "nope". This is the beginning.']
    assert "nope" not in replay.page.inner_text("body")


def test_people_count_steps_from_one_and_programs_have_their_ids(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample, "#step=5")
    page = replay.page
    steps = page.evaluate("pagereel.steps.map(({ id, number }) => [id, number])")
    assert [number for _, number in steps] == [1, 2, 3] and steps[1][0] == 5 and steps[2][0] > 5
    titles = page.get_by_role("tabpanel").locator(".step .title").all_inner_texts()
    assert [title.split()[0] for title in titles] == ["1", "2", "3"]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("m")
    page.get_by_text("Markdown copied").wait_for()
    assert "- Step 2: Put it in the cart" in page.evaluate("navigator.clipboard.readText()")


def test_a_step_that_came_to_its_end_without_a_word_is_done(hand: Hand, open_replay: Open) -> None:
    hand.start(["p", {}, "x"])
    for number, title in enumerate(("Said", "Silent", "Cut off"), 1):
        hand.script.run("step", 10 * number, id=number, parent=None, title=title, attributes={})
        if title != "Cut off":
            hand.script.run("step_end", 10 * number + 5, id=number, success=True if title == "Said" else None)
    page = open_replay(hand.close()).page
    states = [page.locator(".step", has_text=title).locator(".state") for title in ("Said", "Silent", "Cut off")]
    assert [state.get_attribute("title") for state in states] == ["succeeded", "done", "never ended"]
    assert [state.locator("svg").count() for state in states] == [1, 1, 0]


def test_what_a_browser_asks_for_by_itself_and_what_a_page_gives_up_are_no_failures(
    hand: Hand, open_replay: Open
) -> None:
    hand.start(["p", {}, "x"])
    asked = [
        ("other", "https://site.example/favicon.ico", {"status": 404}),
        ("other", "https://site.example/img/my-icon-32.png", {"status": 404}),
        ("other", "https://site.example/.well-known/appspecific/com.chrome.devtools.json", {"status": 404}),
        ("fetch", "https://site.example/search?q=a", {"error": "net::ERR_ABORTED"}),
        ("image", "https://site.example/icon.png", {"status": 404}),
        ("fetch", "https://site.example/api", {"error": "net::ERR_CONNECTION_REFUSED"}),
    ]
    for number, (kind, url, answer) in enumerate(asked, 1):
        hand.script.run("request", number, id=number, page=1, d=1, method="GET", url=url, type=kind, headers={})
        told = {"status": 0, "headers": {}, "size": 0, **answer}
        hand.script.run("response", number + 1, id=number, end=number + 2, **told)
    page = open_replay(hand.close()).page
    tab = page.get_by_role("tab", name="Network")
    assert tab.locator(".count").inner_text() == "2"
    tab.click()
    rows = page.locator(".network tbody tr")
    assert rows.count() == 6
    assert [row.locator("td").first.inner_text() for row in rows.all()] == [
        "404",
        "404",
        "404",
        "given up",
        "404",
        "failed",
    ]
    page.get_by_label("Only failed").check()
    assert rows.count() == 2


def long_test(hand: Hand, *, note: bool) -> Path:
    """A test with more actions than fit beside the page, that failed in the middle; what came after it is long, too."""
    hand.start(["p", {}, "x"])
    run = hand.script.run
    number = iter(range(1, 1000))
    t = 0.0
    for title in ("Set-up", "test_pay", "Tear-down"):
        step = next(number)
        run("step", t, id=step, parent=None, title=title, attributes={})
        for at in range(45):
            t += 10
            call = {"method": "click", "title": "Click", "locator": f"locator('#a{at}')"}
            run("call", t, id=next(number), step=step, page=1, duration=5, params={}, **call)
        failed = title == "test_pay"
        if failed and note:
            told = {"outcome": "failed", "phase": "call", "source": "test_pay.py:12", "locals": "total = 1"}
            run("note", t + 5, id=next(number), step=step, text="AssertionError: 1 == 2", attributes=told)
        t += 10
        run("step_end", t, id=step, success=not failed, **({"error": "AssertionError: 1 == 2"} if failed else {}))
        t += 10
    return hand.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 760), (1600, 900), (390, 844)])
def test_a_replay_that_opens_at_its_failure_shows_the_failure_in_the_story(
    hand: Hand, open_replay: Open, width: int, height: int
) -> None:
    replay = open_replay(long_test(hand, note=True))
    page = replay.page
    page.set_viewport_size({"width": width, "height": height})
    page.reload()
    page.evaluate("pagereel.ready")
    note = page.locator(".item.note")
    panel = page.get_by_role("tabpanel")
    replay.until("document.querySelector('.panel').scrollTop > 0")
    page.wait_for_timeout(100)
    seen, room = note.bounding_box(), panel.bounding_box()
    assert seen is not None and room is not None
    assert seen["y"] >= room["y"] and seen["y"] + min(seen["height"], 60) <= room["y"] + room["height"]
    assert note.get_attribute("aria-current") == "true"


def test_any_moment_shows_what_happens_in_the_story_at_it(hand: Hand, open_replay: Open) -> None:
    replay = open_replay(long_test(hand, note=False), "#t=300")
    page = replay.page
    panel = page.get_by_role("tabpanel").bounding_box()
    for t, text in ((300, "#a29"), (900, "#a42"), (30, "#a2'")):
        page.evaluate(f"pagereel.seek({t})")
        page.wait_for_timeout(100)
        row = page.locator(".item[aria-current]", has_text=text)
        seen = row.bounding_box()
        assert seen is not None and panel is not None
        assert panel["y"] <= seen["y"] <= panel["y"] + panel["height"] - 20


def test_calls_that_poll_are_one_line(hand: Hand, open_replay: Open) -> None:
    hand.start(["p", {}, "x"])
    hand.script.run("step", 1, id=1, parent=None, title="Wait for the order", attributes={})
    polled = ["click", *["wait_for_timeout"] * 20, "click", *["is_visible", "wait_for_timeout"] * 5]
    for number, method in enumerate(polled, 2):
        said = {"method": method, "title": method.replace("_", " ").capitalize()}
        hand.script.run("call", number * 100, id=number, step=1, page=1, duration=90, params={}, **said)
    hand.script.run("step_end", 4000, id=1, success=True)
    page = open_replay(hand.close(), "#t=1000").page
    lines = page.locator(".item .what").all_inner_texts()
    assert lines == ["Click", "Wait × 20", "Click", "Is visible, Wait × 5"]
    folded = page.locator(".item").nth(1)
    assert folded.locator(".figures").inner_text() == "2.0 s" and folded.get_attribute("aria-current") == "true"
    assert "32 actions" in page.get_by_role("tabpanel").inner_text()
    page.keyboard.press("2")
    rows = page.locator(".row.action .text").all_inner_texts()
    assert rows == lines
    # The one under way is open: its own source and parameters stand there.
    assert page.locator(".row.action[aria-current] .detail").count() == 1
    assert page.locator(".row.action[aria-current]").inner_text().startswith("0:00.3")


def test_the_window_and_a_copied_link_say_which_run_it_is_and_when(hand: Hand, open_replay: Open) -> None:
    hand.start(["p", {}, "x"])
    hand.script.run("step", 10, id=1, parent=None, title="Pay")
    hand.script.run("step_end", 20, id=1, success=False)
    page = open_replay(hand.close(), "#t=15").page
    assert page.title().endswith(" · failed")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("l")
    page.get_by_text("Link copied").wait_for()
    # A folder of this disk is of no use to whoever reads the ticket, and nobody reads milliseconds.
    assert page.evaluate("navigator.clipboard.readText()") == "hand.html#t=15 (at 0:00.0)"
    assert page.url.endswith("/hand.html#t=15")
