"""Drops those parameters of addresses from all runs that have other values in each expected run, such as tokens."""

from __future__ import annotations

from collections.abc import Sequence

from .runs.run_items import ComparedRun
from .runs.run_reader import find_polls


def drop_varying_parameters(expected_runs: Sequence[ComparedRun], second_run: ComparedRun) -> None:
    """Drop from the requests of all runs each parameter of which no two expected runs have a value in common."""
    known: dict[tuple[str, str], list[set[str]]] = {}
    for run in expected_runs:
        values: dict[tuple[str, str], set[str]] = {}
        for request in run.requests:
            for parameter in request.url.partition("?")[2].split("&"):
                name, _, value = parameter.partition("=")
                values.setdefault((request.key.partition("?")[0], name), set()).add(value)
        for place, own in values.items():
            known.setdefault(place, []).append(own)
    varying = {
        place for place, sets in known.items() if len(sets) > 1 and sum(map(len, sets)) == len(set[str]().union(*sets))
    }
    for run in (*expected_runs, second_run) if varying else ():
        for request in run.requests:
            path = request.key.partition("?")[0]
            request.url, request.key = (
                _drop_parameters(text, {name for place, name in varying if place == path})
                for text in (request.url, request.key)
            )
        run.polls = find_polls(run)


def _drop_parameters(address: str, names: set[str]) -> str:
    path, _, query = address.partition("?")
    kept = "&".join(parameter for parameter in query.split("&") if parameter.partition("=")[0] not in names)
    return f"{path}?{kept}" if kept else path
