"""Mask the serialized trees that a page sends: each element, comment and processing instruction, in document order."""

from __future__ import annotations

import re
from typing import Any

from pagereel.reel import LEAVES

from ..contracts.field_roles import INLINE
from ..contracts.sink import Sink, Slot
from ..detect.source_code import contains_source_code
from ..normalise.spelled_text import LEAST
from .attribute_masker import AttributeMasker
from .document_nodes import (
    OPTION_LISTS,
    DocumentNodes,
    NodeInfo,
    is_cell_tree,
    read_label_text,
    read_short_text,
    read_text,
)
from .form_controls import (
    SelectOptions,
    are_colours,
    are_program_states,
    find_option_elements,
    is_label_of_people_list,
    is_permission_select,
    is_select_about_person,
    offers_program_languages,
)
from .sibling_groups import is_about_people, iter_sibling_groups
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

    def __init__(self, nodes: DocumentNodes, texts: TextMasker, attributes: AttributeMasker, sink: Sink) -> None:
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

    def mask_child(self, tree: Any, parent: int, out: list[Any]) -> None:
        if isinstance(tree, int):
            if tree in self._nodes:
                self._nodes[tree].parent = parent
            self._texts.end_text_run()
            out.append(tree)
        elif isinstance(tree, str):
            node = self.next
            self.next += 1
            self._nodes[node] = NodeInfo("#text", {}, parent)
            out.append("")
            self._texts.add_text_node(tree, parent, out, len(out) - 1, node)
        else:
            out.append(self.mask_tree(tree, parent))

    def mask_tree(self, tree: list[Any], parent: int) -> list[Any]:
        tag = tree[0]
        node = self.next
        self.next += 1
        if tag in LEAVES:
            self._nodes[node] = NodeInfo(tag, {}, parent)
            return self._mask_non_element_node(tree)
        attrs = dict(tree[1]) if isinstance(tree[1], dict) else {}
        info = self._nodes[node] = NodeInfo(tag, attrs, parent, before=self._before.pop(node, ""))
        info.code = contains_source_code(tag, attrs, tree)
        role = attrs.get("role")
        is_row = tag == "tr" or role == "row"
        if is_row:
            self._texts.enter_or_leave_row(is_entering=True)
            self._nodes.record_row(tree, info)
        elif tag == "label":
            info.said = read_label_text(tree)
        elif is_cell_tree(tree):
            self._nodes.record_cell(info)
        elif tag in OPTION_LISTS:
            options = find_option_elements(tree)
            values = [str(o[1].get("value") or "") if isinstance(o[1], dict) else "" for o in options]
            label = self._nodes.build_control_label(info)
            personal = is_select_about_person(label, values)
            texts = list(map(read_text, options))
            rights = is_permission_select(attrs, values) or offers_program_languages(
                list(zip(texts, values, strict=True))
            )
            theirs = personal and not rights
            named = not rights and is_label_of_people_list(label)
            info.choices = SelectOptions(
                theirs,
                len(options) or None,
                states=are_program_states(values),
                rights=rights,
                people=theirs,
                named=named,
                colours=are_colours(texts),
            )
        elif tag == "option" and (choices := self._nodes.find_options_of_enclosing_select(info)) is not None:
            choices.count += 1
            info.cells = choices.count
        ends = self._texts.end_text_run if tag == "br" else self._texts.end_block
        if tag not in INLINE:
            ends()
        out: list[Any] = [self._mask_tag_name(tag), self._attributes.mask_attributes(tag, attrs, info)]
        letters, groups = self._texts.one_letter_text_count, self._texts.digit_box_count
        before = above = ""
        for child in tree[2:]:
            if before and isinstance(child, list):
                self._before[self.next] = before
            line, info.before = info.before, (above if isinstance(child, str) else "") or info.before
            self.mask_child(child, node, out)
            info.before = line
            above = before if isinstance(child, list) and child[0] == "br" else ""
            before = read_short_text(child)
        if tag not in INLINE:
            ends()
            if self._texts.one_letter_text_count - letters >= LEAST:
                self._texts.mask_spelled_out_words(letters)
            if self._texts.digit_box_count - groups > 1:
                self._texts.mask_split_numbers()
        if is_row:
            self._texts.enter_or_leave_row(is_entering=False)
        if tag == "ruby":
            self._texts.end_ruby_annotation()
        if tag == "dt":
            self._nodes.term = read_text(tree)
        if tag in _OVER:
            self._over = [*(self._over[:1] if tag[0] != "h" else []), read_text(tree)]
        for group in iter_sibling_groups(tree):
            if not is_about_people([*self._over, *self._nodes.find_context_texts(node)], group):
                self._sink.learn_siblings(group)
        return out

    def _mask_tag_name(self, tag: str) -> str:
        """Return the masked tag name: an author may give an element or its namespace any name."""
        namespace, bar, name = tag.rpartition("|")
        if bar and namespace not in _NAMESPACES:
            return (
                f"{self._sink.visit_url(namespace, Slot('dom.tag'))}|{self._sink.visit_harmless(name, Slot('dom.tag'))}"
            )
        return self._sink.visit_harmless(tag, Slot("dom.tag")) if bar or "-" in tag else tag

    def _mask_non_element_node(self, tree: list[Any]) -> list[Any]:
        """Return a masked comment, CDATA section, processing instruction or doctype."""
        if tree[0] == "#comment":
            return ["#comment", ""]
        if tree[0] == "#cdata":
            return ["#cdata", self._sink.visit_text(tree[1], Slot("dom.text"))]
        if tree[0] == "#pi":
            media = _MEDIA.search(tree[2]) if tree[1] == "xml-stylesheet" else None
            data = f'media="{self._sink.visit_harmless(media[1], Slot("dom.instruction"))}"' if media else ""
            return ["#pi", self._sink.visit_harmless(tree[1], Slot("dom.pi")), data]
        return ["#doctype", *(v if _DOCTYPE.fullmatch(v) else "" for v in map(str, tree[1:]))]
