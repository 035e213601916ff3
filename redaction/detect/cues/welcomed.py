"""Find the names in greetings in other scripts than Latin, such as *Добро пожаловать, Ждан.* or *أهلا، معزّ.*, by the word of welcome.

A program greets the user who has signed in, often by a given name alone that no list has, in an element of its own. The name stands behind a word of
welcome, and a comma or a line's end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import SAID, Finding
from ...words.alphabets import DENSE
from ...words.phrases import Phrases
from ...words.script_lists import WORD

LISTS = Phrases("welcomed")

_LONGEST = 4_000
_GREETINGS = LISTS.GREETINGS
_GREETED = re.compile(
    rf"(?:\A|(?<=[\n.!?:>|·。！؟])|(?<=[.!?:>|·。！؟][ ]))[ \t]*(?i:{_GREETINGS})(?P<between>[ \t]*+[،,，、!！]?\s*+)(?P<s>{WORD}(?:[ ·・]{WORD}){{0,2}}?)(?:[ ]?(?:님|씨|さん|様|ครับ|ค่ะ))?(?=[ \t]*(?:[.!！。,，،👋🎉]|\n|\Z))"
)
"""A greeting, and up to three words before a sign or the end of a line: behind more of them it is a sentence, *مرحبا بك في …*."""
_TO_ALL = re.compile(
    rf"(?:{LISTS.TO_ALL})|.*(?:[иеяй]те(?:сь)?)\Z",
    re.IGNORECASE,
)
"""Who is nobody, and what one is told to do (*Войдите*)."""
_NO_NAME = re.compile(
    "[请請的是在了有我你您他她们們这這那很欢歡么嗎吗吧呢啊为為登录錄注册冊使访訪客]|光临|回来|先生|女士|小姐|[はがをにへでも]\\Z"
)
"""Signs of a sentence in scripts that put no spaces between words."""
_DENSE_NAME = re.compile(f"[{DENSE}]{{1,6}}")
_INLINE = re.compile("[\uac00-\ud7a3]{2,4}|[\u3400-\u9fff]{1,4}")
"""What is called behind a comma, without a line's end between."""


def find_welcomed(text: str) -> Iterable[Finding]:
    """Yield the names in greetings: in an element of their own, or behind a comma."""
    if len(text) > _LONGEST or text.isascii():
        return
    for match in _GREETED.finditer(text):
        said, between = match["s"], match["between"]
        if not _TO_ALL.match(said) and _is_called(said, "\n" in between, between.strip() != ""):
            yield Finding(*match.span("s"), "PERSON", SAID)


def _is_called(said: str, apart: bool, sign: bool) -> bool:
    """Return whether the words behind a greeting can be a name.

    :param apart: a line's end stands between.
    :param sign: a comma stands between.
    """
    words = said.split()
    if said[0].lower() != said[0].upper():
        return all(w[0].isupper() for w in words)
    if _DENSE_NAME.match(said):
        return not _NO_NAME.search(said) and (apart or (sign and _INLINE.fullmatch(said) is not None))
    return apart
