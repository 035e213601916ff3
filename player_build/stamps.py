"""What a replay says of what it was built from: so that a build that would give the same file can be left out."""

from __future__ import annotations

import html
import re
import zipfile
from typing import BinaryIO, Final

HEAD_BYTES: Final = 16 << 10
"""The stamp stands within these first bytes of an HTML file."""

_META: Final = re.compile(rb'<meta name="pagereel-stamp" content="([^"]*)">')


def stamp_of(file: BinaryIO) -> str | None:
    """The `stamp` that ``build()`` was given for this replay (HTML, or a ZIP archive of it); None when it has none.

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
