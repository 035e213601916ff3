"""Reads rrweb's events of style sheets that scripts create and change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from pagereel.reel import ELEMENT, DocumentModel, get_text_content

from .page_mirror import PageMirror, to_dict_list
from .rule_changes import StyleSheetRules

_RATE: Final = 1_000
"""Characters of a changed style sheet that are written at most a ms: else each of many small rule changes would write
the sheet anew.
"""
_Key = tuple[int, str, int]
"""The document; ``owner``, ``made`` or ``fonts``; the owner's id, or rrweb's id of the sheet."""


class SheetEventReader:
    """Converts rrweb's style sheet events. ``takes`` maps each kind of incremental event (rrweb's `source`) to its
    handler.
    """

    def __init__(self, mirror: PageMirror) -> None:
        self.mirror = mirror
        self.takes: dict[int, Callable[[dict[str, Any]], None]] = {
            8: self._change_rules, 10: self._add_font, 13: self._change_declaration, 15: self._change_adopted_sheets,
        }  # fmt: skip
        self._sheets: dict[_Key, tuple[int, StyleSheetRules]] = {}
        self._dirty: dict[_Key, float] = {}

    def drop_sheets_of_document(self, document_number: int) -> None:
        """Drop the sheets of a document that gets a new snapshot."""
        self._sheets = {key: sheet for key, sheet in self._sheets.items() if key[0] != document_number}
        self._dirty = {key: since for key, since in self._dirty.items() if key[0] != document_number}

    def emit_owned_sheet(self, document: DocumentModel, owner: int, text: str) -> None:
        """Emit the text of the sheet of a ``<style>`` or ``<link>`` element."""
        self._get_sheet(document, "owner", owner, text).replace_all(text)
        self._emit_sheet(document, "owner", owner)

    def _get_sheet(self, document: DocumentModel, kind: str, key: int, text: str) -> StyleSheetRules:
        place = document.d, kind, key
        if place not in self._sheets:
            number = 1 + max((number for at, (number, _) in self._sheets.items() if at[0] == document.d), default=0)
            self._sheets[place] = number, StyleSheetRules(text)
        return self._sheets[place][1]

    def _emit_sheet(self, document: DocumentModel, kind: str, key: int) -> bool:
        number, found = self._sheets[document.d, kind, key]
        self._dirty.pop((document.d, kind, key), None)
        return self.mirror.apply_op(document, "sheet", number, key if kind == "owner" else 0, found.text)

    def _mark_sheet_changed(self, document: DocumentModel, kind: str, key: int) -> None:
        self._dirty.setdefault((document.d, kind, key), self.mirror.t)

    def emit_changed_sheets(self, t: float) -> None:
        """Emit the changed sheets, each at a limited rate; `t`: the time of the next event, in ms."""
        for key, since in list(self._dirty.items()):
            document = self.mirror.model.documents.get(key[0])
            if document is None or t >= since + len(self._sheets[key][1].text) / _RATE:
                self._dirty.pop(key)
                if document is not None:
                    self._emit_sheet(document, key[1], key[2])

    def _find_sheet_of_event(self, data: dict[str, Any]) -> tuple[DocumentModel, str, int, StyleSheetRules] | None:
        """Return the sheet that an event changes, with its document, kind and key; None if it is unknown."""
        style = data.get("styleId")
        if type(style) is int:
            for key, (_, found) in self._sheets.items():
                if key[1:] == ("made", style) and key[0] in self.mirror.model.documents:
                    return self.mirror.model.documents[key[0]], "made", style, found
            return None
        place = self.mirror.find_node(data.get("id"))
        if place is None or place.node.name not in ("style", "link", "svg|style"):
            return None
        document, node = place
        return document, "owner", node.id, self._get_sheet(document, "owner", node.id, get_text_content(node))

    def _change_rules(self, data: dict[str, Any]) -> None:
        found = self._find_sheet_of_event(data)
        if found is None:
            return
        document, kind, key, sheet = found
        for name in ("replace", "replaceSync"):
            if isinstance(data.get(name), str):
                sheet.replace_all(data[name])
        for add in to_dict_list(data.get("adds")):
            if isinstance(add.get("rule"), str):
                sheet.insert_rule(add["rule"], add.get("index"))
        for removal in to_dict_list(data.get("removes")):
            sheet.remove_rule(removal.get("index"))
        self._mark_sheet_changed(document, kind, key)

    def _change_declaration(self, data: dict[str, Any]) -> None:
        found = self._find_sheet_of_event(data)
        if found is None:
            return
        document, kind, key, sheet = found
        changes: dict[str, str | None] = {}
        told, gone = data.get("set"), data.get("remove")
        if isinstance(told, dict) and isinstance(told.get("property"), str):
            important = " !important" if told.get("priority") == "important" else ""
            value = told.get("value")
            changes[told["property"]] = f"{value}{important}" if isinstance(value, str) and value else None
        if isinstance(gone, dict) and isinstance(gone.get("property"), str):
            changes[gone["property"]] = None
        sheet.change_declarations(data.get("index"), changes)
        self._mark_sheet_changed(document, kind, key)

    def _change_adopted_sheets(self, data: dict[str, Any]) -> None:
        found, ids = self.mirror.find_node(data.get("id")), data.get("styleIds")
        if found is None or not isinstance(ids, list):
            return
        document, node = found
        root = self.mirror.get_shadow_root(document, node) if node.kind == ELEMENT else node
        for style in to_dict_list(data.get("styles")):
            key, given = style.get("styleId"), to_dict_list(style.get("rules"))
            if type(key) is int:
                text = "\n".join(str(rule["rule"]) for rule in given if isinstance(rule.get("rule"), str))
                self._get_sheet(document, "made", key, text).replace_all(text)
                self._emit_sheet(document, "made", key)
        numbers = [
            self._sheets[document.d, "made", key][0]
            for key in ids
            if type(key) is int and (document.d, "made", key) in self._sheets
        ]
        if root is not None:
            self.mirror.apply_op(document, "adopt", root.id, numbers)

    def _add_font(self, data: dict[str, Any]) -> None:
        family, source = data.get("family"), data.get("fontSource")
        if not isinstance(family, str) or not isinstance(source, str) or data.get("buffer") is True:
            return
        quoted = family.replace("\\", "").replace('"', "")
        document = self.mirror.model.documents[self.mirror.top]
        sheet = self._get_sheet(document, "fonts", 0, "")
        sheet.replace_all(
            f'{sheet.text}\n@font-face {{ font-family: "{quoted}"; src: {source.replace("}", "")}; }}'.strip()
        )
        self._mark_sheet_changed(document, "fonts", 0)
