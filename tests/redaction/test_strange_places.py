"""Nothing of a person comes out of places that somebody who does not know the redaction's code thought of."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from pagereel import build, redact
from tests.chromium import open_chromium
from tests.redaction.strange_oracle import found_in
from tests.redaction.strange_site import Visit, planted, recorded

pytestmark = pytest.mark.slow  # a recording of 474 places, and six files of it

POLICIES = ("internal", "vendor", "strict")

RECORDED = 0.98
"""Share of the places whose value must be in the recording, so that its absence elsewhere says something: a call that fails is told without its
parameters (`wait-url`), and a slow machine loses one or another.
"""

Told = Callable[[str], dict[str, list[str]]]


@pytest.fixture(scope="module")
def visit() -> Visit:
    seed = os.environ.get("STRANGE_SEED") or os.urandom(4).hex()
    os.environ["STRANGE_SEED"] = seed  # said where a place tells its value, so that it can be made again
    return planted(seed)


@pytest.fixture(scope="module")
def told(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """By policy (`off`: none), which places tell their value in the masked recording or in its replay, and where."""
    folder = tmp_path_factory.mktemp("strange")
    with open_chromium() as browser:
        recorded(browser, visit, folder / "off.reel")

    @cache
    def of(policy: str) -> dict[str, list[str]]:
        reel, replay = (folder / f"{policy}{ending}" for ending in (".reel", ".html"))
        if policy != "off":
            redact(folder / "off.reel", reel, policy)
        build(reel, replay, None if policy == "off" else policy)
        told = found_in(replay, visit)
        for name, where in found_in(reel, visit).items():
            told.setdefault(name, []).extend(where)
        return told

    yield of


def test_the_places_are_in_the_recording(visit: Visit, told: Told) -> None:
    missing = {place.name for place, _ in visit} - set(told("off"))
    assert len(missing) <= (1 - RECORDED) * len(visit), missing


@pytest.mark.parametrize("policy", POLICIES)
def test_no_place_tells_its_value(policy: str, told: Told) -> None:
    assert told(policy) == {}, f"STRANGE_SEED={os.environ['STRANGE_SEED']}"
