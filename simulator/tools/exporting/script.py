"""Writes the actions of a run as a pytest-playwright test. Not responsible for: storing it, or files it needs.

Secrets come from environment variables; what the site minted may be anything in an address that is expected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from simulator.browser.dialogs import OPTION as DIALOGS
from simulator.browser.evidence import Target
from simulator.errors import ToolError
from simulator.template import PLACEHOLDER, SECRET, Bindings
from simulator.tools.exporting.actions import RecordedAction
from simulator.tools.exporting.locators import locator, quoted, waited_for

FILES = "files"
"""Folder beside the test that holds what it uploads."""
_DIALOG = re.compile(r"(?:alert|confirm|prompt): ")
_MINTED = "site."


@dataclass(slots=True)
class Script:
    """A test that is being written.

    Attributes:
        bindings: the values of the run's variables.
        base_url: where the site was.
    """

    bindings: Bindings
    base_url: str
    uploads: dict[str, str] = field(default_factory=dict)
    """Name of each file that is uploaded to the hash of its bytes."""
    _secrets: dict[str, str] = field(default_factory=dict)
    _pages: dict[str, str] = field(default_factory=dict)
    _dialogs: bool = False

    def write(self, name: str, about: str, actions: Iterable[RecordedAction]) -> str:
        """Write the test.

        Args:
            name: of the test function.
            about: what was done, for its first line.
            actions: what was recorded, in order; only what was done counts.

        Returns:
            The text of a Python file.

        Raises:
            ToolError: ``unavailable``: nothing was done yet, or something that a test cannot be made of.
        """
        done = [action for action in actions if action.status == "done"]
        if not done:
            raise ToolError("unavailable", "nothing was done on the site as yet, so there is nothing to export")
        body = [line for action in done for line in self._lines(action)]
        first, *others = self._pages.values()
        opened = [f"{page} = browser.new_context().new_page()" for page in others]
        if any(DIALOGS in action.options for action in done):
            raise ToolError(
                "unavailable", "a test that answers the browser's dialogs otherwise than yes is not written"
            )
        if self._dialogs:
            opened += [f'{page}.on("dialog", lambda dialog: dialog.accept())' for page in self._pages.values()]
        text = "\n".join(f"    {line}" for line in [*opened, *body])
        parameters = f"{first}: Page, browser: Browser" if others else f"{first}: Page"
        return f"{self._head(about, text, bool(others))}\n\ndef {name}({parameters}) -> None:\n{text}\n"

    def _head(self, about: str, text: str, several: bool) -> str:
        modules = ["os"]
        if "re.compile(" in text:
            modules.append("re")
        imports = [f"import {module}" for module in modules]
        if self.uploads:
            imports.append("from pathlib import Path")
        names = ["Browser", "Page"] if several else ["Page"]
        names += ["expect"] if "expect(" in text else []
        lines = [
            f'"""{_one_line(about)}"""',
            "",
            *imports,
            "",
            f"from playwright.sync_api import {', '.join(names)}",
            "",
            f'BASE_URL = os.environ.get("BASE_URL", {quoted(self.base_url)})',
        ]
        lines += [f"{constant} = os.environ[{quoted(constant)}]" for constant in self._secrets.values()]
        if self.uploads:
            lines.append(f"FILES = Path(__file__).parent / {quoted(FILES)}")
        return "\n".join(lines) + "\n"

    def _lines(self, action: RecordedAction) -> Sequence[str]:
        page = self._page(action.actor)
        return [*self._deed(action, page), *self._expected(action, page)]

    def _page(self, actor: str) -> str:
        """Give the name of an actor's page: the first one's is pytest-playwright's own."""
        if actor not in self._pages:
            word = re.sub(r"\W+", "_", actor).strip("_").lower() or "user"
            name = f"{word}_page" if self._pages else "page"
            while name in self._pages.values() or not name.isidentifier():
                name = f"user_{name}"
            self._pages[actor] = name
        return self._pages[actor]

    def _deed(self, action: RecordedAction, page: str) -> Sequence[str]:
        kind = action.kind
        if kind in ("open_tab", "switch_tab", "close_tab"):
            raise ToolError(
                "unavailable", "the run used several windows, which an exported test does not follow; write it yourself"
            )
        if kind == "goto":
            return [f"{page}.goto({self._address(action.recorded_value or '/')})"]
        if kind in ("back", "forward", "reload"):
            return [f"{page}.{'reload' if kind == 'reload' else f'go_{kind}'}()"]
        if kind == "wait":
            return self._wait(action, page)
        if action.target is None:
            dx, dy = action.options.get("dx", 0), float(action.recorded_value or 0)
            return [f'{page}.evaluate("window.scrollBy({dx:g}, {dy:g})")']
        if kind == "press" and action.target.unprovable:
            return [f"{page}.keyboard.press({self._value(action)})"]
        return self._on_element(action, action.target, page)

    def _on_element(self, action: RecordedAction, target: Target, page: str) -> Sequence[str]:
        found, options = locator(target, self.bindings.render, page), action.options
        match action.kind:
            case "fill" | "select":
                method = {"fill": "fill", "select": "select_option"}[action.kind]
                value = quoted(str(options["option"])) if "option" in options else self._value(action)
                return [f"{found}.{method}({value})"]
            case "type":
                # Behind what the field holds, as it is typed here.
                return [f'{found}.press("Control+End")', f"{found}.press_sequentially({self._value(action)})"]
            case "press":
                held = f", delay={options['hold_ms']}" if "hold_ms" in options else ""
                return [f"{found}.press({self._value(action)}{held})"]
            case "drag":
                onto = locator(Target.model_validate(options["onto"]), self.bindings.render, page)
                return [f"{found}.drag_to({onto})"]
            case "upload":
                name = f"{options['sha256'][:12]}-{options['name']}"
                self.uploads[name] = options["sha256"]
                return [f"{found}.set_input_files(FILES / {quoted(name)})"]
            case "scroll" if "by" in options:
                dx, dy = options["by"]
                return [f"{found}.hover()", f"{page}.mouse.wheel({dx:g}, {dy:g})"]
            case "scroll":
                return [f"{found}.scroll_into_view_if_needed()"]
            case _:
                return [f"{found}.{action.kind}({_pointing(options)})"]

    def _wait(self, action: RecordedAction, page: str) -> Sequence[str]:
        options, value = action.options, action.recorded_value or ""
        timeout = f"timeout={float(options['timeout']):g}"
        if options["until"] == "url":
            pattern = ".*".join(re.escape(part) for part in value.split("*"))
            return [f"{page}.wait_for_url(re.compile({quoted(pattern)}), {timeout})"]
        how = "text" if options["until"] == "text" else str(options["how"])
        found = waited_for(how, value, options, page)
        return [f"expect({found}).to_be_visible({timeout})"] if found else []

    def _expected(self, action: RecordedAction, page: str) -> Sequence[str]:
        """Write what the site has to show now that it did not show before: another address, a word of success."""
        before, after = action.before, action.after
        if after is None:
            return []
        lines = []
        if action.kind == "goto" or before is None or after.url != before.url:
            lines.append(f"expect({page}).to_have_url({self._expected_address(after.url)})")
        for note in after.notes:
            if _DIALOG.match(note):
                self._dialogs = True
            elif before is None or note not in before.notes:
                text = quoted(self.bindings.render(note))
                lines.append(f'expect({page}.get_by_role("status").filter(has_text={text}).first).to_be_visible()')
        return lines

    def _address(self, url: str) -> str:
        return f"BASE_URL + {quoted(url)}" if url.startswith("/") else quoted(url)

    def _expected_address(self, url: str) -> str:
        """Write an address that is expected: recordings hold it decoded, and browsers show it encoded."""
        minted = [match for match in PLACEHOLDER.finditer(url) if match.group(1).startswith(_MINTED)]
        parts, at = [], 0
        for match in minted:
            parts += [_encoded(self.bindings.render(url[at : match.start()])), r"[^/?#&]+"]
            at = match.end()
        rest = self.bindings.render(url[at:])
        if not minted and _encoded(rest) == re.escape(rest):
            return self._address(rest)
        return f"re.compile({quoted(''.join([*parts, _encoded(rest)]) + '$')})"

    def _value(self, action: RecordedAction) -> str:
        """Write what was typed: a text, or the environment variable that holds the secret."""
        if action.recorded_value is not None:
            return quoted(action.recorded_value)
        match = PLACEHOLDER.fullmatch(action.value or "")
        if match is None or not match.group(1).startswith(SECRET):
            return quoted(action.value or "")
        name = match.group(1).removeprefix(SECRET)
        return self._secrets.setdefault(name, f"TEST_{name.upper()}")


def _encoded(url: str) -> str:
    """Write a pattern of a decoded address that fits it encoded, by either rule for spaces."""
    return "".join(
        r"(?:%20|\+)" if char == " " else re.escape(quote(char, safe="/?#&=:@!$'()*,;+%[]~")) for char in url
    )


def _pointing(options: object) -> str:
    given = dict(options) if isinstance(options, dict) else {}
    words = []
    if "button" in given:
        words.append(f"button={quoted(given['button'])}")
    if "count" in given:
        words.append(f"click_count={given['count']}")
    if "modifiers" in given:
        words.append(f"modifiers=[{', '.join(map(quoted, given['modifiers']))}]")
    if "position" in given:
        x, y = given["position"]
        words.append(f'position={{"x": {x:g}, "y": {y:g}}}')
    return ", ".join(words)


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("\\", "/").replace('"', "'").strip()
