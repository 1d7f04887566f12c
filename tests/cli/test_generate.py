"""What a model makes once: rows of a data set and personas, from answers that are not all good."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.cli.main import main
from simulator.persona import load_personas
from tests.fakes.messages_api import KEY, MODEL, MessagesApi, Reply, Request, call, messages_api, say

PRICES = f'[models."{MODEL}"]\ninput = 3\ncache_write = 4\ncache_read = 0.3\noutput = 15\n'


class Scripted:
    """A model that gives one list after another, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answers: list[Reply] = []
        self.asked: list[str] = []

    def __call__(self, request: Request) -> Reply:
        self.asked.append("\n".join(str(block["text"]) for _, content in request.turns for block in content))
        return self.answers.pop(0)


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    scripted = Scripted()
    with messages_api(scripted) as api:
        assert isinstance(api, MessagesApi)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        (tmp_path / "sim.toml").write_text(PRICES, "utf-8")
        yield scripted


def give(*things: object) -> Reply:
    return call("give", things=list(things))


def tool(number: int, **changes: object) -> dict[str, object]:
    return {"title": f"Spade {number}", "price": 10.5 + number, "category": "Digging", **changes}


def generate(*words: str) -> int:
    return main(
        ["data", "generate", "garden tools", "--fields", "title,price:number,category", "--to", "data/tools.csv",
         "--agent", "claude", "--model", MODEL, *words]
    )  # fmt: skip


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "data" / "tools.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_rows_are_checked_and_no_two_are_alike(
    model: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model.answers = [
        give(
            tool(1), tool(1, title="SPADE, 1"), tool(2, price="nine"), tool(3, title=""), tool(4, colour="red"),
            "Spade 5",
            tool(6, title="{{secret.password}}"), tool(7, price="17.50", title='Rake, "wide"'),
        ),
        say("Here you are."),
        give(tool(8), tool(9), tool(10)),
    ]  # fmt: skip
    assert generate("--count", "4") == 0
    out = capsys.readouterr()
    assert [row["title"] for row in rows(tmp_path)] == ["Spade 1", 'Rake, "wide"', "Spade 8", "Spade 9"]
    assert [float(row["price"]) for row in rows(tmp_path)] == [11.5, 17.5, 18.5, 19.5]
    assert "made 4 rows in data/tools.csv; 3 answers; 6 refused; cost: 0." in out.out
    assert "tokens to read" in out.err
    assert "USD" in out.err
    assert "Make 4 more of these: garden tools" in model.asked[0]
    for told in ("there is one called 'SPADE, 1' already", "price: expected a number", "'title' is missing",
                 "'colour' is none", "expected a row with fields", "without braces"):  # fmt: skip
        assert told in model.asked[1], told
    assert "Make 2 more" in model.asked[1]
    assert "- Spade 1\n" in model.asked[1]


def test_rows_that_are_there_are_kept_and_counted(
    model: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model.answers = [give(tool(1), tool(2)), give(tool(2), tool(3))]
    assert generate("--count", "2") == 0
    assert generate("--count", "3", "--json") == 0
    told = json.loads(capsys.readouterr().out.split("\n", 1)[1])
    assert (told["there"], told["made"], told["refused"], told["ended"]) == (2, 1, 1, "")
    assert [row["title"] for row in rows(tmp_path)] == ["Spade 1", "Spade 2", "Spade 3"]
    assert generate("--count", "3") == 0
    assert len(model.asked) == 2, "a file that has enough asks nobody"
    (tmp_path / "data" / "tools.csv").write_text("title,price\nSpade,1\n", "utf-8")
    assert generate("--count", "3") == 2
    assert "tools.csv" in capsys.readouterr().err


def test_a_model_that_gives_nothing_new_is_asked_no_more(
    model: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model.answers = [give(tool(1)), give(tool(1)), say("No."), give()]
    assert generate("--count", "9") == 1
    assert "1 of 9: 3 answers in a row gave nothing new" in capsys.readouterr().out
    assert len(rows(tmp_path)) == 1, "what there is stays"


def test_a_limit_of_money_ends_it(model: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.answers = [give(tool(1))]
    assert generate("--count", "9", "--limit-money", "0.000001") == 1
    assert "is used up" in capsys.readouterr().out
    assert len(rows(tmp_path)) == 1


def test_a_limit_of_money_needs_prices(model: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sim.toml").write_text("", "utf-8")
    assert generate("--count", "9", "--limit-money", "1") == 2
    assert "nobody knows what" in capsys.readouterr().err
    assert not model.asked


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--fields", "title,Price"], "--fields: expected different names of small letters"),
        (["--fields", "title,title"], "--fields: expected different names"),
        (["--fields", "title:colour"], "'title' is to be of the kind 'colour'; known are text, number"),
        (["--to", "tools.txt"], "expected a file that ends with .csv or .jsonl"),
    ],
)
def test_a_wrong_option_is_refused(
    model: Scripted, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate(*words) == 2
    assert told in capsys.readouterr().err
    assert not model.asked


def persona(name: str, **changes: object) -> dict[str, object]:
    return {
        "persona": name, "about": f"{name} looks for tools.", "locale": "pl_PL", "weight": 2, "pace": "slow",
        "patience": "low", "tasks": ["register", "Look for a spade and write to who offers it."], **changes,
    }  # fmt: skip


def test_personas_are_valid_and_different(model: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.answers = [
        give(
            persona("digger"), persona("digger"), persona("Raker"), persona("hoer", locale="xx_XX"),
            persona("weeder", tasks=["Look around."]), persona("mower", traits={}), persona("pruner", tasks=[]),
        ),
        give(persona("planter", locale="de_DE", weight=0.5)),
    ]  # fmt: skip
    words = ["personas", "generate", "a market for tools", "--count", "2", "--agent", "claude", "--model", MODEL]
    assert main(words) == 0
    assert "made 2 personas in personas; 2 answers; 6 refused" in capsys.readouterr().out
    personas = load_personas(tmp_path / "personas")
    assert [(one.persona, one.locale, one.weight) for one in personas.values()] == [
        ("digger", "pl_PL", 2.0),
        ("planter", "de_DE", 0.5),
    ]
    assert [task.task_type for task in personas["digger"].tasks] == ["register", "do"]
    assert personas["digger"].traits.pace == "slow"
    for told in (
        "there is one called 'digger' already",
        "locale: expected a locale",
        "expected 'register' as the first",
    ):
        assert told in model.asked[1], told
    assert main(["personas", "check", "--json"]) == 0
