"""The page model: every document of a recording at one time.

Redaction, builder, search and checks use this model; the injector and the player have ports that must give the same
digests. It also runs during a recording, so its speed is tested: see tests/reel/test_model.py.
"""

from __future__ import annotations

from typing import Final, cast

import orjson

from .document import DocumentModel
from .events import Event, Json
from .limits import LIVE_NODES, LIVE_TEXT, PAST_DOCUMENTS

_DOCUMENT: Final = 4_000
"""Bytes that an empty document takes."""
_WITHIN: Final = 50
"""Largest depth of frames."""
_PROBLEMS: Final = 20

FLAT: Final = "flat"
"""Value of `why` in a ``snapshot`` that replaces all earlier messages of its document, so that none of them counts as
missing.
"""


class PageState:
    """A page (tab): the document in its main frame, and how the page was opened."""

    __slots__ = ("document", "number", "open", "opener", "url")

    def __init__(self, number: int) -> None:
        self.number = number
        self.document: int | None = None
        self.opener: int | None = None
        self.url = ""
        self.open = True


class PageModel:
    """The state of all documents after the events applied so far. Events must come in the order of
    :meth:`Reel.timeline`.

    >>> model = PageModel()
    >>> for event in reel.timeline():  # doctest: +SKIP
    ...     model.apply(event)

    Events that are not about the state of pages are ignored. :meth:`apply` raises nothing: invalid events are
    counted.
    """

    def __init__(self) -> None:
        self.documents: dict[int, DocumentModel] = {}
        self.pages: dict[int, PageState] = {}
        self.time = 0.0
        """``t`` of the last event, in ms."""
        self._embeds: dict[int, tuple[int, int]] = {}
        self._stray = 0
        self._gone = _DroppedDocumentErrors()
        self._nodes = 0
        """Number of nodes of all documents."""
        self._many = LIVE_NODES >> 2
        """Number of nodes above which closed documents are dropped."""
        self._looked = 2 * PAST_DOCUMENTS
        """Number of documents at which closed ones are looked for again."""
        self._text = self._said = 0
        """Number of characters in all documents at the last count, and of characters added since."""

    @property
    def error_count(self) -> int:
        """Return the number of events and ops that could not be applied."""
        return self._stray + self._gone.errors + sum(document.errors for document in self.documents.values())

    @property
    def lost_message_count(self) -> int:
        """Return the number of missing messages, computed from the gaps in their numbers."""
        return self._gone.lost + sum(document.lost for document in self.documents.values())

    @property
    def problem_texts(self) -> list[str]:
        """Return descriptions of the first errors."""
        words = [f"{self._stray} messages of documents that never began"] if self._stray else []
        for document in self.documents.values():
            words += document.describe_problems()
        return self._gone.problems + words

    def apply(self, event: Event) -> None:
        """Apply one event to the page model."""
        kind = event.get("k")
        t = event.get("t")
        if type(t) is int or type(t) is float:
            self.time = t
        if kind == "document":
            self._begin_document(event)
        elif kind == "embed":
            self._apply_embed(event)
        elif kind == "page":
            self._apply_page_event(event)
        elif type(event.get("n")) is int and kind != "frame":
            document = self.documents.get(event.get("d"))  # type: ignore[arg-type]
            if document is None:
                self._stray += 1
            else:
                self._apply_message(document, cast(str, kind), event)

    def drop_document(self, document_number: int) -> None:
        """Drop a document that is not needed any more, because long recordings load thousands."""
        document = self.documents.pop(document_number, None)
        self._embeds.pop(document_number, None)
        if document is not None:
            self._nodes -= document.counted
            self._gone.add_errors_of(document)

    def _begin_document(self, event: Event) -> None:
        d = event.get("d")
        if type(d) is not int or d in self.documents:
            self._stray += 1
            return
        if len(self.documents) > self._looked:
            self._drop_closed_documents(PAST_DOCUMENTS)
        if not self._has_room_for_text(_DOCUMENT + len(str(event.get("url"))) + len(str(event.get("title")))):
            self._stray += 1
            return
        document = self.documents[d] = DocumentModel(d)
        page = event.get("page")
        document.page = page if type(page) is int else 0
        document.frame = str(event.get("frame") or "")
        document.url = str(event.get("url") or "")
        document.top = event.get("top") is True
        document.mode = str(event.get("mode") or "CSS1Compat")
        document.title = str(event.get("title") or "")
        document.referrer = str(event.get("referrer") or "")
        document.parent = self._embeds.get(d)
        viewport = event.get("viewport")
        if isinstance(viewport, dict):
            _set_viewport(document, viewport)
        _set_preferences(document, event)
        if document.top:
            state = self._get_page_state(document.page)
            state.document = d
            state.url = document.url

    def _apply_embed(self, event: Event) -> None:
        d, parent, node = event.get("d"), event.get("parent"), event.get("node")
        if type(d) is not int or type(parent) is not int or type(node) is not int:
            self._stray += 1
            return
        self._embeds[d] = (parent, node)
        if d in self.documents:
            self.documents[d].parent = (parent, node)

    def _apply_page_event(self, event: Event) -> None:
        page = event.get("page")
        if type(page) is not int:
            self._stray += 1
            return
        state = self._get_page_state(page)
        if event.get("event") == "open":
            opener, url = event.get("opener"), event.get("url")
            state.opener = opener if type(opener) is int else None
            state.url = url if isinstance(url, str) else state.url
        else:
            state.open = False

    def _get_page_state(self, page: int) -> PageState:
        if page not in self.pages:
            self.pages[page] = PageState(page)
        return self.pages[page]

    def _apply_message(self, document: DocumentModel, kind: str, event: Event) -> None:
        n = cast(int, event["n"])
        if n <= document.n:
            document.count_error(f"message {n} came after message {document.n}")
            return
        if document.n >= 0 or event.get("why") != FLAT:
            document.lost += n - document.n - 1
        document.n = n
        document.clock = self.time
        if kind == "mutation" or kind == "snapshot":
            ops = event.get("ops")
            if type(ops) is list:
                self._update_node_count(document)
                if self._nodes > self._many:
                    self._drop_closed_documents(0)
                    self._many = max(LIVE_NODES >> 2, self._nodes + (LIVE_NODES >> 4))
                document.room = LIVE_NODES - self._nodes + len(document.nodes)
                document.apply(ops, allow_text=self._has_room_for_text(_estimate_text_length(ops)))
                self._update_node_count(document)
            else:
                document.count_error(f"message {n} has no ops")
        elif kind == "pointer":
            points = event.get("points")
            if isinstance(points, list) and points and isinstance(points[-1], list) and len(points[-1]) == 3:
                document.pointer = (_to_number(points[-1][1]), _to_number(points[-1][2]))
        elif kind == "mouse":
            document.pointer = (_to_number(event.get("x")), _to_number(event.get("y")))
        elif kind == "viewport":
            _set_viewport(document, event)
            _set_preferences(document, event)
        elif kind == "location":
            document.url = str(event.get("url") or "")
            if document.top:
                self._get_page_state(document.page).url = document.url
        elif kind == "visibility":
            document.visibility = str(event.get("state") or "visible")
        elif kind == "unload":
            document.ended = True

    # -- limits of the whole model --------------------

    def _has_room_for_text(self, length: int) -> bool:
        """Return whether the page model may grow by `length` characters. The characters of all documents are counted
        again only after many were added, because counting is slow.
        """
        self._said += length
        if self._text + self._said > LIVE_TEXT and self._said > LIVE_TEXT >> 3:
            if sum(map(DocumentModel.count_characters, self.documents.values())) > LIVE_TEXT >> 1:
                self._drop_closed_documents(0)
            self._text = sum(_DOCUMENT + document.count_characters() for document in self.documents.values())
            self._said = length
        return self._text + self._said <= LIVE_TEXT

    def _update_node_count(self, document: DocumentModel) -> None:
        self._nodes += len(document.nodes) - document.counted
        document.counted = len(document.nodes)

    def _drop_closed_documents(self, kept_count: int) -> None:
        """Drop the closed documents except the newest `kept_count`. If there are none, the next search is delayed until there
        are as many more documents.
        """
        past = [d for d, document in self.documents.items() if self._is_document_closed(document)]
        for d in past[: len(past) - kept_count] if len(past) > kept_count else ():
            self.drop_document(d)
        self._looked = 2 * max(PAST_DOCUMENTS, len(self.documents))

    def _is_document_closed(self, document: DocumentModel) -> bool:
        for _ in range(_WITHIN):
            if document.ended:
                return True
            if document.top:
                page = self.pages.get(document.page)
                return page is None or page.document != document.d or not page.open
            if document.parent is None:
                return False
            above = self.documents.get(document.parent[0])
            if above is None or document.parent[1] not in above.nodes:
                return True
            document = above
        return True


class _DroppedDocumentErrors:
    """The counts of errors in documents that were dropped."""

    def __init__(self) -> None:
        self.errors = self.lost = 0
        self.problems: list[str] = []

    def add_errors_of(self, document: DocumentModel) -> None:
        self.errors += document.errors
        self.lost += document.lost
        self.problems = [*self.problems, *document.describe_problems()][:_PROBLEMS]


def _estimate_text_length(ops: list[Json]) -> int:
    """Return the approximate number of characters in ops."""
    try:
        return len(orjson.dumps(ops))
    except (TypeError, ValueError):  # a lone surrogate, or a value that is not JSON
        return len(str(ops))


def _to_number(value: Json) -> float:
    return value if type(value) is int or type(value) is float else 0


def _set_viewport(document: DocumentModel, size: dict[str, Json]) -> None:
    document.viewport = (_to_number(size.get("w")), _to_number(size.get("h")), _to_number(size.get("dpr")) or 1)


def _set_preferences(document: DocumentModel, event: Event) -> None:
    """Set the user's preferences (colour scheme, motion) that an event names; keep the others."""
    for name in ("scheme", "motion", "media"):
        if event.get(name) is not None:
            document.preferences[name] = event[name]
