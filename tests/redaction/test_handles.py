"""User names by their shape: found where a word of any language or a name within them speaks for it, left where programs, files and sentences are written so."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

SOMEBODYS = [
    ("konto gosia_zabek", "gosia_zabek"),
    ("<damo_wa> who broke main", "damo_wa"),
    ('{"melder": "frau_holle_88"}', "frau_holle_88"),
    ("Passwort für kalle_1984 zurücksetzen", "kalle_1984"),
    ("Benutzername: kovt84", "kovt84"),
    ("okan_sarp06 hesabı kapatıldı", "okan_sarp06"),
    ('"Great place" — tunde_lagoon, Ibadan', "tunde_lagoon"),
]
OF_PROGRAMS = [
    "user_name and user_role are required",
    "usage: cmd <file> <path>",
    "Traceback: 10:22 <module> in main",
    "<anonymous> function",
    "pip install my_package_name",
    "set log_level_2 to debug",
    "the grace_period is over",
    "user impersonation (beta)",
    "handle backpressure.",
    "user onboarding.",
    "Benutzer gelöscht.",
    "profile default.json",
    "account v2.1",
    "see mark.down",
    "сервис systemd_resolved запущен",
    '{"from": "node_modules", "by": "created_at"}',
]


@pytest.mark.parametrize(("text", "said"), SOMEBODYS)
def test_a_user_name_is_masked_whole(text: str, said: str) -> None:
    start = text.index(said)
    assert any(f.start <= start and start + len(said) <= f.end for f in find_pii([text])[0])


@pytest.mark.parametrize("text", OF_PROGRAMS)
def test_a_name_of_a_program_stays(text: str) -> None:
    assert find_pii([text]) == [[]]
