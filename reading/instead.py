"""What stood where a call that failed looked for its element: something over it, another text, or nothing of the kind, and what comes nearest."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from pagereel.reel import ELEMENT, TEXT, DocumentModel, Node, PageModel, locator_parts, text_content, value_of

from .recorded_run import Record

_ELEMENTS: Final = 4_000
"""Elements of a page that are looked at for one that fits."""
_NEAR: Final = 0.6
"""How alike two names are at least, of which one may stand for the other."""
_NAME: Final = 80
"""Characters of a name that are compared, and told."""
_NAMED: Final = 3
"""Names that are told where none is near."""
COVERS: Final = re.compile(
    r"<([a-z][\w-]*+)([^<>]*+)>[^<>]*(?:</[\w-]+>)?(?: from <[^<>]*+>[^<>]*(?:</[\w-]+>)? subtree)? intercepts pointer events"
)
"""What Playwright's call log says of an element that takes the click."""
ATTRIBUTE: Final = re.compile(r"(?<![\w-])([\w-]++)=\"([^\"]*)\"")
"""One attribute in an element's start tag, as the log quotes it."""
_UNEXPECTED: Final = re.compile(r'unexpected value "([^"\n]*)"')
_MANY: Final = re.compile(r"resolved to (\d+) elements")
_STATE: Final = re.compile(r"element (?:is not ([a-z]+)|is (outside of the viewport)|was (detached from the DOM))")
_FOUND: Final = re.compile(r"locator resolved to (hidden |visible )?<")
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
class FoundInstead:
    """`said`: a clause, such as ``it was “Paying…”``. `d`, `node`: the element that it is about; 0 where it is about none."""

    said: str
    d: int = 0
    node: int = 0


@dataclass(frozen=True, slots=True)
class _Candidate:
    d: int
    node: Node
    role: str
    name: str


def found_instead(call: Record, model: PageModel) -> FoundInstead | None:
    """Return what the page had where a failed call looked for its element; None where nothing is known of that. `model`: the pages as the call failed."""
    error, locator = str(call.get("error") or ""), str(call.get("locator") or "")
    if not locator:
        return None
    if (lies := COVERS.search(error)) is not None:
        return _cover(model, call.get("page"), lies)
    wanted = _Wanted(locator)
    seen = list(_candidates(model, call.get("page"), wanted))
    own = next((each for each in seen if wanted.fits(each)), None)
    place = (own.d, own.node.id) if own is not None else (0, 0)
    if many := _MANY.search(error):
        return FoundInstead(f"{many[1]} elements of the page fit", *place)
    if values := _UNEXPECTED.findall(error):
        return FoundInstead(f"it was “{_cut(values[-1])}”", *place)
    if states := _STATE.findall(error):
        state = next(filter(None, states[-1]))
        return FoundInstead(f"it was {state}" if " " in state else f"it was there, and not {state}", *place)
    if resolved := _FOUND.findall(error):
        return FoundInstead(f"it was there, and {resolved[-1].strip()}", *place) if resolved[-1] else None
    return _nearest(wanted, seen) if "waiting for" in error or "not found" in error else None


def _cover(model: PageModel, page: object, lies: re.Match[str]) -> FoundInstead:
    attributes = dict(ATTRIBUTE.findall(lies[2]))
    for document in _documents(model, page):
        for node in itertools.islice(_met(document), _ELEMENTS):
            if node.name == lies[1] and all(node.attrs.get(name) == value for name, value in attributes.items()):
                words = _words(node)
                return FoundInstead(
                    f"{selector_of(node)}{f' “{_cut(words)}”' if words else ''} lies over it", document.d, node.id
                )
    return FoundInstead(f"{lies[1]}{'#' + attributes['id'] if attributes.get('id') else ''} lies over it")


def _nearest(wanted: _Wanted, seen: list[_Candidate]) -> FoundInstead:
    best = max(seen, key=wanted.likeness, default=None)
    if best is not None and wanted.likeness(best) >= _NEAR:
        said = f"nothing on the page fits; the nearest is {wanted.told(best)}"
        return FoundInstead(said, best.d, best.node.id)
    same = [each for each in seen if wanted.role and each.role == wanted.role and each.name]
    if same:
        names = ", ".join(f"“{_cut(name)}”" for name in dict.fromkeys([each.name for each in same][:_NAMED]))
        return FoundInstead(f"the page has no such {wanted.role}; it has {names}", same[0].d, same[0].node.id)
    return FoundInstead("the page does not say so" if wanted.kind == "get_by_text" else "nothing on the page fits")


class _Wanted:
    """What a locator looks for in the end: an element of a role and a name, or with a text, an attribute, a selector."""

    def __init__(self, locator: str) -> None:
        parts = [part for part in locator_parts(locator) if part.kind.startswith("get_by_") or part.kind == "locator"]
        last = parts[-1] if parts else None
        self.kind = last.kind if last is not None else "locator"
        self.role = last.text if last is not None and self.kind == "get_by_role" else ""
        text = (last.named.get("name", "") if self.role else last.text) if last is not None else locator
        self.text = " ".join(text.split()).strip("/").casefold()[:_NAME]
        self.matcher = SequenceMatcher(None, b=self.text, autojunk=False)

    def fits(self, each: _Candidate) -> bool:
        """Return whether an element is what is looked for, as far as the tree tells."""
        return (not self.role or each.role == self.role) and self.text in each.name.casefold()

    def likeness(self, each: _Candidate) -> float:
        """Return how alike an element's name is, 0 to 1; that of another role less."""
        name = each.name.casefold()[:_NAME]
        if not self.text or not name:
            return 0.0
        if self.role in _USED and each.role not in _USED:
            return 0.0
        factor = 1.0 if not self.role or each.role == self.role else 0.8
        if self.kind in ("get_by_role", "get_by_label", "get_by_text") and (self.text in name or name in self.text):
            return factor * (0.7 + 0.3 * min(len(name), len(self.text)) / max(len(name), len(self.text)))
        self.matcher.set_seq1(name)
        if self.matcher.real_quick_ratio() < _NEAR or self.matcher.quick_ratio() < _NEAR:
            return 0.0
        return factor * self.matcher.ratio()

    def told(self, each: _Candidate) -> str:
        """Return an element as a sentence names it."""
        if self.kind == "locator":
            return each.name
        return f"{f'the {each.role} ' if each.role else ''}“{_cut(each.name)}”"


def _candidates(model: PageModel, page: object, wanted: _Wanted) -> Iterator[_Candidate]:
    """Yield the elements that a person can meet and that have what the locator looks for, of any value: a name, a text, an attribute, an id."""
    for document in _documents(model, page):
        labels = _labels(document) if wanted.kind in ("get_by_role", "get_by_label") else {}
        for node in itertools.islice(_met(document), _ELEMENTS):
            if name := _name(node, wanted.kind, labels):
                yield _Candidate(document.d, node, _role(node), name)


def _documents(model: PageModel, page: object) -> list[DocumentModel]:
    """Return the documents that a page shows, or all pages, the frames' after it."""
    shown = {state.document for state in model.pages.values() if state.open}
    found = [each for each in model.documents.values() if not isinstance(page, int) or each.page == page]
    return [each for each in found if not each.top or each.d in shown]


def _met(document: DocumentModel) -> Iterator[Node]:
    """Yield the elements of a document that the tree does not hide."""
    stack = [document.root] if document.root is not None else []
    while stack:
        node = stack.pop()
        if node.kind == ELEMENT:
            if (
                node.name in _UNSEEN
                or "hidden" in node.attrs
                or "display:none" in node.attrs.get("style", "").replace(" ", "")
            ):
                continue
            yield node
        inner = [node.inner] if node.inner is not None else []
        stack += [*inner, *node.children][::-1]


def _labels(document: DocumentModel) -> dict[str, str]:
    """Return what the labels of a document say, by the ids that they are for."""
    return {
        node.attrs["for"]: _words(node) for node in document.walk() if node.name == "label" and node.attrs.get("for")
    }


def _name(node: Node, kind: str, labels: dict[str, str]) -> str:
    if kind in _ATTRIBUTES:
        return node.attrs.get(_ATTRIBUTES[kind], "")
    if kind == "locator":
        return selector_of(node) if node.attrs.get("id") or node.attrs.get("class") or node.attrs.get("name") else ""
    if kind == "get_by_text":
        return _words(node) if any(child.kind == TEXT and child.data.strip() for child in node.children) else ""
    role = _role(node)
    if kind == "get_by_label" and node.name not in ("input", "select", "textarea") and "aria-label" not in node.attrs:
        return ""
    if not role:
        return ""
    said = node.attrs.get("aria-label") or node.attrs.get("alt") or labels.get(node.attrs.get("id", ""), "")
    if not said and node.name in ("input", "select", "textarea"):
        around = node.parent
        while around is not None and around.name != "label":
            around = around.parent
        said = _words(around) if around is not None else node.attrs.get("placeholder", "")
        return said or (value_of(node) or "" if role == "button" else "")
    return said or _words(node) or node.attrs.get("title", "")


def _role(node: Node) -> str:
    if role := node.attrs.get("role"):
        return role.split()[0] if role.split() else ""
    if node.name == "a":
        return "link" if "href" in node.attrs else ""
    if node.name == "input":
        return _INPUTS.get(node.attrs.get("type", "text").lower(), "textbox")
    return _ROLES.get(node.name, "")


def selector_of(node: Node) -> str:
    """Return an element as a selector names it: ``div#cookies.banner``."""
    name = f"[name={node.attrs['name']}]" if node.attrs.get("name") and not node.attrs.get("id") else ""
    classes = "".join(f".{each}" for each in node.attrs.get("class", "").split()[:2])
    return f"{node.name}{'#' + node.attrs['id'] if node.attrs.get('id') else ''}{classes}{name}"


def _words(node: Node) -> str:
    return _cut(" ".join(text_content(node).split()), 4 * _NAME)


def _cut(text: str, longest: int = _NAME) -> str:
    said = " ".join(text.split())
    return said if len(said) <= longest else f"{said[: longest - 1]}…"
