"""Collects strings of user interfaces from installed programs and named files at run time; none is copied into the repository."""

from __future__ import annotations

import itertools
import json
import re
import struct
from collections.abc import Sequence
from pathlib import Path

from bench.redaction.archives import extract_ui_strings, list_json_strings, read_po

_CHROMIUM = (
    "/usr/lib/chromium/locales/en-US.pak",
    "/usr/lib/chromium-browser/locales/en-US.pak",
    "/opt/google/chrome/locales/en-US.pak",
)
_PERSONAL = re.compile(r"@|://|\bwww\.")
"""E-mail addresses and links are to be masked: strings with one are left out."""
_MARKUP = re.compile(r"<[^>]*>|\$\d|%\(\w+\)[sd]|\{[^}]*\}|\{\{[^}]*\}\}")


def collect_ui_strings(files: Sequence[Path], most: int = 3_000) -> dict[str, list[str]]:
    """Return at most ``most`` interface strings for each source. ``files``: ``.json``, ``.po``, or packages (:mod:`bench.redaction.archives`).

    The detector's word list was drawn from the browser's own strings, so files that the caller names measure more strictly.
    """
    found: dict[str, list[str]] = {}
    for place in _CHROMIUM:
        if Path(place).is_file():
            found["Chromium (word list drawn from it)"] = _sample_readable(read_pak(Path(place)), most)
            break
    axe = Path("node_modules/axe-core/locales/_template.json")
    if axe.is_file():
        found["axe-core"] = _sample_readable(list_json_strings(json.loads(axe.read_text("utf-8"))), most)
    for file in files:
        if file.suffix in (".whl", ".zip", ".tgz", ".deb"):
            strings = extract_ui_strings(file)
        else:
            text = file.read_text("utf-8")
            strings = list_json_strings(json.loads(text)) if file.suffix == ".json" else read_po(text)
        found[re.split(r"[-_]\d", file.name)[0]] = _sample_readable(strings, most)
    return found


def read_pak(path: Path) -> list[str]:
    """Return the strings of a Chromium resource pack of version 5; [] for another version."""
    data = path.read_bytes()
    if struct.unpack_from("<I", data)[0] != 5:
        return []
    count = struct.unpack_from("<H", data, 8)[0]
    offsets = [struct.unpack_from("<HI", data, 12 + 6 * i)[1] for i in range(count + 1)]
    return [data[a:b].decode("utf-8", "replace") for a, b in itertools.pairwise(offsets)]


def _sample_readable(strings: Sequence[str], most: int) -> list[str]:
    """Return at most ``most`` distinct strings without placeholders and links, spread evenly over all."""
    plain = [
        s
        for s in dict.fromkeys(s.strip() for s in strings)
        if re.search(r"[A-Za-z]{2}", s) and not _MARKUP.search(s) and not _PERSONAL.search(s) and len(s) < 400
    ]
    step = max(1, len(plain) // most)
    return plain[::step][:most]
