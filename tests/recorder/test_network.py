"""Requests, responses and the bodies that a replay needs."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext

from pagereel.errors import UsageError
from pagereel.recorder import record
from pagereel.reel import new_key_pair

from .support import Recorded, Site

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6260606060000000050001"
    "0d0a2db40000000049454e44ae426082"
)


def exchange(recorded: Recorded, url: str, index: int = 0) -> tuple[dict[str, Any], dict[str, Any]]:
    request = recorded.of("request", url=url)[index]
    return request, recorded.one("response", id=request["id"])


def body(recorded: Recorded, url: str) -> dict[str, Any]:
    return recorded.one("resource", sha256=exchange(recorded, url)[1]["body"])


def test_bodies_are_kept_over_a_navigation(context: BrowserContext, site: Site, reel: Path) -> None:
    image = site.put("/pixel.png", "image/png", PIXEL)
    style = site.put("/style.css", "text/css", "p { color: red }")
    answer = site.put("/answer", "application/json; charset=utf-8", '{"name": "Zoë"}')
    script = site.put("/script.js", "text/javascript", "fetch('/answer').then(r => r.json())")
    first = site.html(
        "/first", "<link rel=stylesheet href=/style.css><img src=/pixel.png><script src=/script.js></script>"
    )
    second = site.html("/second", "<p>second</p>")
    with record(context, reel):
        page = context.new_page()
        with page.expect_response(answer) as response:
            page.goto(first)
        response.value.finished()  # an answer that the navigation cuts off has no body to keep
        page.goto(second)
    recorded = Recorded(reel)
    recorded.whole()
    assert body(recorded, image)["mime"] == "image/png" and body(recorded, image)["size"] == len(PIXEL)
    assert body(recorded, style)["text"] == "p { color: red }"
    assert body(recorded, answer)["text"] == '{"name": "Zoë"}'
    assert "second" in body(recorded, second)["text"]
    request, response = exchange(recorded, script)
    assert "body" not in response and response["why"] == "policy"
    assert request["type"] == "script" and response["status"] == 200 and response["mime"] == "text/javascript"
    request, response = exchange(recorded, first)
    assert request["type"] == "document" and request["method"] == "GET" and "User-Agent" in request["headers"]
    assert request["t"] <= response["t"] <= response["end"] and response["size"] > 0
    assert "wait" in response["timing"]
    fetch = recorded.one("request", url=answer)
    assert fetch["d"] == recorded.document(first)["d"]


def test_the_same_bytes_are_written_once(context: BrowserContext, site: Site, reel: Path) -> None:
    one = site.put("/one.css", "text/css", "b { color: blue }")
    two = site.put("/two.css", "text/css", "b { color: blue }")
    url = site.html("/twice", "<link rel=stylesheet href=/one.css><link rel=stylesheet href=/two.css>")
    with record(context, reel):
        page = context.new_page()
        for _ in range(3):
            page.goto(url)
    recorded = Recorded(reel)
    recorded.whole()
    assert exchange(recorded, one)[1]["body"] == exchange(recorded, two)[1]["body"]
    digests = [r["sha256"] for r in recorded.of("resource")]
    assert len(digests) == len(set(digests))
    assert len(recorded.of("request", url=url)) == 3


@pytest.mark.parametrize(
    ("option", "capped"), [("fetch_limit", "/big.json"), ("resource_limit", "/big.css"), ("resource_total", "/big.css")]
)
def test_caps_are_kept_and_said(context: BrowserContext, site: Site, reel: Path, option: str, capped: str) -> None:
    site.put("/big.css", "text/css", "i { color: red } " * 1000)
    site.put("/big.json", "application/json", '"' + "x" * 9000 + '"')
    url = site.html("/big", "<link rel=stylesheet href=/big.css><script>fetch('/big.json')</script>")
    with record(context, reel, **{option: 5000}):
        page = context.new_page()
        page.goto(url, wait_until="networkidle")
    recorded = Recorded(reel)
    recorded.whole()
    _, response = exchange(recorded, site.url(capped))
    assert response["why"] == "cap" and "body" not in response and response["status"] == 200


@pytest.mark.parametrize("transport", ["cdp", "binding"])
def test_a_request_ends_when_its_page_leaves(
    context: BrowserContext, site: Site, reel: Path, transport: Literal["cdp", "binding"]
) -> None:
    answered = threading.Event()
    site.put("/held", "text/plain", lambda: b"late" if answered.wait(60) else b"")
    url, other = site.html("/leaves", "<p>here</p>"), site.html("/other", "<p>there</p>")
    asks = "name => { fetch(`/held?${name}`).catch(() => 0); return new Promise(requestAnimationFrame) }"
    with record(context, reel, transport=transport) as session:
        page = context.new_page()
        for name, there in (("reloaded", url), ("left", other.replace("127.0.0.1", "localhost"))):
            page.goto(url)
            with page.expect_request(f"**/held?{name}"):
                page.evaluate(asks, name)
            page.goto(there)
        page.goto(url)
        page.evaluate("document.body.innerHTML = '<iframe src=/other></iframe>'")
        page.frame_locator("iframe").locator("p").wait_for()
        with page.expect_request("**/held?framed"):
            page.frames[1].evaluate(asks, "framed")
        page.evaluate("document.querySelector('iframe').remove()")
        with page.expect_request("**/held?closed"):
            page.evaluate(asks, "closed")
        page.close()
        session.mark("all left")
        last = context.new_page()
        last.goto(url)
        with last.expect_request("**/held?stays"):
            last.evaluate(asks, "stays")
    answered.set()
    recorded = Recorded(reel)
    recorded.whole_events()
    left = recorded.one("mark")["t"]
    for name in ("reloaded", "left", "framed", "closed"):
        request, response = exchange(recorded, site.url(f"/held?{name}"))
        assert response["error"] in ("net::ERR_ABORTED", "cancelled") and response["status"] == 0, name
        assert request["t"] <= response["end"] <= left, name
    assert exchange(recorded, site.url("/held?stays"))[1]["why"] == "unfinished"


def test_post_data_failures_and_redirects_are_recorded(context: BrowserContext, site: Site, reel: Path) -> None:
    site.html("/ok", "ok")
    url = site.html("/net", "<p>net</p>")
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        page.evaluate("fetch('/ok', { method: 'POST', body: 'a=1', headers: { 'content-type': 'x/y' } })")
        page.evaluate("fetch('http://127.0.0.1:9/refused').catch(() => 0)")
        page.evaluate("fetch('/nosuch')")
    recorded = Recorded(reel)
    recorded.whole()
    request, _ = exchange(recorded, site.url("/ok"))
    assert request["method"] == "POST" and recorded.one("resource", sha256=request["post"])["size"] == 3
    assert exchange(recorded, site.url("/nosuch"))[1]["status"] == 404
    request, response = exchange(recorded, "http://127.0.0.1:9/refused")
    assert response["error"] and response["status"] == 0


def test_bodies_can_be_switched_off(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/nobodies", "<p>none</p>")
    with record(context, reel, bodies=False):
        context.new_page().goto(url)
    recorded = Recorded(reel)
    recorded.whole()
    assert not recorded.of("resource") and exchange(recorded, url)[1]["why"] == "policy"


def test_downloads_and_console_are_recorded(context: BrowserContext, site: Site, reel: Path) -> None:
    site.put("/file.bin", "application/octet-stream", b"\0\1\2")
    url = site.html(
        "/dl", "<a href=/file.bin download=mine.bin>get</a><script>console.error('a', {b: [1]}, null)</script>"
    )
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        with page.expect_download() as download:
            page.click("a")
        assert download.value.suggested_filename == "mine.bin"
    recorded = Recorded(reel)
    recorded.whole()
    assert recorded.one("download")["filename"] == "mine.bin"
    console = recorded.one("console", level="error")
    assert console["text"].startswith("a {b: ") and console["text"].endswith(" null") and console["line"] == 1


def test_recordings_of_one_folder_keep_what_they_have_in_common_once(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    site.put("/common.css", "text/css", "p { color: rgb(1, 2, 3) }\n" * 400)
    url = site.html("/common", "<link rel=stylesheet href=/common.css><p>one")
    alone, first, second = (tmp_path / name for name in ("alone/run.reel", "together/run.reel", "together/again.reel"))
    for reel in (alone, first, second):
        reel.parent.mkdir(exist_ok=True)
        context = browser.new_context()
        with record(context, reel, share_resources=reel is not alone):
            context.new_page().goto(url)
        context.close()
    sheets = [Recorded(reel).one("resource", mime="text/css") for reel in (alone, first, second)]
    assert len({(sheet["sha256"], sheet["text"]) for sheet in sheets}) == 1
    assert len(list((first.parent / "resources").glob("??/*"))) == 1
    with pytest.raises(UsageError, match="cannot share resources"):
        record(browser, tmp_path / "x.reel", share_resources=True, encrypt_to=new_key_pair()[1])
