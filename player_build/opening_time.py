"""Finds the time at which a replay opens: when its page first shows something, because a run begins with an empty page."""

from __future__ import annotations

from typing import Final

from pagereel.reel import ELEMENT, SHADOW, TEXT, Event, Node, PageModel

_SEEN: Final = frozenset(
    ("img", "svg|svg", "picture", "video", "audio", "canvas", "iframe", "frame", "object", "embed", "input", "button", "select", "textarea", "progress", "meter", "hr")
)  # fmt: skip
"""Elements that show something without text."""

_UNSEEN: Final = frozenset(("head", "script", "style", "svg|style", "template", "title"))


class OpeningTimeFinder:
    """Finds the first time at which a page shows something: a text that is not blank, a picture, or a field."""

    def __init__(self) -> None:
        self.time: float | None = None
        """The time in ms; ``None`` before anything is shown."""
        self._model: PageModel | None = PageModel()

    def add_event(self, event: Event) -> None:
        """Read the next event of the recording, in the order of time."""
        if self._model is None:
            return
        self._model.apply(event)
        if event.get("k") not in ("snapshot", "mutation"):
            return
        document = self._model.documents.get(event["d"]) if isinstance(event.get("d"), int) else None  # type: ignore[arg-type]
        if document is not None and document.top and document.root is not None and _has_visible_content(document.root):
            self.time = self._model.time
            self._model = None


def _has_visible_content(root: Node) -> bool:
    """Return whether a node has any visible descendant, judged by the tree alone."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind == TEXT and node.data.strip():
            return True
        if node.kind == ELEMENT and (node.name in _UNSEEN or "hidden" in node.attrs):
            continue
        if node.name in _SEEN and node.attrs.get("type") != "hidden":
            return True
        if node.inner is not None and node.inner.kind == SHADOW:
            stack.append(node.inner)
        child = node.first
        while child is not None:
            stack.append(child)
            child = child.next
    return False
