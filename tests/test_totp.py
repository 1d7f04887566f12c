"""One-time codes are those of everybody else, and a vault knows them as secrets."""

from __future__ import annotations

import base64
from itertools import chain, repeat

import pytest

from simulator.secrets import Vault, Vaults
from simulator.totp import one_time_code, spellings

RFC = base64.b32encode(b"12345678901234567890").decode()


@pytest.mark.parametrize(
    ("at", "code"), [(59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")]
)
def test_the_codes_of_the_standard(at: float, code: str) -> None:
    assert one_time_code(RFC, at) == code


def test_a_secret_as_sites_show_it() -> None:
    assert one_time_code("jbsw y3dp ehpk 3pxp", 0) == one_time_code("JBSWY3DPEHPK3PXP", 0)
    with pytest.raises(ValueError, match="base32"):
        one_time_code("not base32!", 0)


def test_a_vault_gives_the_code_of_the_moment_and_masks_those_before() -> None:
    codes = chain(["111222", "111222"], repeat("333444"))
    vault = Vault(b"0123456789abcdef", scope="tests", code=lambda: next(codes))
    assert vault.names() == ("password", "totp")
    assert [vault.reveal("totp") for _ in range(3)] == ["111222", "111222", "333444"]
    assert vault.names() == ("password", "totp")
    masked = vault.mask("was 111222, is 333444")
    assert "111222" not in masked
    assert masked.endswith("is {{secret.totp}}")


def test_what_is_hidden_is_masked_and_not_offered() -> None:
    vault = Vault(
        b"0123456789abcdef", scope="tests", given={"admin": "of the admin"}, hidden={"access_key": "let me in"}
    )
    assert vault.names() == ("password", "admin")
    assert vault.mask("X-Access: let me in") == "X-Access: {{secret.access_key}}"


def test_the_code_of_the_moment_is_masked_before_anybody_asks_for_it() -> None:
    vault = Vault(b"0123456789abcdef", scope="tests", code=lambda: "111222")
    assert vault.mask("your code: 111222") == "your code: {{secret.totp}}"
    assert Vaults([vault]).mask("your code: 111222") == "your code: {{secret.totp}}"


def test_every_way_to_show_a_secret() -> None:
    ways = {"JBSWY3DPEHPK3PXP", "JBSW Y3DP EHPK 3PXP", "JBSW-Y3DP-EHPK-3PXP", "jbswy3dpehpk3pxp"}
    assert ways <= set(spellings("jbsw y3dp ehpk 3pxp"))
    assert set(spellings("JBSWY3DPEHPK3PXP")) == set(spellings("jbsw-y3dp-ehpk-3pxp"))
