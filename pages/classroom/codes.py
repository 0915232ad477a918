"""Codes that lead a class to its room, and secrets that prove who leads it."""

import hashlib
import hmac
import secrets

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no 0 and O, no 1, I and L
LENGTH = 8
_SAID = str.maketrans({"-": "", "‑": "", " ": ""})


def new_code() -> str:
    """Return a random code: one of 31⁸, nearly 10¹², so that guessing is hopeless."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read_code(text: str) -> str:
    """Return a typed code in its stored form; "" if the text cannot be a code."""
    code = text[: 2 * LENGTH].upper().translate(_SAID)
    return code if len(code) == LENGTH and set(code) <= {*ALPHABET} else ""


def in_words(code: str) -> str:
    """Return a code as the screen shows it: ``KX7M-2PQ9``."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def new_secret() -> str:
    """Return a new secret, which the instructor's browser sends with each request to lead the room."""
    return secrets.token_urlsafe(32)


def sealed(secret: str) -> str:
    """Return the seal of a secret, which is stored in its place: its SHA-256, in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


def opens(secret: str, seal: str) -> bool:
    """Return whether a secret has this seal; a wrong secret takes as long as the right one."""
    return hmac.compare_digest(sealed(secret), seal)
