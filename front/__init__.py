"""pagereel records a browser run and makes one HTML file of it.

The rooms: :mod:`pagereel.recorder` (record), :mod:`pagereel.reel` (the recording file and the page model),
:mod:`pagereel.redaction` (mask personal data), :mod:`pagereel.player_build` (one HTML file),
:mod:`pagereel.integrations` and :mod:`pagereel.cli`. Importing this package imports none of them.
"""

__version__ = "0.1.0"
