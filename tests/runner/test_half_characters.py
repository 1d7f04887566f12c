"""Whatever a page says goes through a whole run: to a model, into a recording, out of it, and through a replay."""

from __future__ import annotations

import json
import random
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from simulator.recording.upkeep.verify import verify
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.small_run import SmallSite

ODD = [
    "\ud83d",
    "\ude00",
    "\0",
    "\x01",
    "\x1b[31m",
    "\x7f",
    "\x9b",
    "\u202e",
    "\ufffe",
    "\uffff",
    "😀",
    "<",
    "&",
    '"',
    "'",
]
BUTTON = "Great book"
PAGE = """<h1></h1><form method=post action=/sent><label><b></b><input name=note></label><button></button></form><p></p>
<script>
  const odd = %s;
  document.title = odd.join(" ");
  document.querySelector("h1").textContent = odd.join(" | ");
  document.querySelector("p").textContent = odd.join(", ");
  document.querySelector("b").textContent = "Note " + odd[0];
  document.querySelector("button").textContent = "Great book 😀 ".slice(0, 12);
  for (const text of odd) {
    console.log(text);
    const link = Object.assign(document.createElement("a"), { textContent: text, title: text });
    document.body.append(link);
    link.href = "/one?" + text;
    document.cookie = `kept${odd.indexOf(text)}=${text}`;
    document.body.setAttribute("data-odd", text);
  }
  fetch("/said").then((answer) => answer.json()).then((said) => { document.querySelector("p").append(said.text) });
  document.querySelector("button").onclick = () => alert(odd.join(" "));
</script>"""


@pytest.mark.table
@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 10))])
def test_a_run_takes_whatever_a_page_says(
    tmp_path: Path,
    small_site: SmallSite,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    seed: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    drawn = random.Random(seed)
    odd = ["".join(drawn.choice([*ODD, "ab", " "]) for _ in range(drawn.randrange(1, 9))) for _ in range(8)]
    small_site.pages |= {"/": PAGE % json.dumps(odd).replace("<", "\\u003c"), "/thanks": "<h1>Thanks</h1>"}
    small_site.pages["/said"] = json.dumps({"text": "".join(odd)})
    small_site.answers["/sent"] = lambda fields: "/thanks"
    run = OneRun(tmp_path, small_site.url, capsys)
    told = run.record(
        [
            call("navigate", url="/"),
            call("read_page"),
            call("get_page_text"),
            call("read_links"),
            call("read_forms"),
            call("fill", selector="input", value="Hello"),
            call("click", selector="button"),
        ],
        toolsets=["browser", "elements"],
    )
    assert all(one.success for one in told[:7]), told
    assert "Great book \ufffd" in "".join(one.text for one in told)
    assert small_site.posts == [("/sent", {"note": "Hello"})]
    assert run.replay()["verdict"] == "passed"
    assert small_site.posts == [("/sent", {"note": "Hello"})] * 2
    assert verify(tmp_path / "a.db") == []
    for command in (
        ("replay", "a.db", "--db", "c.db", "--junit", "junit.xml", "--html", "replay.html"),
        ("report", "last", "--db", "a.db", "--html", "report.html"),
        ("runs", "show", "last", "--db", "a.db"),
        ("runs", "export", "last", "--db", "a.db", "--to", "run.py", "--format", "pytest"),
        ("runs", "export", "last", "--db", "a.db", "--to", "run.json", "--format", "json"),
        ("offline", "last", "--db", "a.db"),
    ):
        code, out, err = run.sim(*command)
        assert (code, "Traceback" in err) == (0, False), (command, out, err)
        assert "\x1b[31m" not in out + err
    ET.parse(tmp_path / "junit.xml")
