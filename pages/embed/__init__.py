"""The bare stage: a host of one page without Streamlit, which other pages show in a frame."""
