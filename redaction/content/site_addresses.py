"""Recognize values that are URLs of the recorded site, and find URLs that no longer lead to a resource after masking.

A form's ``next=/admin/`` or WordPress's ``_wp_http_referer`` is private by its place, but it is a URL of the site. As
a known value it would be replaced everywhere, and every URL that begins with it would break.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from urllib.parse import urldefrag, urljoin, urlsplit

from .urls import mask_url

_ADDRESS = re.compile(r"(?:https?://[^/?#\\\s]+|\.{1,2})?/(?![/\\])[^\s\\]{0,2000}|https?://[^/?#\\\s]+", re.IGNORECASE)
_WITHIN = re.compile(
    r"(?:https?://[^/?#\\\s\"'`<>(){}|]+|(?<![^\s\"'`=(\[{,:^*]))/(?![/*])[^\s\"'`<>(){}\[\]|\\]{1,2000}", re.IGNORECASE
)
"""A URL within a text, code or an attribute. The characters before it exclude ``and/or`` and fractions."""
_SURE = re.compile(r"(?:(?:https?|wss?|ftp|file)://\S+|[/.][\w.~%/-]*\?\S+)\Z")


def is_address(text: str) -> bool:
    """Return whether a string is certainly a URL: absolute, or a path with a query."""
    return _SURE.match(text) is not None


def looks_like_address(text: str) -> bool:
    """Return whether a value may be a URL: absolute, from the site's root, or relative to the folder.
    :func:`is_site_address` decides with the site's own URLs.
    """
    return _ADDRESS.fullmatch(text.strip()) is not None


_VOCABULARIES = frozenset(
    f"http://www.w3.org/{name}"
    for name in ("1999/xhtml", "1998/Math/MathML", "2000/svg", "1999/xlink", "XML/1998/namespace", "2000/xmlns/")
)


_EXAMPLES = re.compile(r"https?://(?:[a-z]+\.)?example\.(?:com|net|org)(?:/(?:[a-z]+\.[a-z]{2,4})?)?", re.IGNORECASE)
"""A URL of a host reserved for examples (RFC 2606)."""


def is_xml_namespace(text: str) -> bool:
    """Return whether a URL is an XML namespace that browsers know, or an example address. An SVG file without its
    namespace would show nothing.
    """
    address = text.strip("\"'`.,;)")
    return address in _VOCABULARIES or _EXAMPLES.fullmatch(address) is not None


def iter_address_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans in a text that may be URLs of a site: absolute ones, and paths from the root."""
    for match in _WITHIN.finditer(text) if "/" in text else ():
        yield match.start(), match.end() - len(match[0]) + len(match[0].rstrip(".,:;!)*"))


def read_host(url: str) -> str:
    """Return the host of an absolute address in lower case, or the empty string."""
    return (
        url.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2].lower() if "://" in url else ""
    )


def split_path_segments(url: str) -> list[str]:
    """Return the decoded segments of a URL's path without file extensions, as :func:`mask_url` passes them to its
    mask.
    """
    out: list[str] = []

    def collect_segment(piece: str, piece_kind: str) -> str:
        if piece_kind in ("segment", "token"):
            out.append(piece)
        return piece

    mask_url(url, collect_segment)
    return out


def is_site_address(text: str, hosts: Set[str], known: Set[str]) -> bool:
    """Return whether a value is a URL of the recorded site.

    :param hosts: the hosts of the site.
    :param known: the first path segments of the site's URLs. The value's first segment must be among them, because
        base64 may also begin with a slash.
    """
    if not looks_like_address(text):
        return False
    host = read_host(text)
    path = split_path_segments(text)
    return (not host or host in hosts) and (not path or path[0] in known)


def find_broken_addresses(masked: Mapping[str, str], answers: Iterable[str], shown: Iterable[str]) -> dict[str, str]:
    """Return the masked form of each recorded URL that the masked pages no longer resolve to.

    :param masked: each URL as recorded → as masked.
    :param answers: the URLs, as recorded, whose responses the recording holds.
    :param shown: the URLs, as recorded, of documents and style sheets: the bases of relative URLs.
    """
    there = {urldefrag(url)[0] for url in answers}
    now = {urldefrag(masked.get(url, url))[0] for url in there}
    whole = [(url, masked.get(url, url)) for url in dict.fromkeys(shown) if _is_valid_url(url)]
    gone = {base for base, stands in whole if not _is_valid_url(stands)}
    folders = list({(_join_url(base, "."), _join_url(stands, ".")): (base, stands) for base, stands in whole}.values())
    roots = list({(_join_url(base, "/"), _join_url(stands, "/")): (base, stands) for base, stands in whole}.values())
    for address, stands in masked.items():
        if "://" in address or address.startswith(("data:", "blob:", "#")):
            asked = urldefrag(address)[0]
            if asked in there and urldefrag(stands)[0] not in now:
                gone.add(asked)
            continue
        for base, base_now in roots if address.startswith("/") else folders:
            asked = urldefrag(_join_url(base, address))[0]
            if asked in there and urldefrag(_join_url(base_now, stands))[0] not in now:
                gone.add(asked)
    return {url: masked.get(url, url) for url in sorted(gone)}


def _join_url(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:
        return ""


def _is_valid_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.scheme) and (parts.port is None or parts.port >= 0)
    except ValueError:
        return False
