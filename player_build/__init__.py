"""Builds the replay: a reel in, one HTML file out.

    build("run.reel", "run.html")                    # redacted with the policy "vendor"
    build("run.reel", "raw.html", redaction=None)    # not redacted

The file opens from disk in any browser, runs none of the recorded page's scripts and makes no network requests.
"""

from .build_report import BuildReport
from .builder import build, build_async, list_missing_addresses, list_unknown_addresses
from .charset import decode_css
from .checked_writing import write_checked_file as write_whole
from .chunks import UnpackedReplay, read_redaction_policy, read_suite_index, unpack_replay
from .fidelity import Fidelity, FidelityLayer
from .live_build import LiveBuild, LivePart, render_live_page
from .opening_time import OpeningTimeFinder
from .options import BuildOptions, BuildSettings
from .pair_page import PairRecording, PairReport, build_pair
from .resources import ResourceCatalogue
from .stamps import hash_shell, read_stamp
from .subprocess_build import build_and_return_error
from .suite_page import SuiteRecording, SuiteReport, build_suite
from .verify import ReplayDifference, ReplayReport, verify_replay

__all__ = [
    "BuildOptions",
    "BuildReport",
    "BuildSettings",
    "Fidelity",
    "FidelityLayer",
    "LiveBuild",
    "LivePart",
    "OpeningTimeFinder",
    "PairRecording",
    "PairReport",
    "ReplayDifference",
    "ReplayReport",
    "ResourceCatalogue",
    "SuiteRecording",
    "SuiteReport",
    "UnpackedReplay",
    "build",
    "build_and_return_error",
    "build_async",
    "build_pair",
    "build_suite",
    "decode_css",
    "hash_shell",
    "list_missing_addresses",
    "list_unknown_addresses",
    "read_redaction_policy",
    "read_stamp",
    "read_suite_index",
    "render_live_page",
    "unpack_replay",
    "verify_replay",
    "write_whole",
]
