"""HTTP/1.1 at the proxy as clients and providers write it that the libraries of the other tests do not: byte by byte, ahead of the answer, cut off, slow."""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from pagereel import record
from pagereel.integrations.proxy import ModelProxy, parse_upstreams

from .conftest import events_of

Serve = Callable[[socket.socket], None]
BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "é “x”"}]}, ensure_ascii=False).encode()
SAID = b'{"choices":[{"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}'
SIZED = b"content-type: application/json\r\ncontent-length: %d\r\n" % len(SAID)


class Provider:
    """A provider that speaks as it is told, a connection at a time; `got` is what it read."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"
        self.connections = 0
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._serve(connection)

    def close(self) -> None:
        self._listener.close()


class Proxied:
    """A proxy before such a provider."""

    def __init__(self, provider: Provider, proxy: ModelProxy, reel: Path) -> None:
        self.provider, self.proxy, self.reel = provider, proxy, reel
        self.url = f"{proxy.environment({})['OPENAI_BASE_URL']}/chat/completions"
        _, _, place, self.path = self.url.split("/", 3)
        host, _, port = place.partition(":")
        self._address = host, int(port)

    def connect(self) -> socket.socket:
        found = socket.create_connection(self._address, timeout=30)
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return found

    def head(self, *lines: str, method: str = "POST", version: str = "1.1") -> bytes:
        return "\r\n".join([f"{method} /{self.path} HTTP/{version}", "host: x", *lines, "", ""]).encode()

    def told(self, count: int = 1) -> list[dict[str, Any]]:
        deadline = time.monotonic() + 20
        while len(found := events_of(self.reel, "llm")) < count:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        return found


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[Callable[[Serve], Proxied]]:
    with contextlib.ExitStack() as stack:

        def start(serve: Serve) -> Proxied:
            provider = Provider(serve)
            stack.callback(provider.close)
            session = stack.enter_context(record(None, tmp_path / "run.reel"))
            proxy = stack.enter_context(ModelProxy(session, parse_upstreams([f"openai={provider.url}"], {})))
            return Proxied(provider, proxy, tmp_path / "run.reel")

        yield start


def request(connection: socket.socket) -> tuple[bytes, bytes]:
    """Read a request: its head, and its body with what frames it."""
    got = bytearray()
    while b"\r\n\r\n" not in got:
        if not (data := connection.recv(65536)):
            raise OSError("nobody asks")
        got += data
    head, _, body = got.partition(b"\r\n\r\n")
    lines = dict(line.lower().split(b": ", 1) for line in bytes(head).split(b"\r\n")[1:])
    size = int(lines.get(b"content-length", 0))
    while len(body) < size or (b"transfer-encoding" in lines and not body.endswith(b"0\r\n\r\n")):
        body += connection.recv(65536)
    return bytes(head), bytes(body)


def answering(*answers: bytes, by: int = 1 << 20, close: bool = False) -> Serve:
    """A provider that gives one answer after the other, in pieces of so many bytes."""

    def serve(connection: socket.socket) -> None:
        for answer in answers:
            request(connection)
            for start in range(0, len(answer), by):
                connection.sendall(answer[start : start + by])
        if not close:
            time.sleep(60)

    return serve


def unframed(body: bytes) -> bytes:
    """A body without what frames its chunks: they are cut as they came."""
    found = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        found, body = found + body[: int(size, 16)], body[int(size, 16) + 2 :]
    return found


def echo(connection: socket.socket) -> None:
    """Answer with what was sent."""
    while True:
        head, body = request(connection)
        if b"transfer-encoding: chunked" in head.lower():
            body = unframed(body)
        said = json.dumps({"head": head.decode(), "body": body.decode()}).encode()
        connection.sendall(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(said) + said
        )


def answer(connection: socket.socket) -> tuple[bytes, bytes]:
    """Read an answer of a known length, and nothing of the next one."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        letter = connection.recv(1)
        assert letter, head
        head += letter
    head = head.removesuffix(b"\r\n\r\n")
    size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
    body = b""
    while len(body) < size:
        data = connection.recv(size - len(body))
        assert data, body
        body += data
    return head, body


# -- what providers answer -----------------------------------------------------------------------------------------------

STREAM = b'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n', b"data: [DONE]\n\n"
CHUNKED = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in STREAM)
EVENTS = b"content-type: text/event-stream\r\n"
ANSWERS = {
    "of a length": (b"HTTP/1.1 200 OK\r\n" + SIZED + b"\r\n" + SAID, SAID),
    "in chunks": (b"HTTP/1.1 200 OK\r\n" + EVENTS + b"transfer-encoding: chunked\r\n\r\n" + CHUNKED + b"0\r\n\r\n", b"".join(STREAM)),
    "in chunks with a trailer": (b"HTTP/1.1 200 OK\r\n" + EVENTS + b"transfer-encoding: chunked\r\n\r\n" + CHUNKED + b"0\r\nx-sum: 1\r\n\r\n", b"".join(STREAM)),
    "after others that say to wait": (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n" + SIZED + b"\r\n" + SAID, SAID),
    "up to the connection's end": (b"HTTP/1.1 200 OK\r\n" + EVENTS + b"\r\n" + b"".join(STREAM), b"".join(STREAM)),
    "of HTTP/1.0": (b"HTTP/1.0 200 OK\r\n" + EVENTS + b"\r\n" + b"".join(STREAM), b"".join(STREAM)),
    "with lines that end without a carriage return": (b"HTTP/1.1 200 OK\ncontent-length: %d\n\n" % len(SAID) + SAID, SAID),
}  # fmt: skip


@pytest.mark.parametrize("by", [1, 1 << 20])
@pytest.mark.parametrize("way", ANSWERS)
def test_an_answer_comes_as_it_is_whatever_its_end_is_told_by(
    way: str, by: int, proxied: Callable[[Serve], Proxied]
) -> None:
    given, expected = ANSWERS[way]
    place = proxied(answering(given, by=by, close=True))
    got = httpx2.post(place.url, content=BODY, timeout=30)
    assert (got.status_code, got.content) == (200, expected)
    assert "x-sum" not in got.headers and "link" not in got.headers
    (event,) = place.told()
    assert (event["response"], event.get("error")) == ("Hello", None)


@pytest.mark.parametrize(
    "given",
    [
        b"HTTP/1.1 200 OK\r\n" + SIZED + b"\r\n" + SAID[:20],
        b"HTTP/1.1 200 OK\r\n" + EVENTS + b"transfer-encoding: chunked\r\n\r\n" + CHUNKED[:40],
        b"HTTP/1.1 200 OK\r\n" + EVENTS + b"transfer-encoding: chunked\r\n\r\nno size\r\n",
    ],
)
def test_an_answer_that_is_cut_off_is_cut_off_for_the_client(given: bytes, proxied: Callable[[Serve], Proxied]) -> None:
    place = proxied(answering(given, close=True))
    with pytest.raises(httpx2.RemoteProtocolError):
        httpx2.post(place.url, content=BODY, timeout=30)
    (event,) = place.told()
    assert event["error"].startswith("RemoteProtocolError")


@pytest.mark.parametrize(
    "given", [b"", b"HTTP/1.1 2", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 OK\r\nx: " + b"y" * (2 << 20)]
)
def test_what_is_no_answer_is_told_as_that(given: bytes, proxied: Callable[[Serve], Proxied]) -> None:
    place = proxied(answering(given, close=True))
    got = httpx2.post(place.url, content=BODY, timeout=30)
    assert (got.status_code, got.json()["error"]["type"]) == (502, "upstream_unreachable")
    (event,) = place.told()
    assert event["error"].startswith("RemoteProtocolError") and event["said"]


@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("GET", 304), ("DELETE", 204)])
def test_an_answer_without_a_body_ends_with_its_head(
    method: str, status: int, proxied: Callable[[Serve], Proxied]
) -> None:
    place = proxied(answering(*[b"HTTP/1.1 %d X\r\n%s\r\n" % (status, b"" if status == 204 else SIZED)] * 2))
    with httpx2.Client(timeout=30) as client:
        for _ in range(2):
            got = client.request(method, place.url)
            assert (got.status_code, got.content) == (status, b"")
            assert got.headers.get("content-length") == (None if status == 204 else str(len(SAID)))


def test_a_connection_on_which_a_provider_speaks_unasked_is_not_used_again(proxied: Callable[[Serve], Proxied]) -> None:
    spoke = threading.Event()

    def serve(connection: socket.socket) -> None:
        request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n" + SIZED + b"\r\n" + SAID)
        time.sleep(0.1)
        connection.sendall(b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n")
        spoke.set()
        time.sleep(60)

    place = proxied(serve)
    for _ in range(2):
        assert httpx2.post(place.url, content=BODY, timeout=30).content == SAID
        assert spoke.wait(20)
        time.sleep(0.1)
    assert place.provider.connections == 2


# -- what clients ask ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize(
    "more", [(), ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAA")]
)
def test_a_request_byte_by_byte_and_one_that_offers_another_protocol(
    more: tuple[str, ...], chunked: bool, proxied: Callable[[Serve], Proxied]
) -> None:
    """Java's HTTP client offers HTTP/2 with each first request, and sends its body at once."""
    place = proxied(echo)
    framed = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY) if chunked else BODY
    head = place.head("transfer-encoding: chunked" if chunked else f"content-length: {len(BODY)}", *more)
    with place.connect() as client:
        for by in (1, 1 << 20):
            for start in range(0, len(head + framed), by):
                client.sendall((head + framed)[start : start + by])
            got = json.loads(answer(client)[1])
            assert got["body"].encode() == BODY and "upgrade:" not in got["head"].lower()
    assert len(place.told(2)) == 2


def test_a_provider_gets_the_lines_of_a_request_in_their_order_and_no_more(proxied: Callable[[Serve], Proxied]) -> None:
    """But for the names' letters: in ASGI they are small."""
    place = proxied(echo)
    lines = [
        "X-B: 1",
        "Authorization: Bearer k",
        "x-a:  two  words ",
        "X-B: 3",
        f"Content-Length: {len(BODY)}",
        "Cookie: c=1",
    ]
    with place.connect() as client:
        client.sendall(place.head(*lines, "Keep-Alive: timeout=5", "Connection: keep-alive") + BODY)
        head = json.loads(answer(client)[1])["head"].split("\r\n")
    assert head == [
        "POST /v1/chat/completions HTTP/1.1", f"host: {place.provider.url.split('/')[2]}",
        "x-b: 1", "authorization: Bearer k", "x-a: two  words", "x-b: 3", f"content-length: {len(BODY)}", "cookie: c=1",
    ]  # fmt: skip


def test_a_proxy_of_the_environment_gets_no_more_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cookies that a provider sets are the client's to keep."""
    heads: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        while True:
            heads.append(request(connection)[0])
            connection.sendall(b"HTTP/1.1 200 OK\r\nSet-Cookie: c=1\r\n" + SIZED + b"\r\n" + SAID)

    provider = Provider(serve)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", provider.url.replace("//", "//name:w%40rd@").removesuffix("/v1"))
    with (
        contextlib.closing(provider),
        record(None, tmp_path / "run.reel") as session,
        ModelProxy(session, parse_upstreams(["openai=http://models.example/v1"], {})) as proxy,
    ):
        place = Proxied(provider, proxy, tmp_path / "run.reel")
        for _ in range(2):
            with place.connect() as client:
                client.sendall(place.head(f"content-length: {len(BODY)}") + BODY)
                assert answer(client)[1] == SAID
    assert [head.lower().split(b"\r\n") for head in heads] == 2 * [
        [
            b"post http://models.example/v1/chat/completions http/1.1",
            b"host: models.example",
            b"proxy-authorization: basic " + base64.b64encode(b"name:w@rd").lower(),
            b"content-length: %d" % len(BODY),
        ]
    ]


def test_a_name_and_password_in_a_providers_address_stand_in_its_requests_alone(tmp_path: Path) -> None:
    provider = Provider(echo)
    with contextlib.closing(provider), record(None, tmp_path / "run.reel") as session:
        url = provider.url.replace("//", "//name:w%40rd@")
        with ModelProxy(session, parse_upstreams([f"openai={url}"], {})) as proxy:
            place = Proxied(provider, proxy, tmp_path / "run.reel")
            with place.connect() as client:
                client.sendall(place.head("authorization: Bearer k", f"content-length: {len(BODY)}") + BODY)
                head = json.loads(answer(client)[1])["head"].split("\r\n")
            place.told()
    assert f"authorization: Basic {base64.b64encode(b'name:w@rd').decode()}" in head
    assert not any("Bearer" in line for line in head) and f"host: {provider.url.split('/')[2]}" in head
    assert "w%40rd" not in json.dumps(events_of(tmp_path / "run.reel", "llm"))


@pytest.mark.parametrize("rest", [b"no size\r\n", b""])
def test_who_breaks_off_is_told_in_the_recording_and_printed_nowhere(
    rest: bytes, proxied: Callable[[Serve], Proxied], caplog: pytest.LogCaptureFixture
) -> None:
    """A client that goes on with what is no HTTP after the answer's beginning, or hangs up; and a provider that does."""

    def serve(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\n" + EVENTS + b"transfer-encoding: chunked\r\n\r\n" + CHUNKED[:60])
        if not rest:
            connection.close()
        time.sleep(60)

    place = proxied(serve)
    with place.connect() as client:
        client.sendall(
            place.head("transfer-encoding: chunked", "upgrade: h2c", "connection: upgrade") + b"5\r\n12345\r\n"
        )
        assert client.recv(65536)
        client.sendall(rest)
        while client.recv(65536):
            pass
    place.proxy.stop()
    assert caplog.records == []


def test_who_waits_to_be_told_to_go_on_is_told(proxied: Callable[[Serve], Proxied]) -> None:
    place = proxied(echo)
    with place.connect() as client:
        client.sendall(place.head(f"content-length: {len(BODY)}", "expect: 100-continue"))
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(BODY)
        assert json.loads(answer(client)[1])["body"].encode() == BODY


def test_requests_that_come_ahead_of_the_answers_are_answered_in_their_order(
    proxied: Callable[[Serve], Proxied],
) -> None:
    place = proxied(echo)
    bodies = [BODY.replace(b"x", b"%d" % number) for number in range(5)]
    with place.connect() as client:
        client.sendall(b"".join(place.head(f"content-length: {len(each)}") + each for each in bodies))
        got = [json.loads(answer(client)[1])["body"].encode() for _ in bodies]
    assert got == bodies
    assert len(place.told(5)) == 5


def test_a_client_of_http_1_0_gets_an_answer_that_ends_with_the_connection(proxied: Callable[[Serve], Proxied]) -> None:
    place = proxied(answering(ANSWERS["in chunks"][0]))
    with place.connect() as client:
        client.sendall(place.head(f"content-length: {len(BODY)}", version="1.0") + BODY)
        got = b"".join(iter(lambda: client.recv(65536), b""))
    head, _, body = got.partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower() and b"chunked" not in head.lower() and body == b"".join(STREAM)


@pytest.mark.parametrize(
    "given",
    [
        b"hello\r\n\r\n",
        b"GET /x HTTP/1.1\r\nx y z\r\n\r\n",
        b"GET / HTTP/1.1\r\nx: " + b"y" * (2 << 20),
        b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\nabc",
    ],
)
def test_what_is_no_request_is_refused(given: bytes, proxied: Callable[[Serve], Proxied]) -> None:
    place = proxied(echo)
    with place.connect() as client:
        with contextlib.suppress(ConnectionError):
            client.sendall(given)
        got = b""
        with contextlib.suppress(ConnectionError):
            got = b"".join(iter(lambda: client.recv(65536), b""))
    assert got.startswith(b"HTTP/1.1 400 ") or len(given) > 1 << 20
    assert place.provider.connections == 0


def refusing(connection: socket.socket) -> None:
    """Answer one request, and refuse the next one before it is whole."""
    request(connection)
    connection.sendall(ANSWERS["of a length"][0])
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n")
    time.sleep(60)


def refuses_early(place: Proxied) -> None:
    with place.connect() as client:
        client.sendall(place.head(f"content-length: {len(BODY)}") + BODY)
        assert answer(client)[1] == SAID
        client.sendall(place.head(f"content-length: {len(BODY)}") + BODY[:20])
        assert answer(client)[0].startswith(b"HTTP/1.1 413 ")
        client.sendall(BODY[20:])
        first, second = place.told(2)
    assert (first["response"], second["error"]) == ("Hello", "413") and first["said"] == second["said"]
    assert place.provider.connections == 1


def test_an_answer_before_the_request_is_whole_counts_and_both_are_told(proxied: Callable[[Serve], Proxied]) -> None:
    refuses_early(proxied(refusing))


# -- who is slow ---------------------------------------------------------------------------------------------------------


def test_what_a_slow_client_does_not_take_is_not_read_from_the_provider(proxied: Callable[[Serve], Proxied]) -> None:
    size, sent = 32 << 20, [0]

    def serve(connection: socket.socket) -> None:
        request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % size)
        while sent[0] < size:
            sent[0] += connection.send(b"x" * min(1 << 20, size - sent[0]))

    place = proxied(serve)
    with place.connect() as client:
        client.sendall(place.head(f"content-length: {len(BODY)}") + BODY)
        before = -1
        while before != sent[0]:
            before = sent[0]
            time.sleep(0.5)
        assert 0 < sent[0] < size
        assert len(answer(client)[1]) == size


def test_what_a_slow_provider_does_not_take_is_not_read_from_the_client(proxied: Callable[[Serve], Proxied]) -> None:
    size, goes_on = 32 << 20, threading.Event()

    def serve(connection: socket.socket) -> None:
        goes_on.wait(60)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n%8d" % len(request(connection)[1]))

    place = proxied(serve)
    with place.connect() as client:
        sent = client.send(place.head(f"content-length: {size}"))
        client.settimeout(1)
        data, sent = memoryview(bytes(size)), 0
        with contextlib.suppress(TimeoutError):
            while sent < size:
                sent += client.send(data[sent : sent + (1 << 20)])
        assert 0 < sent < size
        client.settimeout(60)
        goes_on.set()
        client.sendall(data[sent:])
        assert int(answer(client)[1]) == size
