"""Bodies in parts are put together byte for byte, or are not taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.browser.wire.bodies import Part, boundary_of, join, lines_of_form, split

BOUNDARY = "----WebKitFormBoundaryVdY8lqaoq65vAPxx"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"
FORM = "application/x-www-form-urlencoded;charset=UTF-8"
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="%"), max_size=20)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
media_types = st.sampled_from(["image/png", "application/octet-stream"])
fields = st.builds(Part, names, texts)
files = st.builds(Part, names, filename=names, media_type=media_types, data=st.binary(max_size=200))


@given(st.lists(fields | files, min_size=1))
def test_multipart_comes_back(parts: list[Part]) -> None:
    assert split(MULTIPART, join(MULTIPART, parts)) == tuple(parts)


@given(st.lists(fields, min_size=1))
def test_pairs_come_back(parts: list[Part]) -> None:
    assert split(FORM, join(FORM, parts)) == tuple(parts)


@given(st.binary(max_size=300), st.sampled_from([MULTIPART, FORM]))
def test_anything_else_stays_whole(data: bytes, content_type: str) -> None:
    parts = split(content_type, data)
    assert parts is None or join(content_type, parts) == data


@pytest.mark.parametrize(
    ("content_type", "data"),
    [
        (FORM, b"a&b=1"),
        (FORM, b"a=%7e"),
        (FORM, b"a=%zz"),
        ("application/json", b"{}"),
        (MULTIPART, b""),
        (MULTIPART, f"--{BOUNDARY}\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--{BOUNDARY}--\r\n".encode()),
        (MULTIPART, f"--{BOUNDARY}\r\nX: y\r\n\r\n1\r\n--{BOUNDARY}--\r\n".encode()),
        (MULTIPART, f"--{BOUNDARY}--\r\n".encode() * 2),
    ],
)
def test_what_would_be_put_together_otherwise_is_not_taken_apart(content_type: str, data: bytes) -> None:
    assert split(content_type, data) is None


def test_what_a_browser_sends() -> None:
    assert join(FORM, [Part("a b", "ü*-._~&="), Part("", "")]) == b"a+b=%C3%BC*-._%7E%26%3D&="
    assert join(MULTIPART, [Part('q"\n', "1")]).startswith(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="q%22%0A"\r\n\r\n1\r\n'.encode()
    )
    assert lines_of_form("a\nb\r\nc\rd") == "a\r\nb\r\nc\r\nd"
    assert boundary_of('multipart/form-data; charset=utf-8; boundary="x y"') == "x y"
    assert boundary_of("text/plain; boundary=x") == ""


def test_a_file_whose_bytes_are_elsewhere_is_as_long_as_it_is() -> None:
    known = Part("f", filename="a.png", media_type="image/png", data=b"12345")
    elsewhere = Part("f", filename="a.png", media_type="image/png", data=None, size=5, sha256="…")
    assert len(join(MULTIPART, [known])) == len(join(MULTIPART, [elsewhere]))
