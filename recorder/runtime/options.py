"""The options of a recording, each with its default."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypedDict

from pagereel.errors import UsageError
from pagereel.options import Redaction, normalize_redaction_option
from pagereel.reel import Keys, load_keys

from .trace_context import parse_trace_id

MEGABYTE = 1_000_000
TRANSPORTS = ("auto", "cdp", "binding")
POLICIES = ("vendor", "strict", "internal")


class RecordOptions(TypedDict, total=False):
    """The keywords of :func:`pagereel.record`, for type checkers and editors; :class:`Options` documents each."""

    agent: str | None
    metadata: Mapping[str, object]
    tenant: str | None
    user: str | None
    trace: str | None
    parent: str | None
    versions: Mapping[str, object]
    traceparent_to: Sequence[str]
    transport: Literal["auto", "cdp", "binding"]
    mask: Sequence[str]
    calls: bool
    overwrite: bool | None
    shared: bool
    bodies: bool
    world: bool
    fetch_limit: int
    resource_limit: int
    resource_total: int
    share_resources: bool
    queue_limit: int
    checkpoint_screenshots: bool
    end_timeout: float
    encrypt_to: Keys | None
    replay: str | os.PathLike[str] | None
    redaction: Redaction
    quiet: bool


@dataclass(frozen=True, slots=True)
class Options:
    """The options of :func:`pagereel.recorder.record`. Sizes in bytes, times in seconds."""

    agent: str | None = None
    """Name of the agent, for the recording's header."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Anything as JSON, for the recording's header."""
    tenant: str | None = None
    """The customer for whom the run was made, for the recording's header: a name or an id, which a redaction replaces."""
    user: str | None = None
    """The person for whom the run was made, for the recording's header: a name or an id, which a redaction replaces."""
    trace: str | None = None
    """The trace that the run belongs to: 8 to 64 hexadecimal digits; a UUID will do. Default: the trace in the
    environment's ``TRACEPARENT``, if any, with its ``parent``.
    """
    parent: str | None = None
    """The span that started the run."""
    versions: Mapping[str, Any] = field(default_factory=dict)
    """Versions of the run's parts, each recorded with its hash: ``{"prompt": SYSTEM, "config": {"temperature": 0}}``.
    See ``session.version()``.
    """
    traceparent_to: Sequence[str] = ()
    """Origins (``https://shop.example``) whose pages' requests to themselves carry the header ``traceparent``, so that
    their servers' spans belong to the run's trace. Third parties never get it. Each such request waits until this
    process continues it: with the sync API that is when the script next calls Playwright. Chromium's own transport
    only.
    """
    transport: str = "auto"
    """``cdp`` (Chromium), ``binding`` (any browser), or ``auto``: what fits the browser."""
    mask: Sequence[str] = ()
    """CSS selectors of elements whose text and values are never read, in addition to passwords, cards and one-time
    codes.
    """
    calls: bool = True
    """Record the script's Playwright calls."""
    overwrite: bool | None = None
    """What to do with an existing recording at the path: True replaces it, False raises :class:`UsageError`, None
    replaces it and says so once, as a :class:`~pagereel.recorder.RecorderWarning`.
    """
    shared: bool = False
    """Let this recording run beside others of the same browser, as a test plugin needs: no second recording is
    refused.
    """
    bodies: bool = True
    """Keep response bodies of page resources and of text answers to fetch and XHR, and messages of WebSockets and event streams.
    Scripts are never kept.
    """
    world: bool = False
    """Keep all that :func:`pagereel.route_from_reel` needs to answer the run's requests again: bodies of every kind,
    scripts among them, the cookies that servers set, and messages, without a limit of size for each, up to
    ``resource_total`` together. They are in the raw recording only.
    """
    fetch_limit: int = 1 * MEGABYTE
    """Largest body of a fetch or XHR response that is kept, of post data, and of a WebSocket's or event stream's message."""
    resource_limit: int = 10 * MEGABYTE
    """Largest style sheet, image, font, medium or document that is kept."""
    resource_total: int = 200 * MEGABYTE
    """Largest sum of all bodies."""
    share_resources: bool = False
    """Keep style sheets, images, fonts and other bodies in the folder ``resources`` beside the recording, once for all
    recordings there. The recording cannot be moved without that folder, nor encrypted, nor written to a store.
    """
    queue_limit: int = 64 * MEGABYTE
    """Bytes that may wait for the writer thread before sampled events are dropped; at four times this, all are
    dropped.
    """
    checkpoint_screenshots: bool = False
    """Take a picture of a page at each of its checkpoints, with which ``pagereel verify --replay`` compares the replay's
    pixels. Pictures show what the page shows: a redacted build has none of them. Chromium's own transport only.
    """
    end_timeout: float = 5.0
    """Longest time that the end of a recording waits for pages that hang or are busy."""
    encrypt_to: Keys | None = None
    """Encrypt the recording while it is written: a path of a key file (a PEM public key, or a passphrase), PEM, or a
    ``pagereel.reel.Key``; or several, each of which may read it.
    """
    replay: str | os.PathLike[str] | None = None
    """Build the replay at this path when the recording has ended, also after an exception or an interrupt, which then
    propagates. A failed build is one :class:`~pagereel.recorder.RecorderWarning`; the recording stays.
    """
    redaction: Redaction = "vendor"
    """How the replay is masked, as in ``build()``."""
    quiet: bool = False
    """Do not print the line on stderr that says where the replay is."""

    @property
    def message_limit(self) -> int:
        """Return the size in bytes of the largest message of a WebSocket or event stream that is kept; 0: none is kept."""
        return 0 if not self.bodies else self.resource_total if self.world else self.fetch_limit

    @property
    def request_body_limit(self) -> int:
        """Return the size in bytes of the largest request body that is kept."""
        return self.resource_total if self.world else self.fetch_limit

    @classmethod
    def from_keywords(cls, keywords: Mapping[str, Any]) -> Options:
        """Return the options in keyword arguments, after a check of their names and values. Raises :class:`UsageError`."""
        known = [f.name for f in fields(cls)]
        unknown = sorted(set(keywords) - set(known))
        if unknown:
            names = ", ".join(repr(name) for name in unknown)
            raise UsageError(f"record() has no option {names}. It has: {', '.join(known)}.")
        options = cls(**keywords)
        if options.transport not in TRANSPORTS:
            raise UsageError(f"transport={options.transport!r} is not one of {', '.join(TRANSPORTS)}.")
        if isinstance(options.mask, str) or not all(isinstance(s, str) for s in options.mask):
            raise UsageError("mask takes a list of CSS selectors.")
        if not isinstance(options.metadata, Mapping):
            raise UsageError("metadata takes a mapping of names to values.")
        for name in ("agent", "tenant", "user"):
            if not isinstance(getattr(options, name), str | None):
                raise UsageError(f"{name} takes a text.")
        for name in ("trace", "parent"):
            if getattr(options, name) is not None and parse_trace_id(getattr(options, name)) is None:
                raise UsageError(f"{name} takes an id of 8 to 64 hexadecimal digits.")
        if isinstance(options.traceparent_to, str) or not all(map(_is_origin, options.traceparent_to)):
            raise UsageError(
                "traceparent_to takes a list of origins (scheme and host, no path), for example https://shop.example."
            )
        if not isinstance(options.versions, Mapping):
            raise UsageError("versions takes a mapping of names to texts or values.")
        if options.overwrite not in (None, True, False):
            raise UsageError("overwrite takes True, False or None.")
        if options.world and not options.bodies:
            raise UsageError("world=True keeps bodies: leave out bodies=False.")
        if options.replay is not None and not isinstance(options.replay, str | os.PathLike):
            raise UsageError("replay takes the path of the HTML file.")
        if options.replay is not None and not _is_usable_policy(options.redaction):
            raise UsageError(
                f"redaction={options.redaction!r} is not one of {', '.join(POLICIES)}, off, and no policy file."
            )
        for name in ("fetch_limit", "resource_limit", "resource_total", "queue_limit", "end_timeout"):
            value = getattr(options, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
                raise UsageError(f"{name} takes a number that is not negative.")
        if load_keys(options.encrypt_to) and options.share_resources:
            raise UsageError("An encrypted recording cannot share resources; leave out share_resources or encrypt_to.")
        return options


def _is_usable_policy(redaction: Redaction) -> bool:
    """Return whether ``redaction`` names a policy or an existing file. The content of a policy or of its file is
    checked later, by the redaction itself.
    """
    if normalize_redaction_option(redaction) is None or redaction in POLICIES:
        return True
    return not isinstance(redaction, str | os.PathLike) or os.path.isfile(redaction)


_ORIGIN = re.compile(r"https?://[^/?#*@\s]+")


def _is_origin(text: object) -> bool:
    return isinstance(text, str) and _ORIGIN.fullmatch(text) is not None
