# Set-up, tests and the demo with Python 3.11+ alone; node and npm come from PyPI with the development set.
# Every step leaves a stamp in the environment, so that a second run skips what is done.

VENV   ?= .venv
OUT    ?= out
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)

BIN    := $(VENV)/bin
PY     := $(BIN)/python
# The tests run against the installed wheel, as users get it, with a process for each room.
PYTEST := $(PY) scripts/run_tests.py
PIP    := $(PY) -m pip --disable-pip-version-check --no-input

ROOMS   := front dist css recorder reel sources redaction player_build reading comparison library integrations cli fixtures
SOURCES := pyproject.toml README.md LICENSE NOTICE \
	$(shell find $(ROOMS) -type f ! -path '*/__pycache__/*' ! -path 'player_build/player/*')

.PHONY: help setup demo picture docs test test-slow test-all pytest js js-test check lock dev clean

help:
	@echo 'make demo    record, redact and build the demo; prints the path of the replay'
	@echo 'make picture the demo, and its pictures for the README and docs/library.md'
	@echo 'make docs    the documentation as a site, its replays made anew, and each page opened'
	@echo 'make test    the tests (ARGS="-k name" hands arguments to pytest)'
	@echo 'make test-slow what is marked slow: whole runs, and more cases of what the tests say'
	@echo 'make test-all both, and a minute of hostile recordings'
	@echo 'make check   ruff, mypy, TypeScript, biome, and that dist/ is fresh'
	@echo 'make js      build dist/ from injector_js/ and player_build/player/'
	@echo 'make dev     install this checkout editable instead of the wheel'
	@echo 'make lock    resolve requirements.lock anew'
	@echo 'make clean   remove the environment and everything that was made'

$(PY):
	@test -n "$(PYTHON)" || { echo "pagereel needs Python 3.11 or newer; install it, or name it with PYTHON=…" >&2; exit 2; }
	$(PYTHON) scripts/make_venv.py $(VENV)

$(VENV)/.locked: requirements.lock | $(PY)
	$(PIP) install --quiet --require-hashes -r requirements.lock
	@touch $@

# setuptools copies into build/ and never removes what a room no longer has.
$(VENV)/.wheel: $(SOURCES) $(VENV)/.locked
	rm -rf build $(OUT)/wheel
	$(PY) -m build --wheel --no-isolation --outdir $(OUT)/wheel . >$(VENV)/build.log 2>&1 || { cat $(VENV)/build.log; exit 1; }
	$(PIP) install --quiet --no-deps --force-reinstall $(OUT)/wheel/*.whl
	@touch $@

# Asked every time, because a browser can go as well as come; it takes a moment when all is there.
setup: $(VENV)/.wheel
	$(BIN)/pagereel setup

demo: setup
	$(BIN)/pagereel demo --output $(OUT)/demo

# The README's picture is the demo's replay, as the build makes it; those of docs/library.md are a library of such runs.
picture: demo
	cp $(OUT)/demo/replay.png docs/demo.png
	$(PY) scripts/make_library_pictures.py $(OUT)/demo/demo.reel docs

# Zensical has an environment of its own: nothing else needs it.
$(OUT)/site/venv/.made: docs/site/requirements.lock | $(PY)
	$(PY) -m venv $(OUT)/site/venv
	$(OUT)/site/venv/bin/python -m pip --disable-pip-version-check --no-input install --quiet --require-hashes -r $<
	@touch $@

docs: setup $(OUT)/site/venv/.made
	$(PY) scripts/build_docs_site.py $(OUT)/site $(OUT)/site/venv/bin/zensical
	@$(MAKE) --no-print-directory node_modules/.made || { echo 'make: npm could not install; the site is opened without axe' >&2; test -z "$(CI)"; }
	$(PY) scripts/check_docs_site.py $(OUT)/site/html

test: setup js-test pytest

test-slow: export PAGEREEL_TEST_RUN = slow
test-slow: override ARGS += -m slow
test-slow: pytest

test-all: export PAGEREEL_FUZZ_SECONDS ?= 60
test-all: override ARGS += -m 'slow or not slow'
test-all: test

pytest: setup
	PAGEREEL_WHEEL="$$(ls $(OUT)/wheel/*.whl)" $(PYTEST) $(ARGS)

node_modules/.made: package-lock.json $(VENV)/.locked
	$(PY) scripts/run_node.py npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# Python's tests do not wait for npm: where it cannot install, JavaScript's unit tests are left out, and said to be.
js-test: $(VENV)/.locked
	@if $(MAKE) --no-print-directory node_modules/.made; then mkdir -p $(OUT)/junit && JS_JUNIT=$(OUT)/junit/js.xml $(PY) scripts/run_node.py node scripts/test.mjs; \
	else echo 'make: npm could not install; the JavaScript unit tests were NOT run' >&2; test -z "$(CI)"; fi

js: node_modules/.made
	$(PY) scripts/run_node.py node scripts/build.mjs
	$(PY) scripts/pack_player_shell.py

check: $(VENV)/.wheel node_modules/.made
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(PY) scripts/run_mypy.py
	$(PY) scripts/run_node.py npm run --silent check
	$(PY) scripts/run_node.py node scripts/build.mjs --check
	$(PY) scripts/pack_player_shell.py --check

dev: $(VENV)/.locked
	@# A folder of the package's name at the root, left over from before it was called front/, would be imported in its place.
	@rm -rf pagereel/__pycache__; rmdir pagereel 2>/dev/null || true
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@echo 'pagereel is installed from this checkout; "make test" puts the wheel back'
	@rm -f $(VENV)/.wheel

lock:
	scripts/lock.sh

clean:
	rm -rf $(VENV) $(OUT) build dist-test node_modules *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
