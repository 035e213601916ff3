"""Find personal data by its shape, people beside a given name and in identifiers, and folders of projects."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from ...contracts.findings import Finding
from ...words.phrase_lists import PhraseLists, expand_rules, parse_flags
from ...words.prefiltered_pattern import PrefilteredPattern
from ...words.word_lists import TECHNOLOGY, common_words
from .people_in_identifiers import find_joined_names, find_people_by_given_name, find_people_in_identifier

LISTS = PhraseLists("structured")


class ShapePattern(NamedTuple):
    """A pattern for one entity. The value is the group ``s``, or the whole match."""

    entity: str
    score: float
    digits: int
    """Least number of digits in a text that may match."""
    pattern: PrefilteredPattern


@lru_cache(maxsize=1)
def load_shapes() -> tuple[ShapePattern, ...]:
    """Return the shapes of `shapes.txt`."""
    lines = expand_rules(resources.files(__package__).joinpath("shapes.txt").read_text("utf-8"))
    parts = (line.split(" ", 4) for line in lines)
    return tuple(
        ShapePattern(e, float(score), int(digits), PrefilteredPattern(p, parse_flags(flags)))
        for e, score, digits, flags, p in parts
    )


def find_by_shapes(text: str) -> list[Finding]:
    """Return the findings of all shapes. They may overlap: :mod:`..overlaps` resolves that."""
    digits = sum(c.isdigit() for c in text)
    return [
        *_iter_shape_findings(text, digits),
        *find_people_by_given_name(text),
        *find_joined_names(text),
        *_iter_people_in_identifiers(text),
        *_iter_project_folders(text),
    ]


def _iter_people_in_identifiers(text: str) -> Iterable[Finding]:
    """Yield people in identifiers: ``greet_maria_ostenvik``, ``MariaOstenvik``."""
    for match in _JOINED.finditer(text):
        if re.split(r"[_-]", match[0], maxsplit=1)[0] in TECHNOLOGY and "-" in match[0]:
            continue  # a package: "django-oscar-adyen"
        for f in find_people_in_identifier(match[0]):
            yield f._replace(start=f.start + match.start(), end=f.end + match.start())


def _iter_project_folders(text: str) -> Iterable[Finding]:
    """Yield the folder of a project, which is often named after a customer or a person: ``/srv/acme/run.py``."""
    for match in _FOLDER.finditer(text):
        part = "s" if match["s"] is not None else "share"
        if match[part].lower() not in common_words():
            yield Finding(*match.span(part), "HOST_PATH", 0.7)


_JOINED = re.compile(
    r"(?:(?<![\w./@%-])|(?<=[\w.]/)(?<!modules/)(?<!packages/))[^\W\d_]*(?:[_-][^\W\d_]+|[^\W\d_A-Z][A-Z][^\W\d_]+)(?:-?[^\W\d])*(?:(?<=_)\d{1,8}(?:[_-]\d{1,8})*)?(?![@\w])"
)
"""An identifier of several words, also in a path, but not the name of a package or its scope."""
_FOLDER = re.compile(
    rf"""(?<![\w.:/])(?:file://)?/(?:{LISTS.FOLDER})/(?P<s>[^/\s:\"'<>()]{{4,80}})(?=/)|\\\\[\w.$-]{{1,60}}\\(?P<share>[^\\\s:\"'<>]{{4,80}})(?=\\)"""
)


def _iter_shape_findings(text: str, digits: int) -> Iterable[Finding]:
    for shape in load_shapes():
        if digits < shape.digits:
            continue
        for match in shape.pattern.finditer(text):
            start, end = match.span("s") if "s" in match.re.groupindex else match.span()
            while end > start and text[end - 1] in " \t\n,;":
                end -= 1
            if end > start:
                yield Finding(start, end, shape.entity, shape.score)
