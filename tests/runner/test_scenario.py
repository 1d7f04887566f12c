"""A scenario file: waves of users, of whom the later ones deal with those before; the same site by the same seed."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest

from simulator.cli.main import main
from simulator.domain.loading import given
from simulator.runner.seeding.scenario import read_scenario
from simulator.testing import serve

pytestmark = [pytest.mark.timeout(900), pytest.mark.promise("users of a persona or a scenario")]
EXAMPLE = Path(__file__).parents[2] / "examples" / "packs" / "helpdesk"
Sim = Callable[..., tuple[int, str, str]]
WAVES = """
site = "helpdesk"
seed = 21

[[wave]]
users = { asker = %d }

[[wave]]
name = "helpers"
from = ["%s"]
count = 2
deals_with = ["asker"]
"""


@pytest.fixture
def site() -> Iterator[str]:
    with serve([sys.executable, EXAMPLE / "helpdesk_site.py", "0"]) as url:
        yield url


@pytest.fixture
def sim(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Sim]:
    """The program in a project of the helpdesk."""
    monkeypatch.syspath_prepend(EXAMPLE)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of the helpdesk")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "personas").mkdir()
    for file in (EXAMPLE / "personas").iterdir():
        (tmp_path / "personas" / file.name).write_text(file.read_text("utf-8"), "utf-8")
    settings = (EXAMPLE / "sim.toml").read_text("utf-8").replace("http://127.0.0.1:8770", site)
    (tmp_path / "sim.toml").write_text(settings, "utf-8")

    def call(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(list(words))
        return code, *capsys.readouterr()

    with given(import_module("helpdesk_pack").PACK):
        yield call


def held(site: str) -> Any:
    """What the site holds, but for numbers and times."""
    return httpx.get(f"{site}/state").json()


def test_waves_make_the_same_site_and_deal_with_those_before(sim: Sim, site: str, tmp_path: Path) -> None:
    code, out, said = sim("personas", "run", "asker", "helper", "--count", "2", "--seed", "7", "--json")
    assert code == 0, said
    batch = json.loads(out)["batch_id"]
    file = tmp_path / "seed.toml"
    file.write_text(WAVES % (2, batch), "utf-8")

    made = []
    for concurrency in ("1", "3"):
        manifest = f"users{concurrency}.json"
        code, out, said = sim(
            "seed", "seed.toml", "--reset", "--json", "--concurrency", concurrency, "--manifest", manifest
        )
        assert code == 0, said + out
        waves = json.loads(out)["waves"]
        assert [(one["wave"], one["result"]["seeded"]["passed"]) for one in waves] == [(1, 2), (2, 2)]
        names = {user["username"] for wave in json.loads(Path(manifest).read_text())["waves"] for user in wave["users"]}
        made.append(held(site))
        assert names == {*made[-1]["users"]}
    first, second = made
    assert first == second
    assert len(first["users"]) == 4
    comments = [(ticket["by"], *one) for ticket in first["tickets"] for one in ticket["comments"]]
    assert len(comments) == 2
    assert len({by for by, *_ in comments}) == 2, "each helper deals with another user of the wave before"
    assert not {by for by, *_ in comments} & {who for _, who, _ in comments}

    code, out, said = sim("seed", "seed.toml", "--ensure", "--json")
    assert code == 0, said + out
    assert held(site) == first, "all of them are there"
    file.write_text(WAVES % (3, batch), "utf-8")
    code, out, said = sim("seed", "seed.toml", "--ensure")
    assert code == 0, said + out
    assert len(held(site)["users"]) == 5
    assert "wave 2 (helpers): 2 of " in out

    # A wave that nobody could deal in, and users whom the seed would draw twice, are told before anybody begins.
    file.write_text(WAVES.replace('deals_with = ["asker"]', 'deals_with = ["helper"]') % (1, batch), "utf-8")
    code, out, said = sim("seed", "seed.toml")
    assert (code, out) == (2, "")
    assert "sim: seed.toml:10:1: deals_with: no wave before makes a user of 'helper'" in said
    twice = WAVES.partition("\n[[wave]]\nname")[0].replace("%d }", f"2, '{batch}' = 2 }}")
    file.write_text(twice, "utf-8")
    code, out, said = sim("seed", "seed.toml")
    assert (code, out) == (2, "")
    assert "users of 'asker' are made by wave 1: 2 of asker, too" in " ".join(said.split())
    assert len(held(site)["users"]) == 5


@pytest.mark.table
def test_users_make_as_many_things_as_the_seed_has_it(sim: Sim, site: str, tmp_path: Path) -> None:
    code, out, said = sim("personas", "run", "asker", "--seed", "7", "--json")
    assert code == 0, said
    run = json.loads(out)["runs"][0]["run_id"]
    (tmp_path / "seed.toml").write_text(
        f'seed = 5\n[[wave]]\nusers = {{ "{run}" = 5 }}\nnumbers = {{ tickets = "0..6" }}\n', "utf-8"
    )
    code, out, said = sim("seed", "seed.toml", "--plan", "--json")
    assert code == 0, said
    planned = {one["username"]: one["numbers"]["tickets"] for one in json.loads(out)["waves"][0]["plan"]["shown"]}
    assert len({*planned.values()}) > 1
    assert min(planned.values()) >= 1, "who closes the first ticket has opened it"
    assert max(planned.values()) > 2, "more than were recorded"
    for concurrency in ("1", "3"):
        code, out, said = sim("seed", "seed.toml", "--reset", "--require-proof", "--concurrency", concurrency)
        assert code == 0, said + out
        tickets = held(site)["tickets"]
        assert Counter(one["by"] for one in tickets) == planned
        assert Counter(one["by"] for one in tickets if one["state"] == "closed") == dict.fromkeys(planned, 1)
        assert len({one["title"] for one in tickets}) == len(tickets)
    code, out, said = sim("runs", "verify-site", "last")
    assert code == 0, out

    for numbers, why in (
        ("remarks=0..3", "numbers: remarks: nobody was recorded who does the same steps"),
        ("chairs=0..3", "numbers: there is no data set 'chairs'"),
        ("tickets=3", "--numbers tickets: expected a range of whole numbers"),
    ):
        code, out, said = sim("seed", run, "--count", "3", "--numbers", numbers)
        assert (code, out) == (2, "")
        assert why in " ".join(said.split())


@pytest.mark.table
def test_a_persona_says_how_often_its_users_do_what_repeats(sim: Sim, site: str, tmp_path: Path) -> None:
    assert sim("personas", "run", "asker", "--seed", "7")[0] == 0
    file = tmp_path / "personas" / "asker.yaml"
    usual = file.read_text("utf-8")

    def planned(*words: str) -> list[int]:
        code, out, said = sim("seed", *words, "--plan", "--json")
        assert code == 0, said
        shown = json.loads(out).get("waves", [{"plan": json.loads(out)}])[0]["plan"]["shown"]
        return [one["numbers"].get("tickets", 2) for one in shown]

    asked = ("asker", "--count", "5", "--seed", "5")
    assert planned(*asked) == [2] * 5, "as many as were recorded"
    file.write_text(f"{usual}numbers: {{tickets: 3..6}}\n", "utf-8")
    drawn = planned(*asked)
    assert min(drawn) >= 3
    assert len({*drawn}) > 1
    assert planned(*asked, "--numbers", "tickets=1..1") == [1] * 5, "the option goes before the file"
    (tmp_path / "seed.toml").write_text("seed = 5\n[[wave]]\nusers = { asker = 5 }\n", "utf-8")
    assert planned("seed.toml") == drawn
    code, _, said = sim("seed", *asked, "--reset", "--on-drift", "heal")
    assert (code, "'numbers' of a persona performs something else" in " ".join(said.split())) == (2, True), said
    code, _, said = sim("seed", *asked, "--reset")
    assert code == 0, said
    assert sorted(Counter(one["by"] for one in held(site)["tickets"]).values()) == sorted(drawn)

    # What was recorded counts for a run, what the file says now for its persona.
    assert sim("personas", "run", "asker", "--seed", "8")[0] == 0
    assert min(planned("last", "--count", "5", "--seed", "5")) >= 3
    file.write_text(usual, "utf-8")
    assert planned(*asked) == [2] * 3, "two of the five have recorded and proved it"
    assert min(planned("last", "--count", "5", "--seed", "5")) >= 3


HEAD = "seed = 1\n[[wave]]\nusers = { asker = 2 }\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "seed.toml:1:1: seed: the key is missing above the first table"),
        ("seed = 1\n", "seed.toml:1:1: wave: the file has no table [[wave]]"),
        ("seed = 1\nwave = []\n", "seed.toml:2:8: wave: expected at least one value, found []"),
        ("seed = 1\n[[wave]\n", "seed.toml:2:"),
        (HEAD.replace("2 }", '"two" }'), "seed.toml:3:19: wave.0.users.asker: expected a whole number, found 'two'"),
        (HEAD.replace("2 }", "0 }"), "seed.toml:3:19: wave.0.users.asker: expected a number above 0, found 0"),
        (HEAD.replace("users", "usres"), "seed.toml:3:1: wave.0.usres: unknown key; did you mean 'users'?"),
        (HEAD + 'from = ["asker"]\n', "seed.toml:2:3: wave.0: expected either users"),
        (HEAD + "numbers = { tickets = '9' }\n", "seed.toml:4:23: wave.0.numbers.tickets: expected a range of whole"),
        (HEAD + "count = 3\n", "seed.toml:2:3: wave.0: 'count' and 'mix' belong to 'from'"),
        ('seed = 1\n[[wave]]\nfrom = ["asker"]\n', "seed.toml:2:3: wave.0: expected 'count' beside 'from'"),
        ('site = "nowhere"\n' + HEAD, "seed.toml:1:1: there is no site 'nowhere'"),
        (HEAD.replace("asker", "ascer"), "seed.toml:3:11: "),
        (HEAD + '[data.tools]\nfile = "tools.txt"\n', "seed.toml:4:2: data.tools: expected a file that ends with"),
    ],
)
def test_mistakes_are_told_with_their_place(sim: Sim, site: str, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "seed.toml").write_text(text, "utf-8")
    code, out, error = sim("seed", "seed.toml", "--plan")
    assert (code, out) == (2, ""), error
    assert f"sim: {said}" in " ".join(error.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--count", "3"], "--count: a scenario file says that itself"),
        (["--mix", "asker=1"], "--mix: a scenario file says that itself"),
        (["--ensure", "3"], "--ensure takes no number here"),
        (["last"], "seed.toml is a scenario: it stands alone"),
        (["--junit", "out.xml"], "seed.toml is a scenario: it stands alone"),
    ],
)
def test_what_the_file_says_is_no_option(sim: Sim, tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "seed.toml").write_text(HEAD, "utf-8")
    code, out, error = sim("seed", "seed.toml", *words)
    assert (code, out) == (2, "")
    assert said in " ".join(error.split())


def test_each_wave_has_a_seed_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "seed.toml"
    file.write_text(HEAD + '[[wave]]\nusers = { asker = 2 }\n[[wave]]\nname = "late"\nusers = { asker = 2 }\n', "utf-8")
    assert [group.seed for group in read_scenario(file).groups()] == ["1", "1.2", "1.late"]
    assert [group.seed for group in read_scenario(file).groups("7")] == ["7", "7.2", "7.late"]
