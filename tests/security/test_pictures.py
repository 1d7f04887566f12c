"""No picture of a page shows a secret: proved by its pixels."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image

from simulator.recording.reader import Recording
from tests.security.cases import LOGIN, PASSWORD, TRAP, call
from tests.security.hostile import Answer
from tests.security.stage import Call, Met, Stage, open_stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]

COVER = (255, 0, 255)
INK = (1, 2, 250)
"""What secrets are written in here: a picture with such a pixel shows one."""
STYLE = "<style>* {font: 20px monospace} .ink {color: rgb(1, 2, 250)}</style>"
FIELDS = (
    STYLE
    + """<label>Password <input class=ink type=password id=p autocomplete=current-password></label>
<button onclick="p.type = 'text'">Show</button> <button onclick="swap()">Swap</button>
<label>Code <input class=ink id=c autocomplete=one-time-code></label><div style='height:900px'></div>
<label>Again <input class=ink type=password id=q></label>
<script>function swap() {
  const other = document.createElement('input');
  other.className = 'ink';
  other.value = p.value;
  p.replaceWith(other);
}</script>"""
)
SHOWN = (
    STYLE
    + """<p class=ink>[raw]</p><p>so <b class=ink>[raw]</b></p><textarea class=ink rows=2 cols=40>[raw]</textarea>
<input class=ink size=40 value='[raw]'><input class=ink size=40 placeholder='[raw]'><p class=ink>[letters]</p>
<p class=ink style='text-transform:uppercase'>[raw]</p><select class=ink><option>[raw]</select><div id=shadow></div>
<iframe srcdoc='[style]<p class=ink>[raw]'></iframe>
<script>shadow.attachShadow({mode: 'open'}).innerHTML = "[style]<p class=ink>[raw]</p>"</script>"""
)
DENYING = (
    STYLE
    + """<script>
addEventListener("sim:ask", (event) => event.stopImmediatePropagation(), true);
document.querySelectorAll = Document.prototype.querySelectorAll = () => [];
Element.prototype.matches = () => false;
String.prototype.includes = () => false;
</script><input class=ink type=password value='[raw]'><p class=ink>[raw]</p>"""
)


def written(page: str, secret: str) -> Answer:
    """Write a secret into a page."""
    letters = "".join(f"<b class=ink>{char}</b>" for char in secret)
    return Answer(page.replace("[style]", STYLE).replace("[raw]", secret).replace("[letters]", letters))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def opened(place: Path) -> AsyncIterator[Stage]:
    async with open_stage(place) as stage:
        yield stage


@pytest.fixture
def stage(opened: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    opened.arrange(monkeypatch)
    return opened


def pictures(met: Met) -> list[Image.Image]:
    """Give every picture that is recorded: those that the model saw, and those of the policy."""
    found = []
    with Recording.open(met.db) as recording:
        for run in recording.runs(recording.batches()[0].id):
            for step in recording.steps(run.id):
                hashes = [*(image for image, _ in step.images), step.metadata.get("screenshot")]
                found += [
                    Image.open(io.BytesIO(recording.blobs.read(str(one)))).convert("RGB") for one in hashes if one
                ]
    return found


def has(picture: Image.Image, colour: tuple[int, int, int]) -> bool:
    return colour in {found for _, found in picture.getcolors(picture.width * picture.height) or ()}


SHOTS: tuple[Call, ...] = (
    call("screenshot"),
    call("screenshot", full_page=True),
    call("computer", None, action="screenshot"),
    call("computer", None, action="zoom", region=[0, 0, 600, 300]),
)
MEMBERS: tuple[Call, ...] = (
    call("browser.screenshot"),
    call("browser.zoom", None, region=[0, 0, 600, 300]),
)


@pytest.mark.table
async def test_fields_that_a_secret_was_typed_into(stage: Stage) -> None:
    """Covered as they are, when the page shows what is in them, and when it puts others in their place."""
    stage.show("/trap", Answer(FIELDS))
    script = [
        LOGIN, TRAP, *(call("fill", selector=f"#{name}", value=PASSWORD) for name in "pcq"), *SHOTS,
        call("click", selector="Show"), *SHOTS, call("screenshot", selector="#p"),
        call("click", selector="Swap"), *SHOTS, call("screenshot", selector="#q"),
    ]  # fmt: skip
    met = await stage.meet(script, toolsets=("browser", "computer"), screenshots="all")
    assert [error for _, error, _ in met.outcomes if error] == [], met.outcomes
    taken = pictures(met)
    assert len(taken) > 2 * len(SHOTS) * 3
    assert [at for at, picture in enumerate(taken) if has(picture, INK)] == []
    assert [has(picture, COVER) for picture in taken].count(True) > 15


@pytest.mark.parametrize("page", [SHOWN, DENYING], ids=["shown", "denied"])
@pytest.mark.parametrize(("toolsets", "shots"), [(("browser", "computer"), SHOTS), (("anthropic-browser",), MEMBERS)])
async def test_a_page_that_shows_the_secret(
    stage: Stage, page: str, toolsets: tuple[str, ...], shots: tuple[Call, ...]
) -> None:
    """Also one whose scripts deny that there is any."""
    stage.show("/trap", written(page, stage.secret))
    visit = TRAP if "browser" in toolsets else call("browser.navigate", None, url="/trap")
    shots = (
        *shots,
        *(call("screenshot", None, selector=one) for one in ("p.ink", "input.ink") if "browser" in toolsets),
    )
    met = await stage.meet([visit, *shots], toolsets=toolsets, screenshots="all")
    taken = pictures(met)
    assert len(taken) >= 3
    assert [at for at, picture in enumerate(taken) if has(picture, INK)] == []
    assert has(taken[-1], COVER)


async def test_this_search_of_pictures_finds_a_secret(stage: Stage) -> None:
    stage.show("/trap", written(SHOWN, "what-is-no-secret-1"))
    met = await stage.meet([TRAP, *SHOTS[:2]], screenshots="all")
    assert all(has(picture, INK) for picture in pictures(met))
