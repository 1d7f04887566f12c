"""Rows of the tools that end a run, note something in it, and ask its person."""

from __future__ import annotations

from simulator.tools.toolsets import registry_of
from tests.conformance.table import Stage, row


@row(
    "browser",
    "done",
    "is complete by another name, ends the run, and gives the text back",
    alone="alone: a run ends at the first of them",
)
async def _(stage: Stage) -> None:
    for name in ("done", "complete"):
        spec = registry_of(["browser"]).get_tool(name)
        assert (spec.name, spec.is_terminal) == ("complete", True)
        assert await stage.did(name, result="Listed {{book.1.title}}.") == "Listed The Moonstone."
    assert "result" in (await stage.refused("done")).message


@row("browser", "complete", "ends the run with what was done; what it takes is told where it is missing")
async def _(stage: Stage) -> None:
    assert "result: is required" in (await stage.refused("complete")).message
    assert await stage.did("complete", result="Listed {{book.1.title}}.") == "Listed The Moonstone."


@row("browser", "fail", "ends the run with a reason")
async def _(stage: Stage) -> None:
    assert registry_of(["browser"]).get_tool("fail").is_terminal
    assert await stage.did("fail", reason="no such page") == "no such page"


@row("browser", "log", "notes a message and does not end the run")
async def _(stage: Stage) -> None:
    assert not registry_of(["browser"]).get_tool("log").is_terminal
    assert await stage.did("log", message="the price takes whole euros") == "the price takes whole euros"


@row("browser", "ask_user", "asks the person at the terminal where one attends")
async def _(stage: Stage) -> None:
    asked: list[str] = []

    async def person(question: str) -> str:
        asked.append(question)
        return "By post"

    stage.run.ask = person
    stage.run.answers = {"shipping": "not this"}
    assert await stage.did("ask_user", question="Which shipping, {{identity.first_name}}?") == "By post"
    assert asked == ["Which shipping, Ada?"]


@row("browser", "ask_user", "a person's empty answer is an error")
async def _(stage: Stage) -> None:
    async def silent(question: str) -> str:
        return ""

    stage.run.ask = silent
    assert (await stage.refused("ask_user", question="Which shipping?")).type == "not_found"


@row("browser", "ask_user", "takes the persona's answer otherwise")
async def _(stage: Stage) -> None:
    stage.run.answers = {
        "Which colour do you like?": "blue",
        "shipping": "By post",
        "shipping address": "{{identity.city}}",
        "city": "York",
    }
    for question, answer in (
        ("which COLOUR do you like", "blue"),
        ("What is your preferred shipping method?", "By post"),
        ("To which shipping address is it sent?", "Leeds"),
        ("city", "York"),
    ):
        assert await stage.did("ask_user", question=question) == answer


@row("browser", "ask_user", "no answer, or two, is an error that says so")
async def _(stage: Stage) -> None:
    refused = await stage.refused("ask_user", question="How old are you?")
    assert refused.type == "not_found"
    assert "nobody is at the terminal" in refused.message
    stage.run.answers = {"shipping": "By post", "colour": "blue"}
    refused = await stage.refused("ask_user", question="Which shipping and which colour?")
    assert (refused.type, "'shipping' or 'colour'" in refused.message) == ("ambiguous", True)
