"""Forms in steps that one press confirms: what the page shows that asks for it proves nothing of what was made."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a site keeps")

WHO = "<form method=post><label>Name <input name=who></label><label>Phone <input name=phone></label>"
WHEN = (
    "<form method=post><label>Day <input type=date name=day></label><label>Note <textarea name=note></textarea></label>"
)
BOOKED = {"who": "Halina Brook", "phone": "601222333", "day": "2026-12-17", "note": "The left knee hurts since Monday"}


@dataclass
class Clinic:
    """A book of visits."""

    visits: dict[str, dict[str, str]] = field(default_factory=dict)
    begun: dict[str, str] = field(default_factory=dict)
    lie: dict[str, str] = field(default_factory=dict)
    """What it keeps instead."""

    def page(self, path: str) -> str:
        """Give what stands at a path."""
        if path in ("/book/who", "/book/when"):
            return f"<h1>Book</h1>{WHO if path.endswith('who') else WHEN}<button>Next</button></form>"
        known = self.begun if path == "/book/sure" else self.visits.get(path.removeprefix("/visits/"))
        if known is not None:
            names = ("who", "phone", "day", "note") if path == "/book/sure" else ("who", "day", "note")
            said = "".join(f"<dt>{name.replace('who', 'name').title()}<dd>{known[name]}" for name in names)
            return f"<h1>Visit</h1><dl>{said}</dl><form method=post><button>Confirm</button></form>"
        rows = "".join(
            f"<tr><td><a href=/visits/{key}>{one['who']}</a><td>{one['day']}" for key, one in self.visits.items()
        )
        return f"<h1>Visits</h1><a href=/book/who>Book</a><table><tr><th>Name<th>Day{rows}</table>"


@pytest.fixture
def clinic() -> Clinic:
    return Clinic()


@pytest.fixture
def run(
    clinic: Clinic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, clinic.page(self.path))

        def do_POST(self) -> None:
            clinic.begun |= dict(parse_qsl(self.body().decode()))
            if self.path == "/book/sure":
                clinic.visits[str(uuid.uuid4())] = clinic.begun | clinic.lie
            onward = {"/book/who": "/book/when", "/book/when": "/book/sure"}
            self.answer(303, location=onward.get(self.path, "/"))

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def test_what_is_asked_to_be_confirmed_is_no_proof_of_what_was_kept(clinic: Clinic, run: OneRun) -> None:
    def begin(**lie: str) -> None:
        clinic.visits = {"1b6a7c1e-0001-4a4a-9d3e-aa0000000001": {"who": "Jan Moss", "day": "2026-12-02", "note": ""}}
        clinic.lie = lie

    begin()
    run.record(
        [
            call("navigate", url="/"),
            call("click", selector="Book"),
            call("fill", selector="Name", value=BOOKED["who"]),
            call("fill", selector="Phone", value=BOOKED["phone"]),
            call("click", selector="Next"),
            call("fill", selector="Day", value=BOOKED["day"]),
            call("fill", selector="Note", value=BOOKED["note"]),
            call("click", selector="Next"),
            call("click", selector="Confirm"),
            call("click", selector=BOOKED["who"]),
            call("navigate", url="/"),
        ]
    )
    assert BOOKED in clinic.visits.values()

    begin()
    honest = run.replay()
    unseen = {one["url"]: one["unseen"] for one in honest["writes"]}
    assert honest["verdict"] == "passed", honest
    assert (unseen["/book/who"], unseen["/book/when"]) == (["Phone"], []), "no page shows the phone of a visit"

    for name, kept in (("day", "2026-12-19"), ("note", "")):
        begin(**{name: kept})
        lied = run.replay()
        assert (lied["verdict"], lied["drift"]["expected"].count(BOOKED[name])) == ("postcondition", 1), lied
