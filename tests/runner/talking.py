"""A seller, and a user two of whose tasks are in free words: what a scripted model does of them, recorded."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.fakes.messages_api import KEY, Answer, Request, call, calls, messages_api, say, use
from tests.runner.bench import SELLER, Bench, Original

READER = {
    "persona": "reader",
    "tasks": [
        "register",
        {"do": "Write a friendly message to another seller."},
        {"do": "Look through many pages, and say what you like."},
        {"list_books": {"count": 1}},
    ],
    "limits": {"steps": 200, "tokens": 20_000_000},
}
LOOKS = 6
MESSAGE = "Hello! What a lovely copy of {title}. Best wishes, {{{{identity.first_name}}}}"


def act(request: Request) -> Answer:
    """Writes to a seller, and looks at many pages; sometimes only talks, or fails."""
    if "friendly message" not in request.task.partition("\n")[0]:
        return look(request)
    match request.turn:
        case 0:
            return calls(use("navigate", url="/books"), use("read_links"), text="I look for a book.")
        case 1:
            links = json.loads(request.results[-1]["content"][0]["text"])["links"]
            book = next(link for link in links if "£" in "".join(link.get("card", [])))
            return calls(use("click", selector=f"ref={book['ref']}"), use("click", selector="No such button"))
        case 2:
            return say("Hm.")
        case 3:
            return call("read_forms")
        case 4:
            forms = json.loads(request.results[-1]["content"][0]["text"])["forms"]
            form = next(form for form in forms if '"meaning": "message"' in json.dumps(form))
            text = MESSAGE.format(title="your book")
            return calls(use("fill_form", form=f"ref={form['ref']}", values={"message": text}, submit=True))
        case _:
            return call("complete", result="I wrote to a seller.")


def look(request: Request) -> Answer:
    turn = request.turn
    if turn >= LOOKS:
        return call("complete", result="I liked all of it.")
    way = ("/books", "/matchups", "/books")[turn % 3]
    if turn % 13 == 5:
        return calls(use("navigate", url=f"{way}?q=word{turn}"), use("screenshot"))
    return calls(use("navigate", url=f"{way}?q=word{turn}"))


def record(bench: Bench) -> Original:
    """Record a seller, and a reader who acts by the model."""
    with pytest.MonkeyPatch.context() as patch, messages_api(act) as api:
        patch.setenv("ANTHROPIC_API_KEY", KEY)
        patch.setenv("ANTHROPIC_BASE_URL", api.url)
        made = asyncio.run(bench.record("talked", (SELLER, READER), count=2, concurrency=2, agent="claude"))
        assert api.refused == []
    return made
