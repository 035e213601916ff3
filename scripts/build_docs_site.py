"""Builds the documentation's website, for `make docs`.

python scripts/build_docs_site.py OUT ZENSICAL

ZENSICAL is the program that renders the pages; docs/site/requirements.lock names its version. The script copies the
pages of docs/ into OUT/pages. It adds reference pages of commands and Python names, made from the code, and the replays
that the tutorials make. Exit status 1: a list would be shown as plain text, or a page loads something from another
host. A tutorial that fails raises AssertionError; a dead link makes ZENSICAL fail.
"""

import ast
import inspect
import itertools
import json
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import run_tutorials

import pagereel
from pagereel.player_build.options import BuildSettings
from pagereel.recorder.runtime.options import Options

ROOT = Path(__file__).resolve().parent.parent
LIVE = ("bad.html", "compare.html", "figures.html")
"""What the tutorials make that is shown on their pages."""
FIRST = ("record", "build", "redact", "open_recording", "compare", "route_from_reel", "Library")
"""The public names that a reader looks for first."""
OPTIONS = {"record": Options, "build": BuildSettings}
"""The calls that take their options as keywords, and the classes that say what each of them is."""
LOST = re.compile(r"<p>(?:(?!</p>).)*?\n((?:\d+\.|[-*|]) [^\n]*)", re.DOTALL)
"""A line of a list or a table in a paragraph: GitHub needs no blank line before one, and no four blanks in one, where the site does."""
PUBLIC = json.loads((ROOT / "tests" / "house" / "public.json").read_text("utf-8"))["names"]
"""What docs/stability.md promises: name → its members."""
ELSEWHERE = "https://github.com/pagereel/pagereel/blob/main/"


def copy_docs_pages(pages: Path) -> None:
    """Copy docs/ and the changelog into the folder `pages`, and adapt the links of all pages to the website."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(ROOT / "docs", pages, ignore=shutil.ignore_patterns("site", "evidence"))
    for name in ("index.md", "site.css", "site.js"):
        shutil.copy(ROOT / "docs" / "site" / name, pages)
    shutil.copy(ROOT / "CHANGELOG.md", pages)
    for page in pages.rglob("*.md"):
        page.write_text(_rewrite_links(page.read_text("utf-8"), page.relative_to(pages)), "utf-8")


def _rewrite_links(text: str, page: Path) -> str:
    """Return a page's Markdown with its relative links changed to the addresses that they have on the website."""

    def rewrite_link(match: re.Match[str]) -> str:
        path, anchor = match[1], match[2] or ""
        file = (
            (ROOT / "docs" / page.parent / path).resolve() if page.name != "CHANGELOG.md" else (ROOT / path).resolve()
        )
        up = "../" * len(page.parent.parts)
        if file == ROOT / "README.md":
            return f"]({up}index.md)"
        if file == ROOT / "CHANGELOG.md":
            return f"]({up}CHANGELOG.md{anchor})"
        if file.is_relative_to(ROOT / "docs") and "evidence" not in file.parts:
            return f"]({up}{file.relative_to(ROOT / 'docs').as_posix()}{anchor})"
        return f"]({ELSEWHERE}{file.relative_to(ROOT).as_posix()}{anchor})" if file.is_relative_to(ROOT) else match[0]

    if page.name == "index.md":
        return text
    return re.sub(r"\]\(([^)#:\s]+)(#[^)]*)?\)", rewrite_link, text)


def render_commands_page() -> str:
    """Return the reference page of all commands as Markdown: the `--help` text of each."""
    listing = _read_command_help()
    lines = ["# Commands", "", "What `--help` of each command prints.", ""]
    for name in re.findall(r"(?m)^  ([a-z]+)\s{2,}\S", listing.split("Options:")[1]):
        text = _read_command_help(name)
        lines += [f"## pagereel {name}", "", "```text", text.rstrip(), "```", ""]
        for verb in re.findall(r"(?m)^  ([a-z][a-z-]+)\s{2,}\S", text.partition("Commands:")[2]):
            lines += [f"### pagereel {name} {verb}", "", "```text", _read_command_help(name, verb).rstrip(), "```", ""]
    return "\n".join(lines)


def _read_command_help(*words: str) -> str:
    """Return the text that `pagereel … --help` prints for a command."""
    command = [sys.executable, "-c", "from pagereel.cli import main; main()", *words, "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={"COLUMNS": "96", "PATH": ""})
    return done.stdout


def render_python_page() -> str:
    """Return the reference page of all public Python names as Markdown, made from their docstrings."""
    lines = ["# Python", "", "What can be imported from `pagereel`; [what stays](../stability.md) of it."]
    if not (ROOT / "docs" / "stability.md").exists():
        lines[-1] = "What can be imported from `pagereel`."
    for name in (*FIRST, *(name for name in pagereel.__all__ if name not in FIRST and name[0] != "_")):
        value = getattr(pagereel, name)
        lines += [
            "",
            f"## {name}",
            "",
            "```python",
            _format_signature(name, value),
            "```",
            "",
            _docstring_to_markdown(inspect.getdoc(value)),
        ]
        if name in OPTIONS:
            lines += ["", "| option | default | |", "|---|---|---|", *_iter_option_rows(OPTIONS[name])]
        if inspect.isclass(value) and not issubclass(value, Exception):
            above = dir(pagereel.Session) if value in (pagereel.AsyncSession, pagereel.SyncSession) else ()
            public = PUBLIC[f"pagereel.{name}"]
            for own, member in inspect.getmembers(value, callable):
                if own in public and own not in above and member.__doc__:
                    head = _format_signature(own, member)
                    lines += [
                        "",
                        f"### {name}.{own}",
                        "",
                        "```python",
                        head,
                        "```",
                        "",
                        _docstring_to_markdown(inspect.getdoc(member)),
                    ]
    return "\n".join(lines) + "\n"


def _iter_option_rows(settings: type) -> Iterator[str]:
    """Yield a table row for each option of a settings class: name, default, and the docstring below it in the source."""
    body = ast.parse(textwrap.dedent(inspect.getsource(settings))).body[0].body  # type: ignore[attr-defined]
    for option, said in itertools.pairwise(body):
        if isinstance(option, ast.AnnAssign) and isinstance(said, ast.Expr):
            assert isinstance(option.target, ast.Name) and isinstance(said.value, ast.Constant)
            default = ast.unparse(option.value) if option.value else ""
            default = {"field(default_factory=dict)": "{}"}.get(default, default)
            text = " ".join(_docstring_to_markdown(inspect.cleandoc(str(said.value.value))).split()).replace("|", "\\|")
            yield f"| `{option.target.id}` | `{default}` | {text} |"


def _format_signature(name: str, value: object) -> str:
    """Return the signature of a function or class as text, on several lines if it is wider than the page."""
    try:
        text = str(inspect.signature(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        text = "(…)"
    text = re.sub(r"pagereel\.[\w.]+\.(?=\w)|pathlib\._?\w*\.|typing\.|(?<=\()self(?:, )?", "", text)
    text = name + re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
    # A line each for the arguments of a call that is wider than the page.
    return re.sub(r"\((.*)\)( -> .*)?$", _put_arguments_on_lines, text) if len(text) > 80 else text


def _put_arguments_on_lines(match: re.Match[str]) -> str:
    arguments = re.split(r", (?=\*|/|\w+[:=,)]|\w+$)(?![^\[]*\])", match[1])
    return "(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")" + (match[2] or "")


def _docstring_to_markdown(docstring: str | None) -> str:
    """Return a docstring as Markdown: its `:param:` fields as a list, names of pagereel without their modules."""
    text = re.sub(r":\w+:`~?([^`<]+?)`", lambda name: f"`{name[1].removeprefix('pagereel.')}`", docstring or "")
    text = text.replace("``", "`")
    text = re.sub(r"(?m)(?:^(?:>>>|\.\.\.) .*\n?)+", lambda lines: f"```pycon\n{lines[0].rstrip()}\n```\n", text)
    text = re.sub(r"Options: see `\w+`\.", "The options are below.", text)
    text = re.sub(r"(?m)^:(?:param|raises) ([\w. ]+):", r"- `\1`:", text)
    return re.sub(r"(?m)^:returns?:", "- returns", text)


class _ExternalRequestParser(HTMLParser):
    """Collects the addresses on other hosts that an HTML page loads scripts, styles or pictures from."""

    def __init__(self) -> None:
        super().__init__()
        self.hosts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        loads = given.get("src") if tag != "link" else given.get("rel") in ("stylesheet", "preconnect", "preload") and given.get("href")  # fmt: skip
        if loads and re.match(r"(?:https?:)?//", str(loads)):
            self.hosts.append(f"{tag} {loads}")


def main(out: Path, zensical: Path) -> int:
    """Build the website in `out` with the program `zensical`. Return the exit status."""
    pages, html = out / "pages", out / "html"
    copy_docs_pages(pages)
    (pages / "reference").mkdir()
    (pages / "reference" / "commands.md").write_text(render_commands_page(), "utf-8")
    (pages / "reference" / "python.md").write_text(render_python_page(), "utf-8")
    (pages / "live").mkdir()
    # A reader's folder is not in this checkout, whose pytest settings would hold there.
    with tempfile.TemporaryDirectory() as run:
        run_tutorials.run_all_tutorials(Path(run))
        for name in LIVE:
            shutil.copy(Path(run) / name, pages / "live")
    shutil.rmtree(html, ignore_errors=True)
    shutil.copy(ROOT / "docs" / "site" / "mkdocs.yml", out)
    built = subprocess.run([zensical, "build", "--strict", "-f", out / "mkdocs.yml"])
    if built.returncode:
        return built.returncode
    wrong = 0
    for page in sorted(html.rglob("*.html")):
        if page.parent.name == "live":
            continue
        # A table's empty corner is no header of anything.
        text = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", page.read_text("utf-8"))
        page.write_text(text, "utf-8")
        parser = _ExternalRequestParser()
        parser.feed(text)
        for host in parser.hosts:
            print(f"{page.relative_to(html)}: asks another host: {host}", file=sys.stderr)
        wrong += len(parser.hosts)
        for shown in LOST.findall(text):
            print(f"{page.relative_to(html)}: a list is shown as text: {shown[:60]}", file=sys.stderr)
            wrong += 1
    print(f"site       {html / 'index.html'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).absolute()))
