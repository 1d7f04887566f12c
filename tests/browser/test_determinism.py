"""Clock and chance of a page are held still: the same for the same user, another for another, and nothing hangs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from simulator.bindings import Bindings
from simulator.browser.actor import Actor
from simulator.browser.find import Find
from simulator.browser.launch.determinism import Stillness
from simulator.browser.launch.pool import BrowserPool, ContextProfile
from simulator.browser.timeouts import Timeouts
from simulator.secrets import Vault

pytestmark = pytest.mark.asyncio(loop_scope="session")

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SHOWN = """
<h1>Lucky</h1><p id=shown></p><p id=later></p>
<button onclick="later.textContent = 'pressed ' + Date.now()">Press</button>
<script>
  const bytes = crypto.getRandomValues(new Uint16Array(4));
  shown.textContent = [Math.random(), Math.random(), crypto.randomUUID(), bytes.join()].join(" ");
  saw(String(Date.now())); saw(new Date().toISOString()); saw(String(new Date(0).getTime()));
  saw(String(new Date() instanceof Date)); saw(new Intl.DateTimeFormat("en", {timeZone: "UTC"}).format(new Date()));
  saw(Date().slice(0, 15));
</script>"""
DEBOUNCED = """
<label>Search <input oninput="search()"></label><p id=found></p>
<script>
  // As a usual library does it: by the time that has passed, not by the timer alone.
  let timer, last;
  const due = () => Date.now() - last >= 80;
  const run = () => { if (due()) { timer = 0; found.textContent = "found it"; } else timer = setTimeout(run, 80); };
  const search = () => { last = Date.now(); timer = timer || setTimeout(run, 80); };
  let ticks = 0;
  const ticking = setInterval(() => { if (++ticks === 3) { clearInterval(ticking); saw("three ticks"); } }, 10);
  requestAnimationFrame(() => saw("a frame"));
  queueMicrotask(() => saw("a task"));
</script>"""
SPINNING = "<script>const from = Date.now(); while (Date.now() - from < 50); saw('over');</script>"


async def drawn(pool: BrowserPool, url: str, still: Stillness, visits: int = 1) -> list[str]:
    """Visit a page so many times, and give what it drew each time."""
    found = []
    async with pool.context(ContextProfile(), still=still) as context:
        page = await context.new_page()
        for _ in range(visits):
            await page.goto(url)
            found.append(await page.inner_text("#shown"))
    return found


async def test_chance_is_that_of_the_seed_and_the_user(site: Any, pool: Any) -> None:
    site.page("/", SHOWN)
    one, again, other, free = [
        await drawn(pool, site.url, Stillness(chance=chance), visits=3) for chance in ("7|ada", "7|ada", "7|bob", None)
    ]
    assert one == again
    assert len({*one, *other, *free}) == 9, "no document draws what another has drawn"
    first, second, uuid, four = one[0].split()
    assert 0 <= float(first) < 1
    assert first != second
    assert (uuid[14], uuid[19] in "89ab", len(uuid)) == ("4", True, 36)
    assert len(set(four.split(","))) > 1


async def test_chance_is_spread_evenly_and_says_what_it_does_not_take(site: Any, pool: Any) -> None:
    site.page("/", SHOWN)
    async with pool.context(ContextProfile(), still=Stillness(chance="7|ada")) as context:
        page = await context.new_page()
        await page.goto(site.url)
        script = """() => {
          const times = Array(10).fill(0);
          for (let n = 0; n < 20000; n++) times[Math.floor(Math.random() * 10)]++;
          return times;
        }"""
        assert all(1800 < times < 2200 for times in await page.evaluate(script))
        refused = "() => { try { crypto.getRandomValues([1]) } catch (error) { return error.name } }"
        assert await page.evaluate(refused) == "TypeError"


async def test_no_window_draws_what_another_has_drawn(site: Any, pool: Any) -> None:
    site.page("/", SHOWN)
    async with pool.context(ContextProfile(), still=Stillness(chance="7|ada")) as context:
        page = await context.new_page()
        await page.goto(site.url)
        seen = [await page.inner_text("#shown")]
        async with page.expect_popup() as opened:
            await page.evaluate("() => window.open('/')")
        seen.append(await (await opened.value).inner_text("#shown"))
        await page.evaluate("() => localStorage.clear()")
        await page.goto(site.url)
        seen.append(await page.inner_text("#shown"))
        beside = await context.new_page()
        await beside.goto(site.url)
        seen.append(await beside.inner_text("#shown"))
    assert len(set(seen)) == 4


async def test_a_frozen_clock_tells_one_time(site: Any, pool: Any) -> None:
    site.page("/", SHOWN)
    async with pool.context(ContextProfile(), still=Stillness(clock=AT)) as context:
        page = await context.new_page()
        for _ in range(2):
            await page.goto(site.url)
            seen = await page.evaluate("() => seen")
            millis = str(int(AT.timestamp() * 1000))
            assert seen == [millis, "2026-01-02T03:04:05.000Z", "0", "true", "1/2/2026", "Fri Jan 02 2026"]


@pytest.mark.parametrize("clock", [AT, None])
async def test_nothing_hangs_under_a_frozen_clock(
    site: Any, server: Any, pool: Any, policy: Any, clock: datetime | None
) -> None:
    site.page("/", DEBOUNCED)
    site.page("/spinning", SPINNING)
    site.page("/shown", SHOWN)
    vault = Vault(b"0123456789abcdef", scope="tests")
    bindings = Bindings({}, secret=vault.reveal)
    recorder = Unkept()
    async with pool.context(ContextProfile(), still=Stillness(clock=clock, chance="7|ada")) as context:
        actor = Actor(
            "ada", context, await context.new_page(), origin=server.url, policy=policy, recorder=recorder,
            bindings=bindings, vault=vault, timeouts=Timeouts(action=2000, navigation=8000, settle=3000),
        )  # fmt: skip
        await actor.navigation.goto("/")
        report = await actor.fill(Find("label", "Search"), "crime")
        assert report.outcome.settled != "unsettled"
        await actor.navigation.wait("text", "found it", timeout_ms=3000)
        await actor.page.wait_for_function("() => seen.length === 3")
        assert sorted(await actor.page.evaluate("() => seen")) == ["a frame", "a task", "three ticks"]
        await actor.navigation.goto("/spinning")
        assert await actor.page.evaluate("() => seen") == ["over"]
        await actor.navigation.goto("/shown")
        report = await actor.click(Find("text", "Press"))
        assert report.outcome.settled == "changed"


class Unkept:
    """A recorder that keeps nothing."""

    def begin(self, action: object) -> str:
        return "1"

    def answered(self, write: object) -> None:
        pass

    def end(self, action_id: str, outcome: object) -> None:
        pass


async def test_what_holds_nothing_adds_no_script() -> None:
    assert Stillness().script() == ""
