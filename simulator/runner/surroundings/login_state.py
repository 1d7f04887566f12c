"""Reads a stored login: cookies and local storage of somebody who is logged in, as Playwright writes them.

What Playwright would stop at is reported here with its place, and never with a value: those are keys.

Not responsible for: using it, or masking what it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit  # noqa: TID251 (what cannot be split is refused)

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError, from_json

from simulator.errors import ConfigError
from simulator.text_file import UnreadableFile, one_sentence, read_text

_LARGEST = 64 << 20
"""Bytes in the largest file; a browser keeps at most 5 MiB of one origin's texts."""
_LAST_SECOND = 253_402_300_799
"""The last second of the year 9999, after which Playwright knows no dates."""
_EXPECTED = "expected JSON with cookies and origins, as Playwright's storage_state writes it"
_KINDS = {
    "model_type": "an object", "dict_type": "an object", "list_type": "a list", "tuple_type": "a list",
    "string_type": "a text", "bool_type": "true or false", "float_type": "a number", "float_parsing": "a number",
    "finite_number": "a number", "literal_error": "Strict, Lax or None",
}  # fmt: skip


class _Part(BaseModel):
    """What newer versions of Playwright write besides is passed on as it is."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)


class _Cookie(_Part):
    name: StrictStr
    value: StrictStr
    domain: StrictStr = ""
    path: StrictStr = ""
    url: StrictStr = ""
    expires: float = Field(default=-1, strict=True, allow_inf_nan=False)
    http_only: StrictBool = Field(default=False, alias="httpOnly")
    secure: StrictBool = False
    same_site: Literal["Strict", "Lax", "None"] | None = Field(default=None, alias="sameSite")

    @field_validator("expires")
    @classmethod
    def _is_a_time(cls, value: float) -> float:
        if value != -1 and not 0 <= value <= _LAST_SECOND:
            raise _wrong("expected -1 or seconds since 1970")
        return value

    @field_validator("path")
    @classmethod
    def _is_a_path(cls, value: str) -> str:
        if value and not value.startswith("/"):
            raise _wrong("expected a path that begins with '/'")
        return value

    @model_validator(mode="after")
    def _has_a_place(self) -> _Cookie:
        if not (self.domain and self.path) and not _is_origin(self.url):
            raise _wrong("expected domain and path, which say where the cookie is sent")
        return self


class _Entry(_Part):
    name: StrictStr
    value: StrictStr


class _Origin(_Part):
    origin: StrictStr
    local_storage: tuple[_Entry, ...] = Field(alias="localStorage")

    @field_validator("origin")
    @classmethod
    def _is_an_origin(cls, value: str) -> str:
        if not _is_origin(value):
            raise _wrong("expected the address of a site, such as https://shop.example")
        return value


class _StoredLogin(_Part):
    cookies: tuple[_Cookie, ...] = ()
    origins: tuple[_Origin, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _is_one(cls, value: Any) -> Any:
        if not isinstance(value, dict) or not {"cookies", "origins"} & value.keys():
            raise _wrong(_EXPECTED)
        return value


def read_login(file: Path) -> dict[str, Any]:
    """Read a stored login.

    Returns:
        What Playwright takes as a context's ``storage_state``.

    Raises:
        ConfigError: it cannot be read, or holds anything that Playwright does not take; it names the place in it.
    """
    try:
        state = from_json(read_text(file, _LARGEST), allow_inf_nan=False)
        _StoredLogin.model_validate(state)
    except UnreadableFile as error:
        raise ConfigError(f"login_state {file}: {error.message}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = _place(first["loc"])
        raise ConfigError(f"login_state {file}: {place}{_said(first['type'], first['msg'])}") from None
    except ValueError as error:
        raise ConfigError(f"login_state {file}: {_EXPECTED}: {one_sentence(str(error))}") from None
    return dict(state)


def _wrong(message: str) -> PydanticCustomError:
    return PydanticCustomError("wrong", "{said}", {"said": message})


def _said(kind: str, message: str) -> str:
    if kind == "missing":
        return "is missing"
    return f"expected {_KINDS[kind]}" if kind in _KINDS else one_sentence(message)


def _place(parts: Sequence[str | int]) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return f"{path.removeprefix('.')}: " if path else ""


def _is_origin(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 0) >= 0
    except ValueError:
        return False
