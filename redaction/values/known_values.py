"""Hold the values that a recording must not show: first collected from every channel, then frozen, replaced and searched for.

They live in memory only. No ``repr`` shows a value, and nothing serializes one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..contracts.entities import NEVER_SEARCHED, PARTED
from ..words.names_by_script import MARKS
from ..words.phrase_lists import PhraseLists
from ..words.word_lists import UI_WORDS, common_words
from ..words.writing_systems import DENSE_LETTER

LISTS = PhraseLists("known_values")

SHORTEST = 4
"""Least characters, counted by :func:`count_identifying_letters`, of a value that is searched for elsewhere. A shorter one is masked only
in its place.
"""
SHORTEST_NUMBER = 5
LEAST_DIGITS = 7
"""Least digits of a number that is found with other separators, too."""
SHORTEST_ID = 3
"""Least digits of a number with letters ("T-1042") that is searched for elsewhere."""
_WORDS = re.compile(r"[^\W_]+", re.UNICODE)
_NAME_PARTS = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{MARKS}])*(?:['’][^\W\d_](?:[^\W\d_]|[{MARKS}])*)?")
"""A word of a name, with its vowel signs. Without them *معزّ* and *प्रेम* would be cut."""
_STOP = LISTS.to_word_set("STOP")


@dataclass(frozen=True, slots=True, repr=False)
class KnownValue:
    """One value that a recording must not show.

    ``whole`` is the value that this one is a part of, or the value itself. ``channel`` is where it was first seen.
    """

    text: str
    entity: str
    channel: str
    whole: str

    def __repr__(self) -> str:
        return f"<KnownValue {self.entity} from {self.channel}>"


@dataclass(slots=True, repr=False, eq=False)
class KnownValues:
    """The values of a recording. :meth:`add` collects them until :meth:`freeze`; after it they can be searched for."""

    _values: dict[str, KnownValue] = field(default_factory=dict)
    _frozen: bool = False
    structural: int = 0
    """How many values were too short or too common to be searched for, and are masked only in their place."""
    allowed: frozenset[str] = frozenset()
    """Case-folded texts that the policy leaves as they are."""
    allowed_entities: frozenset[str] = frozenset()
    """Types that the policy leaves as they are."""

    def add_always(self, text: str, entity: str, channel: str) -> None:
        """Add a value even if it is short or common, because a user named it."""
        text = " ".join(text.split())
        self.add(text, entity, channel)
        self._store(KnownValue(text, entity, channel, text))

    def add(self, text: str, entity: str, channel: str, everyday: frozenset[str] = frozenset()) -> bool:
        """Add a value and its parts. Return False if it is too short, too common or too weak to be searched for.

        :param everyday: words in lower case that are not searched for by themselves, although they are parts of the value.
        """
        if self._frozen:
            raise RuntimeError("The known values are frozen; a value that comes now could not mask what was written.")
        text = " ".join(text.split())
        if text.casefold() in self.allowed or entity in self.allowed_entities:
            return False
        if not is_searchable(text, entity):
            self.structural += 1
            return False
        self._store(KnownValue(text, entity, channel, text))
        if entity in PARTED:
            for part in iter_identifying_parts(text, entity):
                kind = entity
                if entity == "EMAIL_ADDRESS":  # the parts of an address are words
                    kind = "PERSON" if part.isalpha() else "USERNAME"
                if part.lower() not in everyday:
                    self._store(KnownValue(part, kind, channel, text))
        return True

    def add_typed_prefix(self, text: str, complete_value: KnownValue) -> None:
        """Add a prefix of the known value `complete_value`, which a control showed while somebody typed."""
        text = " ".join(text.split())
        if is_searchable(text, complete_value.entity):
            self._store(KnownValue(text, complete_value.entity, complete_value.channel, complete_value.whole))

    def freeze(self) -> KnownValues:
        """End the collection of values, so that texts can be searched for them.

        A value that is part of an allowed text becomes allowed as well: "Elena" if "Elena Marchetti" is allowed.
        """
        within = {key for key in self._values if any(key in text for text in self.allowed)}
        for key in within:
            del self._values[key]
        self.allowed |= within
        self._frozen = True
        return self

    def _store(self, value: KnownValue) -> None:
        key = value.text.casefold()
        if key in self.allowed or value.entity in self.allowed_entities:
            return
        old = self._values.get(key)
        if old is None or (old.text != old.whole and value.text == value.whole):
            self._values[key] = value

    def __iter__(self) -> Iterator[KnownValue]:
        return iter(self._values.values())

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, text: str) -> bool:
        return " ".join(text.split()).casefold() in self._values

    def __repr__(self) -> str:
        return f"<KnownValues: {len(self)}>"

    def __reduce__(self) -> str:
        raise TypeError("Known values are never serialized.")

    @classmethod
    def of(cls, texts: Iterable[str], entity: str = "VALUE", channel: str = "given") -> KnownValues:
        """Return a frozen set of the given texts, for a gate on any file."""
        values = cls()
        for text in texts:
            values.add(text, entity, channel)
        return values.freeze()

    @classmethod
    def given(cls, values: Iterable[tuple[str, str]], channel: str = "given") -> KnownValues:
        """Return a frozen set of (value, entity). Each value is searched for even if it is short or common."""
        known = cls()
        for text, entity in values:
            known.add_always(text, entity, channel)
        return known.freeze()


def count_identifying_letters(text: str) -> int:
    """Return how much a text identifies, as a number of Latin letters. A letter of a script in which names have two
    or three letters counts as three.
    """
    return len(text) + 2 * len(DENSE_LETTER.findall(text)) if not text.isascii() else len(text)


def extract_digits(text: str) -> str:
    """Return the digits of a text."""
    return "".join(c for c in text if c.isdigit())


def index_numbers(values: Iterable[KnownValue]) -> dict[str, KnownValue]:
    """Return digits → the value that consists of them. It is found with other separators between them, too."""
    return {
        d: v
        for v in values
        if len(d := extract_digits(v.text)) >= LEAST_DIGITS and not any(c.isalpha() for c in v.text)
    }


_MEDIA_TYPE = re.compile(
    r"(?:application|audio|font|image|message|model|multipart|text|video)/[a-z][a-z0-9.+-]{1,40}", re.IGNORECASE
)
"""Media types registered with IANA: they stand in every index and response."""


def is_searchable(text: str, entity: str) -> bool:
    """Return whether a value is long and rare enough to be searched for in every channel."""
    if entity in NEVER_SEARCHED or count_identifying_letters(text) < SHORTEST:
        return False
    words = _WORDS.findall(_strip_combining_marks(text))
    if not words or text.lower() in _STOP or _MEDIA_TYPE.fullmatch(text):
        return False
    if entity in ("URL", "HOST_PATH") and len(text) < 6:
        return False
    if not any(c.isalpha() for c in text):
        return sum(c.isdigit() for c in text) >= SHORTEST_NUMBER or entity in ("SECRET", "CVV")
    if entity == "SECRET":
        return text.lower() not in UI_WORDS
    numbered = sum(c.isdigit() for c in text)
    if len(text) >= SHORTEST_NUMBER and numbered >= (SHORTEST_ID if entity == "ID" else SHORTEST_NUMBER):
        return True  # "T-1042", "MB-5004-9462": its letters are no word, and URLs or fields repeat it
    return any(
        (
            w.lower() not in common_words()
            and w.lower() not in _STOP
            and not w.isdigit()
            and count_identifying_letters(w) > 2
        )
        for w in words
    ) or (len(words) == 1 and any(c.isdigit() for c in text) and len(text) >= 6)


def _strip_combining_marks(text: str) -> str:
    """Return a text without combining marks: the vowel signs of Devanagari or Thai would cut its words into pieces."""
    return text if text.isascii() else "".join(c for c in text if not unicodedata.category(c).startswith("M"))


def iter_identifying_parts(text: str, entity: str) -> Iterator[str]:
    """Yield the parts of a value that identify somebody by themselves: words of a name, lines of an address, the name
    in an e-mail address.
    """
    if entity == "ADDRESS":
        for piece in re.split(r"\s*[,;\n|]\s*", text):
            if piece != text and len(piece) >= 6 and is_searchable(piece, entity):
                yield piece
        words = [w for w in re.findall(r"[^\W\d_][\w'’-]{4,}", text) if len(w) >= 6]
        yield from (w for w in words if is_searchable(w, entity))
        return
    if entity == "EMAIL_ADDRESS":
        local = re.split(r"@|%40|&#64;", text)[0]
        pieces = re.split(r"[.+_-]+", local)
        pieces = [local, *pieces, *(p.rstrip("0123456789") for p in pieces)]
        yield from (p for p in dict.fromkeys(pieces) if len(p) >= 5 and is_searchable(p, "PERSON") and p != text)
        return
    for word in _NAME_PARTS.findall(text):
        if word != text and count_identifying_letters(word) >= SHORTEST and is_searchable(word, entity):
            yield word
