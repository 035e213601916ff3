"""Find people in the hosts of addresses, and mask hosts if the policy does not keep them."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..contracts.findings import Finding
from ..words.program_names import is_common_program_word
from .identifiers import find_personal_data_in_identifier

_HOST = re.compile(r"(?P<scheme>\A(?:[A-Za-z][A-Za-z0-9+.-]*:){0,2}//)(?P<host>[^/?#\\]+)")
_NUMBERED = re.compile(r"[\d.:\[\]a-fA-F]*[\d\]](?::\d{1,5})?\Z")
"""A host that is an IP address."""
_LOCAL = ("127.0.0.1", "[::1]", "localhost")
_REGISTERED = 2
"""Number of labels at the end of a host that are searched one by one, not together: ``jasmine.github.io`` names nobody.
The labels before them are searched as one name: ``maria.ostenvik.shop.example``.
"""

Mask = Callable[[str, str], str]
"""Gets a piece and its entity, returns its replacement."""


def find_personal_data_in_host(host: str) -> list[Finding]:
    """Return findings of people, card numbers and other numbers in a host name."""
    labels = [match.span() for match in re.finditer(r"[^.]+", host)]
    whole = labels[: -_REGISTERED or None]
    parts = [(whole[0][0], whole[-1][1])] if whole else []
    return [
        f._replace(start=f.start + start, end=f.end + start)
        for start, end in (*parts, *labels[-_REGISTERED:])
        for f in find_personal_data_in_identifier(host[start:end])
    ]


def mask_host(host: str, mask: Mask) -> str:
    """Return a host with each word masked that is no common word of the language or of programs. The top-level domain
    stays.
    """
    if host.startswith(_LOCAL):
        return host
    if _NUMBERED.match(host):
        return mask(host.rpartition(":")[0] or host, "IP_ADDRESS")
    host, colon, port = host.partition(":")
    labels = host.split(".")
    shown = [
        label if is_common_program_word(label) else re.sub(r"\s+", "-", mask(label, "VALUE"))
        for label in (labels[:-1] or labels)
    ]
    return ".".join([*shown, *labels[max(len(shown), 1) :]]) + colon + port


def mask_host_of_url(url: str, mask: Mask) -> str:
    """Return a URL with its host masked. A URL without a host stays as it is."""
    return _HOST.sub(lambda m: m["scheme"] + mask_host(m["host"], mask), url, count=1)
