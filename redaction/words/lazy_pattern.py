"""Compile a large pattern when the first text is matched against it.

Together such patterns took half of the time that importing the redaction takes.
"""

from __future__ import annotations

import re
from functools import cached_property


class LazyPattern:
    """A pattern that few texts need. `now` is the pattern, compiled on first use."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def now(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)
