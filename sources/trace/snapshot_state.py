"""Collects the state in a document's snapshots besides the tree: values, selected options, scroll offsets, open dialogs, sheets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

from pagereel.reel import MASK, Json

from .snapshot_grammar import SHADOW, TEXT, Key

if TYPE_CHECKING:
    from .document import Op
    from .page_nodes import TracePageNode

_ROOT: Final = 1
_CHECKED: Final = ("checkbox", "radio")
_REMEMBERED: Final = 50_000
"""Largest number of field values that are remembered, to recognize the text that a call typed."""
_NO_OPTIONS: Final = frozenset({"option", "select", "datalist"})
_FAKE_PATH: Final = "C:\\fakepath\\"


class SnapshotStateCollector:
    """Collects the state of one document, and returns for each snapshot the ops that change state and not the tree."""

    def __init__(self, *, quirks: bool) -> None:
        self._quirks = quirks
        self._ops: list[Op] = []
        self._masked: dict[int, str] = {}
        self._first: list[Op] = []
        self._choosing: list[TracePageNode] = []
        self._chosen: dict[int, list[Json]] = {}
        self._adopting: list[TracePageNode] = []
        self._links: dict[int, TracePageNode] = {}
        self._overrides: dict[int, tuple[int, str]] = {}
        self._custom: dict[int, TracePageNode] = {}
        self._undefined: set[int] = set()
        self._body: TracePageNode | None = None
        self._sheet = 0
        self.sheets: dict[Key, int] = {}
        """Adopted sheets, by the key of their node."""
        self.frames: dict[str, int] = {}
        self.target: TracePageNode | None = None
        self.secrets: set[str] = set()
        self.shown: set[str] = set()

    # -- while a tree is made ----------------------------------------------------------------------------------------

    def add_adopted_sheet(self, key: Key, text: str) -> None:
        """Add an adopted style sheet."""
        if key not in self.sheets:
            self._sheet += 1
            self.sheets[key] = self._sheet
            self._ops.append(["sheet", self._sheet, 0, text])

    def mark_adopted_sheets_changed(self, root: TracePageNode) -> None:
        """Remember that the list of adopted style sheets of a document or shadow root has changed."""
        self._adopting.append(root)

    def mask_secret_field(self, node: int, mask_reason: str | None, attrs: dict[str, str]) -> None:
        """Mask the ``value`` attribute of a secret field. A field that was secret once stays secret."""
        mask_reason = self._masked.get(node) or mask_reason
        if mask_reason is None:
            return
        if node not in self._masked:
            self._masked[node] = mask_reason
            self._first.append(["masked", node, mask_reason])
        if value := attrs.get("value"):
            self._remember_secret(value)
            attrs["value"] = MASK

    def is_masked(self, node: int) -> bool:
        """Return whether the value of a field is masked."""
        return node in self._masked

    def record_element_state(self, node: TracePageNode, earlier_state: dict[str, str] | None) -> None:
        """Remember the state of an element that the snapshot contains in full. `earlier_state`: its state in the snapshot
        before; None for a new element.
        """
        state, tag = node.state, node.tag
        if not tag or tag == SHADOW:
            return
        before = earlier_state or {}
        if tag in ("input", "textarea"):
            self._record_control_state(node, earlier_state is None)
        elif tag in ("option", "select"):
            self._choosing.append(node)
        elif tag == "img" and state.get("chosen") != before.get("chosen"):
            self._record_chosen_image(node)
        elif node.frame:
            self.frames[node.frame] = node.id
        elif tag == "link":
            self._links[node.id] = node
        elif tag == "body":
            self._body = node
        elif "-" in tag and "|" not in tag and tag != "x-noscript":
            self._custom[node.id] = node
        if "target" in state:
            self.target = node
        if state or before:
            self._record_scroll_offsets(node, before)
            self._record_top_layer_state(node, before)

    def _record_control_state(self, node: TracePageNode, new: bool) -> None:
        kind = node.attrs.get("type", "").lower()
        if node.tag == "input" and kind in _CHECKED:
            on = node.state.get("checked")
            if on is not None and not (new and (on == "true") == ("checked" in node.attrs)):
                self._ops.append(["checked", node.id, int(on == "true")])
            return
        value = node.state.get("value")
        if value is None:
            return
        if kind == "file":
            value = value.removeprefix(_FAKE_PATH)
        if node.id in self._masked:
            self._remember_secret(value)
            value = MASK if value else ""
        elif value and len(self.shown) < _REMEMBERED:
            self.shown.add(value)
        if node.tag == "textarea":
            default = "".join(child.raw for child in node.children if child.tag == TEXT)
        else:
            default = node.attrs.get("value", "")
        if not new or value != default:
            self._ops.append(["value", node.id, value])

    def _record_chosen_image(self, node: TracePageNode) -> None:
        chosen = node.state.get("chosen", "")
        choice = "srcset" in node.attrs or (node.parent is not None and node.parent.tag == "picture")
        if chosen and choice:
            self._ops.append(["src", node.id, chosen])

    def _record_scroll_offsets(self, node: TracePageNode, before: dict[str, str]) -> None:
        now = (_to_number(node.state.get("left")), _to_number(node.state.get("top")))
        if now != (_to_number(before.get("left")), _to_number(before.get("top"))):
            viewport = node.tag == "html" or (node.tag == "body" and self._quirks)
            self._ops.append(["scroll", _ROOT if viewport else node.id, *now])

    def _record_top_layer_state(self, node: TracePageNode, before: dict[str, str]) -> None:
        if (how := _get_top_layer_kind(node.state)) != _get_top_layer_kind(before):
            self._ops.append(["open", node.id, how])

    def _remember_secret(self, value: str) -> None:
        if value and value != MASK and len(self.secrets) < _REMEMBERED:
            self.secrets.add(value)

    def drop_node(self, node: TracePageNode) -> None:
        """Drop the state of a node that left the page."""
        number = node.id
        for known in (self._links, self._custom, self._masked, self._chosen, self._overrides):
            known.pop(number, None)
        self._undefined.discard(number)
        if node.frame and self.frames.get(node.frame) == number:
            del self.frames[node.frame]
        if node is self._body:
            self._body = None

    # -- when it is made ---------------------------------------------------------------------------------------------

    def finish_snapshot(self, root: TracePageNode, overrides: dict[str, str]) -> list[Op]:
        """Return the ops of this snapshot. `overrides`: the texts of linked sheets that a script changed, by URL."""
        self._record_selected_options()
        for owner in self._adopting:
            numbers: list[Json] = [self.sheets[key] for key in owner.sheets]
            self._ops.append(["adopt", _ROOT if owner is root else owner.id, numbers])
        self._record_changed_sheets(root, overrides)
        self._record_undefined_elements()
        ops = self._first + self._ops
        self._first, self._ops, self._choosing, self._adopting = [], [], [], []
        return ops

    def begin_snapshot(self) -> None:
        """Begin a new snapshot, whose target element is not known yet."""
        self.target = None

    def _record_selected_options(self) -> None:
        selects: dict[int, TracePageNode] = {}
        for node in self._choosing:
            at: TracePageNode | None = node
            while at is not None and at.tag != "select":
                at = at.parent
            if at is not None:
                selects[at.id] = at
        for number, select in selects.items():
            chosen: list[Json] = [
                index for index, option in enumerate(_iter_options(select)) if option.state.get("selected") == "true"
            ]
            if self._chosen.get(number) != chosen:
                self._chosen[number] = chosen
                self._ops.append(["selected", number, chosen])

    def _record_changed_sheets(self, root: TracePageNode, overrides: dict[str, str]) -> None:
        if not overrides:
            return
        base = _get_base_href(root)
        for number, link in self._links.items():
            text = overrides.get(_join_url(base, link.attrs.get("href", "")))
            known = self._overrides.get(number)
            if text is None or (known is not None and known[1] == text):
                continue
            if known is None:
                self._sheet += 1
            sheet = known[0] if known is not None else self._sheet
            self._overrides[number] = (sheet, text)
            self._ops.append(["sheet", sheet, number, text])

    def _record_undefined_elements(self) -> None:
        defined = set((self._body.state.get("defined", "") if self._body else "").split(","))
        undefined = {number for number, node in self._custom.items() if node.tag not in defined}
        for number in undefined - self._undefined:
            self._ops.append(["states", number, ["undefined"]])
        for number in (self._undefined - undefined) & self._custom.keys():
            self._ops.append(["states", number, []])
        self._undefined = undefined


def _get_top_layer_kind(state: dict[str, str]) -> str:
    if dialog := state.get("dialog"):
        return "modal" if dialog == "modal" else "dialog"
    return "popover" if "popover" in state else ""


def _to_number(text: str | None) -> float:
    try:
        number = float(text or 0)
    except ValueError:
        return 0
    return round(number, 2) if abs(number) < 1e9 else 0


def _iter_options(select: TracePageNode) -> Iterator[TracePageNode]:
    stack = list(reversed(select.children))
    while stack:
        node = stack.pop()
        if node.tag == "option":
            yield node
        if node.tag not in _NO_OPTIONS:
            stack += reversed(node.children)


def _get_base_href(root: TracePageNode) -> str:
    head = next((child for child in root.children if child.tag == "head"), None)
    first = next((child for child in head.children if child.tag == "base"), None) if head is not None else None
    return first.attrs.get("href", "") if first is not None else ""


def _join_url(base: str, url: str) -> str:
    try:
        return urljoin(base, url).partition("#")[0]
    except ValueError:
        return url
