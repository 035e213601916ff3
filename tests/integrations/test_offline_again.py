"""A whole run of an agent, its model's answers and its site's pages, is made again with provider and site down, and ends the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pagereel.fixtures.providers import Body, ScriptedProviders, ScriptedTurn
from tests.command import PAGEREEL

from .conftest import events_of

AGENT = Path(__file__).with_name("browser_agent.py")
PAGES = {
    "/": "<title>Shop</title><h1>Kettles</h1><a href=/red>Red kettle</a> <a href=/blue>Blue kettle</a>",
    "/blue": "<title>Blue</title><h1>Blue kettle</h1><a href=/sold>Buy it</a>",
    "/sold": "<title>Sold</title><h1>Sold: blue</h1>",
}


def script(turn: int, body: Body) -> ScriptedTurn:
    seen = json.dumps(body["messages"][-1])
    for sign, name in (("Sold", ""), ("Buy it", "Buy it"), ("Kettles", "Blue kettle")):
        if sign in seen:
            return (
                ScriptedTurn("It is bought.")
                if not name
                else ScriptedTurn(f"I press {name}.", calls=(("click", {"name": name}),))
            )
    return ScriptedTurn("I am lost.")


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = PAGES.get(self.path, "<h1>Nothing</h1>").encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *given: object) -> None: ...


def proxied(reel: Path, *options: str, agent: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PAGEREEL, "proxy", "--reel", str(reel), *options, "--", sys.executable, str(AGENT), *agent],
        capture_output=True, text=True, timeout=180, env={**os.environ, "OPENAI_API_KEY": "none"},
    )  # fmt: skip


@pytest.mark.slow
def test_the_same_end_with_everything_down(tmp_path: Path) -> None:
    site = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, args=(0.05,), daemon=True).start()
    address = f"http://127.0.0.1:{site.server_address[1]}/"
    agent = [address, str(tmp_path / "page.reel")]
    with ScriptedProviders(script) as providers:
        first = proxied(
            tmp_path / "models.reel", f"--upstream=openai={providers.provider_url('openai')}", agent=[*agent, "record"]
        )
    site.shutdown()
    site.server_close()
    assert (first.returncode, first.stdout) == (0, "It is bought. | Sold: blue\n"), first.stderr
    assert len(events_of(tmp_path / "models.reel", "llm")) == 3

    again = proxied(tmp_path / "again.reel", f"--answers={tmp_path / 'models.reel'}", agent=[*agent, "again"])
    assert (again.returncode, again.stdout) == (0, first.stdout) and again.stderr.count("\n") == 1, again.stderr
    chosen = [
        [event["response"] for event in events_of(tmp_path / name, "llm")] for name in ("models.reel", "again.reel")
    ]
    assert chosen[0] == chosen[1]
