"""What is read of links and forms that scripts have drawn."""

from __future__ import annotations

import pytest

from tests.browser.conftest import SmallSite, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_links_without_an_address_of_their_own_are_read(site: SmallSite, stage: Stage) -> None:
    drawn = '<svg width=99 height=20><a href="/map"><text y=15>Map</text></a></svg>'
    site.page("/list", f"<button role=link>2</button> <span role=link tabindex=0>3</span> <a href=/on>On</a>{drawn}")
    await stage.actor.navigation.goto("/list")
    found = {link.name: link.href for link in await stage.actor.reader.links()}
    assert found == {"2": "", "3": "", "On": "/on", "Map": "/map"}


async def test_what_opens_a_part_of_a_form_does_not_send_it(site: SmallSite, stage: Stage) -> None:
    opens = '<a role=button href="#more" aria-expanded=false>More</a><button aria-haspopup=menu>Files</button>'
    site.page(
        "/new", f"<form method=post><label>Note <textarea name=note></textarea></label>{opens}<button>Save</button>"
    )
    await stage.actor.navigation.goto("/new")
    (form,) = await stage.actor.reader.forms()
    assert [button.name for button in form.submits] == ["Save"]
