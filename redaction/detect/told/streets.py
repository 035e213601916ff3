"""Addresses whose house has more than a number: *Eerste Helmersstraat 14-hs*, *7 ter, avenue des Tilleuls*, *Door No. 4-18/2, Shanti Colony*."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.late import Late

_WORD = r"(?<![^\W\d_])[A-ZÀ-ÖØ-ÞĀ-ž][^\W\d_]{0,40}(?:['’.-][^\W\d_]{1,40}){0,4}"
"""A word of Latin letters with a capital: in a line of Chinese each letter would begin one that has no end."""
_DUTCH = Late(
    rf"(?:(?:(?:1e|2e|3e|{_WORD})[ ]){{0,3}})(?<![^\W\d_])(?-i:[A-ZÀ-ÖØ-ÞĀ-ž])[^\W\d_]{{0,40}}?(?:straat|laan|gracht|plein|kade|dijk|singel|weg|steeg|hof|markt|wal|kanaal|burgwal|gasse|straße|strasse|allee|platz|ring|damm|ufer|gata|gatan|vägen|vej|veien|katu|tie|utca)[ ]\d{{1,4}}"
    r"(?:[ -]?(?:hs|huis|bis|ter|boven|beneden|zwart|rood|zw|rd|III|II|IV|I|V)|[ ]?-[ ]?\d{1,3}[a-z]?|[ ]?[a-h]|(?:/\d{1,4}){1,3})(?![\w/])"
)
_FRENCH = Late(
    r"(?<![\w.,/-])\d{1,4}[ ]?(?:bis|ter|quater|quinquies|[a-d]),?[ ](?:rue|avenue|av\.|boulevard|bd\.?|place|chemin|allées?|impasse|quai|cours|route|ruelle|square|sente|passage|villa|cité|faubourg|résidence|lotissement|hameau)[ ]"
    r"(?:(?:de|du|des|la|le|les|l['’]|d['’]|saint|sainte|et|aux?)[ ]?|(?-i:[^\W\d_a-z])[\w'’-]*[ ]?){1,6}(?<=[^\s,])",
    re.IGNORECASE,
)
_INDIAN_PLACE = r"(?:nagar|colony|layout|street|road|marg|enclave|vihar|puram|pura|pally|palli|palle|bagh|chowk|gali|society|apartments?|sector|phase|block|town|township|estate|cross|main|garden|gardens|pet|peta|halli|wadi|mohalla|ganj|chawl|residency|towers?|heights|bazaar|bazar|lane|circle|extension|village|park)"
_INDIAN = Late(
    r"(?<![\w.])(?:(?:door|house|d\.|h\.|flat|plot|shop|ward|survey|sy\.|khasra|gala|qtr\.?|quarter|room|villa|block|unit)[ ]?(?:nos?\.?|number|#)|h\.?no\.?|d\.?no\.?)[ ]?[:.-]?[ ]?(?=[a-z-]{0,4}\d)[\w][\w/-]{0,14}"
    rf"(?:,[ ](?:[^\W\d_][\w.'’-]*[ ]){{0,3}}?{_INDIAN_PLACE}(?:[ ](?:no\.?[ ])?\d{{1,3}}[a-z]?)?(?!\w)){{0,3}}",
    re.IGNORECASE,
)
_ITALIAN = Late(
    r"(?<!\w)(?:via|viale|corso|piazza|largo|vicolo|strada|calle|c/|avenida|avda\.|rua|travessa|ul\.|ulica|al\.)[ ](?:[^\W\d_][\w'’.]*[ ]){1,4},?[ ]?\d{1,4}(?:/(?:bis|ter|[a-z]|\d{1,4})|[ ]?[a-f])(?:[ ](?:m\.|lok\.|int\.|sc\.|apto\.?)[ ]?\d{1,3})?(?![\w/])",
    re.IGNORECASE,
)
_OF = r"(?:de[ ](?:la|los|las)|del?|dell[ae]|degli|dei|di|das?|dos?|du|des|d['’]|l['’])"
_NO_HOUSE = r"(?![\w:,.]?\d|[ ]?(?:h|hs|horas|heures|ore|uhr|min|minutos|minutes|minuti|km|m|metros|mètres|metri|euros?|€|%|días|dias|jours|giorni|años|anos|ans|anni|personas|pessoas|persone|personnes|pm|am)\b)"
_SMALL = Late(
    rf"(?<![\w/-])(?:(?:calle|c/|avenida|avda\.?|rua|travessa|piazza|viale|vicolo|rue|ulica|impasse|praça)[ ](?:{_OF}[ ]?)?|(?:plaza|paseo|camino|ronda|via|largo|corso|place|avenue|boulevard|chemin|quai|allée|cours)[ ]{_OF}[ ]?)"
    rf"(?:(?:san|santa|são|saint|sainte|la|les?|los|las|el)[ ])?[^\W\d_]{{3,}}(?:[ ](?:{_OF}[ ]?)?[^\W\d_]{{3,}})?,?[ ](?:n[º°.]?[ ]?|número[ ]|numero[ ])?\d{{1,4}}[a-z]?(?!\w){_NO_HOUSE}",
    re.IGNORECASE,
)
"""As people write in a chat: *quedamos en plaza de los fueros 4*."""

_POLISH = Late(
    rf"(?:(?:(?:ul|al|os|pl)\.[ ])?(?:{_WORD}[ ]){{1,3}}\d{{1,4}}[a-z]?[ ]?(?:m|lok)\.[ ]?|(?:ul|al|os|pl)\.[ ](?:{_WORD}[ ]){{1,3}}\d{{1,4}}[a-z]?[ ]?/[ ]?)\d{{1,4}}(?![\w/.:,]\d|\w)"
)
"""With the flat behind the house: *Krucza 5 m. 31*."""
_TURKISH = Late(
    rf"(?:{_WORD}[ ]){{1,4}}(?:Mah(?:allesi|\.)?|Cad(?:desi|\.)?|Cd\.|Sok(?:ak|ağı|\.)?|Sk\.|Bulvarı|Bulv\.|Blv\.|Sitesi|Apt\.?),?(?:[ ][\wÇĞİÖŞÜçğıöşü.]+,?){{0,6}}?[ ]No[ ]?[:.]?[ ]?\d{{1,4}}(?:[/-][\w]{{1,4}})?(?:,?[ ](?:Kat|K|Daire|D|Da|Blok|İç[ ]Kapı(?:[ ]No)?)[ ]?[:.]?[ ]?\d{{1,4}}){{0,3}}",
    re.IGNORECASE,
)


def find_streets(text: str) -> Iterable[Finding]:
    """Yield such addresses."""
    if len(text) > 5_000 or not any(map(str.isdigit, text)):
        return
    for rule in (_DUTCH, _FRENCH, _INDIAN, _ITALIAN, _POLISH, _SMALL, _TURKISH):
        yield from (Finding(*m.span(), "ADDRESS", 0.9) for m in rule.now.finditer(text))
