"""pagereel records a browser run and makes one HTML file of it.

>>> from pagereel import record, build, redact, open_recording, compare, route_from_reel
>>> with record(context, "run.reel") as session:  # doctest: +SKIP
...     page = context.new_page()
>>> build("run.reel", "run.html")  # doctest: +SKIP

Importing this package imports none of its rooms; each comes with the first use of a name from it. The rooms:
:mod:`pagereel.recorder` (record), :mod:`pagereel.reel` (the recording file and the page model), :mod:`pagereel.redaction`
(mask personal data), :mod:`pagereel.player_build` (one HTML file), :mod:`pagereel.reading` (what a recording says), :mod:`pagereel.comparison` (two runs beside each other), :mod:`pagereel.library` (many of them),
:mod:`pagereel.integrations` and :mod:`pagereel.cli`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagereel.comparison import compare
    from pagereel.integrations.world import route_from_reel
    from pagereel.library import Library
    from pagereel.player_build import build
    from pagereel.reading import open_recording
    from pagereel.recorder import record
    from pagereel.redaction import redact

__all__ = ["Library", "__version__", "build", "compare", "open_recording", "record", "redact", "route_from_reel"]

__version__ = "0.1.0"

_ROOMS = {
    "Library": "library",
    "build": "player_build",
    "compare": "comparison",
    "open_recording": "reading",
    "record": "recorder",
    "redact": "redaction",
    "route_from_reel": "integrations.world",
}
"""Which room a name of the front comes from."""

if not TYPE_CHECKING:  # Else every misspelt name would be a name of this package.

    def __getattr__(name: str) -> object:
        from pagereel.lazy import lazy_attribute

        return lazy_attribute(__name__, _ROOMS, name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
