"""Markup that a user puts in is seen as the text that a site makes of it."""

from __future__ import annotations

import random
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from simulator.meaning import contradicts, find_in, likeness

BLOCKS = frozenset(
    ("p", "li", "ul", "ol", "h1", "h2", "h3", "blockquote", "pre", "td", "th", "tr", "br", "hr", "table")
)
WORDS = (
    "garden", "summer", "letter", "Übersicht", "château", "window", "river", "paper", "morning", "Straße", "music",
    "winter", "autumn", "history", "lantern",
)  # fmt: skip


class Shown(HTMLParser):
    """What a browser gives as the text of an element: a line for each block."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.text += "\n" if tag in BLOCKS else ""

    def handle_endtag(self, tag):
        self.text += "\n" if tag in BLOCKS else ""

    def handle_data(self, data):
        self.text += data


def _inline(rng: random.Random) -> str:
    words = " ".join(rng.sample(WORDS, rng.randrange(1, 4)))
    return rng.choice((
        "{}", "{}", "**{}**", "*{}*", "_{}_", "__{}__", "***{}***", "~~{}~~", "`{}`", "[{}](https://example.org/a_b)",
        '[{}](/a "a title")', "**a _{}_ b**", "{} & more", "a < b {}", "{}\\*", "<b>{}</b>", "{} &amp; co",
    )).format(words)  # fmt: skip


def _block(rng: random.Random) -> str:
    line = " ".join(_inline(rng) for _ in range(rng.randrange(1, 4)))
    items = [_inline(rng) for _ in range(3)]
    return rng.choice((
        line, line, f"# {line}", f"## {line} ##", f"> {line}", "\n".join(f"- {item}" for item in items),
        "\n".join(f"* {item}" for item in items), "\n".join(f"{n}. {item}" for n, item in enumerate(items, 1)),
        f"{line}\n{items[0]}", f"```\n{rng.choice(WORDS)} code\n```", f"{items[0]}\n\n---\n\n{items[1]}",
        "| a | b |\n|---|---|\n| one | two |",
    ))  # fmt: skip


@pytest.mark.parametrize("seed", range(400))
def test_markdown_is_seen_as_its_text(seed):
    rng = random.Random(seed)
    put = "\n\n".join(_block(rng) for _ in range(rng.randrange(1, 4)))
    shown = Shown(MarkdownIt("commonmark").enable(["strikethrough", "table"]).render(put)).text

    assert likeness(put, shown) in ("same", "transformed"), (put, shown)
    assert find_in(put, f"About it {shown} and more"), (put, shown)
    assert not contradicts(put, shown)


@pytest.mark.parametrize("seed", range(200))
def test_markup_of_which_a_word_is_lost_is_not_the_same(seed):
    rng = random.Random(seed)
    put = " ".join(_inline(rng) for _ in range(4))
    shown = Shown(MarkdownIt("commonmark").enable("strikethrough").render(put)).text.split()
    places = [at for at, word in enumerate(shown[:-2]) if word.strip(".&") in WORDS]
    at = rng.choice(places)
    lost = " ".join(shown[:at] + shown[at + 1 :])

    assert likeness(put, lost) is None, (put, lost)
    assert contradicts(put, lost)


@pytest.mark.parametrize(
    ("put", "shown"),
    [
        ("<p>Hello <b>World</b></p><p>you</p>", "Hello World you"),
        ("<h2>Hello</h2><ul><li>one<li>two</ul>", "Hello\none\ntwo"),
        ("one<br>two &euro; 3", "one two € 3"),
        ("Hi<script>alert('x')</script> there", "Hi there"),
        ("'''Bold''' and [[Main Page|the page]]", "Bold and the page"),
        ("== Head ==\n* one\n* two", "Head\none\ntwo"),
        ("[b]Bold[/b] and [url=https://example.org]a page[/url]", "Bold and a page"),
        ("<b>Bold</b>", "<b>Bold</b>"),
    ],
)
def test_markup_is_the_same_as_its_text(put, shown):
    assert likeness(put, shown) == "same"
    assert not contradicts(put, shown)


@pytest.mark.parametrize(
    ("put", "shown"),
    [
        ("<p>one</p><p>two</p>", "onetwo"),
        ("<b>Bold</b> text", "&lt;b&gt;Bold&lt;/b&gt; text"),
        ("Tom & Jerry", "Tom &amp; Jerry"),
        ("first line\nsecond line", "first linesecond line"),
    ],
)
def test_text_without_its_breaks_or_escaped_is_transformed(put, shown):
    assert likeness(put, shown) == "transformed"
    assert not contradicts(put, shown)


@pytest.mark.parametrize("put", ["5 * 3 * 2", "a < b and c > d", "snake_case_name", "#1 of 3", "C:\\temp", "[draft]"])
def test_signs_that_are_no_markup_are_kept(put):
    assert likeness(put, put) == "same"
    assert find_in(put, f"so {put} it is") == "same"
