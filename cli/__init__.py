"""The `pagereel` command. Its entry point is :func:`main`; the commands are in :mod:`pagereel.cli.commands`."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status. `arguments`: by default `sys.argv`.

    Exit status 0: success. 1: a check failed (`verify`, the leak gate). 2: wrong use, or input that cannot be read.
    """
    from pagereel.cli.app import app, run_command_line
    from pagereel.cli.common_options import add_common_options

    add_common_options(app)
    return run_command_line(arguments)
