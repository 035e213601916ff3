"""Whether a masked replay looks like the raw one is found out in a browser, by everything but its texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pagereel import build, record
from pagereel.browser import launch_options
from pagereel.redaction import Policy, PolicyRule

PAGE = """<!doctype html><title>form</title><style>
[tone=loud]{color:red}[wide]{width:300px}p::before{content:"-"}[mute]::before{content:none}</style>
<p tone=loud>Zuberina Ostenvik-Marlowitz, zuberina.ostenvik@shop.example</p><div wide>Total</div><p mute>Plain</p>
<label>Name <input value="Zuberina Ostenvik"></label><select><option>Zuberina Ostenvik<option>Anna</select>"""


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


@pytest.mark.parametrize(
    ("lost", "element", "what"),
    [
        ("tone", "p[0]", "color: rgb(255, 0, 0) is rgb(0, 0, 0)"),
        ("wide", "div[1]", "300 × "),
        ("mute", "p[2]", "::before is there"),
    ],
)
def test_form_that_masking_lost_is_named(recorded: Path, tmp_path: Path, lost: str, element: str, what: str) -> None:
    policy = Policy("lossy", rules=(PolicyRule("attribute", lost, "drop"),))
    report = build(recorded, tmp_path / "run.html", policy, check=True, launch=launch_options())
    assert report.same_page is not None
    assert not report.same_page.holds
    last = report.same_page.differences[-1]
    assert last.element.endswith(element)
    assert what in last.what


def test_a_raw_build_is_compared_with_nothing(recorded: Path, tmp_path: Path) -> None:
    assert build(recorded, tmp_path / "run.html", None, check=True, launch=launch_options()).same_page is None
