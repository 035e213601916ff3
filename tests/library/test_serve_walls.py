"""What a served library refuses: other hosts and origins, guessed tokens, paths that leave the folder, bodies that are no recording."""

from __future__ import annotations

import gzip
import html
import random
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import pytest

pytest.importorskip("starlette")

from .runs import made
from .server import HOSTILE, Served, filled, served, tokens


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("walls")
    (folder / "secret.txt").write_text("outside of the library")
    with served(
        filled(folder / "runs", folder), "--tokens", str(tokens(folder / "tokens.toml")), "--max-upload", "1"
    ) as running:
        for role in ("reader", "writer", "raw", "admin"):
            running.get("/api/v1/stats", role)  # From here on this address is known to have these.
        yield running


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80", ""])
def test_another_host_is_refused(site: Served, host: str) -> None:
    for path in ("/", "/api/v1/runs", "/pages.css", "/login", "/nothing"):
        answer = site.get(path, Host=host)
        assert answer.status in (400, 403)
        assert b"checkout-bot" not in answer.body


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    ],
    ids=str,
)
def test_another_origin_is_refused(site: Served, headers: dict[str, str]) -> None:
    for method, path in (
        ("GET", "/api/v1/runs"),
        ("POST", "/api/v1/runs"),
        ("POST", "/runs/run-0000/delete"),
        ("DELETE", "/api/v1/runs/run-0000"),
    ):
        assert site.ask(method, path, "admin", **headers).status == 403
    assert site.get("/api/v1/runs/run-0000").status == 200
    assert site.get("/api/v1/runs", Origin=f"http://{site.pages}").status == 200


def test_the_replays_origin_may_not_ask_the_pages(site: Served) -> None:
    page = site.get("/runs/run-0000").text
    origin = page.split('<iframe name="replay" src="')[1].split("/replay/")[0]
    assert site.get("/api/v1/runs", Origin=origin).status == 403


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt", "/runs/../../secret.txt", "/runs/..%2f..%2fsecret.txt", "/api/v1/runs/..%2F..%2Fsecret.txt", "/api/v1/runs/%2e%2e/replay.html",
        "/api/v1/runs/run-0000%00/steps", "//evil.example/", "/pages.css/../library.log", "/library.log", "/runs/" + "a" * 5_000, "/replay/..%2Flibrary.log",
    ],
)  # fmt: skip
def test_a_path_leads_out_of_nothing(site: Served, path: str) -> None:
    answer = site.get(path)
    assert answer.status in (400, 404)
    assert b"outside of the library" not in answer.body
    assert b"prev" not in answer.body


@pytest.mark.parametrize("path", ["/runs?limit=x", "/runs?limit=nan", "/runs?cursor=%FF", "/runs?cursor=a", "/search?q=%22", "/search?q=a:b", "/search?q=" + "a" * 3_000,
                                  "/runs/run-0000/steps?grep=(", "/runs/run-0000/text?at=never", "/compare?a=run-0000"])  # fmt: skip
def test_a_question_that_cannot_be_read_is_400(site: Served, path: str) -> None:
    answer = site.get(f"/api/v1{path}")
    assert answer.status == 400, answer.text
    assert answer.json()["error"]


UPLOADS = (
    "empty",
    "noise",
    "text",
    "hostile HTML",
    "zeros",
    "half a zip",
    "a bomb",
    "deep JSON",
    "too large",
    "a header alone",
)


def uploads(folder: Path) -> dict[str, tuple[bytes, int]]:
    whole = made(folder / "whole.reel", "Thank you", id="run-whole").read_bytes()
    rng = random.Random(17)
    noise = bytes(rng.randrange(256) for _ in range(20_000))
    return {
        "empty": (b"", 422), "noise": (noise, 422), "text": (b"hello", 422), "hostile HTML": (HOSTILE.encode(), 422), "zeros": (bytes(100_000), 422),
        "half a zip": (b"PK\x03\x04" + noise, 422), "a bomb": (gzip.compress(bytes(50_000_000)), 422), "deep JSON": (b"[" * 200_000, 422),
        "too large": (bytes((1 << 20) + 1), 413), "a header alone": (whole[:20], 422),
    }  # fmt: skip


@pytest.mark.parametrize("name", UPLOADS)
def test_a_body_that_is_no_recording_is_refused(site: Served, tmp_path: Path, name: str) -> None:
    body, status = uploads(tmp_path)[name]
    before = site.get("/api/v1/runs").json()["total"]
    answer = site.ask("POST", "/api/v1/runs", "writer", body)
    assert answer.status == status, answer.text
    assert str(site.folder) not in answer.text
    assert site.get("/api/v1/runs").json()["total"] == before
    assert [path for path in site.folder.rglob(".*") if path.is_file()] == []


def test_a_body_of_untold_length_is_cut_off(site: Served) -> None:
    """What counts is what comes."""
    chunked = b"".join(b"10000\r\n" + bytes(0x10000) + b"\r\n" for _ in range(20)) + b"0\r\n\r\n"
    answer = site.ask("POST", "/api/v1/runs", "writer", chunked, Transfer_Encoding="chunked")
    assert answer.status == 413


def test_guessing_is_slowed_down_for_who_guesses_alone(tmp_path: Path) -> None:
    with served(filled(tmp_path / "runs", tmp_path), "--tokens", str(tokens(tmp_path / "tokens.toml"))) as site:
        assert site.get("/api/v1/runs", "reader").status == 200
        said = [site.get("/api/v1/runs", f"guess-{number}").status for number in range(30)]
        assert said == [401] * 10 + [429] * 20
        assert site.get("/api/v1/runs", "internal").status == 429, "a right guess is not told from a wrong one"
        assert site.ask("POST", "/login", body=b"token=internal").status == 429
        assert site.get("/api/v1/runs", "reader").status == 200, "who was here before goes on"


def test_fifty_read_while_ten_write(site: Served, tmp_path: Path) -> None:
    reels = [
        made(tmp_path / f"w{n}.reel", "A common word", f"number{n}", id=f"run-w{n:04d}").read_bytes() for n in range(10)
    ]
    wrong: list[object] = []
    done = threading.Event()

    def read(number: int) -> int:
        count = 0
        paths = ("/", "/api/v1/search?q=common", "/runs/run-0000", "/api/v1/runs/run-0001/steps", "/figures")
        while not done.is_set() or count < 3:
            answer = site.get(paths[(number + count) % len(paths)], "reader")
            count += 1
            if answer.status != 200:
                wrong.append((answer.status, answer.text))
        return count

    def write(reel: bytes) -> None:
        answer = site.ask("POST", "/api/v1/runs", "writer", reel)
        if answer.status != 201:
            wrong.append((answer.status, answer.text))

    with ThreadPoolExecutor(60) as threads:
        readers = [threads.submit(read, number) for number in range(50)]
        try:
            for writer in [threads.submit(write, reel) for reel in reels]:
                writer.result()
        finally:
            done.set()
        assert min(reader.result() for reader in readers) >= 3
    assert wrong == []
    assert site.get("/api/v1/search?q=common").json()["total"] == 10
    assert site.log()


@pytest.mark.parametrize("at", ["nan", "inf", "1e400", "step%20" + "9" * 5_000, "event%20"])
def test_a_moment_that_there_cannot_be_is_400(site: Served, at: str) -> None:
    assert site.get(f"/api/v1/runs/run-0000/text?at={at}").status == 400


@pytest.mark.parametrize("path", ["/runs?limit=0", "/runs?limit=-3", "/runs?limit=0.5", "/runs/run-0000/steps?limit=-1", "/audit?limit=0"])  # fmt: skip
def test_what_counts_begins_at_one(site: Served, path: str) -> None:
    assert site.get(f"/api/v1{path}").status == 400


@pytest.mark.parametrize("path", ["/login", "/runs/run-0000/delete"])
def test_a_form_of_many_fields_is_no_accident_of_the_servers(site: Served, path: str) -> None:
    assert site.ask("POST", path, "admin", b"&".join([b"a=1"] * 200)).status == 400


def test_nothing_is_deleted_without_a_reason(site: Served) -> None:
    for why in ("", "?why=", "?why=%20"):
        assert site.ask("DELETE", f"/api/v1/runs/run-0000{why}", "admin").status == 400
    assert site.get("/api/v1/runs/run-0000").status == 200


@pytest.mark.parametrize("accept", [{}, {"Accept": "*/*"}, {"Accept": "text/html"}])
def test_a_foreign_address_counts_for_nothing_however_little_the_browser_says(
    site: Served, accept: dict[str, str]
) -> None:
    foreign = {"Referer": "http://evil.example/", **accept}
    assert "set-cookie" not in site.get("/login?token=admin", None, **foreign).headers
    assert site.get("/api/v1/runs/run-0000?reason=so+they+said", "raw", **foreign).status == 400
    assert site.get("/api/v1/runs/run-0000?reason=a+program+says", "raw").status == 200


@pytest.mark.parametrize("path", ["/runs/run-0000/", "/api/v1/runs/", "//evil.example/%2e%2e"])
def test_nobody_is_sent_to_an_address_that_was_made_up(site: Served, path: str) -> None:
    answer = site.get(path, Accept="text/html")
    assert (answer.status, answer.headers.get("location")) == (404, None)
    assert answer.headers["content-type"].startswith("application/json" if "/api/" in path else "text/html")


def test_an_error_does_not_say_where_the_files_lie(site: Served) -> None:
    said = site.ask("POST", "/api/v1/runs", "writer", b"no recording").text
    assert "served" not in said and ".upload" not in said


@pytest.mark.parametrize(
    ("back", "goes"),
    [
        ("/runs/run-0000?t=520", "/runs/run-0000?t=520"), ("/", "/"), ("", "/"), ("//evil.example/", "/"), ("/\\evil.example", "/"),
        ("https://evil.example/", "/"), ("/runs\r\nSet-Cookie: a=b", "/"), ("/a\\..\\\\evil.example", "/"), ("javascript:alert(1)", "/"),
    ],
)  # fmt: skip
def test_who_signs_in_goes_back_to_the_page_that_was_asked_for_and_nowhere_else(
    site: Served, back: str, goes: str
) -> None:
    answer = site.ask("POST", "/login", body=urlencode({"token": "reader", "back": back}).encode())
    assert (answer.status, answer.headers["location"]) == (303, goes)


def test_the_form_that_asks_who_or_why_keeps_what_was_asked_for(site: Served) -> None:
    asked = "/compare?a=run-0000&b=run-0001"
    assert f'name="back" value="{html.escape(asked)}"' in site.get(asked, None).text
    assert 'http-equiv="refresh"' not in site.get(asked, None).text
    for_a_reason = site.get(f"{asked}&t=1", "raw")
    assert for_a_reason.status == 400
    assert re.findall(r'type="hidden" name="(\w+)" value="([^"]+)"', for_a_reason.text) == [
        ("a", "run-0000"), ("b", "run-0001"), ("t", "1"),
    ]  # fmt: skip
