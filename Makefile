# Every target sets up what it needs: the virtual environment .venv, and a browser where it needs one.
# PYTHON names the interpreter to make .venv with; ARGS goes to pytest or to the benchmarks.

BIN := .venv/bin
READY := .venv/.ready
# Tests wait for browsers and servers some of their time: twice as many workers as processors. A worker gets whole files,
# so that what their tests share is made once, and large ones in parts.
WORKERS := $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) * 2 )))
PYTEST := $(BIN)/pytest -n $(WORKERS) --maxprocesses 8 --dist loadfile --no-loadscope-reorder

.PHONY: demo test tables test-all golden transcripts lint docs bench format constraints browser clean
.DEFAULT_GOAL := demo

demo: browser
	@.ci/demo

# Tests start hundreds of programs: they and the browser's driver keep what they compiled.
test tables test-all bench: export NODE_COMPILE_CACHE = $(CURDIR)/.venv/.compiled
test tables test-all bench: export PYTHONDONTWRITEBYTECODE =

# Every room and every promise once; of what is generated other cases each day, or those of TEST_SEED=N.
test: browser
	$(PYTEST) -m "not slow" $(ARGS)

# More of the tables that guard the promises, and the longer whole runs. TABLES=tests/golden has those of one room.
TABLES := tests
tables: browser
	$(PYTEST) -m table $(ARGS) $(TABLES)

# What tests of optional parts need, and `make test` leaves out: they are skipped there, and say so.
CLUSTER := .venv/.cluster
$(CLUSTER): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		--no-build-isolation --editable '.[cluster]'
	@touch $@

test-all: browser $(CLUSTER)
	$(PYTEST) $(ARGS)

# Freezes what comes of replaying the golden recordings: additions only. ARGS names some of them.
golden: browser
	$(BIN)/python -m tests.golden.freeze $(ARGS)

# Writes anew what the commands of tests/cli/transcripts tell now, and shows what is otherwise. ARGS="-k export" for some.
transcripts: browser
	$(BIN)/pytest -q tests/cli/test_transcripts.py -k what_commands_tell --renew-transcripts $(ARGS)
	git --no-pager diff -- tests/cli/transcripts

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# The documentation as a site in build/docs. A link or an anchor that leads nowhere fails.
docs: $(READY)
	@.ci/docs

format: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: browser
	$(BIN)/python -m benchmarks $(ARGS)

# The pinned versions, from the newest that pyproject.toml allows. Names no registry and no path.
constraints:
	.ci/constraints

browser: $(READY)
	@.ci/browser

$(READY): pyproject.toml constraints.txt .ci/venv
	@.ci/venv
	@touch $@

clean:
	rm -rf .venv .sim/demo build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
