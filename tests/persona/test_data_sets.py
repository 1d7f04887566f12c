"""Data sets of a project: what users are dealt, and what is reported of a wrong file or section."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings, strategies

from simulator.config import Settings, load_settings
from simulator.domain import data_sets
from simulator.domain.data.drawing import draw_picture
from simulator.domain.data.making import Made, Rule
from simulator.errors import ConfigError, PersonaError
from simulator.persona import Beside, Identity, Persona, Row, dealt_files, draw_identity, load_persona
from simulator.template import OF_USERS
from tests.seam import needs_bookshop


def project(folder: Path, said: str, persona: str = "", **files: str) -> Settings:
    """Write a project, and read its settings."""
    site = '[site.desk]\nbase_url = "http://127.0.0.1:8770"\n'
    (folder / "sim.toml").write_text(f"packs = []\n{dedent(said)}\n{site}", "utf-8")
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(dedent(text), "utf-8")
    text = f"persona: gardener\nabout: Sells tools.\nlocale: en_GB\n{persona}\ntasks:\n- visit: {{path: /}}\n"
    (folder / "gardener.yaml").write_text(text, "utf-8")
    return load_settings(folder / "sim.toml")


def users(folder: Path, count: int, seed: str = "7", **changes: object) -> list[Identity]:
    persona = load_persona(folder / "gardener.yaml").model_copy(update=changes)
    return [draw_identity(persona, seed=seed, number=number) for number in range(1, count + 1)]


def values(one: Identity, name: str, field: str) -> list[object]:
    return [row.values()[field] for row in one.rows(name)]


CSV = "title,price\n" + "".join(f"Tool {number},{number}.50\n" for number in range(1, 13))
TOOLS = '[data.tools]\nfile = "tools.csv"\ncount = 3\nfields = { price = "number" }\n'


def test_users_share_no_row_until_all_are_dealt(tmp_path: Path) -> None:
    project(tmp_path, TOOLS, tools_csv=CSV)
    people = users(tmp_path, 8)
    first = [title for one in people[:4] for title in values(one, "tool", "title")]
    assert len(set(first)) == 12
    assert Counter(title for one in people for title in values(one, "tool", "title")) == dict.fromkeys(first, 2)
    assert people[0].variables()["tool.1.price"] == str(people[0].rows("tool")[0].values()["price"])
    assert users(tmp_path, 8) == people, "the same, whenever they are drawn"
    assert users(tmp_path, 8, seed="8") != people


@pytest.mark.parametrize("kind", ["jsonl", "yaml", "db", "rows"])
def test_rows_are_the_same_wherever_they_stand(tmp_path: Path, kind: str) -> None:
    project(tmp_path, TOOLS, tools_csv=CSV)
    as_csv = users(tmp_path, 4)
    rows = [{"title": f"Tool {number}", "price": number + 0.5} for number in range(1, 13)]
    if kind == "db":
        with sqlite3.connect(tmp_path / "tools.db") as connection:
            connection.execute("create table tools (title text, price real)")
            connection.executemany("insert into tools values (:title, :price)", rows)
        connection.close()
        said = 'file = "tools.db"\ntable = "tools"'
    elif kind == "rows":
        said = "rows = [" + ", ".join(f'{{title = "{one["title"]}", price = {one["price"]}}}' for one in rows) + "]"
    else:
        line = (
            '{{"title": "{title}", "price": {price}}}\n'
            if kind == "jsonl"
            else "- {{title: {title}, price: {price}}}\n"
        )
        (tmp_path / f"tools.{kind}").write_text("".join(line.format(**one) for one in rows), "utf-8")
        said = f'file = "tools.{kind}"'
    project(tmp_path, f"[data.tools]\ncount = 3\n{said}\n")
    assert users(tmp_path, 4) == as_csv


def test_too_few_rows_are_dealt_again_or_varied_or_refused(tmp_path: Path) -> None:
    said = TOOLS + 'short = "SHORT"\n'
    project(tmp_path, said.replace("SHORT", "vary"), tools_csv=CSV)
    titles = [str(title) for one in users(tmp_path, 12) for title in values(one, "tool", "title")]
    assert len(set(titles)) == 36
    assert sorted({title.partition(" (")[0] for title in titles}) == sorted(f"Tool {n}" for n in range(1, 13))
    project(tmp_path, said.replace("SHORT", "stop"), tools_csv=CSV)
    users(tmp_path, 4)
    with pytest.raises(ConfigError, match=r"'tools' has 12 rows, which is 3 each for 4 users of 'gardener'.*vary"):
        users(tmp_path, 5)


def test_rows_that_users_before_had_are_dealt_last(tmp_path: Path) -> None:
    project(tmp_path, TOOLS, tools_csv=CSV)
    persona = load_persona(tmp_path / "gardener.yaml")
    recorded, usual = users(tmp_path, 2), users(tmp_path, 4, seed="8")
    before = [one.as_dealt() for one in recorded]
    had = {title for one in recorded for title in values(one, "tool", "title")}
    fresh = [draw_identity(persona, seed="8", number=number, before=before) for number in range(1, 9)]
    titles = [[str(title) for title in values(one, "tool", "title")] for one in fresh]
    assert not had.intersection(*titles[:2], *titles[4:6])
    assert {title for hand in titles[2:4] for title in hand} == had, "who comes after those has what they had"
    for round_ in (titles[:4], titles[4:]):
        assert len({title for hand in round_ for title in hand}) == 12
    for one, other in zip(usual[:2], fresh[:2], strict=True):
        kept = had.isdisjoint(values(one, "tool", "title"))
        assert not kept or one == other, "nobody has other rows without need"

    proved = draw_identity(persona, seed="9", number=1, before=before).as_dealt()
    first = draw_identity(persona, seed="8", number=1, before=[*before, proved])
    assert (had | {row["title"] for row in proved.dealt["tools"] if not isinstance(row, str)}).isdisjoint(
        values(first, "tool", "title")
    )
    again = [draw_identity(persona, seed="7", number=number, before=before) for number in (1, 2)]
    assert again == recorded, "who was recorded stays the same one, on a site that is reset"


def test_rows_that_are_made_are_numbered_behind_those_of_users_before(tmp_path: Path) -> None:
    project(tmp_path, '[data.tools]\ncount = 2\nmake = { title = "Spade {{n}}" }\n')
    persona = load_persona(tmp_path / "gardener.yaml")
    before = [one.as_dealt() for one in users(tmp_path, 3)[2:]]
    titles = [values(draw_identity(persona, seed="8", number=n, before=before), "tool", "title") for n in (1, 2)]
    assert titles == [["Spade 7", "Spade 8"], ["Spade 9", "Spade 10"]]


def test_rows_in_the_language_of_a_user(tmp_path: Path) -> None:
    rows = "title,lang\n" + "Spaten,de\nSpade,en\nBęben,pl_PL\nT-Shirt,\n" * 1
    project(tmp_path, '[data.tools]\nfile = "tools.csv"\nlanguage = "lang"\n', tools_csv=rows)
    dealt = {
        locale: sorted(map(str, values(users(tmp_path, 1, locale=locale)[0], "tool", "title")))
        for locale in ("de_AT", "en_GB", "pl_PL", "fr_FR")
    }
    assert dealt == {
        "de_AT": ["Spaten", "T-Shirt"],
        "en_GB": ["Spade", "T-Shirt"],
        "pl_PL": ["Bęben", "T-Shirt"],
        "fr_FR": ["T-Shirt"],
    }
    project(tmp_path, '[data.tools]\nfile = "tools.csv"\nlanguage = "lang"\n', tools_csv="title,lang\nSpaten,de\n")
    with pytest.raises(ConfigError, match="no row for users of 'en_GB'; add some with 'en' as lang"):
        users(tmp_path, 1)


def test_a_row_of_more_weight_is_dealt_more_often(tmp_path: Path) -> None:
    rows = "title,often\nCommon,8\nUsual,4\nRare,1\nNever,0\n"
    project(
        tmp_path,
        '[data.tools]\nfile = "tools.csv"\ncount = 1\nweight = "often"\nfields = { often = "number" }\n',
        tools_csv=rows,
    )
    dealt = Counter(values(one, "tool", "title")[0] for one in users(tmp_path, 400))
    assert dealt["Never"] == 0
    assert dealt["Common"] > dealt["Usual"] > dealt["Rare"] > 0


def test_fields_are_made_by_seed_in_the_language_of_the_user(tmp_path: Path) -> None:
    said = """
        [data.offers]
        count = 3
        fields = { price = "number", sale = "number" }
        rules = ["sale < price", "price >= 10"]
        [data.offers.make]
        kind = "{spade|rake|hoe}"
        price = "{{faker.random_int(5, 90)}}"
        sale = "{{faker.random_int(5, 90)}}"
        text = "A {good|worn} {{kind}} by {{faker.company}}, no. {{n}}"
    """
    project(tmp_path, said)
    people = users(tmp_path, 20)
    rows = [row.values() for one in people for row in one.rows("offer")]
    assert all(row["sale"] < row["price"] >= 10 for row in rows)
    assert {row["kind"] for row in rows} == {"spade", "rake", "hoe"}
    assert all(
        re.fullmatch(rf"A (good|worn) {row['kind']} by .+, no\. {place}", row["text"])
        for place, row in enumerate(rows, 1)
    )
    assert users(tmp_path, 20) == people
    assert values(users(tmp_path, 1, locale="ja_JP")[0], "offer", "text") != values(people[0], "offer", "text")


def test_a_persona_says_how_many_and_brings_rows_of_its_own(tmp_path: Path) -> None:
    project(tmp_path, TOOLS, "data: {tools: 5, greetings: [Hello, Good day]}", tools_csv=CSV)
    (one,) = users(tmp_path, 1)
    assert (len(one.rows("tool")), sorted(one.texts("greeting"))) == (5, ["Good day", "Hello"])
    project(tmp_path, TOOLS, "data: {tols: 5}", tools_csv=CSV)
    with pytest.raises(
        PersonaError, match=r"gardener.yaml:4:7: data: there is no data set 'tols'; did you mean 'tools'"
    ):
        load_persona(tmp_path / "gardener.yaml")


def test_files_are_found_beside_the_data(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "spade.png").write_bytes(b"x")
    said = '[data.tools]\nfile = "tools.csv"\nfields = { photo = "file" }\n'
    project(tmp_path, said, tools_csv="title,photo\nSpade,photos/spade.png\nRake,\n")
    (one,) = users(tmp_path, 1)
    assert list(dealt_files(one)) == [(tmp_path, "photos/spade.png")]
    project(tmp_path, said, tools_csv="title,photo\nSpade,photos/hoe.png\n")
    with pytest.raises(ConfigError, match=r"^tools.csv:2:7: photo: there is no file .*photos/hoe.png$"):
        data_sets()
    (tmp_path.parent / "secret.png").write_bytes(b"x")
    for outside in ("../secret.png", "photos/../../secret.png", str(tmp_path.parent / "secret.png")):
        project(tmp_path, said, tools_csv=f"title,photo\nSpade,{outside}\n")
        with pytest.raises(ConfigError, match=r"^tools.csv:2:7: photo: expected a file below"):
            data_sets()
    forged = one.model_copy(update={"tools": tuple(Row(title="Spade", photo="../secret.png") for _ in range(1))})
    project(tmp_path, said, tools_csv="title,photo\nSpade,photos/spade.png\n")
    assert list(dealt_files(forged)) == [], "a recording may say anything"


def test_a_picture_is_drawn_for_each_row_and_is_none_of_a_file(tmp_path: Path) -> None:
    said = (
        '[data.tools]\nfile = "tools.csv"\ncount = 1\nfields = { photo = "picture" }\nmake = { photo = "{{title}}" }\n'
    )
    project(tmp_path, said, tools_csv="title\nSpade / 園芸\n")
    people = users(tmp_path, 3)
    drawn = [files for one in people for files in dealt_files(one)]
    assert [folder for folder, _ in drawn] == [None] * 3
    names = [name for _, name in drawn]
    assert all(re.fullmatch(r"spade-園芸-[0-9a-f]{10}\.png", name) for name in names), names
    pictures = [draw_picture(name) for name in names]
    assert len(set(pictures)) == 3
    assert pictures == [draw_picture(name) for name in names]
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)
    project(tmp_path, said.replace("make = ", "# "), tools_csv="title,photo\nSpade,a.png\n")
    with pytest.raises(ConfigError, match=r"^tools.csv:2:7: photo: a picture is drawn: write it under 'make'"):
        data_sets()
    forged = people[0].model_copy(update={"tools": (Row(title="Spade", photo="../spade.png"),)})
    project(tmp_path, said, tools_csv="title\nSpade\n")
    assert list(dealt_files(forged)) == [], "a recording may say anything"


@pytest.mark.parametrize(
    ("key", "name"), [("tools", "tool"), ("cattle", "cattle"), ("files", "files"), ("users", "users"), ("news", "new")]
)
def test_a_row_is_called_by_the_name_of_its_set_without_an_s_where_that_is_free(
    tmp_path: Path, key: str, name: str
) -> None:
    project(tmp_path, f'[data.{key}]\nfile = "tools.csv"\n[data.words_of_{key}]\nrows = ["Spade"]\n', tools_csv=CSV)
    [one] = users(tmp_path, 1)
    variables = one.variables()
    assert [bool(variables.get(f"{name}.{place}.title")) for place in (1, 2, 3)] == [True] * 3
    assert len(one.rows(name)) == 3
    assert [values for variable, values in variables.items() if variable.startswith("text.")] == ["Spade"]
    again = type(one).model_validate_json(one.model_dump_json())
    assert again.variables() == variables


def test_what_every_user_has_is_the_name_of_no_data_set(tmp_path: Path) -> None:
    project(tmp_path, "")
    assert set(OF_USERS) == set(Identity.model_fields)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('[data.tools]\nfile = "tools.csv"\ncount = 0', "sim.toml:4:9: data.tools.count: expected a number above 0"),
        ('[data.Tools]\nfile = "tools.csv"', "sim.toml:2:2: data.Tools: expected a name in small letters"),
        ('[data.site]\nfile = "tools.csv"', "sim.toml:2:2: data.site: 'site' is what every user has, or a group of"),
        ('[data.city]\nfile = "tools.csv"', "sim.toml:2:2: data.city: 'city' is what every user has"),
        (
            '[data.tools]\nfile = "tools.csv"\n[data.tool]\nrows = [{ a = 1 }]',
            "sim.toml:4:2: data.tool: one row of 'tool' is called 'tool', and so is one of 'tools'",
        ),
        ('[data.tools]\nfile = "tools.txt"', "sim.toml:2:2: data.tools: expected a file that ends with .csv"),
        ("[data.tools]\ncount = 1", "data.tools: expected 'file', 'rows' or 'make'"),
        ('[data.tools]\nmake = { a = "{{b" }', "sim.toml:3:14: data.tools.make.a: expected '}}' after '{{'"),
        ('[data.tools]\nmake = { a = "{{b(1)}}" }', "data.tools.make.a: expected a field of the row"),
        ('[data.tools]\nmake = { a = "{{b}}", b = "x" }', "data.tools: 'a' is made of 'b', which stands after it"),
        ('[data.tools]\nrules = ["a is b"]\nmake = { a = "1" }', "data.tools.rules.0: expected a comparison"),
        ('[data.tools]\nfile = "tools.db"', "data.tools: expected 'table' too"),
    ],
)
def test_a_wrong_section_is_refused_with_its_place(tmp_path: Path, said: str, told: str) -> None:
    with pytest.raises(ConfigError) as found:
        project(tmp_path, said, tools_csv=CSV)
    assert told in str(found.value)


@pytest.mark.parametrize(
    ("said", "rows", "told"),
    [
        ("", "title,price\nSpade,nine\n", "tools.csv:2:7: price: expected a number, found 'nine'"),
        ("", "title,price\nSpade,nan\n", "tools.csv:2:7: price: expected a number, found 'nan'"),
        ("", "title,price\nSpade,1e999\n", "tools.csv:2:7: price: expected a number, found '1e999'"),
        ("", "title\nSpade\n", "tools.csv:2:1: expected the field 'price', which its section names, found none"),
        ('rules = ["price < 5"]', "title,price\nSpade,4\nRake,6\n", "tools.csv:3:1: expected price < 5, found price 6"),
        ('told = ["titel"]', CSV, "data.tools: told names 'titel', and its rows have title, price"),
        ('make = { title = "x" }', CSV, "data.tools: 'title' is made, and its rows have it, too"),
        (
            'make = { x = "{{faker.compny}}" }',
            CSV,
            "make.x: Faker has no provider 'compny'; did you mean 'faker.company'",
        ),
        ('make = { x = "{{faker.seed(1)}}" }', CSV, "make.x: Faker has no provider 'seed'"),
        ('make = { x = "{{faker.random_int(q=1)}}" }', CSV, "make.x: faker.random_int does not take these arguments"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, said: str, rows: str, told: str) -> None:
    project(tmp_path, TOOLS + said, tools_csv=rows)
    with pytest.raises(ConfigError) as found:
        data_sets()
    assert told in str(found.value)


@pytest.mark.parametrize(
    "line", ['{"a": NaN}', '{"a": 1' + "0" * 400 + "}", '{"a": 1' + "0" * 5000 + "}", "[" * 100_000]
)
def test_a_hostile_line_is_refused_with_its_place(tmp_path: Path, line: str) -> None:
    project(tmp_path, '[data.tools]\nfile = "tools.jsonl"\n', tools_jsonl=line + "\n")
    with pytest.raises(ConfigError, match=r"^tools.jsonl:1:\d+: "):
        data_sets()


def test_a_missing_file_and_table_are_refused(tmp_path: Path) -> None:
    project(tmp_path, TOOLS)
    with pytest.raises(ConfigError, match=r"^tools.csv:1:1: .*no such file"):
        data_sets()
    sqlite3.connect(tmp_path / "shop.db").execute("create table tools (a)").connection.close()
    project(tmp_path, '[data.tools]\nfile = "shop.db"\ntable = "tool"\n')
    with pytest.raises(ConfigError, match="there is no table 'tool'; did you mean 'tools'"):
        data_sets()


@needs_bookshop
def test_a_name_that_a_pack_has_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sim.toml").write_text('[data.books]\nmake = { title = "x" }\n', "utf-8")
    with pytest.raises(ConfigError, match=r"sim.toml:1:2: data.books: the pack 'bookshop' has data of this name"):
        load_settings(tmp_path / "sim.toml")


def test_many_variables_in_one_text_are_read_at_once() -> None:
    """An expression that could match in many ways took a minute for thirty of them."""
    assert len(Made.read("{|" + "{{a}}" * 500).pieces) == 501


@given(strategies.text("ab {}|.n\\", max_size=30))
def test_any_text_is_read_or_refused_in_a_sentence(text: str) -> None:
    for read in (Made.read, Rule.read):
        said = "expected"
        try:
            read(text)
        except ValueError as error:
            said = str(error)
        assert said.startswith("expected")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(
    rows=strategies.integers(1, 40),
    count=strategies.integers(1, 9),
    short=strategies.sampled_from(["cycle", "vary"]),
    number=strategies.integers(1, 60),
)
def test_no_hand_holds_a_row_twice(tmp_path: Path, rows: int, count: int, short: str, number: int) -> None:
    listed = ", ".join(f'"Row {row}"' for row in range(rows))
    project(tmp_path, f'[data.tools]\nrows = [{listed}]\ncount = {count}\nshort = "{short}"\n')
    persona: Persona = load_persona(tmp_path / "gardener.yaml")
    hand = draw_identity(persona, seed=1, number=number).texts("tool")
    assert len(set(hand)) == len(hand) == min(count, rows)


@pytest.mark.parametrize("counts", [(2, 2), (3, 1), (1, 3)])
def test_personas_that_act_together_share_no_row_until_all_are_dealt(tmp_path: Path, counts: tuple[int, int]) -> None:
    """Who has the most users begins elsewhere than the other one, and takes its last rows last."""
    made = '[data.notes]\ncount = 2\nmake = { title = "Note {{n}}" }\n'
    project(tmp_path, TOOLS + made, tools_csv=CSV)
    one = load_persona(tmp_path / "gardener.yaml")
    beside = [Beside.of(each.model_dump()) for each in (one, one.model_copy(update={"persona": "helper"}))]
    people = [
        draw_identity(one.model_copy(update={"persona": name}), seed="7", number=number, beside=beside)
        for name, count in zip(("gardener", "helper"), counts, strict=True)
        for number in range(1, count + 1)
    ]
    assert len({title for each in people for title in values(each, "tool", "title")}) == 12
    assert len({text for each in people for text in values(each, "note", "title")}) == 8
    alone = draw_identity(one, seed="7", number=1)
    assert draw_identity(one, seed="7", number=1, beside=beside[:1]) == alone


def test_rows_that_users_before_had_are_dealt_last_to_several_personas(tmp_path: Path) -> None:
    project(tmp_path, TOOLS, tools_csv=CSV)
    one = load_persona(tmp_path / "gardener.yaml")
    before = [each.as_dealt() for each in users(tmp_path, 2)]
    had = {title for each in users(tmp_path, 2) for title in values(each, "tool", "title")}
    beside = [Beside.of(each.model_dump()) for each in (one, one.model_copy(update={"persona": "helper"}))]
    fresh = [
        draw_identity(one.model_copy(update={"persona": name}), seed="8", number=1, before=before, beside=beside)
        for name in ("gardener", "helper")
    ]
    titles = [title for each in fresh for title in values(each, "tool", "title")]
    assert len(set(titles)) == 6
    assert not had.intersection(titles)
