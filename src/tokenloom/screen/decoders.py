"""Encodings that a text may carry another text in. Each decoder takes a text and gives all it found in it, or "".

Knows base64, base32, ascii85, hexadecimal, binary, decimal and Morse codes, escapes, compressed data, and text in invisible characters.
Knows nothing of what the decoded text says. Every decoder takes time linear in the text and gives a bounded amount back.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import urllib.parse
import zlib
from collections.abc import Callable

from tokenloom.screen.canonical import is_variation

INFLATED = 1 << 20  # bytes kept of compressed data
_SPACE = re.compile(r"\s+")
_READABLE = re.compile(rb"[\t\n\r\x20-\x7e]{10,}")


def readable(data: bytes, *, whole: bool = True) -> str:
    """The text in some bytes: all of them where they are UTF-8 (and `whole`), else the runs of ASCII; NULs left out (UTF-16)."""
    if data[:2] == b"\x1f\x8b" or data[:1] == b"\x78":
        data = _inflated(data)
    data = data.replace(b"\0", b"")
    if whole:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            pass  # then it is not all text, and its runs are looked for
        else:
            if sum(c < " " and c not in "\t\n\r" for c in text[:200]) < 4:
                return text
    return b"\n".join(_READABLE.findall(data)).decode("ascii")


def _inflated(data: bytes) -> bytes:
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(data, INFLATED)
    except zlib.error:
        return data


def _joined(parts: list[str]) -> str:
    return "\n".join(part for part in parts if part)


_BASE64 = re.compile(r"[A-Za-z0-9+/]{14,}")
_URLSAFE = str.maketrans("-_", "+/")


def _from_base64(run: str) -> bytes:
    return binascii.a2b_base64(run + "=" * (-len(run) % 4))


def from_base64(text: str) -> str:
    """Runs of the alphabet, and the text without its white space (for wrapped lines), at each of four alignments, also read backwards."""
    runs = [m.group() for m in _BASE64.finditer(text.translate(_URLSAFE))]
    found = [readable(_from_base64(run)) for run in runs if len(run) % 4 != 1]
    joined = _SPACE.sub("", text).translate(_URLSAFE)
    for run in _BASE64.findall(joined) + _BASE64.findall(joined[::-1]):
        for offset in range(4):
            cut = run[offset:]
            found.append(readable(_from_base64(cut[: len(cut) - (len(cut) % 4 == 1)]), whole=False))
    return _joined(found)


_BASE32 = re.compile(r"[A-Z2-7]{16,}")


def from_base32(text: str) -> str:
    return _joined([readable(base64.b32decode(run[: len(run) // 8 * 8])) for run in _BASE32.findall(text)])


_ASCII85 = re.compile(r"<~([!-uz\s]{8,})~>")


def from_ascii85(text: str) -> str:
    found = []
    for body in _ASCII85.findall(text):
        try:
            found.append(readable(base64.a85decode(body)))
        except ValueError:
            continue  # it only looked like it
    return _joined(found)


_BASE85 = re.compile(r"[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{20,}")
_MIXTURE = re.compile(r"(?=.{0,80}?\d)(?=.{0,80}?[a-z])(?=.{0,80}?[A-Z])(?:.{0,40}?[!#$%&()*+;<=>?@^_`{|}~-]){2}")


def from_base85(text: str) -> str:
    """Base85 of RFC 1924, as Python and git write it."""
    found = []
    for run in _BASE85.findall(text):
        if not _MIXTURE.match(run):  # a name or a ruler, and decoding is slow
            continue
        try:
            found.append(readable(base64.b85decode(run), whole=False))
        except ValueError:
            continue
    return _joined(found)


_UU_LINE = re.compile(r"^[!-M][ -`]{4,60}$", re.MULTILINE)


def from_uuencode(text: str) -> str:
    if "begin " not in text:
        return ""
    found = b""
    for line in _UU_LINE.findall(text):
        try:
            found += binascii.a2b_uu(line)
        except binascii.Error:
            continue
    return readable(found, whole=False)


_HEX = re.compile(r"(?:(?:0x|\\x|%)?[0-9A-Fa-f]{2}[\s,:;\-]{0,2}){8,}")
_HEX_PAIR = re.compile(r"(?:0x|\\x|%)?([0-9A-Fa-f]{2})")


def from_hex(text: str) -> str:
    return _joined([readable(bytes.fromhex("".join(_HEX_PAIR.findall(m.group())))) for m in _HEX.finditer(text)])


_BINARY = re.compile(r"(?:[01]{8}[\s,;_\-]{0,2}){6,}")
_OCTET = re.compile(r"[01]{8}")


def from_binary(text: str) -> str:
    return _joined([readable(bytes(int(o, 2) for o in _OCTET.findall(m.group()))) for m in _BINARY.finditer(text)])


_DECIMALS = re.compile(r"(?:\b\d{2,3}\b[^\d\n]{1,8}){10,}")
_NUMBER = re.compile(r"\d+")


def from_decimal(text: str) -> str:
    """`73, 103, 110`, and `chr(73)+chr(103)`: numbers of characters with little between them."""
    runs = [[int(n) for n in _NUMBER.findall(m.group())] for m in _DECIMALS.finditer(text)]
    return _joined([readable(bytes(n for n in run if n < 127), whole=False) for run in runs])


_PLACES = re.compile(r"(?:\b(?:[1-9]|1\d|2[0-6])\b[\s,.;/\-]{1,3}){12,}(?:[1-9]|1\d|2[0-6])\b")


def from_places(text: str) -> str:
    """`9-7-14-15-18-5`: letters as their places in the alphabet."""
    return _joined(["".join(chr(96 + int(n)) for n in _NUMBER.findall(m.group())) for m in _PLACES.finditer(text)])


_TYPESET = str.maketrans("·•−–—_", "..----")
_MORSE = re.compile(r"(?:[.\-]{1,5}[ /|]{1,3}){8,}[.\-]{1,5}")
_MORSE_SIGNS = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
)
_MORSE_LETTER = dict(zip(_MORSE_SIGNS.split(), "abcdefghijklmnopqrstuvwxyz", strict=True))


def from_morse(text: str) -> str:
    runs = [m.group().replace("/", " ").replace("|", " ").split() for m in _MORSE.finditer(text.translate(_TYPESET))]
    return _joined(["".join(_MORSE_LETTER.get(sign, "") for sign in run) for run in runs])


_CODE = re.compile(r"\\{1,2}(?:u\{?([0-9A-Fa-f]{4,6})\}?|x([0-9A-Fa-f]{2})|([0-3][0-7]{2}))|=([0-9A-F]{2})|=\r?\n")
_PIECES = re.compile(r"[\"'] {0,2}\+\s{0,8}[\"']")
_WHITE_ESCAPE = re.compile(r"\\[nrt]")


def _code(match: re.Match[str]) -> str:
    wide, byte, octal, quoted = match.groups()
    code = int(wide or byte or quoted or "0", 16) if octal is None else int(octal, 8)
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else ""


def from_escapes(text: str) -> str:
    """The whole text with escapes undone: %41, &#65;, \\x41, \\u0041, \\101, =41, \\n as a space, "a" + "b" joined; "" if it has none."""
    undone = _CODE.sub(_code, _WHITE_ESCAPE.sub(" ", text)) if "\\" in text or "=" in text else text
    if "+" in undone:
        undone = _PIECES.sub("", undone)
    if "&" in undone:
        undone = html.unescape(undone)
    if "%" in undone:
        undone = urllib.parse.unquote(undone, errors="ignore")
    return "" if undone == text else undone


DECODERS: dict[str, Callable[[str], str]] = {
    "escapes": from_escapes,
    "base64": from_base64,
    "base32": from_base32,
    "ascii85": from_ascii85,
    "base85": from_base85,
    "uuencode": from_uuencode,
    "hexadecimal": from_hex,
    "binary": from_binary,
    "decimal": from_decimal,
    "places in the alphabet": from_places,
    "Morse code": from_morse,
}


def from_tags(text: str) -> str:
    """Unicode's tag characters, each of which stands for an ASCII character and shows nothing."""
    return "".join(chr(ord(c) - 0xE0000) for c in text if 0xE0020 <= ord(c) <= 0xE007E)


def from_variations(text: str) -> str:
    """Variation selectors as bytes: the first 16 and the other 240 are numbered through."""
    codes = [code for code in map(ord, text) if is_variation(code)]
    return readable(bytes(code - 0xFE00 if code < 0xE0100 else code - 0xE0100 + 16 for code in codes), whole=False)


# these read the original, because a canonical copy no longer holds what they decode
INVISIBLE: dict[str, Callable[[str], str]] = {"tag characters": from_tags, "variation selectors": from_variations}
