"""Which browser is found, of those that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.browser.launch.executable import find_executable, find_executables
from simulator.errors import BrowserMissing


def install(path: Path, *, runnable: bool = True) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755 if runnable else 0o644)
    return path


def test_the_headless_shell_comes_first_and_the_path_before_downloads(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    chrome = install(folder / "google-chrome")
    chromium = install(folder / "chromium")
    downloads = tmp_path / "home" / ".cache" / "ms-playwright"
    full = install(downloads / "chromium-1200" / "chrome-linux" / "chrome")
    old = install(downloads / "chromium_headless_shell-1100" / "chrome-linux" / "headless_shell")
    new = install(downloads / "chromium_headless_shell-1200" / "chrome-linux" / "headless_shell")
    install(downloads / "chromium_headless_shell-1300" / "chrome-linux" / "headless_shell", runnable=False)
    env = {"PATH": str(folder)}

    def found() -> list[Path]:
        return [one.path for one in find_executables(env, home=tmp_path / "home")]

    assert found() == [new, old, chromium, chrome, full]
    shell = install(folder / "chromium-headless-shell")
    assert found() == [shell, new, old, chromium, chrome, full]
    env["SIM_BROWSER"] = str(full)
    assert found()[0] == full
    env["SIM_BROWSER"] = "chromium"
    assert [one.source for one in find_executables(env, home=tmp_path)][:2] == ["SIM_BROWSER", "PATH"]
    assert found()[0] == chromium


def test_downloads_may_lie_elsewhere(tmp_path: Path) -> None:
    shell = install(tmp_path / "chromium_headless_shell-1200" / "linux" / "chrome-headless-shell")
    env = {"PATH": "", "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}
    assert [one.path for one in find_executables(env, home=tmp_path / "none")] == [shell]


def test_a_window_needs_more_than_a_headless_shell(tmp_path: Path) -> None:
    install(tmp_path / "chromium-headless-shell")
    env = {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "none")}
    with pytest.raises(BrowserMissing, match=r"that can open a window.*install"):
        find_executable(env, headed=True)
    chrome = install(tmp_path / "google-chrome-stable")
    assert find_executable(env, headed=True).path == chrome


def test_no_browser_is_told_with_what_to_do(tmp_path: Path) -> None:
    env = {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}
    with pytest.raises(BrowserMissing, match=r"no browser was found; install one with .* or name one with SIM_BROWSER"):
        find_executable(env)
    env["SIM_BROWSER"] = str(tmp_path / "gone")
    with pytest.raises(BrowserMissing, match=r"SIM_BROWSER names '.*gone', which cannot be run"):
        find_executable(env)
