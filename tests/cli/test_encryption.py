"""Encrypted recordings on the command line: written with one key, read by every command with `--key-file`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Command

PAGE = "<!doctype html><title>Till</title><p>Hello, my name is Priya Raghunathan</p>"


def test_keygen_makes_a_pair_and_overwrites_none(pagereel: Command, tmp_path: Path) -> None:
    assert pagereel("keygen", tmp_path / "k.pem").status == 0
    assert (tmp_path / "k.pem").stat().st_mode & 0o777 == 0o600
    assert "PRIVATE" in (tmp_path / "k.pem").read_text() and "PUBLIC" in (tmp_path / "k.pem.pub").read_text()
    again = pagereel("keygen", tmp_path / "k.pem")
    assert again.status == 2 and "never overwritten" in again.err


def test_what_is_recorded_to_a_key_is_read_with_it_by_every_command(
    pagereel: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    key, reel = tmp_path / "k.pem", tmp_path / "run.reel"
    pagereel("keygen", key)
    wrong = pagereel("record", tmp_path / "page.html", reel, "--headless", "--time-limit", 1, "--encrypt-to", "nowhere")
    assert wrong.status == 2 and "cannot be read" in wrong.err and not reel.exists()
    done = pagereel(
        "record", tmp_path / "page.html", reel, "--headless", "--time-limit", 1, "--encrypt-to", f"{key}.pub"
    )
    assert done.status == 0, done.err
    data = reel.read_bytes()
    assert data.startswith(b'{"pagereel":"encrypted"')
    assert b"Priya" not in data and b"\x28\xb5\x2f\xfd" not in data
    for command in ("info", "verify", "events", "build"):
        words = (command, reel)
        locked = pagereel(*words)
        assert locked.status == 2, command
        assert locked.err.count("\n") == 1 and "is an encrypted recording: give the private key" in locked.err, command
        opened = pagereel(*words, "--key-file", key)
        assert opened.status == 0, (command, opened.err)
    monkeypatch.setenv("PAGEREEL_KEY_FILE", str(key))
    assert json.loads(pagereel("info", reel, "--json").out)["sealed"] is True
    pagereel("keygen", tmp_path / "other.pem")
    refused = pagereel("info", reel, "--key-file", tmp_path / "other.pem")
    assert refused.status == 2 and "does not open" in refused.err
    assert b"Priya" not in (tmp_path / "run.html").read_bytes()
