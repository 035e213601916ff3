"""Companies of ordinary words in a text that is all lower or all upper case: *worked as a tailor for golden needle*, *invoice from paper moon records*, *employer: quiet engine*.

Nothing in such words says that they are a name, so that what stands around them must: a frame that only employers and suppliers stand in, up to where the sentence ends or goes on, or
a label of a company and of nothing else. What is found of a company already takes the trade behind it along.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import CHAT, english, noun
from ...words.late import Late
from ...words.words import TECHNOLOGY, UI_WORDS, function_words, names_businesses
from .companies import is_trade

_SMALL = function_words("company") | function_words("small") | CHAT
_LONGEST = 600
_WORD = r"[^\W\d_][\w'’-]+"
_NAME = rf"(?P<s>{_WORD}(?:[ ](?:&[ ]|and[ ](?=more\b|sons?\b|co\b)|of[ ])?{_WORD}){{1,3}}?)"
_STOP = (
    r"(?=[ ]*(?:[,;!?()\n|]|\.(?:\s|\Z)|\Z)|[ ](?:in|at|on|for|as|since|and|was|were|is|are|has|have|had|who|which|where|when|to|from|until|with|last|this|next|yesterday|today|tomorrow|because|after|before|"
    r"about|by|over|said|will|would|arrived|came|went|again|now|but|so)\b)"
)
_FRAMES = Late(
    rf"(?<![\w-])(?:(?:works?|worked|working|employed|interned?|job|freelanc(?:es?|ed|ing)|temp(?:s|ed)?|volunteer(?:s|ed)?|driv(?:es?|ing)|drove|sings?|sang|plays?|played|rides?|rode)(?:[ ]as[ ](?:an?[ ])?{_WORD}(?:[ ]{_WORD})?|[ ](?:part|full)[ -]time|[ ]nights)?[ ](?:at|for|by)|"
    rf"(?:produced|written|recorded|designed|filmed|painted|made)[ ]by[ ]{_WORD}(?:[ ]{_WORD}){{0,2}}[ ]for|on[ ]behalf[ ]of|(?:invoices?|invoiced|quotes?|quoted|estimates?|remittance|receipts?|payslips?|p45|parcels?|deliver(?:y|ies)|orders?|flowers|cakes?|catering|food|drinks|photos|music|decorations|hire[ ]car|van|furniture|uniforms?|tiles|timber|parts)[ ](?:from|by)|"
    rf"(?:acquired|bought|taken[ ]over|sponsored|catered|insured|supplied|fitted|installed|serviced|managed|owned|hired|employed|sacked|audited|represented|published|produced|recorded|brewed|baked|built|designed|organised|organized)[ ](?:out[ ])?by|"
    rf"(?:switched|moved|defected|transferred|seconded)[ ](?:over[ ])?(?:to|from)|left[ ]{_WORD}[ ]for|(?:contract|account|policy|mortgage|apprenticeship|internship|placement|interview)[ ](?:with|at))[ ]"
    rf"{_NAME}{_STOP}",
    re.IGNORECASE,
)
_FRAME_GATE = re.compile(r"[ ](?:at|for|by|of|from|to|with)[ ]", re.IGNORECASE)
_LABELLED = Late(
    r"(?:\A|(?<=[|·•\t\n/;,(]))[ ]*(?:(?:current|previous|former|last)[ ])?(?:company|employer|supplier|vendor|insurer|payee|consignee|sponsor|workplace|contractor|subcontractor|caterer|(?:bill(?:ed)?|sold|invoiced?|remit|paid|payable)[ ]to|"
    r"empresa|empleador|proveedor|empleadora|entreprise|employeur|fournisseur|empregador|fornecedor|azienda|ditta|datore[ ]di[ ]lavoro|fornitore|firma|arbeitgeber|lieferant|werkgever|leverancier|bedrijf|arbetsgivare|leverantör|arbeidsgiver|arbejdsgiver|pracodawca|zaměstnavatel|munkáltató|işveren)"
    rf"[ ]?[:=][ ]*(?:the[ ])?(?P<s>{_WORD}(?:[ ](?:(?:&|and|of|und|et|y|e|de|di)[ ])?{_WORD}){{1,4}})(?=[ ]*(?:\Z|[|·•\t\n/;,(]))",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?<!\w)(?:ооо|оао|зао|пао|ао|ип|тов|фоп)[ ](?:[«„“\"][^«»„“”\"\n]{2,50}[»“”\"])", re.IGNORECASE)
_GENERIC = frozenset(
    """
    company companies firm firms business businesses school schools hospital hospitals restaurant restaurants bank banks shop shops store stores hotel hotels people customers clients users days weeks months years hours
    week month year day time times living free money fun work home life reasons purposes events projects things stuff staff team teams group groups everyone someone example ages mail email post hand phone train car bus
    card cash default request server client house ones others way part parts side end level levels night morning evening afternoon
    """.split()  # noqa: SIM905
)
"""What somebody works for or by without being a company: *works for good money*, *delivered by hand*."""
_NOT_FIRST = frozenset(
    """
    local new old other another same different several many large small big good great bad next last first second own various certain some any all both each every few more most such less long short full free public
    private your our his her their its my the this that these those one two three four five six ten
    """.split()  # noqa: SIM905
)


def find_firms_without_capitals(text: str) -> Iterable[Finding]:
    """Yield such companies."""
    if len(text) > _LONGEST or not (text.islower() or text.isupper()):
        return
    if _FRAME_GATE.search(text):
        yield from (
            Finding(*m.span("s"), "ORGANIZATION", 0.5) for m in _FRAMES.now.finditer(text) if _may_be_called(m["s"])
        )
    if ":" in text or "=" in text:
        yield from (
            Finding(*m.span("s"), "ORGANIZATION", 0.5) for m in _LABELLED.now.finditer(text) if _may_be_called(m["s"])
        )
    if not text.isascii():
        yield from (Finding(*m.span(), "ORGANIZATION", 0.5) for m in _QUOTED.finditer(text))


def _may_be_called(said: str) -> bool:
    """Return whether a company may be called by these words: two or more, the last one a thing's."""
    words = [w.lower() for w in re.findall(r"[^\W\d_][\w'’-]*", said)]
    own = [w for w in words if w not in ("and", "of", "und", "et", "y", "e", "de", "di")]
    if len(own) < _LEAST or own[0] in _NOT_FIRST or own[-1] in _GENERIC:
        return False
    if any(w in _SMALL - {"more"} or w in TECHNOLOGY or w.endswith("ly") for w in own):
        return False
    if _is_trade(own[-1]):
        return any(w not in UI_WORDS for w in own)
    return sum(w in UI_WORDS for w in own) * 2 <= len(own) and (noun(own[-1]) or not english(own[-1]) or "and" in words)


_LEAST = 2
_BEHIND = re.compile(rf"[ ](?P<w>{_WORD})(?![\w'’-])")
_PREPOSED = re.compile(
    r"(?:\A|\b(?:for|from|by|at|to|with|of|bij|bei|chez|på|hos|in|and|did|does|has|the)[ ])\Z", re.IGNORECASE
)
_ENDS = re.compile(
    rf"{_STOP[:-1]}|[ ](?:begin|began|start|started|open|close|tenants?|account|invoice)\b)", re.IGNORECASE
)


def with_its_trade(text: str, span: Finding) -> Iterable[Finding]:
    """Yield a company that is found together with the word behind it by which such are called: *tallow hill* **storage**."""
    if not (text.islower() or text.isupper()):
        return
    behind = _BEHIND.match(text, span.end)
    if behind is None:
        return
    preposed = span.start > 0 and _PREPOSED.search(text, max(0, span.start - 8), span.start) is not None
    for word in (behind, _BEHIND.match(text, behind.end())):  # the trade may stand behind a word of the name
        if word is None:
            return
        small = word["w"].lower()
        if _ENDS.match(text, word.end()) and (
            _is_trade(small) if word is not behind or span.entity != "ORGANIZATION" or not preposed else _thing(small)
        ):
            yield Finding(span.start, word.end(), "ORGANIZATION", 0.5)
            return
        if not preposed or not _thing(small):
            return


def _is_trade(small: str) -> bool:
    return names_businesses(small) or is_trade(small)


def _thing(small: str) -> bool:
    return _is_trade(small) or (small not in UI_WORDS and small not in _SMALL and noun(small))
