"""Codes that a site shows on one page and asks for on another: order numbers, one-time codes, names of files.

Responsible for keeping what a run was shown, and for writing it as a variable where it is given back, or where it names
the card that is acted in. Not responsible for: finding codes in a page (``page/6_codes.js``), what a write has made
(``browser.effects``), or values that stand in addresses (``browser.wire.server_values``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from simulator.bindings import Bindings
from simulator.browser.effects.sent.answered_ids import TOLD_BY
from simulator.template import PLACEHOLDER, is_telling

SITE = "site."
SHOWS: Final = "shows"
"""Mark of a step: where the pages after its actions show what is given back later, by variable."""
_MIN_WHOLE = 4
"""A value from an address is known again where it is all that is typed, from this many characters on."""
_NAME = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_TOKEN = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Sighting:
    """A code that a site showed before it was given back."""

    name: str
    """Its variable."""
    value: str | None
    """None where it was given back in a secret field."""
    action_id: str
    """After which action it was there first."""
    words: str
    """What stands before it there, a template; of a name its kind."""
    made: bool = False
    """Whether it is the name of what the action has made."""


class Sightings:
    """The codes that a run was shown; shared by its actors.

    Args:
        bindings: the run's variables; what is given back is added to them.
    """

    def __init__(self, bindings: Bindings) -> None:
        self._bindings = bindings
        self._seen: dict[str, tuple[str, str]] = {}
        """A code to the action after which it was there first, and the words before it."""
        self._given: set[str] = set()
        """What the user gave before the site showed it: that is no code of the site's."""
        self._named: dict[str, str] = {}
        self._made: dict[str, tuple[str, str]] = {}
        """The name of a thing to the action that made it, and its kind."""
        self._new: list[Sighting] = []

    def see(self, action_id: str, codes: Sequence[Sequence[str]]) -> None:
        """Take in what a page shows.

        Args:
            action_id: what led to it; empty where nothing did.
            codes: each with the words before it. One whose words stand before another, too, cannot be found again.
        """
        if not action_id:
            return
        by_words: dict[str, set[str]] = {}
        for code, words in codes:
            by_words.setdefault(words, set()).add(code)
        for code, words in codes:
            if words and len(by_words[words]) == 1 and code not in self._given:
                self._seen.setdefault(code, (action_id, words))

    def make(self, action_id: str, names: Mapping[str, str]) -> None:
        """Take in what an action has made.

        Args:
            action_id: the action.
            names: by their kind what the site calls the things.
        """
        self._made |= {name: (action_id, kind) for kind, name in names.items() if is_telling(name)}

    def name(self, texts: Iterable[str], beside: Iterable[str] = ()) -> None:
        """Know the things of the user's own that some texts name: they are variables from now on.

        Args:
            texts: by which an element, or the card that it is in, is distinguished from others.
            beside: other texts of its cards. A code in them is no other thing's, a word with a number may be.
        """
        if not self._made:
            return
        named = [token for text in texts for token in _NAME.findall(text)]
        codes = [text for text in beside if TOLD_BY in self._made.get(text, ("", ""))[1]]
        for name in dict.fromkeys(token for token in (*named, *codes) if token in self._made):
            action_id, kind = self._made.pop(name)
            if self._bindings.recognise(name) == name:
                asked, by_answer, _ = kind.partition(TOLD_BY)
                noun = asked.rpartition("/")[2] if by_answer else name.rstrip("0123456789")
                variable = self._variable(name, noun)
                self._new.append(Sighting(variable, name, action_id, kind, made=True))

    def write(self, text: str, *, secret: bool = False) -> str:
        """Write what the site showed, or has in its addresses, as variables in what is given to it.

        Args:
            text: a template.
            secret: whether it goes into a secret field: then its value does not come into the recording.
        """
        parts: list[str] = []
        at = 0
        for match in PLACEHOLDER.finditer(text):
            parts += [self._between(text[at : match.start()], secret), match.group(0)]
            at = match.end()
        whole = text if at == 0 else ""
        return self._address(whole) or "".join((*parts, self._between(text[at:], secret)))

    def shown(self, words: str, actions: Collection[str]) -> list[tuple[str, str]]:
        """Give the codes that were first shown after some actions, behind certain words.

        Args:
            words: with the values of this run in them.
            actions: by id.

        Returns:
            Each with the action.
        """
        return [(code, led) for code, (led, before) in self._seen.items() if before == words and led in actions]

    def take(self) -> tuple[Sighting, ...]:
        """Give what was written as a variable for the first time since the last call."""
        new, self._new = tuple(self._new), []
        return new

    def _between(self, text: str, secret: bool) -> str:
        if not secret:
            self._given |= {token for token in _TOKEN.findall(text) if token not in self._seen}
        return _TOKEN.sub(lambda match: self._code(match.group(0), secret), text) if self._seen else text

    def _code(self, token: str, secret: bool) -> str:
        if token not in self._seen or self._bindings.recognise(token) != token:
            return token
        name = self._named.get(token)
        if name is None:
            action_id, words = self._seen[token]
            name = self._named[token] = self._variable(token, " ".join(words.split()[-2:]))
            told = self._bindings.recognise(words)
            self._new.append(Sighting(name, None if secret else token, action_id, told))
        return "{{" + name + "}}"

    def _variable(self, value: str, words: str) -> str:
        """Bind a new variable to a value, named after some words."""
        noun = re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_") or "code"
        taken = sum(1 for each in self._bindings.values() if each.startswith(f"{SITE}{noun}_"))
        self._bindings.set(name := f"{SITE}{noun}_{taken + 1}", value)
        return name

    def _address(self, whole: str) -> str:
        """Write a whole text that is a value from an address as its variable; empty where it is not one."""
        if len(whole) < _MIN_WHOLE or whole in self._seen:
            return ""
        known = self._bindings.values()
        name = next((name for name in reversed(known) if name.startswith(SITE) and known[name] == whole), "")
        return "{{" + name + "}}" if name else ""


def find_shown(codes: Sequence[Sequence[str]], words: str) -> set[str]:
    """Give the codes that stand after certain words.

    Args:
        codes: of a page, each with the words before it.
        words: with the values of this run in them.
    """
    return {code for code, before in codes if before == words}
