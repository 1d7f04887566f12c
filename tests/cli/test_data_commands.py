"""``sim data list``: for how many users the rows suffice, by what their tasks make and write about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Sim

PROJECT = """
packs = []
[data]
replies = ["Thanks", "Same here", "It works again", "Which version?"]
others = ["Nobody writes this"]
[data.cases]
rows = [%s]
[site.desk]
base_url = "http://127.0.0.1:9"
[site.desk.things.ticket]
create = "/new"
list = "/tickets"
data = "cases"
edit = { fields = ["text"] }
message = { data = "replies" }
[site.other]
base_url = "http://127.0.0.1:9"
"""
PERSONA = "persona: {}\nabout: Somebody.\nlocale: en_GB\ntasks: [register, {}]\n{}"
TWO = "{create: {thing: ticket, count: 2}}, {edit: ticket}"


@pytest.fixture
def project(folder: Path) -> Path:
    rows = ", ".join(f"{{ title = 'Case {number}', text = 'Text {number}' }}" for number in range(10))
    (folder / "sim.toml").write_text(PROJECT % rows, "utf-8")
    people = folder / "personas"
    people.mkdir()
    (people / "asker.yaml").write_text(PERSONA.format("asker", TWO, ""), "utf-8")
    (people / "helper.yaml").write_text(
        PERSONA.format("helper", "{create: ticket}, {comment: {thing: ticket, count: 5}}", ""), "utf-8"
    )
    (people / "own.yaml").write_text(
        PERSONA.format("own", TWO, "data: {cases: [{title: Mine, text: Own}, {title: Ours, text: Own}]}\n"), "utf-8"
    )
    (people / "strange.yaml").write_text(PERSONA.format("strange", "{create: bicycle}", ""), "utf-8")
    (people / "wrong.yaml").write_text("persona: wrong\n", "utf-8")
    return folder


def test_rows_are_counted_by_what_users_make_and_write_about(sim: Sim, project: Path) -> None:
    listed = {one["name"]: one for one in sim("data", "list", "--json").json}
    uses = {(name, use["persona"]): use for name, one in listed.items() for use in one["uses"]}
    # Two things and a change of one: three rows of ten; the helper makes one thing, and writes five texts of four.
    assert {key: (use["things"], use["each"], use["users"], use["lacking"]) for key, use in uses.items()} == {
        ("cases", "asker"): (["ticket"], 3, 3, 0),
        ("cases", "helper"): (["ticket"], 1, 10, 0),
        ("replies", "helper"): (["comment on ticket"], 5, 0, 1),
    }
    assert [(one["each"], one["users"]) for one in listed.values()] == [(5, 0), (1, 1), (3, 3)]


def test_a_persona_that_says_how_many_rows_its_users_have_is_taken_at_its_word(sim: Sim, project: Path) -> None:
    people = project / "few"
    people.mkdir()
    for name, number in (("more", 5), ("less", 2)):
        text = PERSONA.format(name, TWO, f"data: {{cases: {number}}}\n")
        (people / f"{name}.yaml").write_text(text, "utf-8")
    listed = {one["name"]: one for one in sim("data", "list", "--personas", "few", "--json").json}
    found = {use["persona"]: (use["each"], use["users"], use["lacking"]) for use in listed["cases"]["uses"]}
    assert found == {"more": (5, 2, 0), "less": (2, 0, 1)}


def test_people_read_it_by_persona(sim: Sim, project: Path) -> None:
    lines = sim("data", "list").out.splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["data", "rows", "each", "users", "fields"],
        ["replies", "4", "5", "0", "texts"],
    ]
    assert lines[2].split(maxsplit=3) == [
        "helper", "5", "0", "for comment on ticket; too few for one user: 1 more needed",
    ]  # fmt: skip


def test_rows_in_the_language_of_a_persona_count(sim: Sim, project: Path) -> None:
    rows = ", ".join(f"{{ title = 'Case {n}', text = 'T', lang = '{'en' if n < 4 else 'de'}' }}" for n in range(10))
    settings = (PROJECT % rows).replace("[data.cases]", "[data.cases]\nlanguage = 'lang'")
    (project / "sim.toml").write_text(settings, "utf-8")
    listed = {one["name"]: one for one in sim("data", "list", "--json").json}
    assert {use["persona"]: use["users"] for use in listed["cases"]["uses"]} == {"asker": 1, "helper": 4}
