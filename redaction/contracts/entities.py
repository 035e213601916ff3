"""The table of entities: a row for each kind of data that a finding or a known value can have, and how the redaction treats it."""

from __future__ import annotations

from typing import Final, NamedTuple

from pagereel.errors import UsageError


class Entity(NamedTuple):
    """One kind of personal data, and how the redaction treats it. No field has a default, so that a new row must
    answer every question.
    """

    name: str
    beside: str
    """What a value of it looks like in the box beside its label: it has a digit (``number``); it has a digit, or is one
    word that is in no list (``sign``). Empty: such a text is no value, or has a rule of its own.
    """
    called: str
    """Whose name a word of it is: a ``person``'s, a ``place``'s or a ``company``'s. Empty: nobody's."""
    named: bool
    """It is known by names, and has no shape."""
    digits: bool
    """It consists of digits. A series of numbers, a server's status and an amount in a cell are not values of it."""
    short: bool
    """A number of few digits that fills a line or a cell may be a value of it."""
    exact: bool
    """Its recognizers find its exact ends: a finding is not extended to whole words, and the text beside it is no
    evidence.
    """
    guessed: bool
    """Models, nets and lists guess at it, so that each word of a finding is judged by all that is known of it."""
    prose: bool
    """A sentence under its label may be a value of it, or hold one."""
    dated: bool
    """It may be or hold a date, whose stand-in is another date."""
    searched: bool
    """Its values are searched for in every channel. Others are masked only where they are found: a search for
    "Monday" would make every page unreadable.
    """
    parted: bool
    """The parts of a value, such as the words of a name, are searched for by themselves."""
    coded: bool
    """Its stand-ins are recognized in a text although they are no words."""
    allowed: bool
    """A rule of a policy may leave all its values as they are."""
    plain: tuple[str, str]
    """What stands for a value of it, and for another one, in the title of a recording."""


_ROWS = """
name           beside  called   named  digits  short  exact  guessed  prose  dated  searched  parted  coded  allowed  plain
SECRET         sign    -        -      -       yes    yes    -        -      -      yes       -       -      -        a secret, another secret
CREDIT_CARD    number  -        -      yes     -      -      -        -      -      yes       -       yes    -        a card, another card
CVV            number  -        -      -       yes    -      -        -      yes    yes       -       -      -        something, something else
EMAIL_ADDRESS  sign    -        -      -       -      yes    -        -      -      yes       yes     -      yes      an e-mail address, another e-mail address
IBAN_CODE      number  -        -      -       -      -      -        -      yes    yes       -       yes    yes      something, something else
GOVERNMENT_ID  sign    -        -      yes     -      -      yes      yes    yes    yes       -       -      yes      something, something else
PHONE_NUMBER   number  -        -      yes     -      -      -        -      -      yes       -       yes    yes      a telephone number, another telephone number
HOST_PATH      -       -        -      -       -      yes    -        yes    yes    yes       -       -      yes      something, something else
URL            -       -        -      -       -      yes    -        yes    -      yes       -       -      yes      something, something else
IP_ADDRESS     -       -        -      -       -      yes    -        -      -      yes       -       yes    yes      something, something else
MAC_ADDRESS    -       -        -      -       -      -      -        yes    yes    yes       -       yes    yes      something, something else
UUID           -       -        -      -       -      yes    -        yes    yes    yes       -       -      yes      something, something else
CRYPTO         -       -        -      -       -      -      -        yes    yes    yes       -       -      yes      something, something else
COORDINATES    number  -        -      -       -      -      -        -      -      yes       -       -      yes      something, something else
LICENSE_PLATE  -       -        -      -       -      -      -        yes    yes    yes       -       -      yes      something, something else
BANK_ACCOUNT   sign    -        -      yes     -      -      -        -      yes    yes       -       -      yes      something, something else
ADDRESS        number  place    -      yes     -      -      yes      yes    yes    yes       yes     -      yes      an address, another address
ZIP_CODE       number  -        -      yes     -      -      yes      yes    yes    yes       -       -      yes      something, something else
DATE_TIME      -       -        -      -       -      -      -        yes    yes    -         -       -      yes      some day, another day
AGE            number  -        -      -       yes    -      -        -      yes    -         -       -      yes      something, something else
PERSON         -       person   yes    -       -      -      yes      yes    yes    yes       yes     -      yes      someone, someone else
USERNAME       sign    -        -      -       -      yes    -        -      -      yes       -       -      yes      a user, another user
ORGANIZATION   -       company  yes    -       -      -      yes      yes    yes    yes       -       -      yes      a company, another company
LOCATION       -       place    yes    -       -      -      yes      yes    yes    yes       -       -      yes      a place, another place
NRP            -       -        yes    -       -      -      yes      yes    yes    -         -       -      yes      something, something else
TITLE          -       -        -      -       -      -      yes      yes    yes    -         -       -      yes      something, something else
ID             sign    -        -      yes     -      -      -        -      yes    yes       -       -      yes      a number, another number
VALUE          -       -        -      -       -      -      -        yes    yes    yes       -       -      yes      something, something else
"""
_FLAGS: Final = len(Entity._fields) - 4
"""Columns that say yes or no."""


def read_row(row: str) -> Entity:
    """Return the entity of a row of the table.

    :raises ValueError: the row does not answer every question.
    """
    name, *cells = row.split(maxsplit=len(Entity._fields) - 1)
    flags, plain = cells[2 : 2 + _FLAGS], cells[-1].split(", ")
    if len(cells) != len(Entity._fields) - 1 or not {"yes", "-"}.issuperset(flags) or len(plain) != 2:
        raise ValueError(f"The row of {name} does not answer every question of {', '.join(Entity._fields[1:])}.")
    beside, called = ("" if cell == "-" else cell for cell in cells[:2])
    return Entity._make((name, beside, called, *(cell == "yes" for cell in flags), tuple(plain)))


TABLE = tuple(map(read_row, _ROWS.splitlines()[2:]))
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
CALLED = {e.name: e.called for e in TABLE if e.called}
OF_DIGITS = frozenset(e.name for e in TABLE if e.digits)
SHORT = frozenset(e.name for e in TABLE if e.short)
EXACT = frozenset(e.name for e in TABLE if e.exact)
GUESSED = frozenset(e.name for e in TABLE if e.guessed)
NEVER_PROSE = frozenset(e.name for e in TABLE if not e.prose)
UNDATED = frozenset(e.name for e in TABLE if not e.dated)
NEVER_SEARCHED = frozenset(e.name for e in TABLE if not e.searched)
PARTED = frozenset(e.name for e in TABLE if e.parted)
CODED = frozenset(e.name for e in TABLE if e.coded)
NEVER_ALLOWED = frozenset(e.name for e in TABLE if not e.allowed)
PLAIN_WORDS = {e.name: e.plain for e in TABLE}
