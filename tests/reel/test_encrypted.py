"""An encrypted reel: what a plain one promises, and nothing to read without the key."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pagereel.errors import LockedError, ReelError, UsageError
from pagereel.reel import Event, Key, ReelWriter, new_key_pair, open_reel, using_key, verify
from pagereel.reel.encrypted_file import EncryptedZstdFrameContainer

from .sample import write_sample

WORDS = "correct horse battery"
KEY = Key.passphrase(WORDS, work=4)
SECRET = "Zuberina Raghunathan"


def marks(count: int) -> list[Event]:
    return [{"k": "mark", "t": index, "name": f"{SECRET} {index} {os.urandom(40).hex()}"} for index in range(count)]


def write(path: Path, events: list[Event], *, close: bool = True, compact: bool = False, to: object = KEY) -> Path:
    """A reel with a frame for every three events."""
    writer = ReelWriter(path, {"started": 0}, flush_ms=1e9, compact=compact, encrypt_to=to)  # type: ignore[arg-type]
    for index, event in enumerate(events, 1):
        writer.write(event)
        if index % 3 == 0:
            writer.flush()
    if close:
        writer.close()
    else:
        writer.flush()
    return path


def body(path: Path, key: Key | None = KEY) -> list[Event]:
    with open_reel(path, key) as reel:
        return [event for event in reel.events() if event["k"] not in ("reel", "end")]


def records(data: bytes) -> list[tuple[int, int]]:
    """Begin and end of each record."""
    at, found = data.index(b"\n") + 1, []
    while at < len(data):
        end = at + 4 + 12 + int.from_bytes(data[at : at + 4])
        found.append((at, end))
        at = end
    return found


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("close", [False, True])
def test_what_is_written_is_read_and_nothing_of_it_stands_in_the_file(
    tmp_path: Path, compact: bool, close: bool
) -> None:
    events = marks(200)
    path = write(tmp_path / "a.reel", events, compact=compact, close=close)
    assert body(path) == events
    with open_reel(path, KEY) as reel:
        assert reel.sealed is close and reel.damage is None and reel.encrypt_to == (KEY,)
    data = path.read_bytes()
    assert b"mark" not in data and b"Zuberina" not in data and b"\x28\xb5\x2f\xfd" not in data
    assert path.stat().st_mode & 0o777 == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["a.reel"]


def test_a_key_pair_writes_with_one_half_and_reads_with_the_other(tmp_path: Path) -> None:
    private, public = new_key_pair()
    (tmp_path / "key.pem").write_bytes(private)
    path = write(tmp_path / "a.reel", marks(4), to=[public, KEY], compact=True)
    assert len(body(path, Key.load(tmp_path / "key.pem"))) == 4
    assert len(body(path, KEY)) == 4, "any of several keys opens it"
    with pytest.raises(LockedError, match="a public key only encrypts"):
        open_reel(path, Key.parse(public))


def test_without_the_key_one_sentence_says_what_to_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.reel", marks(2))
    with pytest.raises(
        LockedError, match=r"encrypted recording: give its passphrase with --key-file FILE or PAGEREEL_KEY_FILE"
    ) as caught:
        open_reel(path)
    assert not caught.value.wrong
    with pytest.raises(LockedError, match="does not open") as caught:
        open_reel(path, Key.passphrase("another phrase", work=4))
    assert caught.value.wrong
    monkeypatch.setenv("PAGEREEL_PASSPHRASE", WORDS)
    assert len(body(path, None)) == 2
    (tmp_path / "words").write_text("another phrase\n")
    monkeypatch.setenv("PAGEREEL_KEY_FILE", str(tmp_path / "words"))
    with pytest.raises(LockedError, match="does not open"):
        open_reel(path)
    with using_key(KEY):
        assert len(body(path, None)) == 2
    monkeypatch.setenv("PAGEREEL_KEY_FILE", str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="cannot be read"):
        open_reel(path)


def test_all_checks_of_a_plain_reel_work_on_an_encrypted_one(tmp_path: Path) -> None:
    write_sample(tmp_path / "plain.reel")
    with open_reel(tmp_path / "plain.reel") as plain:
        header = {name: value for name, value in plain.header.items() if name not in ("k", "t", "format")}
        with ReelWriter(tmp_path / "closed.reel", header, encrypt_to=KEY) as writer:
            for event in plain.events():
                if event["k"] not in ("reel", "end"):
                    writer.write(event)
        with using_key(KEY):
            assert verify(tmp_path / "closed.reel").ok
            with open_reel(tmp_path / "closed.reel") as closed:
                assert list(closed.timeline()) == list(plain.timeline())


def test_a_record_that_was_changed_moved_left_out_or_taken_from_elsewhere_shows(tmp_path: Path) -> None:
    data = write(tmp_path / "a.reel", marks(15)).read_bytes()
    other = write(tmp_path / "b.reel", marks(15)).read_bytes()
    cuts, others = records(data), records(other)
    (a, b), (c, d), (e, f) = cuts[2], cuts[3], others[3]
    broken = {
        "changed": data[: b - 5] + bytes([data[b - 5] ^ 1]) + data[b - 4 :],
        "swapped": data[:a] + data[c:d] + data[a:b] + data[d:],
        "left out": data[:a] + data[b:],
        "doubled": data[:b] + data[a:b] + data[b:],
        "of another file": data[:c] + other[e:f] + data[d:],
        "cut": data[: d - 7],
        "absurd length": data[:c] + b"\xff\xff\xff\xff" + data[c + 4 :],
    }
    for what, content in broken.items():
        path = tmp_path / "broken.reel"
        path.write_bytes(content)
        with open_reel(path, KEY) as reel:
            assert reel.damage is not None and reel.damage.frame in (2, 3), what
            assert not reel.sealed
            assert len(list(reel.events())) == 1 + 3 * (reel.damage.frame - 1), what
    path.write_bytes(data[: cuts[-1][0]])
    with open_reel(path, KEY) as reel:
        assert reel.damage is None and not reel.sealed, "cut between two frames: there is no end"


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_damaged_byte_plays_up_to_the_damage_wherever_it_is(tmp_path: Path, place: float) -> None:
    events = marks(30)
    data = bytearray(write(tmp_path / "a.reel", events).read_bytes())
    first, last = records(bytes(data))[0][1], len(data)
    at = int(first + (last - first) * place)
    data[at] ^= 0x10
    (tmp_path / "a.reel").write_bytes(data)
    with open_reel(tmp_path / "a.reel", KEY) as reel:
        assert reel.damage is not None and reel.damage.offset <= at
        kept = [event for event in reel.events() if event["k"] == "mark"]
    assert kept == events[: len(kept)]


def test_a_damaged_header_says_so(tmp_path: Path) -> None:
    path = write(tmp_path / "a.reel", marks(3))
    path.write_bytes(path.read_bytes().replace(b'"keys"', b'"keyz"', 1))
    with pytest.raises(ReelError, match="header is damaged"):
        open_reel(path, KEY)


def test_no_nonce_serves_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = ReelWriter(tmp_path / "a.reel", {"started": 0}, flush_ms=1e9, encrypt_to=KEY)
    tries = iter([OSError(28, "No space left on device"), None])
    real = os.write

    def full(fd: int, data: bytes) -> int:
        error = next(tries, None)
        if error is not None:
            raise error
        return real(fd, data)

    writer.write({"k": "mark", "t": 1, "name": "one"})
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(ReelError, match="free some space"):
        writer.flush()
    writer.write({"k": "mark", "t": 2, "name": "two"})
    writer.flush()
    data = (tmp_path / "a.reel").read_bytes()
    first = [data[begin + 4 : begin + 16] for begin, _ in records(data)]
    assert first == [(0).to_bytes(12), (2).to_bytes(12)], "the try that failed used up its nonce"
    monkeypatch.undo()
    for n in range(20):
        writer.write({"k": "mark", "t": n, "name": "x"})
        writer.flush()
    live = (tmp_path / "a.reel").read_bytes().partition(b"\n")[0]
    writer.close()
    closed, _, rest = (tmp_path / "a.reel").read_bytes().partition(b"\n")
    assert closed != live and len(rest) < len(data) * 3, "rewritten into few frames, under a key of its own"
    assert [event["name"] for event in body(tmp_path / "a.reel")][:2] == ["one", "two"]


def test_a_killed_recording_is_readable_up_to_its_last_flush(tmp_path: Path) -> None:
    path = tmp_path / "a.reel"
    script = f"""
import sys, time
from pagereel.reel import Key, ReelWriter
writer = ReelWriter({str(path)!r}, {{"started": 0}}, encrypt_to=Key.passphrase({WORDS!r}, work=4))
for n in range(50):
    writer.write({{"k": "mark", "t": n, "name": "x"}})
    writer.flush()
print("written", flush=True)
time.sleep(60)
"""
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline() == b"written\n"
    child.send_signal(signal.SIGKILL)
    child.wait(timeout=30)
    child.stdout.close()
    with open_reel(path, KEY) as reel:
        assert reel.damage is None and not reel.sealed
        assert len(list(reel.events())) == 51


def test_a_key_never_shows_itself_and_is_never_short(tmp_path: Path) -> None:
    private, public = new_key_pair()
    assert WORDS not in repr(KEY)
    assert Key.parse(private).fingerprint == Key.parse(public).fingerprint != ""
    with pytest.raises(UsageError, match="at least 8"):
        Key.passphrase("short")
    for content in (b"", b"short\n", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"):
        (tmp_path / "k").write_bytes(content)
        with pytest.raises(UsageError, match="The key file"):
            Key.load(tmp_path / "k")
    with pytest.raises(TypeError):
        KEY.__reduce__()


def test_a_record_does_not_open_under_another_number() -> None:
    from pagereel.reel.encrypted_file import ZstdFrameEncryptor
    from pagereel.reel.zstd_frames import UnreadableZstdFrameError

    sealer = ZstdFrameEncryptor([KEY], "reel")
    record = sealer.encrypt_zstd_frame(b"content", 3)
    assert sealer.box.decrypt_record(record, 3) == b"content"
    with pytest.raises(UnreadableZstdFrameError):
        sealer.box.decrypt_record(record, 4)
    with pytest.raises(UnreadableZstdFrameError):
        EncryptedZstdFrameContainer(sealer.header + b" ", sealer._file_key).decrypt_record(record, 3)
