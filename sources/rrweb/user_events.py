"""Reads rrweb's user events (pointer, clicks, scrolling, typing, selection), and those of media and canvases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from pagereel.reel import MASK, DocumentModel, Node, get_text_content, iter_options

from ..secret_fields import find_mask_reason
from .page_mirror import PageMirror, to_dict_list, to_offset, to_size

_MOUSE: Final = {0: "up", 1: "down", 2: "click", 3: "contextmenu", 4: "dblclick"}
_FOCUS, _BLUR, _TOUCH, _TOUCH_END = 5, 6, 7, 9


class UserEventReader:
    """Converts rrweb's user events. ``takes`` maps each kind of incremental event (rrweb's `source`) to its handler."""

    def __init__(self, mirror: PageMirror) -> None:
        self.mirror = mirror
        self.takes: dict[int, Callable[[dict[str, Any]], None]] = {
            1: self._convert_pointer_moves, 2: self._convert_interaction, 3: self._convert_scroll, 4: self._convert_resize, 5: self._convert_input, 6: self._convert_pointer_moves, 7: self._convert_media_event,
            9: self._convert_canvas_commands, 12: self._convert_pointer_moves, 14: self._convert_selection,
        }  # fmt: skip

    def _convert_pointer_moves(self, data: dict[str, Any]) -> None:
        by_document: dict[int, list[tuple[float, float, float]]] = {}
        for position in to_dict_list(data.get("positions")):
            found = self.mirror.find_node(position.get("id"))
            d = found.document.d if found is not None else self.mirror.top
            point = to_offset(position.get("timeOffset")), to_offset(position.get("x")), to_offset(position.get("y"))
            by_document.setdefault(d, []).append(point)
        for d, points in by_document.items():
            begin = min(max(points[0][0], -self.mirror.t), 0.0)
            shown = [[round(max(0.0, dt - begin), 1), x, y] for dt, x, y in points][:10_000]
            self.mirror.flush_ops()
            self.mirror.emit_message(d, "pointer", points=shown, type="touch" if data.get("source") == 6 else "mouse")

    def _convert_interaction(self, data: dict[str, Any]) -> None:
        found, kind = self.mirror.find_node(data.get("id")), data.get("type")
        if found is None or type(kind) is not int:
            return
        document, node = found
        x, y = to_offset(data.get("x")), to_offset(data.get("y"))
        if kind == _FOCUS:
            self.mirror.apply_op(document, "focus", node.id)
        elif kind == _BLUR:
            self.mirror.apply_op(document, "focus", 0)
        elif kind in (_TOUCH, _TOUCH_END):
            self.mirror.flush_ops()
            self.mirror.emit_message(document.d, "pointer", points=[[0, x, y]], type="touch")
        elif kind in _MOUSE:
            self.mirror.flush_ops()
            self.mirror.emit_message(
                document.d, "mouse", type=_MOUSE[kind], node=node.id, x=x, y=y, button=2 if kind == 3 else 0
            )

    def _convert_scroll(self, data: dict[str, Any]) -> None:
        found = self.mirror.find_node(data.get("id"))
        if found is not None:
            self.mirror.apply_op(
                found.document, "scroll", found.node.id, to_offset(data.get("x")), to_offset(data.get("y"))
            )

    def _convert_resize(self, data: dict[str, Any]) -> None:
        width, height = to_size(data.get("width")), to_size(data.get("height"))
        if width and height:
            self.mirror.size = (width, height)
            self.mirror.flush_ops()
            self.mirror.emit_message(self.mirror.top, "viewport", w=width, h=height, dpr=1)

    def _convert_input(self, data: dict[str, Any]) -> None:
        found, text = self.mirror.find_node(data.get("id")), data.get("text")
        if found is None or not isinstance(text, str):
            return
        document, node = found
        if node.name == "select":
            values = [_get_option_value(option) for option in iter_options(node)]
            if text in values:
                self.mirror.apply_op(document, "selected", node.id, [values.index(text)])
        elif node.name == "input" and node.attrs.get("type", "").lower() in ("checkbox", "radio"):
            self.mirror.apply_op(document, "checked", node.id, int(data.get("isChecked") is True))
        elif node.name in ("input", "textarea"):
            self.mirror.apply_op(document, "value", node.id, self._mask_text_of_secret_field(document, node, text))

    def _mask_text_of_secret_field(self, document: DocumentModel, node: Node, text: str) -> str:
        """Return a typed text, or the mask if its field is secret."""
        key = document.d, node.id
        why = find_mask_reason(node.attrs) if node.name == "input" else None
        if why is not None and key not in self.mirror.masked:
            self.mirror.masked.add(key)
            self.mirror.apply_op(document, "masked", node.id, why)
        return MASK if text and key in self.mirror.masked else text

    def _convert_media_event(self, data: dict[str, Any]) -> None:
        found = self.mirror.find_node(data.get("id"))
        if found is None:
            return
        document, node = found
        known = (node.state or {}).get("media")
        state: dict[str, Any] = dict(known) if isinstance(known, dict) else {"paused": True, "time": 0}
        if data.get("type") in (0, 1):
            state["paused"] = data["type"] == 1
        for name, ours in (("currentTime", "time"), ("volume", "volume"), ("playbackRate", "rate")):
            if type(data.get(name)) in (int, float):
                state[ours] = to_offset(data[name])
        if isinstance(data.get("muted"), bool):
            state["muted"] = data["muted"]
        self.mirror.apply_op(document, "media", node.id, state)

    def _convert_selection(self, data: dict[str, Any]) -> None:
        ranges = to_dict_list(data.get("ranges"))
        if not ranges:
            self.mirror.apply_op(self.mirror.model.documents[self.mirror.top], "selection", 0, 0, 0, 0)
            return
        start, end = self.mirror.find_node(ranges[0].get("start")), self.mirror.find_node(ranges[0].get("end"))
        if start is not None and end is not None and start.document is end.document:
            offsets = (int(max(0, to_offset(ranges[0].get(name)))) for name in ("startOffset", "endOffset"))
            first, last = offsets
            self.mirror.apply_op(start.document, "selection", start.node.id, first, end.node.id, last)

    def _convert_canvas_commands(self, data: dict[str, Any]) -> None:
        found = self.mirror.find_node(data.get("id"))
        if found is None or found.node.name != "canvas":
            return
        commands = to_dict_list(data.get("commands")) or [data]
        for command in reversed(commands):
            drawn = _find_drawn_picture(command)
            if drawn is not None:
                mime, address = drawn
                sha256 = self.mirror.bodies.store_data_address(f"data:{mime};base64,{address}")
                attrs = found.node.attrs
                w, h = to_offset(_to_float(attrs.get("width"))) or 300, to_offset(_to_float(attrs.get("height"))) or 150
                if sha256 is not None:
                    self.mirror.apply_op(found.document, "canvas", found.node.id, sha256, w, h)
                return
        self.mirror.told.add_warning(
            "It draws canvases by commands, which are not run: a canvas shows what it showed when it was taken whole."
        )


def _to_float(value: Any) -> float | None:
    try:
        return float(cast(str, value))
    except (TypeError, ValueError):
        return None


def _get_option_value(option: Node) -> str:
    return option.attrs["value"] if "value" in option.attrs else " ".join(get_text_content(option).split())


def _find_drawn_picture(command: dict[str, Any]) -> tuple[str, str] | None:
    """Return MIME type and base64 of the picture that a canvas command draws; None for other commands."""
    args = command.get("args")
    if (
        command.get("property") != "drawImage"
        or not isinstance(args, list)
        or not args
        or not isinstance(args[0], dict)
    ):
        return None
    inner = to_dict_list(args[0].get("args"))
    for blob in inner:
        for part in to_dict_list(blob.get("data")):
            if isinstance(part.get("base64"), str) and isinstance(blob.get("type"), str):
                return blob["type"] or "image/png", part["base64"]
    return None
