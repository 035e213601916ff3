"""`pagereel proxy --mitmproxy`: an agent that reads no provider's variable is recorded all the same, and what is no provider's is not looked into."""

from __future__ import annotations

import json
import os
import shutil
import ssl
import subprocess
import sys
import threading
import venv
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace as Flow
from typing import Any

import pytest

from pagereel import record
from pagereel.errors import UsageError
from pagereel.fixtures.providers import Body, ScriptedProviders, ScriptedTurn
from pagereel.integrations.proxy import Interceptor, parse_upstreams
from pagereel.integrations.proxy.mitm_addon import TrafficReporter
from pagereel.integrations.wire import PATHS
from pagereel.reel import open_reel
from tests.command import PAGEREEL

from .certificates import certificate
from .conftest import events_of

KEY = "sk-canary-0123456789abcdef"
AGENT = """
import hashlib, json, ssl, sys, urllib.request
base, other = sys.argv[1:3]
def ask(url, body, headers={}):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json", **headers})
    answer = urllib.request.urlopen(request, timeout=20)
    data = answer.read()
    assert hashlib.sha256(data).hexdigest() == answer.headers["x-answer-sha256"], "the answer was changed"
    assert hashlib.sha256(request.data).hexdigest() == answer.headers["x-sent-sha256"], "the request was changed"
for stream in (False, True):
    ask(f"{base}/v1/chat/completions",
        {"model": "scripted-1", "stream": stream, "messages": [{"role": "user", "content": "Find a vase."}]},
        {"authorization": "Bearer sk-canary-0123456789abcdef"})
try:
    ask(f"{other}/v1/chat/completions", {"model": "scripted-1", "messages": []})
except OSError as error:
    print("not looked into:", "CERTIFICATE_VERIFY_FAILED" in str(error))
"""


def script(number: int, body: Body) -> ScriptedTurn:
    return ScriptedTurn("The Tern bottle vase costs 64 euros.", input_tokens=30, output_tokens=12)


@pytest.fixture(scope="session")
def mitmdump(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A mitmproxy in an environment of its own, as a user has it."""
    if found := os.environ.get("PAGEREEL_MITMDUMP") or shutil.which("mitmdump"):
        return found
    home = tmp_path_factory.mktemp("mitmproxy")
    venv.create(home, with_pip=True)
    done = subprocess.run([home / "bin" / "pip", "install", "--quiet", "mitmproxy"], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"mitmproxy cannot be installed: {done.stderr[-200:]}")
    return str(home / "bin" / "mitmdump")


class Secure(ScriptedProviders):
    """The same providers over TLS, with a certificate that nobody trusts who is not told to."""

    folder: Path

    def __enter__(self) -> ScriptedProviders:
        super().__enter__()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate(self.folder))
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        return self

    def provider_url(self, name: str) -> str:
        return super().provider_url(name).replace("http:", "https:")


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[tuple[ScriptedProviders, ScriptedProviders]]:
    known, other = Secure(script, pace=0.02), Secure(script)
    known.folder = other.folder = tmp_path  # type: ignore[attr-defined]
    with known, other:
        yield known, other


@pytest.mark.slow
def test_what_reads_no_variable_is_recorded_and_others_are_not_looked_into(
    mitmdump: str, secure: tuple[ScriptedProviders, ScriptedProviders], tmp_path: Path
) -> None:
    known, other = secure
    reel = tmp_path / "run.reel"
    trusted = {"SSL_CERT_FILE": str(tmp_path / "cert.pem")}
    base = known.provider_url("x")
    done = subprocess.run(
        [*PAGEREEL, "proxy", "--reel", str(reel), "--mitmproxy", mitmdump, f"--upstream=corp={base}/v1", "--",
         sys.executable, "-c", AGENT, base, other.provider_url("x")],
        capture_output=True, text=True, timeout=120, env={**os.environ, **trusted},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    first, second = events_of(reel, "llm")
    assert [call["response"] for call in (first, second)] == ["The Tern bottle vase costs 64 euros."] * 2
    assert ("first_token" in first, "first_token" in second) == (False, True)
    assert first["provider"] == "corp" and first["input_tokens"] == 30
    assert len(other.sent) == 1, "the other's was passed on, though"
    with open_reel(reel) as opened:
        assert KEY not in json.dumps(list(opened.timeline()))


def test_what_the_addon_tells_is_a_call_of_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The addon's own code, called as mitmproxy calls it; the listening side is the real one."""
    told = threading.Event()

    class Started:
        """Stands for mitmproxy's process alone, which the slow test has."""

        def __init__(self, command: list[str], env: dict[str, str], **more: Any) -> None:
            port, _, token = env["PAGEREEL_TOLD_TO"].partition("/")
            self.teller = TrafficReporter(int(port), token, env["PAGEREEL_PATHS"])
            self.teller._queue_report("ready", "", port=1)
            told.set()

        def poll(self) -> None:
            return None

        def terminate(self) -> None:
            self.teller.done()

        def wait(self, seconds: float | None = None) -> int:
            return 0

    monkeypatch.setattr("pagereel.integrations.proxy.mitmproxy_interceptor.subprocess.Popen", Started)
    with (
        record(None, tmp_path / "run.reel") as session,
        Interceptor(session, parse_upstreams([], {}), "mitmdump") as running,
    ):
        teller = running._child.teller  # type: ignore[union-attr]
        for path, ends in (("/v1/messages?beta=true", "whole"), ("/v1/messages", "hung up"), ("/v1/files", "whole")):
            exchange(teller, path, ends)
    calls = events_of(tmp_path / "run.reel", "llm")
    assert [(call["provider"], call.get("response")) for call in calls] == [
        ("anthropic", "Hello."),
        ("anthropic", "Hel"),
    ]
    assert calls[0]["agent"] == "planner"
    assert "error" not in calls[0] and "cancelled" in calls[1]["error"]


class Fields(dict[str, str]):
    """Headers, as the addon reads mitmproxy's."""

    @property
    def fields(self) -> list[tuple[bytes, bytes]]:
        return [(name.encode(), value.encode()) for name, value in self.items()]


def exchange(teller: TrafficReporter, path: str, ends: str) -> None:
    """Let one exchange with Anthropic go by."""
    headers = Fields({"content-type": "application/json", "x-api-key": KEY, "pagereel-agent": "planner"})
    flow = Flow(id=f"{path}{ends}", metadata={}, error=Flow(msg="Client disconnected."), response=None)
    flow.request = Flow(
        method="POST", path=path, pretty_url=f"https://api.anthropic.com{path}", headers=headers, stream=False
    )  # fmt: skip
    teller.requestheaders(flow)
    sent = json.dumps({"model": "m-1", "messages": [{"role": "user", "content": "Hi"}], "stream": True}).encode()
    if path == "/v1/files":
        assert flow.request.stream is False and flow.metadata == {}
        return
    assert "pagereel-agent" not in headers
    assert flow.request.stream(sent) == sent and flow.request.stream(b"") == b""
    flow.response = Flow(status_code=200, headers=Flow(fields=((b"content-type", b"text/event-stream"),)), stream=False)
    teller.responseheaders(flow)
    events = [
        {"type": "message_start", "message": {"model": "m-1", "usage": {"input_tokens": 3, "output_tokens": 0}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hel"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "lo."}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]
    for event in events if ends == "whole" else events[:3]:
        data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
        assert flow.response.stream(data) == data
    (teller.response if ends == "whole" else teller.error)(flow)


def test_a_mitmproxy_that_does_not_start_is_told_in_one_sentence(tmp_path: Path) -> None:
    with record(None, tmp_path / "run.reel") as session:
        with pytest.raises(UsageError, match=r"cannot be run .*; install mitmproxy"):
            Interceptor(session, parse_upstreams([], {}), "/nowhere/mitmdump").start()
        with pytest.raises(UsageError, match="did not start listening: it said nothing"):
            Interceptor(session, parse_upstreams([], {}), "false").start()
    done = subprocess.run(
        [*PAGEREEL, "proxy", "--reel", "b.reel", "--answers", "a.reel", "--mitmproxy", "mitmdump", "--", "true"],
        capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 2 and "leave out one of them" in done.stderr


def test_the_addons_paths_are_those_of_model_calls() -> None:
    import re

    for path in (
        "/v1/chat/completions",
        "/v1/responses",
        "/v1/messages",
        "/api/chat",
        "/v1beta/models/g:streamGenerateContent",
    ):
        assert re.search(PATHS, path)
    assert not re.search(PATHS, "/v1/models")
