"""Which bytes an address stands for, and how they are laid into the file."""

from __future__ import annotations

from pagereel.player_build.resources import PACK_BYTES, ResourceCatalogue, ResourcePacker
from pagereel.reel import Event, parse_srcset, to_absolute_address


def answered(t: float, page: int, url: str, body: str, status: int = 200) -> list[Event]:
    key = f"{t}{page}{url}"
    return [
        {"k": "request", "t": t, "id": key, "page": page, "url": url},
        {"k": "response", "t": t, "id": key, "status": status, "body": body},
        {"k": "resource", "t": t, "sha256": body, "mime": "text/css", "size": 1, "text": body},
    ]


def test_the_latest_by_then_else_the_first_after_else_another_pages() -> None:
    catalogue = ResourceCatalogue.from_events(
        [
            *answered(10, 1, "https://h/a.css", "old"),
            *answered(50, 1, "https://h/a.css", "new"),
            *answered(20, 2, "https://h/b.css", "elsewhere"),
            *answered(5, 1, "https://h/c.css", "an error page", 404),
        ]
    )
    assert catalogue.find_body(1, "https://h/a.css", 30) == "old"
    assert catalogue.find_body(1, "https://h/a.css#part", 50) == "new"
    assert catalogue.find_body(1, "https://h/a.css", 0) == "old"
    assert catalogue.find_body(1, "https://h/b.css", 0) == "elsewhere"
    assert catalogue.find_body(1, "https://h/c.css", 10) is None
    assert catalogue.has_failed_request("https://h/c.css")


def test_a_picture_shows_whatever_its_status_says() -> None:
    events = answered(5, 1, "https://h/missing.png", "drawn", 404)
    catalogue = ResourceCatalogue.from_events([*events[:2], {**events[2], "mime": "image/png"}])
    assert catalogue.find_body(1, "https://h/missing.png", 10) == "drawn"


def test_an_alias_is_an_answer() -> None:
    blob = "blob:https://h/1-2"
    catalogue = ResourceCatalogue.from_events(
        [
            {"k": "alias", "t": 1, "page": 1, "url": blob, "body": "s"},
            {"k": "resource", "t": 1, "sha256": "s", "mime": "image/png", "size": 1, "base64": "AA=="},
        ]
    )
    assert catalogue.find_body(1, to_absolute_address("https://h/", blob), 9) == "s"
    assert catalogue.bodies["s"].data == b"\0"


def test_addresses_are_written_as_the_network_writes_them() -> None:
    assert to_absolute_address("https://h/a/b.html", " ../c d.png ") == "https://h/c%20d.png"
    assert to_absolute_address("https://h/", "é.png?x=1&y=%20#f") == "https://h/%C3%A9.png?x=1&y=%20#f"
    assert to_absolute_address("https://h/", "data:,a b") == "data:,a b"
    assert to_absolute_address("https://h/", "http://[broken") == "http://[broken"


def test_small_resources_share_a_pack_and_the_same_one_is_kept_once() -> None:
    packer = ResourcePacker()
    first = packer.number_resource("a", "image/png", b"a" * 10)
    assert packer.number_resource("a", "image/png", b"a" * 10) == first
    packer.number_resource("b", "image/png", b"b" * PACK_BYTES)
    packer.number_resource("c", "image/png", b"c")
    packs = list(packer.iter_packs())
    assert [len(pack) for pack in packs] == [10, PACK_BYTES, 1]
    for number, char in enumerate(b"abc"):
        where = packer.resources[number]
        assert set(packs[where.pack][where.offset : where.offset + where.length]) == {char}


def test_srcset() -> None:
    assert parse_srcset("a.png, b.png 2x,c.png 640w") == [("a.png", ""), ("b.png", "2x"), ("c.png", "640w")]
    assert parse_srcset("data:image/png;base64,AA== 1x, b 2x") == [("data:image/png;base64,AA==", "1x"), ("b", "2x")]
    assert parse_srcset(" , ") == []
