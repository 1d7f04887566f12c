"""What a page says is known by what it is with secrets left out, where it says that in one way."""

from __future__ import annotations

from simulator.browser.views.own_words import masked_parts, own_words
from simulator.secrets import Vault

SEED = "JBSWY3DPEHPK3PXPMFZWIZTH"
VAULT = Vault(b"the key of the tests of own words", scope="tests", given={"seed": SEED})


def test_texts_are_known_by_what_they_are_without_secrets() -> None:
    evidence = {"name": f"Copy key {SEED}", "scopes": [{"texts": ["Key", f"Since May: {SEED}!"]}], "box": None}
    assert own_words([evidence], VAULT.mask) == {
        "Copy key {{secret.seed}}": f"Copy key {SEED}",
        "Since May: {{secret.seed}}!": f"Since May: {SEED}!",
        "{{secret.seed}}": SEED,
    }


def test_of_several_ways_to_say_it_none_is_meant() -> None:
    assert own_words([{"name": f"Key {SEED}"}, {"name": f"Key {SEED.lower()}"}], VAULT.mask) == {}


def test_what_stands_around_secrets_is_asked_for() -> None:
    assert masked_parts("Copy {{secret.seed}} of {{secret.password}}") == ["Copy ", " of "]
    assert masked_parts("{{secret.seed}}") == []
