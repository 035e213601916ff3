"""Sketches of pages' trees: the state of their elements at one time, for comparison with another run's after the page has changed.

A sketch is never changed: when a page changes, new sketches are made from the change up to the root, and all others
are shared with the earlier tree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pagereel.reel import ELEMENT, TEXT, DocumentModel, Node

from .normalization import get_cached_url_key, normalize_line
from .run_items import ElementSketch

_ADDRESSES: Final = frozenset({"href", "src", "action", "formaction", "poster"})
TOLD: Final = _ADDRESSES | {
    "alt", "title", "placeholder", "role", "type", "name", "target", "disabled", "readonly", "required", "hidden",
    "open", "inert", "multiple", "contenteditable", "colspan", "rowspan", "aria-label", "aria-expanded",
    "aria-disabled", "aria-checked", "aria-selected", "aria-pressed", "aria-invalid", "aria-current", "aria-hidden",
    "aria-modal", "aria-busy", "aria-required", "aria-readonly", "aria-sort", "aria-valuenow",
}  # fmt: skip
"""Attributes that matter to a person; classes and styles differ in each build."""
_SILENT: Final = frozenset({"script", "style", "link", "meta", "template", "noscript", "head", "title", "base"})
_MOST: Final = 2_000_000
"""Largest number of elements in all sketches of one run's pages, shared ones counted each time: some 100 MB."""


_NONE: Final[list[ElementSketch]] = []


class SketchMaker:
    """Makes sketches of documents. Unchanged parts of a document keep their sketch:
    :meth:`pagereel.reel.DocumentModel.pop_changed_nodes` says which parts have changed.
    """

    def __init__(self, skip: Callable[[Node], bool] | None = None) -> None:
        self._skip = skip
        self._known: dict[Node, ElementSketch] = {}
        self._made = 0

    @property
    def is_limit_exceeded(self) -> bool:
        """Return whether the largest number of sketched elements is exceeded."""
        return self._made > _MOST

    def sketch_document(self, document: DocumentModel) -> ElementSketch | None:
        """Return the sketch of a document's present state; None for a document without a tree."""
        renewed = document.pop_changed_nodes(self)
        if self._skip is not None:  # The function may depend on more than the element's content.
            self._known.clear()
        else:
            for node in renewed or ():  # no node of a new tree is cached
                self._known.pop(node, None)
        return self.sketch_element(document.root) if document.root is not None else None

    def sketch_element(self, root: Node) -> ElementSketch:
        """Return the sketch of an element, using cached sketches of the elements in it."""
        order: list[tuple[Node, list[Node], str]] = []
        stack, known = [root], self._known
        while stack:
            node = stack.pop()
            if node in known:
                continue
            children, text = self._read_children_and_text(node)
            order.append((node, children, text))
            self._made += len(children)
            for child in children:
                if child in known:
                    continue
                first = child.first
                if child.inner is not None or (first is not None and (first.kind != TEXT or first.next is not None)):
                    stack.append(child)
                else:
                    # It contains only a text, as most elements of a large page do.
                    known[child] = _build_sketch(child, first.data if first is not None else "", _NONE)
        for node, children, text in reversed(order):
            known[node] = _build_sketch(node, text, [known[child] for child in children])
        return known[root]

    def _read_children_and_text(self, node: Node) -> tuple[list[Node], str]:
        """Return the child elements of an element, and its own text."""
        skip, found, text = self._skip, [], ""
        inner = node.inner
        here = inner.first if inner is not None else node.first
        while True:
            while here is not None:
                kind = here.kind
                if kind == ELEMENT:
                    if here.name not in _SILENT and (skip is None or not skip(here)):
                        found.append(here)
                elif kind == TEXT and inner is None:
                    text += here.data
                here = here.next
            if inner is None:
                return found, text
            inner, here = None, node.first


def _build_sketch(node: Node, text: str, children: list[ElementSketch]) -> ElementSketch:
    attrs, name = node.attrs, node.name
    words = normalize_line(text) if text and not text.isspace() else ""
    said = normalize_attributes(attrs) if attrs else ()
    told = (name, said, words, *[each.hash for each in children]) if children else (name, said, words)
    return ElementSketch(node, name, attrs, text, children, hash(told))


def normalize_attributes(attrs: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the attributes of an element that matter to a person, with normalized values, sorted by name."""
    told = [(name, normalize_attribute_value(name, value)) for name, value in attrs.items() if name in TOLD]
    return tuple(sorted(told)) if told else ()


def normalize_attribute_value(name: str, value: str) -> str:
    """Return an attribute's value with placeholders for ids, times and other values that differ in each run. A URL's path and
    fragment are replaced by their URL keys.
    """
    if name not in _ADDRESSES:
        return normalize_line(value)
    address, mark, within = value.partition("#")
    return f"{get_cached_url_key(address)}{mark}{get_cached_url_key(within)}"
