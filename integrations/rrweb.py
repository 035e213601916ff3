"""A recording as rrweb's events: what its Replayer, and the products that read its format, take.

One page (tab) of the recording: rrweb has no second one. A document that the page goes to begins with a full snapshot;
frames are attached to it; each op of the page model becomes the event that rrweb has for it. Steps, calls, model calls
and marks are custom events, the console is that of rrweb's console plugin.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tinycss2  # type: ignore[import-untyped]

from pagereel.integrations.rrweb_nodes import Json, Serializer
from pagereel.player_build import Catalogue
from pagereel.reel import (  # fmt: skip
    CONTENT,
    DOCUMENT,
    ELEMENT,
    SHADOW,
    DocumentModel,
    Node,
    PageModel,
    Sheet,
    is_checked,
    open_reel,
    options_of,
    selected_of,
    value_of,
    walk,
)

FULL, INCREMENTAL, META, CUSTOM, PLUGIN = 2, 3, 4, 5, 6
MUTATION, MOVE, MOUSE, SCROLL, RESIZE, INPUT, MEDIA, SHEET_RULE, CANVAS, SELECTION, ADOPTED = (
    0, 1, 2, 3, 4, 5, 7, 8, 9, 14, 15,
)  # fmt: skip
_MOUSE = {"up": 0, "down": 1, "click": 2, "contextmenu": 3, "dblclick": 4}
_FOCUS, _BLUR = 5, 6
_CUSTOM = ("step", "step_end", "call", "llm", "tool_call", "tool_result", "mark", "note", "dialog", "location", "error")


def rrweb(path: Path, page: int | None = None) -> list[Json]:
    """rrweb's events of one page of the reel at `path`, in order of time; without `page` the first that was opened.

    Raises LookupError when there is no such page.
    """
    with open_reel(path) as reel:
        started = reel.header.get("started")
        catalogue = Catalogue.read(reel.events())
        if page is None:
            tops = (event for event in reel.timeline() if event["k"] == "document" and event.get("top") is True)
            first = next(tops, None)
            page = int(str(first["page"])) if first is not None else 0
        writer = _Writer(catalogue, page, float(started) if isinstance(started, int | float) else 0.0)
        for event in reel.timeline():
            writer.take(event)
    if not any(event["type"] == FULL for event in writer.events):
        raise LookupError(f"there is no page {page} in this recording")
    return writer.events


class _Writer:
    def __init__(self, catalogue: Catalogue, page: int, started: float) -> None:
        self.page = page
        self.events: list[Json] = []
        self.model = PageModel()
        self.nodes = Serializer(catalogue, self.model)
        self._started = started
        self._t = 0.0
        self._shown: set[int] = set()
        """Documents that the events hold."""
        self._styles: set[tuple[int, int]] = set()
        """Constructed style sheets that the events hold."""
        self._focus = 0
        self._ops: dict[str, Callable[[DocumentModel, list[Any]], None]] = {
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

    # -- events of the reel -------------------------------------------------------------------------------------------

    def take(self, event: dict[str, Any]) -> None:
        kind = event["k"]
        t = event.get("t")
        if isinstance(t, int | float):
            # What a page says late happened right after what it said before (docs/format.md).
            self._t = max(self._t, t)
        document = self.model.documents.get(event.get("d") or 0)
        if kind == "mutation" and document is not None and document.d in self._shown:
            if event["n"] > document.n:
                self._mutation(document, event["ops"])
                document.n = event["n"]
            return
        self.model.apply(event)
        document = self.model.documents.get(event.get("d") or 0)
        if kind in ("snapshot", "mutation", "embed") and document is not None:
            self._shown.discard(document.d)
            self._show(document)
        elif document is not None and document.d in self._shown:
            self._live(document, kind, event)
        if kind in _CUSTOM and (self._shown or kind in ("step", "mark")):
            about = document.page if document is not None else event.get("page")
            if about in (None, self.page):
                self._emit(
                    CUSTOM, {"tag": kind, "payload": {k: v for k, v in event.items() if k not in ("k", "d", "n")}}
                )
        elif kind == "console" and event.get("page") == self.page:
            payload = {"level": event["level"], "trace": [], "payload": [json.dumps(event["text"], ensure_ascii=False)]}
            self._emit(PLUGIN, {"plugin": "rrweb/console@1", "payload": payload})

    def _live(self, document: DocumentModel, kind: str, event: dict[str, Any]) -> None:
        if kind == "viewport" and document.top:
            self._say(RESIZE, width=event["w"], height=event["h"])
        elif kind == "pointer":
            root = self._element_of(document)
            last = event["points"][-1][0] if event["points"] else 0
            self._t += last
            points = [{"x": x, "y": y, "id": root, "timeOffset": dt - last} for dt, x, y in event["points"]]
            self._say(MOVE, positions=points)
        elif kind == "mouse" and event["node"] in document.nodes:
            self._say(
                MOUSE, type=_MOUSE[event["type"]], id=self._id(document, event["node"]), x=event["x"], y=event["y"]
            )

    def _show(self, document: DocumentModel) -> None:
        """A whole document, and the frames in it."""
        # rrweb's Replayer takes no document without an element.
        if document.root is None or document.page != self.page:
            return
        if not any(child.kind == ELEMENT for child in document.root.children):
            return
        if document.parent is None and not document.top:
            return
        if document.top:
            self._shown.clear()
        else:
            assert document.parent is not None
            above = self.model.documents.get(document.parent[0])
            place = above.nodes.get(document.parent[1]) if above is not None and above.d in self._shown else None
            # rrweb attaches documents to iframes alone, not to <object>, <embed> or <frame>.
            if place is None or place.name != "iframe" or _in_template(place):
                return
        self.nodes.renew(document)
        self._styles = {key for key in self._styles if key[0] != document.d}
        tree = self.nodes.whole(document, self._t)
        if tree is None:
            return
        if document.top:
            width, height, _ = document.viewport
            self._emit(META, {"href": document.url, "width": width, "height": height})
            left, top = _scroll_of(document.root)
            self._emit(FULL, {"node": tree, "initialOffset": {"left": left, "top": top}})
        else:
            assert document.parent is not None and above is not None
            add = {"parentId": self._id(above, document.parent[1]), "nextId": None, "node": tree}
            self._mutate(adds=[add], isAttachIframe=True)
        self._shown.add(document.d)
        self._state_of(document, document.stateful.values())
        for root in document.adopted:
            self._adopt(document, ["adopt", root])
        if document.focus:
            self._focused(document, ["focus", document.focus])
        self._frames(document)

    def _frames(self, document: DocumentModel) -> None:
        """Shows what the frames of a document hold now."""
        latest = {inner.parent: inner for inner in self.model.documents.values() if inner.parent is not None}
        for place, inner in latest.items():
            if place[0] == document.d and place[1] in document.nodes and inner.d not in self._shown:
                self._show(inner)

    def _state_of(self, document: DocumentModel, nodes: Any) -> None:
        """What of nodes rrweb does not write with them."""
        for node in list(nodes):
            state = node.state or {}
            if state.keys() & {"value", "checked", "indeterminate", "selected"}:
                self._control(document, ["", node.id])
            if "scroll" in state:
                self._scroll(document, ["scroll", node.id, *state["scroll"]])
            if "media" in state:
                self._media(document, ["media", node.id, state["media"]])

    # -- ops ----------------------------------------------------------------------------------------------------------

    def _mutation(self, document: DocumentModel, ops: list[Any]) -> None:
        for op in ops:
            name = op[0]
            if name == "doc":
                document.apply([op])
                self._shown.discard(document.d)
                self._show(document)
            elif name in ("add", "move", "del"):
                self._structure(document, op)
            else:
                errors = document.errors
                document.apply([op])
                if document.errors == errors and name in self._ops and not self._unseen(document, op):
                    self._ops[name](document, op)

    def _unseen(self, document: DocumentModel, op: list[Any]) -> bool:
        """Whether the op is about a node that rrweb does not have."""
        node = document.nodes.get(op[1]) if isinstance(op[1], int) and op[0] != "sheet" else None
        return node is not None and _in_template(node)

    def _structure(self, document: DocumentModel, op: list[Any]) -> None:
        """Nodes come, move or go: rrweb takes them out first and puts them in as they then are."""
        moved = list(op[1:]) if op[0] == "del" else list(op[2:]) if op[0] == "move" else [*_numbers(op[3:])]
        nodes = (document.nodes[node] for node in moved if node in document.nodes)
        removes = [self._removal(document, node) for node in nodes if not _in_template(node)]
        document.apply([op])
        roots: list[Node] = []
        if op[0] == "move":
            roots = [document.nodes[node] for node in moved if node in document.nodes]
        elif op[0] == "add":
            # New nodes have the ids from op[2] on; a tree that is only a number is a node that moved.
            new = [document.nodes[node] for node in range(op[2], document.last_id + 1) if node in document.nodes]
            roots = [node for node in new if node.parent is not None and node.parent.id < op[2]]
            roots += [document.nodes[tree] for tree in op[3:] if isinstance(tree, int) and tree in document.nodes]
            roots = _in_order(roots)
        roots = [root for root in roots if not _in_template(root)]
        coming = {root.id for root in roots}
        adds: list[Json] = []
        for root in roots:
            after = root.next
            while after is not None and after.id in coming:
                after = after.next
            follower = self._id(document, after.id) if after is not None else None
            adds += self.nodes.additions(document, root, follower, self._t)
        if removes or adds:
            self._mutate(adds=adds, removes=removes)
        placed = [node for root in roots for node in walk(root)]
        self._state_of(document, (node for node in placed if node.state))
        if any(node.name in ("iframe", "frame") for node in placed):
            # What was in a frame that moved is gone from the replay: it is attached again.
            again = {(document.d, node.id) for node in placed}
            self._shown -= {inner.d for inner in self.model.documents.values() if inner.parent in again}
            self._frames(document)

    def _removal(self, document: DocumentModel, node: Node) -> Json:
        parent = node.parent
        removal: Json = {
            "parentId": self._id(document, parent.id) if parent is not None else 0,
            "id": self._id(document, node.id),
        }
        if parent is not None and parent.kind == SHADOW:
            removal["isShadow"] = True
        return removal

    def _text(self, document: DocumentModel, op: list[Any]) -> None:
        node = document.nodes[op[1]]
        form = self.nodes.single(document, node, self._t)
        if form is not None:
            self._mutate(texts=[{"id": form["id"], "value": form["textContent"]}])

    def _attr(self, document: DocumentModel, op: list[Any]) -> None:
        node = document.nodes[op[1]]
        attributes = self.nodes.attributes(document, node, op[2], self._t)
        if node.name == "link" and (css := self.nodes.sheet_of(document, node, self._t)) is not None:
            attributes["_cssText"] = css
        self._mutate(attributes=[{"id": self._id(document, node.id), "attributes": attributes}])
        if node.name == "img" and "src" in op[2]:
            self._source(document, op)

    def _source(self, document: DocumentModel, op: list[Any]) -> None:
        """The picture that an image chose."""
        node = document.nodes[op[1]]
        chosen = (node.state or {}).get("src") or node.attrs.get("src")
        picture = self.nodes.data_url(document, str(chosen or ""), self._t) if node.name == "img" else None
        if picture is not None:
            self._mutate(attributes=[{"id": self._id(document, node.id), "attributes": {"src": picture}}])

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
        self._say(INPUT, id=self._id(document, node.id), text=text, isChecked=checked, userTriggered=False)

    def _scroll(self, document: DocumentModel, op: list[Any]) -> None:
        self._say(SCROLL, id=self._id(document, op[1]), x=op[2], y=op[3])

    def _focused(self, document: DocumentModel, op: list[Any]) -> None:
        node = self._id(document, op[1]) if op[1] else self._focus
        if node:
            self._say(MOUSE, type=_FOCUS if op[1] else _BLUR, id=node)
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
        self._say(SELECTION, ranges=ranges)

    def _sheet(self, document: DocumentModel, op: list[Any]) -> None:
        sheet = document.sheets[op[1]]
        if sheet.owner:
            owner = document.nodes[sheet.owner]
            css = self.nodes.sheet_of(document, owner, self._t)
            self._mutate(attributes=[{"id": self._id(document, owner.id), "attributes": {"_cssText": css}}])
        elif (document.d, sheet.number) in self._styles:
            text = self.nodes.style_text(document, sheet.text, self._t)
            self._say(SHEET_RULE, styleId=self._style_id(document, sheet.number), replaceSync=text)

    def _adopt(self, document: DocumentModel, op: list[Any]) -> None:
        numbers = document.adopted.get(op[1], [])
        new = [number for number in numbers if (document.d, number) not in self._styles]
        self._styles |= {(document.d, number) for number in new}
        styles = [
            {"styleId": self._style_id(document, number), "rules": self._rules(document, document.sheets[number])}
            for number in new
        ]
        told: Json = {"styles": styles} if styles else {}
        self._say(
            ADOPTED, id=self._id(document, op[1]), styleIds=[self._style_id(document, n) for n in numbers], **told
        )

    def _rules(self, document: DocumentModel, sheet: Sheet) -> list[Json]:
        text = self.nodes.style_text(document, sheet.text, self._t)
        rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
        return [{"rule": rule.serialize(), "index": index} for index, rule in enumerate(rules)]

    def _style_id(self, document: DocumentModel, number: int) -> int:
        return document.d * 100_000 + number

    def _open(self, document: DocumentModel, op: list[Any]) -> None:
        node = document.nodes[op[1]]
        if node.name == "dialog" and op[2]:
            mode = "modal" if op[2] == "modal" else "non-modal"
            attributes = {"open": node.attrs.get("open", ""), "rr_open_mode": mode}
            self._mutate(attributes=[{"id": self._id(document, node.id), "attributes": attributes}])

    def _canvas(self, document: DocumentModel, op: list[Any]) -> None:
        """As rrweb's own sampling of a canvas: clear it, draw the whole picture."""
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
        self._say(CANVAS, id=self._id(document, op[1]), type=0, commands=commands)

    def _media(self, document: DocumentModel, op: list[Any]) -> None:
        state = op[2]
        self._say(
            MEDIA, type=1 if state.get("paused") else 0, id=self._id(document, op[1]), currentTime=state.get("time", 0),
            volume=state.get("volume", 1), muted=bool(state.get("muted")), playbackRate=state.get("rate", 1),
        )  # fmt: skip

    # -- events of rrweb ----------------------------------------------------------------------------------------------

    def _id(self, document: DocumentModel, node: int) -> int:
        return self.nodes.number(document, node)

    def _element_of(self, document: DocumentModel) -> int:
        root = document.root
        element = next((child for child in root.children if child.kind == ELEMENT), root) if root is not None else None
        return self._id(document, element.id) if element is not None else 0

    def _mutate(self, **given: Any) -> None:
        self._say(MUTATION, **{"adds": [], "removes": [], "texts": [], "attributes": [], **given})

    def _say(self, source: int, **data: Any) -> None:
        self._emit(INCREMENTAL, {"source": source, **data})

    def _emit(self, kind: int, data: Json) -> None:
        self.events.append({"type": kind, "data": data, "timestamp": round(self._started + self._t)})


def _in_template(node: Node) -> bool:
    current: Node | None = node
    while current is not None and current.kind != CONTENT:
        current = current.parent
    return current is not None


def _numbers(trees: list[Any]) -> Iterator[int]:
    """Ids of nodes that trees take in."""
    stack = list(reversed(trees))
    while stack:
        tree = stack.pop()
        if isinstance(tree, int):
            yield tree
        elif isinstance(tree, list):
            stack += reversed([child for child in tree[1:] if isinstance(child, int | list)])


def _in_order(roots: list[Node]) -> list[Node]:
    """Siblings in the order in which they stand; each parent's after the other's."""
    by_parent: dict[int, list[Node]] = {}
    for root in roots:
        by_parent.setdefault(root.parent.id if root.parent is not None else 0, []).append(root)
    found: list[Node] = []
    for family in by_parent.values():
        if len(family) == 1 or family[0].parent is None:
            found += family
            continue
        wanted = {node.id for node in family}
        found += [node for node in family[0].parent.children if node.id in wanted]
    return found


def _scroll_of(root: Node) -> tuple[float, float]:
    scroll = (root.state or {}).get("scroll") if root.kind == DOCUMENT else None
    return (scroll[0], scroll[1]) if isinstance(scroll, list) else (0, 0)  # type: ignore[return-value]


def _option_value(option: Node) -> str:
    if "value" in option.attrs:
        return option.attrs["value"]
    return " ".join("".join(child.data for child in option.children if child.data).split())
