"""Choosing in lists that a script draws, by `select` and `fill_form`: replayed, proven, and red where it lies."""

from __future__ import annotations

import html
from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run
from tests.sites import drawn_lists_site
from tests.sites.drawn_lists_site import CITIES
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("what fields are given")

__all__ = ["run"]
NAMES = {code: name for name, code in CITIES.items()}


class Items:
    """The items of a site, which may keep something else than it is sent."""

    def __init__(self, site: SmallSite) -> None:
        self.site = site
        self.kept: list[dict[str, str]] = []
        self.lying = False

    def keep(self, fields: Mapping[str, str]) -> str:
        item = {**fields, "city": "c2"} if self.lying else dict(fields)
        self.kept.append(item)
        path = f"/items/{48000 + len(self.kept)}"
        cities = ", ".join(NAMES.get(code, code) for code in item["city"].split(","))
        self.site.pages[path] = f"<h1>{html.escape(item['title'])}</h1><dl><dt>City</dt><dd>{cities}</dd></dl>"
        return path


@pytest.fixture
def items(run: OneRun, small_site: SmallSite) -> Items:
    found = Items(small_site)
    small_site.answers["/items"] = found.keep
    return found


def shows(site: SmallSite, pattern: str, before: str = "", cities: dict[str, str] | None = None) -> None:
    site.pages["/new"] = drawn_lists_site.page(pattern, before=before, cities=cities)


def choosing(city: str = "Porto", tool: str = "select") -> list[Reply]:
    chosen = (
        call("select", selector="City", label=city) if tool == "select" else call("fill_form", values={"City": city})
    )
    return [
        call("navigate", url="/new"),
        call("fill", selector="Title", value="Oak chair"),
        chosen,
        call("click", selector="Save"),
    ]


@pytest.mark.breadth(1, table=5)
@pytest.mark.parametrize(
    ("pattern", "tool"),
    [(pattern, "select") for pattern in drawn_lists_site.PATTERNS]
    + [(pattern, "fill_form") for pattern in ("select-only", "editable", "virtual", "standing", "radios")]
    + [("fetched", "fill_form"), ("unnamed", "fill_form")],
)
def test_an_option_is_chosen_chosen_again_and_red_where_the_site_keeps_another(
    pattern: str, tool: str, run: OneRun, items: Items, small_site: SmallSite
) -> None:
    shows(small_site, pattern)
    told = run.record(choosing(tool=tool))
    assert [one.text for one in told if not one.success] == []
    assert [one["city"] for one in items.kept] == ["c3"]

    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    (write,) = replayed["writes"]
    assert (write["inputs"], write["unseen"]) == (2, [])
    fresh = run.replay("--identity", "fresh")
    assert fresh["verdict"] == "passed", fresh["drift"]
    assert [one["city"] for one in items.kept] == ["c3"] * 3

    items.lying = True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert "'Oslo' instead" in replayed["drift"]["found"]


@pytest.mark.breadth(1, table=1)
@pytest.mark.parametrize("pattern", ["select-only", "editable", "late", "virtual", "searched"])
def test_an_option_that_is_not_there_is_told_with_those_that_are_and_changes_nothing(
    pattern: str, run: OneRun, items: Items, small_site: SmallSite
) -> None:
    shows(small_site, pattern)
    *_, missing, saved = run.record(choosing("Atlantis"))
    assert not missing.success
    assert "'Atlantis'" in missing.text
    assert ("'Oslo'" in missing.text) is (pattern != "late")
    assert saved.success
    assert [one["city"] for one in items.kept] == [""]


@pytest.mark.breadth(1, table=1)
@pytest.mark.parametrize("pattern", ["editable", "virtual", "standing"])
def test_a_replay_stops_where_the_option_is_gone_and_sends_nothing(
    pattern: str, run: OneRun, items: Items, small_site: SmallSite
) -> None:
    shows(small_site, pattern)
    run.record(choosing())
    shows(small_site, pattern, cities={name: code for name, code in CITIES.items() if name != "Porto"})
    replayed = run.replay()
    assert (replayed["verdict"], len(items.kept)) == ("target_missing", 1), replayed
    assert "the option 'Porto' in " in replayed["drift"]["expected"]


def test_of_two_options_that_are_called_alike_none_is_chosen(run: OneRun, items: Items, small_site: SmallSite) -> None:
    twins = {"Porto": "c3", "Porto ": "c9"}
    shows(small_site, "select-only", cities=twins)
    told = run.record(choosing())
    assert not told[2].success
    assert "2 options are called 'Porto'" in told[2].text
    assert [one["city"] for one in items.kept] == [""]


@pytest.mark.parametrize("tool", ["select", "fill_form"])
def test_a_choice_that_the_field_does_not_show_is_no_success(
    tool: str, run: OneRun, items: Items, small_site: SmallSite
) -> None:
    shows(small_site, "select-only", before="window.deaf = true;")
    told = run.record(choosing(tool=tool))
    assert not told[2].success
    assert "it still shows 'Choose'" in told[2].text


def test_a_replay_stops_where_the_field_takes_the_choice_no_more(
    run: OneRun, items: Items, small_site: SmallSite
) -> None:
    shows(small_site, "select-only")
    run.record(choosing())
    shows(small_site, "select-only", before="window.deaf = true;")
    replayed = run.replay()
    assert (replayed["verdict"], len(items.kept)) == ("postcondition", 1), replayed
    assert "it still shows 'Choose'" in replayed["drift"]["found"]


def test_what_is_chosen_already_stays_chosen_where_several_can_be(
    run: OneRun, items: Items, small_site: SmallSite
) -> None:
    shows(small_site, "several")
    first, filled, porto, save = choosing()
    again = call("select", selector="City", label="Porto")
    more = call("select", selector="City", label="Oslo")
    told = run.record([first, filled, porto, more, again, save])
    assert [one.text for one in told if not one.success] == []
    assert run.replay()["verdict"] == "passed"
    assert [one["city"] for one in items.kept] == ["c3,c2"] * 2


def test_a_fresh_user_chooses_what_is_theirs(run: OneRun, items: Items, small_site: SmallSite) -> None:
    shows(small_site, "late", before="window.echo = true;")
    told = run.record(choosing("{{identity.first_name}}"))
    assert [one.text for one in told if not one.success] == []
    replayed = run.replay("--identity", "fresh")
    assert replayed["verdict"] == "passed", replayed["drift"]
    assert replayed["writes"][0]["unseen"] == []
    first, second = (one["city"] for one in items.kept)
    assert first != second
    assert "" not in (first, second)


def test_a_list_and_its_options_are_told_to_the_agent(run: OneRun, small_site: SmallSite) -> None:
    shows(small_site, "several", cities={"Lisbon": "c1", "Porto": "c3"})
    porto = call("select", selector="City", label="Porto")
    told = run.record([call("navigate", url="/new"), porto, call("click", selector="#box"), call("read_page")])
    assert 'combobox "City" [expanded]' in told[-1].text
    assert 'option "Lisbon" [ref' in told[-1].text
    assert 'option "Porto" [selected]' in told[-1].text


def test_what_is_only_typed_into_such_a_field_is_not_called_chosen(run: OneRun, small_site: SmallSite) -> None:
    shows(small_site, "editable")
    told = run.record([call("navigate", url="/new"), call("fill", selector="City", value="Porto")])
    assert "select chooses an option" in told[1].data["not_chosen"]


@pytest.mark.breadth(1, table=1)
@pytest.mark.parametrize("pattern", ["select-only", "searched", "standing", "radios"])
def test_an_option_that_is_pressed_by_hand_is_an_input_of_the_write(
    pattern: str, run: OneRun, items: Items, small_site: SmallSite
) -> None:
    shows(small_site, pattern)
    opening = [call("click", selector="#box")] if pattern in ("select-only", "searched") else []
    role = "radio" if pattern == "radios" else "option"
    first, filled, _, save = choosing()
    told = run.record([first, filled, *opening, call("click", selector=f'role={role}[name="Porto"]'), save])
    assert [one.text for one in told if not one.success] == []
    assert [one["city"] for one in items.kept] == ["c3"]

    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    (write,) = replayed["writes"]
    assert (write["inputs"], write["unseen"]) == (2, [])

    items.lying = True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert "'Oslo'" in replayed["drift"]["found"]


def test_a_button_that_opens_no_list_is_not_pressed(run: OneRun, items: Items, small_site: SmallSite) -> None:
    shows(small_site, "select-only")
    told = run.record([call("navigate", url="/new"), call("select", selector="Save", label="Porto")])
    assert "is no list" in told[1].text
    assert items.kept == []


def test_what_stands_in_a_field_without_a_list_is_left(run: OneRun, items: Items, small_site: SmallSite) -> None:
    shows(small_site, "select-only")
    first, filled, _, save = choosing()
    told = run.record([first, filled, call("select", selector="Title", label="Porto"), save])
    assert "it has shown no options" in told[2].text
    assert [one["title"] for one in items.kept] == ["Oak chair"]
