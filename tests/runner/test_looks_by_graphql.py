"""A page that asks GraphQL for what it shows: it is looked at again for what was sent, as a query changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was sent is seen")

FORM = """<h1>Lamp</h1><form id=form><label>Remark <input name=remark></label><button>Save</button></form><script>
const ask = (operationName, query, variables = {}) => fetch("/graphql", {method: "POST",
  headers: {"Content-Type": "application/json"}, body: JSON.stringify({operationName, query, variables})})
  .then((it) => it.json()).then((it) => it.data);
ask("Lamp", "query Lamp { lamp { remark } }").then(({lamp}) => { form.remark.value = lamp.remark; });
form.onsubmit = async (event) => { event.preventDefault();
  await ask("SetRemark", "mutation SetRemark($to: String!) { setRemark(to: $to) }", {to: form.remark.value});
  location.href = "/home"; };
</script>"""


def test_what_only_a_page_that_asks_graphql_shows_is_looked_for_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = {"remark": "As it was", "lie": ""}

    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, FORM if self.path == "/lamp" else "<h1>Home</h1>")

        def do_POST(self) -> None:
            asked = json.loads(self.body())
            if asked["operationName"] == "SetRemark":
                kept["remark"] = kept["lie"] or asked["variables"]["to"]
                return self.tell({"data": {"setRemark": True}})
            self.tell({"data": {"lamp": {"remark": kept["remark"]}}})

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(Handler) as url:
        run = OneRun(tmp_path, url, capsys)
        run.record(
            [
                call("navigate", url="/lamp"),
                call("fill", selector="Remark", value="The glass is cracked"),
                call("click", selector="Save"),
            ]
        )
        kept["remark"] = "As it was"
        honest = run.replay()
        assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest
        kept |= {"remark": "As it was", "lie": "The glass is gone"}
        replayed = run.replay()
        assert (replayed["verdict"], "The glass is gone" in str(replayed["drift"])) == ("postcondition", True), replayed
