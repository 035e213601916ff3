"""Builds the replay: a reel in, one HTML file out.

    build("run.reel", "run.html")                    # redacted with the policy "vendor"
    build("run.reel", "raw.html", redaction=None)    # as it was recorded

The file opens from disk in any browser, runs none of the recorded page's scripts and asks the network for nothing.
"""

from .builder import BuildReport, build
from .chunks import Unpacked, unpack

__all__ = ["BuildReport", "Unpacked", "build", "unpack"]
