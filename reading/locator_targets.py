"""Parses a locator, and finds the elements in a recorded page that match it or resemble its target."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from pagereel.reel import ELEMENT, TEXT, DocumentModel, Node, PageModel, get_field_value, parse_locator_parts
from pagereel.text_truncation import truncate_text

from .selectors import build_selector_test

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
class CandidateElement:
    """An element that a locator may mean. `name`: the text or attribute of the element that the locator searches by."""

    d: int
    node: Node
    role: str
    name: str


class LocatorTarget:
    """The element that a locator looks for, parsed from the locator's last part: by role and name, text, attribute or
    selector.
    """

    def __init__(self, locator: str) -> None:
        parts = [
            part for part in parse_locator_parts(locator) if part.kind.startswith("get_by_") or part.kind == "locator"
        ]
        last = parts[-1] if parts else None
        self.kind = last.kind if last is not None else "locator"
        self.role = last.text if last is not None and self.kind == "get_by_role" else ""
        text = (last.named.get("name", "") if self.role else last.text) if last is not None else locator
        self.text = " ".join(text.split()).strip("/").casefold()[:_NAME]
        self.matcher = SequenceMatcher(None, b=self.text, autojunk=False)
        self._css = (
            _build_last_element_test(last.text if last is not None else locator) if self.kind == "locator" else None
        )

    def to_candidate(self, document: DocumentModel, node: Node, labels: DocumentLabels) -> CandidateElement | None:
        """Return an element as a candidate; None if it lacks the property that the locator searches by."""
        name = _read_name_for_locator(node, self.kind, labels)
        if not name and self._css is not None and self._css(node):
            name = node.name
        return CandidateElement(document.d, node, _find_aria_role(node), name) if name else None

    def is_match(self, candidate: CandidateElement) -> bool:
        """Return whether an element matches the locator, as far as the recorded tree shows."""
        if self.kind == "locator":
            return self._css is not None and self._css(candidate.node)
        return (not self.role or candidate.role == self.role) and self.text in candidate.name.casefold()

    def compute_similarity(self, candidate: CandidateElement) -> float:
        """Return how similar an element's name is to the locator's text, from 0 to 1; less if the role differs."""
        name = candidate.name.casefold()[:_NAME]
        if not self.text or not name:
            return 0.0
        if self.role in _USED and candidate.role not in _USED:
            return 0.0
        factor = 1.0 if not self.role or candidate.role == self.role else 0.8
        if self.kind in ("get_by_role", "get_by_label", "get_by_text") and (self.text in name or name in self.text):
            return factor * (0.7 + 0.3 * min(len(name), len(self.text)) / max(len(name), len(self.text)))
        self.matcher.set_seq1(name)
        if self.matcher.real_quick_ratio() < NEAR or self.matcher.quick_ratio() < NEAR:
            return 0.0
        return factor * self.matcher.ratio()

    def describe(self, candidate: CandidateElement) -> str:
        """Return an element as a sentence names it: its role and its name in quotes."""
        if self.kind == "locator":
            return candidate.name
        return f"{f'the {candidate.role} ' if candidate.role else ''}“{shorten_name(candidate.name)}”"


def iter_candidates(model: PageModel, page: object, wanted: LocatorTarget) -> Iterator[CandidateElement]:
    """Yield the visible elements that have the property by which the locator searches (a name, a text, an attribute, an
    id), whatever its value.
    """
    for document in list_shown_documents(model, page):
        labels = DocumentLabels(document)
        for node in itertools.islice(iter_visible_elements(document), ELEMENTS):
            if (each := wanted.to_candidate(document, node, labels)) is not None:
                yield each


def list_shown_documents(model: PageModel, page: object) -> list[DocumentModel]:
    """Return the documents shown in a page, or in all pages if `page` is no number; frames come after their page."""
    shown = {state.document for state in model.pages.values() if state.open}
    found = [each for each in model.documents.values() if not isinstance(page, int) or each.page == page]
    return [each for each in found if not each.top or each.d in shown]


def iter_visible_elements(document: DocumentModel, root: Node | None = None) -> Iterator[Node]:
    """Yield the elements of a document, or of the part below `root`, that the markup does not hide."""
    begin = root or document.root
    stack = [begin] if begin is not None else []
    while stack:
        node = stack.pop()
        if node.kind == ELEMENT:
            if _is_hidden_by_markup(node):
                continue
            yield node
        inner = [node.inner] if node.inner is not None else []
        stack += [*inner, *node.children][::-1]


def is_visible(node: Node) -> bool:
    """Return whether the markup hides neither an element nor one of its ancestors."""
    return not any(at.kind == ELEMENT and _is_hidden_by_markup(at) for at in node.iter_upwards())


def _is_hidden_by_markup(node: Node) -> bool:
    return (
        node.name in _UNSEEN or "hidden" in node.attrs or "display:none" in node.attrs.get("style", "").replace(" ", "")
    )


class DocumentLabels:
    """The texts of a document's `<label>` elements, by the id in their `for`; read on first use."""

    def __init__(self, document: DocumentModel) -> None:
        self._document = document
        self._found: dict[str, str] | None = None

    @property
    def is_loaded(self) -> bool:
        """Return whether the labels have been read."""
        return self._found is not None

    def find_label_for(self, id: str | None) -> str:
        """Return the label of the element with this id; "" if it has none."""
        if not id:
            return ""
        if self._found is None:
            labels = (node for node in self._document.walk() if node.name == "label" and node.attrs.get("for"))
            self._found = {node.attrs["for"]: read_first_words(node) for node in labels}
        return self._found.get(id, "")


def _build_last_element_test(selector: str) -> Callable[[Node], bool] | None:
    """Return a test for the last compound of a CSS selector; None if that has more than a tag, ids, classes and
    attributes.
    """
    last = _COMPOUND.search(selector.strip())
    try:
        return build_selector_test(last[0]) if last is not None else None
    except ValueError:
        return None


def _read_name_for_locator(node: Node, kind: str, labels: DocumentLabels) -> str:
    if kind in _ATTRIBUTES:
        return node.attrs.get(_ATTRIBUTES[kind], "")
    if kind == "locator":
        return (
            to_describing_selector(node)
            if node.attrs.get("id") or node.attrs.get("class") or node.attrs.get("name")
            else ""
        )
    if kind == "get_by_text":
        return (
            read_first_words(node)
            if any(child.kind == TEXT and child.data.strip() for child in itertools.islice(node.children, _READ))
            else ""
        )
    role = _find_aria_role(node)
    if kind == "get_by_label" and node.name not in ("input", "select", "textarea") and "aria-label" not in node.attrs:
        return ""
    if not role:
        return ""
    value = node.attrs.get("aria-label") or node.attrs.get("alt") or labels.find_label_for(node.attrs.get("id"))
    if not value and node.name in ("input", "select", "textarea"):
        around = next((above for above in node.iter_upwards() if above.name == "label"), None)
        value = read_first_words(around) if around is not None else node.attrs.get("placeholder", "")
        return value or (get_field_value(node) or "" if role == "button" else "")
    return value or read_first_words(node) or node.attrs.get("title", "")


def _find_aria_role(node: Node) -> str:
    if role := node.attrs.get("role"):
        return role.split()[0] if role.split() else ""
    if node.name == "a":
        return "link" if "href" in node.attrs else ""
    if node.name == "input":
        return _INPUTS.get(node.attrs.get("type", "text").lower(), "textbox")
    return _ROLES.get(node.name, "")


def to_describing_selector(node: Node) -> str:
    """Return a selector that describes an element: ``div#cookies.banner``."""
    name = f"[name={node.attrs['name']}]" if node.attrs.get("name") and not node.attrs.get("id") else ""
    classes = "".join(f".{each}" for each in node.attrs.get("class", "").split()[:2])
    return f"{node.name}{'#' + node.attrs['id'] if node.attrs.get('id') else ''}{classes}{name}"


def read_first_words(node: Node) -> str:
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
    return shorten_name(" ".join("".join(words).split()), 4 * _NAME)


def shorten_name(text: str, longest: int = _NAME) -> str:
    return truncate_text(" ".join(text.split()), longest)
