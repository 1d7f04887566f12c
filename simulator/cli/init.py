"""``sim init``: what a new project starts with. Not responsible for: the content of the files."""

from __future__ import annotations

from typing import Annotated

import typer


def init(
    force: Annotated[bool, typer.Option("--force", help="Write over files that are already there.")] = False,
) -> None:
    """Write sim.toml and personas/ into the current folder."""
    from pathlib import Path

    from simulator.config import FILE_NAME, default_text
    from simulator.errors import UsageError
    from simulator.persona import persona_files, starter_personas

    texts = {Path(FILE_NAME): default_text()}
    texts |= {Path("personas") / file.name: file.read_text("utf-8") for file in persona_files(starter_personas())}
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
    print(f"wrote {FILE_NAME} and {len(texts) - 1} personas in personas/")
    print("next: sim personas run --count 3, on the bundled bookshop")
    print(f'for a site of your own: [site.mine] with base_url = "http://…" in {FILE_NAME}, and --site mine')
