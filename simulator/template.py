"""``{{variables}}`` in text: rendering them, and recognising values to write as variables.

Not responsible for: where values come from, or secrets (a vault hands them to :class:`Bindings` by name).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from types import MappingProxyType

from simulator.errors import TemplateError
from simulator.masking import ADDRESSED, MAILED
from simulator.row_fields import Naming, beside, role_of
from simulator.spellings import DERIVED, JOINED, as_word, other_spellings

CHANGING = "changing"
"""Name of what is another one each time, in a text or an address that two performances agreed on but for it."""
PLACEHOLDER = re.compile(r"\{\{\s*([a-z][\w.+-]*)\s*\}\}")
SECRET = "secret."
MAILED_SECRET = SECRET + MAILED
"""What the names of secrets begin with that came by mail: the site expects them in addresses and in any field."""
SITE_SECRETS = (MAILED_SECRET, SECRET + ADDRESSED)
"""What the names of secrets begin with that the site itself has given: an address of it may hold them."""
ADDRESSES = "made."
"""Group of the names of what holds where something is that a user has made; the value is a template."""
DRAWN = "faker."
"""Group of the names of what is drawn when it is first used: ``faker.company.1``."""
CHOICE = "choice."
"""Group of the names of what was chosen."""
MIN_RECOGNISED = 4
"""Shorter values stand in free text by chance too often. What names a row or a user is known again at any length, where
it is the whole text; what a row is called, also beside what else names the row."""
_SHORT = frozenset({"row.called", "display_name", "username"})
_HAS_LETTER = re.compile(r"[^\W\d_]")
_PLACES = re.compile(
    rf"\{{\{{[^{{}}]*\}}\}}|(?:(?<![^\W_])|(?<=%[0-9A-Fa-f]{{2}}))(?=(.{{{MIN_RECOGNISED}}}))", re.DOTALL
)
"""Variables, and the places where a value may begin, with its first characters: what an address encodes ends a word,
and so does the line between the words of a slug."""
_LETTERS = re.compile(r"(?:[^\W\d_][\W\d_]*){8}")
"""What a text has at least that is known again as a whole: ``5.00 EUR`` stands anywhere."""
_TEXTS, _LONGEST_TEXT = 200, 400
"""How many texts are known again, and how long they may be."""
_TOLD = 12
"""How many variables an error names."""
_WORDS = re.compile(r"[^\W_]\W+[^\W_]")
"""What a drawn text has that is known again: a single word may stand anywhere."""
_WORD = re.compile(r"[^\W_]")
_PART = re.compile(r"[^\W_]+")
_DISTINCTIVE = frozenset(
    {
        "row.called",
        "row.telling",
        "display_name",
        "username",
        "email",
        "street",
        "phone",
        "bio",
        "tagline",
    }
)
_DISTINCTIVE_GROUPS = ("text.", "file.", CHOICE, DRAWN)
"""What may be recognised in free text. A price, a city or a first name is a common word: it is a variable only
where its field says so."""

_BESIDE = ("first_name", "last_name", "city", "postcode")
"""What is recognised only in a text that speaks of the user anyway."""


def placeholders(text: str) -> Iterator[str]:
    """Give the names of the variables in a text, in order."""
    for match in PLACEHOLDER.finditer(text):
        yield match.group(1)


def stem_of(name: str) -> str:
    """Give the variable of a name in a template: ``ticket.1.title`` of ``ticket.1.title.slug``."""
    stem, _, form = name.rpartition(".")
    return stem if form in DERIVED else name


def is_telling(value: str) -> bool:
    """Tell whether a value that a site generated is hardly anywhere by chance: long, or of letters and digits."""
    mixed = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return len(value) >= 6 or (mixed and len(value) >= MIN_RECOGNISED)


def literal(text: str) -> str:
    """Protect a literal text, so that braces in it are not read as variables."""
    return text.replace("{{", "{{lb}}") if "{{" in text else text


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
        self._told: set[str] = set()
        self._texts: dict[str, str] = {}
        self._templates: dict[str, str] | None = None
        self._by_head: dict[str, list[str]] = {}
        self._short: dict[str, str] = {}
        for name, value in (values or {}).items():
            self.set(name, value)

    def set(self, name: str, value: str) -> None:
        """Bind a variable; a later value replaces an earlier one."""
        before = self._values.pop(name, "")
        self._values[name] = value
        if any(self._recognisable(name, one) or self._is_short(name, one) for one in (value, before)):
            self._templates = None

    def forget(self, name: str) -> None:
        """Take a variable out."""
        self._values.pop(name, None)
        self._templates = None

    def tell(self, template: str) -> None:
        """Note that a site was given a text: what its pages say of a user, it has from there.

        Of two variables that read alike, such as the name that a user goes by and first and last name, the one that the
        site was told is meant.
        """
        new = {stem_of(name) for name in placeholders(template)} - self._told
        if new:
            self._told |= new
            self._templates = None
        self._keep(template)

    def _keep(self, template: str) -> None:
        """Know a whole text again that was put in: "Readers of Leeds" is the user's, a town alone is nobody's."""
        mixed = "{{" in template and not PLACEHOLDER.fullmatch(template)
        if not mixed or SECRET in template or len(self._texts) > _TEXTS:
            return
        text = self.shown(template)
        if (
            "{{" not in text
            and _LETTERS.search(text)
            and len(text) <= _LONGEST_TEXT
            and self._texts.get(text) != template
        ):
            self._texts[text] = template
            self._templates = None

    def demote(self, group: str) -> None:
        """Let a group stand for a value only where no other variable has it, until its variables are bound anew.

        Args:
            group: for example ``choice.``.
        """
        ours = {name: value for name, value in self._values.items() if name.startswith(group)}
        if ours and list(self._values)[: len(ours)] != list(ours):
            self._values = ours | {name: value for name, value in self._values.items() if name not in ours}
            self._templates = None

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
        told = [key for key in others if key not in near][:_TOLD]
        return meant + (f" (also known: {', '.join(told)})" if told else "")

    def recognise(self, text: str) -> str:
        """Write known values in a text as variables, longest first, at word boundaries only.

        Text that is a template already keeps its variables. Only distinctive variables count, and values
        shorter than :data:`MIN_RECOGNISED` only where they are the whole text, or stand beside what names their row.

        Args:
            text: any text.

        Returns:
            A template that renders to the same text.
        """
        if not text or not self._values:
            return text
        templates = self._templates if self._templates is not None else self._index()
        if (whole := text.strip()) in self._short:
            return text.replace(whole, self._short[whole])
        parts: list[str] = []
        end = 0
        while (found := self._first(text, end)) is not None:
            start, value = found
            parts += [text[end:start], templates[value]]
            end = start + len(value)
        return self._beside_users(self._beside_names(self._named_in_short("".join(parts) + text[end:])))

    def _first(self, text: str, begin: int) -> tuple[int, str] | None:
        """Find the first known value from a place on: where it begins, and the longest one there."""
        for place in _PLACES.finditer(text, begin):
            for value in self._by_head.get(place.group(1), ()):
                start = place.start()
                if not text.startswith(value, start) or _WORD.match(text, start + len(value)):
                    continue
                if "_" not in (text[start - 1 : start], text[start + len(value) :][:1]) or _stands_out(value):
                    return start, value
        return None

    def _named_in_short(self, written: str) -> str:
        """Write what a row is called in a few letters as a variable, in a text that says what else names the row."""
        for template in self._short.values():
            name = template.strip("{}")
            others = [self._values.get(other, "") for other in beside(name, self.naming)]
            if any(len(other) >= MIN_RECOGNISED and as_word(other).search(written) for other in others):
                written = self._with_variables(written, [name])
        return written

    def _beside_names(self, written: str) -> str:
        """Write what names a row together with what it is called as variables, in a text that says that, too.

        Alone it may be anybody's: the author of a book is in the title of another one.
        """
        others = [other for name in placeholders(written) for other in beside(name, self.naming)]
        return self._with_variables(written, dict.fromkeys(others))

    def _beside_users(self, written: str) -> str:
        """Write where a user lives and the parts of its name as variables in a text that names the user, too."""
        if "{{identity." not in written:
            return written
        return self._with_variables(written, [f"identity.{name}" for name in _BESIDE])

    def _with_variables(self, written: str, names: Iterable[str]) -> str:
        """Write variables for the values that they have in a template, as whole words."""
        for name in names:
            value = self._values.get(name, "")
            if (len(value) >= MIN_RECOGNISED or self._is_short(name, value)) and value in written:
                pattern = rf"(\{{\{{[^{{}}]*\}}\}})|{as_word(value).pattern}"
                variable = f"{{{{{name}}}}}"
                written = "".join(variable if part is None else part for part in re.split(pattern, written))
        return written

    def _index(self) -> dict[str, str]:
        """Note what may be recognised, by its first characters: to compile one expression of all would take longer."""
        names: dict[str, str] = {}
        self._short = {}
        for name, value in self._values.items():
            if self._is_short(name, value):
                self._short |= {one: "{{" + form + "}}" for form, one in reversed([*self._spellings(name, value)])}
            if not self._recognisable(name, value):
                continue
            # Of several variables with one value the one bound last is meant: it is what the run deals with now.
            for form, spelled in self._spellings(name, value):
                if len(spelled) < MIN_RECOGNISED or spelled.isspace() or spelled.startswith("{{"):
                    continue
                if form == name or spelled not in names:
                    names[spelled] = form
        templates = {spelled: "{{" + name + "}}" for spelled, name in names.items()}
        for whole, first, last, template in self._whole_names():
            called = stem_of(names.get(whole, ""))
            meant = {first, last} <= self._told and called.endswith(".display_name") and called not in self._told
            if not called or meant:
                templates[whole] = template
        templates |= {text: template for text, template in self._texts.items() if self.shown(template) == text}
        self._by_head = {}
        for spelled in sorted(templates, key=len, reverse=True):
            self._by_head.setdefault(spelled[:MIN_RECOGNISED], []).append(spelled)
        self._templates = templates
        return templates

    def _whole_names(self) -> Iterator[tuple[str, str, str, str]]:
        """Give first and last names together, as texts and addresses write them; both variables; and the template."""
        for first in [name for name in self._values if name.endswith(".first_name")]:
            last = first.removesuffix("first_name") + "last_name"
            parts = self._values[first], self._values.get(last, "")
            if not all(parts) or any("{{" in part for part in parts):
                continue
            yield " ".join(parts), first, last, f"{{{{{first}}}}} {{{{{last}}}}}"
            for form, between in JOINED.items():
                whole = between.join(map(DERIVED[form], parts))
                yield whole, first, last, f"{{{{{first}.{form}}}}}{between}{{{{{last}.{form}}}}}"

    def _spellings(self, name: str, value: str) -> Iterator[tuple[str, str]]:
        yield name, value
        for form, spelled in other_spellings(self._says(name), value):
            yield f"{name}.{form}", spelled

    def _says(self, name: str) -> str:
        """Give what a variable says: the role of its field in a row, or else the end of its name."""
        role = role_of(name, self.naming)
        return f"row.{role}" if role else name.rpartition(".")[2]

    def _recognisable(self, name: str, value: str) -> bool:
        """Tell whether a value may be recognised in free text."""
        if len(value) < MIN_RECOGNISED or (name.startswith(DRAWN) and not _WORDS.search(value)):
            return False
        generated = name.startswith("site.") and is_telling(value)
        return generated or name.startswith(_DISTINCTIVE_GROUPS) or self._says(name) in _DISTINCTIVE

    def _is_short(self, name: str, value: str) -> bool:
        """Tell whether a value is too short for free text, and known again all the same where it is all there is."""
        short = len(value.encode()) > 1 and len(value) < MIN_RECOGNISED and _HAS_LETTER.search(value) is not None
        return short and "{{" not in value and self._says(name) in _SHORT


def _stands_out(value: str) -> bool:
    """Tell whether a value is hardly a part of another name: it is of letters and digits, or of several words."""
    return (is_telling(value) and any(map(str.isdigit, value))) or len(_PART.findall(value)) > 2
