"""Decides by a mode of the pytest plugin whether a test is recorded, and whether its replay is kept.

The modes are those of Playwright Test's `trace`.
"""

MODES = (
    "off",
    "on",
    "retain-on-failure",
    "retain-on-failure-and-retries",
    "retain-on-first-failure",
    "retain-all-failures",
    "on-first-retry",
    "on-all-retries",
)
"""The modes of Playwright Test. Its former `retain-all-failures` equals `retain-on-failure`, because each attempt is
judged by itself.
"""


def is_attempt_recorded(mode: str, retry: int) -> bool:
    """Return whether an attempt is recorded in this mode; `retry` 0: the first attempt."""
    return {"on-first-retry": retry == 1, "on-all-retries": retry > 0, "retain-on-first-failure": retry == 0}.get(
        mode, True
    )


def is_replay_kept(mode: str, retry: int, failed: bool) -> bool:
    """Return whether the replay of an attempt is kept in this mode; `retry` 0: the first attempt."""
    if mode in ("retain-on-failure", "retain-all-failures", "retain-on-first-failure"):
        return failed
    return failed or retry > 0 if mode == "retain-on-failure-and-retries" else True
