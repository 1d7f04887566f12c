"""A remark that is taken back on the page of what it is about, on a site whose addresses say what was done."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("what is pressed alone")

ROWS = """<tr><th><a href=msg{id}>msg{id} (view)</a><th>Author: admin<th><form method=post action=issue1>
<input type=hidden name=@remove@messages value={id}><input type=hidden name=@action value=edit>
<input type=submit value=remove></form></tr><tr><td colspan=3><pre>{text}</pre></tr>"""
PAGE = """<h1>issue1</h1>{said}<form method=post action=issue1><label>Note <textarea name=@note></textarea></label>
<button>Submit Changes</button></form>
<table class=messages><tr><th colspan=3>Messages</tr>{rows}</table>"""


EARLIER = {"1": "It rattles on the third floor."}


@pytest.mark.parametrize("later", [{}, {"2": "So it does on the second one."}], ids=["as it was", "with another one"])
def test_what_was_taken_back_is_gone_or_the_replay_stops(
    run: OneRun, small_site: SmallSite, later: Mapping[str, str]
) -> None:
    """The address says another number where there is another remark by then."""
    remarks, lies = {**EARLIER}, False

    def show() -> None:
        rows = "".join(ROWS.format(id=one, text=remarks[one]) for one in sorted(remarks, reverse=True))
        small_site.pages["/issue1"] = PAGE.format(said="", rows=rows)

    def keep(fields: Mapping[str, str]) -> str:
        if note := fields.get("@note"):
            new = str(max(map(int, remarks), default=0) + 1)
            remarks[new] = note
            said = f"msg {new} created\nissue 1 messages edited ok"
        else:
            if not lies:
                remarks.pop(fields["@remove@messages"])
            said = "issue 1 messages edited ok"
        show()
        return f"/issue1?@ok_message={quote(said)}&@template=item"

    show()
    small_site.answers["/issue1"] = keep
    told = run.record(
        [
            call("navigate", url="/issue1"),
            call("fill", selector="Note", value="Nothing to add."),
            call("click", selector="Submit Changes"),
            call("click", selector="table.messages tr:nth-of-type(2) input[value=remove]"),
            call("navigate", url="/thanks"),
        ]
    )
    assert all(one.success for one in told), told
    assert remarks == EARLIER
    for lies in (False, True):
        remarks = {**EARLIER, **later}
        show()
        replayed = run.replay()
        assert replayed["verdict"] == ("postcondition" if lies else "passed"), replayed
        assert (len(remarks), [one["unseen"] for one in replayed["writes"]][1:]) == (
            (len(later) + 2, [["button 'remove'"]]) if lies else (len(later) + 1, [[]])
        )
