"""The designs of drawn covers, each a function that fills a face. Not responsible for: which book gets which."""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import Image, ImageDraw

from simulator.packs.bookshop.covers.face import Face, H, W
from simulator.packs.bookshop.covers.ornaments import leaf, mix, overprint, plate, ridge, rosette, sky, star, wedge


def bands(face: Face) -> None:
    """A paperback of the thirties: two bands of colour, the title between them, a mark below."""
    paper, ink, ground, first, second = face.palette
    colour = face.chance.choice((ground, first))
    face.draw.rectangle((0, 0, W, 380), fill=colour)
    face.draw.rectangle((0, H - 380, W, H), fill=colour)
    face.draw.ellipse((W // 2 - 210, 110, W // 2 + 210, 270), fill=paper)
    face.draw.ellipse((W // 2 - 196, 122, W // 2 + 196, 258), outline=ink, width=4)
    for offset in (-90, 0, 90):
        star(face.draw, (W // 2 + offset, 190), 34 if offset == 0 else 20, ink)
    if face.title is None:
        rosette(face, (W // 2, H // 2), 170, first, second)
    face.letter((70, 410, W - 70, H - 410), ink, capitals=True, largest=92, rule=True)
    rosette(face, (W // 2, H - 190), 92, paper, colour)


def cloth(face: Face) -> None:
    """A Victorian cloth binding: gilt frames, corner ornaments and a medallion."""
    gilt = (214, 178, 104)
    face.fill(face.palette.ground)
    for step in range(0, W, 8):
        face.draw.line((step, 0, step, H), fill=tuple(max(c - 7, 0) for c in face.palette.ground), width=2)
    for inset, width in ((44, 8), (64, 3), (118, 3)):
        face.draw.rectangle((inset, inset, W - inset, H - inset), outline=gilt, width=width)
    for x in (91, W - 91):
        for y in (91, H - 91):
            face.draw.rectangle((x - 24, y - 24, x + 24, y + 24), fill=face.palette.ground, outline=gilt, width=3)
            star(face.draw, (x, y), 18, gilt)
    centre = H // 2 if face.title is None else 850
    for radius, width in ((170, 5), (154, 2)):
        face.draw.ellipse(
            (W // 2 - radius, centre - radius, W // 2 + radius, centre + radius), outline=gilt, width=width
        )
    rosette(face, (W // 2, centre), 140, gilt, face.palette.ground)
    face.letter((160, 170, W - 160, 640), gilt, capitals=True, largest=88, rule=True)


def rays(face: Face) -> None:
    """A rising sun that sends its rays over the whole face."""
    paper, ink, ground, first, second = face.palette
    face.fill(second)
    centre = (W // 2, 830)
    count = face.chance.choice((14, 18, 22))
    for number in range(count):
        turn = 2 * math.pi / count
        wedge(face.draw, centre, 1500, number * turn, (number + 0.5) * turn, first)
    face.draw.ellipse((centre[0] - 210, centre[1] - 210, centre[0] + 210, centre[1] + 210), fill=paper)
    face.draw.ellipse((centre[0] - 180, centre[1] - 180, centre[0] + 180, centre[1] + 180), fill=first)
    face.draw.polygon(ridge(face.chance, 900, 50, 5), fill=ground)
    face.draw.polygon(ridge(face.chance, 1010, 40, 7), fill=ink)
    if face.title is not None:
        face.draw.rectangle((60, 70, W - 60, 500), fill=paper)
        face.draw.rectangle((76, 86, W - 76, 484), outline=ink, width=4)
    face.letter((110, 105, W - 110, 465), ink, author=first, largest=96, capitals=True)


def hills(face: Face) -> None:
    """Ridges behind ridges under a low sun."""
    paper, ink, ground, first, second = face.palette
    face.fill(mix(paper, second, 0.45))
    x, y = face.chance.randint(180, 620), face.chance.randint(560, 640)
    face.draw.ellipse((x - 120, y - 120, x + 120, y + 120), fill=first)
    for step in range(5):
        colour = mix(mix(paper, second, 0.6), ground, step / 4)
        face.draw.polygon(ridge(face.chance, 640 + 120 * step, 70 - 6 * step, 3 + step), fill=colour)
    face.letter((70, 80, W - 70, 520), ink, author=ground, largest=108, weight=0.03)


def waves(face: Face) -> None:
    """Rows of overlapping scales, as on patterned paper, with a label."""
    paper, _ink, ground, first, second = face.palette
    face.fill(ground)
    size = face.chance.choice((100, 134, 160))
    rows = H // (size // 2) + 3
    for row in range(rows):
        y = row * size // 2
        for column in range(-1, W // size + 2):
            x = column * size + (size // 2 if row % 2 else 0)
            for part, colour in ((1.0, paper), (0.9, (ground, first)[row % 2]), (0.62, second), (0.38, ground)):
                r = size * part / 2
                face.draw.ellipse((x + size / 2 - r, y - r, x + size / 2 + r, y + r), fill=colour)
    plate(face, 330, 820)


def leaves(face: Face) -> None:
    """A branch with leaves that grows around the title."""
    _paper, ink, ground, first, second = face.palette
    for x, lean in ((96, 1), (W - 96, -1)):
        face.draw.line((x, 60, x, H - 60), fill=ground, width=8)
        for number, y in enumerate(range(120, H - 100, 92)):
            colour = (ground, first, ground, second)[number % 4]
            for side in (-1, 1):
                leaf(face.draw, (x, y + (30 if side == lean else 0)), side * 1.05 - math.pi / 2, 86, colour)
    if face.title is None:
        rosette(face, (W // 2, H // 2), 190, first, ground)
    for y in (150, H - 150):
        face.draw.rectangle((220, y - 3, W - 220, y + 3), fill=ink)
    face.letter((205, 190, W - 205, H - 190), ink, author=first, largest=100, weight=0.015, rule=True)


def circles(face: Face) -> None:
    """The fifties: discs that overlap as inks do in print, the title set flush left."""
    _paper, ink, ground, first, second = face.palette
    shapes = face.chance.sample(((250, 300), (520, 260), (390, 500), (200, 560), (590, 540)), 4)
    for (x, y), colour in zip(shapes, (second, first, ground, first), strict=True):
        r = face.chance.choice((130, 170, 210))
        disc = Image.new("RGB", (2 * r, 2 * r), (255, 255, 255))
        ImageDraw.Draw(disc).ellipse((0, 0, 2 * r, 2 * r), fill=colour)
        overprint(face.picture, disc, (x - r, y - r))
    for number in range(3):
        y = 730 + 14 * number
        face.draw.rectangle((80, y, W - 80, y + 3), fill=ink)
    face.letter((80, 790, W - 80, H - 70), ink, author=first, align="left", largest=100, weight=0.035)


def tiles(face: Face) -> None:
    """A field of quarter circles and triangles, turned by chance, with a label."""
    paper, _ink, ground, first, second = face.palette
    size = face.chance.choice((100, 134, 160))
    colours = (paper, ground, first, second)
    for top in range(0, H, size):
        for left in range(0, W, size):
            back, front = face.chance.sample(colours, 2)
            box = (left, top, left + size, top + size)
            face.draw.rectangle(box, fill=back)
            kind, turn = face.chance.randrange(3), face.chance.randrange(4)
            corners = [(left, top), (left + size, top), (left + size, top + size), (left, top + size)]
            if kind == 0:
                face.draw.polygon([corners[turn], corners[(turn + 1) % 4], corners[(turn + 2) % 4]], fill=front)
            else:
                x, y = corners[turn]
                r = size if kind == 1 else size // 2
                start = (0, 90, 180, 270)[turn]
                face.draw.pieslice((x - r, y - r, x + r, y + r), start, start + 90, fill=front)
    plate(face, 380, 800)


def stairs(face: Face) -> None:
    """Steps of colour that climb across the face."""
    paper, ink, ground, first, second = face.palette
    face.fill(ground)
    count = face.chance.choice((6, 7, 8))
    step = 640 // count
    for number in range(count):
        colour = mix(second, first, number / (count - 1))
        left, top = number * W // count, H - (number + 1) * step
        face.draw.rectangle((left, top, W, H), fill=colour)
        face.draw.rectangle((left, top, W, top + 6), fill=paper)
    x = face.chance.randrange(count - 2) * W // count + W // count // 2
    y = H - (x * count // W + 1) * step
    face.draw.rectangle((x - 12, y - 96, x + 12, y), fill=ink)
    face.draw.ellipse((x - 17, y - 132, x + 17, y - 98), fill=ink)
    face.letter((70, 70, W - 70, 520), paper, author=second, align="left", largest=108, weight=0.03)


def city(face: Face) -> None:
    """Roofs and lit windows in front of an evening sky."""
    paper, ink, ground, first, second = face.palette
    sky(face, mix(ground, ink, 0.35), first)
    x = 0
    for layer, (colour, low) in enumerate(((mix(ground, ink, 0.55), 620), (ink, 800))):
        x = -20
        while x < W:
            width, top = face.chance.randrange(70, 150, 10), low + face.chance.randrange(0, 220, 10)
            face.draw.rectangle((x, top, x + width, H), fill=colour)
            if face.chance.random() < 0.4:
                face.draw.polygon([(x, top), (x + width // 2, top - 60), (x + width, top)], fill=colour)
            for window in range(top + 30, H - 40, 46):
                for place in range(x + 18, x + width - 24, 36):
                    if face.chance.random() < (0.14, 0.3)[layer]:
                        face.draw.rectangle((place, window, place + 14, window + 22), fill=second)
            x += width + face.chance.choice((0, 0, 14))
    face.letter((70, 80, W - 70, 540), paper, author=second, largest=108, capitals=True, weight=0.03)


def night(face: Face) -> None:
    """One street lamp, its cone of light, and someone under it."""
    paper, ink, _ground, first, second = face.palette
    face.fill(mix(ink, (8, 8, 12), 0.35))
    x = face.chance.choice((230, 400, 570))
    face.draw.polygon([(x - 16, 560), (x + 16, 560), (x + 250, H - 90), (x - 250, H - 90)], fill=second)
    face.draw.ellipse((x - 250, H - 140, x + 250, H - 40), fill=second)
    face.draw.rectangle((x - 7, 520, x + 7, H - 90), fill=ink)
    face.draw.polygon([(x - 56, 560), (x + 56, 560), (x + 24, 510), (x - 24, 510)], fill=first)
    man = x + face.chance.choice((-110, 110))
    base = H - 86
    face.draw.polygon([(man - 44, base), (man + 44, base), (man + 30, base - 190), (man - 30, base - 190)], fill=ink)
    face.draw.ellipse((man - 25, base - 244, man + 25, base - 190), fill=ink)
    face.draw.rectangle((man - 48, base - 234, man + 48, base - 224), fill=ink)
    face.draw.rectangle((man - 27, base - 268, man + 27, base - 228), fill=ink)
    face.draw.rectangle((0, 0, W, 22), fill=first)
    face.draw.rectangle((0, H - 22, W, H), fill=first)
    face.letter((60, 70, W - 60, 480), second, author=paper, largest=112, capitals=True, weight=0.035)


def moon(face: Face) -> None:
    """A full moon behind a bare hill with a house on it."""
    paper, ink, ground, first, second = face.palette
    sky(face, mix(ink, ground, 0.25), ground)
    x = face.chance.randint(260, 540)
    for radius, part in ((300, 0.15), (250, 0.3), (200, 1.0)):
        colour = mix(ground, paper, part)
        face.draw.ellipse((x - radius, 740 - radius, x + radius, 740 + radius), fill=colour)
    face.draw.polygon(ridge(face.chance, 1000, 90, 3), fill=ink)
    house = x + face.chance.choice((-70, 0, 70))
    face.draw.rectangle((house - 60, 800, house + 60, 1040), fill=ink)
    face.draw.polygon([(house - 80, 804), (house, 700), (house + 80, 804)], fill=ink)
    face.draw.rectangle((house + 34, 690, house + 56, 790), fill=ink)
    for dx, dy in ((-34, 840), (10, 840), (-34, 900)):
        face.draw.rectangle((house + dx, dy, house + dx + 24, dy + 34), fill=first)
    face.letter((60, 60, W - 60, 440), paper, author=second, largest=108, weight=0.02)


def woods(face: Face) -> None:
    """Firs in three depths."""
    paper, ink, ground, first, second = face.palette
    face.fill(mix(paper, second, 0.3))
    face.draw.ellipse((W // 2 - 150, 470, W // 2 + 150, 770), fill=mix(paper, first, 0.75))
    for depth in range(3):
        colour = mix(mix(paper, ground, 0.45), mix(ground, ink, 0.5), depth / 2)
        base = 860 + 170 * depth
        for x in range(-40, W + 60, 74 + 24 * depth):
            tall = face.chance.randint(180, 300) + 50 * depth
            for part in range(3):
                top, wide = base - tall + part * tall // 4, (34 + 16 * depth) * (part + 2) // 3
                face.draw.polygon([(x, top), (x - wide, top + tall // 2), (x + wide, top + tall // 2)], fill=colour)
        face.draw.rectangle((0, base - 60, W, H), fill=colour)
    face.letter((70, 60, W - 70, 450), ink, author=first, largest=104, weight=0.025)


def orbit(face: Face) -> None:
    """A planet with rings, its paths, and stars."""
    paper, ink, ground, first, second = face.palette
    sky(face, mix(ink, (6, 8, 20), 0.4), ground)
    for _ in range(70):
        x, y, r = face.chance.randrange(W), face.chance.randrange(H), face.chance.choice((1, 2, 2, 3))
        face.draw.ellipse((x - r, y - r, x + r, y + r), fill=paper)
    x, y = 400, 800
    for radius in (360, 300, 235):
        face.draw.ellipse((x - radius, y - radius // 2, x + radius, y + radius // 2), outline=second, width=4)
    face.draw.ellipse((x - 170, y - 170, x + 170, y + 170), fill=first)
    face.draw.chord((x - 170, y - 170, x + 170, y + 170), 40, 200, fill=mix(first, ink, 0.35))
    for radius in (300, 235):
        face.draw.arc((x - radius, y - radius // 2, x + radius, y + radius // 2), 8, 172, fill=second, width=6)
    angle = face.chance.uniform(0.2, 2.8)
    mx, my = x + 360 * math.cos(angle), y + 180 * math.sin(angle)
    face.draw.ellipse((mx - 34, my - 34, mx + 34, my + 34), fill=paper)
    face.letter((60, 80, W - 60, 520), paper, author=second, largest=112, capitals=True, weight=0.03)


LAYOUTS: dict[str, Callable[[Face], None]] = {
    layout.__name__: layout
    for layout in (
        bands,
        cloth,
        rays,
        hills,
        waves,
        leaves,
        circles,
        tiles,
        stairs,
        city,
        night,
        moon,
        woods,
        orbit,
    )
}
