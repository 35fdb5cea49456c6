"""`python -m tokenloom`: the command line. Knows nothing but where it lives."""

from tokenloom.cli.entry import entry

if __name__ == "__main__":
    entry()
