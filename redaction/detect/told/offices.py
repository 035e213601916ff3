"""The rest of a position: what stands in brackets behind it (*Team Lead (Nights)*), and the list of what somebody is responsible for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...contracts.types import Finding
from ...words.late import Late
from ...words.words import given_names
from ..around.listed_names import calls_alone, is_listed
from ..judging.foreign import unheard

_BRACKET = re.compile(
    r"[ ][(](?!(?:mon|tue|wed|thu|fri|sat|sun|today|now|me|you|him|her|cc|ext|tel|[mwdfhx]/)\b)[^\W\d_a-z][^\W\d_]+(?:(?:[ ]|[ ]?[&/][ ]?|,[ ])[^\W\d_]+){0,3}[)]",
    re.IGNORECASE,
)
_HELD = Late(
    r"\b(?P<s>(?:(?-i:[^\W\d_a-z])[^\W\d_]+[ ]){1,3}?(?:Lead|Leader|Manager|Officer|Assistant|Coordinator|Supervisor|Engineer|Developer|Teacher|Tutor|Nurse|Worker|Operator|Technician|Consultant|Analyst|Adviser|Advisor|Director|Administrator|Specialist|Instructor|Therapist|Practitioner|Porter|Warden|Driver|Clerk|Chef|Cook|Cleaner|Designer)[ ][(](?-i:[^\W\d_a-z])[^\W\d_]+(?:[ ]?[&/,]?[ ]?[^\W\d_]+){0,2}[)])(?=[ ,.;\n]|\Z)"
)
_CHARGE = Late(
    r"(?<!\w)(?P<s>(?:responsables?|chargée?\sd[e’']|directeur|directrice|responsabile|addett[oa]|encargad[oa]|director[a]?|gerente|coordenadora?|coordinadora?|leiter(?:in)?|referent(?:in)?|specjalist(?:a|ka)\sds\.|kierowni(?:k|czka)\sds\.|hoofd|verantwoordelijke|chef|ansvarig)[ ]"
    r"[^\W\d_]{3,}(?:(?:,[ ]|[ ](?:et|e|y|i|und|en|och|og|&)[ ])(?!(?:chez|bei|presso|en|na|at|in|w|bij|hos|depuis|ancien\w*)\b)(?-i:[^\W\d_A-Z])[^\W\d_]{2,}){1,4})(?=[ ](?:chez|bei|presso|en|na|no|at|w|bij|hos|à|au|di|de|du)[ ]|[ ]*[|·\n.;(]|\s*\Z)",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"(?:(?<=[.!?\n]\s)|\A)(?P<s>(?-i:[^\W\d_a-z])\.[ ]?(?-i:[^\W\d_a-z])[^\W\d_]{2,}(?:-[^\W\d_]+)?),[ ](?P<job>(?-i:[^\W\d_a-z])[^\W\d_]{3,}(?:[ ](?!(?-i:[^\W\d_]{1,2})\b)[^\W\d_]+){0,3})(?=[ ]*\.?\s*\Z|\n)"
)
"""Who signs with an initial, and what they work as: *K. Rohwedder, Pflegefachkraft*."""


_IN_THE_CHAIR = Late(
    r"(?P<who>[^\W\d_]{2,}(?:['’-][^\W\d_]+)*[ ][^\W\d_]{2,}(?:['’-][^\W\d_]+)*)[ ][(](?P<s>(?:vice[- ]|deputy[ ]|acting[ ])?chair(?:man|woman|person)?|secretary|treasurer|minute[ -]taker|minutes|note[ -]taker|facilitator|moderator|clerk|convenor|vorsitz(?:ende[r]?)?|protokoll(?:führer(?:in)?)?|schriftführer(?:in)?|kassier(?:er)?(?:in)?|président(?:e)?|secrétaire(?:[ ]de[ ]séance)?|"
    r"trésori(?:er|ère)|president[ea]|secretari[oa]|tesorer[oa]|segretari[oa]|tesorier[ea]|verbalizzante|secretári[oa]|tesoureir[oa]|voorzitter|notulist(?:e)?|penningmeester|ordförande|sekreterare|kassör|ordstyrer|referent|kasserer|przewodnicząc[ya]|protokolant(?:ka)?|sekretarz|skarbnik|předsed(?:a|kyně)|zapisovatel(?:ka)?|"
    r"elnök|jegyzőkönyvvezető|preşedinte|președinte|puheenjohtaja|sihteeri|başkan|kâtip)[)]",
    re.IGNORECASE,
)
"""What somebody is at a meeting, in brackets behind both names: *Harriet Oduya (chair)*."""
_TREATS = Late(
    r"(?<![^\W\d_])(?P<s>[^\W\d_]{3,}(?:grafista|terapista|terapeuta|dentista|oculista|fisiatra|iatr(?:a|e|ist|ul)|iater|olog(?:o|a|ue|ist|e|in|i|en)?|ólog[oa]|chirurg(?:o|a|ien(?:ne)?|in)?|urg[oa]|ortoped[ao]|lääkäri|orvos|lekar(?:z|ka)|lékař(?:ka)?|läkare|arzt|ärztin|hekimi?))[ ]?:[ ]"
    r"(?=(?:dr|dra|dott|dott\.?ssa|prof|mudr|mgr|lek|uzm)\b\.?[ ][^\W\d_])",
    re.IGNORECASE,
)
"""What a doctor is one of: *Ecografista: dott. Davide Yilma*."""


def find_offices(text: str) -> Iterable[Finding]:
    """Yield positions with a bracket or a list in them, and those who sign with one."""
    if len(text) > 4_000:
        return
    for rule in (_HELD, _CHARGE, _TREATS):
        yield from (Finding(*m.span("s"), "TITLE", 0.6) for m in rule.now.finditer(text))
    for match in _IN_THE_CHAIR.now.finditer(text) if "(" in text else ():
        if any(map(calls_alone, match["who"].lower().split())):
            yield Finding(*match.span("s"), "TITLE", 0.6)
    for match in _SIGNED.finditer(text):
        family = re.findall(r"[^\W\d_]{3,}", match["s"])[-1].lower()
        if family in given_names() or is_listed(family) or unheard(family):
            yield Finding(*match.span("s"), "PERSON", 0.6)
            yield Finding(*match.span("job"), "TITLE", 0.5)


def with_bracket(text: str, spans: Sequence[Finding]) -> Iterable[Finding]:
    """Yield positions together with the bracket behind them."""
    for span in spans:
        if span.entity == "TITLE" and text[span.start].isupper() and (more := _BRACKET.match(text, span.end)):
            yield span._replace(end=more.end())
