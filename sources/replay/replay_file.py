"""The contents of a replay's HTML file: its index, its events, its resources. Nothing in the file is trusted."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, cast

import orjson

from pagereel.errors import FutureFormatError, ReelError
from pagereel.reel import PLAYER_PIECE, SUITE_GROUP, Event, Json, ReplayPiece, added_texts, filled_texts, find_pieces

from ..kind_detection import HEAD
from ..reader_interface import ReadReport
from ..suite_address import split_suite_address

VERSION: Final = 2
"""The newest version of the chunk format that can be read."""
_PIECE_BYTES: Final = 512 << 20
"""Largest number of bytes of a decompressed chunk. A build cuts its chunks at 384 kB, except for a single long event
or resource.
"""
_ALL_BYTES: Final = 4 << 30
_ZIP_LEAST: Final = 64 << 20
_ZIP_RATIO: Final = 20
"""Limit on the size of a page in a ZIP: `_ZIP_LEAST` bytes plus `_ZIP_RATIO` times the archive's size. Base64 of
compressed data shrinks little.
"""
_OURS: Final = re.compile(
    rb"""<meta\s+name=["'](?:pagereel|generator)["']\s+content=["'](?:pagereel |format=)""", re.IGNORECASE
)
_READ: Final = 16 << 10
"""Bytes that are decompressed at once, so that data before a damaged part is not lost."""
_NAME: Final = re.compile(r"(chunk|pack)-(\d{1,9})")


class PackedResourceEntry(NamedTuple):
    """The location of a resource in the file: its pack, and offset and length in bytes."""

    pack: int
    offset: int
    length: int
    mime: str


class ReplayFile:
    """The HTML file of a replay. Damaged parts are reported and count as missing."""

    def __init__(self, path: Path, file: BinaryIO, report: ReadReport) -> None:
        """Raise ReelError for a file that pagereel did not build, or that cannot be read at all. Of a suite, `path`
        ends in ``#test=`` and the id of the test to read.
        """
        path, test = split_suite_address(path)
        self.path = path
        self.told = report
        self._left = _ALL_BYTES
        self._last: tuple[int, bytes | None] = (-1, None)
        html = _read_html_page(path, file, report)
        if report.damage is not None and not _OURS.search(html[:HEAD]):
            raise ReelError(f"{path} is a ZIP file that cannot be read ({report.damage}).")
        if not _OURS.search(html[:HEAD]):
            raise ReelError(
                f"{path} is an HTML page that pagereel did not make; give a recording or a replay of pagereel's."
            )
        self._pieces = {piece.name: piece for piece in find_pieces(html) if piece.name != PLAYER_PIECE}
        if not self._pieces:
            raise ReelError(f"{path} is a replay whose end is missing, with all its data; get the file again.")
        self.index: dict[str, Any] = self._read_index()
        version = self.index.get("version")
        if isinstance(version, int) and version > VERSION:
            raise FutureFormatError(
                f"{path} was built by a newer pagereel ({str(self.index.get('player'))[:40]}); update pagereel to read it."
            )
        if isinstance(self.index.get("halves"), list):
            raise ReelError(f"{path} is a comparison of two recordings; give one of those recordings.")
        packs: list[Any] | None = None
        if isinstance(self.index.get("tests"), list):
            packs = self._select_test_of_suite(self.index["tests"], test)
        info = self.index.get("info")
        self.info: dict[str, Any] = info if isinstance(info, dict) else {}
        self.resources = [_parse_resource_entry(entry) for entry in _to_list(self.index.get("resources"))]
        if packs is not None:
            self.resources = [each if each and each.pack in packs else None for each in self.resources]
        self._texts = self._read_long_texts() if "texts" in self._pieces else []
        self._streams = [
            str(entry[0]) for entry in _to_list(self.index.get("chunks")) if isinstance(entry, list) and entry
        ]
        self._count_chunks_and_packs()

    def _select_test_of_suite(self, tests: list[Any], id: str | None) -> list[Any]:
        """Use the recording of one test of a suite as the file's content. Return the numbers of the packs that hold its
        resources.
        """
        ids = [str(each.get("id")) for each in tests if isinstance(each, dict) and "shown" in each]
        if id is None:
            named = f", for example {self.path}#test={ids[0]}" if ids else ""
            raise ReelError(f"{self.path} holds the recordings of {len(tests)} tests; name one by its id{named}.")
        found = next((each for each in tests if isinstance(each, dict) and each.get("id") == id), None)
        if found is None or type(number := found.get("shown")) is not int:
            what = "no test" if found is None else "no recording of the test"
            raise ReelError(f"{self.path} has {what} {id[:40]}; the address of an open test ends in its id.")
        resources, version = self.index.get("resources"), self.index.get("version")
        try:
            index = orjson.loads(self._inflate_piece(f"test-{number // SUITE_GROUP}") or b"null")[number % SUITE_GROUP]
        except (ValueError, TypeError, LookupError):
            index = None
        if not isinstance(index, dict) or type(first := index.get("first")) is not int:
            raise ReelError(f"{self.path} cannot be read: the index of recording {number} is damaged.")
        self.index = {**index, "resources": resources, "version": version}
        own = {
            f"chunk-{first + n}": f"chunk-{n}"
            for n in range(min(len(_to_list(index.get("chunks"))), len(self._pieces)))
        }
        self._pieces = {
            own.get(name, name): piece
            for name, piece in self._pieces.items()
            if name in own or not name.startswith("chunk-")
        }
        return _to_list(index.get("packs"))

    def report_damage(self, damage_text: str) -> None:
        """Report the first damage of the file; later damage is ignored."""
        self.told.damage = self.told.damage or damage_text

    def iter_chunks(self, stream: str) -> Iterator[list[Event] | None]:
        """Yield the chunks of a stream (``page``, ``run``) in order; None for a chunk that cannot be read."""
        for number in range(self._chunks):
            if self._streams and (number >= len(self._streams) or self._streams[number] != stream):
                continue
            data = self._inflate_piece(f"chunk-{number}")
            if data is not None and self._texts and stream == "page":
                data = self._fill_in_long_texts(f"chunk-{number}", data)
            try:
                events = orjson.loads(data) if data is not None else None
            except ValueError:
                events = None
                self.report_damage(f"its chunk-{number} is no JSON")
            yield [event for event in events if isinstance(event, dict)] if isinstance(events, list) else None

    def iter_packs(self, numbers: Iterable[int] | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield the number and the bytes of each intact pack, a compressed group of resources; only those in `numbers`, if given."""
        for number in range(self._packs) if numbers is None else numbers:
            if self._last[0] != number:
                self._last = number, self._inflate_piece(f"pack-{number}")
            data = self._last[1]
            if data is not None:
                yield number, data

    @property
    def is_index_lost(self) -> bool:
        """Return whether the file's index is lost, so that nothing tells to which stream a chunk belongs."""
        return not self._streams

    def _read_long_texts(self) -> list[bytes]:
        """Return the long texts, as JSON, to which chunks refer by number."""
        data = self._inflate_piece("texts")
        try:
            texts = orjson.loads(data) if data is not None else []
        except ValueError:
            texts = None
            self.report_damage("its texts are no JSON")
        return [orjson.dumps(text) for text in _to_list(texts) if isinstance(text, str)]

    def _fill_in_long_texts(self, name: str, data: bytes) -> bytes | None:
        """Return the JSON of a chunk with its long texts filled in; None if it would be larger than any chunk of a
        build.
        """
        added = added_texts(data, self._texts)
        if len(data) + added > min(_PIECE_BYTES, self._left):
            self.report_damage(f"its {name} is larger than anything that pagereel writes")
            return None
        self._left -= added
        return filled_texts(data, lambda number: self._texts[number] if number < len(self._texts) else None)

    def _read_index(self) -> dict[str, Any]:
        data = self._inflate_piece("index")
        try:
            index = orjson.loads(data) if data is not None else None
        except ValueError:
            index = None
        if not isinstance(index, dict):
            self.report_damage("its index cannot be read")
            return {}
        return index

    def _count_chunks_and_packs(self) -> None:
        """Count the chunks and packs, by the index and by the names in the file. Raises ReelError if there are no
        events.
        """
        numbers: dict[str, int] = {"chunk": 0, "pack": 0}
        for name in self._pieces:
            if match := _NAME.fullmatch(name):
                numbers[match[1]] = max(numbers[match[1]], min(int(match[2]) + 1, len(self._pieces)))
        self._chunks = max(numbers["chunk"], len(self._streams))
        self._packs = max(numbers["pack"], max((each.pack + 1 for each in self.resources if each), default=0))
        self._packs = min(self._packs, len(self._pieces) + len(self.resources))
        if not self._chunks or (not self.index and not numbers["chunk"]):
            raise ReelError(
                f"{self.path} is a replay that cannot be read ({self.told.damage or 'it holds no events'})."
            )

    def _inflate_piece(self, name: str) -> bytes | None:
        piece: ReplayPiece | None = self._pieces.get(name)
        if piece is None:
            self.report_damage(f"its {name} is missing")
            return None
        try:
            unpacker = zlib.decompressobj(-15)
            limit = max(1, min(_PIECE_BYTES, self._left))
            data = unpacker.decompress(piece.decode(), limit)
            if not unpacker.eof:
                raise ValueError("it is cut off or larger than anything that pagereel writes")
        except (ValueError, zlib.error) as error:
            self.report_damage(f"its {name} cannot be read: {error}")
            return None
        self._left -= len(data)
        return data


def _read_html_page(path: Path, file: BinaryIO, report: ReadReport) -> bytes:
    """Return the HTML of a replay: the file itself, or the page in a ZIP."""
    file.seek(0)
    if file.read(2) != b"PK":
        file.seek(0)
        return file.read()
    file.seek(0, 2)
    limit = _ZIP_LEAST + _ZIP_RATIO * file.tell()
    try:
        with zipfile.ZipFile(file) as archive:
            entry = next(
                each for each in archive.infolist() if each.filename.endswith(".html") and "/" not in each.filename
            )
            if entry.flag_bits & 1:
                raise ReelError(f"{path} is a ZIP file with a password; unpack it first.")
            if entry.file_size > limit:
                raise ReelError(
                    f"{path} holds a page of {entry.file_size:,} bytes, far more than a replay of its size."
                )
            parts: list[bytes] = []
            try:
                with cast(zipfile.ZipExtFile, archive.open(entry)) as page:
                    while part := page.read1(_READ):
                        parts.append(part)
            except (zipfile.BadZipFile, zlib.error, EOFError) as error:
                report.damage = f"its ZIP archive is damaged: {error}"
            return b"".join(parts)
    except StopIteration:
        raise ReelError(f"{path} is a ZIP file without a replay in it.") from None
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise ReelError(f"{path} is a ZIP file that cannot be read ({error}).") from None


def _to_list(value: Json) -> list[Any]:
    return value if isinstance(value, list) else []


def _parse_resource_entry(entry: Any) -> PackedResourceEntry | None:
    """Parse a resource's entry of the index; None for an empty entry."""
    if not isinstance(entry, list) or len(entry) != 4 or not isinstance(entry[3], str):
        return None
    if not all(type(number) is int and 0 <= number < 1 << 40 for number in entry[:3]):
        return None
    return PackedResourceEntry(entry[0], entry[1], entry[2], entry[3][:200])
