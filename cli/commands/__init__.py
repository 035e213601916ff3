"""Every command, in the order in which the help lists them. A new one is a function in one of these modules and a line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from . import captures, comparing, machine, many, masking, questions, replays


class Command(NamedTuple):
    """A command: its name, what it does, and its line in the list of commands."""

    name: str
    function: Callable[..., int]
    help: str
    runs: bool = False
    """Whether it runs a command: all that follows the command's name is the command's."""


COMMANDS = (
    Command("record", captures.record, "Record a page until it is closed."),
    Command("attach", captures.attach, "Record a browser that is already open."),
    Command("proxy", captures.proxy, "Record what a command asks of models.", runs=True),
    Command("setup", machine.setup, "Find or install a browser, language models and dictionaries."),
    Command("doctor", machine.doctor, "Say what can run here, and what is missing."),
    Command("demo", machine.demo, "Record and build a shopping agent's run."),
    Command("build", replays.build, "Make one HTML file of a recording."),
    Command("redact", masking.redact, "Write a recording without personal data."),
    Command("info", questions.info, "Say what a recording holds."),
    Command("verify", questions.verify, "Check that a recording is whole."),
    Command("events", questions.events, "Print the events as NDJSON."),
    Command("query", questions.query, "Ask a recording what happened."),
    Command("compare", comparing.compare, "Say what changed between two runs."),
    Command("baseline", comparing.baseline, "Keep the runs that say what is usual."),
    Command("library", many.library, "Keep many recordings, and search them."),
    Command("serve", many.serve, "Serve a library: API and pages."),
    Command("deck", many.deck, "Show a library in the terminal."),
    Command("mcp", questions.mcp, "Let a coding agent read recordings (MCP)."),
    Command("export", questions.export, "Write a recording in another format."),
    Command("import", captures.import_, "Make a recording of another tool's."),
    Command("show", replays.show, "Open a replay in the browser."),
    Command("prune", machine.prune, "Make room in a folder of recordings."),
    Command("gate", masking.gate, "Look for known values in any file."),
    Command("unmask", masking.unmask, "Restore the original of a masked file."),
    Command("keygen", masking.keygen, "Make a key pair for encrypted recordings."),
    Command("review", masking.review, "Review what a redaction masks, and change it."),
)
