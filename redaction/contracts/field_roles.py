"""Give for each field of each kind of event its role: how the redaction handles the strings in it.

A role is looked up by the field's type. A kind or a field without a role is dropped, so a new field leaks nothing until
it gets a role. Some fields also have a list of allowed words.

Roles: ``plain`` (pagereel's own numbers, enumerations and ids: passed on), ``keep``, ``text``, ``code``, ``stack``,
``called`` (the name of a program or of a part of one), ``status`` (an HTTP status text), ``mime``, ``url``, ``value``,
``json`` (read leaf by leaf), ``params`` (the same, except Playwright's own words), ``source`` (file and line of a
script), ``headers``, ``resource``, ``names`` (names and versions of programs), ``ops``, ``key``, ``digest``,
``operation`` (a known one, else text), ``method`` (of HTTP, else masked), ``queries`` (known ones), ``preference``,
``number``, ``look`` (a sample of the layout) and ``hex`` (hexadecimal digits), dropped if they have another form.
"""

from __future__ import annotations

from pagereel.reel import KINDS, find_redaction_channels

CHANNELS: dict[str, dict[str, str]] = {
    name: find_redaction_channels(kind.type) for name, kind in KINDS.items() if kind.redacted == "by field"
}
"""Kind → field → role, as the table of kinds says it (``reel/kinds.py``, ``reel/event_fields.py``)."""

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
"""Operations that a ``memory`` event may name. Any other text is the caller's own, and is masked."""

METHODS = frozenset(
    """
    CONNECT COPY DELETE GET HEAD LOCK MKCOL MOVE OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REPORT SEARCH TRACE
    UNLOCK
    """.split()  # noqa: SIM905
)
"""HTTP methods that are kept. A page may send any word as a method."""

PREFERENCES = frozenset({"light", "dark", "reduce", "no-preference"})
"""Values of media queries for a user's preferences."""

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
"""Media queries whose result a recording may hold (``QUERIES`` in injector_js/src/config.ts)."""

INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rp rt rtc ruby s samp slot small span strike strong sub sup time tt u var wbr svg|tspan svg|a math|mi math|mn math|mo".split()  # noqa: SIM905
)
"""Elements that do not end a word or a line: the text before and after them is read as one."""

ASIDE = frozenset({"rt", "rtc", "rp"})
"""Ruby elements: their text is shown above another text. The text before and after them is read as one, without theirs.
"""
