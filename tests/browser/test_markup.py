"""Pieces of HTML with which a script is answered, as they are read."""

from __future__ import annotations

import pytest

from simulator.browser.wire.markup import Element, elements_of

ROW = """<tr id="tool-412" data-tool-id=412><td><a href="/tools/412?from=list">Long &amp; thin<br>ladder</a>
<td><button hx-delete="/tools/412" hx-target="closest tr">Remove</button><input name=n value="25.50">
<input type=hidden value="s3cret"><script>const no = 1</script></tr>"""


def _flat(text: str) -> list[Element]:
    root = elements_of(text)
    return [*root.within()][1:] if root else []


def test_what_an_element_is_called_says_and_leads_to() -> None:
    row, cell, link, *_ = _flat(ROW)
    assert (row.tag, row.called, row.addresses) == ("tr", ("tool-412", "412"), ())
    assert (link.addresses, link.said) == (("/tools/412?from=list",), ["Long & thin", "ladder"])
    assert row.text.split() == ["Long", "&", "thin", "ladder", "Remove", "25.50"]
    assert [one.addresses for one in row.within() if one.tag == "button"] == [("/tools/412",)]
    assert cell.tag == "td"


@pytest.mark.parametrize("text", ["", "Saved.", "<!DOCTYPE html><html><p>a", "  <!-- by us -->\n<html><p>a", "<b"])
def test_whole_documents_and_what_is_no_html_are_no_pieces(text: str) -> None:
    assert elements_of(text) is None


@pytest.mark.parametrize("text", ["</p></p><p>a", "<p>a</b></p>", "<p <b>a", "<li>a<li>b", "<p>a" * 5000])
def test_what_is_badly_written_is_read_as_far_as_it_goes(text: str) -> None:
    assert "a" in "".join(one.text for one in _flat(text)[:1])
