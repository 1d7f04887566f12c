"""Between the viewport and its picture: sizes, and points there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.tools.compat.computer.screen import LONG_EDGE, PIXELS, Region, Screen, Size

sizes = st.builds(Screen.of, st.integers(200, 10_000), st.integers(200, 10_000))


@pytest.mark.parametrize(
    ("real", "seen"),
    [
        ((1280, 800), (1280, 800)),
        ((1366, 768), (1366, 768)),
        ((1920, 1080), (1429, 804)),
        ((2560, 1440), (1429, 804)),
        ((3000, 400), (1568, 209)),
        ((390, 844), (390, 844)),
    ],
)
def test_the_size_that_is_shown(real: tuple[int, int], seen: tuple[int, int]) -> None:
    assert Screen.of(*real) == Screen(Size(*real), Size(*seen))


@given(screen=sizes)
def test_a_picture_is_never_too_large_and_never_enlarged(screen: Screen) -> None:
    assert max(screen.seen) <= LONG_EDGE
    assert screen.seen.width * screen.seen.height <= PIXELS
    assert screen.seen.width <= screen.real.width
    assert screen.seen.height <= screen.real.height


@given(screen=sizes, data=st.data())
def test_a_pixel_comes_back_as_itself(screen: Screen, data: st.DataObject) -> None:
    x = data.draw(st.integers(0, screen.seen.width - 1))
    y = data.draw(st.integers(0, screen.seen.height - 1))
    there = screen.to_page(x, y)
    assert 0 < there[0] < screen.real.width
    assert 0 < there[1] < screen.real.height
    assert screen.to_seen(*there) == (x, y)


@given(screen=sizes, data=st.data())
def test_a_point_comes_back_within_half_a_pixel_of_the_picture(screen: Screen, data: st.DataObject) -> None:
    x = data.draw(st.floats(0, screen.real.width, exclude_max=True))
    y = data.draw(st.floats(0, screen.real.height, exclude_max=True))
    seen = screen.to_seen(x, y)
    assert screen.holds(*seen)
    back = screen.to_page(*seen)
    assert abs(back[0] - x) <= 0.5 * screen.real.width / screen.seen.width + 1e-6
    assert abs(back[1] - y) <= 0.5 * screen.real.height / screen.seen.height + 1e-6


@given(screen=sizes, x=st.floats(-1e6, 1e6), y=st.floats(-1e6, 1e6))
def test_no_point_is_outside_of_the_picture(screen: Screen, x: float, y: float) -> None:
    assert screen.holds(*screen.to_seen(x, y))


@given(screen=sizes, data=st.data())
def test_what_is_enlarged_keeps_its_proportions_and_fills_one_side(screen: Screen, data: st.DataObject) -> None:
    x0 = data.draw(st.integers(0, screen.seen.width - 1))
    y0 = data.draw(st.integers(0, screen.seen.height - 1))
    x1 = data.draw(st.integers(x0 + 1, screen.seen.width))
    y1 = data.draw(st.integers(y0 + 1, screen.seen.height))
    region = screen.region(x0, y0, x1, y1)
    size = screen.enlarged(region)
    assert size.width <= screen.seen.width
    assert size.height <= screen.seen.height
    assert size.width == screen.seen.width or size.height == screen.seen.height


def test_a_region_is_the_same_part_of_the_page() -> None:
    screen = Screen(Size(2000, 1000), Size(1000, 500))
    assert screen.region(100, 50, 300, 150) == Region(200, 100, 600, 300)
    assert screen.enlarged(screen.region(100, 50, 300, 150)) == (1000, 500)
