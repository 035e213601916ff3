"""Recordings as Playwright tests: of the demo's agent, and of a person; they run, green, against the same sites."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from pagereel.browser import launch_options
from pagereel.cli import main
from pagereel.cli.demo import record_demo_run
from pagereel.fixtures.agent import CARD
from pagereel.fixtures.shop import Shop
from pagereel.integrations import export
from pagereel.integrations.as_test.literals import find_by_locator, to_literal, to_safe_locator
from pagereel.integrations.as_test.source import TestSource
from pagereel.reel import ReelWriter, open_reel, to_python_locator

CONFTEST = """
import pytest
from pagereel.browser import launch_options

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, **launch_options()}
"""


OTHERS = tuple(f"-pno:{name}" for name in ("cacheprovider", "langsmith_plugin", "hypothesispytest", "anyio"))
"""Plugins of the development set that have no part in these tests: two of them import for seconds each time."""


def run(folder: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run an exported test in a folder of its own."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_exported.py").write_text(code)
    given = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")} | environment
    return subprocess.run(
        [sys.executable, "-P", "-m", "pytest", "-q", *OTHERS, "test_exported.py"],
        cwd=folder, env=given, capture_output=True, text=True, timeout=300,
    )  # fmt: skip


@pytest.fixture(scope="module")
def errand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("as-test") / "errand.reel"
    record_demo_run(path, headed=False, fast=True)
    return path


@pytest.fixture(scope="module")
def exported(errand: Path) -> str:
    code = export(errand, "pytest")
    assert isinstance(code, str)
    return code


@pytest.mark.slow
def test_the_exported_test_of_an_agents_run_is_green(exported: str, tmp_path: Path) -> None:
    assert "(card_number)" in exported
    assert "to_match_aria_snapshot" in exported
    assert CARD["Card number"] not in exported
    with Shop(pace=0.1) as shop:
        site = shop.url.rstrip("/")
        desk = f"http://{urlsplit(shop.desk_url).netloc}"
        card = {name.upper().replace(" ", "_"): value for name, value in CARD.items()}
        done = run(tmp_path, exported, SITE=desk, SITE_2=site, ONE_TIME_CODE="482913", **card)
        assert done.returncode == 0, done.stdout[-3000:]
        assert len(shop.orders) == 1


@pytest.mark.slow
def test_the_masked_test_of_an_agents_run_is_green_with_what_it_asks_for(errand: Path, tmp_path: Path) -> None:
    masked = tmp_path / "code.py"
    assert main(["export", "pytest", str(errand), str(masked)]) == 0
    code = masked.read_text("utf-8")
    head = code.split('"""')[1]
    assert (
        "asked of the environment (the test is skipped without): " in head
        and "WORDS, " in head
        and "CARD_NUMBER" in head
    )
    assert "- Wait for function" in head and "Elena" not in code
    asked = re.findall(r'_given\("(WORDS\w*)", "where this has (.*?)"\)', code)
    said = {"Ask ": "Ask Wren", "Message to ": "Message to Wren", ".chat-log": ".chat-log .wren"}
    words = {name: next(real for begin, real in said.items() if begin in masked) for name, masked in asked}
    with Shop(pace=0.1) as shop:
        card = {name.upper().replace(" ", "_"): value for name, value in CARD.items()}
        typed = {
            "SEARCH_THE_SHOP": "vase",
            "PRICE_UP_TO": "6000",
            "VALUE": "Will it arrive by Friday?",
            "FULL_NAME": "Elena Marchetti",
            "E_MAIL": "elena@example.com",
            "PHONE": "+44 1632 960417",
            "STREET_AND_NUMBER": "14 Kestrel Lane",
            "POSTCODE": "YO22 4DE",
        }
        done = run(
            tmp_path, code, SITE=f"http://{urlsplit(shop.desk_url).netloc}", SITE_2=shop.url.rstrip("/"), ADDRESS="/tickets/T-1042",
            ONE_TIME_CODE="482913", **card, **typed, **words,
        )  # fmt: skip
        assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout[-3000:]
        assert len(shop.orders) == 1


def test_what_is_masked_and_not_given_skips_the_test(exported: str, tmp_path: Path) -> None:
    done = run(tmp_path, exported)
    assert "1 skipped" in done.stdout, done.stdout[-2000:]


def test_a_masked_recording_gives_its_stand_ins_as_fixtures(errand: Path, tmp_path: Path) -> None:
    source = TestSource("x", masked=True)
    assert source.typed_value_to_code("Zorvik Halden", "the name", ["Full name"]) == "full_name"
    assert source.fixtures == {"full_name": ("Zorvik Halden", "typed into the name")}
    assert source.typed_value_to_code("•••••", "the name", ["Full name"]) == "full_name_2"


PERSON_PAGE = """<!doctype html><title>Sign up</title><h1>Sign up</h1>
<form onsubmit="event.preventDefault(); document.querySelector('h1').textContent = 'Welcome'; out.textContent = name_.value + ' ' + size.value + ' ' + terms.checked">
<label>Your name <input id=name_></label><label>Password <input id=secret type=password></label>
<label for=size>Size</label><select id=size><option value=s>Small</option><option value=l>Large</option></select>
<label><input type=checkbox id=terms> I agree</label><button>Send</button></form>
<p role=status id=out></p><iframe title="Inner" srcdoc="<button onclick='this.textContent=`Pressed`'>Press</button>"></iframe>"""


def act(page: Page) -> None:
    """What a person does, with mouse and keyboard alone."""

    def click(x: str) -> None:
        box = page.locator(x).bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    click("#name_")
    page.keyboard.type("Ada Bell")
    click("#secret")
    page.keyboard.type("hunter2")
    page.keyboard.press("Tab")
    page.keyboard.type("L")
    click("#terms")
    frame = page.frame_locator("iframe")
    box = frame.locator("button").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    click("form > button")
    page.wait_for_timeout(300)


@pytest.fixture(scope="module")
def persons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    from playwright.sync_api import sync_playwright

    from pagereel.recorder import record

    folder = tmp_path_factory.mktemp("person")
    recorded, path = folder / "script.reel", folder / "person.reel"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        context = browser.new_context()
        context.route("http://site.test/**", lambda route: route.fulfill(body=PERSON_PAGE, content_type="text/html"))
        with record(context, recorded):
            page = context.new_page()
            page.goto("http://site.test/")
            act(page)
        browser.close()
    with open_reel(recorded) as reel, ReelWriter(path, reel.header) as writer:
        for event in list(reel.events())[1:]:
            if event["k"] not in ("call", "end"):
                writer.write(event)
    yield path


@pytest.mark.slow
def test_the_exported_test_of_a_persons_clicks_and_typing_is_green(persons: Path, tmp_path: Path) -> None:
    code = export(persons, "pytest")
    assert isinstance(code, str)
    lines = [line.strip() for line in code.partition("\ndef test_")[2].splitlines()[1:]]
    assert lines == [
        'page.goto(SITE + "/")',
        'page.get_by_role("textbox", name="Your name").fill("Ada Bell")',
        'page.get_by_role("textbox", name="Password").fill(password)',
        'page.get_by_label("Size").select_option("Large")',
        'page.get_by_role("checkbox", name="I agree").check()',
        'page.locator(\'iframe[title="Inner"]\').content_frame.get_by_role("button", name="Press").click()',
        'page.get_by_role("button", name="Send").click()',
    ]
    routed = code.replace(
        "    page.goto(",
        "    from site_page import PAGE\n    page.context.route('http://site.test/**', lambda route: route.fulfill(body=PAGE, content_type='text/html'))\n    page.goto(",
        1,
    )
    (tmp_path / "site_page.py").write_text(f"PAGE = {PERSON_PAGE!r}\n")
    routed += '    expect(page.get_by_role("status")).to_have_text("Ada Bell l true")\n    expect(page.locator("h1")).to_have_text("Welcome")\n'
    done = run(tmp_path, routed, PASSWORD="hunter2", PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize(
    "code",
    [
        '__import__("os").system("id")',
        'locator("a").evaluate("fetch(1)")',
        'locator("a", has=__import__("os"))',
        "get_by_role",
        'locator(f"{open(1)}")',
        'locator("a").__class__',
        'get_by_text("a")\nimport os',
        "(" * 5_000,
        'getattr(page, "evaluate")("1")',
        'locator("a")[open("/etc/passwd")]',
        'get_by_text(**{"text": print(1)})',
    ],
)
def test_a_locator_that_is_more_than_a_locator_is_not_written(code: str) -> None:
    assert to_safe_locator(code) is None


def test_what_a_locator_holds_of_other_locators_is_found_again() -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        page = playwright.chromium.launch(**launch_options()).new_page()
        cell, frame = page.get_by_role("cell", name='Ann "B"'), page.frame_locator("iframe")
        button = page.get_by_role("button", name=re.compile("a|b", re.IGNORECASE))
        for given in (
            page.get_by_role("row").filter(has=cell, has_not=page.locator("a >> b")).get_by_text("Pay").first,
            button.or_(cell.filter(has_text="x").or_(page.locator("#x"))).nth(-2),
            page.locator(".x").and_(button).locator(cell),
            frame.get_by_label("Card").or_(frame.get_by_text("Pay")),
        ):
            selector = given._impl_obj._selector
            code = to_safe_locator(to_python_locator(selector), root="tab")
            assert code and find_by_locator(page, code)._impl_obj._selector == selector


def test_locators_and_literals_are_written_as_people_do() -> None:
    for code in (
        'get_by_role("button", name="Pay").first',
        'locator("iframe.pay").content_frame.get_by_label("Card number", exact=True)',
        'get_by_text(re.compile("a|b", re.IGNORECASE)).filter(has_text="x").nth(-2)',
    ):
        assert to_safe_locator(code) == code
    assert (
        to_safe_locator('get_by_role("link", name=/all (\\d+)/i)')
        == 'get_by_role("link", name=re.compile("all (\\\\d+)", re.IGNORECASE))'
    )
    assert to_literal('say "hi"\u202e\n') == "'say \"hi\"\\u202e\\n'"
