"""Companies, positions and countries by the words around them, in any case of letters: models know companies by their capitals, if at all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .types import Finding
from .words import TECHNOLOGY, UI_WORDS, common_words

_SMALL = frozenset(
    """
    a an the and or but of in on at to for from by with as is are was were be been am i you he she it we they my your his her our their its this that these those who whom
    which not no has have had do does did can could will would should may might must please if so than then there here what when where why how about into over after before
    up down out off just only also very more most some any all each near via per under between during since until while because both
    """.split()  # noqa: SIM905
)
_FORMS = r"ltd|limited|llc|l\.l\.c|inc|incorporated|plc|gmbh|corp|corporation|llp|pty|s\.?a\.?r\.?l|b\.v|n\.v|s\.p\.a|s\.r\.l|ab|oy|a/s|kg|ohg|co"
_KINDS = (
    "technologies|software|systems|solutions|logistics|consulting|consultants|holdings?|partners|industries|ventures|capital|laborator(?:y|ies)|labs|bakery|dental|clinic|hospital|insurance|"
    "pharmaceuticals?|pharma|motors|airlines|airways|studios?|enterprises|associates|builders|foods|breweries|brewery|bank|trust|agency|realty|interiors|plumbing|farms|electric|steel|"
    "publishing|press|pictures|robotics|analytics|biotech|therapeutics|diagnostics|telecom|energy|petroleum|mining|shipping|freight|couriers?|hotels?|resorts?|restaurant|cafe|stores|"
    "outfitters|jewelers|attorneys|chambers|accountants|advisors|securities|finance|financial|research|institute|academy|university|college|foundation|orchestra|association|society|museum"
)
_HEADS = "orchestra|foundation|university|college|institute|museum|hospital|clinic|company|corporation|association|academy|agency|church|bakery|brewery|firm"
_TOKEN = r"[^\W_][\w'’.&+-]*"
_FORMED = re.compile(
    rf"(?<![\w@.])(?P<s>{_TOKEN}(?:,?[ ]{_TOKEN}){{0,3}}?),?[ ](?P<form>{_FORMS})(?![\w@-])\.?", re.IGNORECASE
)
_KIND = re.compile(
    rf"(?<![\w@.])(?P<s>[^\W\d_a-z][\w'’&-]*(?:[ ](?:of|and|&|the|[^\W\d_a-z][\w'’&-]*)){{0,3}}?[ ](?P<kind>(?i:{_KINDS})))(?![\w@-])(?=\W|$)"
)
_OF = re.compile(
    r"\b(?P<s>(?:University|Bank|College|Museum|Hospital|City|Port|Institute|Church)\s+of\s+[^\W\d_a-z][\w'’-]+(?:\s+[^\W\d_a-z][\w'’-]+)?)"
)
_AND_SONS = re.compile(
    rf"(?<!\w)(?P<s>{_TOKEN}(?:[ ]{_TOKEN})?[ ](?:&|and)[ ](?:sons?|daughters?|brothers|co|partners|associates))(?!\w)",
    re.IGNORECASE,
)
_THREE = re.compile(
    r"(?<!\w)(?P<s>(?P<a>[^\W\d_][\w'’-]{2,}),[ ](?P<b>[^\W\d_][\w'’-]{2,}),?[ ](?:and|&)[ ](?P<c>[^\W\d_][\w'’-]{2,}))(?!\w)",
    re.IGNORECASE,
)
_HEADED = re.compile(
    rf"\bthe[ ](?P<s>(?:{_TOKEN},?[ ]){{1,4}})(?:{_HEADS}|office(?=[ ](?:is|in|at|on|was)\b))\b", re.IGNORECASE
)
_EMPLOYED = re.compile(
    r"\b(?:(?:works?|worked|working|employed|interns?|interned|consults?|consulted|hired|job|position|role|career|engineer|manager|director|founder|ceo|cto|cfo|president|partner|employee|colleagues?)[ ](?:at|for|by|with|of)|"
    r"on[ ]behalf[ ]of|according[ ]to|acquired[ ]by|invoice(?:[ ]from|[ ]for|[ ]to)|contract[ ](?:between|with)|billed[ ]to|(?:is|am|are|was|were)[ ](?:here[ ])?from)[ ](?P<s>"
    rf"{_TOKEN}(?:[ ](?:&|and[ ](?=sons|co\b)|{_TOKEN})){{0,3}})(?=[ ]*(?:[,;!?()\n]|\.(?:\s|$)|$)|[ ](?:in|at|on|for|as|since|and|was|is|has|who|where|to|from|until|with)\b)",
    re.IGNORECASE,
)
_TITLE_BEFORE_NAME = re.compile(r"(?<![\w.])(?:mr|mrs|ms|mx|dr|prof)\b\.?(?=\s+[^\W\d_]{2})", re.IGNORECASE)
_OCCUPATION = (
    "accountant|actor|actress|adviser|advisor|architect|attendant|attorney|auditor|baker|barista|bartender|bookkeeper|butcher|carer|carpenter|cashier|caterer|chef|chemist|clerk|coach|conductor|"
    "consultant|cook|counsel|counselor|dentist|designer|detective|dispatcher|distributor|doctor|driver|economist|electrician|engineer|estimator|farmer|firefighter|foreman|geologist|hairdresser|"
    "instructor|interpreter|janitor|jeweler|journalist|lawyer|lecturer|librarian|machinist|mechanic|midwife|musician|nanny|notary|nurse|officer|optician|painter|paralegal|paramedic|pharmacist|"
    "photographer|physician|physiotherapist|pilot|plumber|porter|principal|professor|psychiatrist|psychologist|receptionist|recruiter|researcher|roofer|scientist|secretary|solicitor|specialist|"
    "statistician|steward|stewardess|supervisor|surgeon|surveyor|tailor|teacher|technician|therapist|trader|translator|tutor|underwriter|veterinarian|waiter|waitress|welder|composer|novelist|"
    "songwriter|programmer|analyst|assessor|inspector|planner|operator|handler|fitter|installer|ranger|warden|guard|cleaner|worker|laborer|labourer|salesperson|salesman|saleswoman|buyer|broker|banker"
)
_POSITION = re.compile(
    rf"\b(?:(?:is|was|am|are|became|become|i'm|he's|she's|being|as|hired|promoted|appointed)[ ](?:[a-z]+[ ]as[ ])?(?:an?|the|our|its|their|my|his|her)[ ](?:new[ ]|former[ ])?)(?P<s>(?:[a-z][\w-]*[ ](?:and[ ])?){{0,3}}?(?:{_OCCUPATION}))(?![\w-])|"
    rf"\b(?:our|its|their|my|his|her|new)[ ](?P<s2>(?:(?:chief|regional|general|area|district|national|global|senior|junior|lead|head|deputy|assistant|finance|financial|technical|marketing|sales|operations|managing|executive|creative|legal|medical|human|resources|store|branch|project|product|account|office)[ ]){{1,3}}"
    rf"(?:{_OCCUPATION}|manager|director|officer|president|executive|assistant|lead|partner|representative))(?![\w-])",
    re.IGNORECASE,
)
_COUNTRIES = (
    "Afghanistan|Albania|Algeria|Andorra|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahamas|Bahrain|Bangladesh|Barbados|Belarus|Belgium|Belize|Benin|Bhutan|Bolivia|Bosnia(?: and Herzegovina)?|Botswana|"
    "Brazil|Brunei|Bulgaria|Burkina Faso|Burundi|Cambodia|Cameroon|Canada|Cape Verde|Chile|China|Colombia|Comoros|Congo|Costa Rica|Croatia|Cuba|Cyprus|Czechia|Czech Republic|Denmark|Djibouti|Ecuador|Egypt|El Salvador|"
    "Eritrea|Estonia|Eswatini|Ethiopia|Fiji|Finland|France|Gabon|Gambia|Germany|Ghana|Greece|Greenland|Grenada|Guatemala|Guinea|Guyana|Haiti|Honduras|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|"
    "Ivory Coast|Jamaica|Japan|Kazakhstan|Kenya|Kosovo|Kuwait|Kyrgyzstan|Laos|Latvia|Lebanon|Lesotho|Liberia|Libya|Liechtenstein|Lithuania|Luxembourg|Madagascar|Malawi|Malaysia|Maldives|Malta|Mauritania|Mauritius|"
    "Mexico|Moldova|Monaco|Mongolia|Montenegro|Morocco|Mozambique|Myanmar|Namibia|Nepal|Netherlands|New Zealand|Nicaragua|Nigeria|North Korea|North Macedonia|Norway|Oman|Pakistan|Palestine|Panama|Papua New Guinea|"
    "Paraguay|Peru|Philippines|Poland|Portugal|Qatar|Romania|Russia|Rwanda|Saudi Arabia|Senegal|Serbia|Seychelles|Sierra Leone|Singapore|Slovakia|Slovenia|Somalia|South Africa|South Korea|South Sudan|Spain|Sri Lanka|"
    "Sudan|Suriname|Sweden|Switzerland|Syria|Taiwan|Tajikistan|Tanzania|Thailand|Togo|Tunisia|Turkmenistan|Türkiye|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States(?: of America)?|Uruguay|Uzbekistan|"
    "Venezuela|Vietnam|Yemen|Zambia|Zimbabwe"
)
_COUNTRY_FIRST = re.compile(
    rf"\A\W*(?P<s>{_COUNTRIES})(?='s\b|:|,?[ ](?:[a-z]|[^\W\d_a-z][\w'’-]*[ ][^\W\d_]+[ ][^\W\d_]))", re.IGNORECASE
)
_COUNTRY_LINE = re.compile(
    rf"^[^\w\n]*(?:\d{{3,6}}[ ])?(?P<s>{_COUNTRIES})(?:[ ]\d{{3,6}})?[^\w\n]*$", re.IGNORECASE | re.MULTILINE
)


def find_companies(text: str) -> list[Finding]:
    """Companies, positions and countries."""
    uncased = (text.islower() or text.isupper()) and text.count(" ") > 2
    return [*_companies(text, uncased), *_positions(text, uncased), *_countries(text)]


def _companies(text: str, uncased: bool) -> Iterable[Finding]:
    for match in _FORMED.finditer(text):
        start = _after_small(text, match.start("s"), match.end("s"), uncased)
        if start is not None and (uncased or match["form"][0].isupper()):
            if match["form"].lower() in ("co", "ab", "oy", "kg") and not (
                match["form"][0].isupper() and text[match.end() - 1] == "."
            ):
                continue
            yield Finding(start, match.end(), "ORGANIZATION", 0.7)
    if not uncased:
        for match in _KIND.finditer(text):
            if (
                _told(match["s"][: match.start("kind") - match.start("s")])
                and " " in text[: match.start()].strip() + " "
            ):
                yield Finding(*match.span("s"), "ORGANIZATION", 0.6)
        yield from (
            Finding(*m.span("s"), "ORGANIZATION", 0.6) for m in _OF.finditer(text) if _told(m["s"].rpartition(" ")[2])
        )
    for match in _AND_SONS.finditer(text):
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
    for match in _EMPLOYED.finditer(text):
        value = match["s"]
        words = value.split()
        while words and words[-1].lower() in _SMALL:
            words.pop()
        if not words or words[0].lower() in _SMALL or words[0].isdigit():
            continue
        if not uncased:
            capitals = []
            for w in words:
                if not (w[0].isupper() or w in ("&", "and", "of")):
                    break
                capitals.append(w)
            words = capitals
        if words and _told(" ".join(words)):
            end = match.start("s")
            for w in words:
                end = text.index(w, end) + len(w)
            yield Finding(match.start("s"), end, "ORGANIZATION", 0.5)


def _after_small(text: str, start: int, end: int, uncased: bool) -> int | None:
    """Return where a company's name begins: after the last small word before its form; None: nothing is left, or it is no name."""
    words = list(re.finditer(r"[^\s,]+", text[start:end]))
    begin = 0
    for at, w in enumerate(words):
        small = w[0].lower() in _SMALL - {"and", "of", "the"} or (at == begin and w[0].lower() in ("the", "and", "of"))
        if small or not (uncased or w[0][0].isupper() or w[0] in ("&", "and", "of", "the")):
            begin = at + 1
    rest = words[begin:]
    return start + rest[0].start() if rest and _told(" ".join(w[0] for w in rest)) else None


def _unknown(word: str) -> bool:
    small = word.lower().strip(".,'’")
    return len(small) > 1 and small not in common_words() and small not in _SMALL


def _told(words: str) -> bool:
    """Return whether a word among these is neither of interfaces nor of technology, nor common."""
    return any(
        _unknown(w) and w.lower() not in UI_WORDS and w.lower() not in TECHNOLOGY
        for w in re.findall(r"[^\W\d_]+", words)
    )


def _positions(text: str, uncased: bool) -> Iterable[Finding]:
    if uncased:
        yield from (Finding(*m.span(), "TITLE", 0.6) for m in _TITLE_BEFORE_NAME.finditer(text))
    for match in _POSITION.finditer(text):
        yield Finding(*match.span("s" if match["s"] else "s2"), "TITLE", 0.5)


def _countries(text: str) -> Iterable[Finding]:
    if text.count(" ") > 2 and (match := _COUNTRY_FIRST.match(text)):
        yield Finding(*match.span("s"), "LOCATION", 0.6)
    if "\n" in text:
        yield from (Finding(*m.span("s"), "LOCATION", 0.6) for m in _COUNTRY_LINE.finditer(text))
