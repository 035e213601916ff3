"""Records the resources that a document loaded before the recorder attached to it, which CDP does not report.

The recorder attaches late to an out-of-process frame, to a popup, and to a page that was open before the recording. The
resource tree lists what they have loaded. The bytes come from Playwright, which attached earlier, or from an MHTML
snapshot of the page. Neither makes a second request, unlike ``Page.getResourceContent`` and the CSS domain, which fetch
every style sheet again.
"""

from __future__ import annotations

import email
import email.policy
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from pagereel.reel import Event

from ..ingest.body_limits import PAGE_RESOURCES, find_body_limit
from ..ingest.playwright_exchanges import fetch_response, write_exchange
from ..runtime.runner import spawn_and_wait
from .cdp_sessions import Params

if TYPE_CHECKING:
    from ..ingest.script_source import ScriptSource
    from .cdp_connection import CdpPageConnection
    from .target import CdpTarget

_PATIENCE = 10.0
"""Seconds to wait for responses that are still under way."""
_SMALL = 10_000
"""Largest number of elements at which an MHTML snapshot is taken: the browser writes it in less than 50 ms, in one
task.
"""
_COUNT = "document.getElementsByTagName('*').length"
_ELSEWHERE = ("data:", "blob:", "about:", "javascript:", "chrome")


@dataclass(frozen=True, slots=True)
class _EarlierResource:
    frame: str
    url: str
    kind: str
    """CDP's resource type, in lower case."""
    mime: str


async def record_earlier_resources(
    connection: CdpPageConnection, target: CdpTarget, recorded_requests: set[tuple[str, str]]
) -> None:
    """Record the resources that a target's documents loaded without a recorded request.

    ``recorded_requests``: frame and URL of each recorded request.
    """
    tree = (await target.link.send("Page.getResourceTree"))["frameTree"]
    missed = [
        each for each in _list_loaded_resources(tree, target.is_root) if (each.frame, each.url) not in recorded_requests
    ]
    missed = [each for each in missed if find_body_limit(each.kind, each.mime, 200, connection.kit.options)[0]]
    if missed:
        missed = await _record_from_playwright(connection, missed)
    if missed:
        await _record_from_mhtml(connection, missed)


def _list_loaded_resources(tree: Params, root: bool) -> list[_EarlierResource]:
    found, trees = [], [tree]
    while trees:
        tree = trees.pop()
        trees.extend(tree.get("childFrames", ()))
        frame = tree["frame"]
        if root:  # A frame's own document is requested by the process of the page that embeds it.
            found.append(_EarlierResource(frame["id"], frame["url"], "document", frame.get("mimeType", "")))
        for each in tree["resources"]:
            kind = str(each["type"]).lower()
            if kind in PAGE_RESOURCES and not each.get("failed") and not each.get("canceled"):
                found.append(_EarlierResource(frame["id"], urldefrag(each["url"])[0], kind, each["mimeType"]))
    return [each for each in found if each.url and not each.url.startswith(_ELSEWHERE)]


def _find_script_source(connection: CdpPageConnection, frame: str) -> ScriptSource | None:
    context = connection.frames.current.get(frame)
    return context.source if context is not None else None


async def _record_from_playwright(
    connection: CdpPageConnection, missing_resources: list[_EarlierResource]
) -> list[_EarlierResource]:
    """Record the resources whose bytes Playwright has, and return the others. From version 1.56 on Playwright keeps the
    last hundred requests of a page.
    """
    kit, page = connection.kit, connection.record.page
    if not hasattr(page, "requests"):
        return missing_resources
    known: dict[str, Any] = {urldefrag(each.url)[0]: each for each in await kit.runner.await_call(page.requests())}
    left = []

    async def record_resource(resource: _EarlierResource, request: Any) -> None:
        exchange = await fetch_response(kit, request, kit.clock.now())
        if exchange.content is None and exchange.told.get("why") == "gone":
            left.append(resource)
        else:
            write_exchange(
                kit,
                connection.record.number,
                _find_script_source(connection, resource.frame),
                request,
                kit.clock.now(),
                exchange,
            )

    found = [(each, known[each.url]) for each in missing_resources if each.url in known]
    slots = await spawn_and_wait(kit.runner, [record_resource(*each) for each in found], _PATIENCE)
    left += [each for (each, _), slot in zip(found, slots, strict=True) if slot.error is not None or not slot.done]
    return left + [each for each in missing_resources if each.url not in known]


async def _record_from_mhtml(connection: CdpPageConnection, missing_resources: list[_EarlierResource]) -> None:
    """Record resources from an MHTML snapshot: images unchanged, style sheets as the browser parsed them. Fonts, media
    and documents are not in it.
    """
    counts = await spawn_and_wait(
        connection.kit.runner, [each.evaluate(_COUNT) for each in connection.frames.current.values()], _PATIENCE
    )
    data = ""
    if sum(slot.value or 0 for slot in counts) <= _SMALL and connection.page_session is not None:
        try:
            data = (await connection.page_session.send("Page.captureSnapshot"))["data"]
        except Exception as error:
            connection.kit.writer.report_error("snapshot", error)
    where = {each.frame: _find_script_source(connection, each.frame) for each in missing_resources}
    connection.kit.writer.enqueue_call(
        _store_mhtml_resources, connection, missing_resources, where, data, size=len(data)
    )


def _store_mhtml_resources(
    connection: CdpPageConnection,
    missing_resources: list[_EarlierResource],
    source_by_frame: dict[str, ScriptSource | None],
    mhtml: str,
) -> None:
    """Store the resources in the MHTML snapshot `mhtml`, and write a gap for the missing ones. Runs on the writer
    thread.
    """
    network, page, now = connection.kit.network, connection.record.number, connection.kit.clock.now()
    parts: dict[str, bytes] = {}
    for part in email.message_from_string(mhtml, policy=email.policy.HTTP).walk() if mhtml else ():
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            parts[urldefrag(str(part["content-location"]))[0]] = content
    gaps: dict[ScriptSource | None, Counter[str]] = {}
    for each in missing_resources:
        content = parts.get(each.url) if each.kind != "document" else None
        source, limit = (
            source_by_frame[each.frame],
            find_body_limit(each.kind, each.mime, 200, connection.kit.options)[0],
        )
        asked: Event = {"t": now, "page": page, "method": "GET", "url": each.url, "type": each.kind, "headers": {}}
        asked["frame"] = each.frame
        fields: Event = {"status": 200, "mime": each.mime, "from": "memory", "end": now}
        if not content:
            fields["why"] = "late"
        network.write_finished_exchange(source, asked, fields, None, content or None, each.mime, limit)
        if not content and each.kind != "document":
            gaps.setdefault(source, Counter())[each.kind] += 1
    for source, kinds in gaps.items():
        number = connection.kit.documents.get_document_number(source)
        what = ", ".join(f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in sorted(kinds.items()))
        detail = f"what it had loaded before it was met: {what}"
        connection.kit.writer.write_gap("late", {"page": page, **({"d": number} if number else {}), "detail": detail})
