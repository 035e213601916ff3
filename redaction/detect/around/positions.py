"""What somebody works as: occupations with what stands before them, by the words around, in a list or alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import english
from ...words.hinted import Hinted
from ...words.late import Late
from ..judging.foreign import is_foreign

_LISTED = (
    "accountant|actor|actress|actuary|adjuster|adviser|advisor|anesthetist|apprentice|architect|archivist|attorney|auditor|baker|bailiff|barber|barista|barrister|bartender|beautician|biologist|bookkeeper|botanist|bricklayer|"
    "butcher|butler|caretaker|carer|caregiver|carpenter|cashier|caterer|chauffeur|chaplain|chef|chemist|chiropractor|choreographer|clergyman|clerk|concierge|consultant|cook|counsel|counsellor|counselor|"
    "courier|curator|custodian|decorator|dentist|designer|detective|developer|dietitian|dispatcher|doctor|economist|electrician|engineer|estimator|farmer|firefighter|fisherman|florist|foreman|forester|gardener|geologist|"
    "glazier|groundskeeper|hairdresser|handyman|headteacher|housekeeper|hydrologist|hygienist|illustrator|intern|interpreter|investigator|janitor|jeweler|jeweller|joiner|journalist|judge|landscaper|lawyer|lecturer|librarian|"
    "lifeguard|locksmith|machinist|magistrate|maid|mason|mathematician|mechanic|microbiologist|midwife|miner|musician|nanny|neurologist|notary|novelist|nurse|nutritionist|optician|optometrist|orderly|paralegal|paramedic|"
    "pediatrician|pharmacist|photographer|physician|physicist|physiotherapist|pianist|pilot|plasterer|plumber|poet|policeman|policewoman|postman|potter|priest|principal|professor|programmer|prosecutor|psychiatrist|"
    "psychologist|psychotherapist|radiographer|radiologist|realtor|receptionist|registrar|reporter|researcher|roofer|salesman|salesperson|saleswoman|sailor|scientist|sculptor|seamstress|secretary|sheriff|singer|"
    "solicitor|sommelier|songwriter|specialist|statistician|steward|stewardess|stylist|supervisor|surgeon|surveyor|tailor|teacher|technician|technologist|teller|therapist|translator|treasurer|tutor|undertaker|underwriter|"
    "usher|vet|veterinarian|vicar|waiter|waitress|warehouseman|watchmaker|welder|writer|zoologist"
)
_LEARNED = r"(?:ologist|ographer|iatrist|ician|keeper|maker|smith)"
_PEOPLE = rf"{_LISTED}|[a-z]{{3,30}}{_LEARNED}"
"""Words for people alone."""
_THINGS_TOO = (
    "administrator|agent|aide|ambassador|analyst|assembler|assessor|assistant|associate|attendant|broker|buyer|captain|chair|chairman|chairwoman|cleaner|coach|commissioner|conductor|controller|coordinator|co-ordinator|"
    "correspondent|councillor|dealer|deputy|director|distributor|driver|editor|examiner|executive|facilitator|fitter|governor|guard|handler|inspector|installer|instructor|laborer|labourer|lead|leader|liaison|manager|master|"
    "mayor|member|merchandiser|minister|officer|operative|operator|organiser|organizer|owner|packer|painter|partner|picker|planner|porter|president|producer|ranger|rep|representative|retailer|scheduler|sister|staff|"
    "strategist|tester|trader|trainer|trainee|trustee|vendor|warden|worker"
)
"""Words that programs use as well, or that say little alone."""
_RANK = (
    "senior|sr\\.?|junior|jr\\.?|chief|deputy|assistant|associate|vice|acting|interim|trainee|apprentice|regional|registered|certified|chartered|licensed|freelance|executive|managing|principal|lead|head|staff|general|area|"
    "district|national|global|international|group|team|shift|night|day|duty|part-time|full-time|retired|former|founding|visiting|adjunct|emeritus|honorary"
)
_FIELD = (
    "account|accounts|payable|receivable|accounting|payroll|finance|financial|marketing|sales|operations|procurement|purchasing|human|resources|hr|legal|compliance|quality|assurance|product|project|program|programme|"
    "technical|technology|information|data|software|hardware|network|security|customer|client|community|public|relations|media|communications?|creative|art|arts|design|content|brand|research|development|engineering|"
    "manufacturing|production|plant|warehouse|logistics|supply|chain|transport|transportation|fleet|maintenance|facilities|safety|health|healthcare|care|medical|clinical|nursing|dental|school|training|education|learning|"
    "investment|insurance|claims|credit|loan|tax|audit|risk|retail|store|shop|branch|office|administrative|business|event|events|hospitality|kitchen|restaurant|hotel|travel|tourism|estate|property|construction|site|field|"
    "service|services|support|recruitment|recruiting|talent|strategy|innovation|digital|web|sustainability|environmental|policy|partnerships?|protection|privacy|laboratory|lab|library|museum|animal|child|social|youth|"
    "police|fire|traffic|harbour|harbor|port|flight|cabin|train|bus|truck|taxi|crane|forklift|machine|forensic|civil|mechanical|electrical|chemical|structural|aerospace|nuclear|systems?|solutions|database|cloud|machine|"
    "front-end|back-end|frontend|backend|full-stack|mobile|game|graphic|interior|fashion|landscape|music|film|television|radio|news|sports?|fitness|speech|occupational|physical|mental|personal|private|federal|state|city|county"
)
RANKS = frozenset(re.sub(r"[\\\\?.]", "", _RANK).split("|"))
FIELDS = frozenset(re.sub(r"\(.*?\)\??|\?", "", _FIELD).split("|")) | {
    "communications",
    "company",
    "partnership",
    "sport",
    "system",
}
_OF = r"(?:[ ](?:of|for)[ ](?:the[ ])?[^\W\d_]+(?:[ ](?:and|&)[ ][^\W\d_]+|[ ](?:services|resources|relations|development|affairs|education|operations|management|security|success))?)"
_SHORT = r"ceo|cto|cfo|coo|cio|cmo|ciso|vp|svp|evp"
_WORDS = r"(?:[^\W\d_][\w'’&/-]*[ ](?:and[ ]|&[ ])?)"
_RANKED = (  # a rank says that a person follows, whatever field it is
    rf"(?:(?:{_RANK})[ -]){{1,2}}{_WORDS}{{0,2}}?(?:{_PEOPLE}|{_THINGS_TOO}){_OF}?"
)
_FIELDED = rf"(?:(?:{_RANK})[ -])?(?:(?:{_FIELD})[ ](?:and[ ]|&[ ])?){{1,3}}(?:{_PEOPLE}|{_THINGS_TOO}){_OF}?"
_HEADED = rf"(?:(?:{_RANK})[ ]){{0,2}}(?:head|director|vice[ -]president|chief|secretary|minister|professor|dean|chair|manager|president|leader|member){_OF}"
_EXECUTIVE = rf"(?:(?:co-)?founder(?:[ ](?:and|&)[ ](?:{_SHORT}|director))?|(?:{_SHORT})(?:{_OF}|[ ](?:{_FIELD})(?:[ ](?:and|&)[ ](?:{_FIELD}))?(?![\w'’-]))?|(?:executive[ ]|senior[ ])?vice[ -]president{_OF}?|managing[ ]director|personal[ ]assistant)"
_ANY = rf"(?:{_EXECUTIVE}|{_HEADED}|{_RANKED}|{_FIELDED}|{_WORDS}{{1,4}}(?:{_PEOPLE})|(?:{_PEOPLE}))"
_LINE = Late(rf"{_ANY}", re.IGNORECASE)
_LOOSE = Late(rf"{_WORDS}{{1,4}}(?:{_PEOPLE}|{_THINGS_TOO})", re.IGNORECASE)
_SEGMENT = re.compile(r"[^|·•—–\t\n/();,:]+")
_INTRODUCES = (
    r"(?:works?|worked|working|serv(?:es?|ed|ing)|hired|employed|appointed|trained|training|retired|job|career|position|promoted|volunteers?)[ ]as[ ](?:an?[ ]|the[ ]|our[ ]|their[ ])?|"
    r"\A[^\w]*as[ ](?:an?[ ]|the[ ]|our[ ])?|"
    r"(?:becom(?:e|es|ing)|became)[ ](?:an?[ ]|the[ ]|our[ ]|their[ ])?|"
    r"(?:is|was|am|are|i'm|he's|she's|being|been)[ ](?:an?|the|our|its|their|my|his|her)[ ](?:new[ ]|former[ ]|old[ ])?|"
    r"(?:promoted|appointed|elected|named|nominated)[ ](?:to[ ])?(?:the[ ]|an?[ ])?|"
    r"(?:used[ ]to[ ]be|to[ ]be)[ ](?:an?|the|our|their)[ ]"
)
_ENDS = r"(?![\w'’-])"
_SAID = Late(
    rf"(?<![\w-])(?:{_INTRODUCES})(?P<s>{_EXECUTIVE}|{_HEADED}|{_RANKED}|{_FIELDED}|{_WORDS}{{0,2}}?(?:{_PEOPLE})){_ENDS}",
    re.IGNORECASE,
)
_OURS = Late(
    rf"(?<![\w-])(?:our|its|their|my|his|her|your|the|an?|new|as|by|with|to|from|and)[ ](?:new[ ]|former[ ]|old[ ])?"
    rf"(?P<s>(?:(?:senior|junior|chief|deputy|assistant|vice|acting|interim|regional|chartered|executive|managing|head|lead)[ -]){{1,2}}{_WORDS}{{0,2}}?(?:{_PEOPLE}|{_THINGS_TOO}){_OF}?"
    rf"|(?:(?:acting|deputy|interim|assistant)[ ])?(?:head|director|vice[ -]president|dean|minister|professor)[ ]of[ ](?!(?:the|an?|this|that|our|my|your|its?|their|his|her)\b)[^\W\d_]+|(?:{_FIELD})[ ](?:{_PEOPLE}|director|manager|officer|executive|representative)){_ENDS}",
    re.IGNORECASE,
)
_LABELLED = Late(
    rf"(?:^|(?<=[|·•—–\t\n/;,(]))[ ]*(?:job|job[ ]title|role|position|occupation|profession|designation|rank|title)[ ]?[:=][ ]*(?P<s>{_ANY})(?=[ ]*(?:$|[|·•—–\t\n/;,.()]))",
    re.IGNORECASE | re.MULTILINE,
)
_SIGNED = Late(
    rf"(?<![\w-])(?P<s>{_EXECUTIVE}|{_HEADED}|{_RANKED}|{_FIELDED}|(?:{_PEOPLE}))(?=,?[ ](?-i:[^\W\d_a-z][^\W\d_]+[ ][^\W\d_a-z][^\W\d_]+))",
    re.IGNORECASE,
)
"""What stands right before a person's two names: ``deputy mayor Ann Ward``."""
_TITLE_BEFORE_NAME = Hinted(r"(?<![\w.])(?:mr|mrs|ms|mx|dr|prof)\b\.?(?=\s+[^\W\d_]{2})", re.IGNORECASE)
_GATE = Hinted(
    rf"(?:{_LISTED}|(?<=[a-z]{{3}}){_LEARNED}|{_THINGS_TOO}|head|dean|chief|professor|secretary|(?<!\w)(?:{_SHORT}|founder))(?!\w)",
    re.IGNORECASE,
)
"""What a position ends with or holds."""
TOOLS = re.compile(
    r"\b(?:task|file|password|package|download|window|session|plugin|extension|tag|font|bookmark|process|print|device|driver|service|web|event|message|display|desktop|volume|boot|settings|add-on|state|layout|route)"
    r"[ ](?:manager|worker|handler|driver|broker|inspector|editor|controller|operator|installer|planner|owner|agent)s?\b",
    re.IGNORECASE,
)
"""Programs that are called as people are."""
EDITORS = re.compile(
    r"(?:ticket|page|wiki|table|code|text|template|theme|form|workflow|formula|query|source|image)[ ]editors?",
    re.IGNORECASE,
)
"""Programs that one writes with, and nobody's position."""
PANELS = re.compile(
    r"(?:property|properties|object|element|component|style|variable|attribute)[ ](?:inspector|editor)s?", re.IGNORECASE
)
"""Parts of a program's window that are called so, where such a text is all there is."""
NO_POSITION = re.compile(
    r"\b(?:click|press|select|choose|add|edit|delete|remove|open|close|create|save|please|you|is|are|was|not|all|no|any|this|that|when|if|how|what|find|search|view|show|new|by|per|versus|vs)\b",
    re.IGNORECASE,
)
_WHOSE = re.compile(r"\A(?:[^\W\d_][\w'’]*[ ]){0,3}(?:the|an?|our|my|their|his|her|your)[ ](?=[^\W\d_])", re.IGNORECASE)
"""What stands before a position in a sentence: ``ask the building manager``, ``he's the drama teacher``."""
_LONGEST = 60


def find_positions(text: str) -> list[Finding]:
    """Return positions: after what introduces one, in a list of which other pieces say who, after their label, and alone where they say enough."""
    found = []
    if text.islower() or text.isupper():
        found += [Finding(*m.span(), "TITLE", 0.6) for m in _TITLE_BEFORE_NAME.finditer(text)]
    if not _GATE.search(text) or is_foreign(text):
        return found
    found += [
        Finding(*m.span("s"), "TITLE", 0.5)
        for pattern in (_SAID, _OURS, _LABELLED, _SIGNED)
        for m in pattern.now.finditer(text)
        if not TOOLS.search(m["s"])
    ]
    return [*found, *_segments(text)]


def _segments(text: str) -> Iterable[Finding]:
    """Yield pieces of a list, lines and whole texts that are a position and nothing else, and the name of nobody known beside one."""
    pieces = [m for m in _SEGMENT.finditer(text) if any(c.isalnum() for c in m[0])]
    for at, piece in enumerate(pieces):
        said = _WHOSE.sub("", piece[0].strip(" .*-\"'"))
        alone = len(pieces) == 1
        fits = _LINE.now.fullmatch(said) or (not alone and _LOOSE.now.fullmatch(said))
        if not 4 <= len(said) <= _LONGEST or not fits or TOOLS.search(said) or NO_POSITION.search(said):
            continue
        start = piece.start() + piece[0].index(said)
        if alone:
            if " " in said and said[0].isupper() and _tells(said):
                yield Finding(start, start + len(said), "TITLE", 0.5)
            continue
        names = [m for m in pieces[max(0, at - 1) : at + 2] if m is not piece and _like_a_name(text, m[0].strip())]
        if names:
            yield Finding(start, start + len(said), "TITLE", 0.5)
        for name in names:
            if all(not english(w) for w in re.findall(r"[^\W\d_]{3,}", name[0])):
                begin = name.start() + name[0].index(name[0].strip())
                yield Finding(begin, begin + len(name[0].strip()), "PERSON", 0.5)


_TELLS = Late(
    rf"(?:(?:{_RANK})[ -])*(?:senior|junior|chief|deputy|assistant|vice|head|regional|chartered|registered|certified|principal|lead)[ -].*|{_HEADED}|.*[ ](?:{_PEOPLE})|{_FIELDED}",
    re.IGNORECASE,
)


def _tells(said: str) -> bool:
    """Return whether a text that is all there is is a person's position rather than a program, a role in it, or a heading."""
    last = re.split(r"[ -]", said.lower())[-1]
    if last in (
        "designer",
        "developer",
        "writer",
        "engineer",
        "architect",
        "consultant",
        "judge",
        "reporter",
        "specialist",
        "intern",
    ) or re.fullmatch(_THINGS_TOO, last):
        return re.match(rf"(?:{_RANK})[ -]", said, re.IGNORECASE) is not None or " of " in said
    return _TELLS.now.fullmatch(said) is not None


_NAME_LIKE = re.compile(r"(?:(?:[^\W\d_a-z][\w'’.-]*|de|van|von|der|da|di|bin|al|la)[ ]{0,2}){2,4}")
_UNCASED_NAME = re.compile(r"[^\W\d_][\w'’.-]*(?:[ ]{1,2}[^\W\d_][\w'’.-]*){1,3}")


def _like_a_name(text: str, side: str) -> bool:
    """Return whether a piece may be somebody's name: two words with capitals, or any two where there are none."""
    if text.islower() or text.isupper():
        return _UNCASED_NAME.fullmatch(side) is not None
    return _NAME_LIKE.fullmatch(side) is not None
