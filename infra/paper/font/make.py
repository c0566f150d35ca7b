"""Makes NotoSerifSC-Regular.otf, the face of printed papers: python3 make.py NotoSerifCJK-Regular.ttc (needs fonttools).

Kept are all Han characters of the source (GBK, extension A and what it has beyond, which is where rare names are), Latin, Greek,
Cyrillic, and the signs of GBK. What a paper does not need (Korean, vertical writing, features, variants) is left out.
"""

import sys

from fontTools import subset
from fontTools.ttLib import TTCollection

SIMPLIFIED = 2


def of_gbk():
    for first in range(0x81, 0xFF):
        for second in range(0x40, 0xFF):
            try:
                yield ord(bytes([first, second]).decode("gbk"))
            except UnicodeDecodeError:
                pass


def of_blocks():
    for begin, end in [
        (0x0020, 0x017F), (0x2000, 0x206F), (0x2100, 0x21FF), (0x2460, 0x25FF), (0x2610, 0x2612), (0x2713, 0x2714),
        (0x3000, 0x30FF), (0x3200, 0x4DBF), (0x4E00, 0x9FFF), (0xE000, 0xFAFF), (0xFF00, 0xFFEF), (0xFFFD, 0xFFFD),
        (0x20000, 0x3FFFF),
    ]:
        yield from range(begin, end + 1)


font = TTCollection(sys.argv[1]).fonts[SIMPLIFIED]
options = subset.Options()
options.layout_features = []
options.hinting = False
options.glyph_names = False
options.notdef_outline = True
options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
options.drop_tables += ["vhea", "vmtx", "VORG", "BASE", "GSUB", "GPOS", "GDEF", "DSIG"]
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=set(of_gbk()) | set(of_blocks()))
subsetter.subset(font)
font.save("NotoSerifSC-Regular.otf")
