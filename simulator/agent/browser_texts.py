"""What the SDK's browser toolset lets through, and how its members say what our tools answer: as text, in lines.

Not responsible for: any member.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path

from anthropic.tools.browser import (
    BetaScreenshotResult,
    BetaURLContext,
    UploadRefusedError,
    URLRefusedError,
    beta_check_upload_path,
)
from anthropic.types.beta import BetaBrowserRefTarget
from pydantic import JsonValue

from simulator.addresses import urlsplit
from simulator.config import Site
from simulator.tools.contracts import ToolResult


class Addresses:
    """Addresses as a model writes them.

    Args:
        site: where the users act.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    def check(self, context: BetaURLContext, url: str) -> None:
        """Let an address through that users may visit.

        Raises:
            URLRefusedError: they may not.
        """
        address = self.read(url)
        if not address.startswith("/") and not self._allows(address):
            raise URLRefusedError(f"'{url}' is not on this site; only {self._site.origin} may be visited")

    def read(self, url: str) -> str:
        """Give the address that is meant: https where no scheme is named, but the site's own for the site itself."""
        url = url.strip()
        if url.startswith("/") or "://" in url:
            return url
        own = urlsplit(self._site.origin)
        host = url.partition("/")[0].lower()
        return f"{own.scheme if host == own.netloc else 'https'}://{url}"

    def absolute(self, url: str) -> str:
        """Give the full address of a page."""
        return self._site.origin + url if url.startswith("/") else url

    def _allows(self, address: str) -> bool:
        try:
            return self._site.allows(address)
        except ValueError:
            return False


class RunFolder:
    """Lets files of one folder be uploaded, by their names in it, and nothing else.

    Args:
        folder: the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def resolve_upload_paths(self, context: BetaURLContext, paths: Sequence[str]) -> list[str]:
        """Give the files, none of which lies outside."""
        return [beta_check_upload_path(self._folder / path, [self._folder]) for path in paths]

    def resolve_upload_documents(self, context: BetaURLContext, document_ids: Sequence[str]) -> list[str]:
        """Refuse what is stored elsewhere."""
        raise UploadRefusedError("only files of the run's own folder can be uploaded: name them in paths")

    def is_path_visible(self, path: str) -> bool:
        """Show no paths of this machine."""
        return False


def ref_of(given: str) -> str:
    """Read a reference, however a model writes it."""
    return given.strip().removeprefix("[").removesuffix("]").removeprefix("ref=")


def selector_of(target: BetaBrowserRefTarget) -> str:
    """Give the selector of an element."""
    return f"ref={ref_of(target.ref)}"


def dicts_of(data: JsonValue) -> list[dict[str, JsonValue]]:
    """Take the objects out of a list."""
    return [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []


def lines_of(data: JsonValue) -> str:
    """Write a list as lines."""
    return "\n".join(map(str, data)) if isinstance(data, list) else str(data or "")


def match_line(match: Mapping[str, JsonValue]) -> str:
    """Write an element that was found as a line."""
    line = f'{match.get("role") or "element"} "{match.get("name", "")}" [ref={match.get("ref")}]'
    line += f" -> {match['href']}" if match.get("href") else ""
    near = match.get("near")
    return line + (f" (near: {'; '.join(map(str, near))})" if isinstance(near, list) else "")


def page_of(result: ToolResult) -> Mapping[str, JsonValue]:
    """Take the page out of an answer."""
    data = result.data if isinstance(result.data, dict) else {}
    page = data.get("page", data)
    return page if isinstance(page, dict) else {}


def picture_of(result: ToolResult) -> BetaScreenshotResult:
    """Take the picture out of an answer."""
    (image,) = result.images
    return BetaScreenshotResult(data=base64.b64encode(image.data).decode(), media_type=image.media_type)
