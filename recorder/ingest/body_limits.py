"""Decides which response bodies are kept, by their kind, MIME type and the recording's options."""

from __future__ import annotations

from ..runtime.options import Options

PAGE_RESOURCES = frozenset({"stylesheet", "image", "font", "media", "document", "texttrack"})
"""Resource types (CDP's, in lower case) without which the page cannot be shown."""
ANSWERS = frozenset({"xhr", "fetch", "eventsource"})
SHOWN = ("image/", "font/", "text/css", "audio/", "video/")
"""MIME types that a page shows, whatever requested them: favicons, preloads, prefetches."""
TEXT = (
    "text/",
    "application/json",
    "application/xml",
    "application/graphql",
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonlines",
)
SCRIPTS = ("text/javascript", "application/javascript", "application/x-javascript", "application/ecmascript")
FLOWING = frozenset(
    {
        "text/event-stream",
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/stream+json",
        "application/json-seq",
        "multipart/x-mixed-replace",
    }
)
"""MIME types of responses that arrive bit by bit, and often have no end: a page reads them as they arrive."""
BODILESS = frozenset({0, 101, 204, 205, 304})


def find_body_limit(kind: str, mime: str, status: int, options: Options) -> tuple[int, str]:
    """Return how many bytes of a response's body are stored at most; if it is 0, also the reason."""
    if not options.bodies:
        return 0, "policy"
    if status in BODILESS:
        return 0, "empty"
    if 300 <= status < 400:
        return 0, "redirect"
    if options.world:
        return options.resource_total, ""
    if kind == "script" or mime.startswith(SCRIPTS):
        return 0, "policy"
    if kind in PAGE_RESOURCES or (kind not in ANSWERS and mime.startswith(SHOWN)):
        return options.resource_limit, ""
    if kind in ANSWERS and (mime.startswith((*TEXT, *SHOWN)) or mime.endswith(("+json", "+xml"))):
        return options.fetch_limit, ""
    return 0, "policy"
