"""Strings of interfaces in their translations, out of packages as registries serve them: `.mo` and `.po` below a language's folder, and `de.json`.

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

from bench.redaction.archives import members
from bench.redaction.strings import leaves

_TRANSLATED = re.compile(r'^msgstr(?:\[\d\])?((?:\s*".*"\n)+)', re.MULTILINE)


def translations(path: Path, code: str) -> list[str]:
    """All strings of one package in the language `code`, each once, in the order of the package."""
    of_folder = re.compile(rf"(?:^|/){code}(?:[_-]{code.upper()})?/(?:.*/)?[^/]+\.(?:mo|po)$")
    of_file = re.compile(
        rf"(?:locale|i18n|lang|translation|nls)[^/]*/(?:.*/)?{code}(?:[_-]{code.upper()})?\.(?:json|mo|po)$"
    )
    found: dict[str, None] = {}
    for name, data in members(path):
        if of_folder.search(name) or of_file.search(name):
            found.update(dict.fromkeys(s.strip().replace("_", "") for s in _read(name, data)))
    return list(found)


def _read(name: str, data: bytes) -> Iterator[str]:
    if name.endswith(".mo"):
        try:
            catalogue: dict[object, str] = gettext.GNUTranslations(io.BytesIO(data))._catalog  # type: ignore[attr-defined]
        except (OSError, UnicodeDecodeError, ValueError):
            return
        yield from (text for key, text in catalogue.items() if key)
    elif name.endswith(".po"):
        for match in list(_TRANSLATED.finditer(data.decode("utf-8", "replace")))[1:]:
            try:
                yield "".join(ast.literal_eval(line.strip()) for line in match[1].splitlines() if line.strip())
            except (SyntaxError, ValueError):
                continue
    else:
        try:
            yield from leaves(json.loads(data))
        except ValueError:
            return
