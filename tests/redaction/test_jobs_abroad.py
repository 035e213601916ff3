"""Positions and companies in languages without a model: told by a person, a label or a legal form beside them, and nobody's alone."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

TOLD = [
    ("Ответственный: Зинаида Ковригина, главный бухгалтер", "главный бухгалтер"),
    ("Pani Bożena Kruszewska, kierownik magazynu, prosi o kontakt.", "kierownik magazynu"),
    ("Çağla Erdoğmuş yeni muhasebe müdürü oldu", "muhasebe müdürü"),
    ("Η λογίστρια Ευανθία Μαυρίδου θα απαντήσει", "λογίστρια"),
    ("蔡明哲 项目经理", "项目经理"),
    ("담당자: 서지훈 과장", "과장"),
    ("Der Hausmeister hat den Schlüssel für das Tor.", "Hausmeister"),
    ("Notre comptable est en congé cette semaine.", "comptable"),
    ("A plasterer from Stoke found the coins under a floor.", "plasterer"),
    ("Our chartering manager will answer soon.", "chartering manager"),
    ("Счёт выставлен: ООО «Заречье»", "Заречье"),
    ("联系人：欧阳慧敏，瑞丰纺织有限公司", "瑞丰纺织有限公司"),
    ("株式会社みずほ工房の井上様からお電話がありました", "みずほ工房"),
    ("Jonas Petrauskas, ekskavatorininkas", "ekskavatorininkas"),
    ("Георги Димитров, счетоводител", "счетоводител"),
    ("Priit Tamm, lukksepp", "lukksepp"),
    ("Profesija: zvejnieks, Rīga", "zvejnieks"),
    ("Naša šivilja Mojca Kovač", "šivilja"),
    ("Η Δανάη Ρήγα, κτηνίατρος", "κτηνίατρος"),
    ("신부: 윤세라, 수의사", "수의사"),
    ("신부: 윤세라, 수의사", "윤세라"),
    ("Νύφη: Δανάη Ρήγα", "Δανάη Ρήγα"),
    ("新娘：林佳怡，兽医", "兽医"),
    ("新婦：藤原 美緒、獣医", "獣医"),
    ("La novia es Milagros Ezquerra; el florista, Tino", "florista"),
    ("Müşteri: Yıldırım Mobilya, yetkili Serhat Özbek", "Yıldırım Mobilya"),
]
KEPT = [
    "Менеджер пакетов",
    "项目经理",
    "请选择银行",
    "本公司保留权利",
    "The cashier role can open the till",
    "Kierownik",
    "兽医",
    "Операторът е зает",
    "Vadovas",
    "Lista de precios",
]


@pytest.mark.parametrize(
    ("text", "job"),
    [
        ("lindo jamir ist stationsleitung auf der 3b.", "stationsleitung"),
        ("UNSER STEUERBERATER ARBEITET BEI KANZLEI PETERSMANN", "STEUERBERATER"),
        ("mr rosia is covering, he's the drama teacher", "drama teacher"),
    ],
)
def test_a_position_takes_no_words_of_the_sentence_along(text: str, job: str) -> None:
    assert [
        text[f.start : f.end] for f in find_pii([text])[0] if f.entity == "TITLE" and job in text[f.start : f.end]
    ] == [job]


@pytest.mark.parametrize(("text", "said"), TOLD)
def test_what_stands_beside_it_tells_a_position_or_a_company(text: str, said: str) -> None:
    start = text.index(said)
    assert any(f.start <= start and start + len(said) <= f.end for f in find_pii([text])[0]), find_pii([text])


@pytest.mark.parametrize("text", KEPT)
def test_a_word_of_an_interface_is_nobodys(text: str) -> None:
    assert find_pii([text]) == [[]]


ASSIGNED = [
    ("INFO session opened for user=mtolliver role=4", "mtolliver"),
    ("he used to be at Lumen & Pike", "Lumen & Pike"),
    ("Bill to: The Copper Kettle Tearooms", "The Copper Kettle Tearooms"),
    ("Notre bureau est fermé jusqu'au 3 août 2025.", "3 août 2025"),
    ("Das Treffen ist am 14. März 2026 im Saal.", "14. März 2026"),
]


@pytest.mark.parametrize(("text", "said"), ASSIGNED)
def test_pairs_keys_labels_and_months_of_other_languages_are_told(text: str, said: str) -> None:
    start = text.index(said)
    assert any(f.start <= start and start + len(said) <= f.end for f in find_pii([text])[0]), find_pii([text])


@pytest.mark.parametrize("text", ["Terms & Conditions", "Privacy & Security", "user=admin", "Company: Not Set"])
def test_pairs_and_keys_of_interfaces_are_nobodys(text: str) -> None:
    assert find_pii([text]) == [[]]
