"""The page that the address bar asks for, as its author meant it."""

import streamlit as st

ESCAPED = "amp;"  # before a name: a page or a mail wrote & as &amp; once too often


def parameters() -> dict[str, str]:
    """Return the parameters of the address; those after ``&amp;`` count where nothing else sets them."""
    values = st.query_params.to_dict()
    plain = {name: value for name, value in values.items() if not name.startswith(ESCAPED)}
    for name in values.keys() - plain.keys():
        plain.setdefault(name.removeprefix(ESCAPED), values[name])
    return plain
