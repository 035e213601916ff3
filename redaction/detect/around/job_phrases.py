"""Positions that are more than a last word: *editor-at-large*, *PA to the Chief Executive*, *second mate*, *Member of Parliament*, *justice of the peace*.

Programs say none of these, so each counts wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.hinted import Hinted
from ...words.late import Late
from ...words.words import lists_of

_BEFORE = r"(?:(?:acting|assistant|associate|chief|deputy|executive|former|general|honorary|interim|junior|managing|non-executive|principal|senior|sr\.?|staff|trainee|vice|regional|group|permanent|independent|retired)[ -]){0,2}"
_PLACED = (
    r"(?:ambassador|artist|attorney|bishop|chemist|coach|commander|consul|counsel(?:l?or)?|counsel|doctor|editor|engineer|entrepreneur|gardener|governor|guardian|lawyer|manager|master|minister|nurse|officer|organist|"
    r"person|physician|pilot|poet|priest|prosecutor|reporter|resident|scholar|sergeant|surgeon|teacher|trainer|warden|writer|referee|second|lady|man|woman)"
)
_OFFICE = (
    r"(?:the[ ])?(?:(?:chief|deputy|managing|executive|general|first|vice)[ ])?(?:board(?:[ ]of[ ][^\W\d_]+)?|governors|council|court|trustees|directors?|executive|ceo|coo|cfo|cto|md|vp|dean|minister|president|chancellor|"
    r"mayor|partners?|principal|head(?:master|mistress|teacher)?|bishop|registrar|chair(?:man|woman)?|governor|general[ ]manager|secretary[ ]general|ambassador|commissioner|committee|faculty|parish[ ]council)"
    r"(?:[ ](?:officer|director|manager|secretary))?"
)
_BODY = r"(?:parliament|congress|the[ ](?:executive[ ]|management[ ]|supervisory[ ]|advisory[ ]|founding[ ]|editorial[ ]|school[ ]|governing[ ])?(?:board|council|cabinet|senate|assembly|faculty|bar|house|committee|jury|crew))"
_PHRASES = Late(
    rf"(?<![\w-])(?P<s>"
    rf"{_BEFORE}{_PLACED}(?:s)?(?:[ -]in[ -](?:chief|residence|charge|training|waiting|command)|[ -]at[ -](?:law|large|arms))|second[ -]in[ -]command|"
    rf"{_BEFORE}(?:attorney|director|secretary|governor|solicitor|surgeon|postmaster|auditor|consul|inspector|comptroller|adjutant|vicar|advocate|procurator|rapporteur)s?[ -]general|"
    rf"(?:first|second|third|fourth|chief|driver['’]s|plumber['’]s|surgeon['’]s|bosun['’]s|carpenter['’]s|fitter['’]s)[ ](?:mate|engineer[ ]officer|steward(?:ess)?)|(?:first|second|third|fourth)[ ](?:officer|engineer|secretary|assistant[ ]engineer|violin)|"
    rf"(?:ship|bishop|judge|governor|mayor|captain|army|college|company|prison|school)['’]s[ ](?:cook|captain|doctor|carpenter|master|chaplain|clerk|secretary|surgeon|nurse|purser|electrician|agent|steward)|"
    rf"(?:able|ordinary|leading)[ ](?:seaman|sea(?:woman|man)|rating|deckhand)|(?:leading|head|lead)[ ](?:hand|barista|chef|stockman)|"
    rf"{_BEFORE}(?:clerk|secretary|advis[eo]r|assistant|p\.?a|ea|aide|chaplain|counsel|liaison|registrar|private[ ]secretary|personal[ ]assistant|executive[ ]assistant|special[ ]assistant)s?[ ]to[ ]{_OFFICE}|"
    rf"member[ ]of[ ]{_BODY}|(?:justice|officer)[ ]of[ ]the[ ](?:peace|watch|deck|court)|{_BEFORE}chief[ ]of[ ](?:staff|police|party|section|mission|surgery|protocol|naval[ ]staff|medicine)|"
    rf"{_BEFORE}chairs?(?:man|woman|person)?[ ]of[ ](?:governors|trustees|(?:the[ ])?(?:supervisory[ ]|management[ ])?board)|{_BEFORE}chief[ ]executive(?:[ ]officer)?|non-executive[ ](?:chair(?:man|woman)?|directors?)|"
    rf"(?:dinner|lollipop|cleaning|tea|lunch|char)[ ]lad(?:y|ies)|odd-?job[ ]man|notary[ ]public|home[ ]help|school[ ]crossing[ ]patrol|(?:day|night|garage|ticket|court|church)[ ](?:porter|usher|watchman|watchwoman)|maître[ ]d['’]h[oô]tel|chargée?[ ]d['’]affaires|"
    rf"(?:ward|theatre|nursing)[ ]sister|charge[ ]nurse|sister[ ]in[ ]charge|(?:ward|theatre|court|parish|booking|desk|shipping|tally|postal|payroll|filing|accounts)[ ]clerk|(?:class(?:room)?|head|form|supply|science|maths|year[ ]\d{{1,2}})[ ](?:teacher|tutor|assistant)|"
    rf"head[ ](?:boy|girl|nurse|cook|gardener|keeper|porter|buyer|cashier|housekeeper|waiter|groom|librarian|coach)|(?:on-call|on-duty|duty|locum|visiting|resident|consultant)[ ](?:an[ae]+sthetist|physician|surgeon|registrar|doctor|nurse|pharmacist|midwife|radiologist|psychiatrist|paediatrician|pediatrician|manager|officer|engineer|solicitor|vet|clerk|sergeant|electrician)"
    rf")(?![\w-])",
    re.IGNORECASE,
)
_GATE = Hinted(
    r"in[ -](?:ch|res|tr|wa|co)|at[ -](?:l|arms)|general|mate\b|officer|engineer|secretary|violin|['’]s[ ]|seaman|rating|hand\b|[ ]to[ ]|[ ]of[ ]|executive|lad(?:y|ies)|job|notary|home|cross|porter|usher|watch|ma[iî]tre|charg|sister|nurse|"
    r"clerk|teacher|tutor|assistant|head|on-|duty|locum|visiting|resident|consultant|stew|hand|lead",
    re.IGNORECASE,
)


def find_job_phrases(text: str) -> Iterable[Finding]:
    """Yield such positions."""
    if len(text) <= 2_000 and _GATE.search(text):
        for match in _PHRASES.now.finditer(text):
            yield Finding(*match.span("s"), "TITLE", 0.5)


def are_a_job(word: str, head: str) -> bool:
    """Return whether two words, in lower case, are an occupation of a list, though the second alone may be a thing's: *panel beater*."""
    return word in lists_of("occupation_pairs.txt").get(head, ())


def ends_a_pair(word: str) -> bool:
    """Return whether a word, in lower case, is the second of such two."""
    return word in lists_of("occupation_pairs.txt")
