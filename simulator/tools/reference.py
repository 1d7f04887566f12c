"""Writes the reference of the tools as Markdown, from the registry. Not responsible for: anything that tools do.

``python -m simulator.tools.reference > docs/tools.md`` brings the documentation up to date.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Protocol

from simulator.tools.metadata import ToolParameter, parameters_of
from simulator.tools.spec import ToolSpec
from simulator.tools.toolsets import known_toolsets

_HEAD = """\
# Tools

What an agent may call, by toolset. A persona names its toolsets (`tools.toolsets`, by default `browser` and
those of the packs in use) and the most harmful level it is allowed (`tools.max_safety`, by default `medium`). Above
that, a site section may *grant* `login` and `upload` on that site (`grants`, by default both).

Texts may hold `{{variables}}`, such as `{{identity.email}}`, `{{site.order_1}}` or `{{secret.password}}`. They are put
in by the browser, so neither the agent nor the recording sees a secret.

A `selector` is CSS or visible text (for a field: its label, the text beside it, or its placeholder); where the one
finds nothing, the other is tried. CSS goes on in open shadow roots: `my-form [name=title]`. Exact forms are `css=…`,
`text=…`, `label=…`, `role=button[name="Save"]`, and `ref=…` for what `read_forms`, `read_links` and `read_buttons` gave
out on the page that is open. Where an open dialog keeps the user from the rest of the page, what is in the dialog is
meant. Several elements that fit are an error that lists them.

*Replay* says what a replay does with a recorded call: perform its browser `actions` again, give back its recorded
`result`, `call` the tool again, or `skip` it because it only reads.

The toolset `computer` is for models that look at the page's picture and point at it. Coordinates are pixels of that
picture, which is the viewport or, where that is larger than models see, a smaller one. What is recorded is the element
that reacts at the point, so a replay finds the element and not the pixel. The toolset `workspace` is off unless a
persona names it *and* `--allow-workspace` is given; see [personas.md](personas.md).

A call that fails answers with a type (`unknown_tool`, `invalid_input`, `not_allowed`, `timeout`, `not_found`,
`ambiguous`, `not_actionable`, `page_closed`, `navigation`, `blocked`, `rejected`, `unavailable`, `internal`) and a
message that says what happened and what to try. `rejected` means that the site refused: the fields and its words are
in the data.

What goes into a field is read back before a tool says that it went in. Where the page makes something else of it, the
answer says what the field `reads` now. Where the field does not hold it, but the page is seen to have taken it, the
answer says what the page `reacted` with: a request, another page, the text or the file's name shown elsewhere. Where
nothing of it was taken, the call fails. What stands in a secret field is compared in the page and not told.

Tools of your own: [custom-tools.md](custom-tools.md). Trying one on a page: `sim tools call`.

This page is written from the tools themselves, and the [conformance table](#conformance) from the tests.
"""

_CONFORMANCE = """\
## Conformance

What the tests show: each row calls the tool through dispatch on a real page, is recorded, and checks the effect. What
is replayed by its `actions` is then replayed on a fresh page, which has to come to the same text, fields, address,
scroll position and requests.
Each row is played once more through a whole run, in which a model calls the tools, and that run is replayed strictly.
"""


class ConformanceRow(Protocol):
    """One row of the conformance table."""

    @property
    def toolset(self) -> str:
        """The toolset whose tool is called."""
        ...

    @property
    def tool(self) -> str:
        """The tool, or the name that is called."""
        ...

    @property
    def aspect(self) -> str:
        """What is shown."""
        ...

    @property
    def replay(self) -> str:
        """Why it is not replayed; empty where it is."""
        ...


def tools_markdown(conformance: Iterable[ConformanceRow]) -> str:
    """Write the reference of every toolset.

    Args:
        conformance: what the tests show of the tools.
    """
    parts = [_HEAD]
    described: list[ToolSpec] = []
    for name, specs in known_toolsets().items():
        parts.append(f"## Toolset `{name}`\n")
        rows = [f"| {_link(spec, described)} | {spec.category} | {spec.safety} | {_replay(spec)} |" for spec in specs]
        parts.append("\n".join(["| tool | category | safety | replay |", "|---|---|---|---|", *rows]) + "\n")
        new = [spec for spec in specs if _origin(spec, described) is None]
        parts += [_section(spec) for spec in new]
        described += new
    parts.append(_CONFORMANCE)
    rows = [f"| {row.toolset} | `{row.tool}` | {_cell(row.aspect)} | {_replayed(row)} |" for row in conformance]
    parts.append("\n".join(["| toolset | tool | what is shown | replay |", "|---|---|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _origin(spec: ToolSpec, described: Iterable[ToolSpec]) -> ToolSpec | None:
    """Give the tool, described before, that this one is; it may be called otherwise."""
    return next((one for one in described if one.run is spec.run), None)


def _link(spec: ToolSpec, described: Iterable[ToolSpec]) -> str:
    origin = _origin(spec, described)
    if origin is None or origin.name == spec.name:
        return f"[`{spec.name}`](#{spec.name})"
    return f"`{spec.name}`, which is [`{origin.name}`](#{origin.name})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _replayed(row: ConformanceRow) -> str:
    if row.replay:
        return _cell(row.replay)
    spec = next((one for one in known_toolsets().get(row.toolset, ()) if row.tool in (one.name, *one.aliases)), None)
    return "" if spec is None else _replay(spec)


def _section(spec: ToolSpec) -> str:
    lines = [f"### {spec.name}", "", spec.description, ""]
    facts = [f"time-out {spec.timeout_s:g} s"]
    if spec.aliases:
        facts.append("also called " + ", ".join(f"`{alias}`" for alias in spec.aliases))
    if spec.grant:
        facts.append(f"granted by `{spec.grant}`")
    if spec.required_capabilities:
        facts.append("for models with " + ", ".join(sorted(spec.required_capabilities)))
    if spec.optimal_capabilities:
        facts.append("best for models with " + ", ".join(sorted(spec.optimal_capabilities)))
    if spec.requires_page:
        facts.append("needs an open page")
    if spec.is_terminal:
        facts.append("ends the run")
    lines += ["; ".join(facts)[0].upper() + "; ".join(facts)[1:] + ".", ""]
    schema = spec.schema
    parameters = parameters_of(schema)
    if parameters:
        lines += ["| parameter | type | default | |", "|---|---|---|---|"]
        lines += [_parameter(one, schema["properties"][one.name]) for one in parameters] + [""]
    if spec.returns:
        lines += [f"Answers: {spec.returns}", ""]
    lines += ["```json", *(json.dumps(example, ensure_ascii=False) for example in spec.examples), "```", ""]
    return "\n".join(lines)


def _parameter(parameter: ToolParameter, info: dict[str, Any]) -> str:
    default = "required" if parameter.required else f"`{json.dumps(parameter.default)}`"
    return f"| `{parameter.name}` | {_type(parameter, info)} | {default} | {_cell(parameter.description)} |"


def _type(parameter: ToolParameter, info: dict[str, Any]) -> str:
    if parameter.enum:
        return ", ".join(f"`{value}`" for value in parameter.enum)
    words = f"{parameter.type} of {parameter.items}" if parameter.items else parameter.type
    limits = {"exclusiveMinimum": "above", "minimum": "from", "maximum": "to", "exclusiveMaximum": "below"}
    return " ".join([words, *(f"{limits[key]} {value:g}" for key, value in info.items() if key in limits)])


def _replay(spec: ToolSpec) -> str:
    if isinstance(spec.replay, str):
        return spec.replay
    return ", ".join(f"{policy}: {rule}" for policy, rule in spec.replay.items())


if __name__ == "__main__":
    # The table is that of the tests, which are beside the package where this is written, and nowhere else needed.
    print(tools_markdown(import_module("tests.conformance.table").all_rows()), end="")
