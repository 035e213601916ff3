"""Each greeting and each introduction finds the name behind it, in a sentence of its language: one whose words are not listed is heard by nobody."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from pagereel.redaction.detect.cues import engine
from pagereel.redaction.words.phrase_lists import expand_lists
from pagereel.redaction.words.word_lists import words_by_language

NAME = "Kvungkvaust"
GOES_ON = {
    "de": "das Paket wird morgen geliefert, weil es noch nicht bezahlt ist.",
    "fr": "la commande sera livrée demain, parce que la facture est payée.",
    "es": "el pedido se entregará mañana porque la factura está pagada.",
    "it": "il pacco sarà consegnato domani perché la fattura è stata pagata.",
    "pt": "o pedido será entregue amanhã porque a fatura não foi paga.",
    "nl": "het pakket wordt morgen geleverd omdat de rekening is betaald.",
    "da": "pakken bliver leveret i morgen, fordi regningen ikke er betalt.",
    "nb": "pakken blir levert i morgen, fordi regningen ikke er betalt.",
    "sv": "paketet levereras i morgon, eftersom räkningen inte är betald.",
    "fi": "paketti toimitetaan huomenna, koska lasku on jo maksettu.",
    "pl": "paczka zostanie dostarczona jutro, ponieważ faktura jest już opłacona.",
    "cs": "balík bude doručen zítra, protože faktura ještě není zaplacena.",
    "sk": "balík bude doručený zajtra, pretože faktúra ešte nie je zaplatená.",
    "hu": "a csomagot holnap szállítjuk, mert a számla még nincs kifizetve.",
    "ro": "pachetul va fi livrat mâine, pentru că factura nu este plătită.",
    "tr": "paket yarın teslim edilecek, çünkü fatura henüz ödenmedi.",
    "hr": "paket će biti isporučen sutra, jer račun još nije plaćen.",
}
"""How a letter goes on, in each language that `foreign_words.txt` has."""
GREETINGS = {
    "de": "hallo|guten tag|guten morgen|guten abend|liebe|lieber|liebes|moin|servus",
    "fr": "bonjour|bonsoir|salut|cher|chère|chere|chèr",
    "es": "hola|querido|querida|estimado|estimada|buenos días|buenas días|buenos tardes|buenas tardes",
    "it": "ciao|caro|cara|gentile|buongiorno|salve",
    "pt": "olá|oi|prezado|prezada|bom dia|boa tarde|caro|cara",
    "nl": "hallo|beste|geachte|hoi|goedemorgen",
    "da": "kære|hej|goddag",
    "nb": "kjære|hei|heisann",
    "sv": "käre|kära|hej",
    "fi": "moi|hei|hyvä|rakas",
    "pl": "drogi|droga|cześć|witaj|szanowny pani|szanowna pani|szanowny panie|szanowna panie",
    "cs": "ahoj|milý|milá|dobrý den|vážený|vážená",
    "sk": "ahoj|milý|milá|dobrý den|vážený|vážená",
    "hu": "kedves|szia|tisztelt",
    "ro": "dragă|dragi|bună|salut|stimate|stimată",
    "tr": "merhaba|selam|sevgili|sayın",
    "hr": "zdravo|bok|draga|dragi|poštovani|poštovana",
}
IN_SMALL_LETTERS = {"et": "tere", "id": "halo|hai", "vi": "xin chào|chào|chào anh|chào chị|chào em|chào ông|chào bà|chào cô|chào chú|chào bạn"}  # fmt: skip
"""Languages without lists: a chat alone, which is all in small letters, tells that they greet."""
INTRODUCTIONS = {
    "de": "ich heiße|mein name ist|er heißt|sie heißt",
    "fr": "je m'appelle|mon nom est|il s'appelle|elle s'appelle|nommé|nommée",
    "es": "me llamo|mi nombre es|se llama|llamado|llamada",
    "it": "mi chiamo|il mio nome è|si chiama",
    "pt": "meu nome é|me chamo|eu me chamo|chamo-me|se chama|ele se chama|ela se chama|chamado|chamada",
    "nl": "ik heet|mijn naam is|namens",
}
RULES = expand_lists(resources.files(engine.__package__).joinpath("PERSON.txt").read_text("utf-8"))


def cases(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(language, said) for language, row in table.items() for said in row.split("|")]


def found(text: str) -> bool:
    return any(text[f.start : f.end].startswith(NAME) for f in engine.find_by_cues(text) if f.entity == "PERSON")


@pytest.mark.parametrize(("language", "greeting"), cases(GREETINGS))
def test_a_greeting_finds_whom_it_greets(language: str, greeting: str) -> None:
    assert found(f"{greeting.capitalize()} {NAME}, {GOES_ON[language]}")


@pytest.mark.parametrize(("language", "greeting"), cases(IN_SMALL_LETTERS))
def test_a_greeting_of_a_language_without_lists_is_heard_in_a_chat(language: str, greeting: str) -> None:
    text = f"{greeting} {NAME}, ok".lower()
    assert NAME.lower() in {text[f.start : f.end] for f in engine.find_by_cues(text) if f.entity == "PERSON"}


@pytest.mark.parametrize(("language", "introduction"), cases(INTRODUCTIONS))
def test_an_introduction_finds_whom_it_introduces(language: str, introduction: str) -> None:
    assert found(f"{introduction} {NAME}, {GOES_ON[language]}")


@pytest.mark.parametrize(("rule", "table"), [("HELLO", GREETINGS | IN_SMALL_LETTERS), ("SELF", INTRODUCTIONS)])
def test_each_word_of_the_rules_is_said_in_some_language(rule: str, table: dict[str, str]) -> None:
    said = {words for _, words in cases(table)}
    for part in re.split(r"\|(?![^()]*\))", RULES[rule]):
        pattern = re.compile(part.strip(), re.IGNORECASE)
        assert any(pattern.fullmatch(words) for words in said), f"no example of {part}"
    whole = re.compile(RULES[rule], re.IGNORECASE)
    assert [words for words in said if not whole.fullmatch(words)] == []


def test_each_language_of_the_lists_greets() -> None:
    assert set(words_by_language()) - {"languages"} == set(GREETINGS) == set(GOES_ON)
