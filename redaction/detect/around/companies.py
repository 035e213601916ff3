"""Companies by the words around them, in any case of letters: models know companies by their capitals, if at all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import CHAT, english, ordinary
from ...words.hinted import Hinted
from ...words.words import TECHNOLOGY, UI_WORDS, common_words, function_words

_SMALL = function_words("company") | CHAT | {"me", "us", "him", "them", "don't", "i'm"}
_FORMS = r"ltd|limited|llc|l\.l\.c|inc|incorporated|plc|gmbh|corp|corporation|llp|pty|s\.?a\.?r\.?l|b\.v|n\.v|s\.p\.a|s\.r\.l|ab|oy|a/s|kg|ohg|co"
_KINDS = (
    "technologies|software|systems|solutions|logistics|consulting|consultants|holdings?|partners|industries|ventures|capital|laborator(?:y|ies)|labs|bakery|dental|clinic|hospital|insurance|"
    "pharmaceuticals?|pharma|motors|airlines|airways|studios?|enterprises|associates|builders|foods|breweries|brewery|bank|trust|agency|realty|interiors|plumbing|farms|electric|steel|"
    "publishing|press|pictures|robotics|analytics|biotech|therapeutics|diagnostics|telecom|energy|petroleum|mining|shipping|freight|couriers?|hotels?|resorts?|restaurant|cafe|stores|"
    "outfitters|jewelers|attorneys|chambers|accountants|advisors|securities|finance|financial|research|institute|academy|university|college|foundation|orchestra|association|society|museum"
)
_TRADES = (
    "windows|doors|kitchens|bathrooms|carpets|flooring|roofing|heating|joinery|carpentry|pottery|ceramics|glassworks|castings|foundry|mills?|textiles|fabrics|garments|apparel|clothing|shoes|toys|books|bookshop|cycles|"
    "bikes|cars|autos|tyres|tires|tools|machinery|instruments|optics|media|films|records|games|sports|fitness|travel|tours|cruises|rail|trains|coaches|taxis|cabs|movers|removals|storage|packaging|paper|printing|prints|"
    "design|designs|digital|data|networks|wireless|mobile|broadband|communications|broadcasting|radio|oil|gas|solar|water|power|chemicals|plastics|metals|timber|lumber|cement|concrete|gardens|nursery|flowers|florists|"
    "catering|coffee|tea|wines?|winery|spirits|dairy|meats|butchers|seafood|fisheries|farm|seeds|pets|vets|veterinary|optical|pharmacy|chemists|care|homes|housing|estates|lettings|properties|property|mortgages|mutual|"
    "staffing|recruitment|security|cleaning|laundry|salon|spa|jewellery|jewelry|furniture|lighting|interiors|appliances|electronics|semiconductors?|aerospace|aviation|marine|yachts|boats|ambulance|express|"
    "deliver(?:y|ies)|transport|haulage|trucking|cargo|imports|exports|traders|trading|supplies|wholesale|retail|market|supermarkets?|stores?|outlet|boutique|fashion|cosmetics|beauty|photography|theatre|cinema|gallery"
)
"""What a company is called by behind its own name; without capitals, and behind a word that no list has, that name is a company's."""
_OF_A_KIND = re.compile(rf"{_KINDS}|and|&|of|group|bank|company|care|services", re.IGNORECASE)
_HEADS = "orchestra|foundation|university|college|institute|museum|hospital|clinic|company|corporation|association|academy|agency|church|bakery|brewery|firm"
_TOKEN = r"[^\W_][\w'’.&+-]*"
_FORMED = Hinted(
    rf"(?<![\w@.])(?P<s>{_TOKEN}(?:,?[ ]{_TOKEN}){{0,3}}?),?[ ](?P<form>{_FORMS})(?![\w@-])\.?", re.IGNORECASE
)
_KIND = Hinted(
    rf"(?<![\w@.])(?P<s>[^\W\d_a-z][\w'’&-]*(?:[ ](?:of|and|&|the|[^\W\d_a-z][\w'’&-]*)){{0,3}}?[ ](?P<kind>(?i:{_KINDS})))(?![\w@-])(?=\W|$)"
)
_OF = Hinted(
    r"\b(?P<s>(?:University|Bank|College|Museum|Hospital|City|Port|Institute|Church)\s+of\s+[^\W\d_a-z][\w'’-]+(?:\s+[^\W\d_a-z][\w'’-]+)?)"
)
_UNCASED_KIND = Hinted(
    rf"(?<![\w@.])(?P<s>{_TOKEN}(?:[ ]{_TOKEN}){{0,2}}?[ ](?P<kind>{_KINDS}))(?![\w@-])", re.IGNORECASE
)
_UNCASED_TRADE = Hinted(
    rf"(?<![\w@.])(?P<s>(?P<name>[^\W\d_]{{3,}})(?:[ ](?:&|and)[ ][^\W\d_]+)?[ ](?P<kind>{_TRADES}))(?![\w@-])",
    re.IGNORECASE,
)
_UNCASED_OF = Hinted(
    r"\b(?P<s>(?:university|bank|college|museum|hospital|port|institute|church)[ ]of[ ](?P<name>[^\W\d_]{3,}))(?![\w@-])",
    re.IGNORECASE,
)
_AND_SONS = Hinted(
    rf"(?<!\w)(?P<s>{_TOKEN}(?:[ ]{_TOKEN})?[ ](?:&|and)[ ](?:sons?|daughters?|brothers|co|partners|associates))(?!\w)",
    re.IGNORECASE,
)
_THREE = Hinted(
    r"(?<!\w)(?P<s>(?P<a>[^\W\d_][\w'’-]{2,}),[ ](?P<b>[^\W\d_][\w'’-]{2,}),?[ ](?:and|&)[ ](?P<c>[^\W\d_][\w'’-]{2,}))(?!\w)",
    re.IGNORECASE,
)
_HEADED = Hinted(
    rf"\bthe[ ](?P<s>(?:{_TOKEN},?[ ]){{1,4}})(?:{_HEADS}|office(?=[ ](?:is|in|at|on|was)\b))\b", re.IGNORECASE
)
_EMPLOYED = Hinted(
    r"\b(?:(?:works?|worked|working|employed|interns?|interned|consults?|consulted|hired|job|position|role|career|engineer|manager|director|founder|ceo|cto|cfo|president|partner|employee|colleagues?)[ ](?:at|for|by|with|of)|"
    r"on[ ]behalf[ ]of|according[ ]to|acquired[ ]by|invoice(?:[ ]from|[ ]for|[ ]to)|contract[ ](?:between|with)|billed[ ]to|(?:is|am|are|was|were)[ ](?:here[ ])?from)[ ](?P<s>"
    rf"{_TOKEN}(?:[ ](?:&|and[ ](?=sons|co\b)|{_TOKEN})){{0,3}})(?=[ ]*(?:[,;!?()\n]|\.(?:\s|$)|$)|[ ](?:in|at|on|for|as|since|and|was|is|has|who|where|to|from|until|with)\b)",
    re.IGNORECASE,
)
_CASUAL = r"resignation|acceptance|offer|employment|recruitment|rejection|recommendation|reference|onboarding"
_AFTER = Hinted(  # what stands before a company
    r"\b(?:welcome[ ]to|thanks?[ ]you[ ]for[ ](?:choosing|contacting|calling|shopping[ ]at|shopping[ ]with|banking[ ]with|flying[ ]with|staying[ ]at)|(?:shares|stock|stake|headquarters|offices?|branch(?:es)?|subsidiary|customers?|clients?|employees?|"
    r"shareholders?|members?|volunteers?|e-?mails?|letters?|calls?|bills?|messages?|offers?|tickets?|founders?|chairman|spokes(?:man|woman|person))[ ](?:of|in|at|from)|(?:merger|merged|partnership|partnered|interview(?:ed)?|policy|mortgage|appointment|internship|contract|account|subscription)[ ](?:with|at)|a[ ](?:company|firm|startup|business|bank|shop|store)[ ](?:called|named)|"
    r"(?:my|his|her|our|their)[ ](?:old|new|former|previous|current)?[ ]?(?:employer|landlord|insurer|bank|supplier|vendor),?|(?:ordered|bought|purchased|received|delivered|shipped|hired|fired|recruited|sold|published|sponsored|manufactured|supplied)[ ](?:it[ ]|this[ ]|them[ ])?(?:from|by|at)|"
    r"(?:quote|quotation|estimate|refund|reply|answer|response|voucher|coupon|discount|parcel|package|shipment|delivery|payment|receipt|statement|catalogu?e|brochure|newsletter|technician|electrician|plumber|courier|driver|consultant|someone|somebody|"
    r"guy|lady|man|woman|person|people|rep|advert|advertisement|complaint|survey|reminder)[ ](?:from|by|at|about)|(?:banks?|banked|banking|insured|flown|flying|trained|training|interned|stayed|staying|booked|renewed|registered)[ ](?:with|at|for)|"
    r"(?:runs|founded|co-founded|owns|took[ ]over|takes[ ]over|invests[ ]in|invested[ ]in|developed[ ]by|built[ ]by|funded[ ]by|backed[ ]by|owned[ ]by|run[ ]by|such[ ]as|rather[ ]than|competes?[ ]with|competing[ ]with)|"
    r"(?:apply|applied|applying|reapply)[ ](?:at|to|with)|(?:quit|left|joined|joining|leaving|sue|sued|suing)|meet(?:ing)?[ ](?:(?:on[ ])?(?:mon|tues|wednes|thurs|fri|satur|sun)day[ ]|you[ ]|us[ ]|me[ ]|there[ ])?at)[ ]"
    rf"(?P<s>{_TOKEN}(?:[ ](?:&|and[ ](?=sons|co\b)|{_TOKEN})){{0,3}}?)(?=[ ]*(?:[,;!?()\n]|\.(?:\s|$)|$)|[ ](?:in|at|on|for|as|since|and|was|is|has|had|who|where|to|from|until|with|last|this|next|yesterday|today|because|after|before|when|online)\b)",
    re.IGNORECASE,
)
_FOLLOWS = (  # what stands after a company
    rf"(?:(?:{_CASUAL})[ ]letter|headquarters|hq\b|(?:shares|stock)[ ](?:rose|fell|dropped|closed|gained|are|were|price)|(?:announced|reported|acquired|launched|declined[ ]to[ ]comment|offers|provides|sells|manufactures|produces|speciali[sz]es)\b|"
    r"(?:is|was)[ ](?:founded|established|based|headquartered|located|hiring|looking[ ]for|owned[ ]by|an?[ ](?:company|firm|bank|manufacturer|provider|start-?up|brand|leading|global|retailer|chain|non-?profit))\b|(?:credit|debit|gift|loyalty)[ ]card|"
    r"(?:ceo|cto|cfo|founder|co-founder|chairman|chairwoman|spokesperson|spokesman|spokeswoman|employee|executive|recruiter|representative|songwriter|lawyer|engineer|accountant|salesman|saleswoman|analyst|economist)[ ](?=(?-i:[^\W\d_a-z])|[^\W\d_]{3,}[ ][^\W\d_]{3,}))"
)
_BEFORE = Hinted(rf"(?<![\w@.])(?P<s>{_TOKEN}(?:,?[ ]{_TOKEN}){{0,4}}?)(?:'s)?[ ]{_FOLLOWS}", re.IGNORECASE)
_INITIALS = Hinted(
    r"\bthe[ ](?P<s>(?:[^\W\d_]\.){2,4})(?=[ ](?:office|headquarters|building|mission|is|has|was)\b)", re.IGNORECASE
)
_ASKED = Hinted(
    r"(?:\A|(?<=[.!?\n]\s))(?:(?:why|how|where|when|who|what)[ ](?:is|was|does|did|has)[ ](?P<s>[^\W\d_]{4,}(?:[ ][^\W\d_]{3,})?)[ ](?:so|always|never|not|such|late|here|there|doing|saying|coming|going|angry|sad|happy)\b|"
    r"(?P<s2>[^\W\d_]{4,}),[ ](?:can|could|would|will)[ ](?:i|you|we)\b)",
    re.IGNORECASE,
)
_CREDITED = Hinted(
    rf"\b(?:starring|(?:directed|written|sung|performed|produced|composed|painted|narrated|translated|illustrated|coached)[ ]by)[ ](?P<s>(?:{_TOKEN}[ ]){{0,2}}?{_TOKEN})(?=[ ]*(?:[,;!?()\n]|\.(?:\s|$)|$)|[ ](?:in|at|on|for|as|and|was|is|who|from|with)\b)",
    re.IGNORECASE,
)


_GATES = {
    pattern: Hinted(gate, re.IGNORECASE)
    for pattern, gate in (
        (_FORMED, rf"[ ](?:{_FORMS})(?![\w@-])"),
        (_KIND, rf"[ ](?:{_KINDS})(?![\w@-])"),
        (_UNCASED_KIND, rf"[ ](?:{_KINDS})(?![\w@-])"),
        (_UNCASED_TRADE, rf"[ ](?:{_TRADES})(?![\w@-])"),
        (_AND_SONS, r"[ ](?:&|and)[ ](?:sons?|daughters?|brothers|co|partners|associates)(?!\w)"),
        (_BEFORE, rf"[ ]{_FOLLOWS}"),
    )
}
"""What ends a match of a pattern that begins with any word: to look for that alone costs a tenth."""


def _matches(pattern: Hinted, text: str) -> Iterable[re.Match[str]]:
    return pattern.finditer(text) if _GATES[pattern].search(text) else ()


_TRADE = re.compile(rf"{_KINDS}|{_TRADES}", re.IGNORECASE)


def is_trade(word: str) -> bool:
    """Return whether companies are called so behind a name of their own: *storage*, *homes*."""
    return _TRADE.fullmatch(word) is not None


def find_companies(text: str) -> list[Finding]:
    """Companies, and people where the words around them leave nothing else."""
    if " " not in text and "\n" not in text:
        return []
    uncased = (text.islower() or text.isupper()) and text.count(" ") > 2
    return [*_companies(text, uncased), *_asked(text, uncased)]


def _asked(text: str, uncased: bool) -> Iterable[Finding]:
    """Yield someone who is spoken to, asked after, or credited."""
    for match in _ASKED.finditer(text):
        group = "s" if match["s"] is not None else "s2"
        if (uncased or match[group][0].isupper()) and _told(match[group]):
            yield Finding(*match.span(group), "PERSON", 0.5)
    for match in _CREDITED.finditer(text):
        if uncased or match["s"][0].isupper():
            small = [w.lower() for w in match["s"].split()]
            if not any(w in _SMALL or w in TECHNOLOGY for w in small) and (not uncased or _told(match["s"])):
                yield Finding(*match.span("s"), "PERSON", 0.5)


def _companies(text: str, uncased: bool) -> Iterable[Finding]:
    for match in _matches(_FORMED, text):
        start = _after_small(text, match.start("s"), match.end("s"), uncased)
        if start is not None and (uncased or match["form"][0].isupper()):
            if match["form"].lower() in ("co", "ab", "oy", "kg") and not (
                match["form"][0].isupper() and text[match.end() - 1] == "."
            ):
                continue
            yield Finding(start, match.end(), "ORGANIZATION", 0.7)
    if not uncased:
        for match in _matches(_KIND, text):
            if (
                match["s"][0].isupper()
                and _told(match["s"][: match.start("kind") - match.start("s")])
                and " " in text[: match.start()].strip() + " "
            ):
                yield Finding(*match.span("s"), "ORGANIZATION", 0.6)
        yield from (
            Finding(*m.span("s"), "ORGANIZATION", 0.6) for m in _OF.finditer(text) if _told(m["s"].rpartition(" ")[2])
        )
    else:
        for match in _matches(_UNCASED_KIND, text):
            start = _after_small(text, match.start("s"), match.start("kind"), True)
            if start is not None and not (text.isupper() and len(text.split()) < 3):
                yield Finding(start, match.end("s"), "ORGANIZATION", 0.6)
        yield from (
            Finding(*m.span("s"), "ORGANIZATION", 0.6)
            for m in _matches(_UNCASED_TRADE, text)
            if _unknown(m["name"]) and not english(m["name"]) and m["name"].lower() not in TECHNOLOGY
        )
        yield from (
            Finding(*m.span("s"), "ORGANIZATION", 0.6)
            for m in _UNCASED_OF.finditer(text)
            if not ordinary(m["name"]) and m["name"].lower() not in _SMALL
        )
    for match in _matches(_AND_SONS, text):
        start = _after_small(text, match.start("s"), match.end("s"), uncased)
        if start is not None:
            yield Finding(start, match.end("s"), "ORGANIZATION", 0.6)
    if uncased:
        for match in _THREE.finditer(text):
            if all(_unknown(match[g]) for g in "abc"):
                yield Finding(*match.span("s"), "ORGANIZATION", 0.5)
        for match in _HEADED.finditer(text):
            words = match["s"].replace(",", "").split()
            if not any(w.lower() in _SMALL - {"and"} for w in words) and (
                _told(match["s"]) or (len(words) > 1 and "office" not in match[0].lower())
            ):
                yield Finding(match.start("s"), match.start("s") + len(match["s"].rstrip()), "ORGANIZATION", 0.5)
    for pattern in (_EMPLOYED, _AFTER):
        for match in pattern.finditer(text):
            yield from _first_words(text, match, uncased, pattern is _EMPLOYED)
    for match in _matches(_BEFORE, text):
        yield from _last_words(text, match, uncased)
    yield from (Finding(*m.span("s"), "ORGANIZATION", 0.5) for m in _INITIALS.finditer(text))


def _first_words(text: str, match: re.Match[str], uncased: bool, told: bool) -> Iterable[Finding]:
    """Yield the company after words that announce one. ``told``: one of its words must be told from common ones, capital or not."""
    words = match["s"].split()
    while words and words[-1].lower() in _SMALL:
        words.pop()
    if not words or words[0].lower() in _SMALL or words[0].isdigit():
        return
    if not uncased:
        capitals = []
        for w in words:
            if not (w[0].isupper() or w in ("&", "and", "of")):
                break
            capitals.append(w)
        words = capitals
    if words and (_told(" ".join(words)) or (not told and not uncased and _proper(words))):
        end = match.start("s")
        for w in words:
            end = text.index(w, end) + len(w)
        yield Finding(match.start("s"), end, "ORGANIZATION", 0.5)


def _last_words(text: str, match: re.Match[str], uncased: bool) -> Iterable[Finding]:
    """Yield the company before words that only follow one."""
    words = list(re.finditer(r"[^\s,]+", text[match.start("s") : match.end("s")]))
    begin = len(words)
    while begin and words[begin - 1][0].lower() not in _SMALL - {"and", "of"}:
        if uncased and not (_unknown(words[begin - 1][0]) or _OF_A_KIND.fullmatch(words[begin - 1][0])):
            break  # without capitals a common word ends the name
        if not uncased and not (words[begin - 1][0][0].isupper() or words[begin - 1][0] in ("&", "and", "of")):
            break
        begin -= 1
    while begin < len(words) and words[begin][0].lower() in ("and", "of", "&"):
        begin += 1
    rest = [w[0] for w in words[begin:]]
    if rest and (
        _told(" ".join(rest)) or (not uncased and match.start("s") + words[begin].start() > 0 and _proper(rest))
    ):
        yield Finding(match.start("s") + words[begin].start(), match.end("s"), "ORGANIZATION", 0.5)


def _proper(words: list[str]) -> bool:
    """Whether words with capitals, common ones, may be a company's all the same: ``Compared Care``, but no program and no day."""
    small = [w.lower().strip(".,'’") for w in words]
    return not any(w in TECHNOLOGY or w in _SMALL or w in _TIMES for w in small) and any(len(w) > 3 for w in small)


_TIMES = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december today tomorrow yesterday
    english french german spanish settings account help support home page site
    """.split()  # noqa: SIM905
)


def _after_small(text: str, start: int, end: int, uncased: bool) -> int | None:
    """Return where a company's name begins: after the last small word before its form; None: nothing is left, or it is no name."""
    words = list(re.finditer(r"[^\s,]+", text[start:end]))
    begin = 0
    for at, w in enumerate(words):
        small = w[0].lower() in _SMALL - {"and", "of", "the"} or (at == begin and w[0].lower() in ("the", "and", "of"))
        if small or without_case(w[0]) or not (uncased or w[0][0].isupper() or w[0] in ("&", "and", "of", "the")):
            begin = at + 1
    rest = words[begin:]
    return start + rest[0].start() if rest and _told(" ".join(w[0] for w in rest)) else None


def without_case(word: str) -> bool:
    """Return whether a word is of a script that has no capitals: it is no part of a name that is told by its Latin words."""
    return word[0].isalpha() and word == word.swapcase()


def _unknown(word: str) -> bool:
    small = word.lower().strip(".,'’")
    return len(small) > 1 and small not in common_words() and small not in _SMALL


def _told(words: str) -> bool:
    """Return whether a word among these is neither of interfaces nor of technology, nor common."""
    return any(
        _unknown(w) and w.lower() not in UI_WORDS and w.lower() not in TECHNOLOGY
        for w in re.findall(r"[^\W\d_]+", words)
    )
