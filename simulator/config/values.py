"""The building blocks of the sections: checked strings and paths. Not responsible for: any section."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit  # noqa: TID251 (what cannot be split is refused)

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, PrivateAttr, ValidationInfo

from simulator.errors import KeyMissing
from simulator.toml_file import shown

DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?P<port>\d{1,5}))?", re.IGNORECASE)


_HOST_FIRST = re.compile(r"(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d+)?(?:/|$)", re.IGNORECASE)
"""An address without its scheme."""


class Section(BaseModel):
    """A table of ``sim.toml``: fixed once read, and without keys that nobody knows."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True, allow_inf_nan=False)


class HostPort(NamedTuple):
    """A host name or address without brackets, in lower case, and a port."""

    host: str
    port: int


def host_port(url: str) -> HostPort:
    """Give the host and port that a URL leads to; without a port, the scheme's own.

    Raises:
        ValueError: the URL has no host, or a port that cannot be.
    """
    parts = urlsplit(url)
    if not parts.hostname:
        raise ValueError(f"expected a URL with a host, found {url!r}")
    return HostPort(parts.hostname, parts.port or DEFAULT_PORTS.get(parts.scheme, 0))


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine by its very name; names are not looked up."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def base_url(value: str) -> str:
    """Check the address of a site.

    Args:
        value: for example ``https://staging.example.com/shop``.

    Returns:
        The address without a slash at its end.

    Raises:
        ValueError: it is no plain http(s) address, or holds credentials.
    """
    if "@" in value:
        raise ValueError("expected an address without user and password; put them in basic_auth")
    try:
        parts = urlsplit(value)
        plain = parts.scheme in DEFAULT_PORTS and parts.hostname and (parts.port is None or parts.port > 0)
        # Names that no server can have fail here, not where they are first looked up.
        plain = plain and " " not in value and value.isprintable() and bool((parts.hostname or "").encode("idna"))
    except ValueError:
        plain = False
    if not plain:
        hint = "" if "//" in value else f"; did you mean 'http://{value}'?" if _HOST_FIRST.match(value) else ""
        raise ValueError(f"expected an address like 'https://staging.example.com', found {value!r}{hint}")
    if parts.query or parts.fragment:
        raise ValueError(f"expected an address without '?' and '#', found {value!r}")
    return value.rstrip("/")


def _path(value: str) -> str:
    if not value.startswith("/") or value.startswith("//"):
        raise ValueError(f"expected a path that begins with one '/', found {value!r}")
    return value


def _host_rule(value: str) -> str:
    match = _HOST.fullmatch(value)
    if match is None or int(match["port"] or 1) not in range(1, 65536):
        raise ValueError(f"expected 'host' or 'host:port', found {value!r}")
    return value.lower()


def _rooted(value: object, info: ValidationInfo) -> str:
    if not isinstance(value, str | Path):
        raise ValueError(f"expected a path in quotes, found {shown(value)}")
    root: Path = (info.context or {}).get("root", Path.cwd())
    if "\0" in str(value):
        raise ValueError("expected a path, found one with a NUL in it")
    try:
        return str(root / Path(value).expanduser())
    except RuntimeError:
        raise ValueError(f"expected a path; there is no home folder for {shown(value)}") from None


HttpUrl = Annotated[str, AfterValidator(base_url)]
"""An http(s) address without a slash at its end."""
SitePath = Annotated[str, AfterValidator(_path)]
"""A path on the site, with its query."""
HostRule = Annotated[str, AfterValidator(_host_rule)]
"""``host`` (its ports 80 and 443) or ``host:port``."""
RootedPath = Annotated[Path, BeforeValidator(_rooted)]
"""A path that is relative to the folder of the file; absolute once read."""


def rule_matches(rule: str, target: HostPort) -> bool:
    """Return whether an entry of ``allowed_hosts`` allows a host and port."""
    match = _HOST.fullmatch(rule)
    assert match is not None
    ports = [int(match["port"])] if match["port"] else DEFAULT_PORTS.values()
    return match["host"].strip("[]") == target.host and target.port in ports


class SecretRef(Section):
    """Where a secret is to be found. It holds no secret, so it may be printed and stored."""

    env: str
    """Name of an environment variable."""

    _environ: Mapping[str, str] = PrivateAttr(default_factory=lambda: os.environ)

    def model_post_init(self, context: Any, /) -> None:
        """Remember which environment to look in, when that is asked for."""
        if context and "environ" in context:
            self._environ = context["environ"]

    def reveal(self) -> str:
        """Read the secret now.

        Raises:
            KeyMissing: the variable is not set.
        """
        value = self._environ.get(self.env)
        if not value:
            raise KeyMissing(f"the environment variable {self.env} is not set; sim.toml refers to it")
        return value

    @property
    def value(self) -> str:
        """What the variable holds now; empty where it is not set."""
        return self._environ.get(self.env, "")


def references(section: BaseModel, place: str = "") -> Iterator[tuple[str, SecretRef]]:
    """Give every reference to a secret in a section, whatever it is for, each with the keys that lead to it.

    Args:
        section: of ``sim.toml``.
        place: the keys that lead to the section.
    """
    for name in type(section).model_fields:
        yield from _references(getattr(section, name), f"{place}{name}")


def _references(value: object, place: str) -> Iterator[tuple[str, SecretRef]]:
    if isinstance(value, SecretRef):
        yield place, value
    elif isinstance(value, BaseModel):
        yield from references(value, f"{place}_")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _references(item, f"{place}_{key}")
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value, 1):
            yield from _references(item, f"{place}_{number}")
