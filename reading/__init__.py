"""Reads a recording for people and programs: its steps, calls and errors, the text of its pages at a time, its story, its summary.

    recording = open_recording("run.reel")
    recording.summary()["errors"]
    recording.text(at="step 3")

A recording is not masked here: mask it first (`pagereel.redact`) if others see the answers.
"""

from __future__ import annotations

import os
from pathlib import Path

from .changes import find_element_changes
from .comparison_keys import find_session_values, to_locator_key, to_text_key, to_url_key, to_value_key
from .failure import describe_failure_location, find_first_failure, format_failure_chain, get_failure_time
from .outline import BlockTextCache, build_outline, build_outline_lines, get_page_title
from .passive_calls import is_passive_call
from .queries import QUERIES, compile_grep, filter_records, run_query, to_text_line
from .record_fields import Record, pick_new_messages
from .record_text import describe_screen_action, to_record_text, to_utc_text
from .recorded_run import RecordedRun
from .redirects import SkippedRedirect, build_redirect_header, parse_redirect_header
from .run_text_lines import LONGEST, TimedTextLine, iter_lines_of_value, read_run_lines
from .selectors import build_selector_test, build_wildcard_test
from .step_context import describe_step
from .story import build_story
from .summary import build_run_summary, find_prompt_version
from .summary_paragraph import to_summary_paragraph
from .visible_lines import ShownLine, iter_shown_lines

__all__ = [
    "LONGEST",
    "QUERIES",
    "BlockTextCache",
    "Record",
    "RecordedRun",
    "ShownLine",
    "SkippedRedirect",
    "TimedTextLine",
    "build_outline",
    "build_outline_lines",
    "build_redirect_header",
    "build_run_summary",
    "build_selector_test",
    "build_story",
    "build_wildcard_test",
    "compile_grep",
    "describe_failure_location",
    "describe_screen_action",
    "describe_step",
    "filter_records",
    "find_element_changes",
    "find_first_failure",
    "find_prompt_version",
    "find_session_values",
    "format_failure_chain",
    "get_failure_time",
    "get_page_title",
    "is_passive_call",
    "iter_lines_of_value",
    "iter_shown_lines",
    "open_recording",
    "parse_redirect_header",
    "pick_new_messages",
    "read_run_lines",
    "run_query",
    "to_locator_key",
    "to_record_text",
    "to_summary_paragraph",
    "to_text_key",
    "to_text_line",
    "to_url_key",
    "to_utc_text",
    "to_value_key",
]


def open_recording(path: str | os.PathLike[str]) -> RecordedRun:
    """Open a recording for queries. The file is read once, at this call, and is not kept open.

    :raises ReelError: the file is no recording; LockedError: it is encrypted, and the key is not given (see
        ``using_key()``).
    """
    return RecordedRun(Path(path))
