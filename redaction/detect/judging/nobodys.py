"""What a model takes for somebody and is nobody's: an honorific alone, a label, a reference or a count, a noun that a language has, a dish."""

from __future__ import annotations

import re
from functools import lru_cache

from ...contracts.types import Finding
from ...words.english import ordinary
from ...words.words import UI_WORDS, common_words, given_names, lists_of
from .foreign import is_foreign, known
from .tokens import token_at

_WORD = re.compile(r"[^\W\d_]+")
_NAMED = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP", "TITLE", "ADDRESS"})
_PLACED = frozenset({"ADDRESS", "ZIP_CODE", "LOCATION"})
HONORIFICS = frozenset(
    """
    mr mrs ms miss mx dr prof sir sirs madam messrs rev hon fr esq smt shri sri kum mme mmes mlle mlles mm monsieur madame mademoiselle messieurs mesdames herr herrn frau fräulein herren sr sra srta sres señor señora señores
    senhor senhora senhores sig sigg signor signora signori dott dottssa ssa avv ing mevr mevrouw dhr meneer heer pan pani panie państwo paní pánové hr fru frk rouva herra bay bayan sayın domnul doamna gospodin gospođa господин госпожа
    г-н г-жа κύριος κυρία κε κα السيد السيدة מר גברת श्री श्रीमती कुमारी คุณ นาย นาง นางสาว
    """.split()  # noqa: SIM905
)
_HONORED = re.compile(r"\.?,?\s+(?=[^\W\d_])")
_REFERENCE = re.compile(
    r"\b(?:order|case|ticket|invoice|bill|receipt|reference|ref|file|docket|bestellung|auftrag|bestellnummer|auftragsnummer|rechnung|vorgang|aktenzeichen|az|gz|geschäftszeichen|commande|dossier|facture|devis|pedido|factura|fatura|expediente|caso|"
    r"protocolo|processo|ordine|fattura|ricevuta|pratica|scontrino|preventivo|bestelling|factuur|zaak|dossiernummer|ordernummer|zamówienie|zamówienia|faktura|sprawa|sprawy|sygn|zgłoszenie|ärende|ärendenummer|beställning|sag|sak|bestilling|ordre|tilaus|"
    r"lasku|objednávka|objednávky|číslo\sjednací|zakázka|rendelés|számla|ügyszám|comanda|factura|dosar|sipariş|fatura|dosya|заказ|заказа|заявка|обращение|дело|замовлення|παραγγελία|τιμολόγιο|υπόθεση)"
    r"[ ]?(?:no|nr|num|number|n|nº|n°|№|č|id)?[ .:#°º№]{0,3}(?:\d{1,3}[ ][A-Z]{1,3}[ ])?\Z",
    re.IGNORECASE,
)
"""What stands before the number of a thing: an order, a case, a bill."""
_NUMBER = re.compile(r"[A-Z]{0,3}[/-]?\d[\d.,'/-]*")
_COUNTED = re.compile(
    r"[ \u00a0](?:signatures?|followers?|members?|views?|votes?|comments?|likes?|replies|reviews?|ratings?|downloads?|stars?|supporters?|subscribers?|visitors?|posts?|results?|items?|people|words|shares?|unterschriften|aufrufe|mitglieder|bewertungen|stimmen|kommentare|abonnenten|"
    r"vues|abonnés|avis|commentaires|membres|firmas|vistas|seguidores|miembros|comentarios|assinaturas|visualizações|membros|firme|visualizzazioni|iscritti|recensioni|handtekeningen|weergaven|leden|podpisów|wyświetleń|członków|opinii|underskrifter|visningar|medlemmar)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:1[789]|20)\d\d")
_IN_YEAR = re.compile(
    r"\b(?:in|im|jahr|seit|en|an|année|depuis|año|desde|el|em|ano|nel|dal|del|anno|sinds|jaar|w|roku|od|år|sedan|siden|roce|rok|since|year|founded|est\.?|established)[ ]\Z",
    re.IGNORECASE,
)
_DATED = re.compile(r"(?P<rest>(?:[^\W\d_]+[ ]){1,3})(?:1[789]|20)\d\d")
"""Small words and a year: *nasce nel 1931*."""
_LABEL = re.compile(
    r"(?:\A|(?<=[\n|;·•]))[ ]*(?P<s>[^\W\d_][^\W\d_]*(?:[ /'’-]{1,2}[^\W\d_]+){0,3}?)[ ]?[:：\t](?=[ \t]*\S)"
)
_LABEL_WORDS = frozenset(
    """
    jméno příjmení née né nato nata nacido nacida nascido nascida geboren geb geboortedatum narozen narozena urodzony urodzona ur születési születési név neve född syntynyt doğum naissance nacimiento nascimento nascita narození urodzenia
    vorname nachname name names surname prénom nom nombre apellidos apellido nome cognome sobrenome naam voornaam achternaam imię nazwisko meno priezvisko név vezetéknév keresztnév namn förnamn efternamn navn fornavn etternavn efternavn nimi etunimi sukunimi
    ad soyad nume prenume ime prezime telefon téléphone teléfono telefone telefono telefoon puhelin tel phone mobile handy postcode postal code zip plz cap cep city town stadt ville ciudad cidade città plaats miasto město nationality nationalité nationalität nacionalidad nacionalidade
    nazionalità nationaliteit narodowość národnost date birth datum marital status gender sex geschlecht sexe sexo sesso geslacht beruf profession profesión profissão professione beroep zawód povolání adresse address adres dirección endereço indirizzo adresa email mail e
    reporter assignee owner author reviewer role notes note signature reason reference subject department employer occupation guardian
    """.split()  # noqa: SIM905
)
_OF_PHRASES = frozenset(
    [
        "of",
        "the",
        "and",
        "le",
        "la",
        "de",
        "du",
        "des",
        "del",
        "di",
        "da",
        "el",
        "und",
        "et",
        "y",
        "e",
        "a",
        "i",
        "o",
        "am",
        "an",
        "von",
        "van",
        "het",
        "och",
        "og",
        "na",
        "ve",
        "și",
        "ja",
    ]
)
_PROGRAMS = frozenset(
    "jenkins travis hudson bamboo gerrit celery cassandra maven jasmine mocha babel hugo jekyll gatsby ansible puppet chef salt vagrant sentry harbor rancher renovate alexa siri cortana claude watson gemini julia ruby bazel cypress selenium jupyter".split()  # noqa: SIM905
)
"""Programs that are called as people are."""
_RUNS = re.compile(
    r":?[ ](?:pipeline|build|builds|job|jobs|deploy(?:ed|ment)?|release|stage|node|agent|plugin|runner|worker|workers|cluster|queue|tests?|suite|scan|scheduled|finished|failed|restarted|server|instance|config|playbook|recipe|branch|commit)\b"
)
_I_AM = re.compile(
    r"(?:je\ssuis|j['’]ai|ich\s(?:bin|habe)|yo\s(?:soy|tengo)|io\s(?:sono|ho)|eu\s(?:sou|tenho)|ik\s(?:ben|heb)|ja\sjestem|jag\s(?:är|har)|jeg\s(?:er|har)|nous\ssommes|wir\ssind|wij\szijn)",
    re.IGNORECASE,
)
_FILED = re.compile(
    r"[ ](?:lodged|filed|submitted|raised|received|logged|opened|sent|made|signed|started|closed|issued)[ ]"
)
_TRADE = frozenset(
    """
    biscuit biscuits bread broth butter cake cakes candle cheese chips chocolate chutney cocktail coffee cookies cream crisps curry dip dressing flour gin glaze granola gravy ham honey ice jam jelly juice kebab ketchup lasagne loaf marinade marmalade mayonnaise
    mustard noodles nuts oil olives pancake pasta pastry pesto pickle pie pizza popcorn porridge pudding ravioli rice risotto roll salad salami salsa salt sandwich sauce sausage sausages schnitzel seasoning smoothie soup spaghetti spread stew stock stuffing syrup
    tea tofu vinaigrette vinegar wine wrap yoghurt yogurt
    """.split()  # noqa: SIM905
)
"""What is eaten, behind what it is called after: *Dijon mustard*."""
_MENU = re.compile(r"[ ]?[·|•›][ ]?|\n|\t")
_UNIT_ALONE = frozenset(
    [
        "woche",
        "wochen",
        "week",
        "weeks",
        "semaine",
        "settimana",
        "semana",
        "tydzień",
        "vecka",
        "uge",
        "uke",
        "kw",
        "room",
        "zimmer",
        "kamer",
        "chambre",
        "seite",
        "page",
    ]
)
_SMALL_WORDS = frozenset({"per", "via", "re", "attn"})
_IS = re.compile(r"\b(?:is|are|was|were|so|very|such|total)[ ]\Z")
_IN = re.compile(
    r"\b(?:in|at|from|to|near|nach|aus|bei|à|en|em|a|da|di|te|naar|uit|w|z|do|i|från|till|fra|til)[ ]\Z", re.IGNORECASE
)
_TAIL = re.compile(r"\s*(?:\Z|[.,;:!?)\n])")


def is_nobodys(text: str, f: Finding) -> bool:
    """Return whether a finding is one of these kinds."""
    value = text[f.start : f.end]
    words = [w.lower() for w in _WORD.findall(value)]
    if f.entity in _PLACED and _NUMBER.fullmatch(value):
        return _counts(text, f, value)
    if f.entity in ("ORGANIZATION", "PERSON") and (of_year := _DATED.fullmatch(value)):
        return all(w.islower() for w in _WORD.findall(of_year["rest"])) and _counts(
            text, f._replace(start=f.end - 4, entity="ADDRESS"), value[-4:]
        )
    if f.entity not in _NAMED or any(map(str.isdigit, value)) or not words:
        return False
    if _is_honorific(text, f, words) or _is_label(text, f, words) or _in_a_schema(text, f, value):
        return True
    if f.entity == "TITLE":
        return False
    return (
        _is_word(text, f, value, words)
        or (words[0] in _PROGRAMS and len(words) == 1 and _RUNS.match(text, f.end) is not None)
        or _I_AM.fullmatch(value) is not None
        or _is_dish(text, f, words)
        or (len(words) == 1 and _in_a_menu(text, f, words[0]))
    )


def _counts(text: str, f: Finding, value: str) -> bool:
    """Return whether a number that was taken for a place's is that of an order or a case, counts something, or is a year."""
    before = text[max(0, f.start - 48) : f.start]
    if _COUNTED.match(text, f.end) and not re.search(r"[-/]", value):
        return True
    if sum(map(str.isdigit, value)) > 6:
        return False
    if _YEAR.fullmatch(value):
        return f.entity != "ZIP_CODE" and _IN_YEAR.search(before) is not None
    return _REFERENCE.search(before) is not None


_SCHEMA = re.compile(r"\bcreate\s+table\b", re.IGNORECASE)
_TYPE = re.compile(
    r"text|(?:n?var)?char(?:acter)?|varchar2|clob|blob|int(?:eger)?|smallint|bigint|serial|real|float|double|decimal|numeric|bool(?:ean)?|date|datetime|timestamp|json|uuid",
    re.IGNORECASE,
)
_TYPED = re.compile(rf"[\"`\]]? (?:{_TYPE.pattern})\b", re.IGNORECASE)


def _in_a_schema(text: str, f: Finding, value: str) -> bool:
    """Return whether a finding is the type of a column, or a column that is called as people are by what they do: *teacher INTEGER*. Behind
    a semicolon the schema is over.
    """
    schema = _SCHEMA.search(text, text.rfind(";", 0, f.start) + 1, f.start)
    if schema is None:
        return False
    return _TYPE.fullmatch(value) is not None or (f.entity == "TITLE" and _TYPED.match(text, f.end) is not None)


def _is_honorific(text: str, f: Finding, words: list[str]) -> bool:
    """Return whether a finding is an honorific and nothing else, or ends in one whose name stands behind, and begins with words that everybody has."""
    if text.islower():
        return False  # *pan*, *don*, *miss* are names and words as well
    own = [w for w in words if w not in HONORIFICS]
    if len(own) == len(words):
        return False
    if not own:
        named = _HONORED.match(text, f.end)
        return f.entity != "TITLE" or named is None or not text[named.end()].isupper()
    return (
        words[-1] in HONORIFICS
        and text[f.end : f.end + 2] == ". "
        and all(known(w) or ordinary(w) for w in own)
        and not any(w in given_names() for w in own)
    )


def _is_label(text: str, f: Finding, words: list[str]) -> bool:
    """Return whether a finding lies in the label of a form's line and is made of words of labels alone."""
    if not all(w in _LABEL_WORDS or w in _OF_PHRASES for w in words) or any(w in given_names() for w in words):
        return False
    begin = max(text.rfind(mark, 0, f.start) for mark in "\n|;·•") + 1
    label = _LABEL.match(text, begin)
    return label is not None and label.start("s") <= f.start and f.end <= label.end("s")


def _is_word(text: str, f: Finding, value: str, words: list[str]) -> bool:
    """Return whether one word is a noun of a language, the small word of a sentence, a paper that is filed, or a word of a sentence in small letters."""
    if len(words) > 1 or words[0] in given_names():
        return len(words) == 2 and words[1] in _UNIT_ALONE and f.entity == "ADDRESS"
    word = words[0]
    cased = not (text.islower() or text.isupper())
    if f.entity == "ADDRESS" and (
        word in _UNIT_ALONE or (cased and value.islower() and not _IN.search(text, 0, f.start))
    ):
        return is_foreign(text) or word in _UNIT_ALONE
    if word in _nouns() and (is_foreign(text) or not text.isascii() or value.islower()):
        return True
    if f.entity == "LOCATION" and value.islower() and is_foreign(text) and cased and known(word):
        return True
    if f.entity == "PERSON" and word in _SMALL_WORDS:
        return True
    if f.entity in ("LOCATION", "PERSON") and text.islower() and ordinary(word) and _IS.search(text, 0, f.start):
        return True
    return f.entity == "ORGANIZATION" and ordinary(word) and word in _PAPERS and _FILED.match(text, f.end) is not None


_PAPERS = frozenset(
    [
        "complaint",
        "petition",
        "claim",
        "report",
        "request",
        "order",
        "appeal",
        "application",
        "enquiry",
        "inquiry",
        "invoice",
        "ticket",
        "message",
        "note",
        "letter",
        "form",
        "notice",
        "bill",
        "review",
        "comment",
        "grievance",
    ]
)


@lru_cache(maxsize=1)
def _nouns() -> frozenset[str]:
    return lists_of("nouns_abroad.txt")["nouns"]


def _is_dish(text: str, f: Finding, words: list[str]) -> bool:
    """Return whether a finding is called after a place or a person and is eaten: a small word for food in it or behind it."""
    if f.entity not in ("PERSON", "ORGANIZATION", "LOCATION") or text.islower() or text.isupper() or f.start:
        return False
    said = _WORD.findall(text[f.start : f.end + 24])
    after = said[len(words) : len(words) + 1]
    small = [w for w in (*said[1 : len(words)], *after) if w.islower()]
    return len(words) < 4 and any(w in _TRADE for w in small[:3]) and all(w.islower() for w in said[1 : len(words)])


def _in_a_menu(text: str, f: Finding, word: str) -> bool:
    """Return whether one ordinary word is all of an entry in a row of three or more, most of which are words that everybody has."""
    entries = [e.strip() for e in _MENU.split(text)]
    if len(entries) < 3 or len(text) > 300 or not ordinary(word):
        return False
    if token_at(text, f.start, f.end).strip("·|•›.,:") != text[f.start : f.end] or text[f.start : f.end] not in entries:
        return False
    plain = [
        all(w in UI_WORDS or w in common_words() or ordinary(w) for w in map(str.lower, _WORD.findall(e)))
        for e in entries
        if e
    ]
    return sum(plain) * 3 >= len(plain) * 2
