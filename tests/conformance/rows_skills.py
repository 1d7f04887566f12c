"""Rows of the playbooks and of writing tests."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from simulator.browser.launch.executable import find_executable
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


FORM = """<h1>Join</h1><form method=post action=/join>
<label>E-mail <input name=email type=email></label>
<label>Password <input name=word type=password></label>
<label>Genre <select name=genre><option>Crime<option>Poetry</select></label>
<label><input type=checkbox name=terms> I accept the terms</label>
<label>Picture <input type=file name=picture></label>
<button>Join</button></form>"""
LIST = """<h1>Books</h1><ul>
<li><h2>Emma</h2><form method=post action=/buy><button name=book value=1>Buy</button></form></li>
<li><h2>The Moonstone</h2><form method=post action=/buy><button id=second name=book value=2>Buy</button></form></li>
</ul>"""
FIXTURES = """
import os
import pytest
from playwright.sync_api import sync_playwright


@pytest.fixture
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["BROWSER"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    page = browser.new_page()
    page.set_default_timeout(5000)
    yield page
"""
EXPORTED = """
answered(page.goto(BASE_URL + "/join"), 200)
page.get_by_role("textbox", name="E-mail", exact=True).fill("ada.moor@example.org")
page.get_by_role("textbox", name="Password", exact=True).fill(TEST_PASSWORD)
page.get_by_role("combobox", name="Genre", exact=True).select_option("Poetry")
page.get_by_role("checkbox", name="I accept the terms", exact=True).check()
with page.expect_navigation(url=BASE_URL + "/welcome") as landed:
page.get_by_role("button", name="Join", exact=True).click()
answered(landed.value, 200)
expect(page.get_by_role("status").filter(has_text="Welcome, reader!").first).to_be_visible()
with page.expect_navigation(url=BASE_URL + "/bought") as landed:
"""


async def ran(file: Path, **environment: str) -> tuple[int, str]:
    """Run a test file by itself, in a process of its own, with the fixtures that pytest-playwright would give."""
    (file.parent / "conftest.py").write_text(FIXTURES)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", file.parent,
        file,
        cwd=file.parent, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        env={
            "PATH": os.environ["PATH"], "HOME": str(file.parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "BROWSER": str(find_executable().path), **environment,
        },
    )  # fmt: skip
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


@row("browser", "write_test", "without content it exports the run; the test passes on its own on the same page")
async def _(stage: Stage) -> None:
    root = project(stage)
    (root / "me.png").write_bytes(b"a picture")
    site = stage.site
    site.pages |= {
        "/join": FORM,
        "/books": LIST,
        "/welcome": "<p role=status>Welcome, reader!</p>",
        "/bought": "Bought",
    }
    site.answers |= {"/join": lambda fields: "/welcome", "/buy": lambda fields: "/bought"}
    await stage.did("navigate", url="/join")
    await stage.did("fill", selector="E-mail", value="{{identity.email}}")
    await stage.did("fill", selector="Password", value="{{secret.password}}")
    await stage.did("select", selector="Genre", value="Poetry")
    await stage.did("check", selector="I accept the terms")
    await stage.did("upload_file", selector="Picture", name="me.png")
    await stage.did("click", selector='role=button[name="Join"]')
    await stage.did("navigate", url="/books")
    await stage.did("click", selector="#second")
    told = await stage.did("write_test", filename="test_join.py")
    file = root / "generated_tests" / "test_join.py"
    assert told == {
        "file": "generated_tests/test_join.py",
        "tests": ["test_join"],
        "replaced": False,
        "environment": ["TEST_PASSWORD"],
    }
    text = file.read_text()
    for line in EXPORTED.strip().splitlines():
        assert f"    {line}\n" in text
    recorded, kept = [(path, dict(fields)) for path, fields in site.posts], list(site.posts)
    assert recorded[0][1].pop("word") not in text
    site.posts.clear()
    code, output = await ran(file, TEST_PASSWORD="a password of the test")
    assert code == 0, output
    again = [(path, dict(fields)) for path, fields in site.posts]
    assert again[0][1].pop("word") == "a password of the test"
    assert [(path, sorted(fields)) for path, fields in again] == [(path, sorted(fields)) for path, fields in recorded]
    assert [fields.get("book") for _, fields in again] == [None, "2"]
    site.pages["/welcome"] = "<p role=status>Sorry.</p>"
    code, output = await ran(file, TEST_PASSWORD="a password of the test")
    assert code == 1, output
    site.pages["/welcome"] = "<p role=status>Welcome, reader!</p>"
    site.posts[:] = kept


@row("browser", "write_test", "exports nothing where nothing was done")
async def _(stage: Stage) -> None:
    root = project(stage)
    assert "nothing was done" in (await stage.refused("write_test", filename="test_none.py")).message
    assert not (root / "generated_tests").exists()


CONTENT = "def test_it(page) -> None:\n    assert '{{identity.first_name}}'\n"


@row("browser", "write_test", "writes what it is given, and replaces a file only where it is told to, saying so")
async def _(stage: Stage) -> None:
    root = project(stage)
    file = root / "generated_tests" / "test_own.py"
    assert (await stage.did("write_test", filename="test_own.py", content=CONTENT))["replaced"] is False
    assert file.read_text() == "def test_it(page) -> None:\n    assert 'Ada'\n"
    other = CONTENT.replace("test_it", "test_other")
    assert "is there already" in (await stage.refused("write_test", filename="test_own.py", content=other)).message
    assert "test_it" in file.read_text()
    told = await stage.did("write_test", filename="test_own.py", content=other, overwrite=True)
    assert told == {"file": "generated_tests/test_own.py", "tests": ["test_other"], "replaced": True, "environment": []}
    assert [path.name for path in file.parent.iterdir()] == ["test_own.py"]


@row("browser", "write_test", "a file name is a test's, without a folder")
async def _(stage: Stage) -> None:
    root = project(stage)
    for name in (
        "own.py",
        "test_own",
        "../test_own.py",
        "a/test_own.py",
        "/tmp/test_own.py",
        "test_own.py\n",
        "test_é.py",
    ):
        assert (await stage.refused("write_test", filename=name, content=CONTENT)).type == "invalid_input"
    assert not (root / "generated_tests").exists()


@row("browser", "write_test", "what is no Python, or no test, is refused with its place")
async def _(stage: Stage) -> None:
    root = project(stage)
    for content, said in (
        ("def test_it(page):\n    assert (1\n", "line 2, column"),
        ("x = 1\n", "no function named test"),
        ("", "no function named test"),
        ("def test_it(): pass\0", "null"),
        ("def test_it(): return " + "(" * 5000, "content:"),
    ):
        refused = await stage.refused("write_test", filename="test_own.py", content=content)
        assert refused.type == "invalid_input"
        assert said in refused.message
    assert not (root / "generated_tests").exists()


@row("browser", "write_test", "no secret is written, and no link leads out of the project")
async def _(stage: Stage) -> None:
    root = project(stage)
    secret = "def test_it(page):\n    assert '{{secret.password}}'\n"
    assert (await stage.refused("write_test", filename="test_own.py", content=secret)).type == "not_allowed"
    (root.parent / "elsewhere").mkdir()
    (root / "generated_tests").symlink_to(root.parent / "elsewhere")
    assert (await stage.refused("write_test", filename="test_own.py", content=CONTENT)).type == "not_allowed"
    assert not list((root.parent / "elsewhere").iterdir())
