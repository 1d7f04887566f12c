"""The table would tell: a row whose effect is not in its recording fails."""

from __future__ import annotations

import pytest

from tests.conformance.recorded import Theatre
from tests.conformance.table import Row, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

FORM = "<form><label>Name <input name=name></label></form><p id=said></p><div style='height:3000px'></div>"


@pytest.mark.parametrize(
    "behind_the_recording",
    [
        "document.forms[0].name.value = 'Eve'",
        "said.textContent = 'saved'",
        "history.replaceState(null, '', '/elsewhere')",
        "scrollTo(0, 700)",
        "fetch('/post', {method: 'POST', body: new URLSearchParams('a=1')})",
    ],
)
async def test_what_a_recording_does_not_hold_is_told(theatre: Theatre, behind_the_recording: str) -> None:
    theatre.site.answers["/post"] = lambda fields: (200, "")

    async def play(stage: Stage) -> None:
        await stage.open(FORM)
        await stage.did("fill", selector="Name", value="Ada")
        await stage.page.evaluate(f"async () => {{ await ({behind_the_recording}) }}")

    with pytest.raises(AssertionError):
        await theatre.play(Row("browser", "fill", "cheats", play, "", {}))


async def test_pages_opened_between_steps_are_opened_again(theatre: Theatre) -> None:
    async def play(stage: Stage) -> None:
        await stage.open(FORM)
        await stage.did("fill", selector="Name", value="Ada")
        await stage.open("<h1>Second</h1>" + FORM)
        await stage.did("fill", selector="Name", value="Moor")

    await theatre.play(Row("browser", "fill", "twice", play, "", {}))
