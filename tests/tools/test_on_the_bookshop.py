"""The tools on the bundled bookshop: what a user does from opening an account to logging out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.browser.launch.network import NetworkPolicy, endpoints
from tests.fakes import asking
from tests.small_run import pool_of_its_own

pytest.importorskip("simulator.demo", reason="the bundled bookshop is what the tools act on")

__all__ = ["pool_of_its_own"]
pytestmark = pytest.mark.asyncio(loop_scope="session")

TOKEN = "token-of-the-tests-1234"


@pytest.fixture(scope="module")
def site_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    db: Path = tmp_path_factory.mktemp("shop") / "shop.db"
    process = subprocess.Popen(
        [sys.executable, "-m", "simulator.demo", "--port", "0", "--db", str(db), "--control-token-env", "SHOP_TOKEN"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "SHOP_TOKEN": TOKEN},
    )
    assert process.stdout is not None
    yield json.loads(process.stdout.readline())["url"]
    process.terminate()
    process.communicate(timeout=60)


@pytest.fixture(scope="module")
def policy(site_url: str) -> NetworkPolicy:
    return NetworkPolicy(endpoints(site_url))


@pytest.fixture(autouse=True)
def _reset(site_url: str) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert asking.post(f"{site_url}/_control/reset", headers=headers).status_code == 200


@pytest.fixture
def site_section() -> dict[str, Any]:
    return {"logged_in": {"role": "button", "name": "Log out"}, "routes": {"register": "/account/register"}}


@pytest.mark.slow
async def test_a_user_lists_a_book_and_saves_another(run: Any) -> None:
    registered = await run.call("register")
    assert registered.success, registered.error
    entered = await run.call("login")
    assert entered.success, entered.error
    assert entered.metadata["verified"] is True

    (cover,) = await run.did("fetch_book_covers", query="{{book.1.title}}", count=1)
    assert cover["title"] == "The Moonstone"
    await run.did("navigate", url="/books/new")
    await run.did("upload_cover_image", cover_url="{{file.cover_1}}")
    book = {name: f"{{{{book.1.{name}}}}}" for name in ("title", "author", "genre", "condition", "price")}
    listed = await run.did("fill_form", values={**book, "description": "A first edition it is not."}, submit=True)
    assert "Description" in {one["field"] for one in listed["fields"]}
    assert "The Moonstone" in await run.did("get_page_text")

    await run.did("navigate", url="/books/new")
    incomplete = await run.call("fill_form", values=book, submit=True)
    assert "'Cover picture' (a file: use a tool that uploads one)" in incomplete.error.message
    await run.did("upload_cover_image", cover_url="{{file.cover_1}}", selector="Cover picture")
    refused = await run.call("fill_form", values={**book, "price": "1000"}, submit=True)
    assert refused.error.type == "rejected"
    assert {error["field"] for error in refused.data["errors"]} == {"price"}

    await run.did("navigate", url="/books")
    save = (await run.did("read_buttons", contains="save"))["buttons"][0]
    assert save["card"]
    await run.did("click", selector=f"ref={save['ref']}", aim={"rule": "a listing of another seller"})
    assert "Saved" in [one["name"] for one in (await run.did("read_buttons", contains="saved"))["buttons"]]

    left = await run.call("logout")
    assert left.success, left.error
    assert left.metadata["verified"] is True
    assert run.vault.reveal("password") not in repr(run.notes)


async def test_a_taken_name_is_told(run: Any) -> None:
    assert (await run.call("register")).success
    await run.call("logout")
    again = await run.call("register")
    assert again.error.type == "rejected"
    assert "username" in {error["meaning"] for error in again.data["errors"]}
    assert (await run.call("register", values={"username": "ada_moor_2", "email": "ada2@example.org"})).success
    entered = await run.call("login")
    assert entered.success, entered.error
    assert run.ctx.bindings.get("identity.username") == run.notes.variables["identity.username"] == "ada_moor_2"


async def test_a_wrong_password_is_told_with_its_step(run: Any) -> None:
    assert (await run.call("register")).success
    await run.call("logout")
    result = await run.call("login", password="hunter2-but-wrong")
    assert result.error.type == "rejected"
    assert [step["step"] for step in result.data["steps"] if not step["ok"]] == ["send it"]
    assert "hunter2" not in repr((result, run.notes))
