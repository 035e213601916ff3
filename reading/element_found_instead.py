"""Finds the content that a page showed in place of the element that a failed call looked for.

This is an element that covers it, another text, or else the most similar element.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import Final

from pagereel.reel import PageModel, iter_light_nodes

from .locator_targets import (
    ELEMENTS,
    NEAR,
    CandidateElement,
    LocatorTarget,
    iter_candidates,
    iter_visible_elements,
    list_shown_documents,
    read_first_words,
    shorten_name,
    to_describing_selector,
)
from .record_fields import Record

_NAMED: Final = 3
"""Names that are told where none is near."""
COVERS: Final = re.compile(
    r"<([a-z][\w-]*+)([^<>]*+)>[^<>]*(?:</[\w-]+>)?(?: from <[^<>]*+>[^<>]*(?:</[\w-]+>)? subtree)? intercepts pointer events"
)
"""What Playwright's call log says of an element that takes the click."""
ATTRIBUTE: Final = re.compile(r"(?<![\w-])([\w-]++)=\"([^\"]*)\"")
"""One attribute in an element's start tag, as the log quotes it."""
UNEXPECTED: Final = re.compile(r'unexpected value "([^"\n]*)"')
"""What an expectation found."""
_STRICT: Final = "strict mode violation"
_STATES: Final = re.compile(r"(?:not_)?to_be_")
"""Expectations of a state, which is a word and no text."""
_MANY: Final = re.compile(r"resolved to (\d+) elements")
_STATE: Final = re.compile(r"element (?:is not ([a-z]+)|is (outside of the viewport)|was (detached from the DOM))")
_NOT: Final = {"stable": "it kept moving", "enabled": "it was disabled", "editable": "it was read-only"}
"""States, in other words than “not stable”."""
_OPTIONS: Final = "did not find some options"
"""What the log says where a list has not what was to be chosen."""
_FOUND: Final = re.compile(r"locator resolved to (hidden |visible )?<")


@dataclass(frozen=True, slots=True)
class ElementFoundInstead:
    """The content that a page showed in place of the element that a failed call looked for.

    `said`: a clause that describes the content, such as ``it was “Paying…”``. `link`: the element that the clause is
    about, see :func:`_build_element_link`. `absent`: the target of the locator, if no element of the page matched it.
    `sure`: the clause alone explains the failure. `is_whole`: the clause repeats all facts of the error message.
    """

    said: str
    link: Record = field(default_factory=dict)
    absent: LocatorTarget | None = None
    sure: bool = False
    is_whole: bool = False


def find_element_shown_instead(call: Record, model: PageModel) -> ElementFoundInstead | None:
    """Return the content that a page showed in place of the element that a failed call looked for; None if it is
    unknown. `model`: the page model at the failure.
    """
    error, locator = str(call.get("error") or ""), str(call.get("locator") or "")
    if not locator:
        return None
    wanted = LocatorTarget(locator)
    seen = list(iter_candidates(model, call.get("page"), wanted))
    own = next((each for each in seen if wanted.is_match(each)), None)
    link = _build_element_link(own.d, own.node.id, "wanted") if own is not None else {}
    if (lies := COVERS.search(error)) is not None:
        return _describe_covering_element(model, call.get("page"), lies, link)
    if many := _MANY.search(error):
        strict = _STRICT in error
        text = f"{many[1]} elements of the page fit{', and it takes exactly one' if strict else ''}"
        return ElementFoundInstead(text, link, sure=True, is_whole=strict)
    if values := UNEXPECTED.findall(error):
        is_state = _STATES.match(str(call.get("method")))
        value = values[-1] if is_state else f"“{shorten_name(values[-1])}”" if values[-1] else "empty"
        return ElementFoundInstead(f"it was {value}", link)
    if _OPTIONS in error:
        has = ", ".join(f"“{shorten_name(each)}”" for each in _list_option_names(own)[:_NAMED])
        return ElementFoundInstead(f"it has no such option{f', but {has}' if has else ''}", link, sure=bool(has))
    if states := _STATE.findall(error):
        state = next(filter(None, states[-1]))
        text = _NOT.get(state, f"it was {state if ' ' in state else f'not {state}'}")
        return ElementFoundInstead(text, link, sure=state == "stable")
    if resolved := _FOUND.findall(error):
        return ElementFoundInstead(f"it was {resolved[-1].strip()}", link) if resolved[-1] else None
    return _describe_most_similar_element(wanted, seen) if "waiting for" in error or "not found" in error else None


def _build_element_link(document_id: int, node: int, relation: str) -> Record:
    """Return a link to an element. `relation`: ``wanted`` for the locator's element, ``nearest`` for the most similar one,
    ``cover`` for the one that covers it.
    """
    return {"d": document_id, "node": node, "is": relation}


def _list_option_names(select_element: CandidateElement | None) -> list[str]:
    """Return the names of the options of a `<select>`; empty if `select_element` is None."""
    names = (
        (read_first_words(node) for node in iter_light_nodes(select_element.node) if node.name == "option")
        if select_element is not None
        else ()
    )
    return [name for name in itertools.islice(names, ELEMENTS) if name]


def _describe_covering_element(
    model: PageModel, page: object, cover_match: re.Match[str], target_link: Record
) -> ElementFoundInstead:
    attributes = dict(ATTRIBUTE.findall(cover_match[2]))
    for document in list_shown_documents(model, page):
        for node in itertools.islice(iter_visible_elements(document), ELEMENTS):
            if node.name == cover_match[1] and all(node.attrs.get(name) == value for name, value in attributes.items()):
                words = read_first_words(node)
                text = f"{to_describing_selector(node)}{f' “{shorten_name(words)}”' if words else ''} lies over it"
                link = _build_element_link(document.d, node.id, "cover")
                return ElementFoundInstead(text, {**link, "covered": target_link} if target_link else link, sure=True)
    return ElementFoundInstead(
        f"{cover_match[1]}{'#' + attributes['id'] if attributes.get('id') else ''} lies over it", sure=True
    )


def _describe_most_similar_element(wanted: LocatorTarget, candidates: list[CandidateElement]) -> ElementFoundInstead:
    """Return a description of the element that is most similar to the wanted one, of the elements of its role, or of
    none.
    """
    best = max(candidates, key=wanted.compute_similarity, default=None)
    if best is not None and wanted.compute_similarity(best) >= NEAR:
        text = f"nothing on the page fits; the nearest is {wanted.describe(best)}"
        return ElementFoundInstead(text, _build_element_link(best.d, best.node.id, "nearest"), wanted, sure=True)
    same = [each for each in candidates if wanted.role and each.role == wanted.role and each.name]
    if same:
        names = ", ".join(f"“{shorten_name(name)}”" for name in dict.fromkeys([each.name for each in same][:_NAMED]))
        return ElementFoundInstead(f"the page has no such {wanted.role}; it has {names}", absent=wanted)
    text = "the page does not show this text" if wanted.kind == "get_by_text" else "nothing on the page fits"
    return ElementFoundInstead(text, absent=wanted)
