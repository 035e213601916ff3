"""Collects the applications of npm and PyPI."""

from __future__ import annotations

from ..application import Application
from . import packaged, programs


def all_applications() -> dict[str, Application]:
    """Return all applications by name, in the order of the table."""
    every = [*packaged.iter_applications(), *programs.iter_applications()]
    return {application.name: application for application in every}
