"""The whole of ``sim.toml`` as values. Not responsible for: finding and reading the file."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr

from simulator.config.mailbox import Mailbox
from simulator.config.models import Models
from simulator.config.site import Site
from simulator.config.values import RootedPath, Section
from simulator.domain.data.own import OwnSections
from simulator.domain.data.sections import OwnData
from simulator.errors import ConfigError
from simulator.toml_file import shown

Screenshots = Literal["none", "failures", "all"]
Exchanges = Literal["none", "documents", "all"]
"""Which requests and answers are recorded: none, visits and forms with what they lead to, or everything."""


def _concurrency(value: object) -> object:
    if value == "auto" or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
        return value
    raise ValueError(f"expected a whole number above 0, or 'auto', found {shown(value)}")


class Run(Section):
    """How a batch is run, where the command line does not say otherwise."""

    concurrency: Annotated[int | Literal["auto"], BeforeValidator(_concurrency)] = "auto"
    """Users at once; ``auto`` takes it from the processors and the free memory."""
    limit_minutes: Annotated[float, Field(gt=0)] | None = None
    """A batch ends after this many minutes; without it, each persona's own limit holds."""
    limit_steps: Annotated[int, Field(gt=0)] | None = None
    """A batch ends after this many steps of all its users; so the limits of tokens and money."""
    limit_tokens: Annotated[int, Field(gt=0)] | None = None
    limit_money: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """In the currency of the prices of the model."""
    screenshots: Screenshots = "failures"
    exchanges: Exchanges = "none"


class Recording(Section):
    """Where runs are recorded."""

    db: RootedPath = Path("recordings/runs.db")


class Browser(Section):
    """Which browser is used, and how long it is waited for."""

    executable: RootedPath | None = None
    """A Chromium; without it one is looked for."""
    args: tuple[str, ...] = ()
    headed: bool = False
    action_ms: Annotated[int, Field(gt=0)] = 5_000
    """For one action on an element, such as a click."""
    navigation_ms: Annotated[int, Field(gt=0)] = 15_000
    resolve_ms: Annotated[int, Field(gt=0)] = 5_000
    """For an element to be there, when a recording is replayed."""
    settle_ms: Annotated[int, Field(gt=0)] = 5_000
    """For a page to become quiet after an action."""
    effect_ms: Annotated[int, Field(ge=0)] = 5_000
    """For what was written to show, when a recording is replayed."""


class Settings(Section):
    """Everything that ``sim.toml`` says, with defaults for what it does not."""

    run: Run
    recording: Recording
    browser: Browser
    models: Models
    packs: tuple[str, ...] | None = None
    """Packs in use; None: those that come with the program."""
    data: dict[str, OwnData] = Field(default_factory=dict)
    """The project's own data sets, by name: a word for several, such as ``tools``."""
    mailbox: Mailbox | None = None
    """Where the mail of users arrives, on sites that say nothing else."""
    sites: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$")], Site] = Field(alias="site")
    """By name, in the order of the file; the bundled bookshop is always among them."""

    _root: Path = PrivateAttr()
    _file: Path | None = PrivateAttr(None)

    def model_post_init(self, context: Any, /) -> None:
        """Take over what stands beside the text: its place, and the names of the sections."""
        self._root = context["root"]
        self._file = context["file"]
        for name, site in self.sites.items():
            site._name = name

    @property
    def root(self) -> Path:
        """The folder that paths are relative to: the file's own, or without a file the working folder."""
        return self._root

    @property
    def file(self) -> Path | None:
        """The file that was read; None for the built-in defaults."""
        return self._file

    def with_exchanges(self, level: Exchanges | None) -> Settings:
        """Give the settings with another level of recorded exchanges; None: as they are."""
        return self.model_copy(update={"run": self.run.model_copy(update={"exchanges": level})}) if level else self

    def site(self, name: str | None = None) -> Site:
        """Give a site by name; without one, the first of the file.

        Raises:
            ConfigError: there is no such section.
        """
        if name is None:
            return next(iter(self.sites.values()))
        if name in self.sites:
            return self.sites[name]
        near = get_close_matches(name, self.sites, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(self.sites)}"
        place = f"in {self.file}" if self.file else "without a sim.toml"
        raise ConfigError(f"there is no site '{name}' {place}; {hint}")

    @property
    def own_data(self) -> OwnSections:
        """The project's own data sets, which are read when they are first asked for."""
        return OwnSections(self.data, self.root, self.file)

    def mailbox_for(self, site: Site) -> Mailbox | None:
        """Give where the mail of a site's users arrives; None where nothing says it."""
        return site.mailbox or self.mailbox
