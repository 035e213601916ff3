"""The command line in a process of its own."""

from __future__ import annotations

import sys

PAGEREEL = [sys.executable, "-P", "-c", "import sys; from pagereel.cli import main; sys.exit(main())"]
"""Runs ``pagereel`` with the words that follow: of the Python that runs the tests or a bench, and never of the folder that it stands in."""
