"""What a reader sees of a text that was put in as HTML, Markdown, wiki text or BBCode.

A site is not asked which of them it takes: each is tried, and a text without any marks is left alone. Not responsible
for: safe HTML; nothing here is ever shown.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_SIGNS = re.compile(r"[<&*_`~#\[\]>|=']|^\s*(?:[-+]|\d+[.)])\s", re.MULTILINE)

_HTML = (
    (re.compile(r"<!--.{0,2000}?-->|<(script|style|template)\b.{0,20000}?</\1\s*>", re.DOTALL | re.IGNORECASE), ""),
    (
        re.compile(
            r"</?(?:b|i|u|s|em|strong|a|span|code|small|sub|sup|mark|del|ins|font|kbd|abbr|q|cite)\b[^<>]*>", re.I
        ),
        "",
    ),
    (re.compile(r"</?[a-zA-Z][^<>]*>"), " "),
)
_LINES = (
    (re.compile(r"^\s*(?:```|~~~).*$", re.MULTILINE), ""),
    (re.compile(r"^\s*(?:[-*_]\s*){3,}$|^\s*=+\s*$|^\s*\|?(?:\s*:?-{2,}:?\s*\|?)+\s*$", re.MULTILINE), ""),
    (re.compile(r"^\s*(?:>\s?)+", re.MULTILINE), ""),
    (re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+|[ \t]+#+[ \t]*$", re.MULTILINE), ""),
    (re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?", re.MULTILINE), ""),
    (re.compile(r"^\s*\[[^\]\n]+\]:\s+\S+.*$", re.MULTILINE), ""),
)
_LINKS = (
    (re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+(?:\"[^\"]*\"|'[^']*'))?\)"), r"\1"),
    (re.compile(r"!?\[([^\[\]]+)\]\[[^\[\]]*\]"), r"\1"),
    (re.compile(r"<((?:https?://|mailto:)[^<>\s]+)>"), r"\1"),
)
_EMPHASIS = (
    (re.compile(r"(`+)(.{1,1000}?)\1", re.DOTALL), r"\2"),
    (re.compile(r"(\*{1,3}|~~|==)(?=\S)(.{1,1000}?)(?<=\S)\1", re.DOTALL), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=\S)(.{1,1000}?)(?<=\S)\1(?!\w)", re.DOTALL), r"\2"),
    (re.compile(r"\\([!-/:-@\[-`{-~])|\\$", re.MULTILINE), r"\1"),
)
_ROWS = ((re.compile(r"^\s*\||\|\s*$", re.MULTILINE), " "), (re.compile(r"\s\|\s"), " "))
_WIKI = (
    (re.compile(r"'{2,5}"), ""),
    (re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]"), r"\1"),
    (re.compile(r"\[(?:https?:)?//[^\s\]]+\s+([^\]]+)\]"), r"\1"),
    (re.compile(r"^\s*(=+)\s*(.*?)\s*\1\s*$", re.MULTILINE), r"\2"),
    (re.compile(r"^[*#:;]+\s*", re.MULTILINE), ""),
)
_BBCODE = ((re.compile(r"\[/?(?:b|i|u|s|url|img|quote|code|list|color|size|\*)(?:=[^\]]*)?\]", re.IGNORECASE), ""),)
_LANGUAGES = (
    _HTML,
    (*_LINES, *_LINKS, *_EMPHASIS),
    (*_LINES, *_ROWS, *_LINKS, *_HTML, *_EMPHASIS),
    (*_WIKI, *_HTML),
    _BBCODE,
)


def texts_of(put: str) -> Iterator[str]:
    """Give what a reader may see of a text, the text itself first; equal ones may come twice.

    Args:
        put: as a user put it in, lines and all.
    """
    yield put
    if _SIGNS.search(put) is None:
        return
    yield html.unescape(put)
    text = put.replace("\r\n", "\n")
    for language in _LANGUAGES:
        seen = text
        for _ in range(2):  # emphasis within emphasis, a list in a quote
            for pattern, by in language:
                seen = pattern.sub(by, seen)
        if seen.strip() and seen != text:
            yield html.unescape(seen)
