"""In which other writings a date is put into a field that empties one which it cannot read.

Not responsible for: putting it there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from simulator.month_writings import named_months
from simulator.spellings import DERIVED
from simulator.template import PLACEHOLDER

_DATE = re.compile(r"\d{4}-\d{2}-(\d{2})(?:[T ]\d{2}:\d{2}.*)?")
_SURELY_ANOTHER = 12
"""Days up to which a number may be that of a month: a page that takes them the other way round reads another date."""


def other_writings(template: str, text: str, language: str) -> Iterator[str]:
    """Give other writings of a date, as templates, those that a page cannot misread alone.

    Args:
        template: what was put in.
        text: the same without variables.
        language: of the page.
    """
    found = _DATE.fullmatch(text)
    variable = PLACEHOLDER.fullmatch(template)
    if found is None or not (variable or template == text):
        return
    timed = len(text) > len("2026-12-31")
    forms = [*named_months(language, timed=timed), *named_months("en", timed=timed)]
    if not timed:
        sure = int(found[1]) > _SURELY_ANOTHER
        forms[:0] = ["dd_mm_yyyy_dot", *(("dd_mm_yyyy_slash", "mm_dd_yyyy_slash") if sure else ())]
    for form in dict.fromkeys(forms):
        written = DERIVED[form](text)
        if written != text:
            yield f"{{{{{variable[1]}.{form}}}}}" if variable else written
