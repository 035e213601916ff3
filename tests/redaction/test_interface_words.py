"""Words of interfaces and programs are nobody's: what a page says of itself stays readable, beside names that do not."""

from __future__ import annotations

import pytest

from pagereel.errors import UsageError
from pagereel.redaction import TextContext, find_pii
from pagereel.redaction.normalise.spelled_text import find_spelled_unknown_words, may_be_name_or_number

PLAIN = (
    "Customer service",
    "Move to New Tab Group",
    "Paper size 215 x 315 mm",
    "ARIA attributes must conform to valid names",
    "aria-label attribute exists and is not empty",
    "PyErr_SetExcInfo()",
    "module_path is added to the search path",
    "Threads, Locks, and Queues in this part",
    "HTTP 404",
    "Chairs for room 4",
    "Sort by teacher",
    "Group by registered nurse",
    "Hours per engineer",
    "The customer is new, mail and phone are in the form",
    "Required token: %r",
    "Use the Makefile to build the docs",
)
PERSONAL = {
    "Assigned to Katya Vestergrove since Monday": "Katya Vestergrove",
    "Katya Vestergrove": "Katya Vestergrove",
    "Order 5658 of Joaquin Holmstad": "Joaquin Holmstad",
    "Ship it to 100 Caldman Road, 88170, please": "100 Caldman Road, 88170",
    "KATYA VESTERGROVE": "KATYA VESTERGROVE",
    "a partner of Smith, Jones and Brown since May": "Smith, Jones and Brown",
}


def test_words_of_interfaces_and_programs_are_left_alone() -> None:
    touched = {t: [t[f.start : f.end] for f in found] for t, found in zip(PLAIN, find_pii(PLAIN), strict=True) if found}
    assert touched == {}


def test_names_and_addresses_beside_them_are_masked_whole() -> None:
    for (text, value), found in zip(PERSONAL.items(), find_pii(list(PERSONAL)), strict=True):
        start = text.index(value)
        missed = [
            i
            for i in range(start, start + len(value))
            if text[i].isalnum() and not any(f.start <= i < f.end for f in found)
        ]
        assert not missed, (text, [text[f.start : f.end] for f in found])


def test_what_is_found_in_a_text_does_not_depend_on_its_neighbours() -> None:
    texts = [*PERSONAL, *PLAIN]
    assert find_pii(texts) == [find_pii([text])[0] for text in texts]


def test_a_sentence_that_explains_a_token_is_no_token() -> None:
    explained = [
        ("Token", "The type object representing the context variable token type."),
        ("API Key", "X-Api-Key"),
        ("Session ID", "It is made anew when the user signs in and is not kept."),
        ("Password:", "No password set."),
        ("סיסמה:", "לא נקבעה סיסמה."),
        ("Passwort", "Kein Passwort gesetzt"),
        ("password", "Must be at least eight letters long and not one of the last three."),
    ]
    assert find_pii([text for _, text in explained], [TextContext(label=label) for label, _ in explained]) == [
        []
    ] * len(explained)
    secret = [
        ("Token", "tolk-9fJ2-mmvQ"),
        ("API Key", "X-Api-Tolkmvq"),
        ("Password", "my password is tolk9fJ2"),
        ("passphrase", "it was the cat of my aunt"),
        ("password", "correct horse battery staple"),
        ("Security answer", "the house by the mill"),
    ]
    found = find_pii([text for _, text in secret], [TextContext(label=label) for label, _ in secret])
    assert [each[0].entity for each in found] == ["SECRET"] * len(secret)


def test_days_of_the_week_in_one_letter_each_spell_nothing() -> None:
    for row in (
        "S M T W T F S",
        "א ב ג ד ה ו ש",
        "П В С Ч П С В",
        "D S T Q Q S S",
        "日 一 二 三 四 五 六",
        "월 화 수 목 금 토 일",
        "Α Β Γ Δ Ε Ζ Η",
    ):
        assert not may_be_name_or_number(row.replace(" ", "")), row
    for row in ("O s t e n v i k", "И в а н о в а", "ש ר ו ן כ ה"):
        assert may_be_name_or_number(row.replace(" ", "")), row


def test_nobody_is_called_password() -> None:
    texts = [
        "אפשר אימות מבוסס סיסמה עבור משתמש זה על ידי הגדרת סיסמה.",
        "Angemeldet von Passwort Manager",
        "Set by Password Reset",
    ]
    found = [(t[f.start : f.end], f.entity) for t, each in zip(texts, find_pii(texts), strict=True) for f in each]
    assert [f for f in found if f[1] == "PERSON"] == []
    (parola,) = find_pii(["Assigned to Elena Parola since Monday"])
    assert any(f.start <= 12 and f.end >= 24 for f in parola), "who is called by such a word is masked"


def test_raised_digits_in_a_row_are_no_number_of_anybodys() -> None:
    for row in ("² ³ ¹ " * 6, "①-②-③-④-⑤-⑥-⑦-⑧-⑨-①-②-③-④"):
        assert find_spelled_unknown_words(row.strip()) == []


def test_one_text_without_brackets_is_told_so() -> None:
    with pytest.raises(UsageError, match="list of texts"):
        find_pii("Ann Bell")


def test_a_sign_between_links_is_nobodys_address() -> None:
    texts = [f"\n{sign} {word}\n" for sign in "›»·•→—|/" for word in ("Customers", "Contacts", "Members")]
    assert [text for text, found in zip(texts, find_pii(texts), strict=True) if found] == []


def test_what_a_service_is_set_to_is_no_users_name() -> None:
    assert find_pii(["Reddit Inhalts-Einstellungen", "GitHub OAuth エラー"]) == [[], []]
    assert all(find_pii(["Reddit: rose-bauer77", "GitHub: ostenvik_k", "github Katya-Vestergrove"]))


def test_a_slot_for_a_password_is_no_password() -> None:
    assert find_pii(["Mot de passe : %(password)s", "Passwort: {{ password }}", "Password: ${PASSWORD}"]) == [
        [],
        [],
        [],
    ]
    assert all(find_pii(["Mot de passe : tolk9fJ2mm", "Passwort: tolk9fJ2mm"]))


def test_servers_are_machines_where_they_have_no_restaurant() -> None:
    plain = ["Connexion au serveur original :", "Veuillez contacter le serveur de courriel"]
    assert find_pii(plain) == [[], []]


def test_a_device_that_texts_sync_with_is_a_program() -> None:
    texts = ["Enable Velbo sync", "Velbo Token:", "A Velbo Reader"]
    assert find_pii(texts) == [[]] * 3
    texts = ["Sincronizar con Velbo solo los libros de las estanterías", "Peticiones a la tienda Velbo desconocidas"]
    assert find_pii(texts) == [[]] * 2
    assert all(find_pii(["Sync the list with Katya Vestergrove", "Katya Vestergrove's device"]))


def test_what_a_server_answers_is_no_telephone_number_and_no_language() -> None:
    plain = [
        "- 401 Unauthorized. Request was not sent with the proper authentication credentials.",
        "- 404 Not Found. Die angeforderte Ressource wurde nicht gefunden.",
        "- 410 Gone. Die angeforderte Ressource wird nicht länger bereitgestellt und wurde dauerhaft entfernt.",
    ]
    assert find_pii(plain) == [[], [], []]
    assert all(find_pii(["Call 404 555 0199 today", "404 Not Found, says Katya Vestergrove"]))


def test_systems_of_coordinates_are_no_addresses() -> None:
    assert find_pii(["WGS84 - SRID 4326", "EPSG:3395"]) == [[], []]
    assert all(find_pii(["Zone 17, 4326 Vestergrove Road", "12 Chestnut Lane, 98101 Seattle"]))


def test_letters_for_parts_of_a_moment_are_nobody() -> None:
    assert find_pii(["AAAAMMDD'T'hhmmss", "YYYYMMDD'T'hhmmss"]) == [[], []]
    assert all(find_pii(["Maddy Ostenvik", "Yassim Hattam"]))


def test_a_program_beside_words_of_another_language_is_a_program() -> None:
    assert find_pii(["GeoNode Benutzer Bibliothek"]) == [[]]
    assert all(find_pii(["JohnSmith Benutzer", "Benutzer Katya Vestergrove"]))


def test_sets_of_data_in_arabic_are_no_companies() -> None:
    assert find_pii(["ترخيص مجموعة البيانات", "مكتبة عميل GeoNode", "مجموعة فرعية"]) == [[], [], []]
    assert all(find_pii(["مجموعة الخزرج للتجارة", "شركة الخزرج"]))
