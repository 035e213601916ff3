"""Converts ops to rrweb's events, except those that add, move or remove nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pagereel.css import rules
from pagereel.integrations.rrweb.events import (
    ADOPTED,
    CANVAS,
    INPUT,
    MEDIA,
    MOUSE,
    SCROLL,
    SELECTION,
    SHEET_RULE,
    Events,
)  # fmt: skip
from pagereel.integrations.rrweb.nodes import Json, Serializer
from pagereel.reel import DocumentModel, Node, Sheet, is_checked, options_of, selected_of, value_of

_FOCUS, _BLUR = 5, 6


class Ops:
    """Converts ops of the page model, after the model has applied them, to rrweb's events."""

    def __init__(self, nodes: Serializer, events: Events) -> None:
        self.nodes = nodes
        self._events = events
        self._styles: set[tuple[int, int]] = set()
        """Constructed style sheets that are already in the events."""
        self._focus = 0
        self._writers: dict[str, Callable[[DocumentModel, list[Any]], None]] = {
            "text": self._text,
            "attr": self._attr,
            "value": self._control,
            "checked": self._control,
            "indeterminate": self._control,
            "selected": self._control,
            "scroll": self._scroll,
            "focus": self._focused,
            "selection": self._selected,
            "sheet": self._sheet,
            "adopt": self._adopt,
            "open": self._open,
            "canvas": self._canvas,
            "src": self._source,
            "media": self._media,
        }

    def __contains__(self, name: object) -> bool:
        return name in self._writers

    def write(self, document: DocumentModel, op: list[Any]) -> None:
        """Write an op as rrweb's events. The op's kind must be ``in`` this object."""
        self._writers[op[0]](document, op)

    def forget(self, document: DocumentModel) -> None:
        """Forget which constructed style sheets of a document were written, because the document is written again."""
        self._styles = {key for key in self._styles if key[0] != document.d}

    def state_of(self, document: DocumentModel, nodes: Iterable[Node]) -> None:
        """Write the state of nodes as events, as far as rrweb's form of a node does not include it: control values,
        scroll offsets.
        """
        for node in list(nodes):
            state: dict[str, Any] = dict(node.state or {})
            if state.keys() & {"value", "checked", "indeterminate", "selected"}:
                self._control(document, ["", node.id])
            if "scroll" in state:
                self._scroll(document, ["scroll", node.id, *state["scroll"][:2]])
            if "media" in state:
                self._media(document, ["media", node.id, state["media"]])

    def _text(self, document: DocumentModel, op: list[Any]) -> None:
        node = document.nodes[op[1]]
        form = self.nodes.single(document, node, self._events.t)
        if form is not None:
            self._events.mutate(texts=[{"id": form["id"], "value": form["textContent"]}])

    def _attr(self, document: DocumentModel, op: list[Any]) -> None:
        node = document.nodes[op[1]]
        attributes = self.nodes.attributes(document, node, op[2], self._events.t)
        if node.name == "link" and (css := self.nodes.sheet_of(document, node, self._events.t)) is not None:
            attributes["_cssText"] = css
        self._events.mutate(attributes=[{"id": self._id(document, node.id), "attributes": attributes}])
        if node.name == "img" and "src" in op[2]:
            self._source(document, op)

    def _source(self, document: DocumentModel, op: list[Any]) -> None:
        """Write the picture that an `<img>` has loaded as its `src`."""
        node = document.nodes[op[1]]
        chosen = (node.state or {}).get("src") or node.attrs.get("src")
        picture = self.nodes.data_url(document, str(chosen or ""), self._events.t) if node.name == "img" else None
        if picture is not None:
            self._events.mutate(attributes=[{"id": self._id(document, node.id), "attributes": {"src": picture}}])

    def _control(self, document: DocumentModel, op: list[Any]) -> None:
        node = document.nodes[op[1]]
        checked, text = False, ""
        if node.name == "select":
            options = list(options_of(node))
            chosen = [options[index] for index in selected_of(node) if index < len(options)]
            text = next((_option_value(option) for option in chosen), "")
        elif node.attrs.get("type", "").lower() in ("checkbox", "radio"):
            checked, text = is_checked(node), node.attrs.get("value", "on")
        elif node.attrs.get("type", "").lower() == "file":
            return
        else:
            text = value_of(node)
        self._events.say(INPUT, id=self._id(document, node.id), text=text, isChecked=checked, userTriggered=False)

    def _scroll(self, document: DocumentModel, op: list[Any]) -> None:
        self._events.say(SCROLL, id=self._id(document, op[1]), x=op[2], y=op[3])

    def _focused(self, document: DocumentModel, op: list[Any]) -> None:
        node = self._id(document, op[1]) if op[1] else self._focus
        if node:
            self._events.say(MOUSE, type=_FOCUS if op[1] else _BLUR, id=node)
        self._focus = node if op[1] else 0

    def _selected(self, document: DocumentModel, op: list[Any]) -> None:
        anchor, start, focus, end = op[1:5]
        ranges = []
        if anchor in document.nodes and focus in document.nodes:
            ranges = [
                {
                    "start": self._id(document, anchor),
                    "startOffset": start,
                    "end": self._id(document, focus),
                    "endOffset": end,
                }
            ]
        self._events.say(SELECTION, ranges=ranges)

    def _sheet(self, document: DocumentModel, op: list[Any]) -> None:
        sheet = document.sheets[op[1]]
        if sheet.owner:
            owner = document.nodes[sheet.owner]
            css = self.nodes.sheet_of(document, owner, self._events.t)
            self._events.mutate(attributes=[{"id": self._id(document, owner.id), "attributes": {"_cssText": css}}])
        elif (document.d, sheet.number) in self._styles:
            text = self.nodes.style_text(document, sheet.text, self._events.t)
            self._events.say(SHEET_RULE, styleId=self._style_id(document, sheet.number), replaceSync=text)

    def _adopt(self, document: DocumentModel, op: list[Any]) -> None:
        numbers = document.adopted.get(op[1], [])
        new = [number for number in numbers if (document.d, number) not in self._styles]
        self._styles |= {(document.d, number) for number in new}
        styles = [
            {"styleId": self._style_id(document, number), "rules": self._rules(document, document.sheets[number])}
            for number in new
        ]
        fields: Json = {"styles": styles} if styles else {}
        self._events.say(
            ADOPTED, id=self._id(document, op[1]), styleIds=[self._style_id(document, n) for n in numbers], **fields
        )

    def _rules(self, document: DocumentModel, sheet: Sheet) -> list[Json]:
        text = self.nodes.style_text(document, sheet.text, self._events.t)
        return [{"rule": rule, "index": index} for index, rule in enumerate(rules(text))]

    def _style_id(self, document: DocumentModel, number: int) -> int:
        return document.d * 100_000 + number

    def _open(self, document: DocumentModel, op: list[Any]) -> None:
        node = document.nodes[op[1]]
        if node.name == "dialog" and op[2]:
            mode = "modal" if op[2] == "modal" else "non-modal"
            attributes = {"open": node.attrs.get("open", ""), "rr_open_mode": mode}
            self._events.mutate(attributes=[{"id": self._id(document, node.id), "attributes": attributes}])

    def _canvas(self, document: DocumentModel, op: list[Any]) -> None:
        """Write a canvas as rrweb's own sampling does: clear it, then draw the whole picture."""
        node = document.nodes.get(op[1])
        if node is None or node.name != "canvas":
            return
        body = self.nodes.catalogue.bodies.get(str(op[2]))
        url = self.nodes.body_url(str(op[2]))
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
        self._events.say(CANVAS, id=self._id(document, op[1]), type=0, commands=commands)

    def _media(self, document: DocumentModel, op: list[Any]) -> None:
        state = op[2]
        self._events.say(
            MEDIA, type=1 if state.get("paused") else 0, id=self._id(document, op[1]), currentTime=state.get("time", 0),
            volume=state.get("volume", 1), muted=bool(state.get("muted")), playbackRate=state.get("rate", 1),
        )  # fmt: skip

    def _id(self, document: DocumentModel, node: int) -> int:
        return self.nodes.number(document, node)


def _option_value(option: Node) -> str:
    if "value" in option.attrs:
        return option.attrs["value"]
    return " ".join("".join(child.data for child in option.children if child.data).split())
