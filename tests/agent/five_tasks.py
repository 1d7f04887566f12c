"""Five tasks in free words, and a model that does them by what it reads on the pages, whoever's tools it is given.

A task is a generator: it gives the calls of an answer and gets the page that they led to. Not responsible for: a site,
an API, or whether what was claimed is true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tests.fakes.model_server import Answer, Request, call, calls, use

MESSAGE = "Hello! What a lovely copy of {title}. Is it still to be had? Best wishes, {{{{identity.first_name}}}}"
RIGHT_PRICE = "9.50"
TOO_MUCH = "900"
_ELEMENT = re.compile(r'^( *)- ([a-z]+)(?: "((?:\\.|[^"\\])*)")?(.*)$')
_TEXT = re.compile(r'^( *)- "((?:\\.|[^"\\])*)"$')
_REF = re.compile(r"\[ref=(e\d+)\]")


@dataclass(frozen=True)
class Element:
    """A line of a page's tree that names an element."""

    depth: int
    role: str
    name: str
    rest: str

    @property
    def ref(self) -> str:
        found = _REF.search(self.rest)
        assert found, self
        return found[1]


@dataclass(frozen=True)
class Page:
    """A page as ``read_page`` tells it."""

    lines: tuple[str, ...]

    def elements(self, role: str, name: str = "") -> list[Element]:
        """Give the elements of a role whose name begins so."""
        found = (_ELEMENT.match(line) for line in self.lines)
        all_of = (Element(len(one[1]), one[2], one[3] or "", one[4]) for one in found if one)
        return [one for one in all_of if one.role == role and one.name.startswith(name)]

    def one(self, role: str, name: str = "") -> Element:
        found = self.elements(role, name)
        assert len(found) == 1, (role, name, self.lines)
        return found[0]

    def parts(self, role: str) -> list[Page]:
        """Give what is inside of each element of a role, the element included."""
        parts: list[Page] = []
        for place, line in enumerate(self.lines):
            element = _ELEMENT.match(line)
            if element and element[2] == role:
                deeper = len(element[1])
                inside = [line]
                for after in self.lines[place + 1 :]:
                    if len(after) - len(after.lstrip()) <= deeper:
                        break
                    inside.append(after)
                parts.append(Page(tuple(inside)))
        return parts

    @property
    def texts(self) -> list[str]:
        return [found[2] for line in self.lines if (found := _TEXT.match(line))]

    @property
    def price(self) -> float:
        (told,) = (found for text in self.texts if (found := re.search(r"£([\d.]+)", text)))
        return float(told[1])


class ToolClient(Protocol):
    """Writes what is to be done as calls of the tools that a model is given."""

    def go(self, url: str) -> dict[str, Any]: ...

    def read(self) -> dict[str, Any]: ...

    def click(self, element: Element) -> dict[str, Any]: ...

    def fill(self, element: Element, value: str) -> dict[str, Any]: ...


class OurHands:
    """By our own tools."""

    def go(self, url: str) -> dict[str, Any]:
        return use("navigate", url=url)

    def read(self) -> dict[str, Any]:
        return use("read_page")

    def click(self, element: Element) -> dict[str, Any]:
        return use("click", selector=f"ref={element.ref}")

    def fill(self, element: Element, value: str) -> dict[str, Any]:
        tool = "select" if element.role == "combobox" else "fill"
        return use(tool, selector=f"ref={element.ref}", value=value)


class MemberHands:
    """By the members of the API's own browser toolset."""

    def go(self, url: str) -> dict[str, Any]:
        return use("navigate", "browser", url=url)

    def read(self) -> dict[str, Any]:
        return use("read_page", "browser", filter="all", depth=20)

    def click(self, element: Element) -> dict[str, Any]:
        return use("left_click", "browser", target={"type": "ref", "ref": element.ref})

    def fill(self, element: Element, value: str) -> dict[str, Any]:
        return use("form_input", "browser", target={"type": "ref", "ref": element.ref}, value=value)


Task = Generator[Sequence[dict[str, Any]], Page, str]


def write_message(client: ToolClient, seen: dict[str, Any]) -> Task:
    """Write about the first book that somebody else sells."""
    page = yield [client.go("/books")]
    card = next(card for card in page.parts("article") if card.elements("button", "Save"))
    title = card.one("article").name
    page = yield [client.click(card.one("link", title))]
    text = MESSAGE.format(title=title)
    field, send = page.one("textbox", "Message to"), page.one("button", "Send message")
    page = yield [client.fill(field, text), client.click(send)]
    assert page.elements("status") or page.elements("alert"), page.lines
    seen["wrote about"] = title
    return f"I wrote to the seller of {title}."


def save_cheapest(client: ToolClient, seen: dict[str, Any]) -> Task:
    """Save the crime novel that costs least."""
    page = yield [client.go("/books")]
    page = yield [
        client.fill(page.one("combobox", "Genre"), "Crime and mystery"),
        client.click(page.one("button", "Show books")),
    ]
    cards = [card for card in page.parts("article") if card.elements("button", "Save")]
    seen["prices"] = {card.one("article").name: card.price for card in cards}
    cheapest = min(cards, key=lambda card: card.price)
    page = yield [client.click(cheapest.one("button", "Save"))]
    title = cheapest.one("article").name
    (now,) = (card for card in page.parts("article") if card.one("article").name == title)
    assert now.one("button", "Saved")
    return f"I saved {title}."


def correct_price(client: ToolClient, seen: dict[str, Any]) -> Task:
    """Give the first of the own books another price."""
    page = yield from _edit(client, 0)
    field, save = page.one("spinbutton", "Price"), page.one("button", "Save changes")
    page = yield [client.fill(field, RIGHT_PRICE), client.click(save)]
    assert any(f"£{RIGHT_PRICE}" in line for line in page.lines), page.lines
    return f"It costs {RIGHT_PRICE} now."


def vote(client: ToolClient, seen: dict[str, Any]) -> Task:
    """Vote for the later title in three matchups."""
    page = yield [client.go("/this-or-that")]
    open_ones = [link.name for link in page.elements("link") if link.name.endswith("?")]
    votes: list[str] = []
    for name in open_ones[:3]:
        left, right = name.removesuffix("?").split(" or ", 1)
        votes.append(max(left, right))
        page = yield [client.click(page.one("link", name))]
        page = yield [client.click(page.one("button", f"Vote for {votes[-1]}"))]
        assert any("You have voted" in line or "Your vote" in line for line in page.lines), page.lines
        page = yield [client.go("/this-or-that")]
    seen["votes"] = votes
    return f"I voted for {', '.join(votes)}."


def recover(client: ToolClient, seen: dict[str, Any]) -> Task:
    """Ask for more than the site allows for the last book, and then for the most that its error message tells."""
    page = yield from _edit(client, -1)
    field, save = page.one("spinbutton", "Price"), page.one("button", "Save changes")
    page = yield [client.fill(field, TOO_MUCH), client.click(save)]
    alert = page.parts("alert")[0]
    (most,) = (found[1] for text in alert.texts if (found := re.search(r"between [\d.]+ and ([\d.]+) pounds", text)))
    seen["the most"] = most
    field, save = page.one("spinbutton", "Price"), page.one("button", "Save changes")
    page = yield [client.fill(field, most), client.click(save)]
    assert any(f"£{most}" in line for line in page.lines), page.lines
    return f"It costs {most} now, the most there is."


def _edit(client: ToolClient, place: int) -> Generator[Sequence[dict[str, Any]], Page, Page]:
    page = yield [client.go("/my/books")]
    return (yield [client.click(page.elements("link", "Edit")[place])])


TASKS: Mapping[str, tuple[str, Callable[[ToolClient, dict[str, Any]], Task]]] = {
    "message": ("Write a friendly message to another seller.", write_message),
    "cheapest": ("Find the cheapest crime novel and save it.", save_cheapest),
    "price": (f"The price of your newest book is wrong: it should cost {RIGHT_PRICE}. Correct it.", correct_price),
    "vote": ("Vote in three matchups. You prefer the title that comes later in the alphabet.", vote),
    "recover": (f"Ask {TOO_MUCH} pounds for your oldest book, or the most that the site allows.", recover),
}


class Doer:
    """A model that does these tasks. Call it with every request.

    Args:
        client: how it acts.
    """

    def __init__(self, client: ToolClient) -> None:
        self.seen: dict[str, Any] = {}
        """What it read and chose, for the test."""
        self.done: list[str] = []
        self._client = client
        self._task: Task | None = None

    def __call__(self, request: Request) -> Answer:
        """Go on with the task in hand by the page that the last call of the answer before has read."""
        try:
            if request.turn == 0:
                now = request.task.partition("\n")[0]
                (begin,) = (begin for text, begin in TASKS.values() if text in now)
                self._task = begin(self._client, self.seen)
                acts = next(self._task)
            else:
                assert self._task is not None
                assert not [result for result in request.results if result.get("is_error")], request.said
                acts = self._task.send(_page(request))
        except StopIteration as end:
            self.done.append(str(end.value))
            return call("complete", result=end.value)
        return calls(*acts, self._client.read(), text="I go on.")


def _page(request: Request) -> Page:
    block = request.results[-1]["content"][0]
    return Page(tuple(block["text"].split("\n")))
