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


KEPT = """<form method=post><label for=track>Track</label>
<div class=choices tabindex=0 role=combobox aria-haspopup=true aria-expanded=false>
<div><select id=track name=track required hidden tabindex=-1><option value="">--<option value=1>Backend
<option value=2>Data
</select><div role=listbox><div data-item>--</div></div></div>
<div style="display:none"><input type=search aria-label="--" autocomplete=off>
<div role=listbox><div role=option>--</div><div role=option>Backend</div></div></div></div>
<label>Title <input name=title></label><button>Save</button></form>"""


async def test_of_a_list_that_is_not_drawn_at_all_the_field_is_asked_that_a_script_draws_around_it(
    site: SmallSite, stage: Stage
) -> None:
    site.page("/new", KEPT)
    await stage.actor.navigation.goto("/new")
    (form,) = await stage.actor.reader.forms()
    title, track = sorted((one for one in form.fields if not one.hidden), key=lambda one: one.label or one.caption)
    assert (title.tag, track.tag, track.caption, track.required) == ("input", "div", "Track", True)
    assert [text for _, text in track.options] == ["--", "Backend", "Data"]
