"""Any playbook is what is read from its text, whatever sites and people have written into it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simulator.browser.evidence import Target
from simulator.errors import RecordingError
from simulator.recording.upkeep.playbook import Act, Page, Playbook, Run, Step, Variable
from simulator.recording.upkeep.playbook_text import parse_playbook, playbook_text

TEXT = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.sampled_from(
        [
            *("007", "0x1F", "1_000", "1e3", "12:30:45", "2026-05-04", "null", "~", "yes", "True", ".inf", "=", "<<"),
            *(
                "",
                " ",
                "- a",
                "a: b",
                "{{identity.email}}",
                "#",
                "a #b",
                "'",
                '"',
                "&a",
                "*a",
                "!x",
                "|",
                ">",
                "%",
                "@",
            ),
            *("\n", "a\n  b\n", "\u2028", "\x85", "\x07", "\t", "a\tb", "?", "[", "\ufeff", "\U0001f4da"),
        ]
    ),
)
VALUES = st.recursive(
    TEXT | st.booleans() | st.none() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
PAGES = st.builds(
    Page,
    url=TEXT,
    title=TEXT,
    status=st.integers(0, 599),
    requests=st.lists(st.tuples(TEXT, TEXT, st.integers(0, 599)), max_size=2).map(tuple),
    notes=st.lists(TEXT, max_size=2).map(tuple),
)
ACTS = st.builds(
    Act,
    kind=st.sampled_from(["type", "fill"]),
    value=TEXT,
    was=st.none() | TEXT,
    target=st.builds(Target, tag=TEXT, role=TEXT, name=TEXT, frame=st.lists(TEXT, max_size=2).map(tuple)),
    options=st.fixed_dictionaries(
        {}, optional={"only": st.dictionaries(TEXT, TEXT, max_size=2), "answered": TEXT, "optional": st.booleans()}
    ),
    after=st.none() | PAGES,
)
PLAYBOOKS = st.builds(
    lambda name, steps, variables: Playbook(
        playbook=1, runs=(Run(run=name, number=1, seed="007", site="shop", steps=steps, variables=variables),)
    ),
    TEXT,
    st.lists(st.builds(Step, tool=TEXT, input=st.dictionaries(TEXT, VALUES, max_size=3), result=VALUES,
                       actions=st.lists(ACTS, max_size=2).map(tuple)), max_size=2).map(tuple),
    st.dictionaries(TEXT, st.builds(Variable, kind=st.just("site"), value=TEXT), max_size=2),
)  # fmt: skip


def is_read_again(playbook: Playbook) -> None:
    text = playbook_text(playbook)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "book.yaml"
        file.write_bytes(text.encode())
        read = parse_playbook(file)
    assert read == playbook
    assert playbook_text(read) == text


@settings(max_examples=40)
@given(PLAYBOOKS)
def test_a_playbook_is_what_is_read_from_its_text(playbook: Playbook) -> None:
    is_read_again(playbook)


@example(": 0")
@given(st.from_regex(r"""[-?:,#&*!|>'"%@`\[\]{}][ -~]{0,3}""", fullmatch=True))
def test_a_text_that_begins_as_yaml_does_is_a_text(text: str) -> None:
    after = Page(url=text, requests=((text, text, 0),))
    action = Act(kind="click", target=Target(tag=text), after=after)
    steps = (Step(tool=text, input={text: [text]}, actions=(action,)),)
    is_read_again(Playbook(playbook=1, runs=(Run(run="", number=1, seed="007", site="shop", steps=steps),)))


@pytest.mark.parametrize("page", ["status: {}", "requests: [[GET, /x, {}]]"])
@pytest.mark.parametrize("number", [-1, 1000, 2**63, 10**30])
def test_a_status_that_http_has_not_is_refused_with_its_place(tmp_path: Path, page: str, number: int) -> None:
    file = tmp_path / "book.yaml"
    action = f"{{kind: back, after: {{url: /x, {page.format(number)}}}}}"
    file.write_text(
        "playbook: 1\nruns:\n- {run: a, number: 1, seed: '7', site: shop, steps: [{tool: back, actions: ["
        f"{action}]}}]}}\n"
    )
    with pytest.raises(RecordingError, match=r"book\.yaml:3:\d+: runs\.0\.steps\.0\.actions\.0\.after\."):
        parse_playbook(file)
