"""One engine each as a resident process: a JSON request a line on standard input, a JSON answer a line on standard output.

    {"op": "open", "model": path, "threads": n, "ctx": n, "batch": n}
        -> "threads", "vocab", "version", "build", "load_s", "variants" (settings by name; the first is what decoding takes)
    {"op": "prompt", "ids": [...], "variant": name}            from the first id in to the first token known
    {"op": "decode", "prompt": [...], "n": 64, "variant": name}    the n steps after the first token
    {"op": "batch", "prompts": [[...], ...], "n": 64, "variant": name}    n joint steps after every prompt's first token
        -> "seconds", "ids" (generated; a list for each prompt of a batch), "fed" (prompt tokens given to the model),
           "computed" (how many of them were not found in a cache)

The files are run by path, by the Python that has the engine, so none imports another. Knows nothing of pairing.
"""
