"""What the forms accept: choices, limits, and the sentences that say what to mend.

Pure functions of the submitted fields; whether a username is free is the database's business.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from PIL import Image, UnidentifiedImageError

from simulator.demo.journal import Upload

Errors = dict[str, str]
"""Field name to what is wrong with it, in the order of the form."""

GENRES = {
    "adventure": "Adventure",
    "biography": "Biography and memoir",
    "children": "Children's books",
    "classics": "Classics",
    "crime": "Crime and mystery",
    "drama": "Drama",
    "essays": "Essays",
    "fantasy": "Fantasy",
    "gothic": "Gothic and horror",
    "history": "History",
    "humour": "Humour",
    "philosophy": "Philosophy",
    "poetry": "Poetry",
    "romance": "Romance",
    "science": "Science and nature",
    "science-fiction": "Science fiction",
    "textbook": "Textbooks",
    "travel": "Travel",
    "other": "Other",
}
CONDITIONS = {"new": "New", "like-new": "Like new", "good": "Good", "fair": "Fair", "worn": "Worn"}

MAX_COVER = 5 * 1000 * 1000
"""Bytes."""
MAX_COVER_SIDE = 10_000
"""Pixels."""
MAX_TITLE = 200
MAX_AUTHOR = 120
MAX_DESCRIPTION = 4000
MAX_MESSAGE = 2000
MIN_PENCE = 50
MAX_PENCE = 500_00
MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}

_USERNAME = re.compile(r"[a-z0-9_.-]{3,30}")
_EMAIL = re.compile(r"[^\s@]+@[^\s@.]+(\.[^\s@.]+)+")
_PRICE = re.compile(r"\d{1,6}(\.\d{1,2})?")


@dataclass(frozen=True, slots=True)
class Book:
    """What a seller says about a book."""

    title: str
    author: str
    genre: str
    condition: str
    pence: int
    description: str


class Picture(NamedTuple):
    """An uploaded cover that was found to be an image."""

    media_type: str
    content: bytes


def check_registration(fields: Mapping[str, str]) -> Errors:
    """Check the registration form."""
    errors: Errors = {}
    if not _USERNAME.fullmatch(fields.get("username", "")):
        errors["username"] = "Choose a username of 3 to 30 lower-case letters, digits, dots, hyphens or underscores."
    _check_text(errors, fields, "display_name", "Enter the name that other readers will see.", 80)
    if not _EMAIL.fullmatch(fields.get("email", "")) or len(fields["email"]) > 254:
        errors["email"] = "Enter an e-mail address such as name@example.org."
    if len(fields.get("password", "")) < 8:
        errors["password"] = "Choose a password of at least 8 characters."
    elif fields["password"] != fields.get("password_repeat"):
        errors["password_repeat"] = "The two passwords differ."
    _check_text(errors, fields, "city", "Enter the town or city that you post books from.", 80)
    if not fields.get("terms"):
        errors["terms"] = "Please accept the terms to open an account."
    return errors


def check_listing(fields: Mapping[str, str]) -> tuple[Book | None, Errors]:
    """Check the listing form, its cover apart.

    Returns:
        The book, or None with at least one error.
    """
    errors: Errors = {}
    _check_text(errors, fields, "title", "Enter the title of the book.", MAX_TITLE)
    _check_text(errors, fields, "author", "Enter the author of the book.", MAX_AUTHOR)
    if fields.get("genre") not in GENRES:
        errors["genre"] = "Choose a genre."
    if fields.get("condition") not in CONDITIONS:
        errors["condition"] = "Choose the condition that the book is in."
    pence = parse_price(fields.get("price", ""))
    if pence is None:
        errors["price"] = "Enter a price between 0.50 and 500.00 pounds, such as 4.50."
    if len(fields.get("description", "")) > MAX_DESCRIPTION:
        errors["description"] = f"Shorten the description to {MAX_DESCRIPTION} characters."
    if errors or pence is None:
        return None, errors
    return Book(
        title=fields["title"],
        author=fields["author"],
        genre=fields["genre"],
        condition=fields["condition"],
        pence=pence,
        description=fields.get("description", ""),
    ), errors


def check_cover(upload: Upload | None, *, required: bool) -> tuple[Picture | None, Errors]:
    """Look into the uploaded file, whatever its name and declared type say.

    Args:
        upload: The file, if one was chosen.
        required: Whether there must be one.

    Returns:
        The picture, or None with an error or, where none is required, without.
    """
    if upload is None:
        return None, {"cover": "Choose a picture of the cover."} if required else {}
    if len(upload.content) > MAX_COVER:
        return None, {"cover": "Choose a picture smaller than 5 MB."}
    problem = {"cover": "Choose a PNG, JPEG or WebP picture; this file is none."}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(upload.content), formats=tuple(MEDIA_TYPES)) as image:
                media_type, side = MEDIA_TYPES[image.format or ""], max(image.size)
                image.verify()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        return None, problem
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        side = MAX_COVER_SIDE + 1
    if side > MAX_COVER_SIDE:
        return None, {"cover": f"Choose a picture of at most {MAX_COVER_SIDE} pixels a side."}
    return Picture(media_type, upload.content), {}


def check_message(fields: Mapping[str, str]) -> Errors:
    """Check the message form."""
    errors: Errors = {}
    _check_text(errors, fields, "body", "Write a message before sending it.", MAX_MESSAGE)
    return errors


def parse_price(text: str) -> int | None:
    """Return the price in pence, or None if the text is no price in range."""
    if not _PRICE.fullmatch(text, 0) or not text.isascii():
        return None
    pence = int(Decimal(text) * 100)
    return pence if MIN_PENCE <= pence <= MAX_PENCE else None


def _check_text(errors: Errors, fields: Mapping[str, str], name: str, missing: str, longest: int) -> None:
    text = fields.get(name, "")
    if not text:
        errors[name] = missing
    elif len(text) > longest:
        errors[name] = f"Shorten this to {longest} characters."
