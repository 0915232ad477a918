"""Codes by which a class finds its room, and secrets by which its instructor is known."""

from __future__ import annotations

import hashlib
import hmac
import secrets

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no 0 and O, no 1, I and L
LENGTH = 8
_SAID = str.maketrans({"-": "", " ": ""})


def new_code() -> str:
    """Return a code that nobody can guess: one of 31⁸, nearly 10¹²."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read_code(text: str) -> str:
    """Return a code as it is kept, however it was typed; "" if it can be none."""
    code = text[: 2 * LENGTH].upper().translate(_SAID)
    return code if len(code) == LENGTH and set(code) <= {*ALPHABET} else ""


def in_words(code: str) -> str:
    """Return a code as it is shown: ``KX7M-2PQ9``."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def new_secret() -> str:
    """Return a new secret, which the instructor's browser shows whenever it drives the room."""
    return secrets.token_urlsafe(32)


def sealed(secret: str) -> str:
    """Return the seal of a secret, which is kept in its place: its SHA-256, in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


def opens(secret: str, seal: str) -> bool:
    """Return whether a secret is the one that was sealed; that takes as long for any that is not."""
    return hmac.compare_digest(sealed(secret), seal)


def same(one: str, other: str) -> bool:
    """Return whether two keys are the same; that takes as long for any two."""
    return hmac.compare_digest(sealed(one), sealed(other))
