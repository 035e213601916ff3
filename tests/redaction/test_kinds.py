"""Kinds of personal data that a few words around it tell, in many languages; and what looks like it and is nobody's."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

SAID = (
    # User names: who is logged in, who failed to, who opened something, what is taken and what is offered instead
    ("Angemeldet als t.brueck", "t.brueck"),
    ("Connectée en tant que mlefort_22", "mlefort_22"),
    ("Has iniciado sesión como pgarza.mx", "pgarza.mx"),
    ("Ingelogd als j-vdmeer", "j-vdmeer"),
    ("Přihlášen jako z.havelka", "z.havelka"),
    ("Вы вошли как kotov_ilya", "kotov_ilya"),
    ("Inloggad som e.sjostrand", "e.sjostrand"),
    ("以 lin_yuwei 的身份登录", "lin_yuwei"),
    ("sato_k77としてログインしています", "sato_k77"),
    ("hatice.demirel olarak giriş yapıldı", "hatice.demirel"),
    ("sshd[411]: Failed password for invalid user q.mbeki from 10.0.0.9 port 22", "q.mbeki"),
    ("authentication failure for n_okoro (2 tries)", "n_okoro"),
    ("Fehlgeschlagene Anmeldung für u.kessler", "u.kessler"),
    ("Issue abierto por lu-cardenas: no carga el mapa", "lu-cardenas"),
    ("MR eröffnet von a_wieland", "a_wieland"),
    ("PR ouverte par mb-chauvet : corrige le cache", "mb-chauvet"),
    ("glazebird61 is wrong about the kiln, by the way.", "glazebird61"),
    # Ages
    ("Mevrouw Ten Cate (77) woont hier al lang", "77"),
    ("Signora Bonfanti (84) non risponde al telefono", "84"),
    ("about: 34, hull, welder, cats", "34"),
    ("she/her · 26 · Cork", "26"),
    ("Elle est morte à l'âge de 88 ans.", "88"),
    ("Er starb im Alter von 79 Jahren.", "79"),
    ("Falleció a los 91 años en su casa", "91"),
    ("Morreu aos 73 anos, em casa", "73"),
    ("È mancata all'età di 86 anni", "86"),
    ("Zmarł w wieku 64 lat", "64"),
    ("Hij overleed op 82-jarige leeftijd", "82"),
    ("Hon blev 90 år gammal", "90"),
    ("Zemřel ve věku 71 let", "71"),
    ("Умерла в возрасте 83 лет", "83"),
    ("Happy 50th Oonagh!", "50"),
    ("Alles Gute zum 60. Geburtstag", "60"),
    ("周敏，女，28 岁，会计", "28"),
    ("田中さんは45歳です", "45"),
    ("김 씨는 52세", "52"),
    ("उनकी उम्र 47 वर्ष है", "47"),
    # Numbers of services
    ("고객센터 1588-0173", "1588-0173"),
    ("대표번호: 1899-4420", "1899-4420"),
    ("Müşteri hizmetleri: 444 0 173", "444 0 173"),
    ("Atendimento: 4004-0173", "4004-0173"),
    ("客服热线 400-555-0173", "400-555-0173"),
    ("Customer care 1300 555 173", "1300 555 173"),
    # Addresses
    ("Bakkerij Smit, Eerste Helmersstraat 14-hs, 1054 DA Amsterdam", "Eerste Helmersstraat 14-hs"),
    ("Oudegracht 88 bis, Utrecht", "Oudegracht 88 bis"),
    ("J'habite au 7 ter, avenue des Tilleuls à Pau", "7 ter, avenue des Tilleuls"),
    ("Livrer au 22 quater rue Voltaire, Lille", "22 quater rue Voltaire"),
    ("via Garibaldi 12/bis, Modena", "via Garibaldi 12/bis"),
    ("Lindengasse 12/3/15, 1070 Wien", "Lindengasse 12/3/15"),
    ("R/o H.No. 4-18/2, Shanti Colony, Guntur", "4-18/2, Shanti Colony"),
    ("House No. 221, Ashok Vihar, Ludhiana", "House No. 221, Ashok Vihar"),
    ("Plot No 17-B, Lakshmi Puram, Nellore", "Plot No 17-B, Lakshmi Puram"),
    # Towns
    ("Arbeitsort: Passau. Beginn sofort.", "Passau"),
    ("Lieu de travail : Quimper", "Quimper"),
    ("Miejsce pracy: Sanok", "Sanok"),
    ("Místo výkonu práce: Znojmo", "Znojmo"),
    ("Ricevuto con grazie. Agnese Fumagalli, Lecco", "Lecco"),
    ("Munkavégzés helye: Makó.", "Makó"),
    # Passwords and tokens
    ("Heslo k Wi-Fi v chatě: tri-sovy-19", "tri-sovy-19"),
    ("Hasło do paczkomatu: kot7-burza", "kot7-burza"),
    ("Kennwort für die Abholung: lampe_44", "lampe_44"),
    ("Contraseña para la recogida: luna-azul-8", "luna-azul-8"),
    ("Mot de passe pour le colis : chat.noir.52", "chat.noir.52"),
    ("the temp password Harbour77! does nothing", "Harbour77!"),
    ("revoke tok_90cd17ab before noon", "tok_90cd17ab"),
    ("old value was sess_4f81b2c9, still in the log", "sess_4f81b2c9"),
    # Who is spoken to
    ("<observation>Title: Inbox. Text: Hello Saoirse, nothing new today.</observation>", "Saoirse"),
    ("Page text: Welcome back Oluchi, your cart is empty", "Oluchi"),
    ("지훈아 아까 전화 왔어", "지훈"),
    ("서연아, 내일 시간 돼?", "서연"),
    ("hola lupita mañana no puedo ir", "lupita"),
    ("salut maëlle je passe demain", "maëlle"),
    ("cześć zosiu, masz chwilę?", "zosiu"),
    ("BONIFICO DA ORNELLA ZANETTIN PER EUR 90,00", "ORNELLA ZANETTIN"),
    ("PIX RECEBIDO DE JUCELINO BARBOZA NETO VALOR 50,00", "JUCELINO BARBOZA NETO"),
    # A CV in a line
    ("陈思远，29 岁，现任云帆科技产品经理", "陈思远"),
    ("陈思远，29 岁，现任云帆科技产品经理", "云帆科技"),
    ("陈思远，29 岁，现任云帆科技产品经理", "产品经理"),
    # Positions with brackets and lists in them
    ("We need a Team Lead (Nights) in Hexham.", "Team Lead (Nights)"),
    ("Maëlle Kerautret – Responsable hygiène, sécurité, environnement chez Biscuiterie Ar Mor", "hygiène, sécurité, environnement"),
    ("Z poważaniem\nHanna Gawlik\nSpecjalistka ds. zakupów i logistyki", "Specjalistka ds. zakupów i logistyki"),
    ("Übergabe erledigt, Patient schläft. K. Rohwedder, Pflegefachkraft", "K. Rohwedder"),
)  # fmt: skip

LEFT = (
    # Labels of a form's lines
    ("First name\tAkua\nLast name\tDonkor-Weiss\nDate of birth\t04/05/1980\nNationality\tGhanaian\nPostcode\tLS6 2AB", ("Date of birth",)),
    ("Name\tPetra Holub\nPhone\t0711 555 0173\nMarital status\tmarried", ("Phone", "Marital status")),
    ("Jméno a příjmení: Ludmila Hronková\nTelefon: +420 605 550 119", ("Jméno", "Telefon")),
    ("Nom : Diarra\nPrénom : Fatou\nNée le : 3 juin 1990 à Kayes", ("Née", "Nom")),
    ("Reporter: Harriet Quaye\nAssignee: Tom Okafor", ("Reporter", "Assignee")),
    # An honorific is nobody's
    ("Gemeldet von Fr. Kowalczyk, Zimmer 3.", ("Gemeldet",)),
    ("ASSIGNED TO CLARA WINTHROP, FIELD TECHNICIAN, PER CONTRACT TERMS", ("PER",)),
    # References and counts
    ("Petition started by Aoife Brennan · 2,310 signatures · Save the pool in Tralee", ("2,310",)),
    ("Aktenzeichen 7 O 233/23. Termin wird bestimmt.", ("233/23", "Termin")),
    ("Ärende 6617. Kunden får inte fram sin faktura.", ("6617",)),
    ("L'azienda nasce nel 1931 a Biella.", ("1931",)),
    # Nouns of a language
    ("Bitte geben Sie als Verwendungszweck die Kundennummer an.", ("Verwendungszweck",)),
    ("De lift zit vast op de derde, monteur is onderweg.", ("derde", "onderweg")),
    # Rows of a menu, dishes, programs
    ("Top stories · Opinion · Weather · Puzzles · Sign in", ("Weather",)),
    ("mum of 3, baker, dad of two", ("3", "two")),
)  # fmt: skip


def _uncovered(text: str, piece: str) -> str:
    """Return the letters of a piece that no finding covers."""
    start = text.index(piece)
    covered = {i for f in find_pii([text])[0] for i in range(f.start, f.end)}
    return "".join(c for i, c in enumerate(piece, start) if c.isalnum() and i not in covered)


@pytest.mark.parametrize(("text", "piece"), SAID)
def test_is_masked_whole(text: str, piece: str) -> None:
    assert _uncovered(text, piece) == ""


@pytest.mark.parametrize(("text", "pieces"), LEFT)
def test_is_nobodys(text: str, pieces: tuple[str, ...]) -> None:
    for piece in pieces:
        assert _uncovered(text, piece) == "".join(filter(str.isalnum, piece))
