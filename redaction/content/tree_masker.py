"""Mask the serialized trees that a page sends: each element, comment and processing instruction, in document order."""

from __future__ import annotations

import re
from typing import Any

from pagereel.reel import LEAVES

from ..contracts.channels import INLINE
from ..contracts.sink import Sink, Slot
from ..detect.source_code import holds_code
from ..normalise.spelled import LEAST
from .attribute_masker import AttributeMasker
from .controls import Choices, are_states, is_personal, lists_people, lists_rights, offers_languages, options_of
from .nodes import NodeInfo, Nodes, is_cell, label_of, short, text_of
from .sibling_groups import sibling_groups, speak_of_people
from .text_masker import TextMasker

_OVER = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption", "dt", "summary"})
"""Elements that head the content after them."""
_NAMESPACES = frozenset({"svg", "math"})
_MEDIA = re.compile(r"\bmedia\s*=\s*[\"']([^\"']*)[\"']")
"""The media of an ``<?xml-stylesheet?>`` instruction."""
_DOCTYPE = re.compile(
    r"html|svg|math|xml|about:legacy-compat|-//(?:W3C|IETF|WAPFORUM|Netscape Comm\. Corp\.|Microsoft)//DTD [A-Za-z0-9 .+-]{1,40}(?://EN)?|"
    r"https?://www\.w3\.org/[\w/.-]*|",
    re.IGNORECASE,
)
"""Document types that are kept: browsers choose their layout mode by them."""


class TreeMasker:
    """Masks the serialized trees of one document, and records their nodes."""

    def __init__(self, nodes: Nodes, texts: TextMasker, attributes: AttributeMasker, sink: Sink) -> None:
        self._nodes = nodes
        self._texts = texts
        self._attributes = attributes
        self._sink = sink
        self._before: dict[int, str] = {}
        """Id of the next element → the text right before it."""
        self._over: list[str] = []
        """The last heading, and the text above the content it heads."""
        self.next = 0
        """The id of the next new node."""

    def child(self, tree: Any, parent: int, out: list[Any]) -> None:
        if isinstance(tree, int):
            if tree in self._nodes:
                self._nodes[tree].parent = parent
            self._texts.flush()
            out.append(tree)
        elif isinstance(tree, str):
            node = self.next
            self.next += 1
            self._nodes[node] = NodeInfo("#text", {}, parent)
            out.append("")
            self._texts.leaf(tree, parent, out, len(out) - 1, node)
        else:
            out.append(self.tree(tree, parent))

    def tree(self, tree: list[Any], parent: int) -> list[Any]:
        tag = tree[0]
        node = self.next
        self.next += 1
        if tag in LEAVES:
            self._nodes[node] = NodeInfo(tag, {}, parent)
            return self._special(tree)
        attrs = dict(tree[1]) if isinstance(tree[1], dict) else {}
        info = self._nodes[node] = NodeInfo(tag, attrs, parent, before=self._before.pop(node, ""))
        info.code = holds_code(tag, attrs, tree)
        role = attrs.get("role")
        is_row = tag == "tr" or role == "row"
        if is_row:
            self._texts.row(begins=True)
            self._nodes.row(tree, info)
        elif tag == "label":
            info.said = label_of(tree)
        elif is_cell(tree):
            self._nodes.cell(info)
        elif tag == "select":
            options = options_of(tree)
            values = [str(o[1].get("value") or "") if isinstance(o[1], dict) else "" for o in options]
            label = self._nodes.label(info)
            personal = is_personal(label, values)
            rights = lists_rights(attrs, values) or offers_languages(
                [(text_of(option), value) for option, value in zip(options, values, strict=True)]
            )
            theirs = personal and not rights
            named = not rights and lists_people(label)
            info.choices = Choices(
                theirs, len(options) or None, states=are_states(values), rights=rights, people=theirs, named=named
            )
        elif tag == "option" and (choices := self._nodes.choices(info)) is not None:
            choices.count += 1
            info.cells = choices.count
        ends = self._texts.flush if tag == "br" else self._texts.end_block
        if tag not in INLINE:
            ends()
        out: list[Any] = [self._tag(tag), self._attributes.masked(tag, attrs, info)]
        letters, groups = self._texts.letters, self._texts.groups
        before = above = ""
        for child in tree[2:]:
            if before and isinstance(child, list):
                self._before[self.next] = before
            line, info.before = info.before, (above if isinstance(child, str) else "") or info.before
            self.child(child, node, out)
            info.before = line
            above = before if isinstance(child, list) and child[0] == "br" else ""
            before = short(child)
        if tag not in INLINE:
            ends()
            if self._texts.letters - letters >= LEAST:
                self._texts.spell(letters)
            if self._texts.groups - groups > 1:
                self._texts.join_groups()
        if is_row:
            self._texts.row(begins=False)
        if tag == "ruby":
            self._texts.flush_annotation()
        if tag == "dt":
            self._nodes.term = text_of(tree)
        if tag in _OVER:
            self._over = [*(self._over[:1] if tag[0] != "h" else []), text_of(tree)]
        for group in sibling_groups(tree):
            if not speak_of_people([*self._over, *self._nodes.texts_around(node)], group):
                self._sink.learn_siblings(group)
        return out

    def _tag(self, tag: str) -> str:
        """Return the masked tag name: an author may give an element or its namespace any name."""
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
            data = f'media="{self._sink.keep(media[1], Slot("dom.instruction"))}"' if media else ""
            return ["#pi", self._sink.keep(tree[1], Slot("dom.pi")), data]
        return ["#doctype", *(v if _DOCTYPE.fullmatch(v) else "" for v in map(str, tree[1:]))]
