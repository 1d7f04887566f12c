"""Writes the actions of a run as a pytest-playwright test. Not responsible for: storing it, or files it needs.

Secrets come from environment variables; what the site generated may be anything in an address that is expected.
Whatever was recorded enters the test by ``source.py`` alone, as a literal.
"""

from __future__ import annotations

import ast
import mimetypes
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from simulator.addresses import urlsplit
from simulator.bindings import Bindings
from simulator.browser.acting.dialogs import OPTION as DIALOGS
from simulator.browser.action_recorder import CLOSES, PageState
from simulator.browser.evidence import Target
from simulator.errors import ToolError
from simulator.filenames import stored_names
from simulator.template import PLACEHOLDER, SECRET
from simulator.tools.exporting.actions import RecordedAction, Shown
from simulator.tools.exporting.locators import locator, waited_for
from simulator.tools.exporting.source import (
    Code,
    Literal,
    added,
    called,
    code,
    docstring,
    identifier,
    lines,
    name,
    pattern,
    word_of,
)
from simulator.tools.exporting.support import FUNCTIONS, NAMES

FILES = "files"
"""Folder beside the test that holds what it uploads."""
_DIALOG = re.compile(r"(?:alert|confirm|prompt): ")
_GENERATED = "site."
_POINTED = frozenset({"click", "dblclick", "hover", "focus", "check", "uncheck"})
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_METHOD = re.compile(r"[A-Z]{1,20}")
_MOST_SENT = 4
"""Requests of one action whose answers a test waits for."""


@dataclass(slots=True)
class Script:
    """A test that is being written.

    Attributes:
        bindings: the values of the run's variables.
        base_url: where the site was.
        place: says where in the recording an action stands, for a refusal.
    """

    bindings: Bindings
    base_url: str
    place: Callable[[RecordedAction], str] = lambda action: f"the action {action.kind}"
    uploads: dict[str, str] = field(default_factory=dict)
    """Name of each file that is uploaded, in the folder beside the test, to the hash of its bytes."""
    secrets: dict[str, str] = field(default_factory=dict)
    """Name of each secret to the environment variable that gives it."""
    _stored: dict[str, str] = field(default_factory=dict)
    _pages: dict[str, str] = field(default_factory=dict)
    _dialogs: bool = False

    def write(self, test: str, about: str, actions: Iterable[RecordedAction | Shown]) -> str:
        """Write the test.

        Args:
            test: name of the test function.
            about: what was done, for its first line.
            actions: what was recorded, in order; only what was done counts. Between them what the site kept of it.

        Returns:
            The text of a Python file.

        Raises:
            ToolError: ``unavailable``: nothing was done yet, or something that a test cannot be made of.
        """
        done = [one for one in actions if isinstance(one, Shown) or one.status == "done"]
        if not any(not isinstance(one, Shown) for one in done):
            raise ToolError("unavailable", "nothing was done on the site as yet, so there is nothing to export")
        self._store([one for one in done if not isinstance(one, Shown)])
        body = [line for one in done for line in self._written(one)]
        first, *others = self._pages.values()
        opened = [f"{page} = browser.new_context().new_page()" for page in others]
        if self._dialogs:
            opened += [f'{page}.on("dialog", lambda dialog: dialog.accept())' for page in self._pages.values()]
        parameters = f"{first}: Page, browser: Browser" if others else f"{first}: Page"
        function = f"def {identifier(test)}({parameters}) -> None:\n{lines([*opened, *body], 4)}\n"
        return f"{self._head(about, function, bool(others))}\n\n{function}"

    def _store(self, actions: Sequence[RecordedAction]) -> None:
        """Name the files on disk: by their bytes, as the names that the site gets may be anything."""
        uploads = [action.options for action in actions if action.kind == "upload"]
        kinds = {one["sha256"]: _kind_of(one["name"]) for one in uploads}
        self._stored = stored_names(kinds)
        self.uploads = {stored: sha256 for sha256, stored in self._stored.items()}

    def _head(self, about: str, text: str, several: bool) -> str:
        used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        functions = [function for function in FUNCTIONS if function in used]
        used |= {"re"} if used & {"sent", "closed"} else set()
        names = {"Page", *(["Browser"] if several else []), *(["expect"] if "expect" in used else [])}
        names |= {each for function in functions for each in NAMES[function]}
        head = [docstring(about), "", *(["from __future__ import annotations", ""] if functions else []), "import os"]
        head += ["import re"] if "re" in used else []
        head += ["from collections.abc import Callable"] if "sent" in used else []
        head += ["from pathlib import Path"] if self.uploads else []
        head += [
            "",
            f"from playwright.sync_api import {', '.join(sorted(names, key=lambda one: (one.islower(), one)))}",
            "",
        ]
        head.append(f"BASE_URL = os.environ.get({code('BASE_URL')}, {code(self._base_url())})")
        head += [f"{constant} = os.environ[{code(constant)}]" for constant in self.secrets.values()]
        head += [f"FILES = Path(__file__).parent / {code(FILES)}"] if self.uploads else []
        return "\n".join([*head, *(f"\n\n{FUNCTIONS[function].rstrip()}" for function in functions)]) + "\n"

    def _base_url(self) -> str:
        if urlsplit(self.base_url).scheme not in ("http", "https"):
            raise ToolError("unavailable", f"the site was at {self.base_url[:80]!r}, which is no address of a site")
        return self.base_url.rstrip("/")

    def _written(self, one: RecordedAction | Shown) -> Sequence[str]:
        try:
            return self._shown(one) if isinstance(one, Shown) else self._lines(one)
        except ValueError as error:
            place = f"what was read back at {one.url[:80]!r}" if isinstance(one, Shown) else self.place(one)
            raise ToolError("unavailable", f"{place}: {error}") from None

    def _lines(self, action: RecordedAction) -> Sequence[str]:
        if DIALOGS in action.options:
            raise ValueError("a test that answers the browser's dialogs otherwise than yes is not written")
        page = self._page(action.actor)
        # Playwright closes them where they are in the way of what is done, and nowhere else.
        dialogs = [
            page.call("get_by_role", "dialog", name=self.bindings.render(one), exact=True)
            for one in action.options.get(CLOSES, ())
        ]
        return [
            *(str(page.call("add_locator_handler", dialog, name("closed"))) for dialog in dialogs),
            *self._performed(action, page),
            *(str(page.call("remove_locator_handler", dialog)) for dialog in dialogs),
            *self._expected(action, page),
        ]

    def _page(self, actor: str) -> Code:
        """Give the name of an actor's page: the first one's is pytest-playwright's own."""
        if actor not in self._pages:
            word = f"{word_of(actor, 'user')}_page" if self._pages else "page"
            while word in self._pages.values() or word[0].isdigit():
                word = f"user_{word}"
            self._pages[actor] = word
        return name(self._pages[actor])

    def _performed(self, action: RecordedAction, page: Code) -> Sequence[str]:
        """Write what is done, within what it waits for: the page that it leads to, or the answers that it gets."""
        act, after = self._act(action, page), action.after
        if after is None or not act:
            return act
        status = after.status
        if action.kind in ("goto", "back", "forward", "reload"):
            loads = status and _loads(action.before, after)
            return [str(called("answered", Code(act[0]), status))] if loads else act
        if action.target is None:
            return act
        if action.settled == "navigated":
            landed = page.call("expect_navigation", url=self._expected_address(after.url, whole=False))
            checks = [str(called("answered", Code("landed.value"), status))] if status else []
            return [f"with {landed}{' as landed' if checks else ''}:", *(f"    {line}" for line in act), *checks]
        writes = [one for one in dict.fromkeys(after.requests) if _is_write(*one)][:_MOST_SENT]
        if not writes:
            return act
        waits, checks = [], []
        for at, (method, address, told) in enumerate(writes, 1):
            word = f"saved_{at}" if len(writes) > 1 else "saved"
            answer = called("sent", method, _shape(self.bindings.render(address)))
            waits.append(f"{page.call('expect_response', answer)} as {word}")
            checks.append(str(called("answered", Code(f"{identifier(word)}.value"), told)))
        return [f"with {', '.join(waits)}:", *(f"    {line}" for line in act), *checks]

    def _act(self, action: RecordedAction, page: Code) -> Sequence[str]:
        kind = action.kind
        if kind in ("open_tab", "switch_tab", "close_tab"):
            raise ValueError("the run used several windows, which an exported test does not follow; write it yourself")
        if kind == "goto":
            return [str(page.call("goto", self._address(action.recorded_value or "/")))]
        if kind in ("back", "forward", "reload"):
            return [str(page.call(kind if kind == "reload" else f"go_{kind}"))]
        if kind == "wait":
            return self._wait(action, page)
        if action.target is None:
            if kind != "scroll":
                raise ValueError(f"nothing is recorded of what the {kind[:20]!r} was aimed at")
            dx, dy = action.options.get("dx", 0), float(action.recorded_value or 0)
            return [str(page.call("evaluate", f"window.scrollBy({dx:g}, {dy:g})"))]
        if kind == "press" and action.target.unprovable:
            return [str(page.at("keyboard").call("press", self._value(action)))]
        return self._on_element(action, action.target, page)

    def _on_element(self, action: RecordedAction, target: Target, page: Code) -> Sequence[str]:
        found, options = locator(target, self.bindings.render, page), action.options
        match action.kind:
            case "fill":
                return [str(found.call("fill", self._value(action)))]
            case "select" if target.tag != "select":
                option = page.call("get_by_role", "option", name=self._value(action), exact=True)
                return [str(found.call("click")), str(option.call("click"))]
            case "select" if options.get("beside"):
                called = str(options["option"]) if "option" in options else self._value(action)
                option = found.call("get_by_role", "option", name=called, exact=True)
                return [str(option.call("click", modifiers=["ControlOrMeta"]))]
            case "select" if options.get("several") and "option" in options:
                return [str(found.call("select_option", [*str(options["option"]).splitlines()]))]
            case "select":
                return [
                    str(found.call("select_option", options["option"] if "option" in options else self._value(action)))
                ]
            case "type":
                # Behind what the field holds, as it is typed here.
                typed = found.call("press_sequentially", self._value(action))
                return [str(found.call("press", "Control+End")), str(typed)]
            case "press":
                held = {"delay": options["hold_ms"]} if "hold_ms" in options else {}
                return [str(found.call("press", self._value(action), **held))]
            case "drag":
                onto = locator(options["onto"], self.bindings.render, page)
                return [str(found.call("drag_to", onto))]
            case "upload":
                return [self._upload(action, found)]
            case "scroll" if "by" in options:
                dx, dy = options["by"]
                return [str(found.call("hover")), str(page.at("mouse").call("wheel", dx, dy))]
            case "scroll":
                return [str(found.call("scroll_into_view_if_needed"))]
            case kind if kind in _POINTED:
                return [str(found.call(kind, **_pointing(options)))]
            case kind:
                raise ValueError(f"no user of a page does {str(kind)[:20]!r}")

    def _upload(self, action: RecordedAction, found: Code) -> str:
        sha256, told = action.options["sha256"], action.options["name"]
        data = Code(f"(FILES / {code(self._stored[sha256])})").call("read_bytes")
        given = f'{{"name": {code(told)}, "mimeType": {code(_kind_of(told))}, "buffer": {data}}}'
        return str(found.call("set_input_files", Code(given)))

    def _wait(self, action: RecordedAction, page: Code) -> Sequence[str]:
        options, value = action.options, action.recorded_value or ""
        timeout = options["timeout"]
        if options["until"] == "url":
            sought = ".*".join(re.escape(part) for part in value.split("*"))
            return [str(page.call("wait_for_url", pattern(sought), timeout=timeout))]
        how = "text" if options["until"] == "text" else options["how"]
        found = waited_for(how, value, options.get("name", ""), page)
        return [str(called("expect", found).call("to_be_visible", timeout=timeout))] if found else []

    def _expected(self, action: RecordedAction, page: Code) -> Sequence[str]:
        """Write what the site has to show now that it did not show before: another address, a word of success."""
        before, after = action.before, action.after
        if after is None:
            return []
        expected = []
        told = action.settled == "navigated" and action.target is not None
        if not told and (action.kind == "goto" or before is None or after.url != before.url):
            expected.append(str(called("expect", page).call("to_have_url", self._expected_address(after.url))))
        for note in after.notes:
            if _DIALOG.match(note):
                self._dialogs = True
            elif before is None or note not in before.notes:
                status = page.call("get_by_role", "status").call("filter", has_text=self.bindings.render(note))
                expected.append(str(called("expect", status.at("first")).call("to_be_visible")))
        return expected

    def _shown(self, one: Shown) -> Sequence[str]:
        """Write what the site has to have kept: read on the page that the user is on, or in a window beside it."""
        page = self._page(one.actor)
        address = self._address(self.bindings.render(one.url))
        if one.gone:
            return [f"assert {page.at('request').call('get', address).at('status')} >= 400"]
        kept = _kept(page, one)
        if one.here:
            absent = [page.call("get_by_role", "button", name=text, exact=True) for text in one.absent]
            return [*kept, *(str(called("expect", each).call("to_have_count", 0)) for each in absent)]
        beside = [str(name("beside").call("goto", address)), *_kept(name("beside"), one)]
        return [f"with {page.at('context').call('new_page')} as beside:", *(f"    {each}" for each in beside)]

    def _address(self, url: str) -> Code:
        """Write an address: of the site, or of another host.

        Raises:
            ValueError: it is of neither.
        """
        if url.startswith("/"):
            return added(name("BASE_URL"), url)
        if url.startswith(("http://", "https://")):
            return code(url)
        raise ValueError(f"the address {url[:80]!r} is neither of the site nor of another one")

    def _expected_address(self, url: str, *, whole: bool = True) -> Code:
        """Write an address that is expected: recordings hold it decoded, and browsers show it encoded.

        Args:
            url: a template.
            whole: whether a text will do, which has to be the whole address.
        """
        generated = [match for match in PLACEHOLDER.finditer(url) if match.group(1).startswith(_GENERATED)]
        parts, at = [], 0
        for match in generated:
            parts += [_encoded(self.bindings.render(url[at : match.start()])), r"[^/?#&]+"]
            at = match.end()
        rest = self.bindings.render(url[at:])
        if not generated and _encoded(rest) == re.escape(rest):
            return self._address(rest)
        return pattern("".join([*parts, _encoded(rest)]) + "$")

    def _value(self, action: RecordedAction) -> str | Code:
        """Write what was typed: a text, or the environment variable that holds the secret."""
        if action.recorded_value is not None:
            return action.recorded_value
        match = PLACEHOLDER.fullmatch(action.value or "")
        if match is None or not match.group(1).startswith(SECRET):
            return action.value or ""
        secret = match.group(1).removeprefix(SECRET)
        if secret not in self.secrets:
            constant = f"TEST_{word_of(secret, 'secret').upper()}"
            while constant in self.secrets.values():
                constant += "_2"
            self.secrets[secret] = constant
        return name(self.secrets[secret])


def _kept(page: Code, one: Shown) -> list[str]:
    expected: list[str | Code] = [*one.texts, *map(_written, one.numbers)]
    return [_contains(page, each) for each in expected]


def _contains(page: Code, text: str | Code) -> str:
    body = page.call("locator", "body")
    return str(called("expect", body).call("to_contain_text", text, use_inner_text=True))


def _encoded(url: str) -> str:
    """Write a pattern of a decoded address that fits it encoded, by either rule for spaces."""
    return "".join(
        r"(?:%20|\+)" if char == " " else re.escape(quote(char, safe="/?#&=:@!$'()*,;+%[]~", errors="replace"))
        for char in url
    )


def _shape(address: str) -> str:
    """Write a pattern of the shape of an address: what it asks for may stand in another order."""
    path = urlsplit(address)._replace(query="", fragment="").geturl()
    return "[^/?#&]+".join(map(_encoded, path.split("{id}"))) + "(?:[?#]|$)"


def _loads(before: PageState | None, after: PageState) -> bool:
    """Whether a visit loads a page: one that differs in its fragment alone does not."""
    return before is None or "#" not in after.url or before.url.partition("#")[0] != after.url.partition("#")[0]


def _is_write(method: str, address: str, status: int) -> bool:
    return bool(_METHOD.fullmatch(method)) and method not in _READS and address.startswith("/") and status > 0


def _pointing(options: Mapping[str, Any]) -> dict[str, Literal]:
    """Give how the pointer was used, as Playwright's arguments."""
    names = {"button": "button", "count": "click_count", "modifiers": "modifiers"}
    given: dict[str, Literal] = {names[name]: options[name] for name in names if name in options}
    if "position" in options:
        x, y = options["position"]
        given["position"] = {"x": x, "y": y}
    return given


def _kind_of(file: str) -> str:
    return mimetypes.guess_type(file)[0] or "application/octet-stream"


def _written(number: str) -> Code:
    """Write how a page may write a number: 6 as 6,00 or 6.00, 7.5 as 7,50, 1200 as 1 200."""
    whole, _, rest = number.replace(",", ".").partition(".")
    groups = re.sub(r"(?<=\d)(?=(\d{3})+$)", lambda _: r"[.,'\u2019\s]?", whole)
    fraction = rf"[.,]{rest}0*" if (rest := rest.rstrip("0")) else "(?:[.,]0+)?"
    return pattern(rf"(?<![\d.,]){groups}{fraction}(?![.,]?\d)")
