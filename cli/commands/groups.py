"""Groups of commands: prints their help by section, and finds the verb (subcommand) among the arguments."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from typer.core import TyperGroup

from pagereel.errors import UsageError

_HELP = ("-h", "--help")


class SectionedGroup(TyperGroup):
    """A group whose help lists the commands by section; the `rich_help_panel` of a command names its section."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands of each section, with the descriptions in one column."""
        shown = [(name, self.commands[name]) for name in self.list_commands(ctx) if not self.commands[name].hidden]
        widest = max(len(name) for name, _ in shown)
        for section, commands in groupby(shown, key=lambda each: getattr(each[1], "rich_help_panel", None)):
            with formatter.section(str(section or "Commands")):
                limit = formatter.width - 6 - widest
                formatter.write_dl(
                    [(name.ljust(widest), command.get_short_help_str(limit)) for name, command in commands]
                )


class VerbGroup(TyperGroup):
    """A command with verbs (subcommands), such as `library add DIR`. Options may come before the verb."""

    either_way = False
    """Whether the verb may also stand behind the first word: `query run.reel steps` is `query steps run.reel`."""
    otherwise: str | None = None
    """The verb that is meant when none is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, after moving the verb to the front."""
        return super().parse_args(ctx, self.move_verb_first(args, completing=ctx.resilient_parsing))

    def move_verb_first(self, args: list[str], *, completing: bool = False) -> list[str]:
        """Return the arguments with the verb first; if they name none, with the group's default verb.

        Raises UsageError if another word is in the verb's place.
        """
        words = self._find_word_indexes(args)
        for place in words[: 1 + self.either_way]:
            if self.is_verb(args[place]):
                return [args[place], *args[:place], *args[place + 1 :]]
        if completing or not words or any(arg in _HELP for arg in args):
            return [arg for arg in args if arg in _HELP] or args
        if self.either_way and len(words) > 1:
            self.raise_unknown_verb_error(args[words[1]])
        return args if self.otherwise is None else [self.otherwise, *args]

    def is_verb(self, word: str) -> bool:
        """Return whether a word is a verb of this group."""
        return word in self.commands and not self.commands[word].hidden

    def raise_unknown_verb_error(self, word: str) -> None:
        """Raise UsageError for a word that is no verb."""
        names = [name for name, command in self.commands.items() if not command.hidden]
        raise UsageError(f"There is no {self.name} {word!r}; ask for {', '.join(names[:-1])} or {names[-1]}.")

    def _find_word_indexes(self, args: list[str]) -> list[int]:
        """Return the indexes of the arguments that are neither an option nor the value of an option."""
        valued = {
            name
            for command in self.commands.values()
            for option in command.params
            if option.param_type_name == "option" and not getattr(option, "is_flag", False)
            for name in option.opts
        }
        places: list[int] = []
        value = False
        for place, arg in enumerate(args):
            if value:
                value = False
            elif arg == "--":
                return [*places, *range(place + 1, len(args))]
            elif arg.startswith("-") and arg != "-":
                value = arg in valued
            else:
                places.append(place)
        return places
