"""Two pages' trees beside each other: which element is which.

Subtrees that are alike are matched by their hash and not looked into. What is left is matched among the children of matched elements: by stable
attributes (``id``, ``data-testid``, ``name``, ``aria-label``, an address), then by likeness; what stands elsewhere is matched by hash and by stable attributes
in the whole tree. The idea of hashes from the leaves up and of matches from the root down is GumTree's (Falleri et al. 2014). Node ids say nothing: each run
has its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal, NamedTuple

from pagereel.reading import url_key
from pagereel.reel import ELEMENT, TEXT, DocumentModel, Node

from ..runs.folding import text_value
from .alignment import align

STABLE: Final = ("id", "data-testid", "data-test", "name", "aria-label")
_ADDRESSES: Final = frozenset({"href", "src", "action", "formaction", "poster"})
TOLD: Final = (
    frozenset(
        [
            "alt",
            "title",
            "placeholder",
            "role",
            "type",
            "name",
            "target",
            "disabled",
            "readonly",
            "required",
            "hidden",
            "open",
            "inert",
            "multiple",
            "contenteditable",
            "colspan",
            "rowspan",
            "aria-label",
            "aria-expanded",
            "aria-disabled",
            "aria-checked",
            "aria-selected",
            "aria-pressed",
            "aria-invalid",
            "aria-current",
            "aria-hidden",
            "aria-modal",
            "aria-busy",
            "aria-required",
            "aria-readonly",
            "aria-sort",
            "aria-valuenow",
        ]
    )
    | _ADDRESSES
)
"""Attributes that say something to a person; classes and styles are another one in each build."""
_SILENT: Final = frozenset({"script", "style", "link", "meta", "template", "noscript", "head", "title", "base"})


class TreeChange(NamedTuple):
    """One thing that differs. `name`: the attribute that does."""

    kind: Literal["attribute", "added", "removed", "moved"]
    a: Node | None
    b: Node | None
    name: str = ""
    was: str | None = None
    now: str | None = None


Skip = Callable[[Node], bool]


class Trees:
    """Compares trees. Those of one document at several moments are hashed once where they did not change: see :meth:`renew`."""

    def __init__(self, skip: Skip | None = None) -> None:
        self._skip = skip
        self._hash: dict[Node, int] = {}
        self._words: dict[Node, frozenset[str]] = {}
        self._addresses: dict[str, str] = {}

    def renew(self, document: DocumentModel) -> None:
        """Forget what is no more so since this document was renewed last. It is the reader of :meth:`pagereel.reel.DocumentModel.renewed`."""
        if self._skip is not None:  # It may ask for more than what is in an element.
            self._hash.clear()
            self._words.clear()
            return
        for node in document.renewed() or ():  # of a new tree, no node is known
            self._hash.pop(node, None)
            self._words.pop(node, None)

    def changes(self, a: Node, b: Node) -> Iterator[TreeChange]:
        """Yield how the second tree differs from the first, from the root down. Texts are not told: a page's outline does that."""
        self._hash_all(a)
        self._hash_all(b)
        gone: list[Node] = []
        new: list[Node] = []
        pairs = [(a, b)]
        while pairs:
            while pairs:
                one, other = pairs.pop()
                if self._hash[one] == self._hash[other]:
                    continue
                yield from self._attributes(one, other)
                pairs += self._children(one, other, gone, new)
            for one, other, same in self._elsewhere(gone, new):
                if same:
                    yield TreeChange("moved", one, other)
                else:
                    pairs.append((one, other))
        yield from (TreeChange("removed", node, None) for node in gone)
        yield from (TreeChange("added", None, node) for node in new)

    # -- what an element is --------------------

    def inside(self, node: Node) -> list[Node]:
        """Return the elements in an element: its shadow root's, then its own."""
        return self._read(node)[0]

    def _read(self, node: Node) -> tuple[list[Node], str]:
        """Return the elements in an element, and its own text."""
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

    def _hash_all(self, root: Node) -> None:
        """Hash each element by what it says and by the elements in it, from the leaves up."""
        order: list[tuple[Node, list[Node], str]] = []
        stack, known = [root], self._hash
        while stack:
            node = stack.pop()
            if node in known:
                continue
            children, text = self._read(node)
            order.append((node, children, text))
            for child in children:
                first = child.first
                if child.inner is not None or (first is not None and (first.kind != TEXT or first.next is not None)):
                    stack.append(child)
                elif child not in known:
                    # Nothing but a text is in it: most elements of a large page.
                    said = self._said(child) if child.attrs else ()
                    text = first.data if first is not None else ""
                    words = text_value(text) if text and not text.isspace() else ""
                    known[child] = hash((child.name, said, words))
        for node, children, text in reversed(order):
            said = self._said(node) if node.attrs else ()
            words = text_value(text) if text and not text.isspace() else ""
            known[node] = hash((node.name, said, words, *[known[child] for child in children]))

    def _said(self, node: Node) -> tuple[tuple[str, str], ...]:
        """Return what the attributes of an element say. What its control holds stands in the page's outline."""
        told = [(name, self.value(name, value)) for name, value in node.attrs.items() if name in TOLD]
        return tuple(sorted(told)) if told else ()

    def value(self, name: str, value: str) -> str:
        """Return an attribute's value without what is never twice the same."""
        if name not in _ADDRESSES:
            return text_value(value)
        if value not in self._addresses:
            self._addresses[value] = url_key(value)
        return self._addresses[value]

    def _text(self, node: Node) -> str:
        text = self._read(node)[1]
        return text_value(text) if text and not text.isspace() else ""

    def _stable(self, node: Node) -> tuple[str, ...] | None:
        for name in STABLE:
            value = node.attrs.get(name)
            if value and self.value(name, value) == value:
                return (node.name, name, value)
        href = node.attrs.get("href")
        return (node.name, "href", self.value("href", href)) if href else None

    def _like(self, node: Node) -> frozenset[str]:
        if node not in self._words:
            own = [
                *self._text(node).split(),
                *(f"{n}={v}" for n, v in self._said(node)),
                *node.attrs.get("class", "").split(),
            ]
            inner = [child.name for child in self.inside(node)]
            self._words[node] = frozenset((*own, *inner))
        return self._words[node]

    # -- which is which --------------------

    def _children(self, a: Node, b: Node, gone: list[Node], new: list[Node]) -> list[tuple[Node, Node]]:
        ours, theirs = self.inside(a), self.inside(b)

        def fits(x: int, y: int) -> float:
            one, other = ours[x], theirs[y]
            if one.name != other.name:
                return -9.0
            stable, others = self._stable(one), self._stable(other)
            if stable is not None and stable == others:
                return 0.9
            low = -2.5 if stable and others and stable[1] == others[1] != "href" else -1.0
            words, more = self._like(one), self._like(other)
            return low + 1.8 * len(words & more) / max(len(words | more), 1)

        found = align([self._hash[n] for n in ours], [self._hash[n] for n in theirs], fits)
        gone += [ours[x] for x, y in found if x is not None and y is None]
        new += [theirs[y] for x, y in found if y is not None and x is None]
        return [(ours[x], theirs[y]) for x, y in found if x is not None and y is not None]

    def _elsewhere(self, gone: list[Node], new: list[Node]) -> list[tuple[Node, Node, bool]]:
        """Take out what stands elsewhere: the same subtree, or an element of the same name for itself."""
        found: list[tuple[Node, Node, bool]] = []
        for same, key in ((True, lambda node: self._hash[node]), (False, self._stable)):
            places: dict[object, list[Node]] = {}
            for node in new:
                places.setdefault(key(node), []).append(node)
            for node in list(gone):
                name = key(node)
                if (
                    name is not None
                    and len(places.get(name, ())) == 1
                    and sum(key(other) == name for other in gone) == 1
                ):
                    other = places.pop(name)[0]
                    gone.remove(node)
                    new.remove(other)
                    found.append((node, other, same))
        return found

    def _attributes(self, a: Node, b: Node) -> Iterator[TreeChange]:
        ours, theirs = dict(self._said(a)), dict(self._said(b))
        for name in sorted(ours.keys() | theirs.keys()):
            if ours.get(name) != theirs.get(name):
                yield TreeChange(
                    "attribute", a, b, name, a.attrs.get(name, ours.get(name)), b.attrs.get(name, theirs.get(name))
                )
