"""Packages from PyPI and npm in a folder of their own, for sites that nobody here wrote."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_NO_ANSWER = re.compile(
    r"from versions: none|connection (?:broken|refused|aborted)|NewConnectionError|ProxyError|timed? ?out|"
    r"name resolution|Max retries exceeded|HTTP error 5\d\d|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN",
    re.IGNORECASE,
)
"""What pip and npm say of a registry that is not there; any other failure is one of the packages."""
_NPM = ("install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional")


class RegistryUnreachable(RuntimeError):
    """The registry does not answer, so a site cannot be installed."""


def virtual_environment(folder: Path, *packages: str) -> Path:
    """Make a virtual environment with some packages.

    Args:
        folder: takes it.
        packages: as pip names them.

    Returns:
        Its folder of programs.

    Raises:
        RegistryUnreachable: the registry does not answer.
        RuntimeError: the packages cannot be installed.
    """
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    programs = folder / "bin"
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _install([*pip, *packages], packages, folder)
    return programs


def node_modules(folder: Path, *packages: str) -> None:
    """Put packages and what they need into a folder.

    Args:
        folder: takes them.
        packages: as npm names them.

    Raises:
        RegistryUnreachable: the registry does not answer.
        RuntimeError: it cannot be installed, or npm is not there.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise RuntimeError(f"npm is needed to install {', '.join(packages)}")
    (folder / "package.json").write_text('{"private": true}\n', "utf-8")
    _install([npm, *_NPM, "--loglevel=error", *packages], packages, folder)


def _install(command: Sequence[str], packages: tuple[str, ...], folder: Path) -> None:
    told = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if told.returncode:
        raise failure(packages, told.stderr)


def failure(packages: tuple[str, ...], said: str) -> RuntimeError:
    """Tell a registry that does not answer from packages that cannot be installed.

    Args:
        packages: which were asked for.
        said: by pip or npm.
    """
    last = next((line for line in reversed(said.splitlines()) if line.strip()), "nothing was said")
    kind = RegistryUnreachable if _NO_ANSWER.search(said) else RuntimeError
    return kind(f"{', '.join(packages)} could not be installed: {last.strip()}")


def debian_package(folder: Path, package: str) -> None:
    """Unpack a package of Debian, without what it depends on.

    Args:
        folder: takes its files, as they would lie under the root.
        package: as apt names it.

    Raises:
        RegistryUnreachable: the registry does not answer.
        RuntimeError: it cannot be had, or apt is not there.
    """
    apt = shutil.which("apt-get")
    if apt is None:
        raise RuntimeError(f"apt-get is needed to install {package}")
    folder.mkdir(parents=True)
    _install([apt, "download", "-qq", package], (package,), folder)
    (archive,) = folder.glob("*.deb")
    subprocess.run(["dpkg", "-x", archive, folder], check=True)
    archive.unlink()
