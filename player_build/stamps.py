"""Reads a replay's stamp, which identifies what it was built from, so that a build with the same result can be skipped."""

from __future__ import annotations

import hashlib
import html
import re
import zipfile
from importlib.resources import files
from typing import BinaryIO, Final

HEAD_BYTES: Final = 16 << 10
"""Number of bytes at the beginning of an HTML file that contain the stamp."""

_SHELL: Final = (".j2", ".js", ".css", ".json")
_META: Final = re.compile(rb'<meta name="pagereel-stamp" content="([^"]*)">')


def read_stamp(file: BinaryIO) -> str | None:
    """Return the stamp that ``build()`` was given for this replay (HTML, or a ZIP archive of it); None if it has none.

    `file` is open for reading, can seek, and need not be on a disk.
    """
    head = file.read(HEAD_BYTES)
    if head.startswith(b"PK\x03\x04"):
        try:
            with zipfile.ZipFile(file) as archive:
                return archive.comment.decode("utf-8", "replace") or None
        except (zipfile.BadZipFile, OSError):
            return None
    found = _META.search(head)
    return html.unescape(found[1].decode("utf-8", "replace")) if found else None


def hash_shell() -> str:
    """Return a hash of everything in a replay that does not depend on the recording: templates, scripts, style sheets,
    allow-lists.
    """
    found = hashlib.sha256()
    for package in ("pagereel.dist", "pagereel.player_build"):
        for file in sorted(files(package).iterdir(), key=lambda file: file.name):
            if file.name.endswith(_SHELL):
                found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.hexdigest()
