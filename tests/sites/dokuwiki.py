"""DokuWiki, a wiki in PHP that keeps all in files, installed from Debian into a folder and served on loopback."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.ports import port_of_nobody
from tests.sites.packages import debian_package
from tests.sites.programs import program

PACKAGE = "dokuwiki"
ADMIN, PASSWORD = "keeper", "Rosebud-91-of-the-lake"
_PATHS = """<?php
define('DOKU_INC', '{wiki}/');
define('DOKU_MAIN_CONF', '{wiki}/conf/');
define('DOKU_CONF', '{wiki}/conf/');
define('DOKU_LOCAL', '{wiki}/conf/');
"""
_SETTINGS = """<?php
$conf['title'] = 'Wiki of walks';
$conf['useacl'] = 1;
$conf['autopasswd'] = 0;
$conf['superuser'] = '@admin';
$conf['securecookie'] = 0;
$conf['usedraft'] = 0;
$conf['savedir'] = '{wiki}/data';
"""
_RULES = "# rules\n*\t@ALL\t1\n*\t@user\t8\n"
_PAGES = {
    "start": "====== Walks ======\n\nAll walks of this wiki.\n",
    "hills": "====== Hills ======\n\nThree of them.\n",
}


@dataclass(frozen=True)
class DokuWiki:
    """An installed wiki."""

    folder: Path
    port: int

    @classmethod
    def install(cls, folder: Path) -> DokuWiki:
        """Install it, and keep its folder as it is with one administrator and two pages."""
        debian_package(folder / "package", PACKAGE)
        made = cls(folder, port_of_nobody())
        package, wiki = folder / "package", made.wiki
        shutil.copytree(package / "usr/share/dokuwiki", wiki, symlinks=True)
        for name in ("lib/plugins", "lib/tpl"):
            (wiki / name).unlink()
            shutil.copytree(package / "var/lib/dokuwiki" / name, wiki / name)
        shutil.copytree(package / "var/lib/dokuwiki/data", wiki / "data")
        shutil.copytree(package / "etc/dokuwiki", wiki / "conf", symlinks=True)
        for name, text in (
            ("local.php", _SETTINGS.format(wiki=wiki)),
            ("acl.auth.php", _RULES),
            ("users.auth.php", f"# users\n{ADMIN}:{_hashed(PASSWORD)}:Keeper:keeper@example.org:admin,user\n"),
        ):
            (wiki / "conf" / name).unlink(missing_ok=True)
            (wiki / "conf" / name).write_text(text, "utf-8")
        for name, text in _PAGES.items():
            (wiki / "data" / "pages" / f"{name}.txt").write_text(text, "utf-8")
        (folder / "paths.php").write_text(_PATHS.format(wiki=wiki), "utf-8")
        for name in ("data", "conf"):
            shutil.copytree(wiki / name, folder / "pristine" / name)
        return made

    def reset(self) -> None:
        """Throw away what was added: the wiki has nothing but its files."""
        for name in ("data", "conf"):
            shutil.rmtree(self.wiki / name)
            shutil.copytree(self.folder / "pristine" / name, self.wiki / name)

    @property
    def wiki(self) -> Path:
        return self.folder / "wiki"

    def state(self) -> dict[str, list[dict[str, Any]]]:
        """Give what its files hold: pages, what was said of their changes, files, users without passwords, rules."""
        data, conf = self.wiki / "data", self.wiki / "conf"
        changes = [(one, line.split("\t")) for one in sorted(data.glob("meta/**/*.changes")) for line in _lines(one)]
        users = [line.split(":") for line in _lines(conf / "users.auth.php")]
        return {
            "page": [
                {"id": str(one.relative_to(data / "pages")), "text": one.read_text("utf-8")}
                for one in sorted(data.glob("pages/**/*.txt"))
            ],
            "change": [
                {"page": cells[3], "kind": cells[2], "user": cells[4], "said": cells[5]}
                for one, cells in changes
                if not one.name.startswith("_")
            ],
            "file": [
                {"id": str(one.relative_to(data / "media")), "sha256": hashlib.sha256(one.read_bytes()).hexdigest()}
                for one in sorted(data.glob("media/**/*.*"))
            ],
            "user": [{"login": cells[0], "name": cells[2], "mail": cells[3], "groups": cells[4]} for cells in users],
            "rule": [
                dict(zip(("page", "who", "level"), line.split("\t"), strict=True))
                for line in _lines(conf / "acl.auth.php")
            ],
        }

    def served(self) -> AbstractContextManager[str]:
        """Serve it; gives its address."""
        address = f"127.0.0.1:{self.port}"
        command = [_php(), "-d", f"auto_prepend_file={self.folder / 'paths.php'}", "-S", address, "-t", str(self.wiki)]
        return program(command, f"http://{address}", "/doku.php")


def _php() -> str:
    php = shutil.which("php")
    assert php, "php is needed to run the wiki"
    return php


def _lines(file: Path) -> list[str]:
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [line for line in lines if line and not line.startswith(("#", "<?"))]


def _hashed(password: str) -> str:
    code = "echo password_hash($argv[1], PASSWORD_BCRYPT);"
    return subprocess.run([_php(), "-r", code, password], check=True, capture_output=True, text=True).stdout
