"""What users make on a site that no pack knows, by its section alone: judged by the database of the site."""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import chdir, closing, contextmanager
from pathlib import Path

import pytest

from simulator.api import BatchResult, ReplayResult, record_runs, replay_runs
from simulator.cli.main import main
from simulator.config import load_settings
from simulator.persona import load_persona
from simulator.runner.seeding.originals import find_originals
from simulator.testing import serve
from tests.runner.site_of_things import Kept, project_of, record_and_replay
from tests.sites.packages import RegistryUnreachable
from tests.sites.roundup import PASSWORD, Roundup

pytestmark = pytest.mark.promise("a site's own things")

STABLE = Path(__file__).parents[1] / "sites" / "stable.py"
NAMES = ("Baska", "Wicher", "Grom", "Iskra", "Burza", "Perła", "Zefir", "Gwiazda", "Hetman", "Mgła", "Orzeł", "Rosa")
BREEDS = ("Arab", "Fryz", "Hucuł", "Konik polski", "Shire")
SETTINGS = """
packs = []

[site.stable]
base_url = "{url}"
language = "pl"

[site.stable.things.horse]
create = "/konie/dodaj"
list = "/konie"
data = "horses"
edit = {{ fields = ["breed"], by = "Edytuj" }}
delete = true
react = [{{ button = "Polub", once = true }}]
message = {{ field = "Twoja opinia", data = "opinions" }}

[data.horses]
file = "horses.csv"

[data]
opinions = ["Piękny koń.", "Czy jest na sprzedaż?", "Widziałam go w Janowie.", "Wspaniały charakter."]
"""
PERSONA = """
persona: rider
about: Keeps horses, and looks at those of others.
locale: pl_PL
traits: {patience: high}
tasks:
"""
TASKS = """
  - register
  - create: {thing: horse, count: 3}
  - edit: horse
  - delete: horse
  - browse: horse
  - react: {thing: horse, count: 2}
  - comment: {thing: horse, count: 2}
"""
HELD = """
select h.owner, h.name, h.breed, h.year, h.passport, h.coat, h.story from horses h;
select h.owner, h.name, l.name, '' , '', '', '' from likes l join horses h on h.id = l.horse;
select h.owner, h.name, c.name, c.text, '', '', '' from comments c join horses h on h.id = c.horse;
"""


class Stable:
    """The stable of a test, and the project that acts on it."""

    def __init__(self, folder: Path, url: str, file: Path) -> None:
        self.folder, self.url, self.file = folder, url, file

    def record(self, count: int, *, concurrency: int = 1, name: str = "a.db") -> BatchResult:
        settings = self.folder / "sim.toml"
        said = settings.read_text("utf-8").partition("\n[run]")[0]
        settings.write_text(f"{said}\n[run]\nconcurrency = {concurrency}\n", "utf-8")
        with chdir(self.folder):
            return record_runs((), db=self.folder / name, count=count, seed="7", agent="autopilot")

    def replay(self, name: str = "a.db", *, seed: str | None = None) -> ReplayResult:
        with chdir(self.folder):
            db, to = self.folder / name, self.folder / "b.db"
            return replay_runs(db, identity="fresh", seed=seed, db=to) if seed else replay_runs(db, db=to)

    def held(self) -> list[tuple[object, ...]]:
        """Give all that it holds, but for ids and times."""
        with closing(sqlite3.connect(self.file)) as database:
            return sorted(row for query in HELD.split(";")[:-1] for row in database.execute(query))

    def counts(self) -> dict[str, list[int]]:
        """Give how many horses, likes and comments each user has."""
        with closing(sqlite3.connect(self.file)) as database:
            tables = (("horses", "owner"), ("likes", "name"), ("comments", "name"))
            people = [name for (name,) in database.execute("select name from people order by rowid")]
            said = "select count(*) from {} where {} = ?"
            return {
                one: [database.execute(said.format(*table), (one,)).fetchone()[0] for table in tables] for one in people
            }

    def empty(self) -> None:
        with closing(sqlite3.connect(self.file)) as database, database:
            for table in ("people", "sessions", "horses", "likes", "comments"):
                database.execute(f"delete from {table}")


@contextmanager
def stable(folder: Path, *lies: str, tasks: str = TASKS, settings: str = SETTINGS) -> Iterator[Stable]:
    """Serve a stable as a program of its own, beside a project that knows it by its section."""
    file = folder / "stable.sqlite"
    with serve([sys.executable, STABLE, "0", file, "--lies", *lies]) as url:
        (folder / "personas").mkdir()
        (folder / "sim.toml").write_text(settings.format(url=url), "utf-8")
        (folder / "personas/rider.yaml").write_text(PERSONA + tasks, "utf-8")
        stories = [
            f"{name} {at},{BREEDS[at % 5]},Spokojny i łagodny; dobry dla dzieci oraz na długie wyjazdy: {at}."
            for at in range(5)
            for name in NAMES
        ]
        (folder / "horses.csv").write_text("\n".join(["horse,breed,story", *stories]), "utf-8")
        yield Stable(folder, url, file)


@pytest.mark.slow
def test_a_section_of_ten_lines_populates_a_site_that_nobody_knows(tmp_path: Path) -> None:
    with stable(tmp_path) as site:
        run = site.record(3)
        assert [one.status for one in run.runs] == ["passed"] * 3, run
        assert list(site.counts().values()) == [[2, 2, 2]] * 3
        held = site.held()
        horses = [row for row in held if row[-1]]
        assert len({row[1] for row in horses}) == 6
        assert all(1995 <= int(str(row[3])) <= 2024 and len(str(row[4])) == 9 for row in horses)
        site.empty()
        assert [one.verdict for one in site.replay().runs] == ["passed"] * 3
        assert site.held() == held
        site.empty()
        assert [one.verdict for one in site.replay(seed="99").runs] == ["passed"] * 3
        assert list(site.counts().values()) == [[2, 2, 2]] * 3
        assert not {row[1] for row in horses} & {row[4] for row in site.held() if row[-1]}
        with chdir(tmp_path):
            there, rider = load_settings().site("stable"), load_persona(tmp_path / "personas/rider.yaml")
            (found,) = find_originals(tmp_path / "a.db", [rider], there)
        assert found.others == (), "users of the persona are made of what it was recorded as"
        assert found.unproven is not None
        with chdir(site.folder):
            assert main(["offline", "a.db"]) == 0
            assert main(["seed", "a.db", "--count", "6", "--seed", "21", "--db", "s.db", "--yes"]) == 0
        assert list(site.counts().values()) == [[2, 2, 2]] * 9


@pytest.mark.slow
def test_what_is_there_afterwards_does_not_depend_on_how_many_act_at_once(tmp_path: Path) -> None:
    with stable(tmp_path) as site:
        dumps = []
        for concurrency in (1, 8):
            run = site.record(6, concurrency=concurrency, name=f"{concurrency}.db")
            assert [one.status for one in run.runs] == ["passed"] * 6, run
            dumps.append(site.held())
            site.empty()
        assert dumps[0] == dumps[1]


@pytest.mark.slow
def test_a_batch_that_was_cut_off_goes_on_with_what_others_have_made(tmp_path: Path) -> None:
    with stable(tmp_path) as site, chdir(site.folder):
        options = ["--count", "2", "--seed", "7", "--concurrency", "1", "--agent", "autopilot", "--limit-steps", "117"]
        main(["personas", "run", "rider", "--db", "a.db", *options])
        assert list(site.counts().values()) == [[2, 2, 2], [3, 0, 0]], "the second user has made its horses"
        assert main(["runs", "resume", "last", "--db", "a.db"]) == 0
        assert list(site.counts().values()) == [[2, 2, 2]] * 2


LIES = {
    "make": (1, "neither .* nor the list shows '"),
    "edit": (2, "the site took the new breed, but shows"),
    "delete": (3, "is still in its list, after it was deleted"),
    "like": (5, "looks as before, after 'Polub' was pressed"),
    "comment": (6, "does not show '.*', after it was written there"),
}


@pytest.mark.parametrize("lie", [pytest.param(lie, marks=[] if lie == "edit" else pytest.mark.slow) for lie in LIES])
def test_what_a_site_says_it_did_and_did_not_is_no_success(lie: str, tmp_path: Path) -> None:
    place, said = LIES[lie]
    with stable(tmp_path, lie) as site:
        (run,) = site.record(1).runs
        assert run.tasks[place].status == "failed"
        assert re.search(said, run.tasks[place].reason), run.tasks[place].reason


BEES = """
packs = []

[site.apiary]
base_url = "{url}"
language = "de"

[site.apiary.things.colony]
create = "/#/neu"
list = "/#/"
data = "colonies"
edit = { fields = ["place"] }
delete = true
react = [{ button = "Merken" }]
message = { field = "Notiz", data = "remarks" }

[data.colonies.make]
colony = "Volk {{faker.city}} {{n}}"
place = "{Streuobstwiese|Waldrand|Dachgarten}"
history = "{Ruhig|Lebhaft} und fleißig, aus {{faker.city}}, hat den letzten Winter gut überstanden."

[data]
remarks = ["Schöne Waben!", "Wie war die Ernte?", "Ich komme gern vorbei."]
"""
KEEPER = """
persona: keeper
about: Keeps bees.
locale: de_DE
tasks:
  - register
  - create: {thing: colony, count: 2}
  - edit: colony
  - browse: colony
  - react: colony
  - comment: colony
  - delete: colony
"""


HIVES = (
    "select owner, label, site, frames, checked, remark from colonies",
    "select c.label, m.name from marks m join colonies c on c.id = m.colony",
    "select c.label, n.name, n.text from notes n join colonies c on c.id = n.colony",
)


@pytest.mark.slow
def test_a_single_page_that_refuses_one_thing_after_another_is_populated(tmp_path: Path) -> None:
    with project_of(tmp_path, "apiary", BEES, KEEPER) as file:
        colonies, marks, notes = record_and_replay(
            Kept(file, HIVES, ("people", "sessions", "colonies", "marks", "notes"))
        )
        assert [len(colonies), len(marks), len(notes)] == [2, 2, 2]
        assert len({owner for owner, *_ in colonies}) == 2
        assert all(frames == 10 for *_, frames, _, _ in colonies)
        assert all(str(checked) > "2026" and remark for *_, checked, remark in colonies)


TRACKER = """
packs = []

[site.tracker]
base_url = "{url}"
accounts = [{{ username = "admin", password = {{ env = "ADMIN_PASSWORD" }} }}]

[site.tracker.things.issue]
create = "/issue?@template=item"
list = "/issue?@columns=title,id,activity,status&@sort=-activity&@pagesize=50&@startwith=0"
data = "issues"
edit = {{ fields = ["urgency"] }}
message = {{ field = "Change Note", data = "remarks" }}

[data.issues.make]
summary = "{{Pump|Valve|Heater|Sensor}} {{leaks|rattles|stalls}} in {{{{faker.city}}}}, no. {{{{n}}}}"
urgency = "{{bug|feature}}"
new_urgency = "{{urgent|wish}}"
report = "Seen by {{{{faker.name}}}} this morning: it starts, then it stops after a while."

[data]
remarks = ["I have seen the same.", "A new part is on its way.", "It works again after a restart."]

[run]
concurrency = 1
"""
CLERK = """
persona: clerk
about: Keeps the building running.
locale: en_GB
tasks:
  - create: {thing: issue, count: 2}
  - edit: issue
  - browse: issue
  - comment: issue
"""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_an_issue_tracker_from_the_registry_is_populated_by_a_section(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        tracker = Roundup.install(tmp_path / "roundup")
    except RegistryUnreachable as reason:
        pytest.skip(str(reason))
    monkeypatch.setenv("ADMIN_PASSWORD", PASSWORD)

    def held() -> list[str]:
        with closing(sqlite3.connect(tracker.database)) as database:
            named = "left join _priority p on p.id = i._priority left join _status s on s.id = i._status"
            issues = database.execute(f"select i._title, p._name, s._name, i._assignedto from _issue i {named}")
            messages = "issue_messages x join _msg m on m.id = x.linkid join _issue i on i.id = x.nodeid"
            return sorted(map(repr, issues)) + sorted(
                map(repr, database.execute(f"select i._title, m._summary from {messages}"))
            )

    with tracker.served() as url, chdir(tmp_path):
        (tmp_path / "personas").mkdir()
        (tmp_path / "sim.toml").write_text(TRACKER.format(url=url), "utf-8")
        (tmp_path / "personas/clerk.yaml").write_text(CLERK, "utf-8")
        run = record_runs((), db="a.db", count=2, seed="7", agent="autopilot")
        assert [one.status for one in run.runs] == ["passed"] * 2, run
        made = held()
        issues = [row for row in made if row.count("'") == 6]
        assert len(set(issues)) == len(issues) == 4
        assert sum("'urgent'" in row or "'wish'" in row for row in issues) == 2
        assert all(row.endswith("None)") for row in issues), "nobody was asked to see to them"
        assert len(made) - len(issues) == 6, "a report each, and two comments"
        tracker.reset()
        assert [one.verdict for one in replay_runs("a.db", db="b.db").runs] == ["passed"] * 2
        assert held() == made
