"""Block formats: the table of types, their scalar codecs, and the packed tile of each.

Knows bytes and numbers. Does not know models, files or threads.
"""
