"""The command line: one module per command, each turning arguments into one call. Knows no numbers and no models."""
