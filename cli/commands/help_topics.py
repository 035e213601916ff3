"""The texts of `pagereel help TOPIC`, on topics that concern several commands."""

from __future__ import annotations

from typing import Final, NamedTuple


class HelpTopic(NamedTuple):
    """A page of the help: its subject in one line, and its text."""

    about: str
    text: str


TOPICS: Final = {
    "start": HelpTopic(
        "From a trace.zip or a first recording to a replay.",
        """  pagereel build trace.zip run.html --redaction off   a trace of Playwright's as one file, nothing masked
  pagereel record https://example.com run.reel        a window opens; close it to stop
  pagereel build run.reel run.html                    masked: needs pip install 'pagereel[redaction]' and pagereel setup
  pagereel show run.html                              open it in the browser
  pagereel query run.html first-failure               what went wrong first, and what came of it
  pagereel doctor                                     what can run here, and what is missing

In Python it is `with record(context, "run.reel", replay="run.html"):`, in pytest `pytest --replay retain-on-failure`.""",
    ),
    "redaction": HelpTopic(
        "What is masked, how strictly, and how to leave it out.",
        """Every command that makes a file or an answer of a recording masks it, unless it is told `--redaction off`. `info` and `events` show it as it is, unless they are told `--redaction vendor`.

  vendor     the default: for people outside; personal data and secrets, bodies and fields whole
  strict     all texts whole, no pictures, no bodies, no names of hosts
  internal   for colleagues: personal data and secrets in texts and bodies, pictures stay
  FILE       a policy of your own (TOML or YAML): pagereel review writes one
  off        everything stays as it was recorded; do not share it

It needs packages (pip install 'pagereel[redaction]') and models (pagereel setup). A gate looks for each masked value in the finished file, and refuses to write it where it finds one.""",
    ),
    "recordings": HelpTopic(
        "Which files are recordings, and how several are named.",
        """A recording is a reel, a replay's HTML, Playwright's trace.zip or rrweb's JSON: what it is is told from its content.

  -               stdin where a file is read, stdout where one is written
  'runs/*.reel'   a pattern, also with ** for folders; in quotes, so that the shell leaves it alone
  s3://…          an address that fsspec knows (pip install 'pagereel[scale]')

Encrypted recordings need --key-file, PAGEREEL_KEY_FILE or PAGEREEL_PASSPHRASE; a terminal asks for a passphrase.
A file that is there is replaced with --force alone, but for a replay by build; a key or a vault never is.""",
    ),
    "moments": HelpTopic(
        "How a time in a run is named.",
        """  12500        milliseconds since the recording began
  step:3       where step 3 begins (for --to: where it ends)
  mark:paid    a moment that the run named
  end          the last moment

`--from` and `--to` take them in build and events; query's `--at` takes ms, 'step 3', a mark or end. A replay opens at
run.html#t=12500, #step=3, #mark=paid, or #e=ID with an id of pagereel events --ids.""",
    ),
    "status": HelpTopic(
        "What the exit status says.",
        """  0     done
  1     something did not hold (verify, compare, build --check, the leak gate, doctor), or a part could not be done (library add)
  2     wrong use, or a file that cannot be read
  130   stopped

pagereel proxy ends as its command does. Results go to stdout, all else to stderr; --json is for programs, and its keys stay (docs/stability.md); --quiet prints results and problems alone.
PAGEREEL_DEBUG=1 adds the traceback to an error.""",
    ),
    "ci": HelpTopic(
        "Replays of failing tests in CI.",
        """  pytest --replay retain-on-failure                        pytest makes them itself
  reporter: [["@pagereel/reporter"], ["html"]]             Playwright Test (Node), from npm
  pagereel build 'test-results/**/trace.zip' -o replays    whatever left a trace
  pagereel build run.reel --check                          exit status 1 where a replay falls short
  pagereel compare good.reel bad.reel --fail-on action     exit status 1 where a run differs

A GitHub Action and recipes for GitLab and Jenkins: docs/ci.md.""",
    ),
}
"""Word → page."""
