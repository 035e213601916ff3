"""`pagereel review`: a small server on loopback for the page on which a user reviews a redaction.

It serves the page, the redacted replay and the list of masked values, and receives the user's decisions. It listens
only on 127.0.0.1, at an address with a random token, and checks the Host header, so that pages of other sites can
neither read nor send anything. The list contains original values, which never leave this machine.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pagereel.cli.argument_requirements import (
    require_no_existing_file,
    require_readable_file,
    require_writable_destination,
)
from pagereel.cli.console import print_message, print_warning, print_written_file
from pagereel.errors import PagereelError, UsageError
from pagereel.options import OnLeak

LARGEST = 4 << 20
"""Largest request with decisions, in bytes."""
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_ASSETS = {
    "": ("review.html", "text/html; charset=utf-8"),
    "review.js": ("review.js", "text/javascript; charset=utf-8"),
    "review.css": ("review.css", "text/css; charset=utf-8"),
}


class RedactionReview:
    """The review of one recording's redaction: its state, and the builds of its replay.

    `policy`: the policy at the beginning; `save`: the policy file into which the decisions are written.
    """

    def __init__(self, reel: Path, html: Path, policy: str, save: Path, on_leak: OnLeak = "fail") -> None:
        from pagereel.redaction import load_policy

        self.reel, self.html, self.save = reel, html, save
        self.token = secrets.token_urlsafe(24)
        loaded = load_policy(policy)
        self.policy = loaded
        self.on_leak: OnLeak = on_leak
        self.done = threading.Event()
        self._lock = threading.Lock()
        self._state: dict[str, Any] = {"building": False, "version": 0, "error": None, "masks": [], "found": []}
        self._thread: threading.Thread | None = None

    def get_state(self) -> dict[str, Any]:
        """Return the state that the page shows: whether a build is running, its error, the masks and the rules."""
        with self._lock:
            return {
                **self._state,
                "reel": self.reel.name,
                "html": str(self.html),
                "policy": str(self.save),
                "base": self.policy.name,
                "onLeak": self.on_leak,
                "rules": [{"kind": r.kind, "match": r.match, "action": r.action} for r in self.policy.rules],
            }

    def start_build(self, rules: object = None, on_leak: object = None) -> None:
        """Save the rules into the policy file, and start to build the replay with them.

        A value of None keeps the current rules or the current `on_leak`. Raises UsageError while a build is running,
        and ValueError or PolicyError for invalid rules.
        """
        from pagereel.redaction import load_policy, parse_review_rules, to_policy_toml

        with self._lock:
            if self._state["building"]:
                raise UsageError("A build is running; wait until it ends.")
            policy = self.policy if rules is None else replace(self.policy, rules=parse_review_rules(rules))
            if rules is not None:
                temporary = self.save.with_name(f".{self.save.name}.{secrets.token_hex(4)}.toml")
                try:
                    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                    with os.fdopen(fd, "w", encoding="utf-8") as file:
                        file.write(to_policy_toml(policy))
                    load_policy(temporary)
                    temporary.replace(self.save)
                except OSError as error:
                    raise UsageError(f"{self.save} cannot be written: {error.strerror}.") from None
                finally:
                    temporary.unlink(missing_ok=True)
            self.policy = policy
            if on_leak in ("fail", "drop"):
                self.on_leak = "drop" if on_leak == "drop" else "fail"
            self._state.update(building=True, error=None)
        self._thread = threading.Thread(target=self._build_replay, args=(policy,), daemon=True)
        self._thread.start()

    def _build_replay(self, policy: Any) -> None:
        from pagereel.player_build import build
        from pagereel.redaction import collect_masks

        error = None
        with collect_masks() as told:
            try:
                build(self.reel, self.html, redaction=policy, on_leak=self.on_leak)
            except PagereelError as problem:
                error = str(problem)
            except Exception as problem:
                error = f"an error of pagereel's own ({type(problem).__name__}: {problem})"
        # Masks that the gate refused are listed as well, because the reviewer must decide on them.
        masks = [mask.to_json() for mask in told]
        found = [one.to_json() for one in told.found] if error else []
        with self._lock:
            self._state.update(building=False, error=error, found=found)
            if masks or not error:
                self._state.update(masks=masks)
            if not error:
                self._state.update(version=self._state["version"] + 1)

    def wait_for_build(self) -> None:
        """Wait until the running build has ended."""
        if self._thread is not None:
            self._thread.join()


def create_review_server(review: RedactionReview, port: int = 0) -> ThreadingHTTPServer:
    """Return a server on 127.0.0.1 for one review; `port` 0 means any free port.

    Raises UsageError for a port in use.
    """

    class ReviewHandler(_ReviewHandler):
        pass

    ReviewHandler.review = review
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), ReviewHandler)
    except OSError as error:
        raise UsageError(f"Port {port} cannot be used: {error.strerror}; choose another one with --port.") from None
    server.daemon_threads = True
    return server


class _ReviewHandler(BaseHTTPRequestHandler):
    review: RedactionReview
    server_version = "pagereel"
    sys_version = ""

    def do_GET(self) -> None:
        name = self._get_requested_name()
        if name is None:
            return
        if name in _ASSETS:
            file, mime = _ASSETS[name]
            self._send_response(200, (Path(__file__).parent / file).read_bytes(), mime, policy=_PAGE_POLICY)
        elif name == "state":
            self._send_json(200, self.review.get_state())
        elif name == "replay.html" and self.review.html.is_file():
            self._send_response(200, self.review.html.read_bytes(), "text/html")
        else:
            self._send_response(404, b"not here", "text/plain")

    def do_POST(self) -> None:
        name = self._get_requested_name()
        if name is None:
            return
        if self.headers.get("Origin") != f"http://{self._get_host()}":
            self._send_response(403, b"another origin", "text/plain")
            return
        try:
            length = int(self.headers.get("Content-Length") or 0)
        except ValueError:
            length = -1
        if not 0 <= length <= LARGEST:
            self._send_response(413, b"too much", "text/plain")
            return
        body = self.rfile.read(length)
        if name == "done":
            self._send_json(200, {})
            self.review.done.set()
        elif name == "apply":
            try:
                asked = json.loads(body)
                self.review.start_build(asked.get("rules"), asked.get("onLeak"))
            except (ValueError, AttributeError, PagereelError) as error:
                # The rules were in a temporary file with another name, which is removed from the message.
                self._send_json(400, {"error": str(error).rpartition(".toml:")[2].partition(": ")[2] or str(error)})
                return
            self._send_json(202, {})
        else:
            self._send_response(404, b"not here", "text/plain")

    def _get_host(self) -> str:
        assert isinstance(self.server, ThreadingHTTPServer)
        return f"127.0.0.1:{self.server.server_port}"

    def _get_requested_name(self) -> str | None:
        """Return the requested path after the token, after checking the request's host and token.

        None: the check failed, and a response with status 403 was sent.
        """
        token, slash, name = self.path.partition("?")[0].lstrip("/").partition("/")
        if self.headers.get("Host") != self._get_host() or not slash:
            self._send_response(403, b"not here", "text/plain")
            return None
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.review.token.encode()):
            self._send_response(403, b"not here", "text/plain")
            return None
        return name

    def _send_json(self, status: int, value: object) -> None:
        self._send_response(
            status, json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), "application/json"
        )

    def _send_response(self, status: int, body: bytes, mime: str, policy: str | None = None) -> None:
        self.send_response(status)
        headers = {
            "Content-Type": mime, "Content-Length": str(len(body)), "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
        }  # fmt: skip
        if policy is not None:
            headers["Content-Security-Policy"] = policy
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, because the requested addresses contain the token."""


def review_reel(
    reel: Path,
    html: Path | None,
    policy: str | None,
    save: Path | None,
    *,
    port: int,
    open_browser: bool,
    on_leak: OnLeak,
    force: bool = False,
) -> int:
    """Serve the page of a review until the user presses Done or Ctrl-C, and print the results."""
    require_readable_file(reel)
    from pagereel.redaction import require_packages

    require_packages(optional=False)  # Else the page would open and say so.
    # A replay is reviewed as any recording is, and is not changed.
    html = html or reel.with_suffix(".review.html" if reel.suffix.lower() == ".html" else ".html")
    save = save or reel.with_suffix(".policy.toml")
    require_writable_destination(html, reel)
    require_no_existing_file(html, force=force, writes_replay=True)
    require_writable_destination(save, reel)
    if save.suffix.lower() != ".toml":
        raise UsageError(f"The policy file is written as TOML; name it {save.with_suffix('.toml').name}.")
    from pagereel.sources import open_any

    with open_any(reel):
        pass
    review = RedactionReview(reel, html, policy or (str(save) if save.exists() else "vendor"), save, on_leak)
    server = create_review_server(review, port)
    address = f"http://127.0.0.1:{server.server_port}/{review.token}/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True)
    thread.start()
    try:
        review.start_build()
        print(address, flush=True)
        print_message("Review the masks there. This ends with Done on the page, or Ctrl-C.")
        if open_browser:
            import webbrowser

            if not webbrowser.open(address):
                print_warning("No browser could be opened; open it yourself: the address yourself, on this machine.")
        while not review.done.wait(0.5):
            pass
    except KeyboardInterrupt:
        print_message("Stopped.")
    finally:
        server.shutdown()
        server.server_close()
        review.wait_for_build()
    state = review.get_state()
    if state["error"]:
        print(f"pagereel: {state['error']}", file=sys.stderr)
        return 1
    if save.exists():
        print_written_file(save, f"{len(state['rules'])} rules")
    if review.on_leak == "drop":
        print_message(
            "What holds a value that was found in the end was left out; a build with this policy says so by --on-leak drop."
        )
    print_written_file(html, f"{len(state['masks']):,} values masked")
    return 0
