"""Writes a recording in other formats. A format is one entry of :data:`EXPORTERS`, here or in another package.

A package registers its own format by an entry point, whose name is the format's and whose value is an
:class:`Exporter`:

    [project.entry-points."pagereel.exporters"]
    csv = "our_package:csv_exporter"

Then `pagereel export run.reel run.csv` finds it by the file's ending, and `--format csv` by its name.
`examples/csv_exporter/` is an example.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from pagereel.errors import UsageError
from pagereel.reading import RecordedRun, build_story

GROUP: Final = "pagereel.exporters"
"""The group of entry points under which other packages bring exporters."""


@dataclass(frozen=True)
class Exporter:
    """A format in which a recording can be written."""

    write: Callable[..., str | bytes]
    """The function that writes the format. It gets the path of the reel, which is masked unless its owner turned that
    off, and the options by name. It returns the whole file. It raises LookupError for content that the recording
    does not have.
    """
    endings: tuple[str, ...] = ()
    """Endings of file names of this format: ``.md``, ``.rrweb.json``. If two formats match a name, the longer ending
    wins.
    """
    options: Mapping[str, Callable[[str], object]] = field(default_factory=dict)
    """Option → the function that reads its value from the command line's text: ``{"page": int}``."""
    compares: bool = False
    """Whether `write` also gets the recording before it was masked, as `unmasked`, to tell which words are stand-ins.
    It writes none of it.
    """


def _write_markdown(reel: Path, replay: str | None = None) -> str:
    from pagereel.integrations.transcript import iter_markdown_lines

    return "\n".join(iter_markdown_lines(RecordedRun(reel), replay)) + "\n"


def _write_jsonl(reel: Path) -> str:
    return _to_json_lines(build_story(RecordedRun(reel)))


def _write_har(reel: Path) -> str:
    from pagereel.integrations.har import to_har

    return json.dumps(to_har(reel), ensure_ascii=False, indent=1) + "\n"


def _write_rrweb(reel: Path, page: int | None = None) -> str:
    from pagereel.integrations.rrweb import to_rrweb

    return json.dumps(to_rrweb(reel, page), ensure_ascii=False, separators=(",", ":")) + "\n"


def _write_training_pairs(reel: Path) -> str:
    from pagereel.integrations.training import iter_training_pairs

    return _to_json_lines(iter_training_pairs(reel))


def _write_otlp(reel: Path) -> str:
    from pagereel.integrations.otlp import to_otlp

    return json.dumps(to_otlp(reel), ensure_ascii=False) + "\n"


def _write_playwright_test(reel: Path, unmasked: Path | None = None) -> str:
    from pagereel.integrations.as_test import playwright_test
    from pagereel.integrations.replay_browser import call_in_thread

    return call_in_thread(playwright_test, reel, unmasked)


def _write_pull_request_comment(reel: Path, replay: str | None = None, picture: str | None = None) -> str:
    from pagereel.integrations.film import write_pull_request_comment

    return write_pull_request_comment(reel, replay, picture)


def _write_strip(reel: Path) -> bytes:
    from pagereel.integrations.film import make_strip

    return make_strip(reel)


def _make_film_exporter(film_format: str) -> Exporter:
    def write_film(
        reel: Path, start: float | None = None, end: float | None = None, max_size: int | None = None
    ) -> bytes:
        from pagereel.integrations.film import FilmSettings, make_film

        return make_film(reel, film_format, FilmSettings(start, end, max_size)).data

    return Exporter(write_film, (f".{film_format}",), {"start": float, "end": float, "max_size": int})


def _to_json_lines(records: Any) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


EXPORTERS: Final[Mapping[str, Exporter]] = MappingProxyType(
    {
        "markdown": Exporter(_write_markdown, (".md", ".markdown"), {"replay": str}),
        "jsonl": Exporter(_write_jsonl, (".jsonl", ".ndjson")),
        "har": Exporter(_write_har, (".har",)),
        "otlp": Exporter(_write_otlp, (".otlp.json",)),
        "pytest": Exporter(_write_playwright_test, (".py",), compares=True),
        "rrweb": Exporter(_write_rrweb, (".rrweb.json",), {"page": int}),
        "training": Exporter(_write_training_pairs, (".training.jsonl",)),
        "pr": Exporter(_write_pull_request_comment, (".pr.md",), {"replay": str, "picture": str}),
        "strip": Exporter(_write_strip, (".png",)),
        **{form: _make_film_exporter(form) for form in ("mp4", "webm", "gif", "webp")},
    }
)
"""The formats that come with pagereel, by name."""
FORMATS: Final = tuple(EXPORTERS)


def list_formats() -> list[str]:
    """Return the names of all formats: pagereel's, then those of installed packages."""
    return list(dict.fromkeys([*EXPORTERS, *(point.name for point in importlib.metadata.entry_points(group=GROUP))]))


def find_exporter(format_name: str) -> Exporter:
    """Return the exporter for the format named `format_name`, of pagereel or of an installed package.

    :raises UsageError: there is none, or the package's exporter cannot be loaded.
    """
    if format_name in EXPORTERS:  # Another package cannot replace one of pagereel's formats.
        return EXPORTERS[format_name]
    for point in importlib.metadata.entry_points(group=GROUP, name=format_name):
        package = point.dist.name if point.dist is not None else point.value
        try:
            found = point.load()
        except Exception as error:
            raise UsageError(
                f"The exporter {format_name} of {package} cannot be loaded: {type(error).__name__}: {error}."
            ) from error
        if not isinstance(found, Exporter):
            raise UsageError(f"The exporter {format_name} of {package} is not a pagereel.integrations.Exporter.")
        return found
    raise UsageError(f"Unknown format {format_name!r}; the formats are {', '.join(list_formats())}.")


def find_format_of_file(name: str) -> str | None:
    """Return the name of the format that a file name's ending stands for; None for an unknown ending.

    Exporters of other packages are loaded only if no format of pagereel matches.
    """
    return _match_file_ending(name.lower(), EXPORTERS) or _match_file_ending(name.lower(), _load_package_exporters())


def _match_file_ending(name: str, exporters: Mapping[str, Exporter]) -> str | None:
    fitting = [(len(end), form) for form, found in exporters.items() for end in found.endings if name.endswith(end)]
    return max(fitting)[1] if fitting else None


def _load_package_exporters() -> dict[str, Exporter]:
    """Return the exporters of installed packages by format, without those that fail to load."""
    found = {}
    for form in list_formats()[len(EXPORTERS) :]:
        with contextlib.suppress(UsageError):  # The error is raised when the format is asked for by name.
            found[form] = find_exporter(form)
    return found


def export(
    path: Path, form: str, page: int | None = None, *, unmasked: Path | None = None, **options: object
) -> str | bytes:
    """Return the reel at `path`, written in the format named `form`. The reel is not masked here: redact it before
    (`open_shareable_reel`).

    `page`: the page (tab) for rrweb's events, by default the first; `options` are those of the format; `unmasked`: the
    recording before it was masked, for formats that compare the two. Raises UsageError for an unknown format or option,
    LookupError for content that the recording does not have.
    """
    found = find_exporter(form)
    given = {**options, **({} if page is None else {"page": page})}
    for name in given:
        if name not in found.options:
            has = f"it has {', '.join(found.options)}" if found.options else "it has none"
            raise UsageError(f"The format {form} has no option {name!r}; {has}.")
    return found.write(path, **given, **({"unmasked": unmasked} if found.compares else {}))


def parse_options(format_name: str, pairs: list[str]) -> dict[str, object]:
    """Return the options of a command line (``name=value``), each value converted as the format defines.

    :raises UsageError: an item is no ``name=value``, or the format has no such option.
    """
    known = find_exporter(format_name).options
    read: dict[str, object] = {}
    for pair in pairs:
        name, is_pair, value = pair.partition("=")
        if not is_pair:
            raise UsageError(f"--option takes NAME=VALUE, not {pair!r}.")
        try:
            read[name] = known[name](value) if name in known else value
        except ValueError as error:
            raise UsageError(f"--option {name} cannot be {value!r}: {error}.") from None
    return read
