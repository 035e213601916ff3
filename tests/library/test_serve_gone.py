"""A run that somebody deletes while others look at it is not there: 404, without a word of where it lay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from pagereel.library import Library
from pagereel.library.serving import library_service
from pagereel.library.serving.library_service import LibraryService
from pagereel.library.serving.server import ServeOptions
from pagereel.library.serving.server import open_site as site_of

from .runs import made
from .server import tokens

ADMIN = {"Authorization": "Bearer admin"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Library(tmp_path / "runs") as library:
        library.add(made(tmp_path / "a.reel", "Thank you", id="run-0000", agent="ann"))
    return tmp_path / "runs"


@pytest.fixture
def client(folder: Path, tmp_path: Path) -> Iterator[TestClient]:
    with site_of(folder, ServeOptions(port=0, tokens=tokens(tmp_path / "tokens.toml"))) as (site, address, _):
        yield TestClient(site.build_pages_app(), base_url=address, headers=ADMIN)


def delete(folder: Path) -> None:
    with Library(folder, create=False) as library:
        library.delete("run-0000", "its time is over")


def told_as_gone(client: TestClient, folder: Path, method: str, path: str) -> None:
    answer = client.request(method, f"/api/v1/runs/run-0000{path}")
    assert (answer.status_code, answer.json()) == (404, {"error": "There is no run run-0000."})
    assert str(folder) not in answer.text


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("GET", "/replay.html"), ("DELETE", "?why=x")])
def test_a_run_deleted_as_it_was_found_is_404(
    client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch, method: str, path: str
) -> None:
    """It goes between the look into the catalogue and the look at the file."""
    found = LibraryService.get_catalogue_entry

    def and_gone(self: LibraryService, *given: object) -> object:
        entry = found(self, *given)  # type: ignore[arg-type]
        delete(folder)
        return entry

    monkeypatch.setattr(LibraryService, "get_catalogue_entry", and_gone)
    told_as_gone(client, folder, method, path)


def test_a_recording_that_goes_as_it_is_opened_is_404(
    client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = library_service.open_recording

    def too_late(path: Path) -> object:
        delete(folder)
        return opened(path)

    monkeypatch.setattr(library_service, "open_recording", too_late)
    told_as_gone(client, folder, "GET", "")


def test_a_replay_that_goes_before_it_is_sent_is_404(
    client: TestClient, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replay(*_: object) -> Path:
        delete(folder)
        return tmp_path / "gone.html"

    monkeypatch.setattr(LibraryService, "get_replay", replay)
    told_as_gone(client, folder, "GET", "/replay.html")


def test_a_replay_that_goes_while_it_is_sent_is_sent_whole_and_in_parts_as_they_are_asked_for(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "replay.html"
    path.write_bytes(b"x" * 2_999_999 + b"y")
    monkeypatch.setattr(LibraryService, "get_replay", lambda *_: path)
    address = "/api/v1/runs/run-0000/replay.html"
    part = client.get(address, headers={"Range": "bytes=2999998-"})
    assert (part.status_code, part.content) == (206, b"xy")
    with client.stream("GET", address) as answer:
        assert (answer.headers["content-length"], answer.headers["etag"]) == ("3000000", part.headers["etag"])
        blocks = answer.iter_bytes()
        sent = len(next(blocks))
        path.unlink()
        assert sent + sum(map(len, blocks)) == 3_000_000
