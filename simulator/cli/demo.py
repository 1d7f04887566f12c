"""``sim demo``: the bundled bookshop. Not responsible for: the shop."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

app = typer.Typer(help="The bundled bookshop, a site to act on.", no_args_is_help=True)

ShopDb = Annotated[
    Path | None,
    typer.Option("--db", envvar="SIM_DEMO_DB", metavar="FILE", help="The shop's database; by default sim.toml's."),
]


@app.command()
def serve(
    port: Annotated[
        int | None,
        typer.Option(
            "--port", envvar="SIM_DEMO_PORT", min=0, max=65535, help="0 takes a free one; by default sim.toml's."
        ),
    ] = None,
    db: ShopDb = None,
    reset: Annotated[bool, typer.Option("--reset", help="Empty and restock the shop first.")] = False,
    mutate: Annotated[
        list[str] | None,
        typer.Option("--mutate", metavar="NAME", help="Change the shop as sites change; repeatable; 'list' shows how."),
    ] = None,
) -> None:
    """Serve the bookshop until Ctrl-C."""
    from simulator.config import load_settings

    with _shop():
        from simulator.demo.mutations.catalogue import MUTATIONS
        from simulator.demo.server import serve as serve_shop

        if "list" in (mutate or ()):
            for one in MUTATIONS.values():
                print(f"{one.name}: {one.what}")
            return
        site = load_settings().site("bookshop")
        listen = port if port is not None else site.host_port.port
        path = _database(db)
        serve_shop(
            port=listen,
            db=path,
            reset=reset,
            mutations=mutate or (),
            on_ready=lambda url: print(f"the bookshop is at {url} (database {path}); Ctrl-C stops it", flush=True),
        )


@app.command()
def state(db: ShopDb = None) -> None:
    """Print all that is in the shop.

    It is canonical JSON: two shops that hold the same print the same bytes.
    """
    with _shop():
        from simulator.demo.state import state_json

        print(state_json(_database(db)), end="")


@app.command()
def reset(db: ShopDb = None) -> None:
    """Empty and restock the shop.

    One that is being served shows it at once.
    """
    with _shop():
        from simulator.demo.state import reset as reset_shop

        path = _database(db)
        reset_shop(path)
        print(f"{path} holds the shop's own stock and nothing else")


@contextmanager
def _shop() -> Iterator[None]:
    """Report what the shop says it cannot do; an installation may be without it."""
    from simulator.config import NO_BOOKSHOP
    from simulator.errors import EnvironmentFailure, UsageError

    try:
        from simulator.demo.errors import DemoError
    except ModuleNotFoundError:
        raise UsageError(NO_BOOKSHOP) from None
    try:
        yield
    except DemoError as error:
        kind = EnvironmentFailure if error.exit_code == EnvironmentFailure.exit_code else UsageError
        raise kind(str(error)) from error


def _database(db: Path | None) -> Path:
    from simulator.config import load_settings
    from simulator.errors import ConfigError

    if db is not None:
        return db
    database = load_settings().site("bookshop").database
    if database is None:
        raise ConfigError("the site 'bookshop' names no database; add one to sim.toml or give --db")
    return database
