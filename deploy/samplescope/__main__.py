"""The command `samplescope`, which `python -m samplescope` runs as well."""

import sys

from samplescope import HOME


def main() -> int:
    """Run the command line; the processes that it starts find the app's packages as it does."""
    sys.path.insert(0, str(HOME))
    from pages.command import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
