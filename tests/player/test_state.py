"""State is a function of time: opened at a moment by its link, in a fresh page, the replay stands where the page stood."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pagereel.recorder import Session
from tests.recorder.support import Site
from tests.reel.sample import png

from .conftest import Hand, Replay
from .pictures import Mark, off, pairs

Open = Callable[..., Replay]


Y = "doc.defaultView.scrollY"
PICTURES = "".join(f"<p><img src='/tall.png?{i}'></p>" for i in range(12))


def calm(page: Page) -> None:
    page.wait_for_timeout(200)


def test_scroll_waits_for_pictures_without_sizes(recorded: Callable[..., Path], site: Site, open_replay: Open) -> None:
    site.put("/tall.png", "image/png", png(40, 300, (9, 99, 9)))
    box = f"<div id=box style='height:200px;overflow:auto'>{PICTURES}</div>"
    shadow = f"<div id=host><template shadowrootmode=open>{PICTURES}</template></div>"
    live: list[object] = []

    def act(page: Page, session: Session) -> None:
        page.wait_for_load_state("load")
        page.evaluate("box.scrollTo(0, 1500); scrollTo(0, 5000)")
        calm(page)
        live.extend(page.evaluate("[scrollY, box.scrollTop]"))
        session.mark("down")

    reel = recorded(box + PICTURES + shadow + "<p>end", act)
    replay = open_replay(reel, "#mark=down")
    look = f"[{Y}, doc.getElementById('box').scrollTop]"
    assert live == [5000, 1500]
    assert replay.inside(look) == live
    replay.inside("doc.defaultView.scrollTo(0, 7)")  # By the reader's hand.
    replay.seek({"mark": "down"})
    assert replay.inside(look) == live
    replay.seek(0)
    replay.seek({"mark": "down"})
    assert replay.inside(look) == live


@pytest.mark.parametrize(
    "how", ["hover", "focus", *(pytest.param(how, marks=pytest.mark.slow) for how in ("target", "checked")), "lazy"]
)
def test_scroll_waits_for_what_a_rule_makes_taller(
    recorded: Callable[..., Path], site: Site, open_replay: Open, how: str
) -> None:
    site.put("/tall.png", "image/png", png(40, 300, (9, 99, 9)))
    html = f"""<style>body{{margin:0}} #more{{display:none;height:3000px}} #bar{{position:fixed;top:0;left:0;width:90px;height:40px}}
        #{how}:is(:hover,:focus,:target,:checked) ~ #more{{display:block}}</style>
        <button id=hover class=bar></button><button id=focus></button><b id=target></b><input type=checkbox id=checked>
        <style>#hover{{position:fixed;top:0;left:0;width:90px;height:40px}}</style>
        <p style="height:900px"></p><div id=more></div>"""
    if how == "lazy":
        html = "".join(f"<p><img loading=lazy src='/tall.png?{i}'></p>" for i in range(12))

    def act(page: Page, session: Session) -> None:
        if how == "hover":
            page.mouse.move(400, 300)
            page.mouse.move(20, 20)
        elif how == "focus":
            page.focus("#focus")
        elif how == "target":
            page.evaluate("location.hash = 'target'")
        elif how == "checked":
            page.evaluate("checked.checked = true")
        else:
            page.mouse.move(400, 300)
            for _ in range(10):
                page.mouse.wheel(0, 300)
                calm(page)
        calm(page)
        page.evaluate("scrollTo(0, 2182)")
        calm(page)
        assert page.evaluate("scrollY") == 2182
        session.mark("down")

    replay = open_replay(recorded(html, act), "#mark=down")
    assert replay.inside(Y) == 2182


def test_scroll_waits_for_a_font_and_for_content_of_rules(hand: Hand, open_replay: Open) -> None:
    """A picture that a rule names has no element that could be asked whether it is there."""
    hand.script.fetch(0, "i", "https://site.example/a/x.png", "image", "image/png", png(30, 3000, (9, 9, 9)))
    hand.start(["p", {}, "x"], head=[["style", {}, "p::before{content:url(x.png);display:block}"]])
    hand.script.ops(20, 1, ["scroll", 1, 0, 2182])
    replay = open_replay(hand.close(), "#t=30")
    assert replay.inside(Y) == 2182


def test_scroll_of_a_dialog_that_only_its_layer_shows(hand: Hand, open_replay: Open) -> None:
    """Opening it moves the focus, which may scroll; its own box comes with it."""
    hand.start(
        ["p", {"style": "height:3000px"}, "x"],  # 6, 7
        ["dialog", {"style": "height:100px;overflow:auto"}, ["p", {"style": "height:900px"}], ["button", {}, "ok"]],  # 8
        ["details", {}, ["summary", {}, "s"], ["div", {"style": "height:50px;overflow:auto"}, ["p", {"style": "height:700px"}]]],
    )  # fmt: skip
    hand.script.ops(
        20, 1, ["scroll", 1, 0, 700], ["attr", 8, {"open": ""}], ["open", 8, "modal"], ["scroll", 8, 0, 300]
    )
    hand.script.ops(30, 1, ["scroll", 8, 0, 120])
    reel = hand.close()
    look = f"[{Y}, doc.querySelector('dialog').scrollTop]"
    expected = {10: [0, 0], 20: [700, 300], 30: [700, 120]}
    replay = open_replay(reel)
    for t, where in expected.items():
        replay.reopen(f"#t={t}")
        assert replay.inside(look) == where, f"at {t} ms"
    for t in [30, 20, 10, 30, 10, 20, 20]:
        replay.seek(t)
        assert replay.inside(look) == expected[t], f"at {t} ms"


SECTIONS = "".join(
    f"<section id=s{i}><h2>{i}</h2><div style='height:{200 + 137 * (i % 5)}px'></div></section>" for i in range(30)
)
SKIPPED = f"""<style>body{{margin:0}} section{{content-visibility:auto;contain-intrinsic-size:auto 90px}}
#box{{height:300px;overflow:auto}}</style><div id=box>{SECTIONS.replace("id=s", "id=b")}</div>{SECTIONS}"""
TOPS = """[...{}.querySelectorAll('section')].map((e) => [e.id, Math.round(e.getBoundingClientRect().top), e])
    .filter(([, top, e]) => top < 600 && top + e.offsetHeight > 0 && (e.parentNode.id !== 'box'
        || (top < e.parentNode.getBoundingClientRect().bottom && top + e.offsetHeight > e.parentNode.getBoundingClientRect().top)))
    .map(([id, top]) => id + ':' + top).sort()"""


def test_the_sections_that_showed_show_where_others_are_skipped(
    recorded: Callable[..., Path], open_replay: Open
) -> None:
    """What is out of sight has a guessed height until it was seen: the same offset is another place for who comes another way."""
    live: dict[str, object] = {}

    def act(page: Page, session: Session) -> None:
        page.mouse.move(400, 150)
        for _ in range(12):
            page.mouse.wheel(0, 170)
            page.wait_for_timeout(60)
        live["box"] = page.evaluate(TOPS.format("document"))
        session.mark("box")
        page.mouse.move(400, 500)
        for _ in range(14):
            page.mouse.wheel(0, 260)
            page.wait_for_timeout(60)
        page.wait_for_timeout(300)
        live["down"] = page.evaluate(TOPS.format("document"))
        session.mark("down")

    reel = recorded(SKIPPED, act)
    replay = open_replay(reel)
    for name, tops in live.items():
        replay.reopen(f"#mark={name}")
        assert replay.inside(TOPS.format("doc")) == tops, f"{name}, by its link"
    for name in ["box", "down", "box", "down", "down"]:
        replay.seek({"mark": name})
        assert replay.inside(TOPS.format("doc")) == live[name], f"{name}, there and back"


def test_where_a_script_jumped_to_shows_where_content_was_skipped(browser: Browser, tmp_path: Path) -> None:
    """What is not skipped there any more is known a frame after the jump."""
    page = """<!doctype html><style>body { margin: 0; font: 16px/20px sans-serif } section { content-visibility: auto; contain-intrinsic-size: auto 300px; border-bottom: 2px solid }
        p { margin: 0 0 10px } #box { height: 200px; overflow: auto }</style><div id=box></div><script>const fill = (into) => { for (let i = 0; i < 60; i++) {
        const section = into.appendChild(document.createElement('section')); section.innerHTML = `<p>Section ${i}</p>`.repeat(3 + (i * 7) % 9) } }
        fill(box); fill(document.body)</script>"""

    def drive(page: Page, mark: Mark) -> None:
        for y in (6000, 2000, 9000, 500):
            page.evaluate("(y) => scrollTo(0, y)", y)
            mark(f"page at {y}")
        page.evaluate("scrollTo(0, 0)")
        for y in (4000, 900, 7000):
            page.evaluate("(y) => box.scrollTo(0, y)", y)
            mark(f"box at {y}")

    assert off(pairs(browser, tmp_path, page, drive)) == {}


def test_a_selection_is_grey_while_another_document_has_the_focus(
    recorded: Callable[..., Path], open_replay: Open
) -> None:
    def act(page: Page, session: Session) -> None:
        frame = page.frames[1]
        frame.evaluate("getSelection().selectAllChildren(document.body)")
        frame.evaluate("document.body.focus()")
        page.locator("iframe").focus()
        calm(page)
        session.mark("within")
        page.focus("button")
        calm(page)
        session.mark("without")

    reel = recorded("<button>b</button><iframe srcdoc='<body tabindex=0>some words'></iframe>", act)
    look = "doc.querySelector('iframe').contentDocument.documentElement.hasAttribute('data-pagereel-unfocused')"
    assert open_replay(reel, "#mark=within").inside(look) is False
    assert open_replay(reel, "#mark=without").inside(look) is True


def test_a_focused_drawing_has_a_ring_after_a_click_too(recorded: Callable[..., Path], open_replay: Open) -> None:
    """Chromium's own style sheet for SVG asks for the focus, and not for a visible one; and its ring is wider."""
    styles: list[str] = []
    outline = "const { outlineStyle, outlineWidth } = view.getComputedStyle(doc.querySelector('{}')); return outlineStyle + ' ' + outlineWidth"
    drawn = ("svg", "g", "p")

    def act(page: Page, session: Session) -> None:
        for name, x in zip(drawn, (20, 150, 250), strict=True):
            page.mouse.click(x, 50)
            calm(page)
            styles.append(
                page.evaluate(f"(() => {{ const doc = document, view = window; {outline.replace('{}', name)} }})()")
            )
            session.mark(name)

    html = """<svg tabindex=0 width=300 height=100 style='display:block'><rect width=100 height=100 fill=gold />
    <g tabindex=0><rect x=100 width=100 height=100 fill=teal /></g>
    <foreignObject x=200 width=100 height=100><p contenteditable style='height:80px'>HTML</p></foreignObject></svg>"""
    reel = recorded(html, act)
    shown = [
        open_replay(reel, f"#mark={name}").inside(
            f"(() => {{ const view = doc.defaultView; {outline.replace('{}', name)} }})()"
        )
        for name in drawn
    ]
    assert shown == styles == ["auto 5px", "auto 5px", "auto 1px"]


def everywhere(reel: Path, open_replay: Open, look: str, live: dict[str, object]) -> None:
    """Holds a look at each mark against the page's: by the mark's link, forth and back."""
    replay = open_replay(reel)
    for name, said in live.items():
        replay.reopen(f"#mark={name}")
        assert replay.inside(look) == said, f"{name}, by its link"
    for name in [*live, *reversed(live), *live]:
        replay.seek({"mark": name})
        assert replay.inside(look) == live[name], f"{name}, there and back"


def test_a_picture_without_a_source_takes_the_place_of_one_that_never_had_one_or_lost_it(
    recorded: Callable[..., Path], open_replay: Open
) -> None:
    """One that never had a source is as high as it says; one that lost its source has no place at all, and keeps that where it is moved."""
    look = "[...{}.images].map((e) => [e.offsetWidth, e.offsetHeight])"
    acts = {
        "never": "0",
        "one": "document.images[0].src = 'data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%229%22 height=%229%22/>'",
        "lost": "document.images[0].removeAttribute('src')",
        "both": "document.images[1].src = 'data:,'; document.images[1].removeAttribute('src')",
        "moved": "document.body.append(document.images[0])",
        "new": "document.images[1].replaceWith(document.images[1].cloneNode())",
    }
    live: dict[str, object] = {}

    def act(page: Page, session: Session) -> None:
        for name, does in acts.items():
            page.evaluate(f"() => {{ {does} }}")
            page.wait_for_timeout(150)
            live[name] = page.evaluate(look.format("document"))
            session.mark(name)

    reel = recorded("<!doctype html><p><img alt='' height=60></p><p><img alt='' height=60></p>", act)
    assert (
        live["never"] != live["one"] != live["lost"] != live["never"] and live["lost"] != live["both"] == live["moved"]
    )
    everywhere(reel, open_replay, look.format("doc"), live)


def test_what_was_selected_is_no_more_where_its_nodes_are_moved_or_taken_out(
    recorded: Callable[..., Path], open_replay: Open
) -> None:
    """The browser says nothing of it: the ends of the selection go with the nodes' places."""
    look = "(({0}) => [{0}.toString(), {0}.anchorNode?.nodeName, {0}.anchorOffset, {0}.focusNode?.nodeName, {0}.focusOffset])({1}.getSelection())"
    acts = {
        "selected": "getSelection().setBaseAndExtent(a.firstChild, 1, c.firstChild, 2)",
        "moved": "document.body.append(a)",
        "out": "c.remove()",
        "again": "getSelection().setBaseAndExtent(a.firstChild, 0, a.firstChild, 3)",
        "text": "a.firstChild.data = 'x'",
    }
    live: dict[str, object] = {}

    def act(page: Page, session: Session) -> None:
        for name, does in acts.items():
            page.evaluate(f"() => {{ {does} }}")
            page.wait_for_timeout(100)
            said = page.evaluate(look.format("s", "document"))
            live[name] = said if said[0] else ""
            session.mark(name)

    reel = recorded("<!doctype html><p id=a>first</p><p id=b>second</p><p id=c>third</p>", act)
    assert len({str(said) for said in live.values()}) >= 4, live
    asked = look.format("s", "doc")
    everywhere(reel, open_replay, f"((said) => said[0] ? said : '')({asked})", live)


def test_a_list_box_stands_where_it_stood_before_something_in_it_was_chosen(
    recorded: Callable[..., Path], open_replay: Open
) -> None:
    """The browser scrolls a list to what is selected in it, whoever selects."""
    look = "[...{}.querySelectorAll('select')].map((e) => [e.scrollTop, e.selectedOptions.length])"
    acts = {
        "fresh": "0",
        "chosen": "s.options[20].selected = o.options[25].selected = true",
        "none": "s.selectedIndex = o.selectedIndex = -1; s.scrollTop = 9",
        "other": "o.hidden = true; s.options[3].selected = true",
        "shown": "o.hidden = false",
    }
    live: dict[str, object] = {}

    def act(page: Page, session: Session) -> None:
        for name, does in acts.items():
            page.evaluate(f"() => {{ {does} }}")
            page.wait_for_timeout(150)
            live[name] = page.evaluate(look.format("document"))
            session.mark(name)

    options = "".join(f"<option>{n}" for n in range(30))
    reel = recorded(
        f"<!doctype html><select id=s multiple size=4>{options}</select><select id=o size=3>{options}</select>", act
    )
    assert live["fresh"] != live["chosen"] != live["none"], live
    everywhere(reel, open_replay, look.format("doc"), live)


def test_the_pages_transitions_do_not_run_between_moments_in_the_browsers_own_parts_either(
    recorded: Callable[..., Path], open_replay: Open
) -> None:
    """No script sees the animations of what has an element of the browser's own behind it."""
    look = "[...{}.querySelectorAll('details')].map((e) => [e.offsetWidth, e.offsetHeight])"
    acts = {"closed": "0", "open": "d.open = true", "other": "e.open = true", "none": "e.open = false"}
    live: dict[str, object] = {}

    def act(page: Page, session: Session) -> None:
        for name, does in acts.items():
            page.evaluate(f"() => {{ {does} }}")
            page.wait_for_timeout(500)
            live[name] = page.evaluate(look.format("document"))
            session.mark(name)

    reel = recorded(
        """<!doctype html><style>details { width: fit-content; interpolate-size: allow-keywords }
        details::details-content { block-size: 0; overflow: clip; transition: block-size .3s, content-visibility .3s allow-discrete }
        details[open]::details-content { block-size: auto }</style>
        <details id=d name=one><summary>a</summary>some words in it</details><details id=e name=one><summary>b</summary>other words that are in it</details>""",
        act,
    )
    assert len({str(said) for said in live.values()}) == 3, live
    everywhere(reel, open_replay, look.format("doc"), live)


def test_what_shorthands_with_variables_gave_is_there_though_the_browser_writes_nothing_for_it(
    recorded: Callable[..., Path], open_replay: Open
) -> None:
    """``border: solid var(--w); border-top-width: 3px`` is written as ``border-top-style: ;`` and so on, in sheets that scripts made and in styles."""
    drawn = {
        "a": "doc.querySelector('.a')",
        "b": "doc.querySelector('.b')",
        "inner": "doc.querySelector('x-a').shadowRoot.querySelector('p')",
        "host": "doc.querySelector('x-b')",
        "own": "doc.querySelector('#own')",
    }
    names = [
        "borderTopWidth",
        "borderTopStyle",
        "borderLeftWidth",
        "borderLeftColor",
        "paddingTop",
        "paddingLeft",
        "marginRight",
        "rowGap",
        "columnGap",
    ]
    look = (
        "(() => { const see = (e, part) => { const style = getComputedStyle(e, part); return NAMES.map((name) => style[name]).join(' ') };"
        f" return [{', '.join(f'see({where})' for where in drawn.values())}, see(doc.querySelector('.b'), '::before'), see(doc.querySelector('.b i'))] }})()"
    ).replace("NAMES", str(names))
    acts = {
        "fresh": "0",
        "theme": "document.documentElement.className = 'dark'",
        "rule": "s.sheet.insertRule('.b { padding: var(--p); padding-left: 1px !important; gap: var(--p) !important; row-gap: 9px !important }')",
        "style": "own.style = 'padding: var(--p)'; own.style.paddingLeft = '2px'",
        "more": "document.body.append(document.querySelector('x-b').cloneNode())",
    }
    live: dict[str, object] = {}

    def act(page: Page, session: Session) -> None:
        for name, does in acts.items():
            page.evaluate(f"() => {{ {does} }}")
            page.wait_for_timeout(150)
            live[name] = page.evaluate(f"(() => {{ const doc = document; return {look} }})()")
            session.mark(name)

    reel = recorded(
        """<!doctype html><style>:root { --w: 2px; --c: #123456; --p: 7px } .dark { --c: #fedcba; --p: 11px }</style><style id=s></style>
        <p class=a>a</p><div class=b>b<i>i</i></div><x-a></x-a><x-b></x-b><p id=own>own</p><script>
        const made = (css) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css); return sheet };
        document.adoptedStyleSheets = [made(`.a { border: solid var(--w) var(--c); border-top-width: 5px }
          .b { &::before { content: 'x'; padding: var(--p); padding-top: 1px } margin: var(--p); margin-top: 0; @media (width > 1px) { i { border: dotted var(--w); border-left: none } } }`)];
        const shared = made(`:host { display: block; padding: var(--p); padding-top: 3px } p { border: var(--w) dashed var(--c); border-right-width: 0 }`);
        for (const name of ["x-b", "x-a"]) customElements.define(name, class extends HTMLElement { connectedCallback() {
          const root = this.attachShadow({ mode: "open" }); root.adoptedStyleSheets = [shared]; if (name === "x-a") root.innerHTML = "<p>p</p>"; } });
        </script>""",
        act,
    )
    assert len({str(said) for said in live.values()}) == 4, live
    everywhere(reel, open_replay, look, live)
