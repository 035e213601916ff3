"""Names in one case of letters behind an English label in a text: *name: vasco teles de meneses*, *CUSTOMER: TEKLA ODANGO*. The models read sentences, and lean on capitals."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.late import Late
from ..around.listed_names import may_call_in_small_letters

_OF_PEOPLE = (
    r"(?:(?:full|first|last|middle|given|family|maiden|legal|preferred|birth|customer|client|guest|patient|employee|contact|cardholder|account[ ]holder|holder|passenger|student|pupil|applicant|tenant|recipient|payee|beneficiary|sender|witness|parent|"
    r"guardian|driver|attendee|travell?er|claimant|policy[ ]?holder|candidate|buyer|seller|landlord|member|visitor|teacher|doctor|caller)(?:['’]?s)?[ ]name|surname|forename|"
    r"(?:reported|requested|signed|prepared|approved|submitted|recommended|witnessed|seen|received|collected|taken)[ ]by|assigned[ ]to|on[ ]behalf[ ]of|next[ ]of[ ]kin|emergency[ ]contact|contact[ ]person|account[ ]holder|card[ ]?holder|policy[ ]?holder|"
    r"customer|guest|patient|employee|passenger|student|pupil|applicant|tenant|recipient|payee|beneficiary|witness|guardian|attendee|travell?er|claimant|insured|candidate|landlord|visitor|signatory|caller|attn|attention|deceased|spouse|husband|wife|mother|father|"
    r"son|daughter|brother|sister|bride|groom|nurse|teacher|tutor|physician|gp|consultant|surgeon|therapist|solicitor|lawyer|judge|chair(?:man|woman|person)?|secretary|treasurer|captain|coach|referee|driver|courier|cashier|waiter|agent)"
)
_OF_THINGS = frozenset(["name", "agent", "driver", "courier", "judge", "visitor", "consultant", "teacher", "caller", "coach", "nurse", "captain", "secretary", "treasurer", "referee", "waiter", "cashier"])  # fmt: skip
"""Labels under which a program or a company stands, too: *driver: mellanox*."""
_BEHIND = Late(
    rf"(?:^|(?<=\n)|(?<=[|;\t•·(\[])|(?<=[,.|;•·][ ]))(?P<label>{_OF_PEOPLE}|name)[ ]{{0,2}}[:=][ \t]{{0,3}}(?P<s>[^\W\d_][^\n,;|:=()\[\]<>\"\d@/\\{{}}]{{1,50}}?)(?=[ ]*(?:[,;|\n)(\]<·•]|[ ][–—-]|\.(?:[ ]|\Z)|\Z))",
    re.IGNORECASE,
)


def find_labelled_names(text: str) -> Iterable[Finding]:
    """Yield such names."""
    if ":" not in text and "=" not in text:
        return
    for match in _BEHIND.now.finditer(text):
        value = match["s"].rstrip()
        if not (value.islower() or value.isupper()):
            continue
        of_people_alone = match["label"].lower() not in _OF_THINGS and text[match.end("label") :].lstrip()[:1] != "="
        if may_call_in_small_letters(value, of_people_alone):
            yield Finding(match.start("s"), match.start("s") + len(value), "PERSON", 0.9)
