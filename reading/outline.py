"""The text of a recorded page: headings, text, and the contents of form controls, line by line."""

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
"""Elements that need more than their content's text."""
_JOINT = "\0"
"""Marks the place where two inline elements touch; a page's text cannot contain this character."""
_CELL = "\0|\0"
"""Marks the end of a cell in its row."""
_CELLS = frozenset({"td", "th"})
_CELL_ROLES = frozenset({"cell", "gridcell", "columnheader", "rowheader"})
_WITHIN_CELL = 4
"""Blocks around the text of a cell that begin no line."""
_DEPTH = 4
"""Largest depth of frames that are read."""
_LONGEST = 64
"""Largest number of lines of a block that is cached; a larger one is composed of the blocks in it."""


Skip = Callable[[Node], bool]
Place = tuple[int, int]
"""A document, and a node of it."""
Pieces = dict[int, list[tuple[Place, str]]]
"""Index of a line → its elements and their parts of the text, in order."""


class _BlockText(NamedTuple):
    """The cached text of a block."""

    lines: list[str]
    places: list[Place]
    pieces: Pieces
    """By the index of the line in the block."""


class Blocks:
    """A cache of the texts of a model's blocks: only blocks that have changed are read again.

    Use it for one model, and only for whole documents, always with `places` and `pieces` or always without. It is a
    reader of :meth:`pagereel.reel.DocumentModel.renewed`.
    """

    def __init__(self) -> None:
        self._known: dict[int, dict[int, _BlockText]] = {}

    def of(self, document: DocumentModel) -> dict[int, _BlockText]:
        """Return the valid cached blocks of a document, by id."""
        known, renewed = self._known.setdefault(document.d, {}), document.renewed(self)
        if renewed is None:
            known.clear()
        for node in renewed or ():
            known.pop(node.id, None)
        return known


class _Open(NamedTuple):
    """A marker on the stack for the end of a block: its id, and the number of lines and frames at its beginning."""

    node: int
    line: int
    frames: int


def outline(model: PageModel, document: DocumentModel, root: Node | None = None) -> str:
    """Return the lines of a document, or of one element, from :func:`outline_lines`, as one text."""
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
    """Return one line for each block of text. Controls are in brackets: `[input Email: ada@example.com]`, `[button:
    Pay]`.

    Where two inline elements touch (`<b>Subject</b><small>Sender</small>`), a style sheet usually separates them: a
    space comes between them when the second begins with a capital, or a digit and a letter meet.

    Elements that the markup hides (`hidden`, `aria-hidden`, `display: none` in `style`) are left out; style sheets are
    not considered.

    :param depth: how many levels of frames are read.
    :param skip: a function that returns True for elements to leave out, with their content.
    :param root: the element to read; by default the whole document.
    :param places: a list to which the element around each line is appended, as its document and its id.
    :param pieces: a dict that gets the parts of each line that comes from several elements; only with `places`.
    :param blocks: a cache from earlier calls. Not with `skip`, whose result may depend on more than the block, nor with
    `root`.
    """
    writer = _OutlineWriter(model, document, depth, skip, places, pieces, blocks)
    begin = root if root is not None else document.root
    if begin is not None:
        writer.visit(begin)
    writer.end_line()
    return writer.lines


def title_of(document: DocumentModel) -> str:
    """Return the page's title as a tab shows it; the document's initial title where no element has one."""
    stack = list(document.root.children) if document.root is not None else []
    while stack:
        node = stack.pop(0)
        if node.kind == ELEMENT and node.name == "title":
            return _words(node)
        # The title is in the head, so the body is not searched.
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
        """The smallest element around the whole line so far."""
        self._parts: list[tuple[int, Node]] = []
        """The elements of a line with more than one: the index of each element's first text, and the element."""
        self._model = model
        self._document = document
        self._depth = depth
        self._skip = skip
        self._blocks = blocks
        self._known = blocks.of(document) if blocks is not None else None
        self._shown = 0
        """Number of frames so far. A block with frames is not cached, because frames change independently."""
        self._line: list[str] = []
        self._frames = {d.parent[1]: d for d in model.documents.values() if d.parent and d.parent[0] == document.d}

    def end_line(self) -> None:
        if not self._line:
            self._holder = None
            return
        line = self._line
        text = "".join(line)
        if _CELL in text:
            cells = [" ".join(_joined(cell).split()) for cell in text.split(_CELL)]
            text = " | ".join(cell for cell in cells if cell)
        else:
            text = " ".join(_joined(text).split())
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
        """Return the elements of the line with their parts of the text."""
        ends = [begin for begin, _ in self._parts[1:]] + [len(self._line)]
        said = []
        for (begin, element), end in zip(self._parts, ends, strict=True):
            text = " ".join("".join(self._line[begin:end]).replace(_JOINT, "").split())
            said.append(((self._document.d, element.id), text))
        return said

    def visit(self, root: Node) -> None:
        """Read a node depth first, without recursion, because pages nest deeply."""
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
        """End a block, and cache its text."""
        if self._line:
            self.end_line()
        begin, places, pieces = block.line, self._places, self._pieces
        if self._known is None or block.frames != self._shown or len(self.lines) - begin > _LONGEST:
            return
        parts = {} if not pieces else {
            number - begin: pieces[number] for number in range(begin, len(self.lines)) if number in pieces
        }  # fmt: skip
        self._known[block.node] = _BlockText(self.lines[begin:], places[begin:] if places is not None else [], parts)

    def _add_cached(self, said: _BlockText) -> None:
        """Add the cached text of a block."""
        begin = len(self.lines)
        self.lines += said.lines
        if self._places is not None:
            self._places += said.places
        if self._pieces is not None and said.pieces:
            self._pieces.update({begin + number: parts for number, parts in said.pieces.items()})

    def _element(self, node: Node, stack: list[Node | str | _Open]) -> None:
        name = node.name
        if _is_cell(node):
            if not self._is_in_row():
                self.end_line()
            stack.append(_CELL)
        elif name not in _INLINE and not _fills_cell(node):
            if self._line:
                self.end_line()
            else:
                self._holder = None
            if self._known is None:
                stack.append("")
            elif (said := self._known.get(node.id)) is not None:
                self._add_cached(said)
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
        self._line.append(first.data)  # only a text, as in most elements of a large page
        if self._places is not None and not first.data.isspace():
            self._held(node)

    def _is_in_row(self) -> bool:
        """Return whether the line so far ends with a cell."""
        for part in reversed(self._line):
            if not part.isspace():
                return part == _CELL
        return False

    def _more(self, node: Node, stack: list[Node | str | _Open]) -> bool:
        """Add the text of an element from `_MORE`. Return whether its content must be read as well."""
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
        """Note that the last part of the line is in an element."""
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
        if self._holder.parent is element.parent:  # usually the cells of a row
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


def _fills_cell(node: Node) -> bool:
    """Return whether a block is all that a cell of a table holds: then it begins no line of its own."""
    for _ in range(_WITHIN_CELL):
        parent = node.parent
        if parent is None or not (_is_edge(node.prev, before=True) and _is_edge(node.next, before=False)):
            return False
        if _is_cell(parent):
            return True
        node = parent
    return False


def _is_edge(sibling: Node | None, *, before: bool) -> bool:
    """Return whether nothing but blanks is beside an element, seen from its sibling."""
    if sibling is None:
        return True
    return sibling.kind == TEXT and sibling.data.isspace() and (sibling.prev if before else sibling.next) is None


def _is_cell(node: Node) -> bool:
    return node.name in _CELLS or node.attrs.get("role") in _CELL_ROLES


def _push(parent: Node, stack: list[Node | str | _Open]) -> None:
    """Push the content of a node on a stack, the first on top."""
    child = parent.last
    while child is not None:
        stack.append(child)
        child = child.prev


def _has_blocks(button: Node) -> bool:
    """Return whether a button's content would be lines of its own."""
    stack = list(button.children)
    while stack:
        node = stack.pop()
        if node.kind == ELEMENT:
            if node.name not in _INLINE and node.name not in _SILENT and node.name not in ("img", "br"):
                return True
            stack += node.children
    return False


def _joined(text: str) -> str:
    """Return the text with each joint replaced by a space or nothing."""
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
    """Return a control with its state, as text; None for other elements."""
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
