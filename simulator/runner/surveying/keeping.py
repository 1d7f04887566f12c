"""Puts a learned section into a file, beside what is there, or gives it to be put there by hand.

Not responsible for: what the section says.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from simulator.config import Settings, read_settings
from simulator.domain import data_sets
from simulator.errors import ConfigError, UsageError
from simulator.runner.surveying.learning import Learned
from simulator.runner.surveying.section import section_text
from simulator.text_file import UnreadableFile, read_text

_LARGEST = 1 << 20
_NEW = "packs = []\n\n"
"""What a file begins with that holds nothing but learned sections: they need no pack."""


class Place:
    """Where a section is to be kept. What is there already is read at once, so that nothing is looked at in vain.

    Args:
        file: the file; None: it is only given.
        name: of the section.

    Raises:
        UsageError: the file has a section of this name, or cannot be read.
        ConfigError: there is a mistake in it.
    """

    def __init__(self, file: Path | None, name: str) -> None:
        self._file = file
        self._there = ""
        self._data: Mapping[str, object] = {}
        if file is None or not file.exists():
            return
        try:
            self._there = read_text(file, _LARGEST)
        except UnreadableFile as error:
            raise UsageError(f"{file}: {error.message}") from None
        read_settings(self._there, file)
        said = tomllib.loads(self._there)
        if name in said.get("site", {}):
            raise UsageError(
                f"{file} has a section [site.{name}] already, which is not written over: choose another with --name, "
                "or have the new one printed with --out -"
            )
        self._data = said

    def keep(self, learned: Learned) -> str:
        """Put the section there.

        Returns:
            The section.

        Raises:
            UsageError: the file cannot be written.
        """
        own = self._data.get("data")
        taken = {*data_sets(), *(own if isinstance(own, dict) else ())}
        text = section_text(learned.heading, learned.findings, learned.seen, taken)
        begun = f"{self._there.rstrip()}\n\n" if self._there.strip() else _NEW
        whole = begun + text
        check(whole, self._file or Path("sim.toml"))
        if self._file is not None:
            _write(self._file, whole)
        return text


def check(text: str, file: Path) -> Settings:
    """See that a text can be read as settings, with its data.

    Raises:
        ConfigError: it cannot.
    """
    settings = read_settings(text, file)
    _, wrong = settings.own_data.check()
    if wrong:
        raise ConfigError("\n".join(wrong))
    return settings


def _write(file: Path, text: str) -> None:
    """Write a file whole, or leave it as it was."""
    beside = file.with_name(f".{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, "utf-8")
        os.replace(beside, file)
    except OSError as error:
        raise UsageError(f"{file}: cannot be written ({error.strerror})") from None
