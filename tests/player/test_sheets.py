"""Style sheets from a recorded page to its replay, opened by a link: what a browser shows counts, not what stands in the tree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pagereel.recorder import record
from tests.player_build.test_texts import ICON, WORDS, two_loads
from tests.recorder.support import Recorded, Site

from .conftest import Replay

LOOKS = """(doc) => Object.fromEntries([...doc.querySelectorAll('[id]')].map((e) => {
  const s = doc.defaultView.getComputedStyle(e), b = doc.defaultView.getComputedStyle(e, '::before');
  return [e.id, [s.color, s.backgroundImage === 'none' ? '' : 'picture', s.letterSpacing, b.content].join()];
}))"""


def compare(
    browser: Browser,
    tmp_path: Path,
    open_replay: Callable[..., Replay],
    site: Site,
    url: str,
    *acts: Callable[[Page], object],
) -> list[dict[str, str]]:
    """Records a page, with a mark after each act; its looks, which the replay must have at each mark's own link."""
    reel = tmp_path / "sheets.reel"
    live: list[dict[str, str]] = []
    context = browser.new_context()
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        for number, act in enumerate((lambda page: None, *acts)):
            act(page)
            page.wait_for_timeout(1500)
            session.mark(f"m{number}")
            live.append(page.evaluate(f"() => ({LOOKS})(document)"))
    context.close()
    Recorded(reel).whole()
    replay = open_replay(reel)
    for number, expected in enumerate(live):
        replay.reopen(f"#bare&mark=m{number}")
        assert replay.inside(f"({LOOKS})(doc)") == expected, number
        assert replay.requests == [] and replay.problems == []
    return live


@pytest.fixture
def site() -> Site:
    return Site()


def test_sheets_in_data_addresses(
    browser: Browser, tmp_path: Path, open_replay: Callable[..., Replay], site: Site
) -> None:
    inner = "@import%20%22data:text/css,%2523b%7Bcolor:rgb(2,0,0)%7D%22;"
    with site:
        url = site.html(
            "/data",
            "<link rel=stylesheet href='data:text/css,%23a%7Bcolor:rgb(1,0,0)%7D'>"
            f"<link rel=stylesheet href='data:text/css,{inner}'>"
            "<link rel=stylesheet href='data:text/css;charset=windows-1252;base64,I2M6OmJlZm9yZXtjb250ZW50OiLpIn0='>"
            "<link rel=stylesheet href='data:text/plain,%23a%7Bcolor:red%7D'><style>@import 'data:text/css,%23d{color:rgb(4,0,0)}';</style>"
            "<p id=a>a<p id=b>b<p id=c>c<p id=d>d",
        )
        (live,) = compare(browser, tmp_path, open_replay, site, url)
    assert [live[name].split(",,")[0] for name in "abd"] == [
        "rgb(1, 0, 0)",
        "rgb(2, 0, 0)",
        "rgb(4, 0, 0)",
    ] and "é" in live["c"]


def test_the_charset_of_a_sheet_that_says_none(
    browser: Browser, tmp_path: Path, open_replay: Callable[..., Replay], site: Site
) -> None:
    with site:
        site.put("/page.css", "text/css", b'#a::before { content: "\xe9" }')
        site.put("/link.css", "text/css", b'#b::before { content: "\xe9" }')
        site.put("/in.css", "text/css", b'@import "deep.css";')
        site.put("/deep.css", "text/css", b'#c::before { content: "\xe9" }')
        url = site.put(
            "/legacy", "text/html; charset=windows-1252",
            '<!doctype html><link rel=stylesheet href="/page.css"><link rel=stylesheet charset="windows-1251" href="/link.css">'
            "<style>@import '/in.css'</style><p id=a>a<p id=b>b<p id=c>c",
        )  # fmt: skip
        (live,) = compare(browser, tmp_path, open_replay, site, url)
    assert [live[name][-2:-1] for name in "abc"] == ["é", "й", "é"]


def test_a_scope_without_a_root_is_its_parent(
    browser: Browser, tmp_path: Path, open_replay: Callable[..., Replay], site: Site
) -> None:
    with site:
        url = site.html(
            "/scope",
            "<p id=out>out</p><div id=one><style>@scope { p { color: rgb(1, 0, 0) } :scope { letter-spacing: 3px } }</style><p id=in>in</p>"
            "<div class=end><p id=end>end</p></div></div><div id=two><style>@media screen { @scope to (.end) { p { color: rgb(2, 0, 0) } } }</style>"
            "<p id=in2>in</p><div class=end><p id=end2>end</p></div></div>"
            "<div id=host><template shadowrootmode=open><style>@scope { :scope { color: rgb(3, 0, 0) } }</style><slot></slot></template>slotted</div>",
        )
        live, _, after = compare(
            browser, tmp_path, open_replay, site, url,
            lambda page: page.evaluate("() => document.querySelector('#one > style').remove()"),
            lambda page: page.evaluate("() => document.getElementById('out').before(document.querySelector('#two > style'))"),
        )  # fmt: skip
    assert (
        live["in"].startswith("rgb(1,") and live["in2"].startswith("rgb(2,") and not live["end2"].startswith("rgb(2,")
    )
    assert not after["in"].startswith("rgb(1,")


def test_cssom_in_imported_sheets(
    browser: Browser, tmp_path: Path, open_replay: Callable[..., Replay], site: Site
) -> None:
    dot = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>'
    with site:
        site.put("/sub/dot.svg", "image/svg+xml", dot)
        site.put("/a.css", "text/css", "#a { color: rgb(1, 0, 0) }")
        site.put(
            "/b.css",
            "text/css",
            '@import "sub/c.css" layer(low) screen; @import "sub/print.css" print; #b { letter-spacing: 1px }',
        )
        site.put("/sub/c.css", "text/css", '@import "d.css"; #b { color: rgb(2, 0, 0); background-image: url(dot.svg) } #over { color: rgb(9, 9, 9) }')  # fmt: skip
        site.put("/sub/d.css", "text/css", "#d { color: rgb(3, 0, 0) }")
        site.put("/sub/print.css", "text/css", "#b { color: rgb(8, 8, 8) }")
        url = site.html(
            "/imports",
            '<style id=s>@import "/a.css"; #over { color: rgb(4, 0, 0) }</style><link id=l rel=stylesheet href="/b.css">'
            "<p id=a>a<p id=b>b<p id=d>d<p id=over>over",
        )
        of_style = "document.getElementById('s').sheet.cssRules[0].styleSheet"
        of_link = "document.getElementById('l').sheet.cssRules[0].styleSheet"
        live = compare(
            browser, tmp_path, open_replay, site, url,
            lambda page: page.evaluate(f"() => {of_style}.insertRule('#a {{ letter-spacing: 5px }}', 1)"),
            lambda page: page.evaluate(f"() => {{ {of_link}.cssRules[1].style.color = 'rgb(0, 0, 7)' }}"),
            lambda page: page.evaluate(f"() => {of_link}.cssRules[0].styleSheet.insertRule('#d::before {{ content: \"late\" }}')"),
        )  # fmt: skip
    assert "5px" in live[1]["a"] and "rgb(0, 0, 7),picture" in live[2]["b"] and "late" in live[3]["d"]
    assert live[3]["over"].startswith("rgb(4, 0, 0)"), "what is imported into a layer stays below"


def test_sheets_and_texts_that_each_load_brings_again(tmp_path: Path, open_replay: Callable[..., Replay]) -> None:
    replay = open_replay(two_loads(tmp_path / "two.reel"), "#bare&t=0")
    look = "doc.defaultView.getComputedStyle(doc.querySelector('p'))"
    for t in (12, 25):
        replay.seek(t)
        hovered = replay.inside(
            f"(doc.querySelector('p').setAttribute('data-pagereel-hover', ''), [doc.querySelector('p').title, {look}.marginTop, {look}.getPropertyValue('--icon')])"
        )
        assert hovered == [WORDS, "7px", ICON]
    assert replay.problems == []
