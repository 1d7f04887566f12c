"""A stored login that is none ends a command with one sentence that names the place, and shows no key of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simulator.browser.launch.access import Access
from simulator.cli.main import main
from simulator.errors import ConfigError
from simulator.runner.surroundings.login_state import read_login
from tests.small_run import SmallSite, serving

KEY = "k9f3a77c0d1e2b4a59687"
COOKIE: dict[str, Any] = {"name": "session", "value": KEY, "domain": "127.0.0.1", "path": "/"}
FULL = {"expires": 1900000000.5, "httpOnly": True, "secure": False, "sameSite": "Lax", "partitionKey": "later"}
ENTRY = {"name": "token", "value": KEY}
ORIGIN: dict[str, Any] = {"origin": "http://127.0.0.1:9", "localStorage": [ENTRY]}
DEEP = "[" * 100_000


def cookie(**more: Any) -> dict[str, Any]:
    return {"cookies": [COOKIE, COOKIE | more]}


def without(name: str) -> dict[str, Any]:
    return {"cookies": [{key: value for key, value in COOKIE.items() if key != name}]}


def origin(**more: Any) -> dict[str, Any]:
    return {"cookies": [], "origins": [ORIGIN | more]}


WRONG: dict[str, tuple[Any, str]] = {
    "a list": ([], "expected JSON with cookies and origins"),
    "another object": ({"users": []}, "expected JSON with cookies and origins"),
    "cookies are none": ({"cookies": None}, "cookies: expected a list"),
    "cookies are an object": ({"cookies": {}}, "cookies: expected a list"),
    "cookies are a text": ({"cookies": KEY}, "cookies: expected a list"),
    "origins are a number": ({"origins": 7}, "origins: expected a list"),
    "a cookie is a text": ({"cookies": [COOKIE, KEY]}, "cookies[1]: expected an object"),
    "a cookie is a list": ({"cookies": [[]]}, "cookies[0]: expected an object"),
    "no name": (without("name"), "cookies[0].name: is missing"),
    "no value": (without("value"), "cookies[0].value: is missing"),
    "no domain": (without("domain"), "cookies[0]: expected domain and path"),
    "no path": (without("path"), "cookies[0]: expected domain and path"),
    "a value is a number": (cookie(value=7), "cookies[1].value: expected a text"),
    "a value is an object": (cookie(value={"a": KEY}), "cookies[1].value: expected a text"),
    "a name is null": (cookie(name=None), "cookies[1].name: expected a text"),
    "a domain is a list": (cookie(domain=[]), "cookies[1].domain: expected a text"),
    "a path that is relative": (cookie(path="shop"), "cookies[1].path: expected a path that begins with '/'"),
    "expires is a text": (cookie(expires="1900000000"), "cookies[1].expires: expected a number"),
    "expires is null": (cookie(expires=None), "cookies[1].expires: expected a number"),
    "expires is before all time": (cookie(expires=-5), "cookies[1].expires: expected -1 or seconds since 1970"),
    "expires is after all time": (cookie(expires=1e30), "cookies[1].expires: expected -1 or seconds since 1970"),
    "httpOnly is a number": (cookie(httpOnly=1), "cookies[1].httpOnly: expected true or false"),
    "secure is a text": (cookie(secure="yes"), "cookies[1].secure: expected true or false"),
    "sameSite is another word": (cookie(sameSite="lax"), "cookies[1].sameSite: expected Strict, Lax or None"),
    "an origin is a text": ({"origins": [KEY]}, "origins[0]: expected an object"),
    "an origin is no address": (origin(origin="nonsense"), "origins[0].origin: expected the address of a site"),
    "an origin is a file": (origin(origin="file:///etc"), "origins[0].origin: expected the address of a site"),
    "an origin has a wrong port": (origin(origin="http://h:99999"), "origins[0].origin: expected the address"),
    "no local storage": ({"origins": [{"origin": "http://h"}]}, "origins[0].localStorage: is missing"),
    "local storage is an object": (origin(localStorage={"token": KEY}), "origins[0].localStorage: expected a list"),
    "an entry is a text": (origin(localStorage=[ENTRY, KEY]), "origins[0].localStorage[1]: expected an object"),
    "an entry has no value": (origin(localStorage=[{"name": "a"}]), "origins[0].localStorage[0].value: is missing"),
    "an entry is an object": (origin(localStorage=[{"name": "a", "value": {}}]), "[0].value: expected a text"),
}  # fmt: skip
TEXTS = {
    "empty": "", "no JSON": KEY, "half of it": '{"cookies": [', "endless": DEEP,
    "endless inside": '{"cookies": ' + DEEP,
    "no number": '{"cookies": NaN}', "half a character": '{"cookies": "\\ud800"}',
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_type_is_told_with_its_place(tmp_path: Path, name: str) -> None:
    state, said = WRONG[name]
    file = tmp_path / "login.json"
    file.write_text(json.dumps(state), "utf-8")
    with pytest.raises(ConfigError) as told:
        read_login(file)
    assert f"login_state {file}: " in str(told.value)
    assert said in str(told.value)
    assert KEY not in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_no_json_is_told(tmp_path: Path, name: str) -> None:
    file = tmp_path / "login.json"
    file.write_text(TEXTS[name], "utf-8")
    with pytest.raises(ConfigError, match="expected JSON with cookies and origins") as told:
        read_login(file)
    assert KEY not in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("data", [b"\xff\xfe{}", b"\x80", None])
def test_what_is_no_text_is_told(tmp_path: Path, data: bytes | None) -> None:
    file = tmp_path / "login.json"
    if data is None:
        file.mkdir()
    else:
        file.write_bytes(data)
    with pytest.raises(ConfigError, match=r"UTF-8|folder"):
        read_login(file)


def test_what_playwright_writes_is_taken_as_it_is(tmp_path: Path) -> None:
    state = {"cookies": [COOKIE, COOKIE | FULL], "origins": [ORIGIN | {"indexedDB": []}, ORIGIN | {"localStorage": []}]}
    file = tmp_path / "login.json"
    file.write_text(json.dumps(state), "utf-8")
    assert read_login(file) == state
    assert set(Access(login=read_login(file)).secrets().values()) == {KEY}


def test_stored_texts_that_are_nested_without_end_are_texts() -> None:
    entries = [{"name": "a", "value": DEEP}, {"name": "b", "value": json.dumps({"in": json.dumps([KEY])})}]
    held = Access(login={"origins": [{"origin": "http://h", "localStorage": entries}]}).secrets()
    assert KEY in held.values()


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (cookie(value=7), "site 'mine': login_state {}: cookies[1].value: expected a text\n"),
        (cookie(value="a;b\n"), "the browser does not take what login_state holds: "),
    ],
    ids=["by its type", "by the browser"],
)
def test_a_command_ends_with_the_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    state: dict[str, Any],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of stored logins")
    file = tmp_path / "login.json"
    file.write_text(json.dumps(state), "utf-8")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "one.yaml").write_text(
        "persona: one\nabout: Looks.\nlocale: en_GB\ntasks: [register]\n", "utf-8"
    )
    with serving(SmallSite(pages={"/": "<h1>Home</h1>"})) as site:
        section = f'[site.mine]\nbase_url = "{site.url}"\nlogin_state = "login.json"\n'
        (tmp_path / "sim.toml").write_text(section, "utf-8")
        assert main(["personas", "run", "one", "--agent", "autopilot", "--seed", "7"]) == 2
    told = capsys.readouterr()
    assert said.format(file) in told.out + told.err
    assert "Traceback" not in told.out + told.err
