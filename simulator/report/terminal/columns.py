"""Lines of text for a terminal: rows as aligned columns, and lines that are cut or folded to its width.

Not responsible for: what is in them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rich.cells import cell_len, set_cell_size

GAP = "  "
_HEAD = re.compile(r" *(?:[^ ]+(?: [^ ]+)?(?= {2}) +)?")
"""What a line begins with: its indent, and a label that two spaces set apart from the text."""
_COMMAND = re.compile(r"(?:^|  )sim [a-z]")
"""A command to copy: a line break in it would end it, so the terminal wraps it and nobody else."""


def columns(
    rows: Sequence[Sequence[str]], *, right: Collection[int] = (), width: int | None = None, indent: str = ""
) -> list[str]:
    """Align rows, whatever script they are in.

    Args:
        rows: cells, as many in each row; a heading is a row like the others.
        right: the columns that are aligned to the right, such as numbers.
        width: cells of the terminal, to which the lines are cut; None leaves them whole.
        indent: what each line begins with.
    """
    widths = [max(map(cell_len, cells)) for cells in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            " " * (widths[at] - cell_len(cell)) + cell if at in right else cell + " " * (widths[at] - cell_len(cell))
            for at, cell in enumerate(row)
        ]
        lines.append(cut((indent + GAP.join(cells)).rstrip(), width))
    return lines


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
