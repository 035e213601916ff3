"""Extracts strings of user interfaces from packages as registries serve them: wheels, npm's archives, Debian packages.

Read are catalogues (``.po``, ``.pot``, ``.mo``: the English ids), English locales as JSON or JavaScript, and the text of HTML pages.
Nothing of them is copied into the repository: fetch the packages, name the files.

    pip download --no-deps jupyterlab-language-pack-de-DE sphinx        # .whl
    npm pack tinymce-i18n @uppy/locales antd swagger-ui-dist            # .tgz
    apt-get download python3.11-doc gedit-common synaptic               # .deb
"""

from __future__ import annotations

import ast
import gettext
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

MOST_PAGES = 60
_LOCALE = re.compile(r"(?:locale|i18n|lang|src)[^/]*/(?:.*/)?en(?:[_-]\w+)?\.(?:json|js)\Z|/en_US\.js\Z")
_CATALOGUE = re.compile(r"\.(?:po|pot|mo)\Z")
_LITERAL = re.compile(r"""(?<![\w$])(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')""")


def extract_ui_strings(path: Path) -> list[str]:
    """Return all English interface strings of one package; [] for a file of another kind."""
    found: list[str] = []
    pages = 0
    domains: set[str] = set()
    for name, data in iter_interface_text_files(path):
        if _CATALOGUE.search(name):
            domain = Path(name).stem
            if domain not in domains or name.endswith(".pot"):
                domains.add(domain)  # one language is enough: the ids are English in all
                found += _read_mo(data) if name.endswith(".mo") else _read_po_leniently(data.decode("utf-8", "replace"))
        elif _LOCALE.search(name) and not name.endswith(".min.js"):
            text = data.decode("utf-8", "replace")
            found += _read_json_strings(text) if name.endswith(".json") else [a or b for a, b in _LITERAL.findall(text)]
        elif name.endswith((".html", ".htm")) and pages < MOST_PAGES:
            pages += 1
            found += _read_html_blocks(data)
    return found


def iter_interface_text_files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each file of a package that may hold strings; of a folder, its catalogues and JSON files."""
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if (_CATALOGUE.search(file.name) or file.suffix == ".json") and file.is_file():
                yield file.relative_to(path).as_posix(), file.read_bytes()
    elif path.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                yield name, archive.read(name)
    elif path.suffix in (".tgz", ".gz"):
        with tarfile.open(path) as files:
            yield from _iter_tar_files(files)
    elif path.suffix == ".deb":
        data = path.read_bytes()
        at = 8  # after "!<arch>\n": headers of 60 bytes, contents on even places
        while at + 60 <= len(data):
            name, size = data[at : at + 16].decode().strip().rstrip("/"), int(data[at + 48 : at + 58])
            if name.startswith("data.tar"):
                with tarfile.open(fileobj=io.BytesIO(data[at + 60 : at + 60 + size])) as files:
                    yield from _iter_tar_files(files)
            at += 60 + size + size % 2


def _iter_tar_files(files: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of the files of a tar archive that may hold strings."""
    for member in files:
        if member.isfile() and (_CATALOGUE.search(member.name) or member.name.endswith((".html", ".js", ".json"))):
            opened = files.extractfile(member)
            if opened is not None:
                yield member.name, opened.read()


def _read_mo(data: bytes) -> list[str]:
    """Return the message ids of a compiled gettext catalogue; [] where it cannot be read."""
    try:
        catalogue: dict[object, str] = gettext.GNUTranslations(io.BytesIO(data))._catalog  # type: ignore[attr-defined]
    except (OSError, UnicodeDecodeError, ValueError):
        return []
    return [str(key[0] if isinstance(key, tuple) else key).replace("_", "") for key in catalogue]


def _read_po_leniently(text: str) -> list[str]:
    """Return the message ids of a gettext catalogue; [] where it cannot be read."""
    try:
        return read_po(text)
    except (SyntaxError, ValueError):
        return []


def _read_json_strings(text: str) -> list[str]:
    """Return the strings of a JSON text; [] where it cannot be read."""
    try:
        return list_json_strings(json.loads(text))
    except ValueError:
        return []


def _read_html_blocks(data: bytes) -> list[str]:
    """Return the text of an HTML page, one string for each block."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(data)
    blocks = tree.css("p, li, td, th, h1, h2, h3, h4, a, button, label, option, dt, figcaption, summary")
    return [" ".join(b.text(deep=True).split()) for b in blocks if not b.css_first("p, li, td, div")]


def read_po(text: str) -> list[str]:
    """Return the message ids of a gettext catalogue. Raises SyntaxError or ValueError where one cannot be read."""
    return [
        "".join(ast.literal_eval(line.strip()) for line in match.group(1).splitlines() if line.strip())
        for match in re.finditer(r'^msgid((?:\s*".*"\n)+)', text, re.MULTILINE)
    ]


def list_json_strings(value: object) -> list[str]:
    """Return all strings in a JSON value, at any depth."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [s for v in value.values() for s in list_json_strings(v)]
    return [s for v in value for s in list_json_strings(v)] if isinstance(value, list) else []
