"""The modes of the pytest plugin, from Playwright Test: when a test is recorded, and when its replay is kept."""

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


def is_recorded(mode: str, retry: int) -> bool:
    return {"on-first-retry": retry == 1, "on-all-retries": retry > 0, "retain-on-first-failure": retry == 0}.get(
        mode, True
    )


def is_kept(mode: str, retry: int, failed: bool) -> bool:
    if mode in ("retain-on-failure", "retain-all-failures", "retain-on-first-failure"):
        return failed
    return failed or retry > 0 if mode == "retain-on-failure-and-retries" else True
