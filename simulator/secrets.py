"""The vault: derives secrets from the machine's key, and masks them in text.

Not responsible for: in which spellings a secret is found (``masking``), what of a secret is one by itself
(``secret_parts``), recognising secret fields (the page does), or ``{{variables}}`` that are no secrets.
A secret's value lives in memory only; recordings hold ``{{secret.NAME}}`` and the key's fingerprint.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import string
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import platformdirs

from simulator.errors import KeyMissing, TemplateError
from simulator.masking import ADDRESSED, MAILED, Masker, Retired, Screen
from simulator.secret_parts import MIN_PART, is_ordinary, parts_of
from simulator.text_file import UnreadableFile, read_bytes

KEY_VARIABLE = "SIM_KEY"
KEY_FILE = "key"
PASSWORD = "password"
"""Name of the secret that every user has."""
CODE = "totp"
"""Name of the one-time code of the moment, where the site asks for one."""
TYPED = "typed_"
"""What the names of literals begin with: another run does not know them."""
CODE_SECONDS = 30
"""How long a one-time code is the one of the moment."""
_KEY_SIZE_LIMIT = 4096
MIN_KEY = 16
"""A key given in ``SIM_KEY`` has at least this many characters."""

_ALPHABET = string.ascii_letters + string.digits
_SYMBOLS = "-_.!"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_MIN_MASKED = 4
"""Shorter literals are masked where they are all of a text, as ``masking`` does: that is no language, but a place."""


@dataclass(frozen=True, slots=True)
class MachineKey:
    """The key that this machine's secrets are derived from."""

    secret: bytes = field(repr=False)
    """At least 16 bytes, never stored but in the key file."""

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that distinguish keys and reveal nothing of them."""
        return hashlib.sha256(b"simulator key\0" + self.secret).hexdigest()[:12]


def load_key(environ: Mapping[str, str], config_dir: Path | None = None) -> MachineKey:
    """Read the machine's key, making one the first time.

    Args:
        environ: the environment; ``SIM_KEY`` in it wins over the key file.
        config_dir: the folder of the key file; the user's configuration folder by default.

    Returns:
        The key.

    Raises:
        KeyMissing: ``SIM_KEY`` is too short, or the key file can be neither read nor made.
    """
    given = environ.get(KEY_VARIABLE, "")
    if given:
        if len(given) < MIN_KEY:
            raise KeyMissing(
                f"{KEY_VARIABLE} has {len(given)} characters; give it at least {MIN_KEY}, such as what "
                "'openssl rand -hex 32' prints, or unset it to use the key file"
            )
        return MachineKey(given.encode())
    folder = config_dir if config_dir is not None else platformdirs.user_config_path("simulator")
    path = folder / KEY_FILE
    try:
        if not path.exists():
            _create_key(path)
        text = read_bytes(path, _KEY_SIZE_LIMIT).decode("utf-8", errors="replace").strip()
    except UnreadableFile as error:
        raise KeyMissing(f"the key file {path}: {error.message}; or set {KEY_VARIABLE} instead") from error
    except OSError as error:
        raise KeyMissing(
            f"the key file {path} can be neither read nor made ({error.strerror}); set {KEY_VARIABLE} instead"
        ) from error
    if not re.fullmatch(r"(?:[0-9a-f]{2}){16,}", text):
        raise KeyMissing(f"the key file {path} is damaged; restore it, or remove it to have a new key made")
    return MachineKey(bytes.fromhex(text))


def _create_key(path: Path) -> None:
    """Make the key file whole or not at all; of several processes the first one's key stays."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            return
    finally:
        draft.unlink()


def scope_of(site: str, persona: str, seed: str, number: int) -> str:
    """Name whose secrets are meant: those of the site's user of that number of a persona, drawn from that seed."""
    return f"{site}|{persona}|{seed}|{number}"


class Vault:
    """The secrets of one identity: given, derived by name, or adopted when somebody typed them.

    What is given is masked with its parts: what a page says of it may be a part of it, or another form.

    Args:
        key: the machine's key.
        scope: whose secrets these are, for example ``bookshop|collector|7|3``. Another scope has others.
        given: secrets by name that are not derived, such as the password of an account that was there before.
        hidden: secrets by name that nobody is shown, and that are masked all the same.
        code: gives the one-time code of the moment, where there is any.
    """

    def __init__(
        self,
        key: bytes,
        *,
        scope: str,
        given: Mapping[str, str] | None = None,
        hidden: Mapping[str, str] | None = None,
        code: Callable[[], str] | None = None,
    ) -> None:
        self._key = key
        self.scope = scope
        self._values: dict[str, str] = {}
        self._unlisted: set[str] = set()
        self._code = code
        self._moment = -1
        self._typed = 0
        self._derived: set[str] = set()
        self._ordinary: set[str] = set()
        """Names of literals that are not masked: any page may say them."""
        self._open: list[str] = []
        """What was put in openly: a part of a key that stands in it is none."""
        self._typing: list[str] = []
        """Names of what stands in secret fields and may not be typed to its end."""
        self._masker = Masker({})
        for name, value in (given or {}).items():
            self._keep(name, value, parts_of(value))
        for name, value in (hidden or {}).items():
            if name not in self._values:
                self._unlisted.add(name)
                self._keep(name, value, parts_of(value))

    def __repr__(self) -> str:
        return f"Vault(scope={self.scope!r}, names={sorted(self._values)})"

    def reveal(self, name: str) -> str:
        """Give a secret's value, deriving it the first time.

        A derived secret has 16 to 20 characters that usual sites accept as a password: lower and upper case,
        digits, and one of ``- _ . !``; it begins with a letter. It depends on key, scope and name alone.

        Args:
            name: for example ``password``; lower-case letters, digits and underscores.

        Raises:
            ValueError: the name is malformed.
            TemplateError: no mail, or no address, has given it.
        """
        if name == CODE and self._code is not None:
            self._see_code()
        elif name not in self._values:
            if name.startswith(MAILED):
                raise TemplateError(f"no mail that was read has given '{{{{secret.{name}}}}}'")
            if name.startswith(ADDRESSED):
                raise TemplateError(f"no address that was met has given '{{{{secret.{name}}}}}'")
            if not _NAME.fullmatch(name):
                raise ValueError(f"a secret's name is lower-case letters, digits and underscores, not {name!r}")
            self._derived.add(name)
            self._keep(name, self._derive(name))
        return self._values[name]

    def adopt(self, literal: str) -> str:
        """Take in a literal that was typed into a secret field.

        Args:
            literal: what was typed; not empty.

        Returns:
            The name under which :meth:`reveal` gives it back: the derived secret's where it is one,
            else ``typed_1``, ``typed_2`` and so on; the same literal has the same name.
        """
        if not literal:
            raise ValueError("an empty literal is no secret")
        for name, value in self._values.items():
            if value == literal:
                return name
        self._typed += 1
        name = f"{TYPED}{self._typed}"
        if len(literal) >= _MIN_MASKED and is_ordinary(literal):
            self._values[name] = literal
            self._ordinary.add(name)
        else:
            self._keep(name, literal)
        return name

    def see(self, values: Iterable[str]) -> bool:
        """Take in what stands in secret fields, whoever put it there; it may be typed key by key.

        What goes on from a value that was seen before takes its place. Until :meth:`settle`, it is masked whatever it
        is: a beginning of a secret may be a usual word.

        Args:
            values: of the fields; known ones are let be.

        Returns:
            Whether any was not known.
        """
        found = False
        for value in values:
            if not value or value in self._values.values():
                continue
            found = True
            before = next((name for name in self._typing if value.startswith(self._values[name])), None)
            if before is None:
                self._typed += 1
                before = f"{TYPED}{self._typed}"
                self._typing.append(before)
            self._keep(before, value)
        return found

    def settle(self) -> None:
        """Note that nothing is being typed any more: a usual word that was typed masks the language no longer."""
        for name in self._typing:
            value = self._values[name]
            if len(value) >= _MIN_MASKED and is_ordinary(value):
                self._ordinary.add(name)
                self._masker.remove(name)
        self._typing.clear()

    def learn(self, name: str, value: str) -> None:
        """Take in a key that the site has given to the browser, with its parts; what it was before stays masked.

        Args:
            name: what it is, for example ``cookie_session``.
            value: one that is ordinary language is not taken in: the word may stand on any page.
        """
        if not is_ordinary(value) and value not in self._values.values():
            self._unlisted.add(name)
            parts = [one for one in parts_of(value, says=True) if not any(one in text for text in self._open)]
            self._renew(name, value, parts)

    def disclose(self, text: str) -> None:
        """Note a text that was put in openly. It stands in recordings, so a cookie that repeats it hides nothing.

        Args:
            text: without any secret.
        """
        if len(text) >= MIN_PART and text not in self._open:
            self._open.append(text)

    def hold(self, name: str, value: str) -> None:
        """Take in a secret that the site has sent to its user; what it was before stays masked.

        Args:
            name: beginning with ``mailed_``.
            value: not empty.
        """
        assert name.startswith(MAILED)
        self._renew(name, value)

    def mask(self, text: str) -> str:
        """Put ``{{secret.NAME}}`` in place of every known secret, in whatever common encoding it stands.

        Raw, URL-, HTML- and JSON-escaped (also several times over), and base64 at any alignment. Secrets of twelve
        characters and more also when every character is escaped, in hex, backwards, in other case, and spread over
        elements or lines; and six characters and more of one that was derived. A literal that is ordinary language, as
        :func:`~simulator.secret_parts.is_ordinary` says, is left alone: it is withheld where it was typed.
        """
        return self.masker.mask(text)

    @property
    def masker(self) -> Masker:
        """What masks its secrets, the one-time code of the moment among them."""
        if self._code is not None and self._moment != int(time.time()) // CODE_SECONDS:
            self._see_code()
        return self._masker

    def _see_code(self) -> None:
        assert self._code is not None
        self._moment = int(time.time()) // CODE_SECONDS
        self._renew(CODE, self._code())

    def names(self) -> tuple[str, ...]:
        """Give the names under which there is a secret: the user's password, and what was revealed or adopted."""
        listed = (PASSWORD, *([CODE] if self._code else []), *self._values)
        return tuple(name for name in dict.fromkeys(listed) if name not in self._unlisted)

    def values(self) -> dict[str, str]:
        """Give a copy of what is masked, by name. For masking in the page; never store or print it."""
        return {name: value for name, value in self._values.items() if name not in self._ordinary}

    def _renew(self, name: str, value: str, parts: Sequence[str] = ()) -> None:
        """Know a secret by its value of this moment, and those of before it still: a page may show one later."""
        before = self._values.get(name)
        if before == value:
            return
        if before is not None:
            old = self._free(name)
            self._unlisted.add(old)
            self._keep(old, before)
        self._keep(name, value, parts)

    def _keep(self, name: str, value: str, parts: Sequence[str] = ()) -> None:
        self._values[name] = value
        self._masker.add(name, value, random=name in self._derived)
        for part in parts:
            if part not in self._values.values():
                at = self._free(f"{name}_part")
                self._unlisted.add(at)
                self._values[at] = part
                self._masker.add(at, part)

    def _free(self, stem: str) -> str:
        """Give a name that nothing has. It says nothing of other secrets: a replay may know more of them, or fewer."""
        return next(name for number in count(1) if (name := f"{stem}_{number}") not in self._values)

    def _derive(self, name: str) -> str:
        message = b"simulator secret 1\0" + self.scope.encode() + b"\0" + name.encode()
        stream = b"".join(hmac.digest(self._key, bytes([block]) + message, "sha256") for block in range(2))
        drawn = iter(stream)
        rest = [_ALPHABET[next(drawn) % len(_ALPHABET)] for _ in range(12 + next(drawn) % 5)]
        for kind in (string.ascii_uppercase, string.digits, _SYMBOLS):
            rest.insert(next(drawn) % (len(rest) + 1), kind[next(drawn) % len(kind)])
        return string.ascii_lowercase[next(drawn) % 26] + "".join(rest)


class Vaults:
    """The vaults of a batch, to mask what any of its identities knows."""

    def __init__(self, vaults: Iterable[Vault] = ()) -> None:
        self._vaults: list[Vault] = []
        self._screen = Screen()
        self._retired = Retired()
        for vault in vaults:
            self.add(vault)

    def add(self, vault: Vault) -> Vault:
        """Include a vault and give it back."""
        self._vaults.append(vault)
        vault.masker.feed(self._screen)
        return vault

    def retire(self, vault: Vault) -> None:
        """Let go of the vault of a user who is done: from now on its secrets are masked where they stand whole.

        To look for pieces and disguises of each of a thousand users would take longer with every user.

        Args:
            vault: of this batch.
        """
        self._vaults = [one for one in self._vaults if one is not vault]
        known = {value for one in self._vaults for value in one.values().values()}
        for name, value in vault.values().items():
            if value not in known:
                self._retired.add(name, value)
        screen = Screen()
        for one in self._vaults:
            one.masker.feed(screen, instead_of=self._screen)
        self._screen = screen

    def mask(self, text: str) -> str:
        """Mask every secret that any vault knows, as :meth:`Vault.mask` does."""
        return self.mask_all((text,))[0]

    def mask_all(self, texts: Sequence[str]) -> Sequence[str]:
        """Mask several texts, with one look for secrets at all of them.

        Returns:
            The texts in their order.
        """
        maskers = [vault.masker for vault in self._vaults]
        texts = self._retired.mask_all(texts)
        if not self._screen.suspects("\0".join(texts)) and self._screen.wholes.isdisjoint(texts):
            return texts
        masked = list(texts)
        for masker in maskers:
            masked = [masker.mask(text) for text in masked]
        return masked
