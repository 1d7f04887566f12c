"""Packs from outside: real packages with the metadata that an installer writes, in programs of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent

import pytest

from tests.seam import needs_bookshop

pytestmark = pytest.mark.promise("packs that are installed", quick=2)

HELPDESK = dedent('''
    from pydantic import Field

    from simulator.domain import Count, DataSet, Pack, TaskBase, Tastes


    class Create(TaskBase):
        """Open tickets."""

        task_type: str = "create"
        count: Count = Field(default=1, description="How many.")


    class Patience(Tastes):
        """What annoys them."""

        topics: tuple[str, ...] = ()


    async def create(acting, task):
        return ""


    PACK = Pack(
        name="NAME",
        version="0.1",
        api=API,
        about="Tickets.",
        tasks=(Create,),
        performers=lambda: {Create: create},
        data=(DataSet(name="NAME_row", deal=lambda persona, key: [{"title": f"{key[1]} {key[2]}"}]),),
        MORE
    )
''')
PERSONA = "persona: guest\nabout: Asks.\nlocale: en_GB\ntasks: [TASK]\n"


def install(folder: Path, name: str, module: str) -> None:
    """Write what an installer writes of a package with one pack."""
    (folder / f"{name}_pack.py").write_text(module, "utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[simulator.packs]\n{name} = {name}_pack:PACK\n", "utf-8")


def pack(name: str, *, api: int = 1, more: str = "") -> str:
    return HELPDESK.replace("NAME", name).replace("API", str(api)).replace("MORE", more)


def sim(folder: Path, packs: list[str] | None, *words: str, task: str = "register") -> subprocess.CompletedProcess[str]:
    (folder / "sim.toml").write_text(f"packs = {json.dumps(packs)}\n" if packs is not None else "", "utf-8")
    (folder / "guest.yaml").write_text(PERSONA.replace("TASK", task), "utf-8")
    program = "import sys; from simulator.cli.main import main; sys.exit(main())"
    path = os.pathsep.join([str(folder), str(Path(__file__).parents[2])])
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@needs_bookshop
def test_tasks_and_schema_are_those_of_the_packs_in_use(tmp_path: Path) -> None:
    install(tmp_path, "helpdesk", pack("helpdesk", more="tastes=Patience,"))
    task = "{create: {count: 3}}"
    used = sim(tmp_path, ["helpdesk"], "personas", "check", "guest.yaml", task=task)
    assert (used.returncode, used.stderr) == (0, "")
    schema = json.loads(sim(tmp_path, ["helpdesk"], "personas", "schema").stdout)
    names = schema["$defs"]["Task"]["anyOf"][0]["enum"]
    assert names == ["register", "login", "create", "visit", "logout"]
    assert "topics" in json.dumps(schema["properties"]["tastes"])
    both = json.loads(sim(tmp_path, ["bookshop", "helpdesk"], "personas", "schema").stdout)
    assert {"list_books", "create"} <= {*both["$defs"]["Task"]["anyOf"][0]["enum"]}
    assert {"genres", "topics"} <= both["properties"]["tastes"]["properties"].keys()


def test_mistakes_in_the_parameters_of_a_pack_are_told_with_their_place(tmp_path: Path) -> None:
    install(tmp_path, "helpdesk", pack("helpdesk"))
    told = sim(tmp_path, ["helpdesk"], "personas", "check", "guest.yaml", task="{create: {count: 0}}")
    assert told.stdout.splitlines() == [
        "persona 'guest': guest.yaml:4:26: tasks.0.create.count: expected a whole number above 0, found 0"
    ]


def test_nothing_but_sim_toml_has_a_pack_imported(tmp_path: Path) -> None:
    install(tmp_path, "helpdesk", "raise SystemExit('imported')")
    for packs in (None, [], ["bookshop"]):
        told = sim(tmp_path, packs, "personas", "check", "guest.yaml", task="helpdesk.create")
        assert told.returncode == 2
        assert "unknown task 'helpdesk.create'" in told.stdout
        assert "imported" not in told.stdout + told.stderr


def test_a_name_that_two_packs_have_asks_for_the_pack(tmp_path: Path) -> None:
    install(tmp_path, "helpdesk", pack("helpdesk"))
    install(tmp_path, "wiki", pack("wiki"))
    packs = ["helpdesk", "wiki"]
    clash = sim(tmp_path, packs, "personas", "check", "guest.yaml", task="create")
    assert "several packs have a task 'create'; write helpdesk.create or wiki.create" in clash.stdout
    full = sim(tmp_path, packs, "personas", "check", "guest.yaml", task="{wiki.create: {count: 2}}")
    assert (full.returncode, full.stderr) == (0, "")
    alone = sim(tmp_path, ["wiki"], "personas", "check", "guest.yaml", task="wiki.create")
    assert alone.returncode == 0


def test_users_are_dealt_the_data_of_packs_in_use(tmp_path: Path) -> None:
    install(tmp_path, "helpdesk", pack("helpdesk"))
    told = sim(
        tmp_path, ["helpdesk"], "personas", "preview", "guest", "--count", "2", "--seed", "7", "--personas", ".",
        "--json",
    )  # fmt: skip
    assert [one["helpdesk_rows"] for one in json.loads(told.stdout)] == [[{"title": "guest 1"}], [{"title": "guest 2"}]]


@needs_bookshop
@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("x = 1 / 0", "helpdesk_pack:PACK cannot be loaded: ZeroDivisionError: division by zero"),
        ("PACK = 3", "helpdesk_pack:PACK is no Pack"),
        (pack("other"), "helpdesk_pack:PACK calls itself 'other'"),
        (pack("helpdesk", api=9), "it was written for level 9 of the interface, and this program has 1"),
        (
            pack("helpdesk").replace('name="helpdesk_row"', 'name="book"'),
            "its 'book' is the name of one of the pack 'bookshop', too",
        ),
    ],
)
def test_a_broken_pack_is_one_sentence_and_switched_off(tmp_path: Path, module: str, why: str) -> None:
    install(tmp_path, "helpdesk", module)
    told = sim(tmp_path, ["bookshop", "helpdesk"], "personas", "check", "guest.yaml", task="list_books")
    assert told.returncode == 0
    assert told.stderr == f"the pack 'helpdesk' is switched off: {why}\n"
    checked = sim(tmp_path, ["bookshop"], "packs", "check", "helpdesk")
    assert checked.returncode == (2 if "'book'" not in why else 0)


def test_what_a_pack_lacks_is_told_by_a_check(tmp_path: Path) -> None:
    module = pack("helpdesk").replace("lambda: {Create: create}", "dict")
    install(tmp_path, "helpdesk", module)
    told = sim(tmp_path, [], "packs", "check", "helpdesk")
    assert (told.returncode, told.stdout) == (
        2, "helpdesk: nothing says how 'create' is done: 'performers' lacks Create\n",
    )  # fmt: skip


def test_a_new_pack_is_whole(tmp_path: Path) -> None:
    made = sim(tmp_path, None, "packs", "new", "wiki")
    assert made.returncode == 0, made.stderr
    install(tmp_path, "wiki", (tmp_path / "wiki" / "wiki_pack.py").read_text("utf-8"))
    project = tomllib.loads((tmp_path / "wiki" / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["simulator.packs"] == {"wiki": "wiki_pack:PACK"}
    assert sim(tmp_path, ["wiki"], "packs", "check").stdout == "wiki: no mistakes\n"
    assert sim(tmp_path, ["wiki"], "personas", "check", "wiki/personas/visitor.yaml").returncode == 0
    again = sim(tmp_path, None, "packs", "new", "wiki")
    assert (again.returncode, "already here" in again.stderr) == (2, True)
