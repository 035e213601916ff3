"""Remember the nodes of a document while it is masked, and find the context of each: label, column, select, the user's rule.

The nodes are added while a tree is read, so a cell knows the headers before it and not those behind it. Removed nodes
are kept: an op that names one is hostile or wrong, and is masked by the node that was there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from ..contracts.channels import ASIDE, INLINE
from ..contracts.policy import Policy
from ..detect.filters.foreign import is_in_no_word_list
from ..detect.source_code import language_of
from .adjacent_labels import announces
from .controls import Choices
from .reversed_text import reverses_letters


@dataclass(slots=True)
class NodeInfo:
    """What is known of one node while its document is masked."""

    tag: str
    attrs: dict[str, str]
    parent: int
    headers: list[str] | None = None
    """Of a table: its column headers."""
    said: str = ""
    """Of a label: its text; of a cell: the header of its column."""
    cells: int = 0
    """Of a row: the number of its cells so far; of an option: its number, from 1."""
    heads: bool = False
    """Of a row: whether all its cells are headers."""
    before: str = ""
    """The text of the element right before it, if that is short."""
    choices: Choices | None = None
    """Of a select: its options."""
    code: bool = False
    """Whether its content is source code."""


_TABLES = frozenset({"table", "grid", "treegrid"})
_CELLS = frozenset({"cell", "gridcell"})
_HEADS = frozenset({"columnheader", "rowheader"})
_WIDE = frozenset(
    """
    article aside body details dialog fieldset footer form group header html list listbox main menu nav navigation radiogroup region section table tablist
    tabpanel toolbar tree
    """.split()  # noqa: SIM905
)
"""Elements and roles that hold much content: their name is a heading, and labels no single value."""
_NO_VALUES = frozenset(
    {"button", "h1", "h2", "h3", "h4", "h5", "h6", "label", "legend", "menuitem", "option", "summary", "tab", "th"}
)
"""Elements and roles whose text is never the value of a label beside them."""
LONGEST_LABEL = 40
_NO_LABELS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "button", "option", "summary", "title"})
_CONTROLS = frozenset({"select", "textarea", "datalist", "button"})
_COMPANY = "Company"
_PARTIES = frozenset({"client", "company", "customer", "employer", "merchant", "payee", "payer", "supplier", "vendor"})
"""Classes of elements that hold the name of a company or a person: ``<span class="payee">``."""
_NAMED = re.compile(
    r"[^\W\d_a-z][\w'’.-]*(?:(?:,? (?:(?:and|al|da|de|der|di|el|en|et|la|le|of|und|van|von|y|&) )?|/)[^\W\d_a-z][\w'’.-]*){0,5}"
)
_WORD = re.compile(r"[^\W\d_]+")
_DEEPEST = 4
"""How many ancestors of a text are searched for its label."""
_DEEPEST_CODE = 8
"""How many ancestors of a text are searched for the element that holds the code."""


def _role(tree: list[Any]) -> object:
    return tree[1].get("role") if isinstance(tree[1], dict) else None


def is_head(tag: str, role: object) -> bool:
    """Return whether an element of this tag and role is the header of a column or a row."""
    return tag == "th" or role in _HEADS


def is_cell(tree: list[Any]) -> bool:
    """Return whether a serialized element is a cell of a table, headers included."""
    return tree[0] == "td" or is_head(tree[0], role := _role(tree)) or role in _CELLS


class Nodes(dict[int, NodeInfo]):
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

    def parent_at(self, point: int) -> int:
        """Return the id of the parent at an insertion point, or 0 if it is unknown."""
        return point if point > 0 else (self[-point].parent if -point in self else 0)

    def upwards(self, node: int, most: int) -> Iterator[NodeInfo]:
        """Yield a node and its ancestors, at most as many as `most`, as far as they are known."""
        for _ in range(most):
            info = self.get(node)
            if info is None:
                return
            yield info
            node = info.parent

    def label(self, info: NodeInfo | None) -> str:
        """Return the words that label a control: its autocomplete, ``<label>``, name, placeholder and type."""
        if info is None:
            return ""
        a = info.attrs
        words = [
            a.get("autocomplete", ""),
            self._labels.get(a.get("id", ""), ""),
            a.get("aria-label", ""),
            self._labelled_by(info),
            a.get("name", ""),
            a.get("id", ""),
            a.get("placeholder", ""),
        ]
        kind = a.get("type", "").lower()
        if kind in ("email", "tel", "password"):
            words.insert(0, {"tel": "phone"}.get(kind, kind))
        around = next((up for up in self.upwards(info.parent, 3) if up.tag == "label"), None)
        if around is not None:
            words.insert(1, around.said)
        return " ".join(w for w in words if w and w not in ("on", "off"))[:120]

    def learn_labels(self, tree: Any) -> None:
        stack = [tree]
        while stack:
            node = stack.pop()
            if not isinstance(node, list) or len(node) < 2 or not isinstance(node[1], dict):
                continue
            if node[0] == "label" and node[1].get("for"):
                self._labels[node[1]["for"]] = label_of(node)
            if (name := node[1].get("id")) and (label := short(node)):
                self._said[name] = label
            stack.extend(c for c in node[2:] if isinstance(c, list))

    def _labelled_by(self, info: NodeInfo) -> str:
        names = info.attrs.get("aria-labelledby", "").split()
        return " ".join(said for name in names if (said := self._said.get(name, "")))

    def row(self, tree: list[Any], info: NodeInfo) -> None:
        cells = [c for c in tree[2:] if isinstance(c, list) and is_cell(c)]
        heads = [c for c in cells if is_head(c[0], _role(c))]
        above = self.get(info.parent)
        if above is not None and above.tag == "thead":  # some have plain cells as headers
            heads = cells
        if cells and len(heads) == len(cells) and (table := self._table(info.parent)) is not None:
            table.headers, info.heads = [text_of(c) for c in cells], True
        elif len(heads) == 1 and heads[0] is cells[0]:
            info.said = text_of(heads[0])

    def cell(self, info: NodeInfo) -> None:
        row = self.get(info.parent)
        if row is None or row.heads:
            return
        column = row.cells
        row.cells += 1
        table = self._table(row.parent)
        if table is not None and table.headers and column < len(table.headers):
            info.said = table.headers[column]
        elif column:
            info.said = row.said

    def _table(self, node: int) -> NodeInfo | None:
        """Return the table around a row, whose parent is `node`."""
        return next((up for up in self.upwards(node, 3) if up.tag == "table" or up.attrs.get("role") in _TABLES), None)

    def cell_label(self, node: int, text: str = "") -> str:
        """Return the label of a text, or the empty string.

        It is the nearest of these: the header of its column or row, the term of a ``<dd>``, the label of an
        ``<output>``, the elements that ``aria-labelledby`` names; else the short text before it, if that reads as the
        label of such a value; else ``Company``, if a class of its element names a payer or a payee.
        """
        before = ""
        for depth, info in enumerate(self.upwards(node, 4)):
            if info.tag == "dd":
                return self.term
            role = info.attrs.get("role")
            # The header of a row counts as a value of its column: mostly it is a name.
            if info.tag == "td" or role in _CELLS or (is_head(info.tag, role) and info.said):
                return info.said
            if info.tag not in _WIDE and role not in _WIDE:
                if (said := self._labelled_by(info)) and announces(said, text):
                    return said
                if info.tag == "output" and (said := self._labels.get(info.attrs.get("id", ""), "")):
                    return said
            if info.tag in _NO_VALUES or role in _NO_VALUES:
                return ""
            if depth < 2 and not before:
                before = info.before
        if before and announces(before, text):
            return before
        return _COMPANY if self._is_of_a_company(self.get(node), text) else ""

    @staticmethod
    def _is_of_a_company(info: NodeInfo | None, text: str) -> bool:
        """Return whether an element's class says that it holds a payer or a payee, and its text is written like a
        name: capitalized words, at least one of them in no word list.
        """
        if info is None or not _PARTIES.intersection(info.attrs.get("class", "").split()):
            return False
        return _NAMED.fullmatch(text.strip()) is not None and any(map(is_in_no_word_list, _WORD.findall(text)))

    def texts_around(self, node: int) -> list[str]:
        """Return the short texts before an element and before its nearest ancestors, and the classes and labels of
        these elements.
        """
        around = self.upwards(node, _DEEPEST)
        said = (each for up in around for each in (up.before, up.said, up.attrs.get("class", ""), self.label(up)))
        return [each for each in said if each]

    def is_annotation(self, node: int) -> bool:
        """Return whether a text is a ruby annotation (``<rt>``), which a browser shows above another text."""
        inline = takewhile(lambda info: info.tag in INLINE, self.upwards(node, _DEEPEST))
        return any(info.tag in ASIDE for info in inline)

    def shows_reversed(self, node: int) -> bool:
        """Return whether an element shows its letters in reverse order."""
        for info in self.upwards(node, _DEEPEST):
            if (turned := reverses_letters(info.tag, info.attrs)) is not None:
                return turned
        return False

    def code(self, node: int) -> bool:
        """Return whether a text within an element is source code.

        The nearest ancestor that names a language decides; without one, the text itself does.
        """
        for info in self.upwards(node, _DEEPEST_CODE):
            if (told := language_of(info.attrs)) is not None:
                return told
            if info.code:
                return True
        return False

    def editable(self, node: int) -> bool:
        return any(
            info.attrs.get("contenteditable", "false").lower() != "false" or info.attrs.get("role") == "textbox"
            for info in self.upwards(node, 40)
        )

    def choices(self, info: NodeInfo | None) -> Choices | None:
        """Return the options of the ``<select>`` around an option."""
        around = self.upwards(info.parent, 2) if info is not None else ()
        return next((up.choices for up in around if up.tag == "select"), None)

    def rule_action(self, node: int) -> str | None:
        """Return the action that the user's selector rules give to a node or its nearest ancestor, or None if no rule
        selects one of them.
        """
        if not any(r.kind == "selector" for r in self._policy.rules):
            return None
        named = (name for info in self.upwards(node, 200) for name in selectors_of(info.tag, info.attrs))
        actions = (self._policy.rule("selector", name) for name in named)
        return next((action for action in actions if action is not None), None)


def selectors_of(tag: str, attrs: dict[str, str]) -> list[str]:
    """Return the selectors by which a rule may name an element: ``#id``, ``.class``, ``[name=value]``, the tag."""
    classes = [f".{name}" for name in attrs.get("class", "").split()]
    named = [f"[{name}={value}]" for name, value in attrs.items()] + [f"[{name}]" for name in attrs]
    return [*([f"#{attrs['id']}"] if attrs.get("id") else []), *classes, *named, tag]


def text_of(tree: Any) -> str:
    """Return the text of a serialized element, at most 80 characters."""
    if isinstance(tree, str):
        return tree
    if not isinstance(tree, list):
        return ""
    return " ".join(" ".join(text_of(c) for c in tree[2:]).split())[:80]


def label_of(tree: Any) -> str:
    """Return the text of a serialized ``<label>``, at most 80 characters, without the text of the control within it."""
    if not isinstance(tree, list):
        return text_of(tree)
    if tree[0] in _CONTROLS:
        return ""
    return " ".join(" ".join(label_of(c) for c in tree[2:]).split())[:80]


def short(tree: Any) -> str:
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
