"""What the key of a pair of JSON says of its value, in a text that holds some: *{"name":"Δανάη","age":52,"zip":"61186"}*."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.late import Late

_LONGEST = 4_000
_KINDS = (
    ("AGE", r"age|vazrast|edad|alter|âge|età|idade|leeftijd|wiek|年[齢龄齡]|나이|возраст|вік|ηλικία|อายุ|आयु|उम्र|العمر|גיל", r"1?\d?\d"),
    ("ZIP_CODE", r"zip|zip_?code|post_?code|postal(?:_?code)?|plz|cep|cap|postanski_?broj|індекс|индекс|邮编|郵遞區號|郵便番号|우편번호|מיקוד", r"(?=[A-Z -]*\d)[A-Z\d][A-Z\d -]{2,9}"),
    ("DATE_TIME", r"birth|birth_?da(?:y|te)|birthdate|dob|date_?of_?birth|born|geburtsdatum|生年月日|出生日期|생년월일", r"[\d./年月日 -]{6,12}(?:T[\d:.+-]{2,14}Z?)?"),
    ("USERNAME", r"user|username|user_?name|user_?id|login|nick(?:name)?|handle|reviewer|screen_?name|用户名|ユーザー名", r"(?=[\w.-]*[A-Za-z])(?=[\w.-]*[_\d.])[\w.-]{3,32}"),
)  # fmt: skip
_RULES = tuple((entity, Late(rf"\\?[\"'](?:{keys})\\?[\"'][ ]?:[ ]?(?:\\?[\"'])?(?P<s>{value})(?=\\?[\"']|[,}}\s\]])", re.IGNORECASE)) for entity, keys, value in _KINDS)  # fmt: skip
_SECRET = Late(
    r"\\?[\"'](?P<k>pw|pwd|pass|passwd|password|passcode|pin|otp|secret)\\?[\"'][ ]?:[ ]?"
    r"(?:(?P<e>\\?)(?P<q>[\"'])(?P<s>(?:(?!(?P=e)(?P=q))(?:\\[^\n]|[^\n\\])){4,64})(?P=e)(?P=q)|(?P<t>\d{4,12})(?=[,}\s\]]))",
    re.IGNORECASE,
)
"""A password ends where its quotation does: it may have spaces. Without quotation marks a number alone is one, for other such values are code."""
_NOTHING = ("true", "false", "null", "none")
_PAIR = re.compile(r"[\"'][ ]?:")


def find_keyed(text: str) -> Iterable[Finding]:
    """Yield such values."""
    if len(text) > _LONGEST or not _PAIR.search(text):
        return
    for entity, rule in _RULES:
        for match in rule.now.finditer(text):
            if match["s"].lower() not in _NOTHING:
                yield Finding(*match.span("s"), entity, 0.7)
    for match in _SECRET.now.finditer(text):
        group = "s" if match["s"] else "t"
        if match[group].lower() not in (*_NOTHING, match["k"].lower()):  # a catalogue translates the key's own word
            yield Finding(*match.span(group), "SECRET", 0.7)
