"""How one registers, logs in and out on a site, as its pages say; and doing so, where an account is named.

Not responsible for: the forms of things.
"""

from __future__ import annotations

from collections.abc import Iterable

from simulator.runner.surveying.addresses import guards, is_minted, plain, steps_of
from simulator.runner.surveying.findings import Findings
from simulator.runner.surveying.pages import FormSeen, PageSeen, Seen
from simulator.tools.pages.vocabulary import says_login, says_purpose

_OF_AN_ACCOUNT = frozenset(
    {"email", "username", "password", "password_repeat", "display_name", "full_name", "first_name", "terms"}
)
_FEW = 3
"""Fields of a form to log in, at most."""
_LONGEST = 60


def is_login(form: FormSeen) -> bool:
    """Return whether a form logs somebody in: one password, and little else; its button does not open an account."""
    secrets = [one for one in form.form.fields if one.type == "password"]
    asked = [one for one in form.fields if one.type not in ("checkbox", "radio")]
    named = any(one.type != "password" for one in asked)
    if not named or len(secrets) != 1 or form.prefilled or len(asked) > _FEW:
        return False
    # Some sites mark a login so, to keep the browser from filling it in.
    if "new-password" in secrets[0].autocomplete:
        names = [one.name for one in form.form.submits]
        return says_login(names, form.form.more.sent_to, form.page.address)
    return not any(_opens_account(one.name) for one in form.form.submits)


def is_registration(form: FormSeen) -> bool:
    """Return whether a form opens an account."""
    if form.kind != "account" or is_login(form) or form.prefilled:
        return False
    meant = {form.meaning(one) for one in form.fields}
    named = bool(meant & {"email", "username"})
    said = [form.form.heading, form.page.survey.heading, form.page.survey.title, form.page.words]
    said += [*(one.name for one in form.form.submits), *steps_of(form.page.address)]
    return (
        named
        and len(meant & _OF_AN_ACCOUNT) > 1
        and (not form.page.logged_in or any(says_purpose(text, "register") for text in said))
    )


def _opens_account(button: str) -> bool:
    return says_purpose(button, "register") and not says_purpose(button, "login")


def add_ways(findings: Findings, seen: Seen) -> None:
    """Add where one registers, logs in and out, and how one sees that somebody is logged in."""
    for route, fits in (("register", is_registration), ("login", is_login)):
        fitting = [form.page for form in seen.forms() if fits(form)]
        if route == "login" and any(not page.logged_in for page in seen.pages):
            # Inside, a form with a password is there to change the account.
            fitting = [page for page in fitting if not page.logged_in]
        if address := _plainest(fitting):
            findings.routes[route] = address
    outside = [page for page in seen.pages if not page.logged_in]
    inside = [page for page in seen.pages if page.logged_in]
    found = next(((*one, page) for page in inside or outside for one in _logouts(page)), None)
    if found is None:
        if seen.logged_in_as:
            findings.questions.append(
                "nothing on its pages offers to log out: how does one see that somebody is logged in? "
                'logged_in = { role = "link", name = "…" }'
            )
        return
    role, name, href, shown, page = found
    # One that holds a token logs nobody else out, nor the same user another time: the link is found by what it says.
    leads = role == "link" and bool(href) and not guards(href)
    if leads and href.partition("?")[0] != page.survey.address.partition("?")[0]:
        findings.routes["logout"] = plain(href)
    # A sign of an icon font in a name is nothing that a person could write; what offers to log out is found without it.
    if shown and page.logged_in and name.isprintable():
        findings.logged_in = (role, name)


def _plainest(pages: Iterable[PageSeen]) -> str:
    """Give the address of a page, without what its query says of where one came from."""
    addresses = {page.address for page in pages if page.status < 400}
    if not addresses:
        return ""
    said = sorted(addresses, key=lambda one: (any(map(is_minted, steps_of(one))), "?" in one, len(one)))
    telling = [one for one in said if _says_it(one)]
    return (telling or said)[0]


def _says_it(address: str) -> bool:
    return any(says_purpose(step, purpose) for step in steps_of(address) for purpose in ("login", "register"))


def _logouts(page: PageSeen) -> list[tuple[str, str, str, bool]]:
    links = [
        ("link", link.words, link.href if link.href.startswith("/") and not link.does else "", link.shown)
        for link in page.survey.links
        if says_purpose(link.words, "logout") and len(link.words) <= _LONGEST and "\n" not in link.words
    ]
    buttons = [
        ("button", button.words, "", button.shown)
        for button in page.survey.buttons
        if says_purpose(button.words, "logout") and len(button.words) <= _LONGEST
    ]
    return [*links, *buttons]
