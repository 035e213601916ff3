"""Towns and districts behind a label in the text itself (*Arbeitsort: Passau*, *तहसील: बांसगांव*), and at the end of a signature or a receipt, behind who signed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...contracts.types import Finding
from ...words.english import english, ordinary
from ...words.late import Late
from ...words.script_lists import WORD
from ...words.words import UI_WORDS, common_words, given_names
from ..judging.foreign import listed

_LABELS = (
    r"arbeitsort|einsatzort|dienstort|wohnort|geburtsort|arbeitsplatz|einsatzgebiet|lieu\sde\s(?:travail|naissance|résidence|la\smission)|ville|commune|lugar\sde\s(?:trabajo|nacimiento|residencia)|localidad|municipio|"
    r"local\sde\s(?:trabalho|nascimento)|cidade|município|bairro|naturalidade|luogo\sdi\s(?:lavoro|nascita|residenza)|sede\sdi\slavoro|città|comune|standplaats|woonplaats|geboorteplaats|werklocatie|"
    r"miejsce\s(?:pracy|urodzenia|zamieszkania)|miasto|miejscowość|místo\s(?:výkonu\spráce|narození|bydliště)|pracoviště|město|obec|miesto\s(?:výkonu\spráce|narodenia)|mesto|arbetsort|bostadsort|födelseort|stationeringsort|"
    r"arbejdssted|arbeidssted|fødested|bopæl|bosted|paikkakunta|työpaikka|kotipaikka|syntymäpaikka|(?:munkavégzés|születési|tartózkodási)\s?hely[e]?|település|lakhely|çalışma\syeri|doğum\syeri|ilçe|şehir|"
    r"localitate[a]?|locul\s(?:de\smuncă|nașterii)|oraș(?:ul)?|județ(?:ul)?|mjesto\s(?:rada|rođenja)|grad|место\s(?:работы|рождения|жительства)|город|район|область|населённый\sпункт|місце\s(?:роботи|народження|проживання)|місто|"
    r"τόπος\s(?:εργασίας|γέννησης|κατοικίας)|πόλη|place\sof\s(?:work|birth|residence)|(?:work|job|duty)\s(?:location|station|site)|home\s?town|based\sin|नगर|शहर|जिला|ज़िला|तहसील|गाँव|गांव|ग्राम|राज्य|जन्म\s?स्थान|कार्यस्थल|"
    r"مكان\s(?:العمل|الولادة|الإقامة)|المدينة|المحافظة|الولاية|مكان\sالسكن|מקום\s(?:עבודה|לידה|מגורים)|עיר|יישוב|จังหวัด|อำเภอ|ตำบล|สถานที่ทำงาน|เมือง|nơi\s(?:làm\sviệc|sinh)|thành\sphố|tỉnh|quê\squán|lokasi\skerja|kota|kabupaten|tempat\slahir"
)
_LABELLED = Late(
    rf"(?:\A|(?<=[\n|;.•·,(])|(?<=[\n|;.•·,(][ ]))[ ]*(?:{_LABELS})[ ]?[:：][ ]?(?P<s>{WORD}(?:[ ]{WORD}){{0,3}})(?=[ ]*(?:[.,;|\n()/·•]|\Z))",
    re.IGNORECASE,
)
_DENSE = Late(
    r"(?:(?:期望|意向|现|工作)?(?:工作)?(?:地[点點]|城市)|所在(?:地|城市)|[现現]居(?:住)?地?|籍[贯貫]|出生地|勤務(?:地|先住所)|出身(?:地)?|居住地|お?住まい|근무지(?:역)?|출생지|거주지(?:역)?|본적)[ ]?[:：]?[ ]?(?<=[:： ])(?P<s>[\u3400-\u9fff\uac00-\ud7a3]{2,8}?)(?=[。，、,;；|\n ]|\Z)"
)
_SIGNED = re.compile(
    r",[ ](?P<s>(?-i:[^\W\d_a-z])[^\W\d_]{2,}(?:[ -](?:(?:am|an|der|de|la|di|sul|sur|do|upon|on|nad|pod)[ ])?(?-i:[^\W\d_a-z])[^\W\d_]+){0,2})(?=[ ]?\.?\s*\Z)"
)
_GENERAL = frozenset({"all", "remote", "online", "home", "homeoffice", "hybrid", "alle", "todas", "todos", "tous", "tutti", "any", "none"})  # fmt: skip


def find_places(text: str) -> Iterable[Finding]:
    """Yield what stands behind a label for a place."""
    if len(text) > 4_000:
        return
    for match in _LABELLED.now.finditer(text):
        words = re.findall(r"[^\W\d_]+", match["s"])
        small = [w.lower() for w in words]
        if match["s"][0].islower() and not text.islower():
            continue
        if not any(w in _GENERAL or w in UI_WORDS for w in small) and not all(w in common_words() for w in small):
            yield Finding(*match.span("s"), "LOCATION", 0.6)
    yield from (Finding(*m.span("s"), "LOCATION", 0.6) for m in _DENSE.now.finditer(text))


def town_of_signature(text: str, people: Sequence[Finding]) -> Iterable[Finding]:
    """Yield the word with a capital that ends a text behind a person of two names: *…, Agnese Fumagalli, Lecco*."""
    for person in people:
        match = _SIGNED.match(text, person.end)
        if match is None or " " not in text[person.start : person.end] or text.isupper():
            continue
        words = [w.lower() for w in re.findall(r"[^\W\d_]+", match["s"])]
        if not any(ordinary(w) or w in UI_WORDS or listed(w) for w in words if w not in given_names()) and not all(
            map(english, words)
        ):
            yield Finding(*match.span("s"), "LOCATION", 0.5)
