"""Writes the values of a run's variables as variables, wherever a text says them.

Not responsible for: putting values in place of variables (``bindings``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from simulator.row_fields import Naming, beside, role_of
from simulator.spellings import ADDRESSED, DERIVED, JOINED, as_word, other_spellings
from simulator.template import (
    CHOICE,
    DRAWN,
    MIN_RECOGNISED,
    PLACEHOLDER,
    SECRET,
    is_telling,
    placeholders,
    stem_of,
)

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


class Recogniser:
    """Recognises the values of one run in texts.

    Args:
        values: by full name, as they stand at any time; :meth:`changed` and :meth:`reordered` say when they are others.
        shown: writes a template with its values.
        naming: which fields of dealt rows name them.
    """

    def __init__(self, values: Mapping[str, str], shown: Callable[[str], str], naming: Naming) -> None:
        self._values = values
        self._shown = shown
        self._naming = naming
        self._given: set[str] = set()
        """Variables that a site was given."""
        self._texts: dict[str, str] = {}
        self._templates: dict[str, str] | None = None
        self._by_head: dict[str, list[str]] = {}
        self._short: dict[str, str] = {}

    def changed(self, name: str, *values: str) -> None:
        """Take in that a variable has another value.

        Args:
            name: the variable.
            values: the value that it has now, and the one that it had.
        """
        if any(self._recognisable(name, one) or self._is_short(name, one) for one in values):
            self._templates = None

    def reordered(self) -> None:
        """Take in that variables have gone, or stand in another order."""
        self._templates = None

    def note_given(self, template: str) -> None:
        """Note that a site was given a text: what its pages say of a user, it has from there.

        Of two variables that read alike, such as the name that a user goes by and first and last name, the one that the
        site was given is meant.
        """
        new = {stem_of(name) for name in placeholders(template)} - self._given
        if new:
            self._given |= new
            self._templates = None
        self._keep(template)

    def _keep(self, template: str) -> None:
        """Know a whole text again that was put in: "Readers of Leeds" is the user's, a town alone is nobody's."""
        mixed = "{{" in template and not PLACEHOLDER.fullmatch(template)
        if not mixed or SECRET in template or len(self._texts) > _TEXTS:
            return
        text = self._shown(template)
        if (
            "{{" not in text
            and _LETTERS.search(text)
            and len(text) <= _LONGEST_TEXT
            and self._texts.get(text) != template
        ):
            self._texts[text] = template
            self._templates = None

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
            others = [self._values.get(other, "") for other in beside(name, self._naming)]
            if any(len(other) >= MIN_RECOGNISED and as_word(other).search(written) for other in others):
                written = self._with_variables(written, [name])
        return written

    def _beside_names(self, written: str) -> str:
        """Write what names a row together with what it is called as variables, in a text that says that, too.

        Alone it may be anybody's: the author of a book is in the title of another one.
        """
        others = [other for name in placeholders(written) for other in beside(name, self._naming)]
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
            meant = {first, last} <= self._given and called.endswith(".display_name") and called not in self._given
            if not called or meant:
                templates[whole] = template
        for text, template in self._texts.items():
            if self._shown(template) == text:
                templates |= {text: template, **dict(self._in_addresses(text, template))}
        self._by_head = {}
        for spelled in sorted(templates, key=len, reverse=True):
            self._by_head.setdefault(spelled[:MIN_RECOGNISED], []).append(spelled)
        self._templates = templates
        return templates

    def _in_addresses(self, text: str, template: str) -> Iterator[tuple[str, str]]:
        """Give a whole text that was put in as addresses spell it, and the template of that."""
        parts = PLACEHOLDER.split(template)
        names = parts[1::2]
        for form in ADDRESSED if all(name in self._values for name in names) else ():
            spelled, write = DERIVED[form](text), DERIVED[form]
            if spelled != text:
                written = zip(
                    [*map(write, parts[::2])], [*(f"{{{{{name}.{form}}}}}" for name in names), ""], strict=True
                )
                yield spelled, "".join(chain.from_iterable(written))

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
        role = role_of(name, self._naming)
        return f"row.{role}" if role else name.rpartition(".")[2]

    def _recognisable(self, name: str, value: str) -> bool:
        """Return whether a value may be recognised in free text."""
        if len(value) < MIN_RECOGNISED or (name.startswith(DRAWN) and not _WORDS.search(value)):
            return False
        generated = name.startswith("site.") and is_telling(value)
        return generated or name.startswith(_DISTINCTIVE_GROUPS) or self._says(name) in _DISTINCTIVE

    def _is_short(self, name: str, value: str) -> bool:
        """Return whether a value is too short for free text, and known again all the same where it is all there is."""
        short = len(value.encode()) > 1 and len(value) < MIN_RECOGNISED and _HAS_LETTER.search(value) is not None
        return short and "{{" not in value and self._says(name) in _SHORT


def _stands_out(value: str) -> bool:
    """Return whether a value is hardly a part of another name: it is of letters and digits, or of several words."""
    return (is_telling(value) and any(map(str.isdigit, value))) or len(_PART.findall(value)) > 2
