"""Lines of text for a terminal: rows as aligned columns, and lines that are cut or folded to its width.

Not responsible for: what is in them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rich.cells import cell_len, set_cell_size

GAP = "  "
_NARROWEST = 6
"""Cells that a column keeps in a narrow terminal."""
_HEAD = re.compile(r" *(?:[^ ]+(?: [^ ]+)?(?= {2}) +)?")
"""What a line begins with: its indent, and a label that two spaces set apart from the text."""
_COMMAND = re.compile(r"(?:^|  )sim [a-z]")
"""A command to copy: a line break in it would end it, so the terminal wraps it and nobody else."""


def columns(
    rows: Sequence[Sequence[str]],
    *,
    right: Collection[int] = (),
    whole: Collection[int] = (),
    width: int | None = None,
    indent: str = "",
) -> list[str]:
    """Align rows, whatever script they are in.

    Args:
        rows: cells, as many in each row; a heading is a row like the others.
        right: the columns that are aligned to the right, such as numbers.
        whole: the columns that are not narrowed, such as ids; those on the right are not, either.
        width: cells of the terminal: the widest columns are narrowed to it, and what is too long still is cut; None
            leaves all of it whole.
        indent: what each line begins with.
    """
    widths = [max(map(cell_len, cells)) for cells in zip(*rows, strict=True)]
    if width is not None:
        _narrow(widths, width - cell_len(indent) - len(GAP) * (len(widths) - 1), {*right, *whole})
    lines = []
    for row in rows:
        cells = []
        for at, each in enumerate(row):
            cell = cut(each, widths[at])
            space = " " * (widths[at] - cell_len(cell))
            cells.append(space + cell if at in right else cell + space)
        lines.append(cut((indent + GAP.join(cells)).rstrip(), width))
    return lines


def _narrow(widths: list[int], room: int, whole: Collection[int]) -> None:
    """Take from the widest columns what is too much, cell by cell, and leave each as wide as a short word."""
    while sum(widths) > room:
        widest = max((at for at in range(len(widths)) if at not in whole), key=widths.__getitem__, default=None)
        if widest is None or widths[widest] <= _NARROWEST:
            return
        widths[widest] -= 1


def cut(text: str, width: int | None) -> str:
    """Cut a text to a number of cells, with an ellipsis where something is lost."""
    if width is None or cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…"


def fold(line: str, width: int | None) -> list[str]:
    """Break a line at words, so that a terminal does not break it inside of them.

    What follows stands below the text: behind the label of the line where it has one, else two cells further in. A word
    that is longer than a line, such as an address, stays whole, and so does a command.

    Args:
        line: what is to be printed.
        width: cells of the terminal; None leaves the line as it is.
    """
    if width is None or cell_len(line) <= width or _COMMAND.search(line):
        return [line]
    head = _HEAD.match(line)
    hang = cell_len(head.group()) if head and head.group().strip() else len(line) - len(line.lstrip(" ")) + len(GAP)
    first = head.group() if head else ""
    if hang > width // 2:
        hang, first = len(GAP), ""
    lines, now = [], first
    for word in line[len(first) :].split(" "):
        if cell_len(now) + cell_len(word) > width and now.strip() and now != first:
            lines.append(now.rstrip(" "))
            now = " " * hang
        now += word + " "
    return [*lines, now.rstrip(" ")]
