"""What is hovered, pressed and the target of the address is what the browser said, whichever way one came to the moment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from pagereel.recorder import Session
from pagereel.reel import open_reel
from tests.recorder.support import Site

from .conftest import Replay

Open = Callable[..., Replay]

STYLE = """<style>*{margin:0;padding:0} body>*,li{display:block;width:200px;height:40px;list-style:none} iframe{border:0}
:hover{--hover:1} :active{--active:1} :target{--target:1} ul{display:none} nav:hover ul{display:block} nav{height:auto}</style>"""


def found(replay: Replay, pseudo: str, frame: str = "doc") -> list[str]:
    """The ids of the elements of a document that stand under a pseudo-class, in their order."""
    return replay.inside(  # type: ignore[no-any-return]
        f"[...{frame}.querySelectorAll('[id]')].filter((e) => getComputedStyle(e).getPropertyValue('--{pseudo}') === '1'"
        f" && e.matches('[data-pagereel-{pseudo}]')).map((e) => e.id)"
    )


def live(page: Page, pseudo: str) -> list[str]:
    return page.evaluate(f"[...document.querySelectorAll(':{pseudo}[id]')].map((e) => e.id)")  # type: ignore[no-any-return]


class Use:
    """Acts on a page and notes at marks what the browser says."""

    def __init__(self, *acts: tuple[str, Callable[[Page], Any]], pointer: bool = True) -> None:
        self.acts = acts
        self.pointer = pointer
        self.said: dict[str, dict[str, list[str]]] = {}

    def __call__(self, page: Page, session: Session) -> None:
        if self.pointer:
            page.mouse.move(700, 500)
        page.wait_for_timeout(300)
        for name, act in self.acts:
            act(page)
            self.said[name] = {pseudo: live(page, pseudo) for pseudo in ("hover", "active", "target")}
            session.mark(name)
            page.wait_for_timeout(120)

    def holds(self, reel: Path, open_replay: Open) -> Replay:
        replay = open_replay(reel)
        for name, said in self.said.items():
            replay.reopen(f"#mark={name}")
            assert {pseudo: found(replay, pseudo) for pseudo in said} == said, f"{name}, by its link"
        names = [*self.said, *reversed(self.said), *self.said]
        for name in names:
            replay.seek({"mark": name})
            assert {pseudo: found(replay, pseudo) for pseudo in said} == self.said[name], f"{name}, there and back"
        return replay


def test_two_quick_moves_end_where_the_second_went(recorded: Callable[..., Path], open_replay: Open) -> None:
    rows = "".join(f"<p id=row{i}>row</p>" for i in range(8))

    def quick(page: Page) -> None:
        page.mouse.move(50, 60)
        page.mouse.move(50, 260)

    use = Use(("rows", quick), ("over", lambda page: (page.hover("#row1"), page.hover("#row3"))))
    reel = recorded(STYLE + rows, use)
    assert use.said["rows"]["hover"] == ["row6"] and use.said["over"]["hover"] == ["row3"]
    use.holds(reel, open_replay)


def test_a_submenu_that_hovering_opened_is_open(recorded: Callable[..., Path], open_replay: Open) -> None:
    menu = "<nav id=nav><p id=title>menu</p><ul id=list><li id=one>one<li id=two>two</ul></nav><p id=below>below</p>"

    def into(page: Page) -> None:
        page.hover("#title")
        page.hover("#two")

    use = Use(("menu", into), ("gone", lambda page: page.mouse.move(700, 500)))
    reel = recorded(STYLE + menu, use)
    assert use.said["menu"]["hover"] == ["nav", "list", "two"]
    replay = use.holds(reel, open_replay)
    replay.seek({"mark": "menu"})
    assert replay.inside("doc.getElementById('two').offsetHeight") == 40


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_pointer_is_in_one_document_at_a_time(
    recorded: Callable[..., Path], site: Site, open_replay: Open, host: str
) -> None:
    site.html("/inner", f"{STYLE}<button id=inner>in</button>")
    html = f"{STYLE}<button id=outer>out</button><iframe id=frame src='{site.url('/inner', host)}'></iframe>"
    inner: dict[str, list[str]] = {}

    def to(name: str, y: int) -> tuple[str, Callable[[Page], Any]]:
        def act(page: Page) -> None:
            page.mouse.move(50, y)
            page.wait_for_timeout(600)
            inner[name] = page.frames[1].evaluate("[...document.querySelectorAll(':hover[id]')].map((e) => e.id)")

        return name, act

    use = Use(to("outer", 20), to("inner", 60), to("back", 20))
    reel = recorded(html, use)
    assert inner["outer"] == [] and inner["inner"] == ["inner"]
    if (
        host == "127.0.0.1"
    ):  # Of a frame of another process the outer document hears nothing: Chromium leaves its hover.
        assert [said["hover"] for said in use.said.values()] == [["outer"], ["frame"], ["outer"]]
        assert inner["back"] == []
    replay = use.holds(reel, open_replay)
    inside = "doc.getElementById('frame').contentDocument"
    for name, hovered in inner.items():
        replay.seek({"mark": name})
        assert found(replay, "hover", inside) == hovered, name


def test_what_was_dragged_is_not_pressed_any_more(recorded: Callable[..., Path], open_replay: Open) -> None:
    html = "<p id=from draggable=true>drag</p><p id=to ondragover='event.preventDefault()'>drop</p>"

    def down(page: Page) -> None:
        page.mouse.move(50, 20)
        page.mouse.down()

    def drop(page: Page) -> None:
        page.mouse.move(50, 50)
        page.mouse.move(50, 60)
        page.mouse.up()

    use = Use(("down", down), ("dropped", drop), ("later", lambda page: page.wait_for_timeout(300)))
    reel = recorded(STYLE + html, use)
    assert use.said["down"]["active"] == ["from"] and use.said["later"]["active"] == []
    use.holds(reel, open_replay)


def test_what_something_was_dropped_on_is_pressed_until_the_pointer_moves(
    recorded: Callable[..., Path], open_replay: Open
) -> None:
    html = """<style>#to:active { background: yellow } body:active { border: 5px solid purple }</style><p id=one draggable=true>one</p><p id=two draggable=true>two</p>
        <div id=to style='height:90px' ondragover='event.preventDefault()' ondrop='event.preventDefault(); if (window.moves) this.append(two)'>drop</div>"""

    def drop(page: Page, what: str) -> None:
        page.drag_and_drop(what, "#to")
        page.screenshot()  # With the next frame Chromium asks what the pointer is over.
        page.wait_for_timeout(300)

    use = Use(
        ("dropped", lambda page: drop(page, "#one")),
        ("away", lambda page: (page.mouse.move(700, 500), page.wait_for_timeout(200))),
        ("moved", lambda page: (page.evaluate("window.moves = true"), drop(page, "#two"))),
    )
    reel = recorded(STYLE + html, use)
    assert use.said["dropped"]["active"] == ["to"] and use.said["away"]["active"] == []
    use.holds(reel, open_replay)


def test_keys_and_labels_press_too(recorded: Callable[..., Path], open_replay: Open) -> None:
    html = (
        "<button id=key>key</button><label id=label for=box>for</label><input id=box type=checkbox><p id=away>away</p>"
    )

    def space(page: Page) -> None:
        page.focus("#key")
        page.keyboard.down("Space")
        page.wait_for_timeout(60)

    def label(page: Page) -> None:
        page.hover("#label")
        page.mouse.down()

    def gone(page: Page) -> None:
        page.mouse.up()
        page.evaluate("key.remove()")
        page.wait_for_timeout(300)

    use = Use(
        ("space", space),
        ("up", lambda page: (page.keyboard.up("Space"), page.wait_for_timeout(60))),
        ("label", label),
        ("gone", gone),
    )
    reel = recorded(STYLE + html, use)
    assert use.said["space"]["active"] == ["key"] and use.said["label"]["hover"] == ["label", "box"]
    use.holds(reel, open_replay)


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_moves_within_a_shadow_tree(recorded: Callable[..., Path], open_replay: Open, mode: str) -> None:
    rows = "".join(f"<p id=row{i} part=row>row</p>" for i in range(4))
    style = "<style>*{margin:0} p{height:40px} p:hover{--hover:1}</style>"
    html = f"{STYLE}<x-a id=host style='height:200px'><template shadowrootmode={mode}>{style}{rows}</template></x-a>"
    marks: list[str] = []

    def act(page: Page, session: Session) -> None:
        page.wait_for_timeout(600)
        for row in (0, 2, 3):
            page.mouse.move(50, 20 + 40 * row)
            page.wait_for_timeout(60)
            session.mark(f"row{row}")
            marks.append(f"row{row}")

    reel = recorded(html, act)
    replay = open_replay(reel)
    for name in marks:
        replay.reopen(f"#mark={name}")
        # A closed root is opened by nobody: what it shows is looked at from the place.
        row = 20 + 40 * int(name[-1])
        assert found(replay, "hover") == ["host"]
        if mode == "open":
            assert found(replay, "hover", "doc.getElementById('host').shadowRoot") == [name], row


def test_the_target_is_what_the_browser_says(recorded: Callable[..., Path], open_replay: Open) -> None:
    html = "<p id=one>one</p><a id=named name=two>two</a><p id=three>three</p>"
    use = Use(
        ("fragment", lambda page: page.evaluate("location.hash = 'one'")),
        ("pushed", lambda page: page.evaluate("history.pushState(null, '', '/other')")),
        ("pushed-fragment", lambda page: page.evaluate("history.pushState(null, '', '#three')")),
        ("named", lambda page: page.evaluate("location.hash = 'two'")),
        ("replaced", lambda page: page.evaluate("history.replaceState(null, '', '#one')")),
        ("removed", lambda page: page.evaluate("named.remove()")),
    )
    reel = recorded(STYLE + html, use)
    assert [said["target"] for said in use.said.values()][:5] == [["one"], ["one"], ["one"], ["named"], ["named"]]
    use.holds(reel, open_replay)


def test_the_target_of_an_address_that_names_a_text_is_where_the_text_was_found(
    recorded: Callable[..., Path], open_replay: Open
) -> None:
    def load(fragment: str) -> Callable[[Page], Any]:
        def go(page: Page) -> None:
            page.goto("about:blank")
            page.goto(f"{start}{fragment}")
            page.wait_for_function("document.querySelector(':target')")

        return go

    start = ""

    def drive(page: Page, session: Session) -> None:
        nonlocal start
        start = page.url
        use(page, session)

    use = Use(("text", load("#:~:text=second")), ("both", load("#one:~:text=second")), pointer=False)
    reel = recorded(STYLE + "<p id=one>first</p><p id=two>second</p>", drive)
    assert [said["target"] for said in use.said.values()] == [["two"], ["two"]]
    with open_reel(reel) as read:
        assert [event["what"] for event in read.events() if event["k"] == "unsupported"] == ["text fragment"] * 2
    use.holds(reel, open_replay)


def test_a_target_is_none_any_more_when_the_address_has_none(recorded: Callable[..., Path], open_replay: Open) -> None:
    use = Use(
        ("fragment", lambda page: page.evaluate("location.hash = 'one'")),
        ("back", lambda page: page.go_back()),
        ("forward", lambda page: page.go_forward()),
        ("emptied", lambda page: page.evaluate("location.hash = ''")),
        ("again", lambda page: page.evaluate("location.hash = 'two'")),
        ("elsewhere", lambda page: page.evaluate("location.hash = 'nowhere'")),
        pointer=False,
    )
    reel = recorded(STYLE + "<p id=one>one</p><p id=two>two</p>", use)
    assert [said["target"] for said in use.said.values()] == [["one"], [], ["one"], [], ["two"], []]
    use.holds(reel, open_replay)


def test_a_target_that_was_there_before_the_recording(
    browser: Any, site: Site, tmp_path: Path, open_replay: Open
) -> None:
    from pagereel.recorder import record

    url = site.html("/before", f"{STYLE}<p id=one>one</p><p id=two>two</p>")
    context = browser.new_context(viewport={"width": 800, "height": 600})
    page = context.new_page()
    page.goto(f"{url}#two")
    page.mouse.move(50, 20)
    page.evaluate("history.pushState(null, '', '/elsewhere')")
    with record(context, tmp_path / "late.reel") as session:
        page.wait_for_timeout(200)
        session.mark("late")
    assert live(page, "target") == ["two"] and live(page, "hover") == ["one"]
    context.close()
    replay = open_replay(tmp_path / "late.reel", "#mark=late")
    assert found(replay, "target") == ["two"] and found(replay, "hover") == ["one"]
