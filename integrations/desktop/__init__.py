"""Records a desktop: its screen, mouse clicks and movement, key presses without typed text, and the active window."""

from .recording import describe_desktop_limits, record_desktop

__all__ = ["describe_desktop_limits", "record_desktop"]
