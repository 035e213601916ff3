"""Why a run failed stands on top of its story and in the file's first screen, each sentence a way to its moment and to what it is about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pagereel.player_build import build
from pagereel.reel import Json
from tests.comparison.runs import Made

from ..player_build.test_build import unpack_replay
from .test_engines import AXE

GAVE_UP = "TimeoutError: Locator.click: Timeout 3000ms exceeded."
BUTTON: Json = ["button", {"id": "pay"}, "Place order"]


def declined(path: Path) -> Path:
    """A run in which a payment is declined, the console says so, and what should come then does not."""
    run = Made(path)
    run.step("Look")
    run.open("/", "Shop", BUTTON)
    run.end_step(True)
    run.step("Pay")
    run.call("click", 'get_by_role("button", name="Place order")')
    run.fetch("POST", "/api/pay", 402)
    run.script.run("console", run.t, d=1, page=1, level="error", text="payment failed", source="console-api")
    error = f"{GAVE_UP}\nCall log:\n  - waiting for x"
    run.call("click", 'get_by_role("button", name="Place all orders")', error=error, took=900)
    run.end_step(False, error)
    return run.end()


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("why")
    html = folder / "run.html"
    build(declined(folder / "run.reel"), html, redaction=None)
    return html


@pytest.fixture(params=[(1440, 900, "light"), (390, 844, "dark")], ids=["desk", "phone"])
def page(browser: Browser, request: pytest.FixtureRequest, replay: Path) -> Iterator[Page]:
    width, height, scheme = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.goto(replay.as_uri())
    page.wait_for_function("window.pagereel && window.pagereel.ready.then(() => true)")
    yield page
    context.close()


def test_the_chain_is_in_the_first_screen_and_the_replay_opens_where_it_ends(page: Page) -> None:
    why = page.get_by_role("region", name="Why it failed")
    expect(why.get_by_role("listitem")).to_have_text([
        "POST /api/pay answered 402.",
        "At once the console says “payment failed”.",
        "900 ms later the call “Click Place all orders” in “Pay” fails: nothing on the page fits; the nearest is the button “Place order”.",
    ])  # fmt: skip
    expect(why.locator("code")).to_have_text(['get_by_role("button", name="Place all orders")'])
    for each in why.get_by_role("button").all():
        expect(each).to_be_in_viewport(ratio=0.9)
    fold = why.get_by_role("button", name="Why it failed")
    phone = (page.viewport_size or {})["width"] == 390
    expect(fold).to_have_attribute("aria-expanded", "false" if phone else "true")
    small = why.evaluate("(e) => e.offsetHeight")
    fold.press("Enter")
    assert (why.evaluate("(e) => e.offsetHeight") > small) == phone
    fold.press("Enter")
    ended = float(page.evaluate("pagereel.steps[1].time + pagereel.steps[1].duration"))
    assert page.evaluate("pagereel.time") == pytest.approx(ended, abs=1)
    expect(why.locator("b")).to_have_text("POST /api/pay answered 402.")  # What came of it is not bold.
    row = page.locator(".item.failed")
    expect(row).to_be_in_viewport(ratio=1)
    expect(row).to_contain_text("failed after 900 ms")
    expect(page.get_by_text(GAVE_UP)).to_have_count(0)  # It explains nothing; Actions has it.


def test_on_a_phone_the_cause_is_what_is_read_first(browser: Browser, tmp_path: Path) -> None:
    """The rest of its sentence may be cut off. A row that is no taller than the story's room shows as a whole."""
    run = Made(tmp_path / "run.reel")
    run.step("Look")
    run.open("/", "Shop", BUTTON)
    run.end_step(True)
    run.step("Pay: it fails: all")
    run.call(
        "click",
        'get_by_role("button", name="Place all orders")',
        error=f"{GAVE_UP}\nCall log:\n  - waiting for x",
        took=900,
    )
    run.end_step(False, GAVE_UP)
    run.end()
    html = tmp_path / "run.html"
    build(run.path, html, redaction=None)
    with browser.new_context(viewport={"width": 390, "height": 667}) as context:
        page = context.new_page()
        page.goto(html.as_uri())
        why = page.get_by_role("region", name="Why it failed")
        cause = "othing on the page fits; the nearest is the button “Place order”."
        fails = "he call “Click Place all orders” in “Pay: it fails: all” fails"
        expect(why.get_by_role("listitem")).to_have_text([f"N{cause} T{fails}."])
        expect(why.locator("b")).to_have_text(f"N{cause}")
        whole = "(b) => b.getBoundingClientRect().bottom <= b.closest('button').getBoundingClientRect().bottom"
        assert why.locator("b").evaluate(whole)
        expect(page.locator(".item.failed")).to_be_in_viewport(ratio=1)
        why.get_by_role("button", name="Why it failed").click()
        expect(why.get_by_role("listitem")).to_have_text([f"T{fails}: n{cause}"])
        expect(why.locator("b")).to_have_text(f"n{cause}")


def test_what_the_failure_is_about_is_shown_on_the_page_at_its_moment_and_at_no_other(page: Page) -> None:
    outlined = page.locator(".overlay .outlines > div")
    expect(outlined).to_have_text(["nearest"])
    page.evaluate("pagereel.seek(0)")
    expect(outlined).to_have_count(0)
    page.get_by_role("button", name="First failure").click()
    expect(outlined).to_have_text(["nearest"])


OUTLINED = """() => [...document.querySelectorAll(".overlay .outlines > div, .overlay .outlines b")].map((each) => {
  const { x, y, right, bottom } = each.getBoundingClientRect(), area = document.querySelector(".fit").getBoundingClientRect();
  return [each.textContent, x >= area.x - 2 && y >= area.y - 2 && right <= area.right + 2 && bottom <= area.bottom + 2];
})"""


def test_what_was_wanted_and_what_lies_over_it_are_told_apart_and_neither_is_tinted(
    browser: Browser, tmp_path: Path
) -> None:
    run = Made(tmp_path / "run.reel")
    run.step("Pay")
    run.open("/", "Shop", BUTTON)
    body = next(node for node in run.script.model.documents[run.d].walk() if node.name == "body")
    veil: Json = ["div", {"id": "news", "style": "position: fixed; inset: -10px; background: #dcd"}, "News"]
    run.script.ops(run.t, run.d, ["add", body.id, run.script.model.documents[run.d].last_id + 1, veil])
    error = f'{GAVE_UP}\nCall log:\n  - <div id="news">…</div> intercepts pointer events'
    run.call("click", 'get_by_role("button", name="Place order")', error=error, took=900)
    run.end_step(False, error)
    html = tmp_path / "run.html"
    build(run.end(), html, redaction=None)
    for width, scheme in ((1280, "light"), (390, "dark")):
        with browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme) as context:  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(html.as_uri())
            expect(page.locator(".overlay .outlines > div")).to_have_text(["covers it", "wanted"])
            assert page.evaluate(OUTLINED) == [[each, True] for each in ("covers it", "covers it", "wanted", "wanted")]
            expect(page.locator(".overlay .picked")).to_have_count(0)


def test_each_sentence_leads_to_what_it_is_about_with_the_keyboard_alone(page: Page) -> None:
    why = page.get_by_role("region", name="Why it failed")
    request, console, call = why.get_by_role("listitem").get_by_role("button").all()
    call.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".overlay .outlines")).to_have_text("nearest")
    request.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Network")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".network tr.open")).to_contain_text("/api/pay")
    page.get_by_role("tab", name="Story").click()
    console.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Console")).to_have_attribute("aria-selected", "true")


ROOM = """() => {
  const box = (css) => document.querySelector(css).getBoundingClientRect();
  const { x, y, width, height } = box(".fit");
  return { story: box(".panel").height, controls: box(".buttons").height, fit: [x, y, width, height], tall: innerHeight }
}"""


def test_the_outcome_comes_first_and_a_phone_has_room_for_the_story(page: Page) -> None:
    """How the run ended is said before anything about the recording, which looks like no success of the run."""
    badges = page.locator(".badges li")
    expect(badges.first).to_have_text("failed")
    assert "good" not in str(badges.filter(has_text="complete recording").get_attribute("class"))
    for tall, least in ((844, 0.3), (667, 0.2)):
        page.set_viewport_size({"width": (page.viewport_size or {})["width"], "height": tall})
        page.wait_for_function("window.innerHeight === " + str(tall))
        page.wait_for_function(f"({ROOM})().fit.every((px) => px === Math.round(px))")  # no line at an edge is cut
        room = page.evaluate(ROOM)
        assert room["story"] > least * room["tall"] and room["controls"] < 50, room


def test_the_strip_has_pictures_also_of_what_came_after_the_page_last_changed(page: Page) -> None:
    page.get_by_role("button", name="Pictures").click()
    expect(page.locator(".strip .pages:empty")).to_have_count(0)


def test_axe_finds_nothing(page: Page) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed (npm ci)")
    page.evaluate(AXE.read_text("utf-8") + ";window.axe = axe")
    found = page.evaluate("axe.run(document, {iframes: false}).then((r) => r.violations.map((v) => [v.id, v.nodes.map((n) => n.html)]))")  # fmt: skip
    assert found == []


def test_it_is_printed_on_top_of_the_report(page: Page) -> None:
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    drawn = "(e) => getComputedStyle(e.tagName === 'IFRAME' ? e.contentDocument.documentElement : e).printColorAdjust"
    page.emulate_media(media="print")
    for part in (".report .picture", ".report .picture iframe"):
        assert page.locator(part).first.evaluate(drawn) == "exact", "backgrounds are printed"
    expect(page.locator(".report .outlines")).to_have_text("nearest")
    said = page.locator(".report").inner_text()
    assert said.index("Why it failed") < said.index("POST /api/pay answered 402.") < said.index("1. Look")


def test_a_run_that_went_well_has_nothing_of_it(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.step("Look")
    run.open("/", "Shop")
    run.end_step(True)
    run.end()
    html = tmp_path / "run.html"
    build(run.path, html, redaction=None)
    assert "why" not in unpack_replay(html.read_bytes()).index


def test_a_part_tells_why_it_failed_where_it_holds_the_failure(replay: Path, tmp_path: Path) -> None:
    reel, html = replay.with_suffix(".reel"), tmp_path / "part.html"
    build(reel, html, redaction=None, end=300)
    assert "why" not in unpack_replay(html.read_bytes()).index
    build(reel, html, redaction=None, start=600)
    why = unpack_replay(html.read_bytes()).index["why"]
    assert [said.split()[-1] for said, _, _ in why["chain"]] == ["order”."]
    assert all(0 <= t <= unpack_replay(html.read_bytes()).index["duration"] for _, t, _ in why["chain"])
