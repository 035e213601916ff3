"""Recognizes the errors by which Playwright reports that a page, frame or browser is closed."""

from __future__ import annotations


def is_closed_target_error(error: BaseException) -> bool:
    """Return whether an error only says that the page, frame or browser is closed, which is how pages end."""
    text = str(error)
    return any(
        phrase in text
        for phrase in (
            "has been closed",
            "Target closed",
            "Target crashed",
            "Page crashed",
            "Session closed",
            "session is closed",
            "Connection closed",
            "Cannot find context",
            "Execution context was destroyed",
            "was detached",
            "been detached",
            "uniqueContextId not found",
            "Inspected target navigated or closed",
            "No target with given id",
            "No session with given id",
            "Could not find object with given id",
            "Frame with the given id was not found",
            "no object with guid",
            "event loop is closed",
        )
    )
