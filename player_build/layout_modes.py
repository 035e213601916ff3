"""Determines the layout mode of each document: quirks, limited quirks or no quirks.

A document's mode is recorded at its beginning, before its doctype has arrived, and `document.open` may change it
later. So the builder determines it as a parser does, from the doctype before the root element (HTML, "The initial
insertion mode"), and passes it to the player by an op of its own, ``["mode", mode]``. If a recording has such ops,
they are used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pagereel.reel import DOCTYPE, ELEMENT, DocumentModel, Json, Node

NO_QUIRKS: Final = "CSS1Compat"
QUIRKS: Final = "BackCompat"
LIMITED: Final = "limited"
"""Limited quirks: scripts see ``CSS1Compat``, and tables are laid out a little differently."""

_QUIRKS_PUBLIC: Final = frozenset(
    ("-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html")
)
_QUIRKS_SYSTEM: Final = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
_QUIRKS_PREFIXES: Final = tuple(
    f"{prefix}//"
    for prefix in (
        "+//silmaril//dtd html pro v0r11 19970101",
        "-//as//dtd html 3.0 aswedit + extensions",
        "-//advasoft ltd//dtd html 3.0 aswedit + extensions",
        *(
            f"-//ietf//dtd html {version}"
            for version in (
                "2.0 level 1", "2.0 level 2", "2.0 strict level 1", "2.0 strict level 2", "2.0 strict", "2.0", "2.1e",
                "3.0", "3.2 final", "3.2", "3", "level 0", "level 1", "level 2", "level 3", "strict level 0",
                "strict level 1", "strict level 2", "strict level 3", "strict",
            )
        ),
        "-//ietf//dtd html",
        "-//metrius//dtd metrius presentational",
        *(
            f"-//microsoft//dtd internet explorer {version}"
            for version in ("2.0 html strict", "2.0 html", "2.0 tables", "3.0 html strict", "3.0 html", "3.0 tables")
        ),
        "-//netscape comm. corp.//dtd html",
        "-//netscape comm. corp.//dtd strict html",
        "-//o'reilly and associates//dtd html 2.0",
        "-//o'reilly and associates//dtd html extended 1.0",
        "-//o'reilly and associates//dtd html extended relaxed 1.0",
        "-//sq//dtd html 2.0 hotmetal + extensions",
        "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0",
        "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0",
        "-//spyglass//dtd html 2.0 extended",
        "-//sun microsystems corp.//dtd hotjava html",
        "-//sun microsystems corp.//dtd hotjava strict html",
        *(
            f"-//w3c//dtd html {version}"
            for version in (
                "3 1995-03-24", "3.2 draft", "3.2 final", "3.2", "3.2s draft", "4.0 frameset", "4.0 transitional",
                "experimental 19960712", "experimental 970421",
            )
        ),
        "-//w3c//dtd w3 html",
        "-//w3o//dtd w3 html 3.0",
        "-//webtechs//dtd mozilla html 2.0",
        "-//webtechs//dtd mozilla html",
    )
)  # fmt: skip
_LIMITED_PREFIXES: Final = ("-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//")
_LIMITED_WITH_SYSTEM: Final = ("-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//")


def find_layout_mode(doctype: Node | None) -> str:
    """Return the layout mode that an HTML parser chooses for a document with this doctype."""
    if doctype is None or doctype.name != "html":
        return QUIRKS
    public = doctype.attrs.get("public", "").lower()
    system = doctype.attrs.get("system", "").lower()
    if public in _QUIRKS_PUBLIC or system == _QUIRKS_SYSTEM or public.startswith(_QUIRKS_PREFIXES):
        return QUIRKS
    if public.startswith(_LIMITED_PREFIXES):
        return LIMITED
    if public.startswith(_LIMITED_WITH_SYSTEM):
        return LIMITED if system else QUIRKS
    return NO_QUIRKS


class DocumentModes:
    """Determines the layout modes of a recording's documents while their messages are read."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[int, int]] = {}
        """Ids of the doctype and the root element, 0 for none."""
        self._mode: dict[int, str] = {}
        self._told: set[int] = set()

    def build_mode_op(self, document: DocumentModel, ops: list[Json], mime: Callable[[], str]) -> list[Json]:
        """Return the ``mode`` op to append to a message, in a list; [] if the mode has not changed.

        `document` is the document after the message; `mime` returns its MIME type, ``""`` if that is unknown.
        """
        d = document.d
        doctype, element = _find_doctype_and_root(document)
        now = (doctype.id if doctype else 0, element.id if element else 0)
        before = self._seen.get(d, (0, 0))
        self._seen[d] = now
        whole = False
        for op in ops:
            if isinstance(op, list) and op and op[0] == "mode":
                self._told.add(d)
            whole = whole or (isinstance(op, list) and bool(op) and op[0] == "doc")
        # A document that comes in one message had its mode recorded then; later whole messages only repair known
        # content.
        if d in self._told or whole or element is None:
            return []
        # A script may replace the root element; only a parser replaces the doctype before it as well.
        if before[1] == now[1] or (before[1] and before[0] == now[0]):
            return []
        # One within an attribute is never in quirks mode.
        if document.url.startswith("about:srcdoc") or not _is_html_document(document, element, mime()):
            return []
        mode = find_layout_mode(doctype)
        if mode == self._mode.get(d, document.mode):
            return []
        self._mode[d] = mode
        return [["mode", mode]]


def is_xml_document(document: DocumentModel, mime: str) -> bool:
    """Return whether an XML parser created the document: then names of elements are case-sensitive."""
    _, element = _find_doctype_and_root(document)
    return element is not None and not _is_html_document(document, element, mime)


def _find_doctype_and_root(document: DocumentModel) -> tuple[Node | None, Node | None]:
    """Return the doctype and the root element of a document."""
    doctype: Node | None = None
    for child in document.root.children if document.root else ():
        if child.kind == DOCTYPE and doctype is None:
            doctype = child
        elif child.kind == ELEMENT:
            return doctype, child
    return doctype, None


def _is_html_document(document: DocumentModel, root: Node, mime: str) -> bool:
    """Return whether an HTML parser created the document, so that its doctype decides the layout mode.

    This includes HTML that an XSLT style sheet made of XML; other XML has an attribute that names its namespace.
    """
    made = root.name == "html" and not any(name.startswith("xmlns") for name in root.attrs)
    if mime:
        kind = mime.partition(";")[0].strip().lower()
        return kind == "text/html" or (made and kind.endswith(("/xml", "+xml")))
    path = document.url.partition("?")[0].partition("#")[0].lower()
    return made or not path.endswith((".xhtml", ".xht", ".xml", ".svg"))
