"""A trusted proxy says who asks. Nobody else can: not from elsewhere, not twice, not under a name that looks like the header's."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from .server import Served, filled, served, tokens

USERS = """
[[user]]
name = "ana@example.com"
role = "internal"

[[user]]
name = "boss@example.com"
role = "admin"
"""
NAME = "X-Forwarded-User"


def told(folder: Path, *, others: bool = False) -> Path:
    path = tokens(folder / "tokens.toml")
    path.write_text(path.read_text() + USERS + ('[[user]]\nname = "*"\nrole = "reader"\n' if others else ""))
    return path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("proxy")
    with served(filled(folder / "runs", folder), "--tokens", str(told(folder)), "--proxy-header", NAME) as running:
        yield running


def asked(
    site: Served, headers: list[tuple[str, str]], path: str = "/api/v1/runs/run-0000", source: str = "127.0.0.1"
) -> int:
    """The status for a request from an address of this machine; every address of 127.0.0.0/8 is one."""
    connection = http.client.HTTPConnection(site.pages, timeout=60, source_address=(source, 0))
    try:
        connection.putrequest("GET", path)
        for name, value in headers:
            connection.putheader(name, value)
        connection.endheaders()
        return connection.getresponse().status
    finally:
        connection.close()


def test_who_comes_through_the_proxy_has_the_role_of_their_name(site: Served) -> None:
    assert asked(site, [(NAME, "ana@example.com")]) == 200
    assert (site.log()[-1]["who"], site.log()[-1]["redaction"]) == ("ana@example.com", "internal")
    assert asked(site, [(NAME, "ana@example.com")], "/api/v1/audit") == 403
    assert asked(site, [(NAME, "boss@example.com")], "/api/v1/audit") == 200
    assert asked(site, [(NAME, "nobody@example.com")]) == 401
    assert asked(site, [(NAME, "")]) == 401
    assert asked(site, []) == 401


@pytest.mark.parametrize(
    "more", [(), (("X-Forwarded-For", "127.0.0.1"),), (("Forwarded", "for=127.0.0.1"),), (("X-Real-IP", "127.0.0.1"),)]
)
def test_from_elsewhere_the_header_says_nothing_whatever_stands_beside_it(
    site: Served, more: tuple[tuple[str, str], ...]
) -> None:
    before = len(site.log())
    assert asked(site, [(NAME, "boss@example.com"), *more], source="127.0.0.2") == 401
    assert asked(site, [(NAME, "boss@example.com"), *more], "/api/v1/audit", source="127.0.0.2") == 401
    assert len(site.log()) == before
    # A token counts from anywhere, and for what it is.
    given = [(NAME, "boss@example.com"), ("Authorization", "Bearer reader"), *more]
    assert asked(site, given, source="127.0.0.2") == 200
    assert site.log()[-1]["who"] == "the reader"
    assert asked(site, given, "/api/v1/audit", source="127.0.0.2") == 403


def test_a_header_that_is_there_twice_or_under_another_name_is_not_the_proxys(site: Served) -> None:
    assert asked(site, [(NAME, "ana@example.com"), (NAME, "boss@example.com")]) == 401
    assert asked(site, [(NAME, "boss@example.com"), (NAME.lower(), "boss@example.com")]) == 401
    assert asked(site, [("X_Forwarded_User", "boss@example.com")]) == 401
    assert asked(site, [(f"{NAME}s", "boss@example.com")]) == 401


@pytest.mark.slow
def test_a_proxy_on_another_machine_is_named_and_this_one_is_then_nobody(tmp_path: Path) -> None:
    options = ["--tokens", str(told(tmp_path, others=True)), "--proxy-header", NAME, "--proxy-from", "127.0.0.9"]
    with served(filled(tmp_path / "runs", tmp_path), *options) as running:
        assert asked(running, [(NAME, "boss@example.com")]) == 401
        assert asked(running, [(NAME, "boss@example.com")], source="127.0.0.9") == 200
        assert asked(running, [(NAME, "whoever@example.com")], source="127.0.0.9") == 200, (
            "* is everybody else whom the proxy let in"
        )
        assert running.log()[-1]["redaction"] == "vendor"


def test_without_the_option_no_header_says_who_asks(tmp_path: Path) -> None:
    with served(filled(tmp_path / "runs", tmp_path), "--tokens", str(told(tmp_path, others=True))) as running:
        assert asked(running, [(NAME, "boss@example.com")]) == 401
