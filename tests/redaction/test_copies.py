"""A masked copy of a recording is kept for the next question: private, bounded, and only of what was masked alike."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pagereel.integrations.sharing import shared
from pagereel.redaction import (
    Policy,
    PolicyRule,
    delete_all_copies,
    joint_redaction,
    mask_excerpts_jointly,
    masked_copy_cache,
    open_masked_copy,
    redact,
)
from pagereel.redaction.joint_redaction import Role
from pagereel.reel import Json, ReelWriter, new_key_pair, open_reel, using_key

from .reels import reel_of

MAIL = "zuberina.ostenvik@shop.example"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAGEREEL_COPIES", str(tmp_path / "cache"))
    return tmp_path / "cache" / "masked"


def mail_in(path: Path) -> str:
    with open_reel(path) as reel:
        note = next(event for event in reel.events() if event["k"] == "note")
    return str(re.findall(r"\S+@\S+", str(note["text"]))[0])


def test_the_second_question_takes_the_copy_of_the_first(cache: Path, tmp_path: Path) -> None:
    reel = reel_of(tmp_path / "a.reel", f"Write to {MAIL}")
    with shared(reel, "vendor") as first:
        said = mail_in(first.path)
        assert first.gate is not None
    with shared(reel, "vendor") as second:
        assert second.path.is_relative_to(cache)
        assert second.gate is None
        assert mail_in(second.path) == said != MAIL


def test_a_copy_that_is_kept_is_found_without_what_masks(cache: Path, tmp_path: Path) -> None:
    reel = reel_of(tmp_path / "a.reel", f"Write to {MAIL}")
    with open_masked_copy(reel, "vendor"):
        pass
    code = "import sys; from pagereel.redaction import open_masked_copy\nwith open_masked_copy(sys.argv[1], 'vendor') as (_, report): print(report, 'pagereel.redaction.redactor' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, str(reel)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["None", "False"]


def test_a_replay_that_is_built_later_has_the_stand_ins_of_the_copy(cache: Path, tmp_path: Path) -> None:
    reel = reel_of(tmp_path / "a.reel", f"Write to {MAIL}")
    with open_masked_copy(reel, "vendor") as (path, _):
        said = mail_in(path)
    redact(reel, tmp_path / "b.reel")
    assert mail_in(tmp_path / "b.reel") == said
    delete_all_copies()
    redact(reel, tmp_path / "c.reel")
    assert mail_in(tmp_path / "c.reel") != said


def test_another_policy_recording_or_code_is_another_copy(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reel = reel_of(tmp_path / "a.reel", f"Write to {MAIL}")
    other = reel_of(tmp_path / "b.reel", f"Write back to {MAIL}")
    with open_masked_copy(reel, "vendor"):
        pass
    assert masked_copy_cache.MaskedCopyCache(reel, "vendor").find_copy() is not None
    assert masked_copy_cache.MaskedCopyCache(reel, "strict").find_copy() is None
    assert (
        masked_copy_cache.MaskedCopyCache(reel, Policy("own", rules=(PolicyRule("value", MAIL, "allow"),))).find_copy()
        is None
    )
    assert masked_copy_cache.MaskedCopyCache(other, "vendor").find_copy() is None
    monkeypatch.setattr(masked_copy_cache, "describe_versions", lambda: "another pipeline")
    assert masked_copy_cache.MaskedCopyCache(reel, "vendor").find_copy() is None


def test_copies_are_private_and_few(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masked_copy_cache, "MOST", 2)
    reels = [reel_of(tmp_path / f"{n}.reel", f"Number {n}") for n in range(4)]
    for number, reel in enumerate(reels):
        with open_masked_copy(reel, "vendor"):
            pass
        os.utime(next(p for p in cache.iterdir() if p.stat().st_mtime > 1000), (number, number))
    assert [masked_copy_cache.MaskedCopyCache(reel, "vendor").find_copy() is not None for reel in reels] == [
        False,
        False,
        True,
        True,
    ]
    assert {oct(p.stat().st_mode & 0o777) for p in (cache, *cache.iterdir())} == {"0o700"}
    assert {oct(p.stat().st_mode & 0o777) for place in cache.iterdir() for p in place.iterdir()} == {"0o600"}


def test_a_folder_that_others_may_write_into_is_not_believed(cache: Path, tmp_path: Path) -> None:
    reel = reel_of(tmp_path / "a.reel", "Plain")
    with open_masked_copy(reel, "vendor"):
        pass
    next(iter(cache.iterdir())).chmod(0o777)
    assert masked_copy_cache.MaskedCopyCache(reel, "vendor").find_copy() is None


def test_off_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEREEL_COPIES", "off")
    with open_masked_copy(reel_of(tmp_path / "a.reel", "Plain"), "vendor") as (path, report):
        assert report is not None
    assert not path.exists()


def test_no_copy_is_kept_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("PAGEREEL_COPIES", str(tmp_path / "file"))
    with open_masked_copy(reel_of(tmp_path / "a.reel", "Plain"), "vendor") as (path, _):
        assert path.is_file()


def test_of_an_encrypted_recording_no_copy_lies_about(cache: Path, tmp_path: Path) -> None:
    private, public = new_key_pair()
    with ReelWriter(tmp_path / "a.reel", {"started": 0}, encrypt_to=public) as writer:
        writer.write({"k": "note", "t": 1, "id": 1, "text": "Plain"})
        writer.close("closed")
    with using_key(private), open_masked_copy(tmp_path / "a.reel", "vendor"):
        assert not cache.exists()


def test_excerpts_are_masked_once_for_the_same_recordings_policy_and_values(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [reel_of(tmp_path / f"{name}.reel", f"{name}: write to {MAIL}") for name in "ab"]
    asked: list[tuple[Json, Role]] = [(f"to {MAIL}", "text"), ({"to": [MAIL, 1]}, "body")]
    first = mask_excerpts_jointly(runs, asked)
    assert first.gate is not None
    assert MAIL not in json.dumps(first.values)
    assert not [file for file in cache.rglob("*") if file.is_file() and MAIL.encode() in file.read_bytes()]

    def again(*given: object, **named: object) -> None:
        raise ValueError("masked again")

    monkeypatch.setattr(joint_redaction, "redact_many", again)
    assert mask_excerpts_jointly(runs, asked).values == first.values
    for sources, values, policy in ((runs[:1], asked, "vendor"), (runs, asked[:1], "vendor"), (runs, asked, "strict")):
        with pytest.raises(ValueError, match="masked again"):
            mask_excerpts_jointly(sources, values, policy)


def test_excerpts_that_the_gate_finds_a_value_in_are_not_kept(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        joint_redaction,
        "_mask_by_role",
        lambda value, role, sink: sink.visit_text(value, joint_redaction._SLOT) and value,
    )
    made = mask_excerpts_jointly([reel_of(tmp_path / "a.reel", f"Write to {MAIL}")], [(f"to {MAIL}", "text")])
    assert made.gate is not None and not made.gate.search(json.dumps(made.values).encode()).clean
    assert not cache.exists()
