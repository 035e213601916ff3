"""The verbs of `pagereel export`: one for each format, with its options."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from pagereel.cli.options import EndMoment, Force, Json, Policy, Reel, StartMoment
from pagereel.errors import UsageError

Destination = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="The file to write, - for stdout; default: stdout.", show_default=False),
]
Page = Annotated[
    int | None, typer.Option("--page", min=1, metavar="NUMBER", help="The page (tab) to export; default: the first.", show_default=False)
]  # fmt: skip
FormatOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-O", metavar="NAME=VALUE", help="An option of the format; may be repeated.", show_default=False
    ),
]
Check = Annotated[
    str | None,
    typer.Option(
        "--check", metavar="URL", help="Run the script once against this site, and write its result into it.", show_default=False
    ),
]  # fmt: skip


def _build_plain_command(format_name: str) -> Callable[..., int]:
    """Return the function of the export command for a format without options."""

    def export_command(
        reel: Reel,
        destination: Destination = None,
        redaction: Policy = "vendor",
        force: Force = False,
        json: Json = False,
    ) -> int:
        return _export_reel(reel, destination, format_name, None, [], redaction, force=force, json=json)

    return export_command


def _build_markdown_command(format_name: str) -> Callable[..., int]:
    def export_command(
        reel: Reel,
        destination: Destination = None,
        replay: Annotated[
            str | None,
            typer.Option("--replay", metavar="HTML", help="Make its times links into this replay.", show_default=False),
        ] = None,
        place: Annotated[
            str | None,
            typer.Option("--for", metavar="PLACE", help="pr: a comment on a pull request.", show_default=False),
        ] = None,
        picture: Annotated[
            Path | None,
            typer.Option(
                "--picture", metavar="FILE", help="For pr: a strip or film that shows in it.", show_default=False
            ),
        ] = None,
        option: FormatOptions = None,
        redaction: Policy = "vendor",
        force: Force = False,
        json: Json = False,
    ) -> int:
        given = [*(option or []), *([] if replay is None else [f"replay={replay}"])]
        if place not in (None, "pr") or (picture is not None and place is None):
            raise UsageError("--picture needs --for pr, which is the only value of --for.")
        if picture is not None:
            folder = "." if destination is None else destination.parent
            given.append(f"picture={Path(os.path.relpath(picture, folder)).as_posix()}")
        return _export_reel(reel, destination, place or format_name, None, given, redaction, force=force, json=json)

    return export_command


def _build_rrweb_command(format_name: str) -> Callable[..., int]:
    def export_command(
        reel: Reel,
        destination: Destination = None,
        page: Page = None,
        redaction: Policy = "vendor",
        force: Force = False,
        json: Json = False,
    ) -> int:
        return _export_reel(reel, destination, format_name, page, [], redaction, force=force, json=json)

    return export_command


def _build_film_command(format_name: str) -> Callable[..., int]:
    def export_command(
        reel: Reel,
        destination: Destination = None,
        start: StartMoment = None,
        end: EndMoment = None,
        max_size: Annotated[
            str | None,
            typer.Option(
                "--max-size", metavar="SIZE", help="Take the best quality that fits: 10MB.", show_default=False
            ),
        ] = None,
        size: Annotated[
            str | None,
            typer.Option(
                "--size", metavar="WxH", help="In pixels; else the page's, at most 1280 wide.", show_default=False
            ),
        ] = None,
        story: Annotated[bool, typer.Option("--story", help="The list of what happened beside the page.")] = False,
        bare: Annotated[bool, typer.Option("--bare", help="Without pointer, clicks, keys and captions.")] = False,
        redaction: Policy = "vendor",
        force: Force = False,
        json: Json = False,
    ) -> int:
        from pagereel.cli.query_and_export import export_film

        return export_film(
            reel, destination, format_name, start=start, end=end, max_size=max_size, size=size, story=story, bare=bare,
            redaction=redaction, force=force, json=json,
        )  # fmt: skip

    return export_command


def _build_skill_command(format_name: str) -> Callable[..., int]:
    def export_command(
        paths: Annotated[
            list[Path],
            typer.Argument(
                metavar="REEL…", help="Recordings of one task, and last the folder to write.", show_default=False
            ),
        ],
        name: Annotated[
            str | None, typer.Option("--name", metavar="TEXT", help="The skill's name.", show_default=False)
        ] = None,
        check: Check = None,
        redaction: Policy = "vendor",
        force: Force = False,
        json: Json = False,
    ) -> int:
        from pagereel.cli.query_and_export import export_skill

        return export_skill(paths, [] if name is None else [f"name={name}"], check, redaction, force=force, json=json)

    return export_command


def _export_reel(*given: Any, force: bool, json: bool) -> int:
    from pagereel.cli.query_and_export import export_reel

    return export_reel(*given, force=force, json=json)


_FORMATS: Final = (
    ("markdown", _build_markdown_command, "Write a transcript for people.", "run.md --replay run.html"),
    ("strip", _build_plain_command, "Write its decisive moments as one picture.", "run.png"),
    ("jsonl", _build_plain_command, "Write a transcript for programs, a record a line.", "| jq .title"),
    ("har", _build_plain_command, "Write the network's traffic (HAR 1.2).", "run.har"),
    ("rrweb", _build_rrweb_command, "Write what rrweb's Replayer plays.", "run.rrweb.json --page 2"),
    ("training", _build_plain_command, "Write state, action, reasoning, outcome of each action.", "run.training.jsonl"),
    ("pytest", _build_plain_command, "Write a Playwright test that does it again.", "test_run.py"),
    ("otlp", _build_plain_command, "Write OpenTelemetry's spans.", "run.otlp.json"),
    ("mp4", _build_film_command, "Write a film (H.264).", "run.mp4 --from step:3 --to mark:paid"),
    ("webm", _build_film_command, "Write a film (VP9).", "run.webm --story"),
    ("gif", _build_film_command, "Write a film that every ticket shows.", "run.gif --max-size 10MB"),
    ("webp", _build_film_command, "Write a film as an animated WebP.", "run.webp --size 1280x720"),
)  # fmt: skip
_SKILL: Final = "Draft a coding agent's skill from recordings of one task."


def build_export_commands() -> list[tuple[str, Callable[..., int], str]]:
    """Return the verbs of `export`, each as its name, its function and its description."""
    found = []
    for form, of, does, more in _FORMATS:
        command = of(form)
        command.__doc__ = (
            f"{does} Redacted unless told otherwise.\n\n\b\nExample:\n  pagereel export {form} run.reel {more}"
        )
        found.append((form, command, does))
    skill = _build_skill_command("skill")
    skill.__doc__ = (
        f"{_SKILL} What they share is a procedure and a script, what varies is its inputs.\n\n"
        "\b\nExample:\n  pagereel export skill a.reel b.reel c.reel skills/order --check http://127.0.0.1:8000"
    )
    return [*found, ("skill", skill, _SKILL)]


def export_by_ending(
    reel: Reel,
    destination: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="The file to write; default: stdout. Its extension chooses the format.",
            show_default=False,
        ),
    ] = None,
    more: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="MORE", help="For a skill: further recordings, and last the folder to write.", show_default=False
        ),
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", "-f", metavar="FORMAT", help="The format.", show_default=False)
    ] = None,
    check: Check = None,
    page: Page = None,
    option: FormatOptions = None,
    redaction: Policy = "vendor",
    force: Force = False,
    json: Json = False,
) -> int:
    """Write a recording in the format that FILE's ending or --format names."""
    if form == "skill":
        from pagereel.cli.query_and_export import export_skill

        return export_skill(
            [reel, *([destination] if destination else []), *(more or [])],
            option or [],
            check,
            redaction,
            force=force,
            json=json,
        )
    if more or check is not None:
        raise UsageError("Only a skill (--format skill) takes several recordings and --check.")
    return _export_reel(reel, destination, form, page, option or [], redaction, force=force, json=json)
