"""What somebody works as in German, French, Spanish, Italian, Portuguese and Dutch: *Leiterin Einkauf*, *Directrice des achats*, *Jefe de taller*.

A position counts beside a name, and alone where it says of what: interfaces have a *Responsable*, too, but none *des ventes*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding

_GERMAN = (
    r"(?:[^\W\d_]*(?:leiter|führer|berater|beauftragter?|referent|techniker|ingenieur|meister|verkäufer|sekretär|pfleger|fahrer|schlosser|händler|lehrer|erzieher|buchhalter|anwalt|planer|disponent|monteur|"
    r"gärtner|friseur|architekt|apotheker|richter|sachbearbeiter|mechaniker|elektriker|therapeut|redakteur|lagerist|kassierer|kellner)(?:in)?|[^\W\d_]+(?:kaufmann|kauffrau|schwester|ärztin|arzt|anwältin|köchin|koch)|assistent(?:in)?|vorstand|prokurist(?:in)?)"
)
_FRENCH = (
    r"(?:direct(?:eur|rice)|responsable|chef(?:fe)?|chargée?|assistante?|gérante?|ingénieure?|infirmi(?:er|ère)|comptable|vendeu(?:r|se)|conseill(?:er|ère)|secrétaire|technicien(?:ne)?|coordinat(?:eur|rice)|avocate?|"
    r"médecin|professeure?|boulang(?:er|ère)|cuisini(?:er|ère)|coiffeu(?:r|se)|serveu(?:r|se)|juriste|adjointe?|président(?:e)?)"
)
_SOUTHERN = (
    r"(?:director[ae]?|jef[ea]|gerente|responsable|encargad[oa]|coordinador[a]?|ingenier[oa]|enfermer[oa]|contador[a]?|vendedor[a]?|asesor[a]?|secretari[oa]|técnic[oa]|abogad[oa]|médic[oa]|profesor[a]?|cociner[oa]|camarer[oa]|"
    r"direttore|direttrice|responsabile|capo|addett[oa]|impiegat[oa]|ingegnere|infermier[ea]|ragionier[ea]|commess[oa]|consulente|segretari[oa]|tecnico|avvocato|medico|insegnante|"
    r"diretor[a]?|chefe|responsável|coordenador[a]?|engenheir[oa]|enfermeir[oa]|assessor[a]?|secretári[oa]|advogad[oa]|professor[a]?)"
)
_DUTCH = r"(?:[^\W\d_]*(?:medewerk(?:er|ster)|leider|leidster|adviseur|verpleegkundige|boekhoud(?:er|ster)|verkop(?:er|ster)|chauffeur|monteur|leraar|lerares)|huisarts|directeur|bedrijfsleider)"
_OF = r"(?:[ ](?:de[ ]la|de[ ]los|de[ ]las|dei|degli|delle|della|dell['’]|del|al|alle?|agli|des|du|d['’]|de|da|do|dos|das|für|für[ ]den|im|der|van|voor|à|aux?|en|in)[ ]?[^\W\d_][\w'’-]+(?:[ ](?:(?:y|e|et|und|en)[ ])?[^\W\d_][\w'’-]+)?)"
_NOUN = r"(?:[ ](?-i:[^\W\d_a-z])[\w-]+(?:[ ](?:und|&)[ ](?-i:[^\W\d_a-z])[\w-]+)?|[ ](?:generale?s?|comerciale?s?|commerciale?s?|financi(?:er|ère|ero|era|eiro|eira)|técnic[oa]|technique|tecnico|administrativ[oa]|administrati(?:f|ve)|juridique|general|comercial))"
_ANY = rf"(?:(?:stellvertretende[rn]?|leitende[rn]?|vice-?|sous-|sub|co-)[ ]?)?(?:{_GERMAN}|{_FRENCH}|{_SOUTHERN}|{_DUTCH})"
_SAYS = rf"{_ANY}(?:{_OF}|{_NOUN})"
_NAMED = r"(?-i:[^\W\d_a-z][\w'’-]+(?:[ ][^\W\d_a-z][\w'’.-]+)+)"
_ALONE = re.compile(
    rf"(?:\A|(?<=[|\t\n/(]))[ ]*(?P<s>{_SAYS})[ ]*(?=\Z|[|\t\n/)]|,[ ](?-i:[^\W\d_a-z]))", re.IGNORECASE
)
_BESIDE = re.compile(
    rf"(?:\A|(?<=[|\t\n]))[ ]*(?P<s>{_ANY}(?:{_OF}|{_NOUN})?)[ ]?(?:[:–—-]|,)[ ](?={_NAMED}[ ]*(?:\Z|[|\t\n,;]))|(?<![\w-]){_NAMED}(?:,[ ]|[ ][(|·–—-][ ]?|\t)(?P<s2>{_ANY}(?:{_OF}|{_NOUN})?)(?=[ ]*(?:\Z|[|\t\n,;).]))",
    re.IGNORECASE,
)
_UNCASED = re.compile(rf"\A[ ]*(?P<s>{_ANY}{_OF})[ ]*(?=\Z|[|\t\n,])", re.IGNORECASE)
_GATE = re.compile(
    r"leiter|führer|berat|beauftrag|refer|techn|ingen|meist|verk|sekret|pfleg|fahrer|schloss|händl|lehr|erzieh|buchh|anw|planer|dispon|mont|gärtn|fris|archit|apoth|richter|arbeit|mechan|elektr|therap|redak|lager|kass|kelln|kauf|"
    r"schwester|arzt|ärztin|koch|köchin|assist|vorstand|prokur|direct|respons|chef|charg|gér|ing[eé]|infirm|compt|vend|conseill|secr|coord|avoc|m[eé]d|prof|boul|cuis|coiff|serveu|jurist|adj|présid|jef|gerente|"
    r"encarg|enferm|contad|ases|abog|cocin|camar|dirett|capo|addett|impieg|infermi|ragion|commess|consul|segret|avvoc|insegn|diret|engenh|assess|advog|werk|leid|advis|adviseur|verpleeg|boekh|chauff|lera|huisarts|bedrijf",
    re.IGNORECASE,
)


def find_foreign_jobs(text: str) -> Iterable[Finding]:
    """Yield positions in these languages: alone where they say of what, and beside a name."""
    if len(text) > 400 or not _GATE.search(text):
        return
    for pattern in (_UNCASED,) if text.islower() or text.isupper() else (_ALONE, _BESIDE):
        for match in pattern.finditer(text):
            group = "s" if match["s"] else "s2"
            yield Finding(*match.span(group), "TITLE", 0.5)
