"""Fetches resources that an imported recording names but does not contain, only from hosts that the user names."""

from __future__ import annotations

import os
import secrets
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlsplit

from pagereel import __version__
from pagereel.player_build import list_unknown_addresses
from pagereel.reel import Event, Keys, ReelWriter, build_resource_event, open_reel, pick_header_fields

ONE: Final = 20 << 20
"""Largest file, in bytes."""
ALL: Final = 200 << 20
"""Largest sum of all files, in bytes."""
MOST: Final = 2_000
"""Largest number of addresses that are requested."""
PATIENCE: Final = 10
"""Seconds to wait for a response."""
ROUNDS: Final = 3
"""Number of rounds: a page names a sheet, a sheet its fonts, so fetched files are searched for further addresses."""


@dataclass
class FetchReport:
    """The result of fetching missing resources: the number of resources and bytes that came, and the addresses that
    failed.
    """

    count: int = 0
    bytes: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    """Address → why it gave nothing."""


def fetch_missing_resources(reel: Path, hosts: Iterable[str], *, encrypt_to: Keys | None = None) -> FetchReport:
    """Fetch the resources that the recording at `reel` names but does not contain, and add them to the recording.

    `hosts`: the hosts that may be contacted, as in addresses (``cdn.example``, ``127.0.0.1:8000``); a redirect to
    another host is not followed. No cookies are sent. The resources are today's versions, not those of the run: a
    ``gap`` says so.
    """
    allowed = frozenset(host.lower() for host in hosts)
    done = FetchReport()
    asked: set[str] = set()
    for _ in range(ROUNDS):
        with open_reel(reel) as opened:
            wanted = [
                url for url in list_unknown_addresses(opened) if url not in asked and _is_allowed_url(url, allowed)
            ]
        came = list(_fetch_resources(wanted[: MOST - len(asked)], allowed, done))
        asked.update(wanted)
        if not came:
            break
        _insert_events(reel, came, encrypt_to)
    if done.count:
        told = f"{done.count} files were fetched when this was imported: they are as they were then"
        _insert_events(
            reel, [{"k": "gap", "t": 0, "reason": "fetched", "detail": told, "count": done.count}], encrypt_to
        )
    return done


def _fetch_resources(urls: list[str], allowed_hosts: frozenset[str], report: FetchReport) -> Iterator[Event]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _LimitedRedirectHandler(allowed_hosts))
    for url in urls:
        try:
            request = urllib.request.Request(url, headers={"User-Agent": f"pagereel/{__version__}"})
            with opener.open(request, timeout=PATIENCE) as answer:
                content = answer.read(ONE + 1)
                mime = answer.headers.get_content_type()
        except (OSError, ValueError, HTTPException) as error:
            report.failed[url] = str(error)[:200] or type(error).__name__
            continue
        if len(content) > ONE or report.bytes + len(content) > ALL:
            report.failed[url] = f"more than {(ONE if len(content) > ONE else ALL) >> 20} MiB"
            continue
        report.count += 1
        report.bytes += len(content)
        resource = build_resource_event(content, mime)
        yield resource
        yield {"k": "alias", "t": 0, "page": 1, "url": url.partition("#")[0], "body": resource["sha256"]}


def _is_allowed_url(url: str, allowed_hosts: frozenset[str]) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() in allowed_hosts


class _LimitedRedirectHandler(urllib.request.HTTPRedirectHandler):
    """A redirect handler for urllib that follows redirects only to allowed hosts."""

    def __init__(self, allowed: frozenset[str]) -> None:
        self._allowed = allowed

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        if not _is_allowed_url(newurl, self._allowed):
            raise urllib.error.URLError(f"it leads to {urlsplit(newurl).netloc or newurl[:60]}, which was not named")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _insert_events(path: Path, events: Iterable[Event], encrypt_to: Keys | None) -> None:
    """Rewrite the recording at `path` with `events` inserted after its header."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        with open_reel(path) as reel:
            header = pick_header_fields(reel.header)
            reason = str(reel.end.get("reason")) if reel.end else "closed"
            writer = ReelWriter(temporary, header, flush_ms=60_000, encrypt_to=encrypt_to or reel.encrypt_to or None)
            for event in events:
                writer.write(event)
            for event in reel.events():
                if event["k"] not in ("reel", "end"):
                    writer.write(event)
            writer.close(reason)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
