"""Defines every error that pagereel raises on purpose.

    PagereelError                 the base class of all of them
      x UsageError                wrong use: a bad path, an option that does not exist, a closed context
      x SetupError                a browser or a language model is missing and could not be installed
      x ReelError                 a file that is not a reel, or cannot be read
        + FutureFormatError       a reel from a newer pagereel
        + LockedError             an encrypted file without its key, or with a wrong one
      x PolicyError               an invalid redaction policy
      x GateError                 a known value was found in the finished file; nothing was written
      x BuildError                the replay could not be built

Each message is one sentence or two: what happened, where, and what to do next. The command line prints it unchanged.
"""

from typing import Literal


class PagereelError(Exception):
    """The base class of all errors that pagereel raises on purpose."""

    exit_status = 2
    """What the command line exits with: 1 something did not hold, 2 wrong use or unreadable input."""


class UsageError(PagereelError):
    """An error that the caller can correct: a bad path, a closed context, an unknown option."""


class SetupError(PagereelError):
    """A browser, a language model or an extra's packages are missing.

    `missing` names what to install: ``packages`` (those of the extra `redaction`) or ``setup`` (by `pagereel setup`);
    None means something else.
    """

    def __init__(self, message: str, *, missing: Literal["packages", "setup"] | None = None) -> None:
        super().__init__(message)
        self.missing = missing


class ReelError(PagereelError):
    """The file is not a reel, or cannot be read at all."""


class FutureFormatError(ReelError):
    """The reel was written by a newer pagereel than this one."""


class LockedError(ReelError):
    """The file is encrypted, and no key was given, or a wrong one (then `wrong` is True)."""

    def __init__(self, message: str, *, wrong: bool = False) -> None:
        super().__init__(message)
        self.wrong = wrong


class PolicyError(PagereelError):
    """A redaction policy is invalid."""


class GateError(PagereelError):
    """The leak gate found a known value in the finished file; no file was written."""

    exit_status = 1


class BuildError(PagereelError):
    """The replay could not be built."""
