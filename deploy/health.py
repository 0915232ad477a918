"""End with 0 if the app on this machine answers, with 1 if not: the container's health check."""

import os
import sys
from urllib.request import urlopen

port = os.environ.get("STREAMLIT_SERVER_PORT", "8501")
base = os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
try:
    urlopen(f"http://127.0.0.1:{port}/{base}{'/' if base else ''}_stcore/health", timeout=4).close()
except OSError as error:
    sys.exit(f"no answer: {error}")
