"""Applications that nobody here wrote: a shop and a library, installed from PyPI.

A scripted model uses each once. What it did is replayed by the same user on the restored site, and by fresh ones; the
truth is the site's own database.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.sites.honest import State
from benchmarks.sites.known import KNOWN
from benchmarks.sites.place import Flow, Place
from simulator.cli.main import main
from tests.fakes.messages_api import KEY, call, messages_api
from tests.sites.packages import RegistryUnreachable, failure


@pytest.fixture(scope="module", params=["oscar", "calibre-web"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Flow, Place]]:
    known = KNOWN[request.param]
    with ExitStack() as stack:
        try:
            place = stack.enter_context(known.served(tmp_path_factory.mktemp(request.param)))
        except RegistryUnreachable as reason:
            pytest.skip(str(reason))
        yield known.flow, place


def record(flow: Flow, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the model use the restored site; into ``a.db`` of the working folder."""
    monkeypatch.setenv("SIM_KEY", "the key of the tests of other sites")
    for name, value in flow.environ.items():
        monkeypatch.setenv(name, value)
    Path("personas").mkdir()
    persona = {"persona": "visitor", "about": "Uses it.", "locale": "en_GB", "tasks": list(flow.tasks)}
    Path("personas/visitor.yaml").write_text(json.dumps({**persona, "limits": {"tokens": 10_000_000}}), "utf-8")
    Path("sim.toml").write_text(
        f'[bookshop.covers]\nsources = ["offline"]\n[site.{flow.name}]\nbase_url = "{place.url}"\n{flow.section}\n',
        "utf-8",
    )
    place.reset()
    assert flow.turns is not None
    with messages_api([*flow.turns, call("complete", result="Done.")]) as api, monkeypatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", KEY)
        patch.setenv("ANTHROPIC_BASE_URL", api.url)
        assert main(["personas", "run", "visitor", "--agent", "claude", "--seed", "7", "--db", "a.db"]) == 0
    with closing(sqlite3.connect("a.db")) as db:
        assert db.execute("SELECT tool, input FROM step WHERE NOT success").fetchall() == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_model_uses_it_once_and_users_do_it_again(
    served: tuple[Flow, Place], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    flow, place = served
    monkeypatch.chdir(tmp_path)
    record(flow, place, monkeypatch)
    made = {table: len(rows) for table, rows in place.state().items()}

    place.reset()
    assert replay([], capsys)["verdict"] == "passed"
    assert {table: len(rows) for table, rows in place.state().items()} == made

    if flow.name == "calibre-web":
        place.reset()  # there is one such book
    assert replay(["--identity", "fresh", "--seed", "3"], capsys)["verdict"] == "passed"
    _AFTERWARDS[flow.name](place.state())


def _bought_by_two(state: State) -> None:
    assert len({one["email"] for one in state["auth_user"]}) == 2
    assert [one["score"] for one in state["reviews_productreview"]] == [4, 4]
    assert [one["quantity"] for one in state["order_line"]] == [2, 2]
    assert len({one["line4"] for one in state["order_shippingaddress"]}) == 2, "each in a town of their own"


def _stands_on_a_shelf(state: State) -> None:
    assert [one["book_id"] for one in state["book_shelf_link"]] == [2]
    assert len(state["cover"]) == len(state["comments"]) == len(state["shelf"]) == 1
    assert len(state["tags"]) == 2


_AFTERWARDS = {"oscar": _bought_by_two, "calibre-web": _stands_on_a_shelf}


def replay(options: list[str], capsys: pytest.CaptureFixture[str]) -> Mapping[str, Any]:
    """Replay the recording strictly, and give what is told of its run."""
    capsys.readouterr()
    code = main(["replay", "a.db", "--db", "b.db", "--json", *options])
    said = capsys.readouterr()
    assert code == 0, said
    (run,) = json.loads(said.out)["runs"]
    assert isinstance(run, dict)
    return run


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("WARNING: Retrying after NewConnectionError\nERROR: No matching distribution found", RegistryUnreachable),
        ("ERROR: Could not find a version that satisfies x (from versions: none)", RegistryUnreachable),
        ("npm error code ENOTFOUND", RegistryUnreachable),
        ("ERROR: Could not find a version that satisfies x==9 (from versions: 1.0, 2.0)", RuntimeError),
        ("", RuntimeError),
    ],
)
def test_a_registry_that_does_not_answer_is_told_from_a_package_that_is_wrong(
    said: str, kind: type[RuntimeError]
) -> None:
    assert type(failure(("x",), said)) is kind
