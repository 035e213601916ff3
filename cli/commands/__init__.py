"""Lists all commands by section, in the order of the help. Their functions are in the modules of this folder."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from . import (
    comparing,
    environment,
    exports,
    inspection,
    library,
    many_recordings,
    masking,
    queries,
    recording,
    replays,
)
from .groups import SectionedGroup, VerbGroup

__all__ = ["COMMANDS", "SECTIONS", "Command", "CommandGroup", "SectionedGroup"]


class Command(NamedTuple):
    """A command: its name, its function, and its description in the list of commands."""

    name: str
    function: Callable[..., int]
    help: str
    runs: bool = False
    """Whether it runs a program: all arguments after the command's name are then for that program."""
    hidden: bool = False


class CommandGroup(NamedTuple):
    """A command with subcommands, which the help calls verbs: `library add`, `library search`."""

    name: str
    verbs: tuple[Command, ...]
    help: str
    about: str
    """What its `--help` says above the list of verbs."""
    kind: type[VerbGroup] = VerbGroup


class QueryGroup(VerbGroup):
    """The group `query`, whose verb may stand before the recording or after it: `query steps run.reel`, `query run.reel
    steps`.
    """

    either_way = True
    otherwise = "overview"


class ExportGroup(VerbGroup):
    """The group `export`, whose verb may be left out where the file's ending names the format: `export run.reel
    run.har`.
    """

    otherwise = "by-ending"

    def move_verb_first(self, args: list[str], *, completing: bool = False) -> list[str]:
        """Return the arguments with the verb first: the named verb, or the format that the output file's ending stands
        for.

        For a format of an installed package they begin with ``by-ending --format NAME``.
        """
        words = [] if completing else self._find_word_indexes(args)
        if words and not self.is_verb(args[words[0]]) and (verb := self._get_verb_of_ending(args, words)):
            return [verb, *args]
        if words and not self.is_verb(name := args[words[0]]) and name.isidentifier():
            from pagereel.integrations import list_formats

            if name in list_formats():
                rest = [*args[: words[0]], *args[words[0] + 1 :]]
                return ["by-ending", "--format", name, *rest]
        return super().move_verb_first(args, completing=completing)

    def _get_verb_of_ending(self, args: list[str], words: list[int]) -> str | None:
        """Return the verb for the ending of the output file; None if there is none, or for options that only
        ``by-ending`` has.
        """
        from pagereel.integrations import find_format_of_file

        named = next((after for arg, after in pairwise(args) if arg in ("-o", "--output")), None)
        verb = find_format_of_file(named or args[words[-1]]) or "" if named or len(words) > 1 else ""
        if not self.is_verb(verb):
            return None
        of_ending, of_verb = (
            {name for option in self.commands[each].params for name in option.opts} for each in (self.otherwise, verb)
        )
        given = {arg.partition("=")[0] for place, arg in enumerate(args) if arg.startswith("-") and place not in words}
        return None if given & (of_ending - of_verb) else verb


class BaselineGroup(VerbGroup):
    """The group `baseline`, whose verb may be left out as in earlier versions: `baseline FOLDER RUN…`."""

    otherwise = "as-before"


_QUERY = """Ask a recording what happened: for scripts and coding agents. Redacted unless told otherwise.

Without a question it is the overview. The recording may stand before the question, too: `pagereel query run.reel steps`.

\b
Example:
  pagereel query errors run.reel
  pagereel query calls run.reel --grep click --json
  pagereel query text run.reel --at "step 3"
  pagereel query first-failure run.reel
  pagereel query when-changed run.reel '#total'
  pagereel query around run.reel 3
"""
_EXPORT = """Write a recording in another format. Redacted unless told otherwise.

FILE's ending names the format; else the format stands first, and its own --help says what it takes. Installed packages bring more
(see docs/agents.md); -O NAME=VALUE gives options to theirs. Without FILE it goes to stdout.

\b
Example:
  pagereel export run.reel run.md
  pagereel export run.reel test_run.py
  pagereel export jsonl run.reel | jq .title
  pagereel export skill a.reel b.reel c.reel skills/order
"""
_BASELINE = """Keep the runs that say what is usual, for compare --baseline FOLDER: who took each in, why, and what became usual by it.

\b
Example:
  pagereel baseline add baselines/pay run.reel --why "new checkout, ticket 4711"
  pagereel baseline list baselines/pay
  pagereel baseline accept-all baselines test-results --why "new checkout"
"""
_LIBRARY = """Keep many recordings in a folder, search what they showed and said, and let them go when their time is over.

Recordings of any kind are copied in, masked for the index (library.toml: index = "vendor"), and found again by what their pages showed.

\b
Example:
  pagereel library add runs test-results/*.reel
  pagereel library search runs 'outcome:failed after:7d seen:"card declined"'
  pagereel library show runs 4f1d
"""

SECTIONS: dict[str, tuple[Command | CommandGroup, ...]] = {
    "Record": (
        Command("record", recording.record, "Record a page until it is closed."),
        Command("attach", recording.attach, "Record a browser that is already open."),
        Command("proxy", recording.proxy, "Record what a command asks of models.", runs=True),
        Command("import", recording.import_, "Make a recording of another tool's."),
        Command("demo", environment.demo, "Record and build a shopping agent's run."),
    ),
    "Look": (
        Command("show", replays.show, "Open a replay in the browser."),
        Command("info", inspection.info, "Say what a recording holds."),
        CommandGroup(
            "query",
            tuple(Command(*question) for question in queries.build_question_commands()),
            "Ask a recording what happened.",
            _QUERY,
            QueryGroup,
        ),
        Command("events", inspection.events, "Print the events as NDJSON."),
        Command("verify", inspection.verify, "Check that a recording is whole."),
        Command("mcp", inspection.mcp, "Let a coding agent read recordings (MCP)."),
    ),
    "Share": (
        Command("build", replays.build, "Make one HTML file of a recording."),
        Command("bundle", replays.bundle, "Make one HTML file of a suite's recordings."),
        Command("redact", masking.redact, "Write a recording without personal data."),
        Command("review", masking.review, "Review what a redaction masks, and change it."),
        CommandGroup(
            "export",
            (
                *(Command(*form) for form in exports.build_export_commands()),
                Command(
                    "by-ending", exports.export_by_ending, "Write in the format of the file's ending.", hidden=True
                ),
            ),
            "Write a recording in another format.",
            _EXPORT,
            ExportGroup,
        ),
        Command("gate", masking.gate, "Look for known values in any file."),
        Command("unmask", masking.unmask, "Restore the original of a masked file."),
        Command("keygen", masking.keygen, "Make a key pair for encrypted recordings."),
    ),
    "Compare": (
        Command("compare", comparing.compare, "Say what changed between two runs."),
        CommandGroup(
            "baseline",
            (
                Command("list", comparing.baseline_list, "List the runs, and who took them in."),
                Command("add", comparing.baseline_add, "Take runs in."),
                Command("remove", comparing.baseline_remove, "Take runs out."),
                Command(
                    "accept-all", comparing.baseline_accept_all, "Take in what tests left that parted from theirs."
                ),
                Command("as-before", comparing.baseline_without_verb, "Take runs in or out.", hidden=True),
            ),
            "Keep the runs that say what is usual.",
            _BASELINE,
            BaselineGroup,
        ),
    ),
    "Keep": (
        CommandGroup(
            "library",
            (
                Command("add", library.add, "Copy recordings in."),
                Command("watch", library.watch, "Add every recording that appears."),
                Command("search", library.search, "Find runs by what they showed and said."),
                Command("list", library.list_, "List the runs, the newest first."),
                Command("show", library.show, "Say what happened in a run."),
                Command("stats", library.stats, "Count and sum over many runs."),
                Command("expect", library.expect, "Store which runs are expected."),
                Command("parquet", library.parquet, "Write the facts of days as Parquet."),
                Command("keep", library.keep, "Keep runs whatever their age."),
                Command("flag", library.flag, "Put a flag on a run."),
                Command("delete", library.delete, "Delete runs before their time is over."),
                Command("expire", library.expire, "Thin and delete runs whose time is over."),
                Command("rebuild", library.rebuild, "Make the catalogue anew from the recordings."),
                Command("audit", library.audit, "Print the log, and whether it is whole."),
            ),
            "Keep many recordings, and search them.",
            _LIBRARY,
        ),
        Command("deck", many_recordings.deck, "Show a library in the terminal."),
        Command("serve", many_recordings.serve, "Serve a library: API and pages."),
        Command("prune", environment.prune, "Make room in a folder of recordings."),
    ),
    "Set up": (
        Command("setup", environment.setup, "Find or install a browser, language models and dictionaries."),
        Command("doctor", environment.doctor, "Say what can run here, and what is missing."),
        Command("help", environment.help_, "Explain a topic, or a command."),
        Command("completion", environment.completion, "Print a script that completes commands in a shell."),
    ),
}
"""What people want → the commands for it."""
COMMANDS = tuple(command for commands in SECTIONS.values() for command in commands)
