"""What of a site's traffic is never recorded, by where it stands: cookies, credentials, tokens, and password fields.

Responsible for knowing such places by their names, and their values wherever else they stand. Not responsible for:
secrets that the vault knows (whoever stores a text masks them), or what is sent and when (``traffic``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from urllib.parse import quote, quote_plus, unquote, unquote_plus

from simulator.masking import Masker
from simulator.secret_parts import is_ordinary
from simulator.template import PLACEHOLDER

WITHHELD = "{{secret.withheld}}"
"""Stands for a value that is not recorded and that nobody gave a name."""
_WORDS = (
    r"csrf|xsrf|passw|passphrase|token|secret|sess(?:ion)?[_-]?(?:id|key)|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|credential|authoriz|signature|saml(?:request|response)|assertion|one[_-]?time|verification[_-]?code"
    # Alone it stands on each script of a page, and names nothing that is sent.
    r"|(?<=[a-z_])nonce"
)
_WHOLE = r"auth|pwd|pw|pin|otp|totp|jwt|sid|cvv|cvc"
_NAME = rf"(?:{_WORDS}|(?<![a-z])(?:{_WHOLE})(?![a-z]))"
SECRET_NAMES = _NAME
"""Matches a name that says that its value is secret, where case does not count and ``_`` stands between its words.

It is written so that Python and JavaScript read it alike."""
_SECRET_NAME = re.compile(_NAME, re.IGNORECASE)
_TAG = re.compile(r"<(?:input|meta|textarea)\b[^>]*>", re.IGNORECASE)
_NAMED = re.compile(r"""\b(?:name|id|property|http-equiv)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_PASSWORD = re.compile(r"""\btype\s*=\s*["']?password\b""", re.IGNORECASE)
_CONTENT = re.compile(r"""(\b(?:value|content)\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_TEXTAREA = re.compile(r"(<textarea\b[^>]*>)([^<]*)", re.IGNORECASE)
_ASSIGNED = re.compile(rf"""({_NAME}[\w$.\[\]-]*\\?["'\]]*\s*[:=]\s*)(?:(\\?["'`])(.*?)\2|(\d{{3,}}))""", re.IGNORECASE)
"""A name and its value in a script or in JSON, also in JSON that stands in a string."""
_HINT = re.compile(rf"""{_NAME}[\w$.\[\]-]*\\?["'\]]*\s*[:=]\s*\\?["'`\d]""")
"""Stands in the lower case of a text in which there is any such thing; found much sooner than the thing itself."""
_QUERY = re.compile(rf"""([?&;](?:amp;)?[\w.\[\]%-]*{_NAME}[\w.\[\]%-]*=)([^&"'<>\s#\\]+)""", re.IGNORECASE)
_BEARER = re.compile(r"^(Basic|Bearer|Digest|Negotiate|Token)\s+", re.IGNORECASE)
_MIN_LEARNED = 8
_MAX_LEARNED = 400
"""How many values are known again: a site that gives a new one with every form would fill the memory."""


def is_secret_name(name: str) -> bool:
    """Return whether what goes by a name is not recorded: ``csrf_token``, ``user[password]``, ``X-Api-Key``."""
    return _SECRET_NAME.search(_in_words(name)) is not None


def keys_in(addresses: Iterable[str]) -> dict[str, str]:
    """Give what stands in the queries and fragments of addresses under the name of a secret, by that name."""
    found: dict[str, str] = {}
    for address in addresses:
        if "=" in address and _SECRET_NAME.search(_in_words(address)):
            for pair in re.split(r"[?&#;]", address)[1:]:
                name, _, value = pair.partition("=")
                if value and is_secret_name(unquote_plus(name)):
                    found[unquote_plus(name)] = unquote_plus(value)
    return found


def _in_words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)


class Withheld:
    """What is not recorded of one run's traffic.

    A value that stood in such a place once is not recorded elsewhere either, from then on.

    Args:
        mask: puts placeholders in place of secrets that are known by name.
        adopt: takes in what stands in a password field, so that it is masked wherever else it stands.
        headers: names of headers whose values are not recorded.
    """

    def __init__(
        self, mask: Callable[[str], str], *, adopt: Callable[[str], object] = str, headers: Iterable[str] = ()
    ) -> None:
        self._mask = mask
        self._adopt = adopt
        self._headers = frozenset(name.lower() for name in headers)
        self._fields: set[str] = set()
        """Names of password fields."""
        self._typed: dict[str, str] = {}
        """What stood in password fields, by name."""
        self._masker = Masker({})
        self._learned: dict[str, None] = {}

    def add_fields(self, fields: Iterable[Sequence[str]]) -> None:
        """Take in the password fields of a page, each with its name and what stands in it."""
        for name, value in fields:
            if name:
                self._fields.add(name)
            if value and value not in self._typed.values():
                self._adopt(value)
                name = f"withheld_{len(self._typed) + 1}"
                self._typed[name] = value
                # What is masked by name needs no second one; what is but a part of the value does not mask the rest.
                if not (PLACEHOLDER.fullmatch(self._mask(value)) or is_ordinary(value)):
                    self._masker.add(name, value)

    def headers(self, headers: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
        """Write headers without cookies, credentials and tokens; their names and their order stay."""
        return [(name, self._header(name.lower(), value)) for name, value in headers]

    def value(self, name: str, value: str) -> str:
        """Write the value of a field that is sent under a name."""
        if value and (name in self._fields or is_secret_name(name) or value in self._typed.values()):
            return self._withhold(value)
        return self.text(value)

    def url(self, url: str) -> str:
        """Write an address: values of its query that go by a secret name are left out."""
        if "code=" in url and "state=" in url:  # what a login elsewhere gives
            url = re.sub(r"([?&]code=)([^&#]+)", self._after, url)
        return self.text(url)

    def text(self, text: str) -> str:
        """Write a text of any kind: a page, a script, JSON, an address."""
        if not text:
            return text
        if "<" in text:
            text = _TEXTAREA.sub(self._area, _TAG.sub(self._tag, text))
        if _HINT.search(text.lower()):
            text = _ASSIGNED.sub(self._assigned, text)
        text = _QUERY.sub(self._after, text)
        for value in self._learned:
            if value in text:
                text = text.replace(value, WITHHELD)
        return self._masker.mask(text)

    def sent(self, text: str) -> str:
        """Write the body of a request: what stood in password fields is left out where it is all of a value.

        A password that is a usual word is known by its place alone.
        """
        for value in self._typed.values():
            if value in text:
                whole = rf"""(?<=["'=])(?:{re.escape(value)}|{re.escape(quote_plus(value))})(?=["'&]|$)"""
                text = re.sub(whole, lambda _: WITHHELD, text)
        return self.text(text)

    def _header(self, name: str, value: str) -> str:
        if name == "cookie":
            return "; ".join(map(self._pair, value.split("; ")))
        if name == "set-cookie":
            return "\n".join(map(self._cookie, value.split("\n")))
        if name.endswith("authorization"):
            scheme = _BEARER.match(value)
            return (scheme.group(0) if scheme else "") + self._withhold(value[scheme.end() if scheme else 0 :])
        return self._withhold(value) if name in self._headers or is_secret_name(name) else self.url(value)

    def _cookie(self, line: str) -> str:
        pair, semicolon, rest = line.partition(";")
        return self._pair(pair) + semicolon + rest

    def _pair(self, pair: str) -> str:
        name, equals, value = pair.partition("=")
        return name + equals + self._withhold(value) if equals else self._withhold(pair)

    def _withhold(self, value: str) -> str:
        """Leave a value out, and know it again where it alone can be meant."""
        if not value or PLACEHOLDER.fullmatch(value):
            return value
        if (known := self._mask(value)) != value:
            return known if PLACEHOLDER.fullmatch(known) else WITHHELD
        telling = len(value) >= _MIN_LEARNED and not re.search(r"\s", value)
        if telling and (len(value) >= 20 or (re.search(r"\d", value) and re.search(r"[A-Za-z]", value))):
            for plain in {value, unquote(value)}:
                for spelled in (plain, quote(plain, safe=""), quote_plus(plain), escape(plain)):
                    self._learned[spelled] = None
            while len(self._learned) > _MAX_LEARNED:
                del self._learned[next(iter(self._learned))]
        return WITHHELD

    def _after(self, match: re.Match[str]) -> str:
        return match.group(1) + self._withhold(match.group(2))

    def _assigned(self, match: re.Match[str]) -> str:
        name, mark, quoted, number = match.groups()
        return f"{name}{mark or ''}{self._withhold(quoted if mark else number)}{mark or ''}"

    def _tag(self, match: re.Match[str]) -> str:
        tag = match.group(0)
        if not (_PASSWORD.search(tag) or self._is_named(tag)):
            return tag
        return _CONTENT.sub(lambda found: f'{found.group(1)}"{self._withhold(_one(found.groups()[1:]))}"', tag)

    def _area(self, match: re.Match[str]) -> str:
        tag, content = match.groups()
        return tag + (self._withhold(content) if self._is_named(tag) else content)

    def _is_named(self, tag: str) -> bool:
        names = [_one(found.groups()) for found in _NAMED.finditer(tag)]
        return any(name in self._fields or is_secret_name(name) for name in names)


def _one(groups: Sequence[str | None]) -> str:
    return next((group for group in groups if group is not None), "")
