"""Rows as aligned columns of text. Not responsible for: what is in them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.cells import cell_len, set_cell_size

GAP = "  "


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
