"""Find capitalized words in an English sentence that are in no word list: they name a person or a company, although no model found them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.findings import Finding
from ...words.english import has_english_lists
from ..filters.foreign_words import begins_sentence, is_foreign_text
from ..filters.model_gating import is_running_text
from ..filters.name_like_words import is_in_no_list
from ..filters.word_classes import is_technical_term

_LONGEST = 300
_WORD = re.compile(r"(?<![\w@./#&-])[A-Z\u00c0-\u017f][^\W\d_]{2,}(?:['’-][^\W\d_]{2,})*(?![\w@/]|\.\w|-\w)")


def find_unlisted_names(text: str) -> Iterable[Finding]:
    """Yield a finding for each capitalized word of an English sentence that is in no word list. Headlines are
    skipped.
    """
    words = [m for m in _WORD.finditer(text) if m[0][0].isupper()]
    if len(text) > _LONGEST or 2 * len(words) > text.count(" ") or not is_running_text(text) or not has_english_lists():
        return
    if is_foreign_text(text):
        return
    for match in words:
        word = match[0].removesuffix("'s").removesuffix("’s")
        if is_in_no_list(word) and not is_technical_term(word) and not begins_sentence(text, match.start()):
            yield Finding(match.start(), match.start() + len(word), "PERSON", 0.5)
