"""Mask URLs piece by piece, in the same way wherever they stand.

The mask of a piece depends on the piece alone, so a style sheet's ``url()``, a ``src`` and the request for it still
agree. Host, ordinary words in the path and names of parameters stay. Values of parameters and user info are masked, and
so are path segments that look like data or have findings of the detector.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from urllib.parse import quote, unquote_plus

from ..detect.shapes.secrets import looks_random
from ..normalise.spelled_text import may_be_name_or_number
from ..words.word_lists import UI_WORDS, is_known_word

_PARTS = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*:)?(?P<host>//[^/?#\\]*)?(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?P<fragment>#.*)?\Z",
    re.DOTALL,
)
_CALLS = re.compile(
    r"(?:web\+[a-z]+|acct|callto|facetime|facetime-audio|im|msteams|sips?|skype|whatsapp|xmpp):(?!//)", re.IGNORECASE
)
_EXTENSION = re.compile(r"(?:\.[A-Za-z][A-Za-z0-9]{0,5}){1,8}\Z")
_SAFE_VALUE = re.compile(r"(?:true|false|yes|no|asc|desc|on|off|\d{1,3}|[a-z]{2}|)\Z", re.IGNORECASE)

Mask = Callable[[str, str], str]
"""Gets a decoded piece and what it is (``parameter <name>``, the name is empty for a query without ``=``, ``key`` for the name itself, ``data`` for all of a ``data:`` address, ``segment``, ``userinfo``, ``fragment``), gives what to write."""


def mask_url(url: str, mask: Mask) -> str:
    """Return the masked URL.

    :param mask: is called with each piece of the URL and the kind of the piece, and returns the replacement.
    """
    text = url.strip()
    low = text[:12].lower()
    if low.startswith("data:"):
        return mask(text, "data")
    if low.startswith("blob:"):
        return "blob:" + mask_url(text[5:], mask)
    if low.startswith(("mailto:", "tel:", "sms:")):
        scheme, _, rest = text.partition(":")
        return f"{scheme}:{quote(mask(unquote_plus(rest.partition('?')[0]), scheme.lower()), safe='@+')}"
    if low.startswith("javascript:"):
        return ""
    if (calls := _CALLS.match(text)) is not None:  # a number or address that an application calls
        whom, question, query = text[calls.end() :].partition("?")
        return f"{calls[0]}{quote(mask(unquote_plus(whom), 'parameter '), safe='@+')}" + (
            question + mask_query(query, mask) if question else ""
        )
    match = _PARTS.match(text)
    if match is None:
        return ""
    scheme, host = match["scheme"] or "", match["host"] or ""
    user, at, rest = host.removeprefix("//").rpartition("@")
    if at:
        mask(unquote_plus(user.partition(":")[2]) or unquote_plus(user), "userinfo")
        host = "//" + rest
    path = _mask_path(_SPELLED.sub(lambda row: _mask_letter_by_letter_word(row, mask), match["path"]), mask)
    query = "?" + mask_query(match["query"][1:], mask) if match["query"] else ""
    fragment = match["fragment"] or ""
    if len(fragment) > 1:
        fragment = "#" + _mask_fragment(fragment[1:], mask)
    return f"{scheme}{host}{path}{query}{fragment}"


def mask_query(query: str, mask: Mask) -> str:
    """Return a masked query or form-urlencoded text.

    A piece without ``=`` is a value; only words that everybody uses stay in it (``?raw``). Names of parameters stay,
    except for findings in them and capitalized words that are in no list.
    """
    out = []
    for pair in re.split(r"([&;])", query):
        if pair in ("&", ";"):
            out.append(pair)
            continue
        name, equals, value = pair.partition("=")
        said, plain = unquote_plus(name), unquote_plus(value)
        if not plain:
            shown = said if _is_impersonal_value(said) else mask(said, "parameter ")
            out.append((name if shown == said else quote(shown, safe="")) + equals)
            continue
        shown = mask(_TELLING.sub(lambda m: m[0] if is_known_word(m[0]) else mask(m[0], "parameter "), said), "key")
        new_name = name if shown == said else quote(shown, safe="[]")
        if _SAFE_VALUE.match(plain):
            out.append(f"{new_name}={value}")
        else:
            out.append(f"{new_name}={quote(mask(plain, 'parameter ' + said), safe='')}")
    return "".join(out)


_TELLING = re.compile(r"(?<![^\W_])[^\W\d_a-z][^\W\d_]*[^\W\d_A-Z][^\W\d_]*")
"""A capitalized word that is not all capitals, as names are written."""


_LEAST_DIGITS = 7
"""Digits of a value without a name that may be a personal number, however they are grouped."""


def _is_impersonal_value(text: str) -> bool:
    if _SAFE_VALUE.match(text):
        return True
    return sum(map(str.isdigit, text)) < _LEAST_DIGITS and all(map(is_known_word, re.findall(r"[^\W_]+", text)))


_SPELLED = re.compile(r"(?<=/)[^\W\d_](?:/[^\W\d_]){6,}(?=/|\Z)")
"""Segments of one letter each that may spell a word. Folders of hashes have digits, and those of an index fewer
letters.
"""


def _mask_letter_by_letter_word(letter_segments: re.Match[str], mask: Mask) -> str:
    """Return one masked segment for a word that a path spells with one letter in each segment."""
    word = letter_segments[0].replace("/", "")
    return quote(mask(word, "parameter "), safe="") if may_be_name_or_number(word) else letter_segments[0]


def _mask_path(path: str, mask: Mask) -> str:
    pieces = path.split("/")
    out = pieces[:1] if not pieces[0] else [_mask_segment(pieces[0], mask)]
    for before, piece in itertools.pairwise(pieces):
        scoped = before in _PACKAGES and _SCOPE.fullmatch(piece) is not None
        out.append(f"@{mask(piece[1:], 'segment')}" if scoped else _mask_segment(piece, mask))
    return "/".join(out)


_PACKAGES = frozenset({"npm", "node_modules"})
"""Folders of packages. A name with ``@`` in one is the scope of a package; elsewhere it is a user (``/@tamsin/posts``).
"""
_SCOPE = re.compile(r"@[a-z][a-z0-9._-]*")


def _mask_segment(segment: str, mask: Mask) -> str:
    matrix = segment.split(";")
    if len(matrix) > 1:
        return _mask_segment(matrix[0], mask) + "".join(";" + mask_query(m, mask) for m in matrix[1:])
    plain = unquote_plus(segment.replace("+", "%2B"))
    if not plain or plain in (".", ".."):
        return segment
    extension = m.group() if (m := _EXTENSION.search(plain)) and "@" not in plain else ""
    stem = plain[: len(plain) - len(extension)]
    if not stem:
        return segment
    masked = mask(stem, "token" if is_data_segment(stem) else "segment")
    return segment if masked == stem else quote(masked + extension, safe="@:~!$&'()*+,=")


def is_data_segment(stem: str) -> bool:
    """Return whether a path segment is data rather than words: random letters, an e-mail address, a long number."""
    return (
        "@" in stem
        or looks_random(stem)
        or _has_random_case(stem)
        or bool(re.search(r"\d{5,}", stem))
        or len(stem) > 48
    )


def _has_random_case(stem: str) -> bool:
    """Return whether capitals and small letters alternate at random, as in a token. ``UserAccountSettings2`` consists
    of words.
    """
    humps = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", stem) if _LETTERS.fullmatch(stem) else []
    return len(humps) > 4 and sum(len(h) > 2 and is_known_word(h) for h in humps) * 2 < len(humps)


_LETTERS = re.compile(r"(?=.{16})[A-Za-z]*+\d?+[A-Za-z]*+")


_ROUTE = re.compile(r"[\w.-]+/[\w.-]")
"""A route of a single-page application in a fragment: ``#studio/model/party.party/6``."""


def _mask_fragment(fragment: str, mask: Mask) -> str:
    if all(w.lower() in UI_WORDS for w in re.findall(r"[^\W_]+", fragment)):
        return fragment
    if "=" in fragment and "/" not in fragment:
        return mask_query(fragment, mask)
    if fragment[:1] in "/!" or _ROUTE.match(fragment):
        path, question, query = fragment.partition("?")
        path = "/".join(_mask_segment(s, mask) for s in path.split("/"))
        return path + (question + mask_query(query, mask) if question else "")
    plain = unquote_plus(fragment)
    masked = mask(plain, "fragment")
    return fragment if masked == plain else quote(masked, safe="")
