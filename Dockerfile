# Serves the app on port 8501: docker build -t samplescope . &&
#   docker run --read-only --tmpfs /tmp -v samplescope:/app/.cache -p 127.0.0.1:8501:8501 samplescope
# deploy/README.md has the rest; `make pinned` fixes the base to its digest of today.
ARG PYTHON=python:3.13-slim

# Wheels alone, each with its hash: no compiler is needed, and none is there. pip stays in this stage.
FROM ${PYTHON} AS wheels
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements.lock ./
RUN python -m venv --without-pip /venv \
    && pip --python /venv/bin/python install --require-hashes --only-binary :all: -r requirements.lock

FROM ${PYTHON}
RUN python -m pip uninstall --yes pip && rm -r "$(python -c 'import ensurepip; print(*ensurepip.__path__)')"
COPY --from=wheels /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /app
COPY . ./
RUN python -m compileall -q app.py lessons pages samplers \
    && useradd --system --no-create-home --uid 10001 samplescope \
    && mkdir .cache && chown samplescope .cache
USER samplescope

# Settings of Streamlit are variables as well: -e STREAMLIT_SERVER_BASE_URL_PATH=course. With an address for browsers,
# Streamlit asks nobody on the internet for its own when it starts.
ENV STREAMLIT_SERVER_ADDRESS=0.0.0.0 STREAMLIT_SERVER_PORT=8501 STREAMLIT_BROWSER_SERVER_ADDRESS=localhost \
    STREAMLIT_SERVER_HEADLESS=true STREAMLIT_SERVER_FILE_WATCHER_TYPE=none HOME=/tmp
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["python", "deploy/health.py"]
CMD ["streamlit", "run", "app.py"]
