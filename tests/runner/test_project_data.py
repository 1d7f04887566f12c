"""A project's own data: a model uses what its user was dealt, and a fresh user puts in rows and files of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

import pytest

from simulator.canonical import sha256
from simulator.recording.reader import Recording
from tests.fakes.messages_api import KEY, Reply, Request, call, messages_api
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("a site's own things")

__all__ = ["run", "served_site", "small_site"]

FORM = """<h1>Offer a tool</h1><form method=post action=/tools enctype=multipart/form-data>
<label>What <input name=what></label><label>Price <input name=price type=number step=any></label>
<label>Words <textarea name=words></textarea></label><label>Photo <input name=photo type=file></label>
<button>Offer</button></form>"""
SECTION = """
[data]
remarks = ["Pick it up in Leeds", "Cash alone", "Write to me first", "Only at weekends"]

[data.tools]
file = "tools.csv"
count = 1
fields = { price = "number", photo = "file" }
make = { words = "{Good|Fine} as {new|old}, by {{faker.company}}" }
"""
TOOLS = {f"Spade {number}": (f"1{number}.50", f"spade {number}".encode()) for number in range(1, 6)}


def offer(site: SmallSite) -> None:
    """Keep what is offered, at an address of its own."""

    def keep(fields: Mapping[str, str]) -> str:
        address = f"/tools/{4821 + len(site.posts)}"
        shown = "".join(f"<dt>{name}</dt><dd>{fields[name]}</dd>" for name in ("price", "words"))
        site.pages[address] = f"<h1>{fields['what']}</h1><dl>{shown}</dl>"
        return address

    site.pages["/tools/new"] = FORM
    site.answers["/tools"] = keep


def test_a_fresh_user_puts_in_rows_and_files_of_its_own(run: OneRun, small_site: SmallSite) -> None:
    offer(small_site)
    (run.folder / "photos").mkdir()
    lines = ["title,price,photo"]
    for title, (price, data) in TOOLS.items():
        name = f"photos/{title.replace(' ', '-').lower()}.png"
        (run.folder / name).write_bytes(data)
        lines.append(f"{title},{price},{name}")
    (run.folder / "tools.csv").write_text("\n".join(lines) + "\n", "utf-8")
    run.site = SECTION
    told = run.record(
        [
            call("navigate", url="/tools/new"),
            call("fill", selector="What", value="{{tool.1.title}}"),
            call("fill", selector="Price", value="{{tool.1.price}}"),
            call("fill", selector="Words", value="{{tool.1.words}}. {{text.remark.1}}"),
            call("upload_file", selector="Photo", name="{{tool.1.photo}}"),
            call("click", selector="Offer"),
        ],
        toolsets=["browser"],
    )
    assert all(one.success for one in told), told
    recorded = small_site.posts[-1][1]
    assert_is_a_tool(recorded)
    same = run.replay()
    assert (same["verdict"], small_site.posts[-1][1]) == ("passed", recorded)
    fresh = [run.replay("--identity", "fresh", "--seed", seed) for seed in ("1", "2", "3", "4")]
    assert [one["verdict"] for one in fresh] == ["passed"] * 4, fresh
    offered = [fields for _, fields in small_site.posts[-4:]]
    for fields in offered:
        assert_is_a_tool(fields)
    assert len({fields["words"] for fields in (recorded, *offered)}) == 5
    assert len({fields["what"] for fields in offered}) > 1
    (run.folder / "photos" / "spade-1.png").unlink()
    code, _, said = run.sim("replay", "a.db", "--identity", "fresh", "--db", "b.db", "--json")
    assert (code, "tools.csv:2:15: photo: there is no file" in said) == (2, True), said
    with Recording.open(run.folder / "a.db") as recording:
        uploads = [one for row in recording.runs() for one in recording.actions(row.id) if one.kind == "upload"]
    assert [one.options["source"] for one in uploads] == ["{{tool.1.photo}}"]


def assert_is_a_tool(fields: Mapping[str, str]) -> None:
    price, data = TOOLS[fields["what"]]
    assert (float(fields["price"]), fields["photo"]) == (float(price), sha256(data)), fields


def test_each_user_has_a_picture_of_its_own_that_is_drawn_for_its_row(run: OneRun, small_site: SmallSite) -> None:
    offer(small_site)
    run.site = """
[data.tools]
rows = [{ title = "Border spade" }]
count = 1
fields = { photo = "picture", due = "date" }
make = { photo = "{{title}}", due = "{{faker.date_between('+2d', '+9d')}}" }
"""
    told = run.record(
        [
            call("navigate", url="/tools/new"),
            call("fill", selector="What", value="{{tool.1.title}}"),
            call("fill", selector="Words", value="Until {{tool.1.due}}"),
            call("upload_file", selector="Photo", name="{{tool.1.photo}}"),
            call("click", selector="Offer"),
        ],
        toolsets=["browser"],
    )
    assert all(one.success for one in told), told
    assert "border-spade-" in told[3].text
    verdicts = [run.replay()["verdict"]]
    verdicts += [run.replay("--identity", "fresh", "--seed", seed)["verdict"] for seed in ("1", "2", "1")]
    assert verdicts == ["passed"] * 4
    recorded, same, first, second, again = ((one["words"], one["photo"]) for _, one in small_site.posts[-5:])
    assert (same, again) == (recorded, first)
    assert len({photo for _, photo in (recorded, first, second)}) == 3
    days = [(date.fromisoformat(words.removeprefix("Until ")) - date.today()).days for words, _ in (recorded, first)]
    assert all(1 <= day <= 9 for day in days), days


def test_nobody_of_a_seeding_puts_in_the_rows_of_who_was_recorded_or_proved_it(
    run: OneRun, small_site: SmallSite
) -> None:
    offer(small_site)
    rows = ", ".join(f"{{ title = 'Rake {number}', price = {number}.25 }}" for number in range(1, 13))
    run.site = f"[data.tools]\nrows = [{rows}]\ncount = 2\n[data.tools.make]\nwords = 'No. {{{{n}}}}'\n"
    acts = [
        (
            call("navigate", url="/tools/new"),
            call("fill", selector="What", value=f"{{{{tool.{place}.title}}}}"),
            call("fill", selector="Price", value=f"{{{{tool.{place}.price}}}}"),
            call("fill", selector="Words", value=f"{{{{tool.{place}.words}}}}"),
            call("click", selector="Offer"),
        )
        for place in (1, 2)
    ]
    told = run.record([one for each in acts for one in each], toolsets=["browser"])
    assert all(one.success for one in told), told
    code, _, said = run.sim("prove", "last", "--identity", "fresh", "--seed", "5", "--db", "a.db", "--yes")
    assert code == 0, said
    for first, count, concurrency in ((1, 2, "1"), (3, 4, "2")):
        words = ("--count", str(count), "--first", str(first), "--seed", "3", "--concurrency", concurrency, "--yes")
        code, _, said = run.sim("seed", "a.db", *words, "--db", "b.db")
        assert code == 0, said
    offered = [(fields["what"], fields["words"]) for _, fields in small_site.posts]
    assert len(offered) == 12
    assert [len({*one}) for one in zip(*offered, strict=True)] == [12, 12], offered


def test_a_scenario_deals_its_own_rows_in_place_of_those_of_the_project(run: OneRun, small_site: SmallSite) -> None:
    offer(small_site)
    remarks = '[data]\nremarks = ["Pick it up in Leeds"]\n'
    run.site = f"{remarks}[data.tools]\nrows = [{{ title = 'Border spade', price = 18.5 }}]\n"
    told = run.record(
        [
            call("navigate", url="/tools/new"),
            call("fill", selector="What", value="{{tool.1.title}}"),
            call("fill", selector="Price", value="{{tool.1.price}}"),
            call("fill", selector="Words", value="{{text.remark.1}}"),
            call("click", selector="Offer"),
        ],
        toolsets=["browser"],
    )
    assert all(one.success for one in told), told
    lines = ["title,price", *(f"Rake {number},{number}.25" for number in range(1, 5))]
    (run.folder / "rakes.csv").write_text("\n".join(lines) + "\n", "utf-8")
    scenario = run.folder / "seed.toml"
    short = '[data.tools]\nfile = "rakes.csv"\ncount = 1\nshort = "%s"\nfields = { price = "number" }\n'
    wave = 'seed = 3\n[[wave]]\nusers = { "a.db" = %d }\n'
    scenario.write_text(wave % 4 + short % "stop", "utf-8")
    before = len(small_site.posts)
    code, _, said = run.sim("seed", "seed.toml", "--yes", "--concurrency", "2", "--db", "b.db")
    assert code == 0, said
    offered = [fields for _, fields in small_site.posts[before:]]
    # Each row of the scenario once, none of the project; of the set that it has not, the row of the project.
    assert sorted((one["what"], float(one["price"])) for one in offered) == [
        (f"Rake {n}", n + 0.25) for n in (1, 2, 3, 4)
    ]
    assert {one["words"] for one in offered} == {"Pick it up in Leeds"}

    scenario.write_text(wave % 5 + short % "stop", "utf-8")
    code, out, said = run.sim("seed", "seed.toml", "--yes", "--db", "c.db")
    assert (code, out, len(small_site.posts)) == (2, "", before + 4), said
    assert "tools" in said
    scenario.write_text(wave % 5 + short % "vary", "utf-8")
    code, out, said = run.sim("seed", "seed.toml", "--yes", "--db", "d.db")
    assert code == 0, said
    titles = [fields["what"] for _, fields in small_site.posts[before + 4 :]]
    assert len({*titles}) == 5
    assert {title[:6] for title in titles} == {"Rake 1", "Rake 2", "Rake 3", "Rake 4"}


def test_a_model_is_told_the_rows_of_its_user(run: OneRun, small_site: SmallSite) -> None:
    offer(small_site)
    run.site = '[data.tools]\nrows = [{ title = "Border spade", price = 18.5 }]\n'
    said: list[str] = []

    def script(request: Request) -> Reply:
        said.append(request.system)
        return call("complete", result="Done.")

    run.begin([])  # writes the project; the model's only answer is that all is done
    with messages_api(script) as api, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", KEY)
        patch.setenv("ANTHROPIC_BASE_URL", api.url)
        assert run.sim("personas", "run", "tester", "--agent", "claude", "--db", "c.db")[0] == 0
    assert "{{tool.1.title}} = Border spade" in said[0]
    assert "{{tool.1.price}} = 18.5" in said[0]
    assert "by their placeholders; make up only what they do not say" in said[0]


def test_what_is_drawn_when_it_is_used_stays_with_its_user(run: OneRun, small_site: SmallSite) -> None:
    offer(small_site)
    told = run.record(
        [
            call("navigate", url="/tools/new"),
            call("fill", selector="What", value="{{faker.catch_phrase.1}}"),
            call("fill", selector="Words", value="{{faker.city.2}} by {{faker.company.1.upper}}"),
            call("fill", selector="Price", value="{{faker.cty.1}}"),
            call("fill", selector="Price", value="{{faker.company}}"),
            call("click", selector="Offer"),
        ]
    )
    assert [one.success for one in told] == [True, True, True, False, False, True], told
    assert "Faker has no provider 'cty'; did you mean 'faker.city'?" in told[3].text
    assert "expected a provider and a number, such as faker.company.1" in told[4].text
    recorded = small_site.posts[-1][1]
    assert recorded["what"]
    assert re.fullmatch(r".+ by [^a-z]+", recorded["words"])
    with Recording.open(run.folder / "a.db") as recording:
        kept = {one.name: one.value for row in recording.runs() for one in recording.variables(row.id)}
    assert kept["faker.catch_phrase.1"] == recorded["what"]
    assert (run.replay()["verdict"], small_site.posts[-1][1]) == ("passed", recorded)
    fresh = [run.replay("--identity", "fresh", "--seed", seed)["verdict"] for seed in ("1", "2", "1")]
    assert fresh == ["passed"] * 3
    first, second, again = (fields for _, fields in small_site.posts[-3:])
    assert first == again
    assert len({one["what"] for one in (recorded, first, second)}) == 3


def test_a_text_that_a_model_made_up_is_bound_to_what_is_drawn(run: OneRun, small_site: SmallSite) -> None:
    offer(small_site)
    run.record(
        [
            call("navigate", url="/tools/new"),
            call("fill", selector="What", value="Border spade"),
            call("click", selector="Offer"),
        ]
    )
    seed = ("seed", "a.db", "--count", "3", "--seed", "5", "--db", "b.db", "--yes")
    code, _, said = run.sim(*seed)
    assert (code, "--bind 'Border spade'=faker.catch_phrase.1" in said) == (2, True), said
    code, _, said = run.sim("runs", "edit", "last", "--db", "a.db", "--bind", "Border spade=faker.catch_phras.1")
    assert (code, "did you mean 'faker.catch_phrase'?" in said) == (2, True), said
    assert run.sim("runs", "edit", "last", "--db", "a.db", "--bind", "Border spade=faker.catch_phrase.1")[0] == 0
    assert run.replay()["verdict"] == "passed"
    assert small_site.posts[-1][1]["what"] == "Border spade"
    small_site.posts.clear()
    code, out, said = run.sim(*seed)
    assert code == 0, out + said
    offered = {fields["what"] for _, fields in small_site.posts}
    assert len(offered) == 3
    assert "Border spade" not in offered
