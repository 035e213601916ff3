"""`pagereel proxy`: real libraries ask providers on loopback through it, nothing of the traffic changes, and the recording has all of it but keys."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest

from pagereel import open_recording, record
from pagereel.cli import main
from pagereel.errors import UsageError
from pagereel.fixtures.providers import FORMS, Body, ScriptedProviders, ScriptedTurn
from pagereel.integrations.proxy import Answers, ModelProxy, parse_upstreams
from pagereel.reel import open_reel
from tests.command import PAGEREEL

from .conftest import events_of

KEY = "sk-canary-0123456789abcdef"
AGENTS = Path(__file__).with_name("model_agents.py")


def script(number: int, body: Body) -> ScriptedTurn:
    """Two turns: look for a vase, then say what was found."""
    if number % 2 == 0:
        return ScriptedTurn("I look.", "A vase is wanted.", (("search", {"query": "vase"}),), 100, 40, 20, 5)
    return ScriptedTurn("The Tern bottle vase costs 64 euros.", input_tokens=150, output_tokens=12)


@pytest.fixture
def providers() -> Iterator[ScriptedProviders]:
    with ScriptedProviders(script) as running:
        yield running


def upstream(providers: ScriptedProviders) -> list[str]:
    return [f"--upstream={name}={providers.provider_url(name)}" for name in ("openai", "anthropic", "ollama", "gemini")]


def run(reel: Path, *options: str, command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "GEMINI_API_KEY": KEY, **more}
    return subprocess.run(
        [*PAGEREEL, "proxy", "--reel", str(reel), *options, "--", *command],
        capture_output=True, text=True, timeout=120, env=environment,
    )  # fmt: skip


def everything(reel: Path) -> str:
    with open_reel(reel) as opened:
        return json.dumps(list(opened.timeline()), ensure_ascii=False)


WAYS = ("chat", "responses", "messages", "ollama", "gemini")


def is_written(stderr: str, reel: Path) -> bool:
    """Whether a command said nothing but which file it wrote, and how large that is."""
    return re.fullmatch(rf"{re.escape(str(reel))}  [\d.]+ (?:kB|bytes)\n", stderr) is not None


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(way, marks=[pytest.mark.slow] if way in ("messages", "responses", "ollama", "gemini") else [])
        for way in WAYS
    ],
)
def test_an_agent_of_each_library_and_the_same_again_with_the_providers_down(
    way: str, providers: ScriptedProviders, tmp_path: Path
) -> None:
    """Once with answers that come at once, once with streams."""
    command = [sys.executable, str(AGENTS), way, "at once", "streamed"]
    done = run(tmp_path / "run.reel", *upstream(providers), command=command)
    assert done.returncode == 0 and is_written(done.stderr, tmp_path / "run.reel")
    assert done.stdout == "The Tern bottle vase costs 64 euros.\n" * 2
    calls = events_of(tmp_path / "run.reel", "llm")
    for first, second in (calls[:2], calls[2:]):
        assert (first["model"], first["input_tokens"], first["output_tokens"]) == ("scripted-1", 100, 20)
        assert first["response"]["tool_calls"] == [{"name": "search", "arguments": {"query": "vase"}}]
        assert first["reasoning"] == "A vase is wanted."
        assert second["response"] == "The Tern bottle vase costs 64 euros."
    assert ["first_token" in call for call in calls] == [False, False, True, True]
    asked = events_of(tmp_path / "run.reel", "tool_call")
    given = events_of(tmp_path / "run.reel", "tool_result")
    assert [(call["llm"], call["name"]) for call in asked] == [(calls[0]["id"], "search"), (calls[2]["id"], "search")]
    assert [result["call"] for result in given] == [call["id"] for call in asked]
    assert "Tern bottle vase" in json.dumps(given[0]["result"])
    roles = [event["role"] for event in events_of(tmp_path / "run.reel", "said")]
    assert roles.count("user") <= 3 and roles.count("tool definition") == 1 and roles[0] in ("system", "developer")
    assert KEY not in everything(tmp_path / "run.reel")
    assert any(KEY in json.dumps(headers) + path for path, headers, _ in providers.sent) or way == "ollama"

    providers.__exit__()
    again = run(tmp_path / "again.reel", f"--answers={tmp_path / 'run.reel'}", command=command)
    assert (again.returncode, again.stdout) == (0, done.stdout) and is_written(again.stderr, tmp_path / "again.reel")
    same = ("model", "response", "input_tokens", "output_tokens", "reasoning", "said", "tools", "finish")
    for before, after in zip(calls, events_of(tmp_path / "again.reel", "llm"), strict=True):
        assert [before.get(name) for name in same] == [after.get(name) for name in same]


def test_a_run_without_a_page_is_a_recording_like_any(providers: ScriptedProviders, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    run(reel, *upstream(providers), command=[sys.executable, str(AGENTS), "chat", "streamed"])
    for command in (["info"], ["verify"], ["query"], ["build", str(tmp_path / "run.html")], ["events"]):
        assert main([command[0], str(reel), *command[1:]]) == 0, command
    reading = open_recording(reel)
    assert reading.summary()["model_calls"] == 2 and reading.summary()["tokens"] == 282
    prompt = [call["prompt"] for call in reading.calls() if call["kind"] == "model"][1]
    assert [message["role"] for message in prompt] == ["system", "user", "assistant", "tool"]
    again = open_recording(tmp_path / "run.html")
    assert again.summary()["model_calls"] == 2
    assert [len(c["prompt"]) for c in again.calls() if c["kind"] == "model"] == [2, 4]
    with open_recording_events(tmp_path / "run.html") as kinds:
        assert "wire" not in kinds


class open_recording_events:
    """The kinds of events of any recording."""

    def __init__(self, path: Path) -> None:
        from pagereel.sources import open_any

        self._reel = open_any(path)

    def __enter__(self) -> set[str]:
        return {str(event["k"]) for event in self._reel.timeline()}

    def __exit__(self, *error: object) -> None:
        self._reel.close()


# -- the traffic ------------------------------------------------------------------------------------------------------


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[tuple[ScriptedProviders, ModelProxy, Path]]:
    turns = [
        ScriptedTurn("word " * 200),
        ScriptedTurn("no credit", status=429),
        ScriptedTurn("it broke", status=500),
        ScriptedTurn("half of it " * 20, breaks=True),
    ]
    path = tmp_path / "run.reel"
    with ScriptedProviders(lambda number, body: turns[body.get("turn", 0)]) as providers:
        given = [f"openai={providers.provider_url('openai')}", f"other={providers.provider_url('openai')}"]
        with record(None, path) as session, ModelProxy(session, parse_upstreams(given, {})) as proxy:
            yield providers, proxy, path


def address(proxy: ModelProxy, name: str = "OPENAI_BASE_URL") -> str:
    return f"{proxy.environment({})[name]}/chat/completions"


def test_not_a_byte_changes_on_the_way(proxied: tuple[ScriptedProviders, ModelProxy, Path]) -> None:
    providers, proxy, _ = proxied
    bodies = [
        json.dumps({"stream": stream, "messages": [{"role": "user", "content": content}], "turn": turn}).encode()
        for stream in (False, True) for turn in (0, 1, 2) for content in ("é “x” \u2028", "long " * 200_000)
    ]  # fmt: skip
    with httpx2.Client(timeout=60) as client:
        for body in bodies:
            with client.stream(
                "POST", address(proxy), content=body, headers={"content-type": "application/json"}
            ) as answer:
                got = b"".join(answer.iter_raw())
            assert providers.sent[-1][2] == body and providers.answered[-1] == got


def test_a_header_says_which_of_several_agents_asks_and_is_not_passed_on(
    proxied: tuple[ScriptedProviders, ModelProxy, Path],
) -> None:
    providers, proxy, reel = proxied
    with httpx2.Client() as client:
        for agent in ("planner", "buyer"):
            body = {"model": "m", "messages": [{"role": "user", "content": agent}]}
            client.post(address(proxy), json=body, headers={"Pagereel-Agent": agent})
    assert len(providers.sent) == 2 and "pagereel" not in str(providers.sent).lower()
    proxy.stop()
    assert [event["agent"] for event in wait_for_events(reel, "llm", 2)] == ["planner", "buyer"]


def test_compressed_answers_come_compressed(proxied: tuple[ScriptedProviders, ModelProxy, Path]) -> None:
    providers, proxy, path = proxied
    providers.compressed = True
    with (
        httpx2.Client() as client,
        client.stream("POST", address(proxy), json={"messages": [], "model": "m"}) as answer,
    ):
        assert b"".join(answer.iter_raw()) == providers.answered[-1]
        assert answer.headers["content-encoding"] == "gzip"
    proxy.stop()
    wait_for_events(path, "llm", 1)


def wait_for_events(path: Path, kind: str, count: int) -> list[dict[str, Any]]:
    deadline = time.monotonic() + 20
    while len(found := events_of(path, kind)) < count:
        assert time.monotonic() < deadline, f"{len(found)} of {kind}"
        time.sleep(0.02)
    return found


def test_errors_of_providers_are_passed_on_and_told(proxied: tuple[ScriptedProviders, ModelProxy, Path]) -> None:
    _, proxy, path = proxied
    with httpx2.Client() as client:
        statuses = [
            client.post(address(proxy), json={"model": "m", "messages": [], "turn": turn}).status_code
            for turn in (1, 2, 0)
        ]
    assert statuses == [429, 500, 200]
    errors = [event.get("error") for event in wait_for_events(path, "llm", 3)]
    assert errors == ["429: scripted_error: no credit", "500: scripted_error: it broke", None]


def test_a_stream_that_breaks_off_breaks_off_for_the_client_too(
    proxied: tuple[ScriptedProviders, ModelProxy, Path],
) -> None:
    _, proxy, path = proxied
    body = {"model": "m", "messages": [], "turn": 3, "stream": True}
    with (
        httpx2.Client() as client,
        pytest.raises(httpx2.HTTPError),
        client.stream("POST", address(proxy), json=body) as answer,
    ):
        for _ in answer.iter_raw():
            pass
    (event,) = wait_for_events(path, "llm", 1)
    assert "RemoteProtocolError" in event["error"] and event["response"].startswith("half of it")


def test_a_client_that_stops_listening(proxied: tuple[ScriptedProviders, ModelProxy, Path]) -> None:
    providers, proxy, path = proxied
    providers.pace = 0.01
    body = {"model": "m", "messages": [], "stream": True}
    with httpx2.Client() as client, client.stream("POST", address(proxy), json=body) as answer:
        parts = answer.iter_raw()
        while b"word" not in next(parts):
            pass
    (event,) = wait_for_events(path, "llm", 1)
    assert event["error"].startswith("cancelled") and len(event["response"]) < 900


def test_who_hangs_up_before_the_answer_begins_is_told_as_that(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    answer = threading.Event()

    def late(number: int, body: Body) -> ScriptedTurn:
        answer.wait(20)
        return ScriptedTurn("Nobody waits for it.")

    with ScriptedProviders(late) as providers, record(None, path) as session:
        given = parse_upstreams([f"openai={providers.provider_url('openai')}"], {})
        with ModelProxy(session, given) as proxy:
            with pytest.raises(httpx2.ReadTimeout):
                httpx2.post(address(proxy), json={"model": "m", "messages": []}, timeout=0.5)
            (event,) = wait_for_events(path, "llm", 1)
            answer.set()
    assert event["error"].startswith("cancelled") and "response" not in event


def test_a_connection_that_the_provider_has_closed_is_not_used_again(
    proxied: tuple[ScriptedProviders, ModelProxy, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    providers, proxy, _ = proxied
    opened = []

    class Closing(providers._server.RequestHandlerClass):  # type: ignore[misc, name-defined]
        def do_POST(self) -> None:
            opened.append(self.client_address)
            super().do_POST()
            self.close_connection = len(opened) == 2

    monkeypatch.setattr(providers._server, "RequestHandlerClass", Closing)
    with httpx2.Client() as client:
        for _ in range(4):
            assert client.post(address(proxy), json={"model": "m", "messages": []}).status_code == 200
            time.sleep(0.1)
    assert opened[0] == opened[1] != opened[2] == opened[3]


def test_a_proxy_that_the_environment_names_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedProviders(script) as between, record(None, tmp_path / "run.reel") as session:
        monkeypatch.setenv("http_proxy", between.provider_url("anthropic"))
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        with ModelProxy(session, parse_upstreams(["openai=http://models.example/v1"], {})) as proxy:
            body = {"model": "m", "messages": [], "stream": True}
            with httpx2.Client(trust_env=False) as client:
                answer = client.post(address(proxy), json=body)
    assert answer.content == between.answered[0] and answer.status_code == 200
    assert between.sent[0][0] == "http://models.example/v1/chat/completions"


def test_connections_are_kept_and_streams_go_on_side_by_side(
    proxied: tuple[ScriptedProviders, ModelProxy, Path],
) -> None:
    providers, proxy, path = proxied
    providers.pace = 0.001
    texts: list[str] = []

    def ask() -> None:
        with httpx2.Client() as client:
            texts.extend(
                client.post(address(proxy), json={"model": "m", "messages": [], "stream": True}, timeout=60).text
                for _ in range(3)
            )

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 12 and len({text.count("word ") for text in texts}) == 1
    assert len({event["response"] for event in wait_for_events(path, "llm", 12)}) == 1


def test_a_provider_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with (
        record(None, path) as session,
        ModelProxy(session, parse_upstreams(["openai=http://127.0.0.1:9/v1"], {})) as proxy,
    ):
        answer = httpx2.post(address(proxy), json={"model": "m", "messages": []})
        assert answer.status_code == 502 and answer.json()["error"]["type"] == "upstream_unreachable"
    (event,) = events_of(path, "llm")
    assert "ConnectError" in event["error"]


def test_the_loop_that_a_process_has_chosen_is_not_the_proxys(tmp_path: Path) -> None:
    """uvloop, which servers choose for a whole process, does not know all options of connecting."""

    class Chosen(asyncio.SelectorEventLoop):
        async def create_connection(self, *given: Any, **options: Any) -> Any:
            raise TypeError("create_connection() got an unexpected keyword argument 'happy_eyeballs_delay'")

    class Policy(asyncio.DefaultEventLoopPolicy):
        def new_event_loop(self) -> asyncio.AbstractEventLoop:
            return Chosen()

    before = asyncio.get_event_loop_policy()
    asyncio.set_event_loop_policy(Policy())
    try:
        with ScriptedProviders(script) as providers, record(None, tmp_path / "run.reel") as session:
            given = parse_upstreams([f"openai={providers.provider_url('openai')}"], {})
            with ModelProxy(session, given) as proxy:
                assert httpx2.post(address(proxy), json={"model": "m", "messages": []}).status_code == 200
    finally:
        asyncio.set_event_loop_policy(before)


def test_nobody_finds_the_proxy_by_its_port_alone(proxied: tuple[ScriptedProviders, ModelProxy, Path]) -> None:
    providers, proxy, _ = proxied
    port = proxy.origin.split("/")[2]
    for path in ("", "openai/v1/chat/completions", "x/openai/v1/chat/completions"):
        assert httpx2.post(f"http://{port}/{path}", json={}).status_code == 404
    assert providers.sent == []


def test_pictures_in_prompts_are_screenshots_and_are_there_again_in_what_was_sent(
    proxied: tuple[ScriptedProviders, ModelProxy, Path], tmp_path: Path
) -> None:
    _, proxy, path = proxied
    import base64
    import io

    from PIL import Image

    picture = io.BytesIO()
    Image.effect_noise((200, 100), 90).save(picture, "PNG")
    url = "data:image/png;base64," + base64.b64encode(picture.getvalue()).decode()
    image = {
        "role": "user",
        "content": [{"type": "text", "text": "What is it?"}, {"type": "image_url", "image_url": {"url": url}}],
    }
    body = {"model": "m", "messages": [image]}
    for _ in range(2):
        httpx2.post(address(proxy), json=body)
    wait_for_events(path, "llm", 2)
    (screenshot,) = events_of(path, "screenshot")
    assert f"pagereel:screenshot/{screenshot['id']}" in json.dumps(events_of(path, "said"))
    assert url[:200] not in json.dumps(events_of(path, "said", "llm", "wire"))
    assert json.loads(Answers(path)._all[0].sent) == body


# -- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "status"), [("import sys; sys.exit(7)", 7), ("import os; os.kill(os.getpid(), 9)", 137)]
)
def test_the_exit_status_is_the_commands(code: str, status: int, tmp_path: Path) -> None:
    done = run(tmp_path / "run.reel", command=[sys.executable, "-c", code])
    assert done.returncode == status and is_written(done.stderr, tmp_path / "run.reel")
    assert events_of(tmp_path / "run.reel", "llm") == []


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    for options in ([], ["--mitmproxy=no-such-mitmdump"]):
        done = run(tmp_path / "run.reel", *options, command=["no-such-command-of-anybody"])
        assert done.returncode == 2 and "cannot be run" in done.stderr and len(done.stderr.splitlines()) == 1
        assert list(tmp_path.iterdir()) == [], "nothing stands in the way of the next try"
    old = tmp_path / "run.reel"
    with record(None, old):
        pass
    before = old.read_bytes()
    assert run(old, "--overwrite", command=["no-such-command-of-anybody"]).returncode == 2
    assert old.read_bytes() == before, "what was recorded before stays"


def test_signals_are_passed_on_and_the_recording_is_closed(tmp_path: Path) -> None:
    code = "import time; print('ready', flush=True); time.sleep(60)"
    reel = tmp_path / "run.reel"
    process = subprocess.Popen(
        [*PAGEREEL, "proxy", "--reel", str(reel), "--", sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 128 + signal.SIGTERM
    with open_reel(reel) as opened:
        assert opened.sealed


def test_the_command_keeps_its_own_options_and_learns_the_addresses(tmp_path: Path) -> None:
    code = "import os, sys; print(sys.argv[1:], os.environ['GROQ_BASE_URL'], os.environ['NO_PROXY'], os.environ['OLLAMA_HOST'], os.environ['TRACEPARENT'])"
    options = ["--upstream=groq=https://api.groq.example/openai/v1", "--agent", "bot"]
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    done = run(
        tmp_path / "run.reel", *options, command=[sys.executable, "-c", code, "--reel", "x", "-h"], TRACEPARENT=trace
    )
    assert done.stdout.startswith("['--reel', 'x', '-h'] http://127.0.0.1:")
    assert "/groq/openai/v1 " in done.stdout and "127.0.0.1" in done.stdout.split()[4]
    with open_reel(tmp_path / "run.reel") as opened:
        assert opened.header["agent"] == "bot"
        assert (opened.header["trace"], opened.header["parent"]) == (trace[3:35], trace[36:52])
        (handed,) = opened.events({"handed_on"})
    # The command is told of a span within the same trace, that what it records joins this.
    assert done.stdout.split()[-1] == f"{trace[:36]}{handed['span']}-01"


@pytest.mark.parametrize("given", ["groq", "groq=api.groq.com", "Groq=https://x.example", "=https://x.example"])
def test_an_upstream_that_is_none(given: str) -> None:
    with pytest.raises(UsageError, match="NAME=URL"):
        parse_upstreams([given], {})


def test_variables_that_were_set_before_say_where_the_providers_are() -> None:
    found = {
        each.name: each.url
        for each in parse_upstreams([], {"OPENAI_BASE_URL": "https://gateway.example/v1/", "OLLAMA_HOST": "10.0.0.5"})
    }
    assert found["openai"] == "https://gateway.example/v1" and found["ollama"] == "http://10.0.0.5:11434"
    assert found["anthropic"] == "https://api.anthropic.com"


# -- answers again ----------------------------------------------------------------------------------------------------


def test_a_request_without_a_recorded_answer_is_told_what_differs_first(
    providers: ScriptedProviders, tmp_path: Path
) -> None:
    command = [sys.executable, str(AGENTS), "chat", "at once"]
    run(tmp_path / "run.reel", *upstream(providers), command=command)
    done = run(tmp_path / "again.reel", f"--answers={tmp_path / 'run.reel'}", command=[*command, "a lamp"])
    assert done.returncode == 1 and "409" in done.stderr
    assert 'messages[1].content was "Find a vase' in done.stderr and 'and is "Find a lamp' in done.stderr
    assert "2 recorded answers were not asked for" in done.stderr
    (event,) = events_of(tmp_path / "again.reel", "llm")
    assert "messages[1].content" in event["error"]


def test_answers_come_in_their_order_and_the_last_again(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    body = {"model": "m", "messages": [{"role": "user", "content": "again"}]}
    with (
        ScriptedProviders(
            lambda number, body: ScriptedTurn(f"answer {number}", status=429 if number == 0 else 200)
        ) as providers,
        record(None, path) as session,
        ModelProxy(session, parse_upstreams([f"openai={providers.provider_url('openai')}"], {})) as proxy,
    ):
        before = [httpx2.post(address(proxy), json=body) for _ in range(3)]
    with (
        record(None, tmp_path / "again.reel") as session,
        ModelProxy(session, parse_upstreams([], {}), Answers(path)) as proxy,
    ):
        after = [httpx2.post(address(proxy), json=body) for _ in range(4)]
    assert [a.content for a in after] == [*(b.content for b in before), before[-1].content]
    assert [a.status_code for a in after] == [429, 200, 200, 200]


def test_a_recording_without_model_traffic_has_no_answers(tmp_path: Path) -> None:
    with record(None, tmp_path / "run.reel"):
        pass
    done = run(tmp_path / "again.reel", f"--answers={tmp_path / 'run.reel'}", command=["true"])
    assert done.returncode == 2 and "no model traffic" in done.stderr
    assert set(FORMS) == set(WAYS)


_ANSWER = json.dumps(
    {"choices": [{"index": 0, "message": {"content": "hello " * 30}, "finish_reason": "stop"}]}
).encode()
_PACKED = gzip.compress(_ANSWER)
_GZIP = ("content-encoding", "gzip")
STRANGE: dict[str, tuple[int, list[tuple[str, str]], bytes]] = {
    "packed": (200, [_GZIP], _PACKED),
    "packed twice": (200, [("content-encoding", "gzip, gzip")], gzip.compress(_PACKED)),
    "in two parts": (200, [_GZIP], gzip.compress(_ANSWER[:50]) + gzip.compress(_ANSWER[50:])),
    "with zeros behind": (200, [_GZIP], _PACKED + bytes(8)),
    "cut": (200, [_GZIP], _PACKED[:-12]),
    "with a wrong sum": (200, [_GZIP], _PACKED[:-8] + b"12345678"),
    "not packed at all": (200, [_GZIP], _ANSWER),
    "nothing": (200, [_GZIP], b""),
    "refused": (429, [_GZIP], gzip.compress(b'{"error": {"message": "slow"}}')),
    "a picture": (200, [("content-type", "image/png"), _GZIP], gzip.compress(bytes(range(256)))),
    "of no type": (200, [("content-type", ""), _GZIP], _PACKED),
    "of a coding that nobody knows": (200, [("content-encoding", "snappy")], _ANSWER),
    "no content": (204, [_GZIP], b""),
}


@pytest.mark.parametrize("path", ["/chat/completions", "/files"])
def test_an_answer_is_given_again_as_it_was_however_it_was_packed(path: str, tmp_path: Path) -> None:
    class Packing(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, headers, content = STRANGE[body["messages"][0]["content"]]
            self.send_response(status)
            for name, value in {"content-type": "application/json", **dict(headers)}.items():
                if value:
                    self.send_header(name, value)
            if status != 204:
                self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *told: object) -> None:
            pass

    def told(proxy: ModelProxy) -> dict[str, Any]:
        found: dict[str, Any] = {}
        with httpx2.Client(timeout=10) as client:
            for name in STRANGE:
                body = {"model": "m", "messages": [{"role": "user", "content": name}]}
                try:
                    answer = client.post(f"{proxy.environment({})['OPENAI_BASE_URL']}{path}", json=body)
                    found[name] = answer.status_code, answer.headers.get("content-type"), answer.content
                except httpx2.HTTPError as error:
                    found[name] = str(error)
        return found

    with ThreadingHTTPServer(("127.0.0.1", 0), Packing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        upstreams = parse_upstreams([f"openai=http://127.0.0.1:{server.server_port}"], {})
        with record(None, tmp_path / "run.reel") as session, ModelProxy(session, upstreams) as proxy:
            live = told(proxy)
        server.shutdown()
    recorded = Answers(tmp_path / "run.reel")
    with record(None, tmp_path / "again.reel") as session, ModelProxy(session, upstreams, recorded) as proxy:
        assert told(proxy) == live


def test_what_did_not_come_to_its_end_does_not_either_when_it_is_given_again(tmp_path: Path) -> None:
    """A stream that broke off, and a provider that nobody reached."""

    def told(proxy: ModelProxy) -> list[Any]:
        found: list[Any] = []
        with httpx2.Client(timeout=10) as client:
            for name in ("OPENAI_BASE_URL", "NOBODY_BASE_URL"):
                got = b""
                try:
                    url, body = f"{proxy.environment({})[name]}/chat/completions", {"stream": True, "messages": []}
                    with client.stream("POST", url, json=body) as answer:
                        for part in answer.iter_raw():
                            got += part
                    found.append((answer.status_code, got))
                except httpx2.HTTPError as error:
                    found.append((type(error).__name__, got))
        return found

    with ScriptedProviders(lambda number, body: ScriptedTurn("half of it " * 20, breaks=True)) as running:
        upstreams = parse_upstreams([f"openai={running.provider_url('openai')}", "nobody=http://127.0.0.1:9/v1"], {})
        with record(None, tmp_path / "run.reel") as session, ModelProxy(session, upstreams) as proxy:
            live = told(proxy)
    recorded = Answers(tmp_path / "run.reel")
    with record(None, tmp_path / "again.reel") as session, ModelProxy(session, upstreams, recorded) as proxy:
        assert told(proxy) == live
    assert live[0][0] == "RemoteProtocolError" and live[1][0] == 502
