"""The commands about this machine: `setup`, `doctor`, `demo`, `prune`, `help` and `completion`.

A function's signature declares the arguments and options of its command, and its docstring is the help. A function
imports the package that does the work only when it is called, so that the command line starts fast.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pagereel.cli.options import COMPLETING, Json


def setup(
    light: Annotated[
        bool, typer.Option("--light", help="Without the dictionaries of Chinese and Japanese, some 200 MB.")
    ] = False,
    json: Json = False,
) -> int:
    """Find or install what pip cannot install: a Chromium and the language models.

    An existing browser is used: the one that PAGEREEL_CHROMIUM names, Playwright's own, or the system's.

    \b
    Example:
      pagereel setup
      pagereel setup --light
    """
    from dataclasses import asdict

    from pagereel.cli.console import print_json, print_message, show_progress
    from pagereel.cli.setup import run_setup, summarize_failures

    with show_progress("Setting up"):
        steps = run_setup(print_message, dictionaries=not light)
    error = summarize_failures(steps)
    if json:
        print_json({"ok": error is None, "steps": [asdict(step) for step in steps]})
    else:
        for step in steps:
            print(f"{step.status:<10} {step.name}: {step.detail}")
            if step.next and step.status == "skipped":
                print(f"{'':<10} next: {step.next}")
    if error:
        raise error
    return 0


def doctor(json: Json = False) -> int:
    """List which parts of pagereel work on this machine, what needs each part, and the command that installs a missing
    one.

    Exit status 1: a part is installed but does not work. Nothing is installed or changed.

    \b
    Example:
      pagereel doctor
    """
    from pagereel.cli.console import print_json
    from pagereel.cli.doctor import run_checks

    checks = run_checks()
    ready = not any(check.broken for check in checks)
    if json:
        print_json({"ready": ready, "checks": [check.to_json() for check in checks]})
        return 0 if ready else 1
    for check in checks:
        state = "broken" if check.broken else "found" if check.found is not None else "not here"
        print(f"{state:<10} {check.name}{f': {check.found}' if check.found else ''}")
        if check.fix is not None:
            print(f"{'':<10} for {', '.join(check.needed_for)}: {check.fix}")
    print("\nReady: all that is installed can run." if ready else "\nNot ready: what is marked broken cannot run.")
    return 0 if ready else 1


def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the recording and the replay.")
    ] = Path("pagereel-demo"),
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser while the agent works.")] = False,
    json: Json = False,
) -> int:
    """Record a scripted agent that shops in a small site on this machine, and build its replay.

    \b
    Example:
      pagereel demo --output demo && pagereel show demo/replay.html
    """
    from pagereel.cli.demo import run_demo

    return run_demo(output, headed=headed, json=json)


def prune(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder that the recordings are in.", show_default=False)
    ],
    older_than: Annotated[
        str | None,
        typer.Option(
            "--older-than", metavar="AGE", help="Remove recordings older than 30d, 12h, 4w.", show_default=False
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Continue if a recording cannot be read completely.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", hidden=True)] = False,
    json: Json = False,
) -> int:
    """Delete old recordings (*.reel), and shared resources that no recording in the folder uses.

    Without --older-than only resources are deleted that were not used for a day.

    \b
    Example:
      pagereel prune runs --older-than 30d
      pagereel prune runs --dry-run
    """
    from pagereel.cli.prune import prune_folder

    return prune_folder(folder, older_than, dry_run=dry_run, force=keep_going or force, json=json)


def help_(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="TOPIC", help="A topic, or a command and its verb; else the list.", show_default=False),
    ] = None,
) -> int:
    """Print the help on a topic or a command.

    \b
    Example:
      pagereel help
      pagereel help redaction
      pagereel help library add
    """
    from pagereel.cli.commands.help_topics import TOPICS
    from pagereel.errors import UsageError

    if not words:
        print("\n".join(f"pagereel help {name:<11} {topic.about}" for name, topic in TOPICS.items()))
        print("pagereel help COMMAND     What a command takes, as its --help says.")
        return 0
    if (topic := TOPICS.get(" ".join(words))) is not None:
        print(f"{topic.about}\n\n{topic.text}")
        return 0
    asked: Any = context.parent
    command = asked.command if asked else None
    for word in words:
        found = getattr(command, "commands", {}).get(word)
        if found is None:
            raise UsageError(
                f"There is no topic or command {' '.join(words)!r}; topics are {', '.join(TOPICS)}, and `pagereel --help` lists the commands."
            )
        command, asked = found, found.make_context(word, [], parent=asked, resilient_parsing=True)
    print(asked.get_help())
    return 0


def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.", show_default=False)],
) -> int:
    """Print a script that completes pagereel's commands, verbs and options in a shell.

    \b
    Example:
      pagereel completion bash > ~/.local/share/bash-completion/completions/pagereel
      pagereel completion zsh > ~/.zfunc/_pagereel
      pagereel completion fish > ~/.config/fish/completions/pagereel.fish
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    if shell not in ("bash", "zsh", "fish"):
        raise typer.BadParameter(f"there are completions for bash, zsh and fish, not for {shell!r}", param_hint="SHELL")
    print(get_completion_script(prog_name="pagereel", complete_var=COMPLETING, shell=shell))
    return 0
