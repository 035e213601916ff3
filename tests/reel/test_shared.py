"""Resources that the recordings of one folder share, and room made among them."""

from __future__ import annotations

import os
import time
from hashlib import sha256
from pathlib import Path

import pytest
import zstandard

from pagereel.cli import main
from pagereel.reel import Event, ReelWriter, SharedResourceFolder, open_reel, verify

PICTURE = bytes(range(256)) * 20
SHEET = ("p { color: red }\n" * 300).encode()


def event_of(content: bytes, mime: str) -> Event:
    digest = sha256(content).hexdigest()
    return {"k": "resource", "t": 1, "sha256": digest, "mime": mime, "size": len(content), "shared": True}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A recording that shares a picture and a style sheet."""
    path = tmp_path / "run.reel"
    with ReelWriter(path, {"started": 0}) as writer:
        for content, mime in ((PICTURE, "image/png"), (SHEET, "text/css")):
            SharedResourceFolder(tmp_path).store_content(sha256(content).hexdigest(), content)
            writer.write(event_of(content, mime))
    return path


def file_of(run: Path, content: bytes) -> Path:
    digest = sha256(content).hexdigest()
    return run.parent / "resources" / digest[:2] / f"{digest}.zst"


def test_whoever_reads_the_recording_does_not_notice(run: Path) -> None:
    with open_reel(run) as reel:
        for events in (list(reel.events()), list(reel.timeline())):
            picture, sheet = (event for event in events if event["k"] == "resource")
            assert "shared" not in picture and "shared" not in sheet
            assert sheet["text"] == SHEET.decode()
            assert picture["size"] == len(PICTURE)
        assert reel.resource(sha256(PICTURE).hexdigest()) == PICTURE
    assert verify(run).resources_wrong == 0
    assert run.stat().st_size < 1000
    assert file_of(run, PICTURE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("harm", ["gone", "other bytes", "no zstd", "a link", "a folder", "a bomb"])
def test_what_is_lost_or_changed_is_left_out_and_counted(run: Path, harm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagereel.reel.shared_resources.LARGEST", 1 << 20)
    file = file_of(run, PICTURE)
    file.unlink()
    if harm == "other bytes":
        file.write_bytes(zstandard.compress(b"not the picture"))
    elif harm == "no zstd":
        file.write_bytes(PICTURE)
    elif harm == "a link":
        elsewhere = run.with_name("elsewhere")
        elsewhere.write_bytes(zstandard.compress(PICTURE))
        file.symlink_to(elsewhere)
    elif harm == "a folder":
        file.mkdir()
    elif harm == "a bomb":
        file.write_bytes(zstandard.compress(bytes(3 << 20)))
    with open_reel(run) as reel:
        assert [event["mime"] for event in reel.events() if event["k"] == "resource"] == ["text/css"]
        assert reel.resources_lost == 1
        assert reel.resource(sha256(PICTURE).hexdigest()) is None


def test_a_recording_can_name_nothing_outside_of_the_folder(run: Path) -> None:
    shared = SharedResourceFolder(run.parent)
    for name in ("../../etc/passwd", "/etc/passwd", "a" * 63 + "/", "", "A" * 64):
        assert shared.read_content(name) is None


def age(path: Path, days: float) -> None:
    then = time.time() - days * 86_400
    os.utime(path, (then, then))


def test_prune_removes_old_recordings_and_what_only_they_needed(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = run.with_name("old.reel")
    with ReelWriter(old, {"started": 0}) as writer:
        SharedResourceFolder(run.parent).store_content(sha256(b"o" * 3000).hexdigest(), b"o" * 3000)
        writer.write(event_of(b"o" * 3000, "image/png"))
    for path in (old, file_of(run, b"o" * 3000), file_of(run, PICTURE)):
        age(path, 40)
    arguments = ["prune", str(run.parent), "--older-than", "30d"]
    assert main([*arguments, "--dry-run"]) == 0 and old.exists()
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 recordings and 1 shared resources removed")
    assert not old.exists() and not file_of(run, b"o" * 3000).exists()
    assert file_of(run, PICTURE).exists(), "the other recording needs it"
    assert verify(run).resources == 2


def test_prune_removes_nothing_while_it_is_not_known_what_is_needed(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    age(file_of(run, PICTURE), 2)
    run.with_name("broken.reel").write_bytes(run.read_bytes()[:-30])
    assert main(["prune", str(run.parent)]) == 2
    assert "broken.reel is damaged" in capsys.readouterr().err
    run.unlink()
    run.with_name("broken.reel").write_bytes(b"lost")
    assert main(["prune", str(run.parent), "--force"]) == 0
    assert not file_of(run, PICTURE).exists()
    assert file_of(run, SHEET).exists(), "it was used today, perhaps by a recording that goes on"
    assert main(["prune", str(run.parent), "--older-than", "soon"]) == 2
