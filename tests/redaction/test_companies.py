"""Companies, positions and countries are found by the words around them, whatever the case of their letters."""

from __future__ import annotations

from pagereel.redaction import find_pii

FOUND = {
    "she works for ostervale lumber in the north": "ostervale lumber",
    "the veldtcraft foundation was started by two brothers": "veldtcraft",
    "PLEASE SEND THE INVOICE TO QUARRENDON LLC BEFORE FRIDAY": "QUARRENDON LLC",
    "We were referred by Tolverne Logistics last week": "Tolverne Logistics",
    "a quote from brackwell & sons came in": "brackwell & sons",
    "Kenya wins two medals at the games": "Kenya",
    "Ana Silvera\n12 Harrow Lane\nPorto\nPortugal": "Portugal",
    "My brother is a marine geologist now": "marine geologist",
    "Ask our regional sales manager about it": "sales manager",
    "i spoke to mrs. holvander about it": "mrs.",
    "Let us meet on tuesday at Veldorin, 14 Harrow Lane": "Veldorin",
    "she showed me her brackmore financial resignation letter": "brackmore financial",
    "Tolvane spokeswoman Ana Silvera said nothing": "Tolvane",
    "WE MOVED HERE FROM PORTUGAL LAST YEAR": "PORTUGAL",
    "the play was directed by oskarin velde and starring velde": "oskarin velde",
    "Why is Ostrelia so late again?": "Ostrelia",
    "the guy from ostervale roofing never called": "ostervale roofing",
    "she runs velbeck pottery with her aunt": "velbeck pottery",
    "Complaint about Stagebrook and its drivers": "Stagebrook",
    "last sign-in from oslo, japan": "japan",
    "flights to riga are cheap": "riga",
    "it is a 1987 norwegian comedy": "norwegian",
    "she worked as a tailor for golden needle": "golden needle",
    "INVOICE FROM PAPER MOON RECORDS ARRIVED": "PAPER MOON RECORDS",
    "author: oisin delahunt\ncompany: blackthorn studio": "blackthorn studio",
    "bill to: the copper kettle tearooms": "copper kettle tearooms",
    "we moved everything from tallow hill storage last week": "tallow hill storage",
    "datore di lavoro: hayan & falindoreira": "hayan & falindoreira",
    "счёт выставлен: ооо «заречье»": "заречье",
}
PLAIN = (
    "Software updates are available for this device",
    "Sign in with your organization account",
    "The file is from an older version",
    "Working with layers and masks",
    "Cookies, storage and cache",
    "Select a country or region",
    "You are the owner of this file",
    "works for all pages in this window",
    "Open the Developer Tools",
    "Include all subfolders",
    "Thank you for choosing these settings",
    "Interview with the author",
    "Welcome to Settings",
    "Why is this page so slow?",
    "company: not set",
    "supplier: none selected",
    "the files were loaded by the server",
    "works for small events",
    "ordered by file size",
    "copied from local disk",
    "delivered by hand",
)


def test_they_are_masked_whole() -> None:
    missed = []
    for (text, value), found in zip(FOUND.items(), find_pii(list(FOUND)), strict=True):
        start = text.index(value)
        if any(c.isalnum() and not any(f.start <= i < f.end for f in found) for i, c in enumerate(value, start)):
            missed.append((text, [text[f.start : f.end] for f in found]))
    assert missed == []


def test_words_of_interfaces_are_no_companies() -> None:
    touched = {t: [t[f.start : f.end] for f in found] for t, found in zip(PLAIN, find_pii(PLAIN), strict=True) if found}
    assert touched == {}


def test_words_of_a_script_without_capitals_are_no_company_by_a_studio_behind_them() -> None:
    assert find_pii(["6 صفحات تم إنشاؤها في studio"]) == [[]]
