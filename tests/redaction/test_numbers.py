"""Codes, cards, banks and identities, as pages and mails write them: the value is masked whole, and what only looks like one stays."""

from __future__ import annotations

import random
import string

import pytest

from pagereel.redaction.detect.shapes.secrets import find_secrets
from pagereel.redaction.detect.shapes.shape_findings import find_by_shapes

R = random.Random(13)


def _chars(count: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(R.choices(alphabet, k=count))


SEED = "orbit velvet canyon drift maple hazard kitten ozone puzzle ribbon stadium walnut"
VALUES = {
    "code in two halves": ("Use code {} to sign in", "4471-9920"),
    "code in three parts": ("Your pairing code is {}.", "27-81-40"),
    "recovery code": ("Recovery code: {}", "7GQX2-9KLM4-PPW81"),
    "cvv": ("CVV: {}", "739"),
    "security number": ("security number {} on the back", "4471"),
    "cvv after a card": ("4929 1184 2210 6671, 09/27, {}", "842"),
    "expiry": ("Card expires {}", "09/27"),
    "valid thru": ("VALID THRU {}", "11/2028"),
    "expiry after a card": ("4929118422106671 exp {}", "04-29"),
    "last digits": ("The last four digits are {}", "7714"),
    "last 4 of a card": ("last 4 digits of your card: {}", "7714"),
    "brand": ("Paid with Visa ({})", "7714"),
    "card with dots": ("card ...{}", "7714"),
    "last digits in Spanish": ("tarjeta terminada en {}", "7714"),
    "last digits in Chinese": ("尾号{}的银行卡", "7714"),
    "telephone with an extension": ("{} is the kiln's", "+1-492-217-4218x0967"),
    "national insurance": ("NI number QQ is wrong, it is {}", "AB 12 34 56 C"),
    "national insurance, small": ("my national insurance number is {}", "ab123456c"),
    "pan": ("PAN {} was verified", "ABCPK4471L"),
    "aadhaar": ("Aadhaar {}", "4471 9920 1182"),
    "bic": ("BIC: {}", "DEUTDEFF"),
    "bic with branch": ("transfer to {} today", "COBADEFF371"),
    "swift code": ("SWIFT code: {}", "nwbkgb2l"),
    "azure storage": ("AccountName=shop;AccountKey={};Endpoint", _chars(86) + "=="),
    "azure storage alone": ("{}", _chars(86) + "=="),
    "azure client secret": ("client {} rejected", "k7B8" + "Q~" + _chars(33)),
    "seed phrase": ("{}", SEED),
    "seed phrase after a label": ("Write it down: my recovery phrase is {}", SEED),
    "seed phrase, numbered": ("{}", " ".join(f"{i}. {w}" for i, w in enumerate(SEED.split(), 1))),
    "Spanish password": ("contraseña: {}", "Roble!2231"),
    "Spanish password, a word": ("Su contraseña es: {}", "mariposa"),
    "German password": ("Passwort: {}", "Eiche7742"),
    "French password": ("mot de passe : {}", "chene#881"),
    "Portuguese password": ("senha: {}", "Sobreiro99"),
    "Italian password": ("la parola d'ordine è {}", "Quercia77"),
    "Polish password": ("hasło: {}", "dab!3391"),
    "Russian password": ("пароль: {}", "dub-4471"),
    "Greek password": ("κωδικός πρόσβασης: {}", "drys!552"),
    "Arabic password": ("كلمة المرور: {}", "sindyan8"),
    "Hebrew password": ("סיסמה: {}", "alon#772"),
    "Hindi password": ("पासवर्ड: {}", "banyan55!"),
    "Thai password": ("รหัสผ่าน: {}", "makham!9"),
    "Korean password": ("비밀번호는 x, 비밀번호: {}", "chamna88!"),
    "Chinese password": ("密码：{}", "xiangshu#7"),
    "Japanese password": ("パスワードは{}です", "kashi!339"),
    "Turkish password": ("şifre: {}", "mese4471!"),
    "Spanish code": ("Código de verificación: {}", "448821"),
    "Russian code": ("Ваш код 448821 действует пять минут, код подтверждения: {}", "994410"),
    "Chinese code": ("验证码是 {}", "448821"),
    "Korean code": ("인증번호 {} 입력", "448821"),
}  # fmt: skip


@pytest.mark.parametrize("kind", VALUES)
def test_a_number_or_secret_is_masked_whole(kind: str) -> None:
    from pagereel.redaction.normalise.escapes import to_plain_text

    sentence, value = VALUES[kind]
    text = to_plain_text(sentence.format(value)).text
    start = text.index(value)
    masked = {i for f in [*find_secrets(text), *find_by_shapes(text)] for i in range(f.start, f.end)}
    assert "".join(c for i, c in enumerate(value, start) if c.isalnum() and i not in masked) == ""


@pytest.mark.parametrize(
    "text",
    [
        "The offer expires in 12 days",
        "Visa and Mastercard are accepted",
        "Swift compiler and tools",
        "DOCUMENT SETTINGS",
        "Passwort vergessen?",
        "Contraseña: obligatoria",
        "¿Ha olvidado su contraseña?",
        "Mot de passe oublié ?",
        "Новый пароль",
        "忘记密码",
        "パスワードを忘れた場合",
        "비밀번호를 입력하세요",
        "The quick brown fox jumps over the lazy dog and then some more words follow",
        "Enter the last four digits",
        "Card 12 of 40",
        "Exit code 137",
        "Account settings",
        "Choose between seven themes with dark, light, warm, cold and other colours for your editor",
    ],
)
def test_words_about_them_are_none(text: str) -> None:
    found = [*find_secrets(text), *find_by_shapes(text)]
    assert [(text[f.start : f.end], f.entity) for f in found] == []
