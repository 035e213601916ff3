"""The pages in a browser: a person enters, searches, watches and compares; nothing that a recording holds runs in them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

pytest.importorskip("starlette")

from pagereel.library.serving.templates import split_by_matches

from .server import HOSTILE, PATHS, Served


@pytest.fixture
def site(looked_at: Served) -> Served:
    return looked_at


@pytest.fixture
def page(site: Served, browser: Browser) -> Iterator[Page]:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(site.address)
        yield page


def visit(page: Page, address: str) -> None:
    """Opens a page, and waits for a run that must be masked first."""
    page.goto(address)
    page.get_by_role("heading", name="One moment").wait_for(state="detached")


def test_somebody_searches_watches_and_compares(site: Served, page: Page) -> None:
    page.get_by_label("Query").fill('outcome:failed seen:"card was declined"')
    page.get_by_role("button", name="Search").click()
    page.get_by_role("status").get_by_text("1 run fits the query").wait_for()
    page.get_by_role("link", name="Your card was declined").click()
    page.get_by_role("heading", name="checkout-bot").wait_for()
    replay = page.frame_locator('iframe[name="replay"]')
    replay.frame_locator("iframe").first.get_by_text("Your card was declined").wait_for()
    frame = page.frame("replay")
    assert frame is not None
    assert not frame.url.startswith(f"http://{site.pages}/")
    address = frame.url.split("#")[0]
    page.get_by_label("What happened").get_by_role("link", name="Buy a book").first.click()
    frame.wait_for_url(lambda url: url.startswith(f"{address}#t="))
    page.get_by_label("Compare with").select_option("run-0001")
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="Where they part").wait_for()
    both = page.frame_locator('iframe[name="replay"]')
    both.get_by_role("tab", name="Differences").or_(both.get_by_role("heading", name="Differences")).first.wait_for()
    assert site.log()[-1]["did"] in ("compare", "replay")


def test_a_replay_reaches_neither_the_pages_nor_the_api(site: Served, page: Page) -> None:
    page.goto(f"http://{site.pages}/runs/run-0000")
    page.frame_locator('iframe[name="replay"]').frame_locator("iframe").first.locator("p").wait_for()
    frame = page.frame("replay")
    assert frame is not None
    reach = "() => { try { return String(top.document.title) } catch (error) { return error.name } }"
    assert frame.evaluate(reach) == "SecurityError"
    assert frame.evaluate("() => document.cookie") == ""
    asked = "(at) => fetch(at, { credentials: 'include', mode: 'no-cors' }).then(() => 'came through', (error) => error.name)"
    before = len(site.log())
    assert frame.evaluate(asked, f"http://{site.pages}/api/v1/runs") == "TypeError"
    assert len(site.log()) == before


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_every_page_fits_and_runs_no_script(site: Served, browser: Browser, scheme: str, width: int) -> None:
    with browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800}) as context:  # type: ignore[arg-type]
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda line: problems.append(line.text) if "Content Security Policy" in line.text else None)
        page.goto(site.address)
        for path in PATHS:
            visit(page, f"http://{site.pages}{path}")
            assert "pagereel" in page.title(), path
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert page.evaluate("document.querySelectorAll('script, img, [onerror], [style]').length") == 0, path
            assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 24, 31)"), path  # fmt: skip
            assert problems == [], path


def test_a_hostile_title_is_text(site: Served, page: Page) -> None:
    visit(page, f"http://{site.pages}/runs/run-0002")
    assert page.get_by_role("heading", level=1).inner_text() == HOSTILE
    page.frame_locator('iframe[name="replay"]').frame_locator("iframe").first.locator("p").wait_for()
    assert page.title().startswith('">')


def test_a_link_from_another_site_opens_the_run_for_whom_is_signed_in(
    site: Served, page: Page, browser: Browser
) -> None:
    """The cookie is of this site alone, so that a browser leaves it out when a link in a chat is followed."""
    link = f'<a href="http://{site.pages}/runs/run-0000?t=520">a run</a>'
    page.route("https://chat.example/", lambda route: route.fulfill(body=link, content_type="text/html"))
    page.goto("https://chat.example/")
    page.get_by_role("link").click()
    page.get_by_role("heading", name="checkout-bot").wait_for()
    with browser.new_context() as stranger:
        page = stranger.new_page()
        page.route("https://chat.example/", lambda route: route.fulfill(body=link, content_type="text/html"))
        page.goto("https://chat.example/")
        page.get_by_role("link").click()
        page.locator("meta[http-equiv]").wait_for(state="detached")  # it has asked once more, and only once
        page.get_by_label("Token").fill(site.address.partition("token=")[2])
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("heading", name="checkout-bot").wait_for()
        assert page.url.endswith("/runs/run-0000?t=520")


def test_a_run_says_what_it_was_for_and_a_line_what_was_looked_for(site: Served, page: Page) -> None:
    page.goto(f'http://{site.pages}/?q=seen:"card WAS declined"')
    row = page.get_by_role("listitem").filter(has=page.get_by_text("checkout-bot")).first
    assert row.get_by_text("Buy a book").is_visible()
    assert row.locator("mark").all_inner_texts() == ["card was declined"]


@pytest.mark.parametrize(
    ("text", "phrases", "pieces"),
    [
        ("Your card was declined", ["CARD was"], [(False, "Your "), (True, "card was"), (False, " declined")]),
        ("a.b <b>", ["b"], [(False, "a."), (True, "b"), (False, " <"), (True, "b"), (False, ">")]),
        ("order_set-price: 5", ["set price"], [(False, "order_"), (True, "set-price"), (False, ": 5")]),
        ("x(y", ["(", ""], [(False, "x(y")]),
        ("東京都の天気", ["天気"], [(False, "東京都の"), (True, "天気")]),
    ],
)
def test_what_was_looked_for_is_marked(text: str, phrases: list[str], pieces: list[tuple[bool, str]]) -> None:
    assert split_by_matches(text, phrases) == pieces


def test_of_a_long_line_the_part_is_told_in_which_it_stands() -> None:
    told = split_by_matches(f"{'before ' * 100}declined{' after' * 100}", ["declined"])
    assert (True, "declined") in told
    assert len("".join(piece for _, piece in told)) == 200
