#!/usr/bin/env python3
"""Makes the font of formulas, crates/web/assets/hypatia-math.woff2, from STIX Two Math.

    npm pack @fontsource/stix-two-math@5.3.0      and unpack it
    pip install fonttools==4.68.0 brotli
    dist/font.py package/files/stix-two-math-latin-400-normal.woff2 crates/web/assets/hypatia-math.woff2

Hinting is left out, which is a third of the file. Radicals are made about as wide as the smallest one: browsers
give every radical the room of the widest, as MathML Core has it, and a small one would have a gap behind it. The
licence allows changes; the font has a name of its own so that nobody takes it for the original.
"""

import sys

from fontTools import subset

WIDTH = 850
VARIANTS = ["uni221A.s1", "uni221A.s2", "uni221A.s3"]
# Parts of which radicals of any height are put together: their stem begins here, what is left of it is the hook.
PARTS = ["uni221A.s4", "uni221A.x", "uni221A.t"]
HOOK, STEM, PART_WIDTH = 86, 849, 1212


def reshape(font, name, place):
    """Moves the points of a glyph sideways."""
    glyph = font["glyf"][name]
    glyph.coordinates = type(glyph.coordinates)([(round(place(x)), y) for x, y in glyph.coordinates])
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (WIDTH, glyph.xMin)


def part(x):
    """The stem keeps its width, the hook is narrowed."""
    by = PART_WIDTH - WIDTH
    return x - by if x >= STEM else HOOK + (x - HOOK) * (STEM - by - HOOK) / (STEM - HOOK)


def main(source, target):
    options = subset.Options(hinting=False, layout_features=["*"], name_IDs=["*"], notdef_outline=True, glyph_names=True)
    font = subset.load_font(source, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=range(0x110000))
    subsetter.subset(font)
    for name in VARIANTS:
        width = font["hmtx"][name][0]
        reshape(font, name, lambda x: x * WIDTH / width)
    for name in PARTS:
        reshape(font, name, part)
    names = font["name"]
    for known in list(names.names):
        text = known.toUnicode().replace("STIX Two Math", "Hypatia Math").replace("STIXTwoMath", "HypatiaMath")
        if known.nameID == 5:
            text += "; no hinting, narrower tall radicals"
        if known.nameID in (1, 3, 4, 5, 6, 16):
            names.setName(text, known.nameID, known.platformID, known.platEncID, known.langID)
    font.flavor = "woff2"
    font.save(target)


if __name__ == "__main__":
    main(*sys.argv[1:3])
