"""Whether a masked replay looks like the raw one is found out in a browser, by everything but its texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pagereel import build, record
from pagereel.browser import launch_options
from pagereel.redaction import Policy, PolicyRule
from pagereel.reel import open_reel
from tests.checks import in_one_browser

PAGE = """<!doctype html><title>form</title><style>
[tone=loud]{color:red}[wide]{width:300px}p::before{content:"-"}[mute]::before{content:none}</style>
<p tone=loud>Zuberina Ostenvik-Marlowitz, zuberina.ostenvik@shop.example</p><div wide>Total</div><p mute>Plain</p>
<label>Name <input value="Zuberina Ostenvik"></label><select><option>Zuberina Ostenvik<option>Anna</select>"""


@pytest.fixture(scope="module", autouse=True)
def checks() -> Iterator[None]:
    with in_one_browser():
        yield


@pytest.fixture
def recorded(browser: Browser, tmp_path: Path) -> Path:
    context = browser.new_context()
    with record(context, tmp_path / "run.reel") as session:
        context.new_page().set_content(PAGE)
        session.mark("there")
    context.close()
    return tmp_path / "run.reel"


def test_texts_of_other_lengths_are_no_difference(recorded: Path, tmp_path: Path) -> None:
    report = build(recorded, tmp_path / "run.html", check=True, launch=launch_options())
    assert report.redaction is not None
    assert report.redaction.total
    assert report.same_page is not None
    assert report.same_page.differences == []
    assert report.same_page.equal == report.same_page.of >= 2


LOST = {
    "tone": ("p[0]", "color: rgb(255, 0, 0) is rgb(0, 0, 0)"),
    "wide": ("div[1]", "300 × "),
    "mute": ("p[2]", "::before is there"),
}


def test_form_that_masking_lost_is_named(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context()
    with record(context, tmp_path / "run.reel") as session:
        page = context.new_page()
        for name in LOST:
            page.set_content(re.sub(rf"(<\w+) (?!{name})(tone=loud|wide|mute)>", r"\1>", PAGE))
            session.mark(name)
    context.close()
    policy = Policy("lossy", rules=tuple(PolicyRule("attribute", name, "drop") for name in LOST))
    report = build(tmp_path / "run.reel", tmp_path / "run.html", policy, check=True, launch=launch_options())
    assert report.same_page is not None
    assert not report.same_page.all_equal
    with open_reel(tmp_path / "run.reel") as reel:
        marks = {event["t"]: event["name"] for event in reel.events() if event["k"] == "mark"}
    found = {marks[each.t]: each for each in report.same_page.differences if each.t in marks}
    for name, (element, what) in LOST.items():
        assert found[name].element.endswith(element), name
        assert what in found[name].what, name


def test_a_raw_build_is_compared_with_nothing(recorded: Path, tmp_path: Path) -> None:
    assert build(recorded, tmp_path / "run.html", None, check=True, launch=launch_options()).same_page is None
