"""Persona files and ``sim.toml``, damaged by a seed: each is read, or refused with a sentence and the place."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from simulator.config import Settings, check_target, default_text, load_settings
from simulator.errors import ConfigError, HostRefused, PersonaError, SimulatorError
from simulator.persona import (
    check_persona,
    describe_persona,
    draw_population,
    load_persona,
    persona_files,
    persona_schema,
    starter_personas,
)
from tests.fuzz.texts import damaged, places, toml_document, wrong_document

FEW, MANY = 250, 10_000
SEED = 13
PERSONA: dict[str, Any] = {
    "persona": "collector",
    "about": "Retired teacher.",
    "locale": "en_GB",
    "tasks": ["register", {"list_books": {"count": 3, "query": "crime"}}, {"do": "Say hello."}],
    "traits": {"pace": "slow"},
    "tastes": {"genres": ["crime"], "price": {"min": 2, "max": 15, "currency": "GBP"}},
}
SIM_TOML: dict[str, Any] = {
    "run": {"concurrency": 2},
    "site": {
        "shop": {
            "base_url": "http://127.0.0.1:8000",
            "logged_in": {"role": "link", "name": "Log out"},
            "routes": {"login": "/in", "search": "/?q={query}"},
            "headers": {"X-Key": {"env": "KEY"}},
            "dismiss": [{"name": "Cookies", "button": "No"}],
        }
    },
}
PERSONA_PLACES = places(persona_schema())
SETTINGS_PLACES = [path for path in places(Settings.model_json_schema(by_alias=True)) if path]


def persona_text(random: Random) -> bytes:
    kind = random.randrange(3)
    if kind == 0:
        return damaged(random, random.choice(persona_files(starter_personas())).read_text("utf-8"))
    wrong = json.dumps(wrong_document(random, PERSONA, PERSONA_PLACES), indent=random.choice((None, 1)))
    return wrong.encode() if kind == 1 else damaged(random, wrong)


def settings_text(random: Random) -> bytes:
    kind = random.randrange(3)
    if kind == 0:
        return damaged(random, default_text())
    wrong = toml_document(wrong_document(random, SIM_TOML, SETTINGS_PLACES))
    return wrong.encode("utf-8", "surrogatepass") if kind == 1 else damaged(random, wrong)


def told_with_its_place(error: SimulatorError, file: Path) -> None:
    """Each line names the file and a place that is in it, steers no terminal, and is short enough to read."""
    lines = str(error).split("\n")
    size = file.stat().st_size
    for line in lines:
        found = re.search(rf"{re.escape(str(file))}:(\d+):(\d+): \S", line)
        assert found, line
        assert 1 <= int(found[1]) <= size + 1
        assert 1 <= int(found[2]) <= size + 2
        assert len(line) < 1500, line[:2000]


def read_persona(file: Path) -> None:
    try:
        persona = load_persona(file)
    except PersonaError as error:
        told_with_its_place(error, file)
        assert check_persona(file).problems
        return
    describe_persona(persona)
    assert len(draw_population([persona], 2, "7")) == 2


def read_settings(file: Path) -> None:
    try:
        settings = load_settings(file, {})
    except ConfigError as error:
        told_with_its_place(error, file)
        return
    for site in settings.sites.values():
        site.secured(site.url("/x"))
        site.route("search")
        with suppress(HostRefused):
            check_target(site)


KINDS: dict[str, tuple[Callable[[Random], bytes], Callable[[Path], None]]] = {
    "collector.yaml": (persona_text, read_persona),
    "sim.toml": (settings_text, read_settings),
}


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
@pytest.mark.parametrize("name", KINDS)
def test_a_damaged_file_is_read_or_refused_with_its_place(name: str, count: int, tmp_path: Path) -> None:
    make, read = KINDS[name]
    file = tmp_path / name
    for number in range(count):
        content = make(Random(f"{SEED} {name} {number}"))
        file.write_bytes(content)
        try:
            read(file)
        except Exception as error:
            raise AssertionError(f"{name} number {number}: {content[:400]!r}") from error


def odd_files(folder: Path) -> list[Path]:
    """What stands where a file is expected, and is none, or none that can be read."""
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "round").symlink_to(folder / "round")
    (folder / "nowhere").symlink_to(folder / "gone")
    (folder / "endless").symlink_to("/dev/zero")
    (folder / "huge").write_bytes(b"#" * (2 << 20))
    with (folder / "sparse").open("wb") as sparse:
        sparse.truncate(1 << 40)
    (folder / "utf16").write_bytes("persona: x\n".encode("utf-16"))
    (folder / "binary").write_bytes(bytes(range(256)))
    names = ("folder", "pipe", "round", "nowhere", "endless", "huge", "sparse", "utf16", "binary", "gone", "a" * 300)
    return [*(folder / name for name in names), folder / "huge" / "inside", folder / "a\0b"]


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    for file in odd_files(tmp_path):
        for read, error in ((load_persona, PersonaError), (load_settings, ConfigError)):
            with pytest.raises(error, match=r":\d+:\d+: "):
                read(file)
