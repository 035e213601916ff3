"""Remember the nodes of a document while it is masked, and find the context of each: label, column, select, the user's rule.

The nodes are added while a tree is read, so the headers before a cell are known and those behind it are not. Removed
nodes are remembered as well: a damaged or hostile recording may hold an op for a removed node, and its strings are
masked by the context of that node.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from ..contracts.field_roles import ASIDE, INLINE
from ..contracts.policy import Policy
from ..detect.filters.foreign_words import is_in_no_word_list
from ..detect.source_code import names_code_language
from ..words.phrase_lists import PhraseLists
from .adjacent_labels import is_label_of_value
from .form_controls import SelectOptions
from .reversed_text import reverses_letters

LISTS = PhraseLists("document_nodes")


@dataclass(slots=True)
class NodeInfo:
    """The context of one node, remembered while its document is masked."""

    tag: str
    attrs: dict[str, str]
    parent: int
    headers: dict[int, str] = field(default_factory=dict)
    """Of a table: its column headers by the number of the column, from 1."""
    said: str = ""
    """Of a label: its text; of a cell: the header of its column."""
    cells: int = 0
    """Of a row: the number of its cells so far; of an option: its number, from 1."""
    heads: bool = False
    """Of a row: whether all its cells are headers."""
    before: str = ""
    """The text of the element right before it, if that is short."""
    choices: SelectOptions | None = None
    """Of a select: its options."""
    code: bool = False
    """Whether its content is source code."""


_TABLES = frozenset({"table", "grid", "treegrid"})
_CELLS = frozenset({"cell", "gridcell"})
_HEADS = frozenset({"columnheader", "rowheader"})
_WIDE = LISTS.to_word_set("WIDE")
"""Elements and roles that hold much content: their name is a heading, and labels no single value."""
_NO_VALUES = LISTS.to_word_set("NO_VALUES")
"""Elements and roles whose text is never the value of a label beside them."""
LONGEST_LABEL = 40
_NO_LABELS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "button", "option", "summary", "title"})
OPTION_LISTS = frozenset({"select", "datalist"})
_CONTROLS = frozenset({"select", "textarea", "datalist", "button"})
_COMPANY = "Company"
_PARTIES = frozenset({"client", "company", "customer", "employer", "merchant", "payee", "payer", "supplier", "vendor"})
"""Classes of elements that hold the name of a company or a person: ``<span class="payee">``."""
_NAMED = re.compile(
    r"[^\W\d_a-z][\w'’.-]*(?:(?:,? (?:(?:and|al|da|de|der|di|el|en|et|la|le|of|und|van|von|y|&) )?|/)[^\W\d_a-z][\w'’.-]*){0,5}"
)
_WORD = re.compile(r"[^\W\d_]+")
_COLUMN = re.compile(r"[0-9]{1,6}")
_DEEPEST = 4
"""How many ancestors of a text are searched for its label."""
_DEEPEST_GRID = 12
"""How many ancestors of a row are searched for its table: a grid that scrolls has its head in elements of its own."""
_DEEPEST_CODE = 8
"""How many ancestors of a text are searched for the element that holds the code."""


def _read_aria_role(tree: list[Any]) -> object:
    return tree[1].get("role") if isinstance(tree[1], dict) else None


def is_header_tree(tag: str, role: object) -> bool:
    """Return whether an element of this tag and role is the header of a column or a row."""
    return tag == "th" or role in _HEADS


def is_cell_tree(tree: list[Any]) -> bool:
    """Return whether a serialized element is a cell of a table, headers included."""
    return tree[0] == "td" or is_header_tree(tree[0], role := _read_aria_role(tree)) or role in _CELLS


class DocumentNodes(dict[int, NodeInfo]):
    """The nodes of one document, by id."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self._policy = policy
        self._labels: dict[str, str] = {}
        """Id of an element → the text of its label."""
        self._said: dict[str, str] = {}
        """Id of an element → its text if that is short, because another element may name it as its label."""
        self.term = ""
        """The text of the last ``<dt>``."""

    def find_parent_id(self, insertion_point: int) -> int:
        """Return the id of the parent at an insertion point, or 0 if it is unknown."""
        return (
            insertion_point
            if insertion_point > 0
            else (self[-insertion_point].parent if -insertion_point in self else 0)
        )

    def iter_node_and_ancestors(self, node: int, max_count: int) -> Iterator[NodeInfo]:
        """Yield what is known of a node and of its ancestors, the nearest first, for at most `max_count` nodes."""
        for _ in range(max_count):
            info = self.get(node)
            if info is None:
                return
            yield info
            node = info.parent

    def build_control_label(self, info: NodeInfo | None) -> str:
        """Return the words that label a control: its autocomplete, ``<label>``, name, placeholder and type."""
        if info is None:
            return ""
        a = info.attrs
        words = [
            a.get("autocomplete", ""),
            self._labels.get(a.get("id", ""), ""),
            a.get("aria-label", ""),
            self._read_aria_label_texts(info),
            a.get("name", ""),
            a.get("id", ""),
            a.get("placeholder", ""),
        ]
        kind = a.get("type", "").lower()
        if kind in ("email", "tel", "password"):
            words.insert(0, {"tel": "phone"}.get(kind, kind))
        around = next((up for up in self.iter_node_and_ancestors(info.parent, 3) if up.tag == "label"), None)
        if around is not None:
            words.insert(1, around.said)
        return " ".join(w for w in words if w and w not in ("on", "off"))[:120]

    def record_labels(self, tree: Any) -> None:
        stack = [tree]
        while stack:
            node = stack.pop()
            if not isinstance(node, list) or len(node) < 2 or not isinstance(node[1], dict):
                continue
            if node[0] == "label" and node[1].get("for"):
                self._labels[node[1]["for"]] = read_label_text(node)
            if (name := node[1].get("id")) and (label := read_short_text(node)):
                self._said[name] = label
            stack.extend(c for c in node[2:] if isinstance(c, list))

    def _read_aria_label_texts(self, info: NodeInfo) -> str:
        names = info.attrs.get("aria-labelledby", "").split()
        return " ".join(said for name in names if (said := self._said.get(name, "")))

    def record_row(self, tree: list[Any], info: NodeInfo) -> None:
        cells = [c for c in tree[2:] if isinstance(c, list) and is_cell_tree(c)]
        heads = [c for c in cells if is_header_tree(c[0], _read_aria_role(c))]
        above = self.get(info.parent)
        if above is not None and above.tag == "thead":  # some have plain cells as headers
            heads = cells
        if cells and (len(heads) == len(cells) or any(_read_aria_role(c) == "columnheader" for c in cells)):
            table = self._find_table(info.parent)
            # A head that scrolls apart may stand outside of its grid, which only `aria-owns` it.
            for owner in [table] if table else self.iter_node_and_ancestors(info.parent, _DEEPEST_GRID):
                owner.headers = {_read_column(c[1], n): read_text(c) for n, c in enumerate(cells, 1)}
            info.heads = True
        elif len(heads) == 1 and heads[0] is cells[0]:
            info.said = read_text(heads[0])

    def record_cell(self, info: NodeInfo) -> None:
        row = self.get(info.parent)
        if row is None or row.heads:
            return
        row.cells += 1
        table = self._find_table(row.parent, with_headers=True)
        label = table.headers.get(_read_column(info.attrs, row.cells)) if table is not None else None
        if label is not None:
            info.said = label
        elif row.cells > 1:
            info.said = row.said

    def _find_table(self, node: int, with_headers: bool = False) -> NodeInfo | None:
        """Return the table or grid around a row, whose parent is `node`.

        :param with_headers: an element without headers is passed over, unless it is a table in HTML.
        """
        for up in self.iter_node_and_ancestors(node, _DEEPEST_GRID):
            kind = up.attrs.get("role", up.tag)
            told = up.headers if with_headers else kind in _TABLES
            if told or kind == "table" or (kind in _TABLES and up.tag == "table"):
                return up
        return None

    def find_text_label(self, node: int, text: str = "") -> str:
        """Return the label of a text, or the empty string.

        It is the nearest of these: the header of its column or row, the term of a ``<dd>``, the label of an
        ``<output>``, the elements that ``aria-labelledby`` names; else the short text before it, if that reads as the
        label of such a value; else ``Company``, if a class of its element names a payer or a payee.
        """
        before = ""
        for depth, info in enumerate(self.iter_node_and_ancestors(node, 4)):
            if info.tag == "dd":
                return self.term
            role = info.attrs.get("role")
            # The header of a row counts as a value of its column: mostly it is a name.
            if info.tag == "td" or role in _CELLS or (is_header_tree(info.tag, role) and info.said):
                return info.said
            if info.tag not in _WIDE and role not in _WIDE:
                if (said := self._read_aria_label_texts(info)) and is_label_of_value(said, text):
                    return said
                if info.tag == "output" and (said := self._labels.get(info.attrs.get("id", ""), "")):
                    return said
            if info.tag in _NO_VALUES or role in _NO_VALUES:
                return ""
            if depth < 2 and not before:
                before = info.before
        if before and is_label_of_value(before, text):
            return before
        return _COMPANY if self._is_named_company(self.get(node), text) else ""

    @staticmethod
    def _is_named_company(info: NodeInfo | None, text: str) -> bool:
        """Return whether an element shows the name of a company: its class names a payer or a payee, and its text
        consists of capitalized words, one of them in no word list.
        """
        if info is None or not _PARTIES.intersection(info.attrs.get("class", "").split()):
            return False
        return _NAMED.fullmatch(text.strip()) is not None and any(map(is_in_no_word_list, _WORD.findall(text)))

    def find_context_texts(self, node: int) -> list[str]:
        """Return the short texts before an element and before its nearest ancestors, and the classes and labels of
        these elements.
        """
        around = self.iter_node_and_ancestors(node, _DEEPEST)
        said = (
            each
            for up in around
            for each in (up.before, up.said, up.attrs.get("class", ""), self.build_control_label(up))
        )
        return [each for each in said if each]

    def is_ruby_annotation(self, node: int) -> bool:
        """Return whether a text is a ruby annotation (``<rt>``), which a browser shows above another text."""
        inline = takewhile(lambda info: info.tag in INLINE, self.iter_node_and_ancestors(node, _DEEPEST))
        return any(info.tag in ASIDE for info in inline)

    def shows_letters_reversed(self, node: int) -> bool:
        """Return whether an element shows its letters in reverse order."""
        for info in self.iter_node_and_ancestors(node, _DEEPEST):
            if (turned := reverses_letters(info.tag, info.attrs)) is not None:
                return turned
        return False

    def is_source_code(self, node: int) -> bool:
        """Return whether a text within an element is source code.

        The nearest ancestor that names a language decides; without one, the text itself does.
        """
        for info in self.iter_node_and_ancestors(node, _DEEPEST_CODE):
            if (told := names_code_language(info.attrs)) is not None:
                return told
            if info.code:
                return True
        return False

    def is_editable(self, node: int) -> bool:
        return any(
            info.attrs.get("contenteditable", "false").lower() != "false" or info.attrs.get("role") == "textbox"
            for info in self.iter_node_and_ancestors(node, 40)
        )

    def find_options_of_enclosing_select(self, info: NodeInfo | None) -> SelectOptions | None:
        """Return the options of the ``<select>`` or ``<datalist>`` around an option."""
        around = self.iter_node_and_ancestors(info.parent, 2) if info is not None else ()
        return next((up.choices for up in around if up.tag in OPTION_LISTS), None)

    def find_selector_action(self, node: int) -> str | None:
        """Return the action that the user's selector rules give to a node or its nearest ancestor, or None if no rule
        selects one of them.
        """
        if not any(r.kind == "selector" for r in self._policy.rules):
            return None
        named = (
            name
            for info in self.iter_node_and_ancestors(node, 200)
            for name in build_rule_selectors(info.tag, info.attrs)
        )
        actions = (self._policy.find_rule_action("selector", name) for name in named)
        return next((action for action in actions if action is not None), None)


def _read_column(attrs: object, counted: int) -> int:
    """Return the number of a cell's column, from 1: what ``aria-colindex`` says, else the `counted` one."""
    told = attrs.get("aria-colindex", "") if isinstance(attrs, dict) else ""
    return int(told) if isinstance(told, str) and _COLUMN.fullmatch(told) else counted


def build_rule_selectors(tag: str, attrs: dict[str, str]) -> list[str]:
    """Return the selectors by which a rule may name an element: ``#id``, ``.class``, ``[name=value]``, the tag."""
    classes = [f".{name}" for name in attrs.get("class", "").split()]
    named = [f"[{name}={value}]" for name, value in attrs.items()] + [f"[{name}]" for name in attrs]
    return [*([f"#{attrs['id']}"] if attrs.get("id") else []), *classes, *named, tag]


def read_text(tree: Any) -> str:
    """Return the text of a serialized element, at most 80 characters."""
    if isinstance(tree, str):
        return tree
    if not isinstance(tree, list):
        return ""
    return " ".join(" ".join(read_text(c) for c in tree[2:]).split())[:80]


def read_label_text(tree: Any) -> str:
    """Return the text of a serialized ``<label>``, at most 80 characters, without the text of the control within it."""
    if not isinstance(tree, list):
        return read_text(tree)
    if tree[0] in _CONTROLS:
        return ""
    return " ".join(" ".join(read_label_text(c) for c in tree[2:]).split())[:80]


def read_short_text(tree: Any) -> str:
    """Return an element's text if it is one short text that may label a value, else the empty string. Headings and
    options label nothing.
    """
    if isinstance(tree, list) and tree[0] in _NO_LABELS:
        return ""
    for _ in range(_DEEPEST):
        if not (isinstance(tree, list) and len(tree) == 3 and isinstance(tree[1], dict)):
            break
        tree = tree[2]
    text = tree.strip() if isinstance(tree, str) else ""
    return text if 1 < len(text) <= LONGEST_LABEL else ""
