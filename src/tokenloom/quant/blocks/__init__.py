"""One small file for each family of block formats, and the table of them all.

Knows which formats there are. A format's file says how its blocks are laid out in a file and in a packed tile, and
gives the two functions that follow from it.
"""

from __future__ import annotations

from tokenloom.quant.block import BlockFormat
from tokenloom.quant.blocks import floats, iq1, iq2, iq3, iq4, mxfp4, q2_k, q3_k, q4, q4_k, q5, q6_k, q8_0, tq

_MODULES = (floats, q8_0, q4, q5, q2_k, q3_k, q4_k, q6_k, iq4, iq3, iq2, iq1, mxfp4, tq)

FORMATS: dict[str, BlockFormat] = {form.name: form for module in _MODULES for form in module.FORMATS}
