"""What a file is, from its content; and one sentence for what is none."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from pagereel.errors import ReelError, UsageError
from pagereel.reel import ReelWriter, remote_stores
from pagereel.sources import detect_kind, detect_source_format, import_recording, open_any


@pytest.fixture
def reel(tmp_path: Path) -> Path:
    path = tmp_path / "misleading.html"
    with ReelWriter(path, {"started": 0}) as writer:
        writer.write({"k": "mark", "t": 1, "name": "here"})
    return path


def zipped(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return path


def test_a_reel_is_a_reel_whatever_its_name(reel: Path) -> None:
    with open_any(reel) as opened:
        assert (opened.kind, [event["k"] for event in opened.timeline()]) == ("reel", ["reel", "mark", "end"])
    with pytest.raises(UsageError, match="is a reel already"):
        import_recording(reel, reel.with_suffix(".reel"))
    assert not reel.with_suffix(".reel").exists()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="pagereel" content="1">', "replay"),
        (b'[{"type":4,"data":{},"timestamp":1}]', "rrweb"),
        (b'\xef\xbb\xbf \n{"type":4,"data":{},"timestamp":1}\n', "rrweb"),
    ],
)
def test_other_kinds_are_told_by_their_content(tmp_path: Path, content: bytes, kind: str) -> None:
    path = tmp_path / "x.reel"
    path.write_bytes(content)
    with path.open("rb") as file:
        assert detect_kind(path, file) == kind
        assert file.tell() == 0


def test_a_zip_is_told_by_the_names_in_it(tmp_path: Path) -> None:
    for names, kind in (
        (("trace.trace", "resources/a"), "trace"),
        (("0-trace.network",), "trace"),
        (("run.html",), "replay"),
    ):
        path = zipped(tmp_path / "x.zip", *names)
        with path.open("rb") as file:
            assert detect_kind(path, file) == kind


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"# Notes\n", "not a recording that pagereel knows"),
        (b"<!doctype html><title>Shop</title>", "an HTML page that pagereel did not make"),
        (b'{"log": {"version": "1.2", "entries": []}}', "a HAR file"),
        (b"PK\x03\x04 cut", "a ZIP file that is damaged or cut off"),
        (b"\x89PNG\r\n\x1a\n", "not a recording that pagereel knows"),
    ],
)
def test_what_is_no_recording_is_said_in_a_sentence(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    for ask in (open_any, detect_source_format):
        with pytest.raises(ReelError, match=sentence):
            ask(path)
    with pytest.raises(ReelError, match=sentence):
        import_recording(path, tmp_path / "x.reel")
    assert [file.name for file in tmp_path.iterdir()] == ["x"]


def test_a_zip_of_something_else_and_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(ReelError, match="neither a Playwright trace nor a replay"):
        open_any(zipped(tmp_path / "x.zip", "a.txt", "deep/page.html"))
    with pytest.raises(ReelError, match="an empty ZIP file"):
        open_any(zipped(tmp_path / "y.zip"))


def test_what_cannot_be_opened_is_said_as_for_a_reel(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for path, sentence in (
        (tmp_path, "is a folder"),
        (tmp_path / "none", "does not exist"),
        (tmp_path / "empty", "is empty"),
    ):
        with pytest.raises(ReelError, match=sentence):
            open_any(path)


@pytest.mark.parametrize(
    ("name", "built"),
    [
        ("run.reel", "run.html"),
        ("trace.zip", "trace.html"),
        ("page.events.json", "page.events.html"),
        ("run.2026-11-23", "run.2026-11-23.html"),
        (".reel", ".reel.html"),
    ],
)
def test_a_replay_is_called_as_its_recording(name: str, built: str) -> None:
    assert remote_stores.build_replay_path(name, None, ".html") == built
    assert remote_stores.build_replay_path(f"s3://runs/{name}", None, ".html") == f"s3://runs/{built}"
