"""Writes the reference of the tools as Markdown, from the registry. Not responsible for: anything that tools do.

``python -m simulator.tools.reference > docs/tools.md`` brings the documentation up to date.
"""

from __future__ import annotations

import json
from typing import Any

from simulator.tools.spec import ToolSpec
from simulator.tools.toolsets import TOOLSETS

_HEAD = """\
# Tools

What an agent may call, by toolset. A persona names its toolsets (`tools.toolsets`, by default `browser` and `books`)
and the most harmful level it is allowed (`tools.max_safety`, by default `medium`). Above that, a site section may
*grant* `login` and `upload` on that site (`grants`, by default both).

Texts may hold `{{variables}}`, such as `{{identity.email}}`, `{{book.1.title}}` or `{{secret.password}}`. They are put
in by the browser, so neither the agent nor the recording sees a secret.

A `selector` is CSS or visible text (for a field: its label); where the one finds nothing, the other is tried. Exact
forms are `css=…`, `text=…`, `label=…`, `role=button[name="Save"]`, and `ref=…` for what `read_forms`, `read_links` and
`read_buttons` gave out on the page that is open. Several elements that fit are an error that lists them.

*Replay* says what a replay does with a recorded call: perform its browser `actions` again, give back its recorded
`result`, `call` the tool again, or `skip` it because it only reads.

A call that fails answers with a type (`unknown_tool`, `invalid_input`, `not_allowed`, `timeout`, `not_found`,
`ambiguous`, `not_actionable`, `page_closed`, `navigation`, `blocked`, `rejected`, `unavailable`, `internal`) and a
message that says what happened and what to try. `rejected` means that the site refused: the fields and its words are
in the data.

This page is written from the tools themselves.
"""


def tools_markdown() -> str:
    """Write the reference of every toolset."""
    parts = [_HEAD]
    for name, specs in TOOLSETS.items():
        parts.append(f"## Toolset `{name}`\n")
        rows = [
            f"| [`{spec.name}`](#{spec.name}) | {spec.category} | {spec.safety} | {_replay(spec)} |" for spec in specs
        ]
        parts.append("\n".join(["| tool | category | safety | replay |", "|---|---|---|---|", *rows]) + "\n")
        parts += [_section(spec) for spec in specs]
    return "\n".join(parts)


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
    if spec.is_terminal:
        facts.append("ends the run")
    lines += ["; ".join(facts)[0].upper() + "; ".join(facts)[1:] + ".", ""]
    schema = spec.schema
    if schema.get("properties"):
        lines += ["| parameter | type | default | |", "|---|---|---|---|"]
        lines += [_parameter(name, info, schema) for name, info in schema["properties"].items()] + [""]
    if spec.returns:
        lines += [f"Answers: {spec.returns}", ""]
    lines += ["```json", *(json.dumps(example, ensure_ascii=False) for example in spec.examples), "```", ""]
    return "\n".join(lines)


def _parameter(name: str, info: dict[str, Any], schema: dict[str, Any]) -> str:
    default = "required" if name in schema.get("required", ()) else f"`{json.dumps(info.get('default'))}`"
    return f"| `{name}` | {_type(info)} | {default} | {info['description']} |"


def _type(info: dict[str, Any]) -> str:
    if "anyOf" in info:
        return " or ".join(_type(one) for one in info["anyOf"] if one.get("type") != "null")
    if "$ref" in info:
        return str(info["$ref"]).rpartition("/")[2].lower()
    bounds = [str(info[key]) for key in ("minimum", "maximum") if key in info]
    return f"{info['type']} {' to '.join(bounds)}".strip()


def _replay(spec: ToolSpec) -> str:
    if isinstance(spec.replay, str):
        return spec.replay
    return ", ".join(f"{policy}: {rule}" for policy, rule in spec.replay.items())


if __name__ == "__main__":
    print(tools_markdown(), end="")
