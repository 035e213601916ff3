"""Personal data in scripts and languages that the models do not know, by rule: a label or an honorific beside a name, lists of the
commonest names, and the shapes of addresses. English models say nothing of such texts: what they find in Chinese is chance.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from ..contracts.types import Finding
from ..words.alphabets import DENSE
from ..words.script_lists import OTHER_LETTERS, WORD
from . import dense_scripts, spaced_scripts
from .around.listed_names import calls_alone, may_call_in_small_letters
from .label_words import ADDRESS_WORDS, NAME_LABELS, USER_LABELS

PARTS_OF_NAMES = re.compile(
    r"\W*(?:cognome|prénom|nom\s+de\s+famille|apellidos?|sobrenome|apelido|vorname|nachname|familienname|geburtsname|mädchenname|achternaam|voornaam|imię|nazwisko|nazwisko\s+i\s+imię|imię\s+i\s+nazwisko|příjmení|priezvisko|křestní\s+jméno|jméno\s+a\s+příjmení|förnamn|efternavn|efternamn|fornavn|etternavn|"
    r"etunimi|sukunimi|vezetéknév|keresztnév|prenume|nume\s+de\s+familie|soyad[ıi]?|ad\s+soyad|prezime|ime\s+i\s+prezime|eesnimi|perekonnanimi|pavardė|uzvārds|(?:first|last|family|given|maiden|middle|full)\s*name|surname|forename)\W*",
    re.IGNORECASE,
)
"""Labels of a part of a name, under which nothing but people stand."""
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")


def without_other_scripts(text: str, sentence: bool) -> str:
    """Return a text with blanks, of equal length, in place of letters of other scripts, for models of English. An English ``sentence`` with a few such
    words in it stays as it is: its other words tell the models what these are.
    """
    if text.isascii():
        return text
    other = sum(len(m[0]) for m in OTHER_LETTERS.finditer(text))
    if not other or (sentence and other <= len(_LATIN.findall(text))):
        return text
    return OTHER_LETTERS.sub(lambda m: " " * len(m[0]), text)


def find_by_script(text: str) -> list[Finding]:
    """People, user names and addresses of texts in other scripts, and of other languages after their labels."""
    found = [*_labelled(text), *_called_by_role(text), *_labelled_addresses(text)]
    if text.isascii() or not OTHER_LETTERS.search(text):
        return found
    found += spaced_scripts.people(text)
    found += dense_scripts.people(text)
    for entity, pattern in ADDRESSES:
        found += [Finding(*m.span(), entity, 0.7) for m in pattern.finditer(text)]
    return found


_LABEL_BEFORE = r"(?:(?<=\n)|^|(?<=[|·•,;，、。；>\t(/]))[^\S\n\t]*"
_LABELLED = re.compile(
    rf"{_LABEL_BEFORE}(?:(?P<user>{USER_LABELS})|(?P<label>{NAME_LABELS}))(?P<sex>\s?\([^()\n]{{1,8}}\))?[^\S\n]{{0,3}}(?P<colon>:)[^\S\n]*(?P<s>[^\n:|;]{{1,80}})",
    re.IGNORECASE | re.MULTILINE,
)
_BY_ROLE = re.compile(
    r"(?<![\w-])(?:client[ea]?|kund(?:e|in|en)|klant|klient(?:ka)?|asiakas|zákazn(?:ík|ice)|ügyfél|müşteri|patient(?:e|in)?|paciente|paziente|pacjent(?:ka)?|pacient(?:ka)?|potilas|hasta|beteg|customer|passenger|tenant|guest|elev[e]?|élève|alunn?[oa]|alumn[oa]|leerling|uczeń|uczennica|žák(?:yně)?|"
    r"schüler(?:in)?|locataire|inquilin[oa]|mieter(?:in)?|huurder|mottagare|modtager|empfänger(?:in)?|destinat(?:aire|ari[oa])|ontvanger|odbiorca|příjemce|címzett|alıcı|contribuente|utente|utilisat(?:eur|rice))[ ](?P<s>[^\W\d_]{2,}(?:['’-][^\W\d_]+)*(?:[ ][^\W\d_]{2,}(?:['’-][^\W\d_]+)*){1,3})",
    re.IGNORECASE,
)
_LABELLED_ADDRESS = re.compile(
    rf"(?:(?<=\n)|^|(?<=[|·•,;،，、。>\t(/ ]))(?:{ADDRESS_WORDS})[ ]?[:：][^\S\n]*(?P<s>[^\n|;:：]*\d[^\n|;:：]*?)(?=[ ]*(?:\Z|[\n|;:：.。]|,[ ]?[^\W\d_]+[ ]?[:：]))",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST_ADDRESS = 90
_END = re.compile(r"[,،，、;；(（\[\t]|\s{2,}|\s[-–—|·]\s|。|।|\.\s|\.\Z|\d")
_NOT_VALUES = frozenset(
    """
    required requerido obligatorio obligatoire erforderlich obbligatorio обязательно неизвестно нет не нужно указано απαιτείται υποχρεωτικό مطلوب غير חובה לא आवश्यक नहीं จำเป็น ไม่
    必填 必须 无 未知 必須 なし 未設定 未入力 필수 없음 desconocido inconnu unbekannt sconosciuto keine keiner ninguno aucun nessuno automático введите enter
    """.split()  # noqa: SIM905
)
_TAIL = re.compile(r"\s*(?:先生|女士|小姐|様|さま|さん|殿|氏|님|씨|고객님|คุณ)\Z")


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


def _called_by_role(text: str) -> Iterable[Finding]:
    """Yield who is named behind the word for what they are to somebody, in a text of one case of letters: *cliente deusdete lustosa pede retorno*."""
    for match in _BY_ROLE.finditer(text) if text.islower() or text.isupper() else ():
        words = list(re.finditer(WORD, match["s"].lower()))
        named = len(list(itertools.takewhile(lambda w: calls_alone(w[0]), words)))
        if named > 1:
            yield Finding(match.start("s"), match.start("s") + words[named - 1].end(), "PERSON", 0.7)


def _labelled_addresses(text: str) -> Iterable[Finding]:
    """Yield what stands behind the word for an address in another language: *כתובת: הרצל 24, חיפה*."""
    for match in _LABELLED_ADDRESS.finditer(text) if ":" in text or "：" in text else ():
        if len(match["s"]) <= _LONGEST_ADDRESS and re.search(r"[^\W\d_]{2}", match["s"]) and "@" not in match["s"]:
            yield Finding(*match.span("s"), "ADDRESS", 0.6)


def like_a_name(value: str, alone: bool = False) -> bool:
    """Return whether a value after a label for names can be one: few words, no digits, and capitals where the script has them, or small letters and a name among the words. ``alone``: as of
    :func:`may_call_in_small_letters`.
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


_HAN = "\u3400-\u9fff"
_HANGUL = "\uac00-\ud7af"
ADDRESSES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    ("ADDRESS", re.compile(pattern))
    for pattern in (
        # Chinese: from the province to the door; the street and its number at least
        rf"(?:[{_HAN}]{{2,8}}?(?:省|市|自治区|区|縣|县|镇|鎮|乡|鄉|州|新区)){{0,4}}[{_HAN}]{{1,10}}?(?:路|街|大道|道|巷|弄|胡同|村|里|段)\s?(?:[一二三四五六七八九十]+段)?\s?\d+\s?(?:号|號|弄|巷|栋|棟)"
        rf"(?:[A-Za-z\d\-之 ]{{0,8}}(?:号楼|號樓|栋|棟|幢|单元|單元|层|層|楼|樓|室|座|户|戶|号|號|房))*(?:\s?\d{{1,4}}室?)?",
        # Japanese: prefecture, city, block
        rf"(?:〒?\d{{3}}-\d{{4}}\s*)?(?:[{_HAN}]{{2,3}}?[都道府県])?(?:[{_HAN}ぁ-んァ-ヶー]{{1,8}}?[市区町村郡]){{1,3}}[{_HAN}ぁ-んァ-ヶー]{{0,10}}\s?\d{{1,4}}(?:丁目|番地?|号|[-−ー–]|の)\s?\d{{0,4}}(?:(?:番地?|号|[-−ー–])\s?\d{{0,4}})*"
        rf"(?:[\s　]?[{_HAN}ァ-ヶーA-Za-z]{{1,16}}\s?\d{{1,4}}(?:号室|号|室|階|F))?",
        # Korean: city, district, road and number
        rf"(?:[{_HANGUL}]{{1,8}}(?:특별시|광역시|특별자치시|특별자치도|도|시|군|구|읍|면|동|리)\s+){{0,4}}[{_HANGUL}\d]{{1,12}}(?:대로|로|길|번길)\s?\d+(?:-\d+)?(?:,?\s*\d+(?:동|호|층)(?:\s?\d+호)?)*",
        # Russian and Ukrainian
        r"(?i:\b(?:ул(?:\.|ица|ице|ицы)?|пр(?:-т|-кт|осп\.?|оспект[еау]?)|пер(?:\.|еул(?:ок|ке)?)|ш(?:\.|оссе)|наб(?:\.|ережная)|б(?:-р|ульвар)|пл(?:\.|ощадь)|вул(?:\.|иця)))\s*[А-ЯЁІЇЄ\d][\w.'’-]*(?:\s+[А-ЯЁІЇЄ][\w.'’-]*){0,3}"
        r"(?:,?\s*(?:(?:д|дом|к|корп|корпус|стр|кв|квартира|оф|офис|буд)\.?\s*)?\d+[а-яА-Я]?(?:[/-]\d+[а-яА-Я]?)?(?!\d)){1,4}",
        # Greek
        r"(?i:\b(?:οδ(?:ός|ού|ό)|λεωφ(?:όρος|όρου|\.)|πλατεία|πλατείας))\s+[Α-ΩΆ-Ώ][\w'’-]*(?:\s+[Α-ΩΆ-Ώ][\w'’-]*){0,3}(?:\s+\d{1,4}[Α-Ωα-ω]?\b)?",
        # Arabic and Hebrew
        r"(?<!\w)(?:شارع|طريق|ميدان|حي|جادة)\s+[^\W\d_]+(?:\s+[^\W\d_]+){0,3}\s+\d{1,5}(?:[،,]?\s+(?:شقة|مبنى|عمارة|الطابق)\s+\d+)*",
        r"(?<!\w)ב?(?:רחוב|רח['׳]|שדרות|שד['׳]|דרך|סמטת|כיכר)\s+[^\W\d_]+(?:[\s\"״'׳-]+[^\W\d_]+){0,3}\s+\d{1,4}(?:/\d+)?(?:,?\s+(?:דירה|קומה|כניסה)\s+\w+)*",
        # Hindi: number first, or the house's number and a quarter
        rf"(?:(?:मकान|फ्लैट|प्लॉट|घर)\s+(?:नंबर|सं\.?|संख्या)\s*)?\d{{1,5}}(?:/\d+)?\s*,?\s+{WORD}(?:\s+{WORD}){{0,3}}?\s+(?:मार्ग|रोड|नगर|गली|कॉलोनी|पथ|विहार|चौक|बाज़ार|सड़क|एन्क्लेव)",
        # Thai: number, village, road, sub-district, district, province, postal code
        r"\d{1,4}(?:/\d{1,4})?\s*(?:หมู่(?:ที่)?\s*\d{1,3}\s*)?(?:(?:หมู่บ้าน|ซอย|ซ\.|ถนน|ถ\.|แขวง|ตำบล|ต\.|เขต|อำเภอ|อ\.|จังหวัด|จ\.)\s?[\u0e00-\u0e7f]+(?:\s+\d{1,3})?[\s,]*){1,7}"
        r"(?:(?:กรุงเทพ(?:มหานคร|ฯ)?|[\u0e00-\u0e7f]{3,16})\s*)?(?:\d{5})?",
    )
)
"""Addresses of other scripts, as they are written there."""
