"""Finds the form that changes a thing of a site, and the button of it that saves. Not responsible for: which things."""

from __future__ import annotations

from simulator.agent.words import says_word
from simulator.runner.surveying.addresses import is_minted, steps_of
from simulator.runner.surveying.findings import FoundThing
from simulator.runner.surveying.pages import FormSeen, PageSeen
from simulator.runner.surveying.passed_over import copying
from simulator.runner.surveying.toml_text import names_somebody
from simulator.tools.pages.submitting import meant_to_save, words_on
from simulator.tools.pages.vocabulary import says_purpose

_SHARED = 0.6
"""How much of the fields two forms have in common that make and change one thing."""
_ALSO = 2
"""Fields of a form that may yet change what is made by a form with a single one."""
_LONGEST_BUTTON = 40


def is_of_one(page: PageSeen) -> bool:
    """Return whether a page is about one thing among others, by its address."""
    return any(map(is_minted, steps_of(page.address)))


def are_alike(one: FormSeen, other: FormSeen) -> bool:
    """Return whether two forms ask for the same, by the names of their fields."""
    return _alike(one, other) >= _SHARED


def _alike(one: FormSeen, other: FormSeen) -> float:
    mine, others = set(one.signature), set(other.signature)
    return len(mine & others) / max(1, min(len(mine), len(others)))


def _asks_as(changing: FormSeen, maker: FormSeen) -> bool:
    """Return whether a form asks for what another one does; one field, such as a name, is had by forms of all kinds."""
    single = len(set(maker.signature)) == 1 and len(set(changing.signature)) > _ALSO
    return not single and _alike(changing, maker) >= _SHARED


def add_edit(thing: FoundThing, form: FormSeen, others: list[FormSeen]) -> list[PageSeen]:
    """Find the form that changes a thing: it asks for the same, and holds what it is now.

    Returns:
        The pages on which it stands.
    """
    fitting = [
        one
        for one in others
        if one.prefilled and one.page is not form.page and _asks_as(one, form) and not copying(one, form)
    ]
    if not fitting:
        return []
    words = fitting[0].page.words
    if thing.submit and len(fitting[0].form.submits) > 1:
        _add_edit_button(thing, fitting[0])
    if words and any(words == one.text for form in fitting for one in form.prose[:1]):
        thing.edit = ""
        thing.ask("edit", "what one is called leads to the form that changes it, and nothing that says edit")
        return [one.page for one in fitting]
    thing.edit = (
        words
        if words and not names_somebody(words) and not says_word(words, "edit", {}) and len(words) <= _LONGEST_BUTTON
        else ""
    )
    if thing.edit and not any(one.page.source == thing.listed_at or is_of_one(one.page) for one in fitting):
        thing.ask("edit", f"is it '{words}' that leads to the form which changes it?")
    return [one.page for one in fitting]


def _add_edit_button(thing: FoundThing, form: FormSeen) -> None:
    """Find the button that saves a change, where the one that makes a thing says otherwise."""
    names = [words_on(one.name) for one in form.form.submits]
    saving = [name for name in names if says_purpose(name, "save") and not says_purpose(name, "aside")]
    if thing.submit in names or meant_to_save(names) or not saving:
        return
    thing.edit_submit = saving[0]
    if len(saving) > 1:
        thing.ask("edit", f"the form has several buttons: {', '.join(saving[:5])}; which one saves a change?")
