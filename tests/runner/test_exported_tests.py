"""Exported tests on sites that this program was not made for: they pass there, and fail where a site fails."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.main import main
from tests.fakes import asking
from tests.fakes.messages_api import KEY, call, messages_api
from tests.runner.hostile import check_source
from tests.seam import needs_bookshop
from tests.sites.traits import Traits, traits

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("what runs are exported as")]

PERSONA = """
persona: visitor
about: Writes things down.
locale: en_GB
tasks:
  - do: Write a note about your town.
limits: {tokens: 10000000}
"""
TITLE, TEXT, REMARK = (
    "Reading in {{identity.city}}",
    'A "quiet" corner \\ of {{identity.city}}.',
    "Seen in {{identity.city}}",
)


def script(site: Traits) -> list[Any]:
    return [
        call("navigate", url="/"),
        call("click", selector="css=li:first-child .picture"),
        call("click", selector="All"),
        call("click", selector="css=li:nth-child(2) button"),
        call("click", selector="css=main > a[href='/long']"),
        call("navigate", url="/notes"),
        call("fill", selector="css=form[method=post] input[name=title]", value=TITLE),
        call("fill", selector="css=#text", value=TEXT),
        call("click", selector="css=form[method=post] button"),
        call("navigate", url="/script"),
        call("fill", selector="css=#remark", value=REMARK),
        call("click", selector="css=#go"),
        call("navigate", url="/"),
        call("complete", result="It is written down."),
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of other sites")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "visitor.yaml").write_text(PERSONA, "utf-8")
    return tmp_path


def record(
    calls: list[Any], settings: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("sim.toml").write_text(settings, "utf-8")
    with messages_api(calls) as api, monkeypatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", KEY)
        patch.setenv("ANTHROPIC_BASE_URL", api.url)
        code = main(["personas", "run", "visitor", "--agent", "claude", "--seed", "7", "--db", "a.db"])
    assert code == 0, capsys.readouterr()
    capsys.readouterr()


EXPORT = ["runs", "export", "last", "--db", "a.db", "--format", "pytest", "--to", "out/test_it.py", "--check"]


@pytest.mark.table
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3, 4))])
def test_a_test_of_generated_pages_passes_there_and_fails_where_data_is_lost(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    with traits(seed) as site:
        record(script(site), site.settings(), monkeypatch, capsys)
        kept = list(site.notes)
        assert [note["title"] for note in kept][1:] == ["remark"]
        code = main(EXPORT)
        said = capsys.readouterr()
        text = Path("out/test_it.py").read_text("utf-8")
        assert (code, said.err) == (0, "checked: out/test_it.py passed on a site that was reset\n"), text + said.err
        check_source(text)
        assert site.notes == kept
        site.loses = True
        assert main(EXPORT) == 1
        assert "was written, and fails on a site that was reset: " in capsys.readouterr().err
        site.loses, site.breaks = False, True
        assert main(EXPORT) == 1
        assert "expected status 200, found 500" in capsys.readouterr().err


MARKET = """
[site.stube]
base_url = "{url}"
language = "de"
logged_in = {{ role = "link", name = "Abmelden" }}
disposable = true
[site.stube.reset]
url = "/von-vorn"
"""
SELLER = """
persona: visitor
about: Sells books.
locale: de_DE
tastes: {price: {min: 3, max: 8}}
tasks: [register, {list_books: {count: 2}}, {edit_listing: {field: price}}, logout]
"""


@pytest.fixture
def market() -> Iterator[str]:
    """The address of a market in German, new and empty."""
    script = Path(__file__).parent.parent / "sites" / "buecherstube.py"
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        yield str(json.loads(process.stdout.readline())["url"])
        process.terminate()


@needs_bookshop
@pytest.mark.slow
def test_a_test_of_a_market_in_another_language_passes_there(
    folder: Path, market: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("sim.toml").write_text(MARKET.format(url=market), "utf-8")
    Path("personas/visitor.yaml").write_text(SELLER, "utf-8")
    assert main(["personas", "run", "visitor", "--count", "1", "--seed", "7", "--db", "a.db"]) == 0, capsys.readouterr()
    kept = truth(market)
    code = main(EXPORT)
    text = Path("out/test_it.py").read_text("utf-8")
    assert code == 0, text + capsys.readouterr().err
    check_source(text)
    assert truth(market) == kept
    assert text.count("to_contain_text(") == 6, text
    assert r"6[.,]360*" in text.replace(r"\\", "\\")


def truth(market: str) -> Any:
    """What the market holds, without what it draws itself: numbers, and what hangs on a password."""
    held = asking.get(f"{market}/wahrheit").json()
    books = [{name: value for name, value in book.items() if name != "number"} for book in held["books"]]
    return books, [{name: value for name, value in one.items() if name != "word"} for one in held["people"].values()]


def test_what_was_not_checked_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with traits(1) as site:
        record([call("navigate", url="/"), call("complete", result="Seen.")], site.settings(), monkeypatch, capsys)
        assert main([one for one in EXPORT if one != "--check"]) == 0
        told = "the test was not run: '--check' runs it once, where the site can be reset\n"
        assert capsys.readouterr().err == told
        Path("sim.toml").write_text(site.settings().replace("disposable = true", ""), "utf-8")
        assert main(EXPORT) == 2
        assert "was written, but not checked: the site 'traits' is not marked" in capsys.readouterr().err
    assert main([*EXPORT[:5], "har", *EXPORT[6:]]) == 2
