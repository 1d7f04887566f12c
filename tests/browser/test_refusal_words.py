"""Of which kind the words of a refusal are, in every language; and which refusals are new."""

# ruff: noqa: E501, RUF001

from __future__ import annotations

import pytest

from simulator.browser.views.refusals import Kind, gist, kind_of, languages, new_ones, read_refusals, refused
from simulator.persona.locales import known_locales

TAKEN_IN = {
    "ar": "اسم المستخدم مستخدم بالفعل", "cs": "Toto jméno již existuje.", "da": "Brugernavnet er allerede i brug.",
    "de": "Name ist vergeben", "el": "Το όνομα χρησιμοποιείται ήδη.", "en": "It already exists", "es": "Ese nombre ya está en uso.",
    "fi": "Käyttäjätunnus on jo käytössä.", "fr": "Ce nom est déjà pris.", "he": "שם המשתמש כבר קיים", "hi": "यह नाम पहले से मौजूद है।",
    "hu": "Ez a név már foglalt.", "id": "Nama sudah dipakai.", "it": "Nome già in uso", "ja": "このユーザー名は既に使用されています。",
    "ko": "이미 사용 중인 이름입니다.", "nl": "Deze naam is al in gebruik.", "no": "Navnet er allerede tatt.", "pl": "Ta nazwa jest już zajęta.",
    "pt": "Este nome já existe.", "ro": "Numele există deja.", "ru": "Имя уже занято.", "sv": "Namnet är redan upptaget.",
    "ta": "பெயர் ஏற்கனவே உள்ளது", "th": "ชื่อนี้ถูกใช้แล้ว", "tr": "Bu kullanıcı adı zaten alınmış.", "uk": "Це ім'я вже зайняте.",
    "vi": "Tên này đã tồn tại.", "zh": "该用户名已存在。",
}  # fmt: skip


def test_every_language_of_a_locale_has_words_for_taken() -> None:
    assert {locale[:2] for locale in known_locales()} <= languages("taken")


@pytest.mark.parametrize("language", TAKEN_IN)
def test_taken_is_understood(language: str) -> None:
    assert kind_of(TAKEN_IN[language], of_field=True) == "taken"


@pytest.mark.parametrize(
    ("words", "of_field", "status", "kind"),
    [
        ("No such user exists", False, 0, "taken"),
        ("The page does not exist.", False, 0, "other"),
        ("This book no longer exists.", False, 0, "other"),
        ("Ce livre n’existe plus", False, 0, "other"),
        ("The photo was mistaken for another", True, 0, "invalid"),
        ("This field is required.", True, 0, "missing"),
        ("Title can’t be blank", True, 0, "missing"),
        ("Too many requests", False, 0, "rate_limit"),
        ("You do not have permission.", False, 0, "forbidden"),
        ("", False, 409, "taken"),
        ("Give a price", False, 0, "other"),
    ],
)
def test_kinds_of_refusals(words: str, of_field: bool, status: int, kind: Kind) -> None:
    assert kind_of(words, of_field, status) == kind


def test_new_refusals_are_those_that_say_something_else() -> None:
    raw = {"field": "", "name": "", "how": "page", "status": 0, "missing": False}
    found = read_refusals([raw | {"words": "'Emma' is too dear by 3"}, raw | {"words": "Give a price"}])
    assert new_ones(found, ["'Dune' is too dear by 12"]) == found[1:]
    assert gist("Anna is busy") == gist("Ben is busy")
    assert [one.words for one in refused(("An older text", "Give a price"), found)] == [
        "'Emma' is too dear by 3", "Give a price", "An older text",
    ]  # fmt: skip
