"""Companies by the nouns and labels around them: *my Tarnow account*, *Tarnow's customer service*, *At Tarnow, we*, *Supplier: Tarnow*."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import CHAT, english, ordinary
from ...words.hinted import Hinted
from ...words.words import LANGUAGES, TECHNOLOGY, UI_WORDS, function_words

_SMALL = function_words("company") | function_words("small") | CHAT
_WORD = r"[^\W\d_][\w'’.+-]*"
_NAME = rf"(?P<s>{_WORD}(?:[ ](?:&[ ]|and[ ](?=(?-i:[^\W\d_a-z])))?{_WORD}){{0,3}}?)"
_OWNED = (
    "account|bill|invoice|subscription|policy|membership|statement|contract|loan|mortgage|card|representative|rep|agent|employee|employees|store|stores|shop|branch|website|site|app|helpline|hotline|support|team|"
    "customers?|clients?|staff|office|offices|headquarters|building|factory|plant|warehouse|order|delivery|driver|courier|customer[ ]service|customer[ ]support|shares|stock|products?|services?|competitors?|management|"
    "lawyers?|spokes(?:man|woman|person)|ceo|cfo|cto|founder|board|subsidiary|brand|franchise|dealership|parts|manual|warranty|newsletter|conference|campus|canteen|logo"
)
_MIDDLE = Hinted(
    rf"\b(?:my|your|his|her|our|their|an?|the|this|that|of|from|at|to|with|by|via|new)[ ]{_NAME}[ ](?:{_OWNED})(?![\w-])",
    re.IGNORECASE,
)
_POSSESSIVE = Hinted(
    rf"(?<![\w@.-]){_NAME}['’]s[ ](?:[a-z]+[ ])?(?:{_OWNED}|policies|pricing|prices|ceo|quality|reputation|profits?|revenues?|earnings|merger|bankruptcy|acquisition|announcement)(?![\w-])",
    re.IGNORECASE,
)
_AT = Hinted(
    rf"(?:\A|(?<=[.!?\n]\s)|(?<=\n))(?:here[ ])?at[ ]{_NAME},[ ](?:we|our|you|they|employees|customers|everyone|people|all)\b",
    re.IGNORECASE,
)
_LABELLED = Hinted(
    rf"(?:^|(?<=[|·•\t\n/;,(]))[ ]*(?:(?:current|previous|former|last|your|parent|main|implementing|lead|ship|prime|trading)[ -])?(?:company|employer|organi[sz]ation|client|supplier|vendor|firm|business|merchant|bank|insurer|payee|carrier|manufacturer|"
    rf"contractor|subcontractor|institution|school|university|college|hospital|clinic|practice|account|deal|insured|assured|broker|owner|owners|charterers?|partner|partners|donor|funder|sponsor|landlord|lessor|lessee|beneficiary|publisher|retailer|distributor|consignee|shipper|"
    rf"consignor|operator|agency|subsidiary|brand|lender|borrower|tenant|customer|buyer|seller|charity|ngo|union|workplace|place[ ]of[ ]work|trading[ ]as|lieferant|exhibitor|agent|line|terminal|(?:bill(?:ed)?|sold|invoiced?|remit|paid|payable)[ ]to)(?:[ ](?:name|of[ ]record))?(?:[ ]?[:=][ ]*|(?<=organisation)\n|(?<=organization)\n|(?<=employer)\n|(?<=company)\n|(?<=supplier)\n|(?<=vendor)\n|(?<=school)\n|(?<=employer)[ ](?=(?-i:[^\W\d_a-z])))"
    rf"(?P<s>{_WORD}(?:[ ](?:&[ ])?{_WORD}){{0,4}})(?=[ ]*(?:$|[|·•\t\n/;,(]|[ ][–—-][ ]))",
    re.IGNORECASE | re.MULTILINE,
)
_CALLING = Hinted(
    rf"\b(?:this[ ]is|i'm|i[ ]am|it's|its|my[ ]name[ ]is|hi|hello|hey|spoke[ ](?:to|with)|met|ask|call|contact)[,]?[ ](?:{_WORD}[ ]){{1,3}}?(?:from|at|with|of)[ ]{_NAME}(?=[ ]*(?:[,;!?()\n]|\.(?:\s|$)|$)|[ ](?:and|about|who|regarding|on|for|in|im|i'm|here|calling)\b)",
    re.IGNORECASE,
)
_SUBJECT = Hinted(
    rf"(?:\A|(?<=[.!?\n]\s)|(?<=\n)|(?<=that[ ])|(?<=because[ ])|(?<=and[ ])|(?<=but[ ]))(?:the[ ])?{_NAME}[ ](?:(?:has|have|had|will|would)[ ](?:never[ ]|not[ ]|already[ ]|just[ ]|also[ ])?(?:sent|hired|fired|charged|refunded|shipped|delivered|cancelled|canceled|acquired|bought|sold|announced|"
    rf"launched|laid[ ]off|refused|raised|merge|merged|acquire|hire|sponsor|sponsored|renew|renewed|offered|billed|overcharged)|charged[ ](?:me|us)|refunded|shipped|delivered[ ](?:my|our|the)|sent[ ](?:me|us)|sells|sold[ ](?:me|us)|makes|manufactures|owes|sponsors|employs|hires|charges|offers)(?![\w-])",
    re.IGNORECASE,
)
_STOP = r"(?=[ ]*(?:[,;!?()\n:]|\.(?:\s|$)|$)|[ ](?:in|at|on|for|as|since|and|was|were|is|are|has|have|had|who|which|where|when|to|from|until|with|last|this|next|yesterday|today|because|after|before|about|by|over|attn|ref|said|will|would|fell|rose|join|joins)\b)"
_NEWS = Hinted(
    rf"\b(?:(?:(?:any|some|no|more|the|good|bad|latest)[ ])?(?:news|word|update|updates|feedback|payment|payments|invoices?|goods|paperwork|documents|reply|quote|po|purchase[ ]order|order|delivery|shipment|call|email|mail|complaint|request|proposal|offer|bid|tender|remittance(?:[ ]advice)?|visitors?|someone|anyone|"
    rf"(?:reps?|guys|people|team|folks|crew)|driver|engineer|auditors?)[ ]from|"
    rf"(?:exec|rep|manager|lead|counsel|partner|working|worked|pitch(?:ed|ing)?|quote[ds]?|demo(?:ed)?|call|meeting|renewal|kick-?off|onboarding|deal|contract|deadline|migration)[ ](?:on|with|for|to)|"
    rf"(?:joined|joins|joining|hired|moved|moving|came|comes|transferred|switched|poached|seconded|defected|headhunted)[ ](?:[^\W\d_][\w'’&-]*[ ]){{0,4}}?(?:over[ ])?(?:from|to)|"
    rf"(?:subsidiary|division|unit|arm|branch|brand|part|affiliate|member|offshoot|spin-?off|franchisee|sister[ ]company|parent(?:[ ]company)?|owners?|operators?|makers?|publishers?|manufacturers?|customers?|clients?|creditors?|shareholders?|directors?|editors?|founders?|trustees?|chairs?|representative|agents?|treasurer)[ ]of|"
    rf"(?:formerly(?:[ ]known[ ]as)?|trading[ ]as|doing[ ]business[ ]as|d/b/a|dba|t/a|a/k/a|renamed|rebranded[ ]as|merged[ ](?:with|into)|taken[ ]over[ ]by|bought[ ]by|owned[ ]by|run[ ]by|operated[ ]by|funded[ ]by|insured[ ](?:with|by)|banks?[ ]with|represents|represented[ ]by|supplied[ ]by|"
    rf"supplies|drives[ ]for|drove[ ]for|flies[ ]for|sails[ ]for|plays[ ]for|start(?:s|ed)?[ ]at|starting[ ]at|temps?[ ]at|temping[ ]at|freelanc(?:es|ing)[ ]for|interning[ ]at|volunteers?[ ](?:at|with|for)|enrolled[ ]at|studies[ ]at|teaches[ ]at|admitted[ ]to|referred[ ](?:to|by)|discharged[ ]from|chartered[ ](?:by|to)|"
    rf"consigned[ ]to|escalate[ ]to|invoice[ ]to|sold[ ]to|bill(?:ed)?[ ]to|ship(?:ped)?[ ]to|deliver(?:ed)?[ ]to|(?:salary|card[ ]payment|faster[ ]payment|bacs|direct[ ]debit|standing[ ]order)(?:[ ](?:to|from|cancelled[ ]for|for|by))?|payable[ ]to|pay[ ]to|donated[ ]to|donation[ ]to|grant[ ](?:to|from)|loan[ ](?:to|from)|thanked|thanks[ ]to))[ ](?:the[ ])?{_NAME}{_STOP}",
    re.IGNORECASE,
)
"""What stands before a company or a person: whose it is makes no difference to what is masked."""
_BETWEEN = Hinted(
    rf"\b(?:merger|deal|contract|agreement|partnership|dispute|talks|joint[ ]venture|lawsuit|case|transfer|settlement|match|game|fixture|mou|alliance)[ ](?:\w+[ ]){{0,2}}?between[ ](?:the[ ])?{_NAME}[ ]and[ ](?:the[ ])?(?P<b>{_WORD}(?:[ ]{_WORD}){{0,3}}?){_STOP}",
    re.IGNORECASE,
)
_SIGNED = Hinted(
    rf"(?:\A|(?<=[.!?\n]\s)|(?<=\n)|(?<=:[ ])){_NAME}[ ](?:(?:has|have|just|finally|still|also|now|already|again)[ ])*(?:signed|churned|renewed|cancelled|canceled|replied|paid|owes?|wants?|approved|rejected|accepted|declined|ordered|(?:is|are)[ ](?:waiting|asking|late|overdue|closed|happy|unhappy|on[ ]hold|not[ ]happy|up[ ]for[ ]renewal|expecting)|"
    rf"(?:have|has)[ ]not[ ](?:paid|replied|answered|returned|signed|delivered|confirmed)|still[ ](?:have|has|need|needs|owe|owes)|haven['’]?t|hasn['’]?t|won['’]?t[ ](?:pay|sign|deliver|answer)|keeps?[ ](?:calling|asking|saying)|went[ ](?:bust|under|bankrupt|live|into)|filed[ ]for|(?:said|says)[ ](?:it|they|that|on)|confirmed|denied)\b",
    re.IGNORECASE,
)
_GROUPS = Hinted(
    rf"\b(?:bidders|suppliers|clients|customers|partners|sponsors|members|competitors|lenders|investors|vendors|exhibitors|contractors|carriers|tenants|brands|agencies|charities|firms|companies|banks|schools|hospitals|insurers|employers|retailers|donors|publishers|airlines|shipowners|operators|signatories|creditors)"
    rf"(?:,)?(?:[ ](?:include|includes|included|including|such[ ]as|like|are|were|is)|:)[ ](?P<list>(?:the[ ])?{_WORD}(?:(?:[ ]|,[ ]|[ ]&[ ]){_WORD}){{0,14}})",
    re.IGNORECASE,
)
_PATTERNS = (_MIDDLE, _POSSESSIVE, _AT, _CALLING, _SUBJECT)
_GATE = Hinted(
    rf"\b(?:{_OWNED})\b|\b(?:at|from|of|with)[ ]|[:=]|\b(?:has|have|had|will|would|charged|refunded|shipped|delivered|sent|sells|sold|makes|owes|employs)\b",
    re.IGNORECASE,
)


def find_firms(text: str) -> list[Finding]:
    """Return companies that what stands around them tells. Each word of one has a capital, or is no word of the language where there are none."""
    if " " not in text or len(text) > 2_000 or not _GATE.search(text):
        return []
    uncased = text.islower() or text.isupper()
    found = [f for pattern in _PATTERNS for m in pattern.finditer(text) for f in _named(text, *m.span("s"), uncased)]
    for pattern in (_NEWS, _SIGNED):
        for match in pattern.finditer(text):
            found += _named(text, *match.span("s"), uncased)
    for match in _BETWEEN.finditer(text):
        found += [*_named(text, *match.span("s"), uncased), *_named(text, *match.span("b"), uncased)]
    for match in _GROUPS.finditer(text):
        found += _each(text, match, uncased)
    return [*found, *(f for m in _LABELLED.finditer(text) for f in _labelled(text, m))]


def _named(text: str, start: int, end: int, uncased: bool) -> Iterable[Finding]:
    words = list(re.finditer(r"[^\s,]+", text[start:end]))
    while words and (words[0][0].lower() in _SMALL or (not uncased and not words[0][0][0].isupper())):
        words.pop(0)
    plain = [w[0].strip(".'’") for w in words if w[0] != "&"]
    if not plain or any(p.lower() in _SMALL - {"and", "of"} for p in plain):
        return
    if uncased:
        told = any(not english(p) for p in plain) and all(not ordinary(p) for p in plain)
        told = told or (1 < len(plain) < 4 and not english(plain[0]) and not any(p.lower() in UI_WORDS for p in plain))
    else:
        told = all(p[0].isupper() or p.lower() in ("and", "of") for p in plain) and any(not ordinary(p) for p in plain)
        told = told and not (len(plain) == 1 and plain[0].isupper() and len(plain[0]) < 6)
    if (
        told
        and not any(p.lower() in TECHNOLOGY or p.lower() in LANGUAGES for p in plain)
        and not all(p.lower() in UI_WORDS for p in plain)
    ):
        yield Finding(start + words[0].start(), start + words[-1].end(), "ORGANIZATION", 0.5)


def _each(text: str, match: re.Match[str], uncased: bool) -> Iterable[Finding]:
    """Yield those of a list: *Bidders include A, B and C*."""
    at = match.start("list")
    for piece in re.split(r"(,[ ](?:and[ ])?|[ ]and[ ])", match["list"]):
        words = []
        for word in re.finditer(r"\S+", piece):
            if word[0].lower() in _SMALL and word[0].lower() not in ("the", "of", "&"):
                break
            if not uncased and not (word[0][0].isupper() or word[0] in ("the", "of", "&")):
                break
            words.append(word)
        if words:
            yield from _named(text, at + words[0].start(), at + words[-1].end(), uncased)
        at += len(piece)


_FORM = 12
"""Lines up to which a text is one form or card."""
_ASKS = re.compile(
    r"[ ]*(?:(?:current|previous|former|last|your)[ ])?(?:company|employer|supplier|vendor|insurer|payee|consignee|sponsor|workplace|(?:bill(?:ed)?|sold|invoiced?|remit|paid|payable)[ ]to)\b",
    re.IGNORECASE,
)
"""Labels of a company and of nothing else."""


def _called(words: list[str]) -> bool:
    """Return whether two words or more, each with a capital, are no words of the interface: *Company: The Copper Kettle*."""
    own = [w for w in words if w.lower() not in ("the", "of", "and", "&")]
    return (
        len(own) > 1
        and all(w[0].isupper() and w.lower() not in TECHNOLOGY for w in own)
        and sum(w.lower() not in UI_WORDS for w in own) * 2 > len(own)
    )


def _labelled(text: str, match: re.Match[str]) -> Iterable[Finding]:
    words = match["s"].split()
    named = _ASKS.match(match[0]) and text.count("\n") < _FORM and _called(words)
    if named or (
        any(not ordinary(w) and w.lower() not in TECHNOLOGY and w.lower() not in UI_WORDS for w in words)
        and not any(w.lower() in _SMALL - {"and", "of"} for w in words)
    ):
        yield Finding(*match.span("s"), "ORGANIZATION", 0.5)
