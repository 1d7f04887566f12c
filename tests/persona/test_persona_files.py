"""Reading persona files: what is accepted, and how each mistake is told."""

# ruff: noqa: E501 (a row of the table of mistakes stays on one line)

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.errors import PersonaError
from simulator.persona import (
    Persona,
    check_persona,
    describe_persona,
    load_persona,
    load_personas,
    select_personas,
    starter_personas,
)
from simulator.yaml_source import SIZE_LIMIT, SourceError, parse_source

pytest.importorskip("simulator.packs.bookshop", reason="its personas list books")

BASE = """\
persona: collector
about: Retired teacher.
locale: en_GB
tasks:
  - register
  - list_books: {count: 3, query: classic crime}
"""


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str | bytes, name: str = "collector.yaml") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_a_file_gives_a_persona_with_defaults(write):
    persona = load_persona(write(BASE))
    assert persona.persona == "collector"
    assert persona.zone == "Europe/London"
    assert persona.weight == 1
    assert persona.traits.pace == "normal"
    assert [task.task_type for task in persona.tasks] == ["register", "list_books"]
    assert (persona.tasks[1].count, persona.tasks[1].query) == (3, "classic crime")


def test_every_form_of_a_task_is_read(write):
    tasks = "  - login\n  - vote:\n  - browse: {pages: 2, genre: Crime}\n  - do: Say something kind.\n  - logout\n"
    persona = load_persona(write(BASE + tasks))
    assert [task.task_type for task in persona.tasks[2:]] == ["login", "vote", "browse", "do", "logout"]
    assert persona.tasks[3].count == 1
    assert persona.tasks[5].text == "Say something kind."


def test_genres_are_known_in_any_spelling(write):
    persona = load_persona(write(BASE + "tastes: {genres: [crime, SCIENCE-FICTION, science fiction]}\n"))
    assert persona.tastes.genres == ("Crime", "Science fiction", "Science fiction")


@pytest.mark.parametrize(
    ("change", "place", "told"),
    [
        (("count: 3", "count: three"), "6:25", "tasks.1.list_books.count: expected a whole number above 0, found 'three'"),
        (("count: 3", "count: 0"), "6:25", "tasks.1.list_books.count: expected a whole number above 0, found 0"),
        (("count: 3", "count: true"), "6:25", "tasks.1.list_books.count: expected a whole number above 0, found true"),
        (("count: 3", "count: 1000"), "6:25", "tasks.1.list_books.count: expected a whole number of at most 100, found 1000"),
        (("count: 3", "cuont: 3"), "6:18", "tasks.1.list_books.cuont: unknown key 'cuont'; did you mean 'count'?"),
        (("- register", "- regster"), "5:5", "tasks.0: unknown task 'regster'; did you mean 'register'?"),
        (("- register", "- register: 5"), "5:5", "tasks.0: expected no parameters after 'register', found 5"),
        (("- register", "- do:"), "5:5", "tasks.0: expected 'do' to be followed by what to do, in plain words"),
        (("- register", "- [register]"), "5:5", "tasks.0: expected a task: its name, or its name with parameters"),
        (("tasks:", "taks:"), "4:1", "taks: unknown key 'taks'; did you mean 'tasks'?"),
        (("tasks:", "taks:"), "1:1", "tasks: missing; expected a list with at least one item"),
        (("locale: en_GB", "locale: en-GB"), "3:9", "expected a locale such as en_GB or ja_JP, found 'en-GB'; did you mean 'en_GB'?"),
        (("locale: en_GB", "locale: [en_GB]"), "3:9", "locale: expected some text, found a list"),
        (("locale: en_GB", "locale: en_GB\ntimezone: Europe/Lodnon"), "4:11", "did you mean 'Europe/London'?"),
        (("locale: en_GB", "locale: zu_ZA"), "1:1", "expected 'timezone' too, as none is known for locale 'zu_ZA'"),
        (("locale: en_GB", "locale: en_GB\nweight: 0"), "4:9", "weight: expected a number above 0, found 0"),
        (("locale: en_GB", "locale: en_GB\ntraits: {pace: quick}"), "4:16", "traits.pace: expected one of slow, normal, fast, found 'quick'"),
        (("locale: en_GB", "locale: en_GB\ntraits: {typo_rate: 0.3}"), "4:21", "traits.typo_rate: expected a number from 0 to 0.2, found 0.3"),
        (("locale: en_GB", "locale: en_GB\ntraits: fast"), "4:9", "traits: expected a mapping with keys such as pace, patience, typo_rate, skips_optional, found 'fast'"),
        (("locale: en_GB", "locale: en_GB\ntastes: {genres: [crme]}"), "4:19", "tastes.genres.0: unknown genre 'crme'; did you mean 'Crime'?"),
        (("locale: en_GB", "locale: en_GB\ntastes: {price: {min: 9, max: 3}}"), "4:17", "tastes.price: expected min to be at most max, found min 9 and max 3"),
        (("locale: en_GB", "locale: en_GB\ntastes: {price: {currency: euro}}"), "4:28", "tastes.price.currency: expected a currency code such as EUR, found 'euro'"),
        (("locale: en_GB", "locale: en_GB\nlimits: {minutes: .inf}"), "4:19", "limits.minutes: expected a number above 0, found inf"),
        (("locale: en_GB", "locale: en_GB\nanswers: {age: 34}"), "4:16", "answers.age: expected some text, found 34"),
        (("locale: en_GB", "locale: en_GB\nnumbers: {books: some}"), "4:18", "numbers.books: expected a range of whole numbers, such as 0..10, found 'some'"),
        (("locale: en_GB", "locale: en_GB\nnumbers: {books: 9..3}"), "4:18", "numbers.books: expected a range of whole numbers, such as 0..10, found '9..3'"),
        (("locale: en_GB", "locale: en_GB\nnumbers: {boks: 0..3}"), "4:10", "numbers: there is no data set 'boks'; did you mean 'books'?"),
        (("persona: collector", "persona: The Collector"), "1:10", "persona: expected a name of lower-case letters, digits, _ and - such as night_owl, found 'The Collector'"),
        (("persona: collector", "persona: collector\npersona: other"), "2:1", "'persona' is given twice; first on line 1"),
        (("  - register", "\t- register"), "5:1", "found a tab; indent with spaces"),
        (("  - register", "  - [register"), "6:15", "not YAML: expected ',' or ']'"),
        (("Retired teacher.", "!!python/object:os.system x"), "2:8", "expected a plain value, found the tag"),
        (("Retired teacher.", "&a x"), "2:8", "anchors such as &a are not supported; write the value out"),
        (("locale: en_GB", "locale: en_GB\n---\nx: 1"), "4:1", "expected one document, found another"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place(write, change, place, told):
    path = write(BASE.replace(*change))
    problems = [str(problem) for problem in check_persona(path).problems]
    matching = [text for text in problems if f"{path}:{place}: " in text and told in text]
    assert matching, problems
    with pytest.raises(PersonaError):
        load_persona(path)


def test_the_error_is_one_line_that_names_persona_file_and_place(write):
    path = write(BASE.replace("count: 3", "count: three"))
    with pytest.raises(PersonaError) as caught:
        load_persona(path)
    assert str(caught.value) == (
        f"persona 'collector': {path}:6:25: tasks.1.list_books.count: expected a whole number above 0, found 'three'"
    )
    assert caught.value.exit_code == 2


def test_a_list_whose_items_are_wrong_is_not_called_too_short(write):
    path = write(BASE.partition("tasks:")[0] + "tasks:\n  - fly\n")
    (problem,) = check_persona(path).problems
    assert "tasks.0: unknown task 'fly'" in str(problem)


def test_all_mistakes_of_a_file_are_found_in_its_order(write):
    path = write(BASE.replace("count: 3", "count: 0").replace("locale: en_GB", "locale: xx_YY\nweigth: 2"))
    checked = check_persona(path)
    assert checked.persona is None
    assert [problem.where for problem in checked.problems] == ["locale", "weigth", "tasks.1.list_books.count"]
    with pytest.raises(PersonaError, match=r"\(and 2 more\)$"):
        load_persona(path)


@pytest.mark.breadth(4)
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "1:1: the file is empty"),
        (b"# nothing but a remark\n", "1:1: the file is empty"),
        ("persona: café\n".encode("latin-1"), "1:13: expected UTF-8 text"),
        (b"persona: \x07\n", "1:10: the file holds a control character"),
        (b"x" * (SIZE_LIMIT + 1), "1:1: expected at most 64 KiB"),
        ("# mine\n%YAML 9.9\n---\n" + BASE, "2:1: expected no %YAML other than '%YAML 1.2'"),
        ("%TAG ! tag:x,1:\n---\n" + BASE, "1:1: expected no %TAG other than '%YAML 1.2'"),
        (BASE.encode("utf-16"), "1:1: expected UTF-8 text, found UTF-16"),
        ("[" * 5000, "1:1: the values are nested too deeply"),
        (b"[" * 20000, "1:1: the values are nested too deeply"),
        (b"just words\n", "expected a mapping with keys such as persona, about, locale, timezone, found 'just words'"),
    ],
)  # fmt: skip
def test_what_is_no_persona_file_is_refused(write, content, told):
    with pytest.raises(PersonaError) as caught:
        load_persona(write(content))
    assert told in str(caught.value)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(PersonaError, match="there is no such file"):
        load_persona(tmp_path / "nobody.yaml")


def test_a_small_file_cannot_unfold_into_a_huge_one():
    layers = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    layers += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    with pytest.raises(SourceError, match="anchors"):
        parse_source("\n".join(layers))


def test_a_folder_is_read_by_name_of_persona(write, tmp_path):
    write(BASE, "z.yaml")
    write(BASE.replace("collector", "archivist"), "y.yml")
    write("not a persona", "notes.txt")
    assert list(load_personas(tmp_path)) == ["archivist", "collector"]


def test_two_files_of_one_name_are_refused(write, tmp_path):
    write(BASE, "a.yaml")
    write(BASE, "b.yaml")
    with pytest.raises(PersonaError, match="both have this name"):
        load_personas(tmp_path)


def test_a_folder_without_personas_is_told(tmp_path):
    with pytest.raises(PersonaError, match="holds no persona file"):
        load_personas(tmp_path)
    with pytest.raises(PersonaError, match="there is no folder"):
        load_personas(tmp_path / "none")


def test_personas_are_selected_by_name_and_near_names_suggested(write, tmp_path):
    write(BASE)
    personas = load_personas(tmp_path)
    assert select_personas(personas, []) == select_personas(personas, ["collector", "collector"])
    with pytest.raises(PersonaError, match="there is no persona 'colector'; did you mean 'collector'"):
        select_personas(personas, ["colector"])


def test_a_persona_survives_being_stored(write):
    for persona in [load_persona(write(BASE)), *load_personas(starter_personas()).values()]:
        assert Persona.model_validate(persona.model_dump(mode="json")) == persona
        assert Persona.model_validate_json(persona.model_dump_json()) == persona


def test_a_description_names_what_the_persona_does(write):
    text = describe_persona(load_persona(write(BASE)))
    assert "collector: Retired teacher." in text
    assert "2. list_books (count 3, query classic crime)" in text


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcdef ", max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(PLAIN)
def test_plain_values_are_read_as_written(value):
    # JSON is YAML but for characters beyond the BMP, which it escapes as surrogate pairs.
    assert parse_source(json.dumps(value)).value == value


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_with_a_place(text):
    try:
        position = parse_source(text).position
    except SourceError as error:
        position = error.position
    assert 1 <= position.line <= text.count("\n") + text.count("\r") + 2
    assert position.column >= 1
