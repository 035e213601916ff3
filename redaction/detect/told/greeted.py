"""Who is spoken to: behind a greeting in the text of a page or a chat that has no comma, in the vocatives of Korean and Russian; and who paid, in a bank's line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...contracts.types import Finding
from ...words.english import ordinary
from ...words.late import Late
from ...words.script_lists import name_lists
from ...words.words import UI_WORDS, common_words, given_names
from ..around.listed_names import is_listed
from ..judging.foreign import known
from ..judging.telling import heard_by_nobody

_LONGEST = 4_000
_WORD = r"[^\W\d_]{2,}(?:['’-][^\W\d_]{2,})*"
_PAGE = Late(
    r"(?:^|(?<=[.!?:>\n\"“|·][ ])|(?<=[>\n\"“]))(?:hello|hi|hey|welcome(?:[ ]back)?|good[ ](?:morning|evening|afternoon)|hallo|willkommen(?:[ ]zurück)?|bonjour|bonsoir|bienvenue|hola|bienvenid[oa]s?|olá|bem-vind[oa]|ciao|bentornat[oa]|benvenut[oa]|welkom(?:[ ]terug)?|hej|välkommen|velkommen|cześć|witaj|ahoj|vítejte|szia|üdv|salut|bun|merhaba|hoş[ ]geldin),?[ ](?P<s>(?-i:[^\W\d_a-z])[^\W\d_]+(?:[ ](?-i:[^\W\d_a-z])[^\W\d_]+)?)(?=[,!.]|[ ]?[👋🎉]|\s*<)",
    re.IGNORECASE | re.MULTILINE,
)
_CHAT = Late(
    rf"(?:\A|(?<=\n))(?:ciao|hola|oi|olá|ola|hey|moin|hallo|salut|coucou|cc|hej|hejsan|heisann|cześć|czesc|hei|moi|ahoj|čau|cau|szia|hi|hoi|hallo|selam|bună|buna|zdravo|bok|yo|oye|halo|eh)[ ](?P<s>{_WORD})(?=[ ](?!und\b|e\b|y\b|et\b|i\b|en\b)[^\W\d_]|[,!?]|\s*\Z)",
    re.IGNORECASE,
)
_TO_ALL = frozenset(
    """
    a al all alla alle allen allo amici amico amiga amigas amigo amigos amore an au aux bella bello beau cara caro che chica chicas chico chicos como cosa day dear der die do du e ein en eu everybody everyone folks
    gente girl girls guys hai has ho ich ihr ik io it je kann las les leute liebe lo los man me mein miś mi mijn monde mondo mujer mundo na no nos o oggi os people por pra qui quoi ragazza ragazze ragazzi ragazzo sag se sei si sie so
    sono super team te there things toi todas todos todo ti to toutes tous tout tu tutte tutti tutto un una und uno vi voi vocês vocês vous was welt wereld we wie wir world ya you zusammen świat bro sis mate pal hun babe
    mamma mama papa papà mamá papá mãe pai maman maestra prof tesoro schatz querida querido chérie chéri gata gato vida linda lindo mano cara veci
    """.split()  # noqa: SIM905
)
"""What follows a greeting and is nobody's name."""
_KOREAN = re.compile(r"(?:\A|(?<=[\n.!?] ))(?P<s>[\uac00-\ud7a3]{2})(?P<end>[야아])(?=[ ,!~?]|\Z)")
_KOREAN_NEVER = frozenset("아니 이거 이게 그게 그거 저거 저기 여기 거기 얼마 진짜 정말 바로 누구 어디 뭐야 이제 그래 자기 친구 오빠 언니 얘들 애들 우리 모두 엄마 아빠 그대 내꺼 당연 하지 해야 가야 와야 봐야 좋아".split())  # fmt: skip # noqa: SIM905
_RUSSIAN = Late(
    r"(?:\A|(?<=[\n.!?] )|(?<=\n)|(?:привет|здорово|эй|слушай|слышь|алло)[ ,]{1,2})(?P<s>саш|саня|сань|наташ|серёг|серег|серёж|сереж|лен|ленк|тань|танюш|маш|машуль|дим|димон|димк|вань|ванёк|ванюш|коль|колян|оль|ольк|паш|пашк|л[её]ш|л[её]х|миш|мишань|юр|юль|вов|вовк|вовчик|"
    r"кать|катюш|насть|настюш|свет|светк|ир|ирин|иринк|марин|галь|галин|валь|надь|люд|люб|людмил|андрюш|андрюх|игорёк|жень|стас|стасик|витёк|вить|толь|толян|федь|гриш|кирюх|кирюш|макс|рит|зой|зин|тём|темк|сонь|полин|алин|лид|лар|ларис|вер|дарьюш|даш|дашк|ксюш|ксюх|оксан|олег|рин|тим|ром|ромк|ромыч|слав|славик|влад|владик|жор|гош|ген|генк|борь|бор|степ|никит|илюх|илюш|арин|диан|лиз|лизк|эль|яш|яночк|ян)(?=,[ ]|![ ])",
    re.IGNORECASE,
)
"""Short forms without their ending, as one calls somebody."""
_PAID = Late(
    r"\b(?:(?:transferencias?|bizum|ingreso|abono)\s(?:(?:recibid[oa]|inmediata|enviad[oa]|realizad[oa])\s)*(?:de|a\sfavor\sde|a)|(?:virement|vir(?:\ssepa)?|prlv(?:\ssepa)?)\s(?:(?:recu|reçu|emis|émis|instantane|permanent|sepa)\s)*(?:de|a|pour)|"
    r"(?:bonifico|accredito|addebito)\s(?:(?:sepa|istantaneo|ricevuto)\s)*(?:da|a\sfavore\sdi|a)|(?:pix|ted|doc|transferência|transferencia)\s(?:(?:recebid[oa]|enviad[oa])\s)*(?:de|para)|(?:überweisung|gutschrift|lastschrift|dauerauftrag)\s(?:von|an)|przelew\s(?:przychodzący\s|wychodzący\s)?(?:od|dla|do)|"
    r"(?:overboeking|overschrijving)\s(?:van|naar|aan)|(?:faster\s)?(?:payment|transfer|deposit|standing\sorder|zelle|venmo)\s(?:received\s|sent\s)?(?:from|to)|ordenante:?|beneficiario:?|ordinante:?|donneur\sd['’]ordre:?)\s(?:(?:sra?|d|dª|m|mme|mr|mrs)\.?\s)?"
    r"(?P<s>(?-i:[^\W\d_a-z])[^\W\d_]+(?:[ ]+(?:(?!por\b|valor\b|concepto\b|eur\b|importe\b|ref\b|motif\b|per\b|causale\b|importo\b|na\b|kwota\b|über\b|for\b|amount\b|usd\b|gbp\b|iban\b|on\b|el\b|le\b|il\b|em\b|del\s\d)(?-i:[^\W\d_a-z])[^\W\d_]*\.?|de|da|dos|del|la|van|von)){1,4})(?=\s+(?:por|valor|concepto|eur|importe|ref|motif|per|causale|importo|na|kwota|über|for|amount|usd|gbp|iban|on|em|el|le|il)\b|\s*[,;:/€$£(\d-]|\s*\Z)",
    re.IGNORECASE,
)


def find_greeted(text: str) -> Iterable[Finding]:
    """Yield who is greeted, called or said to have paid."""
    if len(text) > _LONGEST:
        return
    for match in _PAGE.now.finditer(text):
        first = match["s"].split()[0].lower()
        if _may_be_called(first):
            yield Finding(*match.span("s"), "PERSON", 0.6)
    if said := _CHAT.now.match(text):
        word = said["s"].lower()
        if word not in _TO_ALL and _is_called(word):
            yield Finding(*said.span("s"), "PERSON", 0.9)
    for match in _PAID.now.finditer(text):
        words = [w.lower() for w in re.findall(r"[^\W\d_]{2,}", match["s"])]
        if any(map(_is_called, words)) and not ordinary(words[0]):
            yield Finding(*match.span("s"), "PERSON", 0.6)
    yield from (Finding(*m.span("s"), "PERSON", 0.6) for m in _RUSSIAN.now.finditer(text))
    for match in _KOREAN.finditer(text):
        if _called_in_korean(match["s"], match["end"]):
            yield Finding(*match.span("s"), "PERSON", 0.6)


def _is_called(word: str) -> bool:
    """Return whether a word in lower case is a name by a list, or of none."""
    return word in given_names() or is_listed(word) or heard_by_nobody(word)


def _may_be_called(word: str) -> bool:
    if word in _TO_ALL or word in UI_WORDS or word in common_words():
        return False
    return word in given_names() or is_listed(word) or not (ordinary(word) or known(word))


@lru_cache(maxsize=1)
def _syllables() -> tuple[frozenset[str], frozenset[str]]:
    lists = name_lists()
    return lists["ko first"], lists["ko second"]


def _called_in_korean(name: str, end: str) -> bool:
    """Return whether two syllables are a given name by what they are made of, and the vocative fits the last one: *야* behind an open one."""
    first, second = _syllables()
    opened = (ord(name[1]) - 0xAC00) % 28 == 0
    return name not in _KOREAN_NEVER and name[0] in first and name[1] in second and opened == (end == "야")
