"""Records a person's or a program's desktop: the screen after changes, clicks, the pointer, kinds of keys, the window in use."""

from .recording import record_desktop, what_works

__all__ = ["record_desktop", "what_works"]
