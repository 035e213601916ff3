"""Converts rrweb's nodes to trees of the reel format, and rrweb's special attributes to ops."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from pagereel.reel import MASK, TREE_DEPTH, Event

from ..secret_fields import filter_attribute, find_mask_reason

DOCUMENT, DOCTYPE, ELEMENT, TEXT, CDATA, COMMENT = range(6)
_SILENT: Final = ("script", "noscript", "svg|script")
_CAMEL: Final = {
    name.lower(): name
    for name in [
        "altGlyph",
        "altGlyphDef",
        "altGlyphItem",
        "animateColor",
        "animateMotion",
        "animateTransform",
        "clipPath",
        "feBlend",
        "feColorMatrix",
        "feComponentTransfer",
        "feComposite",
        "feConvolveMatrix",
        "feDiffuseLighting",
        "feDisplacementMap",
        "feDistantLight",
        "feDropShadow",
        "feFlood",
        "feFuncA",
        "feFuncB",
        "feFuncG",
        "feFuncR",
        "feGaussianBlur",
        "feImage",
        "feMerge",
        "feMergeNode",
        "feMorphology",
        "feOffset",
        "fePointLight",
        "feSpecularLighting",
        "feSpotLight",
        "feTile",
        "feTurbulence",
        "foreignObject",
        "glyphRef",
        "linearGradient",
        "radialGradient",
        "textPath",
    ]
}
"""Lower-case tag → tag; rrweb writes all tags in lower case, which is wrong for these."""
_TEXTS: Final = ("math|mi", "math|mo", "math|mn", "math|ms", "math|mtext", "math|annotation-xml")
"""Elements whose content is HTML again."""


@dataclass
class ConvertedTree:
    """A tree in the reel format, with the ops and the resources that its special attributes became."""

    tree: Any
    ids: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of rrweb's id and the reel's id."""
    adds: list[list[Any]] = field(default_factory=list)
    """Ops for subtrees that are too deep to be part of this tree."""
    ops: list[list[Any]] = field(default_factory=list)
    """Ops on the nodes after they are inserted."""
    sheets: list[tuple[int, str]] = field(default_factory=list)
    """Owners, and the text of their style sheets."""
    frames: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    """Iframes with their documents."""
    bodies: list[tuple[int, str]] = field(default_factory=list)
    """Images, and the address of the picture that they show."""
    written: list[int] = field(default_factory=list)
    """Iframes whose page is in their ``srcdoc``."""


class DataAddressStore:
    """A store for the contents of ``data:`` addresses, as resources, each once."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self.pending: list[Event] = []

    def store_data_address(self, address: Any) -> str | None:
        """Store the content of a ``data:`` address. Return its SHA-256; None for other addresses."""
        if not isinstance(address, str) or not address.startswith("data:"):
            return None
        head, comma, tail = address[5:].partition(",")
        if not comma:
            return None
        mime = head.partition(";")[0].strip().lower() or "text/plain"
        try:
            data = (
                base64.b64decode(tail, validate=True) if head.rstrip().endswith(";base64") else unquote_to_bytes(tail)
            )
        except (binascii.Error, ValueError):
            return None
        return self.store_content(mime, data)

    def store_content(self, mime: str, data: bytes) -> str:
        """Store a resource and return its SHA-256."""
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in self._known:
            self._known.add(sha256)
            content = base64.b64encode(data).decode()
            event: Event = {
                "k": "resource",
                "t": 0,
                "sha256": sha256,
                "mime": mime[:200],
                "size": len(data),
                "base64": content,
            }
            self.pending.append(event)
        return sha256


class RrwebTreeBuilder:
    """Converts rrweb's nodes to trees of the reel format."""

    def __init__(self, bodies: DataAddressStore) -> None:
        self.bodies = bodies

    def build_tree(self, node: dict[str, Any], first_id: int, parent_tag: str = "") -> ConvertedTree | None:
        """Return the tree of a node and everything below it, with ids from `first_id` on; None for a value that is not a
        node. `parent_tag`: the tag of the node's parent.
        """
        made = ConvertedTree(None)
        out: list[Any] = []
        queue: list[tuple[int, list[Any], str]] = []
        number = self._build_nodes(made, [(node, out, 1, parent_tag)], first_id, queue)
        if not out:
            return None
        made.tree = out[0]
        while queue:
            parent, children, tag = queue.pop(0)
            for child in children:
                trees: list[Any] = []
                begin = number
                number = self._build_nodes(made, [(child, trees, 1, tag)], number, queue)
                if trees:
                    made.adds.append(["add", parent, begin, *trees])
        return made

    def _build_nodes(self, converted_tree: ConvertedTree, stack: list[Any], number: int, queue: list[Any]) -> int:
        while stack:
            node, into, level, within = stack.pop()
            if not isinstance(node, dict):
                if node == "#shadow":
                    number = self._build_shadow_root(into, stack, level, within, number, queue)
                continue
            rid, kind = node.get("id"), node.get("type")
            if kind == DOCUMENT and level > 1:
                continue
            form = self._build_node(node, kind, number, within, converted_tree)
            if form is None:
                continue
            if type(rid) is int and abs(rid) < 1 << 53:
                converted_tree.ids.append((rid, number))
            into.append(form)
            mine, number = number, number + 1
            children = node.get("childNodes")
            if not isinstance(children, list) or not isinstance(form, list) or form[0] in _SILENT:
                continue
            if kind not in (DOCUMENT, ELEMENT):
                continue
            tag = form[0]
            if tag == "iframe":
                converted_tree.frames += [
                    (mine, child) for child in children if isinstance(child, dict) and child.get("type") == DOCUMENT
                ]
                continue
            shadow = [child for child in children if isinstance(child, dict) and child.get("isShadow") is True]
            light = [child for child in children if not (isinstance(child, dict) and child.get("isShadow") is True)]
            hosts = node.get("isShadowHost") is True and kind == ELEMENT
            if not hosts:
                light, shadow = children, []
            if level >= TREE_DEPTH:
                if hosts:
                    form.append(["#shadow", {"mode": "open"}])
                    number += 1
                    queue.append((mine + 1, shadow, tag))
                queue.append((mine, light, tag))
                continue
            stack += [(child, form, level + 1, tag) for child in reversed(light)]
            if hosts:
                stack.append(("#shadow", (form, shadow), level + 1, tag))
        return number

    def _build_shadow_root(
        self, child_list: Any, stack: list[Any], level: int, parent_tag: str, number: int, queue: list[Any]
    ) -> int:
        form, children = child_list
        root: list[Any] = ["#shadow", {"mode": "open"}]
        form.append(root)
        if level >= TREE_DEPTH:
            queue.append((number, children, parent_tag))
        else:
            stack += [(child, root, level + 1, parent_tag) for child in reversed(children)]
        return number + 1

    def _build_node(
        self, node: dict[str, Any], kind: Any, number: int, parent_tag: str, converted_tree: ConvertedTree
    ) -> Any:
        if kind == DOCUMENT:
            return ["#document", {}]
        if kind == DOCTYPE:
            return ["#doctype", *(_to_text(node.get(name)) for name in ("name", "publicId", "systemId"))]
        if kind == TEXT:
            return _to_text(node.get("textContent"))
        if kind == CDATA:
            return ["#cdata", _to_text(node.get("textContent"))]
        if kind == COMMENT:
            return ["#comment", _to_text(node.get("textContent"))]
        if kind != ELEMENT:
            return None
        tag = _build_tag(node, parent_tag)
        given = node.get("attributes")
        attrs, extra = split_attributes(tag, given if isinstance(given, dict) else {})
        if "_cssText" in extra and tag == "link":
            attrs.setdefault("rel", "stylesheet")
        form = [tag, attrs]
        self.convert_special_attributes(tag, number, attrs, extra, converted_tree)
        return form

    def convert_special_attributes(
        self,
        tag: str,
        number: int,
        attrs: dict[str, str],
        special_attributes: dict[str, Any],
        converted_tree: ConvertedTree,
    ) -> None:
        """Convert rrweb's special attributes of an element to ops, style sheets and resources of the tree."""
        css = special_attributes.get("_cssText")
        if isinstance(css, str):
            converted_tree.sheets.append((number, css.replace("/* rr_split */", "")))
        if tag == "input" and (why := find_mask_reason(attrs)) is not None:
            converted_tree.ops.append(["masked", number, why])
            if attrs.get("value"):
                attrs["value"] = MASK
        if isinstance(special_attributes.get("value"), str):
            converted_tree.ops.append(["value", number, special_attributes["value"]])
        left, top = (_to_number(special_attributes.get(name)) for name in ("rr_scrollLeft", "rr_scrollTop"))
        if left or top:
            converted_tree.ops.append(["scroll", number, left, top])
        if (
            tag == "canvas"
            and (sha256 := self.bodies.store_data_address(special_attributes.get("rr_dataURL"))) is not None
        ):
            converted_tree.ops.append(
                [
                    "canvas",
                    number,
                    sha256,
                    _to_number(attrs.get("width")) or 300,
                    _to_number(attrs.get("height")) or 150,
                ]
            )
        if tag == "img" and isinstance(special_attributes.get("rr_dataURL"), str):
            converted_tree.bodies.append((number, special_attributes["rr_dataURL"]))
        if tag == "iframe" and to_attribute_text(special_attributes.get("srcdoc")) is not None:
            converted_tree.written.append(number)
        if "rr_mediaState" in special_attributes:
            state = {
                "paused": special_attributes["rr_mediaState"] != "played",
                "time": _to_number(special_attributes.get("rr_mediaCurrentTime")),
            }
            if "rr_mediaPlaybackRate" in special_attributes:
                state["rate"] = _to_number(special_attributes["rr_mediaPlaybackRate"]) or 1
            if "rr_mediaVolume" in special_attributes:
                state["volume"] = _to_number(special_attributes["rr_mediaVolume"])
            if "rr_mediaMuted" in special_attributes:
                state["muted"] = special_attributes["rr_mediaMuted"] is True
            converted_tree.ops.append(["media", number, state])
        if special_attributes.get("rr_open_mode") in ("modal", "non-modal"):
            converted_tree.ops.append(
                ["open", number, "modal" if special_attributes["rr_open_mode"] == "modal" else "dialog"]
            )


def split_attributes(tag: str, attributes: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the ordinary attributes of an element, and rrweb's special attributes."""
    attrs: dict[str, str] = {}
    extra: dict[str, Any] = {}
    for name, raw in attributes.items():
        if name in ("_cssText", "srcdoc") or (
            name.startswith("rr_") and name not in ("rr_src", "rr_srcset", "rr_sandbox", "rr_width", "rr_height")
        ):
            extra[name] = raw
            continue
        value = to_attribute_text(raw)
        if value is None or not name:
            continue
        if name in ("rr_width", "rr_height"):
            if "style" not in attributes:
                attrs["style"] = f"{attrs.get('style', '')}{name[3:]}:{value};"
            continue
        if name in ("rr_src", "rr_srcset", "rr_sandbox"):
            name = name[3:]
        if name == "value" and tag in ("textarea", "select"):
            if tag == "textarea":
                extra["value"] = value
            continue
        clean = filter_attribute(tag, name, value)
        if clean is not None:
            attrs[name] = clean
    return attrs, extra


def to_attribute_text(value: Any) -> str | None:
    """Return an attribute's value as text; None for a missing attribute."""
    if value is True:
        return ""
    if isinstance(value, str):
        return value
    return str(value) if type(value) in (int, float) else None


def _build_tag(node: dict[str, Any], parent_tag: str) -> str:
    raw = node.get("tagName")
    tag = raw.strip()[:200] if isinstance(raw, str) else ""
    if not tag or tag.startswith("#"):
        return "div"
    if node.get("isSVG") is True:
        return f"svg|{_CAMEL.get(tag.lower(), tag)}"
    if tag == "math" or (parent_tag.startswith("math|") and parent_tag not in _TEXTS):
        return f"math|{tag}"
    return f"html|{tag}" if "|" in tag else tag


def _to_text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _to_number(value: Any) -> float:
    if isinstance(value, str):
        try:
            value = float(value.strip().removesuffix("px"))
        except ValueError:
            return 0
    good = type(value) in (int, float) and abs(value) < 1e9
    return value if good else 0
