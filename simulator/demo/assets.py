"""Style sheet, script and icon: read once, served from memory, addressed by their content."""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


class Asset(NamedTuple):
    """A static file."""

    content: bytes
    media_type: str
    version: str


def asset_url(name: str) -> str:
    """Return the address of a static file, which may be cached for ever."""
    return f"/static/{name}?v={_ASSETS[name].version}"


async def serve_asset(request: Request) -> Response:
    """Answer with a static file."""
    asset = _ASSETS.get(request.path_params["name"])
    if asset is None:
        raise HTTPException(404)
    current = request.query_params.get("v") == asset.version
    lifetime = "public, max-age=31536000, immutable" if current else "public, max-age=300"
    return Response(asset.content, media_type=asset.media_type, headers={"cache-control": lifetime})


def _read(path: Path) -> Asset:
    content = path.read_bytes()
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Asset(content, media_type, hashlib.sha256(content).hexdigest()[:12])


_ASSETS = {path.name: _read(path) for path in (Path(__file__).parent / "static").iterdir() if path.is_file()}

ROUTES = [Route("/static/{name}", serve_asset, methods=["GET"])]
