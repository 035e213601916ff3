"""Differences in actions: calls in only one run, other targets, other values, failures; and the model's choices."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from pagereel.reel import MASK

from ..matching.item_pairing import ItemPair
from ..matching.json_values import iter_value_changes
from ..runs.normalization import normalize_line, normalize_value
from ..runs.run_items import NOTHING, RunItem
from ..runs.run_reader import is_read_only_call
from .difference import FoundDifference, Kind, Role, mark_plain_value, mark_quoted_value, shorten_value

_MOST: Final = 12
_UNEXPECTED: Final = re.compile(r"unexpected value (\"[^\"\n]*\")")
_NOT_TOLD: Final = frozenset({"wait_timeout", "timeout", "omit_return_value", "wait_until", "arg", "expression"})
"""Parameters that describe how a call waits, not what it does; scripts are identified by the call's address."""


def find_action_differences(pairs: Sequence[ItemPair]) -> list[FoundDifference]:
    """Return the differences in actions, in the order of the pairs."""
    found: list[FoundDifference] = []
    end = count_reached_pairs(pairs)
    for pair in pairs[:end]:
        if pair.a is not None and pair.b is not None:
            found += _compare_paired_items(pair, pair.a, pair.b)
        elif _may_report_unpaired(pair):
            found.append(_report_unpaired_item(pair))
    left = [pair for pair in pairs[end:] if _may_report_unpaired(pair)]
    return [*found, *(_report_unreached_actions(left) if len(left) > 1 else map(_report_unpaired_item, left))]


def count_reached_pairs(pairs: Sequence[ItemPair]) -> int:
    """Return how many of the pairs come before the second run's end, as the number of the last pair that has an item of
    it.

    All later pairs have only an item of the first run.
    """
    return max((number for number, pair in enumerate(pairs, 1) if pair.b is not None), default=0)


def _may_report_unpaired(pair: ItemPair) -> bool:
    """Return whether an item that only one run has may be reported; a call that only reads, or a step with items, is
    not.
    """
    return not is_read_only_call(pair.present_item) and (
        pair.present_item.kind != "step" or not pair.present_item.items
    )


def _report_unreached_actions(unreached: Sequence[ItemPair]) -> list[FoundDifference]:
    """Return one difference for all actions that the second run did not reach."""
    first = unreached[0].present_item
    sentence = f"the run ends here: {_describe_action(first)} and {len(unreached) - 1} more were not done"
    return [
        FoundDifference(
            "action", "end", first.title, None, sentence, first.t, None, first, None, ("end",), "end", role="code"
        )
    ]


def _get_difference_kind(item: RunItem) -> Kind:
    return "model" if item.kind in ("model", "tool") else "action"


def _compare_paired_items(pair: ItemPair, a: RunItem, b: RunItem) -> Iterator[FoundDifference]:
    place = ("pair", a.kind, a.id if a.id is not None else a.place)
    kind = _get_difference_kind(b)
    if pair.kind == "moved" and not is_read_only_call(a) and a.kind != "step":
        yield FoundDifference(
            kind, f"{mark_plain_value(a.title)}, order", a.title, b.title, f"{_describe_action(b)} came at another point", a.t, b.t, a, b, (*place, "moved"), "moved",
        )  # fmt: skip
    if a.kind == "model":
        yield from _compare_model_calls(a, b, place)
    elif a.kind == "tool":
        yield from _compare_tool_calls(a, b, place)
    elif (
        a.kind != "step"
        and normalize_line(_get_target_text(a)) != normalize_line(_get_target_text(b))
        and not is_read_only_call(b)
    ):
        ours, theirs = (a.title, b.title) if a.title != b.title else (_get_target_text(a), _get_target_text(b))
        yield FoundDifference(
            kind, f"{mark_plain_value(a.title)}, target", ours, theirs, f"the call {mark_quoted_value(theirs, 'code')} was made instead of {mark_quoted_value(ours, 'code')}", a.t, b.t, a, b, (*place, "target"),
            normalize_line(_get_target_text(b)), role="code",
        )  # fmt: skip
    elif a.kind == "call":
        yield from _compare_parameters(a, b, place)
    if a.tries != b.tries and len(a.tries) != len(b.tries) and a.kind != "step":
        sentence = f"{_describe_action(b)} needed {len(b.tries) + 1} tries instead of {len(a.tries) + 1}"
        yield FoundDifference(
            "action", f"{mark_plain_value(a.title)}, tries", len(a.tries) + 1, len(b.tries) + 1, sentence, a.t, b.t, a, b, (*place, "tries"), len(b.tries),
        )  # fmt: skip
    if bool(a.error) != bool(b.error):
        yield _report_one_sided_failure(a, b, place)
    elif a.error and b.error and _get_first_line_key(a.error) != _get_first_line_key(b.error):
        sentence = f"{_describe_action(b)} fails with {mark_quoted_value(_get_first_line(b.error))} instead of {mark_quoted_value(_get_first_line(a.error))}"
        yield FoundDifference(
            "action", f"{mark_plain_value(a.title)}, error", shorten_value(a.error), shorten_value(b.error), sentence, a.end, b.end, a, b, (*place, "error"), _get_first_line_key(b.error)
        )  # fmt: skip


def _report_one_sided_failure(a: RunItem, b: RunItem, identity: tuple[Any, ...]) -> FoundDifference:
    is_step = b.kind == "step"
    what = f"the step {mark_quoted_value(b.title)}" if is_step else _describe_action(b)
    sentence = (
        f"{what} fails: {mark_quoted_value(_get_failure_message(b.error))}" if b.error else f"{what} does not fail"
    )
    return FoundDifference(
        "outcome" if is_step else "action", f"{mark_plain_value(b.title)}, error", shorten_value(a.error), shorten_value(b.error), sentence, a.end, b.end, a, b,
        (*identity, "error"), _get_first_line_key(b.error or ""),
    )  # fmt: skip


def _report_unpaired_item(pair: ItemPair) -> FoundDifference:
    item = pair.present_item
    what = f"the step {mark_quoted_value(item.title)}" if item.kind == "step" else _describe_action(item)
    came = pair.b is not None
    sentence = f"{what} was {'added' if came else 'left out'}"
    anchor: tuple[Any, ...] = ("alone", item.key)
    return FoundDifference(
        _get_difference_kind(item), f"{item.kind} {mark_plain_value(item.title)}", None if came else item.title, item.title if came else None, sentence,
        None if came else item.t, item.t if came else None, pair.a, pair.b, (*anchor, came), item.key if came else None,
    )  # fmt: skip


def _compare_parameters(a: RunItem, b: RunItem, identity: tuple[Any, ...]) -> Iterator[FoundDifference]:
    ours, theirs = a.event.get("params"), b.event.get("params")
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        return
    for change in iter_value_changes(_select_parameters(ours), _select_parameters(theirs)):
        if MASK in (change.a, change.b):
            continue
        role: Role = "address" if change.path == "$.url" else "value"
        sentence = f"{_describe_action(b)} was made with {mark_quoted_value(change.b, role)} instead of {mark_quoted_value(change.a, role)}"
        yield FoundDifference(
            "action", f"{mark_plain_value(b.title)}, {mark_plain_value(change.path.removeprefix('$.'))}", shorten_value(change.a), shorten_value(change.b), sentence, a.t, b.t, a, b,
            (*identity, change.path), normalize_value(change.b), role=role,
        )  # fmt: skip


def _select_parameters(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name not in _NOT_TOLD}


def _compare_tool_calls(a: RunItem, b: RunItem, identity: tuple[Any, ...]) -> Iterator[FoundDifference]:
    if a.event.get("name") != b.event.get("name"):
        sentence = (
            f"the tool {mark_quoted_value(b.event['name'])} was called instead of {mark_quoted_value(a.event['name'])}"
        )
        yield FoundDifference(
            "model", "tool", a.event["name"], b.event["name"], sentence, a.t, b.t, a, b, (*identity, "name"), b.event["name"]
        )  # fmt: skip
        return
    name = str(b.event["name"])
    for number, change in enumerate(iter_value_changes(a.event.get("arguments"), b.event.get("arguments"))):
        if number < _MOST:
            sentence = f"the tool {mark_quoted_value(name)} was called with {mark_plain_value(change.path.removeprefix('$.'))} {mark_quoted_value(change.b, 'tree')} instead of {mark_quoted_value(change.a, 'tree')}"
            yield FoundDifference(
                "model", f"{mark_plain_value(name)}, argument {mark_plain_value(change.path)}", shorten_value(change.a), shorten_value(change.b), sentence, a.t, b.t, a, b,
                (*identity, "argument", change.path), normalize_value(change.b), role="tree",
            )  # fmt: skip
    if "result" in a.event and "result" not in b.event:
        if not b.error:
            sentence = f"the tool {mark_quoted_value(name)} does not come back"
            back = (*identity, "back")
            yield FoundDifference(
                "action", "tool", a.title, None, sentence, a.end, b.end, a, b, back, "lost", role="code", minor=True
            )
        return
    for number, change in enumerate(iter_value_changes(a.event.get("result"), b.event.get("result"))):
        if number < _MOST:
            sentence = f"the tool {mark_quoted_value(name)} gave {mark_plain_value(change.path.removeprefix('$.'))} {mark_quoted_value(change.b, 'tree')} instead of {mark_quoted_value(change.a, 'tree')}"
            yield FoundDifference(
                "action", f"{mark_plain_value(name)}, result {mark_plain_value(change.path)}", shorten_value(change.a), shorten_value(change.b), sentence, a.end, b.end, a, b,
                (*identity, "result", change.path), normalize_value(change.b), role="tree",
            )  # fmt: skip


def _compare_model_calls(a: RunItem, b: RunItem, identity: tuple[Any, ...]) -> Iterator[FoundDifference]:
    for field in ("provider", "model"):
        if a.event.get(field) != b.event.get(field):
            ours, theirs = a.event.get(field), b.event.get(field)
            sentence = f"the {field} {mark_quoted_value(theirs)} was asked instead of {mark_quoted_value(ours)}"
            yield FoundDifference(
                "model", field, ours, theirs, sentence, a.t, b.t, a, b, (*identity, field), str(theirs)
            )
    for number, change in enumerate(
        iter_value_changes(_drop_model_answers(a.event.get("prompt")), _drop_model_answers(b.event.get("prompt")))
    ):
        if number < _MOST:
            sentence = f"the model was asked {_describe_prompt_change(change.a, change.b)}"
            yield FoundDifference(
                "model", f"prompt {mark_plain_value(change.path)}", shorten_value(change.a), shorten_value(change.b), sentence, a.t, b.t, a, b,
                (*identity, "prompt", change.path), normalize_value(change.b), role="tree",
            )  # fmt: skip
    ours, theirs = _find_tool_calls(a.event.get("response")), _find_tool_calls(b.event.get("response"))
    for number, change in enumerate(iter_value_changes(ours, theirs)):
        if number < _MOST:
            sentence = f"the model chose {mark_quoted_value(change.b, 'tree')} instead of {mark_quoted_value(change.a, 'tree')}"
            yield FoundDifference(
                "model", f"choice {mark_plain_value(change.path)}", shorten_value(change.a), shorten_value(change.b), sentence, a.t, b.t, a, b,
                (*identity, "choice", change.path), normalize_value(change.b), role="tree",
            )  # fmt: skip


def _drop_model_answers(prompt: Any) -> Any:
    """Return a prompt without the model's own earlier answers, which vary each time."""
    if isinstance(prompt, list):
        return [m for m in prompt if not (isinstance(m, dict) and m.get("role") in ("assistant", "ai", "model"))]
    return prompt


def _find_tool_calls(response: Any) -> Any:
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
                found.append({"tool": here["name"], "arguments": _parse_json_or_keep(given)})
            else:
                stack += reversed([value for value in here.values() if isinstance(value, dict | list)])
    return found


def _parse_json_or_keep(text: Any) -> Any:
    if isinstance(text, str):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _describe_prompt_change(a: Any, b: Any) -> str:
    """Return a phrase with the differing part of two prompts: ``“new” instead of “old”``."""
    if not isinstance(a, str) or not isinstance(b, str):
        return f"{mark_quoted_value(b)} instead of {mark_quoted_value(a)}"
    ours, theirs = a.split(), b.split()
    start = 0
    while start < min(len(ours), len(theirs)) and ours[start] == theirs[start]:
        start += 1
    end = 0
    while end < min(len(ours), len(theirs)) - start and ours[-1 - end] == theirs[-1 - end]:
        end += 1
    lead = max(start - 2, 0)
    shown = [" ".join(words[lead : len(words) - end]) for words in (theirs, ours)]
    return f"{mark_quoted_value(shown[0])} instead of {mark_quoted_value(shown[1])}"


def _get_target_text(item: RunItem) -> str:
    if item.kind != "call":
        return item.key
    params = item.event.get("params") or {}
    about = item.event.get("locator") or (params.get("selector") if isinstance(params, dict) else "") or ""
    return f"{item.event.get('method')} {about}" if about else item.key


def _describe_action(item: RunItem) -> str:
    if item.kind in ("call", "press", "visit"):
        return f"the {'call' if item.kind == 'call' else 'action'} {mark_quoted_value(item.title, 'code')}"
    return f"the {'tool' if item.kind == 'tool' else 'model'} {mark_quoted_value(item.title)}"


def _get_failure_message(error: str) -> str:
    """Return the first line of an error, and for a failed expectation also the actual value from the error's call
    log.
    """
    first, found = _get_first_line(error), _UNEXPECTED.findall(error)
    return f"{first}: it was {found[-1]}" if found and first.endswith("Expect failed") else first


def _get_first_line(text: str | None) -> str:
    return (text or "").strip().split("\n", 1)[0].rstrip(".")


def _get_first_line_key(text: str) -> str:
    return normalize_line(_get_first_line(text))
