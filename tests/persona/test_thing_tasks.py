"""Tasks that every site has for its things, as persona files and recordings hold them, and how wrong ones are told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.agent.site_things.known import provided, rows_needed, things_of
from simulator.agent.site_things.plan import Aim, Change, Sets, plan_things
from simulator.config import Site, load_settings
from simulator.domain import Pack, TaskBase
from simulator.domain.loading import given
from simulator.domain.tasks import ForeignTask
from simulator.errors import PersonaError
from simulator.persona import Persona, draw_population, load_persona, persona_schema
from simulator.persona.files import as_yaml
from simulator.persona.population import mix
from simulator.persona.tasks import RECORDED, task_types

HEAD = "persona: asker\nabout: Asks.\nlocale: en_GB\ntasks:\n"
SITE = """
packs = []

[site.desk]
base_url = "http://127.0.0.1:1"

[site.desk.things.ticket]
create = "/tickets/new"
list = "/tickets"
data = "tickets"
edit = { fields = ["priority"] }
delete = true
react = [{ button = "Vote", once = true }, { button = "Flag" }]
message = { field = "Comment", data = "comments" }

[site.desk.things.tag]
create = "/tags/new"
data = "tags"

[site.desk.things.label]
create = "/labels/new"
list = "/labels"
data = "labels"
fields = ["name", "size"]
edit = { fields = ["colour"] }

[data.labels]
rows = [{ name = "bug", color = "red" }]

[data.tickets]
rows = [
  { title = "Pump leaks", priority = "urgent" }, { title = "Valve stuck", priority = "low" },
  { title = "Heater off", priority = "urgent" }, { title = "Sensor lost", priority = "low" },
]

[data]
comments = ["The same here.", "Try again."]
tags = ["red", "green"]
"""


class Browse(TaskBase):
    """Look around."""

    task_type: str = "browse"
    pages: int = 1


SHOP = Pack(name="shop", version="1", api=1, tasks=(Browse,))


def persona(*tasks: object) -> Persona:
    return Persona.model_validate({"persona": "asker", "about": "Asks.", "locale": "en_GB", "tasks": list(tasks)})


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sim.toml").write_text(SITE, "utf-8")
    with given(use=()):
        yield load_settings().sites["desk"]


def test_a_name_alone_is_the_thing() -> None:
    short, whole = persona({"create": "ticket"}, {"create": {"thing": "ticket", "count": 1}}).tasks
    assert short == whole
    assert short.task_type == "site.create"


def test_a_pack_in_use_has_the_name_and_the_other_one_is_written_in_full() -> None:
    with given(SHOP, use=("shop",)):
        assert {"browse", "site.browse", "create"} <= {*task_types()}
        own, of_site = persona({"browse": {"pages": 2}}, {"site.browse": "ticket"}).tasks
        assert type(own) is Browse
        assert persona("browse", {"browse": "ticket"}, {"browse": {"thing": "ticket"}}).tasks == (
            Browse(),
            of_site,
            of_site,
        )
        forms = persona_schema()["$defs"]["Task"]["anyOf"]
        assert "browse" in forms[0]["enum"]
        assert len([one for one in forms[1:] if "browse" in one["properties"]]) == 2
        recorded = persona({"browse": {"pages": 2}}, {"site.browse": "ticket"}).model_dump(mode="json")
        assert Persona.model_validate(recorded, context=RECORDED).tasks == (own, of_site)
    with given(use=()):
        foreign, known = Persona.model_validate(recorded, context=RECORDED).tasks
        assert isinstance(foreign, ForeignTask)
        assert known == of_site
        assert persona({"browse": "ticket"}).tasks == (of_site,)


def test_what_is_written_as_yaml_is_read_again(tmp_path: Path) -> None:
    with given(use=()):
        mine = persona("register", {"create": {"thing": "ticket", "count": 3}}, {"browse": {"thing": "ticket"}})
        (tmp_path / "a.yaml").write_text(as_yaml(mine), "utf-8")
        assert load_persona(tmp_path / "a.yaml") == mine


def test_the_schema_takes_a_name_or_parameters() -> None:
    with given(use=()):
        names, *rest = persona_schema()["$defs"]["Task"]["anyOf"]
        assert names["enum"] == ["register", "login", "visit", "logout"]
        forms = {
            key: one["properties"][key]["anyOf"]
            for one in rest
            for key in one["properties"]
            if key in task_types() and "anyOf" in one["properties"][key]
        }
    assert {*forms} == {"create", "edit", "delete", "browse", "react", "comment"}
    assert [one["type"] for one in forms["create"]] == ["string", "object"]
    assert {*forms["react"][1]["properties"]} == {"thing", "count", "query", "button"}


WRONG = [
    ("create: tickt", "thing", "5:13", "the site 'desk' has no thing 'tickt'; did you mean 'ticket'?"),
    ("create: {thing: horse}", "thing", "5:21", "the site 'desk' has no thing 'horse'; known are ticket, tag, label"),
    ("delete: tag", "thing", "5:13", "a tag has no 'delete' on the site 'desk'; write it in [site.desk.things.tag]"),
    ("browse: tag", "thing", "5:13", "a tag has no 'list' on the site 'desk'; write it in [site.desk.things.tag]"),
    (
        "edit: label",
        "thing",
        "5:11",
        "'edit.fields' of [site.desk.things.label] names 'colour', which no row of 'labels' has; did you mean 'color'?",
    ),
    (
        "create: {thing: label}",
        "thing",
        "5:21",
        "'fields' of [site.desk.things.label] names 'size', which no row of 'labels' has; they have name, color",
    ),
    (
        "react: {thing: ticket, button: Like}",
        "button",
        "5:36",
        "no reaction to a ticket is 'Like'; known are Vote, Flag",
    ),
    (
        "create: {thing: ticket, count: 5}",
        "count",
        "5:36",
        "each user needs 5 rows of 'tickets', one for each thing, change or comment, and gets 4; add rows to "
        "[data.tickets], or make them there",
    ),
]


@pytest.mark.parametrize(("task", "key", "place", "said"), WRONG)
def test_what_the_site_lacks_is_told_with_its_place(
    site: Site, tmp_path: Path, task: str, key: str, place: str, said: str
) -> None:
    path = tmp_path / "asker.yaml"
    path.write_text(f"{HEAD}  - {task}\n", "utf-8")
    with pytest.raises(PersonaError) as wrong:
        provided(load_persona(path), site)
    name = task.partition(":")[0]
    assert str(wrong.value) == f"persona 'asker': {path}:{place}: tasks.0.{name}.{key}: {said}"


def test_users_get_the_rows_that_their_tasks_need(site: Site) -> None:
    mine = persona(
        {"create": {"thing": "ticket", "count": 2}}, {"edit": "ticket"}, {"comment": {"thing": "ticket", "count": 2}}
    )
    assert rows_needed(mine, things_of(site)) == {"tickets": 3, "comments": 2}
    assert provided(mine, site).data == {"tickets": 3, "comments": 2}
    said = mine.model_copy(update={"data": {"tickets": 4}})
    assert provided(said, site).data == {"tickets": 4, "comments": 2}
    few = mine.model_copy(update={"data": {"tickets": 2}})
    with pytest.raises(PersonaError, match=r"needs 3 rows of 'tickets', .* and gets 2"):
        provided(few, site)


def test_whom_users_deal_with_is_drawn_from_those_before_and_never_what_goes(site: Site) -> None:
    maker = persona({"create": {"thing": "ticket", "count": 2}}, {"edit": "ticket"}, {"delete": "ticket"})
    reader = persona(
        {"react": {"thing": "ticket", "count": 3}}, {"comment": {"thing": "ticket", "count": 2, "query": "urgent"}}
    ).model_copy(update={"persona": "reader"})
    people = [provided(one, site) for one in (maker, reader)]
    drawn = draw_population(people, 8, 7)
    by_name = {one.persona: one for one in people}
    population = [(by_name[one.persona], one) for one in drawn]
    assert [one.persona for one in mix(people, 8)] == [one.persona for _, one in population]
    sets = {"ticket": Sets("tickets", "comments")}
    plans = plan_things(population, "7", sets)
    assert plans == plan_things(population, "7", sets)
    assert plan_things(population[:5], "7", sets) == {number: plans[number] for number in range(1, 6)}
    for number, (one, _) in enumerate(population, start=1):
        plan = plans[number]
        if one.persona == "asker":
            assert (plan.made, plan.changed, plan.deleted) == ({1: (1, 2)}, {2: (Change(1, 3),)}, {3: (2,)})
            continue
        before = [
            Aim(at, 1) for at, (who, _) in enumerate(population, start=1) if who.persona == "asker" and at < number
        ]
        assert {*plan.aims[1]} <= {*before}
        assert len(plan.aims[1]) == min(3, len(before))
        urgent = [
            aim for aim in before if population[aim.user - 1][1].rows("ticket")[0].values()["priority"] == "urgent"
        ]
        assert {*plan.aims[2]} <= {*urgent}
        assert plan.texts[2] == tuple(range(1, len(plan.aims[2]) + 1))
