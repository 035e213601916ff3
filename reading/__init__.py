"""Reads a recording for people and programs: its steps, calls and errors, the text of its pages at a time, its story, its summary.

    recording = open_recording("run.reel")
    recording.summary()["errors"]
    recording.text(at="step 3")

A recording is not masked here: mask it first (`pagereel.redact`) if others see the answers.
"""

from __future__ import annotations

import os
from pathlib import Path

from .changes import when_changed
from .failure import failure_lines, failure_place, failure_time, first_failure
from .keys import locator_key, sessions_in, text_key, url_key, value_key
from .outline import Blocks, outline, outline_lines, title_of
from .paragraph import paragraph
from .passive_calls import only_looks
from .queries import QUERIES, asked, chosen, line_of, matching
from .record_text import action_words, moment_text, words_of
from .recorded_run import Record, RecordedRun, newly_asked
from .redirects import Redirect, redirect_header, redirects_of
from .run_lines import LONGEST, RunLine, lines_of, texts_in
from .selectors import element_test, text_test
from .step_context import describe_step
from .story import story
from .summary import prompt_version, run_summary
from .visible_lines import Span, lines_shown

__all__ = [
    "LONGEST",
    "QUERIES",
    "Blocks",
    "Record",
    "RecordedRun",
    "Redirect",
    "RunLine",
    "Span",
    "action_words",
    "asked",
    "chosen",
    "describe_step",
    "element_test",
    "failure_lines",
    "failure_place",
    "failure_time",
    "first_failure",
    "line_of",
    "lines_of",
    "lines_shown",
    "locator_key",
    "matching",
    "moment_text",
    "newly_asked",
    "only_looks",
    "open_recording",
    "outline",
    "outline_lines",
    "paragraph",
    "prompt_version",
    "redirect_header",
    "redirects_of",
    "run_summary",
    "sessions_in",
    "story",
    "text_key",
    "text_test",
    "texts_in",
    "title_of",
    "url_key",
    "value_key",
    "when_changed",
    "words_of",
]


def open_recording(path: str | os.PathLike[str]) -> RecordedRun:
    """Open a recording for queries. The file is read once, at this call, and is not kept open.

    :raises ReelError: the file is no recording; LockedError: it is encrypted, and the key is not given (see
        ``using_key()``).
    """
    return RecordedRun(Path(path))
