"""What an action puts into an element: as it is typed, and as it may be stored.

Text arguments are templates: variables and secrets are put in here, at the last moment. Not responsible for: which
text is a secret (``simulator.secrets``), which field may get one (``secret_fields``), or typing it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from simulator.bindings import Bindings
from simulator.browser.acting.keyed import Keyed, typed_by
from simulator.browser.acting.secret_fields import check_receiver
from simulator.browser.acting.sightings import Sightings
from simulator.browser.action_recorder import ActionKind
from simulator.browser.evidence import Target
from simulator.browser.secret_keeper import SecretKeeper
from simulator.browser.views.page_tracker import PageTracker
from simulator.browser.views.site_addresses import SiteAddresses
from simulator.browser.windows import Windows
from simulator.template import PLACEHOLDER, SECRET

_GIVEN: frozenset[ActionKind] = frozenset({"fill", "type"})


class ActionValue(NamedTuple):
    """What an action does with an element."""

    template: str | None
    """As it is stored."""
    recorded: str | None
    """As it was this time; None for a secret."""
    typed: str | None
    """Without variables, secrets included."""


class ActionValues:
    """Gives the values of one user's actions.

    Args:
        windows: of the user.
        addresses: which of them may be reached.
        bindings: the run's variables.
        vault: keeps secrets.
        tracker: knows what stood in secret fields.
        sightings: codes that the run was shown.
    """

    def __init__(
        self,
        windows: Windows,
        addresses: SiteAddresses,
        bindings: Bindings,
        vault: SecretKeeper,
        tracker: PageTracker,
        sightings: Sightings,
    ) -> None:
        self._windows = windows
        self._addresses = addresses
        self._bindings = bindings
        self._vault = vault
        self._mask = vault.mask
        self._tracker = tracker
        self._sightings = sightings
        self._keyed = Keyed()

    def of(self, kind: ActionKind, value: str | None, target: Target, at: str) -> ActionValue:
        """Give what an action does with an element, and take over what of it is a secret.

        Args:
            kind: what is done.
            value: what is typed, chosen or pressed, a template; None for nothing.
            target: the element.
            at: address of the page, or of the frame in it, that the element is in.

        Raises:
            ToolError: ``not_allowed``; it is a secret, and the element is not made for it.
        """
        if value is None:
            return ActionValue(None, None, None)
        if kind == "press" and target.secret:
            return ActionValue(
                value, None, value
            )  # a key is no secret; the recorder leaves out those that type a character
        names = [match.group(1) for match in PLACEHOLDER.finditer(value)]
        holds_secret = any(name.startswith(SECRET) for name in names)
        if holds_secret:
            self.entrust(target, at, value)
        typed = self._bindings.render(value, secrets=True)
        given = self._sightings.write(value, secret=target.secret) if kind in _GIVEN and not holds_secret else value
        if target.secret:
            self._tracker.learnt |= self._mask(typed) == typed  # what was reported before may have said it openly
            if holds_secret and not PLACEHOLDER.fullmatch(value):
                self._vault.adopt(typed)  # the site may show what stands around the secret, too
            kept = value if holds_secret else "{{" + SECRET + self._vault.adopt(typed) + "}}"
            # What the site itself has shown is asked of it again, not drawn by chance.
            shown = given != value and PLACEHOLDER.fullmatch(given)
            return ActionValue(given if shown else kept, None, typed)
        if self._mask(typed) == typed:
            self._vault.disclose(typed)
        template = self._bindings.recognise(given)
        self._bindings.recogniser.note_given(template)
        return ActionValue(self._mask(template), self._mask(typed), typed)

    def entrust(self, target: Target | None, at: str, value: str) -> None:
        """See that a secret may go into a field: one that is made for it, on an allowed host, sent to the site alone.

        What the site has sent to its user by mail may, alone, go into any input: a code seldom has a field of its own.

        Args:
            target: the field.
            at: address of the page, or of the frame in it, that the field is in.
            value: the secrets, a template.

        Raises:
            ToolError: ``not_allowed``.
        """
        check_receiver(
            target, value, at=at, shown=self._windows.page.url, origin=self._addresses.origin,
            allowed=self._addresses.allowed() if not self._addresses.may_visit(at) else "",
        )  # fmt: skip

    def begin_typing(self, kind: ActionKind, target: Target, typed: str | None) -> None:
        """Know what is typed key by key into secret fields before the site can say it."""
        if not (target.secret and kind in ("press", "type")) or (kind == "press" and not typed_by(typed or "")):
            self.end_typing()
        if run := self._keyed.begin(kind, target, typed):
            self._vault.see((run,))

    def end_typing(self) -> None:
        """Know that nothing is being typed any more."""
        self._vault.settle()

    def proved(self, action_id: str, kind: ActionKind, held: Collection[str], *, left: bool) -> Sequence[str]:
        """Give the actions that have typed what proved to be a secret when an action was over.

        Args:
            action_id: the action.
            kind: what it was.
            held: what stood in secret fields before it.
            left: whether it led to another document.

        Returns:
            The actions, by id.
        """
        found = [value for value in self._tracker.held if value not in held]
        return self._keyed.end(action_id, kind, found, left=left)
