"""Addresses survive: a form's value that is one of the site's own addresses takes no other address with it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from pagereel.player_build import build
from pagereel.redaction import redact
from pagereel.redaction.content.site_addresses import find_broken_addresses, is_site_address
from pagereel.redaction.content.urls import is_data_segment, mask_url
from pagereel.reel import open_reel
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker

SITE = "https://shop.example"
SHEET = "p { color: teal }"


def events(path: Path, kind: str) -> list[dict[str, Any]]:
    with open_reel(path) as reel:
        return [dict(e) for e in reel.events() if e.get("k") == kind]


def django(path: Path, *fields: Any, post: str | None = None) -> Path:
    """An admin whose login has the way back in its form, and whose style sheets begin as that does."""
    m = Maker(path)
    m.body(*fields, ["link", {"rel": "stylesheet", "href": "/admin/static/css/base.css"}], ["p", {}, "Sign in"])
    sha = m.resource("text/css", SHEET)
    headers = {"content-type": "application/x-www-form-urlencoded"}
    sent = {"post": m.resource("application/x-www-form-urlencoded", post)} if post else {}
    m.put(
        "request",
        id="1",
        page=1,
        d=1,
        method="GET",
        type="stylesheet",
        headers={},
        url=f"{SITE}/admin/static/css/base.css",
    )
    m.put("response", id="1", status=200, end=m.t, size=1, mime="text/css", headers={}, body=sha)
    m.put(
        "request",
        id="2",
        page=1,
        d=1,
        method="POST",
        type="document",
        headers=headers,
        url=f"{SITE}/admin/?next=/admin/users/",
        **sent,
    )
    m.put("document", d=2, page=1, frame="F", url=f"{SITE}/admin/users/7/edit", top=True, viewport={"w": 800, "h": 600, "dpr": 1}, mode="CSS1Compat", title="Users")  # fmt: skip
    return m.done()


FORMS: dict[str, tuple[Any, ...]] = {
    "hidden": (["input", {"type": "hidden", "name": "next", "value": "/admin/"}],),
    "hidden, deeper": (["input", {"type": "hidden", "name": "return_to", "value": "/admin/static/css/"}],),
    "visible": (["input", {"name": "link", "value": "/admin/users/"}],),
    "absolute": (["input", {"type": "hidden", "name": "_wp_http_referer", "value": f"{SITE}/admin/users/?page=2"}],),
    "in a text area": (["textarea", {"name": "url"}, "/admin/"],),
    "with a query": (["input", {"type": "hidden", "name": "back", "value": "/admin/users/?next=/admin/static/"}],),
}


@pytest.mark.parametrize("kind", FORMS)
def test_a_value_that_is_an_address_of_the_site_leaves_the_others_whole(kind: str, tmp_path: Path) -> None:
    reel = django(tmp_path / "a.reel", *FORMS[kind], post="next=%2Fadmin%2F&user=ombrellix")
    report = redact(reel, tmp_path / "b.reel")
    assert report.lost == {}
    assert events(tmp_path / "b.reel", "request")[0]["url"] == f"{SITE}/admin/static/css/base.css"
    assert "ombrellix" not in text_of(tmp_path / "b.reel").lower()
    assert "next=%2Fadmin%2F" in text_of(tmp_path / "b.reel")
    assert build(reel, tmp_path / "a.html").missing == []


def test_what_is_no_part_of_the_sites_addresses_is_masked_in_an_address_too(tmp_path: Path) -> None:
    fields = (
        ["input", {"type": "hidden", "name": "next", "value": "/admin/kesselerberg/?who=ostenorworth&x=Zweihander"}],
        ["input", {"type": "hidden", "name": "token", "value": "/9j/Kx81hsQpA0s"}],
        ["input", {"name": "path", "value": "/home/tamsinor/letters"}],
        ["p", {}, "Seen by kesselerberg and ostenorworth at /home/tamsinor/letters"],
    )
    redact(django(tmp_path / "a.reel", *fields), tmp_path / "b.reel")
    shown = text_of(tmp_path / "b.reel").lower()
    assert [name for name in ("kesselerberg", "ostenorworth", "zweihander", "kx81", "tamsinor") if name in shown] == []
    assert "/admin/" in shown


def test_what_a_person_typed_is_masked_whole(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["input", {"name": "where"}], ["a", {"href": "/admin/"}, "Admin"])
    m.ops(["value", 5, "/admin/Ostenor"])
    redact(m.done(), tmp_path / "b.reel")
    assert "ostenor" not in text_of(tmp_path / "b.reel").lower()


def test_an_address_of_the_site_begins_as_others_do() -> None:
    hosts, known = {"shop.example"}, {"admin"}
    for text in ("/", "/admin", "/admin/x?y=1#z", "https://shop.example/admin/", "../admin/", "https://shop.example"):
        assert is_site_address(text, hosts, known), text
    for text in (
        "/9j/4AAQSk",
        "//evil.example/admin",
        "/ad min/",
        "https://evil.example/admin/",
        "admin/",
        "",
        "/\\admin",
    ):
        assert not is_site_address(text, hosts, known), text


def test_an_address_that_leads_nowhere_after_masking_is_told() -> None:
    sheet, font = f"{SITE}/static/base.css", f"{SITE}/static/a.woff2"
    same = {
        sheet: sheet,
        font: font,
        "a.woff2": "a.woff2",
        "/static/base.css": "/static/base.css",
        f"{SITE}/": f"{SITE}/",
    }
    shown = [f"{SITE}/", sheet]
    assert find_broken_addresses(same, [sheet, font], shown) == {}
    assert find_broken_addresses({**same, "/static/base.css": "/mask/base.css"}, [sheet, font], shown) == {sheet: sheet}
    assert find_broken_addresses({**same, "a.woff2": "b.woff2"}, [sheet, font], shown) == {font: font}
    assert find_broken_addresses({**same, f"{SITE}/": "https://[masked"}, [sheet, font], shown) == {
        f"{SITE}/": "https://[masked",
        sheet: sheet,
    }
    assert find_broken_addresses({**same, f"{SITE}/": "https://other.example/"}, [sheet, font], shown) == {sheet: sheet}


def test_a_fragment_that_names_an_element_is_masked_as_its_name_is(tmp_path: Path) -> None:
    sprite = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'><defs><g id='clear-all'/><linearGradient id='skyward'/></defs><use xlink:href='#clear-all' fill='url(#skyward)'/></svg>"  # fmt: skip
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["a", {"href": "#firing-log"}, "below"],
        ["a", {"href": "/book#firing-log"}, "there"],
        ["a", {"href": "#Ostenworth"}, "nowhere"],
        ["h2", {"id": "firing-log"}, "Firing log"],
        ["p", {}, "the firing-log and clear-all stay"],
        ["a", {"href": "#anna.ostenworth@mill.example"}, "hers"],
        ["b", {"id": "anna.ostenworth@mill.example"}, "x"],
    )
    m.put("request", id="1", page=1, d=1, method="GET", type="image", headers={}, url=f"{SITE}/icons.svg")
    m.put("response", id="1", status=200, end=m.t, size=1, mime="image/svg+xml", headers={}, body=m.resource("image/svg+xml", sprite))  # fmt: skip
    m.done()
    redact(tmp_path / "a.reel", tmp_path / "b.reel")
    shown = text_of(tmp_path / "b.reel")
    for kept in ('"#firing-log"', "/book#firing-log", '"#clear-all\\"', "the firing-log and clear-all stay"):
        assert kept in shown, kept
    gradient = re.search(r'linearGradient id=\\"(\w+)', shown)
    assert gradient is not None and f"url(#{gradient[1]})" in shown
    assert "Ostenworth" not in shown and "ostenworth" not in shown
    with open_reel(tmp_path / "b.reel") as reel:
        tree = str([e for e in reel.events() if e["k"] == "snapshot"])
    name = re.search(r"'id': '([^']*example[^']*)'", tree)
    assert name is not None and f"'#{quote(name[1], safe='')}'" in tree


def test_a_segment_of_mixed_letters_is_a_token_with_one_digit_as_well() -> None:
    assert all(map(is_data_segment, ["gckFBGAGczMCrwadaauqfkfuJiC2", "gckFBGAGczMCrwadaauqfkfuJiCx"]))
    assert not any(
        map(is_data_segment, ["UserAccountSettings2", "UserAccountSettings", "getting-started-with-reports"])
    )


def test_an_address_in_a_text_is_masked_by_its_segments_as_the_same_address_elsewhere_is(tmp_path: Path) -> None:
    m = Maker(tmp_path / "raw.reel")
    m.body(["p", {}, "Desk"])
    m.put("console", page=1, level="error", text=f"Failed to load ('{SITE}/sw-yasmin-mulkthormova.js'): 404")
    redact(m.done(), tmp_path / "masked.reel")
    (said,) = (e["text"] for e in events(tmp_path / "masked.reel", "console"))
    assert (
        "mulkthormova" not in said and said.startswith(f"Failed to load ('{SITE}/sw-") and said.endswith(".js'): 404")
    )


@pytest.mark.parametrize(("path", "told"), [("/who/b/r/a/n/t/v/e/l/d/end", True), ("/a/b/c/d/e/f/g/h", False), ("/3/f/a/9/c/1/b/7", False), ("/a/b/c/x", False)])  # fmt: skip
def test_a_word_of_a_letter_a_segment_is_one_word(path: str, told: bool) -> None:
    asked: list[str] = []
    masked = mask_url(path, lambda piece, what: asked.append(piece) or "x" if what == "parameter " else piece)
    assert (masked != path) is told and asked == (["brantveld"] if told else [])
