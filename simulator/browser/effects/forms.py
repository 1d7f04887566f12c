"""What the form of a thing holds of what was sent, field by field: also what nobody put in, and the form had filled.

It proves nothing, and revokes: where the thing's own form showed what was carried when it was recorded, it has to show
it again. Not responsible for: asking pages, or inputs that are shown elsewhere (``echoes``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simulator.addresses import urljoin
from simulator.browser.effects.echoes import Watched
from simulator.browser.effects.fields import Field
from simulator.browser.effects.inputs import InputKind, UserInput
from simulator.browser.effects.met import bare
from simulator.browser.effects.model import Effect, KnownThing, Place, Write
from simulator.browser.effects.places import Reading, Thing, another, generated_in, is_of, is_own, look, numbered_in
from simulator.browser.effects.sent.fetched import Fetched
from simulator.browser.effects.sent.objects import Written, ids_of_its_own
from simulator.browser.effects.sent.writes import GUARDS, Sent, last_step
from simulator.meaning import contradicts, is_telling, likeness

_MOST_DOCUMENTS = 12
"""How many documents a form is compared on."""
_MOST_FIELDS = 100
_KINDS: Mapping[str, InputKind] = {"field": "text", "select": "choice", "radio": "choice", "box": "tick"}
_SECRET = "{{secret."
"""What a template writes for a secret begins so."""
_ENOUGH = 2
"""So many texts of one form stand together by no chance."""


@dataclass(slots=True)
class SentForm:
    """A form that was sent, as far as it is told what it carried."""

    write: Write
    thing: Thing
    carried: dict[str, tuple[str, ...]]
    """By the name of each part its values."""
    watched: Watched
    """The same write, with what is known of the thing by now."""
    asked: frozenset[str]
    """Documents that sent it, or that are its answer."""
    held: set[str] = field(default_factory=set)
    """Names of the fields that a later form showed as they were sent."""
    shown: set[str] = field(default_factory=set)
    """Names of those that a page of the thing showed elsewhere: that is no look at the others of its form."""
    otherwise: dict[str, str] = field(default_factory=dict)
    """What the last document that has a field shows in it instead, by its name."""
    elsewhere: dict[str, str] = field(default_factory=dict)
    """The same of a form that goes to the same address, and may be an empty one for the next thing."""
    documents: int = 0
    page: str = ""
    """Absolute address of the document that sent it, where that may be the thing's own; empty elsewhere."""
    filled: frozenset[str] = frozenset()
    """The parts that the form had filled; of a form with a file all, as the browser does not tell them apart."""
    put: frozenset[str] = frozenset()
    """The parts that the user put in."""
    changed: frozenset[str] = frozenset()
    """The parts that held something else before the user put something in."""
    looked: bool = False
    data: Written | None = None
    """What a script has written in parts that have names."""
    sent: frozenset[str] = frozenset()
    """The names of all parts, those as well that a later form has sent anew."""
    left: Mapping[str, Field] = field(default_factory=dict)
    """By name the fields that sent something the user could see, and nobody had put in."""

    called: Mapping[str, str] = field(default_factory=dict)
    """By name what the user knows the parts as that were put in."""
    first: Mapping[str, tuple[tuple[str, ...], bool]] = field(default_factory=dict)
    """By name what the fields held that the user changed, and whether that was on, when the user came to them."""

    @property
    def unseen(self) -> list[str]:
        """What the fields are called that were left as the form had filled them, and that nothing has shown since."""
        seen = (self.held | self.shown) - self.otherwise.keys()
        return [one.label or name for name, one in self.left.items() if name not in seen]

    @property
    def is_open(self) -> bool:
        """Whether a look at the thing's own form may tell of what the form had filled."""
        told = {*self.held, *self.otherwise, *self.elsewhere}
        return bool(self.page and self.filled) and not self.looked and self.filled.isdisjoint(told)

    def untouched(self) -> list[UserInput]:
        """Give what the form had filled and no later document has shown, as if it had been put in.

        That is what a field had that the user could see, and, of what no field is known of, texts of its own.
        """
        names = (name for name in sorted(self.filled - self.put - self.held - self.shown) if self.carried.get(name))
        found = [self._left(name, self.carried[name]) for name in names if name and len(self.carried[name]) == 1]
        return [one for one in found if one.field in self.left or is_telling(one.spellings[0])]

    def _left(self, name: str, texts: tuple[str, ...]) -> UserInput:
        known = self.left.get(name)
        if known is None:
            return UserInput(self.write.action_id, "text", texts, (name,), name, "")
        # Of a list the request tells the value, and a page what it is called.
        called = known.holds if known.sends == texts[0] else ()
        spellings = tuple(dict.fromkeys((*texts, *(one for one in called if one.strip()))))
        names = tuple(dict.fromkeys(one for one in (known.label, name) if one))
        return UserInput(self.write.action_id, _KINDS[known.kind], spellings, names, name, "")

    def ties(self, form: Sequence[Field], url: str) -> bool:
        """Tell whether a form is the thing's own: by links or an id, or by texts of the user's under the same names."""
        if self.watched.thing.is_at(url):
            return True  # a form that makes something may be sent to an address with the id of what that is a part of
        if self.thing.names:
            return is_of(url, self.thing.names) or bool(generated_in(urljoin(url, form[0].action)) & self.thing.names)
        return _are_alike(self.carried, {one.name: one.holds for one in form if one.kind == "field"})

    def may_tie(self, form: Sequence[Field]) -> bool:
        """Tell whether a form goes where this one went: the settings of a user, or an empty one for the next thing."""
        return not self.thing.names and bool(form[0].form) and form[0].form in self.thing.forms

    def compare(self, fields: Sequence[Field], url: str) -> set[str]:
        """Compare a later document with what was sent.

        Args:
            fields: of the document.
            url: its absolute address.

        Returns:
            The names of fields that hold what was sent, and that none did before.
        """
        forms: dict[tuple[str, str], list[Field]] = {}
        for one in fields:
            if one.name in self.carried:
                forms.setdefault((one.form, one.action), []).append(one)
        tied = self._shown(form for form in forms.values() if self.ties(form, url))
        if not tied:
            tied = self._shown(form for form in forms.values() if self.may_tie(form))
            # A form that keeps what was sent shows what the user has changed; an empty one shows what it always does.
            mine = [shown for name, shown in tied.items() if name in self.changed]
            if any(mine) or not mine:
                self.elsewhere = {name: shown for name, shown in tied.items() if shown}
                return set()
        elif self._is_empty(tied, fields):
            self.elsewhere = {name: shown for name, shown in tied.items() if shown}
            return set()
        return self._take_in(tied)

    def compare_fetched(self, fetched: Sequence[Fetched]) -> set[str]:
        """Compare what a page has fetched of the thing with what its script sent.

        Args:
            fetched: objects.

        Returns:
            As for :meth:`compare`.
        """
        called = Counter(map(last_step, self.carried))
        names = {last_step(name): name for name in self.carried if called[last_step(name)] == 1}
        same = [one.named for one in fetched if self.data and self.data.is_(one.named, one.at)]
        objects = [{key.casefold(): text for key, text in one.holds.items()} for one in same]
        # What is fetched beside the thing may have an id of it, too: that has other names.
        own = [one for one in objects if len(names.keys() & one.keys()) >= max(_ENOUGH, len(names) / 2)]
        told = [(names[key], text) for one in own for key, text in one.items() if key in names]
        told = [(name, text) for name, text in told if name in self.put or not self._is_renewed(name, text)]
        # What was sent empty many a site leaves out of its data.
        blank = {name for name, texts in self.carried.items() if not any(map(str.strip, texts))} if own else set()
        told += [(name, "") for name in blank - {name for name, _ in told} - self.otherwise.keys()]
        fields = [Field(name, "field", (text,), False, self.called.get(name, ""), "", "") for name, text in told]
        return self._take_in(self._shown([fields])) if fields else set()

    def _is_renewed(self, name: str, text: str) -> bool:
        """Tell whether data is much as a script sent it of itself, and not the same: the moment of the last change."""
        return text not in self.carried[name] and _is_same(self.carried[name][0], (text,))

    def _take_in(self, tied: Mapping[str, str]) -> set[str]:
        """Take in what is shown of some fields; gives the names of those that hold what was sent for the first time."""
        for name, shown in tied.items():
            self.elsewhere.pop(name, None)
            if shown:
                self.otherwise[name] = shown
            else:
                self.otherwise.pop(name, None)
        new = {name for name, shown in tied.items() if not shown} - self.held
        self.held |= new
        return new

    def _is_empty(self, tied: Mapping[str, str], fields: Sequence[Field]) -> bool:
        """Tell whether a form on the page of a thing is an empty one, for the next remark on it.

        All texts that the user had put in are empty again, lists and boxes are as the user had found them, and all else
        is as it was sent. A site that dropped all of it looks the same: then no other place shows it, or the recording
        has a form that did.
        """
        mine = self.changed & tied.keys()
        own = [one for one in fields if one.name in mine]
        texts = [one for one in own if one.kind == "field"]
        empty = bool(texts) and not any(text.strip() for one in texts for text in one.holds)
        found = all(self.first.get(one.name) == (one.holds, one.on) for one in own if one.kind in ("select", "box"))
        blank = empty and found and all(one.kind != "radio" for one in own)
        others = (shown for name, shown in tied.items() if name not in mine and any(map(str.strip, self.carried[name])))
        return blank and not any(others)

    def _shown(self, forms: Iterable[Sequence[Field]]) -> dict[str, str]:
        """Give, by name, what the fields of some forms show instead of what was sent; empty where they show that."""
        alike: dict[str, list[Field]] = {}
        for one in (each for form in forms for each in form):
            alike.setdefault(one.name, []).append(one)
        told = {name: self._instead(self.carried[name], fields) for name, fields in alike.items()}
        return {
            name: f"{alike[name][0].label or name} {instead}" if instead else ""
            for name, instead in told.items()
            if instead is not None
        }

    def forget(self, names: Iterable[str]) -> None:
        """Compare some parts no more: something else was sent in them since."""
        for name in names:
            self.carried.pop(name, None)
            self.otherwise.pop(name, None)
            self.elsewhere.pop(name, None)
        self.filled &= self.carried.keys()

    @staticmethod
    def _instead(carried: Sequence[str], alike: Sequence[Field]) -> str | None:
        """Give what is there instead; empty where it is there, None where nothing is to be told."""
        if alike[0].kind in ("field", "select"):
            if len(carried) > 1:
                return None
            if alike[0].kind == "select":
                shown = next((one.holds[0] for one in alike if one.holds), "")
                holding = [one for one in alike if carried[0] in one.holds]
                # Where no option is said to be chosen a browser shows the first one, whatever was kept.
                return ("" if any(one.on for one in holding) else None) if holding else f"'{shown}'"
            if any(_is_same(carried[0], one.holds) for one in alike):
                return ""
            shown = next((one.holds[0] for one in alike if one.holds), "")
            if not (shown and carried[0].strip()):
                return f"'{shown}'"
            return f"'{shown}'" if all(contradicts(carried[0], text) for text in alike[0].holds) else None
        on = [one for one in alike if one.on]
        if alike[0].kind == "radio":
            return "" if any(set(one.holds) & set(carried) for one in on) else f"'{on[0].holds[0]}'" if on else None
        boxes = {one.holds[0]: one.on for one in alike}
        missing = [text for text in carried if text in boxes and not boxes[text]]
        if len(boxes) == 1 and not missing:
            return "" if set(carried) & set(boxes) else None
        added = [text for text, ticked in boxes.items() if ticked and text not in carried]
        return "'not ticked'" if missing else "'ticked'" if added else ""


class SentForms:
    """The forms that one user sent, without the secrets that they carried: those are looked for nowhere.

    Args:
        template: writes an absolute address as a template.
        recognise: writes a text as a template.
    """

    def __init__(self, template: Callable[[str], str], recognise: Callable[[str], str]) -> None:
        self._template = template
        self._recognise = recognise
        self._sent: list[SentForm] = []

    def watch(self, sent: Sent, watched: Watched, fields: Sequence[Field] = ()) -> None:
        """Watch a form that was sent; what it sends anew is compared with no earlier one any more.

        Args:
            sent: the request.
            watched: the same, with what the user had put in.
            fields: of the documents that may have sent it, as they were when the user came to them.
        """
        write, thing, inputs = watched.write, watched.thing, watched.counted
        carried: dict[str, tuple[str, ...]] = {}
        untold = sent.parts is None and sent.initiator == "document"
        put_in = {one.part for one in write.carried} | {one.field for one in inputs}
        forms = {sent.form, *(one.form for one in inputs if one.form)}
        own = [
            one
            for one in fields
            if one.form in forms and one.is_sent and one.name not in put_in and not GUARDS.search(one.name)
            # That the terms were accepted the session proves.
            if one.kind != "box" or not watched.secret
        ][:_MOST_FIELDS]
        # Of a form with a file the browser tells no body: what was put in is known, and what it had filled.
        put = [(one.field, one.spellings[0]) for one in inputs if one.kind == "text" and one.field]
        for name, text in (put if untold else sent.parts or ())[:_MOST_FIELDS]:
            if _SECRET in self._recognise(text):
                continue
            carried[name] = (*carried.get(name, ()), text)
        for left in own if untold else ():
            carried[left.name] = (*carried.get(left.name, ()), left.sends)
        for one in self._sent:
            same = one.thing.names & thing.names or one.thing.forms & thing.forms
            if same or _are_alike(one.carried, carried):
                # A box that was unticked is changed by not being sent.
                one.forget({*carried, *put_in})
        filled = frozenset(name for name in carried if untold or (name not in put_in and not GUARDS.search(name)))
        parts = {one.input: one.part for one in write.carried}
        changed = frozenset(part for one in inputs if one.changes and (part := parts.get(one.action_id)))
        called = {part: one.called for one in inputs if (part := parts.get(one.action_id))}
        page = self._page_of(sent, watched)
        seen = {one.name: one for one in own if any(map(str.strip, carried.get(one.name, ())))}
        first = {one.name: (one.holds, one.on) for one in fields if one.form in forms and one.name in changed}
        self._sent.append(
            SentForm(
                write, thing, carried, watched, watched.asked, page=page, filled=filled, put=frozenset(put_in),
                changed=changed, sent=frozenset(carried), left=seen, first=first, called=called,
                data=_written(sent, thing),
            )
        )  # fmt: skip

    def drop(self, write: Write) -> None:
        """Watch a form no more: what it sent was sent once more as a whole."""
        key = write.action_id, write.number
        self._sent = [one for one in self._sent if (one.write.action_id, one.write.number) != key]

    @staticmethod
    def _page_of(sent: Sent, watched: Watched) -> str:
        """Give the address at which the form may be looked at again; empty where it makes a thing of its own."""
        come_from = sent.request.headers.get("referer", "")
        if is_of(come_from, generated_in(sent.request.url) | numbered_in(sent.request.url)):
            return come_from
        own = bare(come_from) == bare(sent.request.url) and not watched.thing.names
        return come_from if own and watched.counted and not watched.secret else ""

    def to_look_at(self) -> list[str]:
        """Give the addresses of the forms that were sent with more than the user put in, and not seen since."""
        return [one.page for one in self._sent if one.is_open]

    def looked(self, url: str) -> None:
        """Say that an address was looked at."""
        for one in self._sent:
            one.looked |= one.page == url

    def names(self) -> list[str]:
        """Give the names of the fields that a document is asked for."""
        return sorted({name for one in self._sent if one.documents < _MOST_DOCUMENTS for name in one.carried if name})

    def take_in(self, raw: Sequence[Mapping[str, Any]], document: str, url: str) -> list[Effect]:
        """Take in the fields of a document.

        Args:
            raw: as ``readFields`` gives them.
            document: names the document.
            url: its absolute address.
        """
        fields = [Field.of(one) for one in raw]
        effects: list[Effect] = []
        for one in self._sent:
            if document in one.asked:
                continue
            one.documents += 1
            if new := one.compare(fields, url):
                effects.append(self._held(one, new, url))
        return effects

    def ids(self) -> set[str]:
        """Give what the site calls the things whose data, as a page fetches it, may tell of what was sent."""
        sent = (one for one in self._sent if one.documents < _MOST_DOCUMENTS)
        return {name for one in sent if one.data for name in one.data.ids}

    def take_in_fetched(self, fetched: Sequence[Fetched], url: str) -> list[Effect]:
        """Take in what the scripts of a page have fetched since the last write.

        Args:
            fetched: objects.
            url: absolute address of the page.
        """
        news = [(one, one.compare_fetched(fetched)) for one in self._sent if fetched and one.data]
        return [self._held(one, new, url) for one, new in news if new]

    def _held(self, sent: SentForm, new: Iterable[str], url: str) -> Effect:
        place, write = Place(self._template(url), "field", "", keyed=True), sent.write
        return Effect(
            write.action_id, write.action_id, write.number, "kept", "same", place,
            kind="state", thing=KnownThing(), shows="\n".join(sorted(new)),
        )  # fmt: skip

    def untouched(self) -> list[UserInput]:
        """Give what forms had filled that nobody touched, as far as a page that shows it is looked for."""
        return [one for sent in self._sent if sent.documents < _MOST_DOCUMENTS for one in sent.untouched()]

    def take_in_places(self, reading: Reading) -> list[Effect]:
        """Take in what a document shows, at places that are tied to a thing, of what its form had filled.

        Args:
            reading: of the document, asked for what :meth:`untouched` gives.
        """
        effects: list[Effect] = []
        for one in self._sent:
            if reading.document in one.asked:
                continue
            new: list[str] = []
            for each in one.untouched():
                tied = [found for found in look(each, reading, one.thing) if found.keyed and found.spot.kind == "text"]
                if any(not found.spot.says for found in tied):
                    new.append(each.field)
                    one.otherwise.pop(each.field, None)
                elif shown := another(each, reading, one.thing, ""):
                    one.otherwise[each.field] = f"{each.called} '{shown}'"
            one.shown |= set(new)
            if new:
                place = Place(self._template(reading.url), "label", "", keyed=True)
                write = one.write
                effects.append(
                    Effect(
                        write.action_id, write.action_id, write.number, "kept", "same", place, kind="state",
                        shows="\n".join(new),
                    )
                )  # fmt: skip
        return effects

    def against(self, action_id: str, names: Sequence[str]) -> str:
        """Give what a form shows instead of what an action has sent; empty where nothing is shown otherwise.

        Args:
            action_id: the action.
            names: the fields that count.
        """
        sent = [one for one in self._sent if one.write.action_id == action_id and one.carried]
        shown = [{**one.elsewhere, **one.otherwise} for one in sent]
        against = [one[name] for one in shown for name in names if name in one]
        # What was ticked then, and is not sent now, the form had filled otherwise.
        left_out = [f"no '{name}' in what was sent" for name in names if not any(name in one.sent for one in sent)]
        return next(iter((*against, *(left_out if sent else ()))), "")

    def is_held(self, action_id: str, names: Sequence[str]) -> bool:
        """Tell whether a form showed all of some fields as an action had sent them, and none otherwise since."""
        return any(
            (one.held | one.shown).issuperset(names) and one.otherwise.keys().isdisjoint(names)
            for one in self._sent
            if one.write.action_id == action_id
        )

    def lacking(self, action_id: str, names: Sequence[str]) -> str:
        """Give what that of some fields is called which nothing has shown as an action had sent it; empty for none."""
        sent = [one for one in self._sent if one.write.action_id == action_id]
        held = {name for one in sent for name in one.held | one.shown}
        left = {name: field.label for one in sent for name, field in one.left.items() if field.label}
        called = {name: known for one in sent if one.data for name, known in one.called.items()} | left
        return next((called.get(name, name) for name in names if name not in held), "")

    def unseen(self, write: Write) -> list[str]:
        """Give what the fields are called that a write sent as its form had filled them, and that nothing has shown."""
        key = write.action_id, write.number
        return [name for one in self._sent if (one.write.action_id, one.write.number) == key for name in one.unseen]

    def otherwise(self, write: Write) -> Mapping[str, str]:
        """Give what the thing's form shows instead of what a write carried, by the names of its parts."""
        key = write.action_id, write.number
        return next((one.otherwise for one in self._sent if (one.write.action_id, one.write.number) == key), {})


def _written(sent: Sent, thing: Thing) -> Written | None:
    """Give what a script has written in parts that have names; None for what a form sent, or said on a socket."""
    if sent.initiator != "fetch" or sent.parts is None:
        return None
    url = sent.request.url
    return Written(ids_of_its_own(thing.names, sent.names, url), url, sent.kinds if sent.operation else None)


def _are_alike(carried: Mapping[str, Sequence[str]], held: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether two forms are of the same thing: they hold texts of its own under the same names."""
    same = [
        name
        for name, texts in carried.items()
        if len(texts) == 1 and is_own(texts[0]) and name in held and _is_same(texts[0], held[name])
    ]
    return len(same) >= _ENOUGH


def _is_same(carried: str, holds: Sequence[str]) -> bool:
    if not carried.strip():
        return not any(text.strip() for text in holds)
    return any(likeness(carried, text) is not None for text in holds)
