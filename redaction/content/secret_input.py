"""Drop the keystrokes and clicks by which somebody enters a secret, such as a PIN, that no text of the recording holds.

These are calls that press key after key, and clicks on the keys of an on-screen pad beside a secret field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, cast

from pagereel.reel import ELEMENT, TEXT, DocumentModel, Event, Node, PageModel, Reel, iter_nodes

from ..contracts.field_roles import NAMED_KEYS
from ..contracts.sink import MASKED

BEFORE = 3_000.0
"""Ms before a click in which the pointer moves towards it, and after it in which it is still near."""
_SAME_USE_MS = 30_000.0
"""Most ms between two clicks that belong to one use of a pad."""
_LATE = 250.0
"""Ms by which the clocks of the page and of the caller may differ."""
_DIGITS = 9
_LETTERS = 20
"""Least number of letter keys that make a pad; :data:`_DIGITS` is that of digits."""
_MOST = 4_000
"""Most nodes of a page that are searched for a secret field."""
_UP = 5
_ONE_BY_ONE = frozenset({"press", "keyboard.press", "keyboard.down", "keyboard.up", "keyboard.insert_text"})
_PRESSES = _ONE_BY_ONE | {"keyboard.type", "type", "press_sequentially"}
_POINTS = re.compile(
    r"(?:click|dblclick|tap|hover|focus|press|check|dispatch_event|(?:mouse|touchscreen)\.\w+|wait_for|select_option)\Z"
)
_SECRET = re.compile(
    r"\b(?:pins?|pin.?code|pass.?(?:code|word|key)s?|security.?code|one.?time|otp|tan|secret|unlock|kennwort|passwort|geheimzahl|contraseña|"
    r"clave|mot de passe|code secret|senha|wachtwoord|hasło|пароль|код)\b|密码|暗証|パスワード|비밀번호|رمز",
    re.IGNORECASE,
)
_BULLETS = re.compile(r"[•●∙⚫⬤*✱○◦]{2,12}\Z")
_TOUCHING = frozenset({"attr", "text", "states", "anim", "anims", "focus", "pointed", "selection", "scroll"})


@dataclass(slots=True)
class _KeypadUse:
    """One use of an on-screen keypad, from its first click to its last."""

    d: int
    page: int
    begin: float
    end: float
    nodes: set[int] = field(default_factory=set)
    told: bool = False
    clicks: list[float] = field(default_factory=list)


class SecretInputFilter:
    """Removes from a finished recording the events that tell which keys of a secret were pressed.

    The constructor reads the whole recording for clicks on on-screen keypads; without a recording only the keys in
    calls are removed.
    """

    def __init__(self, reel: Reel | None = None) -> None:
        self._uses: list[_KeypadUse] = []
        self._pressing: dict[object, bool] = {}
        if reel is not None and sum(event.get("type") in ("down", "click") for event in reel.events({"mouse"})) > 2:
            self._find_keypad_uses(reel.timeline())

    def filter_event(self, event: Event) -> Event | None:
        """Return an event without the parts that tell a secret; None if the whole event must be dropped."""
        kind = event.get("k")
        if kind == "call":
            return self._filter_call(event)
        if not self._uses or "d" not in event:
            return event
        t, d = cast(float, event.get("t") or 0), event.get("d")
        near = [u for u in self._uses if u.d == d and u.begin - BEFORE <= t <= u.end + BEFORE]
        if not near:
            return event
        if kind == "pointer" or (kind == "mouse" and any(event.get("node") in u.nodes for u in near)):
            return None
        if kind == "checkpoint":
            return {k: v for k, v in event.items() if k != "look"}
        if kind == "mutation":
            return _drop_ops_on_nodes(event, set().union(*(u.nodes for u in near)))
        return event

    def _filter_call(self, event: Event) -> Event | None:
        method, page = str(event.get("method")), event.get("page")
        params = event.get("params")
        key = params.get("key", params.get("text")) if isinstance(params, dict) else None
        if method in _PRESSES and not (isinstance(key, str) and key.rpartition("+")[2] in NAMED_KEYS):
            again, self._pressing[page] = self._pressing.get(page, False), method in _ONE_BY_ONE
            if method in _ONE_BY_ONE and isinstance(key, str) and "+" in key and not key.startswith("Shift+"):
                return event  # a shortcut types nothing
            if again and method in _ONE_BY_ONE:
                return None
            out = {k: v for k, v in event.items() if k != "source" or method not in _ONE_BY_ONE}
            out["duration"] = 0  # a duration would tell the number of keys
            if method in _ONE_BY_ONE:
                out["params"], out["title"] = {"key": MASKED}, method
            return out
        self._pressing[page] = False
        t, took = cast(float, event.get("t") or 0), event.get("duration")
        until = t + (float(took) if isinstance(took, (int, float)) else 0.0) + _LATE
        use = next((u for u in self._uses if u.page == page and any(t - _LATE <= c <= until for c in u.clicks)), None)
        if use is None or not _POINTS.match(method):
            return event
        if use.told:
            return None
        use.told = True
        kept = {k: v for k, v in event.items() if k not in ("locator", "error", "source")}
        return {**kept, "title": method, "params": {}, "duration": 0}

    def _find_keypad_uses(self, timeline: Iterable[Event]) -> None:
        model = PageModel()
        for event in timeline:
            model.apply(event)
            if event.get("k") != "mouse" or event.get("type") not in ("down", "click"):
                continue
            d, t = cast(int, event.get("d")), cast(float, event.get("t") or 0)
            document = model.documents.get(d)
            node = document.nodes.get(cast(int, event.get("node"))) if document is not None else None
            pad = _find_keypad(node) if node is not None else None
            if document is None or pad is None or not _document_asks_for_secret(document):
                continue
            last = self._uses[-1] if self._uses else None
            if last is None or last.d != d or t - last.end > _SAME_USE_MS:
                last = _KeypadUse(d, document.page, t, t)
                self._uses.append(last)
            last.end = t
            last.clicks.append(t)
            last.nodes |= {n.id for n in iter_nodes(pad)}


class LiveSecretInputFilter:
    """Removes from a recording that is still being made the events that may tell which keys of a secret were pressed.

    While a page asks for a secret, the next click may be the first digit of a PIN. So pointer events, keystrokes and
    the calls that cause them are dropped, and so are the changes that a click makes to the keys of an on-screen keypad.
    """

    def __init__(self) -> None:
        self._model = PageModel()
        self._calls = SecretInputFilter()
        self._asking: dict[int, _PendingSecretInput] = {}
        """Documents that ask for a secret now."""

    def filter_event(self, event: Event) -> Event | None:
        """Return an event without the parts that may tell a secret, or None. Must be called for each event, in order."""
        kind, d = event.get("k"), event.get("d")
        asking = self._asking.get(d) if isinstance(d, int) else None
        self._model.apply(event)
        if kind == "document":
            for gone in [each for each, document in self._model.documents.items() if document.ended]:
                self._model.drop_document(gone)
                self._asking.pop(gone, None)
        elif kind in ("snapshot", "mutation") and isinstance(d, int):
            self._update_pending_secret(d, event.get("ops"), self._model.time)
        if kind == "call":
            left = self._calls.filter_event(event)
            if (
                left is None
                or not _POINTS.match(str(left.get("method")))
                or not self._page_asks_for_secret(left.get("page"))
            ):
                return left
            kept = {name: value for name, value in left.items() if name not in ("locator", "error", "source", "params")}
            return {**kept, "title": str(left.get("method"))}
        if asking is None:
            return event
        if kind in ("pointer", "mouse", "key"):
            return None
        if kind == "mutation" and asking.pads:
            return _drop_ops_on_nodes(event, asking.pads)
        return event

    def _page_asks_for_secret(self, page: object) -> bool:
        return any((document := self._model.documents.get(d)) and document.page == page for d in self._asking)

    def _update_pending_secret(self, document_id: int, ops: object, t: float) -> None:
        """Record whether a document asks for a secret.

        The document is searched when a new string in it may ask for a secret, and again at intervals while it does ask.
        """
        known = self._asking.get(document_id)
        if not _may_ask_for_secret(ops) if known is None else t - known.since < _HOLDS and not _changes_tree(ops):
            return
        document = self._model.documents.get(document_id)
        if document is not None and document.root is not None and _document_asks_for_secret(document):
            self._asking[document_id] = _PendingSecretInput(t, _find_keypad_nodes(document))
        else:
            self._asking.pop(document_id, None)


_HOLDS = 2_000.0
"""Ms after which it is checked again whether a page still asks for a secret."""


@dataclass(frozen=True, slots=True)
class _PendingSecretInput:
    """A document's request for a secret: since when it asks (``since``, ms), and the ids of its on-screen keypads'
    nodes.
    """

    since: float
    pads: frozenset[int]


def _may_ask_for_secret(ops: object) -> bool:
    """Return whether a string in `ops` may ask for a secret."""
    stack = [ops]
    while stack:
        at = stack.pop()
        if isinstance(at, list):
            stack += at
        elif isinstance(at, dict):
            stack += at.values()
        elif isinstance(at, str) and (
            at in ("masked", "password") or _SECRET.search(at[:200]) or _BULLETS.match(at.strip())
        ):
            return True
    return False


def _changes_tree(ops: object) -> bool:
    return isinstance(ops, list) and any(isinstance(op, list) and op and op[0] in ("doc", "add", "move") for op in ops)


def _find_keypad_nodes(document: DocumentModel) -> frozenset[int]:
    """Return the ids of all nodes in the on-screen keypads of a document, whose keys are digits or letters."""
    found: set[int] = set()
    for seen, node in enumerate(document.walk()):
        if seen > _MOST:
            break
        text = _read_lower_case_text(node)
        key = node.parent if node.kind == TEXT else node
        if (
            len(text) == 1
            and text.isalnum()
            and key is not None
            and node.id not in found
            and (pad := _find_keypad(key))
        ):
            found |= {each.id for each in iter_nodes(pad)}
    return frozenset(found)


def _drop_ops_on_nodes(event: Event, nodes: Set[int]) -> Event | None:
    """Return a ``mutation`` event without the ops that change these nodes, or None if no op is left."""
    ops = [op for op in cast(list[Any], event.get("ops") or []) if not _changes_one_of_nodes(op, nodes)]
    return {**event, "ops": ops} if ops else None


def _changes_one_of_nodes(op: Any, nodes: Set[int]) -> bool:
    if not isinstance(op, list) or len(op) < 2 or op[0] not in _TOUCHING:
        return False
    return any(type(part) is int and part in nodes for part in op[1:])


def _read_shown_text(node: Node) -> str:
    out = ""
    for at in iter_nodes(node):
        out += at.data.strip() if at.kind == TEXT else ""
        if len(out) > 8:
            break
    return out


def _is_keypad_key(clicked: Node) -> bool:
    return any(
        at.kind == ELEMENT and (_read_key_label(at) or len(_read_shown_text(at)) == 1)
        for at in islice(clicked.iter_upwards(), 3)
    )


def _read_lower_case_text(node: Node) -> str:
    """Return the text of a text node in lower case. For an element, return the accessible name of a key that shows no
    text, if it is one character. Otherwise return the empty string.
    """
    return node.data.strip().lower() if node.kind == TEXT else _read_key_label(node) if node.kind == ELEMENT else ""


def _read_key_label(node: Node) -> str:
    """Return the accessible name of a key that shows no text if it is one character, else the empty string."""
    value = node.attrs.get("aria-label") or node.attrs.get("value") or ""
    return value.lower() if len(value) == 1 else ""


def _find_keypad(clicked: Node) -> Node | None:
    """Return the on-screen keypad of a clicked key: the nearest ancestor with nine single digits or twenty single
    letters.
    """
    for at in islice(clicked.iter_upwards(), _UP) if _is_keypad_key(clicked) else ():
        if at.kind != ELEMENT:
            continue
        keys: set[str] = set()
        for seen, node in enumerate(iter_nodes(at)):
            if seen > _MOST // 4:
                return None
            text = _read_lower_case_text(node)
            if len(text) == 1 and text.isalnum():
                keys.add(text)
        if sum(k.isdigit() for k in keys) >= _DIGITS or sum(k.isalpha() for k in keys) >= _LETTERS:
            return at
    return None


def _document_asks_for_secret(document: DocumentModel) -> bool:
    """Return whether a document asks for a secret: it has a password field, a field that the recorder masked, or words
    that name a secret.
    """
    for seen, node in enumerate(document.walk()):
        if seen > _MOST:
            return True
        if node.kind == TEXT and (_SECRET.search(node.data[:200]) or _BULLETS.match(node.data.strip())):
            return True
        if node.kind == ELEMENT and (
            (node.state or {}).get("masked")
            or (node.name == "input" and node.attrs.get("type", "").lower() == "password")
            or any(
                _SECRET.search(node.attrs.get(a, ""))
                for a in ("placeholder", "aria-label", "autocomplete", "name", "id")
            )
        ):
            return True
    return False
