"""Whether a write that was cut off happened on the site: by the answer that was heard, and by what pages show.

It looks as the user who wrote, and changes nothing. It knows nothing of what a site is about. Not responsible for: what
follows from it, a press without any input (``took_press``), or how a page is judged (``written_pages``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from simulator.agent.contracts import RunView
from simulator.agent.reading import Control, Link, Page
from simulator.agent.tool_client import Do, TaskFailed, ToolClient
from simulator.agent.words import about
from simulator.bindings import Bindings
from simulator.browser.documents import BrowserError
from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.spots import Reading, is_own
from simulator.browser.effects.user_input import UserInput
from simulator.errors import TemplateError
from simulator.recording.rows import ActionRow, EffectRow, StepRow, WriteRow
from simulator.replay.evidence.resolve import Unprovable
from simulator.replay.left.kept import inputs_of
from simulator.runner.interrupted.resume_past import Past, Sent, registers
from simulator.runner.interrupted.took_press import Finding, took_press
from simulator.runner.interrupted.written_pages import count_in, in_cards, is_whole, on_form, tells_of, told_by
from simulator.tools.context import RunContext

_MADE = frozenset({201, 202, 204})
"""How a site answers that it has taken something; 200 says as much of a form that it shows once more."""
_OWN = ("identity.username", "identity.email")
"""What nobody else is called; another user may have the same first and last name."""
_LATER_S = 2.0
"""After this many seconds a list is looked at once more, before it is said that something is not in it."""
_MOST = 6
"""How many addresses are looked at."""
_PAGES = 5
"""Of a list that are read."""


@dataclass(frozen=True, slots=True)
class Act:
    """An action that may have written something."""

    sent: Sent
    inputs: tuple[UserInput, ...]
    """What it sent, if it did."""
    texts: tuple[tuple[str, ...], ...]
    """By which texts of it a page distinguishes it from others: of each input those that stand for it."""
    heard: tuple[WriteRow, ...] = ()
    """What of its requests had been answered."""
    earlier: int = 0
    """How often the run had written the same before."""
    places: tuple[str, ...] = ()
    """Where the like was kept, and where the run was: addresses as templates, the likeliest first."""
    likes: tuple[tuple[UserInput, ...], ...] = ()
    """What the run had sent by the same form before: a list that shows all of it would show this, too."""
    opens_account: bool = False
    """Whether it opens an account: whoever has that can log in."""
    shows: bool = False
    """Whether the like that the run had pressed before was seen to change the control, or the thing to come or go:
    where that is not seen, it was not done. What else a thing says since then, the button beside it does not show."""
    begun: tuple[WriteRow, ...] = ()
    """What the page had sent of it as it was typed."""

    @property
    def action(self) -> ActionRow:
        """The action."""
        return self.sent.action

    @staticmethod
    def of(past: Past, step: StepRow, sent: Sent, bindings: Bindings) -> Act:
        """Read what is known of an action.

        Args:
            past: what the run did.
            step: the step that it belongs to.
            sent: the action, and what was put into its form.
            bindings: the variables of the run.
        """
        action, writes = sent.action, past.writes
        actions = [one for own in past.actions.values() for one in own]
        given = inputs_of(actions, bindings)
        inputs = tuple(inputs_of(sent.fields, bindings).values())
        # A button beside a form says nothing of it: what stood in the same form before was sent alike.
        forms = {one.target.form for one in (action, *sent.fields) if one.target and (one.target.form or one is action)}
        put = {one.id for one in sent.fields}
        begun = [one for one in writes if one.action_id != action.id and one.status < 400 and one.carried]
        begun = [one for one in begun if {each.input for each in one.carried} <= put]
        like = [
            one
            for one in writes
            if one.action_id != action.id
            and one.status < 400
            and one not in begun
            and any(given[each.input].form in forms for each in one.carried if each.input in given)
        ]
        before = [tuple(given[each.input] for each in one.carried if each.input in given) for one in like]
        values = {one.id: one.value or "" for one in actions}
        texts = told_by(inputs, values, bindings)
        kept: dict[str, set[str]] = {}
        for effect in past.effects:
            if effect.strength == "kept" and not generated_in(bindings.shown(effect.url)):
                kept.setdefault(effect.url, set()).add(effect.write_id)
        near = [url for url, ids in kept.items() if ids & {one.id for one in like}]
        visited = [page.url for one in reversed(actions) for page in (one.after, one.before) if page is not None]
        places = [*near, *(url for url in visited if not generated_in(bindings.shown(url)))]
        pressed = {one.id for one in actions if one.id != action.id and _is_alike(one, action)}
        return Act(
            sent,
            inputs,
            texts,
            tuple(one for one in writes if one.action_id == action.id and one.status),
            sum(told_by(one, values, bindings) == texts for one in before),
            tuple(dict.fromkeys(places)),
            tuple(one for one in before if told_by(one, values, bindings)),
            sent.opens_session and registers(step, sent),
            any(
                one.input_id in pressed and (one.kind not in ("echo", "state") or one.by == "control")
                for one in past.effects
            ),
            tuple(begun),
        )

    def answer(self, bindings: Bindings) -> Finding | None:
        """Give what the answers say that had been heard; None where they say nothing for sure."""
        known = {name for url in self._known for name in generated_in(bindings.shown(url))}
        for write in self.heard:
            sent = f"{write.method} {bindings.shown(write.url)}"
            if write.status >= 400:
                return Finding(False, f"the site answered {sent} with status {write.status}")
            if write.status in _MADE:
                return Finding(True, f"the site answered {sent} with status {write.status}")
            if generated_in(bindings.shown(write.leads_to)) - known:
                where = bindings.shown(write.leads_to)
                return Finding(True, f"the site answered {sent} by leading to {where}", write.leads_to)
        return None

    def answer_to_script(self, bindings: Bindings) -> Finding | None:
        """Give what the answers say to a script that had sent all that was put in; None where there was none.

        A document may come with 200 as a form that says what is wrong. A script asks for data, and was given them.
        """
        own = {one.action_id for one in self.inputs}
        for write in self.heard:
            all_of_it = bool(own) and own <= {one.input for one in write.carried}
            if all_of_it and write.initiator == "fetch" and 200 <= write.status < 300:
                sent = f"{write.method} {bindings.shown(write.url)}"
                return Finding(True, f"the site answered {sent} of a script with status {write.status}")
        return None

    @property
    def _known(self) -> list[str]:
        """Addresses whose ids were there before."""
        form = self.action.target.form.partition(" ")[2] if self.action.target else ""
        return [form, self.action.before.url if self.action.before else ""]


def _is_alike(one: ActionRow, other: ActionRow) -> bool:
    """Return whether two presses are of controls of the same kind: what one does can be seen where the other's can."""
    if one.target is None or other.target is None or one.kind != other.kind:
        return False
    return (one.target.role, one.target.name, one.target.form) == (
        other.target.role, other.target.name, other.target.form,
    )  # fmt: skip


class Looker:
    """Looks on the site as one user of a run.

    Args:
        ctx: the run's tools; its actor is logged in as it was.
        view: its user.
        do: makes calls that change nothing.
    """

    def __init__(self, ctx: RunContext, view: RunView, do: Do) -> None:
        self.ctx = ctx
        self.client = ToolClient(view, do)

    async def visit(self, url: str) -> Page:
        """Open an address, a template."""
        return Page.of((await self.client.must("navigate", url=url)).data)

    async def read(self, asked: Sequence[UserInput]) -> Reading | None:
        """Read where the open page shows inputs."""
        return await self.ctx.actor.effects.reading(asked)

    async def goes_on(self) -> bool:
        """Return whether something on the page leads on to more of a list."""
        return bool(await self.client.controls("next"))

    async def open_own(self, texts: Sequence[tuple[str, ...]]) -> str:
        """Follow the link of the page that leads to what shows some texts, and was not known before.

        Returns:
            Where that led, a template; empty where no such link is there.
        """
        known = set(self.ctx.bindings.values().values())
        need = min(2, len(texts))
        found: list[Link] = []
        for link in await self.client.links():
            held = [max(about((link.name, *link.card), text) for text in one) for one in texts]
            if generated_in(link.href) - known and sum(map(bool, held)) >= need:
                found.append(link)
        named = [link for link in found if any(about((link.name,), text) for one in texts for text in one)]
        links = named or found
        return (await self.client.follow(Control.of(links[-1]))).url if links else ""


async def took_effect(looker: Looker, past: Past, step: StepRow, sent: Sent) -> Finding:
    """Find out whether an action's write happened on the site. Whoever goes on from a cut or a drift asks this.

    Args:
        looker: looks as who acted.
        past: what the run did, that step last.
        step: what the action belongs to.
        sent: the action, and what was put into its form.
    """
    act = Act.of(past, step, sent, looker.ctx.bindings)
    told = act.answer(looker.ctx.bindings)
    if told and not told.took:
        return told
    try:
        if told and told.url:
            return replace(told, url=(await looker.visit(told.url)).url)
        if act.opens_account:
            finding = await _registered(looker)
        elif act.sent.fields:
            finding = await _written(looker, act)
        else:
            finding = await took_press(looker.ctx, looker.client, act.sent, shows=act.shows)
    except (TaskFailed, BrowserError) as error:
        finding = Finding(None, f"the site could not be asked: {error}")
    except (Unprovable, TemplateError) as error:
        finding = Finding(None, f"it is not known what to look for: {error}")
    if told is None and finding.took is None:
        told = act.answer_to_script(looker.ctx.bindings)
    return finding if told is None or finding.took else told


async def _registered(looker: Looker) -> Finding:
    result = await looker.client.do("login")
    if result.error is None:
        return Finding(True, "the user can log in")
    if result.error.type == "rejected":
        return Finding(False, "the user cannot log in")
    return Finding(None, f"whether the user can log in: {result.error.message}")


async def _written(looker: Looker, act: Act) -> Finding:
    """Look for what was put into a form: on the form itself, where the site lists it, and where the like was kept."""
    if not act.inputs:
        return Finding(None, "it carried nothing that a page could show")
    bindings = looker.ctx.bindings
    own = [name for one in _OWN if (name := bindings.get(one)) and is_own(name)]
    before = act.action.before.url if act.action.before else ""
    form = act.action.target.form.partition(" ")[2] if act.action.target else ""
    listed = next(filter(None, (looker.ctx.site.list_of(bindings.shown(one)) for one in (form, before) if one)), None)
    asked = [*act.inputs, *(one for like in act.likes for one in like)]
    looked: list[str] = []
    if before:
        page, address = await looker.visit(before), bindings.shown(before)
        there = bindings.shown(page.url)
        reading = await looker.read(asked) if page.status < 400 else None
        if reading is not None:
            looked.append(address)
            if finding := on_form(act.inputs, reading, address):
                return replace(finding, at=there)
    if listed and act.texts:
        return await _in_list(looker, act, listed)
    led_to = [one.leads_to for one in act.heard if one.leads_to]
    # A dialog says nothing of where its thing is listed: each list of the site may show it.
    lists = [str(one.list) for one in looker.ctx.site.things.values() if one.list] if not form else []
    for url in list(dict.fromkeys(one for one in (before, *led_to, *lists, *act.places) if one))[:_MOST]:
        page, address = await looker.visit(url), bindings.shown(url)
        there = bindings.shown(page.url)
        reading = await looker.read(asked) if page.status < 400 else None
        if reading is None:
            continue
        looked.append(address)
        finding = in_cards(act.inputs, act.texts, act.earlier, reading, address, own)
        if finding is not None and finding.took:
            return replace(finding, at=there, url=finding.url or await looker.open_own(act.texts))
        if finding is None and is_whole(act.likes, reading, own) and not await looker.goes_on():
            await asyncio.sleep(_LATER_S)
            await looker.visit(url)
            again = await looker.read(asked)
            if again is not None and is_whole(act.likes, again, own):
                no = Finding(False, f"{address} shows what was sent like it before, and not this")
                finding = in_cards(act.inputs, act.texts, act.earlier, again, address, own) or no
        if finding is not None:
            return replace(finding, at=there)
    if finding := await _in_data(looker, act):
        return finding
    seen = ", ".join(dict.fromkeys(looked)) or "any page that is known"
    return Finding(None, f"what was sent is not to be seen at {seen}")


async def _in_data(looker: Looker, act: Act) -> Finding | None:
    """Look at the data of what a page had saved a part of into, as it was typed; None where they are silent.

    What is put or patched at an address is read there, if anything is.
    """
    bindings = looker.ctx.bindings
    saved = [one for one in act.begun if one.method in ("PUT", "PATCH") and one.initiator == "fetch"]
    for write in saved[-1:]:
        address = bindings.shown(write.url)
        if not generated_in(address) or (await looker.visit(write.url)).status >= 400:
            continue
        took = tells_of(act.inputs, {one.input for one in write.carried}, await looker.client.text())
        if took is not None:
            return Finding(took, f"the data of {address} {'have' if took else 'have not'} what was put in beside it")
    return None


async def _in_list(looker: Looker, act: Act, listed: str) -> Finding:
    """Look where the site section says that the site lists what is sent from such a page."""
    texts = ", ".join(f"'{one[0][:60]}'" for one in act.texts[:2])
    asked = [replace(act.inputs[0], spellings=one) for one in act.texts]
    typed = (one for one in act.inputs if one.kind == "text")
    shows = tuple(one.action_id for one in typed if any(map(is_own, one.spellings)))
    for pause in (0.0, _LATER_S):
        await asyncio.sleep(pause)
        there, partial = 0, False
        await looker.visit(listed)
        async for _ in looker.client.walk(_PAGES):
            reading = await looker.read(asked)
            partial |= reading is None or reading.partial
            there += count_in(act.texts, reading) if reading else 0
            if there > act.earlier:
                return Finding(True, f"{listed} shows {texts}", await looker.open_own(act.texts), listed, shows)
        if partial or there < act.earlier:
            break
    if there == act.earlier and not partial:
        return Finding(False, f"{listed} does not show {texts}")
    expected = f"{act.earlier} or {act.earlier + 1} were to be expected"
    return Finding(None, f"{listed} shows {texts} {there} times, where {expected}")


def _shows_at_button(effect: EffectRow) -> bool:
    return effect.kind in ("appearance", "disappearance") or (effect.kind == "state" and effect.by == "control")
