"""Detects the kind of a file from its content, not from its name."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import BinaryIO, Final

from pagereel.errors import ReelError
from pagereel.reel import ENCRYPTED_MAGIC, ZSTD_MAGIC

from .reader_interface import SourceKind

HEAD: Final = 64 << 10
"""Bytes of a file's beginning that are read."""
_OURS: Final = re.compile(
    rb"""<meta\s+name=["']?(?:pagereel["'\s]|generator["']?\s+content=["']pagereel )""", re.IGNORECASE
)
_HAR: Final = re.compile(rb"""^\s*\{\s*"log"\s*:\s*\{""")
ZIP_ENTRIES: Final = 200_000
"""Largest number of files in a ZIP."""


def detect_kind(path: Path, file: BinaryIO) -> SourceKind:
    """Return the kind of an open file, from its first bytes or, in a ZIP, from the names of its entries. Afterwards the
    file is at its beginning.

    :raises ReelError: it is no recording of a known kind; the message says what kind of file it is, if that is
    known.
    """
    file.seek(0)
    head = file.read(HEAD)
    file.seek(0)
    if head.startswith((ZSTD_MAGIC, ENCRYPTED_MAGIC)):
        return "reel"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _detect_zip_kind(path, file)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    lower = text[:1000].lower()
    if lower.startswith((b"<!doctype", b"<html", b"<!--", b"<?xml")):
        if _OURS.search(head):
            return "replay"
        raise ReelError(
            f"{path} is an HTML page that pagereel did not make; give a recording or a replay of pagereel's."
        )
    if text.startswith((b"[", b"{")):
        if _HAR.match(text):
            raise ReelError(
                f"{path} is a HAR file: it holds requests but no page, so there is nothing to replay; give a trace.zip or a reel."
            )
        return "rrweb"
    raise ReelError(
        f"{path} is not a recording that pagereel knows; give a reel, a replay's HTML, Playwright's trace.zip or rrweb's JSON."
    )


def _detect_zip_kind(path: Path, file: BinaryIO) -> SourceKind:
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError, EOFError):
        if _begins_with_trace_entry(file):
            return "trace"
        raise ReelError(
            f"{path} is a ZIP file that is damaged or cut off: its list of contents cannot be read."
        ) from None
    finally:
        file.seek(0)
    if not names:
        raise ReelError(f"{path} is an empty ZIP file; give a recording.")
    if len(names) > ZIP_ENTRIES:
        raise ReelError(f"{path} is a ZIP file of {len(names):,} entries; {ZIP_ENTRIES:,} is the most.")
    if any(name.endswith((".trace", "trace.network")) for name in names):
        return "trace"
    if any(name.endswith(".html") and "/" not in name for name in names):
        return "replay"
    raise ReelError(f"{path} is a ZIP file with neither a Playwright trace nor a replay of pagereel's in it.")


def _begins_with_trace_entry(file: BinaryIO) -> bool:
    """Return whether a truncated ZIP begins with an entry of a trace. Such a ZIP has lost the directory at its end, but
    its first entries can be read.
    """
    file.seek(0)
    return any(mark in file.read(HEAD) for mark in (b".trace", b"trace.network"))
