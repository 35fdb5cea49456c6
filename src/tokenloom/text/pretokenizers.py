"""The named pre-tokenizers of byte-level BPE, as a table: how text is cut into words before merging.

Knows the regular expressions behind each `tokenizer.ggml.pre` and the rules that come with the name. Does not know
vocabularies. A row's patterns apply one after the other, each isolating its matches inside the pieces left by the one
before; what no pattern matches stays a piece of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokenloom.errors import UnsupportedError

_CONTRACTIONS = r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_LLAMA3 = _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + _SPACES
_QWEN2 = _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + _SPACES
_QWEN35 = _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|" + _SPACES
_CJK = "[一-龥\u3040-ゟ゠-ヿ]+"
_ASCII_PUNCTUATION = r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]"
_DEEPSEEK3 = (
    _ASCII_PUNCTUATION + r"[A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|" + _SPACES
)  # fmt: skip
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_CASED = (
    r"[^\r\n\p{L}\p{N}]?" + _UPPER + "*" + _LOWER + "+{0}|" + r"[^\r\n\p{L}\p{N}]?" + _UPPER + "+" + _LOWER + "*{0}"
)
_GPT4O = _CASED.replace("{0}", _CONTRACTIONS + "?") + r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + _SPACES
_TEKKEN = _CASED.replace("{0}", "") + r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + _SPACES
_DEEPSEEK_LETTERS = (
    r"\s?["
    "A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅ"
    "ὐ-ὗὙὛὝὟ-\u1f7dᾀ-ᾴᾶ-ᾼ\u1fbeῂ-ῄῆ-ῌῐ-\u1fd3ῖ-\u1fdbῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤ\u2126ℨ\u212a-ℭℯ-ℴℹℼ-ℿⅅ"
    "-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃"
    "]+"
)
_DEEPSEEK_CJK = "[一-龥\u0800-一가-\ud7ff]+"
_POEM = r" ?[^(\s|.,!?…。，、।۔،)]+"
_DEFAULT_PUNCTUATION = r"[\p{P}\$\+<=>\^~\|]+"


@dataclass(frozen=True)
class PreTokenizer:
    """One row: the patterns in order, whether a word that is a token skips merging, whether BOS is the custom."""

    name: str
    patterns: tuple[str, ...]
    whole_words: bool = False
    add_bos: bool = False


def _rows(names: str, *patterns: str, whole_words: bool = False, add_bos: bool = False) -> dict[str, PreTokenizer]:
    return {name: PreTokenizer(name, patterns, whole_words, add_bos) for name in names.split()}


PRE_TOKENIZERS: dict[str, PreTokenizer] = {
    **_rows("default", _DEFAULT_PUNCTUATION, _GPT2, r"\p{N}+", "[0-9][0-9][0-9]"),
    **_rows(
        "llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
        _LLAMA3, whole_words=True, add_bos=True,
    ),
    **_rows("dbrx smaug-bpe chatglm-bpe", _LLAMA3),
    **_rows("glm4 glm5", _LLAMA3, whole_words=True),
    **_rows("minicpm5", r"\p{N}{1,3}", _LLAMA3.replace("{1,3}", "+"), whole_words=True),
    **_rows(
        "deepseek-llm",
        "[\r\n]", _DEEPSEEK_LETTERS, r"\s?[!-/:-~！-／：-～‘-‟\u3000-。]+", r"\s+$", _DEEPSEEK_CJK, r"\p{N}+",
    ),
    **_rows("deepseek-coder", "[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", _DEEPSEEK_CJK, r"\p{N}"),
    **_rows("deepseek-v3 hunyuan-dense joyai-llm hy_v4", r"\p{N}{1,3}", _CJK, _DEEPSEEK3),
    **_rows("falcon", r"[\p{P}\$\+<=>\^~\|`]+", _GPT2, "[0-9][0-9][0-9]"),
    **_rows("starcoder refact command-r smollm codeshell exaone minerva-7b mellum2", r"\p{N}", _GPT2),
    **_rows(
        "gpt-2 mpt olmo jais trillion granite-docling phi-2 gigachat a.x-4.0 mellum exaone4 modern-bert "
        "jina-es jina-de jina-v2-es jina-v2-de jina-v1-en jina-v2-code roberta-bpe",
        _GPT2,
    ),
    **_rows("qwen2 stablelm2 hunyuan solar-open deepseek-r1-qwen kormo f2llmv2 megrez grok-2", _QWEN2),
    **_rows("qwen35", _QWEN35),
    **_rows("laguna", r"[^\n]+|[\n]+", _QWEN2),
    **_rows("ufakzeka", _QWEN2.removeprefix(_CONTRACTIONS + "|")),
    **_rows("poro-chat bloom gpt3-finnish", _POEM),
    **_rows("viking", _POEM, r"\p{N}"),
    **_rows("tekken", _TEKKEN, whole_words=True, add_bos=True),
    **_rows("gpt-4o llama4 kanana2 talkie minimax-m2", _GPT4O),
    **_rows(
        "seed-coder",
        _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|" + _SPACES,
    ),
    **_rows(
        "bailingmoe bailingmoe2 llada-moe",
        r"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
        r"\s*[\r\n]|\s+(?!\S)|\s+",
    ),
    **_rows(
        "exaone-moe",
        _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|"
        r"\s*[\r\n]|\s+(?!\S)|\s+",
    ),
    **_rows(
        "jais-2",
        _LLAMA3.removesuffix(r"\s+(?!\S)|\s+")
        + "|".join(rf"\s{{{n}}}(?!\S)" for n in ("512", "256", "128", "64", "32", "16", "8", "4", "1,2"))
        + r"|\s{1}",
    ),
}  # fmt: skip


def find(name: str | None) -> PreTokenizer:
    """The row of that name; UnsupportedError names an unknown one."""
    if name is None:
        raise UnsupportedError(
            "the file names no pre-tokenizer (tokenizer.ggml.pre), so its words cannot be cut as in training; "
            "convert the model again with a current converter"
        )
    if name not in PRE_TOKENIZERS:
        raise UnsupportedError(
            f"pre-tokenizer {name!r} (tokenizer.ggml.pre) is not supported; supported: {', '.join(PRE_TOKENIZERS)}"
        )
    return PRE_TOKENIZERS[name]
