"""Adds the options that many commands share (`--key-file`, `--output`, `--quiet`); also `pagereel keygen`."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any, get_origin

import typer

from pagereel.cli.console import is_at_terminal, print_json, print_report_line, print_warning, suppressing_output
from pagereel.errors import LockedError, UsageError

KEY_FILE_VARIABLE = "PAGEREEL_KEY_FILE"
PASSPHRASE_VARIABLE = "PAGEREEL_PASSPHRASE"
WITHOUT = frozenset({"record", "attach", "setup", "doctor", "demo", "keygen", "completion", "help"})
"""Commands that read no recording."""

KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help=f"Key of encrypted files: a PEM private key, or a passphrase; else {KEY_FILE_VARIABLE}.",
        show_default=False,
    ),
]


WRITES = {"record": "reel", "attach": "reel", "import": "reel", "review": "html", "bundle": "files", "skill": "paths"}
"""Command → the argument that names, at its end, what is written, where that is not called `destination`."""
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="The file to write: the same as the last argument.", show_default=False
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result and problems.")]


def add_common_options(app: typer.Typer) -> None:
    """Add `--quiet` to every command, `--key-file` to each that reads recordings, and `--output` to each that writes a
    file.

    The file to write is the last argument of such a command. A second call changes nothing.
    """
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_common_options(group.typer_instance)
    for command in app.registered_commands:
        callback = command.callback
        if callback is None or hasattr(callback, "is_quiet"):
            continue
        if (command.name or callback.__name__) not in WITHOUT:
            callback = _add_key_option(callback)
        word = WRITES.get(command.name or "", "destination")
        if word in inspect.signature(callback).parameters:
            callback = _add_output_option(callback, word)
        command.callback = _add_quiet_option(callback)


def _add_quiet_option(callback: Callable[..., int]) -> Callable[..., int]:
    @functools.wraps(callback)
    def call_command(*words: Any, quiet: bool = False, **options: Any) -> int:
        with suppressing_output() if quiet else nullcontext():
            return callback(*words, **options)

    call_command.is_quiet = True  # type: ignore[attr-defined]
    return _add_option(call_command, callback, "quiet", Quiet, False)


def _add_output_option(callback: Callable[..., int], argument_name: str) -> Callable[..., int]:
    """Return the command with the additional option `--output`, whose value replaces that of the argument `argument_name`."""
    annotation = inspect.signature(callback, eval_str=True).parameters[argument_name].annotation
    argument = next(each for each in annotation.__metadata__ if hasattr(each, "callback"))
    takes_several = get_origin(annotation.__origin__) is list

    @functools.wraps(callback)
    def call_command(*words: Any, output: Path | None = None, **options: Any) -> int:
        if output is not None:
            path = argument.callback(output) if argument.callback else output
            named: Any = options.get(argument_name)
            if not takes_several and named is not None:
                raise UsageError(f"The output file is given twice: {named} and --output {path}.")
            options[argument_name] = [*named, type(named[0])(path)] if takes_several else path
        return callback(*words, **options)

    return _add_option(call_command, callback, "output", Output, None)


def _add_option(
    command: Callable[..., int], original: Callable[..., int], name: str, annotation: Any, default: object
) -> Callable[..., int]:
    """Give the function `command` the signature of `original` with one more option, and return it."""
    signature = inspect.signature(original, eval_str=True)
    more = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
    command.__signature__ = signature.replace(parameters=[*signature.parameters.values(), more])  # type: ignore[attr-defined]
    command.__annotations__ = {**inspect.get_annotations(original, eval_str=True), name: annotation}
    return command


def _add_key_option(callback: Callable[..., int]) -> Callable[..., int]:
    @functools.wraps(callback)
    def call_command(*words: Any, key_file: Path | None = None, **options: Any) -> int:
        with _set_environment_variable(KEY_FILE_VARIABLE, str(key_file) if key_file is not None else None):
            try:
                return callback(*words, **options)
            except LockedError as error:
                if error.wrong or not _can_ask_for_key():
                    raise
                print_warning(f"pagereel: {error}")
            from getpass import getpass

            with _set_environment_variable(PASSPHRASE_VARIABLE, getpass("Passphrase: ")):
                return callback(*words, **options)

    return _add_option(call_command, callback, "key_file", KeyFile, None)


@contextmanager
def _set_environment_variable(name: str, value: str | None) -> Iterator[None]:
    """Set an environment variable until the block ends, also for worker processes. A value of None changes nothing."""
    if value is None:
        yield
        return
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def _can_ask_for_key() -> bool:
    """Return whether a person can be asked for the key: there is a terminal, and the environment holds no key."""
    given = os.environ.get(KEY_FILE_VARIABLE) or os.environ.get(PASSPHRASE_VARIABLE)
    return not given and is_at_terminal()


def read_encryption_key(file: Path | None, description: str) -> Any:
    """Return the key for encryption: from `file`, from the environment, or from a passphrase that the user types twice.

    Raises UsageError if there is none.
    """
    from pagereel.reel import Key, find_default_key

    if file is not None:
        return Key.load(file)
    if (key := find_default_key()) is not None:
        return key
    if not _can_ask_for_key():
        raise UsageError(
            f"{description} needs a key: name a file that holds a passphrase or a PEM public key (pagereel keygen makes one), "
            f"or set {KEY_FILE_VARIABLE} or {PASSPHRASE_VARIABLE}."
        )
    from getpass import getpass

    words = getpass(f"Passphrase for {description}: ")
    if getpass("Once more: ") != words:
        raise UsageError("The two passphrases differ.")
    return Key.passphrase(words)


def write_key_pair(file: Path, *, json: bool) -> int:
    """Write a key pair: FILE (private, mode 0600) and FILE.pub."""
    from pagereel.reel import Key, new_key_pair

    private, public = new_key_pair()
    other = file.with_name(f"{file.name}.pub")
    for path, content, mode in ((file, private, 0o600), (other, public, 0o644)):
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
                out.write(content)
        except FileExistsError:
            raise UsageError(f"{path} exists already; a key is never overwritten, so give another path.") from None
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}.") from None
    fingerprint = Key.parse(private).fingerprint
    if json:
        print_json({"private": str(file), "public": str(other), "fingerprint": fingerprint})
        return 0
    print_report_line(f"{file}  private key {fingerprint}: reads; keep it to yourself")
    print_report_line(f"{other}  public key: encrypts; give it to whoever records")
    return 0
