"""`pagereel gate` on any file: it opens what can be opened, says where, never what, and fails closed."""

from __future__ import annotations

import base64
import gzip
import io
import json
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from pagereel.cli import main
from pagereel.errors import GateError
from pagereel.player_build import build
from pagereel.redaction import Gate, KnownValues, gate_html
from pagereel.reel import Key, using_key
from tests.redaction.reels import Maker

NAME = "Priya Raghunathan"
TEXT = f"first line\nfor {NAME} only".encode()
KNOWN = KnownValues.given([(NAME, "PERSON"), ("Bo7", "ID")])
KEY = Key.passphrase("correct horse battery", work=4)


def zipped(*files: tuple[str, bytes], comment: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
        archive.comment = comment
    return out.getvalue()


def tarred(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def har() -> bytes:
    body = base64.b64encode(zlib.compress(TEXT * 3)).decode()
    return json.dumps({"log": {"entries": [{"response": {"content": {"text": body, "encoding": "base64"}}}]}}).encode()


FILES: dict[str, Callable[[], bytes]] = {
    "text": lambda: TEXT,
    "HAR": har,
    "ZIP": lambda: zipped(("a.txt", TEXT)),
    "a name in a ZIP": lambda: zipped((f"{NAME}.txt", b"x")),
    "a comment of a ZIP": lambda: zipped(("a.txt", b"x"), comment=TEXT),
    "before a ZIP": lambda: TEXT + zipped(("a.txt", b"x")),
    "ZIP in ZIP": lambda: zipped(("b.zip", zipped(("a.txt", TEXT)))),
    "second member of gzip": lambda: gzip.compress(b"nothing") + gzip.compress(TEXT),
    "after gzip": lambda: gzip.compress(b"nothing") + TEXT,
    "gzip in tar": lambda: tarred("a.gz", gzip.compress(TEXT)),
    "PDF": lambda: b"%PDF-1.4\n1 0 obj<<>>\nstream\n" + zlib.compress(TEXT) + b"\nendstream\nendobj",
    "ZIP in a page": lambda: (
        b"<a href='data:application/zip;base64," + base64.b64encode(zipped(("a.txt", TEXT))) + b"'>"
    ),
    "a short value": lambda: b"number Bo7, please",
}


@pytest.mark.parametrize("kind", FILES)
def test_a_value_is_found_in_any_file(kind: str) -> None:
    result = gate_html(FILES[kind](), KNOWN, check=False)
    assert not result.clean
    assert {leak.entity for leak in result.leaks} <= {"PERSON", "ID"}
    assert all(leak.place and "riya" not in str(leak) for leak in result.leaks if "names" not in leak.layer)


def recording(path: Path) -> Path:
    m = Maker(path)
    m.body(["p", {}, f"Hello, my name is {NAME}"])
    m.put("error", page=1, message=f"no {NAME}")
    return m.done()


@pytest.mark.parametrize("compact", [False, True])
def test_a_recording_and_a_replay_say_in_which_event_and_piece(compact: bool, tmp_path: Path) -> None:
    reel = recording(tmp_path / "a.reel")
    layers = {leak.layer for leak in gate_html(reel, KNOWN, check=False).leaks}
    assert {"file > event 2 (snapshot)", "file > event 3 (error)"} <= layers
    build(reel, tmp_path / "a.html", redaction=None, compact=compact)
    assert any("chunk-" in leak.layer for leak in gate_html(tmp_path / "a.html", KNOWN, check=False).leaks)
    build(reel, tmp_path / "b.html", compact=compact)
    assert gate_html(tmp_path / "b.html", KNOWN).clean


def timed(path: Path, number: int, **fields: object) -> Path:
    """A recording in which an event happens at `number` ms and a scroll ends there."""
    m = Maker(path)
    m.body(["p", {}, "Hello"])
    m.t = number - 10.0
    m.ops(["scroll", 1, 0, number])
    m.put("tool_call", id=number, step=None, name="pay", arguments=fields)
    return m.done()


@pytest.mark.parametrize("compact", [None, False, True])
def test_a_number_of_pagereels_own_is_no_leak(compact: bool | None, tmp_path: Path) -> None:
    known = KnownValues.given([("48213", "ZIP_CODE")])

    def leaks(**fields: object) -> set[str]:
        path = timed(tmp_path / "a.reel", 48213, **fields)
        if compact is not None:
            path = tmp_path / "a.html"
            build(tmp_path / "a.reel", path, redaction=None, compact=compact)
        return {leak.layer for leak in gate_html(path, known, check=False).leaks}

    assert leaks() == set()
    assert leaks(zip=48213) != set(), "the same number as data is one"
    assert leaks(zip="48213") != set()


def broken(data: bytes) -> bytes:
    return data[:60] + bytes([data[60] ^ 0xFF]) + data[61:]


UNPROVED: dict[str, Callable[[], bytes]] = {
    "damaged gzip": lambda: broken(gzip.compress(TEXT * 40 + bytes(range(256)))),
    "cut gzip": lambda: gzip.compress(TEXT)[:-9],
    "damaged ZIP": lambda: zipped(("a.txt", TEXT * 9)).replace(b"\n", b"\r")[:-30] + b"PK\x05\x06" + bytes(18),
    "too deep": lambda: nested(8),
    "a cut recording": lambda: b"\x28\xb5\x2f\xfd" + b"nonsense",
    "a recording cut before its first words": lambda: zstandard.compress(TEXT * 99)[:17],
    "a zstd file without its last byte": lambda: zstandard.compress(TEXT * 99)[:-1],
    "a replay cut before its data": lambda: (
        b'<!DOCTYPE html>\n<meta name="generator" content="pagereel 1.0"><script>a()</script>'
    ),
}


def nested(depth: int) -> bytes:
    data = TEXT
    for _ in range(depth):
        data = gzip.compress(data)
    return data


@pytest.mark.parametrize("kind", UNPROVED)
def test_what_cannot_be_opened_to_its_end_is_not_proved_clean(kind: str) -> None:
    with pytest.raises(GateError, match="not proved clean"):
        gate_html(UNPROVED[kind](), KNOWN)


def test_an_encrypted_recording_is_opened_with_its_key_alone(tmp_path: Path) -> None:
    from pagereel.reel import ReelWriter

    with ReelWriter(tmp_path / "a.reel", {"started": 0}, encrypt_to=KEY) as writer:
        writer.write({"k": "mark", "t": 1, "name": NAME})
    with pytest.raises(GateError, match="is an encrypted recording: give its passphrase"):
        gate_html(tmp_path / "a.reel", KNOWN)
    with using_key(KEY):
        assert not gate_html(tmp_path / "a.reel", KNOWN, check=False).clean


def test_one_gate_serves_many_answers() -> None:
    gate = Gate(KNOWN)
    gate.raise_on_leak("nothing to see", "the answer")
    with pytest.raises(GateError, match="in the answer, the first a PERSON from given in the answer, line 2") as caught:
        gate.raise_on_leak(TEXT, "the answer")
    assert "riya" not in str(caught.value)


def test_the_command_tells_a_leak_from_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "known.txt").write_text(f"PERSON\t{NAME}\n\nBo7\n")
    (tmp_path / "ticket.zip").write_bytes(zipped(("notes.txt", TEXT)))
    (tmp_path / "clean.txt").write_text("nothing")
    known = ["--known", str(tmp_path / "known.txt")]
    assert main(["gate", str(tmp_path / "clean.txt"), *known]) == 0
    assert capsys.readouterr().out == "No known value stands in the file: 4 values, 1 layers.\n"
    assert main(["gate", str(tmp_path / "ticket.zip"), *known]) == 1
    out = capsys.readouterr().out
    assert "PERSON from the list in file > notes.txt, line 2 (plain)" in out and "riya" not in out
    assert main(["gate", str(tmp_path / "ticket.zip"), *known, "--json"]) == 1
    leak = json.loads(capsys.readouterr().out)["leaks"][0]
    assert (leak["type"], leak["layer"], leak["place"]) == ("PERSON", "file > notes.txt", "line 2")
    (tmp_path / "short.txt").write_text("ab\n")
    for words in (
        [str(tmp_path / "ticket.zip")],
        [str(tmp_path / "nowhere"), *known],
        [str(tmp_path / "ticket.zip"), "--known", str(tmp_path / "short.txt")],
        [str(tmp_path / "ticket.zip"), *known, "--reel", str(tmp_path / "a.reel")],
    ):
        assert main(["gate", *words]) == 2, words
    (tmp_path / "cut.gz").write_bytes(gzip.compress(TEXT)[:-9])
    assert main(["gate", str(tmp_path / "cut.gz"), *known]) == 1, "not proved clean is not clean"


def test_the_values_may_come_from_a_raw_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reel = recording(tmp_path / "a.reel")
    (tmp_path / "mail.txt").write_bytes(TEXT)
    assert main(["gate", str(tmp_path / "mail.txt"), "--reel", str(reel)]) == 1
    assert "PERSON from dom.text in file, line 2" in capsys.readouterr().out
    assert main(["redact", str(reel), str(tmp_path / "b.reel")]) == 0
    assert main(["gate", str(tmp_path / "b.reel"), "--reel", str(reel)]) == 0
    assert main(["gate", str(tmp_path / "mail.txt"), "--reel", str(tmp_path / "b.reel")]) == 2
    assert "is masked" in capsys.readouterr().err
