"""The variables of one run that stand for what the site generated: names for values, and values for names.

Not responsible for: URLs as a whole (``server_values``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from simulator.addresses import urlsplit
from simulator.bindings import Bindings
from simulator.browser.wire.numbered_words import NumberedWords, noun_of
from simulator.browser.wire.url_values import SITE
from simulator.canonical import is_code, is_drawn, is_generated, is_told_code
from simulator.template import CHOICE, PLACEHOLDER, is_telling, placeholders


def noun_in(name: str) -> str:
    """Give the noun in the name of a variable of the site's: ``board`` of ``site.board_2``."""
    return name.removeprefix(SITE).rpartition("_")[0]


class ServerVariables:
    """The server-generated variables of one user.

    What a choice leads to has variables of its own, for as long as the user goes on from there: a replay may choose
    another thing, and who comes to the same thing on another way does not follow it.

    Args:
        bindings: the run's variables; those of the site are added to it.
    """

    def __init__(self, bindings: Bindings) -> None:
        self.words = NumberedWords()
        """By which the site calls things, with a number."""
        self._bindings = bindings
        self._known: dict[tuple[str, str], str] = {}
        """Names, by what stands before a value and the value."""
        self._counts: dict[str, int] = {}
        self._said: set[tuple[str, str]] = set()
        """Values, with what stands before them, that are server-generated whatever they look like."""
        self._given: set[str] = set()
        """Values that are server-generated whatever they look like, and whatever stands before them."""
        self._chosen: set[str] = set()
        """Variables that choices gave."""
        self._left: set[str] = set()
        """Variables that do not stand for what the user comes to now, even where the values are the same."""
        self._choosing = False
        self._visited: tuple[str, ...] = ()
        """The steps of the address that is visited; none where nothing is, or the first page."""

    def reserve(self, names: Iterable[str]) -> None:
        """Keep names of server-generated variables for the values that a recording has under them."""
        for name in names:
            noun, _, count = name.removeprefix(SITE).rpartition("_")
            self._counts[noun] = max(self._counts.get(noun, 0), int(count))

    def visit(self, address: str) -> None:
        """Say which address is visited; empty for none. Below it a site may lead to what it draws for each visit."""
        self._visited = tuple(step for step in urlsplit(address).path.split("/") if step)

    def is_led_to(self, steps: Sequence[str], step: str) -> bool:
        """Return whether a step of an address is a code that the site has drawn for the visit of an address above it.

        Args:
            steps: those before it.
            step: the step.
        """
        return self.is_below(steps) and is_drawn(step)

    def is_below(self, steps: Sequence[str]) -> bool:
        """Return whether steps of an address are those of the one that is visited, or go on from it."""
        above = tuple(one for one in steps if one)
        return bool(self._visited) and above[: len(self._visited)] == self._visited

    def depart(self, known: str, *, choosing: bool) -> None:
        """Say what leads to the URLs written from now on.

        Args:
            known: URL templates whose variables go on to stand for their values: of the page that is left, and of the
                address that is visited.
            choosing: whether any of a collection would have done as well.
        """
        kept = set(placeholders(known))
        self._left = {name for name in self._known.values() if name not in kept and (choosing or name in self._chosen)}
        self._choosing = choosing

    def leads_on(self, template: str) -> bool:
        """Return whether a URL template holds what a choice gave."""
        return any(name in self._chosen or name.startswith(CHOICE) for name in placeholders(template))

    def call(self, address: str, given: Collection[str]) -> None:
        """Know how the site calls what it has just made.

        Args:
            address: of that.
            given: what in it the site has given: a word with a number at its end, or codes.
        """
        self.words.call(address)
        noun = "page"
        for segment in urlsplit(address).path.split("/"):
            if segment in given and is_code(segment):
                self._said.add((noun, segment))
            elif segment and not is_generated(segment):
                noun = noun_of(segment)

    def call_so(self, noun: str, value: str) -> None:
        """Know that a value after a noun is server-generated, whatever it looks like."""
        self._said.add((noun, value))

    def is_known(self, noun: str, value: str) -> bool:
        """Return whether a value after a noun is server-generated, whatever it looks like."""
        return (noun, value) in self._said or value in self._given

    def says_own(self, value: str) -> bool:
        """Return whether a value says what the user has put in or is called: the site has drawn none of that."""
        written = self._bindings.recognise(value)
        own = any(SITE not in name for name in placeholders(written))
        return own and not any(map(str.isdigit, PLACEHOLDER.sub("", written)))

    def give(self, names: Iterable[str]) -> None:
        """Know what the site has called things in its answers."""
        self._given |= {name for name in names if is_code(name)}

    def write(self, noun: str, value: str, new: dict[str, str] | None) -> str:
        """Write a value that the site generated as a variable.

        Args:
            noun: what stands before it.
            value: the value.
            new: gets the variable where it appears now; None: what is not known stays as it is.
        """
        name = self._known.get((noun, value)) or self._shown(value)
        if name is None or name in self._left:
            if new is None:
                return value
            name = None
            # The actors of a run share its variables: a name that is taken stands for another's value.
            while name is None or self._bindings.get(name) is not None:
                self._counts[noun] = self._counts.get(noun, 0) + 1
                name = f"{SITE}{noun}_{self._counts[noun]}"
            self._known[noun, value] = name
            self._bindings.set(name, value)
            if self._choosing:
                self._chosen.add(name)
            new[name] = value
        return "{{" + name + "}}"

    def of_another(self, noun: str, value: str) -> str:
        """Write a value that somebody else was shown after the same noun as a variable; empty where nobody was."""
        if (noun, value) in self._known:
            return ""
        known, ending = self._bindings.values(), re.compile(rf"(?:user\.\d+\.)?site\.{re.escape(noun)}_\d+")
        name = next((name for name in known if known[name] == value and ending.fullmatch(name)), "")
        return "{{" + name + "}}" if name else ""

    def _shown(self, value: str) -> str | None:
        """Give the variable of a rare value that the site has shown elsewhere; a mere number may be anything's."""
        if self._choosing or not is_telling(value):
            return None
        known = self._bindings.values()
        return next((name for name in known if name.startswith(SITE) and known[name] == value), None)

    def learn(self, name: str, value: str) -> None:
        """Bind a server-generated variable to the value that it has now."""
        noun, _, count = name.removeprefix(SITE).rpartition("_")
        self._known[noun, value] = name
        if is_told_code(value):
            self._said.add((noun, value))
        self._counts[noun] = max(self._counts.get(noun, 0), int(count))
        if self._choosing and self._bindings.get(name) is None:
            self._chosen.add(name)
        self._left.discard(name)
        self._bindings.set(name, value)

    def learn_beside(self, name: str, value: str) -> None:
        """Bind a server-generated variable that the site has given beside its pages, whatever its value looks like."""
        self.learn(name, value)
        self._said.add((noun_in(name), value))

    def write_in(self, text: str) -> str:
        """Write values that do not look server-generated as variables, where they stand in the addresses of a text."""
        for noun, value in self._said & self._known.keys():
            pattern = rf"(?<=[/=]){re.escape(value)}(?=[/?&#\s]|$)"
            text = re.sub(pattern, "{{" + self._known[noun, value] + "}}", text)
        for word in self.words.known:
            noun = noun_of(word)
            pattern = rf"(?<=/{re.escape(word)})\d+(?=[/?&#\s]|$)"
            text = re.sub(pattern, lambda found, noun=noun: self._number(noun, found[0]), text)  # type: ignore[misc]
        return text

    def _number(self, noun: str, number: str) -> str:
        name = self._known.get((noun, number))
        return "{{" + name + "}}" if name else number

    def forget(self, name: str) -> None:
        """Take a variable out: where its value is met again, it is server-generated again."""
        self._known = {seen: known for seen, known in self._known.items() if known != name}
        self._said &= self._known.keys()
        self._chosen.discard(name)
        self._left.discard(name)
        self._bindings.forget(name)
