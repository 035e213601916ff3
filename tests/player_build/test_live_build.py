"""A recording is made ready for viewers while it is made: parts that go on from each other, and a beginning that holds nothing from before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from pagereel.player_build import LiveBuild, render_live_page
from pagereel.reel import Event, PageModel, open_reel

from ..redaction.reels import Maker

More = Callable[[], list[Event]]


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return Maker(tmp_path / "run.reel", title="A run")


@pytest.fixture
def more(maker: Maker) -> Iterator[More]:
    """What was written since the last call."""
    with open_reel(maker.path) as reel:

        def found() -> list[Event]:
            maker.writer.flush()
            return reel.read_new_events()

        yield found


def told(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(data)
    return found


def shown(parts: list[dict[str, Any]]) -> str:
    """The digest of the page after these parts, without the builder's own ops."""
    model = PageModel()
    for part in parts:
        for number, event in enumerate(part["page"]):
            ops = [op for op in event.get("ops", []) if op[0] not in ("shown", "css", "mode")]
            model.apply(
                {
                    **event,
                    **({"ops": ops} if "ops" in event else {}),
                    **({} if "n" in event else {"n": 10_000 + number}),
                }
            )
    return model.documents[1].compute_digest()[0]


def test_who_comes_late_begins_with_the_page_as_it_is_and_goes_on_with_everybody(maker: Maker, more: More) -> None:
    maker.put("step", id=1, title="An earlier step")
    maker.put("step_end", id=1, success=True)
    maker.put("step", id=2, title="The step under way")
    maker.put("console", page=1, level="log", text="a canary in the console")
    maker.body(["p", {}, "a canary on the page"], ["p", {}, "what stays"])
    maker.ops(["text", 6, "what shows now"])
    maker.page("pointer", points=[[0, 5, 5]], type="mouse")
    growing = LiveBuild({"k": "reel", "t": 0, "title": "A run"}, {"policy": "strict"})
    first = growing.add_events(more())
    late = told(growing.build_first_part().data)
    maker.ops(["text", 8, "and later"])
    part = growing.add_events(more())
    assert first is not None and part is not None
    assert b"canary" in first.data and b"canary" not in orjson.dumps(late)
    assert (late["title"], late["info"]["redaction"], late["begin"]) == ("A run", {"policy": "strict"}, True)
    assert [(event["k"], event["title"]) for event in late["run"]] == [("step", "The step under way")]
    assert {event["t"] for event in late["page"]} == {late["t"]}
    assert (
        shown([late, told(part.data)])
        == shown([told(first.data), told(part.data)])
        == maker.model.documents[1].compute_digest()[0]
    )


def test_what_a_page_names_before_its_bytes_are_there_is_dressed_when_they_come(maker: Maker, more: More) -> None:
    maker.body(["link", {"rel": "stylesheet", "href": "/a.css"}], ["img", {"src": "/b.png"}])
    maker.put("request", id="a", page=1, method="GET", url="https://shop.example/a.css", type="stylesheet", headers={})
    maker.put("request", id="b", page=1, method="GET", url="https://shop.example/b.png", type="image", headers={})
    maker.put("request", id="c", page=1, method="GET", url="https://shop.example/c.png", type="image", headers={})
    growing = LiveBuild({"k": "reel", "t": 0})
    part = growing.add_events(more())
    assert part is not None and part.needs == ()
    sheet = maker.resource("text/css", "p { background: url(c.png) }")
    maker.put("response", id="a", status=200, headers={}, end=1, size=3, mime="text/css", body=sheet)
    maker.put("response", id="b", status=404, headers={}, end=1, size=3)
    part = growing.add_events(more())
    assert part is not None
    (dressed, broken) = [event for event in told(part.data)["page"] if event["k"] == "mutation"]
    (number,) = part.needs
    assert dressed["ops"] == [["shown", 5, {"href": f"pagereel:{number}"}]]
    assert growing.read_resource(number)[0] == "text/css" and b"c.png" not in growing.read_resource(number)[1]
    assert broken["ops"] == [["shown", 6, {"src": "data:,x"}]], "as the page has it that got nothing"
    picture = maker.resource("image/png", b"\x89PNG a picture")
    maker.put("response", id="c", status=200, headers={}, end=1, size=3, mime="image/png", body=picture)
    part = growing.add_events(more())
    assert part is not None
    inner, outer = part.needs
    assert growing.read_resource(inner) == ("image/png", b"\x89PNG a picture"), "what a sheet names stands before it"
    assert f"pagereel:{inner}".encode() in growing.read_resource(outer)[1]
    assert growing.build_first_part().needs == (inner, outer)


def test_the_end_is_told_and_documents_that_are_gone_are_forgotten(maker: Maker, more: More) -> None:
    maker.body(["p", {}, "first"])
    growing = LiveBuild({"k": "reel", "t": 0})
    growing.add_events(more())
    page: list[Event] = []
    for d in range(2, 60):
        page.append({"k": "unload", "t": d * 10.0, "d": d - 1, "n": 5})
        page.append({"k": "document", "t": d * 10.0, "d": d, "page": 1, "frame": "F", "url": "https://shop.example/", "top": True, "mode": "CSS1Compat",
                     "viewport": {"w": 1, "h": 1, "dpr": 1}})  # fmt: skip
        page.append(
            {
                "k": "snapshot",
                "t": d * 10.0,
                "d": d,
                "n": 0,
                "why": "start",
                "ops": [["doc", 1, ["#document", {}, ["html", {}]]]],
            }
        )
    growing.add_events(page)
    assert len(growing._pages.model.documents) == 1
    part = growing.add_events([{"k": "end", "t": 9_000.0, "reason": "closed", "events": 1}])
    assert part is not None and growing.ended
    said = told(part.data)
    assert said["end"] is True and said["info"]["end"] == 9_000 and said["idle"] == []


def test_the_page_that_shows_it_may_ask_one_address_and_holds_nothing() -> None:
    page = render_live_page("http://127.0.0.1:1/replay/x/live", "http://127.0.0.1:1/replay/x/live").decode()
    assert "; connect-src http://127.0.0.1:1/replay/x/live; " in page and "default-src &#39;none&#39;" in page
    assert 'id="pagereel-index"' in page and 'id="pagereel-chunk' not in page
