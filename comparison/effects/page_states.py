"""Finds the states that a page had before, during and after an action of its run, and the lines in these states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from pagereel.reading import to_url_key

from ..runs.run_items import ComparedRun, PageTextState, RunItem

_LAG: Final = 1500.0
"""Ms by which one page may be behind the other while they have not settled."""
_WHILE: Final = 200.0
"""Ms after which a text no longer counts as transient."""
_AHEAD: Final = 8
"""Largest number of later actions until a page that never settles is used as it is."""

_key_of_url = lru_cache(maxsize=4_096)(to_url_key)


def get_page_address_key(state: PageTextState) -> str:
    """Return the normalized address of a page's state, cached."""
    return _key_of_url(state.url)


def collect_lines_at_address(states: Iterable[PageTextState], address: str, lines: set[str] | None = None) -> set[str]:
    """Return the lines in those of the states that are at an address. `lines`: only these are searched."""
    sets = {id(shown): shown.line_key_set for shown in states if get_page_address_key(shown) == address}.values()
    if lines is not None:
        return {line for line in lines if any(line in one for one in sets)}
    return set[str]().union(*sets)


def iter_state_at_action_end(run: ComparedRun, action_number: int, page: int) -> Iterator[PageTextState]:
    """Yield the state of a page at the end of an action, if the page was open then."""
    if page in run.views[action_number].ends:
        yield run.views[action_number].ends[page]


def get_states_during_action(run: ComparedRun, item: RunItem, page: int) -> list[PageTextState]:
    """Return the states of a page during an action."""
    return run.views[item.place].between.get(page, [])


def get_states_near_action(run: ComparedRun, item: RunItem, page: int) -> list[PageTextState]:
    """Return the states of a page from shortly before an action until the page had settled after it."""
    states: list[PageTextState] = []
    place = item.place
    while place > 0 and (place == item.place or run.views[place].moment > item.t - _LAG):
        place -= 1
        states += _get_states_of_action(run, place, page)
    for place in range(item.place, _find_action_after_settling(run, item, page)):
        states += _get_states_of_action(run, place, page)
    return states


def get_states_shortly_after_action(run: ComparedRun, item: RunItem, page: int) -> list[PageTextState]:
    """Return the states of a page in the :data:`_LAG` ms after an action, because a page may pause before it is
    ready.
    """
    until = run.views[item.place].moment + _LAG
    states: list[PageTextState] = []
    for place in range(item.place + 1, len(run.views)):
        if run.done[place].t > until:
            break
        states += [each for each in _get_states_of_action(run, place, page) if each.t <= until]
    return states


def get_states_until_settled(run: ComparedRun, item: RunItem, page: int) -> list[PageTextState]:
    """Return the states of a page at the same address after an action, until it settled."""
    address = get_page_address_key(run.views[item.place].ends[page])
    states: list[PageTextState] = []
    for place in range(item.place + 1, _find_action_after_settling(run, item, page)):
        for shown in _get_states_of_action(run, place, page):
            if get_page_address_key(shown) != address:
                return states
            states.append(shown)
    return states


def get_states_since_moment(run: ComparedRun, item: RunItem, page: int, moment: float) -> list[PageTextState]:
    """Return the states of a page from a moment (ms) until the end of an action."""
    states: list[PageTextState] = []
    place = item.place
    while place >= 0 and run.views[place].moment >= moment:
        states += _get_states_of_action(run, place, page)
        place -= 1
    return states


def find_long_shown_lines(run: ComparedRun, item: RunItem, page: int) -> frozenset[str]:
    """Return the lines that a page showed at the end of an action and in all of the :data:`_WHILE` ms before."""
    moment = run.views[item.place].moment
    lines: frozenset[str] | None = None
    for place in range(item.place, -1, -1):
        for shown in (
            *iter_state_at_action_end(run, place, page),
            *reversed(get_states_during_action(run, run.done[place], page)),
        ):
            here = shown.line_key_set
            lines = here if lines is None else lines & here
            if not lines or shown.t <= moment - _WHILE:
                return lines
    return frozenset()


def _get_states_of_action(run: ComparedRun, action_number: int, page: int) -> tuple[PageTextState, ...]:
    """Return the states of a page during the action with this number and at its end."""
    return (
        *get_states_during_action(run, run.done[action_number], page),
        *iter_state_at_action_end(run, action_number, page),
    )


def _find_action_after_settling(run: ComparedRun, item: RunItem, page: int) -> int:
    """Return the number of the first action after a page had settled, at least :data:`_LAG` ms after the action `item`."""
    moment = run.views[item.place].moment
    for place in range(item.place, len(run.views)):
        view = run.views[place]
        if view.moment > moment + _LAG and (view.rests.get(page, True) or place > item.place + _AHEAD):
            return place + 1
    return len(run.views)
