from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simulator.errors import KeyMissing
from simulator.secret_parts import is_ordinary
from simulator.secrets import MachineKey, Vault, Vaults, load_key

KEY = b"0123456789abcdef"

ENCODINGS: dict[str, Callable[[str], str]] = {
    "raw": str,
    "quote": quote,
    "quote all": lambda text: quote(text, safe=""),
    "quote lower": lambda text: re.sub("%..", lambda match: match.group().lower(), quote(text, safe="")),
    "quote_plus": quote_plus,
    "quote twice": lambda text: quote(quote(text, safe=""), safe=""),
    "html": html.escape,
    "html decimal": lambda text: "".join(c if c.isalnum() and c.isascii() else f"&#{ord(c)};" for c in text),
    "html hex": lambda text: "".join(c if c.isalnum() and c.isascii() else f"&#x{ord(c):X};" for c in text),
    "html twice": lambda text: html.escape(html.escape(text)),
    "json": lambda text: json.dumps(text)[1:-1],
    "json unicode": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "json in json": lambda text: json.dumps(json.dumps(text)[1:-1])[1:-1],
    "json slash": lambda text: json.dumps(text)[1:-1].replace("/", r"\/"),
}

secret_texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=8, max_size=30).filter(
    lambda text: not is_ordinary(text)
)


def vault(scope: str = "bookshop|collector|7|3", key: bytes = KEY) -> Vault:
    return Vault(key, scope=scope)


def test_derived_secrets_depend_on_key_scope_and_name_alone():
    password = vault().reveal("password")
    assert password == vault().reveal("password")
    others = [vault(scope="other").reveal("password"), vault(key=b"x" * 16).reveal("password"), vault().reveal("pin")]
    assert len({password, *others}) == 4


def test_derived_secrets_stay_the_same_in_later_versions():
    assert vault().reveal("password") == "ua-77o5Ydf4OJ0r3d6"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_derived_secrets_are_passwords_that_sites_accept(scope):
    password = vault(scope).reveal("password")
    assert 16 <= len(password) <= 20
    assert re.fullmatch(r"[a-z][A-Za-z0-9]*[-_.!][A-Za-z0-9]*|[a-z][A-Za-z0-9]*[-_.!]", password)
    assert re.search("[A-Z]", password)
    assert re.search("[0-9]", password)


def test_derived_secrets_do_not_repeat():
    assert len({vault(f"site|{number}").reveal("password") for number in range(1000)}) == 1000


@pytest.mark.parametrize("name", ["", "Password", "pass word", "a-b", "1st"])
def test_malformed_names_are_refused(name):
    with pytest.raises(ValueError, match="secret's name"):
        vault().reveal(name)


def test_literals_are_adopted_once_under_one_name():
    some = vault()
    assert some.adopt(some.reveal("password")) == "password"
    assert some.adopt("correct horse") == "typed_1"
    assert some.adopt("battery staple") == "typed_2"
    assert some.adopt("correct horse") == "typed_1"
    assert some.reveal("typed_1") == "correct horse"
    with pytest.raises(ValueError, match="empty"):
        some.adopt("")


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
@given(literal=secret_texts)
def test_every_encoding_of_a_secret_is_masked(encode, literal):
    assume("secret" not in literal)
    some = vault()
    name = some.adopt(literal)
    text = f"<before {encode(literal)} after>"
    assert some.mask(text) == f"<before {{{{secret.{name}}}}} after>"


DISGUISES: dict[str, Callable[[str], str]] = {
    "every character as URL": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "every character as URL, twice": lambda text: "".join(f"%25{byte:02x}" for byte in text.encode()),
    "every character in decimal": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "every character in hex": lambda text: "".join(f"&amp;#x{ord(char):X};" for char in text),
    "every character as JSON": lambda text: "".join(f"\\u{ord(char):04x}" for char in text),
    "hex": lambda text: text.encode().hex(),
    "hex in capitals, in pairs": lambda text: text.encode().hex(" ").upper(),
    "backwards": lambda text: text[::-1],
    "capitals": str.upper,
    "a line for each character": "\n".join,
    "with invisible characters": "\u200b".join,
    "an element for each character": lambda text: "".join(f"<b class='x'>{char}</b>" for char in text),
    "two elements": lambda text: f"<p>{text[:7]}</p>\n  <p>{text[7:]}</p>",
    "an attribute, backwards": lambda text: f'<b title="{text[::-1]}"></b>',
    "a list in JSON": lambda text: json.dumps({"a": list(text)}),
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
@given(scope=st.text(max_size=5))
def test_a_secret_in_disguise_is_masked(disguise, scope):
    some = vault(scope)
    password = some.reveal("password")
    hidden = disguise(password)
    masked = some.mask(f"before {{{{secret.password}}}} {hidden} after")
    assert masked.count("{{secret.password}}") == 2
    assert masked.startswith("before {{secret.password}} ")
    assert masked.endswith(" after")
    assert some.mask(masked) == masked
    letters = re.sub(r"<[^<>]*>|\W", "", masked.replace("secret.password", ""))
    assert not re.search(re.escape(password[2:-2]), letters, re.IGNORECASE)


@given(
    secret=secret_texts,
    value=st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)),
)
def test_masked_json_stays_json(secret, value):
    some = vault()
    some.adopt(secret)
    text = json.dumps([value, list(secret), {"whole": secret, "back": secret[::-1]}, [[secret[:4]], secret[4:]]])
    assert isinstance(json.loads(some.mask(text)), list)


@pytest.mark.parametrize("number", ["20261122", "39020261122000", "-20261122.5", "120261122"])
def test_a_secret_in_a_number_leaves_json_behind(number):
    some = vault()
    some.adopt("20261122")
    masked = some.mask(f'{{"a": [{number}, "20261122, {number}"], "b": {number}}}')
    told = json.loads(masked)
    assert "20261122" not in masked
    assert told["b"] == told["a"][0] == "{{secret.typed_1}}"


@pytest.mark.parametrize("text", ["Password", "the pass word", "horse correct", "2026-11-22"])
def test_what_only_resembles_a_secret_is_left_alone(text):
    some = vault()
    for literal in ("password", "correct horse", "20261122"):
        some.adopt(literal)
    assert some.mask(text) == text


@given(
    literal=secret_texts.filter(lambda text: len(text) >= 12),
    before=st.binary(max_size=4),
    after=st.binary(max_size=4),
    urlsafe=st.booleans(),
)
def test_base64_of_a_secret_is_masked_at_every_alignment(literal, before, after, urlsafe):
    some = vault()
    some.adopt(literal)
    encode = base64.urlsafe_b64encode if urlsafe else base64.b64encode
    masked = some.mask(encode(before + literal.encode() + after).decode())
    rest = masked.replace("{{secret.typed_1}}", "")
    assert masked != rest
    assert len(rest) <= len(base64.b64encode(before)) + len(base64.b64encode(after)) + 8


def test_basic_authorization_is_masked():
    some = vault()
    password = some.reveal("password")
    header = base64.b64encode(f"ann:{password}".encode()).decode()
    masked = some.mask(f'{{"authorization":"Basic {header}"}}')
    assert "{{secret.password}}" in masked
    assert json.loads(masked)
    assert header[8:-8] not in masked


@given(st.text(), st.text())
def test_text_without_a_secret_is_left_alone(left, right):
    some = vault()
    password = some.reveal("password")
    assume(password not in left + right)
    assert some.mask(left + "{{secret.password}}" + right) == left + "{{secret.password}}" + right
    assert some.mask(left + right) == left + right
    assert some.mask(left + password + right) == left + "{{secret.password}}" + right


def test_the_longest_secret_wins_and_placeholders_are_kept():
    some = vault()
    some.adopt("passw0rd")
    some.adopt("passw0rd and more")
    assert some.mask("passw0rd and more, passw0rd, {{secret.password}}") == (
        "{{secret.typed_2}}, {{secret.typed_1}}, {{secret.password}}"
    )


@pytest.mark.parametrize("word", ["wrong", "Password", "geheim", "summer", "2024", "sign in", "swordfish", "1234"])
def test_an_ordinary_word_that_was_typed_masks_no_language(word):
    some = vault()
    assert some.adopt(word) == "typed_1"
    assert some.reveal("typed_1") == word
    assert some.mask(f"What is {word} here? {word}") == f"What is {word} here? {word}"
    assert word not in some.values().values()


def test_what_is_given_is_masked_with_its_parts():
    header = "Basic " + base64.b64encode(b"tester:Rosebud-91-lake").decode()
    some = Vault(KEY, scope="tests", hidden={"header": header, "key": "Bearer tok-5f9XQ2", "flag": "a=true; n=1"})
    assert "Rosebud" not in some.mask("the page says Rosebud-91-lake")
    assert "5f9XQ2" not in some.mask("and tok-5f9XQ2")
    assert some.mask("a tester says true, 1 of them") == "a tester says true, 1 of them"
    assert some.names() == ("password",)


def test_the_name_of_a_part_tells_nothing_of_other_secrets():
    told = []
    for others in ({}, {"another": "Bearer aK93-zz81-Qw20", "third": "x4:Jk2-99qLw-77aa"}):
        vault = Vault(b"0123456789abcdef", scope="tests", given=others | {"token": "Bearer tok-5f9XQ2kkWzz81"})
        told.append(vault.mask("It is tok-5f9XQ2kkWzz81."))
    assert told == ["It is {{secret.token_part_1}}."] * 2


def test_a_key_that_the_site_has_set_is_masked_also_when_it_has_changed():
    some = vault()
    vaults = Vaults([some])
    some.learn("cookie_session", "s%3A5f9XQ2kk.sigPart77x")
    some.learn("cookie_session", "s%3A6a8YR3mm.sigPart88y")
    some.learn("cookie_seen", "true")
    for shown in ("s:5f9XQ2kk.sigPart77x", "s%3A6a8YR3mm.sigPart88y", "6a8YR3mm", "sigPart88y"):
        assert shown not in vaults.mask(f"it is {shown}, true")
    assert vaults.mask("true") == "true"
    assert some.names() == ("password",)


def test_what_was_put_in_openly_is_no_part_of_a_key() -> None:
    some = vault()
    some.disclose("https://example.org/ada_moor_1/walks")
    data = base64.urlsafe_b64encode(b'{"user":"ada_moor_1","key":"k7Qw9zXrTb2mmPq"}').decode()
    some.learn("cookie_session", f"{data}.aSk2Qw")
    assert some.mask("ada_moor_1") == "ada_moor_1"
    assert "k7Qw9zXrTb2mmPq" not in some.mask("the key is k7Qw9zXrTb2mmPq")


def test_a_piece_of_a_derived_secret_is_masked_for_all():
    some = vault()
    piece = some.reveal("password")[3:11]
    assert piece not in Vaults([some]).mask(f"it has {piece} in it")


@pytest.mark.parametrize("encode", ["raw", "quote all", "base64"])
def test_the_beginning_of_a_secret_at_the_end_of_a_text_that_was_cut_is_masked(encode):
    key = "sk-proj-7Gh2kq0Xw1Zr/93kQ"
    some = Vault(KEY, scope="tests", hidden={"key": key})
    shown = base64.b64encode(key.encode()).decode() if encode == "base64" else ENCODINGS[encode](key)
    text = f"{'a long text ' * 8}{shown}"
    for length in range(len(text) - len(shown) + 8, len(text)):
        for mark in ("", "…"):
            assert shown[:8] not in some.mask(text[:length] + mark)


def test_each_of_hundreds_of_secrets_is_found():
    hidden = {f"s{n}": hashlib.sha256(b"%d" % n).hexdigest()[:20] for n in range(500)}
    many = Vault(KEY, scope="tests", hidden=hidden)
    text = "a text of a step, about as long as many are: Great Expectations by Charles Dickens, as new " * 8
    assert many.mask(text) == text
    for name, value in list(hidden.items())[::50]:
        assert many.mask(f"{text}{value}{text}") == f"{text}{{{{secret.{name}}}}}{text}"


@given(st.lists(st.text("abHunt2", min_size=1, max_size=3), min_size=1, max_size=12))
def test_what_is_typed_key_by_key_is_known_at_every_key(keys):
    some = vault()
    typed = ""
    for key in keys:
        typed += key
        some.see([typed])
        if len(typed) >= 4:
            assert typed not in some.mask(f"you typed {typed}!")
    some.settle()
    assert (typed in some.mask(f"you typed {typed}!")) == (len(typed) < 4 or is_ordinary(typed))


def test_short_secrets_are_masked_where_they_can_be_meant():
    some = vault()
    some.adopt("7")
    some.adopt("123456")
    assert some.mask("7") == "{{secret.typed_1}}"
    assert some.mask("17 books for 7.50") == "17 books for 7.50"
    assert some.mask("code=123456&x") == "code={{secret.typed_2}}&x"
    assert some.mask("id 91234567") == "id 91234567"


def test_vaults_mask_what_any_of_them_knows():
    vaults = Vaults()
    first, second = vaults.add(vault("1")), vaults.add(vault("2"))
    passwords = first.reveal("password"), second.reveal("password")
    second.adopt("correct horse")
    assert vaults.mask("{} {} correct horse".format(*passwords)) == (
        "{{secret.password}} {{secret.password}} {{secret.typed_1}}"
    )
    later = second.reveal("later")
    assert vaults.mask(f"<{later}>") == "<{{secret.later}}>"


def test_masking_a_short_text_costs_microseconds():
    vaults = Vaults(vault(str(number)) for number in range(20))
    for number in range(20):
        vaults.add(vault(str(number))).reveal("password")
    text = "a text of a step, about as long as many"
    best = min(_seconds(lambda: vaults.mask(text), 2000) for _ in range(5))
    assert best < 50e-6


def _seconds(work: Callable[[], object], times: int) -> float:
    began = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - began) / times


def test_a_vault_does_not_show_its_secrets():
    some = vault()
    password = some.reveal("password")
    assert password not in repr(some)
    assert "0123456789abcdef" not in repr(MachineKey(KEY))


def test_a_key_from_the_environment_wins(tmp_path):
    key = load_key({"SIM_KEY": "a key of at least sixteen"}, tmp_path / "config")
    assert key == load_key({"SIM_KEY": "a key of at least sixteen"}, tmp_path / "config")
    assert not (tmp_path / "config").exists()
    assert re.fullmatch("[0-9a-f]{12}", key.fingerprint)
    assert key.fingerprint != load_key({"SIM_KEY": "another key of sixteen"}, tmp_path).fingerprint


def test_a_short_key_is_refused(tmp_path):
    with pytest.raises(KeyMissing, match="SIM_KEY has 5 characters; give it at least 16"):
        load_key({"SIM_KEY": "short"}, tmp_path)


def test_the_key_file_is_made_once_and_private(tmp_path):
    folder = tmp_path / "config" / "simulator"
    key = load_key({}, folder)
    assert len(key.secret) == 32
    assert load_key({"SIM_KEY": ""}, folder) == key
    assert stat.S_IMODE((folder / "key").stat().st_mode) == 0o600
    assert [file.name for file in folder.iterdir()] == ["key"]


def test_eight_processes_make_one_key(tmp_path):
    program = (
        "import sys; from pathlib import Path; from simulator.secrets import load_key; "
        "sys.stdin.read(1); print(load_key({}, Path(sys.argv[1])).fingerprint)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "config")]
    root = Path(__file__).parents[1]
    processes = [
        subprocess.Popen(command, cwd=root, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(8)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("x")
        process.stdin.flush()
    assert len({process.communicate()[0] for process in processes}) == 1
    assert os.listdir(tmp_path / "config") == ["key"]


@pytest.mark.parametrize("text", ["", "not hexadecimal", "abcd", "\udcff"])
def test_a_damaged_key_file_is_told(tmp_path, text):
    (tmp_path / "key").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(KeyMissing, match="is damaged"):
        load_key({}, tmp_path)


def test_a_key_file_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyMissing, match="set SIM_KEY instead"):
        load_key({}, tmp_path / "file")


def test_a_given_secret_is_kept_as_it_is_and_masked():
    vault = Vault(b"k" * 32, scope="staging|admin|7|1", given={"admin_password": "Rosebud-91-lake"})
    assert vault.reveal("admin_password") == "Rosebud-91-lake"
    assert vault.adopt("Rosebud-91-lake") == "admin_password"
    assert (
        vault.mask("it is Rosebud-91-lake, or Rosebud%2D91-lake")
        == "it is {{secret.admin_password}}, or {{secret.admin_password}}"
    )
    assert "Rosebud" not in repr(vault)


def test_secrets_of_a_user_who_is_done_are_masked_where_they_stand_whole() -> None:
    vaults = Vaults()
    stays, goes = (vaults.add(Vault(b"k" * 32, scope=scope)) for scope in ("one", "two"))
    kept, gone = stays.reveal("password"), goes.reveal("password")
    vaults.retire(goes)
    assert vaults.mask(f"a {gone}, b {quote(gone, safe='')}") == "a {{secret.password}}, b {{secret.password}}"
    assert vaults.mask(f"{kept[:9]} and {kept}") == "{{secret.password}} and {{secret.password}}"
    typed = stays.adopt("Correct-horse-7-battery")
    assert vaults.mask("Correct-horse-7-battery") == f"{{{{secret.{typed}}}}}", "who is left still adds secrets"


def test_a_secret_that_others_have_too_is_not_let_go_of() -> None:
    vaults = Vaults()
    shared = {"door": "Front-gate-4711-code"}
    first, second = (vaults.add(Vault(b"k" * 32, scope=scope, given=shared)) for scope in ("one", "two"))
    vaults.retire(second)
    assert vaults.mask("Front-gate-4711-code"[::-1]) == "{{secret.door}}", "it is sought in disguise"
    vaults.retire(first)
    assert vaults.mask("the Front-gate-4711-code") == "the {{secret.door}}"
