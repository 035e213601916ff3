"""Builds the replay: a reel in, one HTML file out.

    build("run.reel", "run.html")                    # redacted with the policy "vendor"
    build("run.reel", "raw.html", redaction=None)    # not redacted

The file opens from disk in any browser, runs none of the recorded page's scripts and makes no network requests.
"""

from .builder import build, build_async, missing_of, unknown_of
from .charset import decode_css
from .chunks import Unpacked, policy_of, suite_index, unpack
from .fidelity import Fidelity, Layer
from .live_build import LiveBuild, LivePart, live_page
from .opening import Opening
from .options import BuildOptions, BuildSettings
from .pair_page import Half, PairReport, build_pair
from .report import BuildReport
from .resources import ResourceCatalogue
from .stamps import shell, stamp_of
from .subprocess_build import error_of_build
from .suite_page import SuiteRecording, SuiteReport, build_suite
from .verify import ReplayDifference, ReplayReport, verify_replay
from .writing import write as write_whole

__all__ = [
    "BuildOptions",
    "BuildReport",
    "BuildSettings",
    "Fidelity",
    "Half",
    "Layer",
    "LiveBuild",
    "LivePart",
    "Opening",
    "PairReport",
    "ReplayDifference",
    "ReplayReport",
    "ResourceCatalogue",
    "SuiteRecording",
    "SuiteReport",
    "Unpacked",
    "build",
    "build_async",
    "build_pair",
    "build_suite",
    "decode_css",
    "error_of_build",
    "live_page",
    "missing_of",
    "policy_of",
    "shell",
    "stamp_of",
    "suite_index",
    "unknown_of",
    "unpack",
    "verify_replay",
    "write_whole",
]
