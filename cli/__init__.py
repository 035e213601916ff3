"""The `pagereel` command. The door is :func:`main`; the commands stand in :mod:`pagereel.cli.commands`."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (`sys.argv` when no arguments are given) and give the exit status.

    0: done. 1: something did not hold (verify, the leak gate). 2: wrong use, or input that cannot be read.
    """
    from pagereel.cli.app import app, run
    from pagereel.cli.keys import add_key_option

    add_key_option(app)
    return run(arguments)
