"""A certificate for a server of a test: nobody trusts it who is not told to."""

from __future__ import annotations

import subprocess
from pathlib import Path


def certificate(folder: Path) -> tuple[Path, Path]:
    """Return the files of a certificate for 127.0.0.1 and of its key, made where they are not there."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    if not cert.exists():
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
            check=True, capture_output=True,
        )  # fmt: skip
    return cert, key
