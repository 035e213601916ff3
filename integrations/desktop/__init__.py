"""Records the desktop of a person or program: the screen after changes, clicks, the pointer, kinds of keys, the active window."""

from .recording import record_desktop, what_works

__all__ = ["record_desktop", "what_works"]
