"""What a site generates is told alike by the program and by its script in the page: one list, asked in both."""

from __future__ import annotations

import json
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import Any

import pytest

from simulator.browser.find import Find
from simulator.browser.launch.determinism import Stillness
from simulator.browser.launch.pool import ContextProfile
from simulator.browser.launch.script import page_script
from simulator.canonical import EVIDENCE, is_generated, masked, page_patterns, url_shape
from simulator.replay.evidence.resolve import compile_query

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAMES = [
    "getHTTPResponseCode",
    "XMLHttpRequestUpload",
    "saveHTTPSettingsForm",
    "deleteHTTPSettingsForm",
    "internationalization",
    "incomprehensibilities",
    "Donaudampfschifffahrtsgesellschaft",
    "AccountSettingsOverview",
    "FAQAndContactInformation",
    "CSSStyleSheetLoader",
    "IOSAppDownloadPage",
    "USAShippingRates",
    "TermsAndConditionsOfUse",
    "OAuthCallbackHandler",
    "OpenIDConnectDiscovery",
    "JQueryUIWidgets",
    "PDFDownloadCenter",
    "WPContentUploads",
    "ASPNetMVCControllers",
    "QuestionsAndAnswersForNewUsers",
    "HowToUseThisWebSite",
    "MacOSXServerDownload",
    "McDonaldsUKMenuCard",
    "strengthsAndWeaknesses",
    "WelcomeToTheUNHCRPage",
    "HTMLToPDFConverter",
    "REPORTSOVERVIEWALL",
    "Privacy-and-Conditions",
    "second-hand-books",
    "rhythmsOfTheNight",
    "Chapter-2-The-Long-Road",
    "The-Hobbit-1937-edition",
    "Star_Wars_Episode_4",
    "Windows-11-Installation",
    "uploadStep2ImageForm",
    "Release-Notes-2024-11",
    "Schritt2Zahlungsdaten",
    "Summer-Sale-2024-Shoes",
    "Lord_of_the_Rings_1",
    "Form1040InstructionsPage",
    "Covid19VaccinationCentre",
    "MicrosoftOffice365Login",
    "Fall2023CourseCatalog",
    "v2",
    "page2",
    "top-ten",
    "deadbeef",
    "v1beta2release3candidate",
    "covid19vaccine2021update3",
    "step1of3uploadform",
    "mp3tomp4converter2025",
    "form1040instructions2024page",
    "chapter1section2paragraph3",
    "édition",
]
TOKENS = {
    "22 letters": (ascii_letters, 22),
    "16 letters": (ascii_letters, 16),
    "letters and digits": (ascii_letters + digits, 21),
    "url-safe base64": (ascii_letters + digits + "-_", 22),
    "lower case": (ascii_lowercase + digits, 24),
    "base 32": (digits + ascii_lowercase[:22], 26),
    "ulid": (ascii_uppercase + digits, 26),
    "sha": ("abcdef" + digits, 40),
}


def tokens(kind: str) -> list[str]:
    random, (alphabet, length) = Random(kind), TOKENS[kind]
    return ["".join(random.choices(alphabet, k=length)) for _ in range(200)]


async def in_the_page(stage: Any, segments: list[str]) -> list[str]:
    script = "parts => parts.map((part) => __sim.shapeOf('/x/' + part).slice(3))"
    found: list[str] = await stage.actor.page.evaluate(script, segments)
    return found


async def test_both_tell_the_same_of_every_segment(stage: Any, site: Any) -> None:
    await stage.show(site, "")
    random = Random("noise")
    noise = ["".join(random.choices(ascii_letters + digits + "-_", k=random.randrange(1, 30))) for _ in range(300)]
    numbered = [
        f"{random.choice(ascii_lowercase)}{word}-{number}" for number, word in enumerate(("dit", "et", "", "x"))
    ]
    generated = [token for kind in TOKENS for token in tokens(kind)]
    segments = [
        *(name for name in NAMES if name.isascii()),
        *noise,
        *numbered,
        *generated,
        "0",
        "save-42",
        "a1b2c3d4e5f6",
    ]
    assert await in_the_page(stage, segments) == [masked(segment) for segment in segments]
    assert await in_the_page(stage, segments) == [url_shape(f"/x/{segment}")[3:] for segment in segments]


@pytest.mark.parametrize(
    ("kind", "at_least"),
    [
        ("22 letters", 180),
        ("16 letters", 165),
        ("letters and digits", 194),
        ("url-safe base64", 190),
        ("lower case", 190),
        ("base 32", 194),
        ("ulid", 199),
        ("sha", 200),
    ],
)
async def test_tokens_are_known(kind: str, at_least: int) -> None:
    assert sum(map(is_generated, tokens(kind))) >= at_least


@pytest.mark.parametrize("name", NAMES)
async def test_words_names_and_slugs_are_not_minted(name: str) -> None:
    assert not is_generated(name)


async def test_what_a_number_is_for_stays_in_a_shape() -> None:
    assert url_shape("/items/delete-42") != url_shape("/items/save-42")
    assert url_shape("/items/save-42") == url_shape("/items/save-7")


@pytest.mark.parametrize("start", ["aB", "abc", "Abcde1-", "Abc-", "aB1_", "ABCDE", "a1"])
async def test_no_segment_takes_long(start: str) -> None:
    """The patterns are read without going back over what was read: a page may show any address."""
    for version in range(1, EVIDENCE + 1):
        assert not is_generated(start * 5_000 + "!", version)


async def test_a_page_of_an_older_recording_is_compared_by_the_older_patterns(stage: Any, site: Any, pool: Any) -> None:
    token = "mAcyKXNnJrKqvyxHpQdWzT"
    body = f"<form method=post action=/items/{token}/save-42><button>Save</button></form>"
    site.page("/", body)
    await stage.actor.navigation.goto("/")
    now = await stage.actor.resolver.take(Find("css", "button"))
    assert (now.version, now.form) == (EVIDENCE, "post /items/{id}/save-{id}")
    async with pool.context(ContextProfile(), still=Stillness(evidence=1)) as context:
        page = await context.new_page()
        await page.goto(site.url)
        told = await page.evaluate("() => __sim.describe(document.querySelector('button'))")
        assert (told["version"], told["form"]) == (1, f"post /items/{token}/{{id}}")
        older = stage.actor.writer.evidence(now.model_validate(told))
        query = compile_query(older, str).model_dump(exclude_defaults=True)
        assert (await page.evaluate("query => __sim.explain(query)", query))["admitted"] == 1


async def test_the_page_has_no_patterns_of_its_own() -> None:
    for version in range(1, EVIDENCE + 1):
        assert json.dumps(page_patterns(version)) in page_script("http://127.0.0.1", evidence=version)
    with pytest.raises(ValueError, match=f"evidence of version {EVIDENCE + 1} is not known"):
        page_script("http://127.0.0.1", evidence=EVIDENCE + 1)
