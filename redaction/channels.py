"""The table of channels: each field of each kind of event, and the role of what stands in it.

A kind or a field that is not here is dropped: a new one leaks nothing until somebody says what it is.

Roles: ``plain`` (numbers, enumerations and ids of pagereel's own: passed on), ``keep``, ``text``, ``code``, ``stack``, ``called`` (what a program calls itself or a part of it), ``status`` (HTTP's words for one), ``mime``, ``url``,
``value``, ``json`` (read leaf by leaf), ``params`` (the same, but for Playwright's own words), ``source`` (a place in a program), ``headers``, ``resource``, ``names`` (names and versions of programs), ``ops``, ``key``, ``digest``, ``operation`` (a known one, else
text), ``method`` (of HTTP, else masked), ``queries`` (known ones), ``preference``, ``number``, ``look`` and ``hex`` (dropped where they are something else).
"""

from __future__ import annotations

Fields = dict[str, str]


def _fields(**roles: str) -> Fields:
    return {name.rstrip("_"): role for role, names in roles.items() for name in names.split()}


_MESSAGE = "d n"

CHANNELS: dict[str, Fields] = {
    "reel": _fields(
        plain="format started",
        hex="id",
        keep="python platform",
        names="recorder browser",
        json="metadata options",
        text="agent title",
    ),
    "document": _fields(
        plain="d page frame top viewport mode",
        preference="scheme motion",
        queries="media",
        url="url referrer",
        text="title",
    ),
    "embed": _fields(plain="d parent node"),
    "snapshot": _fields(plain=f"{_MESSAGE} why", number="age", ops="ops"),
    "mutation": _fields(plain=_MESSAGE, ops="ops"),
    "pointer": _fields(plain=f"{_MESSAGE} points type"),
    "mouse": _fields(plain=f"{_MESSAGE} type node x y button"),
    "key": _fields(plain=f"{_MESSAGE} type node mods", key="key"),
    "viewport": _fields(plain=f"{_MESSAGE} w h dpr", preference="scheme motion", queries="media"),
    "location": _fields(plain=_MESSAGE, url="url"),
    "visibility": _fields(plain=f"{_MESSAGE} state"),
    "unload": _fields(plain=_MESSAGE),
    "checkpoint": _fields(plain=f"{_MESSAGE} equal", digest="digest nodes", look="look"),
    "page": _fields(plain="page event opener", url="url"),
    "console": _fields(plain="page d level source line column", text="text", json="args", url="url"),
    "error": _fields(plain="page", text="message", stack="stack"),
    "dialog": _fields(plain="page type", text="message", value="default"),
    "download": _fields(plain="page", url="url", value="filename"),
    "request": _fields(plain="id page frame d type", method="method", url="url", headers="headers", resource="post"),
    "response": _fields(
        plain="id d status from_ timing end size why",
        status="status_text",
        mime="mime",
        url="url",
        headers="headers",
        resource="body",
        code="error",
    ),
    "resource": _fields(resource="sha256"),
    "alias": _fields(plain="page", url="url", resource="body"),
    "step": _fields(plain="id parent", text="title reasoning", json="attributes"),
    "step_end": _fields(plain="id success", text="message error", json="attributes"),
    "llm": _fields(
        plain="id step input_tokens output_tokens cost_usd duration",
        called="model provider",
        json="prompt response attributes",
    ),
    "tool_call": _fields(plain="id step", called="name", json="arguments attributes"),
    "tool_result": _fields(plain="id call duration", json="result", text="error"),
    "memory": _fields(plain="id step", operation="op", text="key", json="value"),
    "note": _fields(plain="id step", text="text", json="attributes"),
    "mark": _fields(text="name"),
    "screenshot": _fields(plain="id step page", text="label", resource="body", boxes="boxes", json="attributes"),
    "call": _fields(
        plain="id step page method duration", text="title error", code="locator", params="params", source="source"
    ),
    "gap": _fields(plain="reason page d count", code="detail"),
    "unsupported": _fields(plain="what d node"),
    "end": _fields(plain="reason events"),
}
"""Kind → field → role. ``redaction`` events of an earlier pass are written anew, so they do not stand here."""

NAMED_KEYS = frozenset(
    """
    Alt AltGraph ArrowDown ArrowLeft ArrowRight ArrowUp Backspace CapsLock ContextMenu Control Delete End Enter Escape
    F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 Home Insert Meta NumLock PageDown PageUp Pause ScrollLock Shift Tab
    """.split()  # noqa: SIM905
)
"""The only keys that a ``key`` event may name."""

OPERATIONS = frozenset(
    """
    add append clear create delete forget get insert list load merge query read recall remove replace retrieve save search
    set store update upsert write
    """.split()  # noqa: SIM905
)
"""What a ``memory`` event may say that was done; anything else is a caller's own words."""

METHODS = frozenset(
    """
    CONNECT COPY DELETE GET HEAD LOCK MKCOL MOVE OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REPORT SEARCH TRACE
    UNLOCK
    """.split()  # noqa: SIM905
)
"""HTTP's methods: a page may send any word as one."""

PREFERENCES = frozenset({"light", "dark", "reduce", "no-preference"})
"""What media queries tell of a person."""

QUERIES = frozenset(
    {
        "print",
        "(prefers-contrast: more)",
        "(prefers-contrast: less)",
        "(prefers-contrast: custom)",
        "(prefers-reduced-transparency: reduce)",
        "(forced-colors: active)",
        "(inverted-colors: inverted)",
        "(hover: none)",
        "(any-hover: none)",
        "(pointer: coarse)",
        "(pointer: none)",
        "(any-pointer: coarse)",
        "(any-pointer: none)",
        "(scripting: none)",
    }
)
"""The media queries of which a recording may say that they held (``QUERIES`` in injector_js/src/config.ts)."""

INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rp rt ruby s samp slot small span strike strong sub sup time tt u var wbr svg|tspan svg|a math|mi math|mn math|mo".split()  # noqa: SIM905
)
"""Elements that do not end a word or a line: the text before and after them is read as one."""
