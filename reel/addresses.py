"""Addresses in recorded pages: bases of relative addresses, absolute forms, and the candidates of a ``srcset``."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, urljoin

from .document import DocumentModel
from .model import PageModel

PLACEHOLDER: Final = "pagereel:"
"""Prefix of a resource's address in a built file, ``pagereel:<number>``; the player replaces it by a blob: URL."""

_SAFE: Final = "%/:=&?~#+!$,;'@()*[]|{}^\\`"

_BY_ITSELF: Final = re.compile(r"\.ico$|/(?:apple-touch-icon|favicon)[^/]*$|/com\.chrome\.devtools\.json$")


def is_requested_by_browser(address: str) -> bool:
    """Return whether browsers request an address by themselves (``/favicon.ico``), so that a failed request for it is
    no error.
    """
    return _BY_ITSELF.search(address) is not None


def to_absolute_address(base: str, address: str) -> str:
    """Return `address`, relative to `base`, as an absolute one, written as browsers report it in network events."""
    stripped = address.strip().replace("\n", "").replace("\t", "").replace("\r", "")
    try:
        joined = urljoin(base, stripped)
    except ValueError:
        return stripped
    return joined if joined[:5] == "data:" else quote(joined, safe=_SAFE)


def find_base_address(model: PageModel, document: DocumentModel) -> str:
    """Return the address to which a document's relative addresses refer: that of its ``<base>``, else its own, else
    that of the document that embeds it.
    """
    inner: list[DocumentModel] = []
    around: DocumentModel | None = document
    while around is not None and around not in inner:
        inner.append(around)
        if not around.url.startswith("about:") or around.parent is None:
            break
        around = model.documents.get(around.parent[0])
    url = inner[-1].url
    for each in reversed(inner):
        href = next((node.attrs["href"] for node in each.walk() if node.name == "base" and "href" in node.attrs), None)
        url = url if href is None else to_absolute_address(url, href)
    return url


_CANDIDATE = re.compile(r"[\s,]*([^\s]+)")
_DESCRIPTORS = re.compile(r"(?:\([^)]*\)?|[^,(])*")


def parse_srcset(srcset: str) -> list[tuple[str, str]]:
    """Return the candidates of a ``srcset`` in order, each as address and descriptor (``"2x"``, ``"640w"``, or ``""``),
    split by the HTML standard's rules ("parsing a srcset attribute").
    """
    found: list[tuple[str, str]] = []
    at = 0
    while match := _CANDIDATE.match(srcset, at):
        address = match[1]
        at = match.end()
        if address.endswith(","):
            found.append((address.rstrip(","), ""))
            continue
        descriptor = _DESCRIPTORS.match(srcset, at)
        assert descriptor is not None
        found.append((address, descriptor[0].strip()))
        at = descriptor.end()
    return [(address, descriptor) for address, descriptor in found if address]
