"""How old somebody is, in other languages than English (*à l'âge de 88 ans*, *im Alter von 79 Jahren*, *31 岁*), and in a profile's line or a wish. The span is the number alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.late import Late, said
from ...words.words import given_names
from ..around.listed_names import is_listed
from ..judging.foreign import unheard

_N = r"(?P<s>1[01]\d|[1-9]?\d)"
_AT_LEAST = r"(?!\s?(?:以上|以下|及以上|未満|以内|まで|から|이상|이하|미만|부터))"
_YEARS = r"(?:ans|años|anos|anni|Jahre|jaar|lat(?:a)?|let|år|éves|ani|вік|лет|года?|років|роки|ετών|tuổi|tahun)"
_OLD: tuple[Late, ...] = tuple(
    Late(rule, re.IGNORECASE)
    for rule in (
        rf"\b(?:à\sl['’]âge\sde|âgée?s?\sde)\s{_N}(?=\sans\b)",
        rf"\bim\s(?:hohen\s|stolzen\s)?alter\svon\s{_N}(?=\sjahren\b)|\b(?P<t>1[01]\d|[1-9]?\d)(?=\sjahre\s(?:alt|jung)\b|\s?-?jährige[rnms]?\b(?!\s(?:vertrag|miet|garantie|laufzeit|bestehen|jubiläum|vereinbarung|bindung|frist)))|\b(?P<u>[1-9]\d)(?=\sJ\.(?:,|\s|\Z))",
        rf"\b(?:a\slos|con|tiene|tenía|cumplió|cumple|tem|tinha|fez|completou|aos|com)\s{_N}(?=\s(?:años|anos)(?:\sde\s(?:edad|idade)|,|\.|\sen\s(?:su|la)|\sem\s|\smurió|\smorreu|$))",
        rf"\b(?:all['’]età\sdi|ha|aveva|compie|compiuto|età:?)\s{_N}(?=\sanni\b)",
        rf"\b(?:w\swieku|skończył[ai]?|mam|ma|miał[ai]?)\s{_N}(?=\s(?:lat|lata)\b(?!\s(?:doświadczenia|gwarancji|stażu)))|\b(?P<t>1[01]\d|[1-9]?\d)(?=-letni(?:a|ego|ej|emu|ą)?\b)",
        rf"\bop\s{_N}(?=-jarige\sleeftijd)|\b(?P<t>1[01]\d|[1-9]?\d)(?=\sjaar\s(?:oud|jong)\b)|\(\s?(?P<u>1[01]\d|[1-9]?\d)(?=\sjaar\))",
        rf"\b{_N}(?=\sår\sgam(?:mal|mel)\b|-år(?:ig|ing)\w*\b)|\b(?:blev|blir|ble|fyller|fyllde|fylder|fyldte|fyller)\s(?P<t>1[01]\d|[1-9]?\d)(?=\sår\b)",
        r"(?<![\w/])(?-i:[MFW])/(?P<s>[1-9]\d)(?=[;)]|,(?![ ]?(?:\d|iso\b|f/))|[ ](?:with|c/o|presents?|admitted)\b)",
        rf"\b(?:homme|femme|garçon|fille(?:tte)?|enfant|fils|bébé|patiente?|personne|dame|monsieur|adolescente?|conduct(?:eur|rice)|victime|retraitée?|élève|étudiante?)\s(?:[^\W\d_]+\s)?de\s{_N}(?=\sans\b)",
        rf"\b(?:hombre|mujer|niñ[oa]|chic[oa]|joven|hij[oa]|bebé|paciente|persona|señora?|ancian[oa]|varón|adolescente|vecin[oa]|estudiante|alumn[oa]|homem|mulher|menin[oa]|rapaz|rapariga|moç[oa]|jovem|filh[oa]|bebê|pessoa|senhora?|idos[oa]|criança|estudante)\s(?:[^\W\d_]+\s)?de\s{_N}(?=\s(?:años|anos)\b)",
        rf"\b(?:uomo|donna|ragazz[oa]|bambin[oa]|figli[oa]|neonat[oa]|paziente|persona|signora?|anzian[oa]|giovane|student(?:e|essa))\s(?:[^\W\d_]+\s)?di\s{_N}(?=\sanni\b)|\b(?P<t>[1-9]\d)(?=enn[ei]\b)",
        rf"\b(?:man|vrouw|jongen|meisje|dochter|zoon|kind|baby|patiënte?|persoon)\svan\s{_N}(?=\sjaar\b)|\b(?P<t>1[01]\d|[1-9]?\d)(?=-jarige\s(?!garantie|contract|overeenkomst|lease|looptijd|termijn|hypotheek|plan|periode|bestaan|jubileum))",
        rf"\b(?:mężczyzna|kobieta|chłopiec|chłopak|dziewczyn(?:k)?a|syn|córka|pacjent(?:ka)?|dziecko|pani?)\b,?\slat\s{_N}|\b(?:mężczyzna|kobieta|chłopiec|chłopak|dziewczyn(?:k)?a|syn|córka|pacjent(?:ka)?|dziecko)\b,?\s(?P<t>1[01]\d|[1-9]?\d)(?=\slat\b)",
        rf",\slat\s{_N}(?=[,;)\n]|\.(?!\d)|\s?\Z)(?!.{{0,40}}\blo?ng?\b)",
        rf"\b(?:hon|han|hun|jag|jeg)\s(?:är|er|var)\s(?:bara\s|snart\s)?{_N}(?=\sår\b)|\b(?:mann|frau|junge|mädchen|kind|sohn|tochter|patientin|patient|rentner(?:in)?)\svon\s(?P<t>1[01]\d|[1-9]?\d)(?=\sjahren\b)",
        rf"\b{_N}(?=-?vuotias\b|-vuotiaa)",
        rf"\bve\svěku\s{_N}(?=\slet\b)|\b(?P<t>1[01]\d|[1-9]?\d)(?=letý\b|letá\b|letého\b|leté\b|-ročn[áý])",
        rf"\b{_N}(?=\séves\b)(?!\s\w+\s(?:garancia|tapasztalat))",
        rf"\b(?:în\svârstă\sde|la\svârsta\sde|vârsta:?)\s{_N}(?=\s(?:de\s)?ani\b)",
        rf"\b{_N}(?=\s?yaş(?:ında|ındaki|ına)\b)",
        rf"\b(?:в\sвозрасте|исполнилось|исполнится|возраст:?|ему|ей|мне)\s{_N}(?=\s(?:лет|год|года)\b)|\b(?P<t>1[01]\d|[1-9]?\d)(?=-летн(?:ий|яя|его|ей|ему|юю|им)\b|-річн)|\b(?:у\sвіці)\s(?P<u>1[01]\d|[1-9]?\d)(?=\sрок)",
        rf"\bσε\sηλικία\s{_N}|\b(?P<t>1[01]\d|[1-9]?\d)(?=\s(?:ετών|χρονών|χρόνων)\b)",
        rf"\b(?:yaş[ıi]?|edad|idade|età|alter|leeftijd|wiek|ålder|alder|ikä|věk|vârst[ăa]|возраст|вік|ηλικία)\s?[:=]?\s?{_N}(?=\s?(?:[,;|)\n]|\.(?:\s|\Z)|\Z|{_YEARS}\b))",
        rf"(?<![\d.满滿])(?<!\d[,至到~–-]){_N}(?=\s?[岁歲歳]{_AT_LEAST})",
        rf"(?<![\d.])(?<!\d,){_N}(?=\s?세(?=[\s,.)의인]|\Z){_AT_LEAST}(?!\s?세\s(?:이상|이하|미만))|\s?살(?!\s?(?:이상|이하|미만|부터))(?=[\s,.)이인]|\Z))",
        rf"(?:उम्र|आयु)[^\d\n]{{0,4}}{_N}|(?<!\d)(?P<t>1[01]\d|[1-9]?\d)(?=\sवर्षीय|\sसाल\sक[ाी]\s)",
        rf"อายุ\s?{_N}(?=\s?ปี)",
        rf"\b{_N}(?=\stuổi\b)(?!\stuổi\strở\slên)|\b(?:berusia|berumur|usia)\s(?P<t>1[01]\d|[1-9]?\d)(?=\stahun\b)",
        rf"(?:بعمر|عمره|عمرها|يبلغ|تبلغ|العمر:?)\s(?:من\sالعمر\s)?{_N}|(?:בן|בת|בגיל|גיל:?)\s(?P<t>1[01]\d|[1-9]?\d)(?![\d.,:/-])",
        rf"\bhappy[ ]{_N}(?=(?:st|nd|rd|th)\b(?![ ](?:of|anniversary|year|week|month|edition|release)\b))|\b(?:alles\sgute|glückwunsch|gratuliere)\szum\s(?P<t>1[01]\d|[1-9]?\d)(?=\.)|"
        r"\b(?:joyeux|feliz|buon|grattis\spå|tillykke\smed\sde|gefeliciteerd\smet\sje)\s(?P<u>1[01]\d|[1-9]\d)(?=\sans\b|\saños\b|\sanos\b|-årsdagen|\sår\b|e\b|º|°)",
        r"(?:\A|\n)\W{0,3}(?:bio|about(?:\sme)?|profile|intro|perfil|profil|über\smich)\s?[:–-]\s?(?:[^\W\d_]+[ ]?,[ ])?(?P<s>1[6-9]|[2-8]\d)(?=\s?[,/|·•]\s?[^\W\d_])",
        r"\b(?:she/her|he/him|they/them)\s?[,/|·•]\s?(?P<s>1[6-9]|[2-8]\d)(?=\s?(?:[,/|·•]|\Z))|(?<![\d.,])(?P<t>1[6-9]|[2-8]\d)(?=\s?[,/|·•]\s?(?:she/her|he/him|they/them)\b)",
    )
)
_CALLED = Late(
    rf"(?<![^\W\d_])(?:(?P<who>[^\W\d_][^\W\d_'’-]{{1,40}})(?:,[ ](?i:de[ ])?|[ ][(]){_N}(?=[ ](?i:{_YEARS})[ ]?(?:[,).;:\n]|\Z))|(?P<of>[^\W\d_][^\W\d_'’-]{{1,40}})[ ][(](?P<t>[1-9]\d)[)](?=[ ](?P<next>[^\W\d_])))"
)
"""Behind a name: *Jeanne Morvan, 71 ans,*; *Ten Cate (77) woont hier*."""
_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}"
_BORN = Late(
    r"\b(?:d\.?o\.?b\.?|born|date\sof\sbirth|birth\s?date|geb(?:oren|\.)?|geburtsdatum|née?(?:\sle)?|date\sde\snaissance|nacid[oa](?:\sel)?|fecha\sde\snacimiento|nascid[oa](?:\sem)?|data\sde\snascimento|nat[oa](?:\sil)?|data\sdi\snascita|"
    rf"ur(?:odzon[yae])?\.?|data\surodzenia|född|født|doğum\starihi)\W{{0,3}}{_DATE}(?:,[ ]|[ ][(]|[ ]?[/|·][ ]?){_N}(?=[ ]?(?:[,;)|/]|\.(?:\s|\Z)|\Z|\n|y/?o?\b|yrs?\b|{_YEARS}\b))",
    re.IGNORECASE,
)
"""Behind a day of birth: *DOB 02/05/1948, 77.*"""
_TITLED = Late(
    r"\b(?:herr|frau|hr|fr|mme|mlle|monsieur|madame|sr|sra|srta|señora?|don|doña|sig|sig\.?ra|signora?|dott|dhr|mevr|mevrouw|meneer|pani?|państwo|fru|mr|mrs|ms|miss|dr|prof|bay|bayan)\.?[ ](?:(?!von\b)[^\W\d_][\w'’-]*[ ]){0,3}[^\W\d_][\w'’-]*,[ ](?:de[ ]|im[ ]alter[ ]von[ ])?"
    rf"{_N}(?=[ ](?:{_YEARS}|years?|yrs?)\b)",
    re.IGNORECASE,
)
"""Behind a name with a title: *sig.ra Assunta Paternoster, 63 anni*."""
_TURNS = Late(
    rf"\bturn(?:s|ed|ing)[ ]{_N}(?=[ ]?(?:[–—,.!?;:)\n]|\Z)|[ ](?:on|today|tonight|tomorrow|next|this|in|last|years|and)\b)",
    re.IGNORECASE,
)
_GATE = re.compile(r"(?<![\d.])\d{1,3}(?!\d|[.,:]\d)")


def find_ages_abroad(text: str) -> Iterable[Finding]:
    """Yield such ages."""
    if len(text) > 4_000 or not _GATE.search(text):
        return
    for rule in _OLD:
        for match in rule.now.finditer(text):
            yield Finding(*said(match), "AGE", 0.7)
    for rule in (_BORN, _TITLED, _TURNS):
        yield from (Finding(*match.span("s"), "AGE", 0.7) for match in rule.now.finditer(text))
    small = text.islower()
    for match in _CALLED.now.finditer(text):
        who, group = (match["who"], "s") if match["who"] else (match["of"], "t")
        if match["of"] and match["next"].isupper() and not text.isupper():
            continue
        if match["of"] and text.isupper() and who.lower() not in given_names() and not is_listed(who):
            continue  # how many there are of a thing: *STOKKE (24)*
        if (who[0].isupper() or (small and match["who"])) and (who.lower() in given_names() or unheard(who.lower())):
            yield Finding(*match.span(group), "AGE", 0.7)
