"""How much room there is for the files of a session."""

import os

UPLOADS = "SAMPLESCOPE_UPLOADS"  # environment variable: the MB of all files of a session together
USUAL = 25
ALONE = "250"  # where one person has the server: ten chains of 10,000 draws of 200 parameters are 200 MB of CSV


def of_session() -> int:
    """Return the MB that the files of a session may have together."""
    said = os.environ.get(UPLOADS, "")
    return int(said) if said.isdigit() and int(said) else USUAL
