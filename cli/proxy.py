"""`pagereel proxy`: runs a command and records its model calls."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.cli.argument_requirements import require_no_existing_file, require_writable_destination
from pagereel.cli.console import format_written_file, print_message, print_warning
from pagereel.errors import UsageError

if TYPE_CHECKING:
    from pagereel.recorder import Session


def run_with_proxy(
    command: list[str],
    reel: Path,
    *,
    upstreams: list[str],
    answers: Path | None,
    mitmproxy: str | None,
    agent: str | None,
    encrypt_to: list[Path] | None,
    overwrite: bool,
) -> int:
    """Run `command`, record its model traffic into `reel`, and return the command's exit status. Raises UsageError."""
    require_writable_destination(reel)
    require_no_existing_file(reel, force=overwrite)
    if shutil.which(command[0]) is None:
        # Raised before an old recording is replaced.
        raise UsageError(f"{command[0]} cannot be run: there is no such command.")
    if answers is not None and mitmproxy is not None:
        raise UsageError(
            "--answers contacts no provider, so --mitmproxy has nothing to forward; leave out one of them."
        )
    try:
        from pagereel.integrations import Answers, Interceptor, ModelProxy, parse_upstreams, run_command
    except ImportError:
        raise UsageError("`pagereel proxy` needs the extra `models`: pip install 'pagereel[models]'.") from None
    from pagereel.recorder import record
    from pagereel.reel import load_keys

    # Other streams must not wait long while one is read: after each system call the thread that passes them on must
    # wait for its turn.
    sys.setswitchinterval(0.00002)
    providers = parse_upstreams(upstreams, os.environ)
    recorded = Answers(answers) if answers is not None else None
    name = agent or Path(command[0]).name
    session = record(None, reel, agent=name, overwrite=overwrite, encrypt_to=load_keys(encrypt_to))
    try:
        if mitmproxy is not None:
            with session, Interceptor(session, providers, mitmproxy) as between:
                return run_command(command, _add_trace_variable(session, between.environment(os.environ)))
        with session, ModelProxy(session, providers, recorded) as running:
            status = run_command(command, _add_trace_variable(session, running.environment(os.environ)))
    except UsageError:
        # Nothing was run: an empty recording would block the next attempt.
        reel.unlink(missing_ok=True)
        raise
    for sentence in running.unanswered:
        print_warning(sentence)
    print_message(format_written_file(reel))  # on stderr: the command has stdout
    if recorded is not None and recorded.left:
        print_message(f"{recorded.left} recorded answers were not asked for.")
    return status


def _add_trace_variable(session: Session, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with the session's trace id in a variable, so that recordings made by the command belong
    to the same trace.
    """
    from pagereel.recorder import TRACE_VARIABLE

    return {**environment, TRACE_VARIABLE: session.traceparent()}
