"""Values written in numbers, in escapes that no letter needs, backwards, or with signs between their letters are found; what only looks so stays."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from pagereel.redaction import find_pii, redact
from pagereel.redaction.detect.character_codes import decode_readable_codes
from pagereel.redaction.normalise.encoded_text import iter_encoded_passages
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker
from tests.redaction.strange_values import word


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _printable(text: str) -> str:
    return "".join(f"={b:02X}" for b in text.encode())


WAYS: dict[str, Callable[[str], str]] = {
    "bytes in hexadecimal": lambda v: v.encode().hex(" "),
    "bytes with colons": lambda v: v.encode().hex(":").upper(),
    "bytes of a program": lambda v: "dump " + ", ".join(f"0x{b:02x}" for b in v.encode()),
    "octal escapes": lambda v: "".join(f"\\{b:03o}" for b in v.encode()),
    "binary": lambda v: " ".join(f"{b:08b}" for b in v.encode()),
    "codes": lambda v: " ".join(str(ord(c)) for c in v),
    "a typed array on the console": lambda v: f"{{{', '.join(f'{i}: {ord(c)}' for i, c in enumerate(v))}, length: 40}}",
    "points of Unicode": lambda v: " ".join(f"U+{ord(c):04X}" for c in v),
    "base32": lambda v: "token=" + base64.b32encode(v.encode()).decode(),
    "percent escapes that no letter needs": lambda v: "q=" + "".join(f"%{b:02x}" for b in v.encode()),
    "entities that no letter needs": lambda v: "q=" + "".join(f"&#{ord(c)};" for c in v),
    "quoted-printable": lambda v: f"to {_printable(v)} ok",
    "quoted-printable in base64": lambda v: "t=" + _b64(_printable(v)),
    "base64 in hexadecimal": lambda v: "t=" + _b64(v).encode().hex(),
    "base64 in base64 in base64": lambda v: "t=" + _b64(_b64(_b64(v))),
    "tags": lambda v: "Hi" + "".join(chr(0xE0000 + ord(c)) for c in v),
    "slashes": lambda v: "/".join(v.replace(" ", "")),
    "commas": lambda v: ", ".join(v.replace(" ", "")),
    "half of it backwards": lambda v: f"Owner {v.split()[0]} \u202e{v.split()[1][::-1]}\u202c",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_name_is_found_however_it_is_written(way: str) -> None:
    name = f"Desmond {word(Random())}"
    text = WAYS[way](name)
    (found,) = find_pii([text])
    left = text
    for f in reversed(found):
        left = left[: f.start] + left[f.end :]
    last = WAYS[way](name)[-6:] if way.startswith(("back", "half")) else text.removesuffix(", length: 40}")[-8:-2]
    assert found, name
    assert last not in left.rstrip("\u202c "), (name, left)


@pytest.mark.parametrize(
    "text",
    [
        "colours 12, 33, 101, 99, 12, 45, 67, 80",
        "iOS, macOS, modelY and caseB; transA transB",
        "A row: a, b, c, d, e, f, g, h",
        "w/h/d/x/y",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "a=30=40=50",
        "01000000 mask",
    ],
)
def test_rows_of_numbers_and_letters_that_say_nothing_stay(text: str) -> None:
    assert find_pii([text]) == [[]]


def test_letters_in_brackets_are_letters_under_strict(tmp_path: Path) -> None:
    shown = "".join(chr(0x249C + ord(c) - 97) for c in word(Random()).lower())
    reel = Maker(tmp_path / "raw.reel")
    reel.body(["p", {}, shown], ["input", {"type": "text", "value": shown}])
    redact(reel.done(), tmp_path / "masked.reel", "strict")
    assert not re.search("[\u249c-\u24b5]{3}", text_of(tmp_path / "masked.reel"))


def test_a_row_of_codes_that_is_nearly_a_word_is_read_at_once() -> None:
    """Each letter more doubled the time, so that a row of 40 would have taken years."""
    begin = time.process_time()
    assert decode_readable_codes([*b"a" * 27, 37]) is None
    assert time.process_time() - begin < 1


@pytest.mark.parametrize("said", ["It's Maria", "Conan O'Brien", "maria.ostenvik"])
def test_codes_of_words_are_read(said: str) -> None:
    assert decode_readable_codes([*said.encode()]) == said


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("said", ["leonora.leilkdreildova@hunddrendez.de", "Leonora Leilkdreildova"])
@pytest.mark.parametrize("pack", [lambda data: base64.b64encode(data).decode(), bytes.hex], ids=["base64", "hex"])
def test_packed_text_is_read_in_each_of_unicodes_encodings(
    encoding: str, said: str, pack: Callable[[bytes], str]
) -> None:
    """By what it says: as a word without meaning it is a secret only where its letters are spread as a secret's."""
    word = pack(said.encode(encoding))
    assert [each.said for each in iter_encoded_passages(f"blob {word} end")] == [said]
    assert any(f.start <= 5 and f.end >= 5 + len(word) for f in find_pii([f"blob {word} end"])[0])


def test_bytes_of_no_text_say_nothing_in_any_encoding() -> None:
    dice = Random(7)
    for _ in range(200):
        data = bytes(dice.choice((0, 0, dice.randrange(256))) for _ in range(40))
        said = [each.said for each in iter_encoded_passages(base64.b64encode(data).decode())]
        assert all(inner.isprintable() for inner in said)
