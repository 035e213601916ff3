"""The canonical lines of a document and their digest, which show whether page model and page are equal.

docs/format.md, "Checkpoints", defines them. The injector and the player have ports; tests/reel/fixtures_digest.json
checks that all of them give the same bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping

from .form_controls import CONTROLS, build_digest_state
from .nodes import CDATA, COMMENT, DOCTYPE, DOCUMENT, ELEMENT, NODE_KINDS, PI, SHADOW, TEXT, Node

_CHUNK = 4096


def replace_lone_surrogates(text: str) -> str:
    """Return `text` with each lone surrogate replaced by U+FFFD, and surrogate pairs joined."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def to_utf16_sort_key(name: str) -> bytes:
    """Return a sort key that orders strings as JavaScript does, by UTF-16 units."""
    return name.encode("utf-16-be", "surrogatepass")


def compute_digest(lines: Iterable[str]) -> str:
    """Return the CRC-32 of the lines in UTF-8, as eight hex digits."""
    crc = 0
    chunk: list[str] = []
    for line in lines:
        chunk.append(line)
        if len(chunk) >= _CHUNK:
            crc = _update_crc(crc, chunk)
            chunk.clear()
    return f"{_update_crc(crc, chunk):08x}"


def _update_crc(crc: int, lines: list[str]) -> int:
    joined = "".join(lines)
    try:
        data = joined.encode()
    except UnicodeEncodeError:
        # Line by line, because surrogates at the end of one line and the beginning of the next are no pair.
        data = "".join(map(replace_lone_surrogates, lines)).encode()
    return zlib.crc32(data, crc)


def build_element_line(node: Node) -> str:
    """Return the canonical line of an element: tag, attributes sorted by name, and the state of a form control."""
    attrs = node.attrs
    line = f"E{node.id} {node.name}"
    if attrs:
        if len(attrs) == 1:
            for name, value in attrs.items():
                line += f"\x1f{name}={value}"
        else:
            names = sorted(attrs)
            if not "".join(names).isascii():
                names.sort(key=to_utf16_sort_key)
            for name in names:
                line += f"\x1f{name}={attrs[name]}"
    if node.name in CONTROLS:
        line += build_digest_state(node)
    return line + "\n"


_LETTERS = {number: kind.line for number, kind in NODE_KINDS.items()}
_OF_DATA = frozenset({TEXT, COMMENT, CDATA})


def build_node_line(node: Node) -> str:
    """Return the canonical line of one node, without the closing line of its children."""
    kind = node.kind
    if kind == ELEMENT:
        return build_element_line(node)
    head = f"{_LETTERS[kind]}{node.id}"
    if kind in _OF_DATA:
        return f"{head} {node.data}\n"
    if kind == PI:
        return f"{head} {node.name} {node.data}\n"
    if kind == DOCTYPE:
        return f"{head} {node.name}\x1f{node.attrs['public']}\x1f{node.attrs['system']}\n"
    return f"{head} {node.name}\n" if kind == SHADOW else f"{head}\n"


def iter_tree_lines(root: Node) -> Iterator[str]:
    """Yield one canonical line for each node in pre-order, and ``)`` after the last child of each node that can have
    children.
    """
    node = root
    while True:
        kind = node.kind
        if kind == ELEMENT:
            yield build_element_line(node)
        elif kind == TEXT:
            yield f"T{node.id} {node.data}\n"
        else:
            yield build_node_line(node)
        below = node.inner or node.first
        if below is not None:
            node = below
            continue
        while True:  # go up until there is a next sibling
            kind = node.kind
            if kind == ELEMENT or kind >= SHADOW or kind == DOCUMENT:  # noqa: SIM109 - this order is the fastest
                yield ")\n"
            if node is root:
                return
            parent = node.parent
            assert parent is not None
            after = parent.first if kind >= SHADOW else node.next
            if after is not None:
                node = after
                break
            node = parent


def iter_sheet_lines(sheets: Mapping[int, tuple[int, str]], adopted: Mapping[int, list[int]]) -> Iterator[str]:
    """Yield the canonical lines of style sheets, which follow those of the tree. `sheets`: number → (owner, text);
    `adopted`: root → numbers.
    """
    for number in sorted(sheets):
        owner, text = sheets[number]
        yield f"Y{number} {owner} {text}\n"
    for root in sorted(adopted):
        if adopted[root]:
            yield f"A{root} {','.join(map(str, adopted[root]))}\n"
