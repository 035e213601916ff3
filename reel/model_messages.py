"""Stores each message to a model once, and rebuilds prompts and the exact bytes of requests from the messages.

An agent sends its whole conversation with each turn. A `said` event holds one message (or the definition of a tool); an
`llm` event lists the numbers of its messages. The body of a request is stored as a *recipe*: the text between the
messages, and the messages' numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Final, cast

import orjson

from .events import Event, Json

FORMS: Final[dict[str, Callable[[Json], str]]] = {
    "compact": lambda value: orjson.dumps(value).decode(),
    "spaced": lambda value: json.dumps(value, ensure_ascii=False),
    "ascii": lambda value: json.dumps(value, separators=(",", ":")),
    "spaced-ascii": lambda value: json.dumps(value),
}
"""Ways to write JSON: JavaScript and present Python clients, and Python's `json` by default."""
TOOL: Final = "tool definition"
"""The role of a `said` event that holds a tool's definition."""
SYSTEM: Final = frozenset({"system", "developer"})
"""The roles of instructions."""

Recipe = list[Json]
"""Texts and numbers of `said` events, in order."""
_Place = tuple[int, int, int]
"""Begin and end of a message in the text, and its number."""


def build_recipe(text: str, numbered_messages: Iterable[tuple[int, Json]]) -> tuple[str, Recipe] | None:
    """Return the JSON style of the messages in a text, and the text's recipe: the text with numbers in place of the
    messages. Return None if the text contains no message.

    `numbered_messages`: number and content of each message, in any order.
    """
    numbered_messages = list(numbered_messages)
    best: tuple[int, str, list[_Place]] = (0, "", [])
    for form, written in FORMS.items():
        found = _find_message_spans(text, numbered_messages, written)
        covered = sum(end - start for start, end, _ in found)
        if covered > best[0]:
            best = covered, form, found
        if len(found) == len(numbered_messages):
            break
    return (best[1], _cut_text_at_messages(text, sorted(best[2]))) if best[0] else None


def _find_message_spans(
    text: str, numbered_messages: list[tuple[int, Json]], to_json_text: Callable[[Json], str]
) -> list[_Place]:
    """Return begin, end and number of each message that the text contains in the JSON style of `to_json_text`."""
    found: list[_Place] = []
    cursor = 0
    for number, value in numbered_messages:
        try:
            piece = to_json_text(value)
        except (TypeError, ValueError, RecursionError):
            continue
        # Messages are in order, but instructions and tools may be before or after them.
        at = text.find(piece, cursor)
        at = text.find(piece) if at < 0 else at
        if at >= 0:
            cursor = at + len(piece)
            found.append((at, cursor, number))
    return found


def _cut_text_at_messages(text: str, message_spans: list[_Place]) -> Recipe:
    recipe: Recipe = []
    cursor = 0
    for start, end, number in message_spans:
        if start < cursor:
            continue  # inside of another message
        if start > cursor:
            recipe.append(text[cursor:start])
        recipe.append(number)
        cursor = end
    if cursor < len(text):
        recipe.append(text[cursor:])
    return recipe


def shorten_recipe(recipe: Recipe, message_numbers: list[int]) -> tuple[Recipe, list[list[int]]]:
    """Return a shorter recipe, from which each run of messages in the order of `message_numbers` is left out, and a list of these
    runs.

    A run is `[place, begin, end]`: at the index `place` of the shorter recipe are the run's first number and the text
    that follows each of its messages; `begin` and `end` are its range in `message_numbers`, with 0 for an end at the end of
    `message_numbers`. So an agent's hundredth request is as short as its first. `message_numbers`: the numbers of the messages of the
    request's `llm` event.
    """
    parts: Recipe = []
    runs: list[list[int]] = []
    at = 0
    while at < len(recipe):
        item = recipe[at]
        count = _count_run_length(recipe, at, message_numbers) if type(item) is int else 1
        if count > 2:
            start = message_numbers.index(cast(int, item))
            runs.append([len(parts), start, start + count if start + count < len(message_numbers) else 0])
            parts += recipe[at : at + 2]
            at += 2 * count - 1
        else:
            parts.append(item)
            at += 1
    return parts, runs


def _count_run_length(recipe: Recipe, at: int, message_numbers: list[int]) -> int:
    """Return how many messages from the index `at` of a recipe on are in the order of `message_numbers` and have the same text
    between them.
    """
    if recipe[at] not in message_numbers:
        return 1
    start, count = message_numbers.index(cast(int, recipe[at])), 1
    between = recipe[at + 1] if at + 1 < len(recipe) else None
    while (
        isinstance(between, str) and start + count < len(message_numbers) and recipe[at + 2 * count - 1 : at + 2 * count] == [between]
        and recipe[at + 2 * count : at + 2 * count + 1] == [message_numbers[start + count]]
    ):  # fmt: skip
        count += 1
    return count


def expand_recipe(recipe: Recipe, runs: Iterable[Iterable[int]], message_numbers: list[int]) -> Recipe:
    """Return the full recipe from the result of :func:`shorten_recipe`.

    :param recipe: the shortened recipe.
    :param runs: `[place, begin, end]` of each left-out run, as :func:`shorten_recipe` returned them.
    :param message_numbers: the numbers of the call's messages.
    :raises ValueError: the runs are invalid; IndexError likewise.
    """
    parts: Recipe = []
    at = 0
    for place, start, end in runs:
        parts += recipe[at:place]
        for number in message_numbers[start : end or None]:
            parts += [number, recipe[place + 1]]
        parts.pop()
        at = place + 2
    return parts + recipe[at:]


def build_text_of_recipe(json_style: str, recipe: Recipe, message_numbers: Mapping[int, Json]) -> str | None:
    """Return the text that a recipe describes; None if a message is missing, or the JSON style `json_style` is unknown."""
    written = FORMS.get(json_style)
    if written is None:
        return None
    pieces: list[str] = []
    for item in recipe:
        if isinstance(item, str):
            pieces.append(item)
        elif type(item) is int and item in message_numbers:
            pieces.append(written(message_numbers[item]))
        else:
            return None
    return "".join(pieces)


class ModelMessageStore:
    """The messages of a recording, by number. It must receive the events in order."""

    def __init__(self) -> None:
        self._events: dict[int, Event] = {}

    def store_message(self, event: Event) -> None:
        """Store the message of a `said` event; other events are ignored."""
        if event.get("k") == "said":
            self._events[cast(int, event["id"])] = event

    def fill_in_messages(self, event: Event) -> Event:
        """Return an event with the messages that it refers to filled in: an `llm` event with its `prompt`, a
        `tool_result` with its `result`. Other events are returned unchanged.
        """
        kind, named = event.get("k"), event.get("said")
        if kind == "llm" and isinstance(named, list) and event.get("prompt") is None:
            known = [self._events[number] for number in named if type(number) is int and number in self._events]
            return event | {"prompt": [_build_message(each) for each in known]} if known else event
        if kind == "tool_result" and type(named) is int and named in self._events and "result" not in event:
            return event | {"result": _get_value_at_path(self._events[named].get("content"), event.get("path"))}
        return event


def _get_value_at_path(value: Json, path: Json) -> Json:
    """Return the value at a path of keys and indexes; None if there is none."""
    for step in path if isinstance(path, list) else ():
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and type(step) is int and 0 <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def _build_message(event: Event) -> Json:
    """Return the message of a `said` event with its role, which some providers do not write into the message."""
    role, content = event.get("role"), event.get("content")
    if not isinstance(content, dict):
        return {"role": role, "content": content}
    return content | {"role": role} if role in SYSTEM or "role" not in content else content
