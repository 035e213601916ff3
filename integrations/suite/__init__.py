"""Bundles the recordings of many tests (a suite) into one HTML file, with a list of the tests and a search over all.

Call: bundle(["test-results/**/*.reel"], "suite.html")
"""

from __future__ import annotations

from .bundling import BundleReport, bundle_suite
from .reports import ReportedTest, make_test_key

__all__ = ["BundleReport", "ReportedTest", "bundle_suite", "make_test_key"]
