"""The text of a recorded page, as a reader would note it down: headings, text, and what controls hold."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from pagereel.reel import (
    ELEMENT,
    TEXT,
    DocumentModel,
    Node,
    PageModel,
    is_checked,
    options_of,
    selected_of,
    text_content,
    value_of,
)

_SILENT = frozenset({"head", "script", "style", "template", "noscript", "svg|svg", "title", "datalist", "option"})
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "output",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "var",
    ]
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CONTROLS = frozenset({"input", "textarea", "select"})
_MORE = _HEADINGS | _CONTROLS | {"iframe", "frame", "br", "li", "img", "button"}
"""Elements that say something besides what is in them."""
_JOINT = "\0"
"""Stands where two inline elements touch; a page's text has no such character."""
_DEPTH = 4
"""Documents in documents that are followed."""
_LONGEST = 64
"""Lines of a block that is remembered, at most: what holds more is put together from the blocks in it."""


Skip = Callable[[Node], bool]
Place = tuple[int, int]
"""A document, and a node of it."""
Pieces = dict[int, list[tuple[Place, str]]]
"""Number of a line → the elements that each say a part of it, in their order, and what they say."""


class _BlockText(NamedTuple):
    """What a block said."""

    lines: list[str]
    places: list[Place]
    pieces: Pieces
    """By the number of the line in the block."""


class Blocks:
    """What the blocks of a model's documents said when they were read last: what has not changed since is not read again.

    For one model, and outlines of whole documents that all take `places` and `pieces`, or all do not. It is a reader of :meth:`pagereel.reel.DocumentModel.renewed`.
    """

    def __init__(self) -> None:
        self._known: dict[int, dict[int, _BlockText]] = {}

    def of(self, document: DocumentModel) -> dict[int, _BlockText]:
        """Return what is known of a document's blocks that still holds, by their ids."""
        known, renewed = self._known.setdefault(document.d, {}), document.renewed(self)
        if renewed is None:
            known.clear()
        for node in renewed or ():
            known.pop(node.id, None)
        return known


class _Open(NamedTuple):
    """Stands on the stack where a block that is to be remembered ends: its id, and how many lines and frames were there when it began."""

    node: int
    line: int
    frames: int


def outline(model: PageModel, document: DocumentModel, root: Node | None = None) -> str:
    """Return the lines of a document, or of one element, as :func:`outline_lines` gives them."""
    return "\n".join(outline_lines(model, document, root=root))


def outline_lines(
    model: PageModel,
    document: DocumentModel,
    depth: int = _DEPTH,
    *,
    skip: Skip | None = None,
    root: Node | None = None,
    places: list[Place] | None = None,
    pieces: Pieces | None = None,
    blocks: Blocks | None = None,
) -> list[str]:
    """One line for each block of text. Controls stand in brackets: `[input Email: ada@example.com]`, `[button: Pay]`.

    Where two inline elements touch (`<b>Subject</b><small>Sender</small>`), a style sheet mostly keeps them apart: a space comes
    between them when the second begins with a capital, or a digit and a letter meet.

    What the markup hides (`hidden`, `aria-hidden`, `display: none` in `style`) is left out; style sheets are not asked.

    :param depth: how many documents in documents are followed.
    :param skip: leaves out the elements for which it returns True, and what is in them.
    :param root: the element to read; else the whole document.
    :param places: takes for each line the element that holds it, as its document and its id.
    :param pieces: takes, where `places` is given, the parts of each line that several elements say together.
    :param blocks: what was said before. Not with `skip`, which may ask for more than what is in a block, nor with `root`.
    """
    writer = _OutlineWriter(model, document, depth, skip, places, pieces, blocks)
    begin = root if root is not None else document.root
    if begin is not None:
        writer.visit(begin)
    writer.end_line()
    return writer.lines


def title_of(document: DocumentModel) -> str:
    """Return the page's title as a tab shows it; where no element tells it, as it was when the document began."""
    stack = list(document.root.children) if document.root is not None else []
    while stack:
        node = stack.pop(0)
        if node.kind == ELEMENT and node.name == "title":
            return _words(node)
        # Titles stand in the head; the body is not walked for one.
        if node.kind == ELEMENT and node.name in ("html", "head"):
            stack = [*node.children, *stack]
    return document.title


class _OutlineWriter:
    def __init__(
        self, model: PageModel, document: DocumentModel, depth: int, skip: Skip | None, places: list[Place] | None,
        pieces: Pieces | None, blocks: Blocks | None,
    ) -> None:  # fmt: skip
        self.lines: list[str] = []
        self._places = places
        self._pieces = pieces
        self._holder: Node | None = None
        """The element that holds all of the line so far."""
        self._parts: list[tuple[int, Node]] = []
        """Where more than one element says the line: from which of its texts on which one does."""
        self._model = model
        self._document = document
        self._depth = depth
        self._skip = skip
        self._blocks = blocks
        self._known = blocks.of(document) if blocks is not None else None
        self._shown = 0
        """Frames so far: what they say changes without the block that they are in."""
        self._line: list[str] = []
        self._frames = {d.parent[1]: d for d in model.documents.values() if d.parent and d.parent[0] == document.d}

    def end_line(self) -> None:
        if not self._line:
            self._holder = None
            return
        line = self._line
        text = " ".join(_joined("".join(line)).split())
        if text:
            self.lines.append(text)
            if self._places is not None:
                self._places.append((self._document.d, self._holder.id if self._holder is not None else 0))
            if self._pieces is not None and self._parts:
                self._pieces[len(self.lines) - 1] = self._speaking()
        line.clear()
        self._parts.clear()
        self._holder = None

    def _speaking(self) -> list[tuple[Place, str]]:
        """Return the elements that say a part of the line, and what."""
        ends = [begin for begin, _ in self._parts[1:]] + [len(self._line)]
        said = []
        for (begin, element), end in zip(self._parts, ends, strict=True):
            text = " ".join("".join(self._line[begin:end]).replace(_JOINT, "").split())
            said.append(((self._document.d, element.id), text))
        return said

    def visit(self, root: Node) -> None:
        """Depth first, without recursion: pages nest deep."""
        stack: list[Node | str | _Open] = [root]
        line, placed, skip = self._line, self._places is not None, self._skip
        while stack:
            node = stack.pop()
            if not isinstance(node, Node):
                if not node:
                    if line:
                        self.end_line()
                elif isinstance(node, str):
                    line.append(node)
                else:
                    self._close(node)
            elif node.kind == TEXT:
                line.append(node.data)
                if placed and node.parent is not None and not node.data.isspace():
                    self._held(node.parent)
            elif node.kind != ELEMENT:
                _push(node, stack)
            elif node.name not in _SILENT and not (node.attrs and _hidden(node)) and (skip is None or not skip(node)):
                self._element(node, stack)

    def _close(self, block: _Open) -> None:
        """End a block, and remember what it said."""
        if self._line:
            self.end_line()
        begin, places, pieces = block.line, self._places, self._pieces
        if self._known is None or block.frames != self._shown or len(self.lines) - begin > _LONGEST:
            return
        parts = {} if not pieces else {
            number - begin: pieces[number] for number in range(begin, len(self.lines)) if number in pieces
        }  # fmt: skip
        self._known[block.node] = _BlockText(self.lines[begin:], places[begin:] if places is not None else [], parts)

    def _again(self, said: _BlockText) -> None:
        """Say what a block said before."""
        begin = len(self.lines)
        self.lines += said.lines
        if self._places is not None:
            self._places += said.places
        if self._pieces is not None and said.pieces:
            self._pieces.update({begin + number: parts for number, parts in said.pieces.items()})

    def _element(self, node: Node, stack: list[Node | str | _Open]) -> None:
        name = node.name
        if name not in _INLINE:
            if self._line:
                self.end_line()
            else:
                self._holder = None
            if name in ("td", "th"):
                stack.append(" | ")
            elif self._known is None:
                stack.append("")
            elif (said := self._known.get(node.id)) is not None:
                self._again(said)
                return
            else:
                stack.append(_Open(node.id, len(self.lines), self._shown))
        elif node.prev is not None and node.prev.kind == ELEMENT:
            self._line.append(_JOINT)
        if name in _MORE and not self._more(node, stack):
            return
        if node.inner is not None and name != "template":
            _push(node, stack)
            _push(node.inner, stack)
            return
        first = node.first
        if first is None or first.next is not None or first.kind != TEXT:
            _push(node, stack)
            return
        self._line.append(first.data)  # a text alone: what most elements of a large page hold
        if self._places is not None and not first.data.isspace():
            self._held(node)

    def _more(self, node: Node, stack: list[Node | str | _Open]) -> bool:
        """Say what such an element says besides what is in it. Return whether that is to be read as well."""
        said = _control(node)
        if said is not None:
            self._line.append(f" {said} ")
            self._held(node)
            return False
        if node.name in ("iframe", "frame"):
            self._frame(node)
            return False
        if node.name == "br":
            return False
        if node.name in _HEADINGS:
            self._line.append("#" * int(node.name[1]) + " ")
        elif node.name == "li":
            self._line.append("- ")
        elif node.name == "img" and node.attrs.get("alt"):
            self._line.append(f"[image: {node.attrs['alt']}]")
            self._held(node)
        elif node.name == "button" and _has_blocks(node):
            self._line.append(f" [button: {' '.join(text_content(node).split())}] ")
            self._held(node)
            return False
        elif node.name == "button":
            self._line.append(" [button: ")
            self._held(node)
            stack.append("]")
        return True

    def _frame(self, node: Node) -> None:
        self._shown += 1
        inner = self._frames.get(node.id)
        if inner is None or not self._depth:
            return
        places: list[Place] | None = None if self._places is None else []
        pieces: Pieces = {}
        lines = outline_lines(
            self._model, inner, self._depth - 1, skip=self._skip, places=places, pieces=pieces, blocks=self._blocks
        )
        if lines:
            if self._pieces is not None:
                begin = len(self.lines) + 1
                self._pieces.update({begin + number: said for number, said in pieces.items()})
            self.lines += [f"[frame {inner.url}]", *(f"  {line}" for line in lines)]
            if self._places is not None:
                self._places += [(self._document.d, node.id), *(places or ())]

    def _held(self, element: Node) -> None:
        """Take in that a part of the line stands in an element."""
        if self._holder is None:
            self._holder = element
            return
        parts = self._parts
        if parts:
            if parts[-1][1] is not element:
                parts.append((len(self._line) - 1, element))
        elif self._holder is not element:
            parts += [(0, self._holder), (len(self._line) - 1, element)]
        if self._holder is element or self._holder is element.parent:
            return
        if self._holder.parent is element.parent:  # the cells of a row, as a rule
            self._holder = element.parent
            return
        above: set[int] = set()
        holder: Node | None = self._holder
        while holder is not None:
            above.add(holder.id)
            holder = holder.parent
        here: Node | None = element
        while here is not None and here.id not in above:
            here = here.parent
        self._holder = here


def _push(parent: Node, stack: list[Node | str | _Open]) -> None:
    """Put what is in a node on a stack, the first on top."""
    child = parent.last
    while child is not None:
        stack.append(child)
        child = child.prev


def _has_blocks(button: Node) -> bool:
    """Return whether what stands on a button would be lines of its own."""
    stack = list(button.children)
    while stack:
        node = stack.pop()
        if node.kind == ELEMENT:
            if node.name not in _INLINE and node.name not in _SILENT and node.name not in ("img", "br"):
                return True
            stack += node.children
    return False


def _joined(text: str) -> str:
    """Return the text without its joints: a space, or nothing, in their place."""
    if _JOINT not in text:
        return text
    pieces = [piece for piece in text.split(_JOINT) if piece]
    said = pieces[:1]
    for before, after in pairwise(pieces):
        left, right = before[-1], after[0]
        apart = (
            (not left.isspace() and right.isupper() and len(before) + len(after) > 2)
            or (left.isdigit() and right.isalpha())
            or (left.isalpha() and right.isdigit())
        )
        said += [" ", after] if apart else [after]
    return "".join(said)


def _hidden(node: Node) -> bool:
    attrs = node.attrs
    return (
        "hidden" in attrs
        or attrs.get("aria-hidden") == "true"
        or ("style" in attrs and "display:none" in attrs["style"].replace(" ", "").lower())
        or (node.name == "input" and attrs.get("type", "").lower() == "hidden")
    )


def _control(node: Node) -> str | None:
    """Return a control as it stands; None for other elements."""
    if node.name not in _CONTROLS:
        return None
    label = node.attrs.get("aria-label") or node.attrs.get("placeholder") or node.attrs.get("name") or ""
    kind = node.attrs.get("type", "text").lower()
    if node.name == "input" and kind in ("checkbox", "radio"):
        return f"[{kind}{f' {label}' if label else ''}: {'on' if is_checked(node) else 'off'}]"
    if node.name == "input" and kind in ("submit", "button", "reset"):
        return f"[button: {value_of(node) or kind}]"
    if node.name in ("input", "textarea"):
        return f"[{node.name}{f' {label}' if label else ''}: {value_of(node)}]"
    if node.name == "select":
        options = list(options_of(node))
        picked = [_words(options[index]) for index in selected_of(node) if index < len(options)]
        return f"[select{f' {label}' if label else ''}: {', '.join(picked)}]"
    return None


def _words(node: Node) -> str:
    return " ".join("".join(child.data for child in node.children if child.kind == TEXT).split())
