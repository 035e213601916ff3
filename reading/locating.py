"""Parses a locator, and finds the elements in a recorded page that match it or resemble its target."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from pagereel.reel import ELEMENT, TEXT, DocumentModel, Node, PageModel, locator_parts, value_of
from pagereel.shortening import shortened

from .selectors import element_test

ELEMENTS: Final = 4_000
"""Elements of a page that are looked at for one that fits."""
NEAR: Final = 0.6
"""How alike two names are at least, of which one may stand for the other."""
_NAME: Final = 80
"""Characters of a name that are compared, and told."""
_READ: Final = 1_000
"""Nodes and characters of an element that are read for its name."""
_COMPOUND: Final = re.compile(r"[^\s>+~,]+$")
"""The last part of a CSS selector: what the element itself must be."""
_ATTRIBUTES: Final = {
    "get_by_placeholder": "placeholder", "get_by_alt_text": "alt", "get_by_title": "title", "get_by_test_id": "data-testid",
}  # fmt: skip
_ROLES: Final = {
    "button": "button", "select": "combobox", "textarea": "textbox", "img": "img", "li": "listitem", "option": "option", "dialog": "dialog",
    "h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading", "h5": "heading", "h6": "heading",
}  # fmt: skip
_INPUTS: Final = {
    "checkbox": "checkbox", "radio": "radio", "submit": "button", "button": "button", "reset": "button", "range": "slider", "number": "spinbutton",
    "search": "searchbox",
}  # fmt: skip
_USED: Final = frozenset({
    "button", "link", "textbox", "combobox", "checkbox", "radio", "tab", "menuitem", "option", "switch", "searchbox", "spinbutton", "slider",
})  # fmt: skip
"""Roles of elements that one uses, any of which may stand for another."""
_UNSEEN: Final = frozenset({"head", "script", "style", "template", "noscript"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that a locator may mean. `name`: the text or attribute of the element that the locator searches by."""

    d: int
    node: Node
    role: str
    name: str


class Wanted:
    """The element that a locator looks for, parsed from the locator's last part: by role and name, text, attribute or
    selector.
    """

    def __init__(self, locator: str) -> None:
        parts = [part for part in locator_parts(locator) if part.kind.startswith("get_by_") or part.kind == "locator"]
        last = parts[-1] if parts else None
        self.kind = last.kind if last is not None else "locator"
        self.role = last.text if last is not None and self.kind == "get_by_role" else ""
        text = (last.named.get("name", "") if self.role else last.text) if last is not None else locator
        self.text = " ".join(text.split()).strip("/").casefold()[:_NAME]
        self.matcher = SequenceMatcher(None, b=self.text, autojunk=False)
        self._css = _test_of(last.text if last is not None else locator) if self.kind == "locator" else None

    def of(self, document: DocumentModel, node: Node, labels: Labels) -> Candidate | None:
        """Return an element as a candidate; None if it lacks the property that the locator searches by."""
        name = _name(node, self.kind, labels)
        if not name and self._css is not None and self._css(node):
            name = node.name
        return Candidate(document.d, node, _role(node), name) if name else None

    def fits(self, each: Candidate) -> bool:
        """Return whether an element matches the locator, as far as the recorded tree shows."""
        if self.kind == "locator":
            return self._css is not None and self._css(each.node)
        return (not self.role or each.role == self.role) and self.text in each.name.casefold()

    def likeness(self, each: Candidate) -> float:
        """Return how similar an element's name is to the locator's text, from 0 to 1; less if the role differs."""
        name = each.name.casefold()[:_NAME]
        if not self.text or not name:
            return 0.0
        if self.role in _USED and each.role not in _USED:
            return 0.0
        factor = 1.0 if not self.role or each.role == self.role else 0.8
        if self.kind in ("get_by_role", "get_by_label", "get_by_text") and (self.text in name or name in self.text):
            return factor * (0.7 + 0.3 * min(len(name), len(self.text)) / max(len(name), len(self.text)))
        self.matcher.set_seq1(name)
        if self.matcher.real_quick_ratio() < NEAR or self.matcher.quick_ratio() < NEAR:
            return 0.0
        return factor * self.matcher.ratio()

    def described(self, each: Candidate) -> str:
        """Return an element as a sentence names it: its role and its name in quotes."""
        if self.kind == "locator":
            return each.name
        return f"{f'the {each.role} ' if each.role else ''}“{cut_name(each.name)}”"


def candidates(model: PageModel, page: object, wanted: Wanted) -> Iterator[Candidate]:
    """Yield the visible elements that have the property by which the locator searches (a name, a text, an attribute, an
    id), whatever its value.
    """
    for document in documents_shown(model, page):
        labels = Labels(document)
        for node in itertools.islice(met_elements(document), ELEMENTS):
            if (each := wanted.of(document, node, labels)) is not None:
                yield each


def documents_shown(model: PageModel, page: object) -> list[DocumentModel]:
    """Return the documents shown in a page, or in all pages if `page` is no number; frames come after their page."""
    shown = {state.document for state in model.pages.values() if state.open}
    found = [each for each in model.documents.values() if not isinstance(page, int) or each.page == page]
    return [each for each in found if not each.top or each.d in shown]


def met_elements(document: DocumentModel, root: Node | None = None) -> Iterator[Node]:
    """Yield the elements of a document, or of the part below `root`, that the markup does not hide."""
    begin = root or document.root
    stack = [begin] if begin is not None else []
    while stack:
        node = stack.pop()
        if node.kind == ELEMENT:
            if _hides(node):
                continue
            yield node
        inner = [node.inner] if node.inner is not None else []
        stack += [*inner, *node.children][::-1]


def is_met(node: Node) -> bool:
    """Return whether the markup hides neither an element nor one of its ancestors."""
    at: Node | None = node
    while at is not None:
        if at.kind == ELEMENT and _hides(at):
            return False
        at = at.parent
    return True


def _hides(node: Node) -> bool:
    return (
        node.name in _UNSEEN or "hidden" in node.attrs or "display:none" in node.attrs.get("style", "").replace(" ", "")
    )


class Labels:
    """The texts of a document's `<label>` elements, by the id in their `for`; read on first use."""

    def __init__(self, document: DocumentModel) -> None:
        self._document = document
        self._found: dict[str, str] | None = None

    @property
    def read(self) -> bool:
        """Return whether the labels have been read."""
        return self._found is not None

    def of(self, id: str | None) -> str:
        """Return the label of the element with this id; "" if it has none."""
        if not id:
            return ""
        if self._found is None:
            labels = (node for node in self._document.walk() if node.name == "label" and node.attrs.get("for"))
            self._found = {node.attrs["for"]: words_in(node) for node in labels}
        return self._found.get(id, "")


def _test_of(selector: str) -> Callable[[Node], bool] | None:
    """Return a test for the last compound of a CSS selector; None if that has more than a tag, ids, classes and
    attributes.
    """
    last = _COMPOUND.search(selector.strip())
    try:
        return element_test(last[0]) if last is not None else None
    except ValueError:
        return None


def _name(node: Node, kind: str, labels: Labels) -> str:
    if kind in _ATTRIBUTES:
        return node.attrs.get(_ATTRIBUTES[kind], "")
    if kind == "locator":
        return selector_of(node) if node.attrs.get("id") or node.attrs.get("class") or node.attrs.get("name") else ""
    if kind == "get_by_text":
        return (
            words_in(node)
            if any(child.kind == TEXT and child.data.strip() for child in itertools.islice(node.children, _READ))
            else ""
        )
    role = _role(node)
    if kind == "get_by_label" and node.name not in ("input", "select", "textarea") and "aria-label" not in node.attrs:
        return ""
    if not role:
        return ""
    value = node.attrs.get("aria-label") or node.attrs.get("alt") or labels.of(node.attrs.get("id"))
    if not value and node.name in ("input", "select", "textarea"):
        around = node.parent
        while around is not None and around.name != "label":
            around = around.parent
        value = words_in(around) if around is not None else node.attrs.get("placeholder", "")
        return value or (value_of(node) or "" if role == "button" else "")
    return value or words_in(node) or node.attrs.get("title", "")


def _role(node: Node) -> str:
    if role := node.attrs.get("role"):
        return role.split()[0] if role.split() else ""
    if node.name == "a":
        return "link" if "href" in node.attrs else ""
    if node.name == "input":
        return _INPUTS.get(node.attrs.get("type", "text").lower(), "textbox")
    return _ROLES.get(node.name, "")


def selector_of(node: Node) -> str:
    """Return a selector that describes an element: ``div#cookies.banner``."""
    name = f"[name={node.attrs['name']}]" if node.attrs.get("name") and not node.attrs.get("id") else ""
    classes = "".join(f".{each}" for each in node.attrs.get("class", "").split()[:2])
    return f"{node.name}{'#' + node.attrs['id'] if node.attrs.get('id') else ''}{classes}{name}"


def words_in(node: Node) -> str:
    """Return the first words of an element's text, at most a fixed number of characters."""
    words, size = list[str](), 0
    stack = [iter(node.children)]
    for _ in range(_READ):
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
            if not stack:
                break
        elif child.kind == TEXT:
            words.append(child.data[:_READ])
            size += len(child.data.strip())
            if size > _READ:
                break
        else:
            stack.append(iter(child.children))
    return cut_name(" ".join("".join(words).split()), 4 * _NAME)


def cut_name(text: str, longest: int = _NAME) -> str:
    return shortened(" ".join(text.split()), longest)
