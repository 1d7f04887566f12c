"""The form that something was sent by, looked at once more: what no other page tells from the truth is red there."""

from __future__ import annotations

from collections.abc import Mapping

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]

STREET = "Weavers Lane 12"
FORM = """<form method=post action="{path}" enctype="multipart/form-data">
<label>Street <input name=street value="{street}"></label>
<label>Remark <input name=remark value="{remark}"></label>
<label><input type=checkbox name=letters value=on {letters}> Letters</label>
<label>Picture <input type=file name=picture></label><button>Save</button></form>
<a href=/start>Start</a>"""


def test_what_the_form_shows_otherwise_revokes_the_proof(run: OneRun, small_site: SmallSite) -> None:
    """Two fields of a form with a file are swapped, and another page shows both without what they are called."""
    path, lying = "/things/41", dict[str, str]()

    def keep(fields: Mapping[str, str]) -> str:
        kept = {name: fields.get(name, "") for name in ("street", "remark", "letters")} | lying
        show(kept)
        return "/start"

    def show(kept: Mapping[str, str]) -> None:
        ticked = "checked" if kept["letters"] else ""
        small_site.pages[path] = FORM.format(**{**kept, "letters": ticked, "path": path})
        small_site.pages["/start"] = f"<h1>Start</h1><p>{kept['street']}</p><p>{kept['remark']}</p>"

    small_site.answers[path] = keep
    begin = {"street": "", "remark": "", "letters": "on"}
    show(begin)
    told = run.record(
        [
            call("navigate", url=path),
            call("fill", selector="Street", value=STREET),
            call("click", selector="Save"),
            call("navigate", url="/start"),
        ]
    )
    assert all(one.success for one in told), told
    show(begin)
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    lying.update(street="", remark=STREET)
    show(begin)
    replayed = run.replay()
    assert (replayed["verdict"], [bool(one["unseen"]) for one in replayed["writes"]]) == ("postcondition", [True])
