"""Markdown of text that is somebody else's."""


def plain(text: str) -> str:
    """Escape text from a link or a file, so that Markdown shows it unchanged."""
    return "".join(f"\\{character}" if character in r"\`*_{}[]()#+-.!|$:<>~" else character for character in text)
