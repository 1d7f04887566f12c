"""Things of a list that are ticked, and worked on by a button beside it, through a script."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]

THINGS = {"48213": "The spade behind the mill", "48214": "The rake under the bridge", "48215": "The hoe by the well"}
SENDS = {
    "as JSON": "{ method: 'POST', body: JSON.stringify({ ids }) }",
    "as a form": "{ method: 'POST', body: new URLSearchParams(ids.map((id) => ['id', id])) }",
}
PAGE = """<h1>Things</h1><button onclick="removeTicked()">Remove what is ticked</button><table>{rows}</table>
<script>function removeTicked() {{
  const ticked = [...document.querySelectorAll('tr')].filter((row) => row.querySelector('input').checked);
  const ids = ticked.map((row) => row.dataset.id);
  fetch('/remove', {sends}).then(() => location.reload());
}}</script>"""
ROW = '<tr data-id={id}><td><input type=checkbox aria-label="Tick {name}"><td>{name}</tr>'


@pytest.mark.parametrize("sends", SENDS.values(), ids=SENDS)
def test_what_a_script_removes_of_ticked_things_is_gone_or_the_replay_stops(
    run: OneRun, small_site: SmallSite, sends: str
) -> None:
    things, kept = dict(THINGS), set[str]()

    def show() -> None:
        rows = "".join(ROW.format(id=one, name=name) for one, name in things.items())
        small_site.pages["/"] = PAGE.format(rows=rows, sends=sends)

    def remove(fields: Mapping[str, str]) -> tuple[int, str]:
        for one in [one for one in things if any(one in f"{name}{text}" for name, text in fields.items())]:
            if one not in kept:
                things.pop(one)
        show()
        return 200, "{}"

    show()
    small_site.answers["/remove"] = remove
    told = run.record(
        [
            call("navigate", url="/"),
            call("check", selector="Tick The rake under the bridge"),
            call("click", selector="Remove what is ticked"),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), told
    assert list(things) == ["48213", "48215"]
    assert run.effects() == [("disappearance", "kept", True)]
    for lies in (False, True):
        things.clear()
        things |= THINGS
        kept |= THINGS.keys() if lies else set()
        show()
        replayed = run.replay()
        assert replayed["verdict"] == ("postcondition" if lies else "passed"), replayed
        unseen = [["button 'Remove what is ticked'"]] if lies else [[]]
        assert [one["unseen"] for one in replayed["writes"]] == unseen, replayed


def test_of_several_ticked_things_it_is_told_that_nobody_saw_them_gone(run: OneRun, small_site: SmallSite) -> None:
    rows = "".join(ROW.format(id=one, name=name) for one, name in THINGS.items())
    small_site.pages["/"] = PAGE.format(rows=rows, sends=SENDS["as JSON"])
    small_site.answers["/remove"] = lambda fields: (200, "{}")
    ticks = [f"Tick {name}" for name in list(THINGS.values())[1:]]
    told = run.record(
        [
            call("navigate", url="/"),
            *(call("check", selector=tick) for tick in ticks),
            call("click", selector="Remove what is ticked"),
        ]
    )
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [ticks]), replayed
