"""Latin words in texts of other scripts. Whoever is named there is written in that script, or with two names; one Latin word is a program's."""

from __future__ import annotations

import re

from ...contracts.types import NAMED, Finding
from ...words.words import given_names

_OTHER = re.compile(r"[\u0370-\u058f\u0590-\u08ff\u0900-\u0e7f\u10a0-\u10ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-zÀ-ÿ]")
_WORD = re.compile(r"[^\W\d_]+")
_BEFORE = re.compile(
    r"(?:\b(?:от|автор|имя|г-н|г-жа|господин|госпожа|пользователь|клиент|от\sимени|κος|κα|κύριος|κυρία|από)|(?:作者|姓名|名前|氏名|来自|由|お名前|担当者?|이름|작성자|from|by))[:：]?\s*[\"«「]?\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\"»」]?\s?(?:さん|様|さま|氏|君|くん|ちゃん|先生|씨|님|先生|女士|小姐|老师|老師|写道|说|написал|сказал|ответил|прислал|пишет)"
)
"""What stands beside a person's name."""
_LABEL = 24
_MOST = 3
"""Latin words up to which a text is one of the other script."""


def of_another_script(text: str, f: Finding) -> bool:
    """Return whether a finding is one Latin word, which nobody is given as a name, in a text of another script that does not introduce a person; or
    such a word with what stands beside it in Chinese or Japanese.
    """
    if f.entity not in NAMED:
        return False
    value = text[f.start : f.end]
    words = _WORD.findall(value)
    if _DENSE.search(value) and _LATIN.search(value):
        return not any(
            w.lower() in given_names() for w in re.findall(r"[A-Za-zÀ-ÿ]+", value)
        )  # the models read no such script
    if len(words) != 1 or not _LATIN.match(value) or words[0].lower() in given_names():
        return False
    latin = re.findall(r"[A-Za-zÀ-ÿ]{2,}", text)
    if (
        len(_OTHER.findall(text)) < max(2, len(latin) - 1)
        or len(latin) > _MOST
        or _BEFORE.search(text, max(0, f.start - _LABEL), f.start)
    ):
        return False
    beside = {w.lower() for w in re.findall(r"[A-Za-zÀ-ÿ]+", text[max(0, f.start - _LABEL) : f.end + _LABEL])}
    return _AFTER.match(text, f.end) is None and not beside & given_names() and value[0] != "@"
