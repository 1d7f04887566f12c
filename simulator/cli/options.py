"""Options that several commands share, alone and in groups. Not responsible for: what they mean to any of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

if TYPE_CHECKING:
    from simulator.config import Settings, Site
    from simulator.persona import Persona
    from simulator.tools.spec import ToolSpec

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Recordings, playbooks, folders of them, runs or batches by their ids, 'last' batch, or 'all'.",
        show_default=False,
    ),
]
RunOrBatch = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="A run or a batch: an id, the beginning or end of one, or 'last'.", show_default=False
    ),
]
Source = Annotated[
    Path | None,
    typer.Option("--source", envvar="SIM_SOURCE", metavar="FILE", help="Recording to replay from; by default --db's."),
]
Json = Annotated[bool, typer.Option("--json", help="Print canonical JSON instead of text.")]
Db = Annotated[
    Path | None,
    typer.Option("--db", envvar="SIM_DB", metavar="FILE", help="Recording file; by default the one of sim.toml."),
]
SiteName = Annotated[
    str | None,
    typer.Option("--site", envvar="SIM_SITE", metavar="NAME", help="Section of sim.toml to act on."),
]
BaseUrl = Annotated[
    str | None,
    typer.Option("--base-url", envvar="SIM_BASE_URL", metavar="URL", help="Act on the site at another address."),
]
Reset = Annotated[bool, typer.Option("--reset", help="Reset the site first; it must be marked disposable.")]
Concurrency = Annotated[
    int | None,
    typer.Option(
        "--concurrency",
        envvar="SIM_CONCURRENCY",
        min=1,
        help="Users at once; by default as sim.toml says, else by processors and free memory.",
    ),
]
Seed = Annotated[
    str | None,
    typer.Option("--seed", envvar="SIM_SEED", help="Decides who the users are; a random one is drawn and shown."),
]
Yes = Annotated[
    bool, typer.Option("--yes", "-y", help="Leave on a site that is not disposable what a second performance leaves.")
]
Headed = Annotated[bool, typer.Option("--headed", envvar="SIM_HEADED", help="Show the browser's windows.")]
ScreenshotPolicy = Annotated[
    Literal["none", "failures", "all"] | None,
    typer.Option("--screenshots", envvar="SIM_SCREENSHOTS", help="Which to keep; by default as sim.toml says."),
]
ExchangePolicy = Annotated[
    Literal["none", "documents", "all"] | None,
    typer.Option(
        "--exchanges",
        envvar="SIM_EXCHANGES",
        help="Which requests and answers to record; by default as sim.toml says, else none.",
    ),
]
ShardShare = Annotated[
    str | None,
    typer.Option("--shard", envvar="SIM_SHARD", metavar="N/OF", help="Only this share of the runs, such as 2/5."),
]
AgentName = Annotated[
    Literal["auto", "autopilot", "claude", "openai"],
    typer.Option("--agent", envvar="SIM_AGENT", help="Who decides what to do next; auto takes the best there is."),
]
ModelAgent = Annotated[
    Literal["auto", "claude", "openai"],
    typer.Option("--agent", envvar="SIM_AGENT", help="Whose model does it; auto takes what has a key."),
]
Model = Annotated[str, typer.Option("--model", envvar="SIM_MODEL", help="Which model.")]
ToolFiles = Annotated[
    list[Path] | None,
    typer.Option("--tools", metavar="FILE", help="Offer the tools of this Python file, too; may be repeated."),
]
AllowWorkspace = Annotated[
    bool,
    typer.Option(
        "--allow-workspace",
        help="Give the toolset 'workspace' to personas that name it: it runs commands on this machine.",
    ),
]
LimitMinutes = Annotated[
    float | None,
    typer.Option("--limit-minutes", envvar="SIM_LIMIT_MINUTES", min=0.01, help="End after this long."),
]
LimitSteps = Annotated[
    int | None,
    typer.Option("--limit-steps", envvar="SIM_LIMIT_STEPS", min=1, help="End after this many steps of all users."),
]
LimitTokens = Annotated[
    int | None,
    typer.Option("--limit-tokens", envvar="SIM_LIMIT_TOKENS", min=1, help="End after this many tokens of models."),
]
LimitMoney = Annotated[
    float | None,
    typer.Option(
        "--limit-money", envvar="SIM_LIMIT_MONEY", min=0.000001,
        help="End after models have cost so much, in the currency of the prices in sim.toml.",
    ),
]  # fmt: skip
Events = Annotated[
    Path | None,
    typer.Option(
        "--events", envvar="SIM_EVENTS", metavar="FILE", help="Write what happens as JSON lines, as it happens."
    ),
]
Log = Annotated[
    Path | None,
    typer.Option("--log", envvar="SIM_LOG", metavar="FILE", help="Write the program's log, with every event in words."),
]
Otel = Annotated[
    bool,
    typer.Option(
        "--otel", envvar="SIM_OTEL", help="Send OpenTelemetry spans, as the OTEL_… variables say; they alone do, too."
    ),
]
PersonaFolder = Annotated[
    Path | None,
    typer.Option(
        "--personas",
        envvar="SIM_PERSONAS",
        metavar="DIR",
        help="Folder of persona files; by default personas beside sim.toml, else the ones that come along.",
    ),
]


class ReadingOptions(NamedTuple):
    """Which recording is read."""

    source: Source = None
    db: Db = None


class SiteOptions(NamedTuple):
    """Which site is acted on."""

    site: SiteName = None
    base_url: BaseUrl = None

    def find(self, settings: Settings) -> Site:
        """Give the site, by default the one of ``sim.toml``.

        Raises:
            UsageError: ``sim.toml`` has no such section.
            ConfigError: that is no address.
        """
        found = settings.site(self.site)
        return found.with_base_url(self.base_url) if self.base_url else found

    def named(self, settings: Settings) -> Site | None:
        """Give the section that was named; None where it is the recorded one.

        Raises:
            UsageError: ``sim.toml`` has no such section.
        """
        return settings.site(self.site) if self.site else None


class BrowserOptions(NamedTuple):
    """What is seen of the browser."""

    headed: Headed = False
    screenshots: ScreenshotPolicy = None


class ModelLimitOptions(NamedTuple):
    """When the work of a model ends."""

    limit_minutes: LimitMinutes = None
    limit_tokens: LimitTokens = None
    limit_money: LimitMoney = None


class LimitOptions(NamedTuple):
    """When a batch ends."""

    limit_minutes: LimitMinutes = None
    limit_steps: LimitSteps = None
    limit_tokens: LimitTokens = None
    limit_money: LimitMoney = None


class ToolOptions(NamedTuple):
    """What an agent is offered beside its toolsets."""

    tools: ToolFiles = None
    allow_workspace: AllowWorkspace = False

    def load(self) -> tuple[ToolSpec, ...]:
        """Load the tools.

        Raises:
            UsageError: a file is missing, or defines none.
        """
        return load_tools(self.tools)


class ObservingOptions(NamedTuple):
    """Who observes what happens, beside the terminal."""

    events: Events = None
    log: Log = None
    otel: Otel = False


def load_tools(files: Sequence[Path] | None) -> tuple[ToolSpec, ...]:
    """Load the tools of files.

    Raises:
        UsageError: one is missing, or defines none.
    """
    if not files:
        return ()
    from simulator.tools.plugins import load_file

    return tuple(spec for path in files for spec in load_file(path))


def persona_folder(given: Path | None) -> Path:
    """Give the folder of persona files that is meant: by default that beside sim.toml, else what comes along."""
    from simulator.config import load_settings
    from simulator.persona import starter_personas

    if given is not None:
        return given
    own = load_settings().root / "personas"
    return own if own.is_dir() else starter_personas()


def load_given(given: Path | None) -> dict[str, Persona]:
    """Load the personas of a folder; by default those beside sim.toml, else the ones that come along.

    Raises:
        PersonaError: a file has a mistake, or there is none.
    """
    from simulator.persona import load_personas

    return load_personas(persona_folder(given))


def users_at_once(given: int | None, settings: Settings) -> int | None:
    """Return how many users act at once; None: as many as the machine can take."""
    configured = settings.run.concurrency
    return given or (None if configured == "auto" else configured)


def random_seed() -> str:
    """Draw a seed."""
    from secrets import randbelow

    return str(randbelow(10**9))
