"""What a person can do with the player: find, move, compare, look into, take along; by keyboard as well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pagereel.reel import Json, ReelWriter

from .conftest import Hand, Replay

Open = Callable[..., Replay]


def test_an_imported_recording_says_where_it_is_from_and_claims_no_fidelity(tmp_path: Path, open_replay: Open) -> None:
    path = tmp_path / "imported.reel"
    writer = ReelWriter(path, {"imported": {"from": "trace", "name": "Playwright", "version": "1.65.0"}})
    writer.write({"k": "page", "t": 0, "page": 1, "event": "open"})
    writer.close("imported")
    badges = open_replay(path).page.get_by_label("About this recording").inner_text().lower()
    assert "imported from playwright 1.65.0" in badges
    assert "tree" not in badges and "layout" not in badges and "matches the page" not in badges


def test_a_failed_run_opens_at_its_failure_and_any_other_when_there_is_something_to_see(
    sample: Path, hand: Hand, open_replay: Open
) -> None:
    assert open_replay(sample).page.evaluate("pagereel.time") == 2050
    assert open_replay(sample, "#t=0").page.evaluate("pagereel.time") == 0
    hand.start(["p", {}, "x"])
    hand.script.run("step", 10, id=1, parent=None, title="Try", attributes={})
    hand.script.run("step_end", 20, id=1, success=False, error="No")
    hand.script.run("step", 30, id=2, parent=None, title="Try again", attributes={})
    hand.script.run("step_end", 40, id=2, success=True)
    # A failure that the agent got over is no failed run.
    page = open_replay(hand.close()).page
    assert page.evaluate("pagereel.time") == 1  # Before that nothing was to be seen.
    page.keyboard.press("Home")
    assert page.evaluate("pagereel.time") == 0


RUN = "[...document.scripts].filter((script) => 'kit' in script).map((script) => Object.keys(script).length > 1)"
"""The player's scripts by need that were asked for: whether each could run."""


def test_what_is_asked_for_is_run_when_it_is_asked_for_and_once(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample, "#t=0")
    page = replay.page
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Next step").click()
    for tab in ("Actions", "Console", "Network", "Model", "DOM", "Info", "Story"):
        page.get_by_role("tab", name=tab).click()
        assert page.get_by_role("tabpanel", name=tab).inner_text()
    assert page.evaluate(RUN) == [True] * 4  # What moves in the page, the tabs, why it failed, and the timeline.
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    page.locator(".track").hover(position={"x": 50, "y": 12})
    page.locator(".peek").wait_for()
    assert page.evaluate(RUN) == [True] * 5
    for key in ("t", "Escape", "m", "l"):
        page.keyboard.press(key)
    assert page.evaluate(RUN) == [True] * 6 and replay.problems == []
    bare = open_replay(sample, "#bare&t=0")
    for key in ("?", "t", "v", "/", "4", "m"):
        bare.page.keyboard.press(key)
    assert bare.page.evaluate(RUN) == [True] and bare.problems == []


def test_a_player_that_was_changed_on_its_way_is_said(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample)
    page = replay.page
    html = replay.path.read_text("utf-8")
    begin = html.index('id="pagereel-shell"')
    for at, said in ((html.index(">", begin) + 4000, "changed"), (html.index("</script>", begin) - 4000, "changed")):
        letter = "A" if html[at] != "A" else "B"
        replay.path.write_text(html[:at] + letter + html[at + 1 :], "utf-8")
        page.goto("about:blank")
        page.goto(replay.path.as_uri())
        page.get_by_role("alert").get_by_text(said).wait_for()
        assert page.evaluate("pagereel.ready.then(() => '', (error) => error.message)") != ""
    replay.path.write_text(html[: html.index("</script>", begin)], "utf-8")
    page.goto("about:blank")
    page.goto(replay.path.as_uri())
    page.get_by_role("alert").wait_for()
    assert replay.problems == []


def test_one_search_finds_pages_steps_console_and_network_and_goes_there(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample, "#t=0")
    page = replay.page
    page.keyboard.press("/")
    page.keyboard.type("kettle")
    found = page.locator(".found")
    found.get_by_text("step", exact=True).first.wait_for()
    kinds = set(found.locator(".kind").all_inner_texts())
    assert {"page", "step"} <= kinds, kinds
    page.get_by_role("searchbox", name="Search pages").fill("prices are cached")
    found.get_by_role("button").first.click()
    assert page.get_by_role("tab", name="Console").get_attribute("aria-selected") == "true"
    assert page.evaluate("pagereel.time") > 0
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    assert not found.is_visible()


def test_a_dialog_of_the_page_does_not_take_the_keyboard_from_the_player(hand: Hand, open_replay: Open) -> None:
    hand.start(["dialog", {}, ["button", {}, "OK"]])
    hand.script.page("mutation", 20, 1, ops=[["attr", 6, {"open": ""}], ["focus", 7], ["open", 6, "modal"]])
    hand.script.page("mutation", 1500, 1, ops=[["attr", 1, {}]])
    replay = open_replay(hand.close(), "#t=0")
    replay.seek(30)
    assert replay.inside("doc.querySelector('dialog').matches(':modal')")
    assert replay.page.evaluate("document.activeElement === document.body")
    replay.page.keyboard.press("End")
    replay.until("pagereel.time === pagereel.duration")


def test_requests_show_headers_bodies_and_a_command_to_repeat_them(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample)
    page = replay.page
    page.get_by_role("tab", name="Network").click()
    rows = page.locator(".network tbody tr")
    everything = rows.count()
    page.get_by_label("Only failed").check()
    assert 0 < rows.count() < everything
    page.locator(".network tbody button").first.click()
    panel = page.get_by_role("tabpanel")
    panel.get_by_text("Request headers").wait_for()
    assert "authorization: Bearer" in panel.inner_text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as cURL").click()
    page.get_by_text("Copied as cURL").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("curl 'http") and "-X POST" in copied and "authorization" in copied
    page.get_by_label("Only failed").uncheck()
    page.get_by_role("searchbox", name="Filter requests").fill("nothing like it")
    assert rows.count() == 0


def test_an_element_is_picked_on_the_page_and_the_steps_that_touched_it_are_named(
    sample: Path, open_replay: Open
) -> None:
    replay = open_replay(sample, "#t=957")
    page = replay.page
    page.keyboard.press("i")
    place = replay.page.evaluate(
        """() => { const b = [...pagereel.frame.contentDocument.querySelectorAll('button')]
          .find((b) => b.getBoundingClientRect().width); const r = b.getBoundingClientRect();
          const f = pagereel.frame.getBoundingClientRect(); const s = f.width / pagereel.frame.clientWidth;
          return { x: f.x + (r.x + r.width / 2) * s, y: f.y + (r.y + r.height / 2) * s }; }"""
    )
    page.mouse.click(**place)
    panel = page.get_by_role("tabpanel")
    panel.get_by_text("Computed").wait_for()
    assert "<button" in panel.locator("[aria-current]").inner_text()
    assert "display:" in panel.inner_text()
    assert replay.problems == [] and replay.requests == []


def test_before_and_after_lie_over_each_other_and_a_loop_goes_round(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample, "#step=5")
    page = replay.page
    page.keyboard.press("n")
    replay.until("pagereel.time === 1310")
    page.keyboard.press("b")
    replay.until("pagereel.time === 920")
    page.keyboard.press("v")
    slider = page.get_by_role("slider", name="How much shows as it was before")
    slider.wait_for()
    assert page.locator(".before iframe").count() == 1
    slider.focus()
    before = slider.input_value()
    page.keyboard.press("ArrowRight")
    assert slider.input_value() != before
    page.keyboard.press("Escape")
    assert slider.count() == 0
    page.evaluate("pagereel.seek(100)")
    page.keyboard.press("[")
    page.evaluate("pagereel.seek(180)")
    page.keyboard.press("]")
    page.evaluate(
        "() => { window.times = []; setInterval(() => window.times.push(pagereel.time), 5); pagereel.play(); }"
    )
    replay.until("window.times.some((t, i) => i && t < window.times[i - 1])")
    page.evaluate("pagereel.pause()")
    assert max(page.evaluate("window.times")) <= 181
    page.keyboard.press("\\")
    assert page.get_by_text("loop").count() == 0


def test_the_moment_is_taken_along_as_markdown(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample)
    page = replay.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("m")
    page.get_by_text("Markdown copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert "Pay" in text and "The card was declined" in text and "#t=2050" in text


def test_the_report_for_the_printer_has_every_step_with_its_page(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample)
    page = replay.page
    page.evaluate("window.print = () => { window.printed = true }")
    page.keyboard.press("Control+p")
    replay.until("window.printed === true")
    page.emulate_media(media="print")
    assert page.locator(".report section").count() == len(page.evaluate("pagereel.steps"))
    assert page.locator(".report iframe").count() == len(page.evaluate("pagereel.steps"))
    assert "The card was declined" in page.locator(".report").inner_text()
    assert not page.locator(".app").is_visible()
    assert replay.requests == []


def test_the_timeline_zooms_and_shows_the_page_under_the_pointer(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample, "#t=0")
    page = replay.page
    track = page.locator(".track")
    box = track.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10)
    page.locator(".peek iframe").wait_for(state="attached")
    page.mouse.wheel(0, -800)
    page.mouse.move(box["x"] + 2, box["y"] + 10)
    page.mouse.down()
    page.mouse.up()
    replay.until("pagereel.time > 0.2 * pagereel.duration")  # What is at the left is no longer the beginning.


def test_pictures_of_the_whole_run_stand_over_their_moments(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample, "#t=0")
    page = replay.page
    page.get_by_role("button", name="Pictures", exact=True).click()
    pictures = page.get_by_role("group", name="Pictures of the run").get_by_role("button")
    pictures.last.locator("iframe").wait_for(state="attached")
    assert 3 <= pictures.count() <= 12
    pictures.last.click()
    replay.until("pagereel.time > 0.8 * pagereel.duration")
    assert replay.requests == []


def test_time_in_which_nothing_happens_takes_little_room_on_the_timeline(hand: Hand, open_replay: Open) -> None:
    hand.start(["p", {}, "x"])
    hand.script.run("note", 1_000, id=1, text="begin")
    hand.script.run("note", 3_600_000, id=2, text="an hour later")
    hand.script.run("note", 3_602_000, id=3, text="end")
    page = open_replay(hand.close(), "#t=0").page
    box = page.locator(".track").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.97, box["y"] + 30)
    assert page.evaluate("pagereel.time") > 3_601_000
    page.mouse.click(box["x"] + box["width"] * 0.1, box["y"] + 30)
    assert page.evaluate("pagereel.time") < 3_000


def test_a_request_takes_one_line_at_1280(sample: Path, open_replay: Open) -> None:
    page = open_replay(sample).page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("tab", name="Network").click()
    rows = page.locator(".network tbody tr")
    assert {round(row.bounding_box()["height"]) // 40 for row in rows.all()} == {0}  # type: ignore[index]


def test_a_recording_without_a_page_says_so(hand: Hand, open_replay: Open) -> None:
    hand.script.run("console", 20, page=1, level="log", text="x")
    replay = open_replay(hand.close())
    said = "getComputedStyle(document.querySelector('.pages'), '::after').content"
    assert replay.page.evaluate(said) == '"No page was recorded"'
    assert replay.page.get_by_role("tab", name="Info").bounding_box()["x"] < 1250  # All tabs are in view.  # type: ignore[index]


def test_what_a_note_says_besides_its_text_can_be_opened(hand: Hand, open_replay: Open) -> None:
    """The local variables of a failing test, at whose failure the replay opens though its tear-down went well; the accessibility tree that a model was given."""
    hand.start(["p", {}, "x"])
    hand.script.run("step", 10, id=1, parent=None, title="test_total", attributes={})
    hand.script.run(
        "note", 20, id=2, step=1, text="Test failed", attributes={"outcome": "failed", "locals": {"total": "54.00"}}
    )
    hand.script.run("step_end", 20, id=1, success=False, error="No")
    hand.script.run("step", 30, id=3, parent=None, title="Tear-down", attributes={})
    hand.script.run("step_end", 40, id=3, success=True)
    replay = open_replay(hand.close())
    page = replay.page
    assert page.evaluate("pagereel.time") == 20
    page.get_by_role("tab", name="Story").click()
    page.locator("summary", has_text="locals").click()
    page.get_by_text("54.00").wait_for()


def test_a_masked_field_is_hatched_where_it_is_seen_and_while_it_holds_something(hand: Hand, open_replay: Open) -> None:
    style: Json = [
        "style",
        {},
        "body { margin: 0 } input { position: absolute; left: 20px; top: 20px; width: 160px; height: 24px; box-sizing: border-box }"
        " div { position: absolute; left: 100px; top: 32px; width: 200px; height: 100px; background: gold }",
    ]
    hand.start(["input", {"type": "password"}], ["div", {}, "a menu"], head=[style])
    hand.script.page("mutation", 20, 1, ops=[["masked", 8, "password"]])
    hand.script.page("mutation", 50, 1, ops=[["value", 8, "\u2022\u2022\u2022\u2022\u2022"]])
    hand.script.page("mutation", 80, 1, ops=[["attr", 9, {"style": "display: none"}]])
    hand.script.page("mutation", 120, 1, ops=[["attr", 1, {}]])
    replay = open_replay(hand.close())
    boxes = """[...document.querySelectorAll('.overlay .masked')].map(({ x, y, width, height }) =>
      [x, y, width, height].map((length) => length.baseVal.value))"""
    for t, hatched in ((30, []), (60, None), (100, [[20, 20, 160, 24]]), (30, [])):
        replay.seek(t)
        replay.page.wait_for_timeout(200)
        seen = replay.page.evaluate(boxes)
        if hatched is not None:
            assert seen == hatched, t
            continue
        assert seen and not any(x + w > 101 and y + h > 33 for x, y, w, h in seen), "not over the menu"
        assert sum(w * h for _, _, w, h in seen) == pytest.approx(160 * 24 - 80 * 12, abs=500)
