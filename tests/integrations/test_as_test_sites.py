"""Recordings of ten sites, masked and exported as tests: each runs green against the same site, or skips and says at its top what it needs."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, sync_playwright

from pagereel.browser import launch_options
from pagereel.cli import main
from pagereel.fixtures.loopback_server import LoopbackServer, RoutingTable
from pagereel.recorder import record

from .test_as_test import run

ROOT = Path(__file__).resolve().parents[2]
_SPEC = importlib.util.spec_from_file_location("bench_compare_apps", ROOT / "bench" / "compare" / "apps.py")
assert _SPEC is not None and _SPEC.loader is not None
apps: Any = importlib.util.module_from_spec(_SPEC)  # The checkout is not on the path.
_SPEC.loader.exec_module(apps)
NPM = ROOT / "node_modules"
SHEET = """<!doctype html><title>Pots</title><link rel=icon href="data:,"><link rel=stylesheet href="/jsuites/dist/jsuites.css">
<link rel=stylesheet href="/jspreadsheet-ce/dist/jspreadsheet.css"><h1>Pots</h1><div id=sheet></div>
<script src="/jsuites/dist/jsuites.js"></script><script src="/@jspreadsheet/formula/dist/index.js"></script><script src="/jspreadsheet-ce/dist/index.js"></script>
<script>jspreadsheet(document.getElementById("sheet"), { worksheets: [{ data: [["cup", 3], ["jug", 4]], search: true, minDimensions: [2, 4] }] })</script>"""
TABS = """<!doctype html><title>Menu</title><link rel=icon href="data:,"><link rel=stylesheet href="/jsuites/dist/jsuites.css"><h1>Menu</h1>
<div id=tabs><div><div>Soups</div><div>Breads</div></div><div><div>Leek soup</div><div>Rye bread</div></div></div>
<script src="/jsuites/dist/jsuites.js"></script><script>jSuites.tabs(document.getElementById("tabs"), {})</script>"""
FORM = """<!doctype html><title>Parcel</title><link rel=icon href="data:,"><h1>Parcel</h1>
<form onsubmit="event.preventDefault(); out.textContent = `Sent to ${who.value}, ${size.selectedOptions[0].label}`">
<label>Addressee <input id=who></label><label>Clerk <select id=clerk><option>Nobody</option><option value="mara.lindqvist@example.com">Mara Lindqvist</option>
<option value="tom.okafor@example.com">Tom Okafor</option></select></label>
<label>Size <select id=size><option value=s>Small</option><option value=l>Large</option></select></label>
<label>Days <select multiple id=days><option>Monday</option><option>Tuesday</option><option>Friday</option></select></label><button>Send</button></form><p id=out></p>"""


def _tasks(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_text("Water the ferns").wait_for()
    page.get_by_label("New task").fill("Buy stamps")
    page.get_by_role("button", name="Add task").click()
    page.get_by_text("Buy stamps").first.wait_for()
    page.get_by_label("Water the ferns").check()
    page.get_by_text("2 open").wait_for()


def _booking(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("link", name="Choose Tide").click()
    page.get_by_label("Nights").fill("3")
    page.get_by_label("Name").fill("Ines")
    page.get_by_role("button", name="Book the room").click()
    page.get_by_text("Booked").first.wait_for()


def _board(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_text("P4").first.wait_for()
    page.get_by_label("Show").select_option("bad")
    page.get_by_role("button", name="Open P3").click()
    page.get_by_role("button", name="Acknowledge").click()
    page.get_by_text("Acknowledged by").wait_for()


def _mail(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Harbour office").click()
    page.get_by_text("minutes ago").first.wait_for()
    page.get_by_label("Answer").fill("We take it.")
    page.get_by_role("button", name="Send answer").click()
    page.get_by_text("Answered").first.wait_for()


def _talk(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_label("Message").fill("A table for two")
    page.get_by_role("button", name="Send message").click()
    page.get_by_text("Table 7").wait_for()
    page.get_by_role("button", name="Keep it").click()
    page.get_by_text("Kept").wait_for()


def _parcel(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_label("Addressee").fill("Ada Lovelace")
    page.get_by_label("Clerk").select_option("tom.okafor@example.com")
    page.get_by_label("Size").select_option(label="Large")
    page.get_by_label("Days").select_option(["Monday", "Friday"])
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Sent to").wait_for()


def _sheet(page: Page, url: str) -> None:
    page.goto(f"{url}/sheet.html")
    page.get_by_role("cell", name="jug").dblclick()
    page.keyboard.type("bowl")
    page.keyboard.press("Enter")
    page.locator("td[data-x='0'][data-y='1']").click()


def _tabs(page: Page, url: str) -> None:
    page.goto(f"{url}/tabs.html")
    page.get_by_text("Breads").click()
    page.get_by_text("Rye bread").wait_for()


def _listing(page: Page, url: str) -> None:
    page.goto(f"{url}/")
    page.get_by_role("link", name="jsuites/").click()
    page.get_by_role("link", name="package.json").wait_for()


def _report(page: Page, url: str) -> None:
    page.goto(f"{url}/report.html")
    page.get_by_text("1 Passed").wait_for()
    page.locator("input[data-test-result=failed]").click()
    page.locator("td.col-result", has_text="Failed").wait_for(state="detached")
    page.locator("input[data-test-result=failed]").click()
    page.get_by_text("Show all details").click()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        body = {"/sheet.html": SHEET, "/tabs.html": TABS}.get(self.path)
        if body is None:
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body.encode())
        return None


@contextmanager
def _files(folder: Path = NPM) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def _reported() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "test_two.py").write_text("def test_a(): pass\ndef test_b(): assert 0\n")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-pno:cacheprovider",
            "--html=report.html",
            "--self-contained-html",
        ]
        subprocess.run([*command, "test_two.py"], cwd=folder, capture_output=True, timeout=120)
        with _files(Path(folder)) as url:
            yield url


@contextmanager
def _serve(app: RoutingTable) -> Iterator[str]:
    with LoopbackServer(app) as server:
        yield server.url + "/"


def _parcels() -> RoutingTable:
    from pagereel.fixtures.loopback_server import FixtureResponse

    app = RoutingTable()
    app.route("GET", r"/")(lambda _: FixtureResponse.html(FORM))
    return app


class Site(NamedTuple):
    """A site, what is done there, and what the environment gives the exported test."""

    serve: Callable[[], object]
    act: Callable[[Page, str], None]
    given: Mapping[str, str] = MappingProxyType({})


SITES = {
    "tasks": Site(lambda: _serve(apps.make_task_app()), _tasks),
    "booking": Site(lambda: _serve(apps.make_booking_app()), _booking, {"NIGHTS": "3"}),
    "board": Site(lambda: _serve(apps.make_dashboard_app()), _board),
    "mail": Site(lambda: _serve(apps.make_mail_app()), _mail),
    "talk": Site(lambda: _serve(apps.make_chat_app()), _talk, {"MESSAGE": "A table for two"}),
    "parcel": Site(lambda: _serve(_parcels()), _parcel),
    "jspreadsheet": Site(_files, _sheet, {"VALUE": "bowl"}),
    "jsuites": Site(_files, _tabs),
    "http.server": Site(_files, _listing),
    "pytest-html": Site(_reported, _report),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SITES)
def test_the_masked_test_of_a_site_is_green(name: str, tmp_path: Path) -> None:
    site, reel, code = SITES[name], tmp_path / "run.reel", tmp_path / "code.py"
    with site.serve() as url, sync_playwright() as playwright:  # type: ignore[attr-defined]
        browser = playwright.chromium.launch(**launch_options())
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(20_000)
        with record(context, reel, agent=name):
            site.act(page, url)
        browser.close()
    assert main(["export", "pytest", str(reel), str(code)]) == 0
    text = code.read_text("utf-8")
    with site.serve() as url:  # type: ignore[attr-defined]
        done = run(tmp_path, text, SITE=url.rstrip("/"), **site.given)
    assert "1 passed" in done.stdout, f"{text}\n{done.stdout[-3000:]}"
