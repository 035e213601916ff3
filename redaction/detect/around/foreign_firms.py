"""Companies and institutions by their legal forms in any country (*GmbH & Co. KG*, *S.L.*, *Sp. z o.o.*), and in German, French, Spanish, Italian, Portuguese and Dutch by the labels and
verbs before them: *Lieferant: …*, *chez …*, *trabaja en …*, *arbeitet bei …*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import english, ordinary
from ...words.late import Late
from ...words.words import TECHNOLOGY, UI_WORDS, given_names
from ..judging.foreign import evidence, known, strange

_LONGEST = 600
_MOST_OF_A_LABEL = 4
"""Words of a text that may be a caption, whose capitals say nothing."""
_TOKEN = r"[^\W_][\w'’.&+-]*"
_CAPITAL = r"(?-i:[^\W\d_a-zß-ÿ])[\w'’.&+-]*"
_LONG_FORMS = (
    r"GmbH[ ]?&[ ]?Co\.?[ ]?(?:KGaA|KG|OHG)|gGmbH|GmbH|mbH|Ltda\.?|Lda\.?|S\.[ ]?L\.(?:[ ]?U\.)?|S\.[ ]?A\.(?:[ ]?U\.|[ ]?S\.)?|S\.[ ]?r\.[ ]?l\.?|S\.[ ]?p\.[ ]?A\.?|SARL|S\.[ ]?à[ ]?r\.[ ]?l\.?|EURL|SASU|SELARL|Sp\.[ ]?z[ ]?o\.?[ ]?o\.?|"
    r"s\.[ ]?r\.[ ]?o\.?|d\.[ ]?o\.[ ]?o\.?|Kft\.?|Zrt\.?|ApS|Oyj|A/S|S/A|e\.[ ]?V\.|e\.[ ]?K\.|B\.[ ]?V\.|N\.[ ]?V\.|Sdn\.?[ ]Bhd\.?|Pvt\.?[ ]Ltd\.?|Pte\.?[ ]Ltd\.?|Pty\.?[ ]Ltd\.?|Co\.,?[ ]Ltd\.?|K\.[ ]?K\.|C\.I\.C\.|UG[ ]\(haftungsbeschränkt\)|EIRELI|OOO|ООО"
)
_SHORT_FORMS = r"AG|SE|KG|OHG|UG|eG|eV|SA|SAS|SL|SLU|SpA|Srl|BV|NV|AB|HB|Oy|AS|ASA|SNC|SCA|CIC|CIO|PBC|LLP|LP|KK|SPRL|BVBA|VOF|CV|OÜ|UAB|SIA|SRL"
_FORMED = Late(
    rf"(?<![\w@.])(?P<s>{_CAPITAL}(?:,?[ ](?:{_CAPITAL}|&|und|et|y|e|de|del|da|do|dos|di|van|la|le|les|des|d['’]{_TOKEN}|{_CAPITAL})){{0,5}}?),?[ ](?P<form>{_LONG_FORMS}|{_SHORT_FORMS})(?![\w@&-])"
)
_UNCASED_FORMED = Late(
    rf"(?<![\w@.])(?P<s>{_TOKEN}(?:[ ](?:{_TOKEN})){{0,4}}?),?[ ](?P<form>{_LONG_FORMS}|oy|kg|ag|bv|srl|sas)(?![\w@&-])",
    re.IGNORECASE,
)
_GATE = re.compile(rf"[ ](?:{_LONG_FORMS}|{_SHORT_FORMS})(?![\w@&-])", re.IGNORECASE)
_NAME = rf"(?P<s>{_CAPITAL}(?:[ ](?:(?:&|und|et|y|e|de|del|de[ ]la|da|do|dos|das|di|della|van|der|des|du|la|le|les|l['’]|d['’])[ ]?)?{_CAPITAL}){{0,4}})"
_LABELS = (
    r"empresa|empleador|proveedor|cliente|compañía|razón[ ]social|colegio|universidad|banco|société|entreprise|employeur|fournisseur|client|raison[ ]sociale|organisme|établissement|banque|école|entidade[ ]patronal|empregador|"
    r"fornecedor|razão[ ]social|escola|universidade|faculdade|azienda|ditta|datore[ ]di[ ]lavoro|fornitore|ragione[ ]sociale|ente|banca|scuola|firma|arbeitgeber|lieferant|kunde|auftraggeber|auftragnehmer|unternehmen|"
    r"spediteur|reederei|schule|bedrijf|werkgever|leverancier|klant|opdrachtgever|bedrijfsnaam|unternehmensname|firmenname|nombre[ ]de[ ]la[ ]empresa|nome[ ]da[ ]empresa"
)
_LABELLED = Late(
    rf"(?:\A|(?<=[|·•\t\n/;,(]))[ ]*(?:{_LABELS})[ ]?[:=][ ]*(?P<s>[^|·•\t\n;:()]{{2,60}}?)(?=[ ]*(?:\Z|[|·•\t\n;()]|,[ ]|\.[ ]))",
    re.IGNORECASE,
)
_ARTICLE = r"(?:(?:der|dem|den|die|das|la|el|los|las|le|les|o|a|os|as|il|lo|gli|de|het)[ ]|l['’])?"
_FRAMES = Late(
    rf"(?<![\w-])(?i:(?:arbeit(?:et|e|en|ete)|tätig|angestellt|beschäftigt|einkäufer(?:in)?|praktikum|ausbildung|konto|kunde|kundin|bestellt|versichert|trabaj[ao]s?|trabajaba|trabajó|trabalh[ao]s?|trabalhava|trabalhou|travaill(?:e|es|ait|é)|"
    rf"lavor[aoi]|lavorava|werkt|werk|werkte|empleado|empleada|employée?|estudia|studiert|étudie|estuda|studia|cuenta|compte|conta|pedido|commandé|contrat|contrato|contratto|rechnung|facture|factura|fatura|fattura)"
    rf"(?:[ ][^\W\d_]+|[ ](?:als|como|comme|come)(?:[ ][^\W\d_]+){{1,2}})?[ ](?:bei|beim|für|von|an|chez|pour|à|au|auprès[ ]de|en|para|con|de|del|na|no|em|presso|per|da|alla|bij|voor|van)|chez|(?:arbeitet|arbeite|bin|ist|war|sind)[ ]bei(?:m)?|(?:au|du|por|pelo|pela|al)[ ](?=(?-i:Banco|Banque)))[ ]{_ARTICLE}{_NAME}"
)
_FIRM = Late(
    rf"(?<![\w-])(?i:firm(?:a|ie|y|ą|ę|aet|aen)|przedsiębiorst\w+|spółk\w+|företag(?:et)?|bedrijf|empresa|société|ditta|azienda|compania|cég|şirket(?:i)?|yritys|tvrtk\w+)[ ][\"„»«“']?{_NAME}"
)
"""The word for a company and its name: *w firmie Zielony Dom*."""
_FRAME_GATE = re.compile(
    r"\b(?:bei|beim|für|von|an|chez|pour|en|para|con|de|del|na|no|em|presso|per|da|alla|bij|voor|van|à|au|du|por|pelo|pela|al)[ ]",
    re.IGNORECASE,
)


def find_foreign_firms(text: str) -> Iterable[Finding]:
    """Yield companies by their form, and in these languages by what stands before them."""
    if len(text) > _LONGEST:
        return
    uncased = text.islower() or text.isupper()
    if _GATE.search(text):
        for match in (_UNCASED_FORMED if uncased else _FORMED).now.finditer(text):
            if (start := _own(text, match.start("s"), match.end("s"), uncased)) is not None:
                yield Finding(start, match.end(), "ORGANIZATION", 0.7)
    if ":" in text or "=" in text:
        for match in _LABELLED.now.finditer(text):
            words = re.findall(r"[^\W\d_]{2,}", match["s"])
            if words and (uncased or words[0][0].isupper()) and _tells(words, uncased):
                yield Finding(*match.span("s"), "ORGANIZATION", 0.5)
    if not uncased:
        for match in _FIRM.now.finditer(text):
            words = re.findall(r"[^\W\d_]{2,}", match["s"])
            if (len(words) > 1 and len(text.split()) > _MOST_OF_A_LABEL) or _tells(words, uncased):
                yield Finding(*match.span("s"), "ORGANIZATION", 0.5)
    if not uncased and _FRAME_GATE.search(text) and (found := evidence(text))[1] >= found[0]:
        for match in _FRAMES.now.finditer(text):
            words = re.findall(r"[^\W\d_]{2,}", match["s"])
            if any(w[0].isupper() and strange(w) for w in words) or (len(words) > 1 and _tells(words, uncased)):
                yield Finding(*match.span("s"), "ORGANIZATION", 0.5)


def _own(text: str, start: int, end: int, uncased: bool) -> int | None:
    """Return where the own name of a company begins; None: no word of it is its own."""
    words = list(re.finditer(r"[^\s,]+", text[start:end]))
    if uncased:
        begin = max(
            (i + 1 for i, w in enumerate(words) if ordinary(w[0]) and w[0].lower() not in given_names()), default=0
        )
        words = words[begin:] or []
        if not words or not any(not english(w[0]) for w in words):
            return None
    own = [w for w in words if re.search(r"[^\W\d_]{2}", w[0])]
    if not own or not any(_is_own(w[0].strip(".,'’")) for w in own):
        return None
    return start + words[0].start()


def _is_own(word: str) -> bool:
    small = word.lower()
    return (
        small not in UI_WORDS
        and small not in TECHNOLOGY
        and not (ordinary(small) and known(small))
        and not word.isupper()
    )


def _tells(words: list[str], uncased: bool) -> bool:
    """Return whether what a label announces is a name rather than words of the interface: *Empresa: Nome da empresa*."""
    capitals = [w for w in words if w[0].isupper()] if not uncased else words
    own = [w for w in capitals if w.lower() not in UI_WORDS and w.lower() not in TECHNOLOGY]
    if any(strange(w) and not ordinary(w) for w in own):
        return True
    return not uncased and len(own) > 1 and len(own) == len(capitals)
