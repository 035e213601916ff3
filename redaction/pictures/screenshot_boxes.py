"""Paint boxes over masked text in screenshots, at the positions that the recorder measured when it took them.

A screenshot is shown only if the page did not change meanwhile and the recording has the whole page. Each text, picture
and control in it gets a box, unless the masked recording shows the same content unmasked. An iframe whose document is
unknown gets one box.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast
from urllib.parse import urljoin

from pagereel.reel import (
    ELEMENT,
    MASK,
    TEXT,
    DocumentModel,
    Event,
    Node,
    PageModel,
    build_resource_event,
    decode_body,
    get_field_value,
)

from ..contracts.policy import Policy
from . import pixels

GROWN = 2
"""CSS px by which a box exceeds the text that it covers, on each side."""
_DEEPEST = 20
"""Most levels of frames within frames."""
_CONTROLS = frozenset({"input", "textarea", "select"})
_HIDDEN = frozenset({"file", "image"})
"""Types of inputs that show more than their value."""
_QUIET = frozenset({"focus", "selection", "media", "canvas"})
"""Ops that change nothing readable."""
_CARET = re.compile(r"(?<![\w-])caret-color:[^;]*;?")
_FRAMES = frozenset({"iframe", "frame"})


class ViewportRect(NamedTuple):
    """A rectangle in CSS px of a document's viewport."""

    x: float
    y: float
    w: float
    h: float


@dataclass(slots=True)
class _DocumentAtScreenshot:
    """The state of one document when a screenshot was taken."""

    d: int
    n: int
    end: int
    size: tuple[float, float]
    items: list[list[int]]
    content: dict[int, ViewportRect]
    """Id of each iframe without rotation or skew → the rectangle in which its document is shown."""
    safe: bool
    reached: bool = False
    boxes: list[ViewportRect] = field(default_factory=list)
    frames: dict[int, list[ViewportRect]] = field(default_factory=dict)


IsPictureShown = Callable[[str], bool]
"""Returns whether an absolute URL gave only pictures that stay unchanged."""


class ScreenshotBoxPainter:
    """Follows one recording and its masked form event by event, and paints boxes into its screenshots."""

    def __init__(self, policy: Policy, placed: Iterable[Event], kept: IsPictureShown) -> None:
        wanted = policy.screenshots == "boxes" and policy.images == "keep"
        self._policy = policy
        self._kept = kept
        self._raw = PageModel()
        self._masked = PageModel()
        self._shots: dict[int, list[_DocumentAtScreenshot]] = {}
        self._at: dict[int, list[_DocumentAtScreenshot]] = {}
        for event in placed if wanted else ():
            looks = [_parse_document_state(document) for document in cast(list[dict[str, Any]], event["documents"])]
            self._shots[cast(int, event["screenshot"])] = looks
            for look in looks:
                self._at.setdefault(look.d, []).append(look)

    def apply_event(self, raw: Event, masked: Event | None) -> None:
        """Apply one event of the timeline, and its masked form, to the two page models."""
        if not self._shots:
            return
        n, d = raw.get("n"), raw.get("d")
        looks = self._at.get(d, []) if isinstance(n, int) and isinstance(d, int) else []
        for look in looks:
            if look.n < cast(int, n) <= look.end and not _changes_nothing_readable(
                self._raw.documents.get(look.d), raw
            ):
                look.safe = False
        self._raw.apply(raw)
        if masked is not None:
            self._masked.apply(masked)
        for look in looks:
            if n == look.n:
                look.reached = True
                look.safe = look.safe and self._find_rects_to_cover(look)

    def paint_screenshot(self, event: Event, raw: Event | None) -> Event | None:
        """Return a ``resource`` event with the painted picture of a ``screenshot`` event, or None if the picture
        cannot be shown.

        :param raw: the resource with the original picture.
        """
        looks = self._shots.get(cast(int, event.get("id")))
        if not looks or raw is None:
            return None
        tops = [look for look in looks if (doc := self._raw.documents.get(look.d)) is not None and doc.top]
        if len(tops) != 1 or not self._is_fully_recorded(tops[0]):
            return None
        data = decode_body(raw)
        if data is None:
            return None
        body = pixels.paint_boxes(data, tops[0].size, self._collect_boxes(tops[0], looks))
        return None if body is None else build_resource_event(body, "image/png", cast(float, event.get("t", 0)))

    def _is_fully_recorded(self, document_state: _DocumentAtScreenshot) -> bool:
        document = self._raw.documents.get(document_state.d)
        return (
            document_state.safe
            and document_state.reached
            and document is not None
            and document.n >= document_state.end
            and not document.lost
        )

    def _find_iframe_of_document(self, document_state: _DocumentAtScreenshot) -> tuple[int, int] | None:
        document = self._raw.documents.get(document_state.d)
        return document.parent if document is not None else None

    def _collect_boxes(
        self, document_state: _DocumentAtScreenshot, document_states: list[_DocumentAtScreenshot], depth: int = 0
    ) -> list[ViewportRect]:
        """Return the boxes of a document and of the documents in its frames."""
        out = [ViewportRect(r.x - GROWN, r.y - GROWN, r.w + 2 * GROWN, r.h + 2 * GROWN) for r in document_state.boxes]
        for node, rects in document_state.frames.items():
            inside = (
                [o for o in document_states if self._find_iframe_of_document(o) == (document_state.d, node)]
                if depth < _DEEPEST
                else []
            )
            place = document_state.content.get(node)
            if (
                len(inside) != 1
                or place is None
                or not self._is_fully_recorded(inside[0])
                or not _has_size_of_rect(inside[0].size, place)
            ):
                out += rects
                continue
            out += [
                ViewportRect(r.x + place.x, r.y + place.y, r.w, r.h)
                for r in self._collect_boxes(inside[0], document_states, depth + 1)
            ]
        return out

    def _find_rects_to_cover(self, document_state: _DocumentAtScreenshot) -> bool:
        """Add to the state of one document the rectangles to cover. Return False if the recording does not know the
        document well enough.
        """
        raw, masked = self._raw.documents.get(document_state.d), self._masked.documents.get(document_state.d)
        if raw is None or masked is None or raw.lost or raw.errors or masked.errors:
            return False
        for item in document_state.items:
            rects = [ViewportRect(*item[i : i + 4]) for i in range(2, len(item) - 3, 4)]
            node = raw.nodes.get(item[0])
            if node is not None and not item[1] and node.kind == ELEMENT and node.name in _FRAMES:
                document_state.frames[node.id] = rects
            elif item[1] or self._is_masked_node(raw, node, masked.nodes.get(item[0])):
                document_state.boxes += rects
        return True

    def _is_masked_node(self, document: DocumentModel, raw: Node | None, masked: Node | None) -> bool:
        if raw is None or masked is None or raw.kind != masked.kind or raw.name != masked.name:
            return True
        if raw.kind == TEXT:
            return raw.data != masked.data or MASK in raw.data
        if raw.kind != ELEMENT:
            return True
        if raw.name in _CONTROLS:
            return _is_masked_control(raw, masked)
        if raw.name == "canvas":
            return self._policy.canvases != "keep"
        if raw.name == "img":
            return self._is_masked_image(document, raw, masked)
        return True

    def _is_masked_image(self, document: DocumentModel, raw: Node, masked: Node) -> bool:
        chosen = (raw.state or {}).get("src")
        url = chosen if isinstance(chosen, str) else raw.attrs.get("src", "")
        if url.startswith("data:"):
            same = (masked.state or {}).get("src") == chosen and masked.attrs.get("src") == raw.attrs.get("src")
            return not (
                url.startswith(("data:image/png", "data:image/jpeg", "data:image/gif", "data:image/webp")) or same
            )
        return not self._kept(urljoin(document.url, url))


def _is_masked_control(raw: Node, masked: Node) -> bool:
    if raw.name == "select" or (raw.state or {}).get("masked"):
        return True
    if raw.name == "input" and raw.attrs.get("type", "").lower() in _HIDDEN:
        return True
    value = get_field_value(raw)
    return (
        value != get_field_value(masked)
        or MASK in value
        or raw.attrs.get("placeholder") != masked.attrs.get("placeholder")
    )


def _parse_document_state(fields: dict[str, Any]) -> _DocumentAtScreenshot:
    content = {int(f[0]): ViewportRect(*f[1:5]) for f in fields.get("frames") or []}
    safe = not fields.get("why") and "items" in fields
    size = (fields.get("w") or 0, fields.get("h") or 0)
    return _DocumentAtScreenshot(
        fields["d"], fields.get("n", -1), fields.get("end", -1), size, fields.get("items") or [], content, safe
    )


def _has_size_of_rect(size: tuple[float, float], rect: ViewportRect) -> bool:
    return abs(size[0] - rect.w) < 1.5 and abs(size[1] - rect.h) < 1.5


def _changes_nothing_readable(document: DocumentModel | None, event: Event) -> bool:
    """Return whether an event that arrives while a screenshot is taken changes nothing readable.

    :param document: the state before the event.
    """
    if document is None or event.get("k") not in ("mutation", "snapshot"):
        return event.get("k") in ("pointer", "mouse", "key", "checkpoint", "visibility")
    return all(isinstance(op, list) and _is_harmless_op(document, op) for op in cast(list[Any], event.get("ops") or []))


def _is_harmless_op(document: DocumentModel, op: list[Any]) -> bool:
    if op[:1] != ["attr"]:
        # Animations were recorded at the beginning: the end of one changes nothing readable.
        ended = op[:1] == ["unanim"] or (len(op) > 3 and op[0] == "anim" and op[3] is None)
        return bool(op) and (op[0] in _QUIET or ended)
    # Playwright hides the caret by a style of the control, and removes the style afterwards.
    node = document.nodes.get(op[1])
    if node is None or set(op[2]) != {"style"}:
        return False
    before, after = node.attrs.get("style") or "", op[2]["style"] or ""
    return _CARET.sub("", before).strip() == _CARET.sub("", after).strip()
