"""Letters that look like a Latin letter, and the letter they look like: a table after UTS #39's confusables.

Knows the scripts that are used to imitate Latin words (Cyrillic, Greek, Armenian, Cherokee, Lisu, small capitals, squared
and regional letters). Does not know every confusable of Unicode; NFKC has already folded full-width and mathematical letters.
"""

from __future__ import annotations

# each string: the Latin letters, then, letter for letter, what imitates them
_PAIRS = (
    ("ABEKMHOPCTYXIJSDQWGRVZFLN", "АВЕКМНОРСТУХІЈЅԀԚԜԌЯѴЗҒԼИ"),  # Cyrillic capitals
    ("abekmhopctyxijsdqwgrvznufel", "авекмнорстухіјѕԁԛԝԍгѵзпцғєӏ"),
    ("byhhneinwwero", "ьүһћиэїлшщёяө"),
    ("ABEZHIKMNOPTYX", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"),  # Greek capitals
    ("abydeznoikuvonpocstuxwf", "αβγδεζηθικμνοπρσςϲτυχωϝ"),
    ("ouhgpwqnjsd", "օսհցքազղյտժ"),  # Armenian
    ("DRTiAJEWMHGZ4bRWSSVLCPKBG", "ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᏀᏃᏎᏏᏒᏔᏕᏚᏙᏞᏟᏢᏦᏴᏻ"),  # Cherokee
    ("BPDTGKJCZFMNLSRVHWXYAEIOU", "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ"),  # Lisu
    ("abcdefghijklmnopqrstuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ"),  # small capitals
    ("abcdefghijklmnopqrstuvwxyz", "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵"),  # Braille
    ("agilodhtfecijuy", "ɑɡıłøđħŧƒǝɔɩȷʊʏ"),  # Latin letters that look like others
)
_RANGES = (
    (0x1F150, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),  # negative circled
    (0x1F170, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),  # negative squared
    (0x1F1E6, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),  # regional indicators
)

CONFUSABLE: dict[int, str] = {
    **{ord(odd): latin for latins, odds in _PAIRS for latin, odd in zip(latins, odds, strict=True)},
    **{start + n: letter for start, letters in _RANGES for n, letter in enumerate(letters)},
}

# words of which some letters are Latin and the others imitate Latin ones
IMITATORS = "".join(chr(code) for code in CONFUSABLE if 0x0370 <= code < 0x0590 or 0x13A0 <= code < 0x1400)

# text turned by 180 degrees is written backwards with these
TURNED = str.maketrans(dict(zip("ɐɔǝɟƃɓɥıɾʞɯɹʇʌʍʎundpqbɓ", "acefgghijkmrtvwynupdbqg", strict=True)))
TURNED_ONLY = frozenset("ɐɔǝɟƃɥɾʞɯɹʇʌʍʎ")
