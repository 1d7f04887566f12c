"""What stands in a frame of the site is acted on there, and replayed in that frame; what moved is another thing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simulator.recording.reader import Recording
from simulator.replay.drift import Drift
from simulator.tools.toolsets import registry_of
from tests.conformance.recorded import Theatre
from tests.small_run import SmallSite

pytestmark = pytest.mark.asyncio(loop_scope="session")
TELL = """<script>
  const tell = (what) => fetch("/did", { method: "POST", body: new URLSearchParams({ what }) });
</script>"""
FORM = TELL + "<label>Card <input id=c></label><button onclick='tell(c.value)'>Pay</button>"
EDITOR = """<label for=text>{0}</label><textarea id=text hidden></textarea><iframe title="{0}"></iframe>
<button onclick="tell(frames[0].document.body.innerHTML)">Save</button><script>
  const written = frames[0].document;
  written.open();
  written.write("<body contenteditable=true style='height:40px'></body>");
  written.close();
</script>"""
FRAMES = "<h1>Shop</h1><iframe src=/ads></iframe><iframe name=pay src=/pay></iframe>"


async def test_what_is_in_a_frame_is_done_again_in_that_frame(theatre: Theatre, small_site: SmallSite) -> None:
    small_site.answers["/did"] = lambda fields: (200, "")
    small_site.pages |= {"/pay": FORM, "/ads": "<p>Buy more</p><button>Close</button>", "/other": FORM}
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(FRAMES)
        await stage.did("fill", selector="Card", value="4111")
        await stage.did("click", selector="role=button[name='Pay']")
    done = list(small_site.posts)
    assert done == [("/did", {"what": "4111"})]
    with Recording.open(theatre.folder / "row.db") as recording:
        actions = [action for step in recording.steps(stage.run_id) for action in recording.actions(step.id)]
        assert [action.target.frame for action in actions if action.target] == [("pay",), ("pay",)]

    changed = "<iframe name=pay src=/pay></iframe><main><iframe src=/ads></iframe></main><button>Pay</button>"
    stage.opened[0] = replace(stage.opened[0], body=changed)
    await theatre.replay(stage)
    assert small_site.posts == done

    for moved in (FRAMES.replace("name=pay", "name=buy"), FORM, FRAMES.replace("/pay", "/ads")):
        stage.opened[0] = replace(stage.opened[0], body=moved)
        with pytest.raises(Drift) as drift:
            await theatre.replay(stage)
        assert drift.value.report.verdict == "target_missing", drift.value.report
        assert small_site.posts == []


async def test_what_moved_into_a_frame_is_not_sought_there(theatre: Theatre, small_site: SmallSite) -> None:
    small_site.answers["/did"] = lambda fields: (200, "")
    small_site.pages["/pay"] = FORM
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(FORM)
        await stage.did("click", selector="Pay")
    assert len(small_site.posts) == 1
    stage.opened[0] = replace(stage.opened[0], body="<iframe name=pay src=/pay></iframe>")
    with pytest.raises(Drift) as drift:
        await theatre.replay(stage)
    assert drift.value.report.verdict == "target_missing"
    assert small_site.posts == []


async def test_what_several_frames_hold_is_none_of_them(theatre: Theatre, small_site: SmallSite) -> None:
    small_site.pages["/pay"] = FORM
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open("<iframe name=a src=/pay></iframe><iframe name=b src=/pay></iframe>")
        failure = await stage.refused("click", selector="role=button[name='Pay']", timeout=2000)
    assert failure.type == "ambiguous"
    assert "several frames: a, b" in failure.message
    assert small_site.posts == []


async def test_an_editor_that_a_page_writes_into_a_frame_is_written_in(theatre: Theatre, small_site: SmallSite) -> None:
    small_site.answers["/did"] = lambda fields: (200, "")
    page = TELL + EDITOR.format("Description")
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(page)
        tree = str(await stage.did("read_page"))
        assert [line.strip().partition(" [ref")[0] for line in tree.splitlines()] == [
            '- "Description"', '- iframe "Description"', "- textbox", '- button "Save"'
        ]  # fmt: skip
        await stage.did("fill", selector="ref=" + tree.split("textbox [ref=")[1].split("]")[0], value="Dear Emma")
        await stage.did("press_key", key="Control+a")
        await stage.did("press_key", key="Control+b")
        await stage.did("click", selector="Save")
    done = list(small_site.posts)
    assert done == [("/did", {"what": "<b>Dear Emma</b>"})]

    stage.opened[0] = replace(stage.opened[0], body="<h1>Edit</h1>" + page)
    await theatre.replay(stage)
    assert small_site.posts == done

    stage.opened[0] = replace(stage.opened[0], body=TELL + EDITOR.format("Notes"))
    with pytest.raises(Drift) as drift:
        await theatre.replay(stage)
    assert drift.value.report.verdict == "target_missing", drift.value.report
    assert small_site.posts == []
