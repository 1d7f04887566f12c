"""Everything that is secret by where it comes from is known to the vaults, whether it is used or not."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
import trustme

from simulator.config import load_settings
from simulator.runner.surroundings.access import code_source, known_secrets, open_access
from simulator.secrets import Vault, load_key
from tests.fakes.door import PASSPHRASE, write_papers

SEED = "JBSWY3DPEHPK3PXP"
ENVIRONMENT = {
    "BASIC": "open sesame, quickly",
    "HEADER": "Bearer tok-5f9XQ2kkW",
    "FLAG": "true",
    "PASSPHRASE": PASSPHRASE,
    "SEED": "jbsw y3dp ehpk 3pxp",
    "RESET": "reset-77aQ2x",
    "STATE": "state-9Zr4kk",
    "SNAPSHOT": "snap-Kx83vd",
    "ADMIN": "Rosebud-91-lake",
    "MAILPIT": "mails-4Tq7yy",
    "ANTHROPIC_API_KEY": "sk-ant-3kQ9zz8Lr2",
    "OPENAI_API_KEY": "sk-proj-7Gh2kq0Xw1",
    "GOOGLE_BOOKS_KEY": "AIzaSy8Kd72kqpL",
    "SIM_KEY": "a machine key, 19 and more",
    "KEY_FILE": "/home/somebody/.keys/9Zr4kkQ2",
}
SIM_TOML = """
[site.shop]
base_url = "https://shop.example"
allowed_hosts = ["shop.example"]
basic_auth = { username = "tester", password = { env = "BASIC" } }
headers = { Authorization = { env = "HEADER" }, X-Beta = { env = "FLAG" } }
totp = { env = "SEED" }
login_state = "login.json"
reset = { url = "/reset", token = { env = "RESET" } }
state = { url = "/state", token = { env = "STATE" } }
snapshot = { url = "/snapshot", token = { env = "SNAPSHOT" } }
secrets = { admin_password = { env = "ADMIN" } }
authority = "authority.pem"
client_certificate = { certificate = "user.pem", key = "user.key", passphrase = { env = "PASSPHRASE" } }
mailbox = { mailpit = "http://127.0.0.1:8025", basic_auth = { username = "m", password = { env = "MAILPIT" } } }
"""
LOGIN = {
    "cookies": [
        {
            "name": "session",
            "value": "s%3A5f9XQ2kk.sigPart77x",
            "httpOnly": True,
            "domain": "shop.example",
            "path": "/",
        },
        {"name": "theme", "value": "dark", "domain": "shop.example", "path": "/"},
    ],
    "origins": [
        {
            "origin": "https://shop.example",
            "localStorage": [{"name": "auth", "value": json.dumps({"access": "eyJhbGciOi.J9zX4kQpR7.wW3vT8"})}],
        }
    ],
}


def test_everything_is_masked_with_its_parts_and_no_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    write_papers(trustme.CA(), tmp_path)
    (tmp_path / "login.json").write_text(json.dumps(LOGIN), "utf-8")
    (tmp_path / "sim.toml").write_text(SIM_TOML, "utf-8")
    settings = load_settings(tmp_path / "sim.toml")
    site = settings.site("shop")
    access = open_access(site)
    assert access.certificate is not None
    key = load_key(ENVIRONMENT)
    given = {name: reference.reveal() for name, reference in site.secrets.items()}
    hidden = known_secrets(settings, site, access, key)
    vault = Vault(key.secret, scope="tests", given=given, hidden=hidden, code=code_source(site))
    key_lines = [line for line in access.certificate.key.read_text().splitlines() if "-----" not in line]
    shown = [
        *(value for name, value in ENVIRONMENT.items() if name not in ("FLAG", "KEY_FILE")),
        "tok-5f9XQ2kkW",
        base64.b64encode(b"tester:open sesame, quickly").decode(),
        SEED,
        "JBSW Y3DP EHPK 3PXP",
        "jbsw-y3dp-ehpk-3pxp",
        "s:5f9XQ2kk.sigPart77x",
        "5f9XQ2kk",
        "sigPart77x",
        "J9zX4kQpR7",
        key_lines[0],
        "".join(key_lines),
    ]
    for text in shown:
        assert text not in vault.mask(f"it says <{text}> here"), text
    plain = "A tester says: it is true that the beta has a dark theme, see /home/somebody/.keys/9Zr4kkQ2"
    assert vault.mask(plain) == plain
    assert set(vault.names()) == {"password", "admin_password", "totp"}
