"""The variables of one run: their values, put into templates.

Not responsible for: where values come from, or secrets (a vault hands them to :class:`Bindings` by name).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from types import MappingProxyType

from simulator.errors import TemplateError
from simulator.recognition import Recogniser
from simulator.row_fields import Naming
from simulator.spellings import DERIVED
from simulator.template import DRAWN, PLACEHOLDER, SECRET, SITE_SECRETS

_NAMED = 12
"""How many variables an error names."""


class Bindings:
    """The variables of one run and their values.

    Args:
        values: values by full name, for example ``{"identity.email": "a@example.org"}``.
        secret: gives a secret's value by its name without ``secret.``; None where secrets are not at hand.
        draw: draws the value of a variable such as ``faker.company.1`` when it is first used; raises ``ValueError``
            where it cannot, in a sentence. None where nobody is drawn.
        naming: which fields of dealt rows name them.
    """

    def __init__(
        self,
        values: Mapping[str, str] | None = None,
        *,
        secret: Callable[[str], str] | None = None,
        draw: Callable[[str], str] | None = None,
        naming: Naming = MappingProxyType({}),
    ) -> None:
        self.on_drawn: Callable[[str, str], None] | None = None
        """Gets name and value of each variable that was drawn."""
        self.naming = naming
        self._values: dict[str, str] = {}
        self._secret = secret
        self._draw = draw
        self.recogniser = Recogniser(self._values, self.shown, naming)
        """Writes their values in texts as variables, and knows which of them a site was given."""
        for name, value in (values or {}).items():
            self.set(name, value)

    def set(self, name: str, value: str) -> None:
        """Bind a variable; a later value replaces an earlier one."""
        before = self._values.pop(name, "")
        self._values[name] = value
        self.recogniser.changed(name, value, before)

    def forget(self, name: str) -> None:
        """Take a variable out."""
        self._values.pop(name, None)
        self.recogniser.reordered()

    def demote(self, group: str) -> None:
        """Let a group stand for a value only where no other variable has it, until its variables are bound again.

        Args:
            group: for example ``choice.``.
        """
        ours = {name: value for name, value in self._values.items() if name.startswith(group)}
        if ours and list(self._values)[: len(ours)] != list(ours):
            others = {name: value for name, value in self._values.items() if name not in ours}
            self._values.clear()
            self._values.update(ours | others)
            self.recogniser.reordered()

    def get(self, name: str) -> str | None:
        """Give a variable's value, or None."""
        return self._values.get(name)

    def values(self) -> dict[str, str]:
        """Give a copy of all variables that are not secrets."""
        return dict(self._values)

    def render(self, text: str, *, secrets: bool = False) -> str:
        """Put values in place of variables.

        Args:
            text: a template.
            secrets: whether secrets are revealed; otherwise their placeholders stay.

        Raises:
            TemplateError: a variable has no value here.
        """
        if "{{" not in text:
            return text
        return PLACEHOLDER.sub(lambda match: self._value(match.group(1), match.group(0), secrets), text)

    def render_on_site(self, text: str) -> str:
        """Put values into what the site alone is given or asked for: an address, or what is sought on its page.

        Secrets that the site has given are put in, too; the placeholders of others stay.

        Raises:
            TemplateError: a variable has no value here.
        """
        if not any(one in text for one in SITE_SECRETS):
            return self.render(text)
        return PLACEHOLDER.sub(
            lambda match: self._value(match.group(1), match.group(0), match.group(1).startswith(SITE_SECRETS)), text
        )

    def shown(self, text: str) -> str:
        """Write a text for people: values in place of variables that are known; others and secrets stay as they are."""

        def put(match: re.Match[str]) -> str:
            try:
                return self._value(match.group(1), match.group(0), secrets=False)
            except TemplateError:
                return match.group(0)

        return PLACEHOLDER.sub(put, text)

    def recognise(self, text: str) -> str:
        """Write the values in a text as variables: the way back from :meth:`render`. See :class:`Recogniser`."""
        return self.recogniser.recognise(text)

    def _value(self, name: str, whole: str, secrets: bool) -> str:
        if name == "lb":
            return "{{"
        if name.startswith(SECRET):
            if not secrets:
                return whole
            if self._secret is None:
                raise TemplateError(f"the secret '{name}' is not available here")
            return self._secret(name.removeprefix(SECRET))
        if name in self._values:
            return self._values[name]
        stem, _, form = name.rpartition(".")
        if form in DERIVED and (stem in self._values or stem.startswith(DRAWN)):
            return DERIVED[form](self._value(stem, whole, secrets))
        if name.startswith(DRAWN) and self._draw is not None:
            return self._drawn(name)
        raise TemplateError(f"the variable '{{{{{name}}}}}' has no value here{self._instead(name)}")

    def _drawn(self, name: str) -> str:
        try:
            value = self._draw(name) if self._draw is not None else ""
        except ValueError as error:
            raise TemplateError(f"the variable '{{{{{name}}}}}' has no value here: {error}") from None
        self.set(name, value)
        if self.on_drawn is not None:
            self.on_drawn(name, value)
        return value

    def _instead(self, name: str) -> str:
        """Say what is there in place of a variable that is not: what is called nearly so, and the rest of its group."""
        group = name.partition(".")[0] + "."
        others = sorted(key for key in self._values if key.startswith(group))
        if not others:
            groups = ", ".join(sorted({key.partition(".")[0] for key in self._values})) or "none"
            return f" (known groups: {groups})"
        near = get_close_matches(name, others, n=1)
        meant = f"; did you mean '{{{{{near[0]}}}}}'?" if near else ""
        rest = [key for key in others if key not in near][:_NAMED]
        return meant + (f" (also known: {', '.join(rest)})" if rest else "")
