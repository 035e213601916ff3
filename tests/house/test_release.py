"""What makes a release: one version everywhere, notes of it, workflows and an action whose steps are in the checkout and work."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import pagereel
from tests.command import PAGEREEL

ROOT = Path(__file__).resolve().parents[2]
FILES = [*sorted((ROOT / ".github" / "workflows").glob("*.yml")), ROOT / "action.yml"]
GOLDEN = ROOT / "tests" / "golden" / "0.1.0"
SUMMARY = """## Replays

1 of 3 recorded runs failed.

| run | what went wrong first | replay |
|---|---|---|
| `cart-fails-failed` | `POST shop.example/api/pay answered 402 Payment Required: “declined”.`<br>`At once the console says “payment: 402”.`<br>`# ms later the call “Wait for "Paid"” in “Pay” fails: the page does not show this text; it says “The card was declined”.` | `cart-fails-failed.html`, # kB |
| `odd-broken` | `# is not a recording.` | none |
| `cart-pays-paid` | passed | `cart-pays-paid.html`, # kB |
"""


def run(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, words)), capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def test_the_version_is_one_and_its_notes_are_the_changelogs(tmp_path: Path) -> None:
    for name in ("npm/package.json", "front/__init__.py", "scripts/print_release_notes.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    version = re.search(r'(?m)^__version__ = "(.+)"', (ROOT / "front" / "__init__.py").read_text())[1]  # type: ignore[index]
    (tmp_path / "CHANGELOG.md").write_text(
        f"# Changelog\n\n## [Unreleased]\n\n## [{version}] - 2027-01-15\n\n### Added\n\n- All.\n\n## [0.0.1]\n\n- Less.\n"
    )
    notes = [sys.executable, tmp_path / "scripts" / "print_release_notes.py"]
    assert run(*notes, version).stdout == "### Added\n\n- All.\n"
    other = run(*notes, "9.9.9")
    assert (other.returncode, other.stderr) == (
        2,
        f"9.9.9 is asked for, and front/__init__.py and npm/package.json say {version}.\n",
    )


def test_the_version_is_written_once_and_the_reporters_package_has_it_and_all_its_files() -> None:
    package = json.loads((ROOT / "npm" / "package.json").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"] and "version" in project["tool"]["setuptools"]["dynamic"]
    assert package["version"] == pagereel.__version__ and not package.get("dependencies")
    assert [name for name in package["files"] if not (ROOT / "npm" / name).is_file()] == []


def steps_of(file: Path) -> list[dict[str, Any]]:
    read = yaml.safe_load(file.read_text("utf-8"))
    jobs = [read["runs"]] if "runs" in read else list(read["jobs"].values())
    return [step for job in jobs for step in job.get("steps", [])]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_step_takes_no_words_of_strangers_into_a_shell_and_names_files_that_are_there(file: Path) -> None:
    for step in steps_of(file):
        assert ("uses" in step) != ("run" in step)
        shell = step.get("run", "")
        assert "${{" not in shell
        assert [
            name for name in re.findall(r"(?<![\w-])(?:scripts|\.ci)/[\w./]+", shell) if not (ROOT / name).exists()
        ] == []
        assert "@" in step.get("uses", "@")


def test_what_publishes_has_its_own_rights_and_the_rest_has_none() -> None:
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    assert release["permissions"] == {}
    assert {name for name, job in release["jobs"].items() if job.get("environment")} == {"pypi", "npm"}
    assert all({"ci", "build"} <= set(job["needs"]) for job in release["jobs"].values() if job.get("environment"))


@pytest.mark.slow
def test_the_actions_steps_build_replays_and_say_what_went_wrong_first(tmp_path: Path) -> None:
    results, environment = tmp_path / "test results", tmp_path / "environment"
    for name, reel in (("cart-pays", "paid"), ("cart-fails", "failed")):
        (results / name).mkdir(parents=True)
        shutil.copy(GOLDEN / f"{reel}.reel", results / name)
    (results / "odd").mkdir()
    (results / "odd" / "broken.reel").write_text("no recording")
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "python").symlink_to(sys.executable)
    (environment / "bin" / "pagereel").write_text(f'#!/bin/sh\nexec {" ".join(map(repr, PAGEREEL))} "$@"\n')
    (environment / "bin" / "pagereel").chmod(0o755)
    said = {
        "RESULTS": str(results),
        "OUTPUT": str(tmp_path / "replays"),
        "REDACTION": "off",
        "ENVIRONMENT": str(environment),
    }
    (tmp_path / "output").touch()
    done = run(
        "bash",
        ROOT / "scripts" / "action_build.sh",
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"),
        GITHUB_OUTPUT=str(tmp_path / "output"),
        **said,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "output").read_text() == "count=2\nfailed=1\n"
    summary = re.sub(
        r"`[^`]* is not a recording[^`]*`", "`# is not a recording.`", (tmp_path / "summary.md").read_text("utf-8")
    )
    assert re.sub(r"\d+ (ms later|kB)", r"# \1", summary) == SUMMARY
    assert sorted(path.name for path in (tmp_path / "replays").iterdir()) == [
        "cart-fails-failed.html",
        "cart-pays-paid.html",
    ]


def test_the_cached_environment_is_that_of_its_version_its_action_and_its_week() -> None:
    def key(**environment: str) -> str:
        given = {"VERSION": "", "REF": "v1", "REDACTION": "vendor", "WEEK": "2026-48", **environment}
        return run("bash", ROOT / "scripts" / "action_key.sh", **given).stdout

    keys = [key(), key(VERSION=">=1.0,<2"), key(REF="v2"), key(WEEK="2026-49"), key(REDACTION="off")]
    assert len(set(keys)) == len(keys) and key() == keys[0]
    assert all(re.fullmatch(r"key=(masking|plain)-[0-9a-f]{16}\n", each) for each in keys)
    cache = next(step for step in steps_of(ROOT / "action.yml") if "cache" in step.get("uses", ""))
    assert "steps.wanted.outputs.key" in cache["with"]["key"] and "hashFiles" not in cache["with"]["key"]


@pytest.mark.parametrize(
    ("version", "pip", "asked"),
    [("==1.0.0", 0, ""), ("", 0, "--upgrade pagereel"), ("", 1, "--upgrade pagereel")],
    ids=["a version is kept", "the newest is looked for", "the cached one does without a network"],
)
def test_a_cached_environment_is_brought_up_to_date_where_no_version_is_named(
    tmp_path: Path, version: str, pip: int, asked: str
) -> None:
    (tmp_path / "bin").mkdir()
    for name, does in (("pagereel", "echo 1.0.0"), ("python", f'echo "$@" >>"{tmp_path}/asked"; exit {pip}')):
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "asked").touch()
    script = ROOT / "scripts" / "action_install.sh"
    done = run("bash", script, ENVIRONMENT=str(tmp_path), REDACTION="off", VERSION=version, RUNNER_OS="Linux")
    assert (done.returncode, done.stdout) == (0, "1.0.0\n"), done.stderr
    assert (tmp_path / "asked").read_text().strip().endswith(asked)
    assert bool(asked) == bool((tmp_path / "asked").read_text())


def recipe(host: str) -> list[str]:
    """The command that a job of docs/ci.md is, as its host runs it."""
    page = (ROOT / "docs" / "ci.md").read_text("utf-8").split(f"\n## {host}\n")[1].split("\n## ")[0]
    if host == "GitLab":
        lines = yaml.safe_load(page.split("```yaml")[1].split("```")[0])["replays"]["script"]
        return ["bash", "-eo", "pipefail", "-c", "\n".join(lines)]
    return ["sh", "-xe", "-c", page.split("'''")[1]]


@pytest.mark.parametrize("host", ["GitLab", "Jenkins"])
def test_a_job_of_the_docs_builds_what_tests_left_and_is_green_without_a_browser_or_a_trace(
    tmp_path: Path, host: str
) -> None:
    # The environment that the job makes: of it only pagereel's build says whether the job failed.
    stubs = {
        "pip": 'echo pip "$@" >>asked',
        "pagereel": 'echo pagereel "$@" >>asked\n[ "$1" != setup ] || exit 1\n[ -f test-results/pays/trace.zip ] || exit 2',
        "python": 'mkdir -p "$3/bin" && cp stubs/pip stubs/pagereel "$3/bin"',
    }
    (tmp_path / "stubs").mkdir()
    for name, does in (*stubs.items(), ("python3", stubs["python"])):
        (tmp_path / "stubs" / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / "stubs" / name).chmod(0o755)
    path = os.pathsep.join((str(tmp_path / "stubs"), os.environ["PATH"]))

    def job() -> list[str]:
        (tmp_path / "asked").unlink(missing_ok=True)
        environment = {**os.environ, "PATH": path}
        done = subprocess.run(recipe(host), cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return (tmp_path / "asked").read_text().splitlines()

    installs = ["pip install --quiet --upgrade pagereel[redaction]", "pagereel setup"]
    (tmp_path / "test-results" / "pays").mkdir(parents=True)
    assert job() == installs
    (tmp_path / "test-results" / "pays" / "trace.zip").touch()
    assert job() == [*installs, "pagereel build test-results/**/trace.zip --output replays"]
    shutil.rmtree(tmp_path / "test-results")
    assert job() == installs


def test_the_summary_has_failures_first_and_is_short() -> None:
    probe = """import sys; sys.path.insert(0, 'scripts'); from replays_of import RunResult, render_summary
runs = [RunResult(f'ok-{n}', None, 'passed', ()) for n in range(300)] + [RunResult('bad', None, 'failed', ('It broke.', 'Then more.'))]
print(render_summary(runs)); print(render_summary([]))"""
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[2] == "1 of 301 recorded runs failed." and lines[6] == "| `bad` | `It broke.`<br>`Then more.` | none |"
    assert "101 more are in the artefact." in lines and lines[-2:] == ["No recording was found.", ""]


def test_each_recording_has_a_replay_or_a_line_of_its_own(tmp_path: Path) -> None:
    results = tmp_path / "test results"
    for folder in ("a/b", "a-b", "a-B", "jane-roe pays", "jane-roe is gone"):
        (results / folder).mkdir(parents=True)
        (results / folder / "trace.zip").touch()
    stub = tmp_path / "of mine" / "pagereel"
    stub.parent.mkdir()
    # It masks a title as the command does, and complains of a file by its path.
    stub.write_text("""#!/bin/sh
case "$2" in *gone*) echo "pagereel: $2 is no recording" >&2; exit 2 ;; esac
[ "$1" = query ] || touch "$3"
echo "{\\"title\\": \\"$(echo "$7" | sed 's/jane-roe/someone/')\\"}"
""")
    stub.chmod(0o755)
    probe = "import sys; sys.path.insert(0, 'scripts'); import replays_of; "
    main = f"{probe} sys.exit(replays_of.main(sys.argv[1:]))"
    words = [sys.executable, "-c", main, str(results), "--output", str(tmp_path / "out"), "--command"]
    done = subprocess.run([*words, str(stub)], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "count=4\nfailed=0\n"), done.stderr
    assert sorted(path.name.lower() for path in (tmp_path / "out").iterdir()) == [
        "a-b-2.html",
        "a-b-3.html",
        "a-b.html",
        "someone-pays.html",
    ]
    assert re.search(r"\| `recording-\d` \| `the recording is no recording` \| none \|", done.stderr)
    assert "jane" not in done.stderr
    done = subprocess.run([*words, str(stub), "--redaction", "off"], cwd=ROOT, capture_output=True, text=True)
    assert "| `jane-roe-pays` |" in done.stderr and "| `jane-roe-is-gone` |" in done.stderr
    done = subprocess.run([*words, str(tmp_path / "no" / "pagereel")], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("cannot be started (No such file or directory)") == 5
    late = f"{probe} replays_of.PATIENCE = 0.1; print(replays_of.run_json_command(['sh', '-c', 'sleep 60'])[1])"
    done = subprocess.run([sys.executable, "-c", late], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "pagereel took more than 0.1 s\n"


def test_words_of_a_page_are_no_markdown() -> None:
    probe = "import sys; sys.path.insert(0, 'scripts'); from replays_of import to_code_span; print(to_code_span(' a`b|c\\n<img src=x> @everybody '))"
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "`a'b\\|c <img src=x> @everybody`\n"


def test_the_dockerfiles_steps_run_without_docker() -> None:
    """What they do is tried by `scripts/try_dockerfile.py`, which takes minutes."""
    probe = "import sys; sys.path.insert(0, 'scripts'); from try_dockerfile import *; print('\\n'.join(filter(None, (adapt_step_to_machine(s, Path('S')) for s in list_run_steps(open('Dockerfile').read())))))"
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "apt-get update -q && apt-get install -y -q --no-install-recommends chromium fonts-liberation",
        'pip install --no-cache-dir "S[redaction,pytest]" && rm -rf S',
        "pagereel setup && pagereel doctor",
    ]
