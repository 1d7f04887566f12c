"""What comes with the package: starter personas, catalogue, phrases and the schema for editors."""

import json
from collections import Counter
from importlib import resources

import pytest

from simulator.packs.bookshop.books import CONDITIONS
from simulator.packs.bookshop.catalogue import GENRES, catalogue
from simulator.packs.bookshop.prose import phrases as book_phrases
from simulator.persona import draw_population, persona_schema
from simulator.persona.prose import Phrases, phrases

LANGUAGES = sorted(
    entry.name.removesuffix(".json")
    for entry in resources.files("simulator.persona").joinpath("phrases").iterdir()
    if entry.name.endswith(".json")
)


def test_the_starters_differ_in_what_they_do(starters):
    assert len(starters) >= 8
    assert len({persona.locale for persona in starters.values()}) >= 6
    tasks = [tuple((task.task_type, getattr(task, "count", 1)) for task in one.tasks) for one in starters.values()]
    assert len(set(tasks)) == len(tasks)
    assert all(persona.tasks[0].task_type == "register" for persona in starters.values())
    assert any(not ascii_name(persona.locale) for persona in starters.values())


def ascii_name(locale: str) -> bool:
    return locale[:2] not in {"ja", "el", "ru", "zh", "ko", "uk", "bg", "he", "ar", "hi", "th"}


def test_no_starter_needs_a_model(starters):
    assert not [name for name, one in starters.items() if any(task.task_type == "do" for task in one.tasks)]


def test_nobody_logs_in_while_logged_in_or_acts_while_logged_out(starters):
    for name, persona in starters.items():
        inside = False
        for task in persona.tasks:
            if task.task_type in ("register", "login"):
                assert not inside, name
                inside = True
            elif task.task_type == "logout":
                assert inside, name
                inside = False
            else:
                assert inside, name


def test_nobody_edits_or_deletes_more_than_they_have(starters):
    for name, persona in starters.items():
        own = 0
        for task in persona.tasks:
            if task.task_type == "list_books":
                own += task.count
            elif task.task_type == "edit_listing":
                assert task.count <= own, name
            elif task.task_type == "delete_listing":
                own -= task.count
                assert own >= 0, name


def test_twenty_starters_do_every_deed_and_leave_forty_listings(starters):
    done: Counter[str] = Counter()
    for one in draw_population(starters.values(), 20, seed=7):
        for task in starters[one.persona].tasks:
            done[task.task_type] += getattr(task, "count", 1)
    assert done["list_books"] - done["delete_listing"] >= 40
    for task_type in (
        "message_seller",
        "create_matchup",
        "vote",
        "save_listings",
        "edit_listing",
        "delete_listing",
        "login",
    ):
        assert done[task_type] > 0, task_type


def test_a_matchup_is_there_for_every_vote_of_a_voter(starters):
    pairs = votes = 0
    for one in draw_population(starters.values(), 20, seed=7):
        counts = {task.task_type: getattr(task, "count", 1) for task in starters[one.persona].tasks}
        pairs += counts.get("create_matchup", 0)
        votes = max(votes, counts.get("vote", 0))
    assert pairs >= votes


def test_the_catalogue_holds_different_books_of_known_genres():
    titles = catalogue()
    assert len(titles) >= 120
    assert len({(title.title, title.author) for title in titles}) == len(titles)
    assert len({title.title for title in titles}) == len(titles)
    assert {title.genre for title in titles} == set(GENRES)
    assert len({title.language for title in titles}) >= 8
    assert all(1400 < title.year < 1950 and title.title.strip() == title.title for title in titles)
    assert all(len(title.title) <= 100 and len(title.author) <= 100 for title in titles)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_every_phrase(language):
    wording, own = book_phrases(language), phrases(language)
    assert set(CONDITIONS) <= set(wording.conditions)
    for name, value in [*wording._asdict().items(), *own._asdict().items()]:
        assert value or name == "joint", name
    values = {"title": "T", "author": "A", "year": 1900, "name": "N", "city": "C"}
    for name in ("books", "extras", "closings", "greetings", "messages", "farewells"):
        assert all(sentence.format(**values) for sentence in getattr(wording, name))
    assert all(sentence.format(**values) for sentence in own.bios)
    assert all("{name}" in farewell for farewell in wording.farewells)
    assert "{title}" in wording.about


def test_a_language_without_phrases_is_worded_in_english():
    assert phrases("zu") == phrases("en")
    assert book_phrases("zu") == book_phrases("en")
    assert isinstance(phrases("ja"), Phrases)


def test_the_schema_shows_how_tasks_are_written():
    schema = persona_schema()
    assert json.loads(json.dumps(schema)) == schema
    assert set(schema["required"]) == {"persona", "about", "locale", "tasks"}
    assert schema["additionalProperties"] is False
    plain, *forms = schema["$defs"]["Task"]["anyOf"]
    assert "register" in plain["enum"]
    assert "do" not in plain["enum"]
    by_name = {form["required"][0]: form["properties"][form["required"][0]] for form in forms}
    assert by_name["list_books"]["properties"]["count"]["exclusiveMinimum"] == 0
    assert by_name["do"]["type"] == "string"
    assert all(field.get("description") for field in schema["properties"].values())
    references = set(json.dumps(schema).split('"#/$defs/')[1:])
    assert {reference.split('"')[0] for reference in references} == set(schema["$defs"])
