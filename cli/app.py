"""Runs the command line: builds its help, and turns errors into messages and exit statuses.

The commands are in ``commands/``. Nothing large is imported at the top, so that `pagereel --help` is fast; each command
imports what it needs.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated, TextIO

import typer

from pagereel import __version__
from pagereel.cli.commands import COMMANDS, SECTIONS, Command, SectionedGroup
from pagereel.cli.console import escaping_streams
from pagereel.cli.options import COMPLETING
from pagereel.cli.standard_streams import replacing_dashes
from pagereel.errors import PagereelError, SetupError

DEBUG_VARIABLE = "PAGEREEL_DEBUG"
"""Environment variable: if set, errors show their traceback."""

_LONG = 120
"""Longest path in a sentence, in characters; of a longer one the end is shown."""

# Newer releases of Typer contain their own copy of click; its exceptions are reached through a name that is public in
# all releases.
_ClickUsageError = typer.BadParameter.__bases__[0]
_ClickException: type[typer.BadParameter] = _ClickUsageError.__bases__[0]


class RootGroup(SectionedGroup):
    """The group of all commands.

    Its help lists commands and groups by section, in the order of the table of commands.
    """

    def list_commands(self, ctx: object) -> list[str]:
        """Return the names of all commands."""
        return [command.name for command in COMMANDS]


app = typer.Typer(
    name="pagereel",
    cls=RootGroup,
    help="Record a browser run and make one HTML file of it.",
    invoke_without_command=True,
    add_completion=COMPLETING in os.environ,  # else its two options would stand in the help
    rich_markup_mode=None,  # rich's help takes half as long as everything else that --help does
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def run_command_line(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status. An error becomes one sentence on stderr."""
    with escaping_streams(), replacing_dashes():
        return _run_command_line_once(arguments)


def _run_command_line_once(arguments: Sequence[str] | None, *, offers_installation: bool = True) -> int:
    """Run the command line once, or with `offers_installation` twice if it installed what was missing. Return the exit status."""
    try:
        status = app(
            args=list(arguments) if arguments is not None else None, prog_name="pagereel", standalone_mode=False
        )
        sys.stdout.flush()  # otherwise Python would report the closed stream at its very end
        return status if isinstance(status, int) else 0
    except PagereelError as error:
        status = _print_error(str(error), error.exit_status)
        if offers_installation and isinstance(error, SetupError) and _offer_installation(error):
            return _run_command_line_once(arguments, offers_installation=False)
        return status
    except _ClickException as error:
        return _print_error(_add_help_hint(error), 2)
    except (KeyboardInterrupt, typer.Abort):
        return _print_error("stopped", 130)
    except OSError as error:
        return (
            _discard_output_after_close()
            if isinstance(error, BrokenPipeError)
            else _print_error(_describe_os_error(error), 2)
        )
    except Exception as error:
        return _print_error(
            f"an error of pagereel's own ({type(error).__name__}: {error}); "
            f"run again with {DEBUG_VARIABLE}=1 and report what it prints",
            2,
        )


def _offer_installation(error: SetupError) -> bool:
    """Offer to install the packages or the browser that the command misses.

    Return whether the command can be run again.
    """
    from pagereel.cli.setup import offer_installation

    try:
        return offer_installation(error)
    except SetupError as failed:
        _print_error(str(failed), failed.exit_status)
        return False


_CALLED_HERE = {
    "--policy": "the policy is given as `--redaction`: vendor, strict, internal, a policy file, or off.",
    "report": "`pagereel info` and `pagereel query` tell what a recording holds, `pagereel export RUN report.md` writes it down, and `pagereel review` lists what a redaction masks.",
    "search": "`pagereel query RUN` asks one recording, `pagereel library search DIR QUERY` many.",
    "open": "`pagereel show` opens a replay in the browser.",
    "diff": "`pagereel compare` says what changed between two runs.",
}
"""Options of other tools → the name of the same option here."""


def _add_help_hint(error: typer.BadParameter) -> str:
    """Return the message about invalid arguments with a hint: the help to read, or pagereel's name of the option."""
    context = getattr(error, "ctx", None)
    path = "pagereel" if context is None else context.command_path
    message = error.format_message()
    for asked, here in _CALLED_HERE.items():
        if re.search(rf"(?<![\w-]){asked}(?![\w-])", message) and "No such" in message:
            return f"There is no {asked}: {here}"
    return f"{message}{'' if message[-1:] in '.?!' else ';'} `{path} --help` says what it takes."


def _describe_os_error(error: OSError) -> str:
    """Return an error of the operating system as a sentence, with the name of its file if it has one."""
    why = error.strerror or str(error)
    try:
        sys.stdout.flush()
    except OSError:
        _discard_buffer(sys.stdout)
    if error.filename is None:
        return f"the system refuses it: {why}."
    return f"{error.filename if len(str(error.filename)) < _LONG else f'…{str(error.filename)[-_LONG:]}'}: {why}."


def _discard_output_after_close() -> int:
    """Discard the remaining output, because the reader closed it (`| head`). Return exit status 0."""
    _discard_buffer(sys.stdout)
    return 0


def _discard_buffer(stream: TextIO) -> None:
    """Discard the buffer of a stream, because Python would report an error again when it closes the stream."""
    with contextlib.suppress(OSError, ValueError):
        number = stream.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def _print_error(message: str, status: int) -> int:
    if os.environ.get(DEBUG_VARIABLE) and sys.exc_info()[0] is not None:
        import traceback

        traceback.print_exc()
    print(f"pagereel: {' '.join(message.split())}", file=sys.stderr)
    return status


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"pagereel {__version__}")
        raise typer.Exit


@app.callback()
def _root_command(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Record a browser run and make one HTML file of it.

    \b
    Example:
      pagereel record https://example.com run.reel
      pagereel build run.reel run.html
    """
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(2)


def _register_command(app: typer.Typer, command: Command, section: str | None = None) -> None:
    settings = {"allow_interspersed_args": False} if command.runs else {}
    decorate = app.command(
        command.name, short_help=command.help, context_settings=settings, hidden=command.hidden, rich_help_panel=section
    )
    decorate(command.function)


for section, commands in SECTIONS.items():
    for command in commands:
        if isinstance(command, Command):
            _register_command(app, command, section)
            continue
        group = typer.Typer(help=command.about, rich_markup_mode=None)
        for verb in command.verbs:
            _register_command(group, verb)
        app.add_typer(
            group,
            name=command.name,
            cls=command.kind,
            short_help=command.help,
            rich_help_panel=section,
            subcommand_metavar="VERB …",
        )
