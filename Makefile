# make run: open the app.  make test: all checks and tests.  make bench: what is timed.  make lessons: check the lessons.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test bench lessons clean

run: .venv/app
	$(BIN)/streamlit run app.py

test: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m lessons.reader check
	$(BIN)/python -m pytest -n 2 -m "not browser"
	$(BIN)/python -m pytest -n 2 --dist loadfile -m browser

bench: .venv/dev
	$(BIN)/python -m bench

lessons: .venv/app
	$(BIN)/python -m lessons.reader check

clean:
	rm -rf .venv .cache

# The marks say that an environment is complete, and for which requirements.
.venv/app: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit("Samplescope needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/dev: requirements-dev.txt .venv/app
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
