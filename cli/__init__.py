"""The `pagereel` command. The door is :func:`main`; the commands stand in :mod:`pagereel.cli.app` and
:mod:`pagereel.cli.keeping`.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (`sys.argv` when no arguments are given) and give the exit status.

    0: done. 1: something did not hold (verify, the leak gate). 2: wrong use, or input that cannot be read.
    """
    from pagereel.cli.app import run
    from pagereel.cli.keeping import app
    from pagereel.cli.keys import add_key_option

    add_key_option(app)
    return run(arguments)
