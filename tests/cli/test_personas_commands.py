from __future__ import annotations

from pathlib import Path

import pytest

from simulator.persona import draw_identity, load_personas, persona_schema, starter_personas
from tests.seam import needs_bookshop


def test_lists_the_personas_that_come_along_where_there_is_no_folder(sim) -> None:
    listed = sim("personas", "list")
    names = [line.split()[0] for line in listed.out.splitlines()[1:]]
    assert names == list(load_personas(starter_personas()))
    assert [persona["persona"] for persona in sim("personas", "list", "--json").json] == names


def test_prefers_the_folder_beside_sim_toml_also_from_below(sim, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sim("init", "--base-url", "http://127.0.0.1:9")
    (folder / "deep").mkdir()
    monkeypatch.chdir(folder / "deep")
    assert [persona["persona"] for persona in sim("personas", "list", "--json").json] == ["visitor"]


@needs_bookshop
def test_shows_a_persona(sim) -> None:
    assert "list_books (count 3, query classic crime)" in sim("personas", "show", "collector").out
    assert sim("personas", "show", "collector", "--json").json["locale"] == "en_GB"


@needs_bookshop
def test_suggests_the_nearest_persona(sim) -> None:
    unknown = sim("personas", "show", "colector")
    assert (unknown.code, unknown.out) == (2, "")
    assert unknown.err == "sim: there is no persona 'colector'; did you mean 'collector'?\n"


def test_check_tells_every_mistake_with_its_place(sim, folder: Path) -> None:
    wrong = folder / "wrong.yaml"
    wrong.write_text("persona: wrong\nabout: Someone.\nlocal: en_GB\ntasks: [regster]\n", "utf-8")
    checked = sim("personas", "check", wrong)
    assert checked.code == 2
    places = [line.split(": ")[1] for line in checked.out.splitlines()]
    assert f"{wrong}:3:1" in places
    assert f"{wrong}:4:9" in places
    problems = sim("personas", "check", wrong, "--json")
    assert problems.code == 2
    assert {problem["where"] for problem in problems.json} >= {"local", "locale", "tasks.0"}


@pytest.mark.parametrize("text", ["persona: [", "- a list", ""])
def test_a_run_refuses_a_folder_with_a_file_that_is_no_persona(sim, folder: Path, text: str) -> None:
    (folder / "people").mkdir()
    (folder / "people" / "bad.yaml").write_text(text, "utf-8")
    refused = sim("personas", "run", "--personas", "people")
    assert refused.code == 2
    assert refused.err.startswith("sim: persona 'bad': people/bad.yaml:")
    assert len(refused.err.splitlines()) == 1


def test_schema_is_the_one_of_the_model(sim) -> None:
    assert sim("personas", "schema").json == persona_schema()


@needs_bookshop
def test_preview_shows_the_people_of_a_run_with_that_seed(sim) -> None:
    shown = sim("personas", "preview", "collector", "--count", "2", "--seed", "7")
    persona = load_personas(starter_personas())["collector"]
    people = [draw_identity(persona, seed=7, number=number) for number in (1, 2)]
    for one in people:
        assert f"{one.username} <{one.email}>" in shown.out
        assert all(book.title in shown.out for book in one.books)
    as_json = sim("personas", "preview", "collector", "--count", "2", "--seed", "7", "--json")
    assert as_json.json == [one.model_dump(mode="json") for one in people]


def test_a_seed_that_was_drawn_is_told_and_draws_the_same_people_again(sim) -> None:
    name = next(iter(load_personas(starter_personas())))
    first = sim("personas", "preview", name)
    seed = first.out.splitlines()[0].split()[-1]
    assert sim("personas", "preview", name, "--seed", seed).out == first.out
    assert sim("personas", "preview", name).out != first.out


def test_environment_variables_mirror_options(sim, monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(iter(load_personas(starter_personas())))
    given = sim("personas", "preview", name, "--count", "1", "--seed", "11").out
    monkeypatch.setenv("SIM_COUNT", "1")
    monkeypatch.setenv("SIM_SEED", "11")
    assert sim("personas", "preview", name).out == given
