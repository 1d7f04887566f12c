"""Packs that are folders, without Python: what they deal, and what is told of a broken one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.bindings import Bindings
from simulator.domain import DataSet, RowFields
from simulator.persona import draw_identity, load_persona
from simulator.persona.dealing import dealt_rows
from simulator.recording.reader import Recording
from simulator.report.new_pack import new_folder
from simulator.testing import check_pack, draw_users, project, serve

pytestmark = pytest.mark.promise("packs that are folders", quick=2)

ROOT = Path(__file__).parents[2]
SITE = ROOT / "examples" / "packs" / "helpdesk" / "helpdesk_site.py"
TOOLS = [f"{kind} {number}" for kind in ("spade", "rake", "hose") for number in range(1, 5)]
LOOKER = """\
persona: looker
about: Looks for tools.
locale: en_GB
tasks: [register, {visit: {path: "/tickets?about={{tool.1.title}}"}}]
"""


def write(folder: Path, texts: dict[str, str]) -> Path:
    """Write the files of a pack into a folder, in place of those that a new one has."""
    for path, text in {**new_folder("garden"), **texts}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


def sim(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = "import sys; from simulator.cli.main import main; sys.exit(main())"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", program, *words], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


def test_a_new_one_is_whole_and_in_use_where_sim_toml_names_it(tmp_path: Path) -> None:
    made = sim(tmp_path, "packs", "new", "garden", "--folder")
    assert (made.returncode, 'packs = ["./garden"]' in made.stdout) == (0, True), made.stderr
    assert "garden" not in sim(tmp_path, "packs", "list").stdout
    assert sim(tmp_path, "packs", "check", "./garden").stdout == "./garden: no mistakes\n"
    (tmp_path / "sim.toml").write_text('packs = ["./garden"]\n', "utf-8")
    listed = json.loads(sim(tmp_path, "packs", "list", "--json").stdout)
    assert [one["version"] for one in listed if one["name"] == "garden" and one["used"]] == ["0.1"]
    assert sim(tmp_path, "packs", "check").stdout == "garden: no mistakes\n"
    told = sim(tmp_path, "personas", "preview", "lender", "--personas", "garden/personas", "--seed", "3", "--json")
    tools = json.loads(told.stdout)[0]["tools"]
    assert len(tools) == 2
    assert all(isinstance(one["weight"], int | float) for one in tools)


def test_a_broken_one_is_one_sentence_and_switched_off(tmp_path: Path) -> None:
    write(tmp_path / "garden", {"data/tools.csv": "title,weight\nFork,heavy\n"})
    (tmp_path / "sim.toml").write_text('packs = ["./garden"]\n', "utf-8")
    told = sim(tmp_path, "personas", "check", "garden/personas/lender.yaml")
    assert told.returncode == 0
    why = "garden/data/tools.csv:2:6: weight: expected a number, found 'heavy'"
    assert told.stderr == f"the pack './garden' is switched off: {why}\n"
    checked = sim(tmp_path, "packs", "check")
    assert (checked.returncode, checked.stdout) == (2, f"./garden: {why}\n")


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("pack.toml", "name = 'garden'", "pack.toml:1:1: version: the key is missing above the first table"),
        ("pack.toml", "name = 'garden'\nversion = '1'\napi = 9\n", "written for level 9 of the interface"),
        ("pack.toml", "name = 'G'\nversion = '1'\napi = 1", "pack.toml:1:8: name: expected a name of small letters"),
        ("pack.toml", "name = ", "pack.toml:1:8: "),
        (
            "pack.toml",
            "name = 'garden'\nversion = '1'\napi = 1\n[things.tool]\ndata = 'spades'",
            "pack.toml:5:8: things.tool.data: there is no data set 'spades'; known are tools",
        ),
        (
            "pack.toml",
            "name = 'garden'\nversion = '1'\napi = 1\n[data.spades]\ncount = 1",
            "pack.toml:4:2: data.spades: there is no ",
        ),
        ("data/tools.csv", "", "tools.csv:1:1: expected at least one row, found none"),
        ("data/tools.csv", "title,title,weight\na,b,1", "tools.csv:1:7: the field 'title' is there twice"),
        ("data/tools.csv", 'title,weight\n"Fork, long",1,2\n', "tools.csv:2:1: expected 2 values, found 3"),
        ("data/tools.csv", 'title,weight\n"Fork"s,1\n', "tools.csv:2:7: expected a comma or the end of the line"),
        ("data/tools.csv", 'title,weight\n"Fork\n2",x\n', "tools.csv:3:4: weight: expected a number, found 'x'"),
        ("data/tools.csv", "title\nFork\n", "tools.csv:2:1: expected the field 'weight', which its section names"),
        ("data/notes.jsonl", '{"a": 1}\n{"a": "x"}', "notes.jsonl:2:7: a: expected a number, found 'x'"),
        ("data/notes.jsonl", '{"a": 1}\n{"b": 1}', "notes.jsonl:2:7: unknown field 'b'; the first row has a"),
        ("data/notes.jsonl", '{"a": 1}\n{"a": ', "notes.jsonl:2:7: expected a line of JSON"),
        ("data/notes.jsonl", '{"a": [1]}', "notes.jsonl:1:7: expected one value, found several"),
        ("data/notes.yaml", "- a: 1\n- a: 2\n  c: 3", "notes.yaml:3:6: unknown field 'c'; the first row has a"),
        ("data/notes.yaml", "- a: 1\n- text", "notes.yaml:2:3: expected a row with a, found 'text'"),
        ("data/notes.yaml", "- text\n- 3", "notes.yaml:2:3: expected a text, as the first one is"),
        ("data/notes.yaml", "a: 1", "notes.yaml:1:1: expected a list of rows, or of texts"),
        ("data/tool.yaml", "- text", "tool.yaml:1:1: one row of 'tool' is called 'tool', and so is one of 'tools'"),
        ("data/site.yaml", "- text", "site.yaml:1:1: 'site' is what every user has"),
        ("words.toml", "lend = 'lend'", "words.toml:1:8: lend: expected a list of texts in quotes"),
        ("personas/x.yaml", "persona: x", "personas/x.yaml:1:1: "),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_their_place(tmp_path: Path, path: str, text: str, said: str) -> None:
    problems = check_pack(write(tmp_path / "garden", {path: text}))
    assert any(said in problem for problem in problems), problems


def test_a_broken_folder_is_known_by_its_own_name_where_the_project_names_it(tmp_path: Path) -> None:
    write(tmp_path / "packs/garden", {"words.toml": "lend = 'lend'"})
    (tmp_path / "sim.toml").write_text(
        "packs = ['./packs/garden']\n[site.x]\nbase_url = 'http://127.0.0.1:1'\n", "utf-8"
    )
    for name in ("garden", "./packs/garden"):
        done = sim(tmp_path, "packs", "check", name)
        assert done.returncode == 2
        assert f"{name}: packs/garden/words.toml:1:8: lend: expected a list of texts in quotes" in done.stdout
    assert "no installed package offers it" in sim(tmp_path, "packs", "check", "gardens").stdout


def test_rows_and_texts_are_typed_variables_of_a_user(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "garden",
        {
            "pack.toml": "name = 'garden'\nversion = '1'\napi = 1\n[data.tools]\ncount = 3\n"
            "[data.tools.fields]\nprice = 'number'\nwhole = 'true or false'\nsince = 'date'\n",
            "data/tools.csv": 'title,price,whole,since\n"A ""good"" fork",1.5,yes,2026-05-01\r\nHose,2,no,2026-05-02\n',
            "data/remarks.yaml": "- Is it still there?\n- Thanks.\n",
            "data/notes.jsonl": '{"a": 1, "b": null}\n\n{"a": 2, "b": "x"}\n',
        },
    )
    (user,) = draw_users(folder, folder / "personas/lender.yaml", seed="3")
    rows = sorted((row.values() for row in user.rows("tool")), key=lambda row: row["title"])
    assert rows == [
        {"title": 'A "good" fork', "price": 1.5, "whole": True, "since": "2026-05-01"},
        {"title": "Hose", "price": 2, "whole": False, "since": "2026-05-02"},
    ]
    assert sorted(user.texts("remark")) == ["Is it still there?", "Thanks."]
    values = user.variables()
    assert {values["tool.1.title"], values["tool.2.title"]} == {'A "good" fork', "Hose"}
    assert {values["text.remark.1"], values["text.remark.2"]} == {*user.texts("remark")}


def test_a_folder_says_which_fields_name_a_row(tmp_path: Path) -> None:
    said = "name = 'garden'\nversion = '1'\napi = 1\n[data.tools]\nnamed = ['label', 'maker']\ncommon = ['colour']\n"
    folder = write(
        tmp_path / "garden",
        {"pack.toml": said, "data/tools.csv": "label,maker,colour\nBorder spade,Sheffield Works,Green\n"},
    )
    (user,) = draw_users(folder, folder / "personas/lender.yaml", seed="3")
    assert user.naming == {"tool": RowFields(named=("label", "maker"), common=("colour",))}
    bindings = Bindings(user.variables(), naming=user.naming)
    written = bindings.recognise("a Border spade of Sheffield Works, Green")
    assert written == "a {{tool.1.label}} of {{tool.1.maker}}, Green"
    by_thing = write(
        tmp_path / "shed",
        {
            "pack.toml": "name = 'shed'\nversion = '1'\napi = 1\n[things.tool]\ndata = 'tools'\nfields = ['label']\n",
            "data/tools.csv": "label,description\nBorder spade,A long one\n",
        },
    )
    (other,) = draw_users(by_thing, by_thing / "personas/lender.yaml", seed="3")
    assert other.naming["tool"].role("label") == "called"
    assert other.naming["tool"].role("description") == "telling"
    wrong = write(tmp_path / "wrong", {"pack.toml": said.replace("'maker'", "'smith'"), "data/tools.csv": "label\nA\n"})
    assert any("named names 'smith', and its rows have label" in problem for problem in check_pack(wrong))


def test_users_of_a_persona_share_rows_only_when_all_are_dealt(tmp_path: Path) -> None:
    data = DataSet(name="tool", rows=[{"title": tool} for tool in TOOLS], count=5)
    (tmp_path / "looker.yaml").write_text(LOOKER, "utf-8")
    persona = load_persona(tmp_path / "looker.yaml")
    hands = [dealt_rows(data, persona, ("7", "looker", number)) for number in range(1, 9)]
    assert all(len({row["title"] for row in hand}) == 5 for hand in hands)  # type: ignore[index]
    first, second, third = ({row["title"] for row in hand} for hand in hands[:3])  # type: ignore[index]
    assert not first & second
    assert hands == [dealt_rows(data, persona, ("7", "looker", number)) for number in range(1, 9)]
    assert hands[0] != dealt_rows(data, persona, ("8", "looker", 1))
    assert third <= {*TOOLS}
    assert draw_identity(persona, seed=7, number=1).rows("tool") == ()


def test_a_row_is_a_variable_in_a_recording_and_another_one_for_a_fresh_user(tmp_path: Path) -> None:
    example = tmp_path / "example"
    write(example / "garden", {"data/tools.csv": "title,weight\n" + "".join(f"{tool},1\n" for tool in TOOLS)})
    section = (SITE.parent / "sim.toml").read_text("utf-8").replace('["helpdesk"]', '["./garden"]')
    (example / "sim.toml").write_text(section, "utf-8")
    (example / "personas").mkdir()
    (example / "personas" / "looker.yaml").write_text(LOOKER, "utf-8")
    with serve([sys.executable, SITE, "0"]) as url, project(example, tmp_path, url) as garden:
        assert [run.status for run in garden.record(seed="7").runs] == ["passed"]
        with Recording.open(garden.db) as recording:
            (run,) = recording.runs()
            visits = [json.dumps(step.input) for step in recording.steps(run.id) if step.tool == "navigate"]
            assert any("{{tool.1.title}}" in visit for visit in visits), visits
            assert run.environment["packs"] == {"garden": {"version": "0.1", "api": 1}}
        assert [run.verdict for run in garden.replay(identity="fresh", seed="9").runs] == ["passed"]
        (garden.folder / "sim.toml").write_text(section.replace('["./garden"]', "[]"), "utf-8")
        assert [run.verdict for run in garden.replay(reset=True).runs] == ["passed"]
