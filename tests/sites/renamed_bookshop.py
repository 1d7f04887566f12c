"""The bundled bookshop with every id and class renamed; takes the options of ``python -m simulator.demo``.

What refers to an id goes along: labels, ARIA, links to a part of the page, and the script's ``data-preview``.
"""

from __future__ import annotations

import hashlib
import re
import sys

from rewriting import Rewriting, serve

_NAMES = re.compile(r'(?<![\w-])(id|class|for|aria-labelledby|aria-describedby|aria-controls|data-preview)="([^"]*)"')
_FRAGMENT = re.compile(r'href="#([^"]+)"')


def renamed(name: str) -> str:
    """Give the name that stands for another."""
    return "x" + hashlib.sha256(name.encode()).hexdigest()[:10]


def rename(html: str) -> str:
    """Rename all ids and classes of a page."""

    def names(match: re.Match[str]) -> str:
        return f'{match.group(1)}="{" ".join(renamed(name) for name in match.group(2).split())}"'

    return _FRAGMENT.sub(lambda match: f'href="#{renamed(match.group(1))}"', _NAMES.sub(names, html))


if __name__ == "__main__":
    sys.exit(serve(lambda app: Rewriting(app, rename)))
