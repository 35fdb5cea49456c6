"""The definition of "right bits": docs/arithmetic.md in plain NumPy, step by step, in float32.

Knows: every operation on the token path, in the order and with the roundings the page states, vectorised only across
results that do not depend on each other. Does not know: kernels, tiles, threads, files. Production never imports it;
tests compare against it with `==`.
"""
