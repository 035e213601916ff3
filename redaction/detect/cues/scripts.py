"""Find personal data by rules in scripts and languages that the models do not know.

The rules are a label or an honorific beside a name, lists of the commonest names, and the shapes of addresses. The models are trained on English:
what they find in Chinese is chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.alphabets import DENSE
from ...words.phrases import Phrases
from ...words.script_lists import OTHER_LETTERS, WORD
from . import korean, spaced_scripts
from .label_words import ADDRESS_WORDS, NAME_LABELS, USER_LABELS
from .listed_names import may_call_in_small_letters

LISTS = Phrases("scripts")

PARTS_OF_NAMES = re.compile(
    rf"\W*(?:{LISTS.PARTS_OF_NAMES})\W*",
    re.IGNORECASE,
)
"""Labels of a part of a name, under which nothing but people stand."""
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")


def without_other_scripts(text: str, sentence: bool) -> str:
    """Return a text for models of English: blanks, of equal length, replace the letters of other scripts.

    An English `sentence` with a few such words stays as it is, because its other words tell the models what they are.
    """
    if text.isascii():
        return text
    other = sum(len(m[0]) for m in OTHER_LETTERS.finditer(text))
    if not other or (sentence and other <= len(_LATIN.findall(text))):
        return text
    return OTHER_LETTERS.sub(lambda m: " " * len(m[0]), text)


def find_by_script(text: str) -> list[Finding]:
    """Find people, user names and addresses in texts of other scripts, and behind labels in other languages."""
    found = [*_labelled(text), *_labelled_addresses(text)]
    if text.isascii() or not OTHER_LETTERS.search(text):
        return found
    found += spaced_scripts.people(text)
    found += korean.people(text)
    return found


_LABEL_BEFORE = r"(?:(?<=\n)|^|(?<=[|·•,;，、。；>\t(/]))[^\S\n\t]*"
_AT_A_LABEL = r"(?=\w[^|·•,;，、。；>(/:]{0,200}(?:[(:]|\s{9}))"
"""Where a label may begin: a colon comes before what parts labels. It is asked first, because to try all labels takes longer."""
_LABELLED = re.compile(
    rf"{_LABEL_BEFORE}{_AT_A_LABEL}(?:(?P<user>{USER_LABELS})|(?P<label>{NAME_LABELS}))(?P<sex>\s?\([^()\n]{{1,8}}\))?[^\S\n]{{0,3}}(?P<colon>:)[^\S\n]*(?P<s>[^\n:|;]{{1,80}})",
    re.IGNORECASE | re.MULTILINE,
)
_LABELLED_ADDRESS = re.compile(
    rf"(?:(?<=\n)|^|(?<=[|·•,;،，、。>\t(/ ]))(?:{ADDRESS_WORDS})[ ]?[:：][^\S\n]*+(?P<s>[^\n|;:：]{0, 200}\d[^\n|;:：]{0, 200}?)(?=[ ]{0, 9}(?:\Z|[\n|;:：.。]|,[ ]?[^\W\d_]+[ ]?[:：]))",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST_ADDRESS = 90
_END = re.compile(r"[,،，、;；(（\[\t]|\s{2,}|\s[-–—|·]\s|。|।|\.\s|\.\Z|\d")
_NOT_VALUES = LISTS.words("NOT_VALUES")
_TAIL = re.compile(r"\s{0,8}(?:先生|女士|小姐|様|さま|さん|殿|氏|님|씨|고객님|คุณ)\Z")


def _labelled(text: str) -> Iterable[Finding]:
    """Yield the value after a label and a colon, up to what ends a name."""
    for match in _LABELLED.finditer(text):
        start, end = match.span("s")
        cut = _END.search(match["s"])
        if match["user"]:
            user = re.match(r"[\w.@-]{2,40}", match["s"])
            if user:
                yield Finding(start, start + user.end(), "USERNAME", 0.8)
            continue
        if cut:
            end = start + cut.start()
        value = text[start:end]
        if tail := _TAIL.search(value):
            end = start + tail.start()
            value = text[start:end]
        if like_a_name(value, PARTS_OF_NAMES.fullmatch(match["label"]) is not None):
            yield Finding(start, start + len(value.rstrip()), "PERSON", 0.9)


def _labelled_addresses(text: str) -> Iterable[Finding]:
    """Yield what stands behind the word for an address in another language: *כתובת: הרצל 24, חיפה*."""
    for match in _LABELLED_ADDRESS.finditer(text) if ":" in text or "：" in text else ():
        if len(match["s"]) <= _LONGEST_ADDRESS and re.search(r"[^\W\d_]{2}", match["s"]) and "@" not in match["s"]:
            yield Finding(*match.span("s"), "ADDRESS", 0.6)


def like_a_name(value: str, alone: bool = False) -> bool:
    """Return whether a value behind a label for names may be a name: few words, no digits, and capitals if the script has them, or a listed name in
    small letters.

    :param alone: see :func:`may_call_in_small_letters`.
    """
    value = value.strip()
    words = re.findall(WORD, value)
    if not words or len(words) > 6 or any(c.isdigit() for c in value) or words[0].lower() in _NOT_VALUES:
        return False
    if re.search(rf"[{DENSE}]", value):
        return len(value) <= 40 and not re.search(
            r"[をはがにでしくるたません]{2}|[请請您的了吗]|입력|하세요|합니다|กรุณา|โปรด", value
        )
    if value.islower() and re.fullmatch(r"[^\u0370-\u1dff\u2e80-\U0010ffff]*", value):
        return may_call_in_small_letters(value, alone)
    return words[0][0].isupper() if words[0].lower() != words[0].upper() else len(value) <= 60
