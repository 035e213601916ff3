"""What looks like a name and is public: the site's own name, and what its things are called.

A detector that knows no more than one text takes "Saltmarsh" and "Tern" for people. The whole recording knows better: the
one ends every title of the site, the other stands before "bottle vase" in a caption.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from . import judge
from .types import Finding
from .words import common_words, given_names

_PARTS = re.compile(r"\s+[·|–—•:-]\s+|\s*[·|]\s*")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
MOST_WORDS = 4


def site_names(titles: Iterable[str]) -> set[str]:
    """The last or first part that two different titles of pages share: the name of the site, in lower case."""
    ends: dict[str, set[str]] = {}
    for title in titles:
        parts = [p.strip() for p in _PARTS.split(title) if p and p.strip()]
        if len(parts) > 1:
            for end in (parts[0], parts[-1]):
                ends.setdefault(end.casefold(), set()).add(title)
    names = {end for end, shown in ends.items() if len(shown) > 1 and len(end.split()) <= MOST_WORDS}
    return {n for n in names if not any(w in given_names() for w in n.split())}


def things(findings: Mapping[tuple[str, str, str], Sequence[Finding]]) -> set[str]:
    """Words of things: written small in two texts of which the detector says nothing (``celadon glaze``), and first words of
    captions whose other words are common and small (``Tern bottle vase``). No given name is one."""
    found = _small_words(findings)
    for text, label, kind in findings:
        words = _WORD.findall(text)
        if kind != "text" or label or not 2 <= len(words) <= 5 or judge.sentence_like(text):
            continue
        first, rest = words[0], words[1:]
        if first[0].isupper() and first.lower() not in given_names() and all(_thing(w) for w in rest):
            found.add(first.casefold())
    return found


def _small_words(findings: Mapping[tuple[str, str, str], Sequence[Finding]]) -> set[str]:
    """Small words of texts with capitals, where no model took them for a name."""
    seen: dict[str, int] = {}
    for (text, _, kind), found in findings.items():
        if kind != "text" or len(text) > 2_000 or text.islower() or text.isupper():
            continue
        taken = [(f.start, f.end) for f in found]
        for match in _WORD.finditer(text):
            word = match.group()
            if word.islower() and len(word) > 3 and all(b <= match.start() or match.end() <= a for a, b in taken):
                seen[word] = seen.get(word, 0) + 1
    return {w for w, n in seen.items() if n > 1 and w not in given_names()}


def _thing(word: str) -> bool:
    return word.islower() and len(word) > 2 and word in common_words() | _NOUNS


_NOUNS = frozenset(
    """
    apron armchair basin basket bead beaker bed bench blanket blouse book boots bottle bowl box bracelet brush bucket cabinet
    cake candle canvas cap carafe chair cheese chocolate clock coat coffee collar couch cup curtain cushion desk dish dress
    earrings fork frame glass gloves hat hook jar jeans jug kettle knife lamp lantern mat mirror mug necklace notebook pan
    pants pen pendant pillow pitcher planter plate platter pot print rack ring rug sandals saucepan scarf shade shelf shirt
    shoes shorts skirt sneakers soap socks sofa spoon stool stand sweater table teapot tile towel tray trousers tumbler vase
    wallet watch wine wardrobe
    """.split()  # noqa: SIM905
)
"""What shops sell."""


def is_public(value: str, public: set[str]) -> bool:
    """Whether a finding is such a name and nothing else, also in the genitive."""
    plain = " ".join(value.split()).casefold()
    if any(c.isdigit() for c in plain):
        return False
    words = [re.sub(r"['’]s\Z", "", w) for w in _WORD.findall(plain)]
    named = [w for w in words if w not in common_words() | _NOUNS]
    return plain in public or (bool(named) and all(w in public for w in named))
