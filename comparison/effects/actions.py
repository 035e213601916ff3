"""Differences in actions: calls in only one run, other targets, other values, failures; and the model's choices."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from pagereel.reading import value_key

from ..matching.pairing import Pair
from ..matching.values import changes
from ..runs.folding import folded
from ..runs.items import NOTHING, Item
from ..runs.run import changes_nothing
from .difference import FoundDifference, Kind, Role, plainly, quoted, shortened

_MOST: Final = 12
_UNEXPECTED: Final = re.compile(r"unexpected value (\"[^\"\n]*\")")
_NOT_TOLD: Final = frozenset({"wait_timeout", "timeout", "omit_return_value", "wait_until", "arg", "expression"})
"""Parameters that describe how a call waits, not what it does; scripts are identified by the call's address."""


def action_differences(pairs: Sequence[Pair]) -> list[FoundDifference]:
    """Return the differences in actions, in the order of the pairs."""
    found: list[FoundDifference] = []
    end = end_of(pairs)
    for pair in pairs[:end]:
        if pair.a is not None and pair.b is not None:
            found += _both(pair, pair.a, pair.b)
        elif _does(pair):
            found.append(_alone(pair))
    left = [pair for pair in pairs[end:] if _does(pair)]
    return [*found, *(_rest(left) if len(left) > 1 else map(_alone, left))]


def end_of(pairs: Sequence[Pair]) -> int:
    """Return the number of pairs up to the last one that the second run has: all later ones are only in the first
    run.
    """
    return max((number for number, pair in enumerate(pairs, 1) if pair.b is not None), default=0)


def _does(pair: Pair) -> bool:
    return not changes_nothing(pair.either) and (pair.either.kind != "step" or not pair.either.items)


def _rest(left: Sequence[Pair]) -> list[FoundDifference]:
    """Return one difference for all actions that the second run did not reach."""
    first = left[0].either
    sentence = f"the run ends here: {_did(first)} and {len(left) - 1} more were not done"
    return [
        FoundDifference(
            "action", "end", first.title, None, sentence, first.t, None, first, None, ("end",), "end", role="code"
        )
    ]


def _kind(item: Item) -> Kind:
    return "model" if item.kind in ("model", "tool") else "action"


def _both(pair: Pair, a: Item, b: Item) -> Iterator[FoundDifference]:
    place = ("pair", a.kind, a.id if a.id is not None else a.place)
    kind = _kind(b)
    if pair.kind == "moved" and not changes_nothing(a) and a.kind != "step":
        yield FoundDifference(
            kind, f"{plainly(a.title)}, order", a.title, b.title, f"{_did(b)} came at another point", a.t, b.t, a, b, (*place, "moved"), "moved",
        )  # fmt: skip
    if a.kind == "model":
        yield from _model(a, b, place)
    elif a.kind == "tool":
        yield from _tool(a, b, place)
    elif a.kind != "step" and value_key(_target(a)) != value_key(_target(b)) and not changes_nothing(b):
        ours, theirs = (a.title, b.title) if a.title != b.title else (_target(a), _target(b))
        yield FoundDifference(
            kind, f"{plainly(a.title)}, target", ours, theirs, f"the call {quoted(theirs, 'code')} was made instead of {quoted(ours, 'code')}", a.t, b.t, a, b, (*place, "target"),
            value_key(_target(b)), role="code",
        )  # fmt: skip
    elif a.kind == "call":
        yield from _params(a, b, place)
    if a.tries != b.tries and len(a.tries) != len(b.tries) and a.kind != "step":
        sentence = f"{_did(b)} needed {len(b.tries) + 1} tries instead of {len(a.tries) + 1}"
        yield FoundDifference(
            "action", f"{plainly(a.title)}, tries", len(a.tries) + 1, len(b.tries) + 1, sentence, a.t, b.t, a, b, (*place, "tries"), len(b.tries),
        )  # fmt: skip
    if bool(a.error) != bool(b.error):
        yield _failure(a, b, place)
    elif a.error and b.error and _first(a.error) != _first(b.error):
        sentence = f"{_did(b)} fails with {quoted(_first_line(b.error))} instead of {quoted(_first_line(a.error))}"
        yield FoundDifference(
            "action", f"{plainly(a.title)}, error", shortened(a.error), shortened(b.error), sentence, a.end, b.end, a, b, (*place, "error"), _first(b.error)
        )  # fmt: skip


def _failure(a: Item, b: Item, place: tuple[Any, ...]) -> FoundDifference:
    is_step = b.kind == "step"
    what = f"the step {quoted(b.title)}" if is_step else _did(b)
    sentence = f"{what} fails: {quoted(_reason(b.error))}" if b.error else f"{what} does not fail"
    return FoundDifference(
        "outcome" if is_step else "action", f"{plainly(b.title)}, error", shortened(a.error), shortened(b.error), sentence, a.end, b.end, a, b,
        (*place, "error"), _first(b.error or ""),
    )  # fmt: skip


def _alone(pair: Pair) -> FoundDifference:
    item = pair.either
    what = f"the step {quoted(item.title)}" if item.kind == "step" else _did(item)
    came = pair.b is not None
    sentence = f"{what} was {'added' if came else 'left out'}"
    anchor: tuple[Any, ...] = ("alone", item.key)
    return FoundDifference(
        _kind(item), f"{item.kind} {plainly(item.title)}", None if came else item.title, item.title if came else None, sentence,
        None if came else item.t, item.t if came else None, pair.a, pair.b, (*anchor, came), item.key if came else None,
    )  # fmt: skip


def _params(a: Item, b: Item, place: tuple[Any, ...]) -> Iterator[FoundDifference]:
    ours, theirs = a.event.get("params"), b.event.get("params")
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        return
    for change in changes(_compared_params(ours), _compared_params(theirs)):
        role: Role = "address" if change.path == "$.url" else "value"
        sentence = f"{_did(b)} was made with {quoted(change.b, role)} instead of {quoted(change.a, role)}"
        yield FoundDifference(
            "action", f"{plainly(b.title)}, {plainly(change.path.removeprefix('$.'))}", shortened(change.a), shortened(change.b), sentence, a.t, b.t, a, b,
            (*place, change.path), folded(change.b), role=role,
        )  # fmt: skip


def _compared_params(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name not in _NOT_TOLD}


def _tool(a: Item, b: Item, place: tuple[Any, ...]) -> Iterator[FoundDifference]:
    if a.event.get("name") != b.event.get("name"):
        sentence = f"the tool {quoted(b.event['name'])} was called instead of {quoted(a.event['name'])}"
        yield FoundDifference(
            "model", "tool", a.event["name"], b.event["name"], sentence, a.t, b.t, a, b, (*place, "name"), b.event["name"]
        )  # fmt: skip
        return
    name = str(b.event["name"])
    for number, change in enumerate(changes(a.event.get("arguments"), b.event.get("arguments"))):
        if number < _MOST:
            sentence = f"the tool {quoted(name)} was called with {plainly(change.path.removeprefix('$.'))} {quoted(change.b, 'tree')} instead of {quoted(change.a, 'tree')}"
            yield FoundDifference(
                "model", f"{plainly(name)}, argument {plainly(change.path)}", shortened(change.a), shortened(change.b), sentence, a.t, b.t, a, b,
                (*place, "argument", change.path), folded(change.b), role="tree",
            )  # fmt: skip
    if "result" in a.event and "result" not in b.event:
        if not b.error:
            sentence = f"the tool {quoted(name)} does not come back"
            back = (*place, "back")
            yield FoundDifference(
                "action", "tool", a.title, None, sentence, a.end, b.end, a, b, back, "lost", role="code", minor=True
            )
        return
    for number, change in enumerate(changes(a.event.get("result"), b.event.get("result"))):
        if number < _MOST:
            sentence = f"the tool {quoted(name)} gave {plainly(change.path.removeprefix('$.'))} {quoted(change.b, 'tree')} instead of {quoted(change.a, 'tree')}"
            yield FoundDifference(
                "action", f"{plainly(name)}, result {plainly(change.path)}", shortened(change.a), shortened(change.b), sentence, a.end, b.end, a, b,
                (*place, "result", change.path), folded(change.b), role="tree",
            )  # fmt: skip


def _model(a: Item, b: Item, place: tuple[Any, ...]) -> Iterator[FoundDifference]:
    for field in ("provider", "model"):
        if a.event.get(field) != b.event.get(field):
            ours, theirs = a.event.get(field), b.event.get(field)
            sentence = f"the {field} {quoted(theirs)} was asked instead of {quoted(ours)}"
            yield FoundDifference("model", field, ours, theirs, sentence, a.t, b.t, a, b, (*place, field), str(theirs))
    for number, change in enumerate(changes(_asked(a.event.get("prompt")), _asked(b.event.get("prompt")))):
        if number < _MOST:
            sentence = f"the model was asked {_differing(change.a, change.b)}"
            yield FoundDifference(
                "model", f"prompt {plainly(change.path)}", shortened(change.a), shortened(change.b), sentence, a.t, b.t, a, b,
                (*place, "prompt", change.path), folded(change.b), role="tree",
            )  # fmt: skip
    ours, theirs = _chosen(a.event.get("response")), _chosen(b.event.get("response"))
    for number, change in enumerate(changes(ours, theirs)):
        if number < _MOST:
            sentence = f"the model chose {quoted(change.b, 'tree')} instead of {quoted(change.a, 'tree')}"
            yield FoundDifference(
                "model", f"choice {plainly(change.path)}", shortened(change.a), shortened(change.b), sentence, a.t, b.t, a, b,
                (*place, "choice", change.path), folded(change.b), role="tree",
            )  # fmt: skip


def _asked(prompt: Any) -> Any:
    """Return a prompt without the model's own earlier answers, which vary each time."""
    if isinstance(prompt, list):
        return [m for m in prompt if not (isinstance(m, dict) and m.get("role") in ("assistant", "ai", "model"))]
    return prompt


def _chosen(response: Any) -> Any:
    """Return the tool calls in a model's answer, with their arguments. The answer's text is left out, because it varies
    each time.
    """
    found: list[Any] = []
    stack = [response]
    while stack and len(found) < 100:
        here = stack.pop()
        if isinstance(here, list):
            stack += reversed(here)
        elif isinstance(here, dict):
            given = next((here[name] for name in ("arguments", "args", "input") if name in here), NOTHING)
            if isinstance(here.get("name"), str) and given is not NOTHING:
                found.append({"tool": here["name"], "arguments": _parsed(given)})
            else:
                stack += reversed([value for value in here.values() if isinstance(value, dict | list)])
    return found


def _parsed(given: Any) -> Any:
    if isinstance(given, str):
        try:
            return json.loads(given)
        except ValueError:
            return given
    return given


def _differing(a: Any, b: Any) -> str:
    """Return a phrase with the differing part of two prompts: ``“new” instead of “old”``."""
    if not isinstance(a, str) or not isinstance(b, str):
        return f"{quoted(b)} instead of {quoted(a)}"
    ours, theirs = a.split(), b.split()
    start = 0
    while start < min(len(ours), len(theirs)) and ours[start] == theirs[start]:
        start += 1
    end = 0
    while end < min(len(ours), len(theirs)) - start and ours[-1 - end] == theirs[-1 - end]:
        end += 1
    lead = max(start - 2, 0)
    shown = [" ".join(words[lead : len(words) - end]) for words in (theirs, ours)]
    return f"{quoted(shown[0])} instead of {quoted(shown[1])}"


def _target(item: Item) -> str:
    if item.kind != "call":
        return item.key
    params = item.event.get("params") or {}
    about = item.event.get("locator") or (params.get("selector") if isinstance(params, dict) else "") or ""
    return f"{item.event.get('method')} {about}" if about else item.key


def _did(item: Item) -> str:
    if item.kind in ("call", "press", "visit"):
        return f"the {'call' if item.kind == 'call' else 'action'} {quoted(item.title, 'code')}"
    return f"the {'tool' if item.kind == 'tool' else 'model'} {quoted(item.title)}"


def _reason(error: str) -> str:
    """Return the first line of an error, and for a failed expectation also the actual value from the error's call
    log.
    """
    first, found = _first_line(error), _UNEXPECTED.findall(error)
    return f"{first}: it was {found[-1]}" if found and first.endswith("Expect failed") else first


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n", 1)[0].rstrip(".")


def _first(text: str) -> str:
    return value_key(_first_line(text))
