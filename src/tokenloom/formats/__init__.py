"""Model files: reading what may be hostile, and saying plainly what is wrong with it.

Knows the layout of files. Does not know kernels, architectures or what a tensor is for.
"""
