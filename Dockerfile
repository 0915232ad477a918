# Serves the app on port 8501: docker build -t samplescope . && docker run -p 127.0.0.1:8501:8501 samplescope
# deploy/README.md has the rest.
FROM python:3.13-slim

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app

# Wheels alone, each with its hash: no compiler is needed, and none is there.
COPY requirements.lock ./
RUN pip install --require-hashes --only-binary :all: -r requirements.lock

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
