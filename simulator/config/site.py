"""A site section: where a site is, how one moves on it, and what may be done there.

Not responsible for: reading the file, or keeping the browser within the allowed hosts.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Annotated, Final, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, Field, PrivateAttr, StringConstraints, model_validator

from simulator.addresses import urlsplit
from simulator.config.access import BasicAuth, ClientCertificate, Determinism, HeaderName
from simulator.config.mailbox import Mailbox
from simulator.config.values import (
    DEFAULT_PORTS,
    HostPort,
    HostRule,
    HttpUrl,
    RootedPath,
    SecretRef,
    Section,
    SitePath,
    base_url,
    host_port,
    is_loopback,
    rule_matches,
)
from simulator.domain import SiteThing
from simulator.errors import ConfigError, HostRefused
from simulator.masking import MAILED

Grant = Literal["login", "upload"]
S = TypeVar("S", bound=BaseModel)


def _site_or_absolute(value: str) -> str:
    return value if value.startswith("/") and not value.startswith("//") else base_url(value)


class Endpoint(Section):
    """An address of the site's own that gives its state, or resets it."""

    url: Annotated[str, AfterValidator(_site_or_absolute)]
    """A path on the site, or a whole address."""
    method: Literal["GET", "POST", "PUT", "DELETE"] = "GET"
    token: SecretRef | None = None
    """Sent as ``Authorization: Bearer …``."""


class ResetEndpoint(Endpoint):
    """An address that changes something when it is asked."""

    method: Literal["GET", "POST", "PUT", "DELETE"] = "POST"


class Snapshot(Section):
    """What says what a site holds, as JSON or as text: an address, or a command of this machine."""

    url: Annotated[str, AfterValidator(_site_or_absolute)] | None = None
    """A path on the site, or a whole address."""
    token: SecretRef | None = None
    """Sent as ``Authorization: Bearer …``."""
    command: tuple[str, ...] = ()
    """A program and its arguments; what it writes to standard output."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if bool(self.url) == bool(self.command):
            raise ValueError("expected either url or command")
        if self.token is not None and not self.url:
            raise ValueError("expected 'token' only with url")
        return self


class LoggedIn(Section):
    """The sign on a page that someone is logged in: an element by role and name, a text, or a selector."""

    role: str | None = None
    name: str | None = None
    text: str | None = None
    selector: str | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        given = self.model_fields_set
        if given not in ({"role", "name"}, {"role"}, {"text"}, {"selector"}):
            raise ValueError("expected role and name, or text, or selector, and only one of these three")
        return self


ROUTES = ("register", "login", "logout", "home", "delete_account")
"""Routes that any site may have; more are named by packs, and by the site itself."""
ThingName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
RouteName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]


def _not_mailed(name: str) -> str:
    if name.startswith(MAILED):
        raise ValueError(f"expected a name that does not begin with '{MAILED}', as secrets out of mails do")
    return name


SecretName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$"), AfterValidator(_not_mailed)]


class Dismiss(Section):
    """Something that lies over the site's pages at times, and the button that dismisses it."""

    role: str = "dialog"
    """Its ARIA role."""
    name: str
    """Its accessible name."""
    button: str
    """Accessible name of the button that dismisses it, and does nothing else."""


class Listed(Section):
    """Where the site lists everything that its user sends to an address."""

    sent_to: SitePath
    """The address; one that ends with ``/`` stands for all that are below it."""
    at: SitePath
    """The list."""
    of_all: bool = False
    """Whether it lists what others send, too."""

    def takes(self, address: str) -> bool:
        """Return whether something that is sent to an address is listed there.

        Args:
            address: relative to the site.
        """
        path = address.partition("?")[0]
        return path.startswith(self.sent_to) if self.sent_to.endswith("/") else path == self.sent_to


class Account(Section):
    """An account that is there already, for a site where nobody can register."""

    username: str
    password: SecretRef
    email: str = ""
    """Empty: the site knows none, or does not ask for it."""
    display_name: str = ""
    """How the site calls its user; empty: by the username."""


class Site(Section):
    """A site that users act on."""

    base_url: HttpUrl
    bundled: bool = False
    """The bookshop that comes with the program, and is started by it."""
    disposable: bool = False
    """What is on the site may be thrown away: it may be reset."""
    database: RootedPath | None = None
    """File of the bundled bookshop."""
    allowed_hosts: tuple[HostRule, ...] = ()
    """Hosts that the browser may reach besides the site; a site that is not on loopback lists itself."""
    http_hosts: tuple[HostRule, ...] = ()
    """Hosts that speak plain HTTP only. Elsewhere, but for this machine and a site whose own address says http,
    addresses are visited by HTTPS."""
    language: str = "en"
    """BCP 47 tag of the language of the site's labels."""
    routes: dict[RouteName, SitePath] = Field(default_factory=dict)
    """A route that is not given is found by the links of the site."""
    listed: tuple[Listed, ...] = ()
    """Lists in which everything is that users send to an address: what is missing there did not happen."""
    logged_in: LoggedIn | None = None
    reset: ResetEndpoint | None = None
    state: Endpoint | None = None
    snapshot: Snapshot | None = None
    """Kept with each batch, for ``sim runs verify-site`` to compare with."""
    basic_auth: BasicAuth | None = None
    headers: dict[str, SecretRef] = Field(default_factory=dict)
    """Sent with every request to the site's own host and port."""
    login_state: RootedPath | None = None
    """Cookies and local storage of somebody who is logged in, as Playwright stores them."""
    authority: RootedPath | None = None
    """Certificates of a private authority that the site is signed by: a PEM file."""
    client_certificate: ClientCertificate | None = None
    totp: SecretRef | None = None
    """Secret of the account's one-time codes, in base32; ``{{secret.totp}}`` is the code of the moment."""
    mark_header: HeaderName | None = None
    """Name of a header that marks each request to the site as synthetic, with run and step."""
    determinism: Determinism = Determinism()
    secrets: dict[SecretName, SecretRef] = Field(default_factory=dict)
    """What users may type here as ``{{secret.NAME}}``, such as the password of an account that is there already."""
    accounts: tuple[Account, ...] = ()
    """Whom users are here, where nobody can register: the first user the first account, and so on, from the beginning
    again where there are more users. Fresh users of a replay take the next account."""
    grants: tuple[Grant, ...] = ("login", "upload")
    """What users may do on this site beyond the safety ceiling of their persona."""
    dismiss: tuple[Dismiss, ...] = ()
    """What a healing replay may dismiss where it lies over what is acted on."""
    words: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """More words by meaning, for sites that name things in their own way."""
    things: dict[ThingName, SiteThing] = Field(default_factory=dict)
    """What users make here, by the name of one: of what a pack has, what is otherwise; and things of the site's own."""
    answers: dict[str, str] = Field(default_factory=dict)
    """What to put into fields of forms here, by the field's label, name or meaning; before what a persona says."""
    mailbox: Mailbox | None = None
    """Where the mail of this site's users arrives; None: where the section ``mailbox`` says."""

    _name: str = PrivateAttr("")
    _sections: Mapping[str, BaseModel] = PrivateAttr(default_factory=dict)

    @model_validator(mode="after")
    def _database_is_the_bookshops(self) -> Self:
        if self.database is not None and not self.bundled:
            raise ValueError("expected 'database' only with bundled = true")
        return self

    @property
    def name(self) -> str:
        """The name of the section."""
        return self._name

    @property
    def sections(self) -> Mapping[str, BaseModel]:
        """What ``sim.toml`` says of packs here, by the pack: its general section with what this site says otherwise."""
        return self._sections

    def section(self, pack: str, model: type[S]) -> S:
        """Give what ``sim.toml`` says of a pack here; its defaults where it says nothing.

        Args:
            pack: its name.
            model: the type of its section.
        """
        found = self._sections.get(pack)
        return found if isinstance(found, model) else model()

    @property
    def origin(self) -> str:
        """Scheme, host and port, without path."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc.lower()}"

    @property
    def host_port(self) -> HostPort:
        """Host and port of the site itself."""
        return host_port(self.base_url)

    @property
    def is_loopback(self) -> bool:
        """Whether the site is on this machine, by the name it is called by."""
        return is_loopback(self.host_port.host)

    @property
    def can_be_reset(self) -> bool:
        """Whether ``--reset`` works: it may be, and it is known how."""
        return self.disposable and (self.bundled or self.reset is not None)

    def url(self, path: str) -> str:
        """Give the whole address of a path on the site; a whole address is given back as it is."""
        if path.startswith(("http://", "https://")):
            return path
        return f"{self.base_url}/{path.lstrip('/')}"

    def secured(self, url: str) -> str:
        """Give an address by HTTPS where it says plain HTTP and nothing says that its host speaks no other."""
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname:
            return url
        try:
            target = host_port(url)
        except ValueError:
            return url  # its port is not one
        plain = is_loopback(target.host) or any(rule_matches(rule, target) for rule in self.http_hosts)
        if plain or (target == self.host_port and self.base_url.startswith("http://")):
            return url
        return parts._replace(scheme="https", netloc=parts.netloc.removesuffix(":80")).geturl()

    def route(self, name: str) -> str | None:
        """Give the path of a route, or None when the section names none."""
        return self.routes.get(name, "/" if name == "home" else None)

    def list_of(self, address: str) -> str | None:
        """Give where the site lists everything that its user sends to an address; None where the section does not say.

        Args:
            address: relative to the site.
        """
        return next((one.at for one in self.listed if one.takes(address)), None)

    def own_list(self, address: str) -> str:
        """Give where the site lists all that its user sends to an address, and nothing of others; empty for nowhere."""
        return next((one.at for one in self.listed if one.takes(address) and not one.of_all), "")

    def how_to_lead(self, way: str) -> str:
        """Say what to write where nothing on the site leads somewhere.

        Args:
            way: the name of a route that may be one of ``words``, too.
        """
        return (
            f"set routes.{way} or words.{way} of the site: in [site.{self.name}] of sim.toml write "
            f'routes.{way} = "/its/path", or words.{way} = ["what its link says"]'
        )

    def allows(self, url: str) -> bool:
        """Return whether the browser may reach a URL: the site's own host and port, or a listed one."""
        target = host_port(url)
        return target == self.host_port or self._lists(target)

    def account(self, username: str) -> Account | None:
        """Give the account of a user; None where the site section names none."""
        return next((one for one in self.accounts if one.username == username), None)

    def with_base_url(self, url: str) -> Site:
        """Give the same site at another address, which has yet to pass :func:`check_target`.

        The bundled bookshop is started at an address of its own, so it is not what is meant by another one.

        Raises:
            ConfigError: the address is not one.
        """
        try:
            return self.model_copy(update={"base_url": base_url(url), "bundled": False, "database": None})
        except ValueError as error:
            raise ConfigError(f"base URL of site '{self.name}': {error}") from None

    def _lists(self, target: HostPort) -> bool:
        return any(rule_matches(rule, target) for rule in self.allowed_hosts)


NO_BOOKSHOP: Final = "this installation comes without the bookshop; for a site of your own: sim init --base-url URL"


def has_bookshop() -> bool:
    """Return whether the bundled bookshop is a part of this installation."""
    return find_spec("simulator.demo") is not None


def check_target(site: Site) -> None:
    """Refuse a site that is neither on this machine nor listed in its own ``allowed_hosts``.

    Raises:
        HostRefused: it is not.
    """
    if site.is_loopback or site._lists(site.host_port):
        return
    host, port = site.host_port
    rule = host if port in DEFAULT_PORTS.values() else f"{host}:{port}"
    raise HostRefused(
        f"the site '{site.name}' at {site.origin} is neither on this machine nor allowed;"
        f' if users may act there, add "{rule}" to allowed_hosts in [site.{site.name}] of sim.toml'
    )
