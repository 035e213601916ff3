"""Walk trees and ops of documents: which string is text, form data, an address, a style, and what stands beside it.

A book keeps, for every node that ever was, its tag, attributes and parent: an op names a node by its id alone, and what
may be shown of its string depends on what the node is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pagereel.reel import MASK, OPS, Event, Json

from ..contracts.channels import INLINE
from ..contracts.policy import Policy
from ..contracts.sink import Sink, Slot
from ..detect.context import entity_of_label
from ..detect.spelled import LEAST, tells
from .attributes import FREE_VALUES, language, role_of
from .controls import Choices, fitting, is_everybodys, is_language, is_personal, options_of

OPTION = "Option"
"""The text of an option of which nothing is known, and of a group of them."""
_CONTROLS = frozenset({"input", "textarea", "select"})
_CAPTIONS = FREE_VALUES
_NAMESPACES = frozenset({"svg", "math"})
_MEDIA = re.compile(r"\bmedia\s*=\s*[\"']([^\"']*)[\"']")
"""For which media an ``<?xml-stylesheet?>`` is."""
_DOCTYPE = re.compile(
    r"html|svg|math|xml|about:legacy-compat|-//(?:W3C|IETF|WAPFORUM|Netscape Comm\. Corp\.|Microsoft)//DTD [A-Za-z0-9 .+-]{1,40}(?://EN)?|"
    r"https?://www\.w3\.org/[\w/.-]*|",
    re.IGNORECASE,
)
"""What a document type may say: the standards', by which a browser chooses how it lays a page out."""
_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_ROOT_PROPERTIES = frozenset({"mode", "delegatesFocus", "slotAssignment", "clonable", "serializable"})
"""What a shadow root says of itself."""
_ANIMATION = frozenset({"type", "name", "pseudo", "time", "rate", "running", "from", "to", "keyframes", "timing"})
_DOTS = re.compile(r"[•●∙⚫⬤*✱]{1,64}")
_REASONS = frozenset({"password", "card", "otp", "selector"})
"""Why a control is masked where it was read."""
_CUE = frozenset({"line", "position", "size", "align", "vertical", "snapToLines"})
"""How a caption is put, by numbers or these words."""
_PUT = frozenset({"", "auto", "start", "center", "end", "left", "right", "line-left", "line-right", "rl", "lr"})
_SOFTWARE = frozenset({"application-name", "apple-mobile-web-app-title", "generator", "og:site_name"})
"""What a ``<meta>`` is called that names the program, or the site."""
_EMPTY_TEXT = frozenset({"script", "noscript", "object"})


@dataclass(slots=True)
class NodeInfo:
    """What the book knows of a node."""

    tag: str
    attrs: dict[str, str]
    parent: int
    headers: list[str] | None = None
    """Of a table: its column headers."""
    said: str = ""
    """Of a label: its text; of a cell: the header of its column."""
    cells: int = 0
    """Of a row: its cells so far; of an option: which one it is, from 1."""
    choices: Choices | None = None
    """Of a select: what it offers."""


class Documents:
    """All documents of a recording during one walk."""

    def __init__(self, sink: Sink, policy: Policy) -> None:
        self._sink = sink
        self._policy = policy
        self._books: dict[int, _Book] = {}

    def ops(self, event: Event) -> Json:
        """Return the masked ops of a ``snapshot`` or ``mutation`` event."""
        d = cast(int, event.get("d"))
        book = self._books.get(d)
        if book is None:
            book = self._books[d] = _Book(d, self._sink, self._policy)
        out = []
        for op in cast(list[Any], event.get("ops") or []):
            if isinstance(op, list) and op and (masked := book.op(op)) is not None:
                out.append(masked)  # noqa: PERF401
        return cast(Json, out)


class _Book:
    """One document: its nodes, its labels, and the run of text that is being read."""

    def __init__(self, d: int, sink: Sink, policy: Policy) -> None:
        self._d = d
        self._sink = sink
        self._policy = policy
        self._nodes: dict[int, NodeInfo] = {}
        self._labels: dict[str, str] = {}
        self._values: dict[int, str] = {}
        self._next = 0
        self._run: list[tuple[list[Any], int, str, int]] = []
        self._letters: list[tuple[list[Any], int, str, int]] = []
        """Texts of one letter that stand side by side, each in a box of its own."""
        self._masked: set[int] = set()
        self._dotted: set[int] = set()
        """Texts that are dots, one for each letter of something that is typed."""
        """Text nodes that do not say what they said."""
        self._run_slot = Slot("dom.text")
        self._term = ""

    def op(self, op: list[Any]) -> list[Any] | None:
        """Return the masked op; None drops it, as every op that is not known."""
        kind = OPS.get(op[0])
        if kind is None:
            return None
        if not kind.words:
            return op
        rewrite = _REWRITES.get(op[0])
        return rewrite(self, op) if rewrite is not None else None

    # -- ops --------------------

    def _doc_op(self, op: list[Any]) -> list[Any]:
        self._nodes = {}
        self._values = {}
        self._next = op[1]
        self._learn_labels(op[2])
        tree = self._tree(op[2], 0)
        self._flush(end=True)
        return ["doc", op[1], tree]

    def _add_op(self, op: list[Any]) -> list[Any]:
        at = op[1]
        parent = at if at > 0 else (self._nodes[-at].parent if -at in self._nodes else 0)
        self._next = op[2]
        for tree in op[3:]:
            self._learn_labels(tree)
        out: list[Any] = ["add", at, op[2]]
        for tree in op[3:]:
            self._child(tree, parent, out)
        self._flush(end=True)
        return out

    def _move_op(self, op: list[Any]) -> list[Any]:
        at = op[1]
        parent = at if at > 0 else (self._nodes[-at].parent if -at in self._nodes else 0)
        for node in op[2:]:
            if node in self._nodes:
                self._nodes[node].parent = parent
        return op

    def _text_op(self, op: list[Any]) -> list[Any] | None:
        info = self._nodes.get(op[1])
        out: list[Any] = ["text", op[1], ""]
        if info is None or info.tag != "#text":
            return out
        if self._policy.form_values == "mask" and _DOTS.fullmatch(op[2].strip()):
            if op[1] in self._dotted:
                return None  # one more for each key of a secret
            self._dotted.add(op[1])
            return ["text", op[1], MASK]
        self._dotted.discard(op[1])
        self._leaf(op[2], info.parent, out, 2, op[1])
        self._flush(end=True)
        return out

    def _attr_op(self, op: list[Any]) -> list[Any]:
        info = self._nodes.get(op[1])
        if info is None:
            return ["attr", op[1], {}]
        changes = {k: v for k, v in op[2].items() if v is not None}
        info.attrs.update(changes)
        masked: dict[str, Any] = dict(self._attrs(info.tag, changes, info))
        for name, value in op[2].items():
            shown = self._attribute_name(info.tag, name)
            if value is None and shown is not None and role_of(info.tag, name, "") != "drop":
                masked[shown] = None
        return ["attr", op[1], masked]

    def _value_op(self, op: list[Any]) -> list[Any] | None:
        info = self._nodes.get(op[1])
        if info is not None and info.tag == "input" and info.attrs.get("type", "").lower() in _CAPTIONS:
            return ["value", op[1], self._sink.text(op[2], Slot("dom.caption"))]
        masked = self._sink_typed(op[2], op[1], info)
        if self._values.get(op[1]) == masked and self._policy.form_values == "mask":
            return None  # no key's moment, and not how many there were
        self._values[op[1]] = masked
        return ["value", op[1], masked]

    def _sheet_op(self, op: list[Any]) -> list[Any]:
        options = {k: v for k, v in (op[4] if len(op) > 4 else {}).items() if k in ("media", "disabled")}
        return ["sheet", op[1], op[2], self._sink.css(op[3], Slot("dom.sheet"))] + ([options] if options else [])

    def _canvas_op(self, op: list[Any]) -> list[Any] | None:
        info = self._nodes.get(op[1])
        film = info is not None and info.tag == "video"
        sha = self._sink.resource(op[2], Slot("dom.film" if film else "dom.canvas"))
        return None if sha is None else ["canvas", op[1], sha, *op[3:]]

    def _src_op(self, op: list[Any]) -> list[Any]:
        return ["src", op[1], self._sink.url(op[2], Slot("dom.src"))]

    def _selection_op(self, op: list[Any]) -> list[Any]:
        # Offsets count characters of the text before it was masked: the nodes stay, the offsets go to the start.
        return ["selection", op[1], 0, op[3], 0]

    def _media_op(self, op: list[Any]) -> list[Any]:
        return ["media", op[1], {k: v for k, v in op[2].items() if k in ("paused", "time", "rate", "volume", "muted")}]

    def _drawing_op(self, op: list[Any]) -> list[Any]:
        names = ("time", "paused", "x", "y", "scale", "begin", "end")
        return ["drawing", op[1], {k: v for k, v in op[2].items() if k in names and isinstance(v, int | float)}]

    def _cues_op(self, op: list[Any]) -> list[Any]:
        rule = self._ruled(op[1])
        cues = []
        for start, end, text, how in op[2]:
            masked = self._by_rule(rule, text, Slot("dom.cue")) if rule else self._sink.text(text, Slot("dom.cue"))
            cues.append(
                [
                    start,
                    end,
                    masked,
                    {k: v for k, v in how.items() if k in _CUE and (v in _PUT or isinstance(v, int | float))},
                ]
            )
        return ["cues", op[1], cues]

    def _bubble_op(self, op: list[Any]) -> list[Any]:
        if len(op) < 4:
            return ["bubble", 0]
        node, speaks, slot = op[1], op[2], Slot("dom.text")
        rule = self._ruled(node)
        if speaks and not rule and self._policy.form_values == "mask":  # It has parts of what was typed, or its length.
            return ["bubble", node, speaks, "•••••", ""]
        lines = [self._by_rule(rule, text, slot) if rule else self._sink.text(text, slot) for text in op[3:]]
        return ["bubble", node, speaks, *lines]

    def _exact_op(self, op: list[Any]) -> list[Any] | None:
        # It stands in the place of the attribute: where that says anything that does not pass, it holds.
        style = self._nodes[op[1]].attrs.get("style", "") if op[1] in self._nodes else ""
        if self._ruled(op[1]) or self._sink.css(style, Slot("dom.style")) != style:
            return None
        return ["exact", op[1], self._sink.css(op[2], Slot("dom.style"))]

    def _highlight_op(self, op: list[Any]) -> list[Any]:
        # Offsets count characters: of a text that was masked they would tell where something stood in it.
        ranges = []
        for start, offset, end, end_offset in zip(*[iter(op[3])] * 4, strict=False):
            if start not in self._masked and end not in self._masked:
                ranges += [start, offset, end, end_offset]
        return ["highlight", self._sink.keep(str(op[1]), Slot("dom.states")), op[2], ranges]

    def _anim_op(self, op: list[Any]) -> list[Any]:
        return [*op[:3], self._animation(op[3]) if isinstance(op[3], dict) else None]

    def _anims_op(self, op: list[Any]) -> list[Any]:
        return ["anims", op[1], self._animation(op[2]), *map(self._styles, op[3:])]

    def _animation(self, state: dict[str, Any]) -> dict[str, Any]:
        return {k: self._styles(v) for k, v in state.items() if k in _ANIMATION}

    def _styles(self, value: Any) -> Any:
        """Keyframes and timing: every string is a piece of style."""
        if isinstance(value, str):
            return self._sink.css(value, Slot("dom.animation"))
        if isinstance(value, list):
            return [self._styles(v) for v in value]
        return {k: self._styles(v) for k, v in value.items()} if isinstance(value, dict) else value

    def _masked_op(self, op: list[Any]) -> list[Any]:
        return ["masked", op[1], op[2] if op[2] in _REASONS else "selector"]

    def _states_op(self, op: list[Any]) -> list[Any]:
        return ["states", op[1], [self._sink.keep(str(name), Slot("dom.states")) for name in op[2]]]

    def _sink_typed(self, text: str, node: int, info: NodeInfo | None) -> str:
        if (action := self._ruled(node)) is not None and action != "mask":
            return self._by_rule(action, text, Slot("dom.value"))
        if self._policy.form_values == "detect":
            return self._sink.text(text, Slot("dom.value", self._label(info)))
        typed = getattr(self._sink, "typed", None)
        slot = Slot("dom.value", self._label(info))
        masked = cast(str, typed(text, slot, (self._d, node))) if typed else self._sink.value(text, slot)
        if info is None or info.tag != "input":
            return masked
        return fitting(info.attrs.get("type", "").lower(), masked, info.attrs, text)

    # -- trees --------------------

    def _child(self, tree: Any, parent: int, out: list[Any]) -> None:
        if isinstance(tree, int):
            if tree in self._nodes:
                self._nodes[tree].parent = parent
            self._flush()
            out.append(tree)
        elif isinstance(tree, str):
            node = self._next
            self._next += 1
            self._nodes[node] = NodeInfo("#text", {}, parent)
            out.append("")
            self._leaf(tree, parent, out, len(out) - 1, node)
        else:
            out.append(self._tree(tree, parent))

    def _tree(self, tree: list[Any], parent: int) -> list[Any]:
        tag = tree[0]
        node = self._next
        self._next += 1
        if tag in ("#comment", "#cdata", "#pi", "#doctype"):
            self._nodes[node] = NodeInfo(tag, {}, parent)
            return self._special(tree)
        attrs = dict(tree[1]) if isinstance(tree[1], dict) else {}
        info = self._nodes[node] = NodeInfo(tag, attrs, parent)
        if tag == "tr":
            self._row(tree, info)
        elif tag == "label":
            info.said = _text_of(tree)
        elif tag in ("td", "th"):
            self._cell(info)
        elif tag == "select":
            options = options_of(tree)
            values = [str(o[1].get("value") or "") for o in options if isinstance(o[1], dict)]
            info.choices = Choices(is_personal(self._label(info), values), len(options) or None)
        elif tag == "option" and (choices := self._choices(info)) is not None:
            choices.count += 1
            info.cells = choices.count
        if tag not in INLINE:
            self._flush()
        out: list[Any] = [self._tag(tag), self._attrs(tag, attrs, info)]
        letters = len(self._letters)
        for child in tree[2:]:
            self._child(child, node, out)
        if tag not in INLINE:
            self._flush()
            if len(self._letters) - letters >= LEAST:
                self._spell(letters)
        if tag == "dt":
            self._term = _text_of(tree)
        return out

    def _tag(self, tag: str) -> str:
        """Return the tag: an author may call an element, or its namespace, whatever comes to mind."""
        namespace, bar, name = tag.rpartition("|")
        if bar and namespace not in _NAMESPACES:
            return f"{self._sink.url(namespace, Slot('dom.tag'))}|{self._sink.keep(name, Slot('dom.tag'))}"
        return self._sink.keep(tag, Slot("dom.tag")) if bar or "-" in tag else tag

    def _special(self, tree: list[Any]) -> list[Any]:
        if tree[0] == "#comment":
            return ["#comment", ""]
        if tree[0] == "#cdata":
            return ["#cdata", self._sink.text(tree[1], Slot("dom.text"))]
        if tree[0] == "#pi":
            media = _MEDIA.search(tree[2]) if tree[1] == "xml-stylesheet" else None
            data = f'media="{self._sink.keep(media[1], Slot("dom.pi"))}"' if media else ""
            return ["#pi", self._sink.keep(tree[1], Slot("dom.pi")), data]
        return ["#doctype", *(v if _DOCTYPE.fullmatch(v) else "" for v in map(str, tree[1:]))]

    def _leaf(self, text: str, parent: int, out: list[Any], index: int, node: int) -> None:
        """Take a text node: put into the run that is being read, or masked at once where its parent says so."""
        info = self._nodes.get(parent)
        tag = info.tag if info else ""
        if tag == "style" or tag == "svg|style":
            out[index] = self._sink.css(text, Slot("dom.style"))
        elif tag in _EMPTY_TEXT or tag == "svg|script":
            out[index] = ""
        elif tag == "textarea":
            out[index] = self._sink.value(text, Slot("dom.value", self._label(info))) if text.strip() else text
        elif tag in ("option", "optgroup"):
            self._option(text, info, out, index)
        elif text.strip() and self._editable(parent):
            out[index] = self._sink.value(text, Slot("dom.editable", self._label(info)))
        elif (action := self._ruled(parent)) is not None:
            out[index] = self._by_rule(action, text, Slot("dom.text"))
        else:
            split = getattr(self._sink, "split", None)
            if split is not None and (self._d, node) in split and text.strip():
                out[index] = self._sink.value(text, Slot("dom.split"))
                self._masked.add(node)
                return
            if not self._run:
                self._run_slot = Slot("dom.title" if tag == "title" else "dom.text", self._cell_label(parent))
            self._run.append((out, index, text, node))
            return
        # What an option says may be hidden later, with the others of its select.
        self._note(node, out[index] != text or tag in ("option", "optgroup"))

    def _note(self, node: int, masked: bool) -> None:
        if masked:
            self._masked.add(node)
        else:
            self._masked.discard(node)

    def _ruled(self, node: int) -> str | None:
        """Return what the user's selectors say of a node: the nearest element around it that one names counts."""
        if not any(r.kind == "selector" for r in self._policy.rules):
            return None
        for _ in range(200):
            info = self._nodes.get(node)
            if info is None:
                return None
            for name in selectors_of(info.tag, info.attrs):
                if (action := self._policy.rule("selector", name)) is not None:
                    return action
            node = info.parent
        return None

    def _by_rule(self, action: str, text: str, slot: Slot) -> str:
        if action == "drop":
            return ""
        return self._sink.keep(text, slot) if action == "allow" else self._sink.value(text, slot)

    def _option(self, text: str, info: NodeInfo | None, out: Any, index: Any) -> None:
        """Write what an option says: its own words where they are the same for everybody, else which one it is."""
        if not text.strip():
            out[index] = text
            return
        if self._policy.option_text == "detect":
            out[index] = self._sink.text(text, Slot("dom.option"))
            return
        choices = self._choices(info)
        nth = info.cells if info is not None and info.tag == "option" else 0
        if choices is None:
            self._sink.text(text, Slot("dom.option"))  # learned, and not shown
            out[index] = OPTION
            return
        masked = (self._sink.keep if is_language(text) else self._sink.text)(text, Slot("dom.option"))
        if (masked != text or not is_everybodys(text)) and not choices.personal:
            choices.hide()
        if choices.personal or self._policy.option_text == "constant":
            out[index] = choices.name(nth) if nth else OPTION
            return
        out[index] = text
        if nth:
            choices.shown.append((out, index, nth))

    def _choices(self, info: NodeInfo | None) -> Choices | None:
        """Return what the select around an option offers."""
        for _ in range(3):
            if info is None:
                return None
            if info.tag == "select":
                return info.choices
            info = self._nodes.get(info.parent)
        return None

    def _flush(self, end: bool = False) -> None:
        """Note that the run ends: its pieces are read as one text. ``end``: no other run follows it."""
        run, self._run = self._run, []
        said = "".join(piece[2] for piece in run).strip()
        if len(said) == 1 and said.isalnum():
            self._letters += run
            run = []
        elif said:
            self._spell()
        if end:
            self._spell()
        self._write(run)

    def _spell(self, begin: int = 0) -> None:
        """Boxes of one letter each end: what they spell, from ``begin`` on, is masked where it may be a name, or the number of a card."""
        row, self._letters = self._letters[begin:], self._letters[:begin]
        word = "".join("".join(piece[2] for piece in row).split())
        if not tells(word):
            for piece in row:
                self._write([piece])
            return
        shown = self._sink.value(word, Slot("dom.spelled"))
        at = 0
        for out, index, said, node in row:
            until = at + len("".join(said.split()))
            part = shown[at * len(shown) // len(word) : until * len(shown) // len(word)]
            out[index] = ("" if part == said.strip() else part) if until > at and shown != word else said
            self._note(node, until > at)
            at = until

    def _write(self, run: list[tuple[list[Any], int, str, int]]) -> None:
        if not run:
            return
        pieces = [text for _, _, text, _ in run]
        if not any(p.strip() for p in pieces):
            masked: Sequence[str] = pieces
        else:
            masked = self._sink.run(pieces, self._run_slot)
        for (out, index, said, node), text in zip(run, masked, strict=True):
            out[index] = text
            self._note(node, text != said)

    # -- attributes --------------------

    def _attrs(self, tag: str, attrs: dict[str, str], info: NodeInfo) -> dict[str, str]:
        if tag.startswith("#"):
            return {k: v for k, v in attrs.items() if k in _ROOT_PROPERTIES}
        if tag == "meta" and (attrs.get("name") or attrs.get("property") or "").lower() in _SOFTWARE:
            self._sink.software(attrs.get("content", ""))
        out = {}
        for name, value in attrs.items():
            rule = self._policy.rule("attribute", name)
            if rule == "drop":
                continue
            role = "keep" if rule == "allow" else ("text" if rule == "mask" else role_of(tag, name, value))
            shown = None if role == "drop" else self._attribute_name(tag, name)
            if shown is not None:
                out[shown] = self._attribute(role, tag, name, value, info)
        return out

    def _attribute_name(self, tag: str, name: str) -> str | None:
        """Return an attribute's name, with stand-ins for what is known in it, as in the style sheets that ask for it; None where
        they make no name.
        """
        shown = self._sink.keep(name, Slot("dom.attribute")) if "-" in name or "-" in tag else name
        return shown if shown == name or _NAME.fullmatch(shown) else None

    def _attribute(self, role: str, tag: str, name: str, value: str, info: NodeInfo) -> str:
        slot = Slot(f"dom.attribute.{name}" if role != "empty" else "dom.attribute")
        if role in ("keep", "name"):
            return self._sink.keep(value, slot)
        if role == "language":
            return language(value)
        if role == "text" and name == "label" and tag in ("option", "optgroup"):
            held = [""]
            self._option(value, info, held, 0)
            return held[0]
        if role == "text":
            return self._sink.text(value, slot)
        if role == "url":
            return self._sink.url(value, slot)
        if role == "css":
            return self._sink.css(value, slot)
        if role == "srcset":
            return self._srcset(value, slot)
        if role == "value":
            return (
                self._sink.value(value, slot) if name.lower() == "target" else self._value_attribute(tag, value, info)
            )
        if value and entity_of_label(name.removeprefix("data-")):
            self._sink.value(value, Slot("dom.attribute", name.removeprefix("data-")))  # learned, and not shown
        return ""

    def _srcset(self, value: str, slot: Slot) -> str:
        out = []
        for candidate in value.split(", "):
            address, _, size = candidate.strip().partition(" ")
            out.append(f"{self._sink.url(address, slot)} {self._sink.keep(size, slot)}".strip())
        return ", ".join(out)

    def _value_attribute(self, tag: str, value: str, info: NodeInfo) -> str:
        kind = info.attrs.get("type", "").lower()
        if tag == "button" or kind in _CAPTIONS:
            return self._sink.text(value, Slot("dom.caption"))
        if tag == "option" or (tag == "input" and kind in ("checkbox", "radio")):
            return ""
        if kind == "hidden":
            self._sink.secret(value, Slot("dom.hidden", self._label(info)))
            return ""
        if not value:
            return value
        return fitting(kind, self._sink.value(value, Slot("dom.value", self._label(info))), info.attrs, value)

    # -- what stands beside a node --------------------

    def _label(self, info: NodeInfo | None) -> str:
        """Return what a control is for: autocomplete, label, name, placeholder, type."""
        if info is None:
            return ""
        a = info.attrs
        words = [
            a.get("autocomplete", ""),
            self._labels.get(a.get("id", ""), ""),
            a.get("aria-label", ""),
            a.get("name", ""),
            a.get("id", ""),
            a.get("placeholder", ""),
        ]
        kind = a.get("type", "").lower()
        if kind in ("email", "tel", "password"):
            words.insert(0, {"tel": "phone"}.get(kind, kind))
        parent = self._nodes.get(info.parent)
        for _ in range(3):
            if parent is None:
                break
            if parent.tag == "label":
                words.insert(1, parent.said)
                break
            parent = self._nodes.get(parent.parent)
        return " ".join(w for w in words if w and w not in ("on", "off"))[:120]

    def _learn_labels(self, tree: Any) -> None:
        stack = [tree]
        while stack:
            node = stack.pop()
            if not isinstance(node, list) or len(node) < 2 or not isinstance(node[1], dict):
                continue
            if node[0] == "label" and node[1].get("for"):
                self._labels[node[1]["for"]] = _text_of(node)
            stack.extend(c for c in node[2:] if isinstance(c, list))

    def _row(self, tree: list[Any], info: NodeInfo) -> None:
        cells = [c for c in tree[2:] if isinstance(c, list) and c[0] in ("th", "td")]
        if cells and all(c[0] == "th" for c in cells) and (table := self._table(info)) is not None:
            table.headers = [_text_of(c) for c in cells]

    def _cell(self, info: NodeInfo) -> None:
        row = self._nodes.get(info.parent)
        if row is None:
            return
        column = row.cells
        row.cells += 1
        table = self._table(row)
        if table is not None and table.headers and column < len(table.headers):
            info.said = table.headers[column]

    def _table(self, info: NodeInfo) -> NodeInfo | None:
        up: NodeInfo | None = info
        for _ in range(4):
            if up is None:
                return None
            if up.tag == "table":
                return up
            up = self._nodes.get(up.parent)
        return None

    def _cell_label(self, node: int) -> str:
        """Return the column header of a cell, the term of a ``<dd>``, the header of a row."""
        for _ in range(4):
            info = self._nodes.get(node)
            if info is None:
                return ""
            if info.tag == "dd":
                return self._term
            if info.tag == "td":
                return info.said
            node = info.parent
        return ""

    def _editable(self, node: int) -> bool:
        for _ in range(40):
            info = self._nodes.get(node)
            if info is None:
                return False
            editable = info.attrs.get("contenteditable")
            if editable is not None and editable.lower() != "false":
                return True
            if info.attrs.get("role") == "textbox":
                return True
            node = info.parent
        return False


_REWRITES: dict[str, Callable[[_Book, list[Any]], list[Any] | None]] = {
    "doc": _Book._doc_op,
    "add": _Book._add_op,
    "move": _Book._move_op,
    "text": _Book._text_op,
    "attr": _Book._attr_op,
    "value": _Book._value_op,
    "sheet": _Book._sheet_op,
    "canvas": _Book._canvas_op,
    "src": _Book._src_op,
    "selection": _Book._selection_op,
    "media": _Book._media_op,
    "drawing": _Book._drawing_op,
    "cues": _Book._cues_op,
    "bubble": _Book._bubble_op,
    "exact": _Book._exact_op,
    "highlight": _Book._highlight_op,
    "anim": _Book._anim_op,
    "anims": _Book._anims_op,
    "masked": _Book._masked_op,
    "states": _Book._states_op,
}
"""What is made of each op that holds words (``words`` in ``reel/ops.py``)."""


def selectors_of(tag: str, attrs: dict[str, str]) -> list[str]:
    """Return the ways in which a rule may name an element: ``#id``, ``.class``, ``[name=value]``, the tag."""
    classes = [f".{name}" for name in attrs.get("class", "").split()]
    named = [f"[{name}={value}]" for name, value in attrs.items()] + [f"[{name}]" for name in attrs]
    return [*([f"#{attrs['id']}"] if attrs.get("id") else []), *classes, *named, tag]


def _text_of(tree: Any) -> str:
    """Return the text of a tree, at most 80 characters."""
    if isinstance(tree, str):
        return tree
    if not isinstance(tree, list):
        return ""
    return " ".join(" ".join(_text_of(c) for c in tree[2:]).split())[:80]
