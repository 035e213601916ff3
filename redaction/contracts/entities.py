"""The table of entities: a row for each kind of data that a finding or a known value can have, and how the redaction treats it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pagereel.errors import UsageError


class Entity(NamedTuple):
    """One kind of personal data, and how the redaction treats it. No field has a default, so that a new row must
    answer every question.
    """

    name: str
    named: bool
    """It is known by names, and has no shape."""
    beside: Literal["number", "sign", ""]
    """What a value of it looks like in the box beside its label: it has a digit (``number``); it has a digit, or is one
    word that is in no list (``sign``). Empty: such a text is no value, or has a rule of its own.
    """
    digits: bool
    """It consists of digits. A series of numbers, a server's status and an amount in a cell are not values of it."""
    exact: bool
    """Its recognizers find its exact ends: a finding is not extended to whole words, and the text beside it is no
    evidence.
    """
    prose: bool
    """A sentence under its label may be a value of it, or hold one."""
    dated: bool
    """It may be or hold a date, whose stand-in is another date."""


TABLE = (
    Entity("SECRET", named=False, beside="sign", digits=False, exact=True, prose=False, dated=False),
    Entity("CREDIT_CARD", named=False, beside="number", digits=True, exact=False, prose=False, dated=False),
    Entity("CVV", named=False, beside="number", digits=False, exact=False, prose=False, dated=True),
    Entity("EMAIL_ADDRESS", named=False, beside="sign", digits=False, exact=True, prose=False, dated=False),
    Entity("IBAN_CODE", named=False, beside="number", digits=False, exact=False, prose=False, dated=True),
    Entity("GOVERNMENT_ID", named=False, beside="sign", digits=True, exact=False, prose=True, dated=True),
    Entity("PHONE_NUMBER", named=False, beside="number", digits=True, exact=False, prose=False, dated=False),
    Entity("HOST_PATH", named=False, beside="", digits=False, exact=True, prose=True, dated=True),
    Entity("URL", named=False, beside="", digits=False, exact=True, prose=True, dated=False),
    Entity("IP_ADDRESS", named=False, beside="", digits=False, exact=True, prose=False, dated=False),
    Entity("MAC_ADDRESS", named=False, beside="", digits=False, exact=False, prose=True, dated=True),
    Entity("UUID", named=False, beside="", digits=False, exact=True, prose=True, dated=True),
    Entity("CRYPTO", named=False, beside="", digits=False, exact=False, prose=True, dated=True),
    Entity("COORDINATES", named=False, beside="number", digits=False, exact=False, prose=False, dated=False),
    Entity("LICENSE_PLATE", named=False, beside="", digits=False, exact=False, prose=True, dated=True),
    Entity("BANK_ACCOUNT", named=False, beside="sign", digits=True, exact=False, prose=False, dated=True),
    Entity("ADDRESS", named=False, beside="number", digits=True, exact=False, prose=True, dated=True),
    Entity("ZIP_CODE", named=False, beside="number", digits=True, exact=False, prose=True, dated=True),
    Entity("DATE_TIME", named=False, beside="", digits=False, exact=False, prose=True, dated=True),
    Entity("AGE", named=False, beside="number", digits=False, exact=False, prose=False, dated=True),
    Entity("PERSON", named=True, beside="", digits=False, exact=False, prose=True, dated=True),
    Entity("USERNAME", named=False, beside="sign", digits=False, exact=True, prose=False, dated=False),
    Entity("ORGANIZATION", named=True, beside="", digits=False, exact=False, prose=True, dated=True),
    Entity("LOCATION", named=True, beside="", digits=False, exact=False, prose=True, dated=True),
    Entity("NRP", named=True, beside="", digits=False, exact=False, prose=True, dated=True),
    Entity("TITLE", named=False, beside="", digits=False, exact=False, prose=True, dated=True),
    Entity("ID", named=False, beside="sign", digits=True, exact=False, prose=False, dated=True),
    Entity("VALUE", named=False, beside="", digits=False, exact=False, prose=True, dated=True),
)
"""All entities. Where findings of several entities touch, the masked span gets the first of them in this order.
``VALUE`` is data masked because of its place, of unknown type.
"""

ENTITIES = frozenset(e.name for e in TABLE)
"""Every entity that a finding or a known value can have."""


def require_entity(entity: str, finder: str) -> None:
    """Check that an entity has a row in the table, before a finding of it is masked.

    :param finder: what gives findings of the entity, as the subject of the error's sentence.
    :raises UsageError: the entity has no row.
    """
    if entity not in ENTITIES:
        raise UsageError(
            f"{finder} gives findings of the entity {entity!r}, which has no row in the table of redaction/contracts/entities.py; add its row there, or give them the name of an entity that has one."
        )


RANK = {e.name: place for place, e in enumerate(TABLE)}
NAMED = frozenset(e.name for e in TABLE if e.named)
PLACED = NAMED | {"ADDRESS"}
""":data:`NAMED` and addresses."""
OF_NUMBERS = frozenset(e.name for e in TABLE if e.beside == "number")
OF_SIGNS = frozenset(e.name for e in TABLE if e.beside == "sign")
OF_DIGITS = frozenset(e.name for e in TABLE if e.digits)
EXACT = frozenset(e.name for e in TABLE if e.exact)
NEVER_PROSE = frozenset(e.name for e in TABLE if not e.prose)
UNDATED = frozenset(e.name for e in TABLE if not e.dated)
