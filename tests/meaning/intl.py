"""Numbers and dates as browsers write them: the Intl of the browser's driver, asked once for many."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright._impl._driver import compute_driver_executable

LOCALES = (
    "az", "bg", "bn", "ca", "cs", "da", "de", "de-AT", "de-CH", "el", "en-US", "en-GB", "en-CA", "en-AU", "en-IN",
    "en-ZA", "es", "es-MX", "es-AR", "et", "eu", "fi", "fil", "fr", "fr-CA", "fr-CH", "gu", "he", "hi", "hr", "hu",
    "hy", "id", "is", "it", "it-CH", "ja", "ka", "ko", "lt", "lv", "mk", "mr", "ms", "nb", "nn", "ne", "nl",
    "nl-BE", "pl", "pt-BR", "pt-PT", "ro", "ru", "sk", "sl", "sr", "sv", "ta", "th", "tr", "uk", "uz", "vi",
    "zh-CN", "zh-TW", "zu", "ar-EG",
)  # fmt: skip
"""Of the languages of personas, those whose dates are of the Gregorian calendar, or Thailand's years. Two
months of Irish are called by two words, and not read."""
OTHER_CALENDARS = ("fa-IR", "ar-SA-u-ca-islamic", "en-US-u-ca-persian")

Job = tuple[str, str, dict[str, Any], Any]


def written(jobs: Sequence[Job]) -> list[Any]:
    """Give how a browser writes each value."""
    node = compute_driver_executable()[0]
    script = str(Path(__file__).with_name("intl.js"))
    done = subprocess.run([node, script], input=json.dumps(jobs), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
