"""Days that name their month in other languages than English, and those that are written with blanks: *8. prosince 1993*, *1961. március 3.*, *8. 12. 1993*."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.late import Late

_MONTHS = (
    r"jan(?:uar|uari|uary|eiro|vier|uár|uára|\.)?|jän(?:ner|\.)|enero|gennaio|genn?\.|janeiro|ianuarie|ocak|stycz(?:nia|eń)|led(?:en|na)|siječ(?:nja|anj)|tammikuuta|gener|sausio|janvāris?|"
    r"feb(?:ruar|ruari|ruary|rero|braio|ruár|ruára|\.)?|févr(?:ier|\.)|fevereiro|fev\.|februarie|şubat|lut(?:ego|y)|únor[a]?|veljač[ea]|helmikuuta|febrer|vasario|februāris?|"
    r"märz|mars|marzo|março|maart|mart(?:ie|ti)?|mar(?:ca|zec)|březen|března|ožuj(?:ka|ak)|maaliskuuta|március|marca|marec|març|kovo|marts|"
    r"apr(?:il|ile|ilie|íl|íla|ilis|ilis|\.)?|avr(?:il|\.)|abr(?:il|\.)|nisan|kwie(?:tnia|cień)|dub(?:en|na)|trav(?:nja|anj)|huhtikuuta|április|balandžio|aprīlis?|"
    r"mai|mayo|maggio|magg?\.|maio|mei|maj(?:a)?|mayıs|květ(?:en|na)|svib(?:nja|anj)|toukokuuta|május|máj(?:a)?|maig|gegužės|maijs|"
    r"jun(?:i|io|ho|\.)|juin|giugno|giu\.|iunie|haziran|czerw(?:ca|iec)|červ(?:en|na)|lip(?:nja|anj)|kesäkuuta|június|jún(?:a)?|juny|birželio|jūnijs|"
    r"jul(?:i|io|ho|\.)|juil(?:let|\.)|luglio|lug\.|iulie|temmuz|lip(?:ca|iec)|červen(?:ec|ce)|srp(?:nja|anj)|heinäkuuta|július|júl(?:a)?|juliol|liepos|jūlijs|"
    r"aug(?:ust|usti|ustus|\.)?|août|agosto|ag[o]?\.|ağustos|sierp(?:nia|ień)|srp(?:en|na)|kolovoza|elokuuta|augusztus|august(?:a)?|agost|rugpjūčio|augusts|"
    r"sep(?:t|tember|tembre|tembrie|tiembre|\.)?|setembro|set(?:tembre|\.)|eylül|wrze(?:śnia|sień)|září|ruj(?:na|an)|syyskuuta|szeptember|septembr[ai]|setembre|rugsėjo|septembris|"
    r"okt(?:ober|óber|\.)?|oct(?:obre|ubre|ombrie|\.)|outubro|out\.|ott(?:obre|\.)|ekim|październik(?:a)?|říj(?:en|na)|listopada?|lokakuuta|október|októbra|octubre|spalio|oktobris|"
    r"nov(?:ember|embre|iembre|embro|embrie|embra|\.)?|kasım|listopad(?:u)?|studen(?:i|oga)|marraskuuta|lapkričio|novembris|"
    r"dec(?:ember|embrie|embra|\.)?|dez(?:ember|embro|\.)|déc(?:embre|\.)|dic(?:iembre|embre|\.)|aralık|grud(?:nia|zień)|prosin(?:ec|ce)|prosinca|joulukuuta|gruodžio|decembris|desember|des\."
)
_YEAR = r"(?:1[89]|20)\d\d"
_NAMED = Late(
    rf"(?<![\w./-])(?:[0-3]?\d(?:\.|º|°|er|ª)?[ ](?:d[eo]s?[ ]|d['’]|of[ ])?(?:{_MONTHS})(?:[ ]del?)?,?[ ]{_YEAR}|{_YEAR}\.?[ ](?:m\.[ ])?(?:{_MONTHS})[ ][0-3]?\d\b\.?)(?!\w)",
    re.IGNORECASE,
)
_SPACED = re.compile(
    rf"(?<![\w./-])(?:[0-3]?\d\.[ ]?[01]?\d\.[ ]?{_YEAR}|{_YEAR}\.[ ]?[01]?\d\.[ ]?[0-3]?\d\.?)(?![\w/-]|\.\d)"
)


def find_days(text: str) -> Iterable[Finding]:
    """Yield such days."""
    if len(text) > 20_000 or not any(map(str.isdigit, text)):
        return
    yield from (Finding(*m.span(), "DATE_TIME", 0.8) for m in _SPACED.finditer(text))
    yield from (Finding(*m.span(), "DATE_TIME", 0.8) for m in _NAMED.now.finditer(text))
