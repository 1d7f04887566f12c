"""Forms of a site that make no thing, and what is said of them. Not responsible for: those that do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from simulator.runner.surveying.addresses import is_of_settings, says_copy, says_new, steps_of
from simulator.runner.surveying.entering import is_login, is_registration
from simulator.runner.surveying.pages import FormSeen, Seen


def spread(forms: Iterable[FormSeen]) -> Counter[tuple[str, ...]]:
    """Count the kinds of pages on which forms stand that are alike and sent to one address."""
    pairs = {(form.signature, form.page.shape, form.form.more.sent_to) for form in forms}
    by_target = {(signature, shape) for signature, shape, sent_to in pairs if not sent_to.startswith(shape)}
    return Counter(signature for signature, _ in by_target)


def firsts(forms: Iterable[FormSeen], signatures: set[tuple[str, ...]]) -> list[FormSeen]:
    """Give one form of each kind of some."""
    found: dict[tuple[str, ...], FormSeen] = {}
    for form in forms:
        if form.signature in signatures:
            found.setdefault(form.signature, form)
    return list(found.values())


def called(seen: FormSeen) -> str:
    """Give what a form is called, in a sentence."""
    submits = ", ".join(one.name for one in seen.form.submits if one.name)
    return f"the form '{seen.form.name or seen.form.heading or submits or 'without a name'}'"


def secretive(seen: Seen) -> list[FormSeen]:
    """Give forms that ask for a password and neither log in nor register: one that makes users is among them."""
    found = [one for one in seen.forms() if one.kind == "account" and not is_login(one) and not is_registration(one)]
    alike = {one.signature: one for one in found if len(one.typed) > 1 and not one.prefilled}
    return list(alike.values())


def _says_new(form: FormSeen) -> bool:
    """Return whether what leads to a form, or what sends it, says that something is made."""
    said = (form.page.opened_by, form.page.words, form.form.heading, *(one.name for one in form.form.submits))
    return any(map(says_new, filter(None, said)))


def copying(form: FormSeen, maker: FormSeen) -> bool:
    """Return whether a form that comes filled in makes another thing, and changes none.

    What leads to it says so, or it says that something is made and is sent to where new ones are. What it costs when it
    is wrong is a way to edit that nobody is told; the other way about, each edit would make a thing.
    """
    page, sent_to = form.page, form.form.more.sent_to
    if says_copy(page.words) or any(map(says_copy, steps_of(page.address)[-1:])):
        return True
    said = (form.form.heading, *(one.name for one in form.form.submits))
    same = sent_to == maker.form.more.sent_to != page.address and not form.form.more.override
    return same and any(map(says_new, filter(None, said)))


def setting(forms: Iterable[FormSeen]) -> list[FormSeen]:
    """Give forms that change settings, by the address of their page: nothing says of them that something is made."""
    return [one for one in forms if is_of_settings(one.page.address) and not _says_new(one)]


def adds_to_a_thing(form: FormSeen, forms: Iterable[FormSeen]) -> bool:
    """Return whether a button has opened a form within the one that changes a thing: it is sent with that, as a part.

    Args:
        form: what has opened.
        forms: all of them, as the pages came.
    """
    return bool(form.page.opened_by) and any(
        one.prefilled and not one.page.opened_by and one.form.ref == form.form.ref
        for one in forms if one.page.address == form.page.address
    )  # fmt: skip
