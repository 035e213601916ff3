"""Converts ops to rrweb's events, except those that add, move or remove nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pagereel.css import split_rules
from pagereel.integrations.rrweb.events import (
    ADOPTED,
    CANVAS,
    INPUT,
    MEDIA,
    MOUSE,
    SCROLL,
    SELECTION,
    SHEET_RULE,
    RrwebEvents,
)  # fmt: skip
from pagereel.integrations.rrweb.nodes import Json, RrwebSerializer
from pagereel.reel import (
    DocumentModel,
    Node,
    ScriptedStyleSheet,
    get_field_value,
    get_selected_indexes,
    is_checked,
    iter_options,
)

_FOCUS, _BLUR = 5, 6


class RrwebOpWriter:
    """Converts ops of the page model, after the model has applied them, to rrweb's events."""

    def __init__(self, nodes: RrwebSerializer, events: RrwebEvents) -> None:
        self.nodes = nodes
        self._events = events
        self._styles: set[tuple[int, int]] = set()
        """Constructed style sheets that are already in the events."""
        self._focus = 0
        self._writers: dict[str, Callable[[DocumentModel, list[Any]], None]] = {
            "text": self._write_text,
            "attr": self._write_attributes,
            "value": self._write_control,
            "checked": self._write_control,
            "indeterminate": self._write_control,
            "selected": self._write_control,
            "scroll": self._write_scroll,
            "focus": self._write_focus,
            "selection": self._write_selection,
            "sheet": self._write_sheet,
            "adopt": self._write_adopted_sheets,
            "open": self._write_dialog_open,
            "canvas": self._write_canvas,
            "src": self._write_image_source,
            "media": self._write_media,
        }

    def __contains__(self, name: object) -> bool:
        return name in self._writers

    def write_op(self, document: DocumentModel, op: list[Any]) -> None:
        """Write an op as rrweb's events. Pass only ops whose kind this object supports (``op[0] in writer``)."""
        self._writers[op[0]](document, op)

    def forget_style_sheets(self, document: DocumentModel) -> None:
        """Forget which constructed style sheets of a document were written, because the document is written again."""
        self._styles = {key for key in self._styles if key[0] != document.d}

    def write_node_states(self, document: DocumentModel, nodes: Iterable[Node]) -> None:
        """Write as events the state of nodes that rrweb's form of a node does not include: control values and scroll
        offsets.
        """
        for node in list(nodes):
            state: dict[str, Any] = dict(node.state or {})
            if state.keys() & {"value", "checked", "indeterminate", "selected"}:
                self._write_control(document, ["", node.id])
            if "scroll" in state:
                self._write_scroll(document, ["scroll", node.id, *state["scroll"][:2]])
            if "media" in state:
                self._write_media(document, ["media", node.id, state["media"]])

    def _write_text(self, document: DocumentModel, op: list[Any]) -> None:
        node = document.nodes[op[1]]
        form = self.nodes.serialize_node(document, node, self._events.t)
        if form is not None:
            self._events.add_mutation(texts=[{"id": form["id"], "value": form["textContent"]}])

    def _write_attributes(self, document: DocumentModel, op: list[Any]) -> None:
        node = document.nodes[op[1]]
        attributes = self.nodes.serialize_attributes(document, node, op[2], self._events.t)
        if node.name == "link" and (css := self.nodes.find_sheet_text(document, node, self._events.t)) is not None:
            attributes["_cssText"] = css
        self._events.add_mutation(attributes=[{"id": self._get_rrweb_id(document, node.id), "attributes": attributes}])
        if node.name == "img" and "src" in op[2]:
            self._write_image_source(document, op)

    def _write_image_source(self, document: DocumentModel, op: list[Any]) -> None:
        """Write the picture that an `<img>` has loaded as its `src`."""
        node = document.nodes[op[1]]
        chosen = (node.state or {}).get("src") or node.attrs.get("src")
        picture = self.nodes.find_data_url(document, str(chosen or ""), self._events.t) if node.name == "img" else None
        if picture is not None:
            self._events.add_mutation(
                attributes=[{"id": self._get_rrweb_id(document, node.id), "attributes": {"src": picture}}]
            )

    def _write_control(self, document: DocumentModel, op: list[Any]) -> None:
        node = document.nodes[op[1]]
        checked, text = False, ""
        if node.name == "select":
            options = list(iter_options(node))
            chosen = [options[index] for index in get_selected_indexes(node) if index < len(options)]
            text = next((_read_option_value(option) for option in chosen), "")
        elif node.attrs.get("type", "").lower() in ("checkbox", "radio"):
            checked, text = is_checked(node), node.attrs.get("value", "on")
        elif node.attrs.get("type", "").lower() == "file":
            return
        else:
            text = get_field_value(node)
        self._events.add_incremental_event(
            INPUT, id=self._get_rrweb_id(document, node.id), text=text, isChecked=checked, userTriggered=False
        )

    def _write_scroll(self, document: DocumentModel, op: list[Any]) -> None:
        self._events.add_incremental_event(SCROLL, id=self._get_rrweb_id(document, op[1]), x=op[2], y=op[3])

    def _write_focus(self, document: DocumentModel, op: list[Any]) -> None:
        node = self._get_rrweb_id(document, op[1]) if op[1] else self._focus
        if node:
            self._events.add_incremental_event(MOUSE, type=_FOCUS if op[1] else _BLUR, id=node)
        self._focus = node if op[1] else 0

    def _write_selection(self, document: DocumentModel, op: list[Any]) -> None:
        anchor, start, focus, end = op[1:5]
        ranges = []
        if anchor in document.nodes and focus in document.nodes:
            ranges = [
                {
                    "start": self._get_rrweb_id(document, anchor),
                    "startOffset": start,
                    "end": self._get_rrweb_id(document, focus),
                    "endOffset": end,
                }
            ]
        self._events.add_incremental_event(SELECTION, ranges=ranges)

    def _write_sheet(self, document: DocumentModel, op: list[Any]) -> None:
        sheet = document.sheets[op[1]]
        if sheet.owner:
            owner = document.nodes[sheet.owner]
            css = self.nodes.find_sheet_text(document, owner, self._events.t)
            self._events.add_mutation(
                attributes=[{"id": self._get_rrweb_id(document, owner.id), "attributes": {"_cssText": css}}]
            )
        elif (document.d, sheet.number) in self._styles:
            text = self.nodes.inline_style_text(document, sheet.text, self._events.t)
            self._events.add_incremental_event(
                SHEET_RULE, styleId=self._get_style_sheet_id(document, sheet.number), replaceSync=text
            )

    def _write_adopted_sheets(self, document: DocumentModel, op: list[Any]) -> None:
        numbers = document.adopted.get(op[1], [])
        new = [number for number in numbers if (document.d, number) not in self._styles]
        self._styles |= {(document.d, number) for number in new}
        styles = [
            {
                "styleId": self._get_style_sheet_id(document, number),
                "rules": self._build_rules(document, document.sheets[number]),
            }
            for number in new
        ]
        fields: Json = {"styles": styles} if styles else {}
        self._events.add_incremental_event(
            ADOPTED,
            id=self._get_rrweb_id(document, op[1]),
            styleIds=[self._get_style_sheet_id(document, n) for n in numbers],
            **fields,
        )

    def _build_rules(self, document: DocumentModel, sheet: ScriptedStyleSheet) -> list[Json]:
        text = self.nodes.inline_style_text(document, sheet.text, self._events.t)
        return [{"rule": rule, "index": index} for index, rule in enumerate(split_rules(text))]

    def _get_style_sheet_id(self, document: DocumentModel, sheet_number: int) -> int:
        return document.d * 100_000 + sheet_number

    def _write_dialog_open(self, document: DocumentModel, op: list[Any]) -> None:
        node = document.nodes[op[1]]
        if node.name == "dialog" and op[2]:
            mode = "modal" if op[2] == "modal" else "non-modal"
            attributes = {"open": node.attrs.get("open", ""), "rr_open_mode": mode}
            self._events.add_mutation(
                attributes=[{"id": self._get_rrweb_id(document, node.id), "attributes": attributes}]
            )

    def _write_canvas(self, document: DocumentModel, op: list[Any]) -> None:
        """Write a canvas in the way of rrweb's own canvas recording: clear the canvas, then draw its whole picture."""
        node = document.nodes.get(op[1])
        if node is None or node.name != "canvas":
            return
        body = self.nodes.catalogue.bodies.get(str(op[2]))
        url = self.nodes.body_to_data_url(str(op[2]))
        if body is None or url is None:
            return
        blob = {
            "rr_type": "Blob",
            "type": body.mime,
            "data": [{"rr_type": "ArrayBuffer", "base64": url.partition(",")[2]}],
        }
        commands = [
            {"property": "clearRect", "args": [0, 0, op[3], op[4]]},
            {"property": "drawImage", "args": [{"rr_type": "ImageBitmap", "args": [blob]}, 0, 0, op[3], op[4]]},
        ]
        self._events.add_incremental_event(CANVAS, id=self._get_rrweb_id(document, op[1]), type=0, commands=commands)

    def _write_media(self, document: DocumentModel, op: list[Any]) -> None:
        state = op[2]
        self._events.add_incremental_event(
            MEDIA, type=1 if state.get("paused") else 0, id=self._get_rrweb_id(document, op[1]), currentTime=state.get("time", 0),
            volume=state.get("volume", 1), muted=bool(state.get("muted")), playbackRate=state.get("rate", 1),
        )  # fmt: skip

    def _get_rrweb_id(self, document: DocumentModel, node: int) -> int:
        return self.nodes.get_rrweb_id(document, node)


def _read_option_value(option: Node) -> str:
    if "value" in option.attrs:
        return option.attrs["value"]
    return " ".join("".join(child.data for child in option.children if child.data).split())
