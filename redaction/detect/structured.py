"""Find personal data by its shape, and names by what stands before them or by the given name that they begin with."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..contracts.types import Finding
from ..words.words import TECHNOLOGY, common_words, familiar_names, given_names
from .people import beside_given, people
from .shapes import SHAPES

LINKED_NAME = re.compile(
    r"\b(?:(?i:my name is|name'?s|name is|i am called|(?:customer|client|user|patient|person|guest|caller|he|she) (?:is|was) called|call me|this is|dear|hi|hello|hey|welcome(?:\s+back)?|signed in as|logged in as|"
    r"ship(?:ped)? to|deliver(?:ed)? to|attn:?|name:|customer:|contact:|recipient:|passenger:|patient:|sender:|owner:|payee:|beneficiary:|author:|by:|from:|to:|assigned to|maiden name is|under the name(?: of)?))"
    r",?\s+(?P<s>[^\W\d_a-z][\w'’-]+(?:[^\S\n\t]+(?:[^\W\d_a-z](?!\w)\.?|[^\W\d_a-z][\w'’-]+)){0,3})"
)
"""A capitalized name after words that announce one. Case matters: "welcome back to the shop" announces none."""

BORN_NAME = re.compile(
    r"(?<![\w'’-])(?P<s>[^\W\d_a-z][\w'’-]+(?:\s+(?:[^\W\d_a-z]\.?|[^\W\d_a-z][\w'’-]+)){0,3}),?\s+\(?"
    r"(?i:born\b|née\b|(?:date of birth|d\.?o\.?b)\.?:?\s+\d)"
)
"""A capitalized name before words that say when somebody was born."""

_NOT_A_NAME = frozenset(
    [
        "the",
        "this",
        "that",
        "there",
        "here",
        "all",
        "everyone",
        "everybody",
        "team",
        "guest",
        "visitor",
        "user",
        "admin",
        "sir",
        "madam",
        "world",
        "us",
        "you",
        "we",
        "it",
        "to",
        "back",
        "in",
        "our",
        "my",
        "your",
        "new",
        "home",
        "shop",
        "store",
        "page",
        "site",
        "account",
        "customer",
        "support",
        "friends",
        "folks",
        "again",
        "today",
        "now",
        "please",
        "sign",
        "log",
        "click",
        "add",
        "edit",
        "view",
        "open",
        "save",
    ]
)


def find_structured(text: str) -> list[Finding]:
    """Return what the shapes find in a text. Overlaps are left in: :mod:`spans` settles them."""
    digits = sum(c.isdigit() for c in text)
    return [
        *_shapes(text, digits),
        *_linked_names(text),
        *_given_names(text),
        *beside_given(text),
        *_in_names(text),
        *_folders(text),
    ]


def _in_names(text: str) -> Iterable[Finding]:
    """People in the names of functions and things: ``greet_maria_ostenvik``, ``MariaOstenvik``."""
    for match in _JOINED.finditer(text):
        if re.split(r"[_-]", match[0], maxsplit=1)[0] in TECHNOLOGY and "-" in match[0]:
            continue  # a package: "django-oscar-adyen"
        for f in people(match[0]):
            yield f._replace(start=f.start + match.start(), end=f.end + match.start())


def _folders(text: str) -> Iterable[Finding]:
    """Yield the folder of a project, which is often called after a customer or a person: ``/srv/acme/run.py``."""
    for match in _FOLDER.finditer(text):
        part = "s" if match["s"] is not None else "share"
        if match[part].lower() not in common_words():
            yield Finding(*match.span(part), "HOST_PATH", 0.7)


_HOLDS = re.compile(
    r"[ ](?:AND|ARE|AT|BY|FOR|FROM|HAS|HERE|IN|IS|OF|ON|OR|THE|TO|WAS|WE|WHO|WILL|WITH|YOUR?)\b.*\Z", re.DOTALL
)
_JOINED = re.compile(
    r"(?:(?<![\w./@%-])|(?<=[\w.]/)(?<!modules/)(?<!packages/))[^\W\d_]*(?:[_-][^\W\d_]+|[^\W\d_A-Z][A-Z][^\W\d_]+)(?:-?[^\W\d])*(?:(?<=_)\d{1,8}(?:[_-]\d{1,8})*)?(?![@\w])"
)
"""Words joined as in the name of a thing, also as a segment of a path, but for folders of packages and what follows a scope."""
_FOLDER = re.compile(
    r"(?<![\w.:/])(?:file://)?/(?:srv|opt|data|export|builds|var/www|workspaces?|projects|repos|media|Volumes|mnt(?:/[a-z])?(?:/data)?)/(?P<s>[^/\s:\"'<>()]{4,80})(?=/)"
    r"|\\\\[\w.$-]{1,60}\\(?P<share>[^\\\s:\"'<>]{4,80})(?=\\)"
)


def _shapes(text: str, digits: int) -> Iterable[Finding]:
    for shape in SHAPES:
        if digits < shape.digits:
            continue
        for match in shape.pattern.finditer(text):
            start, end = match.span("s") if "s" in match.re.groupindex else match.span()
            while end > start and text[end - 1] in " \t\n,;":
                end -= 1
            if end > start:
                yield Finding(start, end, shape.entity, shape.score)


def _linked_names(text: str) -> Iterable[Finding]:
    for match in (*LINKED_NAME.finditer(text), *BORN_NAME.finditer(text)):
        first = match.group("s").split()[0].lower()
        if first not in _NOT_A_NAME and len(first) > 1:
            # Without small letters a name goes on to the next word that holds a sentence together: "I AM DAVE FROM FLAT 9".
            held = _HOLDS.search(text, match.start("s"), match.end("s")) if text.isupper() else None
            yield Finding(match.start("s"), held.start() if held else match.end("s"), "PERSON", 0.6)


def _given_names(text: str) -> Iterable[Finding]:
    """Yield a given name and the words after it that may be the rest: with a capital where the text has both cases."""
    cased = not (text.islower() or text.isupper())
    common, names = common_words(), given_names() if cased else familiar_names()
    words = list(_NAMED_WORD.finditer(text))
    for at, match in enumerate(words):
        if match.group().lower() not in names or (cased and not match.group()[0].isupper()):
            continue
        end = match.end()
        for after in words[at + 1 : at + 4]:
            word = after.group()
            if not _BETWEEN.fullmatch(text, end, after.start()):
                break
            if not (word.lower() in _PARTICLES or (_capital(word, cased) and word.lower() not in common)):
                break
            end = after.end()
        last = text[match.end() : end].split()
        if last and last[-1].lower() not in _PARTICLES:
            yield Finding(match.start(), end, "PERSON", 0.6)


def _capital(word: str, cased: bool) -> bool:
    return (word[0].isupper() and (len(word) > 1 or cased)) if cased else len(word) > 3


_NAMED_WORD = re.compile(r"[^\W\d_][^\W\d_'’]*(?:['’-][^\W\d_]{2,})*")
_BETWEEN = re.compile(r"[ \u00a0]|[ ]?\.?[ ]")
_PARTICLES = frozenset(
    ["de", "la", "van", "von", "der", "den", "del", "di", "da", "dos", "du", "le", "bin", "ibn", "al", "el", "ter"]
)
