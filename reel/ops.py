"""Checks the shape and depth of ops and trees inside page events.

The page model checks whether they fit the document.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from .limits import DEPTH
from .nodes import CONTENT, NODE_KINDS, SHADOW

_ID_MAX: Final = 2**53
_OFFSET_MAX: Final = 1e9
_LEAF_SIZES: Final = {kind.tag: kind.parts for kind in NODE_KINDS.values() if kind.parts}
_ROOTS: Final = frozenset({NODE_KINDS[SHADOW].tag, NODE_KINDS[CONTENT].tag})
_OPEN: Final = frozenset({"modal", "dialog", "popover", "fullscreen", ""})

Op = list[Any]


def is_too_deep(value: object) -> bool:
    """Return whether lists and dicts nest deeper than :data:`DEPTH`."""
    level = [value]
    for _ in range(DEPTH + 1):
        below: list[object] = []
        for item in level:
            if type(item) is list:
                below += item
            elif type(item) is dict:
                below += item.values()
        if not below:
            return False
        level = below
    return True


def find_ops_problem(ops: object) -> str | None:
    """Return the problem of a message's ops, or ``None`` if they are valid. Ops with unknown names pass if they are not
    too deep.
    """
    if type(ops) is not list:
        return "its ops are not a list"
    for index, op in enumerate(ops):
        if type(op) is not list or not op or type(op[0]) is not str:
            return f"op {index} is not a list with a name"
        kind = OPS.get(op[0])
        if kind is None:
            if is_too_deep(op):
                return f"op {index} is nested too deeply"
            continue
        try:
            sound = kind.check(op)
        except (IndexError, TypeError, ValueError, AttributeError):
            sound = False
        if sound is not True:
            return f"op {index} ({op[0]}) {sound or 'has the wrong shape'}"
    return None


def find_tree_problem(tree: object, *, root: bool = False) -> str | None:
    """Return the problem of a node's tree, or ``None`` if it is valid. `root`: whether it is a document's tree."""
    level: list[Any] = [tree]
    for depth in range(DEPTH):
        below: list[Any] = []
        for item in level:
            if type(item) is not list:
                if type(item) is str:
                    continue
                if type(item) is not int:
                    return "has something in its tree that is no node"
                if not 0 < item <= _ID_MAX:
                    return "names an impossible node"
                continue
            if not item:
                return "has something in its tree that is no node"
            tag, size = item[0], len(item)
            if type(tag) is not str or not tag:
                return "has an element without a tag"
            if tag[0] == "#":
                whole = _LEAF_SIZES.get(tag)
                if whole is not None:
                    if size != whole or not all(type(part) is str for part in item):
                        return f"has a malformed {tag}"
                    continue
                if tag not in _ROOTS and not (root and depth == 0 and tag == "#document"):
                    return f"has a {tag[:20]!r} where none can be"
                if size < 2 or type(item[1]) is not dict:
                    return "has an element without attributes"
            elif size < 2 or type(item[1]) is not dict:
                return "has an element without attributes"
            elif item[1]:
                for name, value in item[1].items():
                    if type(value) is not str or not name:
                        return "has an attribute that is no text"
            if size > 3:
                below += item[2:]
            elif size > 2 and type(item[2]) is not str:
                below.append(item[2])
        if not below:
            return None
        level = below
    return f"is nested deeper than {DEPTH}"


# A check returns True, False (a wrong shape) or a description.
_Check = Callable[[Op], "bool | str"]


def _is_id(value: object) -> bool:
    return type(value) is int and 0 < value <= _ID_MAX


def _is_number(value: object) -> bool:
    return (type(value) is int or type(value) is float) and -_OFFSET_MAX <= value <= _OFFSET_MAX


def _check_document(op: Op) -> bool | str:
    if len(op) != 3 or not _is_id(op[1]) or type(op[2]) is not list or op[2][0] != "#document":
        return False
    return find_tree_problem(op[2], root=True) or True


def _check_add(op: Op) -> bool | str:
    if type(op[1]) is not int or not 0 < abs(op[1]) <= _ID_MAX or not _is_id(op[2]):
        return False
    for tree in op[3:]:
        wrong = find_tree_problem(tree)
        if wrong is not None:
            return wrong
    return True


def _check_move(op: Op) -> bool:
    return type(op[1]) is int and 0 < abs(op[1]) <= _ID_MAX and all(map(_is_id, op[2:]))


def _check_id_list(op: Op) -> bool:
    return all(map(_is_id, op[1:]))


def _check_id_with_text(op: Op) -> bool:
    return len(op) == 3 and _is_id(op[1]) and type(op[2]) is str


def _check_attributes(op: Op) -> bool:
    if len(op) != 3 or not _is_id(op[1]) or type(op[2]) is not dict:
        return False
    return all(name and (value is None or type(value) is str) for name, value in op[2].items())


def _check_id_with_flag(op: Op) -> bool:
    return len(op) == 3 and _is_id(op[1]) and type(op[2]) is int and op[2] in (0, 1)


def _check_selected_options(op: Op) -> bool:
    return (
        len(op) == 3
        and _is_id(op[1])
        and type(op[2]) is list
        and all(type(index) is int and 0 <= index <= _ID_MAX for index in op[2])
    )


def _check_scroll_offsets(op: Op) -> bool:
    if len(op) == 6 and not (_is_id(op[4]) and _is_number(op[5])):
        return False
    return len(op) in (4, 6) and _is_id(op[1]) and _is_number(op[2]) and _is_number(op[3])


def _check_focus(op: Op) -> bool:
    if len(op) == 3 and not (type(op[2]) is int and op[2] in (0, 1)):
        return False
    return len(op) in (2, 3) and type(op[1]) is int and 0 <= op[1] <= _ID_MAX


def _check_pointer_targets(op: Op) -> bool:
    return len(op) == 4 and all(type(item) is int and 0 <= item <= _ID_MAX for item in op[1:])


def _check_selection(op: Op) -> bool:
    if len(op) == 6 and op[5] not in (1, 2):
        return False
    return len(op) in (5, 6) and all(type(item) is int and 0 <= item <= _ID_MAX for item in op[1:])


def _check_validation_bubble(op: Op) -> bool:
    if len(op) == 2:
        return type(op[1]) is int and op[1] == 0
    return (
        len(op) in (4, 5)
        and _is_id(op[1])
        and type(op[2]) is int
        and op[2] in (0, 1)
        and all(type(text) is str for text in op[3:])
    )


def _check_caption_cues(op: Op) -> bool:
    return (
        len(op) == 3
        and _is_id(op[1])
        and type(op[2]) is list
        and len(op[2]) <= 100
        and all(map(_is_caption_cue, op[2]))
    )


def _is_caption_cue(cue: Any) -> bool:
    start, end, text, how = cue
    plain = all(type(value) in (int, float, bool, str) for value in how.values())
    return type(how) is dict and plain and type(text) is str and _is_number(start) and _is_number(end)


def _check_highlight(op: Op) -> bool:
    return (
        len(op) == 4
        and type(op[1]) is str
        and (type(op[2]) is int or type(op[2]) is float)
        and -_ID_MAX <= op[2] <= _ID_MAX
        and type(op[3]) is list
        and len(op[3]) % 4 == 0
        and all(type(item) is int and 0 <= item <= _ID_MAX for item in op[3])
    )


def _check_sheet(op: Op) -> bool:
    if len(op) not in (4, 5) or not _is_id(op[1]) or type(op[2]) is not int or op[2] < 0 or type(op[3]) is not str:
        return False
    if len(op) == 4:
        return True
    options = op[4]
    return type(options.get("media", "")) is str and type(options.get("disabled", False)) is bool


def _check_id_with_ids(op: Op) -> bool:
    return len(op) == 3 and _is_id(op[1]) and type(op[2]) is list and all(map(_is_id, op[2]))


def _check_open_state(op: Op) -> bool:
    return len(op) == 3 and _is_id(op[1]) and op[2] in _OPEN


def _check_custom_states(op: Op) -> bool:
    return (
        len(op) == 3
        and _is_id(op[1])
        and type(op[2]) is list
        and len(op[2]) <= 100
        and all(type(name) is str and len(name) <= 200 for name in op[2])
    )


def _check_partly_filled_input(op: Op) -> bool:
    return len(op) == 3 and _is_id(op[1]) and len(op[2]) <= 20 and all(type(part) is str for part in op[2])


def _check_canvas_picture(op: Op) -> bool:
    return len(op) == 5 and _is_id(op[1]) and type(op[2]) is str and _is_number(op[3]) and _is_number(op[4])


def _check_media_state(op: Op) -> bool:
    if len(op) != 3 or not _is_id(op[1]):
        return False
    state = op[2]
    numbers = (state.get("time", 0), state.get("rate", 1), state.get("volume", 1))
    flags = (state.get("paused", True), state.get("muted", False))
    return all(map(_is_number, numbers)) and all(type(flag) is bool for flag in flags)


def _check_svg_drawing(op: Op) -> bool:
    if len(op) != 3 or not _is_id(op[1]) or type(op[2]) is not dict:
        return False
    return all(_is_number(value) or (name == "paused" and type(value) is bool) for name, value in op[2].items())


def _check_animation(op: Op) -> bool:
    if len(op) != 4 or not _is_id(op[1]) or not _is_id(op[2]):
        return False
    state = op[3]
    return state is None or ("rate" in state and "running" in state and _is_animation_state(state))


def _check_animation_group(op: Op) -> bool:
    named = all(_is_id(item) or type(item) is str for item in op[3:])
    return _is_id(op[1]) and _is_animation_state(op[2]) and named and (len(op) == 3 or type(op[3]) is str)


def _is_animation_state(state: Any) -> bool:
    return (
        type(state) is dict
        and state.get("type") in ("css", "transition", "script")
        and _is_number(state.get("time"))
        and _is_number(state.get("rate", 1))
        and type(state.get("running", True)) is bool
        and type(state.get("from", "")) is str
        and type(state.get("to", "")) is str
        and type(state.get("keyframes", [])) is list
        and type(state.get("timing", {})) is dict
        and not is_too_deep(state)
    )


@dataclass(frozen=True)
class OpKind:
    """One kind of op."""

    check: _Check
    words: bool = False
    """Whether it holds content of the page (texts, addresses, names, styles): a redaction rewrites such an op, and
    drops one that it has no rule for. Other ops pass a redaction unchanged.
    """
    rrweb: bool = False
    """Whether the export to rrweb writes it."""
    by: Literal["script", "recorder", "older"] = "script"
    """The op's origin: the injector, the recorder, or only recorders of older versions."""


OPS: Final[dict[str, OpKind]] = {
    "doc": OpKind(_check_document, words=True, rrweb=True),
    "add": OpKind(_check_add, words=True, rrweb=True),
    "move": OpKind(_check_move, words=True, rrweb=True),
    "del": OpKind(_check_id_list, rrweb=True),
    "text": OpKind(_check_id_with_text, words=True, rrweb=True),
    "attr": OpKind(_check_attributes, words=True, rrweb=True),
    "value": OpKind(_check_id_with_text, words=True, rrweb=True),
    "typed": OpKind(_check_partly_filled_input, words=True),
    "exact": OpKind(_check_id_with_text, words=True),
    "masked": OpKind(_check_id_with_text, words=True),
    "src": OpKind(_check_id_with_text, words=True, rrweb=True),
    "checked": OpKind(_check_id_with_flag, rrweb=True),
    "indeterminate": OpKind(_check_id_with_flag, rrweb=True),
    "selected": OpKind(_check_selected_options, rrweb=True),
    "scroll": OpKind(_check_scroll_offsets, rrweb=True),
    "focus": OpKind(_check_focus, rrweb=True),
    "pointed": OpKind(_check_pointer_targets),
    "selection": OpKind(_check_selection, words=True, rrweb=True),
    "bubble": OpKind(_check_validation_bubble, words=True),
    "sheet": OpKind(_check_sheet, words=True, rrweb=True),
    "unsheet": OpKind(_check_id_list),
    "adopt": OpKind(_check_id_with_ids, rrweb=True),
    "open": OpKind(_check_open_state, rrweb=True),
    "states": OpKind(_check_custom_states, words=True),
    "canvas": OpKind(_check_canvas_picture, words=True, rrweb=True, by="recorder"),
    "media": OpKind(_check_media_state, words=True, rrweb=True),
    "drawing": OpKind(_check_svg_drawing, words=True),
    "assign": OpKind(_check_id_with_ids),
    "highlight": OpKind(_check_highlight, words=True),
    "cues": OpKind(_check_caption_cues, words=True),
    "anims": OpKind(_check_animation_group, words=True),
    "anim": OpKind(_check_animation, words=True, by="older"),
    "unanim": OpKind(_check_id_list),
}
"""Every op of the format. The model (``reel/document.py``), the redaction (``redaction/content/document_masker.py``) and the
player's state apply them; ``tests/house/test_kinds.py`` checks that all of them, the injector's types and
docs/format.md agree with this table.
"""

BUILT_OPS: Final = frozenset({"shown", "css", "mode"})
"""Ops that a build adds for the player (``player_build/page_events.py``). In a recording they have no meaning, and a build
leaves them out.
"""
