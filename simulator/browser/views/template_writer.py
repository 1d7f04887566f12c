"""Writes what pages say as templates, variables as such and without secrets; and reads descriptions with their values.

Not responsible for: which values stand in addresses (``wire.server_values``), or which text is a secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from simulator.bindings import Bindings
from simulator.browser.evidence import Target
from simulator.browser.find import Find
from simulator.browser.secret_keeper import SecretKeeper
from simulator.browser.views.site_addresses import SiteAddresses
from simulator.browser.wire.withheld import keys_in
from simulator.canonical import map_strings
from simulator.masking import ADDRESSED

_NO_NAME = re.compile(r"[^a-z0-9]+")


class TemplateWriter:
    """Writes templates for one user.

    Args:
        addresses: the site's.
        bindings: the run's variables.
        vault: keeps secrets out of what is written.
    """

    def __init__(self, addresses: SiteAddresses, bindings: Bindings, vault: SecretKeeper) -> None:
        self.mask = vault.mask
        """Puts placeholders in place of secrets."""
        self._addresses = addresses
        self._urls = addresses.urls
        self._bindings = bindings
        self._vault = vault

    def rendered(self, find: Find) -> dict[str, str]:
        """Give a description with values in place of variables, as the page's script takes it."""
        render = self._bindings.render
        return {"how": find.how, "value": render(find.value), "name": render(find.name)}

    def written(self, value: Any) -> Any:
        """Write every text of a JSON value, addresses that stand in it too."""
        return map_strings(value, lambda text: self.mask(self._bindings.recognise(self._urls.variables.write_in(text))))

    def evidence(self, evidence: Target) -> Target:
        """Write evidence that was read from the page as it is stored: variables as such, and no secret."""
        return Target.model_validate(self.written(evidence.model_dump(mode="json")))

    def address(self, address: str) -> str:
        """Write an absolute address, relative to the site where it is on it."""
        self.learn_addresses([address])
        return self.mask(self._urls.recognise(self._addresses.relative(address)))

    def text(self, text: str) -> str:
        """Write a text of a page in which no address stands."""
        return self.mask(self._bindings.recognise(text))

    def learn_addresses(self, addresses: Iterable[str]) -> None:
        """Take in what addresses hold under the names of secrets."""
        for name, value in keys_in(addresses).items():
            self._vault.learn(f"{ADDRESSED}{name_part(name)}", value)

    def own_names(self) -> tuple[str, ...]:
        """Give the names by which the site may call the user; the whole one, too, where the displayed one is short."""
        get = self._bindings.get
        known = [get(f"identity.{name}") or "" for name in ("username", "display_name", "email")]
        parts = [get(f"identity.{name}") or "" for name in ("first_name", "last_name")]
        whole = " ".join(parts) if all(parts) else ""
        return tuple(dict.fromkeys(name for name in (*known, whole) if name))


def name_part(name: str) -> str:
    """Give a name that the site chose as a part of a variable's name."""
    return _NO_NAME.sub("_", name.lower())
