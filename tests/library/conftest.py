"""What the tests of libraries share: browsers, a database, and a served library that nobody changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from ..player.engines import Engine, firefox, webkit
from .postgres import binaries, server
from .server import Served, filled, served


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a real server; where none is installed, what asks for it is skipped."""
    pytest.importorskip("psycopg")
    if binaries() is None:
        pytest.skip("Postgres is not installed (Debian: apt-get install postgresql)")
    with server() as address:
        yield address


@pytest.fixture(scope="session")
def other_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Engine]]:
    """``other_engine("firefox")`` gives a window of Firefox, or of WebKit, which begins with the first test that asks for it."""
    with ExitStack() as windows:
        open_: dict[str, Engine] = {}

        def window(name: str) -> Engine:
            if name not in open_:
                log = tmp_path_factory.mktemp("gecko") / "gecko.log"
                open_[name] = windows.enter_context(firefox(log) if name == "firefox" else webkit())
            return open_[name]

        yield window


@pytest.fixture(scope="session")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A library of four runs, served to whom has the printed address. Who asks for it looks at its pages and changes nothing."""
    pytest.importorskip("starlette")
    folder = tmp_path_factory.mktemp("pages")
    with served(filled(folder / "runs", folder)) as running:
        yield running
