"""The words of effects: writes, and what is seen of them: inputs, states, things that are there or gone.

Not responsible for: noticing any of it. No value of an input stands in any of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from simulator.canonical import EFFECTS
from simulator.meaning import Likeness

Strength = Literal["shown", "kept"]
"""``shown``: on the page that sent it or in the answer. ``kept``: on a document that was loaded afterwards and is not
the answer. Only what is kept proves a write."""
Initiator = Literal["document", "fetch", "beacon", "socket"]
"""What sent a request: a form of the document itself, a script, a script that awaits no answer, or one on a socket."""
By = Literal["field", "label", "text", "picture", "control", "card", "address"]
"""How a place is known: a field of that name, also in the data of a thing; a text under that label, any text, a
picture; of what was pressed the control; of a thing its card in a list, or its own address; of a file the address that
a link to it leads to."""
Kind = Literal["echo", "state", "appearance", "disappearance"]
"""What follows from a write: an input is shown; a control stands otherwise; a thing is there; a thing is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """By which rules effects are reported: those of today, or of the time when a recording was made."""

    lasting: bool = True
    """What a page shows once, such as a message, and not when it is loaded again, is not kept."""
    unstored: bool = True
    """What the browser itself keeps for the page's scripts is not kept by the site."""
    brought: bool = True
    """Nor is it by a database or a cache of the browser. What the site has brought as well it has kept."""
    known_apart: bool = True
    """A thing that the user had met is not new; what came into sight by an act is not gone once it is out of sight."""
    refusals: bool = True
    """What the site refused is no write."""
    files_by_look: bool = True
    """A file is known again by what it looks like; before, any picture at a new address counted."""
    texts_apart: bool = True
    """Where one text of a write stands shows no other one of it, which it is the beginning of, or which it names."""
    spellings_apart: bool = True
    """Nor one of it in another spelling."""
    surroundings_apart: bool = True
    """What a site shows around its pages, such as a menu, says nothing of what was put in."""
    values_apart: bool = True
    """A place that is tied to nothing proves one of two things in which the same value was put, not both."""
    by_words: bool = True
    """A thing may be called by words of it in its address: ``/notes/low-tide``."""
    by_control: bool = True
    """A press asks for what its control, or the form of that, names: a script that sends it counts nothing."""
    gone_where_known: bool = True
    """A thing's page is gone only where something had led to it."""
    returns_apart: bool = True
    """What stands in an address only because the request had named that one to return to is no id of what was sent."""
    beside_apart: bool = True
    """A control that stood beside a pressed one is not what that has become."""
    stood_first: bool = True
    """What an act has opened at an address, such as more of a list, is not gone where one comes to that anew."""
    goals_apart: bool = True
    """A link to ``#`` leads nowhere: the page on which it stands is not that of what the link is called."""
    by_given: bool = True
    """A press asks for what the site has given to the user, where its request names that, whatever its card shows."""
    ticked_apart: bool = True
    """A button beside a list is no control of what is ticked for it: that it is not in that card says nothing."""
    drawn_boxes: bool = True
    """A box or a switch that a script draws in a form is an input where it is pressed."""
    options: bool = True
    """An option that is pressed in a list that a script draws is an input."""
    times_apart: bool = True
    """A time that a request gives back, and that no field shows, is of the site's clock: no page has to show it."""
    bare_options: bool = True
    """So is one where neither it nor its list says what it is: the field shows what was chosen."""

    button_options: bool = True
    """So is one that a script draws of a button or a link of the browser's own."""
    late_whole: bool = True
    """What a page sends after the press has ended may say all that it had sent before, to have it checked."""
    sent_beside: bool = True
    """A script's request says in its own way what stands beside the control whose press has sent it."""

    by_data: bool = True
    """The data of a thing that a later page fetches proves what a script has sent of it."""
    card_words: bool = True
    """How a thing stands its card may say in words, while the control that was pressed stands as before."""

    whole_lists: bool = True
    """The form of a thing shows all the options of a list that were sent, and no other one."""
    by_page: bool = True
    """A form without an address goes to that of its page, with its query."""
    late_looks: bool = True
    """A look at the form of a thing compares it, however many documents have come since it was sent."""
    forms_stay: bool = True
    """A form that asks for the next remark on a thing holds that thing in its other fields."""
    by_links: bool = True
    """The card with the link that is called as a text of a write is that of the thing."""
    said_by_presses: bool = True
    """A request may say what was pressed before, such as a day of a calendar: that is an input."""
    by_company: bool = True
    """Where other inputs of a write have come, what stands under the name of one is what the site kept of it."""
    by_button: bool = True
    """What the button says that sent a form, such as *Publish*, the page of its thing may say, too: *Published*."""
    whole_texts: bool = True
    """A text that was seen as a whole, in whatever writing, is not kept where only its beginning is there."""
    escaped: bool = True
    """The body of a form is read also where a script has escaped it otherwise than browsers do."""

    choices_apart: bool = True
    """What the user put in, such as the option ``3``, does not make known what the answer calls ``3``."""
    sessions_apart: bool = True
    """What a login is answered with, such as the number of the user, is nothing that its press has made."""
    later_apart: bool = True
    """A thing that is gone once something else was done to it is not gone by what was done before, and what was put in
    later is no state of that."""
    codes_of_pages: bool = True
    """A short code in the address of a request, and in that of its page, is what the site calls the thing."""
    filters_apart: bool = True
    """A link that asks for an option of a list, as the filters of a page do, is not one to the thing of that number."""
    slugs_apart: bool = True
    """What a request calls its thing, as ``low-tide``, is no input that it carries: the title, or a search for it."""
    offered_apart: bool = True
    """What a form for something new came with, and nobody changed, is none that a page has to show."""
    owners_apart: bool = True
    """What an answer names within an object that has an id itself, such as its owner, is nothing new."""
    choices_left: bool = True
    """What a form sends of the lists and boxes that its user left as they came is what the recorded one sent."""
    bodies: bool = True
    """What a script sends with a file is read; and what a part of a form says in JSON is parts of it."""
    removed_with_words: bool = True
    """Whether a write that carried words may have taken its thing away: a reason, or the thing's name once more."""
    views_by_visits: bool = True
    """Whether a view counts to which a visit leads within its document, as to ``/#notes/low-tide``."""
    drafts_again: bool = True
    """What a script has saved as a draft, while its fields hold it still, may be sent again by another button."""
    by_markup: bool = True
    """What a script is answered in HTML, such as a new row, says what the site calls what was written."""
    brought_each: bool = True
    """The site has to have brought every input that a place shows, as an e-mail address shows a name, too, and what
    stands in a field of a form."""
    forms_apart: bool = True
    """A form that holds what was put into another thing, and into nothing else, is that one's."""
    rows_apart: bool = True
    """What the address of a page says is not what calls the only row of its table."""
    loose_fields: bool = True
    """What a script sends of a field in no form, which its user left, has to be shown as what a form sends."""

    says_done: bool = True
    """A link may lead back to where it stood with what it has done in the query: ``/offers?deleted=4811``."""
    adds: bool = True
    """What was put into an empty field has to stand at an address once more than before."""
    posts_apart: bool = True
    """An answer to a POST at the address of one thing may name another one, which was there before."""
    fields_apart: bool = True
    """A box, a choice or a short value in a field that nothing ties to what was sent may have come with its form."""
    visits_ask: bool = True
    """A link that leads back says what it is for: it names what is ticked for it, or its thing and holds a guard."""
    own_places: bool = True
    """Where a place of its own says something else than an input, another place of the thing does not show that."""
    steps_apart: bool = True
    """The pages between forms of one thing, such as the one that asks to confirm, prove nothing of it."""
    mutations_apart: bool = True
    """A mutation of GraphQL that carried nothing, beside one that did, or as pages send it too, is the page's own."""
    told_one_by_one: bool = True
    """A press carries what stands beside it, where the page has told the site of each field as it was filled in."""

    @classmethod
    @cache
    def of(cls, version: int) -> Rules:
        """Give the rules of a version of them; 0: of a recording from before effects, of which none is judged."""
        tied = version or EFFECTS
        return cls(
            lasting=version >= 2,
            unstored=version >= 3,
            refusals=version >= 4,
            files_by_look=tied >= 4,
            texts_apart=tied >= 5,
            spellings_apart=tied >= 6,
            surroundings_apart=tied >= 7,
            options=version >= 8,
            brought=version >= 9,
            known_apart=version >= 9,
            values_apart=version >= 10,
            by_words=version >= 10,
            by_control=version >= 10,
            gone_where_known=version >= 11,
            returns_apart=version >= 11,
            beside_apart=version >= 11,
            stood_first=version >= 12,
            goals_apart=version >= 12,
            by_given=version >= 12,
            ticked_apart=version >= 12,
            drawn_boxes=version >= 12,
            times_apart=version >= 12,
            bare_options=version >= 12,
            button_options=version >= 12,
            late_whole=version >= 12,
            sent_beside=version >= 12,
            by_data=version >= 12,
            drafts_again=version >= 12,
            card_words=version >= 12,
            whole_lists=version >= 12,
            by_page=version >= 12,
            late_looks=version >= 12,
            forms_stay=version >= 12,
            forms_apart=version >= 12,
            by_links=version >= 12,
            by_company=version >= 12,
            said_by_presses=version >= 12,
            by_button=version >= 12,
            whole_texts=version >= 12,
            escaped=version >= 12,
            choices_apart=version >= 12,
            later_apart=version >= 12,
            codes_of_pages=version >= 12,
            filters_apart=version >= 12,
            slugs_apart=version >= 12,
            offered_apart=version >= 12,
            owners_apart=version >= 12,
            choices_left=version >= 12,
            bodies=version >= 12,
            removed_with_words=version >= 12,
            views_by_visits=version >= 12,
            by_markup=version >= 12,
            brought_each=version >= 12,
            loose_fields=version >= 12,
            rows_apart=version >= 12,
            says_done=version >= 12,
            adds=version >= 12,
            posts_apart=version >= 12,
            sessions_apart=version >= 12,
            fields_apart=version >= 12,
            mutations_apart=version >= 12,
            told_one_by_one=version >= 12,
            steps_apart=version >= 12,
            own_places=version >= 12,
            visits_ask=version >= 12,
        )

    def takes_option(self, *, bare: bool, button: bool) -> bool:
        """Return whether an option that is pressed is an input.

        Args:
            bare: whether neither it nor its list says what it is.
            button: whether it is a button or a link of the browser's own.
        """
        return (self.bare_options if bare else self.options) and (self.button_options or not button)


@dataclass(frozen=True, slots=True)
class Carried:
    """A part of a request that holds what the user put in."""

    part: str
    """Its name: of a form's field, of a file, or the path in a JSON body; empty where the browser does not say."""
    input: str
    """Id of the action that put it in."""


@dataclass(frozen=True, slots=True)
class Write:
    """A request that can change the site."""

    number: int
    """Its place among the writes of its action, from 0."""
    action_id: str
    """The action during which it was sent."""
    initiator: Initiator
    method: str
    """Of HTTP; ``SEND`` for what was said on a web socket."""
    url: str
    """A template, relative to the site."""
    operation: str
    """Name of a GraphQL operation, or of what is called by JSON-RPC (``cases.update()``); empty for other requests."""
    status: int
    """HTTP status of the answer; 0 where none came."""
    leads_to: str
    """Where the answer sent the browser, a template; empty where it did not."""
    carried: tuple[Carried, ...]

    @property
    def carries(self) -> bool:
        """Whether it sent what the user had put in. Without that, and without an effect, it is incidental."""
        return bool(self.carried)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document shows a value."""

    url: str
    """The document's address, a template."""
    by: By
    label: str
    """What the place is called; empty for any text."""
    keyed: bool
    """Whether it is tied to what was written: by the thing's own address, its form, or its card."""
    spot: str = ""
    """Names the place among those of its document; empty where nobody knows that it lasts."""


@dataclass(frozen=True, slots=True)
class KnownThing:
    """What was written, as the site knows it; all of it templates."""

    ids: tuple[str, ...] = ()
    """What the site calls it, or an address that only its card has; without what identifies nobody else's."""
    new: bool = False
    """Whether the answer to the write named it first: the write made it."""
    at: str = ""
    """Its own address; empty where none is known."""
    called: str = ""
    """The text that distinguishes its card from others; of an input at a place that nothing ties, a text of its write
    that stands in one card with it. Empty where none does."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What was seen of a write."""

    input: str
    """Id of the action that did it: of an echo the one that put the input in, of other kinds the one that pressed."""
    write_action: str
    """Id of the action that sent it."""
    write: int
    """Which of the writes of that action."""
    strength: Strength
    likeness: Likeness
    place: Place
    looked: bool = False
    """Whether it was seen by a visit of its own, between tasks."""
    kind: Kind = "echo"
    thing: KnownThing = KnownThing()
    was: str = ""
    """Of a state: the control before, as ``button 'Follow'``. Of an echo: what the page calls the element around the
    place that its field stood in, too, if the write names that, as ``comment-41``."""
    shows: str = ""
    """Of a state: the control since then, as ``button 'Following' pressed``. Of an echo: a name of its user, a
    template, that stands in the same card, or with it on the page of its thing."""

    @property
    def worth(self) -> tuple[bool, bool, bool, bool]:
        """How much it says, to compare it with others: whether it proves, is tied, says all, and stands in a thing."""
        return self.strength == "kept", self.place.keyed, self.likeness == "same", bool(self.was)

    @property
    def is_settled(self) -> bool:
        """Whether it proves its input at a place that is tied to what was written: no better one is looked for."""
        return self.strength == "kept" and self.place.keyed


@dataclass(frozen=True, slots=True)
class WriteProof:
    """What is reported of a write: whether it is proven, and what of it nobody saw again."""

    method: str
    url: str
    inputs: int
    """How many inputs it carried that can be seen again."""
    unseen: tuple[str, ...]
    """What the fields are called whose input was not seen on a later document."""
    operation: str = ""
    """Name of a GraphQL operation, or of what is called by JSON-RPC: all of them go to one address."""
    offered: tuple[str, ...] = ()
    """What the fields are called that a form for something new came with a value in, which the user left, and no page
    shows: the run has put nothing in there, and nothing is known of it."""

    @property
    def proven(self) -> bool:
        """Whether each input was seen again, and what fields of a thing held that the user left."""
        return not self.unseen


@dataclass(frozen=True, slots=True)
class Observed:
    """What was observed of one action."""

    writes: tuple[Write, ...] = ()
    effects: tuple[Effect, ...] = ()


NOTHING_OBSERVED: Final = Observed()
