"""The Streamlit side: one thin page file a topic."""
