"""The sites that may show the app in a frame, as whoever runs the server names them."""

import os

FRAMED_BY = "SAMPLESCOPE_FRAMED_BY"  # origins, separated by spaces, such as ``https://lms.example.edu``; ``*`` for all


def framed_by() -> str:
    """Return the origins that the environment names; "" for none but ourselves."""
    return os.environ.get(FRAMED_BY, "").strip()
