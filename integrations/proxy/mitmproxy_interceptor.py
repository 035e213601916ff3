"""Records the model calls of programs whose provider address cannot be changed, through the user's own mitmproxy.

mitmproxy is started with pagereel's addon, and with a certificate authority that is deleted after the run. It decrypts
only connections to the providers' hosts. All other connections pass unchanged, so that a browser gets the servers' own
certificates.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import secrets
import shlex
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import urlsplit

from pagereel.errors import UsageError
from pagereel.integrations.wire import PATHS, ExchangeRecorder, ProviderKeys, WireExchange
from pagereel.recorder import Session

from .upstreams import UpstreamProvider

_PATIENCE: Final = 30.0
"""Seconds that mitmproxy may take to listen, and to end."""
_LINE: Final = 1 << 20
_PORTS: Final = {"http": 80, "https": 443}
_PROXY: Final = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
_AUTHORITIES: Final = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
"""Variables that name all authorities to trust: they get those of before, and ours."""


class Interceptor:
    """A mitmproxy process for one recording, to be used with `with`. It writes the traffic with providers into the
    session.

    :param command: mitmproxy's own command, as a shell would take it: `mitmdump`, or a path, with further options.
    :raises UsageError: it cannot be started, or ends before it listens.
    """

    def __init__(self, session: Session, upstreams: Sequence[UpstreamProvider], command: str) -> None:
        self._session = session
        self._names = {_format_host_and_port(each.url): each.name for each in upstreams}
        self._command = shlex.split(command)
        self._reader = ExchangeRecorder(session, ProviderKeys(os.environ), only_models=True)
        self._token = secrets.token_hex(12)
        self._folder = Path()
        self._child: subprocess.Popen[bytes] | None = None
        self._listener: socket.socket | None = None
        self._thread: threading.Thread | None = None
        self._port = 0
        self._ready = threading.Event()
        self._open: dict[str, WireExchange] = {}

    def environment(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return the environment variables that make a process use mitmproxy and trust its certificates."""
        ours = self._folder / "mitmproxy-ca-cert.pem"
        together = self._folder / "authorities.pem"
        together.write_bytes(_read_trusted_certificates(environment) + b"\n" + ours.read_bytes())
        found = dict.fromkeys(_PROXY, f"http://127.0.0.1:{self._port}")
        found |= dict.fromkeys(_AUTHORITIES, str(together))
        return {**found, "NODE_EXTRA_CA_CERTS": str(ours), "NODE_USE_ENV_PROXY": "1"}

    # -- life ---------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start mitmproxy, and return when it listens."""
        self._folder = Path(tempfile.mkdtemp(prefix="pagereel-mitm-"))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._accept_connections, name="pagereel-mitmproxy", daemon=True)
        self._thread.start()
        hosts = "|".join(re.escape(host) for host in sorted(self._names))
        options = [
            "--listen-host=127.0.0.1", "--listen-port=0", f"--scripts={Path(__file__).with_name('mitm_addon.py')}",
            f"--set=confdir={self._folder}", f"--set=allow_hosts=^(?:{hosts})$",
        ]  # fmt: skip
        if trusted := os.environ.get("SSL_CERT_FILE"):
            options.append(f"--set=ssl_verify_upstream_trusted_ca={trusted}")
        told = {"PAGEREEL_TOLD_TO": f"{self._listener.getsockname()[1]}/{self._token}", "PAGEREEL_PATHS": PATHS}
        said = self._folder / "said.txt"
        with said.open("wb") as out:
            try:
                self._child = subprocess.Popen(
                    [*self._command, *options], env={**os.environ, **told}, stdin=subprocess.DEVNULL, stdout=out, stderr=out
                )  # fmt: skip
            except (OSError, IndexError) as error:
                self.stop()
                why = getattr(error, "strerror", None) or "it is empty"
                raise UsageError(
                    f"--mitmproxy {shlex.join(self._command)!r} cannot be run ({why}); install mitmproxy in an environment of its own and name its mitmdump."
                ) from None
        waited = 0.0
        while not self._ready.wait(0.05) and self._child.poll() is None and waited < _PATIENCE:
            waited += 0.05
        if not self._port:
            last = said.read_text("utf-8", "replace").strip().splitlines()
            self.stop()
            raise UsageError(
                f"mitmproxy did not start listening: {last[-1].strip() if last else 'it said nothing'}. Look at what {shlex.join(self._command)} says by itself."
            )

    def stop(self) -> None:
        """End mitmproxy, and record the remaining calls. A second call does nothing."""
        child, self._child = self._child, None
        if child is not None:
            child.terminate()
            try:
                child.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        if self._listener is not None:
            with contextlib.suppress(OSError):  # wakes whoever waits for a connection that never comes
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        if self._thread is not None:
            self._thread.join(_PATIENCE)
            self._thread = None
        for flow in list(self._open):
            self._end_exchange(flow)
        self._reader.close()
        if self._folder != Path():
            shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Interceptor:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    # -- what the addon tells ------------------------------------------------------------------------------------------

    def _accept_connections(self) -> None:
        listener = self._listener
        assert listener is not None
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as stream, contextlib.suppress(OSError, ValueError, KeyError):
                if self._read_reports(stream):
                    return

    def _read_reports(self, stream: IO[bytes]) -> bool:
        """Read the addon's reports from a connection until it ends.

        Return False if the sender does not know the secret token.
        """
        known = False
        while line := stream.readline(_LINE):
            fields: dict[str, Any] = json.loads(line)
            data = stream.read(fields["size"]) if known else b""
            if not known and not secrets.compare_digest(str(fields.get("token")), self._token):
                return False
            known = True
            self._handle_report(fields, data, self._session.now - fields["age"] * 1000)
        return known

    def _handle_report(self, fields: dict[str, Any], data: bytes, received_at: float) -> None:
        kind, flow = fields["kind"], fields["flow"]
        if kind == "ready":
            self._port = fields["port"]
            self._ready.set()
        elif kind == "asked":
            headers = [(name, value) for name, value in fields["headers"]]
            url = fields["url"]
            name = self._names.get(_format_host_and_port(url)) or (urlsplit(url).hostname or "")
            agent = fields["agent"] or self._session.current_agent_name
            self._open[flow] = WireExchange(
                name, fields["method"], url, received_at, self._session.open_step_id, agent, headers
            )
        elif (exchange := self._open.get(flow)) is not None:
            if kind == "sent":
                exchange.sent.append(data)
            elif kind == "answered":
                exchange.status = fields["status"]
                exchange.headers = [(name, value) for name, value in fields["headers"]]
            elif kind == "got":
                exchange.chunks.append((received_at, data))
            elif kind == "ended":
                exchange.whole = True
                self._end_exchange(flow)
            elif kind == "failed":
                exchange.failed = fields["message"]
                exchange.status = exchange.status or (502 if exchange.failed else 0)
                self._end_exchange(flow)

    def _end_exchange(self, flow: str) -> None:
        self._reader.queue_exchange(self._open.pop(flow))


def _format_host_and_port(url: str) -> str:
    """Return the host and port of an address in the form that mitmproxy's option for allowed hosts expects."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or _PORTS.get(parts.scheme, 443)}"


def _read_trusted_certificates(environment: Mapping[str, str]) -> bytes:
    """Return the certificates that a process trusts already.

    They are those that its environment variables name, otherwise the system's, otherwise certifi's.
    """
    paths = ssl.get_default_verify_paths()
    candidates = [environment.get("SSL_CERT_FILE"), environment.get("REQUESTS_CA_BUNDLE"), paths.cafile]
    with contextlib.suppress(ImportError):
        candidates.append(importlib.import_module("certifi").where())
    for candidate in candidates:
        if candidate and Path(candidate).is_file():
            return Path(candidate).read_bytes()
    return "\n".join(
        ssl.DER_cert_to_PEM_cert(each) for each in ssl.create_default_context().get_ca_certs(binary_form=True)
    ).encode()
