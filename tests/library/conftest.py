"""What the tests of libraries share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .postgres import binaries, server


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a real server; where none is installed, what asks for it is skipped."""
    pytest.importorskip("psycopg")
    if binaries() is None:
        pytest.skip("Postgres is not installed (Debian: apt-get install postgresql)")
    with server() as address:
        yield address
