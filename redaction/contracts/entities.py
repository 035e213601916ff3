"""The table of entities: a row for each kind of data that a finding or a known value can have, and how the redaction treats it."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Entity(NamedTuple):
    """One kind of personal data, and how the redaction treats it. No field has a default, so that a new row must
    answer every question.
    """

    name: str
    named: bool
    """Names tell it, and no shape."""
    beside: Literal["number", "sign", ""]
    """What the text in the box beside its label must be: it has a digit; it has one, or is one word that is nobody's. Empty: no such text is one, or it has its own rule."""
    digits: bool
    """It consists of digits: a series, the status of a server, or an amount in a cell is none."""
    exact: bool
    """Its recognizers know its ends: a finding is not grown to whole words, and what stands beside it says nothing about it."""
    prose: bool
    """A sentence under its label may be one, or hold one."""
    dated: bool
    """It may be or hold a day, whose stand-in is another day."""


TABLE = (
    Entity("SECRET", named=False, beside="sign", digits=False, exact=True, prose=False, dated=False),
    Entity("CREDIT_CARD", named=False, beside="number", digits=True, exact=False, prose=False, dated=False),
    Entity("CVV", named=False, beside="number", digits=False, exact=False, prose=False, dated=True),
    Entity("EMAIL_ADDRESS", named=False, beside="sign", digits=False, exact=True, prose=False, dated=False),
    Entity("IBAN_CODE", named=False, beside="number", digits=False, exact=False, prose=False, dated=True),
    Entity("GOVERNMENT_ID", named=False, beside="sign", digits=True, exact=False, prose=True, dated=True),
    Entity("PHONE_NUMBER", named=False, beside="number", digits=True, exact=False, prose=False, dated=False),
    Entity("URL", named=False, beside="", digits=False, exact=True, prose=True, dated=False),
    Entity("IP_ADDRESS", named=False, beside="", digits=False, exact=True, prose=False, dated=False),
    Entity("MAC_ADDRESS", named=False, beside="", digits=False, exact=False, prose=True, dated=True),
    Entity("UUID", named=False, beside="", digits=False, exact=True, prose=True, dated=True),
    Entity("CRYPTO", named=False, beside="", digits=False, exact=False, prose=True, dated=True),
    Entity("HOST_PATH", named=False, beside="", digits=False, exact=True, prose=True, dated=True),
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
"""Where findings touch, one span is masked, and the first of their entities here names it. ``VALUE`` is data masked for where it stands, type unknown."""

ENTITIES = frozenset(e.name for e in TABLE)
"""Every entity that a finding or a known value can have."""
RANK = {e.name: place for place, e in enumerate(TABLE)}
NAMED = frozenset(e.name for e in TABLE if e.named)
PLACED = NAMED | {"ADDRESS"}
"""The same, and where they live."""
OF_NUMBERS = frozenset(e.name for e in TABLE if e.beside == "number")
OF_SIGNS = frozenset(e.name for e in TABLE if e.beside == "sign")
OF_DIGITS = frozenset(e.name for e in TABLE if e.digits)
EXACT = frozenset(e.name for e in TABLE if e.exact)
NEVER_PROSE = frozenset(e.name for e in TABLE if not e.prose)
UNDATED = frozenset(e.name for e in TABLE if not e.dated)
