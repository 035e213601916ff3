"""Opens a replay in every layer and says which of the planted values it tells.

Nothing of the redaction is asked: the pieces of the file are found and unpacked, what looks like base64, hexadecimal, escapes, ZIP, deflate or UTF-16
is opened, and what is left is compared by letters and digits alone. Texts of a page's nodes are also read one after the other, whatever stands between.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import gzip
import html
import io
import json
import quopri
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

from pagereel import open_recording
from pagereel.reel import find_pieces, open_reel
from pagereel.sources import open_any
from tests.redaction.strange_places import Place
from tests.redaction.strange_values import Value, squashed

OWN_PAGE = "<!doctype html><html><head><title>Desk"
_WORD = re.compile(r"[A-Za-z0-9+/_-]{12,}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){8,}")
_PUNY = re.compile(r"xn--[a-z0-9-]+", re.IGNORECASE)
_CODES = re.compile(r"\[(?:\d{2,3}, ?){8,}\d{2,3}\]")
_UNICODE = re.compile(r"\\+u([0-9a-fA-F]{4})")
_CSS = re.compile(r"\\+([0-9a-fA-F]{1,6})\s?")


def traces_of(place: Place, value: Value) -> list[str]:
    """What must not be left: squashed."""
    return [squashed(value.write(trace)) for trace in place.traces or ("«trace»",)]


def layers(path: Path) -> Iterator[tuple[str, bytes]]:
    """The file's own bytes, and each piece of it unpacked, but for the player."""
    if path.suffix == ".reel":
        with open_reel(path) as reel:
            for event in reel.events():
                yield "reel " + str(event["k"]), json.dumps(event, ensure_ascii=False).encode("utf-8", "replace")
                if "base64" in event:
                    yield "reel resource", base64.b64decode(event["base64"])
        return
    content = path.read_bytes()
    own = content
    for piece in reversed(list(find_pieces(content))):
        own = own[: piece.start] + own[piece.end :]
        if piece.name != "shell":
            yield piece.name, zlib.decompress(piece.decode(), -15)
    yield "file", own


def _inflated(data: bytes) -> Iterator[bytes]:
    if data[:2] == b"\x1f\x8b":
        yield gzip.decompress(data)
    elif data[:4] == b"PK\3\4":
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            for name in file.namelist():
                yield name.encode() + b" " + file.read(name)
    for found in re.finditer(rb"x[\x01\x5e\x9c\xda]", data):
        made = zlib.decompressobj().decompress(data[found.start() :])
        if len(made) > 6:
            yield made


def _tried(data: bytes) -> list[bytes]:
    try:
        return list(_inflated(data))
    except (OSError, zlib.error, zipfile.BadZipFile, EOFError):
        return []


def _decoded(text: str, seen: set[str]) -> Iterator[bytes]:
    """What words of base64 and hexadecimal say, each from four letters on, for a value can begin anywhere in them."""
    for word in set(_WORD.findall(text)) - seen:
        seen.add(word)
        plain = word.replace("-", "+").replace("_", "/")
        for start in range(4):
            part = plain[start:]
            part = part[:-1] if len(part) % 4 == 1 else part
            yield base64.b64decode(part + "=" * (-len(part) % 4))
        for codes in _HEX.findall(word):
            yield binascii.unhexlify(codes)
    for codes in _CODES.findall(text):
        yield bytes(min(int(code), 255) for code in re.findall(r"\d+", codes))


def _unescaped(text: str) -> str:
    """The text with one layer of each way of escaping gone."""
    text = unquote_plus(text) if "%" in text else text
    text = html.unescape(text) if "&" in text else text
    if "\\" in text:
        text = _UNICODE.sub(lambda found: chr(int(found[1], 16)), text)
        text = text.replace('\\"', '"').replace("\\\\", "\\")
    return text


def _otherwise(text: str) -> Iterator[str]:
    """Ways of writing that would spoil a text that has none of them."""
    if "\\" in text:
        yield _CSS.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)), text)
    if re.search("=[0-9A-F]{2}=", text):
        yield quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
    for word in set(_PUNY.findall(text)):
        with contextlib.suppress(UnicodeError):
            yield word.lower().encode().decode("idna")


def readings(data: bytes, seen: set[str], depth: int = 3) -> Iterator[str]:
    """All that the bytes say, however often they are packed. `seen`: words that were looked into already."""
    texts = [data.decode("utf-8", "replace")]
    if data.count(0) * 5 > len(data):
        texts += [data[at:].decode(code, "replace") for at in (0, 1) for code in ("utf-16-le", "utf-32-le")]
    if len(data) < 200 and any(byte > 127 for byte in data):
        texts.append(data.decode("cp037", "replace"))
    for text in texts:
        for _ in range(depth):
            yield text
            yield from _otherwise(text)
            said = [made for made in _decoded(text, seen) if len(made) > 5]
            if said and depth > 1:
                yield from readings(b"\n".join(said), seen, depth - 1)
                for inner in (inner for made in said for inner in _tried(made)):
                    yield from readings(inner, seen, depth - 1)
            plainer = _unescaped(text)
            if plainer == text:
                break
            text = plainer
    for inner in _tried(data):
        yield from readings(inner, seen, max(depth - 1, 1))


def _texts(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, list) and tree and isinstance(tree[0], str):
        for child in tree[1:]:
            if isinstance(child, str | list):
                yield from _texts(child)


def shown(path: Path) -> Iterator[str]:
    """The texts of each change of a page one after the other, and what pages said at each moment of a change."""
    with open_any(path) as reel:
        for event in reel.events(("snapshot", "mutation")):
            parts = [text for op in event["ops"] for text in _texts_of(op)]
            yield "".join(parts)
            yield "".join(reversed(parts))
    reading = open_recording(path)
    with open_any(path) as reel:
        ends = [float(event["t"]) - 1 for event in reel.events(("document",))]
    for at in (*ends, reading.duration):
        for page in reading.text(at=at):
            yield f"{page['url']} {page['title']} {page['text']}"


def _texts_of(op: list[Any]) -> Iterator[str]:
    if op[0] in ("doc", "add"):
        for tree in op[3 if op[0] == "add" else 2 :]:
            yield from _texts(tree)
    elif op[0] == "text":
        yield str(op[2])


def found_in(path: Path, planted: Iterable[tuple[Place, Value]]) -> dict[str, list[str]]:
    """By place, where its value is told: names of pieces, ``shown``, and ``document`` for the body of the page's own address."""
    wanted = [(place.name, traces_of(place, value)) for place, value in planted]
    told: dict[str, list[str]] = {}
    for where, text in _said(path):
        flat = squashed(text)
        for name, traces in wanted:
            if any(trace in flat for trace in traces):
                places = told.setdefault(name, [])
                if where not in places:
                    places.append(where)
    return told


def _said(path: Path) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for name, data in layers(path):
        documents, rest = _without_documents(data)
        for text in documents:
            yield "document", text
        for text in readings(rest, seen):
            yield name, text
    for text in shown(path):
        yield "shown", text


def _without_documents(data: bytes) -> tuple[list[str], bytes]:
    """The bodies of the pages themselves stand in each raw replay, and say nothing of whether a place was recorded."""
    found = re.compile(re.escape(OWN_PAGE.encode()) + rb".*?</html>", re.DOTALL)
    return [text.decode("utf-8", "replace") for text in found.findall(data)], found.sub(b"", data)
