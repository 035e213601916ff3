"""Recognize values that are addresses of the recorded site, and find addresses that no longer agree after masking.

A form's ``next=/admin/`` or WordPress's ``_wp_http_referer`` is private by its place, but it is an address of the site. As a known value it would be
replaced everywhere, and every address that begins with it would lead nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urldefrag, urljoin, urlsplit

from .urls import rewrite_url

_ADDRESS = re.compile(r"(?:https?://[^/?#\\\s]+|\.{1,2})?/(?![/\\])[^\s\\]{0,2000}|https?://[^/?#\\\s]+", re.IGNORECASE)
_WITHIN = re.compile(
    r"(?:https?://[^/?#\\\s\"'`<>(){}|]+|(?<![^\s\"'`=(\[{,:^*]))/(?![/*])[^\s\"'`<>(){}\[\]|\\]{1,2000}", re.IGNORECASE
)
"""Before a path stands what text, code and attributes put there: ``and/or`` and a fraction are none."""
_SURE = re.compile(r"(?:(?:https?|wss?|ftp|file)://\S+|[/.][\w.~%/-]*\?\S+)\Z")


def is_address(text: str) -> bool:
    """Return whether a string of a body, a prompt or an argument is surely an address: absolute, or one of the site with a query."""
    return _SURE.match(text) is not None


def looks_like_address(text: str) -> bool:
    """Return whether a value of a page may be an address: absolute, from the site's root, or from the folder.

    Only the whole site's addresses decide it (:func:`of_the_site`).
    """
    return _ADDRESS.fullmatch(text.strip()) is not None


_VOCABULARIES = frozenset(
    f"http://www.w3.org/{name}"
    for name in ("1999/xhtml", "1998/Math/MathML", "2000/svg", "1999/xlink", "XML/1998/namespace", "2000/xmlns/")
)


_EXAMPLES = re.compile(r"https?://(?:[a-z]+\.)?example\.(?:com|net|org)(?:/(?:[a-z]+\.[a-z]{2,4})?)?", re.IGNORECASE)
"""An address of a host that is kept for examples (RFC 2606), and of nothing there that could be anybody's."""


def is_xml_namespace(text: str) -> bool:
    """Return whether an address is an XML namespace that browsers know (HTML's standard, "Namespaces") or an example. An SVG file without its
    namespace is none.
    """
    address = text.strip("\"'`.,;)")
    return address in _VOCABULARIES or _EXAMPLES.fullmatch(address) is not None


def within_text(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a text that may be addresses of a site: absolute ones, and paths from the root."""
    for match in _WITHIN.finditer(text) if "/" in text else ():
        yield match.start(), match.end() - len(match[0]) + len(match[0].rstrip(".,:;!)*"))


def host_of(url: str) -> str:
    """Return the host of an absolute address in lower case, or the empty string."""
    return (
        url.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2].lower() if "://" in url else ""
    )


def segments(url: str) -> list[str]:
    """Return the decoded segments of an address's path, without file extensions, as :func:`rewrite_url` gives them to its mask."""
    out: list[str] = []

    def note(piece: str, what: str) -> str:
        if what in ("segment", "token"):
            out.append(piece)
        return piece

    rewrite_url(url, note)
    return out


def of_the_site(text: str, hosts: frozenset[str] | set[str], known: frozenset[str] | set[str]) -> bool:
    """Return whether a value is an address of the recorded site. Its first segment must be one of `known`, the segments of the site's addresses;
    base64 may also begin with a slash.
    """
    if not looks_like_address(text):
        return False
    host = host_of(text)
    path = segments(text)
    return (not host or host in hosts) and (not path or path[0] in known)


def lost(masked: Mapping[str, str], answers: Iterable[str], shown: Iterable[str]) -> dict[str, str]:
    """Return the masked address of each recorded address that the masked pages no longer find.

    :param masked: each address as recorded → as masked.
    :param answers: the addresses as recorded of which there are bytes.
    :param shown: the addresses as recorded of documents and style sheets, the bases of relative addresses.
    """
    there = {urldefrag(url)[0] for url in answers}
    now = {urldefrag(masked.get(url, url))[0] for url in there}
    whole = [(url, masked.get(url, url)) for url in dict.fromkeys(shown) if _parses(url)]
    gone = {base for base, stands in whole if not _parses(stands)}
    folders = list({(_joined(base, "."), _joined(stands, ".")): (base, stands) for base, stands in whole}.values())
    roots = list({(_joined(base, "/"), _joined(stands, "/")): (base, stands) for base, stands in whole}.values())
    for address, stands in masked.items():
        if "://" in address or address.startswith(("data:", "blob:", "#")):
            asked = urldefrag(address)[0]
            if asked in there and urldefrag(stands)[0] not in now:
                gone.add(asked)
            continue
        for base, base_now in roots if address.startswith("/") else folders:
            asked = urldefrag(_joined(base, address))[0]
            if asked in there and urldefrag(_joined(base_now, stands))[0] not in now:
                gone.add(asked)
    return {url: masked.get(url, url) for url in sorted(gone)}


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:
        return ""


def _parses(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.scheme) and (parts.port is None or parts.port >= 0)
    except ValueError:
        return False
