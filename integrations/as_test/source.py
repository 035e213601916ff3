"""The source of a test: its sites, its fixtures, and its lines."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from .literals import comment, literal

MASK = "•"
_HEAD = '''"""{about}

Written by pagereel from a recording: read it before you run it. {sites}"""

from __future__ import annotations

import os
{imports}
import pytest
from playwright.sync_api import Page, expect

{origins}'''
_GIVEN = '''
def _given(name: str, recorded: str | None = None) -> str:
    """Return what the environment has under this name, else what was recorded."""
    value = os.environ.get(name, recorded)
    if value is None:
        pytest.skip(f"set {name}: it was typed when this was recorded, and is masked in the recording")
    return value

'''


@dataclass
class TestSource:
    """The collector of the lines of one test."""

    about: str
    masked: bool
    """The recording was redacted: a typed text may be a stand-in, and a fixture can give the real one."""
    lines: list[str] = field(default_factory=list)
    fixtures: dict[str, tuple[str | None, str]] = field(default_factory=dict)
    """Name → the recorded value, if known, and the field that it was typed into."""
    origins: dict[str, str] = field(default_factory=dict)
    """The origin of a site → the name of its constant."""

    _last: str = ""

    def say(self, line: str) -> None:
        """Add a line to the test, unless it repeats the expectation just before."""
        if not (line.startswith("expect(") and self._last == line):
            self.lines.append(line)
        if line:
            self._last = line

    def remark(self, text: object) -> None:
        """Add a comment to the test."""
        self.lines.append(f"# {comment(text)}")

    def address(self, url: str) -> str:
        """Return an address as code, with its site as a constant that the environment can change."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            return literal(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self.origins:
            number = len(self.origins) + 1
            self.origins[origin] = "SITE" if number == 1 else f"SITE_{number}"
        rest = url[len(origin) :]
        return f"{self.origins[origin]} + {literal(rest)}" if rest else self.origins[origin]

    def typed(self, value: str, into: str, names: list[str]) -> str:
        """Return a typed value as code: a literal, or a fixture where the recording has no value or a stand-in."""
        if MASK not in value and not self.masked:
            return literal(value)
        recorded = None if MASK in value else value
        wanted = next((name for name in map(_identifier, names) if name), "value")
        name, number = wanted, 1
        while name in self.fixtures and self.fixtures[name][0] != recorded:
            number += 1
            name = f"{wanted}_{number}"
        self.fixtures[name] = (recorded, into)
        return name

    def text(self, name: str) -> str:
        """Return the whole file."""
        body = self.lines or ["pass"]
        origins = "".join(
            f'{constant} = os.environ.get("{constant}", {literal(origin)})\n'
            for origin, constant in self.origins.items()
        )
        said = f"Another site is named in the environment: {', '.join(self.origins.values())}." if self.origins else ""
        imports = "import re\n" if any("re.compile(" in line for line in body) else ""
        parts = [
            _HEAD.format(
                about=comment(self.about).replace('"""', "'''").replace("\\", "/"),
                sites=said,
                imports=imports,
                origins=origins,
            )
        ]
        if self.fixtures:
            parts.append(_GIVEN)
        for fixture, (recorded, into) in self.fixtures.items():
            given = f"{literal(fixture.upper())}" + ("" if recorded is None else f", {literal(recorded)}")
            about = comment(into).replace('"""', "'''").replace("\\", "/").rstrip('"')
            parts.append(
                f'\n@pytest.fixture\ndef {fixture}() -> str:\n    """What was typed into {about}."""\n    return _given({given})\n\n'
            )
        arguments = ", ".join(["page: Page", *(f"{fixture}: str" for fixture in self.fixtures)])
        parts.append(f"\ndef {name}({arguments}) -> None:\n")
        parts += [f"    {line}\n" if line else "\n" for line in body]
        return "".join(parts)


def _identifier(text: str) -> str:
    """Return a text as the name of a fixture; "" where none of it can be used."""
    name = "_".join(re.findall(r"[a-z0-9]+", text.lower()))[:40].strip("_")
    if not name or name[0].isdigit() or keyword.iskeyword(name) or name in _TAKEN or name.startswith("page"):
        return ""
    return name


_TAKEN = frozenset({"page", "expect", "re", "os", "pytest", "browser", "context", "request", "true", "false"})


def test_name(text: str) -> str:
    """Return the test's name, made from the recording's."""
    return f"test_{'_'.join(re.findall(r'[a-z0-9]+', text.lower()))[:60].strip('_') or 'recording'}"
