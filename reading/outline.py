"""The text of a recorded page as an outline: headings, text and form controls, line by line."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from pagereel.reel import ELEMENT, TEXT, DocumentModel, Node, PageModel, get_text_content

from .elements import (
    CONTROLS,
    HEADINGS,
    INLINE,
    SILENT,
    contains_block_elements,
    describe_form_control,
    get_own_text,
    is_cell,
    is_hidden,
    is_only_block_of_cell,
)

_MORE = HEADINGS | CONTROLS | {"iframe", "frame", "br", "li", "img", "button"}
"""Elements that need more than their content's text."""
_JOINT = "\0"
"""Marks the place where two inline elements touch; a page's text cannot contain this character."""
_CELL = "\0|\0"
"""Marks the end of a cell in its row."""
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
    """The cached lines of a block of a page, with the elements that they come from."""

    lines: list[str]
    places: list[Place]
    pieces: Pieces
    """By the index of the line in the block."""


class BlockTextCache:
    """Caches the outline lines of each block element of a page model, so that only changed blocks are read again.

    Use one cache for one model, only to read whole documents, and in all calls of :func:`build_outline_lines` either
    with `places` and `pieces` or without them. :meth:`pagereel.reel.DocumentModel.pop_changed_nodes` tells which blocks
    have changed.
    """

    def __init__(self) -> None:
        self._known: dict[int, dict[int, _BlockText]] = {}

    def get_valid_blocks(self, document: DocumentModel) -> dict[int, _BlockText]:
        """Return the cached blocks of a document that are still valid, by node id."""
        known, renewed = self._known.setdefault(document.d, {}), document.pop_changed_nodes(self)
        if renewed is None:
            known.clear()
        for node in renewed or ():
            known.pop(node.id, None)
        return known


class _OpenBlockMarker(NamedTuple):
    """A marker on the stack for a block that is being read: its id, and the number of lines and frames at its
    beginning.
    """

    node: int
    line: int
    frames: int


def build_outline(model: PageModel, document: DocumentModel, root: Node | None = None) -> str:
    """Return the lines of :func:`build_outline_lines`, of a document or of one element, as one text."""
    return "\n".join(build_outline_lines(model, document, root=root))


def build_outline_lines(
    model: PageModel,
    document: DocumentModel,
    depth: int = _DEPTH,
    *,
    skip: Skip | None = None,
    root: Node | None = None,
    places: list[Place] | None = None,
    pieces: Pieces | None = None,
    blocks: BlockTextCache | None = None,
) -> list[str]:
    """Return one line for each block of text. Controls are in brackets: `[input Email: ada@example.com]`, `[button:
    Pay]`.

    Where two inline elements touch (`<b>Subject</b><small>Sender</small>`), a style sheet usually separates them: a
    space is inserted between them if the second begins with a capital, or if a digit and a letter meet.

    Elements that the markup hides (`hidden`, `aria-hidden`, `display: none` in `style`) are left out; style sheets are
    not considered.

    :param depth: how many levels of frames are read. :param skip: a function that returns True for elements to leave
    out, with their content. :param root: the element to read; by default the whole document. :param places: a list to
    which the document and id of the element around each line are appended. :param pieces: a dict that gets the parts of
    each line that comes from several elements; only with `places`. :param blocks: a cache from earlier calls. Not with
    `skip`, whose result may depend on more than the block, nor with `root`.
    """
    writer = _OutlineWriter(model, document, depth, skip, places, pieces, blocks)
    begin = root if root is not None else document.root
    if begin is not None:
        writer.read_node(begin)
    writer.end_line()
    return writer.lines


def get_page_title(document: DocumentModel) -> str:
    """Return a page's title as a tab shows it; without a title element, the title recorded at the document's beginning."""
    stack = list(document.root.children) if document.root is not None else []
    while stack:
        node = stack.pop(0)
        if node.kind == ELEMENT and node.name == "title":
            return get_own_text(node)
        # The title is in the head, so the body is not searched.
        if node.kind == ELEMENT and node.name in ("html", "head"):
            stack = [*node.children, *stack]
    return document.title


class _OutlineWriter:
    def __init__(
        self, model: PageModel, document: DocumentModel, depth: int, skip: Skip | None, places: list[Place] | None,
        pieces: Pieces | None, blocks: BlockTextCache | None,
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
        self._known = blocks.get_valid_blocks(document) if blocks is not None else None
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
            cells = [" ".join(_resolve_element_joints(cell).split()) for cell in text.split(_CELL)]
            text = " | ".join(cell for cell in cells if cell)
        else:
            text = " ".join(_resolve_element_joints(text).split())
        if text:
            self.lines.append(text)
            if self._places is not None:
                self._places.append((self._document.d, self._holder.id if self._holder is not None else 0))
            if self._pieces is not None and self._parts:
                self._pieces[len(self.lines) - 1] = self._split_line_by_element()
        line.clear()
        self._parts.clear()
        self._holder = None

    def _split_line_by_element(self) -> list[tuple[Place, str]]:
        """Return each element of the current line with its part of the line's text."""
        ends = [begin for begin, _ in self._parts[1:]] + [len(self._line)]
        parts = []
        for (begin, element), end in zip(self._parts, ends, strict=True):
            text = " ".join("".join(self._line[begin:end]).replace(_CELL, " ").replace(_JOINT, "").split())
            parts.append(((self._document.d, element.id), text))
        return parts

    def read_node(self, root: Node) -> None:
        """Read a node and everything below it depth first, without recursion, because pages nest deeply."""
        stack: list[Node | str | _OpenBlockMarker] = [root]
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
                    self._close_block(node)
            elif node.kind == TEXT:
                line.append(node.data)
                if placed and node.parent is not None and not node.data.isspace():
                    self._record_line_element(node.parent)
            elif node.kind != ELEMENT:
                _push_children(node, stack)
            elif node.name not in SILENT and not (node.attrs and is_hidden(node)) and (skip is None or not skip(node)):
                self._begin_element(node, stack)

    def _close_block(self, block: _OpenBlockMarker) -> None:
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

    def _add_cached_block(self, block: _BlockText) -> None:
        """Add the cached lines of a block."""
        begin = len(self.lines)
        self.lines += block.lines
        if self._places is not None:
            self._places += block.places
        if self._pieces is not None and block.pieces:
            self._pieces.update({begin + number: parts for number, parts in block.pieces.items()})

    def _begin_element(self, node: Node, stack: list[Node | str | _OpenBlockMarker]) -> None:
        name = node.name
        if is_cell(node):
            if not self._is_in_row():
                self.end_line()
            stack.append(_CELL)
        elif name not in INLINE and not is_only_block_of_cell(node):
            if self._line:
                self.end_line()
            else:
                self._holder = None
            if self._known is None:
                stack.append("")
            elif (cached := self._known.get(node.id)) is not None:
                self._add_cached_block(cached)
                return
            else:
                stack.append(_OpenBlockMarker(node.id, len(self.lines), self._shown))
        elif node.prev is not None and node.prev.kind == ELEMENT:
            self._line.append(_JOINT)
        if name in _MORE and not self._add_element_by_name(node, stack):
            return
        if node.inner is not None and name != "template":
            _push_children(node, stack)
            _push_children(node.inner, stack)
            return
        first = node.first
        if first is None or first.next is not None or first.kind != TEXT:
            _push_children(node, stack)
            return
        self._line.append(first.data)  # only a text, as in most elements of a large page
        if self._places is not None and not first.data.isspace():
            self._record_line_element(node)

    def _is_in_row(self) -> bool:
        """Return whether the current line ends with a cell of a table."""
        for part in reversed(self._line):
            if not part.isspace():
                return part == _CELL
        return False

    def _add_element_by_name(self, node: Node, stack: list[Node | str | _OpenBlockMarker]) -> bool:
        """Add the text of an element whose name is in `_MORE`. Return whether its content must be read as well."""
        state = describe_form_control(node)
        if state is not None:
            self._line.append(f" {state} ")
            self._record_line_element(node)
            return False
        if node.name in ("iframe", "frame"):
            self._add_iframe_lines(node)
            return False
        if node.name == "br":
            return False
        if node.name in HEADINGS:
            self._line.append("#" * int(node.name[1]) + " ")
        elif node.name == "li":
            self._line.append("- ")
        elif node.name == "img" and node.attrs.get("alt"):
            self._line.append(f"[image: {node.attrs['alt']}]")
            self._record_line_element(node)
        elif node.name == "button" and contains_block_elements(node):
            self._line.append(f" [button: {' '.join(get_text_content(node).split())}] ")
            self._record_line_element(node)
            return False
        elif node.name == "button":
            self._line.append(" [button: ")
            self._record_line_element(node)
            stack.append("]")
        return True

    def _add_iframe_lines(self, node: Node) -> None:
        self._shown += 1
        inner = self._frames.get(node.id)
        if inner is None or not self._depth:
            return
        places: list[Place] | None = None if self._places is None else []
        pieces: Pieces = {}
        lines = build_outline_lines(
            self._model, inner, self._depth - 1, skip=self._skip, places=places, pieces=pieces, blocks=self._blocks
        )
        if lines:
            if self._pieces is not None:
                begin = len(self.lines) + 1
                self._pieces.update({begin + number: parts for number, parts in pieces.items()})
            self.lines += [f"[frame {inner.url}]", *(f"  {line}" for line in lines)]
            if self._places is not None:
                self._places += [(self._document.d, node.id), *(places or ())]

    def _record_line_element(self, element: Node) -> None:
        """Record the element that contains the last part of the current line."""
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


def _push_children(parent: Node, stack: list[Node | str | _OpenBlockMarker]) -> None:
    """Push the children of a node on a stack, so that the first child is on top."""
    child = parent.last
    while child is not None:
        stack.append(child)
        child = child.prev


def _resolve_element_joints(text: str) -> str:
    """Return the text with each mark between two touching elements replaced by a space, or removed."""
    if _JOINT not in text:
        return text
    pieces = [piece for piece in text.split(_JOINT) if piece]
    words = pieces[:1]
    for before, after in pairwise(pieces):
        left, right = before[-1], after[0]
        apart = (
            (not left.isspace() and right.isupper() and len(before) + len(after) > 2)
            or (left.isdigit() and right.isalpha())
            or (left.isalpha() and right.isdigit())
        )
        words += [" ", after] if apart else [after]
    return "".join(words)
