"""Line 4: Swagger UI and JupyterLab through ten interactions each; live and replay are the same in structure and to the eye.

They need npm, PyPI and a minute each: run them with PAGEREEL_THIRDPARTY=1. `python -m tests.acceptance.thirdparty`
prints the same findings and makes the pictures in docs/evidence/.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pagereel.fixtures.thirdparty import CASES

from .thirdparty import run

pytestmark = [
    pytest.mark.thirdparty,
    pytest.mark.skipif(not os.environ.get("PAGEREEL_THIRDPARTY"), reason="set PAGEREEL_THIRDPARTY=1: it downloads"),
]


@pytest.mark.parametrize("name", ["swagger-ui", "jupyterlab"])
def test_a_page_that_is_not_ours_is_replayed_as_it_was(browser: Browser, tmp_path: Path, name: str) -> None:
    found = run(browser, CASES[name], tmp_path)
    assert found.equal == found.total >= 10, found.checkpoints
    assert found.gaps == {}
    assert len(found.looks) == 10
    assert {look.mark: look.structure for look in found.looks if look.structure} == {}
    assert {look.mark: look.pixels for look in found.looks if look.pixels >= 0.001} == {}
