"""People in German, French, Spanish, Italian, Portuguese and Dutch texts, by the words that introduce one: ``Herr``, ``je m'appelle``, ``mi chiamo``.

Models of English miss half of them. A name has a capital; how far it goes is told by the capitals after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..contracts.types import Finding
from ..words.words import common_words, given_names
from .judging.foreign import evidence, is_foreign, is_german, listed, strange, unheard

_PART = r"(?-i:[^\W\d_a-zß-ÿ][^\W\d_]*(?:['’-][^\W\d_]+)*)"
_PARTICLE = r"(?:de|del|della|dela|di|da|do|dos|das|du|des|la|le|van|von|vom|zu|zur|den|der|ten|ter|y|e|el)"
_NAME = rf"(?P<s>{_PART}\.?(?:[ ](?:{_PARTICLE}[ ]){{0,2}}{_PART}){{0,3}})"
_TITLES = (
    r"herrn?|frau|fräulein|familie|doktor(?:in)?|dr\.?|prof\.?(?:ª|a\.)?|professor(?:in|a)?|direktor(?:in)?|m\.|mm\.|mme|mlle|monsieur|madame|mademoiselle|docteure?|maître|professeure?|"
    r"(?:el|al|la|der|den|die|le|la|il|o|a|ao|à)\s(?:direktor(?:in)?|directeur|directrice|directora?|direttore|direttrice|diretora?|geschäftsführer(?:in)?|gérante?|gerente|responsabile|nachbarn?|nachbarin|voisine?|vecin[oa]|vicin[oa]|vizinh[oa])|"
    r"sra?\.?|srta\.?|señor(?:a|ita)?|don|doña|doctora?|dona|senhora?|doutora?|sig\.?(?:ra|na)?\.?|signora?|signore|signorina|dott\.?(?:ssa)?\.?|dottor(?:e|essa)?|avv\.|ing\.|avvocato|"
    r"mevrouw|meneer|dhr\.?|mevr\.?|de\sheer"
)
_SELF = (
    r"ich\sheiße|mein\sname\sist|je\sm['’]appelle|mon\snom\sest|me\sllamo|mi\snombre\ses|mi\schiamo|il\smio\snome\sè|meu\snome\sé|(?:eu\s)?me\schamo|chamo-me|ik\sheet|mijn\snaam\sis|"
    r"(?:er|sie)\sheißt|(?:il|elle)\ss['’]appelle|se\sllama|si\schiama|(?:ele|ela)?\s?se\schama|namens|nommée?|llamad[oa]|chamad[oa]"
)
_KIN = (
    r"(?:mein|sein|ihr|unser|dein)(?:e[mnrs]?)?\s(?:frau|mann|tochter|sohn|bruder|schwester|mutter|vater|kolleg(?:e|en|in)|freund(?:in)?|nachbar(?:n|in)?|chef(?:in)?|partner(?:in)?)|"
    r"(?:m|s|t)(?:a|on)\s(?:femme|mari|fils|fille|frère|sœur|soeur|mère|père|collègue|ami|amie|voisine?|épouse|conjointe?)|(?:mi|su|tu)\s(?:esposa|esposo|mujer|marido|hij[oa]|herman[oa]|madre|padre|colega|amig[oa]|vecin[oa]|jef[ea])|"
    r"(?:mi|su|tu)[oa]\s(?:moglie|marito|figli[oa]|fratello|sorella|madre|padre|collega|amic[oa]|vicin[oa])|(?:d?[aàno]?\s)?(?:minha|meu|sua|seu|tua|teu)\s(?:esposa|esposo|mulher|marido|filh[oa]|irmã|irmão|mãe|pai|colega|amig[oa]|vizinh[oa])|"
    r"(?:mijn|zijn|haar)\s(?:vrouw|man|zoon|dochter|broer|zus|moeder|vader|collega|vriend(?:in)?|buurman|buurvrouw)"
)
_GREETINGS = (
    r"hallo|guten\s(?:tag|morgen|abend)|liebe[rs]?|moin|servus|bonjour|bonsoir|salut|ch[eè]re?|hola|querid[oa]|estimad[oa]|buen[oa]s\s(?:días|tardes)|ciao|car[oa]|gentile|buongiorno|salve|"
    r"olá|oi|prezad[oa]|bom\sdia|boa\starde|beste|geachte|hoi|goedemorgen|"
    r"kære|kjære|käre|kära|hej|hei|heisann|goddag|moi|hyvä|rakas|tere|drogi|droga|cześć|witaj|szanown[ay]\spani[e]?|ahoj|mil[ýá]|dobrý\sden|vážen[ýá]|kedves|szia|tisztelt|"
    r"drag[ăai]|bună|salut|stimat[ăe]|merhaba|selam|sevgili|sayın|zdravo|bok|drag[ia]|poštovan[ia]|halo|hai|xin\schào|chào(?:\s(?:anh|chị|em|ông|bà|cô|chú|bạn))?"
)
_INTRODUCED = re.compile(rf"(?<![\w@.-])(?:{_TITLES}|{_SELF}|{_KIN}),?\s+{_NAME}(?![\w@])", re.IGNORECASE)
_ADDRESSED = re.compile(
    rf"(?<![\w@.-])(?:Herrn?|Frau|Fräulein|Monsieur|Madame|Mademoiselle|Maître|Señor(?:a|ita)?|Signora?|Signore|Signorina|Senhora?|Dona|Doña|Mevrouw|Meneer|Herra|Rouva|Fru|Pani|Paní|Panem|Domnul|Doamna)[ ]{_NAME}(?![\w@])"
)
"""By words that no English has: in a text of any language."""
_TITLED = re.compile(
    r"(?<![\w@.-])(?:mr|mrs|ms|miss|mx|dr|prof|rev|fr|sr|sra|herrn?|frau|monsieur|mme|madame|mlle|mademoiselle|maître|señor(?:a|ita)?|signora?|signore|senhora?|dona|doña|mevrouw|meneer|pani|fru)\.?[ ](?P<s>[^\W\d_]{3,}(?:['’-][^\W\d_]{2,})*(?:[ ][^\W\d_]{3,}(?:['’-][^\W\d_]{2,})*){0,2})(?![\w@])",
    re.IGNORECASE,
)
_HYPHENED = re.compile(r"[^ ]+")
_GREETED_IN_ONE_CASE = re.compile(
    rf"(?:^|(?<=[.!?\n]\s))(?:{_GREETINGS})\s(?P<s>[^\W\d_]{{2,}})(?=\s?[,!])", re.IGNORECASE | re.MULTILINE
)
_GREETED = re.compile(
    rf"(?:^|(?<=[.!?\n]\s))(?:{_GREETINGS})\s+{_NAME}(?=\s?[,!:.]|\s?$)", re.IGNORECASE | re.MULTILINE
)
_CALLED = re.compile(
    rf"^{_NAME},\s(?:kannst\s+du|könn(?:en|test)\s|peux-tu|pouvez-vous|pourrais-tu|¿?\s?pued(?:es?|e)\s|podrías|puoi|può\s|potresti|você\spode|podes?\s|pode\s|kun\s+je|kunt\s+u)",
    re.IGNORECASE | re.MULTILINE,
)
_PAIR = re.compile(
    rf"(?<![\w@./-])(?P<s>[^\W\d_a-zß-ÿ][a-zß-ÿ]{{2,}}(?:[ ]{_PARTICLE})?(?:[ ][^\W\d_a-zß-ÿ][a-zß-ÿ]{{2,}}(?:-[^\W\d_a-zß-ÿ][a-zß-ÿ]+)?){{1,2}})(?![\w@/])"
)
_WORD = re.compile(r"[^\W\d_]+")
_FIRST = re.compile(r"(?<![\w@./-])[^\W\d_a-zß-ÿ][a-zß-ÿ]{2,}(?![\w@/]|-[a-zß-ÿ])")


def introduced(text: str) -> Iterable[Finding]:
    """Yield the people that a text in one of these languages introduces.

    Given names count there, too, and two words with capitals, beside one another, that are of no list.
    """
    if text.islower() or text.isupper():
        yield from _addressed_in_one_case(text)
        return
    for match in _ADDRESSED.finditer(text):
        if any(strange(w) or w.lower() in given_names() for w in _WORD.findall(match["s"])):
            yield Finding(*match.span(), "PERSON", 0.6)
    english, foreign = evidence(text)
    if english and english >= foreign:
        return
    for pattern in (_INTRODUCED, _GREETED, _CALLED):
        for match in pattern.finditer(text):
            if any(strange(w) or w.lower() in given_names() for w in _WORD.findall(match["s"])):
                yield Finding(*match.span("s"), "PERSON", 0.6)
    if not is_foreign(text):
        return
    for match in _FIRST.finditer(text):
        if match[0].lower() in given_names():
            yield Finding(*match.span(), "PERSON", 0.5)
    german = is_german(text)
    for match in _PAIR.finditer(text):
        words = [w for w in _WORD.findall(match["s"]) if w[0].isupper()]
        enough = all if german else any  # nouns have capitals there
        joined = len(words) < len(_WORD.findall(match["s"]))  # "Logotipo de Grisbi" is no name, "Ana de Grisbi" is one
        if (
            enough(map(strange, words))
            and not any(_of_a_list(w.lower()) for w in words)
            and not (joined and words[0].lower() not in given_names())
        ):
            yield Finding(*match.span("s"), "PERSON", 0.5)


def _addressed_in_one_case(text: str) -> Iterable[Finding]:
    """Yield whom a title announces where no capital says how far a name goes: as far as nobody has heard of the words; and who is greeted: *kære mette, …*."""
    for match in _GREETED_IN_ONE_CASE.finditer(text):
        if unheard(match["s"].lower()) or match["s"].lower() in given_names():
            yield Finding(*match.span("s"), "PERSON", 0.6)
    for match in _TITLED.finditer(text):
        end = match.start("s")
        for word in _HYPHENED.finditer(match["s"]):
            if not all(unheard(w.lower()) for w in _WORD.findall(word[0]) if len(w) > 1):
                break
            end = match.start("s") + word.end()
        if end > match.start("s"):
            yield Finding(match.start("s"), end, "PERSON", 0.6)


def _of_a_list(word: str) -> bool:
    return word not in given_names() and (listed(word) or word in common_words())
