"""Looks on the site whether something that was cut off took effect, by reading it back. Changes nothing.

Not responsible for: what is made of the finding.
"""

from __future__ import annotations

from collections.abc import Sequence

from playwright.async_api import Error as PlaywrightError

from simulator.agent.contracts import RunView
from simulator.agent.duels import find_matchup
from simulator.agent.finding import Seller
from simulator.agent.hands import Do, Hands, TaskFailed, best
from simulator.agent.reading import Control, Form, Link, Page
from simulator.agent.words import Word, about, fit, holds
from simulator.browser.script import selector
from simulator.errors import TemplateError
from simulator.recording.rows import ActionRow, StepRow
from simulator.replay.resolve import Unprovable, compile_query
from simulator.runner.resume_past import Past, Sent, registers
from simulator.runner.took_effect import Deed, Finding, took_effect
from simulator.template import placeholders
from simulator.tools.context import RunContext
from simulator.tools.vocabulary import normal

_GONE = frozenset({404, 410})
_PATIENCE_MS = 2_000
_PAGES = 5
"""Of a user's messages that are read, the newest first."""
_TEXTS = frozenset({"fill", "type"})


class Prober:
    """Reads back what one step of a run may have done.

    Args:
        past: the run.
        view: its user.
        ctx: the run's tools; its actor is logged in as it was.
        do: makes calls that change nothing.
    """

    def __init__(self, past: Past, view: RunView, ctx: RunContext, do: Do) -> None:
        self._past = past
        self._ctx = ctx
        self._hands = Hands(view, do)
        self._words = ctx.site.words

    async def find(self, step: StepRow, sent: Sent) -> Finding:
        """Look whether a step took effect.

        Args:
            step: the step.
            sent: how it may have.
        """
        if sent.answered and sent.action.after is not None:
            return Finding(True, f"the page that followed, {sent.action.after.url}, did not object")
        told = self._deed(sent).answer(self._ctx.bindings)
        if told and not told.took:
            return told
        finding = await self.look(step, sent)
        if told:
            return finding if finding.took else told  # what was made is read where it can be
        if finding.took is not None or sent.opens_session:
            return finding
        return await self.observe(sent, finding.seen)

    async def observe(self, sent: Sent, otherwise: str = "") -> Finding:
        """Look on any site whether something was written, by what is known of it and the like of it.

        Args:
            sent: how it may have been.
            otherwise: why nothing else tells, in words.
        """
        try:
            found = await took_effect(self._ctx.actor, self._deed(sent), self._visit, self._goes_on)
        except (TaskFailed, PlaywrightError) as error:
            found = Finding(None, f"the site could not be asked: {error}")
        if found.took is None and otherwise:
            return Finding(None, f"{otherwise}; {found.seen}")
        return found

    def _deed(self, sent: Sent) -> Deed:
        past = self._past
        actions = [action for own in past.actions.values() for action in own]
        return Deed.of(sent.action, sent.fields, actions, past.writes, past.effects, self._ctx.bindings)

    async def _visit(self, url: str) -> Page:
        return Page.of((await self._hands.must("navigate", url=url)).data)

    async def _goes_on(self) -> bool:
        """Tell whether something on the page leads on to more of a list."""
        return bool(await self._hands.controls("next"))

    async def look(self, step: StepRow, sent: Sent) -> Finding:
        """Look on the site whether a step took effect, whatever page followed it.

        Args:
            step: the step.
            sent: how it may have.
        """
        try:
            if sent.opens_session and registers(step, sent):
                return await self._registered()
            return await (self._form(sent) if sent.fields else self._switch(sent))
        except (TaskFailed, PlaywrightError) as error:
            return Finding(None, f"the site could not be asked: {error}")
        except (Unprovable, TemplateError) as error:
            return Finding(None, f"it is not known what to look for: {error}")

    async def _registered(self) -> Finding:
        result = await self._hands.do("login")
        if result.error is None:
            return Finding(True, "the user can log in")
        if result.error.type == "rejected":
            return Finding(False, "the user cannot log in")
        return Finding(None, f"whether the user can log in: {result.error.message}")

    async def _reopened(self, sent: Sent) -> Page:
        """Open the page again from which something was sent."""
        before = sent.action.before
        assert before is not None
        return Page.of((await self._hands.must("navigate", url=before.url)).data)

    # -- a button alone: save, delete, vote

    async def _switch(self, sent: Sent) -> Finding:
        page = await self._reopened(sent)
        target = sent.action.target
        assert target is not None
        what = f"the button {target.name!r} on {page.url}"
        if page.status in _GONE:
            gone = self._says(target.name, "delete")
            return Finding(True if gone else None, f"{page.url} is gone")
        word = next((word for word in _SWITCHES if self._says(target.name, word)), None)
        if word is None:
            return Finding(None, f"whether pressing {what} did anything: nothing tells")
        if await self._present(sent.action):
            pressed = any(one.pressed == "true" for one in await self._alike(sent))
            return Finding(word == "save" and pressed, f"{what} is {'pressed' if pressed else 'there as before'}")
        if word == "save" and any(one.pressed == "true" for one in await self._alike(sent)):
            return Finding(True, f"{what} has become one that is pressed")
        own = _minted(sent.action)
        if word == "vote" and own and not [one for one in await self._buttons() if fit(one.name, "vote", self._words)]:
            return Finding(True, f"one cannot vote any more on {page.url}")
        cards = [scope.texts for scope in target.scopes if scope.kind == "card" and scope.texts]
        if word == "delete" and cards and not await self._listed(cards[0]):
            return Finding(True, f"{self._shown(cards[0][0])!r} is gone from {page.url}")
        return Finding(None, f"{what} is gone, and nothing tells why")

    async def _listed(self, texts: Sequence[str]) -> bool:
        """Tell whether a card is still in the list of this page or of those that follow."""
        wanted = self._shown(texts[0])
        async for _ in self._hands.walk():
            if holds(await self._hands.text(), wanted):
                return True
        return False

    async def _alike(self, sent: Sent) -> list[Control]:
        """Give the buttons that may be the pressed one, as it is now: in its card, or on its page."""
        target = sent.action.target
        assert target is not None
        cards = [self._shown(text) for scope in target.scopes[:1] if scope.kind == "card" for text in scope.texts]
        if not cards and not _minted(sent.action):
            return []
        return [one for one in await self._buttons() if not cards or any(about(one.card, text) for text in cards)]

    async def _buttons(self) -> list[Control]:
        return [Control.of(button) for button in await self._hands.buttons()]

    async def _present(self, action: ActionRow) -> bool:
        assert action.target is not None
        query = compile_query(action.target, self._shown)
        seen = await self._ctx.actor.page.evaluate(
            "query => __sim.explain(query)", query.model_dump(exclude_defaults=True)
        )
        return bool(seen["admitted"] == 1)

    # -- a form: something new, or something changed

    async def _form(self, sent: Sent) -> Finding:
        page = await self._reopened(sent)
        fields = [one for one in sent.fields if one.kind != "upload"]
        values = {one.id: self._shown(one.value or "") for one in fields}
        now = {one.id: value for one in fields if (value := await self._value(one)) is not None}
        told = [one for one in fields if one.kind in _TEXTS and values[one.id]]
        if told and all(normal(now.get(one.id, "")) == normal(values[one.id]) for one in told):
            return Finding(True, f"the form on {page.url} shows the new values")
        held = [one for one in told if now.get(one.id)]
        if held and _minted(sent.action):
            first = held[0]
            return Finding(False, f"the form on {page.url} still shows {now[first.id]!r}, not {values[first.id]!r}")
        if page.status in _GONE or not now:
            return Finding(None, f"what was sent from {page.url}: its form is not there any more")
        return await self._made(sent, page)

    async def _value(self, action: ActionRow) -> str | None:
        """Read what a field holds now; None where it is not there."""
        assert action.target is not None
        body = compile_query(action.target, self._shown).model_dump(exclude_defaults=True)
        found = self._ctx.actor.page.locator(selector("sim", {**body, "patience": _PATIENCE_MS}))
        try:
            return str(await found.evaluate("el => el.value ?? el.textContent", timeout=_PATIENCE_MS * 2))
        except PlaywrightError:
            return None

    async def _made(self, sent: Sent, page: Page) -> Finding:
        """Look for something new where the site lists what the user has made."""
        meanings = _meanings(await self._hands.forms(), sent.fields)
        if message := meanings.get("message"):
            return await self._message(sent, message)
        if title := meanings.get("title"):
            return await self._listing(sent, title)
        titles = [_title_in(one.value or "") for one in sent.fields if one.kind == "select"]
        if len(titles) == 2 and len(sent.fields) == 2 and all(titles):
            return await self._matchup([self._shown(title) for title in titles])
        return Finding(None, f"where the site would show what was sent from {page.url} is not known")

    async def _message(self, sent: Sent, message: ActionRow) -> Finding:
        body = normal(self._shown(message.value or ""))
        before = self._before(sent, message)
        hands = self._hands
        route = hands.site.route("inbox")
        if route is not None:
            await hands.visit(route)
        else:
            await hands.visit(hands.site.route("home") or "/")
            link = best([one for one in await hands.links() if not one.card], "message", self._words)
            if link is None:
                return Finding(None, "no link leads to the messages of the user; set routes.inbox of the site")
            await hands.follow(Control.of(link))
        if link := best([one for one in await hands.links() if not one.card], "sent", self._words):
            await hands.follow(Control.of(link))
        there = 0
        async for _ in hands.walk(_PAGES):
            there += normal(await hands.text()).count(body)
        where = f"the message {self._shown(message.value or '')[:60]!r} among those that the user has sent"
        return _counted(there, before, where)

    async def _listing(self, sent: Sent, title: ActionRow) -> Finding:
        hands = self._hands
        wanted = self._shown(title.value or "")
        page = await hands.open("my_items")
        found: dict[str, Link] = {}
        async for links in hands.walk():
            found |= {link.href: link for link in links if about((link.name,), wanted) == 2}
        told = _counted(len(found), self._before(sent, title), f"{wanted!r} among the user's own on {page.url}")
        if not told.took:
            return told
        await hands.open("my_items")
        async for links in hands.walk():
            link = next((one for one in links if one.href == list(found)[-1] and one.name), None)
            if link is not None:
                page = await hands.follow(Control.of(link))
                break
        given = {
            one.target.name_attr or one.target.label: one.value
            for one in sent.fields
            if one.target is not None and one.value is not None and one.kind in _TEXTS
        }
        missing = await self._ctx.actor.lacks(list(given.values()), page.url)
        shown = {name: text for name, text in given.items() if text not in missing}
        return Finding(True, told.seen, page.url, shown)

    async def _matchup(self, titles: list[str]) -> Finding:
        hands = self._hands
        maker = Seller("", hands.username, hands.identity.display_name)
        where = f"a matchup of {titles[0]!r} and {titles[1]!r} by {maker.username}"
        page = await hands.open("matchups")
        async for links in hands.walk():
            if link := find_matchup(links, maker, titles):
                await hands.follow(Control.of(link))
                return Finding(True, f"{where} is on {page.url}")
        return Finding(False, f"{where} is not on {page.url}")

    def _before(self, sent: Sent, field: ActionRow) -> int:
        """Count how often the run had put the same into the same form before, and the site had taken it."""
        count = 0
        for step in self._past.steps:
            earlier = self._past.sent(step)
            if earlier is None or not self._past.changed(step) or not sent.action.target or not earlier.action.target:
                continue
            same = [one for one in earlier.fields if one.value == field.value]
            count += bool(same) and earlier.action.target.form == sent.action.target.form
        return count

    def _says(self, name: str, word: Word) -> bool:
        return bool(fit(self._shown(name), word, self._words))

    def _shown(self, text: str) -> str:
        return self._ctx.bindings.render(text)


_SWITCHES: tuple[Word, ...] = ("save", "delete", "vote")


def _counted(there: int, before: int, what: str) -> Finding:
    if there == before + 1:
        return Finding(True, what)
    if there == before:
        return Finding(False, f"not {what}")
    return Finding(None, f"{what}: {there} of them, where {before} or {before + 1} were to be expected")


def _minted(action: ActionRow) -> bool:
    """Tell whether an action was done on the page of one thing."""
    return action.before is not None and "{{site." in action.before.url.partition("?")[0]


def _meanings(forms: Sequence[Form], fields: Sequence[ActionRow]) -> dict[str, ActionRow]:
    """Tell what was put into which field, by what the fields of the page mean."""
    by_name = {one.target.name_attr: one for one in fields if one.target is not None and one.target.name_attr}
    form = max(forms, key=lambda form: sum(field.name in by_name for field in form.fields), default=None)
    return {
        field.meaning: by_name[field.name]
        for field in (form.fields if form else ())
        if field.meaning and field.name in by_name
    }


def _title_in(template: str) -> str:
    """Give the variable of a book's title that a text holds, as a template; empty for none."""
    name = next((name for name in placeholders(template) if name.endswith(".title")), "")
    return f"{{{{{name}}}}}" if name else ""
