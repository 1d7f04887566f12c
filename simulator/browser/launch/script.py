"""The script that runs in every page, and the two selector engines that speak to it.

Not responsible for: what it finds. The script lives in the page's own world, so it is there before any script of the
page; it adds one name, ``__sim``, and no behaviour but a key that is let go where a text was put into a field.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from playwright.async_api import Frame, Page, Playwright

from simulator.browser.wire.withheld import SECRET_NAMES
from simulator.canonical import EFFECTS, EVIDENCE, REFUSALS, page_patterns

_TRAILING = re.compile(r"""^([^"'`/]*[;{},)]) // .*$""")
"""A comment after code in which nothing could be a text or an expression that holds the two slashes."""


@cache
def _source() -> str:
    folder = files("simulator.browser") / "page"
    parts = sorted((part for part in folder.iterdir() if part.name.endswith(".js")), key=lambda part: part.name)
    return lean("\n".join(part.read_text("utf-8") for part in parts))


def lean(source: str) -> str:
    """Leave out of a script what only people read, in as many lines.

    The browser hands the script to every document anew. With comments and indentation, and two bytes a character for
    the sake of a few that are not ASCII, these were 2.5 times the bytes, and a document took 3 % more CPU time.

    Args:
        source: JavaScript without block comments, in which no text goes over several lines.
    """
    lines = (_TRAILING.sub(r"\1", "" if line.startswith("//") else line) for line in map(str.strip, source.split("\n")))
    # No character beyond the first 65,536 is in it: such a one would need two escapes, and is one in no class.
    return "".join(char if char.isascii() else f"\\u{ord(char):04x}" for char in "\n".join(lines))


@cache
def page_script(
    origin: str,
    *,
    guarding: bool = True,
    evidence: int = EVIDENCE,
    refusals: int = REFUSALS,
    effects: int = EFFECTS,
) -> str:
    """Build the script for one context.

    Args:
        origin: scheme, host and port of the site, without a slash at the end.
        guarding: whether trusted input events that were not expected are stopped; False where a person acts.
        evidence: version of the rules by which evidence is taken and compared: that of the run that is replayed.
        refusals: the same of the rules by which it is read what a page refuses, and which codes it shows.
        effects: the same of the rules by which effects are observed.

    Returns:
        JavaScript for ``BrowserContext.add_init_script``.
    """
    given = {
        "siteOrigin": origin,
        "guarding": guarding,
        "evidenceVersion": evidence,
        "refusalsVersion": refusals,
        "effectsVersion": effects,
        "generatedPatterns": page_patterns(evidence),
        "secretNames": SECRET_NAMES,
    }
    settings = " ".join(f"const {name} = {json.dumps(value)};" for name, value in given.items())
    return "(() => {\nif (window.__sim) return;\n" + settings + "\n" + _source() + "\n})();"


_ENGINE = """{
  ask(body) {
    const answers = [];
    let failure = "";
    const hear = (event) => answers.push(event.composedPath()[0]);
    const fail = (event) => { failure = event.detail; };
    window.addEventListener("sim:answer", hear, true);
    window.addEventListener("sim:failure", fail, true);
    try {
      document.dispatchEvent(new CustomEvent("sim:ask", { detail: ENGINE + " " + decodeURIComponent(body) }));
    } finally {
      window.removeEventListener("sim:answer", hear, true);
      window.removeEventListener("sim:failure", fail, true);
    }
    if (failure) throw new Error(failure);
    return answers;
  },
  queryAll(root, body) { return this.ask(body); },
  query(root, body) { return this.ask(body)[0]; },
}"""
"""Runs in the world in which Playwright acts, and asks the page script by an event: elements are the only thing that
both worlds share. Playwright would otherwise have to set itself up in the page's own world too, in every document."""


_HOLDING = """{
  bare(text) { return (text || "").replace(/[\\s\\u00ad\\u200b-\\u200d\\u2060\\ufeff]+/g, "").toLowerCase(); },
  queryAll(root, body) {
    const secrets = JSON.parse(decodeURIComponent(body)).map(this.bare);
    const holds = (text) => { const bare = this.bare(text); return secrets.some((one) => bare.includes(one)); };
    const found = [];
    const walk = (at) => {
      const inside = found.length;
      for (const child of [...at.children, ...(at.shadowRoot ? at.shadowRoot.children : [])]) walk(child);
      const own = at.nodeType === 1 && (holds(at.value) || holds(at.placeholder) || holds(at.label));
      if (own || (at.nodeType === 1 && found.length === inside && holds(at.textContent))) found.push(at);
    };
    walk(root);
    return found;
  },
  query(root, body) { return this.queryAll(root, body)[0]; },
}"""
"""Finds the innermost elements that show any of some texts. It runs in the world in which Playwright acts: no script of
the page learns what is sought, or answers for it."""


async def register_engines(playwright: Playwright) -> None:
    """Make the selector engines known to Playwright.

    They are ``sim`` (a query), ``simfind`` (an agent's words) and ``simholding`` (texts that must not be seen).
    """
    for name in ("sim", "simfind"):
        script = _ENGINE.replace("ENGINE", json.dumps(name))
        await playwright.selectors.register(name, script, content_script=True)
    await playwright.selectors.register("simholding", _HOLDING, content_script=True)


ARMED = "sim=armed"
"""Selector of the element that was proven last."""
ONTO = "sim=onto"
"""Selector of the element that was proven last as what another one is dragged to."""
TOUCH = "sim=touch"
"""Selector of what a pointer touches of the element that was proven last, after the selector that proves it."""
RESTING = "sim=resting"
"""Selector of a document in which nothing has changed for a while, before the selector of an element in it."""
STILL = "sim=still"
"""As :data:`TOUCH`, of what can be touched at once, as it does not move."""
RESTLESS = "not known to be at rest"
"""What is said where either is not so."""
OPEN = "sim=open"
"""Selector of the field that was proven last, after the selector that proves it, unless a modal part shuts it off."""
COME = "sim=come"
"""The same, of one that the browser fills in without the focus: it gets that, as a user has it there who does so."""
WHOLE = "sim=whole"
"""As :data:`OPEN`, of a field in which what is put in takes the place of all that it holds by then."""
BEHIND = "sim=behind"
"""Selector of the field that was proven last, after the selector that proves it: it gets the focus, with the caret at
the end. One that had the focus keeps its caret where it was."""
SECRET_FIELDS = "sim=secrets"
"""Selector of all fields whose content is secret."""


PASSWORD_FIELDS = "css=input[type=password]"
"""Selector of password fields that no script of the page answers."""


_TOLD = "([name, asked]) => window.__sim ? __sim.told(name, asked) : null"


async def ask(where: Page | Frame, name: str, *asked: Any) -> Any:
    """Ask the page script of a document something.

    Args:
        where: the page, or a frame.
        name: of the function.
        asked: what it is given, as JSON.

    Returns:
        The answer, as JSON; None where the document runs no such script.

    Raises:
        PlaywrightError: the document has gone, or its page.
    """
    told: str | None = await where.evaluate(_TOLD, [name, json.dumps(asked)])
    return None if told is None else json.loads(told)


_QUOTED = {code: f"%{code:02X}" for code in range(128) if not (chr(code).isalnum() or chr(code) in "_.-~")}
"""How ``urllib.parse.quote`` writes what it quotes; JSON is ASCII."""


def selector(engine: str, body: dict[str, Any] | list[str]) -> str:
    """Write a selector for one of the engines, with a body that no selector syntax can cut."""
    return f"{engine}={json.dumps(body).translate(_QUOTED)}"
