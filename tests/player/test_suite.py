"""A whole suite in one file: its list, a test that is opened from it, the links to it, and the search over all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pagereel.integrations import bundle_suite
from tests.comparison.runs import Made, purchase

from .engines import Engine, opened

AXE = Path(__file__).resolve().parents[2] / "node_modules/axe-core/axe.min.js"
INK = """(() => {
  const picture = document.querySelector(".moment.drawn img");
  const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  const { data } = canvas.getImageData(0, 0, picture.naturalWidth, picture.naturalHeight);
  return data.filter((value, place) => place % 4 === 0 && value < 230).length;
})()"""
"""How many pixels of the picture are not of its ground."""
SHOWN = "pagereel.frame.contentDocument.body.innerText"


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite")
    purchase(folder / "good.reel")
    purchase(folder / "poor.reel", status=409, total="0", button=False)
    return bundle_suite([folder / "*.reel"], folder / "suite.html", None).destination


@pytest.fixture
def page(browser: Browser, suite: Path) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(suite.as_uri())
    page.evaluate("pagereel.ready")
    yield page
    page.close()


def test_a_suite_opens_as_a_list_and_a_test_in_it_plays_and_goes_back(page: Page, suite: Path) -> None:
    rows = page.locator(".tests > li")
    assert rows.count() == 2 and "POST /cart answered 409" in rows.first.inner_text()
    assert page.evaluate("[pagereel.duration, pagereel.frame, pagereel.steps.length]") == [0, None, 0]
    failed, passed = page.evaluate("pagereel.suite.tests.map((test) => test.id)")
    page.evaluate("(id) => pagereel.suite.open(id)", failed)
    assert "Total 0" in page.evaluate(SHOWN)
    caption = page.locator(".captions code")
    assert caption.inner_text() == "Click Pay"
    page.evaluate("pagereel.seek(50)")
    expect(caption).not_to_have_text("Click Pay")  # what was done then
    page.evaluate("pagereel.seek(pagereel.duration)")
    assert page.evaluate("pagereel.time") == page.evaluate("pagereel.duration")  # where it failed
    page.evaluate("pagereel.seek({ step: pagereel.steps[0].id })")
    page.evaluate("pagereel.play()")
    page.evaluate("new Promise((done) => setInterval(() => pagereel.time > 300 && done(), 20))")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("pagereel.pause(); pagereel.seek(300)")
    page.locator("button[title*='ink to this']").first.click()
    page.evaluate("new Promise((done) => setTimeout(done))")
    assert page.evaluate("navigator.clipboard.readText()") == f"suite.html#test={failed}&t=300 (at 0:00.3)"
    page.keyboard.press("Escape")
    page.locator(".tests").wait_for()
    assert page.evaluate("[pagereel.frame, pagereel.playing]") == [None, False]
    page.goto("about:blank")
    page.goto(f"{suite.as_uri()}#test={passed}&t=1500")
    page.evaluate("pagereel.ready")
    assert page.evaluate("pagereel.time") == 1500 and "Total 48" in page.evaluate(SHOWN)
    page.evaluate(f"location.hash = '#test={failed}&t=1500'")
    page.evaluate(f"new Promise((done) => setInterval(() => {SHOWN}.includes('Total 0') && done(), 20))")
    page.go_back()
    page.evaluate(f"new Promise((done) => setInterval(() => {SHOWN}.includes('Total 48') && done(), 20))")
    page.get_by_role("button", name="All tests").click()
    page.locator(".tests").wait_for()
    found = page.evaluate("pagereel.suite.search('total 48')")
    assert [(line["test"], line["kind"], line["text"]) for line in found] == [(passed, "page", "Total 48")]


def test_a_link_to_a_test_that_is_not_there_shows_the_list_and_says_so(page: Page, suite: Path) -> None:
    page.goto("about:blank")
    page.goto(f"{suite.as_uri()}#test=nobody")
    page.evaluate("pagereel.ready")
    assert "There is no test nobody" in page.get_by_role("alert").inner_text()
    assert page.locator(".tests > li").count() == 2


def test_the_list_is_searched_filtered_and_walked_by_keys_and_shows_the_moment_of_a_failure(page: Page) -> None:
    page.locator(".moment.drawn").wait_for()
    assert page.locator(".moment iframe").count() == 0 and page.evaluate(INK) > 5, "a picture, and no page any more"
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent") == "poor"
    page.keyboard.press("/")
    page.keyboard.type("total 48")
    page.locator(".tests .lines").wait_for()
    assert page.locator(".tests > li").count() == 1
    page.locator(".lines a").first.click()
    page.locator(".test-open").wait_for()
    page.evaluate(f"new Promise((done) => setInterval(() => {SHOWN}?.includes('Total 48') && done(), 20))")
    page.keyboard.press("Escape")
    page.locator(".tests").wait_for()
    assert page.get_by_role("searchbox").input_value() == "total 48"
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="failed 1").click()
    assert page.locator(".tests .name").all_inner_texts() == ["poor"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_the_list_is_accessible_and_fits_a_telephone(browser: Browser, suite: Path, scheme: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)  # type: ignore[arg-type]
    page.goto(suite.as_uri())
    page.evaluate("pagereel.ready")
    page.locator(".moment.drawn").wait_for()
    assert page.get_by_role("searchbox").bounding_box()["width"] > 200  # type: ignore[index]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for _ in ("list", "test"):
        page.add_script_tag(path=str(AXE))
        found = page.evaluate(
            "axe.run({ iframes: false }).then(({ violations }) => violations.map((each) => [each.id, each.nodes[0].html]))"
        )
        assert found == []
        page.evaluate("pagereel.suite.open(pagereel.suite.tests[0].id)")
    page.close()


def test_a_suite_is_listed_opened_and_searched_in_three_engines(engine: Engine, suite: Path) -> None:
    opened(engine, suite.as_uri())
    names = "return [...document.querySelectorAll('.tests .name')].map((name) => name.textContent)"
    assert engine.run(names) == ["poor", "good"]
    engine.run("await pagereel.suite.open(pagereel.suite.tests[0].id)")
    assert "Total 0" in engine.run(f"return {SHOWN}")
    assert engine.run("return (await pagereel.suite.search('total 48')).map((line) => line.text)") == ["Total 48"]


def test_the_picture_of_a_failure_is_as_wide_as_its_page_was_in_three_engines(engine: Engine, tmp_path: Path) -> None:
    made = Made(tmp_path / "wide.reel")
    made.step("Pay")
    made.open("/", ["style", {}, "@media (max-width: 600px) { html { background: #000 } }"], "Orders")
    made.call("click", 'get_by_role("button", name="Pay")', error="Timeout 3000ms exceeded")
    made.end_step(False, "Timeout 3000ms exceeded")
    made.end()
    opened(engine, bundle_suite([made.path], tmp_path / "suite.html", None).destination.as_uri())
    ground = engine.run("""
      let picture;
      for (let round = 0; round < 600 && !picture; round++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        picture = document.querySelector(".moment.drawn img");
      }
      const canvas = document.createElement("canvas").getContext("2d");
      canvas.drawImage(picture, 0, 0);
      return [...canvas.getImageData(100, 100, 1, 1).data];""")
    assert min(ground) >= 250, ground  # Scaling may round.
