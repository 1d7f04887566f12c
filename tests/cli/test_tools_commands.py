"""``sim tools``: what there is, and trying a tool on a page."""

from __future__ import annotations

import http.server
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.server import served
from tests.tools.test_plugins import OWN

PAGE = b"<!doctype html><title>Page</title><button onclick=\"document.title='Pressed'\">Press</button>"


@pytest.fixture(scope="module")
def page() -> Iterator[str]:
    """A page on a real server."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with served(Handler) as url:
        yield f"{url}/"


def test_tools_are_listed_by_toolset_category_and_safety(sim) -> None:
    known = sim("tools", "list", "--json").json
    assert {one["name"] for one in known} >= {"click", "bash"}
    form = sim("tools", "list", "--category", "form", "--toolset", "browser", "--json").json
    assert {one["category"] for one in form} == {"form"}
    safe = sim("tools", "list", "--safety", "low_risk", "--json").json
    assert {one["safety"] for one in safe} == {"safe", "low_risk"}
    line = next(line for line in sim("tools", "list", "--toolset", "workspace").out.splitlines() if "bash" in line)
    assert line.split()[:2] == ["bash", "workspace"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "--category", "forms"], "--category: expected one of navigation, interaction,"),
        (["list", "--safety", "harmless"], "--safety: expected one of safe, low_risk,"),
        (["list", "--toolset", "browsr"], "did you mean 'browser'?"),
        (["show", "clik"], "there is no tool 'clik'; did you mean click"),
        (["show", "click", "--toolset", "mail"], "no tool 'click' in the toolset 'mail'"),
        (["call", "clik", "--url", "/"], "there is no tool 'clik'"),
        (["call", "click", "--url", "/", "--input", "{a"], "--input: expected JSON, found '{a'"),
        (["call", "click", "--url", "/", "--input", "[]"], "--input: expected a JSON object"),
        (["call", "click", "--url", "/", "--input", "{}"], 'selector: is required. Example: {"selector":'),
        (["call", "get_page_text", "--url", "shop"], "expected an address such as http://"),
        (["call", "get_page_text", "--url", "http://["], "'http://[' is no address"),
        (["call", "get_page_text", "--url", "https://example.org/"], "neither on this machine nor allowed"),
        (["call", "shout", "--url", "/", "--tools", "none.py"], "none.py: there is no such file"),
    ],
)
def test_what_was_asked_for_wrongly_is_told_in_one_sentence(sim, arguments: list[str], message: str) -> None:
    refused = sim("tools", *arguments)
    assert refused.code == 2
    assert message in refused.err
    assert len(refused.err.splitlines()) == 1


def test_a_tool_is_shown_in_full(sim) -> None:
    shown = sim("tools", "show", "screenshot").out
    assert "models    those with vision" in shown
    assert "page      has to be open" in shown
    card = sim("tools", "show", "goto", "--json").json
    assert card["name"] == "navigate"
    assert card["schema"]["required"] == ["url"]


def test_a_tool_is_tried_on_a_page(sim, page: str, folder: Path) -> None:
    pressed = sim("tools", "call", "click", "--input", '{"selector": "Press"}', "--url", page, "--json")
    assert pressed.code == 0
    assert pressed.json["data"]["page"]["title"] == "Pressed"
    missing = sim("tools", "call", "click", "--input", '{"selector": "Pull"}', "--url", page)
    assert missing.code == 1
    assert missing.out.startswith("not_found: ")
    picture = sim("tools", "call", "screenshot", "--url", page, "--image", "page.png")
    assert "image/png, " in picture.out
    assert (folder / "page.png").read_bytes().startswith(b"\x89PNG")
    assert not (folder / "recordings").exists(), "nothing is recorded"


def test_a_tool_of_ones_own_is_tried(sim, page: str, folder: Path) -> None:
    (folder / "own.py").write_text(OWN, "utf-8")
    called = sim("tools", "call", "shout", "--tools", "own.py", "--input", '{"text": "hey"}', "--url", page)
    assert (called.code, called.out) == (0, "HEY\n")


def test_a_page_where_nothing_answers(sim) -> None:
    refused = sim("tools", "call", "get_page_text", "--url", "http://127.0.0.1:1/")
    assert refused.code == 3
    assert "nothing answers at http://127.0.0.1:1" in refused.err


def test_a_run_is_offered_the_toolsets_and_tools_that_were_asked_for(sim, folder: Path) -> None:
    (folder / "own.py").write_text("x = 1\n", "utf-8")
    run = ["personas", "run", "--count", "1"]
    assert "there is no toolset 'brovser'" in sim(*run, "--toolset", "brovser").err
    assert "own.py defines no tool" in sim(*run, "--tools", "own.py").err


def test_a_toolset_without_what_the_autopilot_needs_is_told_before_anything_happens(sim, folder: Path) -> None:
    refused = sim("personas", "run", "--count", "1", "--toolset", "flybrowser")
    assert refused.code == 2
    assert "without a model, which takes the toolset 'browser', not only flybrowser" in refused.err
    assert not (folder / "recordings").exists()
