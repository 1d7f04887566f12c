"""What a form that makes a thing asks for, and how rows that fit it are made. Not responsible for: which form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from simulator.agent.forms.guessing import provider_said
from simulator.browser.views.reading import FieldInfo
from simulator.browser.views.survey import FieldLimits
from simulator.date_writings import asks_date
from simulator.runner.surveying.findings import FoundField
from simulator.runner.surveying.naming import column_name, free
from simulator.runner.surveying.pages import FormSeen
from simulator.runner.surveying.patterns import made_by
from simulator.tools.pages.filling import asked_date
from simulator.tools.pages.meanings import NEVER_GUESSED

_OPTIONS = 6
_NUMERIC = ("numeric", "decimal")
_LONGEST_OPTION = 60
_SHORT = 12
"""Characters into which no sentence fits."""
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_PEOPLE = frozenset({"email", "first_name", "last_name", "phone", "birthday"})
"""Meanings beside which a name is that of a person."""
_BY_TYPE: Mapping[str, str] = {
    "email": "{{faker.safe_email}}",
    "url": "{{faker.url}}",
    "tel": "{{faker.phone_number}}",
    "color": "{{faker.hex_color}}",
    "date": "{{faker.date_between('-30d', '+30d')}}",
    "time": "{{faker.time('%H:%M')}}",
    "datetime-local": "{{faker.date}}T{{faker.time('%H:%M')}}",
    "month": "{{faker.date('%Y-%m')}}",
    "week": "{{faker.date('%Y')}}-W{{faker.random_int(10, 50)}}",
}
_BY_MEANING: Mapping[str, str] = {
    "email": "{{faker.safe_email}}",
    "username": "{{faker.user_name}}{{n}}",
    "first_name": "{{faker.first_name}}",
    "last_name": "{{faker.last_name}}",
    "phone": "{{faker.phone_number}}",
    "street": "{{faker.street_address}}",
    "postcode": "{{faker.postcode}}",
    "city": "{{faker.city}}",
    "country": "{{faker.country}}",
    "birthday": "{{faker.date_of_birth}}",
    "price": "{{faker.random_int(5, 90)}}",
}
_DATES: Mapping[str, str] = {"future_date": _BY_TYPE["date"], "date_of_birth": _BY_MEANING["birthday"]}
_PROSE = frozenset({"description", "message", "bio"})
_NAMING = frozenset({"title", "subject", "full_name", "display_name"})


def found_fields(seen: FormSeen) -> list[FoundField]:
    """Give the fields of a form, each with how its values are made; what names the thing comes first."""
    limits = {one.ref: one for one in seen.form.more.limits}
    meant = {seen.meaning(one) or "" for one in seen.fields}
    of_people = bool(meant & _PEOPLE)
    taken: set[str] = set()
    found: list[FoundField] = []
    first = _naming_field(seen)
    for number, (field, radios) in enumerate(_asked(seen.fields), 1):
        meaning = seen.meaning(field) or ""
        label = (field.group if radios else field.label) or field.caption or field.placeholder or field.name_attr
        if not label:
            continue  # nobody can say which one is meant
        column = column_name(field.name_attr, label)
        one = FoundField(
            column=free(column or f"field_{number}", taken),
            label=label,
            told=_in_words(field, limits.get(field.ref), radios),
            required=field.required or any(radio.required for radio in radios),
            by_name=bool(column),
            meaning=meaning,
            prose=field in seen.prose and not (field.ref in limits and limits[field.ref].pattern),
            most=field.maxlength,
            is_long=field.tag == "textarea",
        )
        _decide(one, field, limits.get(field.ref), radios, of_people=of_people, names=field is first)
        if beside := _boxes_beside(field, seen.fields):
            one.told += f"; one of a group, with {', '.join(beside[:_OPTIONS])}: each has a column of its own"
        found.append(one)
    named = next((one for one in found if first is not None and one.label and _is_of(one, first)), None)
    return [named, *(one for one in found if one is not named)] if named else found


def _is_of(found: FoundField, field: FieldInfo) -> bool:
    return found.label in (field.label, field.caption, field.placeholder, field.name_attr)


def _naming_field(seen: FormSeen) -> FieldInfo | None:
    """Give the field that says what the thing is called: by its meaning, or else the first for a line of text."""
    lines = [one for one in seen.prose if one.tag == "input"]
    for among in (seen.prose, lines):
        named = [one for one in among if (seen.meaning(one) or "") in _NAMING]
        if named:
            return named[0]
    return next((one for one in lines if one.required), next(iter(lines or seen.prose), None))


def _asked(fields: Sequence[FieldInfo]) -> list[tuple[FieldInfo, tuple[FieldInfo, ...]]]:
    """Give the fields, with the radio buttons of one group as one, and of boxes of one name the first."""
    found: list[tuple[FieldInfo, tuple[FieldInfo, ...]]] = []
    groups: set[str] = set()
    for field in fields:
        group = field.name_attr or field.group
        if field.type != "radio" and (field.type != "checkbox" or not group):
            found.append((field, ()))
            continue
        if group not in groups:
            groups.add(group)
            alike = (one for one in fields if one.type == "radio" and (one.name_attr or one.group) == group)
            found.append((field, tuple(alike)))
    return found


def _boxes_beside(field: FieldInfo, fields: Sequence[FieldInfo]) -> list[str]:
    """Give what the other boxes are called that have the name of one."""
    alike = [one for one in fields if one is not field and one.name_attr and one.name_attr == field.name_attr]
    called = (one.label or one.caption for one in alike if field.type == one.type == "checkbox")
    return [name for name in called if _is_usable(name)]


def _in_words(field: FieldInfo, limits: FieldLimits | None, radios: Sequence[FieldInfo]) -> str:
    """Say what a field takes, in words."""
    kind = "one of several" if radios or field.tag == "select" or field.listed else field.type or field.tag
    said = [kind, "required" if field.required or any(one.required for one in radios) else "optional"]
    if limits is not None and limits.minlength:
        said.append(f"at least {limits.minlength} characters")
    if field.maxlength:
        said.append(f"at most {field.maxlength} characters")
    said += [f"{word} {value}" for word, value in (("from", field.min), ("to", field.max)) if value]
    if limits is not None and limits.step and limits.step != "any":
        said.append(f"in steps of {limits.step}")
    if limits is not None and limits.pattern:
        said.append(f"pattern {limits.pattern}")
    return ", ".join(said)


def _decide(
    found: FoundField,
    field: FieldInfo,
    limits: FieldLimits | None,
    radios: Sequence[FieldInfo],
    *,
    of_people: bool,
    names: bool,
) -> None:
    """Decide how the values of a field are made, or ask."""
    if radios or field.tag == "select" or (field.listed and field.options):
        _of_options(found, field, radios)
    elif field.type in ("checkbox", "switch"):
        _left(found, "a box, left as it is; write a column where it is to be ticked for some")
    elif field.type == "file":
        _left(found, "a file; name one in a data set with a column of the kind 'file'")
    elif found.meaning in NEVER_GUESSED or field.secret:
        found.question = "a secret, which no data set holds"
    elif field.type in _BY_TYPE:
        found.rule = _BY_TYPE[field.type]
        if field.min or field.max:
            found.question = "the page takes a range; see that the values stay in it"
    elif asked_date(field):
        found.rule = _BY_MEANING["birthday"] if found.meaning == "birthday" else _BY_TYPE["date"]
    elif field.type in ("number", "range") or (limits is not None and limits.mode in _NUMERIC and not limits.pattern):
        found.rule = _number(field, limits)
    elif field.picker and (field.listed or field.tag not in ("input", "textarea")):
        many = ", of which several can be chosen" if field.several else ""
        found.question = f"a list that opens when it is pressed{many}; write a column with what can be chosen there"
    elif limits is not None and asks_date(limits.pattern):
        found.question = "a date, by its pattern; in which order are its parts? write a column of such dates"
    elif limits is not None and limits.pattern:
        found.rule = made_by(limits.pattern)
        if not found.rule and (found.required or names):
            found.question = "what fits the pattern? no value was made"
    else:
        _of_text(found, field, of_people=of_people, names=names)


def _left(found: FoundField, why: str) -> None:
    """Leave a field as it is: that is a question where the form may not be sent so."""
    if found.required:
        found.question = why
    else:
        found.told += f"; {why}"


def _of_options(found: FoundField, field: FieldInfo, radios: Sequence[FieldInfo]) -> None:
    labels = [one.label or one.caption for one in radios] or [label for value, label in field.options if value]
    if labels and not radios and not labels[0][:1].isalnum():
        labels = labels[1:]  # it stands for none: "- no selection -"
    usable = list(dict.fromkeys(label for label in labels if _is_usable(label)))
    if not usable:
        found.question = (
            "nothing could be chosen when it was looked at" if not labels else "which of them? none is named here"
        )
        return
    step = max(1, -(-len(usable) // _OPTIONS))
    chosen = usable[::step][:_OPTIONS]
    found.rule = _any_of(chosen)
    if field.several and not any(sign in label for label in chosen for sign in ";\n"):
        found.told += "; several can be chosen"
        half = len(chosen) // 2
        found.rule = ";".join(map(_any_of, filter(None, (chosen[:half], chosen[half:]))))
    if len(chosen) < len(labels):
        found.told += f"; {len(labels)} options, {len(chosen)} of them here"


def _any_of(labels: Sequence[str]) -> str:
    return f"{{{'|'.join(labels)}}}" if len(labels) > 1 else labels[0]


def _is_usable(label: str) -> bool:
    plain = bool(label.strip()) and not set("{}|") & set(label) and label.isprintable()
    return plain and len(label) <= _LONGEST_OPTION and not _ADDRESS.search(label) and any(map(str.isalnum, label))


def _number(field: FieldInfo, limits: FieldLimits | None) -> str:
    low = _whole(field.min, up=True)
    high = _whole(field.max, up=False)
    low = low if low is not None else (1 if high is None or high >= 1 else high - 99)
    high = high if high is not None else low + 99
    step = _whole(limits.step, up=True) if limits is not None and re.fullmatch(r"\d+", limits.step or "") else None
    if low > high:
        return field.min or field.max
    return f"{{{{faker.random_int({low}, {high}{f', {step}' if step and step > 1 else ''})}}}}"


def _whole(text: str, *, up: bool) -> int | None:
    try:
        value = float(text)
        return int(-(-value // 1)) if up else int(value // 1)
    except (ValueError, OverflowError):
        return None


def _of_text(found: FoundField, field: FieldInfo, *, of_people: bool, names: bool) -> None:
    """Decide for a field that takes any text."""
    most = field.maxlength
    if found.meaning == "full_name" and of_people:
        found.rule = "{{faker.name}}"
    elif found.meaning in _BY_MEANING and not (names and found.meaning in ("city", "price")):
        found.rule = _BY_MEANING[found.meaning]
    elif field.tag == "textarea" or found.meaning in _PROSE:
        found.rule = f"{{{{faker.text({max(5, min(most, 300))})}}}}" if most else "{{faker.paragraph(3)}}"
    elif names or found.meaning in _NAMING:
        found.rule = _title(most, numbered=names)
    elif said := _DATES.get(provider_said(field.label, field.caption, field.name_attr, field.id) or ""):
        found.rule = said
        found.question = "a date, by its words; does the field take it as 2026-12-31?"
    elif found.required:
        found.rule = _title(most, numbered=False) if not most or most > _SHORT else _letters(most)
        found.question = "nothing says what it means; see that such a text fits"
    else:
        found.question = "nothing says what it means; it is left empty"


def _title(most: int, *, numbered: bool) -> str:
    room = most - 6 if numbered and most else most
    if most and room < _SHORT:
        return _letters(most)
    text = f"{{{{faker.text({room})}}}}" if most and room < 60 else "{{faker.sentence(4)}}"
    return f"{text} {{{{n}}}}" if numbered else text


def _letters(most: int) -> str:
    return f"{{{{faker.lexify('{'?' * min(most, 8)}')}}}}"
