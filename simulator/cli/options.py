"""Options that several commands share. Not responsible for: what they mean to any of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

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
LimitMinutes = Annotated[
    float | None,
    typer.Option("--limit-minutes", envvar="SIM_LIMIT_MINUTES", min=0.01, help="End after this long."),
]
LimitSteps = Annotated[
    int | None,
    typer.Option("--limit-steps", envvar="SIM_LIMIT_STEPS", min=1, help="End after so many steps of all users."),
]
LimitTokens = Annotated[
    int | None,
    typer.Option("--limit-tokens", envvar="SIM_LIMIT_TOKENS", min=1, help="End after so many tokens of models."),
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


def random_seed() -> str:
    """Draw a seed."""
    from secrets import randbelow

    return str(randbelow(10**9))
