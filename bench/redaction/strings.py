"""Real strings of user interfaces, collected at run time from what is installed: nothing is copied into the repository."""

from __future__ import annotations

import itertools
import json
import re
import struct
from collections.abc import Sequence
from pathlib import Path

from bench.redaction.archives import leaves, read_po, strings_of

_CHROMIUM = (
    "/usr/lib/chromium/locales/en-US.pak",
    "/usr/lib/chromium-browser/locales/en-US.pak",
    "/opt/google/chrome/locales/en-US.pak",
)
_PERSONAL = re.compile(r"@|://|\bwww\.")
"""E-mail addresses and links are to be masked: strings with one are left out."""
_MARKUP = re.compile(r"<[^>]*>|\$\d|%\(\w+\)[sd]|\{[^}]*\}|\{\{[^}]*\}\}")


def ui_strings(files: Sequence[Path], most: int = 3_000) -> dict[str, list[str]]:
    """Source → at most ``most`` strings. ``files``: ``.json``, ``.po``, or packages (:mod:`bench.redaction.archives`). The browser's own
    are the list that the detector's word list was drawn from, so files named by the caller are the stricter measure."""
    found: dict[str, list[str]] = {}
    for place in _CHROMIUM:
        if Path(place).is_file():
            found["Chromium (word list drawn from it)"] = _some(read_pak(Path(place)), most)
            break
    axe = Path("node_modules/axe-core/locales/_template.json")
    if axe.is_file():
        found["axe-core"] = _some(leaves(json.loads(axe.read_text("utf-8"))), most)
    for file in files:
        if file.suffix in (".whl", ".zip", ".tgz", ".deb"):
            strings = strings_of(file)
        else:
            text = file.read_text("utf-8")
            strings = leaves(json.loads(text)) if file.suffix == ".json" else read_po(text)
        found[re.split(r"[-_]\d", file.name)[0]] = _some(strings, most)
    return found


def read_pak(path: Path) -> list[str]:
    """The strings of a Chromium resource pack, version 5."""
    data = path.read_bytes()
    if struct.unpack_from("<I", data)[0] != 5:
        return []
    count = struct.unpack_from("<H", data, 8)[0]
    offsets = [struct.unpack_from("<HI", data, 12 + 6 * i)[1] for i in range(count + 1)]
    return [data[a:b].decode("utf-8", "replace") for a, b in itertools.pairwise(offsets)]


def _some(strings: Sequence[str], most: int) -> list[str]:
    """Readable strings without placeholders, each once, spread evenly over the whole."""
    plain = [
        s
        for s in dict.fromkeys(s.strip() for s in strings)
        if re.search(r"[A-Za-z]{2}", s) and not _MARKUP.search(s) and not _PERSONAL.search(s) and len(s) < 400
    ]
    step = max(1, len(plain) // most)
    return plain[::step][:most]
