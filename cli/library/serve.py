"""`pagereel serve`: serves a library over HTTP."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pagereel.cli.console import print_message
from pagereel.errors import UsageError


def serve_library(
    folder: Path,
    *,
    host: str,
    port: int,
    frame_port: int | None,
    tokens: Path | None,
    add_token: str | None,
    origin: str | None,
    frame_origin: str | None,
    proxy_header: str | None,
    proxy_from: tuple[str, ...],
    largest: int,
    task_seconds: int = 60,
    task_memory: int = 3_072,
    live: tuple[str, ...] = (),
    unfurl: bool = False,
) -> int:
    """Serve a library over HTTP until SIGINT or SIGTERM. Raises UsageError.

    With `add_token` (NAME=ROLE), add a token to the file `tokens` instead of serving.
    """
    try:
        from pagereel.library import serving
    except ImportError:
        raise UsageError("`pagereel serve` needs the extra `serve`: pip install 'pagereel[serve]'.") from None
    if add_token is not None:
        if tokens is None:
            raise UsageError("--add-token needs --tokens FILE.")
        print(serving.add_token(tokens, add_token))
        print_message(f"It is shown this once; {tokens} holds its hash.")
        return 0
    from pagereel.integrations import screenshot_replay

    loopback = ("127.0.0.1", "::1")
    options = serving.ServeOptions(
        host=host, port=port, frame_port=frame_port, tokens=tokens, origin=origin, frame_origin=frame_origin, proxy_header=proxy_header,
        proxy_from=proxy_from or loopback, largest=largest, live=live,
        limits=serving.TaskLimits(seconds=task_seconds, memory=task_memory << 20), draw=screenshot_replay if unfurl else None,
    )  # fmt: skip
    from pagereel.cli.library.mcp_endpoint import MCP

    if not serving.serve(folder, options, lambda address: print(address, flush=True), (MCP,)):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)  # A thread still reads a recording, and nobody waits for its result.
    return 0
