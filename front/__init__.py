"""pagereel records a browser run and makes one HTML file of it.

>>> from pagereel import record, build, redact, open_recording, compare, route_from_reel
>>> with record(context, "run.reel") as session:  # doctest: +SKIP
...     page = context.new_page()
>>> build("run.reel", "run.html")  # doctest: +SKIP

Importing this package imports none of its sub-packages; each is imported when one of its names is first used. They are:
:mod:`pagereel.recorder` (records a run), :mod:`pagereel.reel` (the recording file and the page model),
:mod:`pagereel.redaction` (masks personal data), :mod:`pagereel.player_build` (builds the HTML file),
:mod:`pagereel.reading` (reads steps, calls, errors and texts of a recording), :mod:`pagereel.comparison` (compares two
runs), :mod:`pagereel.library` (keeps many recordings), :mod:`pagereel.integrations` and :mod:`pagereel.cli`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagereel.comparison import Comparison, compare, compare_async
    from pagereel.errors import (
        BuildError,
        FutureFormatError,
        GateError,
        LockedError,
        PagereelError,
        PolicyError,
        ReelError,
        SetupError,
        UsageError,
    )
    from pagereel.integrations.recorded_routing import route_from_reel
    from pagereel.library import Library
    from pagereel.player_build import BuildReport, build, build_async
    from pagereel.reading import RecordedRun, open_recording
    from pagereel.recorder import AsyncSession, RecorderWarning, Session, SyncSession, record
    from pagereel.redaction import Policy, RedactionReport, redact, redact_async

__all__ = [
    "AsyncSession",
    "BuildError",
    "BuildReport",
    "Comparison",
    "FutureFormatError",
    "GateError",
    "Library",
    "LockedError",
    "PagereelError",
    "Policy",
    "PolicyError",
    "RecordedRun",
    "RecorderWarning",
    "RedactionReport",
    "ReelError",
    "Session",
    "SetupError",
    "SyncSession",
    "UsageError",
    "__version__",
    "build",
    "build_async",
    "compare",
    "compare_async",
    "open_recording",
    "record",
    "redact",
    "redact_async",
    "route_from_reel",
]

__version__ = "1.0.0"

_ROOMS = {
    **dict.fromkeys(("Comparison", "compare", "compare_async"), "comparison"),
    **dict.fromkeys(
        ("BuildError", "FutureFormatError", "GateError", "LockedError", "PagereelError", "PolicyError", "ReelError",
         "SetupError", "UsageError"),
        "errors",
    ),
    "Library": "library",
    **dict.fromkeys(("BuildReport", "build", "build_async"), "player_build"),
    **dict.fromkeys(("RecordedRun", "open_recording"), "reading"),
    **dict.fromkeys(("AsyncSession", "RecorderWarning", "Session", "SyncSession", "record"), "recorder"),
    **dict.fromkeys(("Policy", "RedactionReport", "redact", "redact_async"), "redaction"),
    "route_from_reel": "integrations.recorded_routing",
}  # fmt: skip
"""Which room a name of the front comes from."""

if not TYPE_CHECKING:  # Else every misspelt name would be a name of this package.

    def __getattr__(name: str) -> object:
        from pagereel.lazy_imports import import_attribute

        return import_attribute(__name__, _ROOMS, name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
