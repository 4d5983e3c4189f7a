# Front door to the build. The work is in CMakeLists.txt, CMakePresets.json and tools/.

# ON turns warnings into errors in the release build, as .ci/run does.
SLIPWAVE_WERROR ?= OFF
# OFF builds without the page of `slipwave report`, for machines without npm and node.
export SLIPWAVE_REPORT ?= ON
# Where `make install` puts Slipwave.
PREFIX ?= /usr/local
# How long `make fuzz` runs each of its targets.
FUZZ_SECONDS ?= 3600

options := -DSLIPWAVE_WERROR=$(SLIPWAVE_WERROR) -DSLIPWAVE_REPORT=$(SLIPWAVE_REPORT)

.DEFAULT_GOAL := help
.PHONY: help setup build everything install uninstall demo test test-extras test-foreign verify bench asan ubsan tsan fuzz soak check clean

help: ## print this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup:
	@tools/setup

build: ## install what building needs, then build build/release/slipwave
	@tools/setup --build
	cmake --preset release $(options) -DSLIPWAVE_TESTS=OFF -DSLIPWAVE_BENCHMARKS=OFF
	cmake --build --preset release --target slipwave

# The program, the tests and the benchmarks, with all that these need.
everything: setup
	cmake --preset release $(options) -DSLIPWAVE_TESTS=ON -DSLIPWAVE_BENCHMARKS=ON
	cmake --build --preset release

install: ## install the program and the libraries that were built, into PREFIX=/usr/local
	@test -x build/release/slipwave || { echo 'make install: nothing is built yet; first: make build' >&2; exit 1; }
	cmake --install build/release --prefix $(PREFIX)

uninstall: ## remove what `make install` installed into PREFIX=/usr/local
	cmake -DPREFIX=$(PREFIX) -P cmake/uninstall.cmake

demo: build ## run the sliding block into results/sliding_block
	build/release/slipwave run cases/sliding_block.toml --out results/sliding_block --force
	@echo
	@echo 'results/sliding_block:'
	@echo '  energy.csv     the energy balance, step by step'
	@echo '  forces.csv     the forces on contact lines and prescribed groups, step by step'
	@echo '  interface.h5   what happened along the contact line, step by step'
	@echo '  frames.pvd     the deformed block over time, for ParaView'
	@echo '  contact.pvd    the contact points over time, for ParaView'
	@echo '  summary.json   the run in a few figures'
	@echo 'Next: build/release/slipwave report results/sliding_block'

test: everything ## build, then run every test
	ctest --preset release -LE extras

test-extras: everything ## the tests with other programs (Siconos, Slurm, Snakemake, h5py, ParaView, Chromium)
	ctest --preset release -L extras --verbose

test-foreign: build ## solve and certify every FCLIB file of FOLDER=..., other people's contact problems
	@test -n '$(FOLDER)' || { echo 'make test-foreign: say which folder: make test-foreign FOLDER=path' >&2; exit 2; }
	tools/test_foreign '$(FOLDER)'

verify: build ## the verification studies, into docs/verification.md; a few minutes
	tools/verify

bench: everything ## every benchmark, into docs/benchmarks*.md; wants a quiet machine for twenty minutes
	tools/bench

asan ubsan tsan: setup
	cmake --preset $@
	cmake --build --preset $@
	ctest --preset $@

asan: ## every test with the address and undefined-behaviour sanitizers
ubsan: ## every test with the undefined-behaviour sanitizer alone
tsan: ## every test with the thread sanitizer

fuzz: setup ## look for input that breaks a reader; an hour for each of its targets, or FUZZ_SECONDS=60
	tools/fuzz --seconds $(FUZZ_SECONDS)

soak: build ## a million steps: memory, speed and energy balance from the first tenth to the last
	tools/soak

check: setup ## formatting and house rules; clang-tidy too with tools/check --tidy
	tools/check

clean: ## remove build/ (results/ stays)
	rm -rf build
