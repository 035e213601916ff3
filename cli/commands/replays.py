"""The commands that make and open replays: `build`, `bundle` and `show`.

A function's signature declares the arguments and options of its command, and its docstring is the help. A function
imports the package that does the work only when it is called, so that the command line starts fast.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pagereel.cli.options import EndMoment, Json, OnLeak, Policy, RequireModels, StartMoment, Vault, VaultKey
from pagereel.cli.standard_streams import DASH, replace_input_dash, replace_output_dash_with_ending


def build(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="A recording and, if wanted, the replay to write (else its name with .html); or several recordings. Paths, patterns, addresses like s3://; - for stdin and stdout.",
            show_default=False,
        ),
    ],
    redaction: Policy = "vendor",
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="The window's title.", show_default=False)
    ] = None,
    theme: Annotated[str, typer.Option("--theme", metavar="THEME", help="auto, light or dark.")] = "auto",
    start: StartMoment = None,
    end: EndMoment = None,
    clip: Annotated[
        bool, typer.Option("--clip", help="Leave nothing in the file from before --from or after --to.")
    ] = False,
    max_size: Annotated[
        str | None,
        typer.Option(
            "--max-size",
            metavar="SIZE",
            help="Leave out media, fonts, images, bodies, in this order, until it fits: 10MB.",
            show_default=False,
        ),
    ] = None,
    zipped: Annotated[bool, typer.Option("--zip", help="Write a ZIP archive, for places that refuse HTML.")] = False,
    compact: Annotated[
        bool,
        typer.Option(
            "--compact", help="Store bytes instead of base64: a quarter smaller, for transports that change no byte."
        ),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="The replay to write. Of several: the folder for their replays; or one file, run.html, in which they are joined as parts of one run.",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", help="The number of recordings to build at a time.")
    ] = 1,
    executor: Annotated[
        str, typer.Option("--executor", metavar="NAME", help="What runs them: processes, dask or ray.")
    ] = "processes",
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Replace an existing file that is no replay; of several recordings, build unchanged ones as well.",
        ),
    ] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Open the replay at each checkpoint and compare; exit status 1 if it differs."),
    ] = False,
    vault: Vault = None,
    vault_key: VaultKey = None,
    on_leak: OnLeak = "fail",
    require_models: RequireModels = False,
    json: Json = False,
) -> int:
    """Build a replay, one HTML file, of a recording. Personal data is redacted unless --redaction off is given.

    The file says whether it shows the same as the recorded page: the tree and, with --check (for CI), the layout and
    the pictures. Several recordings become a file each; a replay whose recording has not changed is not built again.
    With -o run.html several recordings become one replay with a common clock, for parts of one run that several agents
    or machines recorded.

    \b
    Example:
      pagereel build run.reel run.html
      pagereel build run.reel raw.html --redaction off --check
      pagereel build run.reel small.zip --zip --max-size 10MB --from 30000 --to 65000
      pagereel build run.reel part.html --clip --from step:3 --to "mark:paid"
      pagereel build 'day/*.reel' --output replays -j 2
      pagereel build planner.reel buyer.reel -o run.html
    """
    from pagereel.cli.argument_values import parse_ms, parse_size
    from pagereel.cli.building import build_replay
    from pagereel.cli.multiple_recordings import (
        build_several,
        is_joint_build,
        is_output_for_one_recording,
        is_single_local_recording,
    )
    from pagereel.redaction import require_all_models

    if require_models and redaction != "off":
        require_all_models()
    options: dict[str, Any] = {
        "title": title,
        "theme": theme,
        "start": start,
        "end": end,
        "clip": clip,
        "max_size": None if max_size is None else parse_size(max_size),
        "compact": compact,
        "on_leak": on_leak,
    }
    alone: dict[str, Any] = {
        "zipped": zipped,
        "vault": vault,
        "vault_key": vault_key,
        "check": check,
        "json": json,
        "force": force,
    }
    if output is not None and is_output_for_one_recording(files, output):
        files, output = [files[0], output], None
    if files[0] == DASH and len(files) == 1 and output is None:
        files = [DASH, DASH]
    if len(files) == 2:
        files = [files[0], replace_output_dash_with_ending(files[1], ".zip" if zipped else ".html")]
    files = replace_input_dash(files)
    if output is not None and is_joint_build(files, output):
        from pagereel.reel import remote_stores

        recordings = [Path(path) for name in files for path in remote_stores.expand_pattern(name)]
        return build_replay(recordings, Path(output), redaction, **options, **alone)
    if output is not None or jobs != 1 or executor != "processes" or not is_single_local_recording(files):
        if vault is not None or vault_key is not None:
            raise typer.BadParameter("a vault belongs to one local recording; give only that one", param_hint="--vault")
        for name in ("start", "end"):
            options[name] = parse_ms(options[name])
        if check:
            raise typer.BadParameter("--open and --check take one recording at a time", param_hint="--check")
        return build_several(
            files,
            redaction,
            output=output,
            jobs=jobs,
            executor=executor,
            force=force,
            options=options | {"zip": zipped},
            json=json,
        )
    html = Path(files[1]) if len(files) > 1 else None
    return build_replay(Path(files[0]), html, redaction, **options, **alone)


def bundle(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH… SUITE",
            help="Recordings of any kind, or patterns of them ('test-results/**/*.reel'), then the file to write, - for stdout.",
            show_default=False,
        ),
    ],
    junit: Annotated[
        Path | None,
        typer.Option(
            "--junit",
            metavar="FILE",
            help="A report that tells of all tests: JUnit's XML, or the JSON of Playwright Test.",
            show_default=False,
        ),
    ] = None,
    previous: Annotated[
        Path | None,
        typer.Option(
            "--previous",
            metavar="FILE",
            help="An earlier suite: marks what is new, fixed and flaky since.",
            show_default=False,
        ),
    ] = None,
    redaction: Policy = "vendor",
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="The file's title.", show_default=False)
    ] = None,
    theme: Annotated[Any, typer.Option("--theme", metavar="THEME", help="auto, light or dark.")] = "auto",
    force: Annotated[bool, typer.Option("--force", help="Replace what is there and is no replay.")] = False,
    require_models: RequireModels = False,
    json: Json = False,
) -> int:
    """Build one HTML file of many recordings: the tests of a suite, with their first failures and a search over all of
    them.

    The recordings are redacted jointly: a person has the same stand-in in all of them.

    \b
    Example:
      pagereel bundle 'test-results/**/*.reel' suite.html
      pagereel bundle 'test-results/**/trace.zip' suite.html --junit report.json --previous last.html
    """
    from pagereel.cli.multiple_recordings import bundle_recordings
    from pagereel.redaction import require_all_models

    if require_models and redaction != "off":
        require_all_models()
    return bundle_recordings(
        [*files[:-1], replace_output_dash_with_ending(files[-1], ".html")],
        redaction,
        junit=junit,
        previous=previous,
        title=title,
        theme=theme,
        force=force,
        json=json,
    )


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A replay, or a recording.", show_default=False)],
    redaction: Policy = "vendor",
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
) -> int:
    """Open a replay in the browser. Of a recording, the replay is built first, in the same folder.

    \b
    Example:
      pagereel show run.html
      pagereel show run.reel
    """
    from pagereel.cli.building import open_replay

    return open_replay(file, redaction, opens_browser=not no_open)
