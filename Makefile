# Front door to the build. The work is in CMakeLists.txt, CMakePresets.json and tools/.

# ON turns warnings into errors in the release build, as .ci/run does.
SLIPWAVE_WERROR ?= OFF

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-extras verify bench asan tsan check clean

help: ## print this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup:
	@tools/setup

build: setup ## install missing packages, then build into build/release
	cmake --preset release -DSLIPWAVE_WERROR=$(SLIPWAVE_WERROR)
	cmake --build --preset release

demo: build ## run the sliding block into results/sliding_block
	build/release/slipwave run cases/sliding_block.toml --out results/sliding_block --force
	@echo
	@echo 'results/sliding_block:'
	@echo '  energy.csv     the energy balance, step by step'
	@echo '  frames.pvd     the deformed block over time; open it in ParaView'
	@echo '  contact.pvd    the contact points over time; open it in ParaView'
	@echo '  summary.json   the run in a few figures'

test: build ## build, then run every test
	ctest --preset release -LE extras

test-extras: build ## the tests against other programs (Siconos, Slurm, Snakemake)
	ctest --preset release -L extras --verbose

verify: build ## the verification studies, into docs/verification.md; a few minutes
	tools/verify

bench: build ## every benchmark, into docs/benchmarks.md; wants a quiet machine for a quarter of an hour
	tools/bench

asan tsan: setup
	cmake --preset $@
	cmake --build --preset $@
	ctest --preset $@

asan: ## every test with the address and undefined-behaviour sanitizers
tsan: ## every test with the thread sanitizer

check: setup ## formatting and house rules; clang-tidy too with tools/check --tidy
	tools/check

clean: ## remove build/ (results/ stays)
	rm -rf build
