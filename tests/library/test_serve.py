"""A served library: every route is documented, asks for a role and stands in the log; the role picks what is seen."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from pagereel.cli.library.mcp_endpoint import MCP
from pagereel.library import Library
from pagereel.library.serving.api import ENDPOINTS
from pagereel.library.serving.endpoint import Endpoint
from pagereel.library.serving.html_pages import PAGES
from pagereel.library.serving.live_views import LIVE
from pagereel.player_build import unpack_replay
from tests.command import PAGEREEL

from .runs import made
from .server import MAIL, ROLES, Served, filled, served, tokens

ROWS = (*ENDPOINTS, *LIVE, MCP, *PAGES)
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "library_search", "arguments": {"query": "card"}},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "made").mkdir()
    made(folder / "made" / "live.reel", "A card", f"Write to {MAIL}", id="run-live", closed=False)
    options = "--tokens", str(tokens(folder / "tokens.toml")), "--live", str(folder / "made")
    with served(filled(folder / "runs", folder), *options) as running:
        yield running


def path_of(row: Endpoint, id: str = "run-0000") -> str:
    path = row.path.replace("{id}", "run-live" if row.audit == "live" else id)
    if row.method == "DELETE":
        return f"{path}?why=a+test"
    return f"{path}?a=run-0000&b=run-0001" if path.endswith("/compare") else path


def frame_of(site: Served, page: str, token: str = "reader") -> tuple[str, str]:
    """Host and path of the first frame of a page."""
    found = re.search(r'<iframe[^>]* src="http://([^/"]+)(/[^"#]+)', site.get(page, token).text)
    assert found
    return found[1], found[2]


def test_the_document_has_every_route_and_no_other(site: Served) -> None:
    document = site.get("/api/v1/openapi.json", None).json()
    told = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert told == {(row.method, row.path) for row in ROWS}
    for row in ROWS:
        operation = document["paths"][row.path][row.method.lower()]
        assert operation["summary"]
        assert sorted(operation.get("x-roles", [])) == sorted(row.roles)
        assert operation.get("x-audit") == row.audit


@pytest.mark.parametrize("row", [row for row in ROWS if row.roles], ids=lambda row: f"{row.method} {row.path}")
def test_a_route_asks_for_its_role_and_stands_in_the_log(site: Served, row: Endpoint, tmp_path: Path) -> None:
    deletes = row.audit == "deleted"
    path = path_of(row, "run-0003" if deletes else "run-0000")
    before = len(site.log())
    assert site.ask(row.method, path).status == 401
    for role in ROLES:
        if role not in row.roles:
            assert site.ask(row.method, path, role).status == 403
    assert len(site.log()) == before, "what is refused shows nothing and is no line"
    reel = made(tmp_path / "new.reel", f"new {row.path}", id="run-new").read_bytes() if row.upload else b"why=test"
    for role in sorted(row.roles):
        if deletes and not any(run["id"] == "run-0003" for run in site.get("/api/v1/runs").json()["runs"]):
            sent = made(tmp_path / "again.reel", "Goodbye", id="run-0003").read_bytes()
            assert site.ask("POST", "/api/v1/runs", "writer", sent).status == 201
        if role == "raw" and row.of_run:
            assert site.ask(row.method, path, role).status == 400
            path += ("&" if "?" in path else "?") + "reason=a+test"
        before = len(site.log())
        if row.stream:
            with site.listen(path, role) as (answer, events):
                assert next(events)["data"]
        elif row.body:
            answer = site.ask(row.method, path, role, json.dumps(CALL).encode(), Content_Type="application/json")
        else:
            answer = site.ask(row.method, path, role, reel if row.method == "POST" else None)
        assert answer.status in (200, 201, 303), answer.text
        assert answer.headers["x-content-type-options"] == "nosniff"
        if row.stream:  # That it is over is a line of its own.
            assert site.logged(1, did=row.audit, who=f"the {role}", what="end")
        lines = site.log()[before:]
        assert [line["who"] for line in lines if line["did"] == row.audit] == [f"the {role}"] * (2 if row.stream else 1)
        if row.of_run and role == "raw":
            assert lines[-1]["reason"] == "a test"


def test_those_that_ask_for_no_role_hold_nothing_of_a_recording() -> None:
    open_rows = {(row.method, row.path) for row in ROWS if not row.roles}
    assert open_rows == {
        ("GET", "/api/v1/openapi.json"), ("GET", "/pages.css"), ("GET", "/login"), ("POST", "/login"), ("POST", "/logout"),
        ("GET", "/replay/{ticket}"), ("GET", "/replay/{ticket}/live"), ("GET", "/runs/{id}/card.png"),
    }  # fmt: skip


@pytest.mark.parametrize("role", ["reader", "internal", "raw", "admin"])
def test_the_role_picks_the_redaction(site: Served, role: str) -> None:
    reason = "?reason=a+test" if role == "raw" else ""
    shown = site.get(f"/api/v1/runs/run-0000/text{reason}", role).text
    assert (MAIL in shown) == (role == "raw")
    replay = site.get(f"/api/v1/runs/run-0000/replay.html{reason}", role)
    assert replay.headers["content-disposition"].startswith("attachment")
    assert site.get("/api/v1/runs/run-0000/text?reason=a+test", "admin").text.count(MAIL) == 1


def test_a_replay_is_shown_at_another_origin_to_whom_a_page_gave_a_ticket(site: Served) -> None:
    host, path = frame_of(site, "/runs/run-0000")
    assert host != site.pages
    answer = site.ask("GET", path, to=host)
    assert answer.status == 200
    assert b"Your card was declined" not in answer.body[:2_000]
    assert f"frame-ancestors http://{site.pages}" in answer.headers["content-security-policy"]
    assert site.log()[-1]["did"] == "replay"
    assert site.log()[-1]["who"] == "the reader"
    assert site.ask("GET", path[:-1], to=host).status == 404
    assert site.ask("GET", "/api/v1/runs", "admin", to=host).status == 404
    assert site.ask("GET", path).status == 404, "and not at the pages' own"


def test_adding_a_recording_again_does_nothing(site: Served, tmp_path: Path) -> None:
    reel = made(tmp_path / "a.reel", "once", id="run-once").read_bytes()
    assert site.ask("POST", "/api/v1/runs", "writer", reel).status == 201
    again = site.ask("POST", "/api/v1/runs", "writer", reel)
    assert (again.status, again.json()) == (200, {"id": "run-once", "did": "known"})
    other = made(tmp_path / "b.reel", "twice", id="run-once").read_bytes()
    assert site.ask("POST", "/api/v1/runs", "writer", other).status == 409
    assert [run["id"] for run in site.get("/api/v1/search?q=once", "reader").json()["runs"]] == ["run-once"]


def test_a_deleted_run_is_gone_from_all_that_was_made_of_it(site: Served, tmp_path: Path) -> None:
    reel = made(tmp_path / "a.reel", "A canary sings", id="run-gone").read_bytes()
    assert site.ask("POST", "/api/v1/runs", "writer", reel).status == 201
    host, path = frame_of(site, "/runs/run-gone", "admin")
    assert site.ask("GET", path, to=host).status == 200
    assert list(site.folder.rglob("run-gone*"))
    assert site.ask("DELETE", "/api/v1/runs/run-gone?why=asked", "admin").status == 200
    assert list(site.folder.rglob("run-gone*")) == []
    assert site.ask("GET", path, to=host).status == 404
    assert site.get("/api/v1/runs/run-gone").status == 404
    assert site.get("/api/v1/search?q=canary").json()["total"] == 0


def test_two_runs_are_one_page_with_one_stand_in_for_a_person_and_it_goes_with_either(
    site: Served, tmp_path: Path
) -> None:
    for id in ("run-one-of", "run-second"):
        reel = made(tmp_path / f"{id}.reel", id[-3:], f"Write to {MAIL} from {id[-3:]}", id=id).read_bytes()
        assert site.ask("POST", "/api/v1/runs", "writer", reel).status == 201
    address = "/compare?a=run-one-of&b=run-second"
    host, path = frame_of(site, address)
    shown = site.ask("GET", path, to=host)
    assert shown.status == 200
    halves = set(re.findall(r"Write to (\S+@\S+) from", json.dumps(unpack_replay(shown.body).events)))
    told = set(re.findall(r"Write to (\S+@\S+) from", site.get(f"/api/v1{address}", "reader").text))
    assert len(halves) == 1 and told == halves and MAIL not in halves
    line = site.log()[-2]
    assert (line["did"], line["a"], line["b"]) == ("replay", "run-one-of", "run-second")
    assert site.ask("DELETE", "/api/v1/runs/run-second?why=asked", "admin").status == 200
    assert list(site.folder.rglob("*run-second*")) == []
    assert site.ask("GET", path, to=host).status == 404


def test_a_browser_enters_with_the_printed_address_and_leaves(tmp_path: Path) -> None:
    with served(filled(tmp_path / "runs", tmp_path)) as alone:
        entered = alone.get(alone.address.split(alone.pages)[1], None)
        cookie = entered.headers["set-cookie"]
        assert entered.status == 303
        assert "HttpOnly; SameSite=Strict" in cookie
        kept = cookie.split(";")[0]
        assert alone.get("/", None, Cookie=kept).status == 200
        assert alone.get("/", None).status == 401
        assert alone.get("/", None, Cookie=f"{kept}x").status == 401
        assert "Max-Age=0" in alone.ask("POST", "/logout", Cookie=kept).headers["set-cookie"]


def test_it_ends_in_order_as_soon_as_it_has_said_its_address(tmp_path: Path) -> None:
    with served(filled(tmp_path / "runs", tmp_path)) as alone:
        assert alone.address.startswith("http://127.0.0.1:")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_what_it_says_to_a_terminal_of_a_request_that_is_none_has_no_escapes(tmp_path: Path) -> None:
    with Library(tmp_path / "runs") as library:
        library.add(made(tmp_path / "a.reel", "A card", "Thank you"))
    ours, theirs = os.openpty()
    command = [*PAGEREEL, "serve", str(tmp_path / "runs"), "--port", "0"]
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said = _until(ours, r"http://127\.0\.0\.1:(\d+)/login\S+\r?\n", "")
    with socket.create_connection(("127.0.0.1", int(said.partition("127.0.0.1:")[2].partition("/")[0]))) as connection:
        connection.sendall(b"GET /\x1b]0;owned\x07 HTTP/1.1\r\nHost: \x1b]0;owned\x07\r\n\r\n")
        connection.recv(99)
    said = _until(ours, "request received", said)
    child.send_signal(signal.SIGINT)
    assert child.wait(30) == 0
    os.close(ours)
    assert "\x1b" not in said and "\\u001b" not in said, said


def _until(terminal: int, pattern: str, said: str) -> str:
    """Return all that was written to a terminal until it says this."""
    while not re.search(pattern, said):
        said += os.read(terminal, 4096).decode()
    return said
