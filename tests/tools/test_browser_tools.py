"""The tools that act on one element or read the page, each on a real page."""

from __future__ import annotations

import re
from typing import Any

import pytest
import pytest_asyncio

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("tools for pages", quick=6)]

PAGE = """
<h1>Shelf</h1>
<p role=status id=said></p>
<button onclick="said.textContent='saved'">Save the book</button>
<button class=twin onclick="said.textContent='one'">Twin</button>
<button class=twin onclick="said.textContent='two'">Twin</button>
<a href=/other>Other page</a>
<ul>
<li><h2>Emma</h2><a href=/books/1>Details</a> <button>Keep</button></li>
<li><h2>Lorna Doone</h2><a href=/books/2>Details</a> <button>Keep</button></li>
</ul>
<form method=post action=/send>
<label>Title <input name=title onkeydown="if (event.key == 'Escape') said.textContent='escaped'"></label>
<label>Genre <select name=genre>
<option value=''>Choose<option value=crime>Crime<option value=other>Other</select></label>
<label><input type=checkbox name=gift> A gift</label>
<label>Password <input type=password name=password></label>
<button>Send</button>
</form>
<form><table>
<tr><th>Pass phrase</th><td><input type=password name=phrase></td></tr>
<tr><th>Shelf mark</th><td><input name=mark></td></tr>
</table><input type=checkbox name=rare> Rare</form>
<div style="height:3000px"></div>
"""


@pytest_asyncio.fixture(loop_scope="session")
async def shelf(run: Any, small_site: Any) -> Any:
    small_site.pages |= {"/": PAGE, "/other": "<h1>Other</h1><p>" + "word " * 2000}
    small_site.pages["/late"] = "<script>setTimeout(() => document.body.innerHTML += '<p>At last</p>', 400)</script>"
    await run.did("navigate", url="/")
    return run


async def said(run: Any) -> str:
    return str(await run.ctx.actor.page.inner_text("#said"))


@pytest.mark.parametrize(
    "selector",
    [
        "Save the book",
        "save the",
        "button",
        'role=button[name="Save the book"]',
        "text=Save the book",
        "css=button",
    ],
)
async def test_click_takes_words_or_css(shelf: Any, selector: str) -> None:
    result = await shelf.call("click", selector=selector)
    if selector in ("button", "css=button"):
        assert result.error.type == "ambiguous"
    else:
        assert result.success, result.error
        assert await said(shelf) == "saved"


async def test_click_falls_back_to_css_from_words_that_are_none(shelf: Any) -> None:
    await shelf.did("click", selector="body > button:nth-of-type(2)")
    assert await said(shelf) == "one"


async def test_click_lists_the_candidates_when_several_fit(shelf: Any) -> None:
    result = await shelf.call("click", selector="Twin")
    assert result.error.type == "ambiguous"
    assert result.error.message.count("'Twin'") >= 2
    assert await said(shelf) == ""


async def test_click_says_how_it_looked_when_nothing_fits(shelf: Any) -> None:
    result = await shelf.call("click", selector="Buy now!")
    assert result.error.type == "not_found"
    assert "'Buy now!' (tried as text, css)" in result.error.message


async def test_click_says_what_to_say_instead_of_what_only_looks_like_css(shelf: Any) -> None:
    result = await shelf.call("click", selector="button:has-text('One') > span")
    assert result.error.type == "not_found"
    assert result.error.message.endswith(
        'as CSS it is not valid: name the element by its words, role=button[name="…"] or ref=…'
    )


async def test_click_marks_a_choice(shelf: Any) -> None:
    links = (await shelf.did("read_links", contains="lorna"))["links"]
    assert [link["href"] for link in links] == ["/books/2"]
    aim = {"rule": "a book of the shelf", "collection": "/books/{id}", "seed": "7"}
    await shelf.did("click", selector=f"ref={links[0]['ref']}", aim=aim)
    action = shelf.notes.started[-1]
    assert (action.aim, action.choice.rule) == ("choice", "a book of the shelf")
    assert shelf.ctx.actor.page.url.endswith("/books/2")


async def test_fill_finds_a_field_by_its_label_and_renders_variables_at_the_edge(shelf: Any) -> None:
    await shelf.did("fill", selector="Title", value="{{book.1.title}}, 2nd")
    assert await shelf.ctx.actor.page.input_value("[name=title]") == "The Moonstone, 2nd"
    assert shelf.notes.started[-1].value == "{{book.1.title}}, 2nd"


async def test_press_key_goes_to_the_focused_element(shelf: Any) -> None:
    await shelf.did("click", selector="[name=title]")
    await shelf.did("press_key", key="Escape")
    assert await said(shelf) == "escaped"


async def test_select_option_and_check(shelf: Any) -> None:
    page = shelf.ctx.actor.page
    await shelf.did("select_option", selector="Genre", value="Crime")
    assert await page.input_value("[name=genre]") == "crime"
    await shelf.did("check", selector="A gift")
    assert await page.is_checked("[name=gift]")
    await shelf.did("check", selector="A gift", checked=False)
    assert not await page.is_checked("[name=gift]")


async def test_navigation(shelf: Any) -> None:
    await shelf.did("click", selector="Other page")
    assert (await shelf.did("get_page_url"))["url"] == "/other"
    assert (await shelf.did("go_back"))["url"] == "/"
    await shelf.did("scroll_down", pixels=700)
    assert await shelf.ctx.actor.page.evaluate("scrollY") == 700
    assert (await shelf.did("navigate", url="/nowhere"))["status"] == 404


async def test_navigate_stays_on_the_site(shelf: Any) -> None:
    assert (await shelf.call("navigate", url="https://example.org/")).error.type == "blocked"


async def test_page_text_says_when_it_was_cut(shelf: Any) -> None:
    whole = await shelf.call("get_page_text")
    assert "Lorna Doone" in whole.data
    assert whole.metadata["cut"] is False
    await shelf.did("navigate", url="/other")
    cut = await shelf.call("get_page_text")
    assert cut.metadata["cut"] is True
    text, _, note = cut.data.rpartition("\n")
    assert len(text) == 4000
    assert note.startswith("[cut: the first 4000 of 10")


async def test_screenshot_is_a_png(shelf: Any) -> None:
    result = await shelf.call("screenshot")
    assert result.images[0].data.startswith(b"\x89PNG")
    assert result.images[0].sha256


async def test_wait_for_element_waits(shelf: Any) -> None:
    await shelf.did("navigate", url="/late")
    assert (await shelf.did("wait_for_element", selector="At last")) == "At last is there"


async def test_wait_for_element_gives_up(shelf: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.tools.families.waiting.WAIT_S", 0.2)
    for selector in ("Never", "text=Never"):
        assert (await shelf.call("wait_for_element", selector=selector)).error.type == "timeout"


async def test_read_forms_and_buttons_give_refs(shelf: Any) -> None:
    form = (await shelf.did("read_forms"))["forms"][0]
    by_name = {one["name"]: one for one in form["fields"]}
    assert by_name["genre"]["options"] == ["Choose", "Crime", "Other"]
    await shelf.did("fill", selector=f"ref={by_name['title']['ref']}", value="Emma")
    assert await shelf.ctx.actor.page.input_value("[name=title]") == "Emma"
    buttons = (await shelf.did("read_buttons", contains="emma"))["buttons"]
    assert [button["name"] for button in buttons] == ["Keep"]


async def test_a_page_is_read_with_the_states_of_what_is_on_it(shelf: Any, small_site: Any) -> None:
    small_site.pages["/states"] = """<h1>States</h1>
    <button aria-expanded=false>Menu</button><button aria-expanded=true>Filter</button>
    <a aria-current=page href=/>Home</a>
    <label>Name <input required></label><label>Code <input readonly value=7></label>
    <label>Mail <input aria-invalid=true></label><label>All <input type=checkbox id=all></label>
    <button aria-pressed=true class="active">Bold</button><button disabled>Gone</button>
    <details><summary>More</summary>text</details>
    <script>document.getElementById("all").indeterminate = true</script>"""
    await shelf.did("navigate", url="/states")
    lines = str(await shelf.did("read_page")).splitlines()

    def marks(name: str) -> list[str]:
        line = next(line for line in lines if f'"{name}"' in line and "[ref=" in line)
        return [mark for mark in re.findall(r"\[([a-z]+)\]", line) if mark not in ("checkbox", "text")]

    told = {
        name: marks(name) for name in ("Menu", "Filter", "Home", "Name", "Code", "Mail", "All", "Bold", "Gone", "More")
    }
    assert told == {
        "Menu": ["collapsed"], "Filter": ["expanded"], "Home": ["current"], "Name": ["required"],
        "Code": ["readonly"], "Mail": ["invalid"], "All": ["mixed"], "Bold": ["pressed"], "Gone": ["disabled"],
        "More": ["collapsed"],
    }  # fmt: skip


async def test_a_sign_that_is_no_word_is_known_by_its_tooltip(shelf: Any, small_site: Any) -> None:
    sign = '<button title="{0}" onclick="document.title = \'{0}\'">{1}</button>'
    small_site.pages["/signs"] = sign.format("Keep it", "\uf0c7") + sign.format("Drop it", "\u00d7")
    await shelf.did("navigate", url="/signs")
    assert '(title "Keep it")' in str(await shelf.did("read_page"))
    assert [one["title"] for one in (await shelf.did("read_buttons"))["buttons"]] == ["Keep it", "Drop it"]
    await shelf.did("click", selector="Drop it")
    assert await shelf.ctx.actor.page.title() == "Drop it"


async def test_a_closed_page_is_told(shelf: Any) -> None:
    await shelf.ctx.actor.page.close()
    assert (await shelf.call("get_page_text")).error.type == "page_closed"


async def test_switch_user_has_a_session_of_its_own(shelf: Any) -> None:
    await shelf.ctx.actor.page.evaluate("document.cookie = 'who=ada'")
    told = await shelf.did("switch_user", name="buyer")
    assert (told["user"], told["users"]) == ("buyer", ["ada", "buyer"])
    await shelf.did("navigate", url="/")
    assert await shelf.ctx.actor.page.evaluate("document.cookie") == ""
    await shelf.did("switch_user", name="ada")
    assert await shelf.ctx.actor.page.evaluate("document.cookie") == "who=ada"


async def test_terminal_tools_give_back_their_words(run: Any) -> None:
    assert await run.did("complete", result="Listed {{book.1.title}}") == "Listed The Moonstone"
    assert await run.did("fail", reason="no way") == "no way"


async def test_a_field_without_a_label_is_meant_by_the_text_beside_it(shelf: Any) -> None:
    await shelf.did("secure_fill", selector="Pass phrase", secret="password")
    await shelf.did("fill", selector="shelf mark", value="B 12")
    await shelf.did("check", selector="Rare")
    assert [start.target.name_attr for start in shelf.notes.started[-3:]] == ["phrase", "mark", "rare"]


WRITTEN = """<p role=status id=said></p><button onclick="choose()">Choose</button><script>
  const choose = () => {
    const chooser = window.open("about:blank", "_blank", "popup,width=300,height=200");
    chooser.document.body.innerHTML = "<button>Emma</button>";
    chooser.document.querySelector("button").onclick = () => { said.textContent = "Emma"; chooser.close(); };
  };
</script>"""


async def test_a_window_that_a_page_has_written_is_read_and_used(run: Any, small_site: Any) -> None:
    small_site.pages["/"] = WRITTEN
    await run.did("navigate", url="/")
    await run.did("click", selector="Choose")
    assert 'button "Emma"' in str(await run.did("read_page"))
    await run.did("click", selector="Emma")
    assert await said(run) == "Emma"
