"""The vault leads back byte for byte, to its holder alone, and writes down who asked."""

from __future__ import annotations

import contextlib
import getpass
import json
from pathlib import Path

import pytest

from pagereel.cli import main
from pagereel.errors import LockedError, ReelError, UsageError
from pagereel.player_build import build, unpack_replay
from pagereel.redaction import open_vault, redact, unmask
from pagereel.redaction.vault.audit import is_chain_intact
from pagereel.reel import Key, ReelWriter, new_key_pair, open_reel, using_key
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker

NAME = "Priya Raghunathan"
KEY = Key.passphrase("correct horse battery", work=4)
OTHER = Key.passphrase("another horse battery", work=4)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a raw recording, the masked one, and its vault."""
    folder = tmp_path_factory.mktemp("vault")
    m = Maker(folder / "raw.reel", id="0f" * 16)
    m.body(
        ["p", {}, f"Hello, my name is {NAME} and  so is {NAME.upper()}"],
        ["p", {"title": NAME, "data-owner": "priya@shop.nl"}, "and ", ["b", {}, "Pri"], "ya Raghunathan again"],
        ["input", {"autocomplete": "name", "value": NAME}],
        ["#comment", "dropped: 4111 1111 1111 1111"],
    )
    m.checkpoint()
    for end in range(1, 12):
        m.ops(["value", 12, "Zuberina Kolk"[:end]])
        m.page("key", type="down", node=12, key=None, mods="")
    m.put("request", id="1", page=1, method="GET", type="fetch", url=f"https://shop.example/?q={NAME}",
          headers={"authorization": "Bearer abcdef0123456789"})  # fmt: skip
    m.resource("application/x-secret", b"\x00\x01 dropped with its type")
    m.checkpoint()
    m.done()
    redact(folder / "raw.reel", folder / "masked.reel", vault=folder / "run.vault", vault_key=KEY)
    return folder


def test_the_recording_comes_back_byte_for_byte(made: Path, tmp_path: Path) -> None:
    assert NAME not in text_of(made / "masked.reel")
    size = unmask(
        made / "masked.reel", tmp_path / "back.reel", made / "run.vault", why="test", key=KEY, log=tmp_path / "l"
    )
    raw = (made / "raw.reel").read_bytes()
    assert (tmp_path / "back.reel").read_bytes() == raw
    assert size == len(raw)
    assert (tmp_path / "back.reel").stat().st_mode & 0o777 == 0o600


def test_a_vault_holds_nothing_in_the_clear(made: Path) -> None:
    data = (made / "run.vault").read_bytes().lower()
    assert not any(word in data for word in (b"priya", b"raghunathan", b"stand_in", b"cHJpeWE".lower()))
    with pytest.raises(ReelError, match="is a vault, not a recording"):
        open_reel(made / "run.vault", KEY)


def test_the_mapping_reads_what_somebody_wrote_about_the_masked_recording(made: Path) -> None:
    vault = open_vault(made / "run.vault", KEY)
    entry = next(e for e in vault.list_stand_ins() if e.value == NAME)
    assert entry.entity == "PERSON"
    assert vault.replace_stand_ins(f"{entry.stand_in} did it, {entry.stand_in.upper()}!") == f"{NAME} did it, {NAME}!"
    assert vault.replace_stand_ins(f"x{entry.stand_in}x") == f"x{entry.stand_in}x"


def test_a_wrong_key_and_another_recordings_vault_say_so_in_a_sentence(made: Path, tmp_path: Path) -> None:
    m = Maker(tmp_path / "other.reel")
    m.body(["p", {}, f"Hello, my name is {NAME}"])
    redact(m.done(), tmp_path / "other-masked.reel", vault=tmp_path / "other.vault", vault_key=KEY)
    log = tmp_path / "log"
    out = tmp_path / "out.reel"
    with pytest.raises(LockedError, match=r"^The key that was given does not open .*run.vault: .* its passphrase\.$"):
        unmask(made / "masked.reel", out, made / "run.vault", why="w", key=OTHER, log=log)
    with pytest.raises(UsageError, match="does not belong to"):
        unmask(made / "masked.reel", out, tmp_path / "other.vault", why="w", key=KEY, log=log)
    with pytest.raises(UsageError, match="is not a vault"):
        (tmp_path / "no.vault").write_text("nothing")
        unmask(made / "masked.reel", out, tmp_path / "no.vault", why="w", key=KEY, log=log)
    with pytest.raises(UsageError, match="not masked"):
        unmask(made / "raw.reel", out, made / "run.vault", why="w", key=KEY, log=log)
    with pytest.raises(UsageError, match="Give a reason"):
        unmask(made / "masked.reel", out, made / "run.vault", why=" ", key=KEY, log=log)
    assert not out.exists()


def test_a_masked_recording_that_was_changed_is_refused(made: Path, tmp_path: Path) -> None:
    with open_reel(made / "masked.reel") as reel, ReelWriter(tmp_path / "m.reel", reel.header) as writer:
        for event in reel.events():
            if event["k"] not in ("reel", "end", "key"):
                writer.write({**event, "t": 1} if event["k"] == "request" else event)
    with pytest.raises(UsageError, match="changed since"):
        unmask(tmp_path / "m.reel", tmp_path / "o.reel", made / "run.vault", why="w", key=KEY, log=tmp_path / "log")


def test_every_try_stands_in_the_audit_log(made: Path, tmp_path: Path) -> None:
    log = tmp_path / "audit.log"
    for turn, key in enumerate((KEY, OTHER, KEY)):
        with contextlib.suppress(LockedError):
            unmask(
                made / "masked.reel",
                tmp_path / f"o{turn}.reel",
                made / "run.vault",
                why="ticket  4711",
                key=key,
                log=log,
            )
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["outcome"] for line in lines] == ["opened", "wrong key", "opened"]
    assert {line["why"] for line in lines} == {"ticket 4711"}
    assert all(line["who"].startswith(getpass.getuser()) and line["when"] and line["source_sha256"] for line in lines)
    assert lines[0]["recording"] == "0f" * 16
    assert log.stat().st_mode & 0o777 == 0o600
    assert is_chain_intact(log)
    assert "priya" not in log.read_text().lower()
    log.write_text(log.read_text().replace("wrong key", "opened"))
    assert not is_chain_intact(log)
    with pytest.raises(UsageError, match=r"audit log .* cannot be written"):
        unmask(
            made / "masked.reel", tmp_path / "p.reel", made / "run.vault", why="w", key=KEY, log=tmp_path / "no" / "log"
        )
    assert not (tmp_path / "p.reel").exists()


def test_unmask_overwrites_nothing(made: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.reel").write_text("mine")
    with pytest.raises(UsageError, match="overwrites nothing"):
        unmask(made / "masked.reel", tmp_path / "mine.reel", made / "run.vault", why="w", key=KEY, log=tmp_path / "log")
    assert (tmp_path / "mine.reel").read_text() == "mine"


def test_a_vault_is_never_overwritten_and_never_without_a_key(made: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="never overwritten"):
        redact(made / "raw.reel", tmp_path / "m.reel", vault=made / "run.vault", vault_key=KEY)
    with pytest.raises(UsageError, match="needs a key"):
        redact(made / "raw.reel", tmp_path / "m.reel", vault=tmp_path / "v")
    with pytest.raises(UsageError, match="masked already"):
        redact(made / "masked.reel", tmp_path / "m.reel", vault=tmp_path / "v", vault_key=KEY)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_vault_restores_nothing(made: Path, tmp_path: Path) -> None:
    data = bytearray((made / "run.vault").read_bytes())
    data[len(data) * 3 // 4] ^= 1
    (tmp_path / "run.vault").write_bytes(data)
    with pytest.raises(ReelError, match="damaged"):
        unmask(made / "masked.reel", tmp_path / "o.reel", tmp_path / "run.vault", why="w", key=KEY)
    assert not (tmp_path / "o.reel").exists()


def test_an_encrypted_recording_comes_back_as_the_plain_one_that_it_holds(made: Path, tmp_path: Path) -> None:
    with open_reel(made / "raw.reel") as reel:
        header = {k: v for k, v in reel.header.items() if k not in ("k", "t", "format")}
        with ReelWriter(tmp_path / "raw.reel", header, encrypt_to=OTHER) as writer:
            for event in reel.events():
                if event["k"] not in ("reel", "end"):
                    writer.write(event)
        wanted = list(reel.events())
    with using_key(OTHER):
        redact(tmp_path / "raw.reel", tmp_path / "m.reel", vault=tmp_path / "v", vault_key=KEY)
    unmask(tmp_path / "m.reel", tmp_path / "o.reel", tmp_path / "v", why="w", key=KEY)
    with open_reel(tmp_path / "o.reel") as back:
        assert back.sealed and back.damage is None
        assert list(back.events()) == wanted


def test_a_replay_comes_back_as_the_raw_build_byte_for_byte(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    private, public = new_key_pair()
    (tmp_path / "key").write_bytes(private)
    (tmp_path / "key.pub").write_bytes(public)
    raw, masked, vault = made / "raw.reel", tmp_path / "run.html", tmp_path / "run.vault"
    lock = ["--vault", str(vault), "--vault-key", str(tmp_path / "key.pub")]
    title = f"Refund of {NAME}"
    assert main(["build", str(raw), str(masked), "--theme", "dark", "--title", title, *lock]) == 0
    assert "encrypted to the key" in capsys.readouterr().out
    build(raw, tmp_path / "raw.html", redaction=None, theme="dark", title=title)
    assert NAME not in json.dumps(unpack_replay(masked.read_bytes()).events)
    assert str(unpack_replay(masked.read_bytes()).index["title"]).startswith("Refund of ")
    assert NAME not in masked.read_text()
    ask = ["unmask", str(masked), "--vault", str(vault), "--why", "test"]
    assert main(ask) == 2
    assert "is an encrypted vault: give the private key" in capsys.readouterr().err
    assert main([*ask, "--key-file", str(tmp_path / "key")]) == 0
    assert (tmp_path / "run.unmasked.html").read_bytes() == (tmp_path / "raw.html").read_bytes()
    assert (tmp_path / "run.unmasked.html").stat().st_mode & 0o777 == 0o600
    assert [json.loads(line)["outcome"] for line in (tmp_path / "run.vault.log").read_text().splitlines()] == [
        "no key",
        "opened",
    ]
    with using_key(Key.load(tmp_path / "key")):
        entry = next(e for e in open_vault(vault).list_stand_ins() if e.value == NAME)
    (tmp_path / "answer.txt").write_text(f"Ask {entry.stand_in}.")
    (tmp_path / "run.unmasked.html").unlink()
    words = ["unmask", str(tmp_path / "answer.txt"), "--vault", str(vault), "--key-file", str(tmp_path / "key")]
    assert main(words) == 2, "without a reason"
    assert main([*words, "--why", "who?"]) == 0
    assert (tmp_path / "answer.unmasked.txt").read_text() == f"Ask {NAME}."
