"""The Streamlit side: one thin page file a topic."""

import os

# A second thread of BLAS waits in a busy loop for its part of a small matrix, and learners wait for that processor.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
