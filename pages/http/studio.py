"""The key of the studio: a secret of the environment, or on one's own machine a link with it."""

import os
import secrets

STUDIO = "SAMPLESCOPE_STUDIO"  # the environment's variable
LINK = "SAMPLESCOPE_STUDIO_LINK"  # "on" where a link with the secret opens the studio: `pages.studio` sets it
TOKEN = "token"  # the secret's name in that link
SHORTEST = 16  # characters of a secret


def secret() -> str:
    """Return the secret; "" if there is none, or it is too short."""
    given = os.environ.get(STUDIO, "")
    return given if len(given) >= SHORTEST else ""


def open_by_link() -> str:
    """Let a link open the studio of this process; return the secret, made here unless the environment has one."""
    os.environ[STUDIO] = secret() or secrets.token_urlsafe(24)
    os.environ[LINK] = "on"
    return secret()


def opens_by_link() -> bool:
    """Return whether a link with the secret opens the studio."""
    return os.environ.get(LINK) == "on"
