# The doors of the house: `make run`, `make test`; everything they need they set up themselves, once.

PYTHON ?= python3
SCENE ?= tow
ARGS ?=
TESTS ?= tests
WORKERS ?= 2
BIN := .venv/bin
# Between them they call all entries but the two or three that a step seldom has cause for.
BOUNDED := tests/scenes tests/collide \
	$(addprefix tests/exact/test_,contact_pairs.py few_starts.py four_bar.py) \
	$(addprefix tests/ropes/test_,direct_statics.py impulse_rope.py methods_flight.py) \
	$(addprefix tests/soft/test_,group_volume.py hard_hits.py many_contacts.py pressed_balloons.py saturating_drives.py \
		soft_methods.py swelling_positions.py swinging_machines.py touch.py) \
	tests/patch/test_patch_input.py tests/patch/test_patch_surface.py::test_rays_agree_with_the_tessellation

.PHONY: run test check soak bounds peers warm lock clean help

help: ## what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

run: ## run the scene SCENE live in the browser; ARGS="--headless --seconds 5" ends by itself
	@$(PYTHON) tools/environment.py runtime
	@echo "running $(SCENE)" >&2
	@$(BIN)/pliant run $(SCENE) $(ARGS)

test: ## lint, types, the index of equations, the page of names, all tests
	@$(PYTHON) tools/environment.py dev
	@$(MAKE) --no-print-directory check
	@$(BIN)/pliant warm
	@echo "tests, $(WORKERS) at a time"
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadscope -m "not soak" $(TESTS)

check: ## lint, types, the index of equations and the page of names alone
	@$(PYTHON) tools/environment.py dev
	@echo "lint"
	@$(BIN)/ruff check .
	@echo "types"
	@$(BIN)/mypy pliant tools
	@echo "equations"
	@$(BIN)/python tools/equation_index.py --quiet
	@echo "page of names"
	@$(BIN)/python tools/api_page.py --check

soak: ## long runs and wide sweeps
	@$(PYTHON) tools/environment.py dev
	@$(BIN)/pliant warm
	@echo "long tests, $(WORKERS) at a time"
	@$(BIN)/python -m pytest -n $(WORKERS) -m soak $(TESTS)

bounds: ## all built-in scenes and some tests of each solver with every index of every array checked
	@$(PYTHON) tools/environment.py dev
	@NUMBA_BOUNDSCHECK=1 $(BIN)/pliant warm
	@NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadscope -m "not soak" $(BOUNDED)

peers: ## an environment with other engines, for benchmarks only
	@$(PYTHON) tools/environment.py peers

warm: ## compile every kernel ahead
	@$(PYTHON) tools/environment.py runtime
	@$(BIN)/pliant warm

lock: ## write the lock files anew from what .venv and .venv-peers hold
	@$(BIN)/python tools/lock.py

clean: ## take away the environments and what tools left behind
	rm -rf .venv .venv-peers .pytest_cache .mypy_cache .ruff_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
