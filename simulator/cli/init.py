"""``sim init``: what a new project starts with. Not responsible for: the content of the files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def init(
    base_url: Annotated[
        str | None,
        typer.Option("--base-url", metavar="URL", help="Start with a site of your own, and not with the bookshop."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are already there.")] = False,
) -> None:
    """Write sim.toml and personas/ into the current folder."""
    from simulator.config import FILE_NAME, default_text, host_port, is_loopback, plain_text
    from simulator.errors import UsageError
    from simulator.persona import persona_files, plain_personas, starter_personas

    starters = starter_personas() if base_url is None else plain_personas()
    is_plain = starters == plain_personas()
    texts = {Path(FILE_NAME): plain_text(base_url) if is_plain else default_text()}
    texts |= {Path("personas") / file.name: file.read_text("utf-8") for file in persona_files(starters)}
    there = [str(path) for path in texts if path.exists()]
    if there and not force:
        more = f" and {len(there) - 3} more" if len(there) > 3 else ""
        raise UsageError(f"{', '.join(there[:3])}{more}: already here; nothing was written, --force writes over it")
    try:
        Path("personas").mkdir(exist_ok=True)
        for path, text in texts.items():
            path.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be written ({error.strerror})") from error
    many = len(texts) - 1
    print(f"wrote {FILE_NAME} and {many} persona{'s' if many > 1 else ''} in personas/")
    if is_plain:
        far = base_url is not None and not is_loopback(host_port(base_url).host)
        first = f"uncomment allowed_hosts in {FILE_NAME}, if users may act there; then " if far else ""
        print(f"next: {first}sim personas run, on {base_url or f'the site that [site.mine] of {FILE_NAME} names'}")
        print(f"what the site has: sim site learn {base_url or 'URL'}")
    else:
        print("next: sim personas run --count 3, on the bundled bookshop")
        print("for a site of your own: sim init --base-url URL")
