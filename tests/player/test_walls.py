"""A hostile recording can show anything, but run nothing, reach nothing, open nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pagereel.player_build import builder
from pagereel.player_build.sanitize import Sanitizer
from pagereel.reel import Json

from .conftest import Hand, Replay

Open = Callable[..., Replay]

FIRE = "parent.fired=1;top.fired=1;window.fired=1"

PAYLOADS: list[Json] = [
    ["script", {"src": "https://evil.example/x.js"}, FIRE],
    ["svg|svg", {"onload": FIRE}, ["svg|script", {"href": "https://evil.example/x.js"}, FIRE]],
    ["img", {"src": "https://evil.example/x.png", "onerror": FIRE}],
    ["img", {"src": "x", "ONERROR": FIRE, "srcset": "https://evil.example/y.png 1x"}],
    ["iframe", {"src": f"javascript:{FIRE}"}],
    ["iframe", {"src": "https://evil.example/", "sandbox": "allow-scripts", "allow": "camera"}],
    ["iframe", {"srcdoc": f"<script>{FIRE}</script>"}],
    ["object", {"data": f"javascript:{FIRE}"}, ["embed", {"src": "https://evil.example/x.swf"}]],
    ["embed", {"src": f"javascript:{FIRE}"}],
    ["applet", {"code": "x", "codebase": "https://evil.example/"}],
    ["meta", {"http-equiv": "refresh", "content": "0;url=https://evil.example/"}],
    ["base", {"href": "https://evil.example/", "target": "_top"}],
    ["link", {"rel": "stylesheet", "href": "https://evil.example/x.css", "onload": FIRE}],
    ["link", {"rel": "preload", "as": "image", "href": "https://evil.example/p.png"}],
    ["link", {"rel": "preconnect dns-prefetch prefetch prerender", "href": "https://evil.example/"}],
    ["link", {"rel": "import", "href": "https://evil.example/"}],
    ["style", {}, "@import url(https://evil.example/i.css); body{background:url(https://evil.example/b.png)}"],
    ["style", {}, "@font-face{font-family:e;src:url(https://evil.example/f.woff2)} *{font-family:e}"],
    ["div", {"style": "background:url(https://evil.example/s.png);list-style:url('//evil.example/l.png')"}, "x"],
    ["video", {"src": "https://evil.example/v.mp4", "poster": "https://evil.example/v.png", "autoplay": ""}],
    ["audio", {"autoplay": "", "onloadstart": FIRE}, ["source", {"src": "https://evil.example/a.mp3", "onerror": FIRE}]],
    ["video", {}, ["track", {"default": "", "kind": "captions", "src": "https://evil.example/t.vtt"}]],
    ["input", {"type": "image", "src": "https://evil.example/in.png", "autofocus": "", "onfocus": FIRE}],
    ["details", {"open": "", "ontoggle": FIRE}, "x"],
    ["body", {"onload": FIRE, "background": "https://evil.example/bg.png"}],
    ["table", {"background": "https://evil.example/tb.png"}],
    ["form", {"action": f"javascript:{FIRE}", "target": "_top"}, ["button", {"formaction": f"javascript:{FIRE}"}, "b"]],
    ["a", {"href": f"javascript:{FIRE}", "target": "_top", "ping": "https://evil.example/ping"}, "a"],
    ["a", {"href": f"java\tscript:{FIRE}"}, "a"],
    ["a", {"href": f"data:text/html,<script>{FIRE}</script>"}, "a"],
    ["svg|svg", {}, ["svg|a", {"xlink:href": f"javascript:{FIRE}"}, ["svg|text", {"y": "20"}, "a"]]],
    ["svg|svg", {}, ["svg|a", {}, ["svg|animate", {"attributeName": "href", "values": f"javascript:{FIRE}"}], ["svg|text", {}, "a"]]],
    ["svg|svg", {}, ["svg|a", {}, ["svg|set", {"attributeName": "xlink:href", "to": f"javascript:{FIRE}"}]]],
    ["svg|svg", {}, ["svg|set", {"attributeName": "onmouseover", "to": FIRE}], ["svg|animate", {"onbegin": FIRE, "attributeName": "x"}]],
    ["svg|svg", {}, ["svg|use", {"href": "https://evil.example/s.svg#a"}], ["svg|image", {"href": "https://evil.example/i.svg"}]],
    ["svg|svg", {}, ["svg|feImage", {"xlink:href": "https://evil.example/fe.png"}], ["svg|foreignObject", {}, ["script", {}, FIRE]]],
    ["math|math", {"href": f"javascript:{FIRE}"}, ["math|mi", {"xlink:href": f"javascript:{FIRE}"}, "x"]],
    ["template", {}, ["#content", {}, ["script", {}, FIRE], ["img", {"src": "x", "onerror": FIRE}]]],
    ["div", {}, ["#shadow", {"mode": "open"}, ["img", {"src": "x", "onerror": FIRE}], ["style", {}, "@import '//evil.example/z.css'"]]],
    ["portal", {"src": "https://evil.example/"}],
    ["frameset", {"onload": FIRE}, ["frame", {"src": "https://evil.example/"}]],
    ["marquee", {"onstart": FIRE}, "x"],
    ["img", {"src": "x", "attributionsrc": "https://evil.example/attr", "lowsrc": "https://evil.example/low.png"}],
    ["xss", {"style": "animation-name:a", "onanimationstart": FIRE}],
    ["img\" onerror=\"" + FIRE, {"src": "x"}],
    ["div", {"x onclick=" + FIRE: "1", "@onclick": FIRE, "a\"onclick": FIRE}, "x"],
    ["https://evil.example/ns|script", {}, FIRE],
    ["html|script", {}, FIRE],
    ["svg|svg", {}, ["svg|style", {}, ["#cdata", "@import url(https://evil.example/cdata.css)"]]],
    ["http://www.w3.org/1999/xhtml|style", {}, "@import url(https://evil.example/n.css)"],
    ["html|iframe", {"src": "https://evil.example/"}],
    ["p", {"style": "background:image-set(if(style(--a:1):'https://evil.example/if.png';else:'https://evil.example/else.png') 1x)"}, "x"],
    ["style", {}, "p{background:-webkit-image-set(if(style(--a:1):'https://evil.example/if.png';else:'https://evil.example/else.png') 1x)}"],
    ["style", {}, "p{--x:'https://evil.example/x.png';background:image-set(if(else:var(--x)) 1x)}"],
    ["svg|svg", {}, ["svg|a", {}, ["http://www.w3.org/2000/svg|animate", {"attributeName": "href", "values": f"#;javascript:{FIRE}", "dur": "1ms"}]]],
    ["svg|svg", {}, ["svg|a", {}, ["svg|x:animate", {"attributeName": "href", "values": f"#;javascript:{FIRE}", "dur": "1ms"}]]],
]  # fmt: skip


def attack(hand: Hand) -> None:
    """All payloads: in the first markup, inserted later, and attribute by attribute on an element that is there
    already.
    """
    hand.start(*PAYLOADS)
    first = 2000
    for index, payload in enumerate(PAYLOADS):
        hand.script.ops(100 + index, 1, ["add", 3, first, payload])
        first += 20
        assert isinstance(payload, list)
        names = payload[1]
        assert isinstance(names, dict)
        hand.script.ops(300 + index, 1, ["add", 3, first, [payload[0], {}]], ["attr", first, names])
        first += 1
        hand.script.ops(
            500 + index,
            1,
            ["add", 3, first, [payload[0], {}, "x"]],
            ["shown", first, {name: str(value) for name, value in names.items()}],
            [
                "css",
                first + 1,
                "@import url(https://evil.example/c.css); *{background:url(https://evil.example/c.png)}",
            ],
            ["text", first + 1, FIRE],
        )
        first += 5
    hand.script.run(
        "console", 700, page=1, level="log", text=f"<img src=x onerror={FIRE}></script><script>{FIRE}</script>"
    )
    hand.script.run(
        "step", 710, id=1, parent=None, title=f"<img src=x onerror={FIRE}>", reasoning="</script>", attributes={}
    )
    hand.script.run("mark", 720, name="<b>'\"")


def check(replay: Replay) -> None:
    for t in (0, 200, 400, 600, 720, 350, 0, 720):
        replay.seek(t)
    for tab in ("Console", "Info", "Story"):
        replay.page.get_by_role("tab", name=tab).click()
    # What a click would do, past the overlay that keeps clicks out.
    replay.inside("[...doc.querySelectorAll('a,button,input,details')].forEach((e) => { try { e.click() } catch {} })")
    replay.page.wait_for_timeout(300)
    assert replay.page.evaluate("[window.fired, pagereel.frame.contentWindow.fired]") == [None, None]
    assert replay.requests == []
    assert replay.problems == []
    assert (
        replay.inside(
            "[...doc.querySelectorAll('*')].filter((e) => e.getAttributeNames().some((n) => /^on/i.test(n))).length"
        )
        == 0
    )
    assert replay.page.evaluate("pagereel.frame.getAttribute('sandbox')") == "allow-same-origin"
    assert replay.page.url.startswith(replay.path.as_uri())


def test_nothing_runs_and_nothing_is_asked_for(hand: Hand, open_replay: Open) -> None:
    attack(hand)
    check(open_replay(hand.close()))


def test_the_players_wall_holds_alone(hand: Hand, open_replay: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second wall is taken away: a file made by hand, past the builder."""
    monkeypatch.setattr(Sanitizer, "sanitize_ops", lambda self, ops, look: ops)
    assert builder.PageEventBuilder is not None
    attack(hand)
    check(open_replay(hand.close()))


def test_an_element_is_judged_by_what_the_browser_makes_of_its_name(
    hand: Hand, open_replay: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sanitizer, "sanitize_ops", lambda self, ops, look: ops)
    animation: dict[str, Json] = {"attributeName": "href", "values": "#;javascript:x"}
    hand.start(
        ["http://www.w3.org/1999/xhtml|style", {}, "@import url(x.css)"],
        ["svg|svg", {}, ["http://www.w3.org/2000/svg|animate", animation], ["svg|x:animate", animation]],
    )
    replay = open_replay(hand.close())
    replay.seek(10)
    assert replay.inside("doc.querySelector('body > style').textContent") == ""
    svg = "[...doc.querySelector('svg').children]"
    assert replay.inside(f"{svg}.map((e) => [e.localName, e.namespaceURI.slice(-3)])") == [
        ["animate", "svg"],
        ["x:animate", "svg"],
    ]
    assert replay.inside(f"{svg}.map((e) => e instanceof e.ownerDocument.defaultView.SVGAnimateElement)") == [
        True,
        False,
    ]
    assert replay.inside(f"{svg}[0].hasAttribute('values')") is False


def test_no_processing_instruction_stands_in_the_shown_page(hand: Hand, open_replay: Open) -> None:
    data = 'href="https://evil.example/pi.css" type="text/css"'
    tree: Json = ["#document", {}, ["#pi", "xml-stylesheet", data], ["html", {}, ["body", {}, "x"]]]
    hand.start()
    hand.script.page("snapshot", 5, 1, ops=[["doc", 100, tree]], why="again")
    hand.script.page("mutation", 20, 1, ops=[["text", 101, "changed"]])
    replay = open_replay(hand.close())
    first = "[doc.firstChild.nodeType, doc.firstChild.data]"
    replay.seek(10)
    assert replay.inside(first) == [8, f"?xml-stylesheet {data}?"]
    replay.seek(30)
    assert replay.inside(first) == [8, "?xml-stylesheet changed?"]
    assert replay.requests == []


def test_a_page_cannot_cover_the_controls(hand: Hand, open_replay: Open) -> None:
    hand.start(["div", {"style": "position:fixed;inset:-999px;z-index:2147483647;background:red"}, "x"])
    replay = open_replay(hand.close())
    play = replay.page.get_by_role("button", name="Play", exact=True)
    play.click(timeout=3000)
    box = play.bounding_box()
    assert box is not None
    hit = replay.page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).closest('button')?.className", [box["x"] + 9, box["y"] + 9]
    )
    assert hit == "play"


NEW = ("geolocation", "permission", "usermedia", "install", "fencedframe", "portal", "selectlist", "bgsound", "keygen")
"""Elements that some browser knows or knew, and no list of ours."""


def test_what_no_list_has_is_not_painted_and_still_found_by_selectors(hand: Hand, open_replay: Open) -> None:
    css = "my-tab[newthing]{color:rgb(1,2,3)} my-tab::after{content:attr(newthing)} portal{color:rgb(4,5,6)}"
    names: dict[str, Json] = {"newthing": "1", "data-x": "2", "@click": "3", "title": "4", "target": "_top"}
    hand.start(
        ["my-tab", names, "x"],
        *([name, {"href": "https://evil.example/"}, "y"] for name in NEW),
        head=[["style", {}, css]],
    )
    replay = open_replay(hand.close())
    replay.seek(10)
    assert replay.inside("doc.querySelector('my-tab').getAttributeNames().sort()") == [
        "@click", "data-pagereel-was-newthing", "data-pagereel-was-target", "data-x", "title",
    ]  # fmt: skip
    look = "doc.defaultView.getComputedStyle(doc.querySelector('{}'){}).{}"
    assert replay.inside(look.format("my-tab", "", "color")) == "rgb(1, 2, 3)"
    assert replay.inside(look.format("my-tab", ", '::after'", "content")) == '"1"'
    assert replay.inside(look.format("portal", "", "color")) == "rgb(4, 5, 6)"
    classes = replay.inside("[...doc.body.children].map((e) => [e.localName, e.constructor.name])")
    assert [name for name, _ in classes] == ["my-tab", *NEW]
    assert {interface for _, interface in classes} <= {"HTMLElement", "HTMLUnknownElement", "Element"}
    assert replay.requests == [] and replay.problems == []


def test_names_do_not_hide_what_forms_and_documents_can_do(hand: Hand, open_replay: Open) -> None:
    fields: list[Json] = [
        ["input", {"name": name}] for name in ("setAttribute", "attributes", "insertBefore", "childNodes")
    ]
    hand.start(
        ["form", {"class": "a"}, *fields, ["input", {"name": "city", "id": "title"}]],
        ["img", {"name": "createElementNS"}],
    )
    hand.script.page(
        "mutation", 20, 1, ops=[["attr", 6, {"class": "b", "title": "x"}], ["add", 6, 50, ["p", {}, "new"]]]
    )
    replay = open_replay(hand.close())
    replay.seek(30)
    assert replay.inside(
        "[doc.forms[0].className, doc.forms[0].getAttribute('title'), doc.querySelector('form > p').textContent]"
    ) == ["b", "x", "new"]
    assert replay.inside("[...doc.querySelectorAll('input')].at(-1).outerHTML") == '<input name="city" id="title">'
    replay.seek(10)
    assert replay.inside("doc.forms[0].className") == "a"


def test_a_page_that_there_is_not_is_not_shown(hand: Hand, open_replay: Open) -> None:
    replay = open_replay(hand.start().close())
    for page in (-1, 7, 0.5, "x"):
        said = replay.page.evaluate("(page) => pagereel.show(page).then(() => 'shown', (error) => error.message)", page)
        assert said == f"There is no page {page}."
    assert replay.page.evaluate("pagereel.show(0).then(() => 'shown')") == "shown"
