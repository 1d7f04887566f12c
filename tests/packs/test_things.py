"""What users do with the things of others, on a site of its own: some pages take it, some only look as if they did."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import Field

from simulator.agent.acting import Acting
from simulator.agent.filling import Value
from simulator.agent.things import react, write_about
from simulator.domain import Message, Pack, Reaction, TaskBase, Thing
from simulator.testing import project

VOTE = Reaction(button="Vote", once=True)
BOAT = Thing(name="boat", react=(VOTE,), message=Message(by="Contact", said="is on its way"))
BERTH = Thing(name="berth", message=Message(field="Remark"))
BALLOT = "".join(
    f"<form method=post><button name=boat value={place}>Vote for {name}</button></form>"
    for place, name in enumerate(("Crimson Gull", "Crimson Gull of Hull", "Patient Otter"))
)
LETTER = "<form method=post><label>Message <textarea name=text></textarea></label><button>Send</button></form>"
REMARK = "<form method=post><label>Remark <input name=text></label><button>Send</button></form>"
PAGES = {
    "/": "<h1>Harbour</h1>",
    "/poll": BALLOT,
    "/said": BALLOT,
    "/stuck": BALLOT,
    "/boat": "<h1>Crimson Gull</h1><a href=/contact>Contact the owner</a>",
    "/contact": LETTER,
    "/dead": "<h1>Patient Otter</h1><a href=/lost>Contact the owner</a>",
    "/lost": LETTER,
    "/closed": "<h1>Sold</h1>",
    "/berth": REMARK,
    "/forgetful": REMARK,
}
AFTER = {
    "/poll": "<p>You have voted",
    "/said": "<p role=status>Your vote counts</p>" + BALLOT,
    "/stuck": BALLOT,
    "/contact": "<p>Your letter is on its way",
    "/lost": "<h1>Harbour</h1>",
    "/berth": "<p>{text}",
    "/forgetful": "<p>Thank you",
}


class Handler(BaseHTTPRequestHandler):
    """Serves the pages, and keeps what it got."""

    got: ClassVar[list[tuple[str, str]]] = []

    def do_GET(self) -> None:
        self._say(PAGES.get(self.path, ""))

    def do_POST(self) -> None:
        from urllib.parse import parse_qsl

        sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
        ((_, text),) = parse_qsl(sent)
        self.got.append((self.path, text))
        self._say(AFTER[self.path].format(text=text))

    def _say(self, body: str) -> None:
        page = f"<!doctype html><title>Harbour</title><main>{body}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Act(TaskBase):
    """Do something on a page."""

    needs_login: ClassVar[bool] = False
    task_type: str = "act"
    page: str = Field(description="Where.")
    to: str = Field(default="", description="To which of several.")


async def perform(acting: Acting, task: Act) -> str:
    await acting.client.visit(task.page)
    if task.page in ("/poll", "/said", "/stuck"):
        await react(acting.client, VOTE, task.to)
    else:
        thing = BERTH if task.page in ("/berth", "/forgetful") else BOAT
        await write_about(acting.client, thing, Value.literal("Is she still for sale?"))
    return ""


PACK = Pack(name="harbour", version="1", api=1, tasks=(Act,), performers=lambda: {Act: perform}, things=(BOAT, BERTH))
TASKS = [
    ("{page: /poll, to: Patient Otter}", ("/poll", "2"), ""),
    ("{page: /poll, to: Crimson Gull}", ("/poll", "0"), ""),
    ("{page: /said, to: Crimson Gull of Hull}", ("/said", "1"), ""),
    (
        "{page: /stuck, to: Patient Otter}",
        ("/stuck", "2"),
        "still offers it, after 'Vote for Patient Otter' was",
    ),
    ("{page: /poll}", None, "3 buttons of this page say 'Vote', not one"),
    ("{page: /poll, to: Old Swan}", None, "0 buttons of this page say 'Vote' for 'Old Swan', not one"),
    ("{page: /boat}", ("/contact", "Is she still for sale?"), ""),
    ("{page: /dead}", ("/lost", "Is she still for sale?"), "/lost does not say that the message was sent"),
    ("{page: /closed}", None, "nothing on this page leads to where one writes about a boat"),
    ("{page: /berth}", ("/berth", "Is she still for sale?"), ""),
    (
        "{page: /forgetful}",
        ("/forgetful", "Is she still for sale?"),
        "/forgetful does not show 'Is she still",
    ),
]


@pytest.fixture
def harbour() -> Iterator[str]:
    Handler.got.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_what_others_do_with_a_thing_is_done_once_and_looked_for(harbour: str, tmp_path: Path) -> None:
    example = tmp_path / "example"
    (example / "personas").mkdir(parents=True)
    (example / "sim.toml").write_text(
        f'packs = ["harbour"]\n[site.harbour]\nbase_url = "{harbour}"\nlogged_in = {{ selector = "#out" }}\n', "utf-8"
    )
    tasks = "".join(f"  - act: {task}\n" for task, _, _ in TASKS)
    (example / "personas/visitor.yaml").write_text(
        f"persona: visitor\nabout: Looks at boats.\nlocale: en_GB\ntasks:\n{tasks}", "utf-8"
    )
    with project(example, tmp_path, harbour, PACK) as shore:
        (run,) = shore.record(count=1, seed="7").runs
    assert [(found.status, bool(reason)) for found, (_, _, reason) in zip(run.tasks, TASKS, strict=True)] == [
        ("failed" if reason else "done", bool(reason)) for _, _, reason in TASKS
    ]
    for found, (_, _, reason) in zip(run.tasks, TASKS, strict=True):
        assert reason in found.reason
    assert Handler.got == [got for _, got, _ in TASKS if got]
