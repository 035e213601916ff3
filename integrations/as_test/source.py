"""Collects the source of a generated test: the addresses of its sites, its fixtures, and its lines."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from .literals import to_comment, to_literal
from .unmasked_texts import UnmaskedTexts

MASK = "•"
_HEAD = '''"""{about}

Written by pagereel from a recording: read it before you run it. {sites}{limits}"""

from __future__ import annotations

import os
{imports}
import pytest
from playwright.sync_api import Page, expect

{origins}'''
_GIVEN = '''
def _given(name: str, about: str, recorded: str | None = None) -> str:
    """Return what the environment has under this name, else what was recorded."""
    value = os.environ.get(name, recorded)
    if value is None:
        pytest.skip(f"set {name}: it is masked in the recording, {about}")
    return value

'''


@dataclass
class TestSource:
    """The source code of one test, collected line by line."""

    about: str
    masked: bool
    """The recording was redacted: a typed text may be a stand-in, and a fixture can give the real one."""
    lines: list[str] = field(default_factory=list)
    original: UnmaskedTexts | None = None
    """The recording before it was masked, if it is at hand."""
    fixtures: dict[str, tuple[str | None, str]] = field(default_factory=dict)
    """Name → the recorded value, if it can serve, and a description of it."""
    left: list[str] = field(default_factory=list)
    """Titles of what the test does not repeat."""
    stand_ins: dict[str, str] = field(default_factory=dict)
    """Stand-in → the fixture that takes its place."""
    origins: dict[str, str] = field(default_factory=dict)
    """The origin of a site → the name of its constant."""

    _last: str = ""

    def add_line(self, line: str) -> None:
        """Add a line to the test, unless it is the same expectation as the line before."""
        if not (line.startswith("expect(") and self._last == line):
            self.lines.append(line)
        if line:
            self._last = line

    def add_comment(self, text: object) -> None:
        """Add a comment to the test."""
        self.lines.append(f"# {to_comment(text)}")

    def record_skipped_action(self, action: object, reason: str = "not told") -> str:
        """Record that the test does not repeat an action, for the list at the top of the file.

        Return a comment that says so.
        """
        self.left.append(to_comment(action))
        return f"# {reason}: {to_comment(action)}"

    def is_stand_in(self, text: str) -> bool:
        """Return whether a text of a masked recording is a stand-in, which the real site does not show."""
        return MASK in text or (self.original is not None and text not in self.original)

    def text_to_code(self, text: str, fixture_name: str = "words") -> str:
        """Return a text from the page as code: a string literal, or the name of a fixture if it is a stand-in."""
        if not self.is_stand_in(text):
            return to_literal(text)
        if (
            typed := next((name for name, (recorded, _) in self.fixtures.items() if recorded == text), None)
        ) is not None:
            return typed  # the page shows what was typed before
        if text not in self.stand_ins:
            self.stand_ins[text] = self._add_fixture(fixture_name, None, f"where this has {text!r}")
        return self.stand_ins[text]

    def address_to_code(self, url: str) -> str:
        """Return a page's address as code.

        The address's site becomes a constant that an environment variable can change. A masked rest of the address
        becomes a fixture.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            return to_literal(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self.origins:
            number = len(self.origins) + 1
            self.origins[origin] = "SITE" if number == 1 else f"SITE_{number}"
        rest = url[len(origin) :]
        if not rest:
            return self.origins[origin]
        if url in (self.original or (url,)):
            return f"{self.origins[origin]} + {to_literal(rest)}"
        if rest not in self.stand_ins:
            self.stand_ins[rest] = self._add_fixture("address", None, f"where this has {rest!r}")
        return f"{self.origins[origin]} + {self.stand_ins[rest]}"

    def typed_value_to_code(self, value: str, locator: str, field_names: list[str]) -> str:
        """Return a typed value as code: a literal, or a fixture if the value was not recorded or is a stand-in."""
        if MASK not in value and not self.masked:
            return to_literal(value)
        wanted = next((name for name in map(_to_identifier, field_names) if name), "value")
        return self._add_fixture(wanted, None if MASK in value else value, f"typed into {locator}")

    def _add_fixture(self, base_name: str, recorded_value: str | None, description: str) -> str:
        """Add a fixture for a value and return its name."""
        name, number = base_name, 1
        while name in self.fixtures and (
            self.fixtures[name][0] != recorded_value or self.fixtures[name][1] != description
        ):
            number += 1
            name = f"{base_name}_{number}"
        self.fixtures[name] = (recorded_value, description)
        return name

    def _describe_limits(self) -> str:
        """Return sentences for the top of the file: the values that the test needs, and the actions that it does not
        repeat.
        """
        lines = []
        asked = [name.upper() for name, (recorded, _) in self.fixtures.items() if recorded is None]
        stand_ins = [name.upper() for name, (recorded, _) in self.fixtures.items() if recorded is not None]
        if asked:
            lines.append(
                f"Masked in the recording, and asked of the environment (the test is skipped without): {', '.join(asked)}."
            )
        if stand_ins:
            lines.append(
                f"Typed as the stand-ins of what was typed, unless the environment has them: {', '.join(stand_ins)}."
            )
        if self.masked and self.original is None:
            lines.append(
                "The recording was masked before: a name in a locator or an address may be a stand-in, which no site knows."
            )
        if self.left:
            lines.append("Cannot be done again, and is left out (see the comments):")
            lines += [f"- {_escape_docstring(each)}" for each in dict.fromkeys(self.left)]
        return "".join(f"\n{line}" for line in ["", *lines]) + "\n" if lines else ""

    def render_file(self, name: str) -> str:
        """Return the source of the whole test file."""
        body = self.lines or ["pass"]
        origins = "".join(
            f'{constant} = os.environ.get("{constant}", {to_literal(origin)})\n'
            for origin, constant in self.origins.items()
        )
        said = f"Another site is named in the environment: {', '.join(self.origins.values())}." if self.origins else ""
        imports = "import re\n" if any("re.compile(" in line for line in body) else ""
        parts = [
            _HEAD.format(
                about=_escape_docstring(to_comment(self.about)),
                sites=said,
                limits=self._describe_limits(),
                imports=imports,
                origins=origins,
            )
        ]
        if self.fixtures:
            parts.append(_GIVEN)
        for fixture, (recorded, what) in self.fixtures.items():
            about = to_literal(to_comment(what))
            given = f"{to_literal(fixture.upper())}, {about}" + (
                "" if recorded is None else f", {to_literal(recorded)}"
            )
            parts.append(f"\n@pytest.fixture\ndef {fixture}() -> str:\n    return _given({given})\n\n")
        arguments = ", ".join(["page: Page", *(f"{fixture}: str" for fixture in self.fixtures)])
        parts.append(f"\ndef {name}({arguments}) -> None:\n")
        parts += [f"    {line}\n" if line else "\n" for line in body]
        return "".join(parts)


def _escape_docstring(text: str) -> str:
    """Return a text without quotes and backslashes, so that it can stand in a docstring."""
    return text.replace('"', "'").replace("\\", "/")


def _to_identifier(text: str) -> str:
    """Return a text as a Python identifier for a fixture; "" where no letter or digit of it can be used."""
    name = "_".join(re.findall(r"[a-z0-9]+", text.lower()))[:40].strip("_")
    if not name or name[0].isdigit() or keyword.iskeyword(name) or name in _TAKEN or name.startswith("page"):
        return ""
    return name


_TAKEN = frozenset({"page", "expect", "re", "os", "pytest", "browser", "context", "request", "true", "false"})


def make_test_name(text: str) -> str:
    """Return the test function's name, made from the recording's title."""
    return f"test_{'_'.join(re.findall(r'[a-z0-9]+', text.lower()))[:60].strip('_') or 'recording'}"
