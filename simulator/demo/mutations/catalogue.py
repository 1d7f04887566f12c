"""Every mutation by its name, and the bookshop with some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from starlette.applications import Starlette

from simulator.demo.errors import UnknownMutation
from simulator.demo.mutations import addresses, answers, serving
from simulator.demo.visit import Answer


@dataclass(frozen=True, slots=True)
class Mutation:
    """One way in which the shop is another one."""

    name: str
    what: str
    """In a sentence without its beginning: "the shop, with …"."""
    scripts: tuple[str, ...] = ()
    """Of ``page/``, in the order in which they run; a query says where."""
    around: serving.Around | None = None
    """Wraps the application."""
    answers: dict[str, Answer] = field(default_factory=dict)
    """By method and route."""


LIST, EDIT, SAVE = "POST /books/new", "POST /books/{id:int}/edit", "POST /books/{id:int}/save"
WRITE, PAIR, VOTE = "POST /sellers/{username}/message", "POST /this-or-that/new", "POST /this-or-that/{id:int}"


def _page(name: str, what: str, around: serving.Around | None = None) -> Mutation:
    return Mutation(name, what, (f"{name}.js",), around)


def _deed(name: str, what: str, answer: Answer, *routes: str, scripts: tuple[str, ...] = ()) -> Mutation:
    return Mutation(name, what, scripts, answers=dict.fromkeys(routes, answer))


_ALL = (
    _page("ids-renamed", "other ids and classes"),
    _page("fields-reordered", "the fields of its forms in the opposite order"),
    _page("decoy-button", "lookalikes before each button"),
    _page("hidden-duplicate", "a hidden duplicate of each form before it"),
    _page("buttons-swapped", "buttons side by side swapped, without ids and classes"),
    _page("cards-resorted", "the cards of its lists in the opposite order"),
    _page("extra-wrappers", "more elements around everything"),
    Mutation("slow-answers", "answers that come late", around=serving.Slow),
    _page("late-button", "buttons that work only some time after the page has come"),
    Mutation("id-offset", "its ids counted from elsewhere on", around=addresses.offset),
    Mutation("uuid-ids", "UUIDs for ids", around=addresses.uuids),
    Mutation("redirect-added", "one redirect more wherever there is one", around=serving.Redirecting),
    _page("open-shadow-root", "its forms in open shadow roots"),
    _page("polling", "a page that asks for news all the time"),
    _page("texts-reworded", "labels, links and buttons in other words, and the ids and names as they were"),
    Mutation(
        "ids-and-label", "other ids and classes, and one label in other words", ("price-reworded.js", "ids-renamed.js")
    ),
    _page("form-in-dialog", "its forms in dialogs"),
    _page("form-in-iframe", "its forms in frames", serving.Framing),
    _page("form-by-fetch", "forms that a script sends, without a navigation"),
    _page("cookie-banner", "a question about cookies over everything"),
    Mutation("twin-card", "two of each of one's own books that cannot be told apart", ("twin-card.js?on=/my/books",)),
    Mutation("twin-offer", "two of each book of a seller that cannot be told apart", ("twin-card.js?on=/sellers/",)),
    _deed(
        "new-required-field",
        "an ISBN that a listing needs",
        answers.ask_for_isbn,
        LIST,
        scripts=("new-required-field.js",),
    ),
    _page("field-gone", "no description in the form of a listing"),
    _page("field-type-changed", "a price that is a text"),
    _page("label-moved", "the labels of title and author swapped"),
    _deed("confirm-step", "a question whether one means it", answers.ask_again, WRITE, PAIR),
    _page("confirm-dialog", "a native dialog that asks whether one means it"),
    Mutation("session-expires", "sessions that end after some pages", around=serving.Expiring),
    _deed("server-error", "an error of the server when a listing is changed", answers.break_down, EDIT),
    _deed("tightened-rule", "a rule about the length of a description", answers.ask_for_more_words, LIST),
    _page("login-in-two-steps", "a login that asks for the username first, then for the password"),
    _deed("lost-listing", "listings that it says it keeps, and does not", answers.lose_listing, LIST),
    _deed("lost-change", "changes that it says it keeps, and does not", answers.lose_change, EDIT),
    _deed("lost-save", "saves that it says it keeps, and does not", answers.lose_save, SAVE),
    _deed("lost-message", "messages that it says it sends, and does not", answers.lose_message, WRITE),
    _deed("lost-matchup", "matchups that it says it keeps, and does not", answers.lose_matchup, PAIR),
    _deed("lost-vote", "votes that it says it counts, and does not", answers.lose_vote, VOTE),
    _deed("listed-twice", "two listings for each that is sent", answers.do_twice, LIST),
    _deed("sent-twice", "two messages for each that is sent", answers.do_twice, WRITE),
    _deed("paired-twice", "two matchups for each that is sent", answers.do_twice, PAIR),
    _deed("other-listing", "another price than a listing was sent with", answers.make_dearer, LIST),
    _deed("other-change", "another price than a listing was changed to", answers.make_dearer, EDIT),
    _deed("other-save", "another listing saved than was asked for", answers.save_other, SAVE),
    _deed("other-message", "half of each message", answers.halve_message, WRITE),
    _deed("other-vote", "each vote given to the other book", answers.turn_vote, VOTE),
    _deed(
        "optimistic-save",
        "a page that says a book is saved before that fails",
        answers.break_down,
        SAVE,
        scripts=("optimistic-save.js",),
    ),
)
MUTATIONS = {mutation.name: mutation for mutation in _ALL}


def named(names: Sequence[str]) -> tuple[Mutation, ...]:
    """Give the mutations of these names.

    Raises:
        UnknownMutation: there is none of a name; ``list`` is not one, either.
    """
    for name in names:
        if name not in MUTATIONS:
            raise UnknownMutation(f"there is no mutation '{name}'; there are {', '.join(MUTATIONS)}")
    return tuple(MUTATIONS[name] for name in names)


def mutate(app: Starlette, chosen: Sequence[Mutation]) -> None:
    """Change an application.

    Args:
        app: the bookshop, before its first request.
        chosen: what is changed, the first one nearest to the shop.
    """
    app.router.routes.extend(serving.ROUTES)
    for mutation in chosen:
        for route, answer in mutation.answers.items():
            app.state.answers.setdefault(route, []).append(answer)
    scripts = [script for mutation in chosen for script in mutation.scripts]
    app.add_middleware(serving.PageScripts, scripts)
    for mutation in chosen:
        if mutation.around:
            app.add_middleware(mutation.around)
