"""Whatever a model passes to a tool, from the tool's own schema or outside it, comes back as a result."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.families.extraction import get_page_text
from simulator.tools.families.navigation import navigate
from simulator.tools.families.tabs import open_tab
from simulator.tools.registry import Registry
from simulator.tools.spec import ToolSpec, renamed
from simulator.tools.toolsets import offers
from simulator.tools.views import to_anthropic
from simulator.tools.workspace.folder import Workspace
from tests.conformance.hostile import HOSTILE
from tests.conformance.recorded import Theatre

pytestmark = pytest.mark.asyncio(loop_scope="session")

FEW, MANY, SHARES = 600, 10_000, 10
PAGE = """
<h1>Shelf</h1><a href=/other>Other page</a>
<form method=post action=/send>
<label>Title <input name=title></label>
<label>Genre <select name=genre><option>Crime<option>History</select></label>
<label><input type=checkbox name=gift> A gift</label>
<label>Password <input type=password name=password></label>
<input type=file name=cover><button>Send</button></form>
<ul><li><b>Emma</b> <button>Keep</button><li><b>Ulysses</b> <button>Keep</button></ul>
<iframe srcdoc="<button>Inside</button>"></iframe>
"""
ON_THE_PAGE = [
    "Send", "Title", "input", "css=select", "label=Genre", 'role=button[name="Keep"]', "ref=e1", "Keep", "/", "/other",
    "Enter", "Crime", "{{identity.email}}", "{{secret.password}}", "{{nothing}}", "{{", "login", "cover.png",
]  # fmt: skip


def every_tool() -> Iterator[ToolSpec]:
    """Give each tool once, by a name that no other has, and with little time: a time-out is a result, too."""
    for spec, toolsets in offers():
        yield replace(spec, name=f"{toolsets[0]}--{spec.name}", aliases=(), timeout_s=0.2)


Inputs = st.SearchStrategy[dict[str, Any]]
TOOLS = {spec.name: spec for spec in every_tool()}
TEXTS = st.one_of(st.sampled_from(ON_THE_PAGE), st.text(st.characters(), max_size=20), st.just("\ud800"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


def inside(schema: Mapping[str, Any], definitions: Mapping[str, Any], name: str = "") -> st.SearchStrategy[Any]:
    """Draw what a schema allows; of times, the short ones."""
    if "$ref" in schema:
        return inside(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        return st.one_of([inside(one, definitions, name) for one in schema["anyOf"]])
    if "enum" in schema or "const" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    match schema.get("type"):
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer":
            step = 1 if "exclusiveMinimum" in schema else 0
            least = None if low is None else int(low) + step
            most = max(least or 1, 50) if name == "timeout" else high if high is None else int(high)
            return st.integers(least, most)
        case "number":
            most = 0.05 if name == "seconds" else 50 if name == "timeout" else high
            return st.floats(low, most, exclude_min="exclusiveMinimum" in schema, allow_nan=False, allow_infinity=False)
        case "array":
            items = inside(schema.get("items", {}), definitions)
            return st.lists(items, min_size=schema.get("minItems", 0), max_size=schema.get("maxItems", 3))
        case "object" if "properties" in schema:
            return of_object(schema, definitions)
        case "object":
            values = schema.get("additionalProperties", {})
            return st.dictionaries(TEXTS, inside(values if isinstance(values, dict) else {}, definitions), max_size=3)
        case "string":
            return st.from_regex(schema["pattern"]) if "pattern" in schema else TEXTS
    return JSON


def of_object(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    drawn = {name: inside(info, definitions, name) for name, info in schema.get("properties", {}).items()}
    required = {name: one for name, one in drawn.items() if name in schema.get("required", ())}
    return st.fixed_dictionaries(required, optional={name: drawn[name] for name in drawn.keys() - required.keys()})


def inputs(spec: ToolSpec) -> st.SearchStrategy[dict[str, Any]]:
    """Draw inputs of a tool: as its schema says, with its names and whatever else, or with values of the worst kind."""
    schema = spec.schema
    valid = of_object(schema, schema.get("$defs", {}))
    if spec.name == "workspace--bash":  # words of chance are not to be executed
        valid = valid.map(lambda given: given | {"command": "# " + json.dumps(given.get("command"))})
    names = st.sampled_from([*schema.get("properties", {}), "other"])
    odd = st.dictionaries(names | TEXTS, JSON, max_size=3)
    if spec.name == "workspace--bash":
        odd = odd.map(lambda given: {key: value for key, value in given.items() if key != "command"})
        names = st.sampled_from(["restart", "other"])
    return st.sampled_from([valid, odd, odd, hostile(valid, names), hostile(valid, names)]).flatmap(lambda one: one)


def hostile(valid: Inputs, names: st.SearchStrategy[str]) -> Inputs:
    """Draw inputs that are valid but for some of their values, which are of the worst kind, or are not there."""
    worst = st.dictionaries(names, st.sampled_from(HOSTILE), min_size=1, max_size=2)
    return st.tuples(valid, worst, st.booleans()).map(lambda drawn: {**({} if drawn[2] else drawn[0]), **drawn[1]})


DRAWN = {name: inputs(spec) for name, spec in TOOLS.items()}


def drawn(number: int, by: int) -> list[ToolCall]:
    """Draw calls of every tool by a seed, before any is made: what one changes on the page is not for the next."""
    calls: list[ToolCall] = []
    each = math.ceil(number / len(TOOLS))
    for name, given_to_it in DRAWN.items():

        @seed(by)
        @settings(max_examples=each, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
        @given(st.builds(ToolCall, id=st.just("call"), name=st.just(name), input=given_to_it))
        def collect(call: ToolCall) -> None:
            calls.append(call)

        collect()
    assert len(calls) >= number
    Random(by).shuffle(calls)
    return calls


def wrong(result: ToolResult) -> str:
    """Say what is wrong with a result."""
    if result.success != (result.error is None):
        return "it says both that it succeeded and that it did not"
    if result.error is not None and result.error.type == "internal":
        return result.error.message
    content = to_anthropic(result, "toolu_1")["content"]
    told = content and all(one["type"] == "image" or one["text"].strip() for one in content)
    return "" if told else "it says nothing"


@pytest.mark.table
async def test_any_input_gives_a_result(theatre: Theatre) -> None:
    await check_calls(theatre, drawn(FEW, 0))


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("share", range(SHARES))
async def test_any_of_ten_thousand_inputs_gives_a_result(theatre: Theatre, share: int) -> None:
    await check_calls(theatre, drawn(MANY // SHARES, share + 1))


async def check_calls(theatre: Theatre, calls: Sequence[ToolCall]) -> None:
    theatre.site.pages |= {"/": PAGE, "/other": "<h1>Other</h1>"}
    theatre.site.answers["/send"] = lambda fields: "/"
    assert {call.name for call in calls} == TOOLS.keys()
    broken: dict[str, str] = {}
    ours = [renamed(open_tab, "reopen"), renamed(navigate, "return"), renamed(get_page_text, "read")]
    registry = Registry([*TOOLS.values(), *ours])
    async with theatre.stage(registry, {}) as stage, Workspace(stage.run.workdir) as workspace:
        stage.run.workspace = workspace
        for call in calls:
            if stage.page.is_closed():
                await stage.call("reopen", url="/")
            elif not stage.page.url.startswith(stage.site.url):
                await stage.call("return", url="/")
            result = await stage.dispatcher.dispatch(call)
            assert isinstance(result, ToolResult)
            if problem := wrong(result):
                broken.setdefault(f"{call.name}: {problem}", f"{call.input!r:.2000}")
        assert (await stage.call("reopen", url="/")).success, "the run goes on"
        assert "Shelf" in str((await stage.call("read")).data)
    assert not broken


@pytest.mark.parametrize("name", ["", "\ud800", "click\0", "Click", "x" * 10_000, "{{secret.password}}", "__class__"])
async def test_any_name_gives_a_result(theatre: Theatre, name: str) -> None:
    async with theatre.stage(Registry(TOOLS.values()), {}) as stage:
        failure = await stage.refused(name)
    assert failure.type == "unknown_tool"
    assert to_anthropic(ToolResult(success=False, error=failure), "toolu_1")["content"][0]["text"]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
async def test_what_is_no_number_of_json_is_told(theatre: Theatre, number: float) -> None:
    async with theatre.stage(Registry([navigate, renamed(navigate, "other")]), {}) as stage:
        failure = await stage.refused("navigate", url=[number])
    assert failure.type == "invalid_input"
