"""What a seeding made, for a terminal. Not responsible for: what each user came to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from simulator.report.wording import counted, duration, one_line
from simulator.runner.events import Seeded

if TYPE_CHECKING:
    from simulator.runner.seeding.preview import Preview

_VALUES = 6
"""How many values of a user are shown."""
_SENT = 8
"""How many requests of a user are named."""


def seeded_lines(seeded: Seeded, seconds: float, *, goes_on: bool = False, collided: bool = False) -> list[str]:
    """Report how many users were made, in which casts, how fast, and what is left.

    Args:
        seeded: what came of it.
        seconds: how long it took.
        goes_on: whether the rest can be gone on with.
        collided: whether the site has somebody or something already that a user was to make.
    """
    lines = [f"users     {seeded.passed} of {seeded.planned} made, drawn from the seed {seeded.seed}"]
    if seconds and seeded.passed:
        lines[0] += f", one every {duration(seconds / seeded.passed)}"
    lines += [f"casts     {counted(one.copies, 'cast')} of {_together(one.personas)}" for one in seeded.casts]
    if seeded.shared:
        lines.append(f"shared    {_together(seeded.shared)}, performed once for all")
    if seeded.left_over:
        lines.append(f"left over {seeded.left_over} of {seeded.asked} that were asked for make no whole cast")
    if seeded.there:
        lines.append(f"there     {counted(seeded.there, 'user')} made before")
    if seeded.cut_off:
        lines.append(f"cut off   {counted(seeded.cut_off, 'user')}: stopped in the middle")
    if seeded.not_begun:
        lines.append(f"not begun {counted(seeded.not_begun, 'user')}" + (f": {seeded.halted}" if seeded.halted else ""))
    if collided and not seeded.there and not goes_on:
        lines.append("there     may be users of this seed whom an earlier seeding has made")
        lines.append(f"the rest  is added by 'sim seed … --ensure {seeded.asked} --seed {seeded.seed}' then")
    elif 0 < seeded.passed < seeded.planned and not goes_on:
        lines.append(f"the rest  is added by 'sim seed … --ensure {seeded.asked} --seed {seeded.seed}'")
    return lines


def preview_lines(preview: Preview) -> list[str]:
    """Report what a seeding would do."""
    lines = [
        f"{counted(preview.users, 'user')} of the seed {preview.seed} for {preview.site} at {preview.base_url}, "
        f"{preview.concurrency} at once, in about {duration(preview.seconds)}",
        "",
        *(f"casts     {counted(one.copies, 'cast')} of {_together(one.personas)}" for one in preview.casts),
    ]
    if preview.left_over:
        lines.append(f"left over {preview.left_over} of {preview.asked} that were asked for make no whole cast")
    if preview.there or preview.cut_off:
        lines.append(f"there     {preview.there} of earlier seedings passed, {preview.cut_off} were cut off")
    lines.append("")
    for user in preview.shown:
        lines.append(f"user {user.number}, {user.persona}: {user.display_name}, {user.username}, {user.email}")
        lines += [f"    {name:<20} {number}" for name, number in user.numbers.items()]
        lines += [f"    {name:<20} {one_line(value)}" for name, value in list(user.values.items())[:_VALUES]]
    if preview.data:
        lines += ["", f"data, of the first {counted(preview.counted, 'user')}"]
        lines += [f"    {one.field:<20} {one.dealt:,} dealt, {one.different:,} different" for one in preview.data]
    if preview.alike:
        lines += ["", "put in alike by every user of the run"]
        lines += [f"    step {one.place}: {one_line(one.text)}" for one in preview.alike]
    return [*lines, "", *left_lines(preview)]


def left_lines(preview: Preview) -> list[str]:
    """Report what a seeding would leave on the site."""
    lines = [f"on '{preview.site}' at {preview.base_url} it leaves"]
    for one in preview.leaves:
        more = [f"and {len(one.sent) - _SENT} more"] if len(one.sent) > _SENT else []
        lines.append(f"    of {counted(one.users, 'user')}, {one.persona}: {', '.join([*one.sent[:_SENT], *more])}")
    return lines


def _together(personas: tuple[str, ...]) -> str:
    return ", ".join(f"{count} {name or 'user'}" for name, count in Counter(personas).items())
