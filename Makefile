# Two commands to know: `make demo` and `make test`. Each installs what it needs, by package name.
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc)
# ON: the tests are built of fewer, larger units of compilation; docs/decisions/tests.md.
JOINED ?= ON
SOURCES = $(shell find include src cli python examples tests benchmarks -name '*.[ch]pp')

deps = @tools/install-deps --quiet
heading = @printf '\n== %s\n'

.PHONY: help build python install package test test-all test-asan test-tsan test-gcc test-cluster demo bench compare python-bench python-docs docs site format format-check lint tidy clean

help:
	@echo 'make build     build the program: build/asperity'
	@echo 'make python    the Python package, in the virtual environment build/python'
	@echo 'make install   install program and headers under PREFIX ($(PREFIX)); DESTDIR is honoured'
	@echo 'make package   Debian packages: asperity (program, libraries, headers, completions, man pages) and python3-asperity: out/*.deb'
	@echo 'make demo      carry out every experiment of the papers: out/reproduce'
	@echo 'make test      format, sanitizers with clang, all other tests with g++'
	@echo 'make test-all  the same, then long runs, every experiment of the papers and their gallery in a browser'
	@echo 'make test-cluster  studies on dask and MPI, which it installs'
	@echo 'make bench     benchmarks; docs/guides/measuring.md says how to read them'
	@echo 'make compare   the same scenes in other engines, against closed forms: docs/comparison.md'
	@echo 'make python-bench  what Python costs, as ratios to C++ and to calls of the program'
	@echo 'make python-docs   regenerate the stubs, the API page and the pages of the notebooks'
	@echo 'make docs      regenerate the tables, outputs and pictures in docs/ and README.md'
	@echo 'make site      the documentation as static HTML that works from a file: out/site/index.html'
	@echo 'make format    clang-format the sources'
	@echo 'make lint      clang-format check and clang-tidy'
	@echo 'make clean     remove build/ and out/'

build:
	$(deps) build
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS)
	@ln -sfn release/asperity build/asperity
	@echo 'built: build/asperity'

# The package in an environment that sees the packages of the system; PYTHON: another one than Debian's.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
python:
	$(deps) build python
	@test -x build/python/bin/python3 || $(PYTHON) -m venv --system-site-packages build/python
	@JOBS=$(JOBS) build/python/bin/python3 -m pip --disable-pip-version-check install --quiet --no-build-isolation --no-deps --no-index --force-reinstall .
	@build/python/bin/python3 -c 'import asperity; print("built: asperity", asperity.__version__, "for Python, in build/python")'
	@echo 'activate it with: . build/python/bin/activate'

install: build
	cmake --install build/release --prefix '$(PREFIX)'
	cmake --install build/release --prefix '$(PREFIX)' --component mpi

package: build python
	$(deps) package
	@cpack -G DEB --config build/release/CPackConfig.cmake -B out/package >/dev/null
	@tools/python-package out/package
	@mv out/package/*.deb out/ && rm -rf out/package && ls out/*.deb

demo: build
	@build/asperity reproduce --all -o out/reproduce
	@echo 'Open out/reproduce/index.html in a browser.'

test:
	$(deps) build test lint python python-test
	@$(MAKE) --no-print-directory format-check test-asan test-gcc

# What takes longer than a test should: holding for 100 s, all experiments of the papers, whose verdicts decide, and the whole gallery.
test-all: test test-tsan demo
	@ctest --preset gcc -C slow -L '^slow$$'
	@tests/reproduce/gallery.sh build/asperity . out/reproduce

# Under AddressSanitizer and UndefinedBehaviorSanitizer, by clang: the program and the tests of what reads input or owns memory. Without
# optimisation it compiles in a third of the time; long runs of the same code are left to g++ (LONG in tests/CMakeLists.txt).
test-asan:
	$(heading) 'clang, sanitizers'
	@cmake --preset asan -DASPERITY_JOINED=$(JOINED)
	@cmake --build --preset asan -j $(JOBS) --target asperity sanitized_tests
	@ctest --preset asan -j $(JOBS) -L sanitized

# One world in many threads, under ThreadSanitizer.
test-tsan:
	$(heading) 'clang, ThreadSanitizer'
	@cmake --preset tsan
	@cmake --build --preset tsan -j $(JOBS) --target pools_test
	@build/tsan/tests/pools/pools_test --gtest_filter=Threads.*

test-gcc:
	$(heading) 'g++: all other tests'
	@cmake --preset gcc -DASPERITY_JOINED=$(JOINED)
	@cmake --build --preset gcc -j $(JOBS)
	@ctest --preset gcc -j $(JOBS)

# Dask and OpenMPI are needed only here; elsewhere these tests say that they are left out.
test-cluster:
	$(deps) build test python python-test cluster
	@cmake --preset gcc -DASPERITY_JOINED=$(JOINED)
	@cmake --build --preset gcc -j $(JOBS) --target python_tests
	@ctest --preset gcc -R '^python\.(study|cluster)$$' --output-on-failure

bench:
	$(deps) build bench
	@cmake --preset bench
	@cmake --build --preset bench -j $(JOBS) --target asperity_bench asperity
	@build/bench/benchmarks/asperity_bench
	@benchmarks/identify_scipy.py build/bench/asperity || [ $$? = 77 ]

# Beside other engines; what cannot be installed is left out, and the page says so.
compare: build
	$(deps) compare
	@for engine in bullet ode dart; do tools/install-deps --quiet compare-$$engine || echo "compare: without $$engine"; done
	@node benchmarks/peers/run.mjs --program build/asperity
	@benchmarks/peers/page.py

# Ratios to the same work in C++, and to calls of the program.
python-bench: build python
	@cmake --build build/python-lib -j $(JOBS) --target asperity_plain
	@build/python/bin/python3 benchmarks/python/bench.py build/python-lib/python/asperity_plain build/asperity

# The stubs, the API page, and the notebooks as pages.
python-docs: python
	$(deps) notebooks
	@PATH=$(CURDIR)/build/python/bin:$$PATH build/python/bin/python3 tools/python-docs
	@build/python/bin/python3 tools/notebooks

docs: build
	$(deps) docs
	@tools/update-docs build/asperity
	@tools/check-laws build/asperity

# Checked in a browser by ctest -R docs.site.
site: build
	$(deps) site
	@tools/site build/asperity out/site

format:
	$(deps) lint
	@clang-format -i $(SOURCES)

format-check:
	$(heading) 'clang-format'
	@clang-format --dry-run --Werror $(SOURCES)

lint:
	$(deps) build test lint
	@$(MAKE) --no-print-directory format-check tidy

tidy:
	$(heading) 'clang-tidy'
	@cmake --preset clang >/dev/null
	@find src cli examples -name '*.cpp' -not -path '*/add_a_law/*' | xargs -P $(JOBS) -n 2 clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option -p build/clang

clean:
	rm -rf build out
