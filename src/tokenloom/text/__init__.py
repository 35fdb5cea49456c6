"""Text in, text out: tokenizers, chat templates, stop strings and incremental UTF-8.

Knows how a model file's tokenizer metadata turns text into ids and back. Knows nothing about logits, files or kernels:
it is handed metadata that somebody else read.
"""
