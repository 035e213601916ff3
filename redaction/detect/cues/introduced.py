"""Find people in German, French, Spanish, Italian, Portuguese and Dutch texts by the words that introduce a name: ``Herr``, ``je m'appelle``, ``mi chiamo``.

Models of English miss half of them. A name goes on as long as its words have capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.phrases import Phrases
from ...words.words import common_words, given_names
from ..filters.foreign import evidence, is_foreign, is_german, is_in_no_word_list, is_listed_word, is_unknown_word

LISTS = Phrases("introduced")

_PART = r"(?-i:[^\W\d_a-zß-ÿ][^\W\d_]*(?:['’-][^\W\d_]+)*)"
_PARTICLE = rf"(?:{LISTS.PARTICLE})"
_NAME = rf"(?P<s>{_PART}\.?(?:[ ](?:{_PARTICLE}[ ]){{0,2}}{_PART}){{0,3}})"
_TITLES = LISTS.TITLES
_SELF = LISTS.SELF
_KIN = rf"(?:mein|sein|ihr|unser|dein)(?:e[mnrs]?)?\s(?:{LISTS.KIN})|(?:m|s|t)(?:a|on)\s(?:{LISTS.KIN_2})|(?:mi|su|tu)\s(?:{LISTS.KIN_3})|(?:mi|su|tu)[oa]\s(?:{LISTS.KIN_4})|(?:d?[aàno]?\s)?(?:minha|meu|sua|seu|tua|teu)\s(?:{LISTS.KIN_5})|(?:mijn|zijn|haar)\s(?:{LISTS.KIN_6})"
_GREETINGS = LISTS.GREETINGS
_INTRODUCED = re.compile(rf"(?<![\w@.-])(?:{_TITLES}|{_SELF}|{_KIN}),?\s+{_NAME}(?![\w@])", re.IGNORECASE)
_ADDRESSED = re.compile(rf"(?<![\w@.-])(?:{LISTS.ADDRESSED})[ ]{_NAME}(?![\w@])")
"""By words that no English has: in a text of any language."""
_TITLED = re.compile(
    rf"(?<![\w@.-])(?:{LISTS.TITLED})\.?[ ](?P<s>[^\W\d_]{{3,}}(?:['’-][^\W\d_]{{2,}})*(?:[ ][^\W\d_]{{3,}}(?:['’-][^\W\d_]{{2,}})*){{0,2}})(?![\w@])",
    re.IGNORECASE,
)
_HYPHENED = re.compile(r"[^ ]+")
_GREETED_IN_ONE_CASE = re.compile(
    rf"(?:^|(?<=[.!?\n]\s))(?:{_GREETINGS})\s(?P<s>[^\W\d_]{{2,}})(?=\s?[,!])", re.IGNORECASE | re.MULTILINE
)
_GREETED = re.compile(
    rf"(?:^|(?<=[.!?\n]\s))(?:{_GREETINGS})\s+{_NAME}(?=\s?[,!:.]|\s?$)", re.IGNORECASE | re.MULTILINE
)
_CALLED = re.compile(
    rf"^{_NAME},\s(?:{LISTS.CALLED})",
    re.IGNORECASE | re.MULTILINE,
)
_PAIR = re.compile(
    rf"(?<![\w@./-])(?P<s>[^\W\d_a-zß-ÿ][a-zß-ÿ]{{2,}}(?:[ ]{_PARTICLE})?(?:[ ][^\W\d_a-zß-ÿ][a-zß-ÿ]{{2,}}(?:-[^\W\d_a-zß-ÿ][a-zß-ÿ]+)?){{1,2}})(?![\w@/])"
)
_WORD = re.compile(r"[^\W\d_]+")
_FIRST = re.compile(r"(?<![\w@./-])[^\W\d_a-zß-ÿ][a-zß-ÿ]{2,}(?![\w@/]|-[a-zß-ÿ])")


def find_introduced(text: str) -> Iterable[Finding]:
    """Yield the people that a text in one of these languages introduces.

    Given names count as well, and two adjacent words with capitals that no list has.
    """
    if text.islower() or text.isupper():
        yield from _addressed_in_one_case(text)
        return
    for match in _ADDRESSED.finditer(text):
        if any(is_unknown_word(w) or w.lower() in given_names() for w in _WORD.findall(match["s"])):
            yield Finding(*match.span(), "PERSON", 0.6)
    english, foreign = evidence(text)
    if english and english >= foreign:
        return
    for pattern in (_INTRODUCED, _GREETED, _CALLED):
        for match in pattern.finditer(text):
            if any(is_unknown_word(w) or w.lower() in given_names() for w in _WORD.findall(match["s"])):
                yield Finding(*match.span("s"), "PERSON", 0.6)
    if not is_foreign(text):
        return
    for match in _FIRST.finditer(text):
        if match[0].lower() in given_names():
            yield Finding(*match.span(), "PERSON", 0.5)
    german = is_german(text)
    for match in _PAIR.finditer(text):
        words = [w for w in _WORD.findall(match["s"]) if w[0].isupper()]
        enough = all if german else any  # nouns have capitals there
        joined = len(words) < len(_WORD.findall(match["s"]))  # "Logotipo de Grisbi" is no name, "Ana de Grisbi" is one
        if (
            enough(map(is_unknown_word, words))
            and not any(_of_a_list(w.lower()) for w in words)
            and not (joined and words[0].lower() not in given_names())
        ):
            yield Finding(*match.span("s"), "PERSON", 0.5)


def _addressed_in_one_case(text: str) -> Iterable[Finding]:
    """Yield names behind a title or a greeting in texts of one case of letters (*kære mette, …*). Such a name goes as far as its words are in no list."""
    for match in _GREETED_IN_ONE_CASE.finditer(text):
        if is_in_no_word_list(match["s"].lower()) or match["s"].lower() in given_names():
            yield Finding(*match.span("s"), "PERSON", 0.6)
    for match in _TITLED.finditer(text):
        end = match.start("s")
        for word in _HYPHENED.finditer(match["s"]):
            if not all(is_in_no_word_list(w.lower()) for w in _WORD.findall(word[0]) if len(w) > 1):
                break
            end = match.start("s") + word.end()
        if end > match.start("s"):
            yield Finding(match.start("s"), end, "PERSON", 0.6)


def _of_a_list(word: str) -> bool:
    return word not in given_names() and (is_listed_word(word) or word in common_words())
