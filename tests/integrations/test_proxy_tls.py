"""A provider behind TLS at the proxy: what comes over one connection after the other, how answers end, and whom nobody trusts."""

from __future__ import annotations

import base64
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from pagereel import record
from pagereel.errors import UsageError
from pagereel.integrations.proxy import ModelProxy, parse_upstreams

from .certificates import certificate
from .test_proxy_wire import (
    ANSWERS,
    BODY,
    SAID,
    STREAM,
    Provider,
    Proxied,
    Serve,
    answering,
    echo,
    refuses_early,
    refusing,
)

Secure = Callable[..., Proxied]


@pytest.fixture
def secure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Secure]:
    """``secure(serve)`` starts such a provider and a proxy before it, which trusts its certificate or not."""
    files = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    with contextlib.ExitStack() as stack:

        def start(serve: Serve, *, trusted: bool = True, host: str = "127.0.0.1") -> Proxied:
            def wrapped(connection: socket.socket) -> None:
                with context.wrap_socket(connection, server_side=True) as inner:
                    serve(inner)

            provider = Provider(wrapped)
            stack.callback(provider.close)
            url = provider.url.replace("http://127.0.0.1", f"https://{host}")
            if trusted:
                monkeypatch.setenv("SSL_CERT_FILE", str(files[0]))
            session = stack.enter_context(record(None, tmp_path / "run.reel"))
            proxy = stack.enter_context(ModelProxy(session, parse_upstreams([f"openai={url}"], {})))
            return Proxied(provider, proxy, tmp_path / "run.reel")

        yield start


@pytest.mark.parametrize("by", [1, 1 << 20])
@pytest.mark.parametrize("way", ANSWERS)
def test_an_answer_comes_over_tls_as_it_does_without(way: str, by: int, secure: Secure) -> None:
    given, expected = ANSWERS[way]

    def serve(connection: socket.socket) -> None:
        answering(given, by=by, close=True)(connection)
        with contextlib.suppress(OSError):
            connection.unwrap()  # type: ignore[attr-defined]

    place = secure(serve)
    got = httpx2.post(place.url, content=BODY, timeout=30)
    assert (got.status_code, got.content) == (200, expected)
    (event,) = place.told()
    assert (event["response"], event.get("error")) == ("Hello", None)


def test_a_connection_is_kept_for_what_is_asked_next(secure: Secure) -> None:
    place = secure(echo)
    with httpx2.Client(timeout=30) as client:
        for number in range(5):
            body = BODY.replace(b"x", b"%d" % number * 50_000)
            assert client.post(place.url, content=body).json()["body"].encode() == body
    assert place.provider.connections == 1
    assert len(place.told(5)) == 5


def test_an_answer_before_the_request_is_whole_comes_over_tls_too(secure: Secure) -> None:
    refuses_early(secure(refusing))


@pytest.mark.parametrize("excepted", [False, True])
def test_a_tunnel_of_the_environment_is_taken_but_for_the_hosts_that_it_excepts(
    excepted: bool, secure: Secure, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []

    def tunnel(client: socket.socket) -> None:
        head = client.recv(65536)
        asked.append(head)
        host, _, port = head.split()[1].partition(b":")
        with socket.create_connection((host, int(port))) as server:
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")

            def back() -> None:
                with contextlib.suppress(OSError):
                    while data := server.recv(65536):
                        client.sendall(data)

            threading.Thread(target=back, daemon=True).start()
            while data := client.recv(65536):
                server.sendall(data)

    between = Provider(tunnel)
    monkeypatch.setenv("https_proxy", between.url.replace("//", "//name:word@").removesuffix("/v1"))
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1" if excepted else "other.example")
    with contextlib.closing(between):
        place = secure(echo)
        for _ in range(2):
            got = httpx2.post(place.url, content=BODY, timeout=30, trust_env=False)
            assert got.json()["body"].encode() == BODY
            assert "proxy-authorization" not in got.json()["head"].lower()
    if excepted:
        assert asked == []
    else:
        (head,) = asked
        assert head.startswith(f"CONNECT {place.provider.url.split('/')[2]} HTTP/1.1\r\n".encode())
        assert b"authorization: basic " + base64.b64encode(b"name:word").lower() in head.lower()


def test_an_answer_that_ends_with_its_connection_is_there_also_if_tls_was_not_ended(secure: Secure) -> None:
    given, expected = ANSWERS["up to the connection's end"]
    place = secure(answering(given, close=True))
    got = b""
    with contextlib.suppress(httpx2.RemoteProtocolError), httpx2.stream("POST", place.url, content=BODY) as stream:
        for part in stream.iter_raw():
            got += part
    assert got == expected == b"".join(STREAM)
    (event,) = place.told()
    assert event["response"] == "Hello"


def test_an_answer_that_is_cut_off_is_cut_off_for_the_client(secure: Secure) -> None:
    place = secure(answering(ANSWERS["of a length"][0].removesuffix(SAID[20:]), close=True))
    with pytest.raises(httpx2.RemoteProtocolError):
        httpx2.post(place.url, content=BODY, timeout=30)
    (event,) = place.told()
    assert event["error"].startswith("RemoteProtocolError")


@pytest.mark.parametrize(("trusted", "host"), [(False, "127.0.0.1"), (True, "localhost")])
def test_a_provider_whom_nobody_vouches_for_is_told_nothing(trusted: bool, host: str, secure: Secure) -> None:
    asked: list[bytes] = []
    place = secure(lambda connection: asked.append(connection.recv(65536)), trusted=trusted, host=host)
    got = httpx2.post(place.url, content=BODY, timeout=30)
    assert (got.status_code, got.json()["error"]["type"]) == (502, "upstream_unreachable")
    assert "certificate" in got.json()["error"]["message"] and not any(asked)
    (event,) = place.told()
    assert "CERTIFICATE_VERIFY_FAILED" in event["error"]


def test_one_that_speaks_no_tls_is_told_as_that(tmp_path: Path) -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    provider = Provider(serve)
    with contextlib.closing(provider), record(None, tmp_path / "plain.reel") as session:
        url = provider.url.replace("http:", "https:")
        with ModelProxy(session, parse_upstreams([f"openai={url}"], {})) as proxy:
            place = Proxied(provider, proxy, tmp_path / "plain.reel")
            got = httpx2.post(place.url, content=BODY, timeout=30)
            assert (got.status_code, got.json()["error"]["type"]) == (502, "upstream_unreachable")
            assert place.told()[0]["error"].startswith("ConnectError")


@pytest.mark.parametrize("written", [None, "no certificate"])
def test_certificates_that_cannot_be_read_are_one_sentence(
    written: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "authorities.pem"
    if written:
        named.write_text(written)
    monkeypatch.setenv("SSL_CERT_FILE", str(named))
    with record(None, tmp_path / "run.reel") as session, pytest.raises(UsageError, match="SSL_CERT_FILE"):
        ModelProxy(session, parse_upstreams([], {}))
