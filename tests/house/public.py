"""What is public, as the code has it: names with what they take, commands with their options, JSON with its keys (docs/stability.md).

`python -m tests.house.public` writes it into public.json beside this file, which test_public.py holds the code to.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import inspect
import io
import json
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from pagereel.cli import main
from pagereel.errors import PagereelError
from pagereel.integrations import exports, pytest_plugin
from pagereel.player_build import BuildOptions
from pagereel.recorder import RecordOptions
from pagereel.reel import FORMAT, KINDS, OPS

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("public.json")
GOLDEN = ROOT / "tests" / "golden" / "1.0.0"
PLAYER = ROOT / "player_build" / "player" / "src"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
MODULES = {
    "pagereel": None,
    "pagereel.errors": None,
    "pagereel.browser": ("CHROMIUM_VARIABLE", "find_chromium", "launch_options"),
    "pagereel.redaction": ("Finding", "GateResult", "KnownValues", "TextContext", "find_pii", "gate_html", "known_values", "load_policy", "redact_many", "unmask"),
    "pagereel.comparison": ("Difference", "Divergence", "accept_run", "remove_run", "runs_of", "write_comparison"),
    "pagereel.library": ("Added", "Expired", "Figures", "FoundRun", "QueryError", "SearchResult"),
    "pagereel.reel": ("Key", "new_key_pair", "open_reel", "using_key", "verify"),
    "pagereel.integrations": (
        "Answers", "BrowserUseWatch", "CdpRecording", "CuaWatch", "Exporter", "Job", "JobOutcome", "McpServer", "ModelProxy", "Models",
        "ReplayCallbackHandler", "ReplayProcessor", "build_many", "export", "models", "record_cdp", "record_desktop", "run_job", "shared", "tool",
    ),
}  # fmt: skip
"""Module → its public names; None: all that it has."""
GIVEN = (
    "recorder.agent.Step", "recorder.session.Stats", "reel.reader.Reel", "reel.checks.VerifyReport", "redaction.joint_redaction.JointlyMasked", "redaction.gate.gate.Leak",
    "comparison.baseline.BaselineRun", "comparison.baseline.BaselineChange", "comparison.records.RunMoment", "library.searching.Hit",
    "library.figures.coverage.Coverage", "library.figures.curves.CurveStep", "integrations.recorded_routing.served_requests.Served", "integrations.proxy.recorded_answers.RecordedAnswer",
)  # fmt: skip
"""Classes of what public functions give: their members are public, where they lie and how they are made is not."""
INSIDE = {
    "Session": "call_before_end record_model_call current_agent_name open_step_id end_outside_event_loop start_outside_event_loop create_unrecorded",
    "Library": "get_logged_entry has_expiring_runs delete_derived_files has_sealed_recording find_leftovers writer_lock reload_retention_rules delete_run_files temporary_folder",
    "RecordedRun": "is_record_of_agent get_step_number open_reel",
    "Policy": "allowed_entities find_rule_action find_values_with_action",
    "KnownValues": "add_typed_prefix freeze add_always",
    "Key": "unwrap_file_key wrap_file_key",
    "CdpRecording": "is_connected",
    "McpServer": "build_reply",
    "Reel": "read_new_events closed invalid is_cut cache_timeline_events iter_zstd_frames list_shared_resources",
}
"""Class → members that other rooms of pagereel use, and nobody else should; so too in classes below it."""
KEYWORDS = {"pagereel.record": RecordOptions, "pagereel.build": BuildOptions, "pagereel.build_async": BuildOptions}
"""Function → where its `**options` are listed."""
ASKED = (
    "info failed.reel", "query overview failed.reel", "query summary failed.reel", "query steps failed.reel", "query calls failed.reel",
    "query errors failed.reel", "query console failed.reel", "query requests failed.reel", "query text failed.reel", "query first-failure failed.reel",
    "query when-changed failed.reel #state", "query around failed.reel 3", "verify failed.reel", "compare paid.reel failed.reel", "baseline list baseline",
    "build failed.reel new.html", "gate failed.reel --known values.txt", "prune baseline --older-than 9000d --dry-run", "library list library",
    "library search library outcome:failed", "library show library RUN", "library stats library", "library flag library RUN odd", "library keep library RUN --why it", "library keep library RUN --release",
    "library expire library --dry-run", "library rebuild library", "library audit library", "library add raw paid.reel", "library delete library RUN --why it", "doctor",
    "query messages failed.reel", "query notes failed.reel", "query stalls failed.reel", "bundle failed.reel paid.reel suite.html", "import masked.html again.reel",
    "baseline add new paid.reel --why it", "baseline remove new BASELINE --why it", "baseline accept-all baselines results --why it", "keygen new.pem",
    "unmask masked.reel whole.reel --vault masked.vault --key-file team.key --why it", "library expect raw expected.csv", "library parquet raw facts",
    *(f"export {form} failed.reel new.{form}" for form in ("har", "jsonl", "markdown", "otlp", "pytest", "rrweb", "training")),
)  # fmt: skip
"""Commands that print JSON, in a folder with what tests/golden/ holds."""
GROUPS = ("query", "library", "baseline", "export")
MASKING = ("query", "build", "compare", "bundle", "export")
UNASKED = {
    "attach": "needs a browser", "demo": "needs a browser", "record": "needs a browser", "setup": "brings packages", "redact": "loads models; its report is build's",
    "export skill": "takes several runs; what it prints is export's", "library watch": "goes on",
}  # fmt: skip
"""Commands with `--json` whose keys the list does not have, and why."""
VARIABLES_INSIDE = {"PAGEREEL_COMPLETE", "PAGEREEL_CONFIG", "PAGEREEL_LOOK", "PAGEREEL_PATHS", "PAGEREEL_TOLD_TO"}
"""Names that look like variables of the environment, and are said between pagereel's own processes or scripts."""


def public() -> dict[str, Any]:
    """Return all that docs/stability.md calls public and a program can tell."""
    return {
        "names": dict(sorted(names())),
        "commands": dict(sorted(commands())),
        "exit status": {kind.__name__: kind.exit_status for kind in sorted(errors(PagereelError), key=str)},
        "json": shapes(),
        "reel": {"format": FORMAT, "kinds": sorted(KINDS), "ops": sorted(OPS)},
        "window.pagereel": player(),
        "address": sorted(
            re.findall(r'(?m)^    (?:else )?if \(name === "(\w+)"', (PLAYER / "url-fragment.ts").read_text("utf-8"))
        ),
        "pytest": dict(sorted(plugin())),
        "environment": sorted(variables() - VARIABLES_INSIDE),
        "extras": sorted({*PROJECT["project"]["optional-dependencies"]} - {"dev"}),
        "entry points": exports.GROUP,
    }


def names() -> Iterator[tuple[str, Any]]:
    """Yield each public name with what it takes, or its members with what these take."""
    for module_name, chosen in MODULES.items():
        module = importlib.import_module(module_name)
        for name in (
            chosen or getattr(module, "__all__", None) or [n for n, v in vars(module).items() if inspect.isclass(v)]
        ):
            thing, path = getattr(module, name), f"{module_name}.{name}"
            if inspect.isclass(thing):
                yield path, dict(sorted(outside(thing)))
            elif callable(thing):
                yield path, takes(thing, KEYWORDS.get(path))
            else:
                yield path, type(thing).__name__

    for path in GIVEN:
        module_name, _, name = path.rpartition(".")
        given = getattr(importlib.import_module(f"pagereel.{module_name}"), name)
        yield f"given: {name}", {member: it for member, it in sorted(outside(given)) if member != "()"}


def outside(kind: type) -> Iterator[tuple[str, str]]:
    """Yield a class's members without those that pagereel uses itself."""
    inside = {name for each in kind.__mro__ for name in INSIDE.get(each.__name__, "").split()}
    yield from ((name, it) for name, it in members(kind) if name not in inside)


def members(kind: type) -> Iterator[tuple[str, str]]:
    """Yield a class's own public attributes and methods, and those that it has of classes of pagereel's."""
    for each in reversed([base for base in kind.__mro__ if base.__module__.startswith("pagereel")]):
        for name in (*inspect.get_annotations(each), *vars(each)):
            if name.startswith("_"):
                continue
            value = inspect.getattr_static(kind, name, None)
            value = value.__func__ if isinstance(value, staticmethod | classmethod) else value
            yield name, takes(value) if inspect.isfunction(value) else "attribute"
    if "__init__" in vars(kind) and not dataclasses.is_dataclass(kind):
        for name in re.findall(r"\bself\.([a-z]\w*)(?:: [^=\n]+)? = ", inspect.getsource(kind.__init__)):
            yield name, "attribute"
    if (dataclasses.is_dataclass(kind) or "__init__" in vars(kind)) and not takes(kind).startswith("_"):
        yield "()", takes(kind)


def takes(function: Any, keywords: type | None = None) -> str:
    """Return the parameters by name: `a, b=, *, c=`, where = says that one may be left out."""
    said, seen = [], False
    for name, each in inspect.signature(function).parameters.items():
        if each.kind is each.KEYWORD_ONLY and not seen:
            said.append("*")
        seen = seen or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        if each.kind is each.VAR_KEYWORD and keywords is not None:
            said += ["*", *(f"{option}=" for option in keywords.__annotations__)]
        elif name != "self":
            stars = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
            said.append(f"{stars}{name}{'' if each.default is each.empty else '='}")
    return ", ".join(said)


def plugin() -> Iterator[tuple[str, str]]:
    """Yield what pytest takes from the plugin: its options, ini names and fixtures."""
    found: list[tuple[str, str]] = []

    class Parser:
        def getgroup(self, *_: object) -> Parser:
            return self

        def addoption(self, *names: str, **_: object) -> None:
            found.extend((name, "option") for name in names)

        def addini(self, name: str, *_: object, **__: object) -> None:
            found.append((f"{name} =", "ini"))

    pytest_plugin.pytest_addoption(Parser())  # type: ignore[arg-type]
    yield from found
    yield from ((name, "fixture") for name, it in vars(pytest_plugin).items() if hasattr(it, "_fixture_function"))


def variables() -> set[str]:
    """Return the names in the code that begin as pagereel's environment variables do."""
    rooms = {
        folder for name, folder in PROJECT["tool"]["setuptools"]["package-dir"].items() if name != "pagereel.fixtures"
    }
    sources = [path.read_text("utf-8") for room in rooms for path in (ROOT / room).rglob("*.py")]
    return set(re.findall(r"\bPAGEREEL_[A-Z_]+", "\n".join(sources)))


def errors(kind: type[PagereelError]) -> Iterator[type[PagereelError]]:
    """Yield the error and all below it in pagereel.errors."""
    yield kind
    for each in kind.__subclasses__():
        if each.__module__ == "pagereel.errors":
            yield from errors(each)


def commands() -> Iterator[tuple[str, str]]:
    """Yield each command with its arguments and options, as its `--help` has them."""
    from pagereel.cli.app import app
    from pagereel.cli.common_options import add_common_options

    add_common_options(app)
    yield from _below(typer.main.get_command(app), "pagereel")


def _below(command: Any, path: str) -> Iterator[tuple[str, str]]:
    if getattr(command, "hidden", False):
        return
    options = [
        max(p.opts, key=len)
        for p in command.params
        if p.param_type_name == "option" and not getattr(p, "hidden", False)
    ]
    arguments = [(p.metavar or p.name).strip("{}") for p in command.params if p.param_type_name == "argument"]
    yield path, " ".join([*arguments, *sorted(options)])
    for name, below in sorted(getattr(command, "commands", {}).items()):
        yield from _below(below, f"{path} {name}")


def shapes() -> dict[str, Any]:
    """Return what each command prints with `--json`: keys with the kinds of their values."""
    found = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        shutil.copytree(GOLDEN, folder, dirs_exist_ok=True)
        Path("raw").mkdir()
        Path("raw/library.toml").write_text('index = "off"\n')  # Nothing is masked: the models take seconds.
        Path("values.txt").write_text("Elena Marchetti\n")
        Path("expected.csv").write_text("test\ntests/a.py::test_pays\n")
        Path("results/pays").mkdir(parents=True)
        shutil.copy("paid.reel", "results/pays/run.reel")
        run = json.loads(answer(["library", "list", "library"]))["runs"][0]["id"]
        for line in ASKED:
            if "BASELINE" in line:
                line = line.replace("BASELINE", json.loads(answer(["baseline", "list", "new"]))["runs"][0]["run"])
            words = line.replace("RUN", run).split()
            asked = " ".join(words[: 1 + (words[0] in GROUPS)])
            raw = ["--redaction", "off"] if words[0] in MASKING else []
            found[asked] = shape(json.loads(answer([*words, *raw])))
    found["doctor"]["checks"][0] |= {"found": "text", "fix": "text"}  # Null or not by what is installed here.
    return found


def answer(words: list[str]) -> str:
    """Return what a command prints with `--json`."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()) as said:
        status = main([*words, "--json"])
    if status == 2:
        raise AssertionError(f"{' '.join(words)}: {said.getvalue()}")
    return printed.getvalue()


def shape(value: Any) -> Any:
    """Return a value's shape: the keys of objects, one shape for all items of a list, and the kinds of all else."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in sorted(value.items())}
    if isinstance(value, list):
        merged: Any = None
        for each in value:
            merged = shape(each) if merged is None else both(merged, shape(each))
        return [] if merged is None else [merged]
    kinds = {bool: "bool", int: "number", float: "number", str: "text"}
    return "null" if value is None else kinds[type(value)]


def both(one: Any, other: Any) -> Any:
    """Return one shape for two."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {
            key: both(one[key], other[key]) if key in one and key in other else one.get(key, other.get(key))
            for key in sorted({*one, *other})
        }
    if isinstance(one, list) and isinstance(other, list):
        return one if not other else other if not one else [both(one[0], other[0])]
    if one == other or (one is not None and other == "null"):
        return one
    return other if one == "null" else "any"


def player() -> list[str]:
    """Return the members of `window.pagereel`, as the player's source has them."""
    source = (PLAYER / "api.ts").read_text("utf-8")
    body = source.partition("return Object.freeze({")[2].partition("\n  });")[0]
    return sorted(set(re.findall(r"(?m)^    (?:get )?(\w+)(?:\(|,|: )", body)))


def text() -> str:
    """Return the list as it is committed."""
    return json.dumps(public(), indent=1, ensure_ascii=False, sort_keys=False) + "\n"


if __name__ == "__main__":
    LIST.write_text(text(), "utf-8")
    sys.exit(print(f"wrote {LIST.relative_to(ROOT)}; say what changed in CHANGELOG.md (docs/stability.md)"))
