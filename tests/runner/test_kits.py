"""What usual component libraries draw: their tables are turned, and what their forms send is proven or told.

The libraries come from npm. The site's own truth decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.kit_site import FORMS, TABLES, Kit, Lie, handler_of, install
from tests.sites.packages import RegistryUnreachable

pytestmark = [pytest.mark.promise("applications that nobody here wrote", quick=0), pytest.mark.timeout(600)]

OWN = "Lantern of {{identity.username}}"
ROWS = {
    "aggrid": ".ag-center-cols-container [row-index='1']",
    "tabulator": ".tabulator-row:nth-of-type(2)",
    "antd-list": "li.ant-list-item:nth-of-type(2)",
    "vuetify-scroll": ".v-card:nth-of-type(3)",
}
"""The second thing, where it is no row of a table."""
CONFIRMED = {"antd": ".ant-popconfirm-buttons .ant-btn-primary", "element": 'role=button[name="Yes"]'}
BUTTONS = {"antd": (".ant-space-item:first-child button", ".ant-space-item:last-child button")}
"""Those that change and delete the thing of a row, where they stand in boxes of their own."""
LIES = (
    Lie("make"), Lie("make", "title"), Lie("make", "kind"), Lie("make", "kind", loses=True), Lie("make", "count"),
    Lie("make", "lent", loses=True), Lie("make", "note"), Lie("make", "note", loses=True), Lie("change"),
    Lie("change", "note"), Lie("change", "count", loses=True), Lie("change", "title"), Lie("change", "lent"),
    Lie("delete"),
)  # fmt: skip


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kits")
    try:
        install(folder)
    except RegistryUnreachable as reason:
        pytest.skip(str(reason))
    return folder


@pytest.fixture
def kit(request: pytest.FixtureRequest, modules: Path) -> Kit:
    return Kit(modules, request.param)


@pytest.fixture
def run(
    kit: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    with run_on(handler_of(kit), tmp_path, monkeypatch, capsys) as run:
        run.effect_ms = 1_000
        yield run


def recorded(run: OneRun, *calls: Reply) -> None:
    told = run.record(calls)
    assert [one.text for one in told if not one.success] == []


def unseen(replayed: dict[str, Any]) -> list[str]:
    return [name for one in replayed["writes"] for name in one["unseen"]]


@pytest.mark.breadth(0, table=1, days=3)
@pytest.mark.parametrize("kit", [f"tables/{one}" for one in TABLES], indirect=True)
def test_a_fresh_users_own_row_is_found_and_a_like_that_is_lost_is_told(kit: Kit, run: OneRun) -> None:
    row = ROWS.get(kit.page.removeprefix("tables/"), "tbody tr:nth-of-type(2)")
    recorded(
        run,
        call("navigate", url="/new"),
        call("fill", selector="Title", value=OWN),
        call("click", selector='role=button[name="Save"]'),
        call("click", selector=f"{row} button"),
    )
    for number in range(9):
        kit.add(title=f"Shelf {number}")
    fresh = run.replay("--identity", "fresh")
    assert (fresh["verdict"], len(fresh["turned"])) == ("passed", 1), fresh["drift"]
    assert [one["title"][:10] for one in kit.kept.values() if one["likes"]] == ["Lantern of"] * 2

    kit.lie = Lie("change")
    lost = run.replay("--identity", "fresh")
    assert [one["likes"] for one in kit.kept.values() if one["title"].startswith("Lantern")] == [1, 1, 0]
    assert lost["verdict"] != "passed" or any("Like" in one for one in unseen(lost)), lost


def seen() -> list[Reply]:
    return [call("navigate", url="/"), call("navigate", url="/things")]


def filled(page: str) -> list[Reply]:
    """Make a thing, change it, and delete another one; visits in between show what was kept."""
    edit, delete = BUTTONS.get(page, ("button:first-of-type", "button:last-of-type"))
    confirmed = [call("click", selector=CONFIRMED[page])] if page in CONFIRMED else []
    return [
        call("navigate", url="/things"),
        call("click", selector='role=button[name="New"]'),
        call("fill", selector="Title", value="Brass lantern {{identity.first_name}}"),
        call("select", selector="Kind", label="Tool"),
        call("check", selector="Lent"),
        call("fill", selector="Count", value="7"),
        call("fill", selector="Note", value="polished on Sunday"),
        call("click", selector='role=button[name="Save"]'),
        *seen(),
        call("click", selector=f"tbody tr:last-child {edit}"),
        call("fill", selector="Count", value="9"),
        call("fill", selector="Note", value="needs a new wick"),
        call("click", selector='role=button[name="Save"]'),
        *seen(),
        call("click", selector=f"tbody tr:nth-child(1) {delete}"),
        *confirmed,
        *seen(),
    ]


def without_ids(kit: Kit) -> list[dict[str, Any]]:
    return [{name: value for name, value in one.items() if name != "id"} for one in kit.kept.values()]


@pytest.mark.breadth(0, table=1, days=3)
@pytest.mark.parametrize("kit", [f"forms/{one}" for one in FORMS], indirect=True)
def test_what_a_form_in_a_dialog_sends_is_proven_and_each_lie_red_or_told(kit: Kit, run: OneRun) -> None:
    recorded(run, *filled(kit.page.removeprefix("forms/")))
    kept = without_ids(kit)
    assert [(one["kind"], one["lent"], one["count"], one["note"]) for one in kept] == [
        ("Tool", True, 9, "needs a new wick")
    ]
    for identity in ("same", "fresh"):
        kit.reset()
        honest = run.replay("--identity", identity)
        assert (honest["verdict"], unseen(honest)) == ("passed", []), honest
        same = [{**one, "title": ""} for one in without_ids(kit)] == [{**one, "title": ""} for one in kept]
        assert same, identity
    for lie in LIES:
        kit.reset()
        kit.lie = lie
        lied = run.replay()
        kit.lie = None
        assert without_ids(kit) != kept, lie
        assert lied["verdict"] != "passed" or unseen(lied), (lie, lied)
