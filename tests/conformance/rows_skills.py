"""Rows of the playbooks and of writing tests."""

from __future__ import annotations

from pathlib import Path

from simulator.config import load_settings
from tests.conformance.table import Stage, row


def project(stage: Stage) -> Path:
    """Give the run a project of its own, with a playbook and ways out of its folder."""
    root = stage.run.workdir
    (root / "personas" / "skills" / "search").mkdir(parents=True)
    (root / "personas" / "skills" / "search" / "own.md").write_text("# Own\n\nHow it is done here.\n")
    (root / "secret.md").write_text("of somebody else")
    (root / "personas" / "skills" / "link.md").symlink_to(root / "secret.md")
    (root / "personas" / "skills" / "up").symlink_to(root)
    (root / "sim.toml").write_text("")
    stage.run.settings = load_settings(root / "sim.toml")
    return root


@row("browser", "list_skills", "lists the playbooks that come along, each with what it is for")
async def _(stage: Stage) -> None:
    listed = await stage.did("list_skills")
    assert {"search/site_search", "forms/recover_from_field_errors"} <= {skill["name"] for skill in listed}
    assert all(skill["about"] and not skill["about"].startswith("#") for skill in listed)


@row("browser", "read_skill", "gives a playbook by its name")
async def _(stage: Stage) -> None:
    for skill in await stage.did("list_skills"):
        text = await stage.did("read_skill", name=skill["name"])
        assert text.startswith("# ")
        assert skill["about"] in text
    assert (await stage.did("read_skill", name="search/site_search.md")).startswith("# Search on a site")


@row("browser", "read_skill", "a project's own playbooks take the place of the others")
async def _(stage: Stage) -> None:
    project(stage)
    assert await stage.did("list_skills") == [{"name": "search/own", "about": "How it is done here."}]
    assert "How it is done here." in await stage.did("read_skill", name="search/own")
    assert "there are: search/own" in (await stage.refused("read_skill", name="search/site_search")).message


@row("browser", "read_skill", "no name leaves the folder, links included")
async def _(stage: Stage) -> None:
    root = project(stage)
    for name in ("../../secret", "search/../../../secret", f"{root}/secret", "/etc/passwd", "", "search\\own", "a\0b"):
        assert (await stage.refused("read_skill", name=name)).type == "invalid_input"
    for name in ("link", "up/secret", "search/nothing"):
        assert (await stage.refused("read_skill", name=name)).type == "not_found"
