# Every command a person needs, on Debian 12. `make help` lists them.

BUILD ?= build
JOBS ?= $(shell nproc)
CMAKE_FLAGS ?=
CAROM_DATA ?= ../shared/data
SECONDS ?= 60
TOSSES ?= 1000 100000
GENERATE = cmake -S . -G Ninja

.DEFAULT_GOAL := help
.PHONY: help run python test test-long fuzz build validate mutations hashes bench rungs bench-python bench-sweep precision lint format sanitize docs package reference symbols clean install configure

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

run: build  ## install what is missing, build, and simulate four colliding balls
	$(BUILD)/carom run scenes/stewart2000/four_balls.yaml

python: install  ## the Python module, in build/python: PYTHONPATH=build/python python3
	scripts/install.sh python
	$(GENERATE) -B $(BUILD) -DCAROM_PYTHON_MODULE=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS) --target carom_python

test:  ## install what is missing, build, and run the suite
	scripts/install.sh build test python
	$(GENERATE) -B $(BUILD) -DCAROM_PYTHON_MODULE=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS)
	ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure

test-long: export CAROM_LONG = 1
test-long: test fuzz sanitize  ## the suite with its full counts of random cases, fuzz, and all of it under sanitizers

fuzz:  ## every reader of files fed with damaged ones, SECONDS=60 each
	scripts/install.sh build fuzz
	$(GENERATE) -B build-fuzz -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
	    -DCAROM_FUZZ=ON -DCAROM_TESTS=OFF $(CMAKE_FLAGS)
	cmake --build build-fuzz -j $(JOBS) --target fuzz
	scripts/fuzz.sh build-fuzz $(SECONDS)

build: install configure  ## build/carom
	cmake --build $(BUILD) -j $(JOBS) --target carom_app

install:
	scripts/install.sh build

configure:
	$(GENERATE) -B $(BUILD) $(CMAKE_FLAGS)

validate: build  ## the papers' figures and tables, theirs beside ours
	cmake --build $(BUILD) -j $(JOBS) --target carom_validate
	$(BUILD)/carom validate

mutations:  ## docs/validation/mutations.md: which changed numbers of the papers' scenes a validation notices (hours)
	cmake --build $(BUILD) -j $(JOBS) --target carom_validate
	/usr/bin/python3 -B testing/mutations/mutations.py $(BUILD)/carom-validate scenes \
	    --journal $(BUILD)/mutations.jsonl --write docs/validation/mutations.md

hashes: build  ## docs/validation/hashes.md: the ends of the scenes to the last bit, by g++ and by clang++
	scripts/install.sh build sanitize
	$(GENERATE) -B build-clang -DCMAKE_CXX_COMPILER=clang++ -DCAROM_TESTS=OFF $(CMAKE_FLAGS)
	cmake --build build-clang -j $(JOBS) --target carom_app
	scripts/hash_results.py --timeout 30 --carom $(BUILD)/carom --beside build-clang/carom \
	    --write docs/validation/hashes.md --compilers "g++ $(shell g++ -dumpfullversion)" "clang++ $(shell clang++ -dumpversion)"

bench:  ## time per step, with the share of each stage; solvers, impacts, dynamics and walls beside other programs
	scripts/install.sh build bench
	$(GENERATE) -B build-bench -DCAROM_BENCHMARKS=ON -DCAROM_TESTS=OFF $(CMAKE_FLAGS)
	cmake --build build-bench -j $(JOBS)
	for program in bench_step bench_solvers bench_impacts bench_propagative bench_dynamics bench_divide_and_conquer bench_chain_contacts bench_variational bench_quasi_rigid bench_walls bench_sticking bench_load; do OPENBLAS_NUM_THREADS=1 build-bench/benchmarks/$$program || exit 1; done
	OPENBLAS_NUM_THREADS=1 build-bench/benchmarks/bench_files $(wildcard $(CAROM_DATA)/friction_problems/*.hdf5)

rungs:  ## which methods of the contact solvers win, over families, files, heaps and scenes (docs/notes/solver-ladder.md)
	scripts/install.sh build bench
	$(GENERATE) -B build-bench -DCAROM_BENCHMARKS=ON -DCAROM_TESTS=OFF $(CMAKE_FLAGS)
	cmake --build build-bench -j $(JOBS) --target bench_rungs
	CAROM_DATA=$(CAROM_DATA) build-bench/benchmarks/bench_rungs

bench-python:  ## what steps and batches cost from Python, beside C++ and MuJoCo
	scripts/install.sh build python bench
	$(GENERATE) -B build-bench -DCAROM_BENCHMARKS=ON -DCAROM_TESTS=OFF -DCAROM_PYTHON_MODULE=ON $(CMAKE_FLAGS)
	cmake --build build-bench -j $(JOBS) --target carom_python bench_python_loops
	PYTHONPATH=build-bench/python /usr/bin/python3 -B benchmarks/bench_python.py build-bench/benchmarks/bench_python_loops

bench-sweep:  ## what many runs cost beside their simulations alone and MuJoCo; TOSSES="1000 100000"
	scripts/install.sh build python bench
	$(GENERATE) -B build-bench -DCAROM_BENCHMARKS=ON -DCAROM_TESTS=OFF -DCAROM_PYTHON_MODULE=ON $(CMAKE_FLAGS)
	cmake --build build-bench -j $(JOBS) --target carom_app bench_sweep_loops
	/usr/bin/python3 -B benchmarks/bench_sweep.py build-bench/carom build-bench/benchmarks/bench_sweep_loops --tosses $(TOSSES)

precision:  ## draws docs/notes/precision/*.svg: residual over time of the exact cone's solvers, Siconos' among them
	scripts/install.sh build bench figures
	$(GENERATE) -B build-bench -DCAROM_BENCHMARKS=ON -DCAROM_TESTS=OFF $(CMAKE_FLAGS)
	cmake --build build-bench -j $(JOBS) --target bench_precision
	scripts/precision.sh build-bench/benchmarks/bench_precision docs/notes/precision

lint:  ## clang-tidy on what changed since LINT_BASE (default: the last commit); LINT_ALL=1 for everything
	scripts/install.sh build test lint
	$(GENERATE) -B build-lint -DCAROM_BATCHES=OFF $(CMAKE_FLAGS)
	scripts/lint.py --build build-lint --jobs $(JOBS)

format:  ## clang-format all sources in place
	scripts/install.sh test
	scripts/format.sh

# clang compiles this in half the time that g++ takes, and is a second pair of eyes.
sanitize:  ## the suite, compiled by clang, with address and undefined-behaviour sanitizers
	scripts/install.sh build test python sanitize
	$(GENERATE) -B build-sanitize -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
	    -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" -DCAROM_SANITIZE=address,undefined \
	    -DCAROM_PYTHON_MODULE=$(if $(CAROM_LONG),ON,OFF) $(CMAKE_FLAGS)
	cmake --build build-sanitize -j $(JOBS)
	scripts/batched_suite.py build-sanitize --jobs $(JOBS) --without-labels 'house|player' \
	    $(if $(CAROM_LONG),,--leave-out testing/not_sanitized.txt)

docs:  ## the manual, in build/docs/html
	scripts/install.sh build python docs
	$(GENERATE) -B $(BUILD) -DCAROM_PYTHON_MODULE=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS) --target carom_app carom_python
	scripts/docs.sh $(BUILD)/docs $(BUILD)

package:  ## Debian packages and a source archive, in build-package/packages
	scripts/install.sh build python package
	$(GENERATE) -B build-package -DCMAKE_INSTALL_PREFIX=/usr -DCAROM_TESTS=OFF -DCAROM_PYTHON_MODULE=ON \
	    -DCMAKE_EXE_LINKER_FLAGS="-pie -Wl,-z,relro,-z,now" -DCMAKE_MODULE_LINKER_FLAGS="-Wl,-z,relro,-z,now" $(CMAKE_FLAGS)
	cmake --build build-package -j $(JOBS)
	scripts/package.sh build-package

symbols:  ## renews docs/manual/symbols.txt, the list of what the public library defines
	cmake --build $(BUILD) -j $(JOBS) --target carom_all
	scripts/symbols.py $(BUILD) > docs/manual/symbols.txt

reference:  ## renews the schema of scenes, and the manual's lists of options, scene keys and datasets
	scripts/install.sh build test
	cmake --build $(BUILD) -j $(JOBS) --target carom_app
	scripts/scene_schema.py $(BUILD)/carom > $(BUILD)/scene.schema.json && mv $(BUILD)/scene.schema.json docs
	/usr/bin/python3 -B scripts/reference_tables.py $(BUILD)/carom

clean:  ## remove every build folder; records in runs/ stay
	rm -rf build build-bench build-clang build-fuzz build-lint build-package build-sanitize
