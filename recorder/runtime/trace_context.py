"""Reads the trace that a run belongs to (W3C Trace Context) from the environment, and builds the header that passes it on."""

from __future__ import annotations

import os
import re
import secrets
from typing import Final

VARIABLE: Final = "TRACEPARENT"
"""Environment variable with the trace in which a process was started (OpenTelemetry, "Environment Variables as Context
Propagation Carriers").
"""
_HEADER: Final = re.compile(r"(?!ff)[0-9a-f]{2}-(?P<trace>[0-9a-f]{32})-(?P<parent>[0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?")
_ID: Final = re.compile(r"[0-9a-f]{8,64}")


def read_inherited_trace() -> tuple[str | None, str | None]:
    """Return the ids of trace and parent span from the environment; None and None if it has none, or an invalid value."""
    found = _HEADER.fullmatch(os.environ.get(VARIABLE, "").strip().lower())
    if found is None or not found["trace"].strip("0") or not found["parent"].strip("0"):
        return None, None
    return found["trace"], found["parent"]


def parse_trace_id(value: object) -> str | None:
    """Return an id in the format's form, 8 to 64 hexadecimal digits (a UUID without hyphens); None for other values."""
    text = str(value).strip().lower().replace("-", "")
    return text if _ID.fullmatch(text) else None


def build_traceparent(trace: str, span: str) -> str:
    """Return the value of a `traceparent` header for a span of a trace."""
    return f"00-{trace[:32].rjust(32, '0')}-{span}-01"


def create_span_id() -> str:
    """Return the id of a new span."""
    return secrets.token_hex(8)
