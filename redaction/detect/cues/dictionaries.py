"""Find people in Chinese and Japanese texts by a dictionary of the language, if one is installed (`pagereel setup`).

These languages put no spaces between words: a segmenter separates a name from the words around it. Without one, only
the lists of names and pagereel's own net are asked. The segmenters are jieba (MIT) and janome (Apache 2.0, with the
dictionary IPADIC).
"""

from __future__ import annotations

import importlib.util
import re
import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from ...contracts.findings import Finding
from ...words.names_by_script import read_name_lists
from ...words.phrase_lists import PhraseLists

LISTS = PhraseLists("dictionaries")

_LONGEST = 5_000
_BLANK = re.compile("[ 　]?")
_HAN = re.compile("[\u3400-\u9fff]")
_HANS = re.compile("[\u3400-\u9fff]+")
_LANGUAGES = LISTS.to_word_set("LANGUAGES")  # fmt: skip
_KANA = re.compile("[\u3041-\u30fa]")
_NICKNAMES = frozenset("小老阿")
"""Characters that begin a nickname."""
_EVERYDAY = 1_500
_LISTED = 5
"""Most occurrences in jieba's own texts of a word that its dictionary calls a person's name. More frequent words are
called so by mistake.
"""


def list_installed_dictionaries() -> list[str]:
    """Return the names of the dictionaries that are installed."""
    return [name for name in ("jieba", "janome") if importlib.util.find_spec(name)]


@lru_cache(maxsize=1)
def _load_chinese_segmenter() -> Any:
    """Return jieba's segmenter with parts of speech, or None. Its cache file is not used, because it lies in a folder
    that anybody may write to.
    """
    if "jieba" not in list_installed_dictionaries():
        return None
    with warnings.catch_warnings():  # of its escapes and of pkg_resources: jieba's issues 815 and 1018
        warnings.simplefilter("ignore")
        import jieba
        import jieba.posseg

    words = jieba.Tokenizer()
    words.FREQ, words.total = words.gen_pfdict(words.get_dict_file())
    words.initialized = True
    kinds = jieba.posseg.POSTokenizer
    segmenter = kinds.__new__(kinds)  # its constructor reads the kinds of words a second time: .25 s and 43 MB
    segmenter.tokenizer, segmenter.word_tag_tab = words, jieba.posseg.dt.word_tag_tab
    return segmenter


@lru_cache(maxsize=1)
def _load_japanese_segmenter() -> Any:
    """Return janome's segmenter, or None."""
    if "janome" not in list_installed_dictionaries():
        return None
    from janome.tokenizer import Tokenizer

    return Tokenizer()


def load_dictionaries_for(texts: Iterable[str]) -> None:
    """Load the dictionaries for the languages of some texts. Must run before a fork, so that the processes share the
    memory.
    """
    for load in {asked[0] for text in texts if (asked := _choose_dictionary_functions(text))}:
        load()


def find_by_dictionary(text: str) -> Iterable[Finding]:
    """Return the people in a text, and the companies that jieba's dictionary contains."""
    asked = _choose_dictionary_functions(text)
    return asked[1](text) if asked else ()


def _choose_dictionary_functions(text: str) -> tuple[Callable[[], object], Callable[[str], Iterable[Finding]]] | None:
    """Return the function that loads the dictionary for a text's language, and the function that finds people by it;
    None if no dictionary is needed.

    Loading jieba costs a second and 100 MB, so the entry *Chinese* in a list of languages does not load it.
    """
    if text.isascii() or len(text) > _LONGEST:
        return None
    if _KANA.search(text):
        return _load_japanese_segmenter, _find_people_in_japanese
    return (
        (_load_chinese_segmenter, _find_names_in_chinese)
        if any(run not in _LANGUAGES for run in _HANS.findall(text))
        else None
    )


def _find_names_in_chinese(text: str) -> Iterable[Finding]:
    segmenter = _load_chinese_segmenter()
    if segmenter is None:
        return
    begins, compounds = read_name_lists()["zh families"] | _NICKNAMES, read_name_lists()["zh compounds"]
    often = segmenter.tokenizer.FREQ
    at = 0
    family = -1
    """The end of a family name that stood right before as a word of its own."""
    for word, kind in segmenter.cut(text):
        start = text.find(word, at)
        if start < 0:
            continue
        at = start + len(word)
        known = often.get(word, 0)
        if family >= 0 and len(word) <= 2 and _HAN.match(word) and known < _EVERYDAY and kind[0] not in "uxpcd":
            yield Finding(family, at, "PERSON", 0.6)
            family = -1
            continue
        alone = (kind == "nr" and word in begins) or word in compounds
        family = start if alone else -1
        if alone or not 2 <= len(word) <= 12 or len(set(word)) == 1 or not _HAN.match(word):
            continue
        if kind == "nt" and len(word) > 3:
            yield Finding(start, at, "ORGANIZATION", 0.6)
        elif (
            kind in ("nr", "nrfg")
            and len(word) <= 4
            and known <= _LISTED
            and (word[0] in begins or word[:2] in compounds)
        ):
            yield Finding(start, at, "PERSON", 0.6)


_HALF = re.compile("[\ud800-\udfff]")
"""Half of a UTF-16 surrogate pair, which a script may leave in a text: janome reads UTF-8, which has none."""
_KATAKANA = re.compile("[ァ-ヺー]")
_CALLED = re.compile(r"[・ ]?[ァ-ヺー]*(?:さん|様|氏|くん|君|ちゃん|先生)")


def _may_be_a_name(text: str, start: int, end: int) -> bool:
    """Return whether a word may be a name: it has a Chinese character, or is katakana followed by a form of address."""
    word = text[start:end]
    if _HAN.search(word):
        return True
    if not _KATAKANA.match(word) or _KATAKANA.search(text[max(0, start - 1) : start]):
        return False
    return _CALLED.match(text, end) is not None


def _find_people_in_japanese(text: str) -> Iterable[Finding]:
    segmenter = _load_japanese_segmenter()
    found: list[Finding] = []
    at = 0
    for token in segmenter.tokenize(_HALF.sub(" ", text)) if segmenter else ():
        start = text.find(token.surface, at)
        if start < 0:
            continue
        at = start + len(token.surface)
        if "人名" in token.part_of_speech and _may_be_a_name(text, start, at):
            if found and _BLANK.fullmatch(text, found[-1].end, start):  # the words of one name
                found[-1] = found[-1]._replace(end=at)
            else:
                found.append(Finding(start, at, "PERSON", 0.6))
    return found
