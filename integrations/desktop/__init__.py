"""Records the desktop of a person or program: the screen after changes, clicks, the pointer, kinds of keys, the active window."""

from .recording import describe_desktop_limits, record_desktop

__all__ = ["describe_desktop_limits", "record_desktop"]
