"""Frames that another allowed host serves: acted in and replayed like those of the site, and no other host's ever.

The widget is served under another name of this machine, so that the browser keeps it in a process of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow
from simulator.replay.drift import Drift
from simulator.tools.toolsets import registry_of
from tests.conformance.recorded import Theatre
from tests.conformance.table import Stage
from tests.small_run import SmallSite, pool_of_its_own, serving

__all__ = ["pool_of_its_own"]
pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("frames of other hosts", quick=5)]
TELL = """<script>
  const tell = (what) => fetch("/did", { method: "POST", body: new URLSearchParams({ what }) });
</script>"""
CARD = TELL + "<label>Card <input id=c></label><button onclick='tell(c.value)'>Pay</button>"
FRAME = "<iframe name=pay src={}/pay></iframe>"


@pytest.fixture(scope="module")
def served_widget() -> Iterator[SmallSite]:
    with serving(SmallSite(), "localhost") as site:
        yield site


@pytest.fixture(scope="module")
def policy(site_url: str, served_widget: SmallSite) -> NetworkPolicy:
    return NetworkPolicy(endpoints(site_url, [served_widget.url.removeprefix("http://")]))


@pytest.fixture
def widget(served_widget: SmallSite) -> SmallSite:
    """Another host that shows a form to pay by."""
    for kept in (served_widget.pages, served_widget.posts, served_widget.answers):
        kept.clear()
    served_widget.pages["/pay"] = CARD
    served_widget.answers["/did"] = lambda fields: (200, "")
    return served_widget


@pytest.fixture
def hasty(theatre: Theatre) -> Theatre:
    """Where nobody waits long for what is not there."""
    return replace(theatre, patience_ms=400)


@pytest.fixture
def forbidden() -> Iterator[SmallSite]:
    """A host that may not be reached."""
    with serving(SmallSite(pages={"/pay": CARD})) as site:
        yield site


def recorded(theatre: Theatre, stage: Stage) -> list[ActionRow]:
    with Recording.open(theatre.folder / "row.db") as recording:
        return [action for step in recording.steps(stage.run_id) for action in recording.actions(step.id)]


async def replayed(theatre: Theatre, stage: Stage, body: str) -> None:
    stage.opened[0] = replace(stage.opened[0], body=body)
    await theatre.replay(stage)


async def test_what_another_host_shows_in_a_frame_is_done_again_there(
    theatre: Theatre, small_site: SmallSite, widget: SmallSite
) -> None:
    small_site.answers["/did"] = lambda fields: (200, "")
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open("<h1>Shop</h1>" + FRAME.format(widget.url))
        await stage.did("fill", selector="Card", value="4111")
        await stage.did("click", selector="role=button[name='Pay']")
    assert widget.posts == [("/did", {"what": "4111"})]
    frames = [action.target.frame for action in recorded(theatre, stage) if action.target]
    assert frames == [(f"{widget.url} pay",), (f"{widget.url} pay",)]

    widget.posts.clear()
    widget.pages["/pay"] = f"<p>Safe</p><main>{CARD.replace('id=c', 'id=c class=x')}</main>"
    await replayed(theatre, stage, "<button>Pay</button><main>" + FRAME.format(widget.url) + "</main>")
    assert widget.posts == [("/did", {"what": "4111"})]


async def test_what_moved_to_or_from_another_host_is_not_what_it_was(
    hasty: Theatre, small_site: SmallSite, widget: SmallSite, forbidden: SmallSite
) -> None:
    small_site.answers["/did"] = lambda fields: (200, "")
    small_site.pages["/pay"] = CARD
    async with hasty.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(FRAME.format(widget.url))
        await stage.did("click", selector="role=button[name='Pay']")
    widget.posts.clear()
    for moved in (FRAME.format(""), FRAME.format(forbidden.url), CARD, FRAME.format(widget.url).replace("pay", "buy")):
        with pytest.raises(Drift) as drift:
            await replayed(hasty, stage, moved)
        assert drift.value.report.verdict == "target_missing", moved
        with pytest.raises(Drift, match="not healed"):
            await hasty.replay(stage, [])
    assert widget.posts == small_site.posts == forbidden.posts == []


@pytest.mark.table
async def test_what_moved_between_the_page_and_a_frame_of_it_is_healed_with_its_reasons(
    hasty: Theatre, small_site: SmallSite, widget: SmallSite
) -> None:
    form = f"""{TELL}<form onsubmit="tell('paid'); return false" action=/pay>
    <label>Card <input name=card></label><button>Pay</button></form>"""
    small_site.answers["/did"] = lambda fields: (200, "")
    small_site.pages["/form"] = form
    framed = "<iframe name=pay src=/form></iframe>"
    async with hasty.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(framed)
        await stage.did("click", selector="role=button[name='Pay']")
    for moved in (form, framed.replace("name=pay", "name=buy")):
        with pytest.raises(Drift):
            await replayed(hasty, stage, moved)
        assert small_site.posts == []
        heals: list[str] = []
        await hasty.replay(stage, heals)
        assert small_site.posts == [("/did", {"what": "paid"})]
        assert len(heals) == 1
        assert "now button 'Pay'" in heals[0]
    widget.pages["/form"] = form
    with pytest.raises(Drift):
        await replayed(hasty, stage, f"<iframe name=pay src={widget.url}/form></iframe>")
    with pytest.raises(Drift, match="not healed"):
        await hasty.replay(stage, [])
    assert widget.posts == []


async def test_a_frame_of_a_host_that_may_not_be_reached_is_neither_read_nor_acted_in(
    theatre: Theatre, small_site: SmallSite, forbidden: SmallSite
) -> None:
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open("<h1>Shop</h1>" + FRAME.format(forbidden.url))
        tree = str(await stage.did("read_page"))
        assert 'iframe "pay" [ref=e1] (not read)' in tree
        assert "Card" not in tree
        failure = await stage.refused("click", selector="role=button[name='Pay']", timeout=300)
        assert failure.type == "not_found"
    assert forbidden.posts == []


async def test_frames_are_read_with_references_that_act_there(
    theatre: Theatre, small_site: SmallSite, widget: SmallSite
) -> None:
    widget.pages["/pay"] = CARD + "<label>Password <input type=password value=hush-hush></label><p>Safe with us</p>"
    async with theatre.stage(registry_of(["browser", "elements"]), {}) as stage:
        await stage.open("<label>Card <input id=own></label><button>Pay</button>" + FRAME.format(widget.url))
        tree = str(await stage.did("read_page"))
        assert tree.splitlines() == [
            '- textbox "Card" [ref=e1]',
            '- button "Pay" [ref=e2]',
            '- iframe "pay" [ref=e3]',
            '  - textbox "Card" [ref=e4]',
            '  - button "Pay" [ref=e5]',
            '  - textbox "Password" [secret] [ref=e6] (filled)',
            '  - "Safe with us"',
        ]
        assert str(await stage.did("read_page", ref="e3")) == "\n".join(tree.splitlines()[2:])
        assert '  - button "Pay" [ref=e5]' in str(await stage.did("read_page", filter="interactive"))
        assert "(deeper)" in str(await stage.did("read_page", depth=1))
        assert "Safe with us" in str(await stage.did("get_page_text"))
        found = await stage.did("find", description="pay button")
        assert {one["ref"] for one in found} >= {"e2", "e5"}
        told = await stage.did("element_discovery", action="find_by_type", element_type="button")
        assert [one["selectors"][-1] for one in told["elements"]] == ["ref=e2", "ref=e5"]
        assert told["elements"][1]["selectors"] == ["ref=e5"]
        assert told["total_found"] == 2
        assert (await stage.did("get_element_info", selector="ref=e4"))["label"] == "Card"
        assert "hush" not in str((tree, told, await stage.did("get_element_info", selector="ref=e6")))
        await stage.did("fill", selector="ref=e4", value="4111")
        await stage.did("click", selector="ref=e5")
    done = list(widget.posts)
    assert done == [("/did", {"what": "4111"})]
    widget.posts.clear()
    await theatre.replay(stage)
    assert widget.posts == done


async def test_a_reference_of_a_frame_that_has_gone_means_nothing(
    theatre: Theatre, small_site: SmallSite, widget: SmallSite
) -> None:
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open("<button>Pay</button>" + FRAME.format(widget.url))
        assert 'button "Pay" [ref=e4]' in str(await stage.did("read_page"))
        await stage.page.evaluate("() => { const it = document.querySelector('iframe'); it.src += '?again'; }")
        await stage.page.frames[1].wait_for_url("**again")
        assert (await stage.refused("click", selector="ref=e4", timeout=300)).type == "not_found"
        await stage.page.evaluate("() => document.querySelector('iframe').remove()")
        assert (await stage.refused("click", selector="ref=e4", timeout=300)).type == "not_found"
    assert widget.posts == []


async def test_no_more_of_frames_is_told_than_of_pages(
    theatre: Theatre, small_site: SmallSite, widget: SmallSite
) -> None:
    widget.pages["/pay"] = "<p>word word</p>" * 3000
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open("<p>Shop</p>" * 1500 + FRAME.format(widget.url))
        read = await stage.call("read_page")
        assert read.metadata["cut"] is True
        assert len(str(read.data)) < 50_200
        assert "word word" in str(read.data)
        text = await stage.call("get_page_text")
        assert text.metadata["cut"] is True
        assert len(str(text.data)) < 4_100


async def test_frames_in_frames(theatre: Theatre, small_site: SmallSite, widget: SmallSite) -> None:
    small_site.answers["/did"] = lambda fields: (200, "")
    small_site.pages["/inner"] = TELL + "<button onclick=\"tell('site')\">Confirm</button>"
    widget.pages["/inner"] = f"""{TELL}<div id=host></div><script>
      host.attachShadow({{ mode: "open" }}).innerHTML = "<button>Confirm</button>";
      host.shadowRoot.firstChild.onclick = () => tell("widget");
    </script>"""
    check, home = "<iframe title=Check src=/inner></iframe>", f"<iframe title=Home src={small_site.url}/inner></iframe>"
    widget.pages["/pay"] = check + home
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(FRAME.format(widget.url))
        lines = str(await stage.did("read_page")).splitlines()
        told = [line.partition(" [")[0].strip(" -") for line in lines]
        assert told == ['iframe "pay"', 'iframe "Check"', 'button "Confirm"', 'iframe "Home"', 'button "Confirm"']
        refs = [line.rpartition("=")[2].rstrip("]") for line in lines if "Confirm" in line]
        for ref in refs:
            await stage.did("click", selector=f"ref={ref}")
    paths = [action.target.frame for action in recorded(theatre, stage) if action.target]
    assert paths == [(f"{widget.url} pay", "Check"), (f"{widget.url} pay", f"{small_site.url} Home")]
    for site in (small_site, widget):
        assert len(site.posts) == 1
        site.posts.clear()
    await theatre.replay(stage)
    assert widget.posts == [("/did", {"what": "widget"})]
    assert small_site.posts == [("/did", {"what": "site"})]


@pytest.mark.table
async def test_a_form_that_a_frame_sends_is_followed_there(
    theatre: Theatre, small_site: SmallSite, widget: SmallSite
) -> None:
    widget.pages |= {
        "/pay": "<form method=post action=/paid><label>Card <input name=card></label><button>Pay</button></form>",
        "/thanks": TELL + "<h1>Thank you</h1><button onclick=\"tell('seen')\">Done</button>",
    }
    widget.answers["/paid"] = lambda fields: "/thanks"
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(FRAME.format(widget.url))
        await stage.did("fill", selector="Card", value="4111")
        await stage.did("click", selector="role=button[name='Pay']")
        await stage.did("wait_for", selector="role=heading[name='Thank you']")
        await stage.did("wait", text="Thank you")
        await stage.did("click", selector="role=button[name='Done']")
    done = [("/paid", {"card": "4111"}), ("/did", {"what": "seen"})]
    assert widget.posts == done
    widget.posts.clear()
    await theatre.replay(stage)
    assert widget.posts == done
    widget.posts.clear()
    widget.answers["/paid"] = lambda fields: (500, "Sorry")
    with pytest.raises(Drift) as drift:
        await theatre.replay(stage)
    assert drift.value.report.verdict == "site_error"
    assert len(widget.posts) == 1


async def test_keys_go_to_what_has_the_focus_in_a_frame(
    theatre: Theatre, small_site: SmallSite, widget: SmallSite
) -> None:
    keys = "<script>onkeydown = (event) => tell(event.key + event.target.id);</script>"
    widget.pages["/pay"] = CARD + keys
    small_site.answers["/did"] = lambda fields: (200, "")
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(TELL + keys + "<input id=own>" + FRAME.format(widget.url))
        await stage.did("focus", selector="Card")
        await stage.did("press_key", key="End")
    assert widget.posts == [("/did", {"what": "Endc"})]
    widget.posts.clear()
    await theatre.replay(stage)
    assert widget.posts == [("/did", {"what": "Endc"})]
    widget.posts.clear()
    moves = "<input id=other><script>c.onfocus = () => other.focus();</script>"
    widget.pages["/pay"] = CARD + moves + keys
    with pytest.raises(Drift):
        await theatre.replay(stage)
    assert small_site.posts == widget.posts == []


async def test_what_is_at_a_point_in_a_frame_is_clicked_there(
    theatre: Theatre, small_site: SmallSite, widget: SmallSite
) -> None:
    async with theatre.stage(registry_of(["computer"]), {}) as stage:
        await stage.open("<p>Shop</p><button>Pay</button>" + FRAME.format(widget.url))
        box = await stage.page.frame_locator("iframe").get_by_role("button").bounding_box()
        assert box is not None
        await stage.did("computer", action="left_click", coordinate=[round(box["x"]) + 5, round(box["y"]) + 5])
    assert widget.posts == [("/did", {"what": ""})]
    widget.posts.clear()
    await replayed(theatre, stage, "<h1>Shop</h1><h2>More</h2><button>Pay</button>" + FRAME.format(widget.url))
    assert widget.posts == [("/did", {"what": ""})]


async def test_a_secret_goes_into_frames_of_the_site_alone(
    theatre: Theatre, small_site: SmallSite, widget: SmallSite
) -> None:
    form = "<form method=post action=/in><label>Password <input type=password name=word></label><button>In</button>"
    for site in (small_site, widget):
        site.pages |= {"/pay": form, "/welcome": "Welcome"}
        site.answers["/in"] = lambda fields: "/welcome"
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        for elsewhere in (FRAME.format(widget.url), f"<iframe srcdoc='{form}'></iframe>"):
            await stage.open(elsewhere)
            failure = await stage.refused("secure_fill", selector="Password", secret="password")
            assert failure.type == "not_allowed"
    (theatre.folder / "own").mkdir()
    async with replace(theatre, folder=theatre.folder / "own").stage(registry_of(["browser"]), {}) as stage:
        await stage.open(FRAME.format(""))
        await stage.did("secure_fill", selector="Password", secret="password")
        await stage.did("click", selector="role=button[name='In']")
        word = stage.run.vault.values()["password"]
    assert small_site.posts == [("/in", {"word": word})]
    assert widget.posts == []
    held = b"".join(path.read_bytes() for path in (theatre.folder / "own").glob("row.db*"))
    assert word.encode() not in held


async def test_one_of_a_collection_in_a_frame_is_chosen_there(
    theatre: Theatre, small_site: SmallSite, widget: SmallSite
) -> None:
    widget.pages |= {
        "/pay": "<a href=/cards/1>Red</a> <a href=/cards/2>Blue</a>",
        "/cards/1": "Red",
        "/cards/2": "Blue",
    }
    for site in (small_site, widget):
        site.pages |= {f"/cards/{n}": f"{TELL}<script>tell({n})</script>" for n in (1, 2)}
    aim = {"rule": "any card", "collection": "/cards/{id}"}
    beside = "<a href=/cards/1>Green</a>"
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(beside + FRAME.format(widget.url))
        await stage.did("click", selector="role=link[name='Blue']", aim=aim)
    assert widget.posts == [("/did", {"what": "2"})]
    widget.posts.clear()
    await replayed(theatre, stage, f"<h1>Shop</h1>{beside}" + FRAME.format(widget.url))
    assert widget.posts == [("/did", {"what": "2"})]
    assert small_site.posts == []


THING = "<div id=card role=listitem aria-label=Card draggable=true style='width:80px;height:30px'>Card</div>"
BOX = """<div id=done role=group aria-label=Done style='width:200px;height:80px;border:1px solid'>Done</div><script>
  done.ondragover = (event) => event.preventDefault();
  done.ondrop = (event) => { event.preventDefault(); tell("dropped"); };
</script>"""


@pytest.mark.parametrize(
    ("host", "way"), [("same", "into"), ("same", "out of"), ("other", "within"), ("other", "into")]
)
async def test_a_drag_in_into_and_out_of_a_frame(
    theatre: Theatre, small_site: SmallSite, widget: SmallSite, host: str, way: str
) -> None:
    served = widget if host == "other" else small_site
    small_site.answers["/did"] = lambda fields: (200, "")
    page = {"within": "<p>Board</p>", "into": THING, "out of": BOX}[way]
    served.pages["/board"] = TELL + {"within": THING + BOX, "into": BOX, "out of": THING}[way]
    frame = f"<iframe name=board width=300 height=200 src={served.url}/board></iframe>"
    takes = small_site if way == "out of" else served
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(TELL + page + frame)
        if host == "other" and way != "within":
            # The browser lets nothing be dragged between processes: that is said, and not taken for done.
            failure = await stage.refused("drag", source="#card", target="#done")
            assert "no input event reached" in failure.message
            assert takes.posts == []
            return
        await stage.did("drag", source="#card", target="#done")
    assert takes.posts == [("/did", {"what": "dropped"})]
    takes.posts.clear()
    await replayed(theatre, stage, TELL + "<h1>Shop</h1>" + page + frame)
    assert takes.posts == [("/did", {"what": "dropped"})]
    takes.posts.clear()
    served.pages["/board"] = served.pages["/board"].replace("aria-label=Done", "aria-label=Bin")
    hasty = replace(theatre, patience_ms=300)
    with pytest.raises(Drift):
        await replayed(hasty, stage, TELL + page.replace("aria-label=Done", "aria-label=Bin") + frame)
    assert takes.posts == []
